"""A table with a tray on it, drawn in perspective, and dice with coloured faces: tests know all of it."""

import cv2
import numpy as np

from calibration.markers import RIM_MM, SIDE_MM
from drawn import draw, photographed, table
from vision.frames import Frame

TRAY_MM = (300, 220)
SIZE_PX = (1280, 960)
DOTS = 4
"""Of the flat drawing, for each millimetre."""

CORNERS = np.array([(210, 130), (1090, 160), (1170, 850), (130, 800)], np.float32)
"""Where the tray's corners are in the picture, px: a camera that stands askew."""

_CODE = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)


def wood(seed=3):
    """A table top: brown, with grain along it."""
    rng = np.random.default_rng(seed)
    width, height = SIZE_PX
    rows = cv2.GaussianBlur(rng.normal(0, 16, (height, 1)).astype(np.float32), (0, 0), 2)
    fibres = cv2.GaussianBlur(rng.normal(0, 30, (height, width)).astype(np.float32), (41, 1), 0)
    return np.clip(np.array((70, 110, 160)) + rows[..., None] + fibres[..., None], 0, 255).astype(np.uint8)


def tray(floor=(60, 90, 50), rim=(30, 45, 70)):
    """The tray flat, `DOTS` px a millimetre, with a rim of 6 mm."""
    size = tuple(side * DOTS for side in TRAY_MM)
    flat = np.full((size[1], size[0], 3), floor, np.uint8)
    cv2.rectangle(flat, (0, 0), (size[0] - 1, size[1] - 1), rim, 12 * DOTS)
    return flat


def with_markers(flat, numbers=(0, 1, 2, 3), turns=(0, 1, 2, 3)):
    """Put the cards called ``numbers`` into the corners, clockwise from the upper left; None: no card."""
    whole, rim = round((SIDE_MM + 2 * RIM_MM) * DOTS), round(RIM_MM * DOTS)
    height, width = flat.shape[:2]
    for number, turn, (x, y) in zip(
        numbers,
        turns,
        ((0, 0), (width - whole, 0), (width - whole, height - whole), (0, height - whole)),
        strict=True,
    ):
        if number is None:
            continue
        card = np.full((whole, whole), 245, np.uint8)
        black = cv2.aruco.generateImageMarker(_CODE, number, whole - 2 * rim)
        card[rim:-rim, rim:-rim] = np.clip(black, 25, 245)
        flat[y : y + whole, x : x + whole] = np.rot90(card, turn)[..., None]
    return flat


def seen(flat, corners=CORNERS, background=None, noise=4.0, blur=0.8, seed=1):
    """What a camera makes of the flat tray on its table."""
    picture = wood() if background is None else background.copy()
    height, width = flat.shape[:2]
    here = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    onto = cv2.getPerspectiveTransform(here, np.asarray(corners, np.float32))
    laid = cv2.warpPerspective(flat, onto, SIZE_PX, flags=cv2.INTER_AREA)
    there = cv2.warpPerspective(np.full(flat.shape[:2], 255, np.uint8), onto, SIZE_PX)[..., None] / 255
    picture = picture * (1 - there) + laid * there
    picture = cv2.GaussianBlur(picture, (0, 0), blur)
    grain = np.random.default_rng(seed).normal(0, noise, picture.shape)
    return np.clip(picture + grain, 0, 255).astype(np.uint8)


def apart(profile, corners=CORNERS):
    """The largest distance in px between a profile's corners and the true ones."""
    found = np.array(profile.corners) * SIZE_PX
    return float(np.linalg.norm(found - corners, axis=1).max())


COLOURS = {
    "green": (50, 130, 40),
    "red": (40, 30, 180),
    "yellow": (40, 190, 220),
    "blue": (170, 80, 30),
    "brown": (45, 65, 110),
    "purple": (120, 45, 110),
}
LAMP = {"day": (1, 1, 1), "evening": (0.55, 0.8, 1.0)}
"""Gains of blue, green and red."""


def picture(face, *, dice=3, seed=0, lamp="day"):
    """Dice of one body that all show a face of this colour, and their outlines."""
    rng = np.random.default_rng(seed)
    image = table()
    outlines = []
    for n in range(dice):
        at = np.array((130 + 170 * n, 200 + rng.uniform(-60, 60)))
        turn = float(rng.uniform(0, 90))
        draw(image, "1", at, side=70, turn=turn, body=(225, 238, 240), ink=COLOURS[face])
        draw(image, "4", at, side=70, turn=turn, body=(225, 238, 240), ink=COLOURS[face])
        cv2.circle(image, tuple(int(v) for v in at), 24, COLOURS[face], -1)
        outlines.append(cv2.boxPoints(((float(at[0]), float(at[1])), (70, 70), turn)))
    lit = np.clip(image * np.array(LAMP[lamp]), 0, 255).astype(np.uint8)
    return Frame(photographed(lit, seed), float(seed), "drawn"), outlines
