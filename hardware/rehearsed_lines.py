"""The rehearsal's lines: edges that come at their own times, beams that are held, wires that are loose."""

import heapq
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Final

from hardware.edges import Edge
from hardware.traces import Span

ENTRY: Final = "entry"


class RehearsedLines:
    """An `EdgeSource` without lines. A line is low while anything makes it active, and high otherwise.

    ``lines`` are names as in the settings. Times are on the clock ``monotonic``. Safe from any thread.
    """

    def __init__(
        self, lines: tuple[str, ...] = (ENTRY,), *, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._names = lines
        self._monotonic = monotonic
        self._changed = threading.Condition()
        self._levels = dict.fromkeys(lines, True)
        self._active = dict.fromkeys(lines, 0)
        self._held: set[str] = set()
        self._cut: set[str] = set()
        self._coming: list[tuple[float, int, str, int]] = []
        self._count = 0
        self._started: deque[str] = deque()

    def start(self) -> None:
        with self._changed:
            self._started = deque(self._names)

    def next(self, wait_s: float) -> Edge | None:
        with self._changed:
            left_s = wait_s
            while True:
                now = self._monotonic()
                edge = self._due(now)
                if edge is not None or left_s <= 0:
                    return edge
                some_s = min(left_s, self._coming[0][0] - now) if self._coming else left_s
                woken = self._changed.wait(some_s)
                left_s -= max(0.0, self._monotonic() - now) if woken else some_s

    def levels(self) -> Mapping[str, bool]:
        with self._changed:
            active, now = dict(self._active), self._monotonic()
            for at, _, line, change in self._coming:
                active[line] += change if at <= now else 0
            return {line: line in self._cut or not active[line] for line in self._names}

    def revive(self) -> None:
        """Do nothing: it is never deaf."""

    def close(self) -> None:
        """Do nothing: it holds nothing."""

    def add(self, spans: Iterable[tuple[str, Span]]) -> None:
        """Make lines active for a while; those that are not here are left out."""
        with self._changed:
            for line, (begin, end) in spans:
                if line in self._levels:
                    self._change(begin, line, 1)
                    self._change(end, line, -1)

    def block(self, line: str = ENTRY) -> None:
        """Hold something in a beam until `clear`. Raises ValueError for a line that is not here."""
        with self._changed:
            if self._known(line) not in self._held:
                self._held.add(line)
                self._change(self._monotonic(), line, 1)

    def clear(self, line: str | None = None) -> None:
        """Take out what was held in a beam; without its name, out of all, and mend what was cut."""
        with self._changed:
            if line is None:
                self._mend()
            for name in self._names if line is None else (self._known(line),):
                if name in self._held:
                    self._held.discard(name)
                    self._change(self._monotonic(), name, -1)

    def rattle(self, line: str = ENTRY, pulses: int = 40, wave_s: float = 0.001) -> None:
        """Chatter like a loose wire until now: so many pulses, each half a wave long."""
        began = self._monotonic() - pulses * wave_s
        starts = (began + n * wave_s for n in range(pulses))
        self._known(line)
        self.add((line, (start, start + wave_s / 2)) for start in starts)

    def cut(self, line: str = ENTRY) -> None:
        """Cut a receiver's wire: its line stays high, as of a clear beam, until `clear` without a name."""
        with self._changed:
            self._cut.add(self._known(line))
            self._change(self._monotonic(), line, 0)

    def _mend(self) -> None:
        for line in self._cut:
            self._change(self._monotonic(), line, 0)
        self._cut.clear()

    def _known(self, line: str) -> str:
        if line not in self._levels:
            raise ValueError(f"There is no line {line!r}; there is: {', '.join(self._names)}.")
        return line

    def _change(self, at: float, line: str, change: int) -> None:
        """Have one thing more, or one less, make a line active from a time on; 0: look at its wire."""
        self._count += 1
        heapq.heappush(self._coming, (at, self._count, line, change))
        self._changed.notify_all()

    def _due(self, now: float) -> Edge | None:
        """Return the next edge that has come to pass."""
        if self._started:
            line = self._started.popleft()
            return Edge(line, self._levels[line], now)
        while self._coming and self._coming[0][0] <= now:
            at, _, line, change = heapq.heappop(self._coming)
            self._active[line] += change
            level = line in self._cut or not self._active[line]
            if level != self._levels[line]:
                self._levels[line] = level
                return Edge(line, level, at)
        return None
