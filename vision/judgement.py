"""What a roll is worth as a whole: sure, or why not. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from companion.rules.events import DiceExpected, DieClaim, DieFace
from vision.dice import Die

SURE = 0.8
"""Least confidence of every die for a sure roll. Chosen on three of the six sets of photographs;
what it costs on the other three is in tests/benchmarks/bench_dice.py."""


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
    weakest = min(dice, key=lambda die: die.confidence)
    if expected is not None:
        thrown = sum(n for _, n in expected.thrown)
        counts = {expected.count} | ({thrown} if expected.partial else set())
        if len(dice) not in counts:
            wanted = " or ".join(str(n) for n in sorted(counts))
            reason = f"{len(dice)} dice are seen, {wanted} should lie here."
            return Judgement(RollStatus.WRONG_COUNT, reason, weakest.confidence)
        mismatch = expected.mismatch(DieFace(die.kind, die.face) for die in dice)
        if mismatch:
            return Judgement(RollStatus.DOUBTFUL, f"{mismatch}.", min(weakest.confidence, 0.5))
    if weakest.confidence < SURE:
        return Judgement(RollStatus.DOUBTFUL, _doubt(weakest), weakest.confidence)
    return Judgement(RollStatus.SURE, "", weakest.confidence)


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


def _doubt(die: Die) -> str:
    if die.alternatives:
        return f"The {die.kind} die read as {die.face} could be a {die.alternatives[0]}."
    return f"The {die.kind} die read as {die.face} is not seen clearly."
