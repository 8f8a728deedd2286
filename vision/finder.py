"""Where upper faces of dice may lie in a picture, and how large they are."""

import functools
from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Floats, Image
from vision.networks import batch, run

LONGEST_PX, LEAST_PX = 576, 416
"""Longest side of the picture that is searched: of a large one, and of one that is small itself."""

STRIDE = 4
"""Pixels of the searched picture to a cell of what the network says."""

_MULTIPLE = 16
_SMALL_PART = 0.7
_LEAST_HEAT = 0.18
_MOST_FOUND = 64
_APART = 0.5
"""Of two places nearer than so many sides only the likelier one is a face."""


@dataclass(frozen=True, slots=True)
class Found:
    """Places of faces, likely first: ``centres`` (n, 2) px, ``sides`` (n,) px, ``heat`` (n,) 0..1."""

    centres: Floats
    sides: Floats
    heat: Floats

    def __len__(self) -> int:
        return len(self.heat)


def find(image: Image) -> Found:
    """Find what may be the upper faces of dice in a BGR picture of any size."""
    longest = max(image.shape[:2])
    scale = min(LONGEST_PX, max(LEAST_PX, _SMALL_PART * longest)) / longest
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    height, width = (max(1, round(side * scale)) for side in image.shape[:2])
    small = cv2.resize(image, (width, height), interpolation=way)
    below, right = -height % _MULTIPLE, -width % _MULTIPLE
    padded = cv2.copyMakeBorder(small, 0, below, 0, right, cv2.BORDER_REPLICATE)
    told = run("finder", batch([np.asarray(padded, np.uint8)]))[0]
    return _peaks(told, np.array((image.shape[1] / width, image.shape[0] / height), np.float32))


def _peaks(told: Floats, scale: Floats) -> Found:
    """Turn the network's maps into places, in px of the picture that is ``scale`` times as large."""
    heat = 1 / (1 + np.exp(-told[0]))
    highest = cv2.dilate(heat, np.ones((3, 3), np.uint8))
    rows, columns = np.nonzero((heat >= highest) & (heat > _LEAST_HEAT))
    order = np.argsort(-heat[rows, columns])[: 2 * _MOST_FOUND]
    rows, columns = rows[order], columns[order]
    offset = np.clip(told[2:4, rows, columns], -2, 2)
    cells = (np.stack((columns + offset[0], rows + offset[1]), axis=1) + 0.5).astype(np.float32)
    sides = np.exp(np.clip(told[1, rows, columns], 0, 6)) * STRIDE
    kept = _likeliest(cells * STRIDE, sides)
    centres = (cells[kept] * STRIDE * scale).astype(np.float32)
    return Found(centres, (sides[kept] * scale.mean()).astype(np.float32), heat[rows, columns][kept])


def _likeliest(centres: Floats, sides: Floats) -> list[int]:
    kept: list[int] = []
    for n, centre in enumerate(centres):
        near = (np.linalg.norm(centre - centres[k]) < _APART * max(sides[n], sides[k]) for k in kept)
        if not functools.reduce(lambda a, b: a or bool(b), near, False):
            kept.append(n)
    return kept[:_MOST_FOUND]
