"""A plain embedding of a die's face for tests, measured and not learned: colour and pattern, ring by ring.

It stands in where the learned reader's embedding is not there, and in tests.
"""

from collections.abc import Sequence

import cv2
import numpy as np

from vision.faceheads import EMBEDDING
from vision.frames import Floats, Frame

_CROP_PX = 48
_RINGS = 6
_TURNS = 24


def embed(frame: Frame, outlines: Sequence[Floats]) -> Floats:
    """Return unit vectors (n, EMBEDDING) for the dice outlined (4, 2) px in the frame.

    Turning a die by a quarter changes nothing.
    """
    vectors = [_vector(frame, outline) for outline in outlines]
    return np.array(vectors, np.float32).reshape(-1, EMBEDDING)


def _vector(frame: Frame, outline: Floats) -> Floats:
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32) * np.float32(_CROP_PX - 1)
    onto = cv2.getPerspectiveTransform(outline.astype(np.float32), square)
    crop = cv2.warpPerspective(frame.image, onto, (_CROP_PX, _CROP_PX), flags=cv2.INTER_AREA)
    lab = cv2.cvtColor(crop, cv2.COLOR_BGR2LAB).astype(np.float32)
    half = _CROP_PX / 2
    polar = cv2.warpPolar(
        lab, (_RINGS * 4, _TURNS), (half - 0.5, half - 0.5), half * 0.95, cv2.WARP_POLAR_LINEAR
    )
    rings = polar.reshape(_TURNS, _RINGS, 4, 3).mean(axis=2)
    light = (rings[..., 0] - rings[..., 0].mean()) / 40
    colour = (rings[..., 1:] - 128) / 30
    waves = np.abs(np.fft.rfft(light, axis=0))[1:5] / _TURNS * 3
    parts = (
        np.median(colour, axis=0).ravel(),
        colour.mean(axis=0).ravel(),
        light.mean(axis=0),
        waves.ravel(),
        [(rings[..., 0].mean() - 128) / 90],
    )
    vector = np.zeros(EMBEDDING, np.float32)
    joined = np.concatenate(parts)
    vector[: len(joined)] = joined
    return np.asarray(vector / max(float(np.linalg.norm(vector)), 1e-6), np.float32)
