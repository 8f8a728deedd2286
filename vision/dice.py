"""Reading dice: one picture in, the dice on the table out.

`read` is the learned reader; anything that is a `Reader` can stand in its place. One small network
finds upper faces (`vision.finder`), another looks at each of them (`vision.looks`); what they say is
weighed with what the table waits for (`vision.counting`, `vision.naming`).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from companion.rules.events import DiceExpected
from vision.bodycolour import whiteness
from vision.counting import count_chances, each_given_count
from vision.faceheads import COLOURS, STATES, SYMBOLS
from vision.finder import Found, find
from vision.frames import Floats, Frame, floats
from vision.leaning import leaning, squeeze
from vision.looks import Looks, look, mean_sides
from vision.naming import (
    FINGERPRINT,
    KINDS,
    TEATIME,
    Meaning,
    Name,
    likelihood,
    meaning,
    name_all,
    tea_faces,
)
from vision.odds import chances, features, trust
from vision.onelamp import UNSEEN, ground_light, together
from vision.onelamp_palette import palette_of
from vision.onelamp_taught import judged, trusted
from vision.taught import Likeness, Taught

FLAT, COCKED, CUT = "flat", "cocked", "cut"

_PRINT = SYMBOLS.index("fingerprint")
_PRINTED = 0.3
"""Least probability of a print for a die's colour to be judged with those of the others."""

_MAYBE_PRINTED = 0.03
"""If no die is a print by so much, nobody asks for the light of the surface: to measure it takes time."""

_STRANGE = 0.03
"""How often a die of a set that was shown is like another of its faces."""

_SEEN = 0.5
"""Least chance of a place to be thought a die."""

_ALONE = 0.6
"""Least chance of a die where nobody said how many there are. Chosen on photographs, read by networks that
were trained without their repository: 0.6 and 0.7 do alike, and to leave a die out is the worse fault."""

_HOPED = 0.02
"""Least chance of a number of dice for it to be believed when it is the expected one."""

_MISCOUNTED = 0.5
"""How much is believed of another number of dice than is expected: one under the cup, or one too many.

More than it is likely: told one too few, the reader must ask. Chosen on photographs trained on."""

_OFFERED = 0.2
"""Least chance of a die shown while too few are seen: to correct it is less work than to add it."""

_CLEARLY = 0.6
"""Least probability of a state other than flat for it to be named."""

_ALIKE = 0.95
"""Cosine from which on a place begins to look like a die that was shown: much on a table reaches 0.9."""

_INSIDE = 0.85
"""A die of whose outline less lies in the picture is cut."""

_ROW = 0.75
"""Dice whose middles are less than so many sides lower than a row's first one lie in that row."""

_RIM, _NO_SQUARE = 0.04, 0.2
"""So is one of which a whole edge lies nearer to the border than so many sides, if what is seen of it is no
square: a die that touches the tray's wall is whole, and of one whose outline ends there may be more."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies in a picture.

    ``outline`` (4, 2) px, corners of the upper face in the frame; ``kind`` and ``face`` as
    `vision.naming.KINDS` lists them, or as they were taught; ``confidence`` 0..1 that kind and face
    are right and that nothing next to it was overlooked: the product over all dice is the roll's;
    ``alternatives``: other faces it could show, likely first; ``state``: flat, or why it cannot be
    sure: cocked, stacked, covered, cut (half out of the picture).
    """

    outline: Floats = field(repr=False)
    kind: str
    face: str
    confidence: float = 1.0
    alternatives: tuple[str, ...] = ()
    state: str = FLAT

    def scaled(self, factor: float) -> Self:
        """Return the die in the same picture enlarged by ``factor``."""
        return replace(self, outline=(self.outline * np.float32(factor)).astype(np.float32))


class Reader(Protocol):
    """Reads the dice in one picture; ``expected`` are those that should lie there, if known."""

    def __call__(self, frame: Frame, expected: DiceExpected | None = None) -> tuple[Die, ...]: ...


def read(
    frame: Frame, expected: DiceExpected | None = None, *, taught: Taught | None = None
) -> tuple[Die, ...]:
    """Read dice of any size, colour and number, seen from above or obliquely.

    ``expected`` decides close calls on how many there are, of which kinds, and which faces they have;
    it never turns one legal face into another. ``taught``: dice that were shown to the companion.
    Dice come in reading order, left to right in rows. Raises vision.networks.WeightsError.
    """
    shown = taught or Taught()
    dice = dice_of(weighed(survey(frame), expected, shown), expected, shown)
    return _in_reading_order(dice)


