"""Brings two looks at one picture together: what both see is believed, what only one saw is doubted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision import cubecolour
from vision.cubefinder import Hole, Places, find, usual_scale
from vision.frames import Floats, Image, floats

IS_CUBE = 0.5
"""A place with at least this chance is a cube."""

_CLEAR_HEAT = 0.45
_MATCH = 0.5
_OTHER_LOOK = 0.78
_TOO_FAR = 1.6
_CLEAR_HOLE = 0.3
_CUBE_TO_HOLE = 0.55
"""A cube's side beside the hole's, about: 9 mm to 16.5 mm."""

_FLOOR_SEEN = 0.5


@dataclass(frozen=True, slots=True)
class Place:
    """One place on which both looks were asked: its middle and ``side`` in px.

    ``chance`` 0..1 that it is a cube, ``floor`` 0..1 that it counts, ``colours`` (7,) probabilities.
    """

    x: float
    y: float
    side: float
    chance: float
    colours: Floats
    floor: float


def other_scale(image: Image, first: Places) -> float:
    """Return the factor at which cubes are read best, by those found or by the hole, or a smaller one."""
    clear = first.sides[first.heat > _CLEAR_HEAT]
    if len(clear):
        wanted = usual_scale(image, float(np.median(clear)))
    elif first.hole is not None and first.hole.chance > _CLEAR_HOLE:
        wanted = usual_scale(image, _CUBE_TO_HOLE * first.hole.side)
    else:
        return first.scale * _OTHER_LOOK
    near = 0.85 < wanted / first.scale < 1.18
    return first.scale * _OTHER_LOOK if near else wanted


def looks(image: Image, known_px: float | None) -> tuple[Places, Places]:
    """Look twice, in two sizes; ``known_px``: the side of a cube in the picture, if known.

    Where the first look shows that it was from much too near or too far, another takes its place.
    """
    first = find(image, usual_scale(image, known_px))
    second = find(image, other_scale(image, first))
    if not 1 / _TOO_FAR < second.scale / first.scale < _TOO_FAR:
        first = find(image, second.scale * _OTHER_LOOK)
    return first, second


def agreed(first: Places, second: Places) -> list[Place]:
    """Bring both looks together, as they told it; what one of them did not see it gives a small heat."""
    found, taken = [], set()
    for n in range(len(first)):
        away = np.linalg.norm(second.centres - first.centres[n], axis=1)
        for m in np.argsort(away):
            if away[m] < _MATCH * first.sides[n] and int(m) not in taken:
                taken.add(int(m))
                found.append(_both(first, n, second, int(m)))
                break
        else:
            found.append(_alone(first, n))
    return found + [_alone(second, m) for m in range(len(second)) if m not in taken]


_UNSEEN = 0.1
"""The heat of a place of which a look says nothing."""

_LEAST_CHANCE = 0.005

_BELIEF = (1.082, 2.844, -5.552, -10.303, 0.426)
"""What the logit of a place's chance follows from: a constant, the heat's logit, by how much (logarithm of
the size) it differs from the other cubes, how far it is from any size a cube can have beside the hole, by
how much a place next to it is likelier. Fitted, as the next two, by `tests/benchmarks/fit_cubes.py`."""

_FLOOR = (3.471, 0.824, -1.256)
"""A constant, the logit told, and how far from the hole beyond what a floor can reach, in cubes' sides."""

_HOLE = (1.554, 2.292)
"""A constant, and the logit told."""

_ODD_SIZE, _UNKNOWN_SIZE = 0.6, 0.08
"""The most that counts as a difference of sizes, and what is assumed of a cube that lies alone."""

_BESIDE_HOLE = (0.37, 0.85)
"""A cube's side beside the hole's: 7.8 to 10.2 mm beside 12 to 21 mm."""

_NEXT_TO = 1.1
_FLOOR_REACH = 6.0


def believed(places: Sequence[Place], hole: Hole | None) -> list[Place]:
    """Turn what the looks told of places into chances that can be believed; the hopeless ones go."""
    told = evidence(places, hole) @ floats(_BELIEF)
    found = []
    for place, logit in zip(places, told, strict=True):
        chance = _sigmoid(float(logit))
        if chance > _LEAST_CHANCE:
            on_floor = float(floor_evidence(place, hole) @ floats(_FLOOR))
            found.append(replace(place, chance=chance, floor=_sigmoid(on_floor)))
    return found


def believed_hole(hole: Hole | None) -> Hole | None:
    """Return it with the chance that it is one."""
    return hole and replace(hole, chance=_sigmoid(_HOLE[0] + _HOLE[1] * _logit(hole.chance)))


