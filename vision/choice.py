"""Choice: of all faces that pips could form, those on top of dice, each with its odds."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from vision.bodies import Silhouette, silhouettes
from vision.faces import Face, many_faces, single_faces
from vision.frames import Floats
from vision.marks import sample
from vision.odds import probability
from vision.pips import Pips

_WORTH = {"1": 0.6, "2": 0.75, "3": 0.85, "4": 1.0, "5": 1.05, "6": 1.1}
"""A face that explains more pips goes first: parts of a six also look like a three or a two."""

_MOST = 90
"""Faces of each sort that are looked at closely."""

_LEAST_ALONE, _LEAST = 0.1, 0.02
"""Least scores of a face by itself, and once it has been compared with the others."""

_REACH_OUT, _CUT = 0.25, 0.3
"""Sides by which a cut face reaches out of the picture, and the least factor for it."""

TILT = 0.22
"""Difference in foreshortening from which two faces cannot lie in one plane (see Face.squash)."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A face that is not contradicted by a better one, and the probability that it is a die's top."""

    face: Face
    probability: float


def candidates(pips: Pips, lab: Floats) -> list[Candidate]:
    """Choose among all faces of these pips in the picture ``lab``; likely first."""
    faces = _best(many_faces(pips, lab)) + _best(single_faces(pips))
    judged = [_judged(f, s, pips) for f, s in zip(faces, silhouettes(lab, faces), strict=True)]
    tops = tops_of(_consistent(judged, lab), lab)
    tops = [f for f in tops if f.score > _LEAST]
    found = [Candidate(f, probability(f) * _whole(f, lab.shape)) for f in tops]
    return sorted(found, key=lambda c: -c.probability)


def _whole(face: Face, shape: Sequence[int]) -> float:
    """Factor by which a face that reaches out of the picture is less likely a die's top.

    A die that is cut shows too few pips. Of the tuned photographs' faces that reach out by more than a
    tenth of a side none was a die; the factor does not get so small that nobody would ask about it.
    """
    beyond = max(float(-face.corners.min()), float((face.corners - (shape[1], shape[0])).max()), 0.0)
    return min(max(1 - beyond / face.side / _REACH_OUT, _CUT), 1)


def tops_of(faces: Sequence[Face], lab: Floats) -> list[Face]:
    """Choose faces greedily so that no pip is used twice and no die shows two faces.

    Of two neighbouring faces that cannot lie in one plane, the one seen more from the front or
    higher in the picture is the top: cameras look down on tables.
    """
    chosen: list[Face] = []
    for face in sorted(faces, key=lambda f: -f.score * _WORTH[f.value]):
        beaten = _beaten(face, chosen, lab)
        if beaten is not None:
            chosen = [other for other in chosen if not any(other is b for b in beaten)] + [face]
    return chosen


def _beaten(face: Face, chosen: Sequence[Face], lab: Floats) -> list[Face] | None:
    """Return the side faces among ``chosen`` that give way to ``face``; None if it must give way."""
    beaten = []
    for other in chosen:
        apart = float(np.hypot(*(face.centre - other.centre)))
        side = max(face.length, other.length)
        if set(face.members) & set(other.members) or apart < 0.5 * side:
            return None
        if apart > 1.3 * side:
            continue
        tilted = float(np.hypot(*(face.squash - other.squash))) > TILT and apart <= 1.15 * side
        if not tilted and apart >= 0.86 * side and not _folded(face, other, lab):
            continue
        rounder = _tilted(other) - _tilted(face)
        higher = float(other.centre[1] - face.centre[1]) / side
        if 2 * rounder + 0.6 * higher <= 0 or face.score <= 0.4 * other.score:
            return None
        beaten.append(other)
    return beaten


def _folded(face: Face, other: Face, lab: Floats) -> bool:
    """Whether one may be the front of a die, straight below its top, on one unbroken body.

    Of a top and a front the squared foreshortenings sum to one, and to less than 1.55 when measured.
    """
    across, down = np.abs(face.centre - other.centre)
    flatness = sum(float(np.exp(-2 * np.hypot(*f.squash))) for f in (face, other))
    if across > 0.4 * down or flatness > 1.55:
        return False
    share = np.linspace(0, 1, 25, dtype=np.float32)[:, None]
    points = face.centre * (1 - share) + other.centre * share
    body = face.body * (1 - share) + other.body * share
    seen = sample(lab, points[None])[0] - body
    way = face.ink - face.body
    inked = (seen @ way) / max(float(way @ way), 1) > 0.3
    off = np.linalg.norm(seen * np.array([0.6, 1, 1], np.float32), axis=1)
    return bool((off[~inked] < np.clip(0.24 * face.strength, 9, 24)).all())


def _tilted(face: Face) -> float:
    return max(face.lean, 0.5 * float(np.hypot(*face.squash)))


def _best(faces: list[Face]) -> list[Face]:
    """The best _MOST, without repetitions of the same pips as the same face."""
    seen: dict[tuple[str, tuple[int, ...]], Face] = {}
    for face in sorted(faces, key=lambda f: -f.score * _WORTH[f.value]):
        seen.setdefault((face.value, face.members), face)
    return list(seen.values())[:_MOST]


