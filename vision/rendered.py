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
_BODIES = {
    "white": ((232, 240, 242), (38, 32, 30)),
    "coloured": ((46, 38, 196), (236, 240, 242)),
    "fingerprint": ((232, 240, 242), (38, 32, 30)),
    "teatime": ((206, 226, 232), (38, 32, 30)),
}
"""Kind to the colours of body and pips; any other kind is drawn like ``coloured``."""

_PRINTS = {
    "green": (74, 146, 67),
    "red": (67, 64, 198),
    "yellow": (64, 198, 240),
    "blue": (190, 104, 63),
    "brown": (65, 83, 121),
    "purple": (151, 70, 128),
}
"""The faces of a fingerprint die, each painted under a dark print: the paint, and
the 4 % of the room's light that every varnish throws back."""

_GLASS = "glass"
_PIPS = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    "5": ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
FACES: dict[str, tuple[str, ...]] = {
    "fingerprint": tuple(_PRINTS),
    "teatime": ("1", "2", "3", "4", "5", _GLASS),
}
"""What dice show that do not show one to six pips."""

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
    rng = np.random.default_rng(seed)
    noise = np.empty((2 * height, 2 * width, 3), np.int16)
    for row in noise:  # all at once it would take sixty megabytes on the way
        row[:] = np.round(rng.normal(0, 1.6, row.shape))
    return _fixed(noise)


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
    body = _PRINTS.get(face, body)
    alpha = _rounded(length)
    rim = cv2.GaussianBlur(alpha, (0, 0), length * 0.05)
    shade = 0.72 + 0.28 * np.clip((rim - 0.5) * 2.4, 0, 1)
    slope = np.linspace(1.03, 0.95, length, dtype=np.float32)[:, None]
    colour = (shade * slope)[..., None] * np.array(body, np.float32)
    drawn = np.zeros((length, length), np.float32)
    if face in _PRINTS:
        _draw_print(drawn)
    elif face == _GLASS:
        _draw_glass(drawn)
    else:
        _draw_pips(drawn, face)
    colour = colour * (1 - drawn[..., None]) + np.array(ink, np.float32) * drawn[..., None]
    return np.asarray(np.dstack((colour, alpha)), dtype=np.float32)


def _draw_pips(drawn: NDArray[np.float32], face: str) -> None:
    length = drawn.shape[0]
    for dx, dy in _PIPS[face]:
        centre = (
            round((length - 1) / 2 + dx * _PIP_STEP * length),
            round((length - 1) / 2 + dy * _PIP_STEP * length),
        )
        cv2.circle(drawn, centre, round(_PIP_RADIUS * length), (1.0,), -1, cv2.LINE_AA)


def _draw_print(drawn: NDArray[np.float32]) -> None:
    """Draw the ridges of a thumb: loops around a core, cut off by an oval."""
    length = drawn.shape[0]
    width = max(1, round(length * 0.03))
    for n in range(9):
        size = (round(length * (0.03 + 0.05 * n)), round(length * (0.05 + 0.062 * n)))
        cv2.ellipse(
            drawn, (length // 2, round(length * 0.56)), size, 8, 150, 400, (1.0,), width, cv2.LINE_AA
        )
    oval = np.zeros_like(drawn)
    half = (round(length * 0.3), round(length * 0.38))
    cv2.ellipse(oval, (length // 2, length // 2), half, 0, 0, 360, (1.0,), -1, cv2.LINE_AA)
    drawn *= oval


def _draw_glass(drawn: NDArray[np.float32]) -> None:
    """Draw a magnifying glass."""
    length = drawn.shape[0]
    width = max(1, round(length * 0.05))
    lens = (round(length * 0.42), round(length * 0.42))
    cv2.circle(drawn, lens, round(length * 0.21), (1.0,), width, cv2.LINE_AA)
    ends = (round(length * 0.57), round(length * 0.83))
    cv2.line(drawn, (ends[0], ends[0]), (ends[1], ends[1]), (1.0,), round(width * 1.5), cv2.LINE_AA)


def _rounded(length: int) -> NDArray[np.float32]:
    """Return the alpha of a square with rounded corners that fills length x length."""
    half, corner = length / 2, _CORNER * length
    along = np.maximum(np.abs(np.arange(length, dtype=np.float32) - half + 0.5) - (half - corner), 0)
    distance = np.hypot(along[None, :], along[:, None])
    return np.asarray(np.clip(corner - distance + 0.5, 0, 1), dtype=np.float32)
