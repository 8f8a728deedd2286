"""Marks: one round spot each, measured along rays and fitted with an ellipse. Vectorised over spots."""

from dataclasses import dataclass

import cv2
import numpy as np

from vision.frames import Floats

RAYS = 24
_STEPS = 18
_STEP = 0.33
"""Rays are sampled every third of the scale that found the spot, out to about four times its radius."""

_angles = np.arange(RAYS, dtype=np.float32) * np.float32(2 * np.pi / RAYS)
_DIRECTIONS: Floats = np.stack([np.cos(_angles), np.sin(_angles)], axis=1)


@dataclass(frozen=True, slots=True)
class Marks:
    """Spots of one tone found in one plane, one row each; px of that plane.

    ``centre`` (n, 2), ``shape`` (n, 2, 2): see `vision.pips.Pips`; ``rays`` (n, RAYS, 2): from
    the centre to the fitted rim; ``contrast`` (n,) grey levels; ``quality`` (n,) 0..1.
    """

    centre: Floats
    shape: Floats
    rays: Floats
    contrast: Floats
    quality: Floats


def sample(plane: Floats, points: Floats) -> Floats:
    """Values of a picture (h, w) or (h, w, c) at (m, k, 2) points, bilinear, edges continued."""
    parts = [
        cv2.remap(plane, p[:, :, 0], p[:, :, 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for start in range(0, len(points), 30_000)  # remap takes fewer than 32768 rows
        for p in [points[start : start + 30_000].astype(np.float32)]
    ]
    if not parts:
        return np.zeros((*points.shape[:2], *plane.shape[2:]), np.float32)
    return np.concatenate(parts).astype(np.float32, copy=False)


def roots(shape: Floats) -> Floats:
    """Symmetric square roots of (n, 2, 2) matrices."""
    value, vector = np.linalg.eigh(shape)
    half = np.sqrt(np.maximum(value, 1e-6))
    root: Floats = np.einsum("nij,nj,nkj->nik", vector, half, vector).astype(np.float32)
    return root


def measured(plane: Floats, centre: Floats, sigma: Floats, *, light: bool) -> Marks:
    """Fit a mark at each (n, 2) centre where a Laplacian of scale ``sigma`` (n,) px answered."""
    sign = np.float32(-1 if light else 1)
    rim, weight = _rims(plane, centre, sigma, sign)
    offset, shape, residual = _ellipses(_DIRECTIONS[None] * rim[:, :, None], weight)
    centre = centre + offset
    rays = np.einsum("nij,rj->nri", roots(shape), _DIRECTIONS)
    contrast, quality = _tones(plane, centre, rays, sign)
    short, long = np.linalg.eigvalsh(shape).T
    aspect = np.sqrt(np.maximum(short, 1e-6) / np.maximum(long, 1e-6))
    radius = np.sqrt(np.sqrt(np.maximum(short * long, 0)))
    quality = quality * np.exp(-((residual / 0.16) ** 2)) * np.clip((aspect - 0.25) / 0.25, 0, 1)
    astray = np.hypot(offset[:, 0], offset[:, 1]) > 1.2 * sigma
    quality[astray | (radius > 3.2 * sigma) | (radius < 0.6 * sigma)] = 0
    return Marks(*(x.astype(np.float32) for x in (centre, shape, rays, contrast, quality)))


def _rims(plane: Floats, centre: Floats, sigma: Floats, sign: np.float32) -> tuple[Floats, Floats]:
    """(n, RAYS) distance at which each ray leaves the mark, px, and how steeply it does.

    The mean profile of all rays says about where; each ray is steepest near there.
    """
    radii = sigma[:, None, None] * (np.arange(_STEPS, dtype=np.float32) * np.float32(_STEP))
    points = centre[:, None, None] + _DIRECTIONS[None, :, None] * radii[..., None]
    tones = sample(plane, points.reshape(len(centre), -1, 2)).reshape(len(centre), RAYS, _STEPS) * sign
    slope = np.zeros_like(tones)
    slope[:, :, 1:-1] = tones[:, :, 2:] - tones[:, :, :-2]
    usual = np.argmax(slope.mean(axis=1)[:, :13], axis=1)[:, None]
    steps = np.arange(_STEPS)[None]
    near = (steps >= np.maximum(1, 0.5 * usual)) & (steps <= 1.6 * usual + 0.5)
    at = np.clip(np.argmax(np.where(near[:, None], slope, -np.inf), axis=2), 1, _STEPS - 2)
    low, mid, high = (np.take_along_axis(slope, (at + d)[:, :, None], 2)[:, :, 0] for d in (-1, 0, 1))
    bend = np.minimum(low - 2 * mid + high, -1e-6)
    between = np.clip(0.5 * (low - high) / bend, -0.5, 0.5)
    rim = (at + between) * _STEP * sigma[:, None]
    return rim.astype(np.float32), np.maximum(mid, 0)


def _tones(plane: Floats, centre: Floats, rays: Floats, sign: np.float32) -> tuple[Floats, Floats]:
    """(n,) contrast and quality: is the inside filled, the surround closed, and is that even?"""
    inside, outside, beyond = (sample(plane, centre[:, None] + rays * f) * sign for f in (0.55, 1.4, 1.75))
    tone, surround = np.median(inside, axis=1)[:, None], np.median(outside, axis=1)[:, None]
    contrast = (surround - tone)[:, 0]
    safe = np.maximum(contrast, 1)
    closed = (outside - tone > 0.5 * safe[:, None]).mean(axis=1)
    filled = (surround - inside > 0.5 * safe[:, None]).mean(axis=1)
    uneven = np.abs(outside - surround).mean(axis=1) / safe
    restless = np.sort(np.abs(beyond - surround), axis=1)[:, : RAYS * 3 // 4].mean(axis=1) / safe
    quality = (
        np.clip((closed - 0.6) / 0.4, 0, 1)
        * np.clip((filled - 0.5) / 0.5, 0, 1)
        * np.exp(-((uneven / 0.35) ** 2))
        * np.exp(-((restless / 0.6) ** 2))
        * np.clip((contrast - 8) / 16, 0, 1)
    )
    return contrast, quality


def _ellipses(points: Floats, weight: Floats) -> tuple[Floats, Floats, Floats]:
    """Weighted conic fits of (n, RAYS, 2) points, refitted once without those that lie off.

    Returns (n, 2) offsets, (n, 2, 2) matrices and (n,) residuals relative to the radius.
    """
    norm = np.maximum(np.median(np.hypot(points[..., 0], points[..., 1]), axis=1), 1e-3)
    x, y = np.moveaxis(points / norm[:, None, None], 2, 0)
    design = np.stack([x * x, x * y, y * y, x, y], axis=-1)
    w = np.clip(weight / np.maximum(weight.mean(axis=1, keepdims=True), 1e-6), 0, 1.5)
    miss = q = np.zeros(0)
    for _ in range(2):
        weighted = (design * w[..., None]).transpose(0, 2, 1)
        a = weighted @ design + 1e-4 * np.eye(5)
        b = weighted.sum(axis=2)
        q = np.linalg.solve(a, b[..., None])[..., 0]
        miss = np.abs((design @ q[..., None])[..., 0] - 1) / 2
        w = w * np.exp(-((miss / 0.25) ** 2))
    conic = np.stack([q[:, 0], q[:, 1] / 2, q[:, 1] / 2, q[:, 2]], axis=1).reshape(-1, 2, 2)
    open_ = (np.linalg.det(conic) < 1e-3) | (q[:, 0] <= 0)
    conic[open_] = np.eye(2)
    inverse = np.linalg.inv(conic)
    offset = -0.5 * np.einsum("nij,nj->ni", inverse, q[:, 3:])
    level = 1 + np.einsum("ni,nij,nj->n", offset, conic, offset)
    residual = np.sort(miss, axis=1)[:, : RAYS * 7 // 8].mean(axis=1)
    residual[open_] = 9
    return offset * norm[:, None], inverse * (level * norm**2)[:, None, None], residual