@dataclass(frozen=True, slots=True)
class Places:
    """Where upper faces may lie, likely first: ``chances`` (n,) 0..1 that one does, and what was seen.

    ``heat`` (n,) 0..1: what the finder alone says; ``inside`` (n,) 0..1: how much of each outline
    lies in the picture; ``features`` (n, k): what the chances were reckoned from, see vision.odds;
    ``ground`` (3,): log light of the surface round them, where prints are among them, see vision.onelamp;
    ``leans`` (n,): see vision.leaning.
    """

    chances: Floats
    heat: Floats
    looks: Looks
    inside: Floats
    features: Floats
    leans: NDArray[np.bool_]
    ground: Floats = field(default_factory=lambda: floats(UNSEEN))

    def ranked(self, likely: Floats) -> Self:
        """Return the places with these chances, likely first."""
        order = np.argsort(-likely, kind="stable")
        return replace(
            self,
            chances=likely[order],
            heat=self.heat[order],
            looks=self.looks.take(order),
            inside=self.inside[order],
            features=self.features[order],
            leans=self.leans[order],
        )


def survey(frame: Frame) -> Places:
    """Look at a picture without asking how many dice should lie there."""
    found = find(frame.image)
    seen = look(frame.image, found.centres, found.sides)
    found, seen = _apart(found, seen)
    inside = _inside(seen.corners, frame.image.shape)
    told = features(found, seen)
    likely = chances(told)
    real = likely > _SEEN
    prints = (seen.symbols[real, _PRINT] > _MAYBE_PRINTED).any()
    ground = floats(ground_light(frame.image, list(seen.corners[real])) if prints else UNSEEN)
    leans = leaning(frame, seen, real)
    return Places(likely, found.heat, seen, inside, told, leans, ground).ranked(likely)


def weighed(places: Places, expected: DiceExpected | None, taught: Taught) -> Places:
    """Weigh the chances with the kinds that are waited for, and with what a player has shown."""
    kinds = [kind for kind, count in expected.kinds if count] if expected else None
    odds = places.chances / np.maximum(1 - places.chances, 1e-6)
    odds = odds * likelihood(places.looks.symbols, kinds)
    near = np.clip((taught.nearness(places.looks.embeddings) - _ALIKE) / (1 - _ALIKE), 0, 1)
    return places.ranked(np.maximum(odds / (1 + odds), places.heat * near))


def dice_of(places: Places, expected: DiceExpected | None, taught: Taught) -> list[Die]:
    """Choose the dice among the places, name them, and say how certain each is."""
    chosen = _how_many(places.chances, expected)
    likely = [float(c) for c in places.chances]
    if expected is not None and chosen in _counts(expected):
        real = each_given_count(likely, chosen)[:chosen]
        there = float(count_chances(likely)[chosen])
        missed = there / (there + _MISCOUNTED * (1 - there))
    else:
        real = likely[:chosen]
        missed = float(np.prod([1 - c for c in likely[chosen:]]))
    share = missed ** (1 / chosen) if chosen else 1.0
    names, by_colour = _names(places, chosen, expected, taught), _trust_in_colours(taught)
    likely_right = [(by_colour if n.kind == FINGERPRINT else trust)(n.confidence) for n in names]
    sure = [told * min(1.0, right) * share for told, right in zip(likely_right, real, strict=True)]
    return [_die(places, n, *both) for n, both in enumerate(zip(names, sure, strict=True))]


def _trust_in_colours(taught: Taught) -> Callable[[float], float]:
    """Return what turns the probability of a print's colour into the chance that it is right."""
    if not taught.only((FINGERPRINT,)).faces:
        return partial(trust, by_colour=True)
    return trust if palette_of(taught) is None else trusted


def some_of(kind: str, count: int) -> DiceExpected:
    """Return what to wait for where so many dice of a kind lie, of any face."""
    return DiceExpected(((kind, count),), partial=False)


