"""Pictures for people: what was read, drawn over the picture, and JPEGs of it."""

from collections import Counter
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cubes import SURE_CUBE, CubeSeen, CubesRead
from vision.dice import FLAT, Die
from vision.frames import Frame, Image
from vision.judgement import SURE, Judgement, RollStatus

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
        _draw_die(image, die, thick)
    if judgement is not None:
        colour = _STATUS.get(judgement.status, _RED)
        words = f"{judgement.status}  {judgement.reason}".strip()
        _write(image, words, (4 * thick, 14 * thick), thick * 0.4, colour)
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
    for cube in read.beside:
        _draw_cube(image, cube, thick, "not counted")
    for cube in read.cubes:
        _draw_cube(image, cube, thick)
    words = f"{read.status}: {counted_words(read.colours)}  {read.reason}".strip()
    _write(image, words, (4 * thick, 14 * thick), thick * 0.35, _STATUS.get(read.status, _RED))
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


def _draw_die(image: Image, die: Die, thick: int) -> None:
    """Draw one die: doubtful ones have a broken outline and a question mark, whatever colours one sees."""
    sure = die.confidence >= SURE
    colour = _GREEN if sure else _AMBER if die.confidence >= SURE / 2 else _RED
    corners = np.round(die.outline).astype(np.int32)
    if sure:
        cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=thick, lineType=cv2.LINE_AA)
    else:
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            _dashed(image, start, end, thick, colour)
    side_px = float(np.linalg.norm(die.outline[0] - die.outline[1]))
    size = min(max(0.35 * thick, side_px / 75), 2.5)
    label = die.face if die.kind == "white" else f"{die.face} {die.kind}"
    if die.state != FLAT:
        label = f"{label} {die.state}?"
    elif not sure:
        label = f"{label}? {die.confidence:.0%}"
    x, y = corners.min(axis=0)
    _write(image, label, (int(x), max(int(y) - 2 * thick, round(30 * size))), size, colour)


def _draw_cube(image: Image, cube: CubeSeen, thick: int, more: str = "") -> None:
    sure = cube.confidence >= SURE_CUBE
    colour = _PALE if more else _GREEN if sure else _AMBER
    corners = np.round(cube.outline).astype(np.int32)
    if sure:
        cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=thick, lineType=cv2.LINE_AA)
    else:
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            _dashed(image, start, end, thick, colour)
    side_px = float(np.linalg.norm(cube.outline[0] - cube.outline[1]))
    label = cube.colour if sure else f"{cube.colour}? {cube.confidence:.0%}"
    if not sure and cube.alternatives:
        label = f"{label} or {cube.alternatives[0]}"
    x, y = corners.min(axis=0)
    size = min(max(0.2 * thick, side_px / 85), 1.6)
    _write(image, f"{label} {more}".strip(), (int(x), max(int(y) - thick, round(20 * size))), size, colour)


def _dashed(
    image: Image, start: NDArray[np.int32], end: NDArray[np.int32], thick: int, colour: tuple[int, int, int]
) -> None:
    dashes = 5
    at = np.linspace(start, end, 2 * dashes, endpoint=False).round().astype(int)
    for a, b in zip(at[::2], at[1::2], strict=True):
        first, last = (int(a[0]), int(a[1])), (int(b[0]), int(b[1]))
        cv2.line(image, first, last, colour, 2 * thick, cv2.LINE_AA)


def _write(image: Image, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    """Write with a dark rim, legible on any table."""
    for ink, width in (((0, 0, 0), round(size * 6) + 1), (colour, round(size * 2) + 1)):
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
