"""What a threshold sound module says: bursts out of its chattering edges. Pure.

The module's comparator follows the waveform: one impact makes dozens of edges in some milliseconds,
and the louder it is, the more. The first edge is the onset; some milliseconds of rest end the burst.
"""

from dataclasses import dataclass, field

from hardware.edges import Edge


@dataclass(frozen=True, slots=True)
class Burst:
    """Something was loud: ``at`` monotonic seconds of the first edge.

    ``edges`` (1 or more) and ``span_s`` from first to last edge are a crude loudness. ``cut``: it went
    on; this is its first part, and the rest was noise.
    """

    at: float
    edges: int
    span_s: float
    cut: bool = False


@dataclass(frozen=True, slots=True)
class BurstLimits:
    """Times in seconds.

    ``rest_s``: so long without an edge ends a burst. Two impacts nearer than that are one.
    ``longest_s``: what goes on for longer is no impact but noise, or a threshold set too fine; its
    first part is told at once. A cube's burst takes 10 to 50 ms.
    ``calm_s``: after so long without an edge the chatter is over.
    """

    rest_s: float = 0.012
    longest_s: float = 0.25
    calm_s: float = 1.0


@dataclass(slots=True)
class BurstReader:
    """Follows one module's line; holds four numbers, however much it chatters."""

    limits: BurstLimits = field(default_factory=BurstLimits)
    chattering: bool = False
    """Whether it has been loud without rest: nothing can be heard until it is calm."""
    _first: float = 0.0
    _last: float = 0.0
    _edges: int = 0
    _level: bool | None = None

    def edge(self, edge: Edge) -> Burst | None:
        """Take in the next edge; return the burst that it ended, or the first part of what goes on.

        The first edge tells only the level at the start. One that repeats the level is none.
        """
        before, self._level = self._level, edge.level
        if before is None or before == edge.level:
            return self.tick(edge.at)
        burst = self.tick(edge.at)
        if self._edges == 0:
            self._first = edge.at
        self._last = max(edge.at, self._first)
        self._edges += 1
        if not self.chattering and self._last - self._first > self.limits.longest_s:
            self.chattering = True
            return Burst(self._first, self._edges, self._last - self._first, cut=True)
        return burst

    def tick(self, now: float) -> Burst | None:
        """Let time go on to ``now`` (monotonic seconds); return the burst that has ended, if one has."""
        rest_s = self.limits.calm_s if self.chattering else self.limits.rest_s
        if self._edges == 0 or now - self._last <= rest_s:
            return None
        burst = None if self.chattering else Burst(self._first, self._edges, self._last - self._first)
        self.chattering, self._edges = False, 0
        return burst
