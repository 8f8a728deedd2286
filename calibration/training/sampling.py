"""Scenes from seeds: the training pictures' variety, and the rectified tray's narrower one."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from calibration.training import lights, looks, placing, surfaces
from calibration.training.scene import Camera, Finish, Floats, Look, Pose, Scene, Surface

Rng = np.random.Generator
SIZES = ((640, 480), (640, 480), (640, 426), (480, 640), (544, 544), (640, 360))
LOW_SHARE = 0.65
"""Of cameras held nearly straight above; the others look across the table."""
UPRIGHT_TILT = 22.0
"""Degrees from straight down beyond which a camera is held upright."""
KIND_SHARES = (0.36, 0.34, 0.15, 0.15)
WEAK_SHARES = (0.1, 0.22, 0.28, 0.4)
CROWD_SHARES = (0.13, 0.42, 0.16, 0.29)
"""Of looks.KINDS, in ordinary pictures, in `weak` ones and in those of many dice."""
TOUCHING = (0.0, 0.4, 0.9)
"""Shares of dice that touch another one, in `weak` pictures and in those of many dice."""


def table(seed: int) -> Scene:
    """A picture of dice on some table, taken by hand; the same scene for the same seed."""
    rng = np.random.default_rng([seed, 11])
    sets = some_looks(rng)
    share = float(np.exp(rng.uniform(np.log(0.028), np.log(0.16))))
    camera = hand_camera(share, max(look.edge for look in sets), rng)
    count = min(how_many(rng), max(1, int(0.3 / share**2)))
    habit = some_habit(rng)
    picks = [int(i) for i in rng.integers(len(sets), size=count)]
    dice = placing.lay(sets, picks, camera, habit, rng)
    light = lights.sample(str(rng.choice(list(lights.TRAINED))), camera, rng)
    surface = some_surface(surfaces.TRAINED, rng)
    return Scene(seed, surface, light, camera, sets, dice, (), some_finish(rng))


def tray(seed: int, *, unseen: bool = False, kinds: tuple[str, ...] = (), count: int = 8) -> Scene:
    """A picture from straight above, as a rectified tray is: 640 by 480, ``count`` dice of these kinds."""
    rng = np.random.default_rng([seed, 12])
    edge = float(rng.uniform(1.4, 1.8))
    chosen = kinds or (str(rng.choice(looks.KINDS)),)
    sets = tuple(looks.sample(kind, edge, rng) for kind in chosen)
    camera = from_above(float(rng.uniform(0.055, 0.085)), edge, rng)
    habit = placing.Habit(float(rng.choice([0.0, 0.3])), 0.02, 0.02, 0.0)
    dice = placing.lay(sets, [i % len(sets) for i in range(count)], camera, habit, rng)
    lamps = lights.UNSEEN if unseen else lights.TRAINED
    light = lights.sample(str(rng.choice(list(lamps))), camera, rng)
    surface = some_surface(surfaces.UNSEEN if unseen else surfaces.TRAINED, rng)
    return Scene(seed, surface, light, camera, sets, dice, (), some_finish(rng))


def weak(seed: int) -> Scene:
    """A picture of what readers trained on `table` alone read worst.

    Tea time, fingerprint and coloured dice, close together, under any lamp; half of them in trays, the
    others mostly from so low that front faces show, and exposed by cameras of every habit.
    """
    rng = np.random.default_rng([seed, 14])
    edge = float(rng.uniform(1.2, 1.9))
    many = int(rng.choice([1, 2], p=[0.8, 0.2]))
    kinds = rng.choice(looks.KINDS, size=many, p=WEAK_SHARES)
    sets = tuple(looks.sample(str(kind), edge, rng) for kind in kinds)
    if rng.random() < 0.5:
        camera = from_above(float(rng.uniform(0.05, 0.095)), edge, rng)
    else:
        camera = across(float(np.exp(rng.uniform(np.log(0.035), np.log(0.13)))), edge, rng)
    touching = float(rng.choice(TOUCHING))
    many = int(rng.integers(5, 10))
    return _under_any_lamp(seed, sets, camera, placing.Habit(touching, 0.02, 0.04, 0.05), many, 0.65, rng)


def crowd(seed: int) -> Scene:
    """Many dice of many sets in one picture, for the same time of tracing as a picture of few.

    As in `weak` about half lie in trays. Digits, glasses and clear bodies, which need the most examples,
    come more often than at any table.
    """
    return _many(seed, 0.04, 0.04, np.random.default_rng([seed, 15]))


def tumbled(seed: int) -> Scene:
    """A `crowd` in which many dice lean or lie on others, up to a quarter and a fifth of them.

    Thrown dice seldom do, so in other pictures there are too few examples of it.
    """
    rng = np.random.default_rng([seed, 16])
    return _many(seed, float(rng.uniform(0, 0.2)), float(rng.uniform(0.05, 0.25)), rng)


def _many(seed: int, stacked: float, cocked: float, rng: Rng) -> Scene:
    """Lay many dice of many sets; shares 0..1 of those that lie on another die or lean."""
    edge = float(rng.uniform(1.2, 1.9))
    kinds = rng.choice(looks.KINDS, size=int(rng.integers(3, 8)), p=CROWD_SHARES)
    sets = tuple(_hard_to_read(str(kind), edge * float(rng.uniform(0.92, 1.08)), rng) for kind in kinds)
    if rng.random() < 0.55:
        camera = from_above(float(rng.uniform(0.05, 0.09)), edge, rng)
    elif rng.random() < 0.5:
        camera = across(float(np.exp(rng.uniform(np.log(0.035), np.log(0.09)))), edge, rng)
    else:
        camera = hand_camera(float(np.exp(rng.uniform(np.log(0.035), np.log(0.09)))), edge, rng)
    touching = float(rng.choice(TOUCHING))
    many = int(rng.integers(12, 27))
    return _under_any_lamp(
        seed, sets, camera, placing.Habit(touching, stacked, cocked, 0.03), many, 0.6, rng
    )


def _under_any_lamp(
    seed: int,
    sets: tuple[Look, ...],
    camera: Camera,
    habit: placing.Habit,
    many: int,
    wide: float,
    rng: Rng,
) -> Scene:
    """Lay ``many`` dice on some table; in a share ``wide`` 0..1 of the pictures lamps are of any colour."""
    picks = [int(i) for i in rng.integers(len(sets), size=many)]
    dice = placing.lay(sets, picks, camera, habit, rng)
    lamps = lights.WIDE if rng.random() < wide else lights.TRAINED
    light = lights.sample(str(rng.choice(list(lamps))), camera, rng)
    surface = some_surface(surfaces.TRAINED, rng)
    finish = replace(some_finish(rng), balance=float(rng.uniform(0.3, 1.0)))
    if rng.random() < 0.5:  # as a camera that was set up so that next to nothing is blown out
        finish = replace(finish, exposure=float(rng.uniform(-1.5, 0)), bloom=0.0)
    return Scene(seed, surface, light, camera, sets, dice, (), finish)


def _hard_to_read(kind: str, edge: float, rng: Rng) -> Look:
    """A set of a kind, not quite flat; of two that come up, a clear one or one with digits is taken."""
    one, other = (looks.domed(looks.vivid(looks.sample(kind, edge, rng))) for _ in range(2))
    hard = other.material == "clear" or other.style == "digits"
    return other if hard else one


def across(share: float, edge: float, rng: Rng) -> Camera:
    """A camera held over the table, two of three times low enough to show the dice's front faces."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    focal = float(rng.uniform(24, 60))
    tilt = float(rng.uniform(28, 62) if rng.random() < 0.67 else rng.uniform(0, 28))
    steepest = float(78 - np.degrees(np.arctan(18 / focal)))
    return looking(width, height, focal, min(tilt, steepest), share, edge, rng)


