"""The colours of fingerprint dice, which lie together under one lamp: a second opinion on them.

A lamp's colour and level shift all dice of a picture alike. So a brown die among a red and a yellow one is
told from a yellow die in the dark, which no die tells by itself. Pure.

Source: log light of a body = what dice of that colour have + the lamp + the die's own, all normal; the
lamp is integrated out over a fixed lattice. tests/benchmarks/fit_onelamp.py fits it on traced trays.
"""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faceheads import COLOURS
from vision.frames import Floats, Image, floats, quantiles

_INNER: Final = 0.88
_FLOOR: Final = 0.05
"""Light that reaches the camera from everywhere, beside the white of the picture."""

_FEWEST_PX: Final = 12
_AROUND: Final = 2.0
_ACROSS_PX: Final = 160
_FEWEST_GROUND: Final = 50
"""The surface is what lies outside of dice that are so much enlarged, looked at so coarsely."""

UNSEEN: Final = (float("nan"),) * 3
"""The light of a body of which too little is seen."""

_MIDDLES: Final = np.array(
    [
        [-1.4799, -1.0712, -1.6197],
        [-0.6577, -1.6703, -1.7302],
        [-0.3734, -0.6437, -1.7626],
        [-1.5233, -1.398, -1.0395],
        [-1.2036, -1.4908, -1.6339],
        [-1.1365, -1.5249, -1.2448],
    ]
)
"""(6, 3): log light in R, G, B of dice of each colour of vision.faceheads, under the usual lamp."""

_SPREADS: Final = np.array(
    [
        [[0.2057, 0.0736, 0.1535], [0.0736, 0.1505, 0.0746], [0.1535, 0.0746, 0.1791]],
        [[0.1029, -0.019, -0.0139], [-0.019, 0.1585, 0.1389], [-0.0139, 0.1389, 0.1495]],
        [[0.1519, 0.1328, 0.0324], [0.1328, 0.1558, 0.0482], [0.0324, 0.0482, 0.1649]],
        [[0.2104, 0.1463, 0.0511], [0.1463, 0.1548, 0.0764], [0.0511, 0.0764, 0.1467]],
        [[0.0812, 0.0727, 0.069], [0.0727, 0.1023, 0.0933], [0.069, 0.0933, 0.1127]],
        [[0.1105, 0.0578, 0.0776], [0.0578, 0.1113, 0.0445], [0.0776, 0.0445, 0.098]],
    ]
)
"""(6, 3, 3): how much dice of one colour differ: makers, paint, shade."""

_SHADES: Final = np.array(
    [
        [[0.1016, 0.0678, 0.0856], [0.0678, 0.0602, 0.0563], [0.0856, 0.0563, 0.0929]],
        [[0.0307, 0.0226, 0.0223], [0.0226, 0.0771, 0.0715], [0.0223, 0.0715, 0.0757]],
        [[0.0102, 0.0055, 0.0083], [0.0055, 0.0133, 0.0163], [0.0083, 0.0163, 0.0929]],
        [[0.1028, 0.0882, 0.0563], [0.0882, 0.0852, 0.0515], [0.0563, 0.0515, 0.0459]],
        [[0.0246, 0.0229, 0.0209], [0.0229, 0.0315, 0.0266], [0.0209, 0.0266, 0.0305]],
        [[0.0356, 0.0368, 0.0256], [0.0368, 0.0558, 0.0306], [0.0256, 0.0306, 0.0354]],
    ]
)
"""(6, 3, 3): how much dice of one colour and one set differ."""

_LAMPS: Final = np.array([[0.3812, 0.4028, 0.3934], [0.4028, 0.4336, 0.4292], [0.3934, 0.4292, 0.4308]])
"""(3, 3): how much lamps and exposures differ."""

_BELIEF, _BELIEF_SHOWN = (0.6, 0.8), (1.0, 0.8)
"""How far the network and the light are believed, which both saw the same pixels; where dice were shown,
their likeness and the light. Chosen on traced and drawn trays."""

