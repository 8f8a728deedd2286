"""A small ray tracer for dice on a table: about one picture a second a core, with nothing to install.

It knows a plane, rounded boxes and other convex bodies, round lamps with soft shadows, drilled print,
and light from the room; Blender (`studio`) knows better glass, wood and cloth. Both take the same scenes.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training import labels
from calibration.training.props import flats
from calibration.training.scene import Die, Floats, Scene
from calibration.training.tracedbodies import (
    Body,
    away,
    bodies_of,
    corners_of,
    march,
    near,
    normals_at,
    overshadowed,
    print_at,
)
from calibration.training.tracedlight import linear, lit, rings_of_light, room_light, surroundings
from calibration.training.tracedtable import Canvas, bounce_of, rays, table
from calibration.training.vectors import dot, length
from vision.frames import floats

Image = NDArray[np.float32]

_FINE_PX = 90
"""A die smaller than this in the picture is traced at twice the resolution."""


class Tracer:
    """Takes scenes as `studio.Studio` does."""

    def take(self, scene: Scene, *, dice: bool = True) -> tuple[Image, list[Floats]]:
        """Return linear light (h, w, 3), RGB, and for each die which of its label's probes are seen.

        Without ``dice`` everything else lies as it would with them.
        """
        bodies = [body for body in bodies_of(scene) if dice or body.number < 0]
        canvas = table(scene, bodies, flats(scene))
        order = sorted(bodies, key=lambda b: -away(scene.camera, b.pose))
        for body in order:
            _draw(canvas, scene, body, [b for b in bodies if b is not body and near(b, body)])
        return canvas.light, [_seen(canvas, scene, n, die) for n, die in enumerate(scene.dice)]


def _draw(canvas: Canvas, scene: Scene, body: Body, others: Sequence[Body]) -> None:
    camera = scene.camera
    hull = camera.project(corners_of(body))
    low = np.maximum(np.floor(hull.min(axis=0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(hull.max(axis=0)).astype(int) + 4, (camera.width, camera.height))
    if np.any(high <= low):
        return
    fine = 2 if float(np.ptp(hull, axis=0).max()) < _FINE_PX * 1.4 else 1
    width, height = (high - low) * fine
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x + 0.5) / fine - 0.5 + low[0], (y + 0.5) / fine - 0.5 + low[1]
    ways = rays(camera, x, y).reshape(-1, 3)
    eye = np.array(camera.pose.centre, np.float32)
    hit, far = march(body, eye, ways)
    picked = np.nonzero(hit)[0]
    if not len(picked):
        return
    light = np.zeros((len(ways), 3), np.float32)
    light[picked] = _shaded(scene, canvas, body, others, eye, ways[picked], far[picked])
    cover = hit.astype(np.float32).reshape(height, width)
    depth = np.where(hit, far, floats(1e6)).reshape(height, width)
    size = (width // fine, height // fine)
    cover, light = (
        floats(cv2.resize(a, size, interpolation=cv2.INTER_AREA))
        for a in (cover, light.reshape(height, width, 3))
    )
    depth = depth.reshape(size[1], fine, size[0], fine).min(axis=(1, 3))
    _lay(canvas, np.s_[low[1] : high[1], low[0] : high[0]], body, (light, cover, depth))


def _lay(canvas: Canvas, part: tuple[slice, slice], body: Body, drawn: tuple[Image, Image, Image]) -> None:
    """Lay what was drawn of a body (its light times its cover, cover, depth) over what lies behind it."""
    light, cover, depth = drawn
    front = depth < canvas.depth[part] + 0.3 * body.look.edge  # its rim is mixed with what is close behind
    shown = cover * front
    colour = light / np.maximum(cover, 1e-6)[..., None]
    canvas.light[part] = canvas.light[part] * (1 - shown[..., None]) + colour * shown[..., None]
    own = shown > 0.5
    canvas.depth[part][own] = depth[own]
    canvas.owner[part][own] = body.number


def _seen(canvas: Canvas, scene: Scene, number: int, die: Die) -> Floats:
    pixels = np.round(scene.camera.project(labels.probes(scene, die))).astype(int)
    inside = (pixels >= 0).all(axis=1) & (pixels < (scene.camera.width, scene.camera.height)).all(axis=1)
    seen = np.zeros(len(pixels))
    x, y = pixels[inside].T
    seen[inside] = canvas.owner[y, x] == number
    return seen


def _shaded(
    scene: Scene, canvas: Canvas, body: Body, others: Sequence[Body], eye: Image, ways: Image, far: Image
) -> Image:
    points = eye + ways * far[:, None]
    turn = body.pose.matrix().astype(np.float32)
    half = floats(body.look.edge / 2)
    local = (points - floats(body.pose.centre)) @ turn / half
    normals = normals_at(body, local)
    rgb, ink, slopes, right, up = print_at(body, local)
    tipped = right * dot(local, right) + up * dot(local, up)
    drilled = normals - right * slopes[:, :1] - up * slopes[:, 1:] + floats(body.look.dome) * tipped
    drilled /= length(drilled)
    albedo = linear(rgb)
    clear = body.look.material == "clear"
    metal = body.look.material == "metal"
    if clear:
        albedo = _glassy(body, albedo, ink, local, ways @ turn, normals)
    normals = drilled @ turn.T
    light = np.zeros_like(points)
    shine = 2.5 if metal or clear else 1.0
    for lamp in scene.light.lamps:
        shade = overshadowed(points, floats(lamp.place), lamp.radius, others, scene.seed)
        light += shade[:, None] * lit(points, normals, -ways, albedo, lamp, body.look.roughness, shine)
    sky = 0.5 + 0.5 * normals[:, 2:]
    bounce = bounce_of(canvas)
    room = room_light(scene)
    light += albedo * (room * sky + bounce * (1 - sky) * 0.8)
    mirrored = ways - 2 * dot(ways, normals) * normals
    fresnel = 0.04 + 0.96 * np.power(1 - np.clip(dot(-ways, normals), 0, 1), 5)
    fresnel = np.where(metal, 0.5 + 0.5 * fresnel, fresnel) * (1 - body.look.roughness)
    around = surroundings(scene, mirrored, room, bounce)
    if body.look.dome:
        around = around + rings_of_light(scene, mirrored, room)
    light += fresnel * around * (albedo * 2 if metal else 1.0)
    return np.asarray(light, np.float32)


def _glassy(body: Body, albedo: Image, ink: Image, local: Image, ways: Image, normals: Image) -> Image:
    """Let the far sides' print show through, and the body glow towards its rim."""
    bent = ways * 0.75 - normals * 0.25
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    leave = np.where(bent > 0, 1 - local, -1 - local) / np.where(np.abs(bent) < 1e-4, 1e-4, bent)
    out = np.clip(local + bent * np.clip(leave.min(axis=1, keepdims=True), 0, 3), -1, 1)
    rgb, far_ink, _, _, _ = print_at(body, floats(out))
    thick = np.linalg.norm(out - local, axis=1, keepdims=True)
    glow = np.power(np.clip(albedo, 0.02, 1), 0.4 + 0.5 * thick)
    through = glow * (1 - 0.65 * far_ink[:, None]) + 0.65 * far_ink[:, None] * linear(rgb)
    return np.asarray(
        albedo * ink[:, None] + (1 - ink[:, None]) * (0.35 * albedo + 0.6 * through), np.float32
    )
