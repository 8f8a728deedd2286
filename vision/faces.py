"""Faces: which lattices of pips are the face of a die, and how well the picture bears it out."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from vision.frames import Floats
from vision.lattice import CELLS, PATTERN_FACES, PATTERNS, Flags, Indices, lattices
from vision.marks import roots, sample
from vision.pips import Pips

SIDE_PITCHES = 3.8
"""The side of a face in pitches: pips stand a quarter of a side apart, edges are rounded."""

ONE_PITCH = 2.3
"""A one's pitch in pip radii, for want of neighbours to measure it by."""


@dataclass(frozen=True)  # without slots, so that what is asked for again and again is kept
class Face:
    """What could be one face, somewhere in the picture.

    ``centre`` (2,) px; ``basis`` (2, 2) px, columns: one pitch along each side; ``members``:
    indices of its pips, ``pips_at`` (k, 2) their places, ``pip_root`` (2, 2) a pip's half axes, px;
    ``score`` 0..1; ``others``: (face, score) of other patterns, best first; ``body``, ``ink``: Lab;
    ``traits``: named measurements that the odds are reckoned from.
    """

    value: str
    centre: Floats
    basis: Floats
    members: tuple[int, ...]
    pips_at: Floats
    pip_root: Floats
    body: Floats
    ink: Floats
    light: bool
    score: float
    others: tuple[tuple[str, float], ...] = ()
    traits: Mapping[str, float] = field(default_factory=dict)

    @property
    def corners(self) -> Floats:
        """(4, 2) px. A lone pip does not show how its die is turned; its silhouette may."""
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32) * (SIDE_PITCHES / 2)
        if self.value == "1":
            turn = self.traits.get("turn", 0.0)
            square = square @ np.array([(np.cos(turn), np.sin(turn)), (-np.sin(turn), np.cos(turn))])
        corners: Floats = (self.centre + square @ self.basis.T).astype(np.float32)
        return corners

    @cached_property
    def side(self) -> float:
        """Geometric mean of the sides, px."""
        return SIDE_PITCHES * float(np.sqrt(abs(np.linalg.det(self.basis))))

    @cached_property
    def lean(self) -> float:
        """Foreshortening that a table seen by an upright camera does not have: sideways or aslant."""
        upright, aslant = (float(x) for x in self.squash)
        return float(np.hypot(min(upright, 0), aslant))

    @cached_property
    def length(self) -> float:
        """The side as it would be without foreshortening, px."""
        return self.side * float(np.exp(np.hypot(*self.squash) / 2))

    @cached_property
    def frame(self) -> Floats:
        """(2, 2) px: a pip's foreshortening at the lattice's mean pitch, without its oblongness."""
        scale = np.sqrt(abs(np.linalg.det(self.basis) / np.linalg.det(self.pip_root)))
        frame: Floats = (self.pip_root * scale).astype(np.float32)
        return frame

    @cached_property
    def strength(self) -> float:
        """Distance of ink and body, in Lab."""
        return float(np.linalg.norm(self.ink - self.body))

    @cached_property
    def squash(self) -> Floats:
        """(2,) how its pips are foreshortened: see `squash_of`."""
        return squash_of(self.pip_root @ self.pip_root)


def squash_of(shape: Floats) -> Floats:
    """(2,) direction and amount of an ellipse's foreshortening; length -log(short / long axis).

    Positive first: flat in the picture; second: aslant.
    """
    value, vector = np.linalg.eigh(shape / np.sqrt(np.linalg.det(shape)))
    logs = vector @ np.diag(np.log(value)) @ vector.T / 2
    return np.array([logs[0, 0], logs[0, 1]], np.float32)


def single_faces(pips: Pips) -> list[Face]:
    """Take every pip as a one; whether it has a body of its own is for its silhouette to say."""
    root = roots(pips.shape)
    return [
        Face(
            value="1",
            centre=pips.centre[m],
            basis=root[m] * np.float32(ONE_PITCH),
            members=(m,),
            pips_at=pips.centre[m : m + 1],
            pip_root=root[m],
            body=pips.body[m],
            ink=pips.ink[m],
            light=bool(pips.light[m]),
            score=float(pips.quality[m]) ** 0.5,
            traits={"quality": float(pips.quality[m])},
        )
        for m in range(len(pips))
    ]


