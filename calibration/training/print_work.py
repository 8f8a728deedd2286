"""Printed things around the dice: pages of text, playing cards and their backs."""

import string
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Rng = np.random.Generator
LETTERS = np.array(list(string.ascii_lowercase + "eeeaaiino"))


def words(rng: Rng, count: int) -> str:
    """Made-up words."""
    return " ".join("".join(rng.choice(LETTERS, int(rng.integers(2, 10)))) for _ in range(count))


def page(side: int, rng: Rng) -> Image:
    """Ink (side, side) of columns of small text, headlines and grey pictures."""
    ink = np.zeros((side, side), np.uint8)
    columns = int(rng.integers(2, 5))
    wide = side // columns
    high = rng.uniform(9, 20)
    for column in range(columns):
        y = float(rng.uniform(0, 40))
        while y < side:
            left = column * wide + 8
            kind = rng.random()
            if kind < 0.03:
                y += picture(ink, (left, int(y)), (wide - 16, int(rng.uniform(60, 200))), rng)
            elif kind < 0.08:
                y += line(ink, (left, y), (wide - 16), high * rng.uniform(2, 4), rng)
            else:
                y += line(ink, (left, y), (wide - 16), high, rng)
    return cast("Image", ink.astype(np.float32) / 255)


def line(ink: NDArray[np.uint8], place: tuple[float, float], wide: int, high: float, rng: Rng) -> float:
    """Write one line of text; how far down the next begins."""
    scale = high / 30
    strip = np.zeros((int(high * 1.6), wide), np.uint8)
    text = words(rng, 12)
    cv2.putText(
        strip,
        text,
        (0, int(high * 1.1)),
        cv2.FONT_HERSHEY_COMPLEX,
        scale,
        (255,),
        max(int(high / 9), 1),
        cv2.LINE_AA,
    )
    top, left = int(place[1]), int(place[0])
    part = ink[top : top + strip.shape[0], left : left + wide]
    part[:] = np.maximum(part, strip[: part.shape[0], : part.shape[1]])
    return high * 1.5


def picture(ink: NDArray[np.uint8], place: tuple[int, int], size: tuple[int, int], rng: Rng) -> float:
    """A grey printed picture; how far down the next thing begins."""
    small = rng.uniform(40, 220, (4, 5)).astype(np.uint8)
    drawn = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    part = ink[place[1] : place[1] + size[1], place[0] : place[0] + size[0]]
    part[:] = drawn[: part.shape[0], : part.shape[1]]
    return size[1] + 12.0


def playing_card(rng: Rng) -> Image:
    """A card's drawing (384, 256, 3) in sRGB: suits with an index, shapes, or a patterned back."""
    canvas = np.full((384, 256, 3), rng.uniform(0.82, 0.97), np.float32)
    kind = rng.random()
    if kind < 0.4:
        suits(canvas, rng)
    elif kind < 0.75:
        shapes(canvas, rng)
    else:
        t = np.arange(384)[:, None] * rng.uniform(0.1, 0.5), np.arange(256)[None] * rng.uniform(0.1, 0.5)
        mask = (np.sin(t[0] + t[1]) * np.sin(t[0] - t[1]) > 0)[14:-14, 14:-14, None]
        canvas[14:-14, 14:-14] = np.where(mask, rng.uniform(0, 0.8, 3), rng.uniform(0.3, 0.9, 3))
    return canvas


def suits(canvas: Image, rng: Rng) -> None:
    """Pips of a playing card: they look much like a die's and are none."""
    ink = (0.75, 0.08, 0.1) if rng.random() < 0.5 else (0.05, 0.05, 0.06)
    for x in (70, 186) if rng.random() < 0.7 else (128,):
        for y in np.linspace(70, 314, int(rng.integers(1, 5))):
            if rng.random() < 0.4:
                cv2.circle(canvas, (x, int(y)), int(rng.uniform(18, 30)), ink, -1, cv2.LINE_AA)
            else:
                diamond = np.array([[x, y - 32], [x + 24, y], [x, y + 32], [x - 24, y]], np.int32)
                cv2.fillPoly(canvas, [diamond], ink, cv2.LINE_AA)
    cv2.putText(
        canvas, str(rng.integers(2, 11)), (8, 44), cv2.FONT_HERSHEY_DUPLEX, 1.2, ink, 2, cv2.LINE_AA
    )


def shapes(canvas: Image, rng: Rng) -> None:
    """A picture card: a framed patch of coloured shapes and a line of text."""
    canvas[20:300, 20:-20] = rng.uniform(0.1, 0.9, 3)
    for _ in range(int(rng.integers(4, 14))):
        at = (int(rng.uniform(30, 226)), int(rng.uniform(30, 290)))
        ink = tuple(map(float, rng.uniform(0, 1, 3)))
        if rng.random() < 0.5:
            cv2.circle(canvas, at, int(rng.uniform(5, 45)), ink, -1, cv2.LINE_AA)
        else:
            end = (int(rng.uniform(30, 226)), int(rng.uniform(30, 290)))
            cv2.line(canvas, at, end, ink, int(rng.uniform(2, 20)), cv2.LINE_AA)
    cv2.putText(
        canvas, words(rng, 2), (20, 340), cv2.FONT_HERSHEY_COMPLEX, 0.8, (0.1, 0.1, 0.1), 2, cv2.LINE_AA
    )
