"""What each place in a picture looks like to the network that reads faces."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate, pairwise
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.bodycolour import LIMIT, colourfulness
from vision.faceheads import EMBEDDING, WIDTHS
from vision.frames import Floats, Image, floats
from vision.halving import halved
from vision.networks import batch, run
from vision.onelamp import UNSEEN, body_light
from vision.softness import edge_width

CROP_PX = 64
CROP_SIDES = 2.0
"""Width of a crop in sides of the face."""

_NOTHING = 0.98
"""Of a place that is so surely no die neither tint, light nor blur is measured: that would take time."""


@dataclass(frozen=True, slots=True)
class Looks:
    """What was seen at n places, in probabilities.

    ``symbols`` (n, 15), ``colours`` (n, 6), ``white`` (n,), ``states`` (n, 5): see vision.faceheads;
    ``tint`` (n,): how colourful the bodies are, see vision.bodycolour; ``light`` (n, 3): of which colour,
    see vision.onelamp; ``blur`` (n,): how wide edges are, in sides, see vision.softness;
    ``corners`` (n, 4, 2) px in the picture; ``embeddings`` (n, 64) unit vectors.
    """

    symbols: Floats
    colours: Floats
    white: Floats
    tint: Floats
    light: Floats
    blur: Floats
    states: Floats
    corners: Floats
    embeddings: Floats

    @property
    def sides(self) -> Floats:
        """(n,) px: the geometric mean side of each outline."""
        return mean_sides(self.corners)

    def take(self, order: NDArray[np.intp]) -> Self:
        """Return some of the places, in this order."""
        return replace(self, **{f.name: getattr(self, f.name)[order] for f in fields(self)})


def look(image: Image, centres: Floats, sides: Floats) -> Looks:
    """Look at places (n, 2) px where faces of these sides (n,) px may lie."""
    count = len(sides)
    seen = crops(image, centres, sides)
    told = run("face", batch(seen)) if count else np.zeros((0, EMBEDDING + sum(WIDTHS)), np.float32)
    at = [EMBEDDING, *accumulate(WIDTHS, initial=EMBEDDING)][1:]
    symbols, colours, white, states, shapes = (told[:, a:b] for a, b in pairwise(at))
    corners = corners_of(shapes, centres, sides)
    scales = (CROP_PX / CROP_SIDES / np.maximum(sides, 1e-3))[:, None, None]
    local = (corners - centres[:, None]) * scales + CROP_PX / 2
    length = np.linalg.norm(told[:, :EMBEDDING], axis=1, keepdims=True)
    named = _softmax(symbols)
    bodies = list(zip(seen, local, named[:, 0] < _NOTHING, strict=True))
    return Looks(
        symbols=named,
        colours=_softmax(colours),
        white=(1 / (1 + np.exp(-white[:, 0]))).astype(np.float32),
        tint=floats([colourfulness(*one) if body else LIMIT for *one, body in bodies]),
        light=floats([body_light(*one) if body else UNSEEN for *one, body in bodies]).reshape(-1, 3),
        blur=floats([edge_width(one[0], CROP_PX / CROP_SIDES) if body else 0.0 for *one, body in bodies]),
        states=_softmax(states),
        corners=corners,
        embeddings=told[:, :EMBEDDING] / np.maximum(length, 1e-6),
    )


def crops(image: Image, centres: Floats, sides: Floats) -> list[Image]:
    """Cut places (n, 2) px out as the network takes them, the faces of these sides (n,) px alike large."""
    levels = _levels(image, sides)
    return [_crop(levels, centre, side) for centre, side in zip(centres, sides, strict=True)]


def edges(corners: Floats) -> tuple[Floats, Floats]:
    """Return the two sides of outlines (n, 4, 2) as vectors (n, 2), each the mean of opposite ones."""
    first = (corners[:, 1] + corners[:, 2] - corners[:, 0] - corners[:, 3]) / 2
    second = (corners[:, 2] + corners[:, 3] - corners[:, 0] - corners[:, 1]) / 2
    return floats(first), floats(second)


def mean_sides(corners: Floats) -> Floats:
    """Return (n,) px: the geometric mean side of outlines (n, 4, 2)."""
    first, second = edges(corners)
    area = np.abs(first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0])
    return np.asarray(np.sqrt(np.maximum(area, 1e-6)), np.float32)


def _levels(image: Image, sides: Floats) -> list[Image]:
    """Return the picture, its half, quarter ... as far as faces of these sides need them."""
    levels = [image]
    largest = float(sides.max()) if len(sides) else 0.0
    for _ in range(max(0, math.floor(math.log2(max(largest * CROP_SIDES / CROP_PX, 1)) + 0.35))):
        if min(levels[-1].shape[:2]) < 4:
            break
        levels.append(halved(levels[-1]))
    return levels


def _crop(levels: Sequence[Image], centre: Floats, side: float) -> Image:
    scale = CROP_PX / CROP_SIDES / float(side)
    level = min(max(0, math.floor(-math.log2(scale) + 0.35)), len(levels) - 1)
    image = levels[level]
    down = np.array((image.shape[1], image.shape[0]), np.float32) / (levels[0].shape[1], levels[0].shape[0])
    grow = scale / down
    move = CROP_PX / 2 - centre * scale
    warp = np.array(((grow[0], 0, move[0]), (0, grow[1], move[1])), np.float32)
    crop = cv2.warpAffine(
        image, warp, (CROP_PX, CROP_PX), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    return np.asarray(crop, np.uint8)


def corners_of(shapes: Floats, centres: Floats, sides: Floats) -> Floats:
    """Solve for the half axes: their squares are the roots of ``z*z - total*z + product``."""
    total = shapes[:, 2] + 1j * shapes[:, 3]
    spread = np.sqrt(total**2 / 4 - (shapes[:, 4] + 1j * shapes[:, 5]))
    p, q = np.sqrt(total / 2 + spread), np.sqrt(total / 2 - spread)
    flip = (p.conj() * q).imag < 0
    q = np.where(flip, -q, q)
    middle = centres[:, 0] + 1j * centres[:, 1] + (shapes[:, 0] + 1j * shapes[:, 1]) * sides
    around = [middle + (a * p + b * q) / 2 * sides for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    points = np.stack(around, axis=1)
    corners: Floats = np.stack((points.real, points.imag), axis=2).astype(np.float32)
    return corners


def _softmax(logits: Floats) -> Floats:
    grown = np.exp(logits - logits.max(axis=1, keepdims=True)) if logits.size else logits
    total = grown.sum(axis=1, keepdims=True)
    return np.asarray(grown / np.maximum(total, 1e-9), np.float32)
