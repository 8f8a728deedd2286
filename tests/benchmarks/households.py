"""Households for benchmarks: one set of dice, one tray and one camera; a lesson, then evenings.

Teaching is as the product asks for it: all dice show one face, twice each, under one lamp. Played is
under other lamps, in the same tray or in another one before another camera.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from trays import photo

from calibration.training import clutter, develop, lights, looks, placing, props, sampling, stage
from calibration.training.scene import Die, Light, Look, Pose, Scene, upper_side
from calibration.training.tracer import Tracer
from vision.frames import Floats, Image
from vision.naming import FINGERPRINT, KINDS

DICE = 6
ROUNDS = 2
_FLAT = placing.Habit(0.0, 0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Shot:
    """A picture under a ``lamp``, and where its dice lie: ``middles`` (n, 2) px and ``faces`` (n,)."""

    image: Image
    middles: Floats
    faces: Sequence[str]
    lamp: str


@dataclass(frozen=True)
class Household:
    """``seed`` decides on everything; ``unseen``: surfaces that nothing was trained or tuned on."""

    seed: int
    unseen: bool
    kind: str = FINGERPRINT

    @property
    def look(self) -> Look:
        return looks.sample(self.kind, 1.6, np.random.default_rng(self.seed))

    def lesson(self) -> Iterator[Shot]:
        """What the player shows, under one lamp and with nothing else in the tray."""
        rng = np.random.default_rng((self.seed, 1))
        kelvin, turn = float(rng.uniform(2700, 6500)), float(rng.uniform(0, 360))
        faces = KINDS[self.kind]
        for n in range(ROUNDS * len(faces)):
            base = self._laid(n, faces[n % len(faces)], other=0)
            yield _shot(replace(_cleared(base), light=_lamp(kelvin, turn)), f"{kelvin:.0f} K")

    def roll(self, number: int, lamp: str, *, other: int = 0, careless: bool = False) -> Shot:
        """Six dice as they fall. ``lamp``: as "2700 K", "dusk" or a name of calibration.training.lights.

        ``other``: another tray and camera by this number, 0 is the one taught in; ``careless``: the
        camera exposes as it likes and is noisy. Only in other trays may other things lie.
        """
        base = self._laid(100 + number, "", other=other)
        base = base if other else _cleared(base)
        rng = np.random.default_rng((self.seed, 2, number))
        if lamp == "dusk":
            light = _lamp(float(rng.uniform(4500, 7500)), float(rng.uniform(0, 360)), dusk=True)
        elif lamp.endswith(" K"):
            light = _lamp(float(lamp[:-2]), float(rng.uniform(0, 360)))
        else:
            light = lights.sample(lamp, base.camera, rng)
        exposure = float(rng.normal(0, 0.35))
        if careless:
            base = replace(base, finish=replace(base.finish, exposure=exposure, noise=0.008))
        return _shot(replace(base, light=light), lamp, careless=careless)

    def _laid(self, number: int, face: str, *, other: int) -> Scene:
        tray = sampling.tray(self.seed + 7919 * other, unseen=self.unseen, kinds=(self.kind,))
        rng = np.random.default_rng((self.seed, 3, number))
        dice = placing.lay((self.look,), [0] * DICE, tray.camera, _FLAT, rng)
        if face:
            dice = tuple(_turned(die, self.look.faces.index(face)) for die in dice)
        return replace(tray, seed=self.seed + number, looks=(self.look,), dice=dice)


def _cleared(scene: Scene) -> Scene:
    """The same scene without cards, coins, pieces and whatever else may lie or stand about."""
    while (
        props.flats(scene)
        or props.solids(scene)
        or (scene.surface.name != "tray" and clutter.plains(scene))
    ):
        scene = replace(scene, seed=scene.seed + 1_000_003)
    return scene


def _lamp(kelvin: float, turn: float, *, dusk: bool = False) -> Light:
    """A lamp of this colour, or a window at dusk of it."""
    glow = lights.blackbody(kelvin)
    one = lights.lamp(200, 25, turn, 60, 0.08, glow) if dusk else lights.lamp(110, 55, turn, 5, 1, glow)
    return Light("measured", (one,), 0.05 if dusk else 0.2, glow, round(turn * 1000))


def _turned(die: Die, side: int) -> Die:
    """The same die with another side up, its turn about z kept."""
    rng = np.random.default_rng(round(abs(die.pose.centre[0]) * 1e6))
    yaw = float(rng.uniform(0, np.pi / 2))
    for _ in range(1000):
        pose = Pose(die.pose.centre, placing.numbers(placing.upright(rng, yaw)))
        if upper_side(pose) == side:
            return replace(die, pose=pose)
    raise AssertionError("this side never came up")


def _shot(scene: Scene, lamp: str, *, careless: bool = False) -> Shot:
    linear, _ = Tracer().take(scene)
    glow = stage.lamp_colour(scene.light).tolist()
    image = develop.photograph(linear, scene.finish, scene.seed, glow) if careless else photo(linear, scene)
    look = scene.looks[0]
    tops = np.array([(*die.pose.centre[:2], look.edge) for die in scene.dice])
    faces = [look.faces[upper_side(die.pose)] for die in scene.dice]
    return Shot(image, scene.camera.project(tops).astype(np.float32), faces, lamp)
