"""A roll as a whole: sure, or why not."""

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.events import DiceExpected, DieFace
from vision.dice import BLURRED, Die
from vision.judgement import SURE, RollStatus, claims, judge

SQUARE = np.array([(10, 20), (30, 20), (30, 40), (10, 40)], np.float32)
EXPECTED = DiceExpected((("white", 2), ("coloured", 1)))


def die(face: str, kind: str = "white", confidence: float = 0.99, others: tuple[str, ...] = ()) -> Die:
    return Die(SQUARE, kind, face, confidence, others)


ROLL = (die("1"), die("6"), die("3", "coloured"))


def test_clear_dice_in_the_right_number_are_sure() -> None:
    judged = judge(ROLL, EXPECTED)
    assert (judged.status, judged.reason, judged.confidence) == (RollStatus.SURE, "", 0.9703)
    assert judge(ROLL[:1], None).status is RollStatus.SURE


def test_no_dice_are_none_whatever_is_expected() -> None:
    assert judge((), EXPECTED).status is RollStatus.NONE
    assert judge((), None).status is RollStatus.NONE


def test_a_wrong_count_says_both_numbers() -> None:
    judged = judge(ROLL[:2], EXPECTED)
    assert judged.status is RollStatus.WRONG_COUNT
    assert "2 dice are seen" in judged.reason
    assert "3 should" in judged.reason


def test_a_wrong_count_of_one_is_a_die() -> None:
    assert judge(ROLL[:1], EXPECTED).reason == "1 die is seen, 3 should lie here."


def test_a_wrong_count_names_a_die_that_may_be_why() -> None:
    soft = replace(ROLL[1], state=BLURRED)
    judged = judge((ROLL[0], soft), EXPECTED)
    assert judged.status is RollStatus.WRONG_COUNT
    assert judged.reason.startswith(
        "2 dice are seen, 3 should lie here. The white die read as 6 is out of focus"
    )
    assert "The white" not in judge(ROLL[:2], EXPECTED).reason


def test_only_the_thrown_dice_may_lie_there() -> None:
    held = DiceExpected(EXPECTED.kinds, held=(DieFace("white", "4"),))
    thrown = (die("6"), die("3", "coloured"))
    assert judge(thrown, held).status is RollStatus.SURE
    whole = DiceExpected(EXPECTED.kinds, held=held.held, partial=False)
    assert judge(thrown, whole).status is RollStatus.WRONG_COUNT


def test_the_weakest_die_makes_a_doubt_and_names_its_alternative() -> None:
    judged = judge((*ROLL[:2], die("3", "coloured", SURE - 0.01, ("5",))), EXPECTED)
    assert judged.status is RollStatus.DOUBTFUL
    assert judged.reason == "The coloured die read as 3 could be a 5."
    assert judged.confidence == pytest.approx(0.99 * 0.99 * (SURE - 0.01), abs=1e-4)


def test_wrong_kinds_and_impossible_faces_are_doubtful() -> None:
    assert judge((die("1"), die("2"), die("3")), EXPECTED).status is RollStatus.DOUBTFUL
    low = DiceExpected(EXPECTED.kinds, faces=("1", "2", "3"))
    judged = judge(ROLL, low)
    assert judged.status is RollStatus.DOUBTFUL
    assert "6 is not on these dice" in judged.reason


def test_claims_are_fractions_of_the_picture() -> None:
    (claim,) = claims((die("4", others=("5", "6")),), (80, 100, 3))
    assert claim.outline == ((0.1, 0.25), (0.3, 0.25), (0.3, 0.5), (0.1, 0.5))
    assert (claim.kind, claim.face, claim.alternatives) == ("white", "4", ("5", "6"))
    outside = Die(SQUARE - 25, "white", "4")
    assert all(0 <= v <= 1 for x in claims((outside,), (80, 100)) for at in x.outline for v in at)
