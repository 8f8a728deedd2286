"""Fit how far what two looks tell of cubes can be believed, for the constants of `vision.cubelooks`.

``python tests/benchmarks/fit_cubes.py [--count N] [--first N]``: drawn pictures, medium and hard, of the
tuning seeds (5,100,000 on); prints the weights of _BELIEF, _FLOOR and _HOLE, and how often they err.
"""

import argparse
import math
from collections.abc import Iterable, Sequence

import cv2
import numpy as np
import numpy.typing as npt

from calibration.training.cubescenes import COUNTED, TUNING, Shot, shot
from vision.cubelooks import (
    agreed,
    agreed_hole,
    believed_hole,
    evidence,
    floor_evidence,
    looks,
)
from vision.frames import Floats

Doubles = npt.NDArray[np.float64]

FIRST = TUNING + 100_000

_MATCH_SIDES, _SAME_HOLE = 0.6, 0.5

Told = tuple[list[Floats | Doubles], list[bool]]
"""What is told of each place, and whether it was so."""


def learn(one: Shot, belief: Told, floor: Told, hole: Told) -> None:
    """Look at a picture twice and write down what was told and what is so."""
    first, second = looks(one.image, None)
    seen = agreed_hole(first.hole, second.hole)
    if seen is not None:
        hole[0].append(np.array((1.0, math.log(seen.chance / (1 - min(seen.chance, 0.9999))))))
        x, y, side = one.hole or (1e9, 1e9, 1.0)
        hole[1].append(math.hypot(seen.x - x, seen.y - y) < _SAME_HOLE * side)
    seen = believed_hole(seen)
    places = sorted(agreed(first, second), key=lambda place: -place.chance)
    left = list(one.cubes)
    for place, told in zip(places, evidence(places, seen), strict=True):
        near = min(left, key=lambda c: math.hypot(c.x - place.x, c.y - place.y), default=None)
        hit = near is not None and math.hypot(near.x - place.x, near.y - place.y) < _MATCH_SIDES * near.side
        if near is not None and hit:
            if near.seen < COUNTED:
                continue
            left.remove(near)
            if one.kind == "floor":
                floor[0].append(floor_evidence(place, seen))
                floor[1].append(near.counts)
        belief[0].append(told)
        belief[1].append(hit)


def fitted(told: Sequence[Floats | Doubles], true: Iterable[bool]) -> tuple[Doubles, Doubles]:
    """Return the weights of a logistic regression and the chances they give."""
    inputs, wanted = np.stack(told).astype(float), np.array(list(true), float)
    weights = np.zeros(inputs.shape[1])
    for _ in range(80):
        chance = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        slope = inputs.T @ (chance - wanted) + _PULL * weights
        bend = (inputs * (chance * (1 - chance))[:, None]).T @ inputs + _PULL * np.eye(len(weights))
        weights -= np.linalg.solve(bend, slope)
    return weights, 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))


_PULL = 0.01


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the weights."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--first", type=int, default=0, help="skip so many seeds")
    given = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    belief: Told = ([], [])
    floor: Told = ([], [])
    hole: Told = ([], [])
    for seed in range(FIRST + given.first, FIRST + given.first + given.count):
        if seed % 5 < 4:  # as in bench_cubes, where the fifth is an easy one
            level = "hard" if seed % 5 < 2 else "medium"
            learn(shot(seed, level=level, unseen=bool(seed % 2)), belief, floor, hole)
    report(belief, floor, hole)


def report(belief: Told, floor: Told, hole: Told) -> None:
    """Print the weights and their errors."""
    for name, (told, true) in (("_BELIEF", belief), ("_FLOOR", floor), ("_HOLE", hole)):
        weights, chance = fitted(told, true)
        wrong = (chance > 0.5) != np.array(true)
        words = ", ".join(f"{weight:.3f}" for weight in weights)
        print(f"{name} = ({words})  # {wrong.sum()} of {len(true)} wrong, {sum(true)} are so")


if __name__ == "__main__":
    main()
