"""The tower of a drawn picture: its boxes, what is printed on its lids, and the table below it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.random import Generator

from calibration.training import surfaces
from vision.cubeheads import COLOURS
from vision.frames import Floats, floats
from vision.rendered_cubes import PAINTS, Box, Rgb, View, linear, turned

_TILE_PX = 512
_ARTS = 3
_PITCH_MM = 31.0
_PHOTOGRAPHED = 0.3
"""The share of lids and of tables that carry a photograph, where photographs are given."""


@dataclass(slots=True)
class Setting:
    """What is put together before it is drawn. ``marks``: box number to (colour, counts)."""

    rng: Generator
    boxes: list[Box] = field(default_factory=list)
    marks: dict[int, tuple[str, bool]] = field(default_factory=dict)
    side: float = 8.0
    paints: dict[str, Rgb] = field(default_factory=dict)
    table_z: float = 0.0
    floor: float = 60.0
    hole: float = 0.0
    plain: bool = False
    photographs: Sequence[Floats] = ()


def paints(rng: Generator) -> dict[str, Rgb]:
    """One game's paints: a little off in hue, lightness and strength."""
    found = {}
    for colour, rgb in PAINTS.items():
        hsv = cv2.cvtColor(floats([[rgb]]), cv2.COLOR_RGB2HSV)[0, 0]
        grey = colour in {"grey", "black", "white"}
        hsv[0] = (hsv[0] + (rng.normal(0, 4) if not grey else rng.uniform(-20, 20))) % 360
        hsv[1] = np.clip(hsv[1] * rng.uniform(0.82, 1.12) + (rng.uniform(0, 0.03) if grey else 0), 0, 1)
        spread = {"black": 0.35, "grey": 0.14, "white": 0.06, "brown": 0.2}.get(colour, 0.12)
        hsv[2] = np.clip(hsv[2] * (1 + rng.uniform(-spread, spread)), 0.02, 1)
        paint = cv2.cvtColor(floats([[hsv]]), cv2.COLOR_HSV2RGB)[0, 0]
        found[colour] = (float(paint[0]), float(paint[1]), float(paint[2]))
    return found


def stand_tower(setting: Setting) -> None:
    """Stack the boxes below and with the exposed floor, its lid at z = 0, and lay what was lifted aside."""
    rng = setting.rng
    setting.floor = float(rng.uniform(30, 60))
    setting.hole = float(rng.uniform(6, 10.5))
    floors = int(rng.integers(1, 8))
    paint = _board(rng)
    angle = rng.uniform(-12, 12)
    top = _lid(setting, paint)
    for down in range(min(floors, 4)):
        wide = setting.floor + 4 * down
        high = floors * _PITCH_MM / 2 if down == 3 else _PITCH_MM / 2
        middle = floats((rng.normal(0, 0.5), rng.normal(0, 0.5), -_PITCH_MM * down - high))
        picture = top if down == 0 or rng.random() < 0.6 else None
        hole = setting.hole if down == 0 else 0.0
        setting.boxes.insert(
            0, Box(middle, floats((wide, wide, high)), turned(angle), paint, picture, hole=hole)
        )
    setting.table_z = -_PITCH_MM * min(floors, 4)
    if rng.random() < 0.45 and not setting.plain:
        _lifted(setting, paint, top)


def _lifted(setting: Setting, paint: Floats, top: Floats) -> None:
    """Stand the lifted part of the tower beside the rest."""
    rng = setting.rng
    turn, wide = rng.uniform(0, 2 * math.pi), setting.floor * rng.uniform(0.55, 0.95)
    away = (setting.floor + wide) * rng.uniform(1.25, 1.6) + 15
    x, y, angle = away * math.cos(turn), away * math.sin(turn), rng.uniform(0, 90)
    z = setting.table_z
    for level in range(int(rng.integers(1, 4))):
        half = floats((wide - 4 * level, wide - 4 * level, _PITCH_MM / 2))
        middle = floats((x, y, z + _PITCH_MM / 2))
        hole = setting.hole if rng.random() < 0.8 else 0.0
        setting.boxes.append(Box(middle, half, turned(angle), paint, top, hole=hole))
        z += _PITCH_MM
        if wide - 4 * level < 24:
            break


def _board(rng: Generator) -> Floats:
    """Grey board, brown board, or any printed colour."""
    chance = rng.random()
    if chance < 0.35:
        rgb = floats(rng.uniform(0.35, 0.85)) + floats(rng.normal(0, 0.02, 3))
    elif chance < 0.65:
        rgb = floats((0.66, 0.5, 0.33)) * floats(rng.uniform(0.55, 1.25)) + floats(rng.normal(0, 0.03, 3))
    elif chance < 0.75:
        rgb = floats(rng.uniform(0.8, 0.97, 3))
    else:
        rgb = floats(rng.uniform(0.08, 0.9, 3))
    return linear(np.clip(floats(rgb), 0.03, 0.97))


