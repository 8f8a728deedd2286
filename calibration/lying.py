"""The dice that a player shows: those the reader sees, or what lies on a plain tray and is about square."""

import cv2
import numpy as np

from vision.dice import Reader, some_of
from vision.frames import Floats, Frame, Image
from vision.naming import FINGERPRINT

_WORKING_PX = 640
_LEAST, _MOST = 0.02, 0.3
"""Side of a die as parts of the picture's longest side."""

_LONGER = 1.45
"""A square seen with one of its side faces is so much longer than wide."""

_FULL = 0.8
"""Least part of its own box that a die's outline fills."""


def find_shown(frame: Frame, awaited: tuple[str, int] | None, reader: Reader) -> list[Floats]:
    """Return outlines (4, 2) px of dice: what the reader sees, else square things: it may not know them.

    ``awaited``: of which kind, and how many. The reader knows fingerprint dice: squares of a pattern,
    taught as a colour, would be read as dice for ever.
    """
    seen = [die.outline for die in reader(frame, some_of(*awaited) if awaited else None)]
    prints = awaited is not None and awaited[0] == FINGERPRINT
    return seen if seen or prints else find_bodies(frame.image)


def find_bodies(image: Image) -> list[Floats]:
    """Return outlines (4, 2) px of square things in a BGR picture of a tray with a plain floor."""
    scale = min(1.0, _WORKING_PX / max(image.shape[:2]))
    shrunk = cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    lab = cv2.GaussianBlur(cv2.cvtColor(shrunk, cv2.COLOR_BGR2LAB), (0, 0), 1.2).astype(np.float32)
    away = np.linalg.norm((lab - _floor(lab)) * np.array((0.8, 1.3, 1.3), np.float32), axis=2)
    level, _ = cv2.threshold(np.clip(away, 0, 255).astype(np.uint8), 0, 255, cv2.THRESH_OTSU)
    mask = np.asarray(away > max(level, 18.0), np.uint8)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    longest = max(shrunk.shape[:2])
    found = []
    for contour in contours:
        hull = cv2.convexHull(contour)
        box = cv2.minAreaRect(hull)
        short, long = sorted(box[1])
        if not _LEAST * longest <= short <= long <= _MOST * longest or long > _LONGER * short:
            continue
        if cv2.contourArea(hull) >= _FULL * short * long:
            found.append(np.asarray(cv2.boxPoints(box) / scale, np.float32))
    return sorted(found, key=lambda outline: (float(outline[:, 1].min()) // 60, float(outline[:, 0].min())))


def _floor(lab: Floats) -> Floats:
    """Return the floor's colour at every pixel: dice are small, so a slope through the picture has it."""
    rows, columns = np.mgrid[0 : lab.shape[0] : 8, 0 : lab.shape[1] : 8]
    sampled = lab[rows.ravel(), columns.ravel()]
    place = np.column_stack(
        (np.ones(rows.size), columns.ravel() / lab.shape[1], rows.ravel() / lab.shape[0])
    )
    kept = np.ones(len(sampled), bool)
    for _ in range(4):
        slope = np.linalg.lstsq(place[kept], sampled[kept], rcond=None)[0]
        off = np.linalg.norm(sampled - place @ slope, axis=1)
        kept = off <= max(2 * float(np.median(off)), 3.0)
    y, x = np.mgrid[0 : lab.shape[0], 0 : lab.shape[1]]
    whole = slope[0] + (x / lab.shape[1])[..., None] * slope[1] + (y / lab.shape[0])[..., None] * slope[2]
    return np.asarray(whole, np.float32)
