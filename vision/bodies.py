"""Bodies: how far the surface that carries a face reaches, and what its outline is like."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from vision.faces import Face
from vision.frames import Floats
from vision.lattice import Flags
from vision.marks import sample

_RAYS = 32
_REACH: Floats = np.arange(0.2, 4.61, 0.1, dtype=np.float32)
"""Steps along each ray, in pitches: the side of a die is about four of them."""

_WEIGHTS: Floats = np.array([0.6, 1, 1], np.float32)
"""Lightness counts less than colour: a face is never lit evenly."""


_SQUARE_MISS = 0.1
"""Mean relative distance from a square's outline up to which a silhouette may be one."""


@dataclass(frozen=True, slots=True)
class Silhouette:
    """What rays from the middle of a face met. Lengths in pitches.

    ``ended``: share of rays that met the surface's end; ``middle``: median reach of those;
    ``near``: the tenth percentile of all; ``rough``: mean step from ray to ray over the middle;
    ``even``: likeness of opposite rays 0..1; ``noise``: restlessness of the surface over the
    strength of the ink; ``turn``: of the square that the outline is most like, in radians from the
    axes of the pips, 0 to pi/2; 0 if it is not clearly like one.
    """

    ended: float
    middle: float
    near: float
    rough: float
    even: float
    noise: float
    turn: float


def silhouettes(lab: Floats, faces: Sequence[Face]) -> list[Silhouette]:
    """Measure each face's silhouette in the picture ``lab`` (h, w, 3)."""
    if not faces:
        return []
    angle = np.arange(_RAYS, dtype=np.float32) * np.float32(2 * np.pi / _RAYS)
    frame = np.array([face.frame for face in faces])
    rays = np.einsum("nij,rj->nri", frame, np.stack([np.cos(angle), np.sin(angle)], axis=1))
    centre = np.array([face.centre for face in faces])
    points = centre[:, None, None] + rays[:, :, None] * _REACH[None, None, :, None]
    shape = (len(faces), _RAYS, len(_REACH))
    seen = sample(lab, points.reshape(len(faces), -1, 2)).reshape(*shape, 3)
    body = np.array([face.body for face in faces])
    off = np.linalg.norm((seen - body[:, None, None]) * _WEIGHTS, axis=3)
    strength = np.array([max(face.strength, 1) for face in faces])
    inked = np.array([_inked(points[n], face) for n, face in enumerate(faces)])
    beyond = (off > np.clip(0.24 * strength, 9, 24)[:, None, None]) & ~inked
    beyond[:, :, :3] = False
    beyond[:, :, :-1] &= beyond[:, :, 1:] | inked[:, :, 1:]
    ended = beyond.any(axis=2)
    last = np.where(ended, np.argmax(beyond, axis=2), len(_REACH) - 1)
    within = (np.arange(len(_REACH)) < last[:, :, None] * 0.85) & ~inked
    noise = np.where(within, off, 0).sum(axis=(1, 2)) / np.maximum(within.sum(axis=(1, 2)), 1) / strength
    return _summed(_REACH[last], ended, noise)


def _inked(points: Floats, face: Face) -> Flags:
    """(rays, steps) which points lie on one of the face's own pips or its blurred rim."""
    away = points[:, :, None] - face.pips_at[None, None]
    local = np.einsum("ij,rkmj->rkmi", np.linalg.inv(face.pip_root), away)
    inked: Flags = (np.hypot(local[..., 0], local[..., 1]) < 1.45).any(axis=2)
    return inked


def _summed(reach: Floats, ended: Flags, noise: Floats) -> list[Silhouette]:
    """Sum up (n, rays) reaches, which of them met an end, and (n,) noise."""
    steps = np.sort(np.abs(np.diff(reach, axis=1, append=reach[:, :1])), axis=1)[:, : _RAYS * 7 // 8]
    half = _RAYS // 2
    shorter, longer = (f(reach[:, :half], reach[:, half:]) for f in (np.minimum, np.maximum))
    met = np.sort(np.where(ended, reach, np.inf), axis=1)
    number = ended.sum(axis=1)
    row = np.arange(len(reach))
    middle = (met[row, np.maximum(number - 1, 0) // 2] + met[row, number // 2 % _RAYS]) / 2
    columns = (
        ended.mean(axis=1),
        np.where(number > 0, middle, _REACH[-1]),
        np.percentile(reach, 10, axis=1),
        steps.mean(axis=1) / np.median(reach, axis=1),
        np.median(shorter / longer, axis=1),
        noise,
        _turns(reach),
    )
    return [Silhouette(*row) for row in np.column_stack(columns).tolist()]


_TURNS: Floats = np.arange(18, dtype=np.float32) * np.float32(np.pi / 36)


def _turns(reach: Floats) -> Floats:
    """(n,) the turn of the square that (n, rays) reaches describe, 0 where none is clear."""
    angle = np.arange(_RAYS, dtype=np.float32) * np.float32(2 * np.pi / _RAYS) - _TURNS[:, None]
    flat = reach[:, None] * np.maximum(np.abs(np.cos(angle)), np.abs(np.sin(angle)))
    half = np.median(flat, axis=2, keepdims=True)
    miss = np.minimum(np.abs(flat / half - 1), 0.3).mean(axis=2)
    best = miss.min(axis=1)
    clear = (best < _SQUARE_MISS) & (best < 0.7 * miss.mean(axis=1))
    turns: Floats = np.where(clear, _TURNS[np.argmin(miss, axis=1)], 0)
    return turns
