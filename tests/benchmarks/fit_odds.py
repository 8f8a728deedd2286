"""Fit what vision/odds.py believes of the networks' numbers, on pictures that they were not trained on.

``python tests/benchmarks/fit_odds.py FOLDER ...`` with folders made by ``python -m
calibration.training.trace``, ``--seed 900000`` and ``--weak --seed 1650000``, and on tables without dice
(``--lookalikes``). Every picture is read as it is and as a poorer camera would have taken it. With
``--photos DIR --fold REPOSITORY=WEIGHTS ...`` also on the photographs of each repository as weights read
them that were trained without it (``train --without``); photographs of the held out repositories are never
used.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path

import cv2
import numpy as np

from calibration.training import pictures
from calibration.training.augment import disturbed
from calibration.training.pictures import LabelledDie, Picture
from vision import networks
from vision.faceheads import COLOURS, SYMBOLS
from vision.frames import Frame
from vision.naming import meaning
from vision.places import Places, survey

_FIRST_TABLE = 1900
"""In thousands of seeds."""

_NEAR_SIDES = 0.35
_SEEN = 0.6


def logit(p: np.ndarray) -> np.ndarray:
    p = np.clip(p, 1e-6, 1 - 1e-6)
    return np.log(p / (1 - p))


def surveys(found: Iterable[Picture], seed: int) -> Iterator[tuple[Picture, Places]]:
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


def regression(
    features: np.ndarray, hits: np.ndarray, shares: np.ndarray, steps: int = 40, ridge: float = 1e-2
) -> np.ndarray:
    """Logistic regression by Newton's method: features (n, k) without intercept -> (k + 1,).

    ``shares`` (n,): how much each row counts.
    """
    rows = np.column_stack((np.ones(len(features)), features))
    weights = np.zeros(rows.shape[1])
    for _ in range(steps):
        p = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (shares * (hits - p)) - ridge * weights
        bend = (rows * (shares * p * (1 - p) + 1e-9)[:, None]).T @ rows + ridge * np.eye(len(weights))
        weights = weights + np.linalg.solve(bend, slope)
    return weights


def photographed(photos: Path, folds: Sequence[tuple[str, Path]]) -> Iterator[tuple[Picture, Places]]:
    """Read each repository's photographs with the weights that were trained without it."""
    own = networks.WEIGHTS
    for repo, weights in folds:
        networks.WEIGHTS = weights
        for picture in pictures.photographs(photos, [repo], pictures.TRAINED_ON):
            yield picture, survey(Frame(picture.levels[0], 0.0, picture.name))
    networks.WEIGHTS = own


@dataclass
class Collected:
    """``places`` (n, k): features; ``dice`` (n,): are they? ``faces`` (m, 1): logits; ``right`` (m,)."""

    places: list[np.ndarray] = field(default_factory=list)
    dice: list[bool] = field(default_factory=list)
    faces: list[np.ndarray] = field(default_factory=list)
    right: list[bool] = field(default_factory=list)

    def take(self, picture: Picture, found: Places) -> None:
        for n in range(len(found.chances)):
            die = truth(found.looks.corners[n], picture.dice)
            if die is not None and die.visible < _SEEN:
                continue
            self.places.append(found.features[n])
            self.dice.append(die is not None)
            if die is None:
                continue
            said = meaning(found.looks.symbols[n], found.looks.colours[n], float(found.looks.white[n]))
            symbol = SYMBOLS[die.symbol]
            if symbol == "fingerprint":
                kind, face = "fingerprint", COLOURS[die.colour]
            else:
                kind, face = ("teatime", "glass") if symbol == "glass" else ("white", symbol[-1])
            chosen = max(said.faces[kind], key=said.faces[kind].__getitem__)
            self.faces.append(logit(np.array([said.faces[kind][chosen]])))
            self.right.append(chosen == face)


def reliability(name: str, said: np.ndarray, hits: np.ndarray) -> None:
    print(f"{name:24}{'n':>7}{'said':>8}{'is':>8}")
    for low, high in ((0, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 0.999), (0.999, 1.01)):
        inside = (said >= low) & (said < high)
        if inside.any():
            share = f"{said[inside].mean():8.4f}{hits[inside].mean():8.4f}"
            print(f"  {low:5.3f} to {high:5.3f}      {inside.sum():7}{share}")


def fold(text: str) -> tuple[str, Path]:
    repo, _, weights = text.partition("=")
    return repo, Path(weights)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--photos", type=Path, help="folder with labels.json and the photographs")
    parser.add_argument("--fold", type=fold, nargs="*", default=[], metavar="REPOSITORY=WEIGHTS")
    parser.add_argument("--lookalikes", type=int, default=60, help="how many tables without dice")
    parser.add_argument("--share", type=float, default=0.3, help="how much the photographs count, 0 to 1")
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    cv2.setNumThreads(1)
    traced, real = Collected(), Collected()
    drawn = (one for folder in args.folders for one in pictures.renders(folder))
    without = pictures.mistakable(args.lookalikes, _FIRST_TABLE)
    for picture, found in surveys(chain(drawn, without), args.seed):
        traced.take(picture, found)
    for picture, found in photographed(args.photos, args.fold):
        real.take(picture, found)
    parts = [(traced, 1 - args.share), (real, args.share)] if args.fold else [(traced, 1.0)]
    for name, seen, hit in (("_DIE", "places", "dice"), ("_TRUST", "faces", "right")):
        rows = [(np.array(getattr(one, seen)), np.array(getattr(one, hit))) for one, _ in parts]
        total = sum(len(hits) for _, hits in rows)
        each = [
            np.full(len(hits), share * total / len(hits))
            for (_, hits), (_, share) in zip(rows, parts, strict=True)
        ]
        weights = regression(*(np.concatenate(part) for part in (*zip(*rows, strict=True), each)))
        print(f"{name} = ({', '.join(f'{w:.3f}' for w in weights)})")
        for where, (told, hits) in zip(("traced", "photographs"), rows, strict=False):
            p = 1 / (1 + np.exp(-(weights[0] + told @ weights[1:])))
            reliability(f"{name}, {where}", p, hits)


if __name__ == "__main__":
    main()
