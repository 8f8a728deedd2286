"""Sound of a tower: panels that ring, clicks, the room (S10 to S13, S15). Pure, seeded by its caller.

Sound is float32, one channel, shape (n,), full scale -1 to 1, at any rate in samples a second. A
level of `FULL_SCALE_DB` on S13's scale has a peak of full scale.
"""

import heapq
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from hardware.acoustics import PANEL_LOSS, TABLE_HZ, TABLE_LOSS, Sound, panel_hz
from hardware.sound import Mono
from hardware.worlds import TABLE

RATE: Final = 48000

FULL_SCALE_DB: Final = 90.0
"""Where a microphone at the base is full: what S13 gives for a cube on the table stays below."""

FLOOR_DB: Final = 24.0
"""What a quiet room and the microphone add, root mean square: -66 dB of full scale (section 3.5)."""

MODES: Final = 5
"""S10: m and n go from 1 to this."""

TABLE_MODES: Final = 9

CLICK_TAU_S: Final = (0.0015, 0.004)
"""S11."""

CLICK_DB: Final = (-8.0, -2.0)
"""The click's peak below that of the modes: small things on wood have their centroid at 2 to 5 kHz."""

CONTACT_S: Final = (0.00025, 0.0006)
CONTACT_POWER: Final = -0.2
"""S12: how long cube and panel touch at 1 m/s, and how this goes with the speed."""

ROOM_TAPS: Final = 60
ROOM_DECAY_S: Final = 0.045
ROOM_DB: Final = -24.0
"""S15: echoes, the time in which they fall to 1/e, and the level of the first of them."""

_RING: Final = 6.0
"""Modes are heard for so many of their decay times: 52 dB."""

Floats = npt.NDArray[np.float64]


class Voice:
    """The sound of one tower on one table in one room, at ``rate`` samples a second."""

    def __init__(self, rng: np.random.Generator, rate: int = RATE) -> None:
        if rate < 4000:
            raise ValueError(f"{rate} samples a second hold no click; take 4000 or more, such as 48000.")
        self.rate = rate
        self._rng = rng
        self._table_hz = np.sort(rng.uniform(*TABLE_HZ, TABLE_MODES))
        self._table_hz[[0, -1]] = TABLE_HZ
        later = np.sort(rng.uniform(0.0, 3 * ROOM_DECAY_S, ROOM_TAPS))
        signs = rng.choice((-1.0, 1.0), ROOM_TAPS)
        self._tap_at = np.maximum(1, (later * rate).astype(int))
        self._taps = signs * amplitude(ROOM_DB, 0.0) * np.exp(-later / ROOM_DECAY_S)

    def impact(self, sound: Sound) -> Mono:
        """One impact with its echoes, beginning with the touch; its dry peak is S13's level."""
        hertz, loss = self._modes(sound.plate)
        dry = ringing(hertz, self._strike(hertz, sound.speed), loss, self.rate)
        click = self._click()
        length = max(len(dry), len(click))
        mixed = np.zeros(length)
        mixed[: len(dry)] = dry / (np.abs(dry).max() + 1e-12)
        mixed[: len(click)] += click * amplitude(self._rng.uniform(*CLICK_DB), 0.0)
        mixed *= amplitude(sound.level_db) / np.abs(mixed).max()
        return self.echoed(mixed)

    def echoed(self, dry: Floats | Mono) -> Mono:
        """S15: the same sound with the room's echoes after it."""
        wet = np.zeros(len(dry) + int(self._tap_at[-1]))
        wet[: len(dry)] = dry
        for late, gain in zip(self._tap_at, self._taps, strict=True):
            wet[late : late + len(dry)] += gain * dry
        return wet.astype(np.float32)

    def _modes(self, plate: int) -> tuple[Floats, float]:
        """S10: f_mn = f11 (m2 + n2) / 2 for a panel; the table's own modes."""
        if plate == TABLE:
            return self._table_hz, TABLE_LOSS
        squares = np.arange(1, MODES + 1) ** 2
        hertz = panel_hz(plate) * np.add.outer(squares, squares).ravel() / 2
        return hertz[hertz < 0.45 * self.rate], PANEL_LOSS

    def _strike(self, hertz: Floats, speed: float) -> Floats:
        """How strongly each mode is excited: by the place that is hit, and by the contact (S12)."""
        place = self._rng.normal(0.0, 1.0, len(hertz))
        contact = self._rng.uniform(*CONTACT_S) * max(speed, 0.01) ** CONTACT_POWER
        return np.asarray(place * half_sine(hertz * contact))

    def _click(self) -> Floats:
        """S11: noise that rises by 6 dB an octave and dies away."""
        tau = self._rng.uniform(*CLICK_TAU_S)
        length = int(_RING * tau * self.rate)
        noise = np.diff(self._rng.normal(0.0, 1.0, length + 1))
        noise *= np.exp(-np.arange(length) / (tau * self.rate))
        return np.asarray(noise / np.abs(noise).max())


