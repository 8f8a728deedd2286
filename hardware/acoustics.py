"""How loud a fall is at the microphone (S13), and what two kinds of microphones make of it (S14). Pure."""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.falls import Fall, Kind
from hardware.worlds import TABLE, half_width_mm

LEVEL_DB: Final = 62.0
LEVEL_AT_MM: Final = 100.0
PER_FLOOR_DB: Final = -1.0
TABLE_DB: Final = 2.0
SPREAD_DB: Final = 3.0
MICROPHONE_MM: Final = (50.0, 0.0, 0.0)
"""S13: at 1 m/s and 10 cm; every floor between; the table; how much it varies; x, y, height."""

HEARD_DB: Final = 38.0
HEARD_SLOPE_DB: Final = 2.0
WAVEFORM_DEAD_S: Final = 0.014
WAVEFORM_JITTER_S: Final = 0.0012
FALSE_PER_S: Final = 0.15
"""S14: a waveform microphone with a detector of onsets behind it."""

MODULE_DB: Final = 54.0
MODULE_DEAD_S: Final = 0.030
MODULE_JITTER_S: Final = 0.002
"""S14: a digital sound module."""

PANEL_HZ: Final = 420.0
PANEL_MM: Final = 80.0
PANEL_LOSS: Final = 0.06
TABLE_HZ: Final = (170.0, 1300.0)
TABLE_LOSS: Final = 0.035
"""S10: a panel's lowest mode at that side, its loss factor; the table's modes and theirs."""

WINDOW_S: Final = 1.5
"""How long after an entry false onsets are made up."""

_PITCH_SPREAD: Final = 0.08
_FALSE_DB: Final = (36.0, 46.0)
_NEAREST_MM: Final = 10.0


@dataclass(frozen=True, slots=True)
class Sound:
    """An impact as it arrives: ``at`` seconds after the entry, ``level_db`` by S13, ``speed`` m/s.

    ``plate`` 7 to 0, or `TABLE`: what rings.
    """

    at: float
    plate: int
    level_db: float
    speed: float
    kind: Kind


@dataclass(frozen=True, slots=True)
class Heard:
    """An onset that a waveform detector gives. ``pitch_hz``: the lowest mode of what rang."""

    at: float
    level_db: float
    pitch_hz: float


@dataclass(frozen=True, slots=True)
class Tripped:
    """A burst of a digital module: ``at`` seconds after the entry, ``pulses`` in ``span_s`` seconds."""

    at: float
    pulses: int
    span_s: float


def sounds(fall: Fall, rng: np.random.Generator) -> list[Sound]:
    """Give every impact of a fall, and of all cubes it set moving, its level at the base (S13)."""
    return [
        Sound(
            one.at, one.plate, level_db(one.strength, one.place_mm, one.plate, rng), one.strength, one.kind
        )
        for one in fall.sounding
        if one.strength > 0
    ]


def level_db(
    speed: float, place_mm: tuple[float, float, float], plate: int, rng: np.random.Generator
) -> float:
    """S13: the level of an impact of ``speed`` m/s at x, y and height; one draw is taken."""
    far_mm = max(math.dist(place_mm, MICROPHONE_MM), _NEAREST_MM)
    between = plate + 1
    return float(
        LEVEL_DB
        + 20 * math.log10(speed)
        - 20 * math.log10(far_mm / LEVEL_AT_MM)
        + PER_FLOOR_DB * between
        + (TABLE_DB if plate == TABLE else 0.0)
        + rng.normal(0, SPREAD_DB)
    )


def waveform(
    arriving: Iterable[Sound], rng: np.random.Generator, *, window_s: float = WINDOW_S
) -> list[Heard]:
    """S14: the onsets that a waveform detector gives, in order of time, some missed, some false."""
    found: list[Heard] = []
    deaf_until = -math.inf
    for one in arriving:
        if one.at < deaf_until or rng.random() >= 1 / (
            1 + math.exp(-(one.level_db - HEARD_DB) / HEARD_SLOPE_DB)
        ):
            continue
        deaf_until = one.at + WAVEFORM_DEAD_S
        pitch = panel_hz(one.plate) * (1 + rng.normal(0, _PITCH_SPREAD))
        found.append(Heard(one.at + rng.normal(0, WAVEFORM_JITTER_S), one.level_db, pitch))
    for _ in range(rng.poisson(FALSE_PER_S * window_s)):
        level, pitch = rng.uniform(*_FALSE_DB), rng.uniform(*TABLE_HZ)
        found.append(Heard(rng.uniform(0, window_s), level, pitch))
    return sorted(found, key=lambda one: one.at)


def module(arriving: Iterable[Sound], rng: np.random.Generator) -> list[Tripped]:
    """S14: the bursts that a digital module gives. A tone over its threshold makes so many pulses."""
    found: list[Tripped] = []
    deaf_until = -math.inf
    for one in arriving:
        if one.at < deaf_until or one.level_db < MODULE_DB:
            continue
        deaf_until = one.at + MODULE_DEAD_S
        above = (one.level_db - MODULE_DB) / 20 * math.log(10)
        hz, loss = panel_hz(one.plate), TABLE_LOSS if one.plate == TABLE else PANEL_LOSS
        pulses = max(1, round(above / (math.pi * loss)))  # f tau ln(A/threshold), tau = 1/(pi f loss)
        found.append(Tripped(one.at + rng.normal(0, MODULE_JITTER_S), pulses, pulses / hz))
    return found


def panel_hz(plate: int) -> float:
    """S10: the lowest mode of a plate, lower for the larger ones below; of the table, its lowest."""
    if plate == TABLE:
        return TABLE_HZ[0]
    return PANEL_HZ * (PANEL_MM / (2 * half_width_mm(plate))) ** 2
