"""Fit what vision/odds.py believes of the networks' numbers, on traced pictures they were not trained on.

``python tests/benchmarks/fit_odds.py FOLDER ...`` with folders made by ``python -m
calibration.training.trace``, ``--seed 900000`` and ``--weak --seed 1650000``. Every picture is read as it
is and as a poorer camera would have taken it. No photograph is used, so that the figures
on photographs are of pictures that nothing was fitted on.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from calibration.training import pictures
from calibration.training.augment import disturbed
from calibration.training.pictures import LabelledDie, Picture
from vision.dice import Places, survey
from vision.faceheads import COLOURS, SYMBOLS
from vision.frames import Frame
from vision.naming import meaning

_NEAR_SIDES = 0.35
_SEEN = 0.6


def logit(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def surveys(found: Sequence[Picture], seed: int) -> Iterator[tuple[Picture, Places]]:
    rng = np.random.default_rng(seed)
    for picture in found:
        hue = not any(d.symbol == SYMBOLS.index("fingerprint") for d in picture.dice)
        for image in (picture.levels[0], disturbed(picture.levels[0], rng, blur_px=3.0, hue=hue)[0]):
            yield picture, survey(Frame(image, 0.0, picture.name))


def truth(place: np.ndarray, dice: Sequence[LabelledDie]) -> LabelledDie | None:
    """The die whose upper face has this outline (4, 2)."""
    middle = place.mean(axis=0)
    near = min(dice, key=lambda d: float(np.linalg.norm(d.centre - middle)), default=None)
    return near if near and np.linalg.norm(near.centre - middle) < _NEAR_SIDES * near.side else None


def regression(features: np.ndarray, hits: np.ndarray, steps: int = 40, ridge: float = 1e-2) -> np.ndarray:
    """Logistic regression by Newton's method: features (n, k) without intercept -> (k + 1,)."""
    rows = np.column_stack((np.ones(len(features)), features))
    weights = np.zeros(rows.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (hits - p) - ridge * weights
        bend = (rows * (p * (1 - p) + 1e-9)[:, None]).T @ rows + ridge * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def collect(folders: Sequence[Path], seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return places' features (n, 2) and whether they are dice; faces' logits (m, 1) and whether right."""
    places, dice, faces, right = [], [], [], []
    for picture, found in surveys([one for folder in folders for one in pictures.renders(folder)], seed):
        for n in range(len(found.chances)):
            die = truth(found.looks.corners[n], picture.dice)
            if die is not None and die.visible < _SEEN:
                continue
            places.append(found.features[n])
            dice.append(die is not None)
            if die is None:
                continue
            said = meaning(found.looks.symbols[n], found.looks.colours[n], float(found.looks.white[n]))
            symbol = SYMBOLS[die.symbol]
            if symbol == "fingerprint":
                kind, face = "fingerprint", COLOURS[die.colour]
            else:
                kind, face = ("teatime", "glass") if symbol == "glass" else ("white", symbol[-1])
            chosen = max(said.faces[kind], key=said.faces[kind].__getitem__)
            faces.append(said.faces[kind][chosen])
            right.append(chosen == face)
    return np.array(places), np.array(dice), logit(np.array(faces))[:, None], np.array(right)


def reliability(name: str, said: np.ndarray, hits: np.ndarray) -> None:
    print(f"{name:24}{'n':>7}{'said':>8}{'is':>8}")
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 0.999), (0.999, 1.01)):
        inside = (said >= low) & (said < high)
        if inside.any():
            share = f"{said[inside].mean():8.4f}{hits[inside].mean():8.4f}"
            print(f"  {low:5.3f} to {high:5.3f}      {inside.sum():7}{share}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    places, dice, faces, right = collect(args.folders, args.seed)
    for name, features, hits in (("_DIE", places, dice), ("_TRUST", faces, right)):
        weights = regression(features, hits)
        print(f"{name} = ({', '.join(f'{w:.3f}' for w in weights)})")
        p = 1 / (1 + np.exp(-(weights[0] + features @ weights[1:])))
        reliability(name, p, hits)


if __name__ == "__main__":
    main()
