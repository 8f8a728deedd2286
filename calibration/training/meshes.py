"""Shapes as plain arrays: rounded cubes, turned bodies, polyhedra and flat sheets, in centimetres."""

from dataclasses import dataclass
from itertools import combinations
from typing import cast

import numpy as np
from numpy.typing import NDArray

from calibration.training.scene import SIDES, Floats, Look, axes

Ints = NDArray[np.int64]


@dataclass(frozen=True)
class Mesh:
    """``points`` (n, 3), ``faces`` (m, k) corners of each, ``uv`` (m, k, 2) from the picture's lower left.

    ``normals`` (n, 3) or None; without them the shape is smooth or flat as ``smooth`` says.
    """

    points: Floats
    faces: Ints
    uv: Floats
    normals: Floats | None = None
    smooth: bool = True


def die(look: Look) -> Mesh:
    """A die's body: a cube with rounded edges, its corners cut by a sphere, its sides mapped to print."""
    marks = cuts(look.bevel, fine=look.ball < 1.75)
    points, normals, faces, uv = [], [], [], []
    for side in range(len(SIDES)):
        normal, right, up = axes(look, side)
        x, y = np.meshgrid(marks, marks)
        flat = normal + x[..., None] * right + y[..., None] * up
        place, outward = rounded(flat.reshape(-1, 3), look.bevel, look.ball)
        quads = grid(len(marks)) + side * len(marks) ** 2
        column, row = side % 3, side // 3
        own = np.stack([(column + (x + 1) / 2) / 3, 1 - (row + (1 - y) / 2) / 2], axis=-1).reshape(-1, 2)
        points.append(place * (look.edge / 2))
        normals.append(outward)
        faces.append(quads)
        uv.append(own[grid(len(marks))])
    return Mesh(np.concatenate(points), np.concatenate(faces), np.concatenate(uv), np.concatenate(normals))


def cuts(bevel: float, *, fine: bool) -> Floats:
    """Where a side of -1..1 is divided: finely along its rounded borders."""
    border = (
        1 - bevel * np.tan(np.linspace(np.pi / 4, 0, 7))
        if False
        else 1 - bevel + bevel * np.linspace(0, 1, 7)
    )
    middle = np.linspace(-(1 - bevel), 1 - bevel, 33 if fine else 3)[1:-1]
    return cast("Floats", np.concatenate([-border[::-1], middle, border]))


def grid(count: int) -> Ints:
    """The quads (m, 4) of a square lattice of ``count`` by ``count`` points."""
    index = np.arange(count * count).reshape(count, count)
    return np.stack([index[:-1, :-1], index[:-1, 1:], index[1:, 1:], index[1:, :-1]], axis=-1).reshape(
        -1, 4
    )


def rounded(flat: Floats, bevel: float, ball: float) -> tuple[Floats, Floats]:
    """Points of a cube of half side 1 moved onto its rounded shape, with their normals."""
    inner = np.clip(flat, -(1 - bevel), 1 - bevel)
    outward = flat - inner
    outward /= np.linalg.norm(outward, axis=1, keepdims=True)
    place = inner + bevel * outward
    far = np.linalg.norm(place, axis=1, keepdims=True)
    cut = far > ball
    return np.where(cut, place * ball / far, place), np.where(cut, place / far, outward)


def box(half: tuple[float, float, float], bevel: float) -> Mesh:
    """A box with rounded edges; each side bears the whole picture."""
    points, normals, faces, uv = [], [], [], []
    size = np.array(half)
    for side, (normal, right, up) in enumerate(SIDES):
        sides = [size[int(np.argmax(np.abs(way)))] for way in (right, up)]
        x, y = np.meshgrid(*(cuts(bevel / float(side_half), fine=False) for side_half in sides))
        flat = np.array(normal) + x[..., None] * np.array(right) + y[..., None] * np.array(up)
        flat = flat.reshape(-1, 3) * size
        inner = np.clip(flat, -(size - bevel), size - bevel)
        outward = flat - inner
        outward /= np.linalg.norm(outward, axis=1, keepdims=True)
        points.append(inner + bevel * outward)
        normals.append(outward)
        faces.append(grid(len(x)) + side * x.size)
        uv.append(np.stack([(x + 1) / 2, (y + 1) / 2], axis=-1).reshape(-1, 2)[grid(len(x))])
    return Mesh(np.concatenate(points), np.concatenate(faces), np.concatenate(uv), np.concatenate(normals))


