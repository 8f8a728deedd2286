"""Pictures of what is easily taken for dice: keys, buttons, labels, plugs, crumbs. No dice are in them.

Readers that had seen little but dice, cards and wood took the keys of a laptop beside the dice for dice.
"""

import string
from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.random import Generator

from calibration.training import surfaces
from calibration.training.print_work import words
from vision.frames import Floats, Image, floats

_SIZE = (640, 480)
_CANVAS = 900
_LETTERS = string.ascii_uppercase + string.ascii_lowercase
_SIGNS = "+-/=<>^~#@&%()[]{}!?$"
"""None that looks like pips."""
_FONTS = (cv2.FONT_HERSHEY_SIMPLEX, cv2.FONT_HERSHEY_DUPLEX, cv2.FONT_HERSHEY_PLAIN)
_MOST_SPOT = 26.0
"""Radius px of the largest spot: as large as the pip of a one that fills the picture."""

Colour = tuple[float, float, float]
Place = tuple[float, float, float]
"""Middle (x, y) and side, px."""


@dataclass(frozen=True, slots=True)
class Lookalikes:
    """``image`` BGR; ``outlines`` (4, 2) px of what is no die."""

    image: Image
    outlines: tuple[Floats, ...]


def draw(seed: int, *, unseen: bool = False) -> Lookalikes:
    """Draw one table with some of these things, from above or across; ``unseen``: on surfaces held out."""
    rng = np.random.default_rng((seed, 77))
    names = sorted(surfaces.UNSEEN if unseen else surfaces.TRAINED)
    tile = surfaces.draw(names[rng.integers(len(names))], int(rng.integers(1 << 31)))
    canvas = np.ascontiguousarray(cv2.resize(tile.rgb, (_CANVAS, _CANVAS))[..., ::-1] * 255, np.uint8)
    things = rng.choice(len(_THINGS), int(rng.integers(2, 5)), p=_SHARES)
    places = [place for n in things for place in _THINGS[n][1](canvas, rng)]
    lean = _leaning(rng)
    image = cv2.warpPerspective(canvas, lean, _SIZE, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT)
    outlines = [_moved(place, lean) for place in places]
    inside = [o for o in outlines if (o.mean(axis=0) > 0).all() and (o.mean(axis=0) < _SIZE).all()]
    return Lookalikes(np.asarray(image, np.uint8), tuple(inside))


def keyboard(canvas: Image, rng: Generator) -> list[Place]:
    """Rows of square keys with letters, words and signs, as on laptops and typewriters."""
    body, key, ink = _body_key_ink(rng)
    pitch, gap = float(rng.uniform(36, 76)), float(rng.uniform(0.06, 0.22))
    columns, rows = int(rng.integers(4, 13)), int(rng.integers(2, 6))
    left, top = rng.uniform(-0.3, 0.6, 2) * _CANVAS
    bezel = rng.uniform(0.2, 1.5) * pitch
    _rounded(
        canvas,
        (left - bezel, top - bezel),
        (columns * pitch + 2 * bezel, rows * pitch + 2 * bezel),
        body,
        0.05,
    )
    places = []
    for row in range(rows):
        shift = rng.uniform(0, 0.8) * pitch
        for column in range(columns):
            x, y = left + column * pitch + shift, top + row * pitch
            side = pitch * (1 - gap)
            _key(canvas, (x, y), (side, side), key, rng)
            _legend(canvas, (x, y), side, ink, rng)
            places.append((x + side / 2, y + side / 2, side))
    return places


