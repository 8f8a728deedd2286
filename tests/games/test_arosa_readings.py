"""The readings C1 to C28 of the notes, where the rulebook leaves a question."""

from dataclasses import fields, replace

import pytest

from companion.games.arosa.ending import outcome
from companion.games.arosa.pieces import FLOORS, worth
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Phase, State
from companion.games.arosa.steps import Step, step
from companion.rules.game import OutOfPlace
from games.arosa_kit import (
    NAMES,
    actions,
    cover,
    do,
    drop,
    lift,
    lines,
    of,
    spaces,
    start,
    state,
    sums,
    suspect,
    throw,
    throw_all,
    wanted,
)


def test_c1_after_a_throw_any_floor_may_hold_the_cube():
    after, _ = throw_all(suspect(state(), "ben", 3, "2 blue"))
    for floor in FLOORS:
        again = do(do(after, "suspicion_voiced", suspects="anna"), "floor_lifted", floor=str(floor))
        expected = GAME.expects(again).seen
        assert expected is not None
        assert dict(expected.most) == {"yellow": 4, "blue": 4, "brown": 4, "grey": 4}


def test_c2_cubes_that_fall_out_count_for_no_floor():
    before = do(do(state(), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3")
    after = do(do(before, "cubes_fell_out", cubes="blue,blue"), "cubes_seen", cubes="")
    assert spaces(after, "blue") == {}
    assert after.turn.penalty == 1
    assert wanted(after) == {"blue": 2}


def test_c2_a_fallen_cube_cannot_also_lie_on_the_floor():
    before = do(do(state(), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3")
    before = do(before, "cubes_fell_out", cubes="blue,blue")
    with pytest.raises(OutOfPlace, match="3 blue seen, only 2 blue can lie there"):
        do(before, "cubes_seen", cubes="blue,blue,blue")


def test_c3_a_cube_that_drops_further_down_while_lifting_stays_in_the_tower():
    after = lift(state(1), 2, "1 blue")  # a brown one dropped from floor 2 to floor 1 unseen
    assert (of(after.tower, "brown"), of(after.loose, "brown")) == (4, 0)
    below = lift(throw_all(after)[0], 1, "2 brown")
    assert of(below.loose, "brown") == 2


def test_c4_a_cube_that_misses_the_shaft_is_thrown_again():
    before = suspect(state(), "carla", 3, "1 blue")
    once = throw(before, "blue")
    back = do(once, "throw_missed")
    assert wanted(back) == {"blue": 1}
    assert (back.tower, back.loose) == (before.tower, before.loose)
    paid = throw(once, "yellow", at=230)
    assert (paid.active, of(paid.supply, "yellow")) == (1, 15)
    again = do(paid, "throw_missed")
    assert (again.active, of(again.supply, "yellow"), wanted(again)) == (0, 16, {"yellow": 1})
    assert throw(again, "yellow", at=240).active == 1


def test_c4_a_penalty_that_missed_is_owed_again():
    before = throw(suspect(state(), "ben,carla", 3, ""), "yellow")
    assert (wanted(before), of(before.supply, "yellow")) == ({"yellow": 1}, 15)
    back = do(before, "throw_missed")
    assert (wanted(back), of(back.supply, "yellow")) == ({"yellow": 2}, 16)


def test_c4_in_the_prolog_too_also_across_the_change_of_thrower():
    before = throw(start(), "red", "red")
    assert wanted(before) == {"yellow": 2}
    back = do(before, "throw_missed")
    assert (wanted(back), back.outside, back.inside) == ({"red": 1}, 1, 1)
    with pytest.raises(OutOfPlace, match="No cube has been thrown just now"):
        do(do(back, "throw_missed"), "throw_missed")


def test_c5_a_victim_that_falls_out_is_thrown_back_unfound():
    before = do(do(state(1), "floor_lifted", floor="3"), "cubes_fell_out", cubes="red")
    after = do(before, "cubes_seen", cubes="")
    assert wanted(after) == {"red": 1}
    assert after.scenes == ()
    after, _ = throw_all(after)
    assert (after.inside, after.outside, after.found) == (2, 0, 0)
    assert after.phase is Phase.ACT1


def test_c6_the_ground_floor_is_like_any_other_in_act_one():
    after = lift(state(1), 0, "1 red, 2 blue")
    assert spaces(after, "blue") == {0: 2}
    assert after.turn.penalty == 0
    assert lift(state(1), 0, "2 blue").turn.penalty == 1


def test_c7_covering_on_the_ground_floor_has_no_extra_effect():
    before = state(sheet={"yellow": {0: 2}})
    assert cover(before, 0, "1 yellow").turn.recoverable == 1
    assert cover(before, 0, "2 blue").turn.penalty == 1


def test_c8_covering_needs_a_clue_on_the_sheet_unless_the_option_only_warns():
    with pytest.raises(OutOfPlace, match="Anna has no clue on the sheet"):
        do(state(), "cover_called")
    assert "no tracks to cover" in actions(state())["cover"].refused
    warned = state(options={"cover_without_clues": "warn"})
    assert actions(warned)["cover"].warning
    assert not actions(warned)["cover"].refused
    assert cover(warned, 3, "1 yellow").turn.penalty == 0
    having = state(sheet={"yellow": {2: 1}}, options={"cover_without_clues": "warn"})
    assert not actions(having)["cover"].warning


def test_c9_covering_where_the_space_holds_none_of_mine_takes_none_and_costs_nothing():
    after = cover(state(sheet={"yellow": {2: 1}}), 5, "2 yellow")
    assert step(after) is Step.RETURN
    assert (after.turn.recoverable, after.turn.penalty) == (0, 0)
    assert spaces(after, "yellow") == {2: 1}


def test_c10_nobody_suspects_himself():
    with pytest.raises(OutOfPlace, match="Nobody suspects himself"):
        do(state(), "suspicion_voiced", suspects="ben,anna")


def test_c11_from_one_to_all_the_others():
    for suspects in ("ben", "ben,carla", "ben,carla,dora"):
        assert len(do(state(), "suspicion_voiced", suspects=suspects).turn.suspects) == len(
            suspects.split(",")
        )


def test_c12_all_lay_before_the_end_and_the_rest_is_skipped():
    before = state(supply={"blue": 1})
    after = suspect(before, "ben,carla,dora", 3, "2 blue, 2 brown")
    assert (spaces(after, "blue"), spaces(after, "brown")) == ({3: 2}, {3: 2})
    assert after.ended == "empty_supply"
    assert wanted(after) == {}
    assert of(after.supply, "yellow") == of(before.supply, "yellow")
    assert sums(after) == {20}


def test_c13_the_end_may_come_in_act_one():
    laid = lift(state(1, sheet={"blue": {3: 9}}, scenes=(3,)), 6, "1 blue, 1 red")
    assert (laid.ended, laid.scenes) == ("ten_clues", (3, 6))
    thrown = throw(lift(state(1, supply={"yellow": 1}), 2, ""), "yellow")
    assert thrown.ended == "empty_supply"
    assert [worth(floor, thrown.scenes) for floor in FLOORS] == [1] * 8


@pytest.mark.parametrize(("more", "ends"), [(1, False), (2, True), (3, True)])
def test_c14_ten_or_more(more, ends):
    after = suspect(state(sheet={"blue": {0: 8}}), "ben", 3, f"{more} blue")
    assert (after.phase is Phase.END) is ends


@pytest.mark.parametrize("supply", [1, 2, 3])
def test_c15_the_open_floor_always_holds_what_a_supply_lacks(supply):
    after = suspect(state(supply={"blue": supply}), "ben", 3, "3 blue")
    assert spaces(after, "blue") == {3: 3}
    assert min(after.supply) == 0
    assert min(after.tower) >= 0


def test_c16_a_penalty_beyond_the_supply_throws_what_is_left():
    before = suspect(state(supply={"yellow": 2}), "ben,carla,dora", 3, "")
    assert wanted(before) == {"yellow": 2}
    after = throw(before, "yellow", "yellow")
    assert after.ended == "empty_supply"
    assert of(after.supply, "yellow") == 0


def test_c17_a_scene_beside_a_scene_counts_three_only():
    assert (worth(3, {3, 4}), worth(4, {3, 4})) == (3, 3)


def test_c18_between_two_scenes_counts_two_not_four():
    assert worth(4, {3, 5}) == 2


def test_c19_the_second_victim_on_a_scene_floor_is_noted_again():
    before = state(1, scenes=(4,), sheet={"blue": {4: 1}})
    after = lift(before, 4, "1 red, 1 blue")
    assert spaces(after, "blue") == {4: 2}
    assert after.scenes == (4,)
    after, _ = throw_all(after)
    assert after.phase is Phase.ACT2


def test_c20_the_sheet_stays_though_cubes_move():
    after = lift(state(1), 4, "1 red, 2 blue")
    after, _ = throw_all(after)
    after, _ = throw_all(lift(after, 4, ""))
    assert spaces(after, "blue") == {4: 2}


def test_c21_the_investigator_is_exempt_even_alone():
    after = lift(state(1), 4, "1 red, 3 yellow")
    assert [sum(spaces(after, c).values()) for c in after.colours] == [0, 0, 0, 0]


def test_c22_if_all_tie_all_are_both():
    ended = replace(state(players=2, sheet={"yellow": {3: 1}, "blue": {5: 1}}), phase=Phase.END)
    told = outcome(ended)
    assert told is not None
    assert told.winners == ("anna", "ben")
    assert told.text == "All have 3 suspicion points: all are culprits, and all have won."


def test_c23_found_clues_go_back_before_the_penalty():
    before = suspect(state(), "carla", 3, "1 blue, 1 yellow")
    assert wanted(before) == {"yellow": 1, "blue": 1}
    before = throw(before, "yellow")
    with pytest.raises(OutOfPlace, match=r"No yellow cube is to be thrown back: .* A penalty comes after"):
        throw(before, "yellow", at=230)
    assert wanted(throw(before, "blue", at=230)) == {"yellow": 1}


def test_c24_the_investigator_throws_all_colours():
    before = suspect(state(), "ben", 3, "1 blue, 1 grey")
    panels = GAME.view(before, None, 0).panels
    (throws,) = (p for p in panels if p.kind == "throws")
    assert throws.thrower == "Anna"
    assert [pieces.colour for pieces in throws.left] == ["blue", "grey"]


def test_c25_in_the_prolog_the_knife_comes_first_then_clockwise():
    before = do(start(4, {"knife": "ask"}), "beginner_named", player="carla")
    order = []
    while before.phase is Phase.PROLOG:
        order.append(NAMES[before.active])
        before, _ = throw_all(before)
    assert order == ["carla", "dora", "anna", "ben"]


def test_c26_only_the_open_floor_counts():
    before = do(do(state(), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3")
    assert any("further down do not count" in line for line in lines(before))
    after = do(before, "cubes_seen", cubes="blue")
    assert spaces(after, "blue") == {3: 1}


def test_c27_neither_the_call_nor_the_floor_is_changed_afterwards():
    called = do(state(), "suspicion_voiced", suspects="ben")
    with pytest.raises(OutOfPlace, match="Suspecting does not come now"):
        do(called, "suspicion_voiced", suspects="carla")
    lifted = do(called, "floor_lifted", floor="3")
    with pytest.raises(OutOfPlace, match="Lifting a floor does not come now"):
        do(lifted, "floor_lifted", floor="4")


def test_c28_two_players_suspect_each_other():
    before = state(players=2)
    action = actions(before)["suspect"]
    assert (action.label, action.args["suspects"], action.inputs) == ("Suspect Ben", "ben", ())
    after = suspect(before, "ben", 3, "1 blue")
    assert spaces(after, "blue") == {3: 1}


def test_the_state_has_no_place_for_where_a_cube_lies():
    known = {f.name for f in fields(State)}
    assert known == {
        *("rules", "seats", "colours", "supply", "sheet", "tower", "loose", "inside", "outside"),
        *("scenes", "phase", "active", "knife", "turn", "throwing", "drops", "strays"),
        *("silent", "reveals", "fallen", "guesses", "ended", "earlier", "names"),
    }
    heard = drop(start(), "d1")
    assert {f.name for f in fields(heard.drops[0])} == {"id", "at", "colour", "thrower"}
