"""Halved pictures are what networks have learned from, whatever their sides."""

import numpy as np
import pytest

from vision.halving import halved


@pytest.mark.parametrize("shape", [(480, 640), (481, 640), (480, 641), (1209, 907), (7, 3), (3, 2)])
def test_a_halved_picture_is_the_mean_of_fours(shape: tuple[int, int]) -> None:
    image = np.random.default_rng(3).integers(0, 256, (*shape, 3)).astype(np.uint8)
    half = halved(image)
    height, width = shape[0] // 2, shape[1] // 2
    assert abs(half.shape[0] - shape[0] / 2) <= 0.5
    assert abs(half.shape[1] - shape[1] / 2) <= 0.5
    fours = image[: 2 * height, : 2 * width].reshape(height, 2, width, 2, 3).mean(axis=(1, 3))
    assert np.abs(half[:height, :width] - fours).max() <= 0.5


@pytest.mark.parametrize(("shape", "half"), [((1, 1), (1, 1)), ((1, 700), (1, 350)), ((701, 1), (350, 1))])
def test_a_picture_one_pixel_wide_stays_so(shape: tuple[int, int], half: tuple[int, int]) -> None:
    assert halved(np.full((*shape, 3), 9, np.uint8)).shape == (*half, 3)
