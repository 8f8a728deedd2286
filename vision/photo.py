"""Reading one photograph, with all that a script wants to know of it."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from companion.rules.events import DiceExpected
from vision.dice import Die, Reader, read
from vision.frames import Floats, Frame
from vision.judgement import Judgement, judge
from vision.stills import PhotoError, decode_photo, upright_size


class DieRow(TypedDict):
    """One die; ``box`` is x, y, width, height in the upright photograph's own pixels."""

    kind: str
    face: str
    box: list[int]
    confidence: float


class PhotoRow(TypedDict):
    """What `companion read` prints of one photograph. ``ms``: decoding and reading."""

    image: str
    status: str
    dice: list[DieRow]
    ms: float


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """A photograph that has been read: its row, and what is needed to draw it."""

    row: PhotoRow
    frame: Frame
    dice: tuple[Die, ...]
    judgement: Judgement


def read_photo(
    photo: Path | bytes,
    expected: DiceExpected | None = None,
    *,
    name: str | None = None,
    reader: Reader = read,
) -> PhotoReading:
    """Read a file, or bytes called ``name``. Raises PhotoError with a sentence for the user."""
    start_s = time.perf_counter()
    name = name or (str(photo) if isinstance(photo, Path) else "The photograph")
    data = _bytes(photo) if isinstance(photo, Path) else photo
    frame = decode_photo(data, name=name, at=start_s)
    dice = reader(frame, expected)
    judgement = judge(dice, expected)
    width, _ = upright_size(data, name=name)
    scale = width / frame.image.shape[1]
    row = PhotoRow(
        image=name,
        status=judgement.status.value,
        dice=[_row(die.scaled(scale)) for die in dice],
        ms=round((time.perf_counter() - start_s) * 1000, 1),
    )
    return PhotoReading(row, frame, dice, judgement)


def parse_dice(text: str) -> DiceExpected:
    """Read what should lie there, such as ``7 white + 1 coloured`` or ``5``, any kind being white.

    Raises ValueError saying how to write it.

    >>> parse_dice("7 white + 1 coloured").kinds
    (('white', 7), ('coloured', 1))
    """
    counts: dict[str, int] = {}
    for part in text.split("+"):
        match = re.fullmatch(r"\s*(\d{1,3})\s*(white|coloured|colored)?\s*", part, re.IGNORECASE)
        if match is None:
            raise ValueError(
                f'{text!r} does not say which dice to expect. Write for example "7 white + 1 coloured".'
            )
        kind = "coloured" if (match[2] or "white").lower() in {"coloured", "colored"} else "white"
        counts[kind] = counts.get(kind, 0) + int(match[1])
    if not sum(counts.values()):
        raise ValueError(f"{text!r} expects no dice at all. Leave it out to read any number.")
    return DiceExpected(tuple((kind, n) for kind, n in counts.items() if n), partial=False)


def _bytes(path: Path) -> bytes:
    if path.is_dir():
        raise PhotoError(f"{path} is a folder. Name the photographs in it.")
    try:
        return path.read_bytes()
    except FileNotFoundError as error:
        raise PhotoError(f"{path} does not exist. Check its name and folder.") from error
    except OSError as error:
        raise PhotoError(f"{path} cannot be opened: {error.strerror}. Check its permissions.") from error


def _row(die: Die) -> DieRow:
    return DieRow(kind=die.kind, face=die.face, box=_box(die.outline), confidence=die.confidence)


def _box(outline: Floats) -> list[int]:
    x, y = np.floor(outline.min(axis=0)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int)
    return [int(x), int(y), int(right - x), int(bottom - y)]
