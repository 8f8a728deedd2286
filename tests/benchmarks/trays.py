"""Rendered trays for benchmarks: throws as a camera above a tray sees them, with their truth.

Every seed lies far from those that networks are trained on, and surfaces and lamps are those held out
(`calibration.training.surfaces.UNSEEN`, `lights.UNSEEN`).
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import cv2
import numpy as np

from calibration.training import develop, lights, looks, placing, sampling, stage, surfaces
from calibration.training.scene import Light, Look, Scene, upper_side
from calibration.training.tracer import Tracer
from companion.rules.events import DiceExpected, DieFace
from vision.frames import Frame, Image
from vision.naming import KINDS

FIRST_SEED = 7_000_000
FPS = 30
SETS = (
    (("white", 7), ("coloured", 1)),
    (("white", 8),),
    (("coloured", 8),),
    (("fingerprint", 8),),
    (("teatime", 8),),
)
"""What may lie in the tray, eight dice each: Inspector Moss's own set, and each kind alone."""


@dataclass(frozen=True)
class Throw:
    """A tray without and with dice, linear exposure alike, and what lies in it."""

    empty: Image
    tray: Image
    expected: DiceExpected
    dice: tuple[DieFace, ...]


def throw(number: int, kinds: tuple[tuple[str, int], ...]) -> Throw:
    """Render one throw; those of which not all dice are seen whole are laid anew."""
    for attempt in range(50):
        scene = _scene(FIRST_SEED + 1000 * number + attempt, kinds)
        linear, clear = Tracer().take(scene)
        if len(scene.dice) == sum(n for _, n in kinds) and all(c.mean() == 1 for c in clear):
            break
    else:
        raise AssertionError(f"throw {number} never lay clear")
    bare, _ = Tracer().take(scene, dice=False)
    return Throw(photo(bare, scene), photo(linear, scene), expected_of(kinds), shown(scene))


def expected_of(kinds: tuple[tuple[str, int], ...]) -> DiceExpected:
    legal = tuple(dict.fromkeys(face for kind, _ in kinds for face in KINDS[kind]))
    return DiceExpected(kinds, faces=legal, partial=False)


def photo(linear: np.ndarray, scene: Scene) -> Image:
    """Expose a tray as a camera does that was set up so that next to nothing is blown out."""
    for stops in (0.0, -0.5, -1.0, -1.5):
        finish = replace(scene.finish, exposure=stops, noise=0.0, bloom=0.0)
        picture = develop.photograph(linear, finish, scene.seed, stage.lamp_colour(scene.light).tolist())
        if (picture.max(axis=2) > 250).mean() < 0.003:
            break
    return picture


def shown(scene: Scene) -> tuple[DieFace, ...]:
    """The dice of a scene with the faces that lie up."""
    return tuple(
        DieFace(scene.looks[die.look].kind, scene.looks[die.look].faces[upper_side(die.pose)])
        for die in scene.dice
    )


def frames(one: Throw, seed: int, begin: float = 0.0) -> Iterator[Frame]:
    """Half a second of empty tray, a third of dice on their way, then five seconds in which they lie."""
    rng = np.random.default_rng((seed, 5))
    at = begin
    for step in range(round(6.2 * FPS)):
        if step < 0.5 * FPS:
            image = one.empty
        elif step < 0.85 * FPS:
            image = _rolling(one, 0.85 * FPS - step, rng)
        else:
            image = one.tray
        noise = rng.normal(0, 2.0, image.shape)
        yield Frame(np.clip(image * rng.normal(1, 0.004) + noise, 0, 255).astype(np.uint8), at, "rendered")
        at += 1 / FPS


def lit(scene: Scene, kelvin: float, *, dusk: bool = False) -> Scene:
    """The same scene under a lamp of this colour, or at a window at dusk of it."""
    glow = lights.blackbody(kelvin)
    rng = np.random.default_rng((scene.seed, round(kelvin)))
    turn = float(rng.uniform(0, 360))
    one = lights.lamp(200, 25, turn, 60, 0.08, glow) if dusk else lights.lamp(110, 55, turn, 5, 1, glow)
    light = Light("measured", (one,), 0.05 if dusk else 0.2, glow, scene.light.art)
    return replace(scene, light=light)


def one_set(number: int) -> Look:
    """A set of fingerprint dice that no network was trained on."""
    return looks.sample("fingerprint", 1.6, np.random.default_rng((FIRST_SEED, number)))


def laid(look: Look, seed: int, count: int = 6) -> Scene:
    """Dice of one set in a tray of a surface never trained on."""
    scene = sampling.tray(FIRST_SEED + seed, unseen=True, kinds=(look.kind,), count=count)
    rng = np.random.default_rng((seed, 6))
    dice = placing.lay((look,), [0] * count, scene.camera, placing.Habit(0.0, 0.0, 0.0, 0.0), rng)
    return replace(scene, looks=(look,), dice=dice)


def _scene(seed: int, kinds: tuple[tuple[str, int], ...]) -> Scene:
    rng = np.random.default_rng((seed, 12))
    base = sampling.tray(seed, unseen=True, kinds=(kinds[0][0],), count=0)
    edge = base.looks[0].edge
    sets = tuple(looks.sample(kind, edge, rng) for kind, _ in kinds)
    which = [n for n, (_, count) in enumerate(kinds) for _ in range(count)]
    habit = placing.Habit(float(rng.choice((0.0, 0.3))), 0.0, 0.0, 0.0)
    dice = placing.lay(sets, which, base.camera, habit, rng)
    assert base.surface.name in surfaces.UNSEEN
    assert base.light.name in lights.UNSEEN
    return replace(base, looks=sets, dice=dice)


def _rolling(one: Throw, left: float, rng: np.random.Generator) -> Image:
    """The dice still on their way: away from where they will lie, and smeared."""
    away = 12 * left
    shift = rng.uniform(-1, 1, 2) * away
    warp = np.array(((1, 0, shift[0]), (0, 1, shift[1])), np.float32)
    height, width = one.tray.shape[:2]
    only_dice = one.tray.astype(np.float32) - one.empty
    moved = cv2.warpAffine(only_dice, warp, (width, height))
    long = max(1, round(away))
    smeared = cv2.blur(moved, (long, max(1, long // 3)))
    return np.clip(one.empty + smeared, 0, 255).astype(np.uint8)
