"""Takes recorded edges and sound through the tower in simulated time, as they came at the table. Pure."""

from collections.abc import Iterable, Iterator
from typing import Final

from hardware.bursts import BurstReader
from hardware.edges import Edge
from hardware.noticed import Noticed
from hardware.onsets import OnsetDetector
from hardware.profile import TowerProfile, is_microphone
from hardware.sound import Samples
from hardware.tower import Tower

STEP_S: Final = 0.05
AFTER_S: Final = 5.0
"""The tower is followed for so long after the last edge and sound: by then everything is told."""

_IDLE_S: Final = 1.0


class Follower:
    """One tower with its microphone. ``rate``: of the recorded sound; None if there is none.

    A waveform tells more than a threshold module: where both were recorded, the module is passed over.
    """

    def __init__(self, profile: TowerProfile, *, rate: int | None = None) -> None:
        self.tower = Tower(profile)
        self._detector = OnsetDetector(rate) if rate is not None else None
        self._module = BurstReader() if rate is None and any(map(is_microphone, profile.lines)) else None
        self._now = 0.0
        if rate is not None:
            self.tower.listening("wave")
        elif self._module is not None:
            self.tower.listening("digital")

    def run(self, edges: Iterable[Edge], pieces: Iterable[Samples] = ()) -> Iterator[Noticed]:
        """Yield what is noticed. ``edges`` in order of time; ``pieces`` from t = 0 on, joined."""
        sound = iter(pieces)
        piece = next(sound, None)
        for edge in edges:
            while piece is not None and piece.ends <= edge.at:
                yield from self._listen(piece)
                piece = next(sound, None)
            yield from self._until(edge.at)
            yield from self._edge(edge)
        while piece is not None:
            yield from self._listen(piece)
            piece = next(sound, None)
        if self._detector is not None:
            for onset in self._detector.flush():
                yield from self.tower.onset(onset)
        yield from self._until(self._now + AFTER_S)

    def _listen(self, piece: Samples) -> Iterator[Noticed]:
        assert self._detector is not None
        yield from self._until(piece.ends)
        for onset in self._detector.feed(piece):
            yield from self.tower.onset(onset)

    def _edge(self, edge: Edge) -> Iterator[Noticed]:
        if is_microphone(edge.line):
            burst = self._module.edge(edge) if self._module is not None else None
            if burst is not None:
                yield from self.tower.burst(burst)
            return
        yield from self.tower.edge(edge)

    def _until(self, at: float) -> Iterator[Noticed]:
        """Let time go on in small steps, in large ones while nothing goes on."""
        while self._now < at:
            step_s = STEP_S if self.tower.busy or self._module is not None else _IDLE_S
            if not self.tower.busy and at - self._now > AFTER_S:
                step_s = max(step_s, at - self._now - AFTER_S)
            self._now = min(self._now + step_s, at)
            burst = self._module.tick(self._now) if self._module is not None else None
            if burst is not None:
                yield from self.tower.burst(burst)
            yield from self.tower.tick(self._now)
