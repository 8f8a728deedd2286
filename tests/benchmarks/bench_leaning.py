"""Score how dice that lean are told from flat ones, in straightened trays.

``python tests/benchmarks/bench_leaning.py [--rolls N] [--tuning]``. Eight dice of one kind a roll, about
one of six leans. Surfaces, lamps, sets of dice and seeds were never trained on. The same pictures are read
as a straightened tray and, to compare, as any picture, in which nobody can say what leans.
"""

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
from trays import FIRST_SEED, expected_of, photo, shown

from calibration.training import lights, placing, sampling, surfaces
from calibration.training.scene import Scene, axes, upper_side
from calibration.training.tracer import Tracer
from vision.dice import COCKED, Die, read
from vision.frames import Frame
from vision.judgement import RollStatus, judge
from vision.naming import COLOURED, FINGERPRINT, TEATIME, WHITE

TUNING_SEED = 1_800_000
KINDS = (WHITE, COLOURED, TEATIME, FINGERPRINT)
BOUNDS = (13, 20, 30, 36, 45)
"""Degrees: leaning dice are counted from each to the next."""

_HABIT = placing.Habit(touching=0.2, stacked=0.0, cocked=0.17, cut=0.0)
_COUNT = 8


def tray(number: int, *, tuning: bool) -> Scene:
    """A tray of eight dice, some of which may lean; laid anew until all are seen."""
    first = TUNING_SEED if tuning else FIRST_SEED + 500_000
    for attempt in range(50):
        seed = first + 1000 * number + attempt
        base = sampling.tray(seed, unseen=not tuning, kinds=(KINDS[number % len(KINDS)],), count=0)
        assert tuning or (base.surface.name in surfaces.UNSEEN and base.light.name in lights.UNSEEN)
        rng = np.random.default_rng((seed, 12))
        dice = placing.lay(base.looks, [0] * _COUNT, base.camera, _HABIT, rng)
        scene = replace(base, dice=dice)
        if len(dice) == _COUNT and all(clear.mean() > 0.9 for clear in Tracer().take(scene)[1]):
            return scene
    raise AssertionError(f"roll {number} never lay clear")


def turns(scene: Scene) -> list[float]:
    """By how many degrees each die's upper face leans."""
    normals = [
        die.pose.matrix() @ axes(scene.looks[die.look], upper_side(die.pose))[0] for die in scene.dice
    ]
    return [float(np.degrees(np.arccos(np.clip(n[2] / np.linalg.norm(n), -1, 1)))) for n in normals]


def matched(scene: Scene, found: Sequence[Die]) -> Iterator[tuple[float, bool]]:
    """Yield each die that was found: by how much it leans, and whether it was said to."""
    tops = np.array([die.pose.centre for die in scene.dice])
    middles, degrees = scene.camera.project(tops), turns(scene)
    for die in found:
        away = np.linalg.norm(middles - die.outline.mean(axis=0), axis=1)
        if away.min() < 15:
            yield degrees[int(away.argmin())], die.state == COCKED


def score(scenes: Sequence[Scene], *, straight: bool) -> tuple[list[tuple[float, bool]], Counter[str]]:
    """Read all; return the dice as `matched` has them, and rolls by what they were."""
    dice: list[tuple[float, bool]] = []
    rolls: Counter[str] = Counter()
    for scene in scenes:
        kind = scene.looks[0].kind
        expected = expected_of(((kind, _COUNT),))
        linear, _ = Tracer().take(scene)
        found = read(Frame(photo(linear, scene), 0.0, "traced", straight), expected)
        dice += matched(scene, found)
        right = Counter(die.face for die in found) == Counter(face.face for face in shown(scene))
        sure = judge(found, expected).status is RollStatus.SURE
        group = "leaning" if any(turn > 1 for turn in turns(scene)) else "flat"
        rolls.update([group, *([f"{group} sure"] * sure), *([f"{group} silent"] * (sure and not right))])
    return dice, rolls


def told(name: str, dice: Sequence[tuple[float, bool]], rolls: Counter[str]) -> Iterator[str]:
    flat = [said for turn, said in dice if turn < 1]
    yield f"{name}: of {len(flat)} flat dice {sum(flat)} said to lean"
    for low, high in pairwise(BOUNDS):
        some = [said for turn, said in dice if low <= turn < high]
        yield f"  leaning by {low} to {high} degrees: {sum(some)} of {len(some)} said to"
    for group in ("flat", "leaning"):
        sure, silent = rolls[f"{group} sure"], rolls[f"{group} silent"]
        yield f"  rolls {group:8}{rolls[group]:5}  sure {sure:4}  of these wrong {silent:3}"


def test_most_dice_that_lean_much_are_named_and_hardly_a_flat_one() -> None:
    dice, _ = score([tray(n, tuning=False) for n in range(24)], straight=True)
    much = [said for turn, said in dice if turn > 36]
    assert np.mean(much) > 0.5
    assert np.mean([said for turn, said in dice if turn < 1]) < 0.02


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rolls", type=int, default=100, metavar="N")
    parser.add_argument("--tuning", action="store_true", help="trays that numbers were chosen on")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    scenes = [tray(n, tuning=args.tuning) for n in range(args.rolls)]
    for name, straight in (("any picture", False), ("straightened tray", True)):
        print("\n".join(told(name, *score(scenes, straight=straight))), flush=True)


if __name__ == "__main__":
    main()
