"""When do the dice lie still? Pure: small grey pictures and their times go in, scenes come out.

A picture is compared with an anchor, the picture in which the last movement was seen, not with the
one just before: so slow movement adds up and noise does not. Every comparison first takes out the
change of the light, so a lamp that is switched on or fades is not movement.
"""

from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np
from numpy.typing import NDArray

Grey = NDArray[np.uint8]
"""Shape (h, w), 0..255, the longest side `SMALL_PX`."""

SMALL_PX = 160
"""Longest side in px: a die that is a twentieth of the picture wide keeps 8 px."""

_BLOCK_PX = 20
_LIGHT_SPREAD = 0.03
"""Blocks this near to the slope (natural logarithm of the light's growth) belong to it."""


class Stillness(StrEnum):
    """What the tray is doing."""

    MOVING = "moving"
    COVERED = "covered"
    STILL = "still"


@dataclass(frozen=True, slots=True)
class SettleTimes:
    """Times in seconds of the pictures, whatever their rate.

    ``still_s``: without movement for so long, the dice lie: three pictures at 15 a second, so that
    with the picture that shows the last movement it is 0.3 s at the most. A die that stands on its
    edge for longer is caught by the readings, which must agree over a time of their own.
    ``covered_s``: what has come in from the edge and stays for longer is taken for a new tray.
    """

    still_s: float = 0.18
    covered_s: float = 4.0


@dataclass(frozen=True, slots=True)
class SettleLimits:
    """Sizes as fractions of the picture's area, and contrasts.

    ``least_level`` and ``least_ratio``: a pixel has changed if it differs by more than the one
    (grey levels) and by more than the other times its own brightness.
    ``speck``: smaller changes are noise. 0.0004 is 7 px of a small picture: the rim of a die that
    is a twentieth of the picture wide and has been pushed by a tenth of its side.
    ``hand``: larger changes that reach the edge of the picture are a hand or a sleeve.
    """

    least_level: float = 7.0
    least_ratio: float = 0.06
    speck: float = 0.0004
    hand: float = 0.03


@dataclass(frozen=True, slots=True)
class Scene:
    """What is going on at ``at``; ``since`` the last movement's end; ``movements``: how many there were."""

    at: float
    stillness: Stillness
    since: float
    movements: int

    @property
    def quiet_s(self) -> float:
        """How long nothing has moved."""
        return self.at - self.since


def small(image: NDArray[np.uint8], longest_px: int = SMALL_PX) -> Grey:
    """Shrink a BGR or grey picture of any size to a grey one with this longest side."""
    scale = longest_px / max(image.shape[:2])
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    shrunk = cv2.resize(image, size, interpolation=cv2.INTER_AREA)
    grey = shrunk if shrunk.ndim == 2 else cv2.cvtColor(shrunk, cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, dtype=np.uint8)


