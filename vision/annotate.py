"""Pictures for people: what was read, drawn over the picture, and JPEGs of it."""

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cubes import SURE_CUBE, CubeSeen, CubesRead
from vision.dice import FLAT, Die
from vision.frames import Floats, Frame, Image
from vision.judgement import SURE, Judgement, RollStatus
from vision.lettering import Colour, Words, caption, label

EVIDENCE_SIDE_PX = 1280
"""Longest side of a picture kept with a roll: a die of 3 % of it still shows its pips."""

_GREEN, _AMBER, _RED = (80, 200, 60), (0, 170, 255), (60, 60, 235)
_PALE = (225, 225, 225)
_STATUS = {RollStatus.SURE: _GREEN, RollStatus.DOUBTFUL: _AMBER}


def annotate(frame: Frame, dice: Sequence[Die], judgement: Judgement | None = None) -> Image:
    """Draw outlines and faces on a copy; sure ones whole and green, others broken, amber or red."""
    image = frame.image.copy()
    thick = max(2, round(max(image.shape[:2]) / 500))
    for die in dice:
        _draw(image, die.outline, _colour(die), thick, sure=die.confidence >= SURE)
    told = None
    if judgement is not None:
        text = f"{judgement.status}: {judgement.reason}" if judgement.reason else judgement.status
        told = Words(text, thick * 0.35, _STATUS.get(judgement.status, _RED))
    _letter(image, [(_die_words(die, thick), die.outline) for die in dice], told)
    return image


def encode_jpeg(image: Image, quality: int = 85) -> bytes:
    """Encode a BGR picture. ``quality`` 1..100. Raises ValueError if the picture has no pixels."""
    if image.size == 0:
        raise ValueError("A picture without pixels cannot be saved. Check where it came from.")
    written, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    if not written:
        raise ValueError(f"A picture of shape {image.shape} cannot be saved as a JPEG.")
    return data.tobytes()


def evidence(frame: Frame, dice: Sequence[Die]) -> bytes:
    """Encode the picture with what was read, as a JPEG of at most EVIDENCE_SIDE_PX."""
    scale = EVIDENCE_SIDE_PX / max(frame.image.shape[:2])
    if scale < 1:
        size = (round(frame.image.shape[1] * scale), round(frame.image.shape[0] * scale))
        small = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        frame = Frame(small, frame.at, frame.source)
        dice = [die.scaled(scale) for die in dice]
    return encode_jpeg(annotate(frame, dice), 82)


def annotate_cubes(frame: Frame, read: CubesRead) -> Image:
    """Draw cubes with their colours in words on a copy, and the hole of the floor; doubtful ones broken."""
    image = frame.image.copy()
    thick = max(2, round(max(image.shape[:2]) / 640))
    if read.hole is not None:
        middle = (round(read.hole.x), round(read.hole.y))
        cv2.circle(image, middle, max(2, round(read.hole.side * 0.35)), _PALE, thick, cv2.LINE_AA)
    cubes = [(cube, "not counted") for cube in read.beside] + [(cube, "") for cube in read.cubes]
    for cube, apart in cubes:
        _draw(image, cube.outline, _cube_colour(cube, apart), thick, sure=cube.confidence >= SURE_CUBE)
    text = f"{read.status}: {counted_words(read.colours)}. {read.reason}".strip()
    told = Words(text, thick * 0.35, _STATUS.get(read.status, _RED))
    _letter(image, [(_cube_words(cube, apart, thick), cube.outline) for cube, apart in cubes], told)
    return image


def cube_evidence(frame: Frame, read: CubesRead) -> bytes:
    """Encode the picture with the cubes that were read, as a JPEG of at most EVIDENCE_SIDE_PX."""
    scale = EVIDENCE_SIDE_PX / max(frame.image.shape[:2])
    if scale < 1:
        size = (round(frame.image.shape[1] * scale), round(frame.image.shape[0] * scale))
        small = cv2.resize(frame.image, size, interpolation=cv2.INTER_AREA).astype(np.uint8)
        frame, read = Frame(small, frame.at, frame.source), read.scaled(scale)
    return encode_jpeg(annotate_cubes(frame, read), 82)


def counted_words(colours: Sequence[str]) -> str:
    """Say how many of each colour there are.

    >>> counted_words(("blue", "red", "blue"))
    '2 blue, 1 red'
    """
    counts = Counter(colours)
    return ", ".join(f"{n} {colour}" for colour, n in sorted(counts.items())) or "no cubes"


def _letter(image: Image, beside: Sequence[tuple[Words, Floats]], told: Words | None) -> None:
    """Write what was told of all, and beside each outline (n, 2) px what it is."""
    outlines = [outline for _, outline in beside]
    taken = [caption(image, told, outlines)] if told else []
    for n, (words, outline) in enumerate(beside):
        taken.append(label(image, words, outline, taken, outlines[:n] + outlines[n + 1 :]))


def _colour(die: Die) -> Colour:
    return _GREEN if die.confidence >= SURE else _AMBER if die.confidence >= SURE / 2 else _RED


def _die_words(die: Die, thick: int) -> Words:
    """Say what a die shows; a doubtful one has a question mark, whatever colours one sees."""
    text = die.face if die.kind == "white" else f"{die.face} {die.kind}"
    if die.state != FLAT:
        text = f"{text} {die.state}?"
    elif die.confidence < SURE:
        text = f"{text}? {die.confidence:.0%}"
    return Words(text, min(max(0.35 * thick, _side_px(die.outline) / 75), 2.5), _colour(die))


def _cube_colour(cube: CubeSeen, apart: str) -> Colour:
    return _PALE if apart else _GREEN if cube.confidence >= SURE_CUBE else _AMBER


def _cube_words(cube: CubeSeen, apart: str, thick: int) -> Words:
    text = cube.colour
    if cube.confidence < SURE_CUBE:
        text = f"{text}? {cube.confidence:.0%}"
        if cube.alternatives:
            text = f"{text} or {cube.alternatives[0]}"
    size = min(max(0.3 * thick, _side_px(cube.outline) / 85), 1.6)
    return Words(f"{text} {apart}".strip(), size, _cube_colour(cube, apart))


def _side_px(outline: Floats) -> float:
    return float(np.linalg.norm(outline[0] - outline[1]))


def _draw(image: Image, outline: Floats, colour: Colour, thick: int, *, sure: bool) -> None:
    """Draw an outline, a broken one if it is not sure."""
    corners = np.round(outline).astype(np.int32)
    if sure:
        cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=thick, lineType=cv2.LINE_AA)
        return
    for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
        _dashed(image, start, end, thick, colour)


def _dashed(
    image: Image, start: NDArray[np.int32], end: NDArray[np.int32], thick: int, colour: Colour
) -> None:
    dashes = 5
    at = np.linspace(start, end, 2 * dashes, endpoint=False).round().astype(int)
    for a, b in zip(at[::2], at[1::2], strict=True):
        first, last = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        cv2.line(image, first, last, colour, 2 * thick, cv2.LINE_AA)
