"""What lamps and the room send to the eye from places on dice and the table, for `tracer`; linear light."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from calibration.training.scene import Lamp, Scene
from calibration.training.vectors import dot, length
from vision.frames import floats

Image = NDArray[np.float32]

_RINGS = 0.45
"""Share of rooms in which something bright and round hangs above, which domed sides show as arcs."""


def lit(
    points: Image, normals: Image, views: Image, albedo: Image, lamp: Lamp, rough: float, shine: float
) -> Image:
    """Return the light that one lamp sends to the eye: matt and mirrored."""
    to = floats(lamp.place) - points
    far = length(to)
    to /= far
    power = floats(lamp.power) * floats(lamp.rgb) / (4 * np.pi * np.pi * far**2)
    facing = dot(to, normals)
    soft = lamp.radius / far
    facing = np.clip((facing + 0.25 * soft) / (1 + 0.25 * soft), 0, 1)
    half = to + views
    half /= length(half)
    wide = rough**2 + 0.25 * soft**2 + 1e-3
    sharp = 2 / wide
    gloss = np.power(np.clip(dot(half, normals), 0, 1), sharp) * (sharp + 2) / 8
    mirrored = np.clip(gloss * 0.05 * shine * 2, 0, 30)
    return np.asarray(power * facing * (albedo + mirrored), np.float32)


def surroundings(scene: Scene, ways: Image, room: Image, bounce: Image) -> Image:
    """Return what is mirrored: the table below, above a room with a bright window or two."""
    rng = np.random.default_rng([scene.light.art, 19])
    up = np.clip(ways[:, 2:] * 4, 0, 1)
    seen = bounce * (1 - up) + room * up * (0.4 + 0.8 * ways[:, 2:])
    for _ in range(int(rng.integers(0, 3))):
        turn, lift = rng.uniform(0, 2 * np.pi), rng.uniform(0.2, 1.2)
        middle = np.array(
            (np.cos(turn) * np.cos(lift), np.sin(turn) * np.cos(lift), np.sin(lift)), np.float32
        )
        away = 1 - ways @ middle
        size = rng.uniform(0.01, 0.12)
        seen = (
            seen
            + room
            * (rng.uniform(2, 12) / (1 + np.exp(np.clip((away - size) / (0.1 * size), -30, 30))))[:, None]
        )
    return np.asarray(seen, np.float32)


def rings_of_light(scene: Scene, ways: Image, room: Image) -> Image:
    """Return the light (n, 3) of a ring lamp or a lampshade's rim in these directions, if there is one.

    It hangs about where a mirror on the table would show it to the camera.
    """
    rng = np.random.default_rng([scene.light.art, 20])
    if rng.random() > _RINGS:
        return np.zeros_like(ways)
    x, y, z = scene.camera.pose.centre
    middle = floats((-x, -y, z)) / floats(max(abs(z), 1.0)) + floats(rng.normal(0, 0.2, 3))
    middle /= np.linalg.norm(middle)
    apart = np.arccos(np.clip(ways @ middle, -1, 1))
    off = np.abs(apart - rng.uniform(0.05, 0.5)) / rng.uniform(0.012, 0.05)
    bright = np.exp(rng.uniform(2.3, 5.0) - off**2)
    return np.asarray(np.maximum(room, floats(0.1)) * bright[:, None], np.float32)


def room_light(scene: Scene) -> Image:
    return floats(scene.light.room) * floats(scene.light.room_rgb)


def linear(rgb: ArrayLike) -> Image:
    return np.asarray(np.power(np.maximum(floats(rgb), 0), np.float32(2.2)), np.float32)
