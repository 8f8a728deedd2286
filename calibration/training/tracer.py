"""A small ray tracer for dice on a table: about one picture a second a core, with nothing to install.

It knows a plane, rounded boxes and other convex bodies, round lamps with soft shadows, drilled print,
and light from the room; Blender (`studio`) knows better glass, wood and cloth. Both take the same scenes.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.training import faces, labels, surfaces
from calibration.training.props import Flat, Solid, flats, solids
from calibration.training.scene import SIDES, Camera, Die, Floats, Lamp, Look, Pose, Scene, axes
from vision.frames import floats

Image = NDArray[np.float32]

_STEPS = 18
_FINE_PX = 90
"""A die smaller than this in the picture is traced at twice the resolution."""

_RINGS = 0.45
"""Share of rooms in which something bright and round hangs above, which domed sides show as arcs."""

_DENT = 1.1
_BUMP = 6.0


@dataclass(frozen=True)
class _Body:
    """Anything convex that stands on the table. ``number`` is that of its die, -1 for none."""

    look: Look
    pose: Pose
    number: int
    atlas: faces.Atlas
    slopes: Image
    planes: Floats | None = None


@dataclass
class _Canvas:
    """Linear light (h, w, 3), distance (h, w) and whose body it is (h, w), -2 for the table."""

    light: Image
    depth: Image
    owner: NDArray[np.int32]


class Tracer:
    """Takes scenes as `studio.Studio` does."""

    def take(self, scene: Scene, *, dice: bool = True) -> tuple[Image, list[Floats]]:
        """Return linear light (h, w, 3), RGB, and for each die which of its label's probes are seen.

        Without ``dice`` everything else lies as it would with them.
        """
        bodies = [body for body in _bodies(scene) if dice or body.number < 0]
        canvas = _table(scene, bodies, flats(scene))
        order = sorted(bodies, key=lambda b: -_away(scene.camera, b.pose))
        for body in order:
            _draw(canvas, scene, body, [b for b in bodies if b is not body and _near(b, body)])
        return canvas.light, [_seen(canvas, scene, n, die) for n, die in enumerate(scene.dice)]


def _bodies(scene: Scene) -> list[_Body]:
    atlases = [faces.draw(look) for look in scene.looks]
    slopes = [_slopes(atlas.dent) for atlas in atlases]
    dice = [
        _Body(scene.looks[die.look], die.pose, n, atlases[die.look], slopes[die.look])
        for n, die in enumerate(scene.dice)
    ]
    return dice + [_solid(solid) for solid in solids(scene)]


def _solid(solid: Solid) -> _Body:
    return _Body(solid.look, solid.pose, -1, solid.atlas, _slopes(solid.atlas.dent), solid.planes)


def _slopes(dent: Image) -> Image:
    """Return (h, w, 2): how the surface falls to the right and upwards, in edges for an edge."""
    soft = cv2.GaussianBlur(dent, (0, 0), 1.2)
    right = cv2.Sobel(soft, cv2.CV_32F, 1, 0, scale=1 / 8)
    down = cv2.Sobel(soft, cv2.CV_32F, 0, 1, scale=1 / 8)
    return np.asarray(np.dstack((right, -down)) * floats(faces.CELL * 0.06 * _DENT), np.float32)


def _rays(camera: Camera, x: Image, y: Image) -> Image:
    """Return unit directions (..., 3) through pixels."""
    scale = camera.focal / 36.0 * max(camera.width, camera.height)
    local = np.stack(
        ((x + 0.5 - camera.width / 2) / scale, (camera.height / 2 - y - 0.5) / scale, -np.ones_like(x)),
        axis=-1,
    )
    ways = local @ camera.pose.matrix().T.astype(np.float32)
    return np.asarray(ways / _length(ways), np.float32)


def _table(scene: Scene, bodies: Sequence[_Body], prints: Sequence[Flat]) -> _Canvas:
    camera = scene.camera
    y, x = np.mgrid[0 : camera.height, 0 : camera.width].astype(np.float32)
    ways = _rays(camera, x, y)
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
    albedo = _linear(
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
        normals /= _length(normals)
    rough: float = tile.roughness
    for flat in prints:
        albedo = _printed(albedo, points, flat)
    light = np.zeros_like(albedo)
    for lamp in scene.light.lamps:
        shade = _shade(scene, bodies, lamp)
        light += shade[..., None] * _lit(points, normals, -ways, albedo, lamp, rough, tile.shine * 0.5)
    room = _room(scene) * _contact(scene, bodies)[..., None]
    light += albedo * room + 0.04 * tile.shine * (1 - rough) * room * 2
    owner = np.full(far.shape, -2, np.int32)
    return _Canvas(np.asarray(light, np.float32), far, owner)


def _printed(albedo: Image, points: Image, flat: Flat) -> Image:
    """Lay a card, a coin or a sheet on the table."""
    local = (points[..., :2] - floats(flat.place)) @ floats(flat.turn)
    height, width = flat.rgb.shape[:2]
    u = ((local[..., 0] / flat.size[0] + 0.5) * width).astype(np.float32)
    v = ((0.5 - local[..., 1] / flat.size[1]) * height).astype(np.float32)
    cover = cv2.remap(flat.cover, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)[..., None]
    rgb = _linear(cv2.remap(flat.rgb, u, v, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))
    return np.asarray(albedo * (1 - cover) + rgb * cover, np.float32)


def _linear(rgb: ArrayLike) -> Image:
    return np.asarray(np.power(np.maximum(floats(rgb), 0), np.float32(2.2)), np.float32)


def _room(scene: Scene) -> Image:
    return floats(scene.light.room) * floats(scene.light.room_rgb)


def _lit(
    points: Image, normals: Image, views: Image, albedo: Image, lamp: Lamp, rough: float, shine: float
) -> Image:
    """Return the light that one lamp sends to the eye: matt and mirrored."""
    to = floats(lamp.place) - points
    far = _length(to)
    to /= far
    power = floats(lamp.power) * floats(lamp.rgb) / (4 * np.pi * np.pi * far**2)
    facing = _dot(to, normals)
    soft = lamp.radius / far
    facing = np.clip((facing + 0.25 * soft) / (1 + 0.25 * soft), 0, 1)
    half = to + views
    half /= _length(half)
    wide = rough**2 + 0.25 * soft**2 + 1e-3
    sharp = 2 / wide
    gloss = np.power(np.clip(_dot(half, normals), 0, 1), sharp) * (sharp + 2) / 8
    mirrored = np.clip(gloss * 0.05 * shine * 2, 0, 30)
    return np.asarray(power * facing * (albedo + mirrored), np.float32)


def _shade(scene: Scene, bodies: Sequence[_Body], lamp: Lamp) -> Image:
    """Return 0 in the shadow that bodies throw on the table, 1 outside, soft as the lamp is large."""
    camera = scene.camera
    mask = np.zeros((camera.height, camera.width), np.uint8)
    place, soft = np.array(lamp.place), 0.5
    for body in bodies:
        corners = _corners(body)
        rest = place[2] - corners[:, 2]
        if np.any(rest < 1):
            continue
        shadow = corners + (corners - place) * (corners[:, 2] / rest)[:, None]
        hull = cv2.convexHull(camera.project(shadow).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull * 16).astype(np.int32), (255,), cv2.LINE_AA, 4)
        pixels = camera.focal / 36 * max(camera.width, camera.height) / _away(camera, body.pose)
        soft = lamp.radius / float(np.linalg.norm(place)) * body.look.edge * 0.6 * pixels
    blurred = cv2.GaussianBlur(mask.astype(np.float32) / 255, (0, 0), max(soft, 0.5))
    return np.asarray(1 - blurred, np.float32)


def _contact(scene: Scene, bodies: Sequence[_Body]) -> Image:
    """Return how much of the room's light the table gets: less close to what stands on it."""
    camera = scene.camera
    mask = np.zeros((camera.height, camera.width), np.float32)
    pixels = 20.0
    for body in bodies:
        low = _corners(body)
        low[:, 2] = 0
        hull = cv2.convexHull(camera.project(low).astype(np.float32))
        cv2.fillConvexPoly(mask, np.round(hull).astype(np.int32), (1.0,), cv2.LINE_AA)
        pixels = camera.focal / 36 * max(camera.width, camera.height) / _away(camera, body.pose)
    near = cv2.GaussianBlur(mask, (0, 0), 0.28 * pixels)
    return np.asarray(1 - 0.75 * np.clip(near * 1.4, 0, 1), np.float32)


