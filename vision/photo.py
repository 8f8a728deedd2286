"""Reading one photograph, with all that a script wants to know of it."""

import re
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TypedDict

import numpy as np

from companion.rules.events import CubesExpected, DiceExpected
from vision.cubeheads import COLOURS
from vision.cubes import CubeSeen, CubesRead, read_cubes
from vision.dice import Die, Reader, read
from vision.frames import Floats, Frame
from vision.judgement import Judgement, judge
from vision.naming import COLOURED, KINDS, WHITE
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


class CubeRow(TypedDict):
    """One cube; ``box`` is x, y, width, height in the upright photograph's own pixels."""

    colour: str
    box: list[int]
    confidence: float
    alternatives: list[str]


class CubePhotoRow(TypedDict):
    """What `companion read --cubes` prints of one photograph. ``beside``: cubes not on the floor seen."""

    image: str
    status: str
    cubes: list[CubeRow]
    beside: list[CubeRow]
    floor: bool
    confidence: float
    reason: str
    ms: float


@dataclass(frozen=True, slots=True)
class CubePhotoReading:
    """A photograph in which cubes were counted: its row, and what is needed to draw it."""

    row: CubePhotoRow
    frame: Frame
    read: CubesRead


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


def read_cube_photo(
    photo: Path | bytes, expected: CubesExpected | None = None, *, name: str | None = None
) -> CubePhotoReading:
    """Count the cubes on a photograph, a file or bytes called ``name``. Raises PhotoError."""
    start_s = time.perf_counter()
    name = name or (str(photo) if isinstance(photo, Path) else "The photograph")
    data = _bytes(photo) if isinstance(photo, Path) else photo
    frame = decode_photo(data, name=name, at=start_s)
    read = read_cubes(frame.image, expected)
    width, _ = upright_size(data, name=name)
    own = read.scaled(width / frame.image.shape[1])
    row = CubePhotoRow(
        image=name,
        status=read.status.value,
        cubes=[_cube_row(cube) for cube in own.cubes],
        beside=[_cube_row(cube) for cube in own.beside],
        floor=read.hole is not None,
        confidence=read.confidence,
        reason=read.reason,
        ms=round((time.perf_counter() - start_s) * 1000, 1),
    )
    return CubePhotoReading(row, frame, read)


def parse_cubes(text: str) -> CubesExpected | None:
    """Read what can lie there at most, such as ``3 blue + 1 red``; None for ``any``.

    Raises ValueError saying how to write it.

    >>> parse_cubes("3 blue + 1 red").most
    (('blue', 3), ('red', 1))
    """
    if text.strip().lower() == "any":
        return None
    counts: dict[str, int] = {}
    for part in text.split("+"):
        match = re.fullmatch(r"\s*(\d{1,3})\s*([a-z]+)\s*", part, re.IGNORECASE)
        colour = match[2].lower() if match else ""
        if match is None or colour not in COLOURS:
            raise ValueError(
                f'{text!r} does not say which cubes can lie there. Write for example "3 blue + 1 red", or '
                f'"any"; colours are {", ".join(COLOURS)}.'
            )
        counts[colour] = counts.get(colour, 0) + int(match[1])
    return CubesExpected(tuple(counts.items()))


def parse_dice(text: str) -> DiceExpected:
    """Read what should lie there, such as ``7 white + 1 coloured`` or ``5``, any kind being white.

    Kinds are those of `vision.naming.KINDS`. Raises ValueError saying how to write it.

    >>> parse_dice("7 white + 1 coloured").kinds
    (('white', 7), ('coloured', 1))
    >>> parse_dice("5 teatime").faces
    ('1', '2', '3', '4', '5', 'glass')
    """
    counts: dict[str, int] = {}
    for part in text.split("+"):
        match = re.fullmatch(r"\s*(\d{1,3})\s*([a-z]+)?\s*", part, re.IGNORECASE)
        kind = (match[2] or WHITE).lower().replace("colored", COLOURED) if match else ""
        if match is None or kind not in KINDS:
            raise ValueError(
                f'{text!r} does not say which dice to expect. Write for example "7 white + 1 coloured"; '
                f"kinds are {', '.join(KINDS)}."
            )
        counts[kind] = counts.get(kind, 0) + int(match[1])
    if not sum(counts.values()):
        raise ValueError(f"{text!r} expects no dice at all. Leave it out to read any number.")
    kinds = tuple((kind, n) for kind, n in counts.items() if n)
    faces = tuple(dict.fromkeys(face for kind, _ in kinds for face in KINDS[kind]))
    return DiceExpected(kinds, faces=faces, partial=False)


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


def _cube_row(cube: CubeSeen) -> CubeRow:
    return CubeRow(
        colour=cube.colour,
        box=_box(cube.outline),
        confidence=cube.confidence,
        alternatives=list(cube.alternatives),
    )


def _box(outline: Floats) -> list[int]:
    x, y = np.floor(outline.min(axis=0)).astype(int)
    right, bottom = np.ceil(outline.max(axis=0)).astype(int)
    return [int(x), int(y), int(right - x), int(bottom - y)]
