"""Edges in a text file: one a line, ``seconds name level``, for replaying what happened at a tower.

# anything after a hash is a remark
12.003100 entry 0
12.021400 entry 1
"""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

from hardware.edges import Edge, EdgeSource, LineFault


def write(edges: Iterable[Edge], path: Path) -> None:
    """Write edges to a file, in the order given; times to the microsecond."""
    path.write_text(
        "".join(f"{edge.at:.6f} {edge.line} {int(edge.level)}\n" for edge in edges), encoding="utf-8"
    )


def read(path: Path) -> tuple[Edge, ...]:
    """Read a file of edges. Raises LineFault naming the file, the line and what is wrong."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise LineFault(
            f"{path} cannot be read as a recording of edges: {error}.", "Choose another file."
        ) from error
    return tuple(_parsed(lines, path))


class Recorded:
    """An `EdgeSource` that gives recorded edges at the pace at which they came, once.

    Their times are moved so that the first comes as it starts. ``pace`` 0 gives all at once.
    """

    def __init__(
        self, edges: Iterable[Edge], *, pace: float = 1.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._edges = tuple(edges)
        self._pace = pace
        self._monotonic = monotonic
        self._shift_s = 0.0
        self._next = 0
        self._closed = threading.Event()
        self._levels: dict[str, bool] = {}

    def start(self) -> None:
        if self._edges:
            self._shift_s = self._monotonic() - self._edges[0].at

    def next(self, wait_s: float) -> Edge | None:
        if self._next >= len(self._edges):
            self._closed.wait(wait_s)
            return None
        recorded = self._edges[self._next]
        edge = Edge(recorded.line, recorded.level, recorded.at + self._shift_s)
        due_s = (edge.at - self._monotonic()) * self._pace
        if due_s > 0 and (self._closed.wait(min(due_s, wait_s)) or due_s > wait_s):
            return None
        self._next += 1
        self._levels[edge.line] = edge.level
        return edge

    def levels(self) -> Mapping[str, bool]:
        return dict(self._levels)

    def revive(self) -> None:
        """Do nothing: a recording is never deaf."""

    def close(self) -> None:
        self._closed.set()


class Remembered:
    """Another `EdgeSource`, of which the last edges are kept for a report."""

    def __init__(self, source: EdgeSource, *, keep_s: float = 60.0, most: int = 4096) -> None:
        self._source = source
        self._keep_s = keep_s
        self._edges: deque[Edge] = deque(maxlen=most)

    def edges(self, now: float) -> tuple[Edge, ...]:
        """Return the edges of the time before ``now`` (monotonic seconds). From any thread."""
        return tuple(edge for edge in self._edges.copy() if now - edge.at <= self._keep_s)

    def start(self) -> None:
        self._source.start()

    def next(self, wait_s: float) -> Edge | None:
        edge = self._source.next(wait_s)
        if edge is not None:
            self._edges.append(edge)
        return edge

    def levels(self) -> Mapping[str, bool]:
        return self._source.levels()

    def revive(self) -> None:
        self._source.revive()

    def close(self) -> None:
        self._source.close()


def _parsed(lines: Iterable[str], path: Path) -> Iterator[Edge]:
    last = float("-inf")
    for number, text in enumerate(lines, start=1):
        words = text.partition("#")[0].split()
        if not words:
            continue
        try:
            at, name, level = float(words[0]), words[1], {"0": False, "1": True}[words[2]]
        except (ValueError, IndexError, KeyError) as error:
            raise LineFault(
                f"{path}, line {number}: {text.strip()!r} is not an edge.", "Write: seconds name 0 or 1."
            ) from error
        if len(words) != 3 or not last <= at < float("inf"):
            raise LineFault(
                f"{path}, line {number}: the times must rise, with three words in a line.", "Sort the file."
            )
        last = at
        yield Edge(name, level, at)
