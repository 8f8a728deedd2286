"""How loud it is: a meter for the live trace, and the threshold that calibration sets by it. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hardware.sound import Mono, Samples

METER_S = 0.05
SILENCE_DB = -120.0

ABOVE_DB = 6.0
"""An onset must stand so far above the loudest of the quiet."""


@dataclass(frozen=True, slots=True)
class Level:
    """Loudness of the `METER_S` from ``at`` (monotonic seconds), in decibels relative to full scale.

    ``rms_db`` is the root mean square without the steady part, ``peak_db`` the largest sample: both
    -120 to 0, a full square wave being 0. A peak of 0 is clipped.
    """

    at: float
    rms_db: float
    peak_db: float


@dataclass(slots=True)
class Loudness:
    """Measures a stream of sound; keeps less than `METER_S` of it."""

    _rest: Mono = field(default_factory=lambda: np.zeros(0, np.float32))
    _rate: int = 0

    def feed(self, samples: Samples) -> tuple[Level, ...]:
        """Take in the next piece; return the levels of the spans that it completes."""
        if samples.rate != self._rate:
            self._rest, self._rate = np.zeros(0, np.float32), samples.rate
        begun = samples.at - len(self._rest) / samples.rate
        data = np.concatenate([self._rest, samples.data])
        span = max(1, round(METER_S * samples.rate))
        whole = len(data) // span * span
        self._rest = data[whole:]
        spans = data[:whole].reshape(-1, span).astype(np.float64)
        return tuple(
            Level(
                begun + n * span / samples.rate,
                _db(float(part.std())),
                _db(float(np.abs(part).max())),
            )
            for n, part in enumerate(spans)
        )


@dataclass(frozen=True, slots=True)
class SoundThreshold:
    """What calibration found: decibels relative to full scale.

    ``least_db``: an onset quieter than this is not believed (`OnsetLimits.quietest_db`).
    ``talk_db``: how loud people talk. ``over_talk``: whether the threshold keeps all talk out; if it
    does not, talk must be told from cubes by what it sounds like.
    """

    least_db: float
    talk_db: float
    over_talk: bool


def threshold_from(quiet: Sequence[Level], speech: Sequence[Level]) -> SoundThreshold:
    """Set the threshold above the quiet room, whatever talk does: soft cubes are softer than talk.

    Raises ValueError if there are fewer than 20 levels (a second) of either.
    """
    if min(len(quiet), len(speech)) < 20:
        raise ValueError("A second of quiet and a second of speech are needed at least.")
    least_db = float(np.quantile([level.rms_db for level in quiet], 0.99)) + ABOVE_DB
    talk_db = float(np.quantile([level.rms_db for level in speech], 0.9))
    return SoundThreshold(least_db, talk_db, over_talk=least_db > talk_db)


def _db(amplitude: float) -> float:
    return 20 * float(np.log10(max(amplitude, 10 ** (SILENCE_DB / 20))))
