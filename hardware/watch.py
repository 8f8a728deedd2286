"""The loop between the tower and the table: edges and sounds in, cubes and notices out."""

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from uuid import uuid4

from companion.rules.events import Notice, Observation, Seconds
from hardware import told
from hardware.bursts import Burst, BurstReader
from hardware.edges import Edge, EdgeSource
from hardware.lineloop import LONG_AGO_S, LineLoop
from hardware.noticed import Noticed
from hardware.profile import TowerProfile, is_microphone
from hardware.sound import Onset, SoundSource
from hardware.soundloop import SoundLoop
from hardware.tower import Tower

log = logging.getLogger(__name__)

LAG_S = 0.05
"""On a busy machine an edge is that late at most; for the judge time goes on only so far."""

_FAILED = Notice(
    source="tower judge",
    state="failed",
    text="Something at the tower could not be judged: a cube may be missing.",
    remedy="Count along and enter cubes by hand; save a report of it.",
)
_SOON_S, _IDLE_S = 0.02, 0.25

Submit = Callable[[Observation | Notice], None]
Loop = Callable[[threading.Event], None]


class TowerWatch:
    """Watches one tower and submits a `CubeDropped` for each cube that falls into it.

    Lines and sound are watched in threads of their own, and what one of them meets is no trouble of
    the other's. ``clock`` turns monotonic seconds into table time; ``open_book`` says whether beams
    inside the tower may be named now. ``session`` makes the ids of this run different from any other's.
    """

    def __init__(
        self,
        profile: TowerProfile,
        submit: Submit,
        *,
        clock: Callable[[float], Seconds],
        lines: EdgeSource | None = None,
        sound: SoundSource | None = None,
        open_book: Callable[[], bool] = lambda: False,
        session: str = "",
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._tower = Tower(profile)
        self._submit = submit
        self._clock = clock
        self._open_book = open_book
        self._session = session or uuid4().hex[:8]
        self._monotonic = monotonic
        self._inbox: queue.SimpleQueue[Edge | Onset | Callable[[], None]] = queue.SimpleQueue()
        self._lines = LineLoop(lines, self._inbox.put, submit, monotonic=monotonic) if lines else None
        self._sound = (
            SoundLoop(sound, self._inbox.put, submit, live=self._listen, monotonic=monotonic)
            if sound
            else None
        )
        if self._sound is not None:
            self._sound.hear_above(profile.quietest_db)
        self._modules: dict[str, BurstReader] = {}
        self._wave = False
        self._levels: dict[str, bool] = {}
        self._shown: Mapping[str, Notice] = {}
        self._drops = 0

    @property
    def loops(self) -> Mapping[str, Loop]:
        """What has to run, each in a thread of its own, until told to stop."""
        loops: dict[str, Loop] = {"tower": self.run}
        if self._lines is not None:
            loops["lines"] = self._lines.run
        if self._sound is not None:
            loops["sound"] = self._sound.run
        return loops

    @property
    def learned(self) -> TowerProfile:
        """The profile with what this run has taught."""
        return self._tower.learned

    def run(self, stop: threading.Event) -> None:
        """Judge what comes in until told to stop."""
        while not stop.is_set():
            try:
                self._turn()
            except Exception:  # whatever is wrong with one cube, the next ones must be counted
                log.exception("the tower's judge failed")
                self._submit(_FAILED)

    def _turn(self) -> None:
        now = self._monotonic()
        try:
            item = self._inbox.get(timeout=self._patience_s)
        except queue.Empty:
            self.tick(now - LAG_S)
            return
        if callable(item):
            item()
        else:
            self.take(item)

    def take(self, item: Edge | Onset) -> None:
        """Take in what a line or the microphone says."""
        if isinstance(item, Onset):
            self._tell(self._tower.onset(item))
        else:
            self._levels[item.line] = item.level
            if is_microphone(item.line):
                self._heard(self._module(item.line).edge(item))
            else:
                self._tell(self._tower.edge(item))

    def tick(self, now: float) -> None:
        """Let time go on to ``now`` (monotonic seconds)."""
        for module in self._modules.values():
            self._heard(module.tick(now))
        self._tell(self._tower.tick(now))

    def use(self, profile: TowerProfile) -> None:
        """Judge by another profile from now on; cubes that fall just now are lost. From any thread."""
        if self._sound is not None:
            self._sound.hear_above(profile.quietest_db)
        self._inbox.put(lambda: self._judge_by(profile))

    @property
    def _patience_s(self) -> float:
        soon = self._tower.busy or self._modules
        return _SOON_S if soon else _IDLE_S

    def _module(self, line: str) -> BurstReader:
        if line not in self._modules:
            self._modules[line] = BurstReader()
            if not self._wave:
                self._tower.listening("digital")
        return self._modules[line]

    def _listen(self, live: bool) -> None:
        self._inbox.put(lambda: self._wave_is(live=live))

    def _wave_is(self, *, live: bool) -> None:
        self._wave = live
        self._tower.listening("wave" if live else "digital" if self._modules else None)

    def _heard(self, burst: Burst | None) -> None:
        """Take in what a module heard; a waveform says more: while it comes, modules are passed over."""
        if burst is not None and not self._wave:
            self._tell(self._tower.burst(burst))

    def _tell(self, noticed: Iterable[Noticed]) -> None:
        """Claim the drops among what was noticed, and show what has changed of the tower's states."""
        for one in noticed:
            claim = told.claim(one, self._clock(one.at), f"{self._session}-{self._drops + 1}")
            if claim is not None:
                self._drops += 1
                self._submit(claim)
        shown = dict(told.notices(self._tower.states, open_book=self._open_book()))
        if any(module.chattering for module in self._modules.values()):
            shown[told.MODULE.source] = told.MODULE
        if shown != self._shown:
            before, self._shown = self._shown, shown
            for source in before.keys() - shown.keys():
                self._submit(told.calm(source))
            for source, notice in shown.items():
                if before.get(source) != notice:
                    self._submit(notice)

    def _judge_by(self, profile: TowerProfile) -> None:
        self._tower = Tower(profile)
        if self._wave or self._modules:
            self._tower.listening("wave" if self._wave else "digital")
        for line, level in self._levels.items():
            if not level and not is_microphone(line):  # what is held now was held before
                self._tower.edge(Edge(line, level, self._monotonic() - LONG_AGO_S))
