"""Edges of digital lines, and where they come from."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Edge:
    """A line has changed: ``level`` is what it is now, high (True) or low, as on the wire.

    ``line`` is the name it has in the settings, such as ``entry``; ``at`` is when it changed, in
    seconds of the monotonic clock, stamped by the kernel where there is one.
    """

    line: str
    level: bool
    at: float


@dataclass(frozen=True, slots=True)
class Line:
    """An input: its name in the settings, its BCM number, and whether the Pi's pull-up is on.

    Break beams and threshold sound modules have open collectors: they need the pull-up.
    """

    name: str
    bcm: int
    pull_up: bool = True


class LineFault(Exception):  # noqa: N818 - the product's word: a fault is a sentence and a remedy
    """Lines cannot be watched."""

    def __init__(self, text: str, remedy: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.remedy = remedy


class EdgeSource(Protocol):
    """Where edges come from: `hardware.gpio`, a recording, or the rehearsal."""

    def start(self) -> None:
        """Take the lines. The first edge of each line tells its level at the start. Raises LineFault."""

    def next(self, wait_s: float) -> Edge | None:
        """Return the next edge in the order in which they came, or None if none came within ``wait_s``.

        Raises LineFault when the lines have gone.
        """

    def levels(self) -> Mapping[str, bool]:
        """Read every line now, past the edges: what they say must come to the same. Raises LineFault."""

    def revive(self) -> None:
        """Wake up a source that gives no edges although levels change. Raises LineFault."""

    def close(self) -> None:
        """Give the lines back. May be called twice, and without `start`."""


class Turned:
    """Another `EdgeSource` with its levels turned round, for sensors that are high when broken."""

    def __init__(self, source: EdgeSource) -> None:
        self._source = source

    def start(self) -> None:
        self._source.start()

    def next(self, wait_s: float) -> Edge | None:
        edge = self._source.next(wait_s)
        return edge and Edge(edge.line, not edge.level, edge.at)

    def levels(self) -> Mapping[str, bool]:
        return {line: not level for line, level in self._source.levels().items()}

    def revive(self) -> None:
        self._source.revive()

    def close(self) -> None:
        self._source.close()


def named_twice(lines: Iterable[Line]) -> LineFault | None:
    """Return the fault of two sensors on one line, naming both; None if each has its own."""
    holders: dict[int, str] = {}
    for line in lines:
        other = holders.setdefault(line.bcm, line.name)
        if other != line.name:
            return LineFault(
                f"GPIO{line.bcm} is named twice in the settings: for {other} and for {line.name}.",
                "Give every sensor a line of its own.",
            )
    return None
