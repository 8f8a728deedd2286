"""Timers as values: how long is left, or when it ends. Nothing here runs."""

from dataclasses import dataclass

from companion.rules.events import Seconds


@dataclass(frozen=True, slots=True)
class Timer:
    """A countdown in table time. A state holds it; the table rings the bell when it ends.

    >>> sand = Timer("turn", ends_at=Seconds(60.0))
    >>> sand.left_s(Seconds(45.5))
    14.5
    >>> sand.over(Seconds(60.0))
    True
    """

    name: str
    ends_at: Seconds

    def left_s(self, at: Seconds) -> float:
        """Seconds left at ``at``, never below zero."""
        return max(0.0, self.ends_at - at)

    def over(self, at: Seconds) -> bool:
        """Whether it has run out at ``at``."""
        return at >= self.ends_at
