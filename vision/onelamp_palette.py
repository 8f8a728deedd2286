"""The paints of fingerprint dice that a player has shown, learned from their light in the lesson. Pure.

A camera sees of a die the light of its paint, more or less of it, and some of the lamp itself in its gloss.
So dice of one paint lie in one plane of light with the gloss, whose colour all dice share. What does not
lie in its plane with most of the others was no die, or showed another face.
"""

from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from vision.faceheads import COLOURS
from vision.frames import Floats
from vision.naming import FINGERPRINT
from vision.onelamp import linear_of
from vision.taught import Taught

Numbers = NDArray[np.float64]

FEWEST: Final = 2
"""Pictures of dice with each colour from which on its paint is known."""

_HUE: Final = 0.2
_TINT: Final = 0.02
"""Dice shown as one colour differ by so much of their colourfulness and of their light."""

_UNTIDY: Final = 5.0
"""How much less dice tell of the gloss's colour the farther they are from paint and gloss."""

_GLOSSES: Final = [
    tint / tint.mean()
    for tint in (np.exp(warm * np.array([1, 0, -1])) for warm in np.linspace(-0.3, 0.5, 9))
]
"""Colours of gloss: white, as far as the camera did not take the lamp's colour out."""

_LEAST_LIGHT: Final = 0.003
_BRIGHTEST: Final = 0.97
"""Light below and above which a camera tells nothing."""


@dataclass(frozen=True, slots=True)
class Palette:
    """The paints of a set of dice as its lesson's lamp shows them.

    ``paints`` (6, 3): linear light in R, G, B with the least gloss that was shown; ``spreads`` (6,): how
    far what was shown is from paint and gloss, a share; ``gloss`` (3,): the gloss's colour, its mean at 1;
    ``ground`` (3,): log light of the surface.
    """

    paints: Numbers = field(repr=False)
    spreads: Numbers = field(repr=False)
    gloss: Numbers = field(repr=False)
    ground: Numbers = field(repr=False)

    @classmethod
    def of(cls, colours: NDArray[np.intp], lights: Floats, grounds: Floats) -> Self | None:
        """Learn from n dice shown; None if some colour was not shown with its light, alike, often enough.

        ``colours`` (n,) of vision.faceheads; ``lights`` and ``grounds`` (n, 3) as vision.onelamp measures
        the dice and the surface round them, which may be unseen.
        """
        seen = np.isfinite(lights).all(axis=1) & np.isfinite(grounds).all(axis=1)
        colours = colours[seen]
        if np.bincount(colours, minlength=len(COLOURS)).min() < FEWEST:
            return None
        surfaces = surface(grounds[seen])
        ground = np.median(surfaces, axis=0)
        light = _unsaturated(linear_of(lights[seen])) * np.exp(ground - surfaces)
        shown = [light[colours == c] for c in range(len(COLOURS))]
        tries = [(gloss, [_paint(each, gloss) for each in shown]) for gloss in _GLOSSES]
        gloss, found = max(tries, key=lambda one: sum(paint.worth for paint in one[1]))
        if not all(paint.agreed for paint in found):
            return None
        paints = np.array([paint.light for paint in found])
        return cls(paints, np.array([paint.spread for paint in found]), gloss, ground)


def palette_of(taught: Taught) -> Palette | None:
    """Return the paints of the fingerprint dice that were shown; None if their light is not known."""
    known = [n for n, (kind, face) in enumerate(taught.faces) if kind == FINGERPRINT and face in COLOURS]
    colours = np.array([COLOURS.index(taught.faces[n][1]) for n in known], np.intp)
    return _learned(colours.tobytes(), taught.lights[known].tobytes(), taught.grounds[known].tobytes())


@lru_cache(maxsize=4)
def _learned(colours: bytes, lights: bytes, grounds: bytes) -> Palette | None:
    """Learn from numbers that stay the same from picture to picture."""
    light, ground = (np.frombuffer(part, np.float32).reshape(-1, 3) for part in (lights, grounds))
    return Palette.of(np.frombuffer(colours, np.intp), light, ground)


@dataclass(frozen=True, slots=True)
class _Paint:
    """``light`` (3,) and ``spread`` as in Palette; ``worth``: how many agree; ``agreed``: most do."""

    light: Numbers
    spread: float
    worth: float
    agreed: bool


def _paint(light: Numbers, gloss: Numbers) -> _Paint:
    """Learn a paint from dice (n, 3) with gloss (3,): from those with the least of it.

    What lies in one plane with the gloss and a paint has that paint's hue. Things of another hue than most
    were no dice, or showed another face.
    """
    hue = light - np.outer(light @ gloss / (gloss @ gloss), gloss)
    planes = np.cross(light, gloss)
    planes /= np.maximum(np.linalg.norm(planes, axis=1, keepdims=True), 1e-9)
    off = np.abs(light @ planes.T)
    size, strong = np.linalg.norm(light, axis=1), np.linalg.norm(hue, axis=1)
    alike = (off <= (_HUE * strong + _TINT * size)[:, None]) & (hue @ hue.T >= 0)
    worth = alike.sum(axis=0) - off.sum(axis=0) / max(float(size.sum()), 1e-6)
    best = int(np.argmax(worth))
    mine = alike[:, best]
    kept, rest = light[mine], off[mine, best] / np.maximum(size[mine], 1e-6)
    greyness = (kept / gloss).min(axis=1) / np.maximum((kept / gloss).max(axis=1), 1e-6)
    clear = kept[np.argsort(greyness)[: max(FEWEST, len(kept) // 3)]]
    spread = float(np.sqrt(np.mean(rest**2)))
    agreed = bool(len(kept) >= FEWEST and 2 * len(kept) > len(light))
    return _Paint(np.median(clear, axis=0), spread, len(kept) * (1 - _UNTIDY * spread), agreed)


def surface(grounds: Floats) -> Numbers:
    """Return log light (..., 3) of surfaces as vision.onelamp measures them, without the saturation."""
    return np.asarray(np.log(_unsaturated(linear_of(grounds)) + _LEAST_LIGHT), np.float64)


def _unsaturated(light: Numbers) -> Numbers:
    """Undo how bright light is squeezed below the white of a picture."""
    seen = np.clip(light, 0, _BRIGHTEST)
    return np.asarray(seen / np.cbrt(1 - seen**3), np.float64)
