"""What a kernel tells of its lines, made into edges: gaps noticed, storms thinned. Pure."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from hardware.edges import Edge


class Told(NamedTuple):
    """One event of the kernel: the line's name, its level since ``at`` s, and its number on that line."""

    line: str
    level: bool
    at: float
    number: int


@dataclass(frozen=True, slots=True)
class FlowLimits:
    """What one line may tell before it is thinned: ``burst`` edges at once, ``per_s`` for good.

    A clap at a threshold sound module is some 50 edges, a tone 2000 a second at most; a cube at a
    beam is two. A loose wire has made 20 000 a second, and whoever follows those misses the other
    lines. Thinned edges still chatter enough to be named.
    """

    burst: int = 1000
    per_s: float = 2000.0


@dataclass(slots=True)
class _State:
    number: int
    credit: float
    at: float
    told: bool | None = None
    held: Edge | None = None


@dataclass(slots=True)
class Flow:
    """Follows the events of all lines. ``lost``: edges that the kernel had to drop, so far."""

    limits: FlowLimits = field(default_factory=FlowLimits)
    lost: int = 0
    thinned: int = 0
    _lines: dict[str, _State] = field(default_factory=dict)

    def take(self, events: Iterable[Told]) -> list[Edge]:
        """Return the edges of these events, in their order."""
        edges = []
        for event in events:
            state = self._lines.get(event.line)
            if state is None:
                state = self._lines[event.line] = _State(event.number - 1, self.limits.burst, event.at)
            self.lost += max(0, event.number - state.number - 1)
            state.number = event.number
            edge = Edge(event.line, event.level, event.at)
            if self._may_pass(state, event.at):
                state.told, state.held = event.level, None
                edges.append(edge)
            else:
                self.thinned += 1
                state.held = edge
        return edges

    def settle(self) -> list[Edge]:
        """Return the last levels that were thinned away; to be asked for when the lines are quiet."""
        edges = []
        for state in self._lines.values():
            held, state.held = state.held, None
            if held is not None and held.level != state.told:
                state.told = held.level
                edges.append(held)
        return sorted(edges, key=lambda edge: edge.at)

    def _may_pass(self, state: _State, at: float) -> bool:
        earned = max(0.0, at - state.at) * self.limits.per_s
        state.credit = min(self.limits.burst, state.credit + earned)
        state.at = at
        if state.credit < 1.0:
            return False
        state.credit -= 1.0
        return True