def some_looks(rng: Rng) -> tuple[Look, ...]:
    """One to three sets of dice of about the same size."""
    edge = float(rng.uniform(1.2, 1.9))
    many = int(rng.choice([1, 2, 3, 4], p=[0.4, 0.25, 0.2, 0.15]))
    return tuple(
        looks.sample(str(rng.choice(looks.KINDS, p=KIND_SHARES)), edge * float(rng.uniform(0.9, 1.1)), rng)
        for _ in range(many)
    )


def how_many(rng: Rng) -> int:
    return int(rng.integers(4, 11)) if rng.random() < 0.7 else int(rng.integers(1, 21))


def some_habit(rng: Rng) -> placing.Habit:
    touching = float(rng.choice([0.0, 0.3, 0.9], p=[0.4, 0.35, 0.25]))
    stacked = float(rng.uniform(0.05, 0.25)) if rng.random() < 0.28 else 0.0
    cocked = float(rng.uniform(0.1, 0.35)) if rng.random() < 0.35 else 0.0
    return placing.Habit(touching, stacked, cocked, 0.12)


def some_surface(names: Iterable[str], rng: Rng) -> Surface:
    return Surface(str(rng.choice(list(names))), int(rng.integers(1 << 31)), float(rng.uniform(9, 26)))


def hand_camera(share: float, edge: float, rng: Rng) -> Camera:
    """A camera held over the table; a die in its middle takes ``share`` of the picture's longer side."""
    width, height = SIZES[int(rng.integers(len(SIZES)))]
    focal = float(rng.uniform(24, 60))
    tilt = float(rng.triangular(0, 8, 36) if rng.random() < LOW_SHARE else rng.uniform(30, 62))
    steepest = 78 - np.degrees(np.arctan(18 / focal))
    return looking(width, height, focal, min(tilt, float(steepest)), share, edge, rng)


def from_above(share: float, edge: float, rng: Rng) -> Camera:
    return looking(640, 480, 60.0, 0.0, share, edge, rng)


def looking(
    width: int, height: int, focal: float, tilt: float, share: float, edge: float, rng: Rng
) -> Camera:
    distance = focal / 36.0 * edge / share
    around, roll = rng.uniform(0, 2 * np.pi), rng.uniform(0, 2 * np.pi)
    if tilt > UPRIGHT_TILT:  # nobody looks across a table with the camera on its side
        roll = rng.normal(0, 0.12)
    turn: Floats = (
        placing.about("z", around) @ placing.about("x", np.radians(tilt)) @ placing.about("z", roll)
    )
    eye = turn[:, 2] * distance
    centre = (float(eye[0]), float(eye[1]), float(eye[2]))
    blurred = tilt > 0 and rng.random() < 0.3
    fstop = float(rng.uniform(1.5, 6)) * distance / 40 if blurred else 0.0
    focus = distance * float(rng.uniform(0.93, 1.05))
    return Camera(Pose(centre, placing.numbers(turn)), focal, width, height, tilt, fstop, focus)


def some_finish(rng: Rng) -> Finish:
    return Finish(
        exposure=float(rng.normal(0, 0.35)),
        contrast=float(rng.uniform(0.9, 1.25)),
        balance=float(rng.uniform(0.55, 1.0)),
        bloom=float(rng.uniform(0, 0.06)),
        vignette=float(rng.uniform(0, 0.25)),
        noise=float(rng.uniform(0, 0.012)),
        quality=int(rng.integers(70, 96)),
    )
