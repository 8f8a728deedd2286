"""Has the camera, or the tray under it, been moved? Pure: small pictures of the whole view go in.

Points of the tray and its rim are followed from the picture in which it was last seen in place. A
move carries all of them along alike; thrown dice go each its own way and hands only hide some.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats
from vision.settle import Grey

STEADY_SHARE = 0.006
"""A shift of less than this share of the picture's longest side moves no die onto another's place."""

SMALL_SHARE = 0.06
"""Up to this share the tray is simply followed; beyond it somebody should look."""

_LEAST_POINTS = 14
_LEAST_CELLS = 6
_LEAST_ALIKE = 0.55
_GRID = 6
_LOST_ALIKE = 0.35
"""When less than this share of the rim has gone one way, it is not the rim any more that is seen."""

_NEAR_PX = 1.5
_ROOM, _INNER = 1.12, 0.95
"""Points are taken from the tray enlarged by the one, so with its rim, which begins at the other."""

_MOST_POINTS = 100
_AROUND_PX, _WINDOW_PX = 31, 17

Corners = Sequence[tuple[float, float]]


class Moved(StrEnum):
    """What has become of the tray's place."""

    STEADY = "steady"
    FOLLOWED = "followed"
    AWAY = "away"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Shift:
    """How the tray has moved.

    ``matrix`` (2, 3) maps old to new places, both as fractions of the
    picture's longest side; None if it cannot be told. ``share``: the largest way of a corner, same unit.
    """

    moved: Moved
    matrix: Floats | None = field(default=None, repr=False)
    share: float = 0.0


_STEADY, _UNKNOWN = Shift(Moved.STEADY), Shift(Moved.UNKNOWN)


@dataclass(frozen=True, slots=True)
class Landmarks:
    """A picture with the points in it that are followed.

    ``rim``: which of the points lie on the tray's rim or beside it, where no dice are thrown.
    """

    level: Grey = field(repr=False)
    tray: Floats = field(repr=False)
    points: Floats = field(repr=False)
    rim: NDArray[np.bool_] = field(repr=False)

    @classmethod
    def of(cls, whole: Grey, corners: Corners) -> Self:
        """Choose the points of a tray whose ``corners`` are fractions of width and height."""
        level = _levelled(whole)
        tray = np.array(corners, np.float32) * np.array(whole.shape[::-1], np.float32)
        points = _points(level, _scaled(tray, _ROOM))
        inner = _scaled(tray, _INNER).reshape(-1, 1, 2)
        rim = [cv2.pointPolygonTest(inner, (float(x), float(y)), measureDist=False) < 0 for x, y in points]
        return cls(level, tray, points, np.array(rim, bool))


@dataclass(slots=True)
class Place:
    """Remembers where the tray was. ``corners`` as fractions of width and height, as in a profile.

    ``unmarked``: the whole picture is the tray, so that wherever it goes it can be followed.
    """

    corners: Corners
    unmarked: bool = False
    reference: Grey | None = None
    _landmarks: Landmarks | None = None

    def see(self, whole: Grey) -> Shift:
        """Compare a picture in which nothing moves with the one remembered; the first is remembered."""
        if self.reference is None or self.reference.shape != whole.shape:
            self.accept(whole)
            return _UNKNOWN
        self._landmarks = self._landmarks or Landmarks.of(self.reference, self.corners)
        shift = compare(self._landmarks, whole)
        followed = self.unmarked and shift.matrix is not None
        return replace(shift, moved=Moved.FOLLOWED) if followed else shift

    def accept(self, whole: Grey) -> None:
        """Remember the tray as it is here, with the ``corners`` as they are now."""
        self.reference, self._landmarks = whole, None


def compare(before: Landmarks, whole: Grey) -> Shift:
    """Say how the tray has moved between two pictures of the same size."""
    points = before.points
    if _cells(points, whole.shape) < _LEAST_CELLS:
        return _UNKNOWN  # too little to hold on to: a plain tray, or darkness
    level = _levelled(whole)
    matrix, alike = _fitted(points, *_followed(before.level, level, points, points))
    if alike.mean() < _LEAST_ALIKE:  # a long way: begin where the pictures as a whole fit best
        guess = points + _way(before.level, level)
        far, far_alike = _fitted(points, *_followed(before.level, level, points, guess))
        if far_alike.sum() > alike.sum():
            matrix, alike = far, far_alike
    rim = before.rim
    if rim.sum() >= _LEAST_POINTS and alike[rim].mean() < _LOST_ALIKE and _has_contrast(whole):
        return Shift(Moved.AWAY, share=1.0)
    if matrix is None or alike.mean() < _LEAST_ALIKE or _cells(points[alike], whole.shape) < _LEAST_CELLS:
        return _UNKNOWN
    return _judged(matrix, before.tray, whole.shape)


