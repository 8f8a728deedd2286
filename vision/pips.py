"""Pips: small round marks of one tone on a surface of another, of any size, dark or light.

Candidates are extrema of a Laplacian over a pyramid of two planes, the brightest and the darkest
channel: between them every pip stands out, a red one on black as well as a white one on red.
Nothing here knows of dice.
"""

from dataclasses import dataclass, fields, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats, Image
from vision.marks import measured, sample

_LEVELS = 4
_SIGMAS = (2.0, 2.8)
"""Pips of 3 to 6 px radius answer at these scales; four levels reach 45 px."""

_LEAST_RESPONSE = 4.0
_MOST_A_LEVEL = 600
_LEAST_QUALITY = 0.02


@dataclass(frozen=True, slots=True)
class Pips:
    """Measured marks, one row each; lengths in pixels of the picture they were found in.

    ``centre`` (n, 2); ``shape`` (n, 2, 2) the ellipse's matrix S, whose rim is centre + S^(1/2) u
    for unit u; ``radius`` (n,) mean radius; ``light`` (n,) light on dark; ``contrast`` (n,) grey
    levels; ``quality`` (n,) 0..1 as a pip, ``clarity`` (n,) 0..1 as a mark of any sort; ``body``,
    ``ink`` (n, 3) median Lab around it and inside it.
    """

    centre: Floats
    shape: Floats
    radius: Floats
    light: NDArray[np.bool_]
    contrast: Floats
    quality: Floats
    clarity: Floats
    body: Floats
    ink: Floats

    def __len__(self) -> int:
        return len(self.centre)

    def take(self, index: NDArray[np.intp]) -> Self:
        """Return these rows, in this order."""
        return type(self)(*(getattr(self, f.name)[index] for f in fields(self)))


def find_pips(image: Image, lab: Floats) -> Pips:
    """All marks of a BGR picture that could be pips, best first, one for each place and size."""
    blue, green, red = cv2.split(image)
    planes = [cv2.max(cv2.max(blue, green), red), cv2.min(cv2.min(blue, green), red)]
    found = []
    for level in range(_LEVELS):
        if level:
            height, width = planes[0].shape
            if min(height, width) < 48:
                break
            planes = [
                cv2.resize(p, (width // 2, height // 2), interpolation=cv2.INTER_AREA) for p in planes
            ]
        found += _on_level([p.astype(np.float32) for p in planes], image.shape[1] / planes[0].shape[1], lab)
    return _without_bodies(_distinct(_joined(found)))


def _on_level(planes: list[Floats], scale: float, lab: Floats) -> list[Pips]:
    """Candidates of one level, measured. ``scale``: px of the picture a px of these planes."""
    rows = np.concatenate([_extrema(planes, sigma) for sigma in _SIGMAS])
    rows = rows[np.argsort(-rows[:, 3], kind="stable")[:_MOST_A_LEVEL]].astype(np.float32)
    found = []
    for light in (False, True):
        for which, plane in enumerate(planes):
            chosen = rows[(rows[:, 4] == light) & (rows[:, 5] == which)]
            if len(chosen):
                found.append(_pips(plane, chosen, light=light, scale=scale, lab=lab))
    return found


def _extrema(planes: list[Floats], sigma: float) -> Floats:
    """(n, 6) x, y, sigma, response, light, plane of every local extremum."""
    logs = [
        cv2.Laplacian(cv2.GaussianBlur(p, (0, 0), sigma), cv2.CV_32F, ksize=1) * np.float32(sigma**2)
        for p in planes
    ]
    rows = []
    for light in (False, True):
        high, low = (-x if light else x for x in logs)
        best = cv2.max(high, low)
        peak = (best >= cv2.dilate(best, np.ones((3, 3), np.uint8))) & (best > _LEAST_RESPONSE)
        y, x = np.divmod(np.flatnonzero(peak), best.shape[1])
        one = np.ones(len(x))
        rows.append(np.column_stack([x, y, one * sigma, best[y, x], one * light, low[y, x] > high[y, x]]))
    return np.concatenate(rows)


def _pips(plane: Floats, rows: Floats, *, light: bool, scale: float, lab: Floats) -> Pips:
    marks = measured(plane, rows[:, :2], rows[:, 2], light=light)
    centre = ((marks.centre + 0.5) * scale - 0.5).astype(np.float32)
    shape = (marks.shape * scale**2).astype(np.float32)
    rays = marks.rays * scale
    body, ink = (np.median(sample(lab, centre[:, None] + rays * f), axis=1) for f in (1.45, 0.5))
    radius = np.sqrt(np.sqrt(np.maximum(np.linalg.det(shape), 0)))
    tone = np.full(len(centre), light)
    quality = marks.quality
    pips = Pips(centre, shape, radius, tone, marks.contrast, quality, quality, body, ink)
    return pips.take(np.nonzero(quality > _LEAST_QUALITY)[0])


def _joined(parts: list[Pips]) -> Pips:
    if not parts:
        none = np.zeros(0, np.float32)
        two, three = np.zeros((0, 2), np.float32), np.zeros((0, 3), np.float32)
        return Pips(two, np.zeros((0, 2, 2), np.float32), none, none > 0, none, none, none, three, three)
    return Pips(*(np.concatenate([getattr(p, f.name) for p in parts]) for f in fields(Pips)))


def _distinct(pips: Pips) -> Pips:
    """The best mark of each place and size, best first."""
    pips = pips.take(np.argsort(-pips.quality, kind="stable"))
    keep = []
    taken = np.zeros(len(pips), bool)
    for i in range(len(pips)):
        if taken[i]:
            continue
        keep.append(i)
        away = pips.centre - pips.centre[i]
        ratio = pips.radius / np.maximum(pips.radius[i], 1e-3)
        same_place = np.hypot(away[:, 0], away[:, 1]) < 0.8 * np.maximum(pips.radius[i], pips.radius)
        taken |= same_place & (ratio > 0.45) & (ratio < 2.2)
    return pips.take(np.array(keep, np.intp))


def _without_bodies(pips: Pips) -> Pips:
    """Lower marks that hold clear smaller marks: they are dice themselves, seen whole."""
    inverse = np.linalg.inv(pips.shape)
    away = pips.centre[None] - pips.centre[:, None]
    within = np.einsum("nmi,nij,nmj->nm", away, inverse, away) < 0.8
    ratio = pips.radius[None] / pips.radius[:, None]
    inner = within & (ratio > 0.1) & (ratio < 0.6)
    clarity = np.clip(pips.contrast[None] / pips.contrast[:, None] * 2, 0, 1) * pips.quality[None]
    held = np.where(inner, clarity, 0).max(axis=1, initial=0)
    quality = pips.quality * np.clip(1.3 - 2 * held, 0, 1)
    return replace(pips, quality=quality.astype(np.float32))
