"""Pictures of cubes on exposed floors with all that is known of them: everything follows from one seed.

Seeds from 0 are for training, from 5,000,000 on for tuning thresholds, from 7,000,000 on for scoring.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from calibration.training.cubelaying import lay_clutter, lay_cubes
from calibration.training.cubelights import finished, lamps_of, reach_in
from calibration.training.cubetowers import Setting, paints, stand_tower, surface
from vision.frames import Floats, Image, floats
from vision.rendered_cubes import Canvas, View, render

TUNING, SCORING = 5_000_000, 7_000_000
"""Where the seeds begin that training never sees, and those that tuning never sees either."""

LEVELS = ("medium", "hard")
"""Medium: a camera above, plain light print on the lid, a sharp picture, nothing beside the tower."""

COUNTED = 0.2
"""A cube of which less than this share is seen is not there for anybody who looks at the picture."""


@dataclass(frozen=True, slots=True)
class SeenCube:
    """``x``, ``y`` px of the middle of its upper side, ``side`` px; ``seen``: the share that nothing hides.

    ``counts``: it lies on the exposed floor, or no floor is to be seen.
    """

    colour: str
    x: float
    y: float
    side: float
    seen: float
    counts: bool


@dataclass(frozen=True, slots=True)
class Shot:
    """``image`` BGR; ``hole``: x, y, side in px of the exposed floor's; ``hand`` (h, w) 0..1: skin."""

    image: Image = field(repr=False)
    cubes: tuple[SeenCube, ...]
    hole: tuple[float, float, float] | None
    hand: Floats = field(repr=False)
    kind: str

    @property
    def truth(self) -> tuple[str, ...]:
        """The colours of what lies there to be counted."""
        return tuple(sorted(c.colour for c in self.cubes if c.counts and c.seen >= COUNTED))


def shot(
    seed: int,
    *,
    longest_px: int = 0,
    kind: str = "",
    unseen: bool = False,
    level: str = "hard",
    photographs: Sequence[Floats] = (),
) -> Shot:
    """Draw a picture. ``kind``: floor, table, nothing or any; ``unseen``: on tables never trained on.

    ``level``: of LEVELS. ``photographs``: linear (h, w, 3), on some lids and tables for what we draw.
    """
    rng = np.random.default_rng([seed, 1906])
    longest = longest_px or int(rng.integers(640, 900))
    kind = kind or str(rng.choice(["floor", "table", "nothing"], p=[0.8, 0.13, 0.07]))
    setting = Setting(rng, plain=level == "medium", photographs=photographs)
    setting.side = float(rng.uniform(7.8, 10.2))
    setting.paints = paints(rng)
    if kind == "floor":
        stand_tower(setting)
    if kind != "nothing":
        lay_cubes(setting, on_floor=kind == "floor")
    if rng.random() < (0.95 if kind == "nothing" else 0.35) and not setting.plain:
        lay_clutter(setting, int(rng.integers(1, 7)))
    view = _view(setting, longest, kind)
    table = surface(view, setting, unseen=unseen)
    lamps, room = lamps_of(rng)
    canvas = render(view, table, setting.boxes, lamps, room, table_z=setting.table_z)
    hand = np.zeros(table.shape[:2], np.float32)
    if rng.random() < 0.12 and not setting.plain:
        hand = reach_in(canvas, rng, float(np.median(canvas.light)))
    cubes = _known(setting, canvas, view, hand)
    hole = _hole(setting, view, hand) if kind == "floor" else None
    return Shot(finished(canvas.light, lamps, rng, sharp=setting.plain), cubes, hole, hand, kind)


def _view(setting: Setting, longest: int, kind: str) -> View:
    rng = setting.rng
    ratio = float(rng.choice([4 / 3, 16 / 9, 3 / 4, 1.0]))
    size = (longest, round(longest / ratio)) if ratio >= 1 else (round(longest * ratio), longest)
    reach = 2 * setting.floor if kind == "floor" else 90.0
    short = min(size) / size[0]
    across = reach * rng.uniform(1.15, 2.0 if setting.plain else 3.3) / short
    tilt = min(abs(float(rng.normal(0, 17))), 12.0 if setting.plain else 37.0)
    off = setting.floor * 0.4
    return View.looking(
        size, across_mm=min(across, 460.0), tilt=tilt, around=rng.uniform(0, 360),
        roll=rng.uniform(-180, 180),
        at=(float(rng.uniform(-off, off)), float(rng.uniform(-off, off))), away_mm=rng.uniform(300, 900),
    )  # fmt: skip


def _known(setting: Setting, canvas: Canvas, view: View, hand: Floats) -> tuple[SeenCube, ...]:
    found = []
    for number, (colour, counts) in setting.marks.items():
        box = setting.boxes[number]
        _, ring = box.side(*box.upper())
        flat, hull = view.project(ring), cv2.convexHull(view.project(box.corners()))[:, 0]
        mask = (canvas.owner == number) & (hand < 0.5)
        pixels = np.nonzero(mask)
        whole = max(float(cv2.contourArea(hull)), 1.0)
        area = max(float(cv2.contourArea(flat)), 1.0)
        x, y = (float(v) for v in flat.mean(axis=0))
        seen = min(len(pixels[0]) / whole, 1.0)
        if len(pixels[0]) and not _mostly(mask, flat):
            x, y = float(pixels[1].mean()), float(pixels[0].mean())
        found.append(SeenCube(colour, x, y, math.sqrt(area), seen, counts))
    return tuple(found)


def _mostly(mask: np.ndarray, flat: Floats) -> bool:
    """Say whether at least half of the upper side is seen."""
    inside = np.zeros(mask.shape, np.uint8)
    cv2.fillConvexPoly(inside, np.round(flat).astype(np.int32), (1,))
    return bool(mask[inside > 0].mean() > 0.5) if inside.any() else False


def _hole(setting: Setting, view: View, hand: Floats) -> tuple[float, float, float] | None:
    ring = floats([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0)]) * floats(setting.hole)
    flat = view.project(ring)
    x, y = flat.mean(axis=0)
    inside = 0 <= x < view.width and 0 <= y < view.height
    if not inside or hand[int(y), int(x)] > 0.3:
        return None
    return float(x), float(y), math.sqrt(max(float(cv2.contourArea(flat)), 1.0))
