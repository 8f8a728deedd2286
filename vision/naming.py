"""Which kind and face each die shows, given what the table waits for. Pure.

A place is told apart by the network in symbols; kinds of dice are sets of symbols. Where so many dice
of each kind are expected, every die's kind follows from all of them together.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from vision.faceheads import COLOURS, SYMBOLS
from vision.frames import Floats

WHITE, COLOURED, FINGERPRINT, TEATIME = "white", "coloured", "fingerprint", "teatime"
KINDS: Mapping[str, tuple[str, ...]] = {
    WHITE: ("1", "2", "3", "4", "5", "6"),
    COLOURED: ("1", "2", "3", "4", "5", "6"),
    FINGERPRINT: COLOURS,
    TEATIME: ("1", "2", "3", "4", "5", "glass"),
}
"""Kinds of dice that are read without being taught, and their faces."""

_SYMBOLS_OF: Mapping[str, tuple[str, ...]] = {
    WHITE: ("pips", "digit"),
    COLOURED: ("pips", "digit"),
    FINGERPRINT: ("fingerprint",),
    TEATIME: ("pips", "digit", "glass"),
}
_RARE: Mapping[str, float] = {"digit": 0.3, "glass": 0.5, "fingerprint": 0.15}
"""How much rarer than pips these are among dice of which nobody said anything."""

_GLASSES, _DIGITS, _HINT = 4.0, 6.0, 1e-4
"""How much more often than in training tea time dice show a glass or a digit, chosen on 80 traced trays
(seeds from 1,300,000); and the least that is believed of any symbol."""

_UNEXPECTED = 0.05
"""What a die of a kind that nobody waits for is worth beside one that is waited for."""

Faces = Mapping[str, float]
Table = NDArray[np.float64]
"""One axis for each kind: so many dice of it have been named."""


@dataclass(frozen=True, slots=True)
class Meaning:
    """What one die may be: for each kind its weight (any scale), and its faces' probabilities."""

    weights: Mapping[str, float]
    faces: Mapping[str, Faces]

    @property
    def likeliest(self) -> str:
        """The kind with the largest weight."""
        return max(self.weights, key=self.weights.__getitem__)


@dataclass(frozen=True, slots=True)
class Name:
    """What a die is: ``confidence`` 0..1 that kind and face are right; other faces, likely first."""

    kind: str
    face: str
    confidence: float
    alternatives: tuple[str, ...]


def meaning(symbols: Floats, colours: Floats, white: float, tea: Floats | None = None) -> Meaning:
    """Turn the network's probabilities of one place (see vision.faceheads) into kinds and faces.

    ``tea``: faces of a tea time die as `tea_faces` has judged them among the others.
    """
    chance = dict(zip(SYMBOLS, (float(s) for s in symbols), strict=True))
    pips = {str(n): chance[f"pips{n}"] for n in range(1, 7)}
    digits = {str(n): chance[f"digit{n}"] for n in range(1, 7)}
    of_tea = {face: pips.get(face, 0.0) + digits.get(face, 0.0) for face in KINDS[TEATIME]}
    of_tea["glass"] = chance["glass"]
    painted = {c: chance["fingerprint"] * float(p) for c, p in zip(COLOURS, colours, strict=True)}
    printed = {face: pips[face] + digits[face] for face in pips}
    of = {WHITE: printed, COLOURED: printed, FINGERPRINT: painted, TEATIME: of_tea}
    share = {WHITE: white, COLOURED: 1 - white}
    weights = {kind: share.get(kind, 1.0) * sum(faces.values()) + 1e-9 for kind, faces in of.items()}
    faces_of = {kind: _shares(faces) for kind, faces in of.items()}
    if tea is not None:
        faces_of[TEATIME] = dict(zip(KINDS[TEATIME], (float(t) for t in tea), strict=True))
    return Meaning(weights, faces_of)


def tea_faces(symbols: Floats) -> Floats:
    """Return (n, 6) probabilities of a tea time die's faces, for n dice of one set (n, 15 symbols).

    A set has pips or digits, never both, so each die tells of the others' symbols. Digits and glasses
    were rarer in training than they are among such dice, and are weighed up for it.
    """
    said = symbols.astype(np.float64) + _HINT
    glass = said[:, SYMBOLS.index("glass"), None] * _GLASSES
    styles = [
        np.hstack((said[:, [SYMBOLS.index(f"{style}{n}") for n in range(1, 6)]] * often, glass))
        for style, often in (("pips", 1.0), ("digit", _DIGITS))
    ]
    sums = np.array([np.log(style.sum(axis=1)).sum() for style in styles])
    shares = np.exp(sums - sums.max())
    shares /= shares.sum()
    told = sum(
        w * style / style.sum(axis=1, keepdims=True) for w, style in zip(shares, styles, strict=True)
    )
    return np.asarray(told, np.float32)


