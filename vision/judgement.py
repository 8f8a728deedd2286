"""What a roll is worth as a whole: sure, or why not. Pure."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.events import DiceExpected, DieClaim, DieFace
from vision.dice import Die

SURE = 0.75
"""Least confidence of a roll to be sure where the number of dice is known: the product over its dice, and
that they are complete."""

SURE_ALONE = 0.85
"""The same where nobody said how many dice lie there, so that nothing tells of an overlooked one.

Both were chosen on photographs that were read by networks trained without their repository: of 178 none was
surely wrong. What they cost on other photographs is in vision/weights/README.md, measured by
tests/benchmarks/bench_dice.py."""

_LYING = {
    "cocked": "leans on something: lay it flat",
    "stacked": "lies on another die: lay it beside",
    "covered": "is partly covered",
    "cut": "lies half out of the picture",
    "off-tray": "lies off the tray",
    "blurred": "is out of focus: wipe the lens and focus it, or hold the phone still and further away",
}

_ONE_MORE = "Something else in the picture could be a die, too."


class RollStatus(StrEnum):
    """What can be said of the dice in view."""

    SURE = "sure"
    DOUBTFUL = "doubtful"
    WRONG_COUNT = "wrong-count"
    NONE = "none"
    COVERED = "covered"
    MOVING = "moving"


@dataclass(frozen=True, slots=True)
class Judgement:
    """The status, a sentence for the players if it is not sure, and a confidence 0..1."""

    status: RollStatus
    reason: str = ""
    confidence: float = 1.0


def judge(dice: Sequence[Die], expected: DiceExpected | None) -> Judgement:
    """Judge dice read from one picture in which nothing moves and nothing is covered.

    With ``expected`` None any number of dice can be sure.
    """
    if not dice:
        return Judgement(RollStatus.NONE, "No dice are seen.", 0.0)
    complete = min(die.complete for die in dice)
    together = round(math.prod(die.confidence for die in dice) * complete, 4)
    if expected is not None:
        thrown = sum(n for _, n in expected.thrown)
        counts = {expected.count} | ({thrown} if expected.partial else set())
        if len(dice) not in counts:
            return Judgement(RollStatus.WRONG_COUNT, _miscounted(dice, sorted(counts)), together)
        mismatch = expected.mismatch(DieFace(die.kind, die.face) for die in dice)
        if mismatch:
            return Judgement(RollStatus.DOUBTFUL, f"{mismatch}.", min(together, 0.5))
    lying = [die for die in dice if die.state in _LYING]
    if lying:
        return Judgement(RollStatus.DOUBTFUL, _doubt(lying[0]), min(together, 0.5))
    if together < (SURE_ALONE if expected is None else SURE):
        weakest = min(dice, key=lambda die: min(die.confidence, die.real))
        if complete < min(weakest.confidence, weakest.real):
            return Judgement(RollStatus.DOUBTFUL, _ONE_MORE, together)
        return Judgement(RollStatus.DOUBTFUL, _doubt(weakest), together)
    return Judgement(RollStatus.SURE, "", together)


def claims(dice: Sequence[Die], frame_shape: Sequence[int]) -> tuple[DieClaim, ...]:
    """Turn dice into claims, outlines as fractions of a picture of shape (height, width, ...)."""
    height, width = frame_shape[0], frame_shape[1]
    return tuple(
        DieClaim(
            kind=die.kind,
            face=die.face,
            confidence=die.confidence,
            outline=tuple(
                (min(max(float(x) / width, 0.0), 1.0), min(max(float(y) / height, 0.0), 1.0))
                for x, y in die.outline
            ),
            alternatives=die.alternatives,
        )
        for die in dice
    )


def _miscounted(dice: Sequence[Die], counts: Sequence[int]) -> str:
    """Say both numbers, and what is the matter with a die that may be why."""
    seen = "1 die is seen" if len(dice) == 1 else f"{len(dice)} dice are seen"
    reason = f"{seen}, {' or '.join(map(str, counts))} should lie here."
    lying = next((die for die in dice if die.state in _LYING), None)
    return f"{reason} {_doubt(lying)}" if lying else reason


def _doubt(die: Die) -> str:
    if die.state in _LYING:
        return f"The {die.kind} die read as {die.face} {_LYING[die.state]}."
    if die.real < die.confidence / max(die.real, 0.01):  # its face is surer than that it has one
        return f"What was read as {die.face} on a {die.kind} die could be no die."
    if die.alternatives:
        return f"The {die.kind} die read as {die.face} could be a {die.alternatives[0]}."
    return f"The {die.kind} die read as {die.face} is not seen clearly."
