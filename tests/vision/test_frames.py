"""What every part of the vision asks of pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.frames import halved, quantiles


@given(st.integers(1, 60), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_quantiles_of_bytes_are_what_numpy_says(count: int, seed: int, share: float) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (count, 3)).astype(np.uint8)
    told = quantiles(pixels, share, 0.5, 1.0)
    assert told.shape == (3, 3)
    assert np.allclose(told, np.quantile(pixels, (share, 0.5, 1.0), axis=0))


def test_no_pixels_have_no_quantiles() -> None:
    with pytest.raises(ValueError, match="no pixels"):
        quantiles(np.zeros((0, 3), np.uint8), 0.5)


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
