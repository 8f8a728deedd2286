"""What is known of one drop when it is told: how sure it is, its floors, what it teaches. Pure."""

import math
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import median
from typing import Final

import numpy as np

from hardware import floors
from hardware.assign import GRAVITY, LATEST_S, Entry, assign
from hardware.board import Board
from hardware.hearing import Heard
from hardware.noticed import Kind, Noticed
from hardware.passages import Gate, Passage
from hardware.profile import ENTRY_PLATE, TowerProfile, geometric_miss
from hardware.soundfloors import SINCE_S, UNTIL_S, DropSound, Ear, shipped
from hardware.soundfloors import Kind as SoundKind

SURE: Final = 0.5
"""A drop of less confidence is told as unsure."""

DEAF: Final = {"wave": 5, "digital": 12}
"""So many drops without any sound make a microphone deaf; a module misses soft ones."""

UNLIKELY: Final = 1e-4
"""A beam is silent when a healthy one would miss so many cubes in a row with less chance than this."""


_ALONE_S: Final = 0.6
"""Sounds of cubes further apart are not mixed up."""

_PASSING: Final = 1.1 / 1000
"""A cube is so many metres long for each millimetre of its side, as it lies in a beam on average (S17)."""

_FASTEST: Final = 0.8
"""Speed in m/s at which a cube comes through the roof at most."""


@dataclass(slots=True)
class Drop:
    """A cube on its way: its entry in seconds, how long that took, how sure it is one.

    ``first``: for a cube that no entry beam saw, the first beam that did; None for one only heard.
    """

    at: float
    width_s: float = 0.018
    sure: float = 1.0
    seen: bool = True
    first: Passage | None = None
    told: bool = False

    def entry(self, cube_mm: float) -> Entry:
        """How assignment sees it."""
        if self.first is not None:
            deep_m = (ENTRY_PLATE - self.first.plate) * 0.03125
            return Entry(self.first.at, math.sqrt(_FASTEST**2 + 2 * GRAVITY * deep_m), self.first.plate)
        if not self.seen:
            return Entry(self.at - 0.1, 0.3)
        return Entry(self.at, 1.35 * cube_mm / 1000 / max(self.width_s, 0.008))


