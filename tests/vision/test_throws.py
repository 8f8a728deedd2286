"""From readings to a throw, or to none."""

import numpy as np
import pytest

from companion.rules.events import DiceExpected, DieFace
from vision.dice import Die
from vision.judgement import Judgement, RollStatus
from vision.throws import Agreement, Lie, Reading, Verdict, decide, same_pattern, unmoved

ALL = DiceExpected((("white", 3), ("coloured", 1)))
KEEPING = DiceExpected((("white", 3), ("coloured", 1)), held=(DieFace("white", "6"), DieFace("white", "5")))
SURE = Judgement(RollStatus.SURE, "", 0.95)
SHORT = Judgement(RollStatus.WRONG_COUNT, "3 dice are seen, 4 should lie here.", 0.9)
HAZY = Judgement(RollStatus.DOUBTFUL, "The white die read as 2 could be a 3.", 0.5)


def die(what, x, y=100.0, side=40.0):
    kind, face = what.split(":")
    corners = np.array(((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))) * side + (x, y)
    return Die(corners.astype(np.float32), kind, face, 0.995)


def dice(*faces, shift=0.0):
    """Dice in a row, 100 px apart; the last one is coloured."""
    return tuple(
        die(f"{'coloured' if n == 3 else 'white'}:{face}", 100.0 * n + shift)
        for n, face in enumerate(faces)
    )


LAY = dice("6", "5", "2", "1")


def reading(at, seen=LAY, judgement=SURE):
    return Reading(at, seen, judgement)


def verdicts(expected, *readings):
    agreement = Agreement(expected)
    return [agreement.add(r) for r in readings]


def test_sure_readings_must_agree_for_a_while():
    first, second, third = verdicts(ALL, reading(1.0), reading(1.07), reading(1.14))
    assert first is second is None
    assert (third.sure, third.confidence, third.reading.at) == (True, 0.95, 1.14)


@pytest.mark.parametrize("fps", [8, 30])
def test_how_long_does_not_depend_on_the_rate(fps):
    found = verdicts(ALL, *(reading(1 + n / fps) for n in range(fps)))
    when = next(n for n, verdict in enumerate(found) if verdict) / fps
    assert 0.12 <= when <= 0.12 + 1.01 / fps


def test_pictures_soon_after_a_reading_are_not_read():
    agreement = Agreement(ALL)
    assert agreement.due(1.0)
    agreement.add(reading(1.0))
    assert [agreement.due(at) for at in (1.03, 1.07, 1.1, 1.13)] == [False, False, True, True]


def test_one_reading_is_never_enough():
    assert verdicts(ALL, reading(1.0)) == [None]


def test_a_reading_that_differs_begins_the_agreement_anew():
    other = dice("6", "5", "3", "1")
    found = verdicts(ALL, reading(1.0), reading(1.1, other), reading(1.2), reading(1.28), reading(1.35))
    assert found[:4] == [None] * 4
    assert found[4].sure


def test_readings_that_never_agree_become_a_doubt_for_the_most_frequent():
    other = dice("6", "5", "3", "1")
    seen = [reading(1 + n * 0.1, LAY if n % 3 else other, HAZY) for n in range(14)]
    doubt = next(verdict for verdict in verdicts(ALL, *seen) if verdict)
    assert not doubt.sure
    assert doubt.reading.faces == reading(0).faces
    assert "could be a 3" in doubt.reason
    assert "differ" in doubt.reason
    assert doubt.confidence < 0.5


def test_a_doubt_that_clears_up_is_sure():
    found = verdicts(ALL, reading(1.0, LAY, HAZY), reading(1.5), reading(1.6), reading(1.7))
    assert found[-1].sure


def test_missing_dice_are_waited_for_longer():
    seen = [reading(1 + n * 0.1, LAY[:3], SHORT) for n in range(30)]
    found = verdicts(ALL, *seen)
    n = next(n for n, verdict in enumerate(found) if verdict)
    assert seen[n].at == pytest.approx(3.5, abs=0.11)
    assert found[n].reason == f"{SHORT.reason} Is one under the cup, or on the floor?"


@pytest.mark.parametrize("status", [RollStatus.COVERED, RollStatus.MOVING])
def test_nothing_is_ever_decided_under_a_hand(status):
    seen = [reading(1 + n * 0.1, LAY, Judgement(status, "", 0.0)) for n in range(100)]
    assert not any(verdicts(ALL, *seen))


