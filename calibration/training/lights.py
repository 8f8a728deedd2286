"""Lamps: where the light comes from, how hard and how warm; some kinds are held out for judging."""

from collections.abc import Callable

import numpy as np

from calibration.training.scene import Camera, Lamp, Light, Rgb

Rng = np.random.Generator


def sample(name: str, camera: Camera, rng: Rng) -> Light:
    """The light of a name in TRAINED, WIDE or UNSEEN; KeyError for any other."""
    lamps, room = {**TRAINED, **WIDE, **UNSEEN}[name](camera, rng)
    warm = blackbody(rng.uniform(3000, 7000))
    return Light(name, lamps, room, warm, int(rng.integers(1 << 31)))


def blackbody(kelvin: float) -> Rgb:
    """About the colour of a glowing body, linear, green at 1; 1900 to 9000 kelvin."""
    t = kelvin / 100
    red = 1.0 if t <= 66 else 1.29 * (t - 60) ** -0.133
    green = 0.39 * np.log(t) - 0.632 if t <= 66 else 1.13 * (t - 60) ** -0.0755
    blue = 1.0 if t >= 66 else max(0.543 * np.log(max(t - 10, 1.1)) - 1.196, 0.02)
    r, g, b = (float(np.clip(v, 0.02, 1)) ** 2.2 for v in (red, green, blue))
    return (r / g, 1.0, b / g)


def at(distance: float, lift: float, turn: float) -> tuple[float, float, float]:
    """A place seen from the table's middle: ``lift`` degrees above it, ``turn`` degrees around."""
    up, around = np.radians(lift), np.radians(turn)
    flat = distance * np.cos(up)
    return float(flat * np.cos(around)), float(flat * np.sin(around)), float(distance * np.sin(up))


def lamp(distance: float, lift: float, turn: float, radius: float, share: float, rgb: Rgb) -> Lamp:
    """A lamp that gives ``share`` of a usual table light whatever its distance."""
    return Lamp(at(distance, lift, turn), radius, share * 25.0 * distance**2, rgb)


def hard(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    return (_drawn(rng, (50, 150), (25, 80), (0.8, 4), (2700, 6500)),), float(rng.uniform(0.04, 0.3))


def window(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    return (_drawn(rng, (120, 300), (18, 50), (40, 90), (5000, 7500)),), float(rng.uniform(0.15, 0.6))


def several(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    lamps = tuple(
        lamp(
            rng.uniform(80, 220),
            rng.uniform(30, 85),
            rng.uniform(0, 360),
            rng.uniform(3, 18),
            rng.uniform(0.2, 1),
            blackbody(rng.uniform(2700, 6500)),
        )
        for _ in range(int(rng.integers(2, 5)))
    )
    return lamps, float(rng.uniform(0.1, 0.4))


def ceiling(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    return (_drawn(rng, (130, 220), (60, 88), (20, 70), (2900, 6000)),), float(rng.uniform(0.2, 0.8))


def dusk(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    one = _drawn(rng, (150, 300), (12, 40), (40, 100), (4500, 9000), share=0.08)
    return (one,), float(rng.uniform(0.03, 0.08))


def glare(camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    """A lamp where a mirror on the table would show it to the camera."""
    x, y, z = camera.pose.centre
    far = rng.uniform(60, 150)
    away = float(np.sqrt(x * x + y * y + z * z))
    place = (
        -x / away * far + float(rng.uniform(-9, 9)),
        -y / away * far + float(rng.uniform(-9, 9)),
        z / away * far,
    )
    return (
        Lamp(place, float(rng.uniform(2, 12)), 25.0 * far**2, blackbody(rng.uniform(2700, 6500))),
    ), float(rng.uniform(0.1, 0.4))


def flash(camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    x, y, z = camera.pose.centre
    place = (x + float(rng.uniform(-3, 3)), y + float(rng.uniform(-3, 3)), z)
    return (Lamp(place, 0.5, 25.0 * (x * x + y * y + z * z), blackbody(5600)),), float(
        rng.uniform(0.02, 0.15)
    )


def candle(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    lamps = tuple(
        lamp(
            rng.uniform(40, 70),
            rng.uniform(18, 35),
            rng.uniform(0, 360),
            rng.uniform(1, 1.6),
            0.5,
            blackbody(2000),
        )
        for _ in range(2)
    )
    return lamps, float(rng.uniform(0.02, 0.06))


def tubes(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    turn, tint = rng.uniform(0, 360), (0.85, 1.1, 0.8)
    lamps = tuple(lamp(180, lift, turn, 9, 0.3, tint) for lift in (55, 65, 75, 88))
    return lamps, float(rng.uniform(0.15, 0.4))


def low_sun(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    one = lamp(400, rng.uniform(14, 24), rng.uniform(0, 360), 2.0, 1.0, blackbody(3600))
    return (one,), float(rng.uniform(0.12, 0.25))


def wide(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    """One to four lamps of any height, size and colour, each its own, in a bright or a dark room."""
    lamps = tuple(
        lamp(
            rng.uniform(50, 300),
            rng.uniform(12, 88),
            rng.uniform(0, 360),
            float(np.exp(rng.uniform(np.log(0.8), np.log(70)))),
            rng.uniform(0.15, 1),
            some_colour(rng),
        )
        for _ in range(int(rng.integers(1, 5)))
    )
    return lamps, float(np.exp(rng.uniform(np.log(0.02), np.log(0.6))))


def some_colour(rng: Rng) -> Rgb:
    """A glow from candle to blue sky, tinted at random as tubes and coloured lamps are."""
    glow = np.array(blackbody(float(np.exp(rng.uniform(np.log(1900), np.log(9000))))))
    red, green, blue = glow * np.exp(rng.normal(0, 0.18, 3))
    return (float(red), float(green), float(blue))


def two_colours(_camera: Camera, rng: Rng) -> tuple[tuple[Lamp, ...], float]:
    turn = rng.uniform(0, 360)
    return (
        lamp(90, 45, turn, 4, 0.7, (1.5, 0.9, 0.6)),
        lamp(90, 40, turn + 150, 4, 0.7, (0.55, 0.95, 1.6)),
    ), 0.1


Range = tuple[float, float]


def _drawn(
    rng: Rng, distance: Range, lift: Range, radius: Range, kelvin: Range, share: float = 1.0
) -> Lamp:
    """A lamp from anywhere around the table, drawn evenly within these ranges."""
    return lamp(
        rng.uniform(*distance),
        rng.uniform(*lift),
        rng.uniform(0, 360),
        rng.uniform(*radius),
        share,
        blackbody(rng.uniform(*kelvin)),
    )


Sampler = Callable[[Camera, Rng], tuple[tuple[Lamp, ...], float]]
TRAINED: dict[str, Sampler] = {
    "hard": hard,
    "window": window,
    "several": several,
    "ceiling": ceiling,
    "dusk": dusk,
    "glare": glare,
    "flash": flash,
}
WIDE: dict[str, Sampler] = {"wide": wide}
"""For `sampling.weak`; beside TRAINED, so that a table's seed still gives the picture it gave before."""

UNSEEN: dict[str, Sampler] = {
    "candle": candle,
    "tubes": tubes,
    "low sun": low_sun,
    "two colours": two_colours,
}
