"""Kinds: which dice are white and which are coloured, by their bodies among each other. Pure."""

from collections.abc import Sequence

import numpy as np

from companion.rules.events import DiceExpected
from vision.faces import Face
from vision.frames import Floats

WHITE, COLOURED = "white", "coloured"

_LIMIT = 0.3
"""Chroma over lightness (both of 8-bit Lab) that divides: ivory under a warm lamp reaches 0.25."""

_WIDTH = 0.035
"""How fast certainty falls near a limit, in the same unit."""


def kinds_of(faces: Sequence[Face], expected: DiceExpected | None) -> list[tuple[str, float]]:
    """(kind, probability that it is right) of each face.

    If as many dice are seen as are expected, the most colourful are taken to be the coloured ones;
    the probability tells how far they stand apart. Dice of one kind only take its name.
    """
    colour = np.array([colourfulness(face) for face in faces])
    if expected is not None:
        names = [kind for kind, _ in expected.kinds]
        if len(names) == 1:
            return [(names[0], 1.0)] * len(faces)
        for kinds in (expected.kinds, expected.thrown):
            count = dict(kinds)
            if set(count) == {WHITE, COLOURED} and sum(count.values()) == len(faces):
                return _ranked(colour, count[COLOURED])
    return [_divided(c, _limit(colour)) for c in colour]


def colourfulness(face: Face) -> float:
    """How far a body is from white: 0 is grey and bright; dark bodies and light pips add to it."""
    light, a, b = (float(x) for x in face.body)
    chroma = float(np.hypot(a - 128, b - 128)) / max(light, 30.0)
    dark = max(0.0, (110 - light) / 110) * 0.4
    return chroma + dark + (0.3 if face.light else 0.0)


def _limit(colour: Floats) -> float:
    """The dividing colourfulness: higher if even the palest die is tinted, as by a warm lamp."""
    return max(_LIMIT, float(colour.min(initial=0)) + 0.18) if len(colour) > 1 else _LIMIT


def _divided(colour: float, limit: float) -> tuple[str, float]:
    right = float(1 / (1 + np.exp(-abs(colour - limit) / _WIDTH)))
    return (COLOURED if colour > limit else WHITE), right


def _ranked(colour: Floats, coloured: int) -> list[tuple[str, float]]:
    order = np.argsort(-colour)
    limit = _LIMIT
    if 0 < coloured < len(colour):
        limit = float(colour[order[coloured - 1]] + colour[order[coloured]]) / 2
    kinds = [WHITE] * len(colour)
    for index in order[:coloured]:
        kinds[index] = COLOURED
    return [
        (kind, _divided(c, limit)[1] if 0 < coloured < len(colour) else 1.0)
        for kind, c in zip(kinds, colour, strict=True)
    ]
