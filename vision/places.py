"""Where in a picture upper faces of dice may lie: found, looked at, and weighed with what is waited for."""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from companion.rules.events import DiceExpected
from vision.dim import brightened
from vision.faceheads import SYMBOLS
from vision.finder import Found, find
from vision.frames import Floats, Frame, floats
from vision.leaning import leaning, squeeze
from vision.looks import Looks, look, mean_sides
from vision.naming import likelihood
from vision.odds import chances, features
from vision.onelamp import UNSEEN, ground_light
from vision.taught import Taught

SEEN = 0.5
"""Least chance of a place to be thought a die."""

_PRINT = SYMBOLS.index("fingerprint")
_MAYBE_PRINTED = 0.03
"""If no die is a print by so much, nobody asks for the light of the surface: to measure it takes time."""

_ALIKE = 0.95
"""Cosine from which on a place begins to look like a die that was shown: much on a table reaches 0.9."""

_RIM, _NO_SQUARE = 0.04, 0.2
"""A face of which a whole edge lies nearer to the border than so many sides ends there, if what is seen
of it is no square: a die at the tray's wall is whole, and of one whose outline ends there may be more."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where upper faces may lie, likely first: ``chances`` (n,) 0..1 that one does, and what was seen.

    ``heat`` (n,) 0..1: what the finder alone says; ``inside`` (n,) 0..1: how much of each outline
    lies in the picture; ``features`` (n, k): what the chances were reckoned from, see vision.odds;
    ``ground`` (3,): log light of the surface round them, where prints are among them, see vision.onelamp;
    ``leans`` (n,): see vision.leaning.
    """

    chances: Floats
    heat: Floats
    looks: Looks
    inside: Floats
    features: Floats
    leans: NDArray[np.bool_]
    ground: Floats = field(default_factory=lambda: floats(UNSEEN))

    def ranked(self, likely: Floats) -> Self:
        """Return the places with these chances, likely first."""
        order = np.argsort(-likely, kind="stable")
        return replace(
            self,
            chances=likely[order],
            heat=self.heat[order],
            looks=self.looks.take(order),
            inside=self.inside[order],
            features=self.features[order],
            leans=self.leans[order],
        )


def survey(frame: Frame) -> Places:
    """Look at a picture without asking how many dice should lie there."""
    frame = replace(frame, image=brightened(frame.image))
    found = find(frame.image)
    seen = look(frame.image, found.centres, found.sides)
    found, seen = _apart(found, seen)
    inside = _inside(seen.corners, frame.image.shape)
    told = features(found, seen)
    likely = chances(told)
    real = likely > SEEN
    prints = (seen.symbols[real, _PRINT] > _MAYBE_PRINTED).any()
    ground = floats(ground_light(frame.image, list(seen.corners[real])) if prints else UNSEEN)
    leans = leaning(frame, seen, real)
    return Places(likely, found.heat, seen, inside, told, leans, ground).ranked(likely)


def weighed(places: Places, expected: DiceExpected | None, taught: Taught) -> Places:
    """Weigh the chances with the kinds that are waited for, and with what a player has shown."""
    kinds = [kind for kind, count in expected.kinds if count] if expected else None
    odds = places.chances / np.maximum(1 - places.chances, 1e-6)
    odds = odds * likelihood(places.looks.symbols, kinds)
    near = np.clip((taught.nearness(places.looks.embeddings) - _ALIKE) / (1 - _ALIKE), 0, 1)
    return places.ranked(np.maximum(odds / (1 + odds), places.heat * near))


def _apart(found: Found, seen: Looks) -> tuple[Found, Looks]:
    """Of places that turned out to be the same face keep the one that looks most like one."""
    middles, sides = seen.corners.mean(axis=1), seen.sides
    worth = found.heat * (1 - seen.symbols[:, 0])
    away = np.linalg.norm(middles[:, None] - middles[None], axis=2)
    same = away <= 0.5 * np.maximum(np.minimum(sides[:, None], sides[None]), 1.0)
    kept: list[int] = []
    for n in np.argsort(-worth):
        if not same[n, kept].any():
            kept.append(int(n))
    order = np.array(sorted(kept), np.intp)
    return Found(found.centres[order], found.sides[order], found.heat[order]), seen.take(order)


def _inside(corners: Floats, shape: tuple[int, ...]) -> Floats:
    """Return (n,) 0..1: how much of each outline lies within the picture, 0 if it ends at its border."""
    if not len(corners):
        return np.zeros(0, np.float32)
    steps = np.linspace(0.05, 0.95, 7, dtype=np.float32)
    across, down = (a.ravel()[None, :, None] for a in np.meshgrid(steps, steps))
    first, second, third, fourth = (corners[:, k][:, None] for k in range(4))
    points = (1 - down) * ((1 - across) * first + across * second) + down * (
        (1 - across) * fourth + across * third
    )
    within = (points >= 0).all(axis=2) & (points < (shape[1], shape[0])).all(axis=2)
    room = np.concatenate((corners, floats((shape[1], shape[0])) - corners), axis=2)  # to each border
    along = ((room < _RIM * mean_sides(corners)[:, None, None]).sum(axis=1) >= 2).any(axis=1)
    ends = along & (np.abs(squeeze(corners)) > _NO_SQUARE)
    return np.asarray(np.where(ends, 0, within.mean(axis=1)), np.float32)
