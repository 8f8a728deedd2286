"""What can be measured of light and lens in pictures of a tray. Pure; pictures are BGR, 0..255."""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats, Image

Mask = NDArray[np.bool_]
"""(h, w): which pixels count."""

PARTS = (
    ("upper left", "top", "upper right"),
    ("left", "middle", "right"),
    ("lower left", "bottom", "lower right"),
)
"""What the nine parts of a picture are called."""

SATURATED = 250
"""From this level on in all three channels a pixel says nothing any more: JPEG moves 255 by a few."""

_LAPLACE = np.array([[1, -2, 1], [-2, 4, -2], [1, -2, 1]], np.float32)
"""Blind to slopes and plain edges, so that what is left is noise (Immerkaer 1996); its gain is 6."""

_CLEAR_OF_NOISE = 12.0
"""An edge is measured at the finest scale at which it stands out of the noise so many times."""

_STRONGEST = 0.003
"""Part of the pixels that are edges to judge by."""

_DIRECTIONS = 4


def noise_of(grey: Floats) -> float:
    """Return the deviation of the sensor's noise in grey levels."""
    return float(np.median(np.abs(cv2.filter2D(grey, cv2.CV_32F, _LAPLACE))) / 0.6745 / 6)


def smear_of(image: Image, where: Mask | None = None) -> float | None:
    """Return how far the sharpest edges are smeared: the deviation of the blur in px, 0 for none.

    Edges are blurred once more by a known amount: the less that changes them, the more they were
    blurred before. Where noise is strong a coarser scale is taken, so that noise does not pass for
    sharpness. ``where`` marks dice: they have edges in all directions, so the direction that is
    smeared most counts, as when the camera shakes. None where there are no edges to judge by.
    """
    if where is not None:
        where, image = _cropped(where, image)
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    if min(grey.shape) < 48:
        return None
    scales = [_Scale(grey, fine, where) for fine in (1.0, 2.0, 4.0)]
    noise = noise_of(grey)
    bins = range(_DIRECTIONS) if where is not None else (None,)
    smears = [next((s for scale in scales if (s := scale.smear(noise, b)) is not None), None) for b in bins]
    return max((smear for smear in smears if smear is not None), default=None)


class _Scale:
    """Edges of a picture at one scale, ``fine`` px."""

    def __init__(self, grey: NDArray[np.float32], fine: float, where: Mask | None) -> None:
        self._fine = fine
        once = cv2.GaussianBlur(grey, (0, 0), fine)
        across, down = (cv2.Scharr(once, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1)))
        slope = np.hypot(across, down)
        again = cv2.GaussianBlur(once, (0, 0), 2 * fine)
        after = np.hypot(*(cv2.Scharr(again, cv2.CV_32F, *way) / 32 for way in ((1, 0), (0, 1))))
        crest = slope >= cv2.dilate(slope, np.ones((3, 3), np.uint8)) * 0.999
        margin = int(4 * fine) + 2
        core = np.zeros(grey.shape, bool)
        core[margin:-margin, margin:-margin] = True
        if where is not None:
            core &= where
        at = core & crest
        self._slope, self._after = slope[at], after[at]
        turn = np.arctan2(down[at], across[at]) / np.pi * _DIRECTIONS
        self._direction = np.round(turn).astype(int) % _DIRECTIONS
        self._most = max(20, round(_STRONGEST * int(core.sum())))
        steep = np.quantile(slope[core][::5], 1 - _STRONGEST) if core.any() else 0.0
        self._steepest = int((self._slope >= steep).sum())

    def smear(self, noise: float, direction: int | None) -> float | None:
        """Return the smear of the strongest edges of a direction; None if noise hides them."""
        mine = np.ones(len(self._slope), bool) if direction is None else self._direction == direction
        most = self._steepest if direction is None else self._most // _DIRECTIONS
        slope, after = self._slope[mine], self._after[mine]
        if len(slope) < max(most, 12) or not most:
            return None
        strongest = np.argpartition(slope, -most)[-most:]
        slope, after = slope[strongest], after[strongest]
        if np.median(slope) < max(1.0, _CLEAR_OF_NOISE * noise / np.sqrt(8 * np.pi) / self._fine**2):
            return None
        change = float(np.median(slope / np.maximum(after, 1e-6)))
        smear = 2 * self._fine / np.sqrt(max(change**2 - 1, 1e-4))
        return float(np.sqrt(max(smear**2 - self._fine**2, 0.0)))