_HEAVY: Final = 5.0
"""Degrees of freedom: a die in a glare is far off more often than a normal one would be."""

_DECISIVE: Final = 2.0
"""More than this unlikeness never says: a glare changes a die, too."""

_MOST, _CHOICES = 8, 3
"""Dice judged for likeness, and colours tried of each: 3 to the 8th ways take a few milliseconds."""

_TWINS: Final = (COLOURS.index("brown"), COLOURS.index("purple"))
_BELIEVED: Final = 0.9
"""By a candle purple is what brown is by day, and no picture tells: who has not shown the dice is asked."""

_STRAY: Final = 0.3
"""How often dice of one colour look unlike for another reason."""

_LEAST: Final = 1e-4
_LATTICE: Final = 11


def body_light(crop: Image, corners: Floats) -> tuple[float, float, float]:
    """Return log light in R, G, B of the face with these corners (4, 2) px; `UNSEEN` if it is too small.

    Most of a face is body, so its median is the body's.
    """
    middle = corners.mean(axis=0)
    inside = np.zeros(crop.shape[:2], np.uint8)
    cv2.fillConvexPoly(inside, np.round(middle + (corners - middle) * _INNER).astype(np.int32), (1,))
    pixels = crop[inside > 0]
    if len(pixels) < _FEWEST_PX:
        return UNSEEN
    blue, green, red = quantiles(pixels, 0.5)[0] / 255
    return _log_light((red, green, blue))