def evidence(places: Sequence[Place], hole: Hole | None) -> Floats:
    """Return (n, 5): what the weights of _BELIEF belong to."""
    heat = floats([_logit(place.chance) for place in places])
    sizes = floats([math.log(place.side) for place in places])
    weights = np.clip(floats([place.chance for place in places]) - 0.25, 0, 1) ** 2
    middles = floats([(place.x, place.y) for place in places]).reshape(-1, 2)
    rows = []
    for n, place in enumerate(places):
        others = np.delete(weights, n)
        odd = _UNKNOWN_SIZE
        if others.sum() > _UNKNOWN_SIZE:
            odd = min(abs(float(sizes[n]) - _middle(np.delete(sizes, n), others)), _ODD_SIZE)
        away = np.linalg.norm(middles - middles[n], axis=1) / place.side
        near = [float(heat[m] - heat[n]) for m in np.flatnonzero(away < _NEXT_TO) if m != n]
        rows.append((1.0, heat[n], odd, _beside_hole(float(sizes[n]), hole), max([0.0, *near])))
    return floats(rows).reshape(-1, 5)


def floor_evidence(place: Place, hole: Hole | None) -> Floats:
    """Return (3,): what the weights of _FLOOR belong to."""
    beyond = 0.0
    if hole is not None and hole.chance > _FLOOR_SEEN:
        beyond = max(0.0, math.dist((place.x, place.y), (hole.x, hole.y)) / place.side - _FLOOR_REACH)
    return floats((1.0, _logit(place.floor), min(beyond, _FLOOR_REACH)))


def _middle(values: Floats, weights: Floats) -> float:
    """Return the median by weight."""
    order = np.argsort(values)
    share = np.cumsum(weights[order])
    return float(values[order][np.searchsorted(share, share[-1] / 2)])


def _beside_hole(size: float, hole: Hole | None) -> float:
    if hole is None or hole.chance < _FLOOR_SEEN / 2:
        return 0.0
    ratio = size - math.log(hole.side)
    low, high = (math.log(bound) for bound in _BESIDE_HOLE)
    return min(max(0.0, low - ratio, ratio - high), _ODD_SIZE)


def _both(first: Places, n: int, second: Places, m: int) -> Place:
    chance = _sigmoid((_logit(float(first.heat[n])) + _logit(float(second.heat[m]))) / 2)
    colours = np.sqrt(first.colours[n] * second.colours[m]) + 1e-6
    x, y = (first.centres[n] + second.centres[m]) / 2
    side = float(first.sides[n] + second.sides[m]) / 2
    floor = float(first.floor[n] + second.floor[m]) / 2
    return Place(float(x), float(y), side, chance, floats(colours / colours.sum()), floor)


def _alone(look: Places, n: int) -> Place:
    chance = _sigmoid((_logit(float(look.heat[n])) + _logit(_UNSEEN)) / 2)
    x, y = look.centres[n]
    return Place(float(x), float(y), float(look.sides[n]), chance, look.colours[n], float(look.floor[n]))


def agreed_hole(first: Hole | None, second: Hole | None) -> Hole | None:
    """Return the hole that both looks mean; where they differ the likelier, which is hardly believed."""
    if first is None or second is None:
        seen = first or second
        return seen and replace(seen, chance=seen.chance / 2)
    if math.dist((first.x, first.y), (second.x, second.y)) > _HOLE_MOVED * max(first.side, second.side):
        likelier = max(first, second, key=lambda hole: hole.chance)
        return replace(likelier, chance=min(likelier.chance / 2, _OTHER_HOLE))
    return replace(first, chance=_sigmoid((_logit(first.chance) + _logit(second.chance)) / 2))


_HOLE_MOVED = 0.6
_OTHER_HOLE = 0.3
"""Told of a hole beside which another was seen: the lifted part that stands there has one, too."""


def coloured(image: Image, places: Sequence[Place]) -> list[Place]:
    """Weigh the colours by a second opinion, which judges cubes among each other: the likely ones first.

    Raises WeightsError.
    """
    if not places:
        return []
    order = sorted(places, key=lambda place: -place.chance)
    likely = [place for place in order if place.chance > IS_CUBE]
    weighed = []
    for group in (likely, order[len(likely) :]):
        asked = likely + group if group is not likely else group
        if not group:
            continue
        shrink = min(1.0, _COLOUR_PX / float(np.median([place.side for place in asked])))
        size = (max(1, round(image.shape[1] * shrink)), max(1, round(image.shape[0] * shrink)))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
        middles = floats([(place.x, place.y) for place in asked]) * floats(shrink)
        sides = floats([place.side for place in asked]) * floats(shrink)
        told = cubecolour.colours(small, middles, sides)[-len(group) :]
        for place, shares in zip(group, told, strict=True):
            mixed = shares * np.power(place.colours + floats(1e-3), floats(_FINDER_SAYS))
            weighed.append(replace(place, colours=floats(mixed / mixed.sum())))
    return weighed


_COLOUR_PX = 24.0
_FINDER_SAYS = 0.3
"""How much the finder's own opinion of a colour counts beside the other's."""


def _logit(chance: float) -> float:
    inside = min(max(chance, 1e-4), 1 - 1e-4)
    return math.log(inside / (1 - inside))


def _sigmoid(logit: float) -> float:
    return 1 / (1 + math.exp(-min(max(logit, -30.0), 30.0)))