def pad(canvas: Image, rng: Generator) -> list[Place]:
    """Buttons of a calculator, a telephone or a remote control: round or square, far apart or close."""
    body, key, ink = _body_key_ink(rng)
    pitch, columns, rows = float(rng.uniform(34, 70)), int(rng.integers(2, 5)), int(rng.integers(3, 7))
    left, top = rng.uniform(0.05, 0.7, 2) * _CANVAS
    _rounded(
        canvas, (left - pitch / 2, top - pitch / 2), ((columns + 1) * pitch, (rows + 1) * pitch), body, 0.1
    )
    side, round_ = pitch * rng.uniform(0.55, 0.9), rng.random() < 0.4
    places = []
    for row, column in np.ndindex(rows, columns):
        x, y = left + (column + 0.5) * pitch, top + (row + 0.5) * pitch
        shade = key if rng.random() < 0.85 else _colour(rng)
        if round_:
            cv2.circle(canvas, (int(x), int(y)), int(side / 2), shade, -1, cv2.LINE_AA)
        else:
            _key(canvas, (x - side / 2, y - side / 2), (side, side), shade, rng)
        sign = str(rng.choice(list("0123456789" + _SIGNS)))
        _write(canvas, sign, (x, y), 0.45 * side, ink, rng)
        places.append((x, y, side))
    return places


def label(canvas: Image, rng: Generator) -> list[Place]:
    """A sticker with a few words, figures and bars."""
    high, wide = float(rng.uniform(40, 110)), float(rng.uniform(90, 300))
    left, top = rng.uniform(0.05, 0.75, 2) * _CANVAS
    paper: Colour = tuple(rng.uniform(190, 250, 3).tolist())
    _rounded(canvas, (left, top), (wide, high), paper, float(rng.uniform(0, 0.3)))
    dark: Colour = tuple(rng.uniform(0, 60, 3).tolist())
    x = left + 6
    while rng.random() < 0.93 and x < left + wide - 8:
        cv2.rectangle(
            canvas, (int(x), int(top + 5)), (int(x + rng.uniform(1, 5)), int(top + high * 0.45)), dark, -1
        )
        x += rng.uniform(3, 12)
    _write(canvas, words(rng, 1).upper()[:8], (left + wide / 2, top + high * 0.7), 0.4 * high, dark, rng)
    steps = np.arange(left + high / 2, left + wide - high / 2, high * 0.6)
    return [(float(at), top + high / 2, high) for at in steps]


def plug(canvas: Image, rng: Generator) -> list[Place]:
    """A cable that ends in a plug, a switch or a lump."""
    points = (rng.uniform(0, 1, (4, 2)) * _CANVAS).astype(np.float32)
    at = np.linspace(0, 1, 60)[:, None]
    curve = (1 - at) ** 3 * points[0] + 3 * (1 - at) ** 2 * at * points[1]
    curve = curve + 3 * (1 - at) * at**2 * points[2] + at**3 * points[3]
    shade: Colour = tuple(
        (rng.uniform(0, 70, 3) if rng.random() < 0.7 else rng.uniform(180, 245, 3)).tolist()
    )
    thick = int(rng.integers(4, 18))
    cv2.polylines(canvas, [np.round(curve).astype(np.int32)], False, shade, thick, cv2.LINE_AA)
    side = float(rng.uniform(2.0, 4.0)) * thick + 8
    x, y = (float(v) for v in curve[rng.integers(20, 60)])
    _key(canvas, (x - side / 2, y - side / 2), (side, side * rng.uniform(0.8, 1.8)), shade, rng)
    other = tuple(float(np.clip(v + rng.uniform(-50, 80), 0, 255)) for v in shade)
    for _ in range(int(rng.integers(0, 4))):
        dot = (int(x + rng.uniform(-0.3, 0.3) * side), int(y + rng.uniform(-0.3, 0.3) * side))
        cv2.circle(canvas, dot, int(rng.uniform(1, 0.12 * side + 2)), other, -1, cv2.LINE_AA)
    return [(x, y, side)]


