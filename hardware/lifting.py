"""Whether the upper part of the tower is lifted: its beams break together and stay broken. Pure."""

from collections import deque
from collections.abc import Mapping
from typing import Final

from hardware.noticed import Kind, Noticed
from hardware.passages import Gate

TOGETHER_S: Final = 0.05
HELD_S: Final = 0.3
REST_S: Final = 0.1
"""The beams of all boxes lifted break within 50 ms and stay so for 300 ms; 100 ms of light end it."""


class Lifting:
    """Follows lifts. A lift has at least two plates with beams in it, the uppermost one among them."""

    def __init__(self) -> None:
        self._lifted: frozenset[int] = frozenset()
        self._since = 0.0
        self._clear: float | None = None
        self._past: deque[tuple[float, float]] = deque(maxlen=16)

    @property
    def lifted(self) -> bool:
        return bool(self._lifted)

    def holds(self, plate: int) -> bool:
        """Whether that plate is lifted now."""
        return plate in self._lifted

    def covers(self, since: float, until: float) -> bool:
        """Whether something was lifted at any time between."""
        now = self.lifted and until > self._since - TOGETHER_S
        return now or any(a - TOGETHER_S < until and b + REST_S > since for a, b in self._past)

    def step(self, gates: Mapping[int, Gate], now: float) -> list[Noticed]:
        """Look at the plates' beams, the uppermost first; return a lift's begin or end."""
        if self._lifted:
            return self._closing(gates, now)
        lows: dict[int, float] = {}
        for plate, gate in gates.items():
            if gate.low_since is None:
                break
            lows[plate] = gate.low_since
        together = [plate for plate in lows if abs(lows[plate] - lows[max(lows)]) <= TOGETHER_S]
        if len(together) < 2 or now - max(lows[plate] for plate in together) < HELD_S:
            return []
        self._lifted, self._clear = frozenset(together), None
        self._since = min(lows[plate] for plate in together)
        return [Noticed(self._since, Kind.LIFTED, 0.95)]

    def _closing(self, gates: Mapping[int, Gate], now: float) -> list[Noticed]:
        if any(gates[plate].low_since is not None for plate in self._lifted):
            self._clear = None
            return []
        self._clear = now if self._clear is None else self._clear
        if now - self._clear < REST_S:
            return []
        self._past.append((self._since, self._clear))
        self._lifted = frozenset()
        return [Noticed(self._clear, Kind.CLOSED, 0.95)]