def _corners(body: _Body) -> Floats:
    half = body.look.edge / 2 * (1 - 0.3 * body.look.bevel)
    cube = np.array([(i, j, k) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], np.float64)
    return body.pose.world(cube * half)


def _away(camera: Camera, pose: Pose) -> float:
    return float(np.linalg.norm(np.array(camera.pose.centre) - np.array(pose.centre)))


def _near(one: _Body, other: _Body) -> bool:
    gap = np.linalg.norm(np.array(one.pose.centre) - np.array(other.pose.centre))
    return bool(gap < 3.0 * max(one.look.edge, other.look.edge))


def _draw(canvas: _Canvas, scene: Scene, body: _Body, others: Sequence[_Body]) -> None:
    camera = scene.camera
    hull = camera.project(_corners(body))
    low = np.maximum(np.floor(hull.min(axis=0)).astype(int) - 3, 0)
    high = np.minimum(np.ceil(hull.max(axis=0)).astype(int) + 4, (camera.width, camera.height))
    if np.any(high <= low):
        return
    fine = 2 if float(np.ptp(hull, axis=0).max()) < _FINE_PX * 1.4 else 1
    width, height = (high - low) * fine
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    x, y = (x + 0.5) / fine - 0.5 + low[0], (y + 0.5) / fine - 0.5 + low[1]
    ways = _rays(camera, x, y).reshape(-1, 3)
    eye = np.array(camera.pose.centre, np.float32)
    hit, far = _march(body, eye, ways)
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


