"""What the beams at one plate say: things pass, something is held in them, a wire is loose. Pure.

A receiver pulls its line low while its beam is broken. Every filter is here, in seconds: the lines
themselves are read without any bounce time.
"""

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

SHORTEST_S: Final = 0.0015
"""What breaks a beam for less is a glitch: the fastest cube takes 3 ms to pass the lowest plate."""

GAP_S: Final = 0.005
"""Light for less than this is still the same cube, turning over."""

LONGEST_S: Final = 0.1
"""What holds a beam for longer is a hand, or something that lies in it."""

BLOCKED_S: Final = 0.8
"""A hand takes up to 800 ms."""

UNTRUE_S: Final = 0.4
"""A beam that is broken for longer says nothing of cubes until it clears."""

LATE_S: Final = 0.05
"""Edges may come so much after their time."""

CHATTER: Final = 40
CHATTER_S: Final = 0.5
"""So many edges in so short a time come from no cubes: six thrown in at once make twelve."""

CALM_S: Final = 2.0
"""After so long without an edge the chatter is over."""

Span = tuple[float, float]


@dataclass(slots=True)
class _Line:
    """One beam: since when it is broken, and its last edges."""

    low: float | None = None
    chattering: bool = False
    untrue: bool = False
    began: float = 0.0
    edges: deque[float] = field(default_factory=lambda: deque(maxlen=CHATTER))


@dataclass(frozen=True, slots=True)
class Broken:
    """The beams of a plate were broken and are clear again, with light for less than 5 ms in between.

    ``spans``: for each line when it was broken, (from, until) in seconds. ``held``: for too long.
    """

    plate: int
    spans: Mapping[str, tuple[Span, ...]]
    held: bool = False

    @property
    def at(self) -> float:
        """When the first of them broke."""
        return min(spans[0][0] for spans in self.spans.values())

    @property
    def until(self) -> float:
        """When the last of them cleared."""
        return max(spans[-1][1] for spans in self.spans.values())

    @property
    def width_s(self) -> float:
        return self.until - self.at


@dataclass(frozen=True, slots=True)
class Passage:
    """One cube went through a plate: when it broke the beam first, and for how long."""

    plate: int
    at: float
    width_s: float
    sure: float = 1.0


class Gate:
    """Follows the beams of one plate. Edges go in, `Broken` comes out when they are clear again."""

    def __init__(self, plate: int, lines: Iterable[str]) -> None:
        self.plate = plate
        self._lines = {line: _Line() for line in lines}
        self._spans: dict[str, list[Span]] = {}
        self._ended = 0.0
        self._held = False
        self._untrue: dict[str, deque[Span]] = {line: deque(maxlen=16) for line in self._lines}

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(self._lines)

    @property
    def low_since(self) -> float | None:
        """Since when something is in the plate's beams, chattering ones left out; None if nothing is."""
        lows = [one.low for one in self._lines.values() if one.low is not None and not one.chattering]
        return min(lows) if lows else None

    @property
    def chattering(self) -> dict[str, float]:
        """The lines that change faster than anything falls, and since when."""
        return {name: line.began for name, line in self._lines.items() if line.chattering}

    def blocked(self, now: float) -> dict[str, float]:
        """The lines that have been broken for longer than a hand takes, and since when."""
        return {
            name: line.low
            for name, line in self._lines.items()
            if line.low is not None and not line.chattering and now - line.low > BLOCKED_S
        }

    def clear_for(self, name: str, now: float) -> float:
        """For how many seconds that line has been clear; 0 while it is broken or chatters."""
        line = self._lines[name]
        if line.low is not None or line.chattering or not line.edges:
            return 0.0 if line.low is not None or line.chattering else now
        return now - line.edges[-1]

    def usable(self, since: float, until: float, now: float) -> int:
        """How many of its beams could be believed from ``since`` to ``until``."""
        return sum(not self._untrue_in(name, since, until, now) for name in self._lines)

    def see(self, name: str, *, high: bool, at: float) -> list[Broken]:
        """Take in one line's level since ``at``; return what had ended before."""
        line = self._lines[name]
        if high == (line.low is None):
            return []
        closed = self._close(at - GAP_S)
        if line.edges:
            at = max(at, line.edges[-1])
        line.edges.append(at)
        if high:
            self._cleared(name, line, at)
        else:
            line.low = at
        if not line.chattering and len(line.edges) == CHATTER and at - line.edges[0] < CHATTER_S:
            line.chattering, line.began = True, line.edges[0]
            self._spans.pop(name, None)
        return closed

    def tick(self, now: float) -> list[Broken]:
        """Let time go on to ``now``; return what has ended."""
        for name, line in self._lines.items():
            if line.chattering and now - line.edges[-1] > CALM_S:
                line.chattering = False
                self._untrue[name].append((line.began, line.edges[-1]))
                line.edges.clear()
                line.low = None if line.low is None else now
            elif line.low is not None and now - line.low > BLOCKED_S and not line.untrue:
                line.untrue = self._held = True
                self._spans.setdefault(name, []).append((line.low, now))
                self._ended = now
        return self._close(now - LATE_S)

    def _cleared(self, name: str, line: _Line, at: float) -> None:
        assert line.low is not None
        began, line.low = line.low, None
        if at - began > UNTRUE_S:
            self._untrue[name].append((began, at))
        if line.untrue:
            line.untrue = False
        elif not line.chattering and at - began >= SHORTEST_S:
            self._spans.setdefault(name, []).append((began, at))
            self._ended = max(self._ended, at)

    def _close(self, before: float) -> list[Broken]:
        """Return what is in the making, if nothing belonged to it at ``before`` or later."""
        waits = any(
            one.low is not None and not one.untrue and not one.chattering for one in self._lines.values()
        )
        if not self._spans or waits or self._ended > before:
            return []
        spans = {name: tuple(found) for name, found in self._spans.items() if found}
        held, self._held, self._spans = self._held, False, {}
        return [Broken(self.plate, spans, held)] if spans else []

    def _untrue_in(self, name: str, since: float, until: float, now: float) -> bool:
        line = self._lines[name]
        if line.chattering and line.began < until:
            return True
        if line.low is not None and now - line.low > UNTRUE_S and line.low < until:
            return True
        return any(began < until and ended > since for began, ended in self._untrue[name])
