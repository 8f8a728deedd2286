"""What else stands around dice in Blender's pictures: pawns, cups, pens, a hand, a tray's rim, a mat.

All follows from the scene's seed and keeps clear of the dice, except for the hand, which may cover some.
"""

from dataclasses import dataclass

import numpy as np

from calibration.training import looks, meshes, surfaces
from calibration.training.placing import about, footprint, numbers
from calibration.training.scene import SIDES, Die, Floats, Point, Pose, Rgb, Scene, Surface

Rng = np.random.Generator
SKINS: tuple[Rgb, ...] = ((0.87, 0.68, 0.58), (0.78, 0.57, 0.44), (0.58, 0.38, 0.27), (0.36, 0.23, 0.16))


@dataclass(frozen=True)
class Plain:
    """A body of one colour. ``soft`` is how far light goes into it, 0..1."""

    mesh: meshes.Mesh
    pose: Pose
    rgb: Rgb
    roughness: float
    soft: float = 0.0


@dataclass(frozen=True)
class Mat:
    """The table's surface ends ``half`` centimetres from ``pose``; another one lies a little below."""

    pose: Pose
    half: tuple[float, float]
    below: Surface


def plains(scene: Scene) -> list[Plain]:
    """Bodies of one colour: what dice lean on, what stands around, a hand, a rim."""
    rng = np.random.default_rng([scene.seed, 31])
    found = [support(scene, die, rng) for die in scene.dice if die.state == "cocked"]
    if rng.random() < 0.3:
        for _ in range(int(rng.integers(1, 5))):
            found += standing(scene, rng)
    if scene.surface.name == "tray" or rng.random() < 0.06:
        found += rim(scene, rng)
    if scene.camera.pose.centre[2] > 28 and rng.random() < 0.12:
        found += hand(scene, rng)
    return found


def mat(scene: Scene) -> Mat | None:
    """A mat, board or sheet whose edge shows, in some of the scenes; never in trays seen from above."""
    rng = np.random.default_rng([scene.seed, 32])
    if scene.camera.tilt == 0 or rng.random() < 0.72:
        return None
    turn = float(rng.uniform(0, np.pi))
    matrix = about("z", turn)
    covered = (
        np.concatenate([footprint(die, scene.looks) for die in scene.dice] or [np.zeros((1, 2))])
        @ matrix[:2, :2]
    )
    low, high = covered.min(0) - rng.uniform(0.3, 9, 2), covered.max(0) + rng.uniform(0.3, 9, 2)
    x, y, _ = matrix @ np.array([*((low + high) / 2), 0.0])
    other = Surface(
        str(rng.choice(list(surfaces.TRAINED))), int(rng.integers(1 << 31)), float(rng.uniform(9, 26))
    )
    half = (high - low) / 2
    return Mat(Pose((float(x), float(y), 0.0), numbers(matrix)), (float(half[0]), float(half[1])), other)


def support(scene: Scene, die: Die, rng: Rng) -> Plain:
    """A pencil or stick that a leaning die lies on."""
    half = scene.looks[die.look].edge / 2
    downs = [float(die.pose.matrix()[2] @ np.array(side[0])) for side in SIDES]
    normal = die.pose.matrix() @ np.array(SIDES[int(np.argmin(downs))][0])
    along = np.cross(normal, [0.0, 0.0, 1.0])
    along /= max(float(np.linalg.norm(along)), 1e-6)
    uphill = np.cross(along, normal)
    uphill = uphill if uphill[2] > 0 else -uphill
    touch = np.array(die.pose.centre) + half * (normal + uphill * rng.uniform(0.2, 0.8))
    steep = float(np.clip(-normal[2], 0.3, 1))
    radius = max(float(touch[2]) * steep / (1 + steep) * 0.97, 0.05)
    middle = touch + normal * radius
    axis_turn = float(np.arctan2(along[1], along[0]))
    shift = along * rng.uniform(-3, 3)
    pose = lying((float(middle[0] + shift[0]), float(middle[1] + shift[1]), radius), axis_turn)
    return Plain(meshes.capsule(radius, float(rng.uniform(7, 14))), pose, colour(rng), 0.4)


def lying(centre: Point, turn: float) -> Pose:
    """The pose of a rod of its own z axis laid flat, pointing ``turn`` radians from x."""
    return Pose(centre, numbers(about("z", turn) @ about("y", np.pi / 2)))


def colour(rng: Rng) -> Rgb:
    return looks.hsv(float(rng.uniform()), float(rng.uniform(0.2, 0.95)), float(rng.uniform(0.1, 0.9)))


