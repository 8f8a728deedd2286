"""The tray's edge: the largest four-sided outline whose sides are really there.

Straight lines are gathered, every likely four of them is tried, and a four counts only if each side
has an edge of one kind along nearly all its length, and the same surface inside all four.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats, Image

WORKING_PX = 480
"""Longest side of the picture that is searched."""

_LINES = 32
"""Straight lines kept, strongest first: two rims of four sides each, and many strangers such as grain."""

_LEAST_AREA, _MOST_AREA = 0.2, 0.96
"""Of the picture. Less is a card, a book or a laptop; more cannot be told from the picture's own border."""

_STEPS = 48
_ASIDE_PX = 3.5
_STEP_LEAST = 7.0
"""Least step across a side, in Lab units (L 0..255): twice the noise of a phone's picture at this size."""

_SLANT = np.radians(32)
"""Most that opposite sides may differ in direction, and that a corner may differ from a right angle:
a camera tilted by 45 degrees makes about 25 of it."""

_LIGHTNESS = 0.35
"""Weight of lightness against colour when the floor along two sides is compared: lamps are uneven."""

_ALIKE = 30.0


@dataclass(frozen=True, slots=True)
class Edge:
    """``corners`` (4, 2) px of the picture, clockwise from the upper left; ``confidence`` 0..1."""

    corners: Floats
    confidence: float


def find_edge(image: Image) -> Edge | None:
    """Find the outline of a tray in a BGR picture; None if nothing is even like one."""
    scale = WORKING_PX / max(image.shape[:2])
    size = (max(2, round(image.shape[1] * scale)), max(2, round(image.shape[0] * scale)))
    small = cv2.bilateralFilter(cv2.resize(image, size, interpolation=cv2.INTER_AREA), 7, 24, 5)
    lab = cv2.cvtColor(small, cv2.COLOR_BGR2LAB).astype(np.float32)
    fours = _fours(_lines(lab), size)
    if not len(fours):
        return None
    confidence = _confidence(lab, fours)
    best = int(np.argmax(confidence * np.sqrt(_area(fours))))
    corners = fours[best] / np.float32(scale)
    return Edge(corners.astype(np.float32), round(float(confidence[best]), 3))


def _lines(lab: Floats) -> Floats:
    """Return straight lines (n, 2) as distance from the origin in px and direction of the normal."""
    edges = np.zeros(lab.shape[:2], np.uint8)
    for channel, (low, high) in enumerate(((20, 60), (12, 36), (12, 36))):
        found = cv2.Canny(lab[:, :, channel].astype(np.uint8), low, high)
        edges = np.maximum(edges, found.astype(np.uint8))
    votes = round(0.22 * min(edges.shape))
    straight = cv2.HoughLines(edges, 1, np.pi / 240, votes)
    kept: list[tuple[float, float]] = []
    for rho, theta in () if straight is None else straight[:, 0].tolist():
        if len(kept) == _LINES:
            break
        if not any(_same(rho, theta, *other) for other in kept):
            kept.append((rho, theta))
    return np.array(kept, np.float32).reshape(-1, 2)


def _same(rho: float, theta: float, other_rho: float, other_theta: float) -> bool:
    turn = abs(theta - other_theta)
    if turn > np.pi / 2:  # the same direction from the other side
        turn, other_rho = np.pi - turn, -other_rho
    return turn < np.radians(2.5) and abs(rho - other_rho) < 5


def _fours(lines: Floats, size: tuple[int, int]) -> Floats:
    """Return the corners (n, 4, 2), clockwise from the upper left, of all fours that may be a tray."""
    first, second = np.triu_indices(len(lines), 1)
    turn = np.abs(lines[first, 1] - lines[second, 1])
    facing = np.minimum(turn, np.pi - turn) < _SLANT
    pairs = np.stack((first[facing], second[facing]), axis=1)
    one, two = np.triu_indices(len(pairs), 1)
    a, b = pairs[one], pairs[two]
    corners = np.stack(
        [
            _crossing(lines[p], lines[q])
            for p, q in ((a[:, 0], b[:, 0]), (a[:, 0], b[:, 1]), (a[:, 1], b[:, 1]), (a[:, 1], b[:, 0]))
        ],
        axis=1,
    )
    good = np.isfinite(corners).all(axis=(1, 2))
    good &= ((corners > -2) & (corners < np.array(size) + 1)).all(axis=(1, 2))
    corners = _clockwise(corners[good])
    area = _area(corners) / (size[0] * size[1])
    return corners[(area > _LEAST_AREA) & (area < _MOST_AREA) & _squarish(corners)]


