"""Where upper faces of dice may lie in a picture, and how large they are."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Floats, Image
from vision.halving import halved
from vision.networks import batch, run

LONGEST_PX, LEAST_PX = 576, 416
"""Longest side of the picture that is searched: of a large one, and of one that is small itself."""

STRIDE = 4
"""Pixels of the searched picture to a cell of what the network says."""

_MULTIPLE = 16
_SMALL_PART = 0.7
_HALVED = 0.64
"""A picture that is to shrink by more is halved first, as pictures were in training."""

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
    width, height = _searched_size(image)
    told = run("finder", batch([searched(image)]))[0]
    return _peaks(told, np.array((image.shape[1] / width, image.shape[0] / height), np.float32))


def searched(image: Image) -> Image:
    """Return the picture as the network takes it: smaller, its sides multiples of 16."""
    width, height = _searched_size(image)
    small = image
    while width < _HALVED * small.shape[1]:
        small = halved(small)
    fitted = cv2.resize(small, (width, height), interpolation=cv2.INTER_LINEAR)
    below, right = -height % _MULTIPLE, -width % _MULTIPLE
    return np.asarray(cv2.copyMakeBorder(fitted, 0, below, 0, right, cv2.BORDER_REPLICATE), np.uint8)


def _searched_size(image: Image) -> tuple[int, int]:
    """Return width and height of the picture that is searched, without what is added at its borders."""
    longest = max(image.shape[:2])
    scale = min(LONGEST_PX, max(LEAST_PX, _SMALL_PART * longest)) / longest
    return max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale))


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
    """Return which places, likely first, do not lie on a likelier one."""
    away = np.linalg.norm(centres[:, None] - centres[None], axis=2)
    near = away < _APART * np.maximum(sides[:, None], sides[None])
    kept: list[int] = []
    for n in range(len(centres)):
        if not near[n, kept].any():
            kept.append(n)
    return kept[:_MOST_FOUND]