def ground_light(image: Image, outlines: Sequence[Floats]) -> tuple[float, float, float]:
    """Return log light in R, G, B of the surface on which dice with these outlines (4, 2) px lie.

    The median of what is free of dice; `UNSEEN` if too little is.
    """
    step = max(1, image.shape[1] // _ACROSS_PX)
    coarse = image[::step, ::step]
    free = np.ones(coarse.shape[:2], np.uint8)
    for outline in outlines:
        middle = outline.mean(axis=0)
        wide = np.round((middle + (outline - middle) * _AROUND) / step).astype(np.int32)
        cv2.fillConvexPoly(free, wide, (0,))
    pixels = coarse[free > 0]
    if len(pixels) < _FEWEST_GROUND:
        return UNSEEN
    blue, green, red = quantiles(pixels, 0.5)[0] / 255
    return _log_light((red, green, blue))


def body_lights(image: Image, outlines: Sequence[Floats]) -> Floats:
    """Return (n, 3): `body_light` of the dice with these outlines (4, 2) px."""
    return floats([_in_reach(image, np.asarray(o, np.float32)) for o in outlines]).reshape(-1, 3)


def linear_of(light: Floats) -> NDArray[np.float64]:
    """Return linear light 0..1 from what `body_light` and `ground_light` return."""
    return np.asarray(np.exp(light.astype(np.float64)) - _FLOOR, np.float64)


def _in_reach(image: Image, outline: Floats) -> tuple[float, float, float]:
    left, top = np.maximum(np.floor(outline.min(axis=0)).astype(int), 0)
    right, bottom = np.maximum(np.ceil(outline.max(axis=0)).astype(int) + 1, 0)
    return body_light(image[top:bottom, left:right], outline - floats((left, top)))


def _log_light(parts: Sequence[float]) -> tuple[float, float, float]:
    red, green, blue = (float(np.log(_linear(part) + _FLOOR)) for part in parts)
    return red, green, blue


def together(network: Floats, light: Floats, *, shown: bool = False) -> Floats:
    """Return (n, 6) probabilities of the colours of n dice of one picture.

    ``network`` (n, 6): its probabilities; ``light`` (n, 3): `body_light` of each, which may be unseen;
    ``shown``: a player has shown these dice, and the first is what each of them looks like.
    """
    seen = np.isfinite(light).all(axis=1)
    by_looks, by_light = _BELIEF_SHOWN if shown else _BELIEF
    said = by_looks * np.log(np.maximum(network.astype(np.float64), _LEAST))
    if seen.any():
        lights = light[seen].astype(np.float64)
        said[seen] += by_light * np.log(np.maximum(_by_light(lights), _LEAST))
        said[seen] = _alike(said[seen], lights)
    grown = np.exp(said - said.max(axis=1, keepdims=True))
    told = grown / grown.sum(axis=1, keepdims=True)
    return floats(told if shown else _doubted(told))


def _doubted(told: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 6) in which neither of the twins is believed too far: what is above is the other's."""
    for one, other in (_TWINS, _TWINS[::-1]):
        above = np.maximum(told[:, one] - _BELIEVED, 0)
        told[:, one] -= above
        told[:, other] += above
    return told


def _alike(said: NDArray[np.float64], light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 6) logarithms: what was said, weighed with how alike dice of one colour must look.

    All dice of a set have the same six paints, so a pair of one colour differs by its shade alone. Sums
    over every way to give each die one of its likeliest colours.
    """
    count = len(said)
    if not 1 < count <= _MOST:
        return said
    likely = np.argsort(-said, axis=1)[:, :_CHOICES]
    ways = np.stack([g.ravel() for g in np.meshgrid(*likely, indexing="ij")])
    worth = said[np.arange(count)[:, None], ways].sum(axis=0)
    for one, other in combinations(range(count), 2):
        unlike = _unlike(light[one] - light[other])
        worth += np.where(ways[one] == ways[other], unlike[ways[one]], 0.0)
    share = np.exp(worth - worth.max())
    of = np.stack([np.bincount(way, share, minlength=said.shape[1]) for way in ways]) / share.sum()
    alone = np.exp(said - np.logaddexp.reduce(said, axis=1, keepdims=True))
    return np.asarray(np.log((1 - _STRAY) * of + _STRAY * alone), np.float64)


def _unlike(apart: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (6,), 0 or less: log odds against two dice this far apart (3,) bearing one paint."""
    near, far = _normal(apart, 2 * _SHADES), _normal(apart, 2 * _SPREADS)
    return np.clip(near - far, -_DECISIVE, 0.0)


def _normal(apart: NDArray[np.float64], spreads: NDArray[np.float64]) -> NDArray[np.float64]:
    squares = np.einsum("j,cjl,l->c", apart, np.linalg.inv(spreads), apart)
    return np.asarray(-0.5 * squares - 0.5 * np.linalg.slogdet(spreads)[1], np.float64)


def _by_light(light: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (n, 6): what the light alone says, over all lamps there may be."""
    lamps, prior = _lattice()
    away = light[:, None, None] - _MIDDLES[None, :, None] - lamps[None, None]
    squares = np.einsum("nckj,cjl,nckl->nck", away, np.linalg.inv(_SPREADS), away)
    _, sizes = np.linalg.slogdet(_SPREADS)
    said = -0.5 * sizes[None, :, None] - 0.5 * (_HEAVY + 3) * np.log1p(squares / _HEAVY)
    of_die = np.logaddexp.reduce(said, axis=1)
    lamp = prior + of_die.sum(axis=0)
    lamp = np.exp(lamp - lamp.max())
    shares = np.exp(said - of_die[:, None])
    return np.asarray(shares @ (lamp / lamp.sum()), np.float64)


def _lattice() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return lamps (k, 3) and their log prior (k,): a lattice along the axes in which lamps differ."""
    sizes, axes = np.linalg.eigh(_LAMPS)
    steps = np.linspace(-2.5, 2.5, _LATTICE)
    points = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1).reshape(-1, 3)
    return points * np.sqrt(sizes) @ axes.T, -0.5 * (points**2).sum(axis=1)


def _linear(part: float) -> float:
    """Return light from an sRGB number 0..1."""
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
