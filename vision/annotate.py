"""Pictures for people: what was read, drawn over the picture, and JPEGs of it."""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.dice import Die
from vision.frames import Frame, Image
from vision.judgement import SURE, Judgement, RollStatus

EVIDENCE_SIDE_PX = 1280
"""Longest side of a picture kept with a roll: a die of 3 % of it still shows its pips."""

_GREEN, _AMBER, _RED = (80, 200, 60), (0, 170, 255), (60, 60, 235)
_STATUS = {RollStatus.SURE: _GREEN, RollStatus.DOUBTFUL: _AMBER}


def annotate(frame: Frame, dice: Sequence[Die], judgement: Judgement | None = None) -> Image:
    """Draw outlines and faces on a copy; green is sure, amber is not, red is likely wrong."""
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


def _draw_die(image: Image, die: Die, thick: int) -> None:
    colour = _GREEN if die.confidence >= SURE else _AMBER if die.confidence >= SURE / 2 else _RED
    corners = np.round(die.outline).astype(np.int32)
    cv2.polylines(image, [corners], isClosed=True, color=colour, thickness=thick, lineType=cv2.LINE_AA)
    label = die.face if die.kind == "white" else f"{die.face} {die.kind}"
    x, y = corners.min(axis=0)
    _write(image, label, (int(x), max(int(y) - 2 * thick, 12 * thick)), thick * 0.35, colour)


def _write(image: Image, text: str, at: tuple[int, int], size: float, colour: tuple[int, int, int]) -> None:
    """Write with a dark rim, legible on any table."""
    for ink, width in (((0, 0, 0), round(size * 6) + 1), (colour, round(size * 2) + 1)):
        cv2.putText(image, text, at, cv2.FONT_HERSHEY_SIMPLEX, size, ink, width, cv2.LINE_AA)
