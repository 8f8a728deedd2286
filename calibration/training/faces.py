"""What is printed on a die's six sides, drawn into one atlas of three by two cells."""

from dataclasses import dataclass
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training import noise
from calibration.training.scene import Look, Rgb

Image = NDArray[np.float32]
CELL = 256
COLUMNS = 3
PIPS: dict[str, tuple[tuple[int, int], ...]] = {
    "1": ((0, 0),),
    "2": ((-1, -1), (1, 1)),
    "3": ((-1, -1), (0, 0), (1, 1)),
    "4": ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    "5": ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    "6": ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}
RED: Rgb = (0.72, 0.07, 0.08)


@dataclass(frozen=True)
class Atlas:
    """A die's print: ``rgb`` (512, 768, 3) sRGB, ``ink`` and ``dent`` (512, 768), all float32 in 0..1.

    Side ``i`` of the die lies in column ``i % 3``, row ``i // 3``. ``ink`` says where ink covers the body,
    ``dent`` how deep the surface lies there.
    """

    rgb: Image
    ink: Image
    dent: Image


def draw(look: Look) -> Atlas:
    """The print of all six sides."""
    rgb = body(look)
    ink = np.zeros(rgb.shape[:2], np.float32)
    dent = np.zeros_like(ink)
    for side, face in enumerate(look.faces):
        row, column = divmod(side, COLUMNS)
        cell = np.s_[row * CELL : (row + 1) * CELL, column * CELL : (column + 1) * CELL]
        if look.paints:
            rgb[cell] *= np.array(look.paints[side], np.float32)
        ink[cell], dent[cell] = symbol(look, face, side)
        colour = np.array(RED if face in look.red_faces else look.ink, np.float32)
        cover = ink[cell][..., None]
        rgb[cell] = rgb[cell] * (1 - cover) + colour * cover
    return Atlas(np.clip(rgb, 0, 1), ink, dent)


def symbol(look: Look, face: str, side: int) -> tuple[Image, Image]:
    """Ink and depth (256, 256) of one face."""
    if look.style == "fingerprint":
        lines = (
            fingerprint(look.art + side) if look.relief != "plain" else np.zeros((CELL, CELL), np.float32)
        )
        return lines, np.zeros_like(lines)
    if face == "glass":
        mask = magnifier(look.art)
    elif look.style == "digits":
        mask = digit(face, look.art, underline=face in {"6", "9"} and look.kind != "teatime")
    else:
        return pips(look, face)
    return mask, mask * (0.25 if look.relief == "drilled" else 0.0)


def pips(look: Look, face: str) -> tuple[Image, Image]:
    """Ink and depth (256, 256) of the pips of a value "1" to "6"."""
    ink = np.zeros((CELL, CELL), np.float32)
    dent = np.zeros_like(ink)
    grid = (np.arange(CELL, dtype=np.float32) + 0.5) / CELL - 0.5
    radius = look.pip_radius * (look.one_scale if face == "1" else 1.0)
    for column, row in PIPS[face]:
        x, y = column * look.pip_pitch, row * look.pip_pitch
        x *= look.six_width if face == "6" else 1.0
        away = np.hypot(grid[None, :] - x, grid[:, None] - y)
        ink = np.maximum(ink, np.clip((radius - away) * CELL + 0.5, 0, 1))
        dent = np.maximum(dent, np.sqrt(np.clip(1 - (away / radius) ** 2, 0, 1)))
    return ink, dent if look.relief == "drilled" else dent * 0


def fingerprint(art: int) -> Image:
    """Ridges of a fingertip (256, 256): a loop or a whorl, bent, broken and worn at its rim."""
    rng = np.random.default_rng([art, 1])
    grid = np.linspace(-1, 1, CELL, dtype=np.float32)
    x, y = np.meshgrid(grid, grid)
    bend = noise.cloud(CELL, 2.2, rng) * rng.uniform(0.08, 0.22)
    core = rng.uniform(-0.15, 0.15, 2)
    tall = rng.uniform(0.6, 0.95)
    away = np.hypot(x - core[0], (y - core[1]) * tall)
    loop = rng.uniform(0.0, 0.8) * np.where(y > core[1], np.abs(x - core[0]) - away, 0)
    phase = (away + loop + bend) * rng.uniform(7, 13) * 2 * np.pi
    thin = rng.uniform(-0.45, 0.25)
    worn = 0.35 * noise.cloud(CELL, 1.2, rng)
    lines = np.clip((np.sin(phase) - thin + worn) * rng.uniform(2.0, 4.0) + 0.5, 0, 1)
    rim = rng.uniform(0.62, 0.95)
    tip = np.clip((rim - np.hypot(x * rng.uniform(1.0, 1.35), y)) * 12, 0, 1)
    return cast("Image", (lines * tip).astype(np.float32))


