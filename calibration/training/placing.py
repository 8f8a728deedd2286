"""Where dice come to rest: apart, touching, on top of each other, leaning."""

from dataclasses import dataclass

import numpy as np

from calibration.training.scene import Camera, Die, Floats, Look, Pose

Rng = np.random.Generator
APART = 0.03  # of an edge: dice that touch keep this hair between them
UPRIGHTS = 24


@dataclass(frozen=True)
class Habit:
    """How a player's dice lie: shares of 0..1 of those touching, stacked, leaning and half outside."""

    touching: float
    stacked: float
    cocked: float
    cut: float


def lay(
    looks: tuple[Look, ...], kinds: list[int], camera: Camera, habit: Habit, rng: Rng
) -> tuple[Die, ...]:
    """Dice at rest, the look of each given by its index; those that find no room are left out."""
    dice: list[Die] = []
    under: set[int] = set()
    for look in kinds:
        free = [i for i, die in enumerate(dice) if die.state == "flat" and i not in under]
        if free and rng.random() < habit.stacked:
            below = int(rng.choice(free))
            dice.append(on_top(dice[below], look, looks, rng))
            under.add(below)
            continue
        square = spot(dice, look, looks, camera, habit, rng)
        if square is None:
            continue
        x, y, yaw = square
        if rng.random() < habit.cocked:
            dice.append(leaning(look, looks, (x, y), yaw, rng))
        else:
            dice.append(Die(look, Pose((x, y, looks[look].edge / 2), numbers(upright(rng, yaw))), "flat"))
    return tuple(dice)


def spot(
    dice: list[Die], look: int, looks: tuple[Look, ...], camera: Camera, habit: Habit, rng: Rng
) -> tuple[float, float, float] | None:
    """A free place on the table: x, y and the turn about z; None where a few tries find none."""
    edge = looks[look].edge
    for _ in range(40):
        yaw = float(rng.uniform(0, np.pi / 2))
        resting = [die for die in dice if die.state == "flat"]
        if resting and rng.random() < habit.touching:
            near = resting[int(rng.integers(len(resting)))]
            x, y = beside(near, looks[near.look].edge, edge, yaw, rng)
        else:
            x, y = anywhere(camera, habit, rng)
        if all(apart(square(x, y, yaw, edge), footprint(die, looks), APART * edge * 0.9) for die in dice):
            return x, y, yaw
    return None


def anywhere(camera: Camera, habit: Habit, rng: Rng) -> tuple[float, float]:
    """A point of the table inside the picture, or at its border for one that is cut."""
    rim = -0.01 if rng.random() < habit.cut else 0.1
    across, down = rng.uniform(rim, 1 - rim, 2)
    x, y, _ = camera.on_table(across * camera.width, down * camera.height)
    return float(x), float(y)


def beside(near: Die, near_edge: float, edge: float, yaw: float, rng: Rng) -> tuple[float, float]:
    """A place just touching another die in some direction."""
    matrix = near.pose.matrix()
    turn = (
        float(np.arctan2(matrix[1, 0], matrix[0, 0]))
        if abs(matrix[2, 0]) < 0.5
        else float(np.arctan2(matrix[1, 1], matrix[0, 1]))
    )
    x0, y0, _ = near.pose.centre
    standing = square(x0, y0, turn, near_edge)
    angle = float(rng.uniform(0, 2 * np.pi))
    way = np.array([np.cos(angle), np.sin(angle)])
    low, high = 0.0, near_edge + edge
    for _ in range(14):
        middle = (low + high) / 2
        moved = square(x0 + way[0] * middle, y0 + way[1] * middle, yaw, edge)
        low, high = (low, middle) if apart(moved, standing, APART * edge) else (middle, high)
    return float(x0 + way[0] * high), float(y0 + way[1] * high)


def on_top(below: Die, look: int, looks: tuple[Look, ...], rng: Rng) -> Die:
    """A die lying on another, off its middle by less than makes it fall."""
    low, edge = looks[below.look].edge, looks[look].edge
    x, y, _ = below.pose.centre
    off = rng.uniform(-0.38, 0.38, 2) * min(low, edge)
    turn = numbers(upright(rng, float(rng.uniform(0, np.pi / 2))))
    return Die(look, Pose((x + float(off[0]), y + float(off[1]), low + edge / 2), turn), "stacked")


def leaning(look: int, looks: tuple[Look, ...], place: tuple[float, float], yaw: float, rng: Rng) -> Die:
    """A die standing on an edge or a corner, tilted by 12 to 44 degrees."""
    tilt = np.radians(rng.uniform(13, 44))
    twist = np.radians(rng.uniform(-12, 12))
    lean = about("y", twist) @ about("x", tilt)
    matrix = about("z", yaw) @ lean @ upright(rng, 0.0)
    half = looks[look].edge / 2
    height = half * float(np.abs(matrix[2]).sum()) - half * looks[look].bevel * 0.35
    return Die(look, Pose((*place, height), numbers(matrix)), "cocked")


def upright(rng: Rng, yaw: float) -> Floats:
    """One of the 24 ways in which a cube lies flat, turned about z."""
    pick = int(rng.integers(UPRIGHTS))
    top, spin = divmod(pick, 4)
    tip = (
        about("x", 0),
        about("x", np.pi / 2),
        about("x", np.pi),
        about("x", -np.pi / 2),
        about("y", np.pi / 2),
        about("y", -np.pi / 2),
    )
    return about("z", yaw + spin * np.pi / 2) @ tip[top]


def about(axis: str, angle: float) -> Floats:
    """The rotation (3, 3) by ``angle`` radians about "x", "y" or "z"."""
    cos, sin = float(np.cos(angle)), float(np.sin(angle))
    first, second = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(3)
    matrix[first, first] = matrix[second, second] = cos
    matrix[first, second], matrix[second, first] = -sin, sin
    return matrix


def numbers(matrix: Floats) -> tuple[float, ...]:
    return tuple(float(v) for v in matrix.ravel())


def square(x: float, y: float, yaw: float, edge: float) -> Floats:
    """A flat die's outline on the table, (4, 2)."""
    cos, sin = np.cos(yaw) * edge / 2, np.sin(yaw) * edge / 2
    return np.array(
        [
            [x + cos - sin, y + sin + cos],
            [x - cos - sin, y - sin + cos],
            [x - cos + sin, y - sin - cos],
            [x + cos + sin, y + sin - cos],
        ]
    )


def footprint(die: Die, looks: tuple[Look, ...]) -> Floats:
    """What a die covers of the table, as a convex outline (n, 2); its corners' spread where it leans."""
    half = looks[die.look].edge / 2
    corners = (
        np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=np.float64) * half
    )
    return die.pose.world(corners)[:, :2]


def apart(one: Floats, other: Floats, gap: float) -> bool:
    """Whether two convex point sets lie at least ``gap`` apart, by the outlines' own directions."""
    for points in (one, other):
        sides = (points[:, None] - points[None]).reshape(-1, 2)
        long = np.linalg.norm(sides, axis=1)
        ways = sides[long > 1e-9] / long[long > 1e-9][:, None]
        ways = np.stack([-ways[:, 1], ways[:, 0]], axis=1)
        first, second = one @ ways.T, other @ ways.T
        if np.any((first.min(0) - second.max(0) >= gap) | (second.min(0) - first.max(0) >= gap)):
            return True
    return False
