"""What each die is called: the networks' word, weighed with what is waited for and what was shown."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from companion.rules.events import DiceExpected
from vision.bodycolour import whiteness
from vision.faceheads import COLOURS, SYMBOLS
from vision.frames import Floats, floats
from vision.looks import Looks
from vision.naming import FINGERPRINT, KINDS, TEATIME, Meaning, Name, meaning, name_all, tea_faces
from vision.odds import trust
from vision.onelamp import together
from vision.onelamp_palette import palette_of
from vision.onelamp_taught import judged, trusted
from vision.places import Places
from vision.taught import Likeness, Taught

_PRINT = SYMBOLS.index("fingerprint")
_PRINTED = 0.3
"""Least probability of a print for a die's colour to be judged with those of the others."""

_STRANGE = 0.03
"""How often a die of a set that was shown is like another of its faces."""


def names(places: Places, count: int, expected: DiceExpected | None, taught: Taught) -> list[Name]:
    """Name the first ``count`` places."""
    shown = taught if expected is None else taught.only(tuple(kind for kind, _ in expected.kinds))
    seen = places.looks
    white = whiteness(seen.white[:count], seen.tint[:count])
    likes = shown.classify(seen.embeddings[:count])
    colours, tea = _colours(places, likes, expected, shown), _tea(seen, count, expected)
    meanings = [
        _with_taught(
            meaning(seen.symbols[n], colours[n], float(white[n]), tea[n]), like, alone=not expected
        )
        for n, like in enumerate(likes)
    ]
    if expected is None:
        return name_all(meanings, None, ())
    kinds = expected.kinds if count == expected.count else expected.thrown
    return name_all(meanings, kinds, expected.faces)


def trust_in_colours(taught: Taught) -> Callable[[float], float]:
    """Return what turns the probability of a print's colour into the chance that it is right."""
    if not taught.only((FINGERPRINT,)).faces:
        return partial(trust, by_colour=True)
    return trust if palette_of(taught) is None else trusted


def _colours(
    places: Places, likes: Sequence[Likeness | None], expected: DiceExpected | None, taught: Taught
) -> Floats:
    """Return (n, 6): the colours of the first n places, those with a print judged together.

    Where a player has shown such dice, what each looks like takes the place of what the network says;
    where their light was measured, too, they are told by their own paints.
    """
    seen, count = places.looks, len(likes)
    colours = seen.colours[:count].copy()
    least = 0 if _only(expected) == FINGERPRINT else _PRINTED
    printed = np.flatnonzero(seen.symbols[:count, _PRINT] > least)
    if len(printed) and (palette := palette_of(taught)) is not None:
        alike = taught.likeness(FINGERPRINT, COLOURS, seen.embeddings[printed])
        colours[printed] = judged(palette, colours[printed], alike, seen.light[printed], places.ground)
        return colours
    shown = {n: like for n, like in enumerate(likes) if like is not None and like.kind == FINGERPRINT}
    for n, like in shown.items():
        colours[n] = _shares_of(like)
    if len(printed):
        colours[printed] = together(colours[printed], seen.light[printed], shown=bool(shown))
    return colours


def _shares_of(like: Likeness) -> Floats:
    """Return (6,): a likeness as probabilities of the colours."""
    rest = (1 - like.confidence) / max(1, len(like.alternatives))
    told = {like.face: like.confidence, **dict.fromkeys(like.alternatives, rest)}
    return (1 - _STRANGE) * floats([told.get(c, 0.0) for c in COLOURS]) + floats(_STRANGE / len(COLOURS))


def _tea(seen: Looks, count: int, expected: DiceExpected | None) -> Sequence[Floats | None]:
    """Return the faces of tea time dice judged together, where nothing else is waited for."""
    return list(tea_faces(seen.symbols[:count])) if _only(expected) == TEATIME else [None] * count


def _only(expected: DiceExpected | None) -> str:
    """Return the one kind that is waited for; empty for several or for any."""
    kinds = {kind for kind, n in expected.kinds if n} if expected else set()
    return kinds.pop() if len(kinds) == 1 else ""


def _with_taught(one: Meaning, like: Likeness | None, *, alone: bool) -> Meaning:
    """Let what a player has shown come before what the networks knew.

    ``alone``: nobody said what to expect, so a kind that the networks know keeps its own dice.
    """
    if like is None or (alone and like.kind in KINDS and one.likeliest != like.kind):
        return one
    rest = (1 - like.confidence) / max(1, len(like.alternatives))
    faces: Mapping[str, float] = {like.face: like.confidence, **dict.fromkeys(like.alternatives, rest)}
    if like.kind == FINGERPRINT:
        faces = one.faces[FINGERPRINT]  # judged together, with the likeness in it
    elif read := one.faces.get(like.kind):  # certain is only what both witnesses say
        faces = {face: (faces.get(face, 0.0) + p) / 2 for face, p in read.items()}
    weights = {**one.weights, like.kind: max(like.confidence, one.weights.get(like.kind, 0.0))}
    return Meaning(weights, {**one.faces, like.kind: faces})
