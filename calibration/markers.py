"""Printed markers at the tray's corners: their page to print, and where they are in a picture.

Each marker is a square card: a black square of `SIDE_MM` with a white rim of `RIM_MM`. It is pushed
into its corner of the tray, so the card's outer corner is the tray's. Number 0 belongs to the upper
left corner as the players see the tray, 1 to 3 follow clockwise; how a card is turned does not matter.
"""

import struct
import zlib
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats, Image

NAMES = ("upper left", "upper right", "lower right", "lower left")
"""The corner of each number."""

SIDE_MM, RIM_MM = 30.0, 5.0
_PAGE_MM = (210.0, 297.0)
_DOTS_PER_MM = 12
"""About 300 dpi."""

_CELLS = 6
_DICTIONARY = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
_LEAST_PX = 640
"""Pictures smaller than this are enlarged: a marker's cells should have three pixels or more."""


def find_markers(image: Image) -> Mapping[int, Floats]:
    """Find the cards 0 to 3 in a BGR picture: number to the four corners (4, 2) px of its black square.

    Corners are clockwise as seen on the card, from its own upper left. A number seen twice is left out.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    scale = max(1.0, _LEAST_PX * 2 / max(grey.shape))
    if scale > 1:
        grey = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    corners, ids, _ = cv2.aruco.ArucoDetector(_DICTIONARY, settings).detectMarkers(grey)
    numbers: list[int] = [] if ids is None else [int(n) for n in np.ravel(ids)]
    return {
        number: np.asarray(square.reshape(4, 2) / scale, np.float32)
        for number, square in zip(numbers, corners, strict=True)
        if number < len(NAMES) and numbers.count(number) == 1
    }


def card(square: Floats) -> Floats:
    """Return the four corners (4, 2) px of the card whose black square this is."""
    black = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
    rim = np.float32(RIM_MM / SIDE_MM)
    whole = np.array([(-rim, -rim), (1 + rim, -rim), (1 + rim, 1 + rim), (-rim, 1 + rim)], np.float32)
    onto = cv2.getPerspectiveTransform(black, square)
    return np.asarray(cv2.perspectiveTransform(whole[None], onto)[0], np.float32)


def svg() -> str:
    """Return the page to print, A4, in millimetres."""
    width, height = _PAGE_MM
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}mm" height="{height:g}mm"'
        f' viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="4.5">',
        f'<rect width="{width:g}" height="{height:g}" fill="#fff"/>',
    ]
    for row, line in zip((20, 27, 34), _WORDS, strict=True):
        parts.append(f'<text x="20" y="{row}">{line}</text>')
    for number, (x, y) in enumerate(_places()):
        parts.append(_svg_card(number, x, y))
    left, top = _RULER_AT
    parts.append(f'<path d="M{left} {top - 2}v4m0 -2h100m0 -2v4"{_PEN}/>')
    parts.append(f'<text x="{left}" y="{top + 8}">100 mm</text></svg>\n')
    return "".join(parts)


def png() -> bytes:
    """Return the same page as a PNG that says its size, so that it prints at 100 %."""
    dots = _DOTS_PER_MM
    page = np.full((round(_PAGE_MM[1] * dots), round(_PAGE_MM[0] * dots)), 255, np.uint8)
    for row, line in zip((20, 27, 34), _WORDS, strict=True):
        _write(page, line, 20, row)
    whole = round((SIDE_MM + 2 * RIM_MM) * dots)
    for number, (x, y) in enumerate(_places()):
        left, top, rim = round(x * dots), round(y * dots), round(RIM_MM * dots)
        cv2.rectangle(page, (left, top), (left + whole, top + whole), (170,), 2)
        side = round(SIDE_MM * dots)
        black = cv2.aruco.generateImageMarker(_DICTIONARY, number, side)
        page[top + rim : top + rim + side, left + rim : left + rim + side] = black
        _write(page, _label(number), x, y + SIDE_MM + 2 * RIM_MM + 7)
    begin, at = _RULER_AT
    cv2.line(page, (begin * dots, at * dots), ((begin + 100) * dots, at * dots), (0,), 3)
    for end in (begin, begin + 100):
        cv2.line(page, (end * dots, (at - 2) * dots), (end * dots, (at + 2) * dots), (0,), 3)
    _write(page, "100 mm", begin, at + 8)
    return _sized(cv2.imencode(".png", page)[1].tobytes(), dots * 1000)


_WORDS = (
    "Print at 100 % and measure the line below: it must be 100 mm long.",
    "Cut along the grey lines. Push each card flat into its corner of the tray,",
    "its two outer edges against the rim. Which way up a card lies does not matter.",
)
_RULER_AT = (20, 175)
_PEN = ' fill="none" stroke="#000" stroke-width="0.3"'


def _places() -> Sequence[tuple[float, float]]:
    """Return where each card's upper left corner is on the page, mm."""
    return ((20, 45), (120, 45), (120, 108), (20, 108))


def _label(number: int) -> str:
    return f"{number}: {NAMES[number]} corner"


def _svg_card(number: int, x: float, y: float) -> str:
    whole, cell = SIDE_MM + 2 * RIM_MM, SIDE_MM / _CELLS
    grid: NDArray[np.uint8] = np.asarray(cv2.aruco.generateImageMarker(_DICTIONARY, number, _CELLS))
    light = "".join(
        f"M{x + RIM_MM + column * cell:g} {y + RIM_MM + row * cell:g}h{cell:g}v{cell:g}h-{cell:g}z"
        for row, column in np.argwhere(grid > 0).tolist()
    )
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{whole:g}" height="{whole:g}" fill="none" stroke="#aaa"'
        f' stroke-width="0.2"/><rect x="{x + RIM_MM:g}" y="{y + RIM_MM:g}" width="{SIDE_MM:g}"'
        f' height="{SIDE_MM:g}"/><path fill="#fff" d="{light}"/>'
        f'<text x="{x:g}" y="{y + whole + 7:g}">{_label(number)}</text>'
    )


def _write(page: NDArray[np.uint8], text: str, x: float, y: float) -> None:
    at = (round(x * _DOTS_PER_MM), round(y * _DOTS_PER_MM))
    cv2.putText(page, text, at, cv2.FONT_HERSHEY_SIMPLEX, 1.7, (0,), 3, cv2.LINE_AA)


def _sized(data: bytes, dots_per_m: int) -> bytes:
    """Put a pHYs chunk behind the head of a PNG, which is always 33 bytes long."""
    body = b"pHYs" + struct.pack(">IIB", dots_per_m, dots_per_m, 1)
    chunk = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    return data[:33] + chunk + data[33:]
