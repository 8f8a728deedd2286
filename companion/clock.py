"""Table time. The only module that asks what time it is."""

import time
from collections.abc import Callable
from datetime import UTC, date, datetime

from companion.rules.events import Seconds


class TableClock:
    """Seconds of play since the game began: stands still while paused, and can be turned back.

    ``now`` is any monotonic clock in seconds; tests give a list's last value.

    >>> ticks = [100.0]
    >>> clock = TableClock(now=lambda: ticks[-1])
    >>> ticks.append(103.5); clock.at()
    3.5
    >>> clock.pause(); ticks.append(110.0); clock.at()
    3.5
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._zero = now()
        self._stopped_at: float | None = None

    @property
    def paused(self) -> bool:
        """Whether table time stands still."""
        return self._stopped_at is not None

    def at(self) -> Seconds:
        """Table time now."""
        return self.at_of(self._now())

    def at_of(self, monotonic_s: float) -> Seconds:
        """Table time of a moment on the machine's monotonic clock (a frame's, an edge's)."""
        stopped = self._stopped_at
        end = monotonic_s if stopped is None else min(monotonic_s, stopped)
        # in whole milliseconds, as facts are stamped: no fact lies in the future by a rounding
        return Seconds(round(max(0.0, end - self._zero), 3))

    def pause(self) -> None:
        """Stop table time."""
        if self._stopped_at is None:
            self._stopped_at = self._now()

    def resume(self) -> None:
        """Let table time go on from where it stood."""
        if self._stopped_at is not None:
            self._zero += self._now() - self._stopped_at
            self._stopped_at = None

    def turn_to(self, at: Seconds) -> None:
        """Set table time, running or paused."""
        base = self._now()
        self._zero = base - at
        if self._stopped_at is not None:
            self._stopped_at = base


def today() -> date:
    """The date where the table stands; for people, never for play."""
    return datetime.now().astimezone().date()


def wall_time() -> str:
    """Date and time of the world, UTC, to the second; for people, never for play."""
    return datetime.now(UTC).isoformat(timespec="seconds")
