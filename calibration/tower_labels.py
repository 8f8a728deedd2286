"""Cubes dropped one by one and looked for: what they teach of a tower, and how surely. Pure."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, replace
from statistics import median
from typing import Any, Final

from hardware import floors
from hardware.noticed import Noticed
from hardware.profile import ENTRY_PLATE, FALSE_RATE, FLOORS, TowerProfile

WANTED: Final = 40
"""So many cubes looked for make a good profile."""

MOST: Final = 400
_FALSE_WEIGHT: Final = 500.0
"""What is assumed of false breaks counts as much as so many windows watched."""


@dataclass(frozen=True, slots=True)
class Dropped:
    """One cube. ``noticed`` is None for one that nobody counted; ``floor`` None until somebody says it.

    ``entered``: a beam at the entry saw it, not only those below.
    """

    number: int
    noticed: Noticed | None
    floor: int | None = None
    entered: bool = True


@dataclass(frozen=True, slots=True)
class Labels:
    """What was dropped so far, on top of the profile ``base`` that the tower had before."""

    base: TowerProfile
    drops: tuple[Dropped, ...] = ()

    @property
    def waiting(self) -> tuple[Dropped, ...]:
        """Cubes that were counted and not looked for yet, the oldest first."""
        return tuple(one for one in self.drops if one.floor is None)

    @property
    def known(self) -> tuple[Dropped, ...]:
        """Cubes of which is known where they lay."""
        return tuple(one for one in self.drops if one.floor is not None)

    def fell(self, noticed: Noticed, *, entered: bool = True) -> "Labels":
        """Take in a cube that was counted. Raises ValueError when there are too many."""
        return self._with(noticed, None, entered=entered)

    def uncounted(self, floor: int) -> "Labels":
        """Take in a cube that fell, was found on ``floor`` and was never counted."""
        return self._with(None, _floor(floor), entered=False)

    def lay(self, number: int, floor: int) -> "Labels":
        """Say where cube ``number`` lay; again corrects it. Raises ValueError for a wrong number."""
        return replace(self, drops=self._changed(number, _floor(floor)))

    def forget(self, number: int) -> "Labels":
        """Leave cube ``number`` out: it was no cube, or nobody saw where it lay."""
        self._changed(number, 0)
        return replace(self, drops=tuple(one for one in self.drops if one.number != number))

    def fitted(self, date: str) -> TowerProfile:
        """The profile with all this in it, ``date`` as it is shown. Raises ValueError without cubes."""
        known = self.known
        if not known:
            raise ValueError("Nobody has said yet where a cube lay. Drop some, look, and say it.")
        profile = floors.learn(self.base, [one.floor for one in known if one.floor is not None])
        loud = [_loudest(one.noticed) for one in known if one.noticed and one.noticed.sounds]
        return replace(
            profile,
            missed=_missed(profile, known),
            false=_false(profile, known),
            loudness_db=median(loud) if loud else profile.loudness_db,
            date=date,
            evidence=self.evidence,
        )

    @property
    def evidence(self) -> str:
        """What the profile rests on, in words with counts."""
        known = self.known
        uncounted = sum(one.noticed is None for one in known)
        parts = [f"{len(known)} cubes dropped and looked for", f"{uncounted} of them not counted"]
        for plate in self.base.plates:
            gone, of = misses(known, plate)
            if of:
                parts.append(f"{_name(plate)} missed {gone} of {of}")
        return "; ".join(parts)

    def _with(self, noticed: Noticed | None, floor: int | None, *, entered: bool) -> "Labels":
        if len(self.drops) >= MOST:
            raise ValueError(f"{MOST} cubes are enough. Save what was learned, then begin anew.")
        number = max((one.number for one in self.drops), default=0) + 1
        return replace(self, drops=(*self.drops, Dropped(number, noticed, floor, entered)))

    def _changed(self, number: int, floor: int) -> tuple[Dropped, ...]:
        if not any(one.number == number for one in self.drops):
            raise ValueError(f"There is no cube number {number}.")
        return tuple(replace(one, floor=floor) if one.number == number else one for one in self.drops)


def misses(known: Iterable[Dropped], plate: int) -> tuple[int, int]:
    """Return how many cubes a plate's beams missed, of how many that must have passed it."""
    gone = of = 0
    for one in known:
        if one.floor is None or one.floor > plate or (one.noticed is None and plate != ENTRY_PLATE):
            continue  # what beams below did while nothing was counted is not known
        of += 1
        gone += not _saw(one, plate)
    return gone, of


