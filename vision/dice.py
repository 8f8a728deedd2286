"""Reading dice: one picture in, the dice on the table out.

`read` is the classical reader; anything that is a `Reader` can stand in its place.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

import cv2
import numpy as np

from companion.rules.events import DiceExpected
from vision.choice import Candidate, candidates
from vision.doubt import overlooked
from vision.faces import Face
from vision.frames import Floats, Frame, Image
from vision.kinds import kinds_of
from vision.odds import probability_given_count, too_many
from vision.pips import Pips, find_pips

WORKING_PX = 1024
"""Longest side of the picture that is worked on; a die should be 3 % of it or more."""

LARGEST_ZOOM = 2.0
"""Small pictures are enlarged by no more than this."""

_LEAST_QUALITY = 0.1
_MOST_PIPS = 220

_SEEN = 0.5
"""Least probability of a die nobody waits for."""

_HOPED = 0.1
"""Least probability of a die that would make the count right."""

_OFFERED = 0.2
"""Least probability of a die shown while too few are seen: to correct it is less work than to add it."""


@dataclass(frozen=True, slots=True)
class Die:
    """One die as it lies in a picture.

    ``outline`` (4, 2) px, corners of the upper face in the frame; ``kind`` white or coloured;
    ``face`` "1".."6"; ``confidence`` 0..1 that kind and face are right and that nothing next to it
    was overlooked; ``alternatives``: other faces it could show, likely first.
    """

    outline: Floats = field(repr=False)
    kind: str
    face: str
    confidence: float = 1.0
    alternatives: tuple[str, ...] = ()

    def scaled(self, factor: float) -> Self:
        """Return the die in the same picture enlarged by ``factor``."""
        return replace(self, outline=(self.outline * np.float32(factor)).astype(np.float32))


class Reader(Protocol):
    """Reads the dice in one picture; ``expected`` are those that should lie there, if known."""

    def __call__(self, frame: Frame, expected: DiceExpected | None = None) -> tuple[Die, ...]: ...


def read(frame: Frame, expected: DiceExpected | None = None) -> tuple[Die, ...]:
    """Read pip dice of any size, colour and number, seen from above or obliquely.

    ``expected`` decides close calls on how many there are and which are white; it never
    changes a face. Dice come in reading order, left to right in rows.
    """
    scale = min(WORKING_PX / max(frame.image.shape[:2]), LARGEST_ZOOM)
    image, lab = prepared(frame.image, scale)
    marks = find_pips(image, lab)
    found = candidates(likely(marks), lab)
    dice = dice_of(found, marks, expected)
    return tuple(sorted((die.scaled(1 / scale) for die in dice), key=_reading_order))


def dice_of(found: Sequence[Candidate], marks: Pips, expected: DiceExpected | None) -> list[Die]:
    """Take dice from candidates, likely first, and say how certain each is among all ``marks``."""
    chosen = _counted(found, expected)
    rival = max((c.probability for c in found[len(chosen) :]), default=0.0)
    tops = [c.face for c in chosen]
    if expected is not None and len(chosen) == expected.count:
        right = 1 - overlooked(marks, tops, complete=True)
        right *= 1 - too_many(rival, overlooked(marks, tops))
        certain = [right * probability_given_count(c.probability, rival) for c in chosen]
    else:
        right = 1 - max(rival, overlooked(marks, tops))
        certain = [min(c.probability, right) for c in chosen]
    return _dice(chosen, certain, expected)


def prepared(picture: Image, scale: float) -> tuple[Image, Floats]:
    """Return a BGR picture at another scale, and the same in Lab (8-bit ranges)."""
    size = (max(1, round(picture.shape[1] * scale)), max(1, round(picture.shape[0] * scale)))
    way = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    image = cv2.resize(picture, size, interpolation=way).astype(np.uint8, copy=False)
    return image, cv2.cvtColor(image, cv2.COLOR_BGR2LAB).astype(np.float32)


def likely(marks: Pips) -> Pips:
    """Return the marks that are looked at as pips, best first."""
    return marks.take(np.nonzero(marks.quality > _LEAST_QUALITY)[0][:_MOST_PIPS])


def _counted(found: Sequence[Candidate], expected: DiceExpected | None) -> Sequence[Candidate]:
    """Take the likely ones; a few more or fewer if that makes the count right without violence."""
    likely = sum(c.probability > _SEEN for c in found)
    if expected is not None:
        thrown = sum(n for _, n in expected.thrown)
        counts = [expected.count, thrown] if expected.partial else [expected.count]
        for count in sorted(counts, key=lambda n: abs(n - likely)):
            short = likely < count <= len(found) and found[count - 1].probability > _HOPED
            over = 0 < count < likely and found[count].probability < 1 - _HOPED
            if count == likely or short or over:
                return found[:count]
        if likely < expected.count:
            return [c for c in found if c.probability > _OFFERED]
    return found[:likely]


def _dice(
    chosen: Sequence[Candidate], certain: Sequence[float], expected: DiceExpected | None
) -> list[Die]:
    faces = [c.face for c in chosen]
    kinds = kinds_of(faces, expected)
    return [
        Die(
            outline=face.corners,
            kind=kind,
            face=face.value,
            confidence=round(float(sure * right), 3),
            alternatives=_alternatives(face),
        )
        for face, sure, (kind, right) in zip(faces, certain, kinds, strict=True)
    ]


def _alternatives(face: Face) -> tuple[str, ...]:
    if face.value == "1":
        return ("2", "3")
    ranked = [value for value, _ in face.others if value != face.value]
    return tuple(dict.fromkeys(ranked))[:3]


def _reading_order(die: Die) -> tuple[int, float]:
    middle = die.outline.mean(axis=0)
    side = float(np.linalg.norm(die.outline[0] - die.outline[2])) / np.sqrt(2)
    return int(middle[1] // max(1.5 * side, 1)), float(middle[0])
