"""Where the tray lies in the picture: a profile that calibration writes and the watcher reads."""

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from vision.frames import Frame

Corner = tuple[float, float]
_WHOLE: tuple[Corner, ...] = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))
_KEYS = frozenset({"corners", "px_per_mm"})
_LEAST_AREA = 0.01
"""A tray smaller than a hundredth of the picture is a mistake: its dice would have a few pixels."""


class TrayProfileError(ValueError):
    """A tray profile cannot be used; the text names the file, what is wrong and what helps."""


@dataclass(frozen=True, slots=True)
class TrayProfile:
    """The tray's corners in the picture, and how large a millimetre is once it is cut out.

    ``corners``: (x, y) as fractions 0..1 of width and height, clockwise from the upper left one.
    ``px_per_mm``: of the rectified picture; None if nobody has measured it.
    """

    corners: tuple[Corner, ...] = _WHOLE
    px_per_mm: float | None = None

    def __post_init__(self) -> None:
        problem = _problem(self.corners, self.px_per_mm)
        if problem:
            raise TrayProfileError(problem)

    @property
    def whole(self) -> bool:
        """Whether the tray is the whole picture."""
        return self.corners == _WHOLE

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a profile. Raises TrayProfileError for whatever is wrong with the file."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise TrayProfileError(
                f"{path} cannot be read: {error}. Mark the tray again, or delete the file."
            ) from error
        if not isinstance(found, dict):
            raise TrayProfileError(
                f"{path} is not a tray profile. Mark the tray again, or delete the file."
            )
        if odd := sorted(set(found) - _KEYS):
            raise TrayProfileError(
                f"{path}: unknown {', '.join(odd)}; known are {', '.join(sorted(_KEYS))}."
            )
        try:
            return cls(_corners(found), found.get("px_per_mm"))
        except TrayProfileError as error:
            raise TrayProfileError(f"{path}: {error}") from error

    def save(self, path: Path) -> None:
        """Write the profile so that a power cut leaves the old file or the new one, never half of one."""
        text = json.dumps({"corners": self.corners, "px_per_mm": self.px_per_mm}, indent=2) + "\n"
        temporary = path.with_name(path.name + ".tmp")
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def rectify(frame: Frame, profile: TrayProfile) -> Frame:
    """Cut the tray out of the picture and straighten it; its sides keep about their length in px."""
    if profile.whole:
        return frame
    height, width = frame.image.shape[:2]
    corners = np.array(profile.corners, np.float32) * np.array((width, height), np.float32)
    sides = [math.dist(corners[n], corners[(n + 1) % 4]) for n in range(4)]
    size = (max(1, round(max(sides[0], sides[2]))), max(1, round(max(sides[1], sides[3]))))
    target = np.array(_WHOLE, np.float32) * np.array(size, np.float32)
    transform = cv2.getPerspectiveTransform(corners, target)
    image = cv2.warpPerspective(frame.image, transform, size, flags=cv2.INTER_LINEAR)
    return replace(frame, image=np.asarray(image, dtype=np.uint8), straight=True)


def _corners(found: Mapping[str, Any]) -> tuple[Corner, ...]:
    try:
        return tuple((float(x), float(y)) for x, y in found["corners"])
    except (KeyError, TypeError, ValueError) as error:
        raise TrayProfileError("corners must be four pairs of numbers from 0 to 1.") from error


def _problem(corners: tuple[Corner, ...], px_per_mm: object) -> str:
    if len(corners) != 4 or not all(0 <= v <= 1 for corner in corners for v in corner):
        return "corners must be four pairs of numbers from 0 to 1."
    if px_per_mm is not None and not (isinstance(px_per_mm, int | float) and 0 < px_per_mm < math.inf):
        return f"px_per_mm must be a number above 0, not {px_per_mm!r}."
    turns = [_turn(corners[n], corners[(n + 1) % 4], corners[(n + 2) % 4]) for n in range(4)]
    if not all(turn > 0 for turn in turns):
        return "the corners must go round the tray clockwise, without a dent."
    if (turns[0] + turns[2]) / 2 < _LEAST_AREA:
        return "the tray is too small in the picture. Move the camera nearer, or mark the corners again."
    return ""


def _turn(a: Corner, b: Corner, c: Corner) -> float:
    """Return twice the area of a triangle, positive if it turns clockwise (y points down)."""
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
