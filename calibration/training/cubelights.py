"""Lamps, hands and the camera of a drawn picture of cubes."""

import math

import cv2
import numpy as np
from numpy.random import Generator

from calibration.training.lights import blackbody
from vision.frames import Floats, Image, floats
from vision.rendered_cubes import Canvas, Lamp, Rgb, linear


def lamps_of(rng: Generator) -> tuple[list[Lamp], Rgb]:
    """Choose one to three lamps of 2,500 to 7,000 K, and the light of the room."""
    lamps = []
    number = int(rng.choice([1, 1, 2, 3]))
    kelvin = rng.uniform(2600, 6600)
    for _ in range(number):
        lift, turn = math.radians(rng.uniform(28, 85)), rng.uniform(0, 2 * math.pi)
        to = (math.cos(lift) * math.cos(turn), math.cos(lift) * math.sin(turn), math.sin(lift))
        warm = blackbody(float(np.clip(kelvin + rng.normal(0, 300), 2500, 7000)))
        level = rng.uniform(0.3, 1.0) / number
        rgb = (warm[0] * level, warm[1] * level, warm[2] * level)
        lamps.append(Lamp(to, rgb, float(rng.choice([0.03, 0.12, 0.4]))))
    room = rng.uniform(0.05, 0.45)
    warm = blackbody(float(np.clip(kelvin + rng.uniform(-500, 1500), 2600, 7500)))
    return lamps, (warm[0] * room, warm[1] * room, warm[2] * room)


def reach_in(canvas: Canvas, rng: Generator, level: float) -> Floats:
    """Reach in from an edge with a hand or a sleeve; return where it is."""
    height, width = canvas.owner.shape
    mask = np.zeros((height, width), np.uint8)
    turn = rng.uniform(0, 2 * math.pi)
    middle = floats((width, height)) / 2
    far = floats((math.cos(turn), math.sin(turn)))
    start = middle + far * floats(max(width, height))
    palm = middle + far * floats(rng.uniform(0.25, 0.75) * min(width, height))
    thick = int(min(width, height) * rng.uniform(0.05, 0.14))
    cv2.line(mask, _at(start), _at(palm), (255,), thick * 4, cv2.LINE_AA)
    side = floats((-far[1], far[0]))
    for n in range(4):
        base = palm + side * floats((n - 1.5) * thick * 1.1)
        tip = base - far * floats(thick * rng.uniform(2, 4)) + side * floats((n - 1.5) * thick * 0.4)
        cv2.line(mask, _at(base), _at(tip), (255,), thick, cv2.LINE_AA)
    skin = linear(floats(((0.87, 0.68, 0.56), (0.72, 0.5, 0.36), (0.45, 0.29, 0.2))[rng.integers(3)]))
    cover = floats(cv2.GaussianBlur(mask, (0, 0), 1.5)) / floats(255)
    shade = cv2.blur(cover, (thick, thick))
    lit = np.clip(level / 0.25, 0.3, 3.0) * (0.5 + 0.6 * shade)
    canvas.light[:] = canvas.light * (1 - cover[..., None]) + (lit * cover)[..., None] * skin * floats(0.6)
    return cover


def _at(point: Floats) -> tuple[int, int]:
    return int(point[0]), int(point[1])


def finished(light: Floats, lamps: list[Lamp], rng: Generator, *, sharp: bool = False) -> Image:
    """Return the picture as a camera hands it out: exposed, balanced, sharpened, noisy, packed."""
    height, width = light.shape[:2]
    tint = floats(lamps[0].rgb) / max(lamps[0].rgb[1], 1e-3)
    light = light / np.power(tint, floats(rng.uniform(0.35, 1.05)))
    light = light * np.exp(rng.normal(0, 0.05, 3)).astype(np.float32)
    light *= floats(rng.uniform(0.12, 0.42) / max(float(np.mean(light)), 1e-3))
    bright = float(np.quantile(light, 0.98))
    if bright > 1.1 and rng.random() < 0.8:  # cameras keep highlights
        light *= floats(1.1 / bright)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    light *= floats(1 - rng.uniform(0, 0.35) * (x**2 + y**2) / 2)[..., None]
    image = np.power(np.clip(light, 0, 1.4), floats(1 / 2.2))
    image = image - 0.12 * np.maximum(image - 0.75, 0) * 2
    grey = image.mean(axis=2, keepdims=True)
    image = grey + (image - grey) * floats(rng.uniform(0.75, 1.3))
    image = (image - 0.45) * floats(rng.uniform(0.85, 1.2)) + 0.45
    chance = rng.random()
    if chance < 0.55:
        image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.9 if sharp else 1.0 + width / 700))
    elif chance < 0.75:
        image = image + (image - cv2.GaussianBlur(image, (0, 0), 1.3)) * floats(rng.uniform(0.3, 1.5))
    noise = rng.normal(0, 1, image.shape).astype(np.float32) * floats(rng.exponential(0.012))
    taken = np.clip((image + noise)[..., ::-1] * 255, 0, 255).astype(np.uint8)
    if rng.random() < 0.8:
        quality = [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(40, 96))]
        taken = cv2.imdecode(cv2.imencode(".jpg", taken, quality)[1], cv2.IMREAD_COLOR).astype(np.uint8)
    return np.ascontiguousarray(taken)