def turned(profile: list[tuple[float, float]], around: int = 28) -> Mesh:
    """A body turned about z from ``profile``: (radius, z) from bottom to top."""
    radius, z = np.array(profile, dtype=np.float64).T
    angle = np.linspace(0, 2 * np.pi, around, endpoint=False)
    points = np.stack(
        [
            radius[:, None] * np.cos(angle),
            radius[:, None] * np.sin(angle),
            np.repeat(z[:, None], around, axis=1),
        ],
        axis=-1,
    ).reshape(-1, 3)
    ring = np.arange(around)
    quads = []
    for level in range(len(z) - 1):
        low, high = level * around, (level + 1) * around
        quads.append(
            np.stack(
                [low + ring, low + (ring + 1) % around, high + (ring + 1) % around, high + ring], axis=1
            )
        )
    faces = np.concatenate(quads)
    reach = max(float(radius.max()), 1e-6)
    uv = (points[:, :2] / reach + 1) / 2
    return Mesh(points, faces, uv[faces])


def capsule(radius: float, length: float) -> Mesh:
    """A rod along z with round ends, its middle at the origin."""
    bow = np.linspace(-np.pi / 2, np.pi / 2, 11)
    lift = np.where(bow < 0, -length / 2, length / 2)
    return turned(
        [
            (max(radius * float(np.cos(b)), 1e-4), radius * float(np.sin(b)) + float(up))
            for b, up in zip(bow, lift, strict=True)
        ]
    )


def sheet(half_x: float, half_y: float, tiles: float = 1.0) -> Mesh:
    """A flat rectangle; its picture repeats ``tiles`` times along x."""
    points = np.array(
        [[-half_x, -half_y, 0], [half_x, -half_y, 0], [half_x, half_y, 0], [-half_x, half_y, 0]],
        dtype=np.float64,
    )
    ratio = half_y / half_x
    uv = np.array([[[0, 0], [tiles, 0], [tiles, tiles * ratio], [0, tiles * ratio]]], dtype=np.float64)
    return Mesh(points, np.array([[0, 1, 2, 3]]), uv, smooth=False)


def disc(radius: float) -> Mesh:
    """A flat round sheet, facing up."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    points = np.stack([radius * np.cos(angle), radius * np.sin(angle), np.zeros(40)], axis=1)
    return Mesh(points, np.arange(40)[None], (points[None, :, :2] / radius + 1) / 2, smooth=False)


def polyhedron(planes: Floats, edge: float) -> Mesh:
    """A convex body from ``planes`` (n, 4): normals and distances in halves of ``edge``; all faces alike.

    Face ``i`` bears the middle of cell ``i % 6`` of a die's atlas.
    """
    corners = meeting(planes)
    rings = [ring(corners, plane) for plane in planes]
    uv = []
    for number, (corner_ids, plane) in enumerate(zip(rings, planes, strict=True)):
        right, up = across(plane[:3])
        flat = np.stack([corners[corner_ids] @ right, corners[corner_ids] @ up], axis=1)
        flat = (flat - flat.mean(0)) / 2 + 0.5
        row, column = divmod(number % 6, 3)
        uv.append(np.stack([(column + flat[:, 0]) / 3, 1 - (row + 1 - flat[:, 1]) / 2], axis=1))
    return Mesh(corners * (edge / 2), np.array(rings), np.array(uv), smooth=False)


def meeting(planes: Floats) -> Floats:
    """The corners (m, 3) where three or more planes (n, 4) meet on the body they bound."""
    found: list[Floats] = []
    for three in combinations(planes, 3):
        normals = np.array([plane[:3] for plane in three])
        if abs(np.linalg.det(normals)) < 1e-6:
            continue
        point = np.linalg.solve(normals, np.array([plane[3] for plane in three]))
        inside = np.all(planes[:, :3] @ point <= planes[:, 3] + 1e-6)
        if inside and all(np.linalg.norm(point - other) > 1e-5 for other in found):
            found.append(point)
    return np.array(found)


def ring(corners: Floats, plane: Floats) -> Ints:
    """The corners' numbers around one face, seen from outside."""
    ids = np.flatnonzero(np.abs(corners @ plane[:3] - plane[3]) < 1e-5)
    right, up = across(plane[:3])
    flat = corners[ids] - corners[ids].mean(0)
    return ids[np.argsort(np.arctan2(flat @ up, flat @ right))]


def across(normal: Floats) -> tuple[Floats, Floats]:
    """Two unit directions in the plane of a unit normal."""
    right = np.cross([0.0, 0.0, 1.0] if abs(normal[2]) < 0.9 else [1.0, 0.0, 0.0], normal)
    right = right / np.linalg.norm(right)
    return right, np.cross(normal, right)
