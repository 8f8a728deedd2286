"""What lies among the dice and is none: cards, coins, wooden cubes, dice of other shapes."""

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from calibration.training import faces, looks, print_work
from calibration.training.placing import about, apart, footprint, numbers, square
from calibration.training.scene import Floats, Look, Pose, Scene
from vision.frames import floats

Image = NDArray[np.float32]
Rng = np.random.Generator


@dataclass(frozen=True)
class Flat:
    """Something flat on the table: ``rgb`` (h, w, 3) sRGB, ``cover`` (h, w), ``size`` cm.

    ``turn`` (2, 2) brings its own directions to the table's.
    """

    place: tuple[float, float]
    turn: Floats
    size: tuple[float, float]
    rgb: Image
    cover: Image


@dataclass(frozen=True)
class Solid:
    """A body that is no die to be read; ``planes`` (n, 4): normals and distances in halves of the edge."""

    look: Look
    pose: Pose
    atlas: faces.Atlas
    planes: Floats | None = None


def flats(scene: Scene) -> list[Flat]:
    """Return the flat things of a scene, lowest first."""
    rng = np.random.default_rng([scene.seed, 21])
    if rng.random() < 0.6:
        return []
    return [
        _card(scene, rng) if rng.random() < 0.6 else _disc(scene, rng) for _ in range(rng.integers(1, 6))
    ]


def solids(scene: Scene) -> list[Solid]:
    """Return the bodies of a scene that are no dice."""
    rng = np.random.default_rng([scene.seed, 22])
    if rng.random() < 0.65:
        return []
    found: list[Solid] = []
    taken = [footprint(die, scene.looks) for die in scene.dice]
    for _ in range(int(rng.integers(1, 7))):
        edge = float(rng.uniform(0.8, 2.0))
        x, y = _anywhere(scene, rng)
        ground = square(x, y, 0.0, edge * 1.5)
        if all(apart(ground, other, 0.02) for other in taken):
            taken.append(ground)
            found.append(_solid((x, y), edge, rng))
    return found


def _anywhere(scene: Scene, rng: Rng) -> tuple[float, float]:
    camera = scene.camera
    x, y, _ = camera.on_table(*(rng.uniform(0, 1, 2) * (camera.width, camera.height)))
    return float(x), float(y)


def _card(scene: Scene, rng: Rng) -> Flat:
    rgb = print_work.playing_card(rng)
    wide = float(rng.uniform(3.0, 7.0))
    turn = about("z", rng.uniform(0, 2 * np.pi))[:2, :2]
    return Flat(_anywhere(scene, rng), turn, (wide, wide * 1.5), rgb, np.ones(rgb.shape[:2], np.float32))


def _disc(scene: Scene, rng: Rng) -> Flat:
    y, x = np.meshgrid(np.linspace(-1, 1, 128), np.linspace(-1, 1, 128), indexing="ij")
    away = np.hypot(x, y)
    rgb = np.broadcast_to(floats(rng.uniform(0.1, 0.9, 3)), (128, 128, 3)).copy()
    rings = np.sin(away * rng.uniform(6, 40) + np.arctan2(y, x) * int(rng.integers(0, 12)))
    rgb *= (1 + 0.25 * rings[..., None]).astype(np.float32)
    size = float(rng.uniform(0.5, 3.5))
    return Flat(
        _anywhere(scene, rng), np.eye(2), (size, size), np.clip(rgb, 0, 1), (away < 0.96).astype(np.float32)
    )


def _solid(place: tuple[float, float], edge: float, rng: Rng) -> Solid:
    look = looks.sample("coloured", edge, rng)
    yaw = about("z", rng.uniform(0, 2 * np.pi))
    if rng.random() < 0.55:  # a wooden cube
        blank = replace(
            look, faces=("",) * 6, material="wood", bevel=float(rng.uniform(0.02, 0.15)), ball=9.0
        )
        return Solid(blank, Pose((*place, edge / 2), numbers(yaw)), _atlas(blank, rng, numbered=False))
    planes = _polyhedron(rng)
    low = float(planes[0, 3])
    tip = _standing(planes[0, :3])
    return Solid(
        look, Pose((*place, low * edge / 2), numbers(yaw @ tip)), _atlas(look, rng, numbered=True), planes
    )


def _atlas(look: Look, rng: Rng, *, numbered: bool) -> faces.Atlas:
    rgb = faces.body(look)
    ink = np.zeros(rgb.shape[:2], np.float32)
    if numbered:
        for side in range(6):
            row, column = divmod(side, faces.COLUMNS)
            cell = np.s_[
                row * faces.CELL : (row + 1) * faces.CELL, column * faces.CELL : (column + 1) * faces.CELL
            ]
            text = str(rng.integers(1, 21))
            ink[cell] = faces.digit(text, int(rng.integers(1 << 31)), fill=0.35)
        rgb = rgb * (1 - ink[..., None]) + floats(look.ink) * ink[..., None]
    return faces.Atlas(np.asarray(rgb, np.float32), ink, ink * 0)


def _polyhedron(rng: Rng) -> Floats:
    """Return the planes of a tetrahedron, octahedron, dodecahedron or icosahedron."""
    golden = (1 + 5**0.5) / 2
    signs = list(product((-1, 1), repeat=3))
    kinds = (
        [s for s in signs if s[0] * s[1] * s[2] > 0],
        signs,
        [p for a, b in product((-1, 1), (-golden, golden)) for p in ((0, a, b), (a, b, 0), (b, 0, a))],
        [
            *signs,
            *(
                p
                for a, b in product((-1 / golden, 1 / golden), (-golden, golden))
                for p in ((0, a, b), (a, b, 0), (b, 0, a))
            ),
        ],
    )
    normals = np.array(kinds[int(rng.integers(len(kinds)))], np.float64)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    reach = 0.55 if len(normals) == 4 else 0.95
    return np.column_stack((normals, np.full(len(normals), reach)))


def _standing(normal: Floats) -> Floats:
    """Return the rotation that turns this normal straight down."""
    down = np.array((0.0, 0.0, -1.0))
    axis, cos = np.cross(normal, down), float(normal @ down)
    if np.linalg.norm(axis) < 1e-6:
        return np.diag((1.0, -1.0, -1.0)) if cos < 0 else np.eye(3)
    x, y, z = axis
    cross = np.array(((0, -z, y), (z, 0, -x), (-y, x, 0)))
    rotation: Floats = np.eye(3) + cross + cross @ cross / (1 + cos)
    return rotation


def outlines(scene: Scene) -> list[Floats]:
    """Return for each solid the corners (4, 2) px of a square where a die would have its upper face."""
    found = []
    for solid in solids(scene):
        x, y, z = solid.pose.centre
        half = solid.look.edge / 2 * 0.9
        around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float64) * half
        corners = np.column_stack((around + np.array((x, y)), np.full(4, z + half)))
        found.append(scene.camera.project(corners))
    return found
