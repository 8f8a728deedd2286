"""What else happens at a table (S16): bumps, knocks, hands, lifted floors, talk, music, typing. Pure.

Each kind gives a `Noise`: its sound, as `hardware.synthesis` gives sounds, and the beams it breaks.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

from hardware.beams import Break
from hardware.sound import Mono
from hardware.synthesis import Floats, amplitude, ringing
from hardware.worlds import ROOF

IMPACT_DB: Final = 62.0
"""The peak of a typical impact: S13 at 1 m/s and 10 cm."""

SPEECH_DB: Final = (-20.0, 0.0)
"""S16: how loud talk and music are, relative to an impact's peak."""

BUMP_HZ: Final = (60.0, 300.0)
BUMP_TAU_S: Final = 0.040
"""S16: a bump of the table."""

KNOCK_HZ: Final = (250.0, 1600.0)
KNOCK_TAU_S: Final = (0.018, 0.034)
KNOCK_GAP_S: Final = (0.13, 0.22)
"""Sections 3.4 and 3.5: knuckles on wood have their centroid at 425 to 1630 Hz and come 170 ms apart."""

LIFT_S: Final = (0.3, 1.5)
LIFT_TOGETHER_S: Final = 0.050
LIFT_LOW_S: Final = (0.35, 2.5)
"""S16: cardboard rubs for so long; the beams above go within the first time and stay for the second."""

HAND_S: Final = (0.1, 0.8)
"""S16: a hand in the shaft breaks the entry for so long."""

BLOCKED_S: Final = (3.0, 12.0)
CHATTER_WAVE_S: Final = 0.0001
"""A loose wire chatters at 10 kHz."""


@dataclass(frozen=True, slots=True, eq=False)
class Noise:
    """A disturbance: its sound, the beams it breaks, and how long it goes on; times from its beginning."""

    kind: str
    sound: Mono
    seconds: float
    breaks: tuple[Break, ...] = ()


def noise(kind: str, rng: np.random.Generator, rate: int, *, seconds: float = 0.0, place: int = 4) -> Noise:
    """Make one disturbance of a kind in `NOISES`.

    ``seconds``: how long, for those that go on (speech, music, keyboard); 0 for their own time.
    ``place``: the floor that is lifted, or the plate whose beam is blocked or chatters, 0 to 7.
    Raises ValueError that names the known kinds.
    """
    if kind in _AT:
        return _AT[kind](rng, rate, place)
    if kind not in NOISES:
        raise ValueError(f"There is no noise {kind!r}; there are {', '.join(NOISES)}.")
    return replace(_FREE[kind](rng, rate, seconds), kind=kind)


def bump(rng: np.random.Generator, rate: int, seconds: float = 0.0) -> Noise:
    """Somebody bumps the table: modes below 300 Hz, no beam."""
    del seconds
    hertz = rng.uniform(*BUMP_HZ, 6)
    loss = 1 / (math.pi * hertz * BUMP_TAU_S)
    sound = ringing(hertz, rng.normal(0, 1, 6), loss, rate)
    return _made(_peak(sound, rng.uniform(50.0, 78.0)), rate)


def knock(rng: np.random.Generator, rate: int, seconds: float = 0.0) -> Noise:
    """Knuckles on the table, two to four times."""
    del seconds
    hertz = rng.uniform(*KNOCK_HZ, 7)
    times = np.concatenate([[0.0], np.cumsum(rng.uniform(*KNOCK_GAP_S, rng.integers(1, 4)))])
    level = rng.uniform(56.0, 74.0)
    out = np.zeros(int((times[-1] + 0.4) * rate))
    for at in times:
        loss = 1 / (math.pi * hertz * rng.uniform(*KNOCK_TAU_S))
        strike = ringing(hertz, rng.normal(0, 1, 7) / hertz, loss, rate)
        _lay(out, _peak(strike, level + rng.normal(0, 2)), at, rate)
    return _made(out, rate)


def lift(rng: np.random.Generator, rate: int, floor: int) -> Noise:
    """The part from ``floor`` up is lifted: cardboard rubs, and every beam in it goes for a while."""
    seconds = rng.uniform(*LIFT_S)
    found = tuple(
        Break(plate, rng.uniform(0, LIFT_TOGETHER_S), rng.uniform(*LIFT_LOW_S), second=second)
        for plate in range(ROOF, floor - 1, -1)
        for second in (False, True)
    )
    sound = rub(rng, rate, seconds)
    longest = max(one.at + one.length_s for one in found)
    return Noise("lift", sound, max(longest, seconds), found)


