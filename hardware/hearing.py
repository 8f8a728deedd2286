"""What a run of sounds was: a cube that fell, a knock, talk, or noise. Pure.

Sounds less than 0.35 s apart are one cluster. What a cube makes is short: small objects decay fast and
sound bright, knuckles and voices do not.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from statistics import median
from typing import Final

import numpy as np

from hardware.bursts import Burst
from hardware.sound import Onset

TOGETHER_S: Final = 0.35
LONGEST_S: Final = 1.0
"""A cube has come to rest by then."""

LATE_S: Final = 0.25
"""Sounds are told so much after they were heard, at most."""

BRIGHT_HZ: Final = 1200.0
SHORT_S: Final = 0.015
NOISY: Final = 6.0
"""So many sounds a second that no cube explains, over `NOISY_S`, are too many to hear cubes among."""

NOISY_S: Final = 4.0
RESTLESS: Final = 3
"""So many in that time, and what sounds like a cube is rather more talk or typing."""


@dataclass(frozen=True, slots=True)
class Heard:
    """One sound, whatever heard it: ``level_db`` relative to the microphone's own scale.

    ``centroid_hz``, ``pitch_hz`` and ``decay_s`` are 0 from a threshold module, which has no ear for them.
    """

    at: float
    level_db: float
    centroid_hz: float = 0.0
    pitch_hz: float = 0.0
    decay_s: float = 0.0


def heard_onset(onset: Onset) -> Heard:
    """What a waveform microphone heard."""
    return Heard(onset.at, onset.level_db, max(onset.centroid_hz, 1.0), onset.pitch_hz, onset.decay_s)


def heard_burst(burst: Burst) -> Heard:
    """What a threshold module heard: more pulses in a burst mean that it was louder."""
    return Heard(burst.at, 10 * float(np.log2(max(burst.edges, 1))))


class Sounds(StrEnum):
    """What a cluster may be."""

    CUBE = "cube"
    KNOCK = "knock"
    SPEECH = "speech"
    OTHER = "other"


@dataclass(slots=True)
class Clusters:
    """Gathers sounds into clusters; `tick` gives those that have ended, in bounded memory."""

    _open: list[Heard] = field(default_factory=list)
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=256))

    def add(self, heard: Heard) -> list[tuple[Heard, ...]]:
        """Take in a sound; return what had ended before."""
        ended = self._cut() if self._open and heard.at - self._open[-1].at > TOGETHER_S else []
        self._open.append(heard)
        return ended + (self._cut() if len(self._open) >= 64 else [])

    def tick(self, now: float) -> list[tuple[Heard, ...]]:
        ended = self._open and now - self._open[-1].at > TOGETHER_S + LATE_S
        return self._cut() if ended else []

    def unexplained(self, cluster: Sequence[Heard]) -> None:
        """Count sounds that no cube made."""
        self._recent.extend(one.at for one in cluster)

    def restless(self, now: float) -> bool:
        """Whether sounds that no cube made were heard just before: then more of the kind is likely."""
        return sum(now - at < NOISY_S for at in self._recent) >= RESTLESS

    def noisy(self, now: float) -> bool:
        """Whether there was so much lately that cubes cannot be heard among it."""
        while self._recent and now - self._recent[0] > NOISY_S:
            self._recent.popleft()
        return len(self._recent) > NOISY * NOISY_S

    def _cut(self) -> list[tuple[Heard, ...]]:
        cluster, self._open = tuple(self._open), []
        return [cluster]


def judge(cluster: Sequence[Heard]) -> tuple[Sounds, float]:
    """What the sounds of one cluster were, and how likely (0..1) a cube made them."""
    total_s = cluster[-1].at - cluster[0].at
    if not cluster[0].centroid_hz:
        return _by_bursts(cluster, total_s)
    chance = _cube_chance(cluster, total_s)
    centroid = median(one.centroid_hz for one in cluster)
    decay = median(one.decay_s for one in cluster)
    if chance >= 0.5:
        return Sounds.CUBE, chance
    if total_s > LONGEST_S or len(cluster) > 10:
        return Sounds.SPEECH, chance
    if centroid < BRIGHT_HZ or decay > SHORT_S:
        return Sounds.KNOCK, chance
    return Sounds.OTHER, chance


def _by_bursts(cluster: Sequence[Heard], total_s: float) -> tuple[Sounds, float]:
    if len(cluster) >= 2 and total_s < LONGEST_S:
        return Sounds.CUBE, 0.5
    return (Sounds.SPEECH if total_s >= LONGEST_S else Sounds.KNOCK), 0.1


def _cube_chance(cluster: Sequence[Heard], total_s: float) -> float:
    if len(cluster) < 2 or total_s > LONGEST_S:
        return 0.0
    features = cluster_features(cluster)
    return min(_SUREST, float(1 / (1 + np.exp(-(_BIAS + float(np.dot(_WEIGHTS, features)))))))


def cluster_features(cluster: Sequence[Heard]) -> list[float]:
    """What tells a cube's sounds from others: brightness, decay, number, length, fall of the levels."""
    levels = [one.level_db for one in cluster]
    gaps = np.diff([one.at for one in cluster])
    return [
        float(np.log2(median(one.centroid_hz for one in cluster) / BRIGHT_HZ)),
        float(np.log2(median(one.decay_s for one in cluster) / SHORT_S)),
        float(np.log2(len(cluster))),
        cluster[-1].at - cluster[0].at,
        (levels[-1] - max(levels)) / 10,
        float(np.std(levels)) / 10,
        float(np.median(gaps)) * 10,
    ]


_BIAS: Final = -2.618
_WEIGHTS: Final = (0.388, -0.895, 1.486, -8.287, -1.715, 0.630, 0.579)
"""Logistic regression, cubes and others counting alike: cubes of 90 simulated evenings (seeds 1001 and on),
against simulated talk, music, knocks and typing (seeds 300,000 and 300,001) and every other recording of
telephone prompts. It keeps 87 of 100 cubes."""

_SUREST: Final = 0.95
"""Sound alone is never surer."""