def standing(scene: Scene, rng: Rng) -> list[Plain]:
    """A pawn, a cup or a pen at some free place, or nothing where there is none."""
    kind = int(rng.choice(3, p=[0.6, 0.15, 0.25]))
    size = float((rng.uniform(0.5, 0.9), rng.uniform(2.6, 4.2), rng.uniform(0.3, 0.6))[kind])
    reach = size if kind < 2 else 7.0
    place = free(scene, reach, rng)
    if place is None:
        return []
    x, y = place
    upright = Pose((x, y, 0.0), numbers(about("z", 0.0)))
    if kind == 0:
        return [Plain(pawn(size), upright, colour(rng), float(rng.uniform(0.1, 0.6)))]
    if kind == 1:
        return [Plain(cup(size), upright, colour(rng), float(rng.uniform(0.1, 0.5)))]
    return [
        Plain(meshes.capsule(size, 13.0), lying((x, y, size), float(rng.uniform(0, 6.3))), colour(rng), 0.3)
    ]


def free(scene: Scene, reach: float, rng: Rng) -> tuple[float, float] | None:
    """A place in the picture further than ``reach`` from every die."""
    taken = [footprint(die, scene.looks) for die in scene.dice]
    for _ in range(12):
        across, down = rng.uniform(-0.05, 1.05, 2)
        spot = scene.camera.on_table(across * scene.camera.width, down * scene.camera.height)[:2]
        if all(float(np.linalg.norm(points - spot, axis=1).min()) > reach + 0.2 for points in taken):
            return float(spot[0]), float(spot[1])
    return None


def pawn(size: float) -> meshes.Mesh:
    bow = np.linspace(-1.1, np.pi / 2, 9)
    head = [
        (max(0.58 * size * float(np.cos(b)), 1e-4), size * (2.9 + 0.58 * float(np.sin(b)))) for b in bow
    ]
    return meshes.turned(
        [(size, 0.0), (size, 0.25 * size), (0.8 * size, 0.5 * size), (0.3 * size, 2.2 * size), *head]
    )


def cup(size: float) -> meshes.Mesh:
    outside = [(0.75 * size, 0.0), (size, 2.0 * size)]
    inside = [(0.93 * size, 2.0 * size), (0.68 * size, 0.3 * size), (1e-4, 0.25 * size)]
    return meshes.turned([*outside, *inside], around=40)


def rim(scene: Scene, rng: Rng) -> list[Plain]:
    """One or two walls of a dice tray, just outside the dice."""
    turn, high, wide = float(rng.uniform(0, 6.3)), float(rng.uniform(1.2, 3)), float(rng.uniform(0.4, 1.2))
    rgb = looks.jitter((0.42, 0.26, 0.15), 0.1, rng) if rng.random() < 0.6 else colour(rng)
    covered = np.concatenate([footprint(die, scene.looks) for die in scene.dice] or [np.zeros((1, 2))])
    walls = []
    for wall in range(int(rng.integers(1, 3))):
        angle = turn + wall * np.pi / 2
        out = np.array([np.cos(angle), np.sin(angle)])
        far = float((covered @ out).max()) + float(rng.uniform(0.1, 4)) + wide
        pose = Pose((float(out[0] * far), float(out[1] * far), high / 2), numbers(about("z", angle)))
        walls.append(Plain(meshes.box((wide, 45.0, high / 2), 0.12), pose, rgb, 0.5))
    return walls


def hand(scene: Scene, rng: Rng) -> list[Plain]:
    """A forearm, a palm and five fingers reaching into the picture from a side, above the dice."""
    skin = looks.jitter(SKINS[int(rng.integers(len(SKINS)))], 0.04, rng)
    camera = scene.camera
    target = camera.on_table(*(rng.uniform(0.1, 0.9, 2) * (camera.width, camera.height)))
    turn, lift = float(rng.uniform(0, 6.3)), float(rng.uniform(3.0, 6.0))
    frame = about("z", turn) @ about("y", -0.25)
    origin = np.array([target[0], target[1], lift])
    parts = [((-21.0, 0.0, 0.0), (0.0, 0.0), 3.1, 26.0), ((0.0, 3.9, -0.6), (0.7, 0.2), 0.95, 5.0)]
    for finger in range(4):
        spread = (finger - 1.5) * 1.75
        bend = float(rng.uniform(0.1, 0.5))
        parts.append(((5.0, spread, -0.3), (spread * 0.06, bend), 0.85, 5.5))
        parts.append(((9.0, spread * 1.15, -0.9 - 3 * bend), (spread * 0.06, bend + 0.4), 0.75, 3.0))
    limbs = [limb(origin, frame, part, skin) for part in parts]
    palm = Pose(centre_of(origin), numbers(frame))
    return [*limbs, Plain(meshes.box((4.6, 4.0, 1.3), 1.1), palm, skin, 0.55, 0.2)]


def limb(
    origin: Floats, frame: Floats, part: tuple[Point, tuple[float, float], float, float], skin: Rgb
) -> Plain:
    place, (aside, down), radius, length = part
    turn = frame @ about("z", aside) @ about("y", np.pi / 2 + down)
    pose = Pose(centre_of(origin + frame @ np.array(place)), numbers(turn))
    return Plain(meshes.capsule(radius, length), pose, skin, 0.55, 0.2)


def centre_of(point: Floats) -> Point:
    return float(point[0]), float(point[1]), float(point[2])