@dataclass(slots=True)
class Settle:
    """Follows one tray. `see` takes the pictures in their order."""

    times: SettleTimes = field(default_factory=SettleTimes)
    limits: SettleLimits = field(default_factory=SettleLimits)
    _anchor: Grey | None = None
    _clear: Grey | None = None
    _moved: float = 0.0
    _movements: int = 0
    _moving: bool = True
    _counted: bool = False
    _covered: bool = False
    _jumping: bool = False

    @property
    def movements(self) -> int:
        """How many movements there were."""
        return self._movements

    def jump(self) -> None:
        """Take the next picture for the same tray, though all of it has shifted: the camera was moved."""
        self._jumping = True

    def see(self, grey: Grey, at: float) -> Scene:
        """Take the next picture in and say what the tray is doing."""
        if self._anchor is None:
            self._restart(grey, at)
        elif self._jumping:
            self._anchor = self._clear = grey
            self._moving = self._counted = self._covered = False
        elif self._anchor.shape != grey.shape:
            self._restart(grey, at)
            self._move(grey, at)
        elif largest(self._anchor, grey, self.limits)[0] > self.limits.speck:
            self._move(grey, at)
        self._jumping = False
        return Scene(at, self._stillness(at), self._moved, self._movements)

    def _restart(self, grey: Grey, at: float) -> None:
        self._anchor, self._clear, self._moved = grey, None, at
        self._moving, self._counted, self._covered = True, False, False

    def _move(self, grey: Grey, at: float) -> None:
        self._movements += 0 if self._counted else 1
        self._anchor, self._moved = grey, at
        self._moving, self._counted, self._covered = True, True, self._reaches_in(grey)

    def _stillness(self, at: float) -> Stillness:
        still_s = at - self._moved
        if self._covered and still_s < self.times.covered_s:
            return Stillness.COVERED
        if still_s < self.times.still_s:
            return Stillness.MOVING
        if self._moving:
            self._clear = self._anchor
            self._moving, self._counted, self._covered = False, False, False
        return Stillness.STILL

    def _reaches_in(self, grey: Grey) -> bool:
        """Something large reaches in from the edge that was not there when the tray last lay still."""
        if self._clear is None:
            return False
        area, at_edge = largest(self._clear, grey, self.limits)
        return at_edge and area > self.limits.hand


def largest(before: Grey, now: Grey, limits: SettleLimits) -> tuple[float, bool]:
    """Return the area (fraction of the picture) of the largest changed patch, and whether it is at a rim.

    A patch at the edge that is as large as a hand comes before a larger one inside.
    """
    changed = _changed(before, now, limits)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(changed, connectivity=8)
    if count < 2:
        return 0.0, False
    areas = stats[1:, cv2.CC_STAT_AREA] / changed.size
    rim = np.unique(np.concatenate((labels[0], labels[-1], labels[:, 0], labels[:, -1])))
    at_edge = np.isin(np.arange(1, count), rim)
    if at_edge.any() and areas[at_edge].max() > limits.hand:
        return float(areas[at_edge].max()), True
    n = int(areas.argmax())
    return float(areas[n]), bool(at_edge[n])


def _changed(before: Grey, now: Grey, limits: SettleLimits) -> NDArray[np.uint8]:
    """Mark the pixels (255) that changed other than with the light."""
    was, is_ = before.astype(np.float32), now.astype(np.float32)
    was = was * _light(was, is_)
    difference = np.abs(is_ - was)
    threshold = np.maximum(limits.least_level, limits.least_ratio * np.maximum(is_, was))
    return np.where(difference > threshold, 255, 0).astype(np.uint8)


def _light(was: NDArray[np.float32], is_: NDArray[np.float32]) -> NDArray[np.float32]:
    """Return by how much the light has grown at every pixel: a slope over the picture, fitted to blocks.

    Blocks in which something else changed, dice or a hand, stand out from the slope and are left out.
    """
    height, width = (side // _BLOCK_PX * _BLOCK_PX for side in was.shape)
    ratio = np.log((is_ + 4) / (was + 4))[:height, :width]
    blocks = ratio.reshape(height // _BLOCK_PX, _BLOCK_PX, width // _BLOCK_PX, _BLOCK_PX)
    medians = np.median(blocks, axis=(1, 3))
    rows, columns = np.indices(medians.shape).reshape(2, -1) * _BLOCK_PX + _BLOCK_PX / 2
    terms = np.column_stack((np.ones(medians.size), columns, rows))
    slope = np.array([np.median(medians), 0.0, 0.0])
    for _ in range(3):
        away = np.abs(medians.ravel() - terms @ slope)
        kept = away <= max(_LIGHT_SPREAD, float(np.median(away)) * 2)
        slope = np.linalg.lstsq(terms[kept], medians.ravel()[kept], rcond=None)[0]
    across = np.exp(slope[0] + slope[1] * np.arange(was.shape[1]))
    down = np.exp(slope[2] * np.arange(was.shape[0]))
    return np.outer(down, across).astype(np.float32)
