"""What lamps, lenses, sensors and files do to a picture. Everything comes from one generator of chance."""

import math

import cv2
import numpy as np
from numpy.random import Generator

from vision.frames import Floats, Image, floats

_STILL_COLOURED = 0.6
"""Bleached by more than this a coloured die could be called white."""

_RECOLOURED = 0.1
"""Share of pictures whose dark, middle and light become three colours of chance: any ink on any body."""

_LEAST_APART = 0.25
"""How far two of these colours are apart, of 1."""

_FAR_OUT, _FURTHER = 0.2, 2.5
"""So many smears are longer, by up to so much: out of focus until no person reads them any more."""

_NIGHT, _FLOODED = 0.07, 0.05
"""Shares of pictures that are much too dark, or burnt out."""

_WORN = 0.4
"""Share of small pictures that a sensor and a file spoil before they are enlarged."""


def disturbed(image: Image, rng: Generator, *, blur_px: float, hue: bool = True) -> tuple[Image, bool]:
    """Return the picture as another lamp, lens and camera would have taken it.

    ``blur_px``: the longest smear that may happen; ``hue``: whether colours may turn into others.
    Also returns whether a white body is still white and a coloured one coloured.
    """
    true = True
    grey = rng.random()
    if hue and grey < 0.06:
        image = np.asarray(
            cv2.cvtColor(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR), np.uint8
        )
        true = False
    elif hue and grey < 0.45:
        image, true = _turned_hue(image, rng)
    if hue and rng.random() < 0.12:
        image, true = np.asarray(255 - image, np.uint8), False
    if hue and rng.random() < _RECOLOURED:
        image, true = _recoloured(image, rng), False
    light = image.astype(np.float32)
    if rng.random() < 0.5:
        light *= _shade(image.shape[:2], rng)[..., None]
    if rng.random() < 0.12:
        light += _glare(image.shape[:2], rng)[..., None]
    if rng.random() < 0.08:
        light += _arc(image.shape[:2], rng)[..., None]
    light = _smeared(_toned(light, rng), rng, blur_px)
    if rng.random() < 0.7:
        light += rng.normal(0, 1, image.shape).astype(np.float32) * floats(rng.exponential(5.0))
    taken = np.clip(light, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        taken = _packed(taken, int(rng.integers(25, 95)))
    return taken, true


def worn(small: Image, rng: Generator) -> Image:
    """Return what a sensor's noise and a file leave of a small picture, mostly all of it.

    To be called before it is enlarged: then the noise has the size of its pixels, the file of its blocks.
    """
    if rng.random() > _WORN:
        return small
    noise = rng.normal(0, 1, small.shape) * rng.exponential(7.0)
    return _packed(np.clip(small + noise, 0, 255).astype(np.uint8), int(rng.integers(12, 90)))


def _turned_hue(image: Image, rng: Generator) -> tuple[Image, bool]:
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV)
    hsv[..., 0] = (hsv[..., 0].astype(np.int16) + int(rng.integers(0, 180))) % 180
    more = rng.uniform(0.2, 1.5)
    hsv[..., 1] = np.clip(hsv[..., 1].astype(np.float32) * more, 0, 255).astype(np.uint8)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR), np.uint8), more > _STILL_COLOURED


def _recoloured(image: Image, rng: Generator) -> Image:
    """Let three colours stand for dark, middle and light, which may be alike bright."""
    grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    low, high = np.percentile(grey, (2, 98))
    share = np.clip((grey - low) / max(high - low, 12.0), 0, 1)
    dark, middle, light = rng.uniform(0.02, 0.98, (3, 3))
    while max(abs(dark - light)) < _LEAST_APART:
        light = rng.uniform(0.02, 0.98, 3)
    at = np.linspace(0, 1, 3)
    mixed = [np.interp(share, at, channel) for channel in np.stack((dark, middle, light), axis=1)]
    return np.asarray(np.stack(mixed, axis=2) * 255, np.uint8)


