"""Plain dice drawn flat from above, for tests that must know what is in the picture."""

from collections.abc import Sequence

import cv2
import numpy as np

PLACES = {
    "1": [(0, 0)],
    "2": [(-1, -1), (1, 1)],
    "3": [(-1, -1), (0, 0), (1, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    "6": [(-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)],
}
IVORY, RED, BLUE, YELLOW = (225, 238, 240), (40, 30, 190), (160, 60, 20), (30, 200, 235)
BLACK, PALE = (25, 25, 25), (245, 245, 245)
FELT = (70, 105, 60)


def table(width: int = 640, height: int = 480, colour: tuple[int, int, int] = FELT) -> np.ndarray:
    return np.full((height, width, 3), colour, np.uint8)


def draw(
    image: np.ndarray,
    face: str,
    at: tuple[float, float],
    side: float = 56.0,
    turn: float = 0.0,
    body: tuple[int, int, int] = IVORY,
    ink: tuple[int, int, int] = BLACK,
) -> None:
    """Draw one die: ``at`` its middle and ``side`` in px, ``turn`` in degrees."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    turned = np.array([[c, -s], [s, c]])
    round_corner = 0.06 * side
    square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (side / 2 - round_corner)
    fixed = 16  # sixteenths of a pixel
    corners = np.round((square @ turned.T + at) * fixed).astype(np.int32)
    cv2.fillPoly(image, [corners], body, cv2.LINE_AA, 4)
    cv2.polylines(image, [corners], isClosed=True, color=body, thickness=round(2 * round_corner), shift=4)
    for place in PLACES[face]:
        spot = np.round((np.array(place) * side * 0.25 @ turned.T + at) * fixed).astype(int)
        cv2.circle(image, tuple(map(int, spot)), round(side * 0.09 * fixed), ink, -1, cv2.LINE_AA, 4)


def photographed(image: np.ndarray, seed: int = 1) -> np.ndarray:
    """A little blur and noise, as any camera adds."""
    noise = np.random.default_rng(seed).normal(0, 3, image.shape)
    return np.clip(cv2.GaussianBlur(image, (0, 0), 0.8) + noise, 0, 255).astype(np.uint8)


def rolled(faces: Sequence[str], side: float = 56.0, seed: int = 1) -> np.ndarray:
    """Ivory dice in rows of four, each turned by chance."""
    rng = np.random.default_rng(seed)
    image = table()
    for n, face in enumerate(faces):
        at = (100 + 145 * (n % 4), 90 + 130 * (n // 4))
        draw(image, face, at, side=side, turn=float(rng.uniform(0, 90)))
    return photographed(image, seed)
