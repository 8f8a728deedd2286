"""The five mistakes that players make most, and what catches each."""

import pytest

from companion.games.moss.rules import GAME
from companion.games.moss.state import Phase
from companion.rules.game import OutOfPlace
from companion.rules.view import Dice, Track
from games.kit import actions, arrow, do, event, lines, panel, seen, state

ROOMS = {
    "c3": "Scene of the Crime:scene:1:lo..:1",
    "c2": "Study:suspect:4:..l.:-",
    "d3": "Hall:suspect:4:...l:-",
    "b3": "Cellar:suspect:5:....:2",
}


def test_leaving_out_the_coloured_die_or_paying_for_a_six_that_was_not_used():
    before = state(ROOMS, dice="6 6 1 1 1 1 1 3", used=["w1"])
    track = panel(before, Track)
    assert track.pending == 4
    assert track.note == (
        "This turn so far: 3 for the coloured die and 1 for used sixes; a 6 that is not used is free"
    )
    assert actions(before)["end"].cost == "4 minutes"
    after = do(before, "time_passed")
    assert after.minutes == before.minutes - 4
    assert "free" not in panel(state(dice="1 1 1 1 1 1 1 6"), Track).note


def test_one_die_for_locked_doors():
    before = state(ROOMS, dice="4 1 1 1 2 2 3 1")
    refused = r"Moving to c2 needs three dice showing 4 \(two locks\); you gave 4\."
    with pytest.raises(OutOfPlace, match=refused):
        do(before, "moved", to="c2", dice="w1")
    assert "three dice showing 4 (two locks)" in actions(before)["move-c2"].refused
    with pytest.raises(OutOfPlace, match=r"two dice showing 4 \(one lock\)"):
        do(before, "moved", to="d3", dice="w1")


def test_a_suspect_left_face_down_after_the_evidence_changed():
    before = state(dice="2 3 4 5 1 1 2 1", clues=[arrow("single", "c3")], suspects={"S1": "c2", "S2": "d3"})
    turning = event("evidence_reexamined", dice="w1,w2,w3,w4", turn="2")
    after = GAME.apply(before, turning)
    for seat in (None, "anna", "ben"):
        assert {"Turn face-down: S2.", "Turn face-up again: S1."} <= set(lines(after, seat))
    assert "S1" in GAME.told(before, turning, after)
    assert not any("Turn face" in line for line in lines(do(after, "time_passed")))


def test_minutes_of_a_passage_paid_later_or_never():
    before = state(ROOMS, dice="5 1 1 1 1 1 1 4", minutes=20)
    assert actions(before)["passage-b3"].cost == "1 die: 5, 3 minutes at once"
    after = do(before, "passage_taken", to="b3", dice="w1")
    assert panel(after, Track).value == 17
    assert panel(after, Track).pending == 4
    late = state(ROOMS, dice="5 1 1 1 1 1 1 4", minutes=3)
    assert actions(late)["passage-b3"].warning == (
        "This takes all the time that is left: the game is lost."
    )
    assert do(late, "passage_taken", to="b3", dice="w1").phase is Phase.LOST_TIME


def test_a_seventh_die():
    six = ("w1", "w2", "w3", "w4", "w5", "w6")
    before = state(ROOMS, dice="1 1 1 1 1 1 5 5", used=six)
    said = "Six dice may be used in a turn; six lie on the player board and this would add one"
    with pytest.raises(OutOfPlace, match=said):
        do(before, "passage_taken", to="b3", dice="w7")
    assert actions(before)["passage-b3"].refused.endswith("six are used already.")
    assert panel(before, Dice).note == "Six dice are used: that is all for this turn"
    with pytest.raises(OutOfPlace, match="each die is used once a turn"):
        do(before, "passage_taken", to="b3", dice="w1")
    assert "six" in seen(before).headline.lower()
