"""The colours of fingerprint dice that a player has shown: their own paints, under another lamp. Pure.

A camera sees of a die the light of its paint, more or less of it, and some of the lamp itself in its gloss:

    seen = gain * (shade * paint + gloss), which then saturates.

The gain, three numbers, is the lamp, the exposure and the white balance together, and all dice of a picture
share it. How the surface has changed since the lesson tells it, if it is the same surface; if not, it
may be any lamp. Both are tried on lattices, every die's shade and gloss too, and all dice are judged
together. The numbers were chosen on traced households (tests/benchmarks/bench_taught.py --tuning).
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.faceheads import COLOURS
from vision.frames import Floats, floats
from vision.onelamp import linear_of
from vision.onelamp_palette import Palette, surface

Numbers = NDArray[np.float64]

_AXES: Final = np.array([[1, 1, 1], [1, 0, -1], [1, -2, 1]]) / np.sqrt([[3], [2], [6]])
"""(3, 3): directions in log R, G, B: lighter, warmer, more purple."""

_LAMPS: Final = np.array([0.8, 0.22, 0.11])
"""How much lamps differ along the axes."""

_SAME: Final = np.array([0.2, 0.07, 0.07])
"""How well the same surface tells the lamp, along the axes."""

_DARK: Final = 0.02
_DARKNESS: Final = 0.5
"""A surface darker than the first in a colour tells little of it, by up to the second."""

_SURFACES: Final = np.array([1.0, 0.5, 0.5])
"""How much surfaces differ."""

_SAME_TRAY: Final = 0.7
"""How often a game is played on the surface on which the dice were shown."""

_SHADE: Final = 0.22
_OWN: Final = 0.07
_DUST: Final = 0.005
"""How much dice differ in shade; in anything else; and in light that is added."""

_HEAVY: Final = 4.0
"""Degrees of freedom: a die in a glare is far off more often than a normal one would be."""

_GLOSS: Final = np.array([-0.03, -0.01, 0.0, 0.015, 0.04, 0.08, 0.15, 0.3])
_GLOSS_ENDS: Final = np.array([-0.04, -0.02, -0.005, 0.0075, 0.0275, 0.06, 0.115, 0.225, 0.5])
_GLOSS_USUAL: Final = 0.15
_GLOSS_LESS: Final = 0.02
_LESS: Final = 0.15
"""More gloss than the least that was shown: usual size; less: its size, and how often."""

_BY_LIGHT: Final = 0.8
_BY_LIKENESS: Final = 35.0
_BY_NETWORK: Final = 0.2
"""How far each is believed, which all saw the same pixels: the second for each unit of cosine."""

_DISSENT: Final = 0.06
_DISSENT_ELSEWHERE: Final = 0.1
"""How often what a die looks like is right by itself against all that is reckoned here, and how often the
light is, on the surface of the lesson and elsewhere: so no die is certain unless both say the same."""

_TRUST: Final = (-1.8, 0.9)
"""Intercept and slope of `trusted`, stricter than what was fitted: see the model card."""

_NEAREST: Final = 12
_LEAST: Final = 1e-4


def judged(palette: Palette, network: Floats, likeness: Floats, light: Floats, ground: Floats) -> Floats:
    """Return (n, 6) probabilities of the colours of n dice of one picture.

    ``network`` (n, 6): its probabilities; ``likeness`` (n, 6): the cosine to what was shown of each colour;
    ``light`` (n, 3), ``ground`` (3,): of the dice and the surface, which may be unseen.
    """
    said = _BY_NETWORK * np.log(np.maximum(network.astype(np.float64), _LEAST))
    said += _BY_LIKENESS * (likeness - likeness.max(axis=1, keepdims=True))
    alone = np.exp(said - np.logaddexp.reduce(said, axis=1, keepdims=True))
    seen = np.isfinite(light).all(axis=1)
    if not seen.any():
        return floats(alone)
    together, by_light = alone.copy(), alone.copy()
    both, by_light[seen], same = _under_one_lamp(palette, said[seen], linear_of(light[seen]), ground)
    together[seen] = both
    dissent = same * _DISSENT + (1 - same) * _DISSENT_ELSEWHERE
    return floats((1 - 2 * dissent) * together + dissent * (alone + by_light))


def trusted(probability: float) -> float:
    """Return the chance 0..1 with which a colour of this probability counts towards a sure roll."""
    p = min(max(probability, 1e-6), 1 - 1e-6)
    return float(1 / (1 + np.exp(-(_TRUST[0] + _TRUST[1] * np.log(p / (1 - p))))))


def _under_one_lamp(
    palette: Palette, said: Numbers, seen: Numbers, ground: Floats
) -> tuple[Numbers, Numbers, float]:
    """Weigh what was said of dice with their linear light (n, 3).

    Returns (n, 6) probabilities by both, by the light alone, and the chance of the lesson's surface.
    """
    near, near_prior, far, far_prior = _gains(palette, ground)
    rough = _Dice(palette, seen, shade=_SHADE + _STEP[0] * _LAMPS[0] / 3, own=_OWN + 0.04).under(far)
    nothing = np.zeros_like(said)
    likely = [np.argsort(-_fits(rough, each, far_prior))[:_NEAREST] for each in (said, nothing)]
    gains, prior = _finer(far, far_prior, np.unique(np.concatenate(likely)))
    gains, prior = np.concatenate((near, gains)), np.concatenate((near_prior, prior))
    light = _Dice(palette, seen, shade=_SHADE, own=_OWN).under(gains)
    lamp = _lamp(light, said, prior)
    same = float(lamp[: len(near)].sum())
    return _shares(light, said, lamp), _shares(light, nothing, _lamp(light, nothing, prior)), same


def _fits(light: Floats, said: Numbers, prior: Numbers) -> Numbers:
    """Return (k,): how well each gain fits what is said of dice (n, 6) and their light (n, 6, k)."""
    both = said.astype(np.float32)[:, :, None] + light
    return np.asarray(prior + np.logaddexp.reduce(both, axis=1).sum(axis=0), np.float64)


def _lamp(light: Floats, said: Numbers, prior: Numbers) -> Numbers:
    """Return (k,): the chance of each gain."""
    fits = _fits(light, said, prior)
    chances = np.exp(fits - fits.max())
    return np.asarray(chances / chances.sum(), np.float64)


def _shares(light: Floats, said: Numbers, lamp: Numbers) -> Numbers:
    """Return (n, 6) probabilities, over all gains with these chances (k,)."""
    both = said.astype(np.float32)[:, :, None] + light
    return np.asarray(np.exp(both - np.logaddexp.reduce(both, axis=1)[:, None]) @ lamp, np.float64)


class _Dice:
    """Dice of one picture, and what their light says under any gain."""

    def __init__(self, palette: Palette, seen: Numbers, *, shade: float, own: float) -> None:
        self._light = np.log(np.maximum(seen, 0) + _DUST).astype(np.float32)
        paints = np.maximum(palette.paints[:, None] + _GLOSS[:, None] * palette.gloss, 0.002)
        self._bodies = paints.reshape(-1, 3).astype(np.float32)
        fine = own**2 + palette.spreads**2
        self._fine = np.repeat(1 / fine, len(_GLOSS)).astype(np.float32)
        self._grey = np.repeat(1 / (fine + 3 * shade**2), len(_GLOSS)).astype(np.float32)
        sizes = -np.log(fine) - 0.5 * np.log(fine + 3 * shade**2)
        self._prior = (sizes[:, None] + _gloss_prior()).astype(np.float32)

    def under(self, gains: Numbers) -> Floats:
        """Return (n, 6, k): log likelihood of each colour under gains (k, 3), as far as it is believed."""
        clear = np.exp(gains).astype(np.float32)[:, None] * self._bodies
        bodies = np.log(clear / np.cbrt(1 + clear**3) + np.float32(_DUST))
        away = self._light[:, None, None] - bodies[None]
        grey = away.sum(axis=-1) ** 2 / 3
        squares = (np.einsum("nkbj,nkbj->nkb", away, away) - grey) * self._fine + grey * self._grey
        told = np.float32(-0.5 * (_HEAVY + 3)) * np.log1p(squares / np.float32(_HEAVY))
        told = told.reshape(len(away), len(gains), len(COLOURS), -1) + self._prior
        light = np.logaddexp.reduce(told, axis=-1).transpose(0, 2, 1)
        return floats(_BY_LIGHT * light)


def _gains(palette: Palette, ground: Floats) -> tuple[Numbers, Numbers, Numbers, Numbers]:
    """Return log gains (k, 3) with their log prior (k,): near what the surface says, and of any lamp."""
    known = bool(np.isfinite(ground).all())
    now = surface(ground) if known else palette.ground
    shift = now - palette.ground
    darkest = np.exp(np.minimum(now, palette.ground))
    unclear = _DARKNESS * _DARK / (darkest + _DARK) if known else np.full(3, 9.0)
    lamps, other = _spread(_LAMPS), _spread(_SURFACES)
    same = _spread(_SAME) + np.diag(unclear**2)
    both = np.linalg.inv(np.linalg.inv(lamps) + np.linalg.inv(same))
    sizes, axes = np.linalg.eigh(both)
    near = both @ np.linalg.solve(same, shift) + (_NEAR * np.sqrt(sizes)) @ axes.T
    near_prior = _weights(_NEAR) + _normal(shift, lamps + same) + np.log(_SAME_TRAY)
    far = (_FAR * _LAMPS) @ _AXES
    far_prior = _weights(_FAR) + _normal(shift, other) + np.log(1 - _SAME_TRAY)
    return near, near_prior, far, far_prior


def _finer(far: Numbers, prior: Numbers, chosen: NDArray[np.intp]) -> tuple[Numbers, Numbers]:
    """Divide the chosen points of the far lattice into 27 each."""
    gains = far[chosen][:, None] + ((_PARTS * _STEP * _LAMPS) @ _AXES)[None]
    return gains.reshape(-1, 3), np.repeat(prior[chosen] - np.log(len(_PARTS)), len(_PARTS))


def _lattice(counts: tuple[int, int, int], reach: float) -> Numbers:
    axes = np.meshgrid(*(np.linspace(-reach, reach, count) for count in counts), indexing="ij")
    return np.stack(axes, axis=-1).reshape(-1, 3)


def _weights(points: Numbers) -> Numbers:
    worth = -0.5 * (points**2).sum(axis=1)
    return np.asarray(worth - np.logaddexp.reduce(worth), np.float64)


def _spread(along: Numbers) -> Numbers:
    return np.asarray(_AXES.T @ np.diag(along**2) @ _AXES, np.float64)


def _normal(away: Numbers, spread: Numbers) -> float:
    return float(-0.5 * away @ np.linalg.solve(spread, away) - 0.5 * np.linalg.slogdet(spread)[1])


def _gloss_prior() -> Numbers:
    """Return (8,): log prior of each part of the gloss."""
    more = 1 - np.exp(-np.maximum(_GLOSS_ENDS, 0) / _GLOSS_USUAL)
    less = np.exp(np.minimum(_GLOSS_ENDS, 0) / _GLOSS_LESS)
    shares = np.diff(_LESS * less + (1 - _LESS) * more)
    return np.asarray(np.log(shares / shares.sum()), np.float64)


_REACH: Final = 2.4
_NEAR: Final = _lattice((5, 5, 7), _REACH)
_FAR: Final = _lattice((9, 7, 5), _REACH)
_STEP: Final = 2 * _REACH / np.array([8, 6, 4])
_PARTS: Final = _lattice((3, 3, 3), 1 / 3)
