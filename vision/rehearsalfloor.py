"""The rehearsed tower under the camera: closed, or with a floor exposed and cubes lying on it."""

import random
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from vision.frames import Floats, floats
from vision.rendered import Picture
from vision.rendered_cubes import PAINTS, Box, Lamp, View, cube, developed, linear, render, turned

CLOSED = 8
"""As a floor: nothing is lifted, the camera looks at the roof."""

CUBE_MM = 9.0

_PITCH_MM, _TOP_MM, _GROWS_MM, _HOLE_MM = 31.25, 30.0, 4.0, 8.0
"""Height of a floor, half the highest lid, by how much each lower one is larger, half the hole."""

_CAMERA_MM, _ACROSS_MM = 620.0, 330.0
"""How high the camera hangs over the table, and how much of the table it sees across."""

_BOARD, _WOOD = (0.63, 0.6, 0.55), (0.5, 0.34, 0.21)
_LAMPS = (Lamp((0.42, -0.3, 0.857), (0.62, 0.58, 0.52), 0.08),)
_ROOM = (0.3, 0.3, 0.3)
_TILT = 9.0


def floor_picture(
    cubes: Sequence[str], floor: int, size: tuple[int, int], chance: random.Random
) -> Picture:
    """Draw the tower lifted off ``floor`` (0 is the table, CLOSED the roof) with these cubes lying there.

    Raises ValueError for a colour that there is not, a floor outside 0..8, or more cubes than have room.
    """
    odd = [colour for colour in cubes if colour not in PAINTS]
    if odd:
        raise ValueError(f"There is no {odd[0]} cube; colours are {', '.join(PAINTS)}.")
    if not 0 <= floor <= CLOSED:
        raise ValueError(f"Floors go from 0 to {CLOSED}, not {floor}.")
    high = _PITCH_MM * floor
    away = _CAMERA_MM - high
    view = View.looking(size, across_mm=_ACROSS_MM * away / _CAMERA_MM, tilt=_TILT, around=90, away_mm=away)
    boxes = [_storey(n, floor) for n in range(floor)]
    if floor < CLOSED:
        boxes += [_aside(n, floor) for n in range(floor, CLOSED)]
    half = _half(floor - 1) if floor else 45.0
    boxes += [
        cube(colour, (x, y, CUBE_MM / 2), CUBE_MM, turned(chance.uniform(0, 90)), grain=n)
        for n, (colour, (x, y)) in enumerate(zip(cubes, _places(len(cubes), half, chance), strict=True))
    ]
    canvas = render(view, _table(size), boxes, _LAMPS, _ROOM, table_z=-high)
    return developed(canvas.light)


def _half(storey: int) -> float:
    return _TOP_MM + _GROWS_MM * (CLOSED - 1 - storey)


def _storey(number: int, floor: int) -> Box:
    """Make one of the boxes that still stand; the lid of the highest is the exposed floor at z = 0."""
    middle = floats((0, 0, -_PITCH_MM * (floor - number - 0.5)))
    half = floats((_half(number), _half(number), _PITCH_MM / 2))
    hole = _HOLE_MM if number == floor - 1 else 0.0
    return Box(middle, half, turned(4), linear(floats(_BOARD)), hole=hole)


def _aside(number: int, floor: int) -> Box:
    """Make one of the boxes that were lifted and stand beside."""
    away = _half(0) + _half(floor) + 22
    middle = floats((away, away * 0.35, _PITCH_MM * (number - floor + 0.5) - _PITCH_MM * floor))
    half = floats((_half(number), _half(number), _PITCH_MM / 2))
    return Box(middle, half, turned(31), linear(floats(_BOARD)), hole=_HOLE_MM)


def _places(number: int, half: float, chance: random.Random) -> list[tuple[float, float]]:
    """Find places on a lid, off its hole, where cubes touch no other; ever closer if it is crowded."""
    found: list[tuple[float, float]] = []
    room, reach = 2.1 * CUBE_MM, half - 0.75 * CUBE_MM
    while len(found) < number:
        for _ in range(200):
            x, y = chance.uniform(-reach, reach), chance.uniform(-reach, reach)
            off_hole = max(abs(x), abs(y)) > _HOLE_MM + 0.75 * CUBE_MM
            if off_hole and all((x - a) ** 2 + (y - b) ** 2 > room**2 for a, b in found):
                found.append((x, y))
                break
        else:
            room *= 0.93
            if room < CUBE_MM:
                raise ValueError(f"{number} cubes have no room on this floor.")
    return found


@lru_cache(maxsize=2)
def _table(size: tuple[int, int]) -> Floats:
    """Draw a wooden table, as its albedo."""
    rng = np.random.default_rng(19)
    fibres = rng.normal(0, 1, (size[1], 1, 1)) * 0.05 + rng.normal(0, 0.015, (size[1], size[0], 1))
    return floats(linear(floats(_WOOD)) * (1 + fibres))