def hand(rng: np.random.Generator, rate: int, seconds: float = 0.0) -> Noise:
    """A hand goes into the shaft once to three times, brushing the cardboard."""
    del seconds
    found: list[Break] = []
    at = 0.0
    pieces: list[tuple[float, Mono]] = []
    for _ in range(rng.integers(1, 4)):
        length = rng.uniform(*HAND_S)
        late = rng.uniform(-0.004, 0.004)
        found += [
            Break(ROOF, at, length),
            Break(ROOF, max(0.0, at + late), length + rng.uniform(0, 0.02), second=True),
        ]
        pieces.append((at, rub(rng, rate, length) * np.float32(0.5)))
        at += length + rng.uniform(0.15, 0.6)
    out = np.zeros(int((at + 0.1) * rate))
    for begin, piece in pieces:
        _lay(out, piece, begin, rate)
    return Noise("hand", out.astype(np.float32), at, tuple(found))


def blocked(rng: np.random.Generator, plate: int) -> Noise:
    """Something lies in a beam for a while, without a sound (section 2.2: a cube at the hole's edge)."""
    seconds = rng.uniform(*BLOCKED_S)
    return Noise("blocked", np.zeros(0, np.float32), seconds, (Break(plate, 0.0, seconds),))


def chatter(rng: np.random.Generator, plate: int) -> Noise:
    """A beam's wire is loose: many short pulses, without a sound."""
    pulses = rng.integers(300, 3000)
    found = tuple(Break(plate, n * CHATTER_WAVE_S, CHATTER_WAVE_S / 2) for n in range(pulses))
    return Noise("chatter", np.zeros(0, np.float32), pulses * CHATTER_WAVE_S, found)


def rub(rng: np.random.Generator, rate: int, seconds: float) -> Mono:
    """Cardboard on cardboard: bursts of pink noise."""
    length = int(seconds * rate)
    pink = _pink(rng, length)
    knots = np.clip(rng.normal(0.4, 0.5, max(3, int(seconds * 14))), 0.0, None)
    envelope = np.interp(np.arange(length), np.linspace(0, length, len(knots)), knots)
    return _peak(pink * envelope, rng.uniform(44.0, 58.0)).astype(np.float32)


def speech(rng: np.random.Generator, rate: int, seconds: float = 0.0) -> Noise:
    """Somebody talks: syllables of a gliding voice with three formants, hisses between, pauses."""
    total = seconds or rng.uniform(1.5, 4.0)
    out = np.zeros(int(total * rate) + rate)
    pitch, at = rng.uniform(95.0, 220.0), 0.0
    while at < total - 0.3:
        length = rng.uniform(0.09, 0.26)
        if rng.random() < 0.45:
            hiss = _hiss(rng, rate, rng.uniform(0.03, 0.11))
            _lay(out, hiss * rng.uniform(0.1, 0.5), at, rate)
            at += len(hiss) / rate * 0.8
        _lay(out, _syllable(rng, rate, length, pitch * rng.uniform(0.85, 1.2)), at, rate)
        at += length * rng.uniform(0.85, 1.1) + (rng.uniform(0.2, 0.9) if rng.random() < 0.15 else 0.0)
    return _made(_peak(out[: int(total * rate)], IMPACT_DB + rng.uniform(*SPEECH_DB)), rate)


def music(rng: np.random.Generator, rate: int, seconds: float = 0.0) -> Noise:
    """A song from a loudspeaker: chords, bass drum, snare and hi-hat at a steady beat."""
    total = seconds or rng.uniform(4.0, 8.0)
    beat = 60 / rng.uniform(85.0, 140.0)
    root = rng.uniform(98.0, 196.0)
    out = np.zeros(int((total + 2) * rate))
    for n in range(int(total / beat * 2)):
        at = n * beat / 2
        _lay(out, _hat(rng, rate) * 0.25, at, rate)
        if n % 4 == 0:
            _lay(out, _drum(rate, 110.0, 45.0, 0.09), at, rate)
        elif n % 4 == 2:
            _lay(out, _drum(rate, 240.0, 180.0, 0.04) * 0.5 + _snare(rng, rate), at, rate)
        if n % 2 == 0:
            steps = rng.choice((0, 3, 4, 5, 7, 9, 12), 3, replace=False)
            for step in steps:
                _lay(out, _tone(rate, root * 2 ** (step / 12), beat) * 0.3, at, rate)
    return _made(_peak(out[: int(total * rate)], IMPACT_DB + rng.uniform(*SPEECH_DB)), rate)