def _toned(light: Floats, rng: Generator) -> Floats:
    """Change gamma, contrast, brightness and the lamp's colour."""
    light_there = rng.random()
    if light_there < _NIGHT:
        exposure = rng.uniform(-2.3, -0.7)
    elif light_there < _NIGHT + _FLOODED:
        exposure = rng.uniform(0.3, 0.8)
    else:
        exposure = rng.normal(0, 0.22)
    gains = np.exp(rng.normal(0, 0.10, 3) + exposure).astype(np.float32)
    toned = np.clip(light * gains / floats(255), 0, 1.3)
    if rng.random() < 0.5:
        toned = np.power(toned, floats(math.exp(rng.normal(0, 0.3))))
    middle = floats(toned.mean())
    contrast = floats(math.exp(rng.normal(0, 0.25)))
    return np.asarray(((toned - middle) * contrast + middle) * 255, np.float32)


def _shade(shape: tuple[int, ...], rng: Generator) -> Floats:
    """Return a factor for every pixel: a slope of light, or the edge of a shadow, hard or soft."""
    height, width = shape
    turn = rng.uniform(0, 2 * math.pi)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    along = (x * math.cos(turn) + y * math.sin(turn) - rng.uniform(-0.7, 0.7)).astype(np.float32)
    depth = rng.uniform(0.1, 0.65)
    return np.asarray(1 - depth * (0.5 + 0.5 * np.tanh(along * rng.choice([0.8, 3.0, 30.0]))), np.float32)


def _glare(shape: tuple[int, ...], rng: Generator) -> Floats:
    height, width = shape
    x, y = np.meshgrid(np.arange(width), np.arange(height))
    size = min(shape) * rng.uniform(0.04, 0.35)
    away = (
        (x - rng.uniform(0, width)) ** 2 + ((y - rng.uniform(0, height)) * rng.uniform(0.5, 2)) ** 2
    ) / size**2
    return np.asarray(rng.uniform(60, 250) * np.exp(-away), np.float32)


def _arc(shape: tuple[int, ...], rng: Generator) -> Floats:
    """Return the light of a bent bright line, as gloss shows a ring lamp or the edge of a window."""
    height, width = shape
    canvas = np.zeros((height, width), np.uint8)
    middle = (int(rng.uniform(0, width)), int(rng.uniform(0, height)))
    size = tuple(int(side) for side in min(shape) * rng.uniform(0.08, 0.45, 2))
    begin = float(rng.uniform(0, 360))
    end = begin + float(rng.uniform(30, 300))
    thick = int(rng.integers(1, 2 + min(shape) // 20))
    cv2.ellipse(canvas, middle, size, float(rng.uniform(0, 180)), begin, end, (255,), thick, cv2.LINE_AA)
    soft = cv2.GaussianBlur(canvas, (0, 0), rng.uniform(0.3, 1.5)).astype(np.float32)
    return np.asarray(soft * rng.uniform(0.2, 1.0), np.float32)


def _smeared(light: Floats, rng: Generator, blur_px: float) -> Floats:
    chance = rng.random()
    if rng.random() < _FAR_OUT:
        blur_px *= rng.uniform(1, _FURTHER)
    if chance < 0.35:
        sigma = rng.uniform(0.3, max(0.35, blur_px / 2))
        if chance < 0.12:
            return np.asarray(cv2.filter2D(light, -1, _disc(2 * sigma)), np.float32)
        return np.asarray(cv2.GaussianBlur(light, (0, 0), sigma), np.float32)
    if chance < 0.5 and blur_px > 2:
        length = int(rng.integers(2, int(blur_px * 1.5) + 2))
        turn = rng.uniform(0, math.pi)
        kernel = np.zeros((2 * length + 1, 2 * length + 1), np.float32)
        reach = np.array((math.cos(turn), math.sin(turn))) * length / 2
        begin, end = ((length - reach) * 16).astype(int), ((length + reach) * 16).astype(int)
        cv2.line(kernel, begin.tolist(), end.tolist(), (1.0,), 1, cv2.LINE_AA, 4)
        return np.asarray(cv2.filter2D(light, -1, kernel / max(kernel.sum(), 1e-3)), np.float32)
    if chance < 0.65:
        soft = cv2.GaussianBlur(light, (0, 0), 1.5)
        return np.asarray(light + (light - soft) * rng.uniform(0.3, 2.0), np.float32)
    return light


def _disc(radius: float) -> Floats:
    """Return what a lens makes of a point that is out of focus: a disc, ``radius`` px, of sum 1."""
    reach = math.ceil(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1)
    return floats(disc / disc.sum())


def _packed(image: Image, quality: int) -> Image:
    done, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    assert done
    return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
