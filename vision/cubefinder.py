"""Where wooden cubes may lie in a picture, of what colour, and where the floor's hole is."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import cubeheads as heads
from vision.frames import Floats, Image, floats
from vision.networks import batch, run

SEARCHED_PX = 768
"""Longest side of the picture that is searched, unless the size of cubes is known."""

BEST_PX = 21.0
"""The side of a cube in the searched picture at which the network reads best."""

_LEAST_PX, _MOST_PX = 256, 1280
_MULTIPLE = 16
_LEAST_HEAT = 0.15
_MOST_FOUND = 96
_APART = 0.5
"""Of two places nearer than so many sides only the likelier one is a cube."""

_HAND = 0.5


@dataclass(frozen=True, slots=True)
class Hole:
    """The hole of the exposed floor: middle and side in px, ``chance`` 0..1 that it is one."""

    x: float
    y: float
    side: float
    chance: float


@dataclass(frozen=True, slots=True)
class Places:
    """What one look at a picture found, likely first.

    ``centres`` (n, 2) px, ``sides`` (n,) px, ``heat`` (n,) 0..1, ``colours`` (n, 7) probabilities in the
    order of `vision.cubeheads.COLOURS`, ``floor`` (n,) 0..1 that it lies on the floor with the hole.
    ``hand`` (h / 4, w / 4) of the searched picture: where a hand is seen; ``scale``: px of it for a px.
    """

    centres: Floats
    sides: Floats
    heat: Floats
    colours: Floats
    floor: Floats
    hole: Hole | None
    hand: NDArray[np.bool_]
    scale: float

    def __len__(self) -> int:
        return len(self.heat)


def usual_scale(image: Image, cube_px: float | None = None) -> float:
    """Return by what factor to search a picture; ``cube_px``: the side of a cube in it, if known."""
    longest = int(max(image.shape[:2]))
    wanted = BEST_PX / cube_px if cube_px else SEARCHED_PX / longest
    return min(max(wanted, _LEAST_PX / longest), _MOST_PX / longest, 2.0)


def find(image: Image, scale: float) -> Places:
    """Find what may be cubes in a BGR picture, searched at ``scale`` times its size."""
    height, width = (max(_MULTIPLE, round(side * scale)) for side in image.shape[:2])
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    small = cv2.resize(image, (width, height), interpolation=way) if scale != 1 else image
    below, right = -height % _MULTIPLE, -width % _MULTIPLE
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    told = run("cubes", batch([np.asarray(padded, np.uint8)]))[0]
    grow = floats((image.shape[1] / width, image.shape[0] / height))
    rows, columns = _peaks(_chance(told[heads.HEAT]), _LEAST_HEAT)
    centres, sides = _placed(told, rows, columns, heads.SIDE, heads.PLACE)
    heat = _chance(told[heads.HEAT, rows, columns])
    kept = _likeliest(centres, sides)
    named = told[heads.COLOUR : heads.COLOUR + len(heads.COLOURS), rows, columns].T
    return Places(
        centres=floats(centres * grow)[kept],
        sides=floats(sides * grow.mean())[kept],
        heat=heat[kept],
        colours=_softmax(named)[kept],
        floor=_chance(told[heads.FLOOR, rows, columns])[kept],
        hole=_hole(told, grow),
        hand=np.asarray(_chance(told[heads.HAND]) > _HAND),
        scale=scale,
    )


def _hole(told: Floats, grow: Floats) -> Hole | None:
    chances = _chance(told[heads.HOLE])
    row, column = np.unravel_index(int(chances.argmax()), chances.shape)
    if chances[row, column] < _LEAST_HEAT:
        return None
    side = float(np.exp(np.clip(told[heads.HOLE_SIDE, row, column], 0, 6))) * heads.STRIDE
    x, y = floats((column + 0.5, row + 0.5)) * heads.STRIDE * grow
    return Hole(float(x), float(y), side * float(grow.mean()), float(chances[row, column]))


def _peaks(heat: Floats, least: float) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > least))
    order = np.argsort(-heat[rows, columns])[: 2 * _MOST_FOUND]
    return rows[order], columns[order]


def _placed(
    told: Floats, rows: NDArray[np.intp], columns: NDArray[np.intp], side: int, place: int
) -> tuple[Floats, Floats]:
    """Return middles (n, 2) and sides (n,) in px of the searched picture."""
    offset = np.clip(told[place : place + 2, rows, columns], -2, 2)
    cells = np.stack((columns + offset[0], rows + offset[1]), axis=1) + 0.5
    sides = np.exp(np.clip(told[side, rows, columns], 0, 6))
    return floats(cells * heads.STRIDE), floats(sides * heads.STRIDE)


def _likeliest(centres: Floats, sides: Floats) -> list[int]:
    kept: list[int] = []
    for n, centre in enumerate(centres):
        near = (np.linalg.norm(centre - centres[k]) < _APART * min(sides[n], sides[k]) for k in kept)
        if not any(near):
            kept.append(n)
    return kept[:_MOST_FOUND]


def _chance(logits: Floats) -> Floats:
    return floats(1 / (1 + np.exp(-np.clip(logits, -30, 30))))


def _softmax(logits: Floats) -> Floats:
    grown = np.exp(logits - logits.max(axis=1, keepdims=True)) if logits.size else logits
    return floats(grown / np.maximum(grown.sum(axis=1, keepdims=True), 1e-9))
