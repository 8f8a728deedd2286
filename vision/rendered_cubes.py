"""Pictures of wooden cubes and cardboard boxes, drawn: flat faces in perspective with shadows and grain.

Lengths are millimetres, z points up, colours are linear R, G, B, angles are degrees. Good enough to
rehearse, to train and to measure with; it knows no glass, no mirrors and no light from one face to another.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats, floats

Rgb = tuple[float, float, float]

PAINTS: dict[str, Rgb] = {
    "yellow": (0.93, 0.75, 0.13),
    "blue": (0.11, 0.29, 0.62),
    "brown": (0.41, 0.25, 0.14),
    "grey": (0.54, 0.54, 0.53),
    "black": (0.085, 0.08, 0.08),
    "white": (0.93, 0.92, 0.88),
    "red": (0.74, 0.11, 0.10),
}
"""How the game's cubes are about painted, sRGB 0..1; nobody has measured a real game's."""

_GRAIN_PX = 48
_GRAINS = 24
_NEAR = 3.5
"""Only what is nearer than so many of its own sides shades a small box."""

_SMALL_MM = 9.0
"""Boxes with a shorter half side than this are shaded by near ones only."""

_SIDES = tuple((axis, sign) for axis in (2, 0, 1) for sign in (1, -1))


@dataclass(frozen=True, eq=False)
class Box:
    """Anything with six flat sides.

    ``centre`` (3,), ``half`` (3,) half its lengths, ``turn`` (3, 3) its own axes as columns;
    ``top``: a picture (h, w, 3), linear, for its upper side, or for every side if it is to ``wrap``;
    ``grain``: which wood it is of, -1 for none;
    ``hole``: half the side of a square hole in the middle of its upper side, 0 for none.
    """

    centre: Floats
    half: Floats
    turn: Floats
    paint: Floats
    top: Floats | None = field(default=None, repr=False)
    wrap: bool = False
    grain: int = -1
    hole: float = 0.0
    gloss: float = 0.05

    def corners(self) -> Floats:
        """Return its corners (8, 3)."""
        signs = floats([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)])
        return floats((signs * self.half) @ self.turn.T + self.centre)

    def side(self, axis: int, sign: int) -> tuple[Floats, Floats]:
        """Return the normal (3,) and the corners (4, 3) of one side, in order around it."""
        u, v = ((1, 2), (2, 0), (0, 1))[axis]
        ring = floats([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        local = np.zeros((4, 3), np.float32)
        local[:, axis] = sign * self.half[axis]
        local[:, u], local[:, v] = ring[:, 0] * self.half[u], ring[:, 1] * self.half[v] * sign
        return floats(self.turn[:, axis] * sign), floats(local @ self.turn.T + self.centre)

    def upper(self) -> tuple[int, int]:
        """Return axis and sign of the side that points up most."""
        axis = int(np.abs(self.turn[2]).argmax())
        return axis, 1 if self.turn[2, axis] > 0 else -1


@dataclass(frozen=True)
class Lamp:
    """``to``: unit vector towards it; ``rgb``: its light on a face turned to it; ``soft``: width, rad."""

    to: tuple[float, float, float]
    rgb: Rgb
    soft: float = 0.05


@dataclass(frozen=True, eq=False)
class View:
    """A pinhole camera: ``matrix`` (3, 4) from mm to px, ``eye`` (3,) where it stands, size in px."""

    matrix: Floats
    eye: Floats
    width: int
    height: int

    @classmethod
    def looking(
        cls,
        size: tuple[int, int],
        *,
        across_mm: float,
        tilt: float = 0.0,
        around: float = 0.0,
        roll: float = 0.0,
        at: tuple[float, float] = (0.0, 0.0),
        away_mm: float = 500.0,
    ) -> "View":
        """Look at a point of the plane z = 0, ``tilt`` degrees from straight down.

        ``across_mm``: how much of the plane the picture's width shows there.
        """
        lean, turn = math.radians(tilt), math.radians(around)
        back = np.array((math.sin(lean) * math.cos(turn), math.sin(lean) * math.sin(turn), math.cos(lean)))
        right = np.array((-math.sin(turn), math.cos(turn), 0.0))
        down = np.cross(-back, right)
        c, s = math.cos(math.radians(roll)), math.sin(math.radians(roll))
        right, down = c * right + s * down, c * down - s * right
        target = np.array((*at, 0.0))
        eye = target + back * away_mm
        focal = size[0] / across_mm * away_mm
        inner = np.array(((focal, 0, size[0] / 2), (0, focal, size[1] / 2), (0, 0, 1.0)))
        turned = np.stack((right, down, -back))
        matrix = inner @ np.column_stack((turned, -turned @ eye))
        return cls(floats(matrix), floats(eye), *size)

    def project(self, points: Floats) -> Floats:
        """Return px (n, 2) of points (n, 3)."""
        seen = points @ self.matrix[:, :3].T + self.matrix[:, 3]
        return floats(seen[:, :2] / np.maximum(seen[:, 2:], 1e-3))

    def plane(self, z: float = 0.0) -> Floats:
        """Return the homography (3, 3) from x, y in mm on the plane at this height to px."""
        m = self.matrix
        return floats(np.column_stack((m[:, 0], m[:, 1], m[:, 2] * z + m[:, 3])))

    def px_per_mm(self, point: Floats) -> float:
        """Return about how many px a millimetre has there."""
        step = floats([point, point + floats((1, 0, 0)), point + floats((0, 1, 0))])
        a, b, c = self.project(step)
        return float(max(np.linalg.norm(b - a), np.linalg.norm(c - a)))


@dataclass(frozen=True, eq=False)
class Canvas:
    """Linear light (h, w, 3), and whose box each pixel is (h, w): its number, -1 for the table."""

    light: Floats
    owner: NDArray[np.int32]


def cube(
    colour: str | Rgb, place: tuple[float, float, float], side: float, turn: Floats, *, grain: int = 0
) -> Box:
    """Make a cube of a colour of PAINTS, or of an sRGB colour; ``place`` is its middle."""
    rgb = PAINTS[colour] if isinstance(colour, str) else colour
    half = floats((side / 2,) * 3)
    return Box(floats(place), half, turn, linear(floats(rgb)), grain=grain)


def turned(angle: float, lean: float = 0.0, towards: float = 0.0) -> Floats:
    """Return the rotation (3, 3) by an angle around z, then leaning over by another towards a third."""
    a, b, t = math.radians(angle), math.radians(lean), math.radians(towards)
    around = np.array(((math.cos(a), -math.sin(a), 0), (math.sin(a), math.cos(a), 0), (0, 0, 1.0)))
    if not lean:
        return floats(around)
    axis = np.array((-math.sin(t), math.cos(t), 0.0))
    return floats(cv2.Rodrigues(axis * b)[0] @ around)


def linear(srgb: Floats) -> Floats:
    """Return linear light of sRGB 0..1."""
    return floats(np.power(np.maximum(srgb, 0), 2.2))


def developed(light: Floats) -> NDArray[np.uint8]:
    """Return a BGR picture of linear light; whatever is brighter than 1 is white."""
    return np.asarray(np.power(np.clip(light[..., ::-1], 0, 1), 1 / 2.2) * 255 + 0.5, np.uint8)


def render(
    view: View,
    table: Floats,
    boxes: Sequence[Box],
    lamps: Sequence[Lamp],
    room: Rgb,
    *,
    table_z: float = 0.0,
) -> Canvas:
    """Draw boxes on a table.

    ``table``: its albedo (h, w, 3) as the view shows it; ``room``: light from all over.
    """
    light = _plane(view, table, boxes, lamps, floats(room), table_z, -1)
    canvas = Canvas(light, np.full(table.shape[:2], -1, np.int32))
    order = sorted(range(len(boxes)), key=lambda n: _rank(view, boxes[n]))
    for n in order:
        for axis, sign in _SIDES[::-1]:
            normal, ring = boxes[n].side(axis, sign)
            if float((view.eye - ring.mean(axis=0)) @ normal) > 0:
                _draw_side(canvas, view, boxes, n, axis, sign, lamps, floats(room))
    return canvas


def _rank(view: View, box: Box) -> tuple[float, float]:
    """Lower things first, among equals the farther ones."""
    low = float(box.corners()[:, 2].min())
    return round(low / 3) * 3.0, -float(np.linalg.norm(view.eye - box.centre))


def _plane(
    view: View,
    albedo: Floats,
    boxes: Sequence[Box],
    lamps: Sequence[Lamp],
    room: Floats,
    z: float,
    skip: int,
) -> Floats:
    shape = albedo.shape[:2]
    part = (0, 0, shape[1], shape[0])
    light = albedo * room * _contact(view, boxes, z, part, skip)[..., None]
    for lamp in lamps:
        lit = floats(lamp.rgb) * floats(max(lamp.to[2], 0))
        normal, point = floats((0, 0, 1)), floats((0, 0, z))
        light += albedo * lit * _shade(view, boxes, lamp, normal, point, part, skip)[..., None]
    return floats(light)


Part = tuple[int, int, int, int]
"""A part of the picture: left, top, right, bottom."""


def _filled(ring: Floats, part: Part) -> Floats:
    """Return 0..1 (h, w): how much of each pixel of a part a convex ring covers."""
    mask = np.zeros((part[3] - part[1], part[2] - part[0]), np.uint8)
    moved = (ring - floats(part[:2])) * 16 - 8
    cv2.fillConvexPoly(mask, np.round(moved).astype(np.int32), (255,), cv2.LINE_AA, 4)
    return floats(mask) / floats(255)


def _blurred(mask: Floats, sigma: float) -> Floats:
    """Blur; widely in small, which looks the same and takes a tenth of the time."""
    shrink = int(sigma / 2.5)
    if shrink < 2 or min(mask.shape) < 4 * shrink:
        return floats(cv2.GaussianBlur(mask, (0, 0), sigma))
    height, width = mask.shape
    small = cv2.resize(mask, (width // shrink, height // shrink), interpolation=cv2.INTER_AREA)
    soft = cv2.GaussianBlur(small, (0, 0), sigma / shrink)
    return floats(cv2.resize(soft, (width, height), interpolation=cv2.INTER_LINEAR))


def _bounds(ring: Floats, shape: tuple[int, ...], more: float) -> Part | None:
    left, top = np.floor(ring.min(axis=0) - more).astype(int)
    right, bottom = np.ceil(ring.max(axis=0) + more).astype(int) + 1
    part = (max(int(left), 0), max(int(top), 0), min(int(right), shape[1]), min(int(bottom), shape[0]))
    return part if part[0] < part[2] and part[1] < part[3] else None


def _within(inner: Part, outer: Part) -> Part | None:
    part = (
        max(inner[0], outer[0]), max(inner[1], outer[1]), min(inner[2], outer[2]), min(inner[3], outer[3])
    )  # fmt: skip
    return part if part[0] < part[2] and part[1] < part[3] else None


def _shade(
    view: View, boxes: Sequence[Box], lamp: Lamp, normal: Floats, point: Floats, part: Part, skip: int
) -> Floats:
    """Return 1 where a lamp reaches a plane, 0 in shadow."""
    reach = np.ones((part[3] - part[1], part[2] - part[0]), np.float32)
    to = floats(lamp.to)
    facing = float(to @ normal)
    if facing <= 0.02:
        return reach
    small = skip >= 0 and float(boxes[skip].half.max()) < _SMALL_MM
    for n, box in enumerate(boxes):
        if n == skip or (small and _apart(box, boxes[skip]) > _NEAR * 2 * float(boxes[skip].half.max())):
            continue
        corners = box.corners()
        height = (corners - point) @ normal
        if float(height.max()) < 0.3:
            continue
        height = np.maximum(height, 0.0)
        fallen = corners - to * (height / facing)[:, None]
        hull = floats(cv2.convexHull(view.project(floats(fallen)))[:, 0])
        sigma = max(0.6, lamp.soft * float(height.max()) * 0.5 * view.px_per_mm(point))
        seen = _bounds(hull, (view.height, view.width), 3 * sigma)
        own = _within(seen, part) if seen else None
        if own is None or seen is None:
            continue
        soft = _blurred(_filled(hull, seen), sigma)
        where = np.s_[own[1] - part[1] : own[3] - part[1], own[0] - part[0] : own[2] - part[0]]
        reach[where] *= 1 - soft[own[1] - seen[1] : own[3] - seen[1], own[0] - seen[0] : own[2] - seen[0]]
    return reach


def _apart(one: Box, other: Box) -> float:
    return float(np.linalg.norm(one.centre - other.centre)) - float(one.half.max())


def _contact(view: View, boxes: Sequence[Box], z: float, part: Part, skip: int) -> Floats:
    """Return how much of the room's light a level plane gets: less close to what stands on it."""
    near = np.zeros((part[3] - part[1], part[2] - part[0]), np.float32)
    for n, box in enumerate(boxes):
        low = box.corners()
        if n == skip or not -1.0 < float(low[:, 2].min()) - z < 4.0:
            continue
        low[:, 2] = z
        hull = floats(cv2.convexHull(view.project(low))[:, 0])
        sigma = max(0.6, 0.3 * float(box.half.min()) * view.px_per_mm(floats((*box.centre[:2], z))))
        seen = _bounds(hull, (view.height, view.width), 3 * sigma)
        own = _within(seen, part) if seen else None
        if own is None or seen is None:
            continue
        soft = _blurred(_filled(hull, seen), sigma)
        where = np.s_[own[1] - part[1] : own[3] - part[1], own[0] - part[0] : own[2] - part[0]]
        near[where] += soft[own[1] - seen[1] : own[3] - seen[1], own[0] - seen[0] : own[2] - seen[0]]
    return floats(1 - 0.7 * np.clip(near * 1.3, 0, 1))