@dataclass(slots=True)
class Mixer:
    """Adds up sounds that begin at different times and gives the sum piece by piece, from t = 0 on.

    Memory holds what is not given yet, so an evening may be mixed as it goes.
    """

    rng: np.random.Generator
    rate: int = RATE
    floor_db: float = FLOOR_DB
    _waiting: list[tuple[int, int, Callable[[], Mono]]] = field(default_factory=list)
    _ahead: npt.NDArray[np.float32] = field(default_factory=lambda: np.zeros(0, np.float32))
    _given: int = 0
    _count: int = 0

    def add(self, at: float, sound: Mono | Callable[[], Mono]) -> None:
        """Let a sound begin ``at`` seconds, made when it is due; what of it was already given is lost."""
        make = sound if callable(sound) else lambda: sound
        self._count += 1
        heapq.heappush(self._waiting, (round(at * self.rate), self._count, make))

    def read(self, length: int) -> Mono:
        """Give the next ``length`` samples, with the noise of the room."""
        while self._waiting and self._waiting[0][0] < self._given + length:
            begin, _, make = heapq.heappop(self._waiting)
            self._lay(begin - self._given, make())
        piece = self.rng.standard_normal(length, dtype=np.float32)
        piece *= np.float32(amplitude(self.floor_db))
        ready = self._ahead[:length]
        piece[: len(ready)] += ready
        self._ahead = self._ahead[length:]
        self._given += length
        return np.clip(piece, -1.0, 1.0)

    @property
    def given(self) -> int:
        """How many samples were given."""
        return self._given

    def skip(self, length: int) -> None:
        """Let so many samples go by unheard."""
        self._ahead = self._ahead[length:]
        self._given += length

    def _lay(self, begin: int, sound: Mono) -> None:
        if begin < 0:
            sound, begin = sound[-begin:], 0
        missing = begin + len(sound) - len(self._ahead)
        if missing > 0:
            self._ahead = np.concatenate([self._ahead, np.zeros(missing, np.float32)])
        self._ahead[begin : begin + len(sound)] += sound


def ringing(hertz: Floats, weights: Floats, loss: float | Floats, rate: int) -> Floats:
    """Sum modes of these frequencies that die away by their loss factors: tau = 1 / (pi f loss)."""
    taus = 1 / (math.pi * hertz * loss)
    out = np.zeros(int(_RING * taus.max() * rate) + 1)
    for hz, weight, tau in zip(hertz, weights, taus, strict=True):
        n = np.arange(min(len(out), int(_RING * tau * rate) + 1))
        out[: len(n)] += weight * np.imag(np.exp(n * complex(-1 / (tau * rate), 2 * math.pi * hz / rate)))
    return out


def half_sine(cycles: Floats) -> Floats:
    """The spectrum of a touch shaped as half a sine, 1 at 0, where ``cycles`` is frequency times length.

    >>> half_sine(np.array([0.0, 0.5, 1.5])).round(2).tolist()
    [1.0, 0.79, 0.0]
    """
    below = 1 - 4 * cycles**2
    at_half = np.abs(below) < 1e-9
    return np.where(at_half, math.pi / 4, np.abs(np.cos(math.pi * cycles) / np.where(at_half, 1.0, below)))


def amplitude(level_db: float, full_db: float = FULL_SCALE_DB) -> float:
    """What a level is of full scale.

    >>> amplitude(FULL_SCALE_DB - 20)
    0.1
    """
    return float(10 ** ((level_db - full_db) / 20))