def many_faces(pips: Pips, lab: Floats, least: float = 0.06) -> list[Face]:
    """Every face of two to six pips whose score is ``least`` or more. ``lab``: the picture."""
    pair, centre, basis, match = lattices(pips)
    if not len(pair):
        return []
    i, j = pair.T
    body, ink = (pips.body[i] + pips.body[j]) / 2, (pips.ink[i] + pips.ink[j]) / 2
    root = roots((pips.shape[i] + pips.shape[j]) / 2)
    cost = _costs(_tones(pips, lab, centre, basis, root, match, body, ink))
    order = np.argsort(cost, axis=1)
    wanted = PATTERNS[order[:, 0]] > 0
    local = np.einsum("mij,mjk->mik", np.linalg.inv(root), basis)
    strength = np.maximum(np.linalg.norm(ink - body, axis=1), 1)
    body, inner, outer = _calm(lab, centre, basis, local, wanted, body, strength)
    value = np.linalg.svd(local, compute_uv=False)
    square = value[:, 1] / value[:, 0]
    pitch = np.sqrt((local**2).sum(axis=(1, 2)) / 2)
    have = match >= 0
    clear = np.exp(-np.take_along_axis(cost, order[:, :1], 1)[:, 0] / 0.7)
    quality = np.where(have & wanted, pips.quality[match], 0).sum(axis=1) / wanted.sum(axis=1)
    six = np.array([PATTERN_FACES[k] == "6" for k in order[:, 0]])
    upright = np.clip(np.where(six, 1.7, 1) * square * 2 - 0.6, 0, 1)
    usual = np.exp(-((np.maximum(np.abs(np.log(pitch / 2.45)) - 0.3, 0) / 0.2) ** 2))
    score = clear * np.sqrt(quality) * inner * (0.4 + 0.6 * outer) * usual * upright
    score[(have & ~wanted).any(axis=1)] = 0
    return [
        Face(
            value=PATTERN_FACES[order[m, 0]],
            centre=centre[m],
            basis=basis[m],
            members=tuple(int(x) for x in match[m][wanted[m] & have[m]]),
            pips_at=pips.centre[match[m][wanted[m] & have[m]]],
            pip_root=root[m],
            body=body[m],
            ink=ink[m],
            light=bool(pips.light[i[m]]),
            score=float(score[m]),
            others=tuple((PATTERN_FACES[k], float(np.exp(-cost[m, k] / 0.7))) for k in order[m, 1:]),
            traits={
                "clear": float(clear[m]),
                "quality": float(quality[m]),
                "inner": float(inner[m]),
                "outer": float(outer[m]),
                "pitch": float(pitch[m]),
                "square": float(square[m]),
            },
        )
        for m in np.nonzero(score >= least)[0]
    ]


_DISC: Floats = np.array([(0, 0), (0.55, 0), (-0.55, 0), (0, 0.55), (0, -0.55)], np.float32)


def _tones(
    pips: Pips,
    lab: Floats,
    centre: Floats,
    basis: Floats,
    root: Floats,
    match: Indices,
    body: Floats,
    ink: Floats,
) -> Floats:
    """(m, 9) how inked each place is, 0 like the body to 1 like the pips; found pips count as seen."""
    have = match >= 0
    cells = centre[:, None] + np.einsum("mij,cj->mci", basis, CELLS)
    where = np.where(have[:, :, None], pips.centre[match], cells)
    discs = where[:, :, None] + np.einsum("mij,dj->mdi", root, _DISC)[:, None]
    seen = sample(lab, discs.reshape(len(centre), -1, 2)) - body[:, None]
    way = ink - body
    tone = np.einsum("mki,mi->mk", seen, way) / np.maximum((way**2).sum(axis=1), 1)[:, None]
    tone = np.median(tone.reshape(len(centre), 9, len(_DISC)), axis=2).clip(0, 1)
    told = np.maximum(tone, np.minimum(1, 0.4 + pips.quality[match]))
    tones: Floats = np.where(have, told, tone * 0.9).astype(np.float32)
    return tones


def _costs(tone: Floats) -> Floats:
    """(m, patterns) squared difference of the tones to each pattern."""
    cost: Floats = ((tone[:, None] - PATTERNS[None]) ** 2).sum(axis=2)
    return cost


_BETWEEN: Floats = np.array(
    [(x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)] + [(0, 0.5), (0, -0.5), (0.5, 0), (-0.5, 0)],
    np.float32,
)
_ALONG: Floats = np.array([-1, -0.5, 0, 0.5, 1], np.float32)


def _calm(
    lab: Floats, centre: Floats, basis: Floats, local: Floats, wanted: Flags, body: Floats, strength: Floats
) -> tuple[Floats, Floats, Floats]:
    """Say how alike the surface is between the pips and just outside them, 0..1 each.

    Also returns (m, 3) a better body colour: the median between the pips.
    """
    spots = _spots(np.hypot(local[:, 0], local[:, 1]))
    apart = np.linalg.norm(
        np.einsum("mij,mkcj->mkci", local, spots[:, :, None] - CELLS[None, None]), axis=3
    )
    free = np.where(wanted[:, None], apart, 9).min(axis=2) > 1.3
    surface = sample(lab, centre[:, None] + np.einsum("mij,mkj->mki", basis, spots))
    n = len(_BETWEEN)
    known = np.nonzero(free[:, :n].any(axis=1))[0]
    shown = np.where(free[known, :n, None], surface[known, :n], np.nan)
    settled = body.copy()
    settled[known] = np.nanmedian(shown, axis=1)
    near = np.linalg.norm(settled - body, axis=1) < 0.3 * strength
    body = np.where(near[:, None], settled, body).astype(np.float32)
    miss = np.linalg.norm(surface - body[:, None], axis=2) / strength[:, None]
    calm = np.clip(1.3 - 2.8 * miss, 0, 1)
    return body, _mean(calm[:, :n], free[:, :n]), _mean(calm[:, n:], free[:, n:])


def _spots(length: Floats) -> Floats:
    """(m, 28, 2) places between the pips and 1.5 radii outside them. ``length`` (m, 2): pitches."""
    edge = 1 + 1.5 / length
    count = len(length)
    runs = np.broadcast_to(_ALONG, (count, len(_ALONG)))
    rows = [np.broadcast_to(_BETWEEN, (count, *_BETWEEN.shape))]
    for sign in (-1, 1):
        ends_x = np.broadcast_to(sign * edge[:, :1], runs.shape)
        ends_y = np.broadcast_to(sign * edge[:, 1:], runs.shape)
        rows += [np.stack([ends_x, runs], axis=2), np.stack([runs, ends_y], axis=2)]
    return np.concatenate(rows, axis=1)


def _mean(value: Floats, mask: Flags) -> Floats:
    mean: Floats = np.where(mask, value, 0).sum(axis=1) / np.maximum(mask.sum(axis=1), 1)
    return mean
