"""AC-M1 to AC-M27 of the notes, by name. Rows count from the top, columns from the left, from 1."""

from collections import Counter
from dataclasses import replace

import pytest

from companion.games.moss import evidence
from companion.games.moss.cost import Need, six_minutes, turn_minutes
from companion.games.moss.ending import next_start
from companion.games.moss.moves import move_needs
from companion.games.moss.rules import GAME
from companion.games.moss.state import Due, Phase, State
from companion.games.moss.walks import walks
from companion.rules.game import OutOfPlace
from games.kit import actions, alibi, arrow, cell, do, hidden, start, state

# The rulebook's diagram: A and B above, D and C below. A-B one lock, B-C none, A-D two, C-D no door.
A, B, C, D = "b2", "c2", "c3", "b3"
DIAGRAM = {
    A: "A:suspect:4:.ll.:-",
    B: "B:suspect:2:..oo:-",
    C: "C:scene:3:o...:1",
    D: "D:suspect:5:l...:2",
}
EVERY_DIE = "2 2 4 4 5 5 5 3"


def needed(before: State, to: str) -> tuple[int, ...]:
    (need,) = move_needs(before, cell(to))
    return (need.number,) * need.count


@pytest.mark.parametrize(
    ("here", "there", "dice"), [(A, B, (2, 2)), (B, C, (3,)), (A, D, (5, 5, 5))], ids=["M1", "M2", "M3"]
)
def test_ac_m1_to_m3_a_step_needs_the_number_once_and_once_more_a_lock(here, there, dice):
    assert needed(state(DIAGRAM, moss=here), there) == dice


def test_ac_m1_one_2_is_not_enough_for_a_lock():
    before = state(DIAGRAM, moss=A, dice="2 3 3 3 3 3 3 1")
    with pytest.raises(OutOfPlace, match=r"Moving to c2 needs two dice showing 2 \(one lock\); you gave 2"):
        do(before, "moved", to=B, dice="w1")


def test_ac_m4_a_passage_costs_its_minutes_at_once():
    before = state(DIAGRAM, moss=C, dice="5 1 1 1 1 1 1 4", minutes=20)
    after = do(before, "passage_taken", to=D, dice="w1")
    assert (after.minutes, after.moss) == (17, cell(D))
    assert do(after, "time_passed").minutes == 13
    with_light = replace(before, carried=("flashlight",))
    assert do(with_light, "passage_taken", to=D, dice="w1").minutes == 20


def test_ac_m5_the_walk_around_takes_the_whole_turn():
    before = state(DIAGRAM, moss=C, dice=EVERY_DIE)
    walk = walks(before)[cell(D)]
    assert walk.cells == tuple(cell(c) for c in (C, B, A, D))
    assert Counter(walk.numbers) == Counter({2: 1, 4: 2, 5: 3})
    after = do(before, "moved", to=B, dice="w1")
    after = do(after, "moved", to=A, dice="w3,w4")
    after = do(after, "moved", to=D, dice="w5,w6,w7")
    assert (after.moss, len(after.turn.used)) == (cell(D), 6)


def test_ac_m5b_two_locks_or_the_key():
    rooms = {"c3": "Scene of the Crime:scene:1:l...:-", "c2": "X:suspect:4:..l.:-"}
    before = state(rooms, dice="4 4 4 1 1 1 1 1")
    assert needed(before, "c2") == (4, 4, 4)
    key = replace(before, carried=("key",))
    assert do(key, "moved", to="c2", dice="w1").moss == cell("c2")
    with pytest.raises(OutOfPlace, match="three dice showing 4"):
        do(before, "moved", to="c2", dice="w1")


@pytest.mark.parametrize(
    ("dice", "used", "minutes"),
    [
        pytest.param("1 2 3 4 5 1 2 6", "c", 7, id="M6 the coloured 6 was used"),
        pytest.param("6 2 3 4 5 1 2 6", "w1", 7, id="M6 a white 6 was used"),
        pytest.param("6 2 3 4 5 1 2 6", "w1,c", 8, id="M6 both were used"),
        pytest.param("6 2 3 4 5 1 2 5", "w1,w2,c", 6, id="M7"),
        pytest.param("6 2 3 4 5 1 2 3", "w1,w2,w3,w4,w5,w6", 4, id="M8"),
        pytest.param("6 2 3 4 5 1 2 5", "w2,w3,w4,w5,c", 5, id="M9"),
    ],
)
def test_ac_m6_to_m9_minutes_of_a_turn(dice, used, minutes):
    before = state(dice=dice, used=used.split(","))
    assert turn_minutes(before) == minutes
    assert do(before, "time_passed").minutes == 45 - minutes


