"""How far the networks' numbers can be believed: fitted on pictures that the networks were not trained on.

tests/benchmarks/fit_odds.py fits these, on traced pictures and, for three parts of ten, on photographs as
networks read them that were trained without their repository. Figures are in vision/weights/README.md.
"""

import numpy as np

from vision.finder import Found
from vision.frames import Floats, floats
from vision.looks import Looks

FEATURES = (
    "finder's heat",
    "face reader sees a face",
    "how clearly which",
    "both at once",
    "off the middle",
    "another size than found",
    "another size than the others",
    "likelier face beside",
    "how close that is",
    "lies flat",
)
_DIE = (-2.440, 1.383, 0.516, 0.078, 0.374, 3.184, -1.703, -0.873, 1.134, 0.342, 0.699)
"""Intercept, then the weights of `features`, to the logit that a place is the upper face of a die."""

_TRUST = (-0.494, 1.071)
"""Intercept and slope from the logit of a face's probability to the logit that it is right."""

_TRUST_PRINT = (-1.6, 0.9)
"""The same for the colour of a print, stricter than what was fitted: lamps are more various than those of
the tuning trays."""

_MOST_PRINT = 0.65
"""And never more than this, so that no roll with a print is sure before its dice were shown: few would be,
and of 15 that were, in trays never tuned on, one was wrong."""

_LOUD = 0.4
_REACH = 1.6
"""Faces nearer than so many sides compete: one may be the other's front."""


def features(found: Found, looks: Looks) -> Floats:
    """Return (n, len(FEATURES)): what can be told of each place."""
    heat, face = logit(found.heat), logit(1 - looks.symbols[:, 0])
    shares = looks.symbols[:, 1:] / np.maximum(looks.symbols[:, 1:].sum(axis=1, keepdims=True), 1e-6)
    middles, sides = looks.corners.mean(axis=1), looks.sides
    beside, near = _rivals(found.heat, middles, sides)
    usual = float(np.median(sides[found.heat > _LOUD])) if (found.heat > _LOUD).any() else 1.0
    return np.column_stack(
        (
            heat,
            face,
            logit(shares.max(axis=1)) if len(shares) else heat,
            heat * face / 4,
            np.linalg.norm(middles - found.centres, axis=1) / found.sides,
            np.abs(np.log(sides / found.sides)),
            np.abs(np.log(sides / usual)),
            beside,
            near,
            looks.states[:, 0],
        )
    ).astype(np.float32)


def chances(told: Floats) -> Floats:
    """Return (n,) 0..1 from `features`: the chance that each place is the upper face of a die."""
    logits = _DIE[0] + told @ floats(_DIE[1:])
    return np.asarray(1 / (1 + np.exp(-np.clip(logits, -30, 30))), np.float32)


def trust(probability: float, *, by_colour: bool = False) -> float:
    """Return the chance 0..1 that a face to which the network gives this probability is right."""
    start, slope = _TRUST_PRINT if by_colour else _TRUST
    p = min(max(probability, 1e-6), 1 - 1e-6)
    told = float(1 / (1 + np.exp(-(start + slope * np.log(p / (1 - p))))))
    return min(told, _MOST_PRINT) if by_colour else told


def logit(p: Floats) -> Floats:
    """Return the logarithm of the odds, within -7 to 7."""
    clipped = np.clip(p, 1e-3, 1 - 1e-3)
    return floats(np.log(clipped / (1 - clipped)))


def _rivals(heat: Floats, middles: Floats, sides: Floats) -> tuple[Floats, Floats]:
    """Return how much hotter the hottest place near each is (0 if none), and how near, 0..1."""
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2) / np.maximum(sides, 1.0)[:, None]
    np.fill_diagonal(away, np.inf)
    hotter = np.where(away < _REACH, heat[None] - heat[:, None], 0.0)
    if not len(heat):
        return heat, heat
    worst = hotter.argmax(axis=1)
    rows = np.arange(len(heat))
    beside = np.maximum(hotter[rows, worst], 0)
    near = np.where(beside > 0, 1 - away[rows, worst] / _REACH, 0)
    return floats(beside), floats(near)