def interval(gone: int, of: int) -> tuple[float, float]:
    """Return between which shares 0..1 the true one lies, nine times in ten (Wilson's interval)."""
    if of == 0:
        return 0.0, 1.0
    z, p = 1.645, gone / of
    middle = p + z * z / (2 * of)
    reach = z * math.sqrt(p * (1 - p) / of + z * z / (4 * of * of))
    whole = 1 + z * z / of
    return max(0.0, (middle - reach) / whole), min(1.0, (middle + reach) / whole)


def told(labels: Labels) -> dict[str, Any]:
    """Put it as data: which cubes wait to be looked for, where they lay, what is still unsure."""
    known = labels.known
    fell = Counter(one.floor for one in known)
    right = [one for one in known if one.noticed and one.noticed.floors]
    hits = sum(_likeliest(one.noticed) == one.floor for one in right)
    return {
        "waiting": [{"number": one.number, "sure": _confidence(one)} for one in labels.waiting],
        "done": len(known),
        "of": WANTED,
        "floors": [{"floor": floor, "cubes": fell[floor]} for floor in range(FLOORS - 1, -1, -1)],
        "beams": [_told_plate(known, plate) for plate in labels.base.plates],
        "right": hits,
        "judged": len(right),
        "text": _sentence(labels, hits, len(right)),
    }


def _sentence(labels: Labels, hits: int, judged: int) -> str:
    known = len(labels.known)
    if not known:
        return "Drop a cube, wait until it is counted, look where it lies, and say it. Then take it out."
    # the widest that half of an interval of nine in ten can be: a share of a half
    share = 1.645 * math.sqrt(0.25 / (known + 20))
    text = f"{known} of {WANTED} cubes. A floor's share of them is known to about {share:.0%} either way"
    more = WANTED - known
    text += f"; {more} more make it {1.645 * math.sqrt(0.25 / (WANTED + 20)):.0%}." if more > 0 else "."
    if judged:
        text += f" Before it learned from them the tower guessed the floor right {hits} times in {judged}."
    return text.replace("%", " %")


def _told_plate(known: Iterable[Dropped], plate: int) -> dict[str, Any]:
    gone, of = misses(known, plate)
    low, high = interval(gone, of)
    text = (
        f"missed {gone} of {of}: between {low:.0%} and {high:.0%} of all cubes".replace("%", " %")
        if of
        else "nothing has passed it yet"
    )
    return {"line": _name(plate), "missed": gone, "of": of, "text": text}


def _missed(profile: TowerProfile, known: tuple[Dropped, ...]) -> tuple[tuple[float, float], ...]:
    pairs = []
    for plate, (gone, seen) in enumerate(profile.missed):
        more, of = misses(known, plate) if plate in profile.plates else (0, 0)
        pairs.append((gone + more, seen + of - more))
    return tuple(pairs)


def _false(profile: TowerProfile, known: tuple[Dropped, ...]) -> tuple[float, ...]:
    shares = []
    for plate in range(FLOORS):
        above = [one for one in known if one.floor is not None and one.floor > plate and one.noticed]
        broke = sum(_saw(one, plate) for one in above)
        if plate in profile.plates and plate != ENTRY_PLATE:
            shares.append((FALSE_RATE * _FALSE_WEIGHT + broke) / (_FALSE_WEIGHT + len(above)))
        else:
            shares.append(profile.false[plate])
    return tuple(shares)


def _saw(one: Dropped, plate: int) -> bool:
    if plate == ENTRY_PLATE:
        return one.entered
    return one.noticed is not None and any(passed == plate for passed, _ in one.noticed.beams)


def _loudest(noticed: Noticed) -> float:
    return max(level for _, level in noticed.sounds)


def _likeliest(noticed: Noticed | None) -> int | None:
    if noticed is None or noticed.floors is None:
        return None
    return max(range(FLOORS), key=noticed.floors.__getitem__)


def _confidence(one: Dropped) -> float:
    return round(one.noticed.confidence, 2) if one.noticed else 0.0


def _floor(floor: int) -> int:
    if not 0 <= floor < FLOORS:
        raise ValueError(f"There is no floor {floor}: floors are 0 (the table) to {FLOORS - 1}.")
    return floor


def _name(plate: int) -> str:
    return "entry" if plate == ENTRY_PLATE else f"floor{plate}"