def _fitted(
    points: Floats, new: Floats, found: NDArray[np.bool_]
) -> tuple[Floats | None, NDArray[np.bool_]]:
    """Return the one way (2, 3) that most points have gone, and which; None if too few are found."""
    alike = np.zeros(len(points), bool)
    if found.sum() < _LEAST_POINTS:
        return None, alike
    fitted: Any = cv2.estimateAffinePartial2D(points[found], new[found], ransacReprojThreshold=_NEAR_PX)
    matrix, kept = fitted
    if matrix is None:
        return None, alike
    alike[found] = np.asarray(kept).ravel().astype(bool)
    return matrix.astype(np.float32), alike


def _judged(matrix: Floats, tray: Floats, shape: tuple[int, ...]) -> Shift:
    longest = max(shape)
    moved = tray @ matrix[:, :2].T + matrix[:, 2]
    share = float(np.linalg.norm(moved - tray, axis=1).max()) / longest
    if share < STEADY_SHARE:
        return _STEADY
    matrix[:, 2] /= longest
    return Shift(Moved.FOLLOWED if share <= SMALL_SHARE else Moved.AWAY, matrix, share)


def _levelled(grey: Grey) -> Grey:
    """Take the light out: every place by the mean and the contrast around it."""
    picture = grey.astype(np.float32)
    mean = cv2.blur(picture, (_AROUND_PX, _AROUND_PX))
    spread = np.sqrt(np.maximum(cv2.blur(picture * picture, (_AROUND_PX, _AROUND_PX)) - mean * mean, 16.0))
    return np.clip(128 + 40 * (picture - mean) / spread, 0, 255).astype(np.uint8)


def _scaled(tray: Floats, factor: float) -> Floats:
    middle = tray.mean(axis=0)
    return np.asarray(middle + (tray - middle) * factor, np.float32)


def _points(grey: Grey, tray: Floats) -> Floats:
    mask = np.zeros_like(grey)
    cv2.fillConvexPoly(mask, np.round(tray).astype(np.int32), (255,))
    found: Any = cv2.goodFeaturesToTrack(grey, _MOST_POINTS, 0.03, 6, mask=mask)
    return np.zeros((0, 2), np.float32) if found is None else found.reshape(-1, 2)


def _way(was: Grey, is_: Grey) -> Floats:
    """Return the way (2,) in px by which one picture as a whole fits the other best."""
    window = cv2.createHanningWindow((was.shape[1], was.shape[0]), cv2.CV_32F)
    way, _ = cv2.phaseCorrelate(was.astype(np.float32), is_.astype(np.float32), window)
    return np.array(way, np.float32)


def _followed(was: Grey, is_: Grey, points: Floats, guess: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Return where the points are now, and which of them are found from there back in the old picture."""
    how: dict[str, Any] = {
        "winSize": (_WINDOW_PX, _WINDOW_PX),
        "maxLevel": 3,
        "flags": cv2.OPTFLOW_USE_INITIAL_FLOW,
    }
    there, found, _ = cv2.calcOpticalFlowPyrLK(was, is_, points, guess.copy(), **how)
    back, again, _ = cv2.calcOpticalFlowPyrLK(is_, was, there, there + (points - guess), **how)
    good = found.ravel().astype(bool) & again.ravel().astype(bool)
    good &= np.linalg.norm(back - points, axis=1) < _NEAR_PX
    return np.asarray(there, np.float32), good


def _cells(points: Floats, shape: tuple[int, ...]) -> int:
    """Count the cells of a coarse grid over the picture that hold points."""
    size = np.array(shape[::-1], np.float32)
    return len(np.unique(np.clip(points / size * _GRID, 0, _GRID - 1).astype(np.int32), axis=0))


def _has_contrast(grey: NDArray[np.uint8]) -> bool:
    low, high = np.percentile(grey, (2, 98))
    return bool(high - low > 30)
