"""What a known number of dice changes: which are taken, how sure they are, what is still doubted."""

import numpy as np
import pytest

from companion.rules.events import DiceExpected
from drawn import draw, photographed, rolled, table
from vision.choice import Candidate, candidates
from vision.dice import dice_of, likely, prepared
from vision.doubt import overlooked
from vision.faces import Face
from vision.judgement import SURE, RollStatus, judge
from vision.odds import probability_given_count, too_many
from vision.pips import Pips, find_pips


def looked_at(picture: np.ndarray) -> tuple[Pips, list[Candidate]]:
    image, lab = prepared(picture, 1.0)
    marks = find_pips(image, lab)
    return marks, candidates(likely(marks), lab)


@pytest.fixture(scope="module")
def row() -> tuple[Pips, list[Face]]:
    """Four clear dice, their faces left to right."""
    marks, found = looked_at(rolled("3625"))
    faces = sorted((c.face for c in found[:4]), key=lambda f: float(f.centre[0]))
    assert [f.value for f in faces] == list("3625")
    return marks, faces


def weighed(faces: list[Face], *odds: float) -> list[Candidate]:
    return [Candidate(face, p) for face, p in zip(faces, odds, strict=True)]


def white(count: int) -> DiceExpected:
    return DiceExpected((("white", count),), partial=False)


def test_a_likely_die_gains_by_the_right_count_and_loses_by_an_equal_rival() -> None:
    assert probability_given_count(0.7, 0.0) > 0.85
    assert probability_given_count(0.7, 0.7) == pytest.approx(0.7 * 3 / 2.4 / 2)
    assert probability_given_count(0.95, 0.4) > SURE
    assert probability_given_count(1.0, 1.0) == pytest.approx(1.0)
    assert probability_given_count(0.0, 0.0) == 0.0


@pytest.mark.parametrize("rival", [0.0, 0.1, 0.5, 0.9])
def test_more_own_odds_are_never_less_sure(rival: float) -> None:
    sure = [probability_given_count(p, rival) for p in np.linspace(0, 1, 51)]
    assert sure == sorted(sure)
    assert sure[-1] <= 1 + 1e-9


def test_the_known_count_makes_a_roll_sure_that_is_else_doubtful(row: tuple[Pips, list[Face]]) -> None:
    marks, faces = row
    found = weighed(faces, 0.99, 0.99, 0.98, 0.7)
    assert judge(dice_of(found, marks, None), None).status is RollStatus.DOUBTFUL
    assert judge(dice_of(found, marks, white(4)), white(4)).status is RollStatus.SURE


def test_a_rival_as_likely_as_the_last_die_keeps_the_doubt(row: tuple[Pips, list[Face]]) -> None:
    marks, faces = row
    found = weighed(faces, 0.99, 0.99, 0.75, 0.73)
    judged = judge(dice_of(found, marks, white(3)), white(3))
    assert judged.status is RollStatus.DOUBTFUL
    assert judged.confidence < 0.5


def test_a_die_too_many_is_doubted_though_the_count_seems_right(row: tuple[Pips, list[Face]]) -> None:
    marks, faces = row
    found = weighed(faces, 0.99, 0.99, 0.99, 0.85)
    assert judge(dice_of(found, marks, white(3)), white(3)).status is RollStatus.DOUBTFUL
    unseen = weighed(faces[:3], 0.99, 0.99, 0.99)  # the pips of the fourth are there, its face is not
    assert judge(dice_of(unseen, marks, white(3)), white(3)).status is RollStatus.DOUBTFUL


def test_signs_of_a_die_too_many_add_up() -> None:
    assert too_many(0.0, 0.0) == 0.0
    assert too_many(0.5, 0.0) == pytest.approx(0.1)
    assert too_many(0.9, 0.0) > too_many(0.0, 0.9) > 0.2
    assert too_many(0.9, 0.9) > too_many(0.9, 0.0)
    assert too_many(1.0, 1.0) == pytest.approx(1.0)


def test_too_few_dice_are_shown_with_the_less_likely_ones(row: tuple[Pips, list[Face]]) -> None:
    marks, faces = row
    found = weighed(faces, 0.45, 0.4, 0.3, 0.01)
    dice = dice_of(found, marks, white(7))
    assert len(dice) == 3
    assert judge(dice, white(7)).status is RollStatus.WRONG_COUNT
    assert dice_of(found, marks, None) == []


def pip_and_four(side_y: float) -> tuple[Pips, list[Face]]:
    """A four, and on the same long body a lone pip above or below it."""
    image = table()
    draw(image, "1", (300, 220 + side_y), side=64)
    draw(image, "4", (300, 220), side=64)
    marks, found = looked_at(photographed(image))
    return marks, [c.face for c in found if c.face.value == "4"][:1]


def test_a_face_below_an_unread_pip_may_be_a_front() -> None:
    marks, front = pip_and_four(-64)
    assert overlooked(marks, front, complete=True) > 0.5
    marks, top = pip_and_four(64)
    assert overlooked(marks, top, complete=True) < 0.1
