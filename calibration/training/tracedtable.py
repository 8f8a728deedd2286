"""The table as `tracer` draws it before anything stands there, with all shadows: how a canvas begins."""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training import surfaces
from calibration.training.props import Flat
from calibration.training.scene import Camera, Lamp, Scene
from calibration.training.tracedbodies import Body, away, corners_of
from calibration.training.tracedlight import linear, lit, room_light
from calibration.training.vectors import length
from vision.frames import floats

Image = NDArray[np.float32]


@dataclass
class Canvas:
    """Linear light (h, w, 3), distance (h, w) and whose body it is (h, w), -2 for the table."""

    light: Image
    depth: Image
    owner: NDArray[np.int32]


def table(scene: Scene, bodies: Sequence[Body], prints: Sequence[Flat]) -> Canvas:
    camera = scene.camera
    y, x = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float32)
    ways = rays(camera, x, y)
    eye = np.array(camera.pose.centre, np.float32)
    far = np.where(ways[..., 2] < -1e-3, -eye[2] / np.minimum(ways[..., 2], -1e-3), 1e4).astype(np.float32)
    points = eye + ways * far[..., None]
    tile = surfaces.draw(scene.surface.name, scene.surface.art)
    texel = (
        far.mean()
        / camera.focal
        * 36
        / max(camera.width, camera.height)
        / scene.surface.tile
        * surfaces.SIDE
    )
    rgb, height = (cv2.GaussianBlur(a, (0, 0), max(0.35 * texel, 0.2)) for a in (tile.rgb, tile.height))
    u, v = ((points[..., k] / scene.surface.tile * surfaces.SIDE).astype(np.float32) for k in (0, 1))
    albedo = linear(
        cv2.remap(rgb, u % surfaces.SIDE, v % surfaces.SIDE, cv2.INTER_LINEAR, borderMode=cv2.BORDER_WRAP)
    )
    normals = np.zeros_like(points)
    normals[..., 2] = 1
    if tile.depth > 0:
        steep = tile.depth / scene.surface.tile * surfaces.SIDE
        for k, dx, dy in ((0, 1, 0), (1, 0, 1)):
            slope = cv2.Sobel(height, cv2.CV_32F, dx, dy, scale=1 / 8)
            normals[..., k] = -steep * cv2.remap(
                slope, u % surfaces.SIDE, v % surfaces.SIDE, cv2.INTER_LINEAR
            )
        normals /= length(normals)
    rough: float = tile.roughness
    for flat in prints:
        albedo = _printed(albedo, points, flat)
    light = np.zeros_like(albedo)
    for lamp in scene.light.lamps:
        shade = _shade(scene, bodies, lamp)
        light += shade[..., None] * lit(points, normals, -ways, albedo, lamp, rough, tile.shine * 0.5)
    room = room_light(scene) * _contact(scene, bodies)[..., None]
    light += albedo * room + 0.04 * tile.shine * (1 - rough) * room * 2
    owner = np.full(far.shape, -2, np.int32)
    return Canvas(np.asarray(light, np.float32), far, owner)


def rays(camera: Camera, x: Image, y: Image) -> Image:
    """Return unit directions (..., 3) through pixels."""
    scale = camera.focal / 36.0 * max(camera.width, camera.height)
    local = np.stack(
        ((x + 0.5 - camera.width / 2) / scale, (camera.height / 2 - y - 0.5) / scale, -np.ones_like(x)),
        axis=-1,
    )
    ways = local @ camera.pose.matrix().T.astype(np.float32)
    return np.asarray(ways / length(ways), np.float32)


def bounce_of(canvas: Canvas) -> Image:
    """Return the light that comes up from the table."""
    return np.asarray(canvas.light[::16, ::16].reshape(-1, 3).mean(axis=0), np.float32)


def _printed(albedo: Image, points: Image, flat: Flat) -> Image:
    """Lay a card, a coin or a sheet on the table."""
    local = (points[..., :2] - floats(flat.place)) @ floats(flat.turn)
    height, width = flat.rgb.shape[:2]
    u = ((local[..., 0] / flat.size[0] + 0.5) * width).astype(np.float32)
    v = ((0.5 - local[..., 1] / flat.size[1]) * height).astype(np.float32)
    cover = cv2.remap(flat.cover, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)[..., None]
    rgb = linear(cv2.remap(flat.rgb, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(albedo * (1 - cover) + rgb * cover, np.float32)


def _shade(scene: Scene, bodies: Sequence[Body], lamp: Lamp) -> Image:
    """Return 0 in the shadow that bodies throw on the table, 1 outside, soft as the lamp is large."""
    camera = scene.camera
    mask = np.zeros((camera.height, camera.width), np.uint8)
    place, soft = np.array(lamp.place), 0.5
    for body in bodies:
        corners = corners_of(body)
        rest = place[2] - corners[:, 2]
        if np.any(rest < 1):
            continue
        shadow = corners + (corners - place) * (corners[:, 2] / rest)[:, None]
        hull = cv2.convexHull(camera.project(shadow).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
        pixels = camera.focal / 36 * max(camera.width, camera.height) / away(camera, body.pose)
        soft = lamp.radius / float(np.linalg.norm(place)) * body.look.edge * 0.6 * pixels
    blurred = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), max(soft, 0.5))
    return np.asarray(1 - blurred, np.float32)


def _contact(scene: Scene, bodies: Sequence[Body]) -> Image:
    """Return how much of the room's light the table gets: less close to what stands on it."""
    camera = scene.camera
    mask = np.zeros((camera.height, camera.width), np.float32)
    pixels = 20.0
    for body in bodies:
        low = corners_of(body)
        low[:, 2] = 0
        hull = cv2.convexHull(camera.project(low).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), (1.0,), cv2.LINE_AA)
        pixels = camera.focal / 36 * max(camera.width, camera.height) / away(camera, body.pose)
    near = cv2.GaussianBlur(mask, (0, 0), 0.28 * pixels)
    return np.asarray(1 - 0.75 * np.clip(near * 1.4, 0, 1), np.float32)
