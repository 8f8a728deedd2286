"""Cubes that lie on an exposed floor of the tower, counted by colour from one picture.

Every picture is looked at twice, in two sizes: what only one look saw is doubted.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from companion.rules.events import CubesExpected, DieClaim
from vision.cubefinder import Hole, Places
from vision.cubeheads import COLOURS, STRIDE
from vision.cubelooks import (
    IS_CUBE,
    Place,
    agreed,
    agreed_hole,
    believed,
    believed_hole,
    coloured,
    looks,
)
from vision.frames import Floats, Image, floats
from vision.judgement import RollStatus
from vision.tray import TrayProfile

SURE = 2.0
"""Least confidence 0..1 of the whole to be sure: for now nothing is, and every count is a proposal. It may
be lowered once tests/benchmarks/bench_cubes.py shows fewer than one silent error in 500 sure readings."""

SURE_CUBE = 0.97
"""A cube below it is shown as doubtful."""

CUBE_MM = 9.0
"""The game's cubes measure 8 to 10 mm."""

KIND = "cube"
"""The kind of a claim whose face is a colour."""

_COUNTED = 0.5
_FLOOR_SEEN = 0.5
_SURE_HOLE = 0.8
_AROUND = 3.2
"""A hand nearer to the hole than so many of its sides may hide a cube."""


@dataclass(frozen=True, slots=True)
class CubeSeen:
    """One cube. ``outline`` (4, 2) px, an upright square around its upper side.

    ``confidence`` 0..1 that it is one and of this colour; ``alternatives``: other colours, likely first.
    """

    colour: str
    confidence: float
    outline: Floats = field(repr=False)
    alternatives: tuple[str, ...] = ()

    def scaled(self, factor: float) -> "CubeSeen":
        """Return it for a picture so many times as large."""
        return replace(self, outline=floats(self.outline * factor))


@dataclass(frozen=True, slots=True)
class CubesRead:
    """What one picture shows. ``beside``: cubes that do not lie on the floor whose ``hole`` is seen.

    ``confidence`` 0..1 that all of it is right, ``reason`` a sentence if it is not sure.
    """

    cubes: tuple[CubeSeen, ...]
    status: RollStatus
    confidence: float = 0.0
    reason: str = ""
    hole: Hole | None = None
    beside: tuple[CubeSeen, ...] = ()

    def scaled(self, factor: float) -> "CubesRead":
        """Return it for a picture so many times as large."""
        hole = self.hole and Hole(
            self.hole.x * factor, self.hole.y * factor, self.hole.side * factor, self.hole.chance
        )
        cubes, beside = (tuple(c.scaled(factor) for c in some) for some in (self.cubes, self.beside))
        return replace(self, cubes=cubes, beside=beside, hole=hole)

    @property
    def sure(self) -> bool:
        """Whether it may count without anybody looking at it."""
        return self.status is RollStatus.SURE

    @property
    def floor(self) -> bool:
        """Whether a floor, or cubes that lie anywhere, are seen at all."""
        return self.status is not RollStatus.NONE

    @property
    def colours(self) -> tuple[str, ...]:
        """The colours of the cubes that count, in a fixed order."""
        return tuple(sorted(cube.colour for cube in self.cubes))


def read_cubes(
    image: Image,
    expected: CubesExpected | None = None,
    *,
    profile: TrayProfile | None = None,
    sure_from: float = SURE,
) -> CubesRead:
    """Count the cubes in a BGR picture of any size.

    ``expected``: the most there can be of each colour, None for any number of any. ``profile``: with its
    ``px_per_mm`` the size of cubes is known from the start. ``sure_from``: the confidence from which on the
    whole is sure. Raises WeightsError.
    """
    known = CUBE_MM * profile.px_per_mm if profile and profile.px_per_mm else None
    first, second = looks(image, known)
    hole = believed_hole(agreed_hole(first.hole, second.hole))
    places = coloured(image, believed(agreed(first, second), hole))
    return _judged(places, hole, _hidden(first, hole), expected, sure_from)


def cube_claims(cubes: Sequence[CubeSeen], frame_shape: Sequence[int]) -> tuple[DieClaim, ...]:
    """Turn cubes into claims, outlines as fractions of a picture of shape (height, width, ...)."""
    size = floats((frame_shape[1], frame_shape[0]))
    return tuple(
        DieClaim(
            kind=KIND,
            face=cube.colour,
            confidence=cube.confidence,
            outline=tuple((float(x), float(y)) for x, y in np.clip(cube.outline / size, 0, 1)),
            alternatives=cube.alternatives,
        )
        for cube in cubes
    )


def _hidden(look: Places, hole: Hole | None) -> bool:
    """Say whether a hand is where a cube could lie: near the hole, or anywhere if no hole is seen."""
    if not look.hand.any():
        return False
    rows, columns = np.nonzero(look.hand)
    points = floats(np.stack((columns, rows), axis=1) + 0.5) * STRIDE / look.scale
    if hole is not None and hole.chance > _FLOOR_SEEN / 2:
        middle, reach = floats((hole.x, hole.y)), _AROUND * hole.side
        return bool((np.abs(points - middle).max(axis=1) < reach).mean() * len(points) > _SPECKS)
    return len(points) > _SPECKS