def embed(frame: Frame, outlines: Sequence[Floats]) -> Floats:
    """Return (n, EMBEDDING) unit vectors of the dice with these outlines (4, 2) px: alike dice are near."""
    corners = np.array([np.asarray(o, np.float32) for o in outlines], np.float32).reshape(-1, 4, 2)
    return look(frame.image, corners.mean(axis=1), mean_sides(corners)).embeddings


def _counts(expected: DiceExpected) -> tuple[int, ...]:
    thrown = sum(n for _, n in expected.thrown)
    return (expected.count, thrown) if expected.partial else (expected.count,)


def _how_many(chances_: Floats, expected: DiceExpected | None) -> int:
    """Take the likely ones, or as many as are expected if that is believable."""
    if expected is None:
        return int((chances_ > _ALONE).sum())
    likely = int((chances_ > _SEEN).sum())
    counts = count_chances([float(c) for c in chances_])
    for count in sorted(_counts(expected), key=lambda n: abs(n - likely)):
        if 0 < count < len(counts) and counts[count] > _HOPED:
            return count
    if likely < expected.count:
        return int((chances_ > _OFFERED).sum())
    return likely


def _names(places: Places, count: int, expected: DiceExpected | None, taught: Taught) -> list[Name]:
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


def _die(places: Places, n: int, name: Name, sure: float) -> Die:
    states = places.looks.states[n]
    best = int(np.argmax(states))
    state = STATES[best] if states[best] > _CLEARLY else FLAT
    if places.inside[n] < _INSIDE:
        state = CUT
    elif places.leans[n]:
        state = COCKED
    elif state == CUT:
        state = FLAT
    return Die(
        outline=places.looks.corners[n],
        kind=name.kind,
        face=name.face,
        confidence=round(min(sure, 1.0 if state == FLAT else 0.5), 4),
        alternatives=name.alternatives,
        state=state,
    )


def _apart(found: Found, seen: Looks) -> tuple[Found, Looks]:
    """Of places that turned out to be the same face keep the one that looks most like one."""
    middles, sides = seen.corners.mean(axis=1), seen.sides
    worth = found.heat * (1 - seen.symbols[:, 0])
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    same = away <= 0.5 * np.maximum(np.minimum(sides[:, None], sides[None]), 1.0)
    kept: list[int] = []
    for n in np.argsort(-worth):
        if not same[n, kept].any():
            kept.append(int(n))
    order = np.array(sorted(kept), np.intp)
    return Found(found.centres[order], found.sides[order], found.heat[order]), seen.take(order)


def _inside(corners: Floats, shape: tuple[int, ...]) -> Floats:
    """Return (n,) 0..1: how much of each outline lies within the picture, 0 if it ends at its border."""
    if not len(corners):
        return np.zeros(0, np.float32)
    steps = np.linspace(0.05, 0.95, 7, dtype=np.float32)
    across, down = (a.ravel()[None, :, None] for a in np.meshgrid(steps, steps))
    first, second, third, fourth = (corners[:, k][:, None] for k in range(4))
    points = (1 - down) * ((1 - across) * first + across * second) + down * (
        (1 - across) * fourth + across * third
    )
    within = (points >= 0).all(axis=2) & (points < (shape[1], shape[0])).all(axis=2)
    room = np.concatenate((corners, floats((shape[1], shape[0])) - corners), axis=2)  # to each border
    along = ((room < _RIM * mean_sides(corners)[:, None, None]).sum(axis=1) >= 2).any(axis=1)
    ends = along & (np.abs(squeeze(corners)) > _NO_SQUARE)
    return np.asarray(np.where(ends, 0, within.mean(axis=1)), np.float32)


def _in_reading_order(dice: Sequence[Die]) -> tuple[Die, ...]:
    """Sort dice into rows from the top, each from left to right; one row's middles lie about alike high."""
    outlines = floats([die.outline for die in dice]).reshape(-1, 4, 2)
    across, down = outlines.mean(axis=1).T.tolist()
    apart = _ROW * float(np.median(mean_sides(outlines))) if dice else 0.0
    rows: list[list[int]] = []
    for n in sorted(range(len(dice)), key=down.__getitem__):
        if rows and down[n] - down[rows[-1][0]] < apart:
            rows[-1].append(n)
        else:
            rows.append([n])
    return tuple(dice[n] for row in rows for n in sorted(row, key=across.__getitem__))
