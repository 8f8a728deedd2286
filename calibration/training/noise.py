"""Noise that repeats without a seam, and that all drawn textures are made of."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Shape = int | tuple[int, int]


def cloud(shape: Shape, slope: float, rng: np.random.Generator, stretch: float = 1.0) -> Image:
    """Clouds of mean 0 and deviation 1; a larger ``slope`` is smoother, ``stretch`` > 1 draws them along x.

    Returns:
        float32 (h, w), seamless at its borders.
    """
    height, width = (shape, shape) if isinstance(shape, int) else shape
    across = np.fft.fftfreq(height)[:, None] * height
    along = np.fft.rfftfreq(width)[None, :] * width
    often = np.hypot(across, along * stretch)
    often[0, 0] = 1.0
    spectrum = np.fft.rfft2(rng.standard_normal((height, width))) / often**slope
    spectrum[0, 0] = 0.0
    field = np.fft.irfft2(spectrum, s=(height, width))
    return cast("Image", (field / (field.std() + 1e-9)).astype(np.float32))


def band(shape: Shape, middle: float, wide: float, rng: np.random.Generator) -> Image:
    """Grain of one size: ``middle`` periods across, ``wide`` their spread; mean 0, deviation 1."""
    height, width = (shape, shape) if isinstance(shape, int) else shape
    often = np.hypot(np.fft.fftfreq(height)[:, None] * height, np.fft.rfftfreq(width)[None, :] * width)
    keep = np.exp(-(((often - middle) / wide) ** 2))
    field = np.fft.irfft2(np.fft.rfft2(rng.standard_normal((height, width))) * keep, s=(height, width))
    return cast("Image", (field / (field.std() + 1e-9)).astype(np.float32))


def streaks(shape: Shape, rng: np.random.Generator) -> Image:
    """Wood's grain along x: long fibres and wavy rings; mean about 0, deviation about 1."""
    fibres = cloud(shape, 0.9, rng, stretch=rng.uniform(15, 40))
    height = shape if isinstance(shape, int) else shape[0]
    level = np.linspace(0, 1, height, endpoint=False, dtype=np.float32)[:, None]
    bend = cloud(shape, 2.2, rng, stretch=rng.uniform(4, 10))
    rings = np.sin(2 * np.pi * (level * int(rng.integers(2, 9)) + bend * rng.uniform(0.15, 0.8)))
    return cast("Image", (0.6 * fibres + 0.7 * rings).astype(np.float32))