def crumbs(canvas: Image, rng: Generator) -> list[Place]:
    """Specks, screws, holes and knots: one dark spot on something light, or the other way round."""
    places = []
    dark = rng.random() < 0.75
    for _ in range(int(rng.integers(6, 40))):
        x, y = rng.uniform(0.02, 0.98, 2) * _CANVAS
        size = float(np.exp(rng.uniform(np.log(1.2), np.log(_MOST_SPOT))))
        shade: Colour = tuple((rng.uniform(0, 90, 3) if dark else rng.uniform(170, 255, 3)).tolist())
        axes = (max(1, int(size)), max(1, int(size * rng.uniform(0.4, 1))))
        cv2.ellipse(
            canvas, (int(x), int(y)), axes, float(rng.uniform(0, 180)), 0, 360, shade, -1, cv2.LINE_AA
        )
        places.append((float(x), float(y), size * float(rng.uniform(3, 10))))
    return places


def buttons(canvas: Image, rng: Generator) -> list[Place]:
    """Coins, bottle tops, and buttons of a shirt with their holes."""
    places = []
    for _ in range(int(rng.integers(2, 9))):
        x, y = rng.uniform(0.05, 0.95, 2) * _CANVAS
        radius = float(rng.uniform(14, 40))
        shade = _colour(rng)
        cv2.circle(canvas, (int(x), int(y)), int(radius), shade, -1, cv2.LINE_AA)
        rim: Colour = tuple(0.8 * v for v in shade)  # type: ignore[assignment]  # three of three
        cv2.circle(canvas, (int(x), int(y)), int(radius * 0.85), rim, max(1, int(radius / 10)), cv2.LINE_AA)
        holes = int(rng.choice((0, 2, 4)))
        for turn in np.arange(holes) / max(holes, 1) * 2 * np.pi + rng.uniform(0, np.pi):
            hole = (int(x + 0.3 * radius * np.cos(turn)), int(y + 0.3 * radius * np.sin(turn)))
            cv2.circle(canvas, hole, max(1, int(radius * 0.1)), (20, 20, 20), -1, cv2.LINE_AA)
        places.append((float(x), float(y), 1.6 * radius))
    return places


_THINGS: tuple[tuple[float, Callable[[Image, Generator], list[Place]]], ...] = (
    (0.34, keyboard),
    (0.16, pad),
    (0.14, label),
    (0.12, plug),
    (0.14, crumbs),
    (0.10, buttons),
)
_SHARES = [share for share, _ in _THINGS]


def _body_key_ink(rng: Generator) -> tuple[Colour, Colour, Colour]:
    """Return three colours: keys darker or lighter than their body, or like it; ink that can be read."""
    body, key = _colour(rng), _colour(rng)
    chance = rng.random()
    if chance < 0.45:  # black keys in silver, grey or black
        key = tuple(rng.uniform(5, 60, 3).tolist())
        body = tuple((rng.uniform(90, 220) + rng.uniform(-12, 12, 3)).tolist()) if chance < 0.3 else key
    elif chance < 0.7:  # white ones
        key = tuple((rng.uniform(190, 250) + rng.uniform(-8, 5, 3)).tolist())
    light = float(np.mean(key))
    ink: Colour = tuple((rng.uniform(0, 60, 3) if light > 120 else rng.uniform(150, 255, 3)).tolist())
    return body, key, ink


def _colour(rng: Generator) -> Colour:
    blue, green, red = rng.uniform(10, 245, 3).tolist()
    return blue, green, red


def _rounded(
    canvas: Image, at: tuple[float, float], size: tuple[float, float], colour: Colour, roundness: float
) -> None:
    """Fill a rectangle whose corners are cut round, by so much of its shorter side."""
    (x, y), (w, h) = at, size
    radius = int(roundness * min(w, h))
    cv2.rectangle(canvas, (int(x + radius), int(y)), (int(x + w - radius), int(y + h)), colour, -1)
    cv2.rectangle(canvas, (int(x), int(y + radius)), (int(x + w), int(y + h - radius)), colour, -1)
    for cx in (x + radius, x + w - radius):
        for cy in (y + radius, y + h - radius):
            cv2.circle(canvas, (int(cx), int(cy)), radius, colour, -1, cv2.LINE_AA)


