"""What break beams see of a falling cube (S17): which ones it breaks, when, and for how long. Pure."""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.falls import Fall, Pass
from hardware.physics import GRAVITY
from hardware.worlds import ROOF, World

BEAM_MM: Final = 2.5
COVERED: Final = 0.6
"""S17: the beam's width, and the part of it that must be covered."""

PAIR_AT: Final = 0.3
"""S17 and section 2.1: the two beams of a pair lie this part of a cube's side beside the middle."""

RESPONSE_S: Final = 0.0015
RESPONSE_SPREAD: Final = (0.5, 1.5)
MISSED: Final = 0.003
FALSE: Final = 0.002
WINDOW_S: Final = 1.2
"""S17: what a receiver needs to respond, extra misses of a beam, false breaks at a plate in a window."""

STAMP_S: Final = 0.0005
STAMP_SPREAD_S: Final = 0.0003
LENGTH: Final = (0.9, 1.35)
"""S17: how late an edge is stamped, and the length of the cube in the beam by how it is turned."""

SLOWEST: Final = 0.03
"""No cube passes a beam slower than this, m/s: S7's slowest."""

_FALSE_S: Final = (0.0015, 0.010)


@dataclass(frozen=True, slots=True)
class Break:
    """A broken beam: plate 7 (entry) to 0, ``at`` seconds after the entry, for ``length_s`` seconds.

    ``second``: the second beam of a pair.
    """

    plate: int
    at: float
    length_s: float
    second: bool = False


def breaks(
    world: World,
    fall: Fall,
    rng: np.random.Generator,
    plates: Iterable[int] = range(ROOF, -1, -1),
    *,
    paired: bool | Iterable[int] = False,
) -> list[Break]:
    """Say what the beams in these plates give for a fall and all cubes it set moving, in order of time.

    ``paired``: all of them are pairs, none is, or those named are. False breaks come below the roof
    only: a window begins with a break at the entry, so a false one there would be another window.
    """
    watched = tuple(plates)
    pairs = frozenset(watched if paired is True else paired or ())
    found: list[Break] = []
    for cube in fall.moving:
        for one in cube.passes:
            if one.plate in watched:
                found += _seen(world, one, rng, paired=one.plate in pairs)
    for plate in watched:
        if plate != ROOF and rng.random() < FALSE:
            at, length = rng.uniform(0, WINDOW_S), rng.uniform(*_FALSE_S)
            found.append(Break(plate, at, length, second=plate in pairs and rng.random() < 0.5))
    return sorted(found, key=lambda one: one.at)


def covers(offset_mm: float, cube_mm: float, beam_mm: float = 0.0) -> bool:
    """Whether a cube so far beside the hole's middle covers enough of a beam at ``beam_mm``."""
    half, beam = cube_mm / 2, BEAM_MM / 2
    left = max(offset_mm - half, beam_mm - beam)
    right = min(offset_mm + half, beam_mm + beam)
    return right - left >= COVERED * BEAM_MM


def _seen(world: World, one: Pass, rng: np.random.Generator, *, paired: bool) -> Iterator[Break]:
    length = world.cube_mm / 1000 * rng.uniform(*LENGTH)
    length_s = length / max(one.speed, SLOWEST)
    if not world.lingering:
        # By the letter a cube that tips over an edge would stay for seconds: its weight takes it out.
        length_s = min(length_s, math.sqrt(2 * length / GRAVITY))
    aside = PAIR_AT * world.cube_mm
    for second, beam_mm in enumerate((-aside, aside) if paired else (0.0,)):
        slow = RESPONSE_S * rng.uniform(*RESPONSE_SPREAD)
        if covers(one.offset_mm[0], world.cube_mm, beam_mm) and length_s > slow and rng.random() >= MISSED:
            at = one.at + rng.normal(STAMP_S, STAMP_SPREAD_S)
            yield Break(one.plate, at, length_s, bool(second))
