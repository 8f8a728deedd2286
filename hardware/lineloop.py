"""The loop around the tower's lines: it starts them again when they are lost, and never goes deaf."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence

from companion.rules.events import Notice
from hardware.edges import Edge, EdgeSource, LineFault

log = logging.getLogger(__name__)

SOURCE = "tower lines"
CHECK_S = 1.0
"""How often the lines are read past the edges, to find out whether the edges still come."""

RETRY_S = (1.0, 2.0, 5.0, 15.0)
_IDLE_S = 0.25

LONG_AGO_S = 60.0
"""What is broken when we begin to look has been so for who knows how long: no cube, something held."""


class LineLoop:
    """Hands edges of a source on, in their order, to ``put``; what becomes of the source goes to ``say``.

    ``put`` is called in the thread that runs this, and should only enqueue.
    """

    def __init__(
        self,
        source: EdgeSource,
        put: Callable[[Edge], None],
        say: Callable[[Notice], None],
        *,
        retry_s: Sequence[float] = RETRY_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._put = put
        self._say = say
        self._retry_s = retry_s
        self._monotonic = monotonic
        self._levels: dict[str, bool] = {}
        self._doubted: Mapping[str, bool] = {}

    def step(self, edge: Edge) -> None:
        """Hand one edge on; the first one of a line only tells its level."""
        first = edge.line not in self._levels
        self._levels[edge.line] = edge.level
        if first and not edge.level:
            edge = Edge(edge.line, edge.level, edge.at - LONG_AGO_S)
        self._put(edge)

    def compare(self, levels: Mapping[str, bool], now: float) -> bool:
        """Hold the lines, as read now, against their last edges; True if the source is deaf.

        A difference counts when it has stood from one comparison to the next: an edge may be on
        its way. It is then put right as an edge that came now.
        """
        wrong = {line: level for line, level in levels.items() if self._levels.get(line) != level}
        stood = {line: level for line, level in wrong.items() if self._doubted.get(line) == level}
        self._doubted = wrong
        for line, level in stood.items():
            self.step(Edge(line, level, now))
        return bool(stood)

    def run(self, stop: threading.Event) -> None:
        """Watch until told to stop; start again after a fault, with growing pauses."""
        failures = 0
        while not stop.is_set():
            try:
                self._levels, self._doubted = {}, {}
                self._source.start()
                failures = 0
                self._say(
                    Notice(source=SOURCE, state="live", text="The tower's lines are watched.", level="ok")
                )
                self._follow(stop)
            except LineFault as fault:
                self._say(Notice(source=SOURCE, state="lost", text=fault.text, remedy=fault.remedy))
                stop.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])
                failures += 1
            finally:
                self._source.close()

    def _follow(self, stop: threading.Event) -> None:
        checked = self._monotonic()
        while not stop.is_set():
            edge = self._source.next(_IDLE_S)
            if edge is not None:
                self.step(edge)
            now = self._monotonic()
            if now - checked >= CHECK_S and edge is None:
                checked = now
                if self.compare(self._source.levels(), now):
                    log.warning("edges were missing: the lines changed and nothing was delivered")
                    self._source.revive()
