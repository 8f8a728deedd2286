"""From readings to a throw: do they agree, and has anything been thrown at all? Pure."""

import itertools
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from companion.rules.events import DiceExpected, DieFace
from vision.dice import Die
from vision.judgement import Judgement, RollStatus

NEAR_SIDES = 0.6
"""A die whose centre has moved by less than this many sides lies where it lay: it was pushed."""

_PATTERN_DICE = 4


@dataclass(frozen=True, slots=True)
class ReadingTimes:
    """How long readings must agree, in seconds of the pictures.

    ``early_s``: after so long without movement a first reading is made, before the dice count as
    lying still: it only ever confirms a later one.
    ``agree_s``: at least two sure readings, this far apart, make a roll.
    ``reread_s``: pictures that come sooner after a reading are left out, to spare a Pi's processor.
    ``doubt_s``: after so long without that, what was read most often goes out as a doubt.
    ``short_s``: the same while dice are missing: they may be in a hand or under the cup.
    """

    early_s: float = 0.09
    agree_s: float = 0.12
    reread_s: float = 0.1
    doubt_s: float = 1.2
    short_s: float = 2.5


@dataclass(frozen=True, slots=True)
class Reading:
    """What one picture said. ``at`` in seconds."""

    at: float
    dice: tuple[Die, ...]
    judgement: Judgement

    @property
    def faces(self) -> tuple[DieFace, ...]:
        """The dice without their places, in a fixed order."""
        return tuple(sorted(DieFace(die.kind, die.face) for die in self.dice))


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the readings of one stillness come to."""

    reading: Reading
    sure: bool
    confidence: float
    reason: str = ""


@dataclass(slots=True)
class Agreement:
    """Collects the readings of one stillness until they agree or patience is over."""

    expected: DiceExpected
    times: ReadingTimes = field(default_factory=ReadingTimes)
    _readings: list[Reading] = field(default_factory=list)
    _last: float = float("-inf")

    def note(self, reading: Reading) -> None:
        """Take a reading in that came too early for a verdict."""
        self._last = reading.at
        if reading.judgement.status in _NOT_NOW:
            self._readings.clear()
        else:
            self._readings.append(reading)

    def add(self, reading: Reading) -> Verdict | None:
        """Take a reading in; return the verdict once there is one."""
        self.note(reading)
        if not self._readings:
            return None
        agreeing = self._agreeing()
        if len(agreeing) > 1 and agreeing[-1].at - agreeing[0].at >= self.times.agree_s:
            confidence = min(r.judgement.confidence for r in agreeing)
            return Verdict(agreeing[-1], sure=True, confidence=confidence)
        waited_s = reading.at - self._readings[0].at
        return self._doubt() if waited_s >= self._patience(reading) else None

    def due(self, at: float) -> bool:
        """Whether a picture of this moment is worth reading."""
        return at - self._last >= self.times.reread_s

    def _agreeing(self) -> list[Reading]:
        """Return the last readings, as far back as all are sure and the same."""
        tail: list[Reading] = []
        for reading in reversed(self._readings):
            if reading.judgement.status is not RollStatus.SURE or (tail and reading.faces != tail[0].faces):
                break
            tail.insert(0, reading)
        return tail

    def _patience(self, reading: Reading) -> float:
        return self.times.short_s if self._missing(reading) else self.times.doubt_s

    def _missing(self, reading: Reading) -> bool:
        return len(reading.dice) < sum(n for _, n in self.expected.thrown)

    def _doubt(self) -> Verdict:
        counts = Counter(reading.faces for reading in self._readings)
        faces, most = counts.most_common(1)[0]
        chosen = [reading for reading in self._readings if reading.faces == faces][-1]
        reason = chosen.judgement.reason
        if self._missing(chosen):
            reason = f"{reason} Is one under the cup, or on the floor?".strip()
        if len(counts) > 1:
            reason = f"{reason} The readings differ: {most} of {len(self._readings)} say this.".strip()
        confidence = chosen.judgement.confidence * most / len(self._readings)
        return Verdict(chosen, sure=False, confidence=confidence, reason=reason)


_NOT_NOW = frozenset({RollStatus.COVERED, RollStatus.MOVING})


@dataclass(frozen=True, slots=True)
class Lie:
    """The dice as they last lay, and whether they were surely read."""

    dice: tuple[Die, ...] = ()
    sure: bool = False


def decide(before: Lie, verdict: Verdict, expected: DiceExpected) -> Verdict | None:
    """Tell a throw from dice that only were pushed, picked up or uncovered; None if nothing was thrown.

    A throw can come out with a doubt added: kept dice that changed, or too few dice that moved.
    """
    now = verdict.reading.dice
    landed = len(now) - unmoved(before.dice, now)
    if landed == 0 or same_pattern(before.dice, now):
        return None
    thrown = sum(n for _, n in expected.thrown)
    if landed < thrown and verdict.reading.faces == _faces(before.dice):
        return None
    doubts = [changed_kept(expected, now)]
    if before.sure and verdict.sure and landed < thrown / 2:
        doubts.append(f"Only {landed} of {thrown} dice have moved: a throw, or a die pushed over?")
    reasons = [reason for reason in (verdict.reason, *doubts) if reason]
    return Verdict(verdict.reading, verdict.sure and not any(doubts), verdict.confidence, " ".join(reasons))


def unmoved(before: Sequence[Die], now: Sequence[Die]) -> int:
    """Count the dice that still show what they showed where they lay, one for one."""
    left = dict(enumerate(before))
    for die in now:
        alike = {
            n: _apart(old, die) for n, old in left.items() if (old.kind, old.face) == (die.kind, die.face)
        }
        nearest = min(alike, key=alike.__getitem__, default=None)
        if nearest is not None and alike[nearest] < NEAR_SIDES:
            del left[nearest]
    return len(before) - len(left)


def same_pattern(before: Sequence[Die], now: Sequence[Die]) -> bool:
    """Whether all dice lie as they lay, only that all of them were shifted and turned together.

    Then the camera or the tray was pushed: four thrown dice or more never land so.
    """
    if len(now) < _PATTERN_DICE or _faces(before) != _faces(now):
        return False
    was, is_ = (np.array([die.outline.mean(axis=0) for die in dice]) @ (1, 1j) for dice in (before, now))
    side_px = math.sqrt(max(_area(now[0]), 1.0))
    first, last = 0, int(np.abs(was - was[0]).argmax())
    if abs(was[last] - was[first]) < side_px:
        return False
    for a, b in itertools.permutations(range(len(now)), 2):
        if _showing(now[a]) != _showing(before[first]) or _showing(now[b]) != _showing(before[last]):
            continue
        turn = (is_[b] - is_[a]) / (was[last] - was[first])
        if abs(abs(turn) - 1) < 0.1 and _all_near(before, now, is_[a] + turn * (was - was[first]), side_px):
            return True
    return False


def changed_kept(expected: DiceExpected, now: Sequence[Die]) -> str:
    """Say which kept dice are not there any more, if all dice should lie in view; else nothing."""
    if len(now) != expected.count:
        return ""
    gone = Counter(expected.held) - Counter(DieFace(die.kind, die.face) for die in now)
    if not gone:
        return ""
    names = ", ".join(f"{die.kind} {die.face}" for die in sorted(gone.elements()))
    return f"Kept dice have changed: {names} should still lie there."


def _all_near(
    before: Sequence[Die], now: Sequence[Die], there: NDArray[np.complex128], side_px: float
) -> bool:
    """Whether each die of ``before``, carried to ``there``, meets one of ``now`` that shows the same."""
    is_ = np.array([die.outline.mean(axis=0) for die in now]) @ (1, 1j)
    left = set(range(len(now)))
    for die, place in zip(before, there, strict=True):
        near = [n for n in left if abs(is_[n] - place) < side_px / 3 and _showing(now[n]) == _showing(die)]
        if not near:
            return False
        left.remove(min(near, key=lambda n: abs(is_[n] - place)))
    return True


def _showing(die: Die) -> DieFace:
    return DieFace(die.kind, die.face)


def _faces(dice: Sequence[Die]) -> tuple[DieFace, ...]:
    return tuple(sorted(DieFace(die.kind, die.face) for die in dice))


def _apart(a: Die, b: Die) -> float:
    """Return the distance between two dice's centres, in sides of the first."""
    side_px = math.sqrt(max(_area(a), 1.0))
    return float(np.linalg.norm(a.outline.mean(axis=0) - b.outline.mean(axis=0))) / side_px


def _area(die: Die) -> float:
    x, y = die.outline[:, 0], die.outline[:, 1]
    return abs(float(np.dot(x, np.roll(y, 1)) - np.dot(y, np.roll(x, 1)))) / 2
