"""Dice and whatever else stands on the table as `tracer` knows them: where rays meet them, their print."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training import faces
from calibration.training.props import Solid, solids
from calibration.training.scene import SIDES, Camera, Floats, Look, Pose, Scene, axes
from calibration.training.vectors import dot, largest, length
from vision.frames import floats

Image = NDArray[np.float32]

_STEPS = 18
_DENT = 1.1


@dataclass(frozen=True)
class Body:
    """Anything convex that stands on the table. ``number`` is that of its die, -1 for none."""

    look: Look
    pose: Pose
    number: int
    atlas: faces.Atlas
    slopes: Image
    planes: Floats | None = None


def bodies_of(scene: Scene) -> list[Body]:
    atlases = [faces.draw(look) for look in scene.looks]
    slopes = [_slopes(atlas.dent) for atlas in atlases]
    dice = [
        Body(scene.looks[die.look], die.pose, n, atlases[die.look], slopes[die.look])
        for n, die in enumerate(scene.dice)
    ]
    return dice + [_solid(solid) for solid in solids(scene)]


def march(body: Body, eye: Image, ways: Image) -> tuple[NDArray[np.bool_], Image]:
    """Walk along rays to the body. Return which hit it and how far (cm)."""
    turn = body.pose.matrix().astype(np.float32)
    half = floats(body.look.edge / 2)
    start = (eye - floats(body.pose.centre)) @ turn / half
    local = ways @ turn
    along = -(local @ start)
    nearest = length(start + local * along[:, None])[:, 0]
    far = np.maximum(along - 1.8, 0)
    alive = nearest < 1.8
    distance = np.full(len(ways), 9.0, np.float32)
    active = np.nonzero(alive)[0]
    for _ in range(_STEPS):
        if not len(active):
            break
        gap = _distance(body, start + local[active] * far[active, None])
        far[active] += gap
        distance[active] = gap
        active = active[(gap > 0.002) & (far[active] < along[active] + 1.8)]
    return alive & (distance < 0.02), (far * half).astype(np.float32)


def normals_at(body: Body, local: Image) -> Image:
    if body.planes is not None:
        flat = local @ body.planes[:, :3].T - body.planes[:, 3]
        weight = np.exp((flat - flat.max(axis=1, keepdims=True)) * 40)
        normals = weight @ body.planes[:, :3]
    else:
        beyond = np.maximum(np.abs(local) - (1 - body.look.bevel), 1e-4)
        radius = length(local)
        on_ball = radius > body.look.ball - 0.012
        normals = np.where(on_ball, local / radius, np.sign(local) * beyond)
    return np.asarray(
        normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6), np.float32
    )


def print_at(body: Body, local: Image) -> tuple[Image, Image, Image, Image, Image]:
    """Return colour (n, 3), ink (n,), slopes (n, 2), and the print's right and up (n, 3)."""
    right_of, up_of = (floats([axes(body.look, side)[k] for side in range(6)]) for k in (1, 2))
    side = np.argmax(local @ np.array([s[0] for s in SIDES], np.float32).T, axis=1)
    right, up = right_of[side], up_of[side]
    u = np.clip(dot(local, right)[:, 0] * 0.5 + 0.5, 0.004, 0.996) * faces.CELL
    v = np.clip(0.5 - dot(local, up)[:, 0] * 0.5, 0.004, 0.996) * faces.CELL
    x = (u + (side % faces.COLUMNS) * faces.CELL - 0.5).astype(np.float32)
    y = (v + (side // faces.COLUMNS) * faces.CELL - 0.5).astype(np.float32)
    rgb, ink, slopes = (_sampled(a, x, y) for a in (body.atlas.rgb, body.atlas.ink, body.slopes))
    return rgb, ink, slopes, right, up


def overshadowed(points: Image, lamp: Image, radius: float, others: Sequence[Body], seed: int) -> Image:
    """Return 0 where another body stands between the point and a random place on the lamp."""
    rng = np.random.default_rng([seed, 17])
    to = lamp + rng.normal(0, radius * 0.4, points.shape).astype(np.float32) - points
    open_ = np.ones(len(points), np.float32)
    for other in others:
        turn = other.pose.matrix().astype(np.float32)
        half = floats(other.look.edge / 2 * 0.97)
        start = (points - floats(other.pose.centre)) @ turn / half
        way = to @ turn / half
        way = np.where(np.abs(way) < 1e-6, 1e-6, way)
        first, second = (-1 - start) / way, (1 - start) / way
        enter, leave = largest(np.minimum(first, second)), -largest(-np.maximum(first, second))
        open_[(leave > enter) & (leave > 0.002) & (enter > 0)] = 0
    return open_


def corners_of(body: Body) -> Floats:
    half = body.look.edge / 2 * (1 - 0.3 * body.look.bevel)
    cube = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
    return body.pose.world(cube * half)


def away(camera: Camera, pose: Pose) -> float:
    return float(np.linalg.norm(np.array(camera.pose.centre) - np.array(pose.centre)))


def near(one: Body, other: Body) -> bool:
    gap = np.linalg.norm(np.array(one.pose.centre) - np.array(other.pose.centre))
    return bool(gap < 3.0 * max(one.look.edge, other.look.edge))


def _solid(solid: Solid) -> Body:
    return Body(solid.look, solid.pose, -1, solid.atlas, _slopes(solid.atlas.dent), solid.planes)


def _slopes(dent: Image) -> Image:
    """Return (h, w, 2): how the surface falls to the right and upwards, in edges for an edge."""
    soft = cv2.GaussianBlur(dent, (0, 0), 1.2)
    right = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(np.dstack((right, -down)) * floats(faces.CELL * 0.06 * _DENT), np.float32)


def _distance(body: Body, points: Image) -> Image:
    """Return the distance to the surface, in halves of the edge, of points in the body's own frame."""
    bevel = floats(body.look.bevel)
    if body.planes is not None:
        flat = points @ body.planes[:, :3].T.astype(np.float32) - body.planes[:, 3].astype(np.float32)
        return np.asarray(np.log(np.exp(flat * 40).sum(axis=1)) / 40, np.float32)
    beyond = np.abs(points) - (1 - bevel)
    outside = length(np.maximum(beyond, 0))[:, 0]
    box = outside + np.minimum(largest(beyond), 0) - bevel
    ball = length(points)[:, 0] - floats(body.look.ball)
    return np.asarray(np.maximum(box, ball), np.float32)


def _sampled(image: Image, x: Image, y: Image) -> Image:
    """Return the image's values at n places; OpenCV takes no row as long as a large die has pixels."""
    wide = 4096
    count, rows = len(x), -(-len(x) // wide)
    across, down = (np.resize(a, (rows, wide)) for a in (x, y))
    found = cv2.remap(image, across, down, cv2.INTER_LINEAR)
    return np.asarray(found.reshape(rows * wide, *found.shape[2:])[:count], np.float32)
