"""Odds: the probability that a face is the top of a die, from its traits.

A logistic regression with one set of weights for ones, one for twos and one for the others.
Fitted by tests/benchmarks/fit_odds.py on photographs of DamianTab/DiceDetection (Apache-2.0),
nell-byler/dice_detection (BSD-3-Clause) and matteop65/Dice_Detection_Recognition (MIT).
"""

from math import exp, log

import numpy as np

from vision.faces import Face
from vision.frames import Floats

_HIDDEN_ODDS = 3.0
"""Odds against a die that no candidate hints at. Of 0.5 to 12, values of 3 to 5 explain best which
rolls of the three sets, their count given, were right; the most careful of these is taken."""


_CLEAREST = 0.995
"""No mark is a clearer sign of a die than this."""

_EXTRA_FACE, _EXTRA_MARK = 0.1, 0.03
"""Odds, before looking, that a face left out or a mark nobody reads is a die too many. Of 0.01 to 0.1,
these leave 4 of the 210 tuned rolls sure that are told of one die too few, for 4 of 258 told rightly."""


def probability(face: Face) -> float:
    """The probability, 0..1, that ``face`` is the top of a die."""
    return 1 / (1 + exp(-float(features(face) @ WEIGHTS)))


def probability_given_count(own: float, rival: float) -> float:
    """The probability of a die among as many as are known to lie there. All 0..1.

    ``own``: its `probability`; ``rival``: that of the likeliest face left out. Either the two are
    to be swapped, or, if this one is no die, some die is there that nothing in the picture hints at.
    """
    swapped = rival * (1 - own)
    swapped /= max(swapped + own * (1 - rival), 1e-9)
    own = _HIDDEN_ODDS * own / (_HIDDEN_ODDS * own + 1 - own)
    return own * (1 - swapped)


def too_many(rival: float, mark: float) -> float:
    """The probability, 0..1, that more dice lie there than should.

    ``rival``: that of the likeliest face left out; ``mark``: how clear a sign of one that was not read.
    """
    none = 1.0
    for sign, before in ((rival, _EXTRA_FACE), (min(mark, _CLEAREST), _EXTRA_MARK)):
        none *= 1 - before * sign / max(before * sign + (1 - before) * (1 - sign), 1e-9)
    return 1 - none


def features(face: Face) -> Floats:
    """(49,) numbers, near 0..1, zero where they do not apply; the order is that of WEIGHTS."""
    t = face.traits
    many = face.value != "1"
    group = 0 if not many else 1 if face.value == "2" else 2
    each = (
        1.0,
        log(max(t["quality"], 0.05)),
        _clip((t["ended"] - 0.2) / 0.6, 0, 1),
        _clip((t["rough"] - 0.05) / 0.12, 0, 2.5),
        _clip((t["noise"] - 0.06) / 0.12, 0, 2.5),
        _clip((t["near"] - 0.7) / 0.5, -0.5, 1.5),
        _clip((abs(log(t["middle"] / 2.1)) - 0.25) / 0.3, 0, 2),
        t["even"],
        min(t["stray"], 1),
        log(_clip(t.get("strength", 1), 0.05, 1.2)),
        _clip(abs(log(t.get("size", 1))) - 0.2, 0, 1),
        -min(t.get("tilt", 0), 0.8),
        -min(face.lean, 0.6),
        t.get("kinship", 0),
    )
    parted = np.zeros((3, len(each)))
    parted[group] = each
    shape = (
        (
            log(max(t["clear"], 0.05)),
            t["inner"],
            t["outer"],
            _clip(abs(log(t["pitch"] / 2.3)) - 0.15, 0, 0.6),
            (1 - t["square"]) * (face.value != "6"),
            float(t["square"] < 0.4),
        )
        if many
        else (0.0,) * 6
    )
    return np.concatenate([parted.ravel(), shape, [float(face.light)]]).astype(np.float32)


def _clip(value: float, low: float, high: float) -> float:
    return min(max(value, low), high)


# fmt: off
WEIGHTS: Floats = np.array([
    # ones
    -3.47, 0.66, 1.65, -2.55, 0.32, 0.61, 0.02, 3.36, -5.43, 0.35, -0.54, 4.58, 3.28, 1.24,
    # twos
    -1.79, 5.86, 2.14, -2.89, 3.18, 0.44, -0.13, 1.38, -4.90, -0.55, -3.92, 8.13, 15.56, 1.36,
    # threes to sixes
    -1.65, 1.62, 3.01, -1.32, 1.26, 0.46, 0.60, 0.54, -18.00, -0.60, -8.80, 9.39, 9.72, 1.89,
    # the lattice of all but ones, and light pips
    2.26, 0.42, 2.01, -4.75, -1.63, 0.00, 0.28,
], np.float32)
# fmt: on
