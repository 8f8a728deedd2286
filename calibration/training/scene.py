"""What a training picture shows, as plain values: everything follows from one seed, nothing here draws.

Lengths are centimetres, z points up from the table at z = 0, colours are sRGB in 0..1, angles degrees.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Rgb = tuple[float, float, float]
Point = tuple[float, float, float]

# The sides of a die in its own frame: normal, and the symbol's right and up before its quarter-turns.
SIDES: tuple[tuple[Point, Point, Point], ...] = (
    ((0, 0, 1), (1, 0, 0), (0, 1, 0)),
    ((0, 0, -1), (1, 0, 0), (0, -1, 0)),
    ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    ((-1, 0, 0), (0, -1, 0), (0, 0, 1)),
    ((0, 1, 0), (-1, 0, 0), (0, 0, 1)),
    ((0, -1, 0), (1, 0, 0), (0, 0, 1)),
)


@dataclass(frozen=True)
class Look:
    """One set of dice: what is printed where, on what body.

    ``faces`` and ``rolls`` (quarter-turns) go by SIDES. ``bevel`` is a fraction of half the edge, ``ball``
    the radius of the sphere that cuts the corners in halves of the edge (above 1.73: none). Pips are
    measured in fractions of the edge. ``paints`` are the six sides' own colours where they differ.
    """

    kind: str
    style: str
    edge: float
    bevel: float
    ball: float
    faces: tuple[str, ...]
    rolls: tuple[int, ...]
    body: Rgb
    ink: Rgb
    paints: tuple[Rgb, ...]
    material: str
    relief: str
    pip_radius: float
    pip_pitch: float
    one_scale: float
    red_faces: tuple[str, ...]
    roughness: float
    art: int
    six_width: float = 1.0
    """How far apart a six's two columns are, where 1 is as far as a four's."""
    dome: float = 0.0
    """How far the surface tips outwards from a side's middle to its edge, in radians, below 0 inwards: then
    lamps are mirrored as spots and arcs, and not by a whole side at once. Only `tracer` draws it."""


@dataclass(frozen=True)
class Pose:
    """A place and a turn: ``turn`` holds the rotation's nine numbers row by row."""

    centre: Point
    turn: tuple[float, ...]

    def matrix(self) -> Floats:
        return np.array(self.turn, dtype=np.float64).reshape(3, 3)

    def world(self, points: Floats) -> Floats:
        """Points (n, 3) of the thing's own frame in the world's."""
        placed: Floats = points @ self.matrix().T + np.array(self.centre)
        return placed


@dataclass(frozen=True)
class Die:
    look: int
    pose: Pose
    state: str


@dataclass(frozen=True)
class Prop:
    """Anything that is no die; ``size`` is its largest radius or half side, ``art`` seeds its drawing."""

    kind: str
    pose: Pose
    size: float
    rgb: Rgb
    art: int


@dataclass(frozen=True)
class Lamp:
    """A round lamp shining at the table's middle; ``power`` is watts in Blender's sense."""

    place: Point
    radius: float
    power: float
    rgb: Rgb


@dataclass(frozen=True)
class Light:
    """All lamps under one name, and the room: ``room`` is its brightness, ``art`` seeds its picture."""

    name: str
    lamps: tuple[Lamp, ...]
    room: float
    room_rgb: Rgb
    art: int


@dataclass(frozen=True)
class Surface:
    """A named material of the table; ``art`` seeds its drawing, ``tile`` is the drawing's side in cm."""

    name: str
    art: int
    tile: float


@dataclass(frozen=True)
class Camera:
    """A pinhole camera; ``focal`` in millimetres on a 36 mm wide picture, ``fstop`` 0 keeps all sharp."""

    pose: Pose
    focal: float
    width: int
    height: int
    tilt: float
    fstop: float
    focus: float

    def project(self, points: Floats) -> Floats:
        """World points (n, 3) to pixels (n, 2); a pixel's centre has whole coordinates."""
        seen = (points - np.array(self.pose.centre)) @ self.pose.matrix()
        scale = self.focal / 36.0 * max(self.width, self.height)
        depth = np.maximum(-seen[:, 2], 1e-6)
        x = self.width / 2 + scale * seen[:, 0] / depth - 0.5
        y = self.height / 2 - scale * seen[:, 1] / depth - 0.5
        return np.stack([x, y], axis=1)

    def on_table(self, x: float, y: float) -> Floats:
        """The table's point (3,) under pixel x, y."""
        scale = self.focal / 36.0 * max(self.width, self.height)
        ray = np.array([(x + 0.5 - self.width / 2) / scale, (self.height / 2 - y - 0.5) / scale, -1.0])
        ray = self.pose.matrix() @ ray
        eye = np.array(self.pose.centre)
        hit: Floats = eye + ray * (eye[2] / max(-ray[2], 1e-6))
        return hit


@dataclass(frozen=True)
class Finish:
    """What the camera's own processing does: mild, for the trainer adds the rest."""

    exposure: float
    contrast: float
    balance: float
    bloom: float
    vignette: float
    noise: float
    quality: int


@dataclass(frozen=True)
class Scene:
    seed: int
    surface: Surface
    light: Light
    camera: Camera
    looks: tuple[Look, ...]
    dice: tuple[Die, ...]
    props: tuple[Prop, ...]
    finish: Finish


def axes(look: Look, side: int) -> tuple[Floats, Floats, Floats]:
    """A side's normal, and its symbol's right and up, in the die's frame; each (3,)."""
    normal, right, up = (np.array(v, dtype=np.float64) for v in SIDES[side])
    for _ in range(look.rolls[side] % 4):
        right, up = up, -right
    return normal, right, up


def upper_side(pose: Pose) -> int:
    """Which of the SIDES points up most."""
    ups = [float(pose.matrix()[2] @ np.array(side[0])) for side in SIDES]
    return int(np.argmax(ups))


def face_corners(look: Look, pose: Pose, side: int) -> Floats:
    """World corners (4, 3) of a side's square: upper left, upper right, lower right, lower left."""
    normal, right, up = axes(look, side)
    square = np.array([normal - right + up, normal + right + up, normal + right - up, normal - right - up])
    return pose.world(square * (look.edge / 2))


def as_json(value: Any) -> Any:
    """Dataclasses' values rounded for a label file."""
    if isinstance(value, float):
        return round(value, 3)
    if isinstance(value, (tuple, list)):
        return [as_json(item) for item in value]
    return value