def _lay(
    canvas: _Canvas, part: tuple[slice, slice], body: _Body, drawn: tuple[Image, Image, Image]
) -> None:
    """Lay what was drawn of a body (its light times its cover, cover, depth) over what lies behind it."""
    light, cover, depth = drawn
    front = depth < canvas.depth[part] + 0.3 * body.look.edge  # its rim is mixed with what is close behind
    shown = cover * front
    colour = light / np.maximum(cover, 1e-6)[..., None]
    canvas.light[part] = canvas.light[part] * (1 - shown[..., None]) + colour * shown[..., None]
    own = shown > 0.5
    canvas.depth[part][own] = depth[own]
    canvas.owner[part][own] = body.number


def _march(body: _Body, eye: Image, ways: Image) -> tuple[NDArray[np.bool_], Image]:
    """Walk along rays to the body. Return which hit it and how far (cm)."""
    turn = body.pose.matrix().astype(np.float32)
    half = floats(body.look.edge / 2)
    start = (eye - floats(body.pose.centre)) @ turn / half
    local = ways @ turn
    along = -(local @ start)
    nearest = _length(start + local * along[:, None])[:, 0]
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


def _distance(body: _Body, points: Image) -> Image:
    """Return the distance to the surface, in halves of the edge, of points in the body's own frame."""
    bevel = floats(body.look.bevel)
    if body.planes is not None:
        flat = points @ body.planes[:, :3].T.astype(np.float32) - body.planes[:, 3].astype(np.float32)
        return np.asarray(np.log(np.exp(flat * 40).sum(axis=1)) / 40, np.float32)
    beyond = np.abs(points) - (1 - bevel)
    outside = _length(np.maximum(beyond, 0))[:, 0]
    box = outside + np.minimum(_largest(beyond), 0) - bevel
    ball = _length(points)[:, 0] - floats(body.look.ball)
    return np.asarray(np.maximum(box, ball), np.float32)


