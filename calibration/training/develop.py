"""From linear light to a photograph: exposure, white balance, tone curve, bloom; all mild."""

from collections.abc import Sequence
from typing import cast

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training.scene import Finish

Image = NDArray[np.float32]


def photograph(
    linear: Image, finish: Finish, seed: int, lamp: Sequence[float] | None = None
) -> NDArray[np.uint8]:
    """The picture (h, w, 3) as 8-bit BGR from linear RGB light.

    White is judged by ``lamp``, the light's linear colour (3,), or by the picture's bright half without it.
    """
    light = np.maximum(linear, 0)
    light = bloom(balanced(light, finish.balance, lamp), finish.bloom)
    level = float(np.exp(np.mean(np.log(light.mean(axis=2) + 1e-4))))
    peak = float(np.percentile(light, 98.5))
    gain = min(0.2 / max(level, 1e-5), 1.05 / max(peak, 1e-5)) * 2**finish.exposure
    light = vignetted(light * gain, finish.vignette)
    tone = light / (1 + light**3) ** (1 / 3)
    tone = np.where(tone < 0.0031308, 12.92 * tone, 1.055 * np.maximum(tone, 1e-6) ** (1 / 2.4) - 0.055)
    tone = np.clip((tone - 0.45) * finish.contrast + 0.45, 0, 1)
    rng = np.random.default_rng([seed, 13])
    tone = tone + rng.standard_normal(tone.shape).astype(np.float32) * finish.noise
    return cast("NDArray[np.uint8]", (np.clip(tone, 0, 1)[..., ::-1] * 255 + 0.5).astype(np.uint8))


def balanced(light: Image, share: float, lamp: Sequence[float] | None) -> Image:
    """Colour cast taken out by ``share`` of 0..1."""
    if lamp is not None:
        colour = np.maximum(np.array(lamp, np.float32), 0.05)
        return cast("Image", (light * (colour.mean() / colour) ** (0.35 + 0.4 * share)).astype(np.float32))
    bright = light[light.mean(axis=2) >= np.median(light.mean(axis=2))]
    cast_of = bright.mean(axis=0) + 1e-5
    gains = (cast_of.mean() / cast_of) ** (0.6 * share)
    return cast("Image", (light * np.clip(gains, 0.4, 2.5)).astype(np.float32))


def bloom(light: Image, share: float) -> Image:
    """Bright spots spread a little, as in a lens."""
    wide = cv2.GaussianBlur(np.minimum(light, 20), (0, 0), light.shape[1] / 60)
    return cast("Image", light * (1 - share) + wide * share)


def vignetted(light: Image, share: float) -> Image:
    height, width = light.shape[:2]
    y, x = np.linspace(-1, 1, height)[:, None], np.linspace(-1, 1, width)[None]
    return cast("Image", (light * (1 - share * (x**2 + y**2)[..., None] / 2)).astype(np.float32))