def magnifier(art: int) -> Image:
    """A magnifying glass (256, 256): a ring and a handle to the lower right."""
    rng = np.random.default_rng([art, 2])
    mask = np.zeros((CELL * 2, CELL * 2), np.uint8)
    middle = (int(rng.uniform(195, 235)), int(rng.uniform(195, 235)))
    radius = int(rng.uniform(85, 125))
    line = int(rng.uniform(16, 34))
    cv2.circle(mask, middle, radius, (255,), line, cv2.LINE_AA)
    reach = rng.uniform(1.9, 2.6) * radius * np.array([0.7071, 0.7071])
    start = (np.array(middle) + 0.72 * radius).astype(int)
    end = np.minimum(np.array(middle) + reach, 455).astype(int)
    cv2.line(
        mask,
        (int(start[0]), int(start[1])),
        (int(end[0]), int(end[1])),
        (255,),
        int(line * rng.uniform(1, 1.9)),
        cv2.LINE_AA,
    )
    if rng.random() < 0.4:
        cv2.ellipse(
            mask, middle, (radius * 3 // 5, radius * 3 // 5), 200, 0, 60, (255,), line // 2, cv2.LINE_AA
        )
    return shrink(mask)


def digit(text: str, art: int, *, underline: bool = False, fill: float = 0.62) -> Image:
    """A number (256, 256) in one of OpenCV's own letterings, ``fill`` of the cell high at most."""
    rng = np.random.default_rng([art, 3])
    faces = (
        cv2.FONT_HERSHEY_SIMPLEX,
        cv2.FONT_HERSHEY_DUPLEX,
        cv2.FONT_HERSHEY_TRIPLEX,
        cv2.FONT_HERSHEY_COMPLEX,
    )
    font = int(rng.choice(faces)) + (cv2.FONT_ITALIC if rng.random() < 0.1 else 0)
    mask = np.zeros((CELL * 2, CELL * 2), np.uint8)
    high = CELL * 2 * fill * rng.uniform(0.7, 1.0)
    scale = high / cv2.getTextSize(text, font, 1, 1)[0][1]
    scale = min(scale, CELL * 1.5 / cv2.getTextSize(text, font, 1, 1)[0][0])
    thick = max(int(high * rng.uniform(0.06, 0.17)), 2)
    (width, height), _ = cv2.getTextSize(text, font, scale, thick)
    place = (CELL - width // 2, CELL + height // 2)
    cv2.putText(mask, text, place, font, scale, (255,), thick, cv2.LINE_AA)
    if underline:
        low = CELL + height // 2 + thick + 14
        cv2.line(mask, (CELL - width // 2, low), (CELL + width // 2, low), (255,), thick, cv2.LINE_AA)
    return shrink(mask)


def body(look: Look) -> Image:
    """The bare body's colours (512, 768, 3), before any print."""
    rng = np.random.default_rng([look.art, 4])
    shape = (2 * CELL, COLUMNS * CELL)
    cloud = noise.cloud(shape, 1.9, rng)
    base = np.ones(3, np.float32) if look.paints else np.array(look.body, np.float32)
    plain = np.broadcast_to(base, (*shape, 3)).astype(np.float32)
    if look.material == "marble":
        swirl = np.clip(np.abs(np.sin(cloud * rng.uniform(1.5, 4))) ** rng.uniform(0.5, 3), 0, 1)[..., None]
        other = np.array(rng.uniform(0, 1, 3), np.float32) * 0.6 + base * 0.4
        return cast("Image", (plain * (1 - swirl) + other * swirl).astype(np.float32))
    if look.material == "swirl":
        edge = rng.uniform(1.5, 8)
        share = 0.5 + 0.5 * np.tanh(edge * (np.sin(cloud * rng.uniform(1, 3)) + rng.uniform(-0.5, 0.5)))
        second = np.array(rng.uniform(0, 1, 3) * rng.choice([0.15, 1.0]), np.float32)
        return cast(
            "Image", (plain * (1 - share[..., None]) + second * share[..., None]).astype(np.float32)
        )
    if look.material == "speckle":
        spots = (noise.cloud(shape, 0.6, rng) > rng.uniform(1.2, 2.2)).astype(np.float32)[..., None]
        return cast("Image", plain * (1 - spots) + np.float32(rng.uniform(0, 1)) * spots)
    if look.material == "wood":
        grain = noise.streaks(shape, rng)[..., None]
        return cast("Image", np.clip(plain * (1 + 0.16 * grain), 0, 1).astype(np.float32))
    return cast(
        "Image", np.clip(plain * (1 + rng.uniform(0, 0.025) * cloud[..., None]), 0, 1).astype(np.float32)
    )


def shrink(mask: NDArray[np.uint8]) -> Image:
    """A drawing of twice a cell's size, (512, 512) of 0..255, as float32 (256, 256) of 0..1."""
    small = cv2.resize(mask, (CELL, CELL), interpolation=cv2.INTER_AREA)
    return cast("Image", small.astype(np.float32) / np.float32(255))
