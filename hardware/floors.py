"""On which floor a cube lies: eight probabilities in closed form, and what is learned from reveals. Pure.

A cube comes to rest on floor F after it passed the plates 7 down to F. Beams are independent given F,
so their order of arrival plays no part; all is added up as logarithms.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt

from hardware.profile import ENTRY_PLATE, FLOORS, TowerProfile

Logs = npt.NDArray[np.float64]
"""Logarithms of what belongs to floors 0 to 7, shape (8,), up to a common addend."""

Chances = tuple[float, ...]
"""Probabilities of floors 0 to 7, which add up to 1."""

LEAST: Final = 1e-9
"""No chance of a miss or a false break is less than this or more than one minus this."""


def prior(profile: TowerProfile) -> Logs:
    """How likely each floor is before anything is seen or heard.

    >>> [round(float(p), 2) for p in np.exp(prior(TowerProfile()))]
    [0.21, 0.05, 0.07, 0.08, 0.1, 0.13, 0.16, 0.2]
    """
    logs = np.zeros(FLOORS)
    for floor in range(1, FLOORS):
        stayed, went_on = profile.stays[floor - 1]
        logs[floor] += np.log(stayed / (stayed + went_on))
        logs[:floor] += np.log(went_on / (stayed + went_on))
    return logs


def beams(
    broken: Mapping[int, bool], profile: TowerProfile, miss: Mapping[int, float] | None = None
) -> Logs:
    """What the beams say: ``broken`` has plates 0 to 6 whose beams can be believed, and whether they broke.

    ``miss``: other chances of a miss than the profile's, for a pair of which one beam is out of use.
    """
    logs = np.zeros(FLOORS)
    for plate, seen in broken.items():
        if plate == ENTRY_PLATE:
            continue
        m = float(np.clip((miss or {}).get(plate, profile.miss(plate)), LEAST, 1 - LEAST))
        false = float(np.clip(profile.false[plate], LEAST, 1 - LEAST))
        logs[: plate + 1] += np.log(1 - m if seen else m)
        logs[plate + 1 :] += np.log(false if seen else 1 - false)
    return logs


def chances(*evidence: Logs) -> Chances:
    """Multiply what is known up to eight probabilities."""
    logs = np.sum(evidence, axis=0)
    weights = np.exp(logs - logs.max())
    return tuple(float(p) for p in weights / weights.sum())


def learn(
    profile: TowerProfile, reveals: Iterable[int] = (), passages: Iterable[Iterable[int]] = ()
) -> TowerProfile:
    """Learn from what was revealed and from what the beams prove about each other.

    ``reveals``: the floor 0 to 7 of each cube that was found lying. ``passages``: for each cube that
    fell, the plates whose beams broke; a lower one proves that the cube passed all above it, of which
    those that are watched should have broken. Raises ValueError for a floor that is none.
    """
    stays = [list(pair) for pair in profile.stays]
    for floor in reveals:
        if not 0 <= floor < FLOORS:
            raise ValueError(f"There is no floor {floor}: floors are 0 to {FLOORS - 1}.")
        for other in range(max(floor, 1), FLOORS):
            stays[other - 1][other != floor] += 1.0
    missed = [list(pair) for pair in profile.missed]
    for plates in passages:
        seen = set(plates)
        for plate in profile.plates:
            if any(lower < plate for lower in seen):
                missed[plate][plate in seen] += 1.0
    return replace(profile, stays=tuple((a, b) for a, b in stays), missed=tuple((a, b) for a, b in missed))


def told(floors: Chances) -> str:
    """Say the likeliest floors in words.

    >>> told((0.0, 0.0, 0.0, 0.02, 0.21, 0.71, 0.06, 0.0))
    'floor 5 (71 %), 4 (21 %)'
    """
    ranked = sorted(range(len(floors)), key=lambda floor: -floors[floor])
    shown = [floor for n, floor in enumerate(ranked[:2]) if n == 0 or floors[floor] >= 0.1]
    return "floor " + ", ".join(f"{floor} ({floors[floor]:.0%})" for floor in shown).replace("%", " %")