def _judged(face: Face, outline: Silhouette, pips: Pips) -> Face:
    """The face with its score weighed by its body, and its traits completed."""
    stray = _strays(face, pips)
    fit = body_fit(face.value, outline)
    traits = {
        "stray": stray,
        "fit": fit,
        "ended": outline.ended,
        "rough": outline.rough,
        "noise": outline.noise,
        "even": outline.even,
        "middle": outline.middle,
        "near": outline.near,
        "turn": outline.turn,
    }
    score = face.score * fit**0.5 * min(max(1.2 - 2 * stray, 0), 1)
    return replace(face, score=score, traits={**face.traits, **traits})


def body_fit(value: str, outline: Silhouette) -> float:
    """How well a silhouette fits a die that shows ``value``, 0..1. Few pips need a clear body."""
    ended = _ramp(outline.ended, 0.2, 0.8)
    rough = float(np.exp(-((max(outline.rough - 0.05, 0) / 0.12) ** 2)))
    calm = float(np.exp(-((max(outline.noise - 0.08, 0) / 0.12) ** 2)))
    size = float(np.exp(-((max(abs(np.log(outline.middle / 2.1)) - 0.25, 0) / 0.3) ** 2)))
    near = _ramp(outline.near, 0.7, 1.2)
    if value == "1":
        return ended * rough * calm * size * _ramp(outline.even, 0.25, 0.75) * near
    size = ended * size + (1 - ended)  # a body that fades into the table has no size
    if value == "2":
        return (0.3 + 0.7 * ended) * rough * calm * size * near
    return (
        (0.6 + 0.4 * ended)
        * (0.4 + 0.6 * rough)
        * (0.3 + 0.7 * calm)
        * (0.5 + 0.5 * size)
        * (0.5 + 0.5 * near)
    )


def _strays(face: Face, pips: Pips) -> float:
    """Sum of the quality of like pips on the face that are not its own."""
    one = face.value == "1"
    local = np.abs((pips.centre - face.centre) @ np.linalg.inv(face.frame if one else face.basis).T)
    within = np.hypot(local[:, 0], local[:, 1]) < 2.0 if one else local.max(axis=1) < 1.5
    ratio = pips.radius / np.sqrt(abs(np.linalg.det(face.pip_root)))
    near_ink = np.linalg.norm(pips.ink - face.ink, axis=1) < 0.5 * face.strength
    near_body = np.linalg.norm((pips.body - face.body) * (0.5, 1, 1), axis=1) < 0.5 * face.strength
    like = within & (pips.light == face.light) & (ratio > 0.6) & (ratio < 1.7) & near_ink & near_body
    like[list(face.members)] = False
    return float(pips.quality[like].sum())


def _consistent(faces: list[Face], lab: Floats) -> list[Face]:
    """Weigh each face by the picture's clearest ones: dice are of a size, their pips stand out.

    A lone pip like those of clear dice is a one, even where its body fades into the table.
    """
    alone = [f for f in faces if f.score > _LEAST_ALONE]
    clear = [f for f in tops_of(alone, lab) if f.score > 0.55]
    if not clear:
        return alone
    weight = np.array([f.score * (len(f.pips_at) if f.value != "1" else 0.3) for f in clear])
    strongest = max(f.strength * min(1, w) for f, w in zip(clear, weight, strict=True))
    usual = _median([f.side for f in clear], weight)
    plane = np.array([_median([f.squash[k] for f in clear], weight) for k in (0, 1)])
    kin = [f for f in clear if f.value != "1"]
    return [
        _weighed(
            f,
            strength=f.strength / strongest,
            size=f.side / usual,
            tilt=float(np.hypot(*(f.squash - plane))),
            kinship=max((_kinship(f, k) for k in kin if k is not f), default=0.0),
        )
        for f in faces
        if f.score > _LEAST_ALONE or (f.value == "1" and kin)
    ]


def _kinship(face: Face, other: Face) -> float:
    """How alike the pips of two faces are in ink, surround and size, 0..1."""
    strength = max(other.strength, 1)
    ink = float(np.linalg.norm((face.ink - other.ink) * (0.6, 1, 1))) / strength
    body = float(np.linalg.norm((face.body - other.body) * (0.6, 1, 1))) / strength
    size = 0.5 * float(np.log(np.linalg.det(face.pip_root) / np.linalg.det(other.pip_root)))
    return float(np.exp(-((ink / 0.25) ** 2) - (body / 0.2) ** 2 - (size / 0.3) ** 2))


def _median(values: Sequence[float], weight: Floats) -> float:
    order = np.argsort(values)
    heap = np.cumsum(weight[order])
    return float(values[order[int(np.searchsorted(heap, heap[-1] / 2))]])


def _weighed(face: Face, *, strength: float, size: float, tilt: float, kinship: float) -> Face:
    stands_out = max(_ramp(strength, 0.12, 0.37), 0.8 * face.traits["fit"] ** 1.5)
    usual = float(np.exp(-((max(abs(np.log(size)) - 0.35, 0) / 0.3) ** 2)))
    more = {"strength": strength, "size": size, "tilt": tilt, "kinship": kinship}
    score = face.score
    if face.value == "1":
        alone = min(max(1.2 - 2 * face.traits["stray"], 0), 1)
        flat = float(np.exp(-((tilt / 0.2) ** 2)))
        score = max(score, 0.6 * kinship * alone * flat * face.traits["quality"])
    return replace(face, score=score * stands_out * usual, traits={**face.traits, **more})


def _ramp(value: float, low: float, high: float) -> float:
    return min(max((value - low) / (high - low), 0.0), 1.0)
