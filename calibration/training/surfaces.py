"""The tables that dice lie on, drawn as seamless tiles; some are held out, never trained on."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training import noise, print_work

Image = NDArray[np.float32]
Rng = np.random.Generator
SIDE = 1024


@dataclass(frozen=True)
class Tile:
    """``rgb`` (n, n, 3) sRGB and ``height`` (n, n), float32 in 0..1; ``depth`` is its unit in cm."""

    rgb: Image
    height: Image
    depth: float
    roughness: float
    shine: float


def draw(name: str, art: int) -> Tile:
    """The tile of a surface named in TRAINED or UNSEEN; KeyError for any other name."""
    painter = {**TRAINED, **UNSEEN}[name]
    return painter(np.random.default_rng([art, 7]))


def tinted(rgb: Sequence[float] | NDArray[Any], shade: Image) -> Image:
    """A colour (3,) or picture made lighter and darker by ``shade`` (h, w), 0 for unchanged."""
    base = np.asarray(rgb, np.float32)
    return cast("Image", np.clip(base * (1 + shade[..., None]), 0, 1).astype(np.float32))


def unit(field: Image) -> Image:
    """A field of deviation 1 brought into 0..1."""
    return cast("Image", np.clip(field / 6 + 0.5, 0, 1).astype(np.float32))


def felt(rng: Rng) -> Tile:
    hues = (
        (0.05, 0.36, 0.16),
        (0.5, 0.05, 0.07),
        (0.08, 0.16, 0.42),
        (0.04, 0.04, 0.045),
        (0.2, 0.2, 0.21),
    )
    base = np.array(hues[rng.integers(len(hues))]) * rng.uniform(0.7, 1.5) + rng.uniform(-0.03, 0.03, 3)
    fibres = 0.5 * noise.band(SIDE, 180, 90, rng) + 0.6 * noise.cloud(SIDE, 0.7, rng)
    shade = rng.uniform(0.06, 0.22) * fibres + 0.04 * noise.cloud(SIDE, 2, rng)
    return Tile(tinted(np.clip(base, 0.02, 1), shade), unit(fibres), rng.uniform(0.01, 0.06), 1.0, 0.1)


def wood(rng: Rng) -> Tile:
    hues = (
        (0.73, 0.55, 0.36),
        (0.5, 0.3, 0.16),
        (0.3, 0.17, 0.1),
        (0.85, 0.74, 0.58),
        (0.62, 0.33, 0.16),
        (0.55, 0.5, 0.44),
    )
    base = np.array(hues[rng.integers(len(hues))]) * rng.uniform(0.8, 1.15)
    grain = noise.streaks(SIDE, rng)
    rgb = tinted(np.clip(base, 0, 1), rng.uniform(0.05, 0.16) * grain)
    planks = int(rng.choice([0, 0, 2, 4]))
    height = unit(grain)
    if planks:
        seam = np.ones(SIDE, np.float32)
        for row in range(planks):
            at = row * SIDE // planks
            seam[at : at + int(rng.integers(2, 7))] = 0.4
            rgb[at : at + SIDE // planks] *= rng.uniform(0.82, 1.05)
        rgb *= seam[:, None, None]
        height = cast("Image", height * seam[:, None])
    return Tile(np.clip(rgb, 0, 1), height, rng.uniform(0.0, 0.02), rng.uniform(0.2, 0.7), 0.5)


def weave(rng: Rng, threads: int) -> Image:
    """Crossing threads (n, n) of 0..1."""
    t = np.arange(SIDE, dtype=np.float32) / SIDE * threads
    x, y = np.meshgrid(t, t)
    over = ((np.floor(x) + np.floor(y)) % 2).astype(np.float32)
    warp = np.sin(np.pi * (x % 1)) * over
    weft = np.sin(np.pi * (y % 1)) * (1 - over)
    return cast("Image", np.clip(warp + weft + 0.1 * noise.cloud(SIDE, 0.5, rng), 0, 1).astype(np.float32))


def cloth(rng: Rng, pattern: Callable[[Rng], Image]) -> Tile:
    threads = weave(rng, int(rng.choice([96, 128, 192])))
    rgb = pattern(rng) * (1 - rng.uniform(0.05, 0.3) * (1 - threads[..., None]))
    rgb = tinted(rgb, 0.03 * noise.cloud(SIDE, 1.5, rng))
    return Tile(rgb, threads, rng.uniform(0.005, 0.03), 0.95, 0.15)


def checked(rng: Rng) -> Image:
    one, two = pair(rng)
    bars = stripes_1d(rng, int(rng.integers(2, 9)))
    both = (bars[None, :] + bars[:, None]) / 2
    return cast("Image", one * (1 - both[..., None]) + two * both[..., None])


def striped(rng: Rng) -> Image:
    one, two = pair(rng)
    bars = np.broadcast_to(stripes_1d(rng, int(rng.integers(2, 14)))[:, None], (SIDE, SIDE))
    return cast("Image", one * (1 - bars[..., None]) + two * bars[..., None])


def pair(rng: Rng) -> tuple[Image, Image]:
    one, two = rng.uniform(0.02, 0.95, (2, 3)).astype(np.float32)
    return (np.full(3, 0.88, np.float32), two) if rng.random() < 0.5 else (one, two)


def stripes_1d(rng: Rng, count: int) -> Image:
    t = np.arange(SIDE) / SIDE * count % 1
    bars = (t < rng.uniform(0.15, 0.6)).astype(np.float32)
    if rng.random() < 0.5:
        bars = np.maximum(bars, 0.6 * ((t > 0.7) & (t < 0.76)).astype(np.float32))
    return cast("Image", cv2.blur(bars[None], (5, 1))[0])


def flowery(rng: Rng) -> Image:
    canvas = np.full((SIDE, SIDE, 3), rng.uniform(0.05, 0.95, 3) * 255, np.uint8)
    inks = rng.uniform(0.05, 0.95, (4, 3)) * 255
    for _ in range(int(rng.integers(20, 90))):
        middle = rng.uniform(0, SIDE, 2)
        size, petals, start = rng.uniform(10, 60), int(rng.integers(4, 9)), rng.uniform(0, 6)
        ink = tuple(map(float, inks[rng.integers(3)]))
        for petal in range(petals):
            angle = start + petal * 2 * np.pi / petals
            at = middle + size * np.array([np.cos(angle), np.sin(angle)])
            box = (tuple(map(float, at)), (float(size * 1.3), float(size * 0.7)), float(np.degrees(angle)))
            cv2.ellipse(canvas, box, ink, -1, cv2.LINE_AA)
        cv2.circle(
            canvas, tuple(map(int, middle)), int(size * 0.4), tuple(map(float, inks[3])), -1, cv2.LINE_AA
        )
    return cast("Image", canvas.astype(np.float32) / 255)


def newspaper(rng: Rng) -> Tile:
    page = print_work.page(SIDE, rng)
    paper = np.array([0.86, 0.84, 0.79]) * rng.uniform(0.85, 1.1)
    rgb = np.clip(paper, 0, 1) * (1 - page[..., None]) + 0.12 * page[..., None]
    rgb = tinted(rgb.astype(np.float32), 0.02 * noise.cloud(SIDE, 1, rng))
    return Tile(rgb, unit(noise.cloud(SIDE, 1.5, rng)), 0.005, 0.9, 0.2)


def card(rng: Rng) -> Tile:
    canvas = np.full((SIDE, SIDE, 3), rng.uniform(0.1, 0.95, 3), np.float32)
    other = rng.uniform(0.05, 0.95, 3)
    t = np.arange(SIDE) / SIDE * 2 * np.pi
    x, y = np.meshgrid(t, t)
    n, m = rng.integers(1, 12, 2)
    kind = rng.integers(4)
    waves = (
        np.sin(n * x) * np.sin(m * y),
        np.sin(n * x + m * y),
        np.cos(n * x) + np.cos(n * y),
        np.sin(n * (x + np.sin(y))),
    )
    mask = np.clip(np.asarray(waves[kind]) * 12 + rng.uniform(-6, 6), 0, 1)[..., None]
    rgb = (canvas * (1 - mask) + other * mask).astype(np.float32)
    return Tile(rgb, np.zeros((SIDE, SIDE), np.float32), 0.0, rng.uniform(0.25, 0.8), 0.4)


def plain(rng: Rng) -> Tile:
    level = float(rng.choice([0.9, 0.75, 0.5, 0.3, 0.06])) * rng.uniform(0.85, 1.08)
    base = np.clip(level + rng.uniform(-0.03, 0.03, 3), 0.01, 0.97)
    mottle = noise.cloud(SIDE, 1.2, rng)
    return Tile(
        tinted(base, 0.012 * mottle), unit(mottle), rng.uniform(0, 0.01), rng.uniform(0.3, 0.95), 0.35
    )


def carpet(rng: Rng) -> Tile:
    base = rng.uniform(0.1, 0.7, 3) * rng.uniform(0.4, 1) + rng.uniform(0, 0.25)
    loops = noise.band(SIDE, rng.uniform(50, 120), rng.uniform(20, 60), rng)
    shade = rng.uniform(0.1, 0.28) * loops + 0.1 * noise.cloud(SIDE, 0.6, rng)
    rgb = tinted(np.clip(base, 0.03, 0.9), shade)
    if rng.random() < 0.3:
        flecks = (noise.band(SIDE, 60, 20, rng) > 1.2).astype(np.float32)[..., None]
        rgb = cast("Image", rgb * (1 - flecks) + rng.uniform(0.1, 0.9, 3).astype(np.float32) * flecks)
    return Tile(rgb, unit(loops), rng.uniform(0.1, 0.25), 1.0, 0.05)


def leather(rng: Rng) -> Tile:
    hues = ((0.25, 0.13, 0.08), (0.05, 0.05, 0.05), (0.35, 0.08, 0.07), (0.12, 0.2, 0.13), (0.6, 0.45, 0.3))
    creases = np.abs(noise.band(SIDE, rng.uniform(30, 80), rng.uniform(20, 45), rng))
    height = np.clip(creases, 0, 1).astype(np.float32)
    shade = -0.25 * np.clip(0.5 - creases, 0, 1) + 0.04 * noise.cloud(SIDE, 2, rng)
    return Tile(
        tinted(hues[rng.integers(len(hues))], shade),
        height,
        rng.uniform(0.01, 0.04),
        rng.uniform(0.3, 0.6),
        0.5,
    )


def glossy(rng: Rng) -> Tile:
    base = rng.uniform(0.02, 0.9, 3) if rng.random() < 0.3 else np.full(3, rng.choice([0.03, 0.12, 0.85]))
    spots = noise.cloud(SIDE, 2, rng)
    tile = wood(rng) if rng.random() < 0.4 else Tile(tinted(base, 0.02 * spots), unit(spots), 0.0, 0.1, 0.5)
    return Tile(tile.rgb, tile.height, 0.0, rng.uniform(0.03, 0.18), 0.8)


def tray(rng: Rng) -> Tile:
    return felt(rng) if rng.random() < 0.6 else leather(rng)


def cork(rng: Rng) -> Tile:
    crumbs = noise.band(SIDE, 50, 30, rng)
    dark = (noise.band(SIDE, 40, 25, rng) > 1.3).astype(np.float32)
    shade = 0.14 * crumbs - 0.45 * dark
    return Tile(tinted((0.68, 0.49, 0.31), shade), unit(crumbs), 0.03, 0.9, 0.2)


def slate(rng: Rng) -> Tile:
    layers = noise.cloud(SIDE, 1.4, rng, stretch=3)
    return Tile(tinted((0.2, 0.22, 0.24), 0.12 * layers), unit(layers), 0.06, 0.55, 0.4)


def velvet(rng: Rng) -> Tile:
    pile = noise.cloud(SIDE, 1.6, rng)
    shade = 0.2 * np.tanh(pile) + 0.08 * noise.band(SIDE, 200, 80, rng)
    return Tile(tinted((0.3, 0.1, 0.36), shade), unit(pile), 0.02, 0.9, 0.1)


def linen(rng: Rng) -> Tile:
    threads = weave(rng, 72)
    slubs = noise.cloud(SIDE, 0.8, rng, stretch=20) + noise.cloud(SIDE, 0.8, rng, stretch=20).T
    return Tile(tinted((0.74, 0.68, 0.55), 0.06 * slubs - 0.2 * (1 - threads)), threads, 0.03, 0.95, 0.1)


def terrazzo(rng: Rng) -> Tile:
    rgb = np.full((SIDE, SIDE, 3), (0.82, 0.8, 0.77), np.float32)
    for tone in ((0.3, 0.28, 0.27), (0.62, 0.42, 0.32), (0.45, 0.52, 0.5), (0.93, 0.92, 0.9)):
        rgb[noise.band(SIDE, 24, 14, rng) > 1.5] = tone
    return Tile(rgb, np.zeros((SIDE, SIDE), np.float32), 0.0, 0.25, 0.5)


def teal(rng: Rng) -> Tile:
    fibres = noise.band(SIDE, 150, 60, rng)
    return Tile(tinted((0.06, 0.42, 0.44), 0.12 * fibres), unit(fibres), 0.03, 1.0, 0.1)


TRAINED: dict[str, Callable[[Rng], Tile]] = {
    "felt": felt,
    "wood": wood,
    "checked cloth": lambda rng: cloth(rng, checked),
    "striped cloth": lambda rng: cloth(rng, striped),
    "flowery cloth": lambda rng: cloth(rng, flowery),
    "newspaper": newspaper,
    "card": card,
    "plain": plain,
    "carpet": carpet,
    "leather": leather,
    "glossy": glossy,
    "tray": tray,
}
UNSEEN: dict[str, Callable[[Rng], Tile]] = {
    "cork": cork,
    "slate": slate,
    "velvet": velvet,
    "linen": linen,
    "terrazzo": terrazzo,
    "teal felt": teal,
}
