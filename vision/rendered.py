"""Pictures of dice on felt, drawn: what the rehearsal table shows its camera.

Colours are B, G, R; lengths are pixels; angles are degrees anticlockwise.
"""

import math
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
"""Shape (h, w, 3), B, G, R."""

_OVERSAMPLED = 2
_FELT = (52, 84, 46)
_SKIN = (128, 160, 214)
_SLEEVE = (92, 60, 44)
_BODIES = {"white": ((232, 240, 242), (38, 32, 30)), "coloured": ((46, 38, 196), (236, 240, 242))}
"""Kind to the colours of body and pips; any other kind is drawn like ``coloured``."""

_PIPS = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    "5": ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
_PIP_STEP, _PIP_RADIUS, _CORNER = 0.265, 0.092, 0.17
"""As parts of the side, measured on ordinary 16 mm dice with rounded corners."""

_SHADOW_SHIFT, _SHADOW_DEPTH = (0.08, 0.13), 0.42


@lru_cache(maxsize=2)
def felt(width: int, height: int, seed: int = 7) -> Picture:
    """Draw an empty tray (read-only): green felt with fibres, darker towards the corners."""
    rng = np.random.default_rng(seed)
    coarse = cv2.resize(rng.normal(0, 1, (height // 24, width // 24)).astype(np.float32), (width, height))
    fibres = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 1.1)
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    radius = np.hypot((x - width / 2) / width, (y - height / 2) / height)
    light = (1.06 - 0.35 * radius**2) * (1 + 0.02 * coarse + 0.09 * fibres)
    return _fixed(np.clip(light[..., None] * np.array(_FELT, np.float32), 0, 255).astype(np.uint8))


@lru_cache(maxsize=2)
def grain(width: int, height: int, seed: int = 11) -> NDArray[np.int16]:
    """Make sensor noise (read-only; deviation 1.6 grey levels), twice as wide and high as the picture."""
    noise = np.random.default_rng(seed).normal(0, 1.6, (2 * height, 2 * width, 3))
    return _fixed(np.round(noise).astype(np.int16))


def draw_die(
    picture: Picture,
    kind: str,
    face: str,
    centre: tuple[float, float],
    angle: float,
    side: float,
    *,
    leaning: str = "",
) -> None:
    """Draw a die into the picture with its shadow.

    ``leaning``: it stands on its edge and also shows this face. What lies outside the picture is cut off.
    """
    sprite = _sprite(kind, face, round(side), leaning)
    reach = math.ceil(side * 1.1)
    left, top = math.floor(centre[0]) - reach, math.floor(centre[1]) - reach
    patch = _placed(sprite, (centre[0] - left, centre[1] - top), angle, 2 * reach)
    shadow = cv2.GaussianBlur(patch[..., 3], (0, 0), side * 0.07)[..., None] * np.float32(_SHADOW_DEPTH)
    below = (left + round(_SHADOW_SHIFT[0] * side), top + round(_SHADOW_SHIFT[1] * side))
    _blend(picture, np.zeros_like(patch[..., :3]), shadow, below)
    _blend(picture, patch[..., :3], patch[..., 3:], (left, top))


def draw_hand(picture: Picture, reach: float) -> None:
    """Draw a hand that comes in from the lower edge; ``reach`` 0..1 is how far."""
    height, width = picture.shape[:2]
    layer, mask = np.zeros_like(picture), np.zeros((height, width), np.uint8)
    top = round(height * (1.05 - 0.85 * reach))
    palm = (round(width * 0.48), top + round(height * 0.42))
    thick = round(width * 0.075)
    sleeve = ((palm[0], palm[1] + thick * 3), (palm[0] + thick, 2 * height), 4 * thick, _SLEEVE)
    fingers = [
        (
            (palm[0] + round(thick * dx), palm[1]),
            (palm[0] + round(thick * dx * 1.7), top + round(height * dy)),
            thick,
            _SKIN,
        )
        for dx, dy in ((-1.7, 0.12), (-0.6, 0.02), (0.5, 0.0), (1.6, 0.07), (3.0, 0.3))
    ]
    for begin, end, width_px, colour in (sleeve, *fingers):
        cv2.line(layer, begin, end, colour, width_px, cv2.LINE_AA)
        cv2.line(mask, begin, end, (255,), width_px, cv2.LINE_AA)
    cv2.ellipse(layer, palm, (thick * 3, thick * 3), 0, 0, 360, _SKIN, -1, cv2.LINE_AA)
    cv2.ellipse(mask, palm, (thick * 3, thick * 3), 0, 0, 360, (255,), -1, cv2.LINE_AA)
    alpha = np.asarray(cv2.GaussianBlur(mask, (0, 0), 1.5), np.float32)[..., None] / np.float32(255)
    skin = np.asarray(cv2.GaussianBlur(layer, (0, 0), 2.0), np.float32)
    _blend(picture, skin, alpha, (0, 0))


def lit(picture: Picture, level: float, noise: NDArray[np.int16], tick: int) -> Picture:
    """Return the picture under a lamp of this level (1 is normal), with the noise of frame ``tick``."""
    height, width = picture.shape[:2]
    dy, dx = (tick * 97) % height, (tick * 61) % width
    bright = picture.astype(np.float32) * level if level != 1.0 else picture
    noisy = bright + noise[dy : dy + height, dx : dx + width]
    return np.asarray(np.clip(noisy, 0, 255), dtype=np.uint8)


def _fixed(array: NDArray[Any]) -> NDArray[Any]:
    """Make an array that is shared read-only."""
    array.flags.writeable = False
    return array


def _placed(
    sprite: NDArray[np.float32], centre: tuple[float, float], angle: float, size: int
) -> NDArray[np.float32]:
    """Turn and move a sprite into a patch of size x size; its middle comes to ``centre``."""
    big = size * _OVERSAMPLED
    middle = ((sprite.shape[1] - 1) / 2, (sprite.shape[0] - 1) / 2)
    turn = cv2.getRotationMatrix2D(middle, angle, 1.0)
    turn[:, 2] += [centre[0] * _OVERSAMPLED - middle[0], centre[1] * _OVERSAMPLED - middle[1]]
    turned = cv2.warpAffine(sprite, turn, (big, big), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(turned, (size, size), interpolation=cv2.INTER_AREA), dtype=np.float32)


def _blend(
    picture: Picture, colour: NDArray[np.float32], alpha: NDArray[np.float32], at: tuple[int, int]
) -> None:
    """Lay colour (already times alpha where it is a sprite) over the picture, in place."""
    height, width = picture.shape[:2]
    x0, y0 = max(at[0], 0), max(at[1], 0)
    x1, y1 = min(at[0] + colour.shape[1], width), min(at[1] + colour.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    inside = np.s_[y0 - at[1] : y1 - at[1], x0 - at[0] : x1 - at[0]]
    under = picture[y0:y1, x0:x1].astype(np.float32)
    mixed = under * (1 - alpha[inside]) + colour[inside] * alpha[inside]
    picture[y0:y1, x0:x1] = np.clip(mixed, 0, 255).astype(np.uint8)


@lru_cache(maxsize=64)
def _sprite(kind: str, face: str, side: int, leaning: str) -> NDArray[np.float32]:
    """Draw one die, oversampled: colour (B, G, R) and alpha 0..1."""
    top = _face(kind, face, side * _OVERSAMPLED)
    if not leaning:
        return top
    length = top.shape[0]
    upper = cv2.resize(top, (length, round(length * 0.72)), interpolation=cv2.INTER_AREA)
    lower = cv2.resize(
        _face(kind, leaning, length), (length, round(length * 0.66)), interpolation=cv2.INTER_AREA
    )
    lower = lower * np.array((0.74, 0.74, 0.74, 1.0), np.float32)  # turned away from the lamp
    return np.asarray(np.vstack((upper, lower)), dtype=np.float32)


def _face(kind: str, face: str, length: int) -> NDArray[np.float32]:
    body, ink = _BODIES.get(kind, _BODIES["coloured"])
    alpha = _rounded(length)
    rim = cv2.GaussianBlur(alpha, (0, 0), length * 0.05)
    shade = 0.72 + 0.28 * np.clip((rim - 0.5) * 2.4, 0, 1)
    slope = np.linspace(1.03, 0.95, length, dtype=np.float32)[:, None]
    colour = (shade * slope)[..., None] * np.array(body, np.float32)
    pips = np.zeros((length, length), np.float32)
    for dx, dy in _PIPS[face]:
        centre = (
            round((length - 1) / 2 + dx * _PIP_STEP * length),
            round((length - 1) / 2 + dy * _PIP_STEP * length),
        )
        cv2.circle(pips, centre, round(_PIP_RADIUS * length), (1.0,), -1, cv2.LINE_AA)
    colour = colour * (1 - pips[..., None]) + np.array(ink, np.float32) * pips[..., None]
    return np.asarray(np.dstack((colour, alpha)), dtype=np.float32)


def _rounded(length: int) -> NDArray[np.float32]:
    """Return the alpha of a square with rounded corners that fills length x length."""
    half, corner = length / 2, _CORNER * length
    along = np.maximum(np.abs(np.arange(length, dtype=np.float32) - half + 0.5) - (half - corner), 0)
    distance = np.hypot(along[None, :], along[:, None])
    return np.asarray(np.clip(corner - distance + 0.5, 0, 1), dtype=np.float32)