_SPECKS = 6
"""Cells of the searched picture: fewer are no hand."""


def _judged(
    places: Sequence[Place],
    hole: Hole | None,
    hidden: bool,
    expected: CubesExpected | None,
    sure_from: float = SURE,
) -> CubesRead:
    seen_hole = hole if hole is not None and hole.chance > _FLOOR_SEEN / 2 else None
    with_floor = seen_hole is not None
    here = [p for p in places if not with_floor or p.floor > _COUNTED]
    counted = [p for p in here if p.chance > IS_CUBE]
    cubes = _named(counted, expected)
    others = [p for p in places if with_floor and p.floor <= _COUNTED and p.chance > IS_CUBE]
    beside = _named(others, None)
    if not cubes and seen_hole is None:
        return CubesRead((), RollStatus.NONE, 0.0, "No floor of the tower and no cubes are seen.")
    missed = math.prod(1 - p.chance for p in here if p.chance <= IS_CUBE)
    placed = (
        math.prod(max(p.floor, 1 - p.floor) for p in places if p.chance > IS_CUBE) if with_floor else 1.0
    )
    whole = math.prod(cube.confidence for cube in cubes) * missed * placed
    whole *= seen_hole.chance if seen_hole else 0.5
    reason = _doubt(cubes, hidden, seen_hole, missed, placed, expected)
    if not cubes and beside:
        reason = reason or "No cube lies on the floor; those beside it are not counted."
    if not reason and whole >= sure_from:
        return CubesRead(cubes, RollStatus.SURE, round(whole, 4), "", seen_hole, beside)
    reason = reason or "Please look whether the cubes were counted right."
    status = RollStatus.COVERED if hidden else RollStatus.DOUBTFUL
    return CubesRead(cubes, status, round(whole, 4), reason, seen_hole, beside)


def _doubt(
    cubes: Sequence[CubeSeen], hidden: bool, hole: Hole | None, missed: float, placed: float,
    expected: CubesExpected | None,
) -> str:  # fmt: skip
    """Say in a sentence what is doubtful; nothing if nothing is."""
    mismatch = expected.mismatch(cube.colour for cube in cubes) if expected else None
    if mismatch:
        return f"{mismatch[0].upper()}{mismatch[1:]}."
    if hidden:
        return "A hand or a sleeve covers part of the floor: take it away."
    if hole is None or hole.chance < _SURE_HOLE:
        return "The hole in the floor is not seen clearly, so cubes that lie elsewhere may be counted."
    weak = min(cubes, key=lambda cube: cube.confidence, default=None)
    if weak is not None and weak.confidence < SURE_CUBE:
        if weak.alternatives:
            return f"The cube read as {weak.colour} could be {weak.alternatives[0]}."
        return f"The cube read as {weak.colour} is not seen clearly."
    if missed < SURE_CUBE:
        return "There may be a cube more than was counted."
    if placed < SURE_CUBE:
        return "A cube lies at the edge of the floor: does it count?"
    return ""


def _named(places: Sequence[Place], expected: CubesExpected | None) -> tuple[CubeSeen, ...]:
    """Give each cube the likeliest colour of which there can be so many."""
    most = dict(expected.most) if expected else dict.fromkeys(COLOURS, 10**6)
    room = floats([most.get(colour, 0) > 0 for colour in COLOURS])
    shares = [floats(place.colours * (room if room.any() else 1)) for place in places]
    chosen = [int(share.argmax()) for share in shares]
    _within_most(shares, chosen, most)
    return tuple(
        _cube(place, share, colour) for place, share, colour in zip(places, shares, chosen, strict=True)
    )


def _within_most(shares: Sequence[Floats], chosen: list[int], most: dict[str, int]) -> None:
    """Where there are too many of a colour, turn the least certain of them into what else they could be."""
    for _ in shares:
        counts = Counter(chosen)
        full = {n for n in range(len(COLOURS)) if counts[n] >= most.get(COLOURS[n], 0)}
        over = [n for n in full if counts[n] > most.get(COLOURS[n], 0)]
        best, turned = 0.0, None
        for n, colour in enumerate(chosen):
            if colour not in over:
                continue
            for other in range(len(COLOURS)):
                ratio = float(shares[n][other] / max(shares[n][colour], 1e-9))
                if other not in full and ratio > max(best, _COULD_BE):
                    best, turned = ratio, (n, other)
        if turned is None:
            return
        chosen[turned[0]] = turned[1]


_COULD_BE = 0.02


def _cube(place: Place, shares: Floats, colour: int) -> CubeSeen:
    # What the prior rules out still counts against it: a blue cube is not grey because no blue is left.
    certain = float(shares[colour] / max(float(place.colours.sum()), 1e-9))
    order = [int(n) for n in np.argsort(-shares) if n != colour and shares[n] > _COULD_BE]
    half = place.side / 2
    ring = floats([(-half, -half), (half, -half), (half, half), (-half, half)])
    return CubeSeen(
        colour=COLOURS[colour],
        confidence=round(place.chance * certain, 4),
        outline=floats(ring + floats((place.x, place.y))),
        alternatives=tuple(COLOURS[n] for n in order[:2]),
    )