def likelihood(symbols: Floats, kinds: Sequence[str] | None) -> Floats:
    """Return (n,): how many times likelier the symbols (n, 15) seen at each place make a die.

    ``kinds``: those that are waited for, None if nobody said. Never above 1.
    """
    if kinds is not None and any(kind not in _SYMBOLS_OF for kind in kinds):
        return np.ones(len(symbols), np.float32)  # a kind that was taught may look like anything
    awaited = {symbol for kind in kinds or () for symbol in _SYMBOLS_OF[kind]}
    worth = [_worth(symbol.rstrip("123456"), awaited if kinds else None) for symbol in SYMBOLS[1:]]
    shares = symbols[:, 1:] / np.maximum(symbols[:, 1:].sum(axis=1, keepdims=True), 1e-9)
    return np.asarray(shares @ np.array(worth, np.float32), np.float32)


def _worth(symbol: str, awaited: set[str] | None) -> float:
    if awaited is None:
        return _RARE.get(symbol, 1.0)
    return 1.0 if symbol in awaited else _UNEXPECTED


def name_all(
    meanings: Sequence[Meaning], expected: Sequence[tuple[str, int]] | None, legal: Sequence[str]
) -> list[Name]:
    """Name every die.

    ``expected``: (kind, how many), together as many as there are dice; None or another number if
    that is not known. ``legal``: faces these dice have; others cost confidence and are not given.
    """
    kinds = [kind for kind, count in expected or () if count]
    if len(kinds) == 1:
        chosen = [(kinds[0], 1.0)] * len(meanings)
    elif expected and sum(count for _, count in expected) == len(meanings):
        chosen = _together(meanings, dict(expected))
    else:
        chosen = [_alone(m, kinds) for m in meanings]
    return [
        _named(m, kind, right, legal if expected else ())
        for m, (kind, right) in zip(meanings, chosen, strict=True)
    ]


def _alone(one: Meaning, kinds: Sequence[str]) -> tuple[str, float]:
    """Choose a kind for one die by itself; a pip die is a tea time die only if that is expected."""
    tea_only = one.faces.get(TEATIME, {}).get("glass", 0.0)
    usual = {k: w * (tea_only if k == TEATIME and not kinds else 1.0) for k, w in one.weights.items()}
    weights = {kind: usual.get(kind, 0.0) for kind in kinds or usual}
    kind = max(weights, key=weights.__getitem__)
    return kind, weights[kind] / max(sum(weights.values()), 1e-12)


def _together(meanings: Sequence[Meaning], counts: Mapping[str, int]) -> list[tuple[str, float]]:
    """Choose kinds so that the counts are met; the probability sums over all ways to meet them."""
    kinds = [kind for kind, count in counts.items() if count]
    shape = tuple(counts[kind] + 1 for kind in kinds)
    weights = [[m.weights.get(kind, 1e-9) for kind in kinds] for m in meanings]
    weights = [[w / sum(row) for w in row] for row in weights]
    ahead = [np.zeros(shape) for _ in range(len(meanings) + 1)]
    ahead[0][(0,) * len(kinds)] = 1.0
    for n, row in enumerate(weights):
        for k, weight in enumerate(row):
            ahead[n + 1] += weight * _one_more(ahead[n], k)
    behind = [np.zeros(shape) for _ in range(len(meanings) + 1)]
    behind[-1][tuple(size - 1 for size in shape)] = 1.0
    for n in reversed(range(len(meanings))):
        for k, weight in enumerate(weights[n]):
            behind[n] += weight * _one_less(behind[n + 1], k)
    total = max(float(behind[0][(0,) * len(kinds)]), 1e-300)
    likely = np.array(
        [
            [w * float((_one_more(ahead[n], k) * behind[n + 1]).sum()) / total for k, w in enumerate(row)]
            for n, row in enumerate(weights)
        ]
    )
    return _met(likely, kinds, [counts[kind] for kind in kinds])


def _met(likely: Table, kinds: Sequence[str], counts: Sequence[int]) -> list[tuple[str, float]]:
    """Give the surest dice their kinds first, so that the counts are met by what is said, too."""
    left = list(counts)
    given: dict[int, tuple[str, float]] = {}
    order = sorted(product(range(len(likely)), range(len(kinds))), key=lambda nk: -likely[nk])
    for n, k in order:
        if n not in given and left[k]:
            left[k] -= 1
            given[n] = kinds[k], float(likely[n, k])
    return [given[n] for n in range(len(likely))]


def _one_more(counts: Table, axis: int) -> Table:
    moved = np.roll(counts, 1, axis)
    moved[(slice(None),) * axis + (0,)] = 0
    return moved


def _one_less(counts: Table, axis: int) -> Table:
    moved = np.roll(counts, -1, axis)
    moved[(slice(None),) * axis + (-1,)] = 0
    return moved


def _named(one: Meaning, kind: str, right: float, legal: Sequence[str]) -> Name:
    faces = one.faces.get(kind)
    if faces is None:  # a kind that nobody taught: its faces can only be numbers
        faces = one.faces[WHITE]
        right *= min(1.0, one.weights[WHITE] + one.weights[COLOURED])
    allowed = {face: p for face, p in faces.items() if not legal or face in legal} or dict(faces)
    ranked = sorted(allowed, key=lambda face: -allowed[face])
    others = tuple(face for face in ranked[1:4] if allowed[face] > 0.002) or tuple(ranked[1:3])
    return Name(kind, ranked[0], right * allowed[ranked[0]], others)


def _shares(faces: Faces) -> Faces:
    total = sum(faces.values())
    return {face: (p + 1e-9) / (total + 1e-9 * len(faces)) for face, p in faces.items()}
