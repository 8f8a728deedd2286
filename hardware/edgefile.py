"""Recorded edges, one JSON object a line, read piece by piece in the order of their times."""

import heapq
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from hardware.edges import Edge

SHUFFLED: Final = 4096
"""Lines may be so far from the place that their time gives them."""


class EdgeFileError(ValueError):
    """A recording of edges cannot be read; the text names the file, the line and what is wrong."""


class EdgeFile:
    """A file of ``{"t": seconds, "line": name, "active": true or false}``. Empty lines are passed over."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lines: tuple[str, ...] | None = None

    def lines(self) -> tuple[str, ...]:
        """The names of all lines in the file, in the order of the alphabet. Raises EdgeFileError."""
        if self._lines is None:
            names = {edge.line for edge in self._read()}
            self._lines = tuple(sorted(names))
        return self._lines

    def edges(self) -> Iterator[Edge]:
        """The edges in the order of their times; active is low on the wire. Raises EdgeFileError."""
        waiting: list[tuple[float, int, Edge]] = []
        for number, edge in enumerate(self._read()):
            item = (edge.at, number, edge)
            if len(waiting) < SHUFFLED:
                heapq.heappush(waiting, item)
            else:
                yield heapq.heappushpop(waiting, item)[2]
        while waiting:
            yield heapq.heappop(waiting)[2]

    def _read(self) -> Iterator[Edge]:
        try:
            with self.path.open(encoding="utf-8") as file:
                for number, text in enumerate(file, start=1):
                    if text.strip():
                        yield self._parsed(text, number)
        except (OSError, UnicodeDecodeError) as error:
            why = getattr(error, "strerror", None) or error
            raise EdgeFileError(f"{self.path} cannot be read as a recording of edges: {why}.") from error

    def _parsed(self, text: str, number: int) -> Edge:
        where = f"{self.path}, line {number}"
        try:
            found: Any = json.loads(text)
        except ValueError as error:
            raise EdgeFileError(f"{where}: {text.strip()[:60]!r} is no JSON ({error}).") from error
        if not isinstance(found, dict) or not {"t", "line", "active"} <= set(found):
            raise EdgeFileError(f'{where}: write {{"t": seconds, "line": name, "active": true or false}}.')
        at, line, active = found["t"], found["line"], found["active"]
        if isinstance(at, bool) or not isinstance(at, int | float) or not math.isfinite(at):
            raise EdgeFileError(f"{where}: t must be a number of seconds, not {at!r}.")
        if not isinstance(line, str) or not isinstance(active, bool | int):
            raise EdgeFileError(f"{where}: line must be a name and active true or false.")
        return Edge(line, not active, float(at))
