"""Lattices: the nine places a face's pips can have, laid through any two pips of a kind.

Any two pips may be opposite corners of a face. The ellipses of the pips tell how that face is
foreshortened, so each pair alone fixes where all nine places would lie.
"""

import numpy as np
from numpy.typing import NDArray

from vision.frames import Floats
from vision.marks import roots
from vision.pips import Pips

Indices = NDArray[np.intp]
Flags = NDArray[np.bool_]

CELLS: Floats = np.array([(x, y) for y in (-1, 0, 1) for x in (-1, 0, 1)], np.float32)
"""(9, 2) the places, in pitches from the middle."""

_PATTERNS = {
    "2": ("100000001",),
    "3": ("100010001",),
    "4": ("101000101",),
    "5": ("101010101",),
    "6": ("101101101", "111000111"),
}
PATTERNS: Floats = np.array([[int(c) for c in p] for ps in _PATTERNS.values() for p in ps], np.float32)
"""(6, 9) which places each pattern fills, seen from the corner the pair starts in."""

PATTERN_FACES: tuple[str, ...] = tuple(face for face, ps in _PATTERNS.items() for _ in ps)

_PITCH = (1.5, 3.9)
"""Least and most distance of neighbouring places, in pip radii."""

_NARROW = (0.5, 0.7)
"""On many dice the columns of a six stand so much closer than its rows are long."""

_MOST_PAIRS = 1500
"""Of 358 photographs none has 600 pairs; checked cloth has thousands, and they take time."""

_ROUGH, _FINE = 0.42, 0.33
"""How far a pip may lie from its place before and after the lattice is fitted, in pitches."""

_FAR = 1e3
"""Where pips of another kind are put, in pitches."""

_FLAT = 0.5
"""Determinant of whole numbers below which places lie in a line: they fix no lattice."""

_TURNS: Floats = np.array([[[0.5, 0.5], [-0.5, 0.5]], [[0.5, -0.5], [0.5, 0.5]]], np.float32)
"""Half a diagonal to the two sides of its square: turned by 45 degrees each way, over root 2."""


def lattices(pips: Pips) -> tuple[Indices, Floats, Floats, Indices]:
    """Lay a lattice through every pair, and narrower ones where they catch most of a six.

    Returns pairs (m, 2), centres (m, 2) px, bases (m, 2, 2) px a pitch (columns), and matches
    (m, 9): the pip at each place or -1.
    """
    kin = _alike(pips)
    pair = _pairs(pips, kin)
    like = kin[pair[:, 0]] & kin[pair[:, 1]]
    centre, basis = _square(pips, pair)
    match = _matched(pips, like, centre, basis, _ROUGH)
    slim_centre, slim_basis = _slim(pips, pair)
    ways = 2 * len(_NARROW)
    slim_match = _matched(pips, np.tile(like, (ways, 1)), slim_centre, slim_basis, 0.5)
    upright_six = PATTERNS[PATTERN_FACES.index("6")] > 0
    caught = np.nonzero((slim_match[:, upright_six] >= 0).sum(axis=1) >= 5)[0]
    pair = np.concatenate([pair, np.tile(pair, (ways, 1))[caught]])
    match = np.concatenate([match, slim_match[caught]])
    centre, basis = _refined(
        pips,
        np.concatenate([centre, slim_centre[caught]]),
        np.concatenate([basis, slim_basis[caught]]),
        match,
    )
    like = kin[pair[:, 0]] & kin[pair[:, 1]]
    return pair, centre, basis, _matched(pips, like, centre, basis, _FINE)


def _alike(pips: Pips) -> Flags:
    """(n, n) which pips are of one tone, size and surface, so could belong to one die."""
    ratio = pips.radius[:, None] / pips.radius[None]
    strength = np.linalg.norm(pips.ink - pips.body, axis=1)
    weaker = np.minimum(strength[:, None], strength[None])
    body = np.linalg.norm(pips.body[:, None] - pips.body[None], axis=2)
    ink = np.linalg.norm(pips.ink[:, None] - pips.ink[None], axis=2)
    same_tone = pips.light[:, None] == pips.light[None]
    same_size = (ratio > 0.62) & (ratio < 1.6)
    alike: Flags = same_tone & same_size & (body < 0.5 * weaker + 8) & (ink < 0.7 * weaker + 8)
    return alike


