"""Words on pictures for people: legible on any table, whole, and not on one another."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2

from vision.frames import Floats, Image

Colour = tuple[int, int, int]
"""Blue, green, red, each 0 to 255."""

_FONT = cv2.FONT_HERSHEY_SIMPLEX
_MARGIN = 0.5
"""Room round a caption, and between its lines, in heights of its letters."""

_ON_WORDS, _ON_THINGS, _OUTSIDE = 4.0, 1.0, 8.0
"""How bad it is to cover a square px of other words, of what others name, and to end beyond the picture."""


class Box(NamedTuple):
    """A rectangle of the picture, in px; the right and lower ends are outside."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def area(self) -> float:
        """Square px."""
        return (self.right - self.left) * (self.bottom - self.top)

    def shared(self, other: "Box") -> float:
        """Return the area that both have, in square px."""
        across = min(self.right, other.right) - max(self.left, other.left)
        down = min(self.bottom, other.bottom) - max(self.top, other.top)
        return max(across, 0.0) * max(down, 0.0)


@dataclass(frozen=True, slots=True)
class Words:
    """Some words, of letters 22 px high times ``size``."""

    text: str
    size: float
    colour: Colour


def caption(image: Image, words: Words, outlines: Sequence[Floats]) -> Box:
    """Write a sentence at the top of the picture, or at its foot if that hides less.

    ``outlines`` (n, 2) px: what matters there. It is broken into lines. Return where it stands.
    """
    height, width = image.shape[:2]
    rise = _extent("M", words.size)[1]
    margin = max(2, round(_MARGIN * rise))
    lines = _lines(words, width - 2 * margin)
    deep = len(lines) * (rise + margin) + margin
    places = (Box(0, 0, width, deep), Box(0, height - deep, width, height))
    things = [bounds(outline) for outline in outlines]
    place = min(places, key=lambda box: sum(box.shared(thing) for thing in things))
    for n, line in enumerate(lines):
        _write(image, line, (margin, round(place.top) + (n + 1) * (rise + margin)), words)
    return place


def label(
    image: Image, words: Words, outline: Floats, taken: Sequence[Box], others: Sequence[Floats]
) -> Box:
    """Write words beside an outline (n, 2) px where they cover least: of ``taken``, and of ``others``.

    Return where they stand.
    """
    height, width = image.shape[:2]
    whole = Box(0, 0, width, height)
    things = [bounds(other) for other in others]

    def covered(box: Box) -> float:
        on_words = sum(box.shared(other) for other in taken)
        on_things = sum(box.shared(thing) for thing in things)
        return _ON_WORDS * on_words + _ON_THINGS * on_things + _OUTSIDE * (box.area - box.shared(whole))

    place = min(_around(bounds(outline), words), key=covered)
    _write(image, words.text, (round(place.left), round(place.bottom) - _rim(words.size)), words)
    return place


def bounds(outline: Floats) -> Box:
    """Return the rectangle round an outline (n, 2) px."""
    (left, top), (right, bottom) = outline.min(axis=0), outline.max(axis=0)
    return Box(float(left), float(top), float(right), float(bottom))


def _around(thing: Box, words: Words) -> list[Box]:
    """Return places beside a thing, the best first: above it, below it, at its right and at its left."""
    wide, rise = _extent(words.text, words.size)
    rim = _rim(words.size)
    wide, high = wide + rim, rise + 2 * rim
    middle = (thing.left + thing.right - wide) / 2
    level = (thing.top + thing.bottom - high) / 2
    corners = (
        (middle, thing.top - high),
        (thing.left, thing.top - high),
        (thing.right - wide, thing.top - high),
        (middle, thing.bottom),
        (thing.left, thing.bottom),
        (thing.right - wide, thing.bottom),
        (thing.right, level),
        (thing.left - wide, level),
    )
    return [Box(x, y, x + wide, y + high) for x, y in corners]


def _lines(words: Words, width_px: int) -> list[str]:
    """Break a sentence where its lines would be wider; a single word is never broken."""
    lines: list[str] = []
    for word in words.text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and _extent(longer, words.size)[0] <= width_px:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _extent(text: str, size: float) -> tuple[int, int]:
    """Return how wide and high letters are in px, without their dark rim and what hangs below the line."""
    (width, height), _ = cv2.getTextSize(text, _FONT, size, _rim(size))
    return width, height


def _rim(size: float) -> int:
    return round(size * 6) + 1


def _write(image: Image, text: str, at: tuple[int, int], words: Words) -> None:
    """Write with a dark rim; ``at``: where the line begins, on the ground of its letters."""
    for ink, width in (((0, 0, 0), _rim(words.size)), (words.colour, round(words.size * 2) + 1)):
        cv2.putText(image, text, at, _FONT, words.size, ink, width, cv2.LINE_AA)