def _cropped(where: Mask, image: Image) -> tuple[Mask, Image]:
    """Cut out what is marked, with a margin."""
    rows, columns = np.nonzero(where.any(axis=1))[0], np.nonzero(where.any(axis=0))[0]
    if not len(rows):
        return where, image
    top, left = max(rows[0] - 20, 0), max(columns[0] - 20, 0)
    window = (slice(top, rows[-1] + 21), slice(left, columns[-1] + 21))
    return where[window], image[window]


def brightest(image: Image) -> float:
    """Return the level 0..255 that only a twentieth of the picture is brighter than."""
    part = image[::2, ::2]
    return float(np.percentile(np.maximum(np.maximum(part[..., 0], part[..., 1]), part[..., 2]), 95))


def burnt(image: Image) -> Mask:
    """Mark the pixels (h, w) at which the picture is saturated."""
    return np.asarray(least_of(image) >= SATURATED)


def least_of(image: Image) -> NDArray[np.uint8]:
    """Return the least of the three channels (h, w)."""
    return np.minimum(np.minimum(image[..., 0], image[..., 1]), image[..., 2])


def light_ratio(image: Image, where: Mask | None = None) -> tuple[float, str]:
    """Return how much brighter the best lit part of the tray is than the worst, and the worst's name.

    A smooth slope is fitted to the parts' levels, so that dice and patterns do not count as light.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY).astype(np.float32)
    if where is not None:
        grey = np.where(where, grey, np.nan)
    rows, columns = (np.array_split(np.arange(side), 6) for side in grey.shape)
    cells = [(r, c) for r in range(6) for c in range(6)]
    levels, places = [], []
    for r, c in cells:
        part = grey[np.ix_(rows[r][::3], columns[c][::3])]
        if np.isfinite(part).any():
            levels.append(np.log(np.nanmedian(part) + 4))
            places.append((r / 5, c / 5))
    y, x = np.array(places).T
    terms = np.column_stack((np.ones_like(x), x, y, x * y, x * x, y * y))
    fitted = terms @ np.linalg.lstsq(terms, np.array(levels), rcond=None)[0]
    worst = int(np.argmin(fitted))
    return float(np.exp(np.ptp(fitted))), part_of(float(x[worst]), float(y[worst]))


def part_of(x: float, y: float) -> str:
    """Return the name of the part of the picture at fractions ``x`` and ``y``."""
    return PARTS[min(int(y * 3), 2)][min(int(x * 3), 2)]


def flicker_of(images: Sequence[Image]) -> tuple[float, float, bool]:
    """Return how the light of pictures of one scene varies, as fractions of it.

    First from picture to picture, then from row to row within a picture (bands), then whether the
    first is a drift one way, as while a camera adapts.
    """
    greys = np.stack([cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)[::2, ::2] for image in images])
    logs = np.log(greys.astype(np.float32) + 4)
    change = logs - np.median(logs, axis=0)
    rows = np.median(change, axis=2)
    whole = np.median(rows, axis=1)
    steps = np.diff(whole)
    drift = len(steps) >= 2 and (bool((steps > 0).all()) or bool((steps < 0).all()))
    up = np.linspace(-1, 1, rows.shape[1])
    bent = rows - whole[:, None]
    bent -= (bent @ up / (up @ up))[:, None] * up
    return float(np.ptp(whole)), float(bent.std(axis=1).max()), drift
