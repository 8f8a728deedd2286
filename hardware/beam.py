"""What one break beam says: something passed, it is blocked, its wire is loose. Pure.

The beam's receiver pulls its line low while the beam is broken.
"""

from collections import deque
from dataclasses import dataclass, field
from enum import StrEnum


@dataclass(frozen=True, slots=True)
class BeamLimits:
    """Times in seconds.

    ``shortest_s`` to ``longest_s``: how long a passing cube breaks a beam. At the roof an 8 to
    10 mm cube takes 15 to 28 ms, at the bottom of the tower 3.5 to 6 ms; one let down by hand
    takes longer. Above ``longest_s`` the beam is blocked.
    ``gap_s``: light for less than this is still the same cube, turning over.
    ``chatter``: so many edges within a second come from no cube: six dropped at once make twelve.
    ``calm_s``: after so long without an edge the chatter is over.
    """

    shortest_s: float = 0.002
    longest_s: float = 0.4
    gap_s: float = 0.012
    chatter: int = 20
    calm_s: float = 2.0


class BeamState(StrEnum):
    """Whether a beam can be believed."""

    CLEAR = "clear"
    BLOCKED = "blocked"
    CHATTERING = "chattering"


@dataclass(frozen=True, slots=True)
class Passage:
    """Something went through: when the beam was first broken, and for how long in all."""

    at: float
    width_s: float


@dataclass(slots=True)
class Beam:
    """Follows one beam. Levels and times go in as they come; `state` and passages come out."""

    limits: BeamLimits = field(default_factory=BeamLimits)
    state: BeamState = BeamState.CLEAR
    _high: bool = True
    _began: float | None = None
    _ended: float = 0.0
    _recent: deque[float] = field(default_factory=deque)

    @property
    def open(self) -> bool:
        """Whether something is passing, so that `tick` is wanted soon."""
        return self._began is not None and self.state is BeamState.CLEAR

    def see(self, high: bool, at: float) -> Passage | None:
        """Take in the level since ``at``; return the passage that had ended before, if one had."""
        passage = self.tick(at)
        if high == self._high:
            return passage
        self._high = high
        self._recent.append(at)
        if high:
            self._ended = at
        elif self._began is None:
            self._began = at
        return passage

    def tick(self, now: float) -> Passage | None:
        """Let time go on to ``now``; return the passage that has ended, if one has."""
        while self._recent and now - self._recent[0] > max(1.0, self.limits.calm_s):
            self._recent.popleft()
        if sum(now - at <= 1.0 for at in self._recent) >= self.limits.chatter:
            self.state = BeamState.CHATTERING
        elif self.state is BeamState.CHATTERING and not self._recent:
            self.state, self._began = BeamState.CLEAR, (now if not self._high else None)
        if self._began is None or self.state is BeamState.CHATTERING:
            return None
        if not self._high:
            if now - self._began > self.limits.longest_s:
                self.state = BeamState.BLOCKED
            return None
        return self._finish(self._began) if now - self._ended >= self.limits.gap_s else None

    def _finish(self, began: float) -> Passage | None:
        width_s = self._ended - began
        was, self.state, self._began = self.state, BeamState.CLEAR, None
        plausible = self.limits.shortest_s <= width_s <= self.limits.longest_s
        return Passage(began, width_s) if plausible and was is BeamState.CLEAR else None