def _draw_side(
    canvas: Canvas, view: View, boxes: Sequence[Box], n: int, axis: int, sign: int,
    lamps: Sequence[Lamp], room: Floats,
) -> None:  # fmt: skip
    box = boxes[n]
    normal, ring = box.side(axis, sign)
    flat = view.project(ring)
    part = _bounds(flat, canvas.owner.shape, 1.0)
    if part is None:
        return
    cover = _filled(flat, part)
    albedo = _albedo(box, axis, sign, flat, part)
    big = float(box.half.max()) >= _SMALL_MM
    sky = 0.5 + 0.5 * float(normal[2])
    ambient = room * floats(0.35 + 0.65 * sky)
    if big and normal[2] > 0.9:
        around = _contact(view, boxes, float(ring[:, 2].mean()), part, n)
        light = albedo * (ambient * around[..., None])
    else:
        light = albedo * (ambient * _falling(flat, ring, part)[..., None])
    away = view.eye - ring.mean(axis=0)
    away /= np.linalg.norm(away)
    for lamp in lamps:
        facing = float(floats(lamp.to) @ normal)
        if facing <= 0.02:
            continue
        half = floats(lamp.to) + away
        shine = box.gloss * max(float(half @ normal) / float(np.linalg.norm(half)), 0.0) ** 30
        reach = _shade(view, boxes, lamp, normal, ring.mean(axis=0), part, n)
        light += (albedo * facing + shine) * floats(lamp.rgb) * reach[..., None]
    if box.hole and (axis, sign) == (2, 1):
        light = _pierced(view, box, light, part)
    where = np.s_[part[1] : part[3], part[0] : part[2]]
    canvas.light[where] = canvas.light[where] * (1 - cover[..., None]) + light * cover[..., None]
    canvas.owner[where][cover > 0.5] = n