def _pairs(pips: Pips, kin: Flags) -> Indices:
    """(m, 2) pairs of pips, the best pips' if too many, that could be opposite corners of one face."""
    away = pips.centre[:, None] - pips.centre[None]
    gap = np.hypot(away[:, :, 0], away[:, :, 1])
    larger = np.maximum(pips.radius[:, None], pips.radius[None])
    i, j = np.nonzero(np.triu(kin & (gap < 14 * larger), 1))
    root = roots(_middle(pips.shape, i, j))
    flat = np.einsum("nij,nj->ni", np.linalg.inv(root), pips.centre[j] - pips.centre[i])
    pitch = np.hypot(flat[:, 0], flat[:, 1]) / (2 * np.sqrt(2))
    keep = (pitch > _PITCH[0]) & (pitch < _PITCH[1])
    pair = np.column_stack([i[keep], j[keep]]).astype(np.intp)
    return (
        pair[np.argsort(pair.max(axis=1), kind="stable")[:_MOST_PAIRS]] if len(pair) > _MOST_PAIRS else pair
    )


def _middle(values: Floats, i: Indices, j: Indices) -> Floats:
    middle: Floats = (values[i] + values[j]) * np.float32(0.5)
    return middle


def _halves(pips: Pips, pair: Indices) -> tuple[Floats, Floats, Floats]:
    """Centres, roots of the pips' shape, and half the diagonals as if seen from straight above."""
    i, j = pair.T
    root = roots(_middle(pips.shape, i, j))
    half = np.einsum("nij,nj->ni", np.linalg.inv(root), pips.centre[j] - pips.centre[i]) / 2
    return (pips.centre[i] + pips.centre[j]) / 2, root, half


def _square(pips: Pips, pair: Indices) -> tuple[Floats, Floats]:
    centre, root, half = _halves(pips, pair)
    sides = np.einsum("aij,nj->nia", _TURNS, half)
    return centre, np.einsum("nij,njk->nik", root, sides)


def _slim(pips: Pips, pair: Indices) -> tuple[Floats, Floats]:
    """(k m, 2) centres and (k m, 2, 2) bases with the pairs as diagonals of a narrow six, k ways."""
    centre, root, half = _halves(pips, pair)
    bases = []
    for width in _NARROW:
        lean = np.arctan(width)
        for turn in (lean, -lean):
            along = _rotation(turn) @ half.T * np.cos(lean)
            across = _rotation(turn - np.sign(turn) * np.pi / 2) @ half.T * np.sin(lean)
            bases.append(np.einsum("nij,njk->nik", root, np.stack([across.T, along.T], axis=2)))
    return np.tile(centre, (len(bases), 1)), np.concatenate(bases)


def _rotation(angle: float) -> Floats:
    c, s = np.cos(angle), np.sin(angle)
    return np.array([[c, -s], [s, c]], np.float32)


def _matched(pips: Pips, like: Flags, centre: Floats, basis: Floats, tolerance: float) -> Indices:
    """(m, 9) the pip at each place or -1. ``like`` (m, n): who may match; ``tolerance`` in pitches."""
    match = np.full((len(centre), 9), -1, np.intp)
    if not len(centre):
        return match
    inverse = np.linalg.inv(basis).astype(np.float32)[:, :, :, None]
    away = (pips.centre[None] - centre[:, None]).astype(np.float32)
    x, y = (inverse[:, k, 0] * away[:, :, 0] + inverse[:, k, 1] * away[:, :, 1] for k in (0, 1))
    x[~like] = _FAR
    across, down = ([(v - place) ** 2 for place in (-1, 0, 1)] for v in (x, y))
    rows = np.arange(len(centre))
    for place in range(9):
        apart = across[place % 3] + down[place // 3]  # the order of CELLS
        nearest = np.argmin(apart, axis=1)
        hit = apart[rows, nearest] < tolerance**2
        match[hit, place] = nearest[hit]
    return match


def _refined(pips: Pips, centre: Floats, basis: Floats, match: Indices) -> tuple[Floats, Floats]:
    """Least-squares affine lattices where four or more places are filled, else as they were."""
    centre, basis = centre.copy(), basis.copy()
    present = match >= 0
    design = np.column_stack([CELLS, np.ones(9)])
    outer = (design[:, :, None] * design[:, None]).reshape(9, 9)
    normal = (present @ outer).reshape(-1, 3, 3)
    fit = np.nonzero((present.sum(axis=1) >= 4) & (np.linalg.det(normal) > _FLAT))[0]
    where = np.where(present[fit, :, None], pips.centre[match[fit]], 0)
    solution = np.linalg.solve(normal[fit], design.T @ where)
    basis[fit], centre[fit] = solution[:, :2].transpose(0, 2, 1), solution[:, 2]
    return centre, basis
