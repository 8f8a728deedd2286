"""How high a tower's panels sound compared with the computed ones, learned while cubes fall. Pure.

Other board, thicker or heavier, has other pitches; all panels of a tower differ by about the same factor,
or by one that goes steadily up or down. The first panel that a cube meets after the entry is told by when
it does, whatever it sounds like.
"""

import math
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, median
from typing import Final

from hardware.acoustics import panel_hz
from hardware.assign import fall_s
from hardware.hearing import Heard
from hardware.profile import ENTRY_PLATE

KEPT: Final = 40
DOUBTS: Final = 2
"""So many cubes' worth of belief that the pitches are as computed."""

QUIET_S: Final = (-0.06, 0.02)
"""A sound so near the entry was made at the roof: then the cube is slower than its entry told."""

NEAR_S: Final = 0.012
PITCH_MM: Final = 31.25
_MOST: Final = 0.6


LEAST_KNOWN: Final = 6
ALIKE: Final = 0.1
STEADY: Final = 0.15
"""How the factor goes up or down is asked of so many cubes, which differ by so little (logarithms), and is
believed as if others, this spread squared, had told that it does not."""

MIDDLE_HZ: Final = 380.0


@dataclass(slots=True)
class Board:
    """What was learned of one tower's pitches."""

    _told: deque[tuple[float, float]] = field(default_factory=lambda: deque(maxlen=KEPT))
    _map: tuple[float, float, float] = (0.0, 0.0, 0.0)

    @property
    def known(self) -> int:
        """How many cubes taught something, at most `KEPT`."""
        return len(self._told)

    def computed(self, one: Heard) -> Heard:
        """The same sound with the pitch that it would have at the computed tower."""
        if one.pitch_hz <= 0:
            return one
        factor, slope, middle = self._map
        high = math.log(one.pitch_hz / MIDDLE_HZ)
        return replace(one, pitch_hz=MIDDLE_HZ * math.exp((high - factor + slope * middle) / (1 + slope)))

    def learn(self, at: float, speed: float, heard: Sequence[Heard]) -> None:
        """Learn from a cube that entered ``at`` with that speed in m/s; ``heard`` in order of time."""
        if any(QUIET_S[0] < one.at - at < QUIET_S[1] for one in heard):
            return
        first = next((one for one in heard if one.at - at >= QUIET_S[1]), None)
        if first is None or not first.pitch_hz:
            return
        late = {
            plate: abs(first.at - at - fall_s(speed, (ENTRY_PLATE - plate) * PITCH_MM))
            for plate in range(-1, ENTRY_PLATE)
        }
        met = min(late, key=late.__getitem__)
        if met < 0 or late[met] > NEAR_S:
            return
        ratio = math.log(first.pitch_hz / panel_hz(met))
        if abs(ratio) < _MOST:
            self._told.append((math.log(panel_hz(met) / MIDDLE_HZ), ratio))
            self._map = self._fitted()

    def _fitted(self) -> tuple[float, float, float]:
        """The logarithm of the factor, how it goes up with the pitch's, and where it is what it is."""
        factor = median([*(ratio for _, ratio in self._told), *[0.0] * DOUBTS])
        alike = [(high, ratio) for high, ratio in self._told if abs(ratio - factor) < ALIKE]
        if len(alike) < LEAST_KNOWN:
            return factor, 0.0, 0.0
        middle, usual = (fmean(column) for column in zip(*alike, strict=True))
        together = sum((high - middle) * (ratio - usual) for high, ratio in alike)
        spread = sum((high - middle) ** 2 for high, _ in alike)
        return usual, together / (spread + STEADY), middle