def keyboard(rng: np.random.Generator, rate: int, seconds: float = 0.0) -> Noise:
    """Somebody types beside the tower: two clicks a key, in runs."""
    total = seconds or rng.uniform(1.5, 4.0)
    out = np.zeros(int(total * rate))
    level, at = rng.uniform(44.0, 58.0), 0.0
    while at < total - 0.3:
        for later in (0.0, rng.uniform(0.05, 0.11)):
            tau, low = rng.uniform(0.0015, 0.005), rng.uniform(300.0, 900.0)
            length = int(8 * tau * rate)
            n = np.arange(length)
            click = np.diff(rng.normal(0, 1, length + 1)) + np.sin(2 * math.pi * low * n / rate)
            _lay(out, _peak(click * np.exp(-n / (tau * rate)), level + rng.normal(0, 3)), at + later, rate)
        at += rng.uniform(0.09, 0.25) + (rng.uniform(0.3, 1.2) if rng.random() < 0.1 else 0.0)
    return _made(out, rate)


_FREE: Final[Mapping[str, Callable[[np.random.Generator, int, float], Noise]]] = MappingProxyType(
    {"bump": bump, "knock": knock, "hand": hand, "speech": speech, "music": music, "keyboard": keyboard}
)
_AT: Final[Mapping[str, Callable[[np.random.Generator, int, int], Noise]]] = MappingProxyType(
    {
        "lift": lift,
        "blocked": lambda rng, _, plate: blocked(rng, plate),
        "chatter": lambda rng, _, plate: chatter(rng, plate),
    }
)

NOISES: Final = (*_FREE, *_AT)
"""The kinds of disturbances."""

AT_A_BEAM: Final = frozenset({"blocked", "chatter"})
"""Those that happen to one beam and make no sound."""

GOING_ON: Final = frozenset({"speech", "music", "keyboard"})
"""Those that go on for as long as wanted."""


def _made(sound: Floats | Mono, rate: int) -> Noise:
    return Noise("", sound.astype(np.float32), len(sound) / rate)


def _peak(sound: Floats, level_db: float) -> Floats:
    return np.asarray(sound * (amplitude(level_db) / (np.abs(sound).max() + 1e-12)))


def _lay(out: Floats, piece: Floats | Mono, at: float, rate: int) -> None:
    begin = int(at * rate)
    part = piece[: max(0, len(out) - begin)]
    out[begin : begin + len(part)] += part


def _pink(rng: np.random.Generator, length: int) -> Floats:
    spectrum = np.fft.rfft(rng.normal(0, 1, length))
    spectrum /= np.sqrt(np.maximum(np.arange(len(spectrum)), 1.0))
    return np.asarray(np.fft.irfft(spectrum, length))


def _syllable(rng: np.random.Generator, rate: int, seconds: float, pitch: float) -> Floats:
    formants = (rng.uniform(280, 850), rng.uniform(850, 2300), rng.uniform(2300, 3200))
    n = np.arange(int(seconds * rate))
    glide = pitch * np.linspace(rng.uniform(0.92, 1.1), rng.uniform(0.88, 1.08), len(n))
    phase = 2 * math.pi * np.cumsum(glide) / rate
    out = np.zeros(len(n))
    for k in range(1, int(min(3800.0, 0.45 * rate) / (pitch * 1.1)) + 1):
        weights = (
            gain / (1 + ((k * pitch - f) / 90) ** 2)
            for f, gain in zip(formants, (1, 0.5, 0.2), strict=True)
        )
        out += (sum(weights) + 0.02) / k**0.3 * np.sin(k * phase)
    rise = np.minimum(1.0, np.minimum(n / (0.012 * rate), (len(n) - n) / (0.05 * rate)))
    return np.asarray(out * rise * rng.uniform(0.5, 1.0))


def _hiss(rng: np.random.Generator, rate: int, seconds: float) -> Floats:
    noise_ = np.diff(rng.normal(0, 1, int(seconds * rate) + 1))
    return np.asarray(noise_ * np.hanning(len(noise_)))


def _hat(rng: np.random.Generator, rate: int) -> Floats:
    length = int(0.08 * rate)
    return np.asarray(np.diff(rng.normal(0, 1, length + 1)) * np.exp(-np.arange(length) / (0.012 * rate)))


def _snare(rng: np.random.Generator, rate: int) -> Floats:
    length = int(0.25 * rate)
    return np.asarray(rng.normal(0, 0.4, length) * np.exp(-np.arange(length) / (0.05 * rate)))


def _drum(rate: int, high: float, low: float, tau: float) -> Floats:
    n = np.arange(int(0.25 * rate))
    hertz = low + (high - low) * np.exp(-n / (0.03 * rate))
    return np.asarray(np.sin(2 * math.pi * np.cumsum(hertz) / rate) * np.exp(-n / (tau * rate)))


def _tone(rate: int, hertz: float, seconds: float) -> Floats:
    n = np.arange(int(seconds * 1.2 * rate))
    waves = sum(np.sin(2 * math.pi * k * hertz * n / rate) / k**1.5 for k in (1, 2, 3, 4))
    return np.asarray(waves * np.exp(-n / (0.35 * rate)) * np.minimum(1.0, n / (0.008 * rate)))
