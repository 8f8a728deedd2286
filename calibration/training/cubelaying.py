"""Cubes as they fell, and what else lies about: chosen from a picture's own generator."""

import math

import cv2
import numpy as np
from numpy.random import Generator

from calibration.training.cubetowers import Setting
from vision.cubeheads import COLOURS
from vision.frames import Floats, floats
from vision.rendered_cubes import Box, cube, linear, turned


def lay_cubes(setting: Setting, *, on_floor: bool) -> None:
    """Lay none to sixteen cubes that count, and now and then some beside the tower that do not."""
    rng = setting.rng
    number = 0 if rng.random() < 0.08 else min(int(rng.geometric(0.22)), 16)
    few = rng.random() < 0.3
    chosen = rng.choice(len(COLOURS), 2 if few else len(COLOURS), replace=False)
    reach = setting.floor - setting.side * 0.55 if on_floor else rng.uniform(25, 70)
    _lay(setting, number, [COLOURS[n] for n in chosen], 0.0, reach, counts=True, hole=setting.hole)
    if on_floor and rng.random() < (0.1 if setting.plain else 0.3):
        turn = rng.uniform(0, 2 * math.pi)
        far = setting.floor * 1.42 + 14 + rng.uniform(15, 55)
        where = (far * math.cos(turn), far * math.sin(turn))
        _lay(
            setting, int(rng.integers(1, 9)), list(COLOURS), setting.table_z, rng.uniform(6, 30),
            counts=False, hole=0.0, middle=where,
        )  # fmt: skip


def _lay(
    setting: Setting, number: int, colours: list[str], z: float, reach: float, *, counts: bool,
    hole: float,
    middle: tuple[float, float] = (0.0, 0.0),
) -> None:  # fmt: skip
    """Lay cubes where they fell: alone, against each other, on each other, leaning."""
    rng, side = setting.rng, setting.side
    lying: list[tuple[float, float, float, str]] = []
    close = rng.choice([0.1, 0.35, 0.75])
    on_top: set[int] = set()
    for _ in range(number):
        colour = str(rng.choice(colours))
        for _try in range(40):
            x, y = (float(v) for v in rng.uniform(-reach, reach, 2))
            angle, up, leaning = float(rng.uniform(0, 90)), 0.0, 0.0
            chance = rng.random()
            if lying and chance < close:
                ox, oy, angle, other = lying[rng.integers(len(lying))]
                turn = math.radians(angle + 90 * rng.integers(4))
                slide = rng.normal(0, 0.25) * side
                gap = side * (1.0 + abs(rng.normal(0, 0.03)))
                x = ox + gap * math.cos(turn) - slide * math.sin(turn)
                y = oy + gap * math.sin(turn) + slide * math.cos(turn)
                colour = other if rng.random() < 0.4 and other in colours else colour
            elif lying and chance < close + 0.05:
                at = int(rng.integers(len(lying)))
                if at in on_top:
                    continue
                ox, oy, _, _ = lying[at]
                x, y = ox + rng.uniform(-0.5, 0.5) * side, oy + rng.uniform(-0.5, 0.5) * side
                up = side
                if any(
                    n != at and math.hypot(x - a, y - b) < 1.3 * side
                    for n, (a, b, _, _) in enumerate(lying)
                ):
                    continue
                on_top |= {at, len(lying)}
            elif chance > 0.97:
                leaning = float(rng.uniform(10, 45))
            if max(abs(x), abs(y)) > reach * 1.04 or max(abs(x), abs(y)) < hole * 1.02:
                continue
            if not up and any(math.hypot(x - a, y - b) < 0.985 * side for a, b, _, _ in lying):
                continue
            if not up and _overlap((x, y, angle), lying, side):
                continue
            break
        else:
            continue
        lean = math.radians(leaning)
        rise = side * (math.sin(lean) + math.cos(lean)) / 2 + up
        turn_ = turned(angle, leaning, angle + 90 * int(rng.integers(4))) if leaning else turned(angle)
        place = (x + middle[0], y + middle[1], z + rise)
        worn = floats(setting.paints[colour]) * floats(rng.uniform(0.93, 1.06))
        rgb = (float(worn[0]), float(worn[1]), float(worn[2]))
        setting.marks[len(setting.boxes)] = (colour, counts)
        setting.boxes.append(cube(rgb, place, side, turn_, grain=int(rng.integers(24))))
        lying.append((x, y, angle, colour))


def _overlap(
    new: tuple[float, float, float], lying: list[tuple[float, float, float, str]], side: float
) -> bool:
    """Say whether two squares overlap by more than their rounded edges."""
    x, y, angle = new
    own = ((x, y), (side * 0.97, side * 0.97), angle)
    for a, b, turn, _ in lying:
        if math.hypot(a - x, b - y) < 1.42 * side:
            shared = cv2.rotatedRectangleIntersection(own, ((a, b), (side * 0.97, side * 0.97), turn))[0]
            if shared != cv2.INTERSECT_NONE:
                return True
    return False


def lay_clutter(setting: Setting, number: int) -> None:
    """Lay dice, sticks, cards and larger blocks about, none of which counts."""
    rng, z = setting.rng, setting.table_z
    with_tower = setting.hole > 0
    for _ in range(number):
        low = setting.floor * 1.42 + 16 if with_tower else 0.0
        far, turn = rng.uniform(low + 8, low + 90), rng.uniform(0, 2 * math.pi)
        x, y, angle = far * math.cos(turn), far * math.sin(turn), rng.uniform(0, 360)
        paint = linear(floats(rng.uniform(0.03, 0.95, 3)))
        chance = rng.random()
        if chance < 0.5:
            edge = rng.uniform(10, 18) / 2
            faces = _pips(rng, paint)
            half = floats((edge, edge, edge))
            setting.boxes.append(
                Box(floats((x, y, z + edge)), half, turned(angle), paint, faces, wrap=True)
            )
        elif chance < 0.65:
            half = floats((rng.uniform(25, 90), rng.uniform(2.5, 5), rng.uniform(2.5, 5)))
            setting.boxes.append(Box(floats((x, y, z + half[2])), half, turned(angle), paint))
        elif chance < 0.85:
            half = floats((rng.uniform(6, 45), rng.uniform(6, 32), 0.4))
            setting.boxes.append(Box(floats((x, y, z + 0.4)), half, turned(angle), paint))
        else:
            half = floats(rng.uniform(4, 16, 3))
            half[0] = max(half[0], half[1] * 1.7)
            setting.boxes.append(Box(floats((x, y, z + half[2])), half, turned(angle), paint, grain=3))


_PIPS = (
    ((0, 0),), ((-1, -1), (1, 1)), ((-1, -1), (0, 0), (1, 1)), ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    ((-1, -1), (-1, 1), (1, -1), (1, 1), (0, 0)), ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
)  # fmt: skip


def _pips(rng: Generator, paint: Floats) -> Floats:
    if rng.random() < 0.4:
        paint = linear(floats((0.9, 0.9, 0.87)))
    picture = np.broadcast_to(paint, (48, 48, 3)).astype(np.float32).copy()
    ink = (0.02,) * 3 if float(paint.mean()) > 0.2 else (0.85,) * 3
    for x, y in _PIPS[rng.integers(6)]:
        cv2.circle(picture, (24 + 12 * x, 24 + 12 * y), 5, ink, -1, cv2.LINE_AA)
    return floats(picture)