def test_ac_m10_after_a_win_the_marker_is_taken_off_the_start():
    assert next_start(replace(state(minutes=10), phase=Phase.WON, arrested="S1")) == 35


def test_ac_m11_after_a_loss_each_active_suspect_adds_two():
    board = {"S1": "a1", "S2": "b1", "S3": "c1", "S4": "d1", "S5": "e5"}
    lost = replace(state(suspects=board, clues=[alibi("a2", "S5")], minutes=0), phase=Phase.LOST_TIME)
    assert next_start(lost) == 53


# Suspects of the rulebook's elimination examples: (row, column) as the notes give them.
SUSPECTS = {"S1": "b1", "S2": "b5", "S3": "e3", "S4": "d1", "S5": "d5", "S8": "a5"}


def out(*clues) -> set[str]:
    return set(evidence.eliminated(state(suspects=SUSPECTS, clues=clues)))


def test_ac_m12_four_way_upright():
    assert out(arrow("four", "b3")) == {"S1", "S2", "S3"}


def test_ac_m13_four_way_along_the_diagonals():
    assert out(arrow("four", "b3", 1)) == {"S4", "S5"}


def test_ac_m14_the_right_angle_adds_two_of_its_three():
    corner = arrow("corner", "a1", 2)
    assert out(corner) == {"S1", "S4", "S8"}
    assert out(arrow("four", "b3", 1), corner) == {"S1", "S4", "S5", "S8"}


def test_ac_m15_turned_back_only_s5_returns():
    before, after = (out(arrow("four", "b3", turn), arrow("corner", "a1", 2)) for turn in (1, 0))
    assert after == {"S1", "S2", "S3", "S4", "S8"}
    assert before - after == {"S5"}


def test_ac_m16_a_tainted_token_undoes_an_alibi():
    before = state(
        {"c3": "X:evidence:1:oooo:-"}, suspects=SUSPECTS, clues=[alibi("a1", "S5"), hidden("c3")],
        dice="2 3 4 5 1 1 1 1",
    )  # fmt: skip
    assert "S5" in evidence.eliminated(before)
    after = do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="tainted")
    after = do(after, "evidence_tainted", cell="a1")
    assert "S5" not in evidence.eliminated(after)
    assert after.flips.up == ("S5",)


def test_ac_m17_a_suspect_revealed_in_a_ray_is_out_and_the_tenth_loses():
    corners = ("a1", "a2", "a4", "a5", "b3", "d3", "e3", "c3")
    board = {f"S{n}": c for n, c in enumerate(corners, start=1)}
    clues = [*(alibi(c, name) for name, c in board.items()), arrow("single", "c3", 0)]
    before = replace(state(clues=clues, suspects=board), due=Due(reveal=(cell("c2"), cell("c1"))))
    one = do(before, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-", turn="0", token="S9")
    assert "S9" in evidence.eliminated(one)
    assert one.flips.down == ("S9",)
    assert GAME.outcome(one) is None
    two = do(one, "tile_revealed", cell="c1", tile="Y:suspect:2:..o.:-", turn="0", token="S10")
    assert two.phase is Phase.LOST_NOBODY


@pytest.mark.parametrize(
    ("faces", "ok", "extra"),
    [
        ((2, 3, 4, 5), True, 0),
        ((2, 3, 6, 5), True, 1),
        ((6, 6, 6, 6), True, 4),
        ((3, 4, 5, 6), True, 1),
        ((1, 2, 4, 5), False, 0),
        ((1, 2, 5, 6), False, 1),
    ],
)
def test_ac_m18_runs_of_four(faces, ok, extra):
    assert Need("Gathering", "run", 4).met_by(faces) is ok
    dice = " ".join(map(str, faces)) + " 1 1 1 1"
    before = state(dice=dice, clues=[hidden("c3")])
    assert six_minutes(before, ("w1", "w2", "w3", "w4")) == extra
    if ok:
        assert turn_minutes(do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="single")) == 1 + extra
    else:
        with pytest.raises(
            OutOfPlace, match="needs four dice in a row, such as 2, 3, 4 and 5; you gave 1, 2"
        ):
            do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="single")


