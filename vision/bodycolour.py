"""How far a die's body is from white, measured in the picture: a second opinion beside the network's."""

import math

import cv2
import numpy as np

from vision.frames import Floats, Image, floats, quantiles

LIMIT = 0.3
"""Chroma over lightness (both of 8-bit Lab) that divides: ivory under a warm lamp reaches 0.25."""

_WARM = 0.15
"""Even the palest die is tinted under some lamps: this far above it a die is coloured."""

_WARMEST = 0.37
_WIDTH = 0.06
"""How fast certainty falls near the limit, in the same unit."""

_INNER = 0.85
_MOST = 3.0


def colourfulness(crop: Image, corners: Floats) -> float:
    """Return how colourful the face with these corners (4, 2) px is: 0 is grey and bright.

    Most of a face is body, so its median is the body's colour. Dark bodies and light pips add to it.
    """
    middle = corners.mean(axis=0)
    inside = np.zeros(crop.shape[:2], np.uint8)
    outline = np.round(middle + (corners - middle) * _INNER).astype(np.int32)
    cv2.fillConvexPoly(inside, outline, (255,))
    pixels = crop[inside > 0]
    if len(pixels) < 12:
        return LIMIT
    lab = np.asarray(cv2.cvtColor(pixels[None], cv2.COLOR_BGR2LAB)[0], np.uint8)
    (low, *_), (light, a, b), (high, *_) = quantiles(lab, 0.03, 0.5, 0.97).tolist()
    chroma = math.hypot(a - 128, b - 128) / max(light, 30.0)
    dark = max(0.0, (110 - light) / 110) * 0.4
    return float(chroma + dark + (0.3 if high - light > 1.3 * (light - low) else 0.0))


def whiteness(network: Floats, measured: Floats) -> Floats:
    """Return (n,) 0..1 that each die is white, from what the network says and from `colourfulness`.

    The dice of one picture stand under one lamp, so they are judged among each other.
    """
    palest = float(measured.min(initial=1.0))
    limit = max(LIMIT, min(palest + _WARM, _WARMEST)) if len(measured) > 1 else LIMIT
    own = np.clip((limit - measured) / _WIDTH, -_MOST, _MOST)
    clipped = np.clip(network, 0.025, 0.9)  # what it calls coloured is; black it may call white
    return floats(1 / (1 + np.exp(-(own + np.log(clipped / (1 - clipped))))))
