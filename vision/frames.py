"""One picture with its moment: what every camera, recording and photograph yields."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

Image = NDArray[np.uint8]
"""BGR, shape (height, width, 3)."""

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture: ``image`` BGR uint8 (h, w, 3), ``at`` the second (monotonic) its exposure began.

    ``straight``: it was straightened (vision.tray), so that what lies flat is as if seen from above.
    """

    image: Image = field(repr=False)
    at: float
    source: str
    straight: bool = False


def floats(values: ArrayLike) -> Floats:
    """Return the values as an array of float32."""
    return np.asarray(values, np.float32)


def quantiles(pixels: NDArray[np.uint8], *shares: float) -> NDArray[np.float64]:
    """Return (len(shares), k): what these shares 0..1 of the pixels (n, k) lie below, as numpy does.

    Sorted as the bytes they are, and by radix, which takes a fraction of the time. Raises ValueError
    without pixels.
    """
    if not len(pixels):
        raise ValueError("no pixels have no quantiles")
    ordered = np.sort(np.ascontiguousarray(pixels.T), axis=1, kind="stable")
    places = np.array(shares) * (len(pixels) - 1)
    below = places.astype(np.intp)
    above = np.minimum(below + 1, len(pixels) - 1)
    part = (places - below)[:, None]
    told: NDArray[np.float64] = ordered.T[below] * (1 - part) + ordered.T[above] * part
    return told
