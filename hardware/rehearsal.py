"""The rehearsal's lines: edges as a cube, a finger or a loose wire would make them."""

import queue
import random
import time
from collections.abc import Callable, Mapping

from hardware.edges import Edge

CUBE_S = (0.012, 0.026)
"""How long a falling cube of 8 to 10 mm breaks the beam at the roof, straight or on its edge."""


class RehearsalLines:
    """An `EdgeSource` without lines, driven from the page. Beams are high, and low when broken."""

    def __init__(
        self,
        lines: tuple[str, ...] = ("entry",),
        *,
        chance: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._names = lines
        self._chance = chance
        self._monotonic = monotonic
        self._levels = dict.fromkeys(lines, True)
        self._edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()

    def start(self) -> None:
        for name in self._names:
            self._edges.put(Edge(name, self._levels[name], self._monotonic()))

    def next(self, wait_s: float) -> Edge | None:
        try:
            return self._edges.get(timeout=wait_s)
        except queue.Empty:
            return None

    def levels(self) -> Mapping[str, bool]:
        return dict(self._levels)

    def revive(self) -> None:
        """Do nothing: it is never deaf."""

    def close(self) -> None:
        """Do nothing: it holds nothing."""

    def drop(self, line: str = "entry") -> None:
        """Let a cube fall through the beam: it was broken for some milliseconds until now."""
        now_s = self._monotonic()
        self._put(line, level=False, at=now_s - self._chance.uniform(*CUBE_S))
        self._put(line, level=True, at=now_s)

    def block(self, line: str = "entry") -> None:
        """Hold something in the beam until `clear`."""
        self._put(line, level=False, at=self._monotonic())

    def clear(self, line: str = "entry") -> None:
        """Take it out of the beam again."""
        self._put(line, level=True, at=self._monotonic())

    def rattle(self, line: str = "entry", pulses: int = 40) -> None:
        """Chatter like a loose wire: many pulses of half a millisecond."""
        began_s = self._monotonic() - pulses / 1000
        for n in range(pulses):
            self._put(line, level=False, at=began_s + n / 1000)
            self._put(line, level=True, at=began_s + n / 1000 + 0.0005)

    def _put(self, line: str, *, level: bool, at: float) -> None:
        if line not in self._levels:
            raise ValueError(f"There is no line {line!r}; there is: {', '.join(self._names)}.")
        self._levels[line] = level
        self._edges.put(Edge(line, level, at))
