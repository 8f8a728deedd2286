"""The steps of a tower's calibration that follow what comes from its lines and its microphone.

Each is fed by `follow`, with the monotonic time now; none of them waits for anything.
"""

import heapq
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from calibration import tower_naming, tower_speech
from calibration.tower_labels import Labels
from calibration.tower_listening import Came, Listening
from calibration.tower_speech import Hearing
from hardware.bursts import Burst, BurstReader
from hardware.edges import Edge
from hardware.noticed import Kind, Noticed
from hardware.profile import ENTRY_PLATE, TowerProfile, is_microphone, plate_of
from hardware.selftest import SelfTest
from hardware.sound import Onset
from hardware.tower import Tower

ORDER_S: Final = 0.5
"""Sounds are known later than edges: what came is judged so long after it came, in order of time."""

_SAME_S: Final = 0.003


class NamingStep:
    """Names the lines by breaking them. ``levels``: what they are at its beginning, high or low."""

    def __init__(
        self, listening: Listening, levels: Mapping[str, bool], numbers: Mapping[str, int], *, sound: bool
    ) -> None:
        self._listening = listening
        self._numbers = numbers
        self._test = SelfTest(levels, sound=sound)
        self._seen = listening.number

    @property
    def asked(self) -> tuple[str, ...]:
        """The lines that are asked for now; none when it is over."""
        return self._test.progress().asked

    def follow(self, now: float) -> None:
        """See what came since."""
        for came in self._listening.after(self._seen):
            self._seen = came.number
            if isinstance(came.thing, Edge):
                self._test.see(came.thing)
            else:
                self._test.hear()
        self._test.tick(now)

    def skip(self) -> None:
        """Go on: what is asked for does not answer."""
        self._test.skip()

    def told(self, *, closed: bool) -> dict[str, Any]:
        """How far it is; ``closed``: a game is sealed."""
        progress = self._test.progress()
        return tower_naming.told(progress.closed() if closed else progress, self._numbers)


class CubesStep:
    """Counts cubes that are dropped for calibration, with the profile that the tower has now."""

    def __init__(self, listening: Listening, profile: TowerProfile, *, sound: bool) -> None:
        self.labels = Labels(profile)
        self._listening = listening
        self._tower = Tower(profile)
        modules = [line for line in profile.lines if is_microphone(line) and not sound]
        self._modules = {line: BurstReader() for line in modules}
        if sound or modules:
            self._tower.listening("wave" if sound else "digital")
        self._seen = listening.number
        self._ahead: list[tuple[float, int, Came]] = []

    def follow(self, now: float) -> None:
        """See what came since; cubes that were counted wait in ``labels``."""
        for came in self._listening.after(self._seen):
            self._seen = came.number
            if not came.sealed:
                heapq.heappush(self._ahead, (came.thing.at, came.number, came))
        noticed: list[Noticed] = []
        while self._ahead and self._ahead[0][0] <= now - ORDER_S:
            noticed += self._take(heapq.heappop(self._ahead)[2].thing)
        for module in self._modules.values():
            noticed += self._burst(module.tick(now - ORDER_S))
        noticed += self._tower.tick(now - ORDER_S)
        for one in noticed:
            if one.kind in (Kind.DROP, Kind.UNSURE):
                self.labels = self.labels.fell(one, entered=self._entered(one))

    def _take(self, thing: Edge | Onset) -> list[Noticed]:
        if isinstance(thing, Onset):
            return self._tower.onset(thing)
        module = self._modules.get(thing.line)
        return self._burst(module.edge(thing)) if module else self._tower.edge(thing)

    def _burst(self, burst: Burst | None) -> list[Noticed]:
        return self._tower.burst(burst) if burst else []

    def _entered(self, noticed: Noticed) -> bool:
        return any(
            plate_of(edge.line) == ENTRY_PLATE and not edge.level and abs(edge.at - noticed.at) < _SAME_S
            for edge in self._listening.edges()
        )


class SpeechStep:
    """Listens to talk and then to quiet. ``began``: monotonic seconds."""

    def __init__(self, listening: Listening, began: float) -> None:
        self.hearing = Hearing(began)
        self._listening = listening
        self._seen = listening.number

    def follow(self, now: float) -> None:
        """Hear what came since; after the end nothing more."""
        if not self.over(now):
            self.hearing = replace(self.hearing, levels=self._listening.levels(self.hearing.began))
        for came in self._listening.after(self._seen):
            self._seen = came.number
            if isinstance(came.thing, Edge) and is_microphone(came.thing.line) and not came.thing.level:
                self.hearing = replace(self.hearing, trips=(*self.hearing.trips, came.thing.at))

    def over(self, now: float) -> bool:
        """Whether both parts have been heard, with what is told late."""
        return not tower_speech.left_s(self.hearing.began, now - ORDER_S)[0]

    def told(self, now: float, loudness_db: float | None) -> dict[str, Any]:
        """What to do now; in the end what was found."""
        return tower_speech.told(self.hearing, now - ORDER_S, loudness_db)