def test_ac_m19_the_warrant_needs_three():
    before = state(dice="2 6 4 1 1 1 1 1", clues=[hidden("c3")], carried=["warrant"])
    after = do(before, "evidence_gathered", dice="w1,w2,w3", kind="single")
    assert turn_minutes(after) == 2
    with pytest.raises(OutOfPlace, match="four dice in a row"):
        do(replace(before, carried=()), "evidence_gathered", dice="w1,w2,w3", kind="single")


@pytest.mark.parametrize(("dice", "extra"), [("4 4 4", 0), ("4 6 4", 1), ("6 6 6", 3)])
def test_ac_m20_three_of_one_number_collect(dice, extra):
    before = state(dice=f"{dice} 1 2 3 5 2", lying={"key": "c3"})
    after = do(before, "token_collected", token="key", dice="w1,w2,w3")
    assert after.carried == ("key",)
    assert after.lying == ()
    assert turn_minutes(after) == 2 + extra


NINE_OUT = [alibi(f"a{n % 5 + 1}", f"S{n}") for n in range(2, 11)]


def test_ac_m21_the_arrest_needs_nine_eliminated():
    before = state(dice="2 2 2 2 2 1 1 1", suspects={"S1": "c3"}, clues=NINE_OUT)
    after = do(before, "suspect_arrested", dice="w1,w2,w3,w4,w5")
    assert after.arrested == "S1"
    with pytest.raises(OutOfPlace, match="nine suspects eliminated; eight are"):
        do(replace(before, clues=tuple(NINE_OUT[1:])), "suspect_arrested", dice="w1,w2,w3,w4,w5")


@pytest.mark.parametrize(("coloured", "left", "phase"), [(4, 1, Phase.ROLL), (5, 0, Phase.LOST_TIME)])
def test_ac_m22_the_marker_may_stand_on_1(coloured, left, phase):
    after = do(state(dice=f"1 1 1 1 1 1 1 {coloured}", minutes=5), "time_passed")
    assert (after.minutes, after.phase) == (left, phase)


def test_ac_m23_a_passage_may_lose_at_once():
    before = state(DIAGRAM, moss=C, dice="5 1 1 1 1 1 1 4", minutes=3, arrested="S1", car=(D, "W", 1))
    assert "lost" in actions(before)["passage-b3"].warning
    after = do(before, "passage_taken", to=D, dice="w1")
    assert (after.minutes, after.phase) == (0, Phase.LOST_TIME)
    assert GAME.expects(after).taps == ()


def test_ac_m24_a_seventh_die_is_refused():
    rooms = {"c2": "X:suspect:1:..o.:-"}
    before = state(rooms, dice="1 1 1 1 1 1 1 1", used=("w1", "w2", "w3", "w4", "w5", "w6"))
    with pytest.raises(OutOfPlace, match="Six dice may be used in a turn; six lie on the player board"):
        do(before, "moved", to="c2", dice="w7")


def test_ac_m25_the_fourth_token_asks_for_a_drop_first():
    before = state(dice="4 4 4 1 1 1 1 1", lying={"bomb": "c3"}, carried=["key", "switch", "warrant"])
    after = do(before, "token_collected", token="bomb", dice="w1,w2,w3")
    for word in ("time_passed", "informant_used"):
        with pytest.raises(OutOfPlace, match="first drop one"):
            do(after, word)
    dropped = do(after, "token_dropped", token="switch")
    assert dropped.carried == ("key", "warrant", "bomb")
    assert dropped.tokens_at(cell("c3")) == ("switch",)


def test_ac_m26_the_last_turn_costs_no_time():
    before = state(dice="3 1 1 1 1 1 1 6", minutes=1, arrested="S1", car=("c3", "N", 3))
    after = do(before, "car_reached", dice="w1")
    assert (after.phase, after.minutes) == (Phase.WON, 1)


@pytest.mark.parametrize(("level", "minutes"), [("60", 60), ("45", 45), ("30", 30)])
def test_ac_m27_levels(level, minutes):
    assert start({"level": level}).minutes == minutes
