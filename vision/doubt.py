"""Doubt: signs that pips or whole dice in the picture were not read."""

from collections.abc import Sequence

import numpy as np

from vision.choice import TILT
from vision.faces import Face, squash_of
from vision.pips import Pips

_NEIGHBOURHOOD = 0.9
"""Sides from the middle of a face within which a pip in its plane belongs to it."""


def overlooked(marks: Pips, tops: Sequence[Face], *, complete: bool = False) -> float:
    """Say how likely it is, 0..1, that pips of these dice or whole dice beside them were missed.

    Marks as large as the dice are dice seen whole; clear pips away from all dice belong to one.
    ``complete``: as many dice are there as should be, so only their own pips are doubted.
    """
    if not tops or not len(marks):
        return 0.0
    unread = max(max(_unread(marks, top, tops), _above(marks, top, tops)) for top in tops)
    if complete:
        return unread
    length = float(np.median([t.length for t in tops]))
    radius = float(np.median([np.sqrt(np.linalg.det(t.pip_root)) for t in tops]))
    strength = float(np.median([t.strength for t in tops]))
    away = marks.centre[:, None] - np.array([t.centre for t in tops])[None]
    reach = np.array([max(t.length, length) for t in tops])
    apart = (np.hypot(away[..., 0], away[..., 1]) / reach).min(axis=1)
    stands_out = np.linalg.norm(marks.ink - marks.body, axis=1) / strength
    size = marks.radius / length
    whole = marks.clarity * (size > 0.3) * (size < 0.9) * (apart > 1.1) * (stands_out > 0.5)
    alike = (marks.radius > 0.6 * radius) & (marks.radius < 1.6 * radius)
    pip = (marks.quality - 0.5) / 0.5 * alike * (stands_out > 0.6) * (apart > 1.4)
    return float(np.clip(max(np.maximum(whole, pip).max(), unread), 0, 1))


def _unread(marks: Pips, top: Face, tops: Sequence[Face]) -> float:
    """Quality of the best pip on a face, or next to it in its plane, that no face explains."""
    away = np.linalg.norm(marks.centre - top.centre, axis=1)
    ratio = marks.radius / np.sqrt(np.linalg.det(top.pip_root))
    near = (away < _NEIGHBOURHOOD * top.length) & (ratio > 0.7) & (ratio < 1.4) & (marks.light == top.light)
    near &= np.linalg.norm(marks.ink - top.ink, axis=1) < 0.35 * top.strength
    explained = np.concatenate([t.pips_at for t in tops])
    best = 0.0
    for k in np.nonzero(near & (marks.quality > 0.4))[0]:
        known = np.linalg.norm(explained - marks.centre[k], axis=1).min() < 0.5 * marks.radius[k]
        flat = float(np.hypot(*(squash_of(marks.shape[k]) - top.squash))) < TILT
        if flat and not known:
            best = max(best, float(marks.quality[k]))
    return best


def _above(marks: Pips, top: Face, tops: Sequence[Face]) -> float:
    """Quality of the best unread pip straight above a face, on what may be the top of its die.

    Cameras look down on tables, so the pips of a die's front lie below those of its top.
    """
    away = marks.centre - top.centre
    apart = np.linalg.norm(away, axis=1)
    ratio = marks.radius / np.sqrt(np.linalg.det(top.pip_root))
    above = (
        (-away[:, 1] > 1.2 * np.abs(away[:, 0])) & (apart > 0.7 * top.length) & (apart < 1.6 * top.length)
    )
    above &= (ratio > 0.6) & (ratio < 1.7) & (marks.light == top.light) & (marks.quality > 0.5)
    above &= np.linalg.norm(marks.ink - top.ink, axis=1) < 0.35 * top.strength
    above &= np.linalg.norm(marks.body - top.body, axis=1) < 0.35 * top.strength
    for other in tops:
        if other is not top:
            above &= np.linalg.norm(marks.centre - other.centre, axis=1) > apart
    return float(marks.quality[above].max(initial=0))
