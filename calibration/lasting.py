"""What a lesson saw at one place whichever face was shown: the table's pattern, and no die. Pure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats

_NEAR = 0.2
"""No corner of the same thing is farther off than so many sides: a turned die never lies like that."""

_ALIKE = 0.95
"""Least cosine of what looks the same. On traced tables 95 of 100 lasting places reach it, and 2 of 100
pairs of different faces of one set: only of a die turned on the spot would that matter."""


def lasting(
    faces: Sequence[str], outlines: Sequence[Floats], looks: Sequence[Floats]
) -> list[NDArray[np.bool_]]:
    """Say of what was seen in each picture whether it lay there, too, while another face was shown.

    Args:
        faces: the face asked for in each picture.
        outlines: for each picture (n, 4, 2) px, corners of what was seen.
        looks: for each picture (n, k) unit vectors.

    Returns:
        For each picture (n,), True for what lasts. Where that would be all, nothing is: a die that is
        turned on the spot and whose faces the reader cannot tell apart looks so, too.
    """
    found = []
    for n, face in enumerate(faces):
        stays = np.zeros(len(looks[n]), bool)
        for m, other in enumerate(faces):
            if other != face:
                stays |= _again(outlines[n], looks[n], outlines[m], looks[m])
        found.append(stays & ~stays.all())
    return found


def _again(here: Floats, look: Floats, there: Floats, other: Floats) -> NDArray[np.bool_]:
    away = np.linalg.norm(here[:, None, :, None] - there[None, :, None], axis=4).min(axis=3).max(axis=2)
    side = np.linalg.norm(here - np.roll(here, 1, axis=1), axis=2).max(axis=1)
    same = (away < _NEAR * side[:, None]) & (look @ other.T > _ALIKE)
    return np.asarray(same.any(axis=1), np.bool_)
