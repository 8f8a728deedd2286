"""What the tower's lines and its microphone said lately, for calibration to look at."""

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

from hardware.edges import Edge, EdgeSource
from hardware.loudness import METER_S, Level, Loudness
from hardware.onsets import OnsetDetector
from hardware.profile import ENTRY_PLATE, plate_of
from hardware.sound import Onset, Samples, SoundSource

KEEP_S: Final = 60.0
MOST: Final = 8192
"""A line that chatters at 10 kHz must not fill the memory."""

Thing = Edge | Onset


@dataclass(frozen=True, slots=True)
class Came:
    """Something that came, with its number in the order of coming.

    ``sealed``: a game was sealed then, so that nothing but the self-test may look at it.
    """

    number: int
    thing: Thing
    sealed: bool


class Listening:
    """Keeps the last minute of edges, sounds and levels. Safe from any thread; taking in is quick.

    ``sealed`` says whether a sealed game is played now. What comes meanwhile from inside the tower never
    reaches a trace or a label, not even when the game is over. Onsets are looked for only while
    ``attentive``: the table's own loop looks for them already.
    """

    attentive = False

    def __init__(self, *, sealed: Callable[[], bool] = lambda: False) -> None:
        self._sealed = sealed
        self._lock = Lock()
        self._came: deque[Came] = deque(maxlen=MOST)
        self._number = 0
        self._edges: deque[Edge] = deque()
        self._before: dict[str, Edge] = {}
        self._levels: deque[Level] = deque(maxlen=round(KEEP_S / METER_S))
        self._meter = Loudness()
        self._detector: OnsetDetector | None = None

    def edge(self, edge: Edge) -> None:
        """Take in an edge of any line."""
        sealed = self._sealed() and plate_of(edge.line) != ENTRY_PLATE
        with self._lock:
            self._add(edge, sealed=sealed)
            if not sealed:
                self._edges.append(edge)
            while self._edges and (len(self._edges) > MOST or edge.at - self._edges[0].at > KEEP_S):
                old = self._edges.popleft()
                self._before[old.line] = old

    def onset(self, onset: Onset) -> None:
        """Take in what was heard."""
        sealed = self._sealed()
        with self._lock:
            self._add(onset, sealed=sealed)

    def samples(self, samples: Samples) -> None:
        """Take in a piece of sound, from one thread."""
        if not self.attentive:
            self._detector = None
        else:
            if self._detector is None or self._detector.rate != samples.rate:
                self._detector = OnsetDetector(samples.rate)
            for onset in self._detector.feed(samples):
                self.onset(onset)
        levels = self._meter.feed(samples)
        if not self._sealed():
            with self._lock:
                self._levels.extend(levels)

    def after(self, number: int) -> tuple[Came, ...]:
        """Return what came after number ``number`` (0: everything that is kept), in the order of coming."""
        with self._lock:
            return tuple(came for came in self._came if came.number > number)

    @property
    def number(self) -> int:
        """The number of the last thing that came."""
        with self._lock:
            return self._number

    def edges(self) -> tuple[Edge, ...]:
        """Return the edges of the last minute, and for each line the last one before it."""
        with self._lock:
            return (*sorted(self._before.values(), key=lambda edge: edge.at), *self._edges)

    def levels(self, since: float) -> tuple[Level, ...]:
        """Return how loud it was since then (monotonic seconds)."""
        with self._lock:
            return tuple(level for level in self._levels if level.at >= since)

    def _add(self, thing: Thing, *, sealed: bool) -> None:
        self._number += 1
        self._came.append(Came(self._number, thing, sealed))


class OverheardLines:
    """Another `EdgeSource`, whose edges calibration hears too."""

    def __init__(self, source: EdgeSource, listening: Listening) -> None:
        self._source = source
        self._listening = listening

    def start(self) -> None:
        self._source.start()

    def next(self, wait_s: float) -> Edge | None:
        edge = self._source.next(wait_s)
        if edge is not None:
            self._listening.edge(edge)
        return edge

    def levels(self) -> Mapping[str, bool]:
        return self._source.levels()

    def revive(self) -> None:
        self._source.revive()

    def close(self) -> None:
        self._source.close()


class OverheardSound:
    """Another `SoundSource`, whose sound calibration hears too."""

    def __init__(self, source: SoundSource, listening: Listening) -> None:
        self._source = source
        self._listening = listening

    def start(self) -> None:
        self._source.start()

    def next(self, wait_s: float) -> Samples | None:
        samples = self._source.next(wait_s)
        if samples is not None:
            self._listening.samples(samples)
        return samples

    def close(self) -> None:
        self._source.close()
