"""What every part of the vision asks of pixels."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.frames import quantiles


@given(st.integers(1, 60), st.integers(0, 2**32 - 1), st.floats(0, 1))
def test_quantiles_of_bytes_are_what_numpy_says(count: int, seed: int, share: float) -> None:
    pixels = np.random.default_rng(seed).integers(0, 256, (count, 3)).astype(np.uint8)
    told = quantiles(pixels, share, 0.5, 1.0)
    assert told.shape == (3, 3)
    assert np.allclose(told, np.quantile(pixels, (share, 0.5, 1.0), axis=0))


def test_no_pixels_have_no_quantiles() -> None:
    with pytest.raises(ValueError, match="no pixels"):
        quantiles(np.zeros((0, 3), np.uint8), 0.5)