def _albedo(box: Box, axis: int, sign: int, flat: Floats, part: Part) -> Floats:
    size = (part[2] - part[0], part[3] - part[1])
    if box.top is not None and (box.wrap or (axis, sign) == (2, 1)):
        picture = box.top
    elif box.grain >= 0:
        picture = box.paint * (1 + _grain(box.grain * 3 + axis)[..., None])
    else:
        return np.broadcast_to(box.paint, (size[1], size[0], 3)).astype(np.float32)
    height, width = picture.shape[:2]
    source = floats([(0, height), (width, height), (width, 0), (0, 0)]) - floats(0.5)
    warp = cv2.getPerspectiveTransform(source, flat - floats(part[:2]))
    shrink = max(1, int(max(height, width) / max(*np.ptp(flat, axis=0), 1.0)))
    if shrink > 1:
        picture = floats(cv2.blur(picture, (shrink, shrink)))
    return floats(
        cv2.warpPerspective(
            floats(picture), warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    )


def _falling(flat: Floats, ring: Floats, part: Part) -> Floats:
    """Return how much of the room's light a side gets: less towards its foot."""
    heights = ring[:, 2]
    size = (part[2] - part[0], part[3] - part[1])
    if float(np.ptp(heights)) < 1.0:
        return np.ones(size[::-1], np.float32)
    warp = cv2.getPerspectiveTransform(floats([(0, 0), (7, 0), (7, 7), (0, 7)]), flat - floats(part[:2]))
    low, high = float(heights.min()), float(heights.max())
    a, b, c, d = 0.55 + 0.45 * (heights - low) / (high - low)
    x = np.linspace(0, 1, 8, dtype=np.float32)
    across = np.outer(1 - x, (1 - x) * a + x * b) + np.outer(x, (1 - x) * d + x * c)
    return floats(
        cv2.warpPerspective(
            floats(across), warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        )
    )


def _pierced(view: View, box: Box, light: Floats, part: Part) -> Floats:
    """Cut the square hole: its walls in shadow, and below them hardly any light."""
    dark = light * floats(1)
    top = float(box.corners()[:, 2].max())
    ring = floats([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * box.hole
    turn, middle = box.turn[:2, :2], box.centre[:2]
    first = np.ones(light.shape[:2], np.float32)
    for below, share in ((0.0, 0.45), (1.5, 0.10), (9.0, 0.055), (22.0, 0.03)):
        at = ring @ turn.T + middle
        sunk = view.project(floats(np.column_stack((at, np.full(4, top - below)))))
        cover = _filled(sunk, part)
        cover *= first
        if not below:
            first = cover.copy()
        paint = floats(np.median(light.reshape(-1, 3), axis=0)) * floats(share)
        dark = dark * (1 - cover[..., None]) + paint * cover[..., None]
    return floats(dark)


@lru_cache(maxsize=3 * _GRAINS + 3)
def _grain(number: int) -> Floats:
    """Draw the grain of one side of a cube: fibres, and rings at the cut ends; its rim is worn."""
    rng = np.random.default_rng([number, 41])
    size = _GRAIN_PX
    fibres = rng.normal(0, 1, (size, size)).astype(np.float32)
    if number % 3 == 0:
        x, y = np.meshgrid(np.arange(size), np.arange(size))
        far = np.hypot(x - rng.uniform(-size, 2 * size), y - rng.uniform(-size, 2 * size))
        grain = 0.7 * np.sin(far * rng.uniform(0.3, 0.9)) + 0.5 * cv2.GaussianBlur(fibres, (0, 0), 0.8)
    else:
        long = cv2.GaussianBlur(fibres, (0, 0), sigmaX=9, sigmaY=0.7)
        grain = long / max(float(long.std()), 1e-6)
    edge = np.minimum.outer(
        np.minimum(np.arange(size), np.arange(size)[::-1]),
        np.minimum(np.arange(size), np.arange(size)[::-1]),
    )
    worn = np.where(edge < size * 0.07, rng.uniform(-0.25, 0.3), 0.0)
    return floats(np.clip(grain * rng.uniform(0.02, 0.12) + worn, -0.5, 0.6))