def _shaded(
    scene: Scene, canvas: _Canvas, body: _Body, others: Sequence[_Body], eye: Image, ways: Image, far: Image
) -> Image:
    points = eye + ways * far[:, None]
    turn = body.pose.matrix().astype(np.float32)
    half = floats(body.look.edge / 2)
    local = (points - floats(body.pose.centre)) @ turn / half
    normals = _normals(body, local)
    rgb, ink, slopes, right, up = _print(body, local)
    tipped = right * _dot(local, right) + up * _dot(local, up)
    drilled = normals - right * slopes[:, :1] - up * slopes[:, 1:] + floats(body.look.dome) * tipped
    drilled /= _length(drilled)
    albedo = _linear(rgb)
    clear = body.look.material == "clear"
    metal = body.look.material == "metal"
    if clear:
        albedo = _glassy(body, albedo, ink, local, ways @ turn, normals)
    normals = drilled @ turn.T
    light = np.zeros_like(points)
    shine = 2.5 if metal or clear else 1.0
    for lamp in scene.light.lamps:
        shade = _overshadowed(points, floats(lamp.place), lamp.radius, others, scene.seed)
        light += shade[:, None] * _lit(points, normals, -ways, albedo, lamp, body.look.roughness, shine)
    sky = 0.5 + 0.5 * normals[:, 2:]
    bounce = _bounce(canvas)
    room = _room(scene)
    light += albedo * (room * sky + bounce * (1 - sky) * 0.8)
    mirrored = ways - 2 * _dot(ways, normals) * normals
    fresnel = 0.04 + 0.96 * np.power(1 - np.clip(_dot(-ways, normals), 0, 1), 5)
    fresnel = np.where(metal, 0.5 + 0.5 * fresnel, fresnel) * (1 - body.look.roughness)
    around = _surroundings(scene, mirrored, room, bounce)
    if body.look.dome:
        around = around + _rings(scene, mirrored, room)
    light += fresnel * around * (albedo * 2 if metal else 1.0)
    return np.asarray(light, np.float32)


def _normals(body: _Body, local: Image) -> Image:
    if body.planes is not None:
        flat = local @ body.planes[:, :3].T - body.planes[:, 3]
        weight = np.exp((flat - flat.max(axis=1, keepdims=True)) * 40)
        normals = weight @ body.planes[:, :3]
    else:
        beyond = np.maximum(np.abs(local) - (1 - body.look.bevel), 1e-4)
        away = _length(local)
        on_ball = away > body.look.ball - 0.012
        normals = np.where(on_ball, local / away, np.sign(local) * beyond)
    return np.asarray(
        normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-6), np.float32
    )


