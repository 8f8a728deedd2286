"""The loop between the tower's lines and the table: edges in, cubes and notices out."""

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from uuid import uuid4

from companion.rules.events import CubeDropped, Notice, Observation, Seconds
from hardware.beam import Beam, BeamLimits, BeamState, Passage
from hardware.edges import Edge, EdgeSource, LineFault

log = logging.getLogger(__name__)

SOURCE = "tower"
CHECK_S = 1.0
"""How often the lines are read past the edges, to find out whether the edges still come."""

RETRY_S = (1.0, 2.0, 5.0, 15.0)
_SOON_S, _IDLE_S = 0.01, 0.25

Submit = Callable[[Observation | Notice], None]


class EdgeWatch:
    """Watches one source of edges and submits a `CubeDropped` for each cube at the entry.

    ``clock`` turns monotonic seconds into table time. ``session`` makes the ids of this run
    different from those of any other.
    """

    def __init__(
        self,
        source: EdgeSource,
        submit: Submit,
        *,
        clock: Callable[[float], Seconds],
        entry: str = "entry",
        limits: BeamLimits | None = None,
        session: str = "",
        retry_s: Sequence[float] = RETRY_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._submit = submit
        self._clock = clock
        self._entry = entry
        self._limits = limits or BeamLimits()
        self._session = session or uuid4().hex[:8]
        self._retry_s = retry_s
        self._monotonic = monotonic
        self._beams: dict[str, Beam] = {}
        self._levels: dict[str, bool] = {}
        self._doubted: Mapping[str, bool] = {}
        self._told: dict[str, BeamState] = {}
        self._drops = 0

    def step(self, edge: Edge) -> None:
        """Take one edge in."""
        self._levels[edge.line] = edge.level
        beam = self._beams.setdefault(edge.line, Beam(self._limits))
        self._tell(edge.line, beam, beam.see(edge.level, edge.at))

    def tick(self, now: float) -> None:
        """Let time go on to ``now`` (monotonic seconds)."""
        for line, beam in self._beams.items():
            self._tell(line, beam, beam.tick(now))

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
                self._source.start()
                failures = 0
                self._submit(
                    Notice(source=SOURCE, state="live", text="The tower's lines are watched.", level="ok")
                )
                self._follow(stop)
            except LineFault as fault:
                self._submit(Notice(source=SOURCE, state="lost", text=fault.text, remedy=fault.remedy))
                stop.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])
                failures += 1
            finally:
                self._source.close()

    def _follow(self, stop: threading.Event) -> None:
        checked = self._monotonic()
        while not stop.is_set():
            busy = any(beam.open for beam in self._beams.values())
            edge = self._source.next(_SOON_S if busy else _IDLE_S)
            if edge is not None:
                self.step(edge)
                continue
            now = self._monotonic()
            self.tick(now)
            if now - checked >= CHECK_S:
                checked = now
                if self.compare(self._source.levels(), now):
                    log.warning("edges were missing: the lines changed and nothing was delivered")
                    self._source.revive()

    def _tell(self, line: str, beam: Beam, passage: Passage | None) -> None:
        if passage and line == self._entry:
            self._drop(passage)
        if beam.state is not self._told.get(line, BeamState.CLEAR):
            self._told[line] = beam.state
            self._submit(_notice(line, beam.state))

    def _drop(self, passage: Passage) -> None:
        self._drops += 1
        drop = f"{self._session}-{self._drops}"
        event = CubeDropped(at=self._clock(passage.at), drop=drop)
        self._submit(Observation(id=drop, event=event, source=SOURCE))


def _notice(line: str, state: BeamState) -> Notice:
    source = f"{SOURCE} {line}"
    if state is BeamState.BLOCKED:
        text, remedy = (
            f"The beam {line} is blocked.",
            "Take out what lies in it; if nothing does, check emitter and wire.",
        )
    elif state is BeamState.CHATTERING:
        text, remedy = (
            f"The line {line} chatters.",
            "Check its wire and its pull-up; drops are entered by hand meanwhile.",
        )
    else:
        return Notice(source=source, state=state, text=f"The beam {line} is clear.", level="ok")
    return Notice(source=source, state=state, text=text, remedy=remedy)