def _lid(setting: Setting, paint: Floats) -> Floats:
    """Draw what is printed on a floor: nothing, a pattern, or a plan with rooms, carpets and writing."""
    rng, size = setting.rng, 320
    fibres = cv2.GaussianBlur(rng.normal(0, 1, (size, size)).astype(np.float32), (0, 0), 1.2)
    shade = 1 + floats(rng.uniform(0.01, 0.12)) * fibres
    picture = np.broadcast_to(paint, (size, size, 3)).astype(np.float32)
    chance = rng.random()
    photograph = _photograph(setting)
    if photograph is not None:
        picture = floats(cv2.resize(photograph, (size, size), interpolation=cv2.INTER_AREA))
    elif chance < 0.2 and not setting.plain:
        names = sorted(surfaces.TRAINED)
        tile = _tile(names[rng.integers(len(names))], int(rng.integers(_ARTS)))
        picture = floats(cv2.resize(tile, (size, size), interpolation=cv2.INTER_AREA))
    elif chance < 0.6:
        picture = _plan(picture.copy(), rng, setting)
    return floats(np.clip(picture * shade[..., None], 0.004, 0.97))


def _photograph(setting: Setting) -> Floats | None:
    """Return one of the photographs now and then; asks chance nothing if there are none."""
    if not setting.photographs or setting.rng.random() > _PHOTOGRAPHED:
        return None
    return setting.photographs[int(setting.rng.integers(len(setting.photographs)))]


def _plan(picture: Floats, rng: Generator, setting: Setting) -> Floats:
    size = picture.shape[0]
    px = size / (2 * setting.floor)
    for _ in range(int(rng.integers(2, 14))):
        x, y = rng.integers(0, size, 2)
        w, h = rng.integers(12, size // 2, 2)
        ink = tuple(float(v) for v in linear(floats(rng.uniform(0.05, 0.95, 3))))
        width = -1 if rng.random() < 0.55 else int(rng.integers(1, 6))
        cv2.rectangle(picture, (int(x), int(y)), (int(x + w), int(y + h)), ink, width, cv2.LINE_AA)
    for _ in range(
        int(rng.integers(1, 9)) if rng.random() < (0.0 if setting.plain else 0.4) else 0
    ):  # squares as large as a cube, but flat
        side = setting.side * px * rng.uniform(0.7, 1.3)
        paint = setting.paints[COLOURS[rng.integers(len(COLOURS))]]
        ink = tuple(float(v) for v in linear(floats(paint)))
        box = ((float(rng.uniform(0, size)), float(rng.uniform(0, size))), (side, side), rng.uniform(0, 90))
        cv2.fillConvexPoly(picture, np.round(cv2.boxPoints(box)).astype(np.int32), ink, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 6))):
        at = (int(rng.integers(0, size)), int(rng.integers(0, size)))
        words = "".join(rng.choice(list("ABEHOTRSM0123459"), int(rng.integers(1, 9))))
        ink = tuple(float(v) for v in linear(floats(rng.uniform(0.02, 0.95, 3))))
        thick = int(rng.integers(1, 4))
        cv2.putText(picture, words, at, 0, rng.uniform(0.3, 1.5), ink, thick, cv2.LINE_AA)
    return picture


@lru_cache(maxsize=64)
def _tile(name: str, art: int) -> Floats:
    tile = surfaces.draw(name, art).rgb
    return linear(floats(cv2.resize(tile, (_TILE_PX, _TILE_PX), interpolation=cv2.INTER_AREA)))


def surface(view: View, setting: Setting, *, unseen: bool) -> Floats:
    """Return the table's albedo as the view shows it."""
    rng = setting.rng
    names = sorted(surfaces.UNSEEN if unseen else surfaces.TRAINED)
    tile = _tile(names[rng.integers(len(names))], int(rng.integers(_ARTS)))
    photograph = _photograph(setting)
    if photograph is not None:
        tile = floats(cv2.resize(photograph, (_TILE_PX, _TILE_PX), interpolation=cv2.INTER_AREA))
    across = rng.uniform(150, 500)
    scale = across / _TILE_PX
    to_mm = floats(((scale, 0, rng.uniform(0, across)), (0, -scale, rng.uniform(0, across)), (0, 0, 1)))
    warp = view.plane(setting.table_z) @ to_mm
    shrink = max(1, round(1 / (view.px_per_mm(floats((0, 0, setting.table_z))) * scale)))
    tile = floats(cv2.blur(tile, (shrink, shrink))) if shrink > 1 else tile
    return floats(
        cv2.warpPerspective(
            tile, warp, (view.width, view.height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP
        )
    )