def sure(seen):
    return Verdict(reading(9.0, seen), sure=True, confidence=0.95)


def test_the_first_dice_seen_are_a_throw():
    assert decide(Lie(), sure(LAY), ALL) == sure(LAY)


def test_dice_that_lie_as_they_lay_are_no_throw():
    assert decide(Lie(LAY, sure=True), sure(dice("6", "5", "2", "1", shift=3.0)), ALL) is None


def test_a_pushed_die_is_no_throw():
    pushed = (*LAY[:2], die("white:2", 260.0), LAY[3])
    assert decide(Lie(LAY, sure=True), sure(pushed), ALL) is None


def test_picked_up_dice_are_no_throw():
    assert decide(Lie(LAY, sure=True), sure(LAY[:2]), ALL) is None


def test_an_empty_tray_is_no_throw():
    assert decide(Lie(LAY, sure=True), sure(()), ALL) is None


def test_new_faces_in_new_places_are_a_throw():
    seen = dice("4", "4", "3", "6", shift=45.0)
    assert decide(Lie(LAY, sure=True), sure(seen), ALL) == sure(seen)


def test_the_same_faces_in_new_places_are_a_throw():
    seen = tuple(die(f"{d.kind}:{d.face}", 90.0 + 80 * n, 100.0 + 60 * (n % 2)) for n, d in enumerate(LAY))
    assert decide(Lie(LAY, sure=True), sure(seen), ALL) == sure(seen)


@pytest.mark.parametrize("degrees", [0, 7, 90])
def test_dice_shifted_and_turned_all_alike_are_a_push_of_the_camera_and_no_throw(degrees):
    turn = np.exp(1j * np.radians(degrees))
    places = [d.outline.mean(axis=0) @ (1, 1j) * turn + (60 + 25j) for d in LAY]
    seen = tuple(
        die(f"{d.kind}:{d.face}", z.real, z.imag) for d, z in zip(LAY[::-1], places[::-1], strict=True)
    )
    assert same_pattern(LAY, seen)
    assert decide(Lie(LAY, sure=True), sure(seen), ALL) is None
    one_moved = (*seen[:3], die("white:6", 300.0, 500.0))
    assert not same_pattern(LAY, one_moved)


def test_three_dice_may_land_in_the_same_pattern():
    assert not same_pattern(LAY[:3], LAY[:3])


def test_the_thrown_ones_of_a_throw_with_kept_dice_are_enough():
    seen = (*LAY[:2], die("white:4", 500.0), die("coloured:3", 600.0))
    assert decide(Lie(LAY, sure=True), sure(seen), KEEPING) == sure(seen)


def test_a_single_die_that_changed_where_all_should_have_is_asked_about():
    seen = (*LAY[:2], die("white:4", 500.0), LAY[3])
    doubt = decide(Lie(LAY, sure=True), sure(seen), ALL)
    assert not doubt.sure
    assert "Only 1 of 4 dice" in doubt.reason


def test_a_doubtful_roll_put_right_by_hand_is_believed():
    seen = (*LAY[:2], die("white:4", 203.0), LAY[3])
    assert decide(Lie(LAY, sure=False), sure(seen), ALL).sure


def test_kept_dice_that_changed_are_named():
    seen = (LAY[0], die("white:1", 100.0), die("white:4", 500.0), die("coloured:3", 600.0))
    doubt = decide(Lie(LAY, sure=True), sure(seen), KEEPING)
    assert not doubt.sure
    assert "white 5 should still lie there" in doubt.reason


def test_kept_dice_that_lie_elsewhere_are_fine():
    seen = tuple(die(f"{d.kind}:{d.face}", 700.0 + 60 * n) for n, d in enumerate(LAY[:2]))
    seen = (*seen, die("white:4", 500.0), die("coloured:3", 600.0))
    assert decide(Lie(LAY, sure=True), sure(seen), KEEPING).sure


def test_kept_dice_out_of_the_picture_are_fine():
    seen = (die("white:4", 500.0), die("coloured:3", 600.0))
    assert decide(Lie(LAY, sure=True), sure(seen), KEEPING).sure


def test_unmoved_counts_one_for_one():
    twice = (die("white:6", 0.0), die("white:6", 10.0))
    assert unmoved(LAY, twice) == 1
    assert unmoved(twice, LAY) == 1
    assert unmoved((), LAY) == 0
