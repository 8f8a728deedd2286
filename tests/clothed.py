"""A tray of dice on a table with a patched cloth, as a camera above sees it."""

import random

import cv2
import numpy as np

from vision.rehearsal import SIZE_PX, RehearsalTray

MARKED = ((0.15, 0.15), (0.85, 0.15), (0.85, 0.85), (0.15, 0.85))
"""The tray's corners in the picture."""


def tray(seed=1):
    """Dice on felt, on a table with a cloth whose patches are seen round it."""
    dice = RehearsalTray((("white", 3), ("coloured", 1)), chance=random.Random(seed), monotonic=lambda: 0.0)
    picture = dice.frame(100.0).image
    squares = np.random.default_rng(0).integers(70, 190, (26, 34)).astype(np.uint8)
    cloth = cv2.resize(squares, SIZE_PX, interpolation=cv2.INTER_NEAREST)
    y, x = np.mgrid[0 : SIZE_PX[1], 0 : SIZE_PX[0]]
    inside = (
        (x > 0.16 * SIZE_PX[0])
        & (x < 0.84 * SIZE_PX[0])
        & (y > 0.16 * SIZE_PX[1])
        & (y < 0.84 * SIZE_PX[1])
    )
    return np.where(inside[..., None], picture, cloth[..., None]).astype(np.uint8)
