"""The same evening as other ears would hear it: what a network must not lean on. Seeded by its caller.

Another detector is late or early by a little, scatters levels or presses them together, loses sounds and
hears others twice; another tower of other board has other pitches, another microphone another brightness.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from calibration.training.evenings import Evening
from hardware.hearing import Heard

LATE_S: Final = 0.003
JITTER_S: Final = 0.0015
LOUDER: Final = (0.8, 1.15)
SCATTER_DB: Final = 2.0
LOST: Final = 0.08
TWICE: Final = 0.04
TWICE_S: Final = (0.006, 0.02)
TWICE_DB: Final = (3.0, 10.0)
OTHER_BOARD: Final = 0.5
BOARDS: Final = (0.7, 1.4)
"""So many towers are of quite other board; their pitches are multiplied by so much. That many, because
pitches are only computed, not measured at a tower, and times must stay worth something."""

BOARD_SPREAD: Final = 0.03
BOARD_STRETCH: Final = 0.06
MIDDLE_HZ: Final = 380.0
"""The ratios between the pitches of a tower's panels are raised to a power that is spread so about 1."""

OF_TABLE_HZ: Final = 185.0
"""Lower ones are the table's, which is of no board."""

PITCH_SCATTER: Final = 0.08
"""How far one panel's pitches lie apart at most (S14 has so much)."""

NO_PITCH: Final = 0.12
BRIGHTNESS: Final = 0.2
"""The spread of the logarithm by which brightness and decay differ."""


@dataclass(frozen=True, slots=True)
class Ears:
    """How ears differ for an evening. ``pitch``, ``bright``, ``decay``: factors; ``stretch``: a power."""

    late_s: float
    jitter_s: float
    louder: float
    scatter_db: float
    lost: float
    twice: float
    pitch: float
    stretch: float
    scatter: float
    no_pitch: float
    bright: float
    decay: float

    @classmethod
    def drawn(cls, rng: np.random.Generator) -> "Ears":
        """Some ears; how much each differs is drawn as well."""
        board = rng.uniform(*BOARDS) if rng.random() < OTHER_BOARD else np.exp(rng.normal(0, BOARD_SPREAD))
        return cls(
            rng.uniform(-LATE_S, LATE_S),
            rng.uniform(0, JITTER_S),
            rng.uniform(*LOUDER),
            rng.uniform(0, SCATTER_DB),
            rng.uniform(0, LOST),
            rng.uniform(0, TWICE),
            float(board),
            1 + rng.normal(0, BOARD_STRETCH),
            max(0.0, rng.uniform(-PITCH_SCATTER, PITCH_SCATTER)),
            rng.uniform(0, NO_PITCH),
            float(np.exp(rng.normal(0, BRIGHTNESS))),
            float(np.exp(rng.normal(0, BRIGHTNESS))),
        )

    def hear(self, heard: Iterable[Heard], rng: np.random.Generator) -> list[Heard]:
        """What these ears make of an evening's sounds."""
        out: list[Heard] = []
        for one in heard:
            if rng.random() < self.lost:
                continue
            other = replace(
                one,
                at=one.at + self.late_s + rng.normal(0, self.jitter_s),
                level_db=one.level_db * self.louder + rng.normal(0, self.scatter_db),
                pitch_hz=0.0 if rng.random() < self.no_pitch else self._pitch(one.pitch_hz, rng),
                centroid_hz=one.centroid_hz * self.bright,
                decay_s=one.decay_s * self.decay,
            )
            out.append(other)
            if rng.random() < self.twice:
                later, softer = rng.uniform(*TWICE_S), rng.uniform(*TWICE_DB)
                out.append(replace(other, at=other.at + later, level_db=other.level_db - softer))
        return sorted(out, key=lambda one: one.at)

    def _pitch(self, hertz: float, rng: np.random.Generator) -> float:
        hertz *= 1 + rng.normal(0, self.scatter)
        if hertz < OF_TABLE_HZ:
            return hertz
        return float(self.pitch * MIDDLE_HZ * (hertz / MIDDLE_HZ) ** self.stretch)


def misheard(one: Evening, rng: np.random.Generator) -> Evening:
    """The same evening, heard by some other ears."""
    return replace(one, heard=tuple(Ears.drawn(rng).hear(one.heard, rng)))