def _key(
    canvas: Image, at: tuple[float, float], size: tuple[float, float], colour: Colour, rng: Generator
) -> None:
    """Draw a key: a darker rim below, a lighter top."""
    roundness = float(rng.uniform(0.08, 0.28))
    dark = tuple(0.55 * v for v in colour)
    rise = float(rng.uniform(0, 0.12)) * size[1]
    _rounded(canvas, at, size, (dark[0], dark[1], dark[2]), roundness)
    _rounded(canvas, (at[0] + rise / 3, at[1]), (size[0] - rise / 1.5, size[1] - rise), colour, roundness)


def _legend(canvas: Image, at: tuple[float, float], side: float, ink: Colour, rng: Generator) -> None:
    chance, (x, y) = rng.random(), at
    if chance < 0.5:
        place = (0.5, 0.5) if rng.random() < 0.5 else (0.3, 0.3)
        sign, high = str(rng.choice(list(_LETTERS + _SIGNS))), rng.uniform(0.25, 0.5)
        _write(canvas, sign, (x + place[0] * side, y + place[1] * side), high * side, ink, rng)
    elif chance < 0.8:
        _write(canvas, words(rng, 1)[:7], (x + 0.5 * side, y + 0.75 * side), 0.17 * side, ink, rng)
        if rng.random() < 0.5:
            _write(
                canvas,
                str(rng.choice(list(_SIGNS))),
                (x + 0.7 * side, y + 0.25 * side),
                0.2 * side,
                ink,
                rng,
            )
    elif chance < 0.87:  # a lamp in its corner: in its middle it would be a one
        dot = (int(x + rng.choice((0.2, 0.8)) * side), int(y + rng.choice((0.2, 0.8)) * side))
        cv2.circle(canvas, dot, max(1, int(0.06 * side)), ink, -1, cv2.LINE_AA)


def _write(
    canvas: Image, text: str, middle: tuple[float, float], high: float, ink: Colour, rng: Generator
) -> None:
    font = int(rng.choice(_FONTS))
    scale = high / 22 * (1.9 if font == cv2.FONT_HERSHEY_PLAIN else 1.0)
    thick = max(1, round(high / 10))
    (wide, tall), _ = cv2.getTextSize(text, font, scale, thick)
    place = (int(middle[0] - wide / 2), int(middle[1] + tall / 2))
    cv2.putText(canvas, text, place, font, scale, ink, thick, cv2.LINE_AA)


def _leaning(rng: Generator) -> Floats:
    """Return a transform (3, 3) from the table to the picture: turned, resized, seen across or not."""
    turn = rng.uniform(0, 2 * np.pi) if rng.random() < 0.6 else rng.normal(0, 0.3)
    scale = float(np.exp(rng.uniform(np.log(0.6), np.log(1.6))))
    squeeze = 1.0 if rng.random() < 0.4 else float(rng.uniform(0.45, 1))
    spin = scale * np.array(((np.cos(turn), -np.sin(turn)), (np.sin(turn), np.cos(turn))))
    warp = np.eye(3)
    warp[:2, :2] = np.diag((1.0, squeeze)) @ spin
    warp[:2, 2] = np.array(_SIZE) / 2 - warp[:2, :2] @ (rng.uniform(0.3, 0.7, 2) * _CANVAS)
    towards = np.eye(3)
    towards[2, 1] = (1 - squeeze) * rng.uniform(0, 6e-4)
    return floats(towards @ warp)


def _moved(place: Place, transform: Floats) -> Floats:
    x, y, side = place
    around = floats(((-1, -1), (1, -1), (1, 1), (-1, 1))) * side / 2 + floats((x, y))
    return floats(cv2.perspectiveTransform(around[None].astype(np.float32), transform)[0])
