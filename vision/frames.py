"""One picture with its moment: what every camera, recording and photograph yields."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture: ``image`` BGR uint8 (h, w, 3), ``at`` the second (monotonic) its exposure began."""

    image: Image = field(repr=False)
    at: float
    source: str


def floats(values: ArrayLike) -> Floats:
    """Return the values as an array of float32."""
    return np.asarray(values, np.float32)
