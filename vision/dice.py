"""Reading dice: one picture in, the dice on the table out.

`read` is the learned reader; anything that is a `Reader` can stand in its place. One small network
finds upper faces (`vision.finder`), another looks at each of them (`vision.looks`); what they say is
weighed with what the table waits for (`vision.places`, `vision.counting`, `vision.called`).
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

import numpy as np

from companion.rules.events import DiceExpected
from vision.called import names, trust_in_colours
from vision.counting import count_chances, each_given_count
from vision.dim import brightened
from vision.faceheads import STATES
from vision.frames import Floats, Frame, floats
from vision.looks import look, mean_sides
from vision.naming import FINGERPRINT, Name
from vision.odds import trust
from vision.places import SEEN, Places, survey, weighed
from vision.softness import SOFT
from vision.taught import Taught

FLAT, COCKED, CUT, BLURRED = "flat", "cocked", "cut", "blurred"

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

_INSIDE = 0.85
"""A die of whose outline less lies in the picture is cut."""

_CUT_SHORT = 4.0
"""How much more often than its chance tells a place that ends at the border is a die: too little of one
that is cut is seen for it to look like one."""

_ROW = 0.75
"""Dice whose middles are less than so many sides lower than a row's first one lie in that row."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies in a picture.

    ``outline`` (4, 2) px, corners of the upper face in the frame; ``kind`` and ``face`` as
    `vision.naming.KINDS` lists them, or as they were taught; ``confidence`` 0..1 that it is a die and
    that kind and face are right; ``alternatives``: other faces it could show, likely first; ``state``:
    flat, or why it cannot be sure: cocked, stacked, covered, cut (half out of the picture), blurred;
    ``real`` 0..1 that it is a die, as far as the picture tells; ``complete`` 0..1 that the dice it was
    read with are all that lie there: the same for each of them, and no part of ``confidence``.
    """

    outline: Floats = field(repr=False)
    kind: str
    face: str
    confidence: float = 1.0
    alternatives: tuple[str, ...] = ()
    state: str = FLAT
    real: float = 1.0
    complete: float = 1.0

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


def dice_of(places: Places, expected: DiceExpected | None, taught: Taught) -> list[Die]:
    """Choose the dice among the places, name them, and say how certain each is."""
    chosen = _how_many(places.chances, expected)
    likely = [float(c) for c in places.chances]
    if expected is not None and chosen in _counts(expected):
        real = each_given_count(likely, chosen)[:chosen]
        there = float(count_chances(likely)[chosen])
        complete = there / (there + _MISCOUNTED * (1 - there))
    else:
        real = likely[:chosen]
        weight = np.where(places.inside[chosen:] < _INSIDE, _CUT_SHORT, 1.0)
        complete = float(np.prod(np.maximum(1 - weight * places.chances[chosen:], 0)))
    named, by_colour = names(places, chosen, expected, taught), trust_in_colours(taught)
    likely_right = [(by_colour if n.kind == FINGERPRINT else trust)(n.confidence) for n in named]
    sure = [told * min(1.0, right) for told, right in zip(likely_right, real, strict=True)]
    return [_die(places, n, *both, complete) for n, both in enumerate(zip(named, sure, strict=True))]


def some_of(kind: str, count: int) -> DiceExpected:
    """Return what to wait for where so many dice of a kind lie, of any face."""
    return DiceExpected(((kind, count),), partial=False)


def embed(frame: Frame, outlines: Sequence[Floats]) -> Floats:
    """Return (n, EMBEDDING) unit vectors of the dice with these outlines (4, 2) px: alike dice are near."""
    corners = np.array([np.asarray(o, np.float32) for o in outlines], np.float32).reshape(-1, 4, 2)
    return look(brightened(frame.image), corners.mean(axis=1), mean_sides(corners)).embeddings


def _counts(expected: DiceExpected) -> tuple[int, ...]:
    thrown = sum(n for _, n in expected.thrown)
    return (expected.count, thrown) if expected.partial else (expected.count,)


def _how_many(chances_: Floats, expected: DiceExpected | None) -> int:
    """Take the likely ones, or as many as are expected if that is believable."""
    if expected is None:
        return int((chances_ > _ALONE).sum())
    likely = int((chances_ > SEEN).sum())
    counts = count_chances([float(c) for c in chances_])
    for count in sorted(_counts(expected), key=lambda n: abs(n - likely)):
        if 0 < count < len(counts) and counts[count] > _HOPED:
            return count
    if likely < expected.count:
        return int((chances_ > _OFFERED).sum())
    return likely


def _die(places: Places, n: int, name: Name, sure: float, complete: float) -> Die:
    states = places.looks.states[n]
    best = int(np.argmax(states))
    state = STATES[best] if states[best] > _CLEARLY else FLAT
    if places.inside[n] < _INSIDE:
        state = CUT
    elif places.leans[n]:
        state = COCKED
    elif state == CUT:
        state = FLAT
    if state == FLAT and places.looks.blur[n] > SOFT:
        state = BLURRED
    return Die(
        outline=places.looks.corners[n],
        kind=name.kind,
        face=name.face,
        confidence=round(min(sure, 1.0 if state == FLAT else 0.5), 4),
        alternatives=name.alternatives,
        state=state,
        real=round(float(places.chances[n]), 4),
        complete=round(complete, 4),
    )


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