class Judge:
    """Judges drops one after another and remembers what they say of beams and microphone."""

    def __init__(self, profile: TowerProfile, ear: Ear = shipped) -> None:
        self._ear = ear
        self._profile = profile
        self._proven: dict[int, list[float]] = {plate: [0.0, 0.0] for plate in profile.plates}
        self._in_row = dict.fromkeys(profile.plates, 0)
        self._loud: deque[float] = deque(maxlen=15)
        self._unheard = 0
        self._board = Board()
        self._kind: SoundKind | None = None

    @property
    def deaf(self) -> bool:
        """Whether the microphone heard nothing of many drops in a row."""
        return self._kind is not None and self._unheard >= DEAF[self._kind]

    def hears(self, kind: SoundKind | None) -> None:
        """Know that there is a microphone of that kind, and that it hears; None: none does now."""
        self._kind = kind

    def silent(self, plate: int) -> bool:
        """Whether a plate's beams have missed more cubes in a row than healthy ones can."""
        row = self._in_row.get(plate, 0)
        return row >= 3 and self._profile.miss(plate) ** row < UNLIKELY

    def fired(self, plate: int) -> None:
        """Know that a plate's beams broke."""
        self._in_row[plate] = 0

    def learned(self, profile: TowerProfile) -> TowerProfile:
        """Add what was proven to a profile."""
        missed = [list(pair) for pair in profile.missed]
        for plate, (gone, seen) in self._proven.items():
            missed[plate][0] += gone
            missed[plate][1] += seen
        loudness = median(self._loud) if len(self._loud) > 4 else profile.loudness_db
        return replace(profile, missed=tuple((a, b) for a, b in missed), loudness_db=loudness)

    def way(self, number: int, drops: Sequence[Drop], passages: Sequence[Passage]) -> dict[int, float]:
        """The plates that drop ``number`` of all passed below its entry, and when it broke their beams.

        ``drops`` in order of time: those that may have broken the same beams are looked at with it.
        """
        profile = self._profile
        first = last = number
        while first > 0 and drops[first].at - drops[first - 1].at <= LATEST_S:
            first -= 1
        while last + 1 < len(drops) and drops[last + 1].at - drops[last].at <= LATEST_S:
            last += 1
        since, until = drops[first].at - 0.01, drops[last].at + LATEST_S
        found = assign(
            [drop.entry(profile.cube_mm) for drop in drops[first : last + 1]],
            sorted((one for one in passages if since <= one.at <= until), key=lambda one: one.at),
            profile.miss,
            tuple(profile.plates),
            profile.pitch_mm,
        )[number - first]
        own = drops[number].first
        return found if own is None else {own.plate: own.at, **found}

    def verdict(
        self,
        drop: Drop,
        way: Mapping[int, float],
        gates: Mapping[int, Gate],
        heard: Sequence[Heard],
        beside: tuple[float, float],
        now: float,
    ) -> Noticed:
        """Judge one drop. ``beside``: seconds to the entries of the drops before and after it."""
        near = [one for one in heard if SINCE_S <= one.at - drop.at <= UNTIL_S]
        sees, miss = self._watched(drop, gates, now)
        evidence = [
            floors.prior(self._profile),
            floors.beams({j: j in way for j in sees}, self._profile, miss),
        ]
        if self._kind is not None and not self.deaf:
            at = drop.at if drop.seen or not near else near[0].at
            computed = [self._board.computed(one) for one in near]
            sound = DropSound(
                at, computed, self._kind, drop.seen, drop.width_s, way, frozenset(sees), self._usual(),
                *beside, self._board.known,
            )  # fmt: skip
            evidence.append(self._ear(sound, np.sum(evidence, axis=0)))
        self._learn(drop, way, gates, near)
        if drop.seen and min(beside) > _ALONE_S:
            self._board.learn(drop.at, _PASSING * self._profile.cube_mm / max(drop.width_s, 0.008), near)
        return Noticed(
            drop.at,
            Kind.DROP if drop.sure >= SURE else Kind.UNSURE,
            drop.sure,
            floors=floors.chances(*evidence),
            beams=tuple((plate, at - drop.at) for plate, at in sorted(way.items(), reverse=True)),
            sounds=tuple((one.at - drop.at, one.level_db) for one in near),
        )

    def _watched(
        self, drop: Drop, gates: Mapping[int, Gate], now: float
    ) -> tuple[list[int], dict[int, float]]:
        """Which plates can be believed for this drop, and what those miss that are half out of use."""
        sees, miss = [], {}
        for plate, gate in gates.items():
            usable = gate.usable(drop.at, drop.at + LATEST_S, now)
            if plate == ENTRY_PLATE or not usable or self.silent(plate):
                continue
            sees.append(plate)
            if usable < len(gate.lines):
                miss[plate] = geometric_miss(self._profile.cube_mm, self._profile.hole_mm, 1)
        return sees, miss

    def _usual(self) -> float | None:
        if len(self._loud) >= 3:
            return median(self._loud)
        return self._profile.loudness_db

    def _learn(
        self, drop: Drop, way: Mapping[int, float], gates: Mapping[int, Gate], near: Sequence[Heard]
    ) -> None:
        seen = set(way) | ({ENTRY_PLATE} if drop.seen else set())
        lowest = min(way, default=ENTRY_PLATE)
        for plate in gates:
            if plate in seen:
                self._in_row[plate] = 0
            elif plate > lowest:
                self._in_row[plate] += 1
            if plate > lowest:
                self._proven[plate][plate in seen] += 1.0
        if near:
            self._loud.append(max(one.level_db for one in near))
        self._unheard = 0 if near else self._unheard + 1
