"""Sums over the last axis of many small vectors: numpy is slow to sum over three."""

import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.float32]
Vectors = Image | NDArray[np.float64]


def dot(one: Vectors, other: Vectors) -> Image:
    """Return (..., 1): the products summed."""
    return np.asarray(np.einsum("...k,...k->...", one, other), np.float32)[..., None]


def length(vectors: Vectors) -> Image:
    return np.asarray(np.sqrt(dot(vectors, vectors)), np.float32)


def largest(vectors: Image) -> Image:
    """Return (n,): the largest of three numbers each."""
    return np.asarray(np.maximum(np.maximum(vectors[:, 0], vectors[:, 1]), vectors[:, 2]), np.float32)
