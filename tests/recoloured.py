"""Real white dice painted in other colours, to have photographs of one coloured die among white ones."""

from dataclasses import dataclass

import cv2
import numpy as np


@dataclass(frozen=True, slots=True)
class Paint:
    """Colours (BGR) of body and pips; dark pips stay as they were photographed if ``ink`` is None."""

    body: tuple[int, int, int]
    ink: tuple[int, int, int] | None = None


PAINTS = {
    "red": Paint((45, 35, 190), (235, 238, 240)),
    "red, dark pips": Paint((60, 50, 205)),
    "blue": Paint((165, 75, 30), (235, 238, 240)),
    "green": Paint((70, 130, 35), (235, 238, 240)),
    "yellow": Paint((45, 195, 235)),
    "black": Paint((42, 40, 40), (235, 238, 240)),
}


def painted(image: np.ndarray, outline: np.ndarray, paint: Paint) -> np.ndarray:
    """Return the picture (BGR) with the die of this upper face (4, 2) px painted.

    The surface like the face's body that hangs together with it is taken for the die. Its light
    and shade stay; tones between body and pip stay between the new ones.
    """
    die = _extent(image, outline)
    body, ink = _tones(image, outline)
    grey = image.astype(np.float32) @ np.float32([1 / 3, 1 / 3, 1 / 3])
    low, high = float(ink.mean()), float(body.mean())
    share = np.clip((grey - low) / (high - low), 0, 1.15)[..., None]
    top = cv2.GaussianBlur(_quad(image.shape[:2], outline), (0, 0), 1.0)[..., None]
    lit = np.float32(min(high / 215, 1))
    new_body = np.float32(paint.body) * lit
    new_ink = ink if paint.ink is None else np.float32(paint.ink) * lit
    printed = new_ink * np.clip(1 - share, 0, 1) + new_body * share
    shaded = new_body * share  # the sides are dark by shade as well as by pips
    fresh = printed * top + shaded * (1 - top)
    alpha = cv2.GaussianBlur(die.astype(np.float32), (0, 0), 0.8)[..., None]
    return np.clip(image * (1 - alpha) + fresh * alpha, 0, 255).astype(np.uint8)


def _tones(image: np.ndarray, outline: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The colours (BGR) of body and pips: of the face's brighter half and of its darkest part."""
    inner = outline.mean(axis=0) + (outline - outline.mean(axis=0)) * 0.85
    pixels = image[_quad(image.shape[:2], inner) > 0].astype(np.float32)
    grey = pixels.mean(axis=1)
    body = np.median(pixels[grey >= np.median(grey)], axis=0)
    return body, np.median(pixels[grey <= np.quantile(grey, 0.05)], axis=0)


def _extent(image: np.ndarray, outline: np.ndarray) -> np.ndarray:
    """(h, w) the die's whole silhouette: its face, and what around it is rather die than table."""
    height, width = image.shape[:2]
    x, y = outline.mean(axis=0)
    reach = 1.5 * float(np.linalg.norm(outline - np.roll(outline, 1, axis=0), axis=1).mean())
    left, top = max(0, round(x - reach)), max(0, round(y - reach))
    crop = image[top : min(height, round(y + reach)), left : min(width, round(x + reach))]
    corners = outline - (left, top)
    marks = np.full(crop.shape[:2], cv2.GC_BGD, np.uint8)
    cv2.circle(
        marks, (round(float(x) - left), round(float(y) - top)), round(reach * 0.63), cv2.GC_PR_BGD, -1
    )
    cv2.fillPoly(
        marks,
        [np.round(corners.mean(axis=0) + (corners - corners.mean(axis=0)) * 1.12).astype(int)],
        cv2.GC_PR_FGD,
    )
    cv2.fillPoly(marks, [np.round(corners).astype(int)], cv2.GC_FGD)
    cv2.setRNGSeed(1)
    cv2.grabCut(crop, marks, None, np.zeros((1, 65)), np.zeros((1, 65)), 4, cv2.GC_INIT_WITH_MASK)
    part = np.isin(marks, (cv2.GC_FGD, cv2.GC_PR_FGD)).astype(np.uint8)
    part = cv2.morphologyEx(part, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    whole = np.zeros((height, width), np.uint8)
    largest = max(outlines, key=cv2.contourArea)
    return cv2.drawContours(whole, [largest + np.array((left, top))], -1, 1, -1) > 0


def _quad(shape: tuple[int, int], corners: np.ndarray) -> np.ndarray:
    return cv2.fillPoly(np.zeros(shape, np.float32), [np.round(corners).astype(np.int32)], 1.0)
