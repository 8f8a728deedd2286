"""Which cube broke which beam, when several fall at once. Pure.

Each break belongs to one of the cubes, or to none (a false one, or a cube that was knocked off). A cube
passes plates downwards; how long it takes from one to the next has a known spread. Assignments grow
break by break, and only the likeliest are followed.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from hardware.passages import Passage

GRAVITY: Final = 9.81
EARLY_S: Final = 0.003
"""A cube may seem to come so much before the time of an undisturbed fall."""

LATEST_S: Final = 1.2
"""What breaks later than this after an entry does not belong to it."""

CLEAN: Final = 0.6
CLEAN_S: Final = 0.012
BOUNCED_S: Final = 0.1
"""Part of the ways between two plates that meet nothing, and the mean delays of those and of the others."""

STRAY: Final = 0.01
"""How many breaks a second belong to no cube that entered."""

_FOLLOWED: Final = 60


@dataclass(frozen=True, slots=True)
class Entry:
    """A cube that came in ``at`` seconds, at ``speed`` m/s, through ``plate``."""

    at: float
    speed: float = 0.3
    plate: int = 7


@dataclass(frozen=True, slots=True)
class _Guess:
    score: float
    owners: tuple[int, ...]
    lowest: tuple[int, ...]
    last: tuple[float, ...]


def assign(
    entries: Sequence[Entry],
    passages: Sequence[Passage],
    miss: Callable[[int], float],
    watched: Sequence[int],
    pitch_mm: float = 31.25,
) -> list[dict[int, float]]:
    """For each entry the plates it passed, with the time in seconds at which each broke.

    ``passages`` in order of time, without those of the entries themselves; ``miss``: the chance that
    a plate in ``watched`` is passed unseen. The assignment of largest likelihood.
    """
    start = _Guess(0.0, (), tuple(e.plate for e in entries), tuple(e.at for e in entries))
    guesses = [start]
    for passage in passages:
        grown = [
            guess for old in guesses for guess in _grow(old, passage, entries, miss, watched, pitch_mm)
        ]
        grown.sort(key=lambda guess: -guess.score)
        guesses = grown[:_FOLLOWED]
    found: list[dict[int, float]] = [{} for _ in entries]
    for passage, owner in zip(passages, guesses[0].owners, strict=True):
        if owner >= 0:
            found[owner][passage.plate] = passage.at
    return found


def fall_s(speed: float, depth_mm: float) -> float:
    """Seconds to fall so deep from that downward speed in m/s.

    >>> round(fall_s(0.54, 31.25), 3)
    0.042
    """
    return (math.sqrt(speed**2 + 2 * GRAVITY * depth_mm / 1000) - speed) / GRAVITY


def _grow(
    old: _Guess,
    passage: Passage,
    entries: Sequence[Entry],
    miss: Callable[[int], float],
    watched: Sequence[int],
    pitch_mm: float,
) -> list[_Guess]:
    grown = [_Guess(old.score + math.log(STRAY), (*old.owners, -1), old.lowest, old.last)]
    for n, entry in enumerate(entries):
        above = old.lowest[n]
        if passage.plate >= above or not -EARLY_S <= passage.at - entry.at <= LATEST_S:
            continue
        speed = math.sqrt(entry.speed**2 + 2 * GRAVITY * (entry.plate - above) * pitch_mm / 1000)
        late_s = passage.at - old.last[n] - fall_s(speed, (above - passage.plate) * pitch_mm)
        if late_s < -EARLY_S:
            continue
        skipped = sum(math.log(miss(j)) for j in watched if passage.plate < j < above)
        score = old.score + _lateness(max(late_s, 0.0)) + skipped + math.log1p(-miss(passage.plate))
        lowest, last = list(old.lowest), list(old.last)
        lowest[n], last[n] = passage.plate, passage.at
        grown.append(_Guess(score, (*old.owners, n), tuple(lowest), tuple(last)))
    return grown


def _lateness(late_s: float) -> float:
    clean = CLEAN * math.exp(-late_s / CLEAN_S) / CLEAN_S
    return math.log(clean + (1 - CLEAN) * math.exp(-late_s / BOUNCED_S) / BOUNCED_S)