def _crossing(one: Floats, two: Floats) -> Floats:
    """Return where lines (n, 2) cross lines (n, 2); not finite where they are nearly parallel."""
    c1, s1, c2, s2 = np.cos(one[:, 1]), np.sin(one[:, 1]), np.cos(two[:, 1]), np.sin(two[:, 1])
    slant = c1 * s2 - s1 * c2
    slant = np.where(np.abs(slant) < np.cos(_SLANT), np.nan, slant)
    x = (one[:, 0] * s2 - two[:, 0] * s1) / slant
    y = (two[:, 0] * c1 - one[:, 0] * c2) / slant
    return np.stack((x, y), axis=1).astype(np.float32)


def _clockwise(corners: Floats) -> Floats:
    """Turn each four (n, 4, 2) so that it runs clockwise and begins at the upper left."""
    if not len(corners):
        return corners
    away = corners - corners.mean(axis=1, keepdims=True)
    order = np.argsort(np.arctan2(away[..., 1], away[..., 0]), axis=1)
    corners = np.take_along_axis(corners, order[..., None], axis=1)
    begin = np.argmin(corners.sum(axis=2), axis=1)
    turned = (begin[:, None] + np.arange(4)) % 4
    return np.take_along_axis(corners, turned[..., None], axis=1)


def _area(corners: Floats) -> Floats:
    x, y = corners[..., 0], corners[..., 1]
    cross = x * np.roll(y, -1, axis=1) - y * np.roll(x, -1, axis=1)
    return np.asarray(np.abs(cross.sum(axis=1)) / 2, np.float32)


def _squarish(corners: Floats) -> NDArray[np.bool_]:
    """Whether no side is shorter than a quarter of the longest, and none has bent inwards."""
    if not len(corners):
        return np.zeros(0, bool)
    sides = np.roll(corners, -1, axis=1) - corners
    length = np.linalg.norm(sides, axis=2)
    after = np.roll(sides, -1, axis=1)
    turns = sides[..., 0] * after[..., 1] - sides[..., 1] * after[..., 0]
    return np.asarray((length.min(axis=1) > 0.25 * length.max(axis=1)) & (turns > 0).all(axis=1))


def _confidence(lab: Floats, corners: Floats) -> Floats:
    """Return for each four (n, 4, 2) how much of its worst side is there, less for an uneven floor."""
    ends = np.roll(corners, -1, axis=1)
    along = np.linspace(0.02, 0.98, _STEPS, dtype=np.float32)[:, None]
    on = corners[:, :, None] + (ends - corners)[:, :, None] * along
    direction = (ends - corners) / np.linalg.norm(ends - corners, axis=2, keepdims=True)
    inward = np.stack((-direction[..., 1], direction[..., 0]), axis=2)[:, :, None] * np.float32(_ASIDE_PX)
    inside, outside = _at(lab, on + inward), _at(lab, on - inward)
    step = inside - outside
    usual = np.median(step, axis=2, keepdims=True)
    size = np.linalg.norm(usual, axis=3)
    same = (step * usual).sum(axis=3) / np.maximum(size, 1e-6)
    there = (same > np.maximum(_STEP_LEAST, 0.35 * size)).mean(axis=2)
    floor = np.median(_at(lab, on + inward * 3), axis=2) * np.array((_LIGHTNESS, 1, 1), np.float32)
    uneven = np.linalg.norm(floor - np.median(floor, axis=1, keepdims=True), axis=2).max(axis=1)
    return np.asarray(there.min(axis=1) * np.exp(-((uneven / _ALIKE) ** 2)), np.float32)


def _at(lab: Floats, points: Floats) -> Floats:
    """Return the Lab values at points (..., 2), the nearest ones for points outside."""
    height, width = lab.shape[:2]
    x = np.clip(np.round(points[..., 0]).astype(int), 0, width - 1)
    y = np.clip(np.round(points[..., 1]).astype(int), 0, height - 1)
    return np.asarray(lab[y, x], np.float32)
