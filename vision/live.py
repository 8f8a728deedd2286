"""The live picture: drawn and encoded only while somebody looks, and only a few times a second."""

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from vision.annotate import annotate, annotate_cubes, encode_jpeg
from vision.cubes import CubesRead
from vision.dice import Die
from vision.frames import Frame, Image

INTERVAL_S = 0.25
"""Nobody gets a newer picture sooner, however many look."""

LOOKED_AT_S = 3.0
"""So long after the last look somebody is taken to be looking."""

SIDE_PX, QUALITY = 960, 78


@dataclass(frozen=True, slots=True)
class Shown:
    """The tray as it was last seen, and the dice, or the cubes of an exposed floor, read in it.

    ``why``: in a sentence what is unsure, if anything; ``trouble``: what is wrong with the picture.
    """

    frame: Frame
    dice: tuple[Die, ...] = ()
    why: str = ""
    trouble: str = ""
    cubes: CubesRead | None = None


class LivePicture:
    """Holds what was seen last. `show` is called by the thread that reads; the rest by any."""

    def __init__(self, monotonic: Callable[[], float] = time.monotonic) -> None:
        self._monotonic = monotonic
        self._shown: Shown | None = None
        self._looked = float("-inf")
        self._encoding = threading.Lock()
        self._encoded: tuple[float, Shown, bytes] | None = None

    @property
    def shown(self) -> Shown | None:
        return self._shown

    @property
    def looked_at(self) -> bool:
        """Whether somebody looks."""
        return self._monotonic() - self._looked < LOOKED_AT_S

    def show(self, shown: Shown) -> None:
        """Take what was seen; costs nothing until somebody looks."""
        self._shown = shown

    def look(self) -> tuple[bytes, Shown] | None:
        """Return a JPEG and what it shows; None before the first picture."""
        self._looked = now = self._monotonic()
        with self._encoding:
            shown, encoded = self._shown, self._encoded
            if shown is None:
                return None
            if encoded is None or (encoded[1] is not shown and now - encoded[0] >= INTERVAL_S):
                encoded = self._encoded = (now, shown, _jpeg(shown))
            return encoded[2], encoded[1]


def _jpeg(shown: Shown) -> bytes:
    image, factor = shrunk(shown.frame.image, SIDE_PX)
    small = Frame(image, shown.frame.at, shown.frame.source)
    if shown.cubes is not None:
        return encode_jpeg(annotate_cubes(small, shown.cubes.scaled(factor)), QUALITY)
    return encode_jpeg(annotate(small, [die.scaled(factor) for die in shown.dice]), QUALITY)


def shrunk(image: Image, longest_px: int) -> tuple[Image, float]:
    """Return a picture of at most this longest side in px, and by what factor it is smaller."""
    factor = min(1.0, longest_px / max(image.shape[:2]))
    if factor == 1.0:
        return image, factor
    size = (max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor)))
    return cv2.resize(image, size, interpolation=cv2.INTER_AREA).astype(np.uint8, copy=False), factor
