"""The colour of each cube, by its own pixels beside what lies around it and what else lies in the picture.

A small network of two layers over logarithms of light, in numpy: a lamp's colour and level are differences
there, and cubes of one picture, which stand under one lamp, are judged among each other.
"""

import functools
from pathlib import Path

import numpy as np

from vision.cubeheads import COLOURS
from vision.frames import Floats, Image, floats
from vision.networks import WEIGHTS, WeightsError

FEATURES = 56
"""Numbers told of each cube, see `features`."""

_INNER, _RING = 0.3, (0.85, 1.35)
"""The part of a cube's side that is surely its own, and where its surroundings lie, in sides."""

_DARK = 6.0


def colours(image: Image, centres: Floats, sides: Floats, *, weights: Path = WEIGHTS) -> Floats:
    """Return (n, 7) probabilities in the order of COLOURS, of cubes in a picture. Raises WeightsError."""
    if not len(sides):
        return np.zeros((0, len(COLOURS)), np.float32)
    layers = _layers(weights / "cubecolour.npz")
    told = features(image, centres, sides)
    for number in range(len(layers) // 2):
        told = told @ layers[2 * number] + layers[2 * number + 1]
        if number < len(layers) // 2 - 1:
            told = np.maximum(told, 0)
    grown = np.exp(told - told.max(axis=1, keepdims=True))
    return floats(grown / grown.sum(axis=1, keepdims=True))


def features(image: Image, centres: Floats, sides: Floats) -> Floats:
    """Return (n, FEATURES) of cubes with these centres (n, 2) and sides (n,) px: logarithms of B, G, R.

    Of its own: median, lower and upper quartile; of its surroundings: the same; of the picture: median and
    what is dark and bright in it; of all cubes in it: the darkest, the middle, the brightest; then its own
    chroma, its contrast to its surroundings, and how dark it is beside the darkest and brightest cube; its
    level beside those of the others; the lid as it is around all cubes, and how much less light falls here.
    """
    small = image[:: max(1, image.shape[0] // 96), :: max(1, image.shape[1] // 96)].reshape(-1, 3)
    scene = np.quantile(_log(small), (0.02, 0.5, 0.97), axis=0).ravel()
    rows = [_own(image, centre, float(side)) for centre, side in zip(centres, sides, strict=True)]
    own = floats(np.stack(rows))
    middles = own[:, :3]
    among = np.concatenate((middles.min(axis=0), np.median(middles, axis=0), middles.max(axis=0)))
    shared = np.broadcast_to(np.concatenate((scene, among)), (len(own), len(scene) + len(among)))
    chroma = middles - middles.mean(axis=1, keepdims=True)
    beside = middles - own[:, 9:12]
    level = middles.mean(axis=1, keepdims=True)
    levels = [part.mean() for part in (among[:3], among[6:], scene[3:6], scene[6:])]
    others = _beside_others(level[:, 0])
    lid = np.median(own[:, 15:18], axis=0)  # the upper quartiles: lid out of the shadows
    here = own[:, 15:18].mean(axis=1, keepdims=True) - lid.mean()
    lids = np.concatenate((np.broadcast_to(lid, (len(own), 3)), here, level - lid.mean() - here), axis=1)
    steep = own[:, 6:7] - own[:, 3:4]
    warm = chroma[:, :1] - chroma[:, 2:]
    return floats(
        np.concatenate((own, shared, chroma, beside, level - levels, steep, warm, others, lids), axis=1)
    )


def _beside_others(level: Floats) -> Floats:
    """Return (n, 3): above the darkest other, below the brightest other (0 if there is none), how many."""
    told = np.zeros((len(level), 3), np.float32)
    for n, own in enumerate(level):
        rest = np.delete(level, n)
        if len(rest):
            told[n] = own - rest.min(), own - rest.max(), min(len(rest), 8) / 8
    return told


def _log(pixels: Image) -> Floats:
    return floats(np.log(pixels.astype(np.float32) + _DARK))


def _own(image: Image, centre: Floats, side: float) -> Floats:
    """Return 18 numbers of one cube: quartiles of its own pixels and of those around it."""
    reach = max(2, round(_RING[1] * side))
    x, y = round(float(centre[0])), round(float(centre[1]))
    top, left = max(y - reach, 0), max(x - reach, 0)
    patch = image[top : y + reach + 1, left : x + reach + 1]
    if not patch.size:
        return np.zeros(18, np.float32)
    rows, columns = np.indices(patch.shape[:2])
    away = np.hypot(columns + left - x, rows + top - y) / max(side, 1.0)
    inner = patch[away <= max(_INNER, 0.9 / max(side, 1.0))]
    ring = patch[(away >= _RING[0]) & (away <= _RING[1])]
    inner, ring = (part if len(part) else patch.reshape(-1, 3) for part in (inner, ring))
    parts = [np.quantile(_log(part), (0.5, 0.25, 0.75), axis=0).ravel() for part in (inner, ring)]
    return floats(np.concatenate(parts))


@functools.cache
def _layers(file: Path) -> tuple[Floats, ...]:
    try:
        with np.load(file) as kept:
            return tuple(floats(kept[name]) for name in sorted(kept.files))
    except (OSError, ValueError, KeyError) as error:
        raise WeightsError(
            f"{file} is missing or damaged, so cubes cannot be counted. Get the companion again; "
            "until then enter them by hand."
        ) from error