def _print(body: _Body, local: Image) -> tuple[Image, Image, Image, Image, Image]:
    """Return colour (n, 3), ink (n,), slopes (n, 2), and the print's right and up (n, 3)."""
    right_of, up_of = (floats([axes(body.look, side)[k] for side in range(6)]) for k in (1, 2))
    side = np.argmax(local @ np.array([s[0] for s in SIDES], np.float32).T, axis=1)
    right, up = right_of[side], up_of[side]
    u = np.clip(_dot(local, right)[:, 0] * 0.5 + 0.5, 0.004, 0.996) * faces.CELL
    v = np.clip(0.5 - _dot(local, up)[:, 0] * 0.5, 0.004, 0.996) * faces.CELL
    x = (u + (side % faces.COLUMNS) * faces.CELL - 0.5).astype(np.float32)
    y = (v + (side // faces.COLUMNS) * faces.CELL - 0.5).astype(np.float32)
    rgb, ink, slopes = (_sampled(a, x, y) for a in (body.atlas.rgb, body.atlas.ink, body.slopes))
    return rgb, ink, slopes, right, up


def _sampled(image: Image, x: Image, y: Image) -> Image:
    """Return the image's values at n places; OpenCV takes no row as long as a large die has pixels."""
    wide = 4096
    count, rows = len(x), -(-len(x) // wide)
    across, down = (np.resize(a, (rows, wide)) for a in (x, y))
    found = cv2.remap(image, across, down, cv2.INTER_LINEAR)
    return np.asarray(found.reshape(rows * wide, *found.shape[2:])[:count], np.float32)


def _glassy(body: _Body, albedo: Image, ink: Image, local: Image, ways: Image, normals: Image) -> Image:
    """Let the far sides' print show through, and the body glow towards its rim."""
    bent = ways * 0.75 - normals * 0.25
    bent /= np.linalg.norm(bent, axis=1, keepdims=True)
    leave = np.where(bent > 0, 1 - local, -1 - local) / np.where(np.abs(bent) < 1e-4, 1e-4, bent)
    out = np.clip(local + bent * np.clip(leave.min(axis=1, keepdims=True), 0, 3), -1, 1)
    rgb, far_ink, _, _, _ = _print(body, floats(out))
    thick = np.linalg.norm(out - local, axis=1, keepdims=True)
    glow = np.power(np.clip(albedo, 0.02, 1), 0.4 + 0.5 * thick)
    through = glow * (1 - 0.65 * far_ink[:, None]) + 0.65 * far_ink[:, None] * _linear(rgb)
    return np.asarray(
        albedo * ink[:, None] + (1 - ink[:, None]) * (0.35 * albedo + 0.6 * through), np.float32
    )


def _overshadowed(points: Image, lamp: Image, radius: float, others: Sequence[_Body], seed: int) -> Image:
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
        enter, leave = _largest(np.minimum(first, second)), -_largest(-np.maximum(first, second))
        open_[(leave > enter) & (leave > 0.002) & (enter > 0)] = 0
    return open_


def _bounce(canvas: _Canvas) -> Image:
    """Return the light that comes up from the table."""
    return np.asarray(canvas.light[::16, ::16].reshape(-1, 3).mean(axis=0), np.float32)


def _surroundings(scene: Scene, ways: Image, room: Image, bounce: Image) -> Image:
    """Return what is mirrored: the table below, above a room with a bright window or two."""
    rng = np.random.default_rng([scene.light.art, 19])
    up = np.clip(ways[:, 2:] * 4, 0, 1)
    seen = bounce * (1 - up) + room * up * (0.4 + 0.8 * ways[:, 2:])
    for _ in range(int(rng.integers(0, 3))):
        turn, lift = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.2)
        middle = np.array(
            (np.cos(turn) * np.cos(lift), np.sin(turn) * np.cos(lift), np.sin(lift)), np.float32
        )
        away = 1 - ways @ middle
        size = rng.uniform(0.01, 0.12)
        seen = (
            seen
            + room
            * (rng.uniform(2, 12) / (1 + np.exp(np.clip((away - size) / (0.1 * size), -30, 30))))[:, None]
        )
    return np.asarray(seen, np.float32)


def _rings(scene: Scene, ways: Image, room: Image) -> Image:
    """Return the light (n, 3) of a ring lamp or a lampshade's rim in these directions, if there is one.

    It hangs about where a mirror on the table would show it to the camera.
    """
    rng = np.random.default_rng([scene.light.art, 20])
    if rng.random() > _RINGS:
        return np.zeros_like(ways)
    x, y, z = scene.camera.pose.centre
    middle = floats((-x, -y, z)) / floats(max(abs(z), 1.0)) + floats(rng.normal(0, 0.2, 3))
    middle /= np.linalg.norm(middle)
    apart = np.arccos(np.clip(ways @ middle, -1, 1))
    off = np.abs(apart - rng.uniform(0.05, 0.5)) / rng.uniform(0.012, 0.05)
    bright = np.exp(rng.uniform(2.3, 5.0) - off**2)
    return np.asarray(np.maximum(room, floats(0.1)) * bright[:, None], np.float32)


def _seen(canvas: _Canvas, scene: Scene, number: int, die: Die) -> Floats:
    pixels = np.round(scene.camera.project(labels.probes(scene, die))).astype(int)
    inside = (pixels >= 0).all(axis=1) & (pixels < (scene.camera.width, scene.camera.height)).all(axis=1)
    seen = np.zeros(len(pixels))
    x, y = pixels[inside].T
    seen[inside] = canvas.owner[y, x] == number
    return seen


def _dot(one: Image | Floats, other: Image | Floats) -> Image:
    """Return (..., 1); numpy is slow to sum over three."""
    return np.asarray(np.einsum("...k,...k->...", one, other), np.float32)[..., None]


def _length(vectors: Image | Floats) -> Image:
    return np.asarray(np.sqrt(_dot(vectors, vectors)), np.float32)


def _largest(vectors: Image) -> Image:
    """Return (n,): the largest of three numbers each."""
    return np.asarray(np.maximum(np.maximum(vectors[:, 0], vectors[:, 1]), vectors[:, 2]), np.float32)
