"""The rules A1 to A22 of the notes, one after the other."""

from dataclasses import replace

import pytest

from companion.games.arosa.ending import culprits, outcome, scores, winners
from companion.games.arosa.pieces import CLUES, COLOURS, FLOORS, points
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Phase
from companion.games.arosa.steps import Step, step
from companion.rules.game import OutOfPlace, Setup
from games.arosa_kit import (
    ANNA,
    BEN,
    NAMES,
    cover,
    do,
    event,
    lift,
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


@pytest.mark.parametrize("players", range(2, 7))
def test_a1_everybody_has_twenty_clues_of_an_own_colour(players):
    fresh = start(players)
    assert fresh.supply == (CLUES,) * players == (20,) * players
    assert fresh.colours == COLOURS[:players]
    assert (fresh.outside, fresh.inside) == (2, 0)
    assert sums(fresh) == {20}


@pytest.mark.parametrize("players", [1, 7])
def test_a1_two_to_six_play(players):
    with pytest.raises(ValueError, match=f"2 to 6, not {players}"):
        GAME.setup(Setup(tuple(f"seat{n}" for n in range(players))))


def test_a2_who_last_held_a_knife_throws_both_victims_then_everybody_two_clues():
    asked = start(3, {"knife": "ask"})
    assert step(asked) is Step.KNIFE
    before, thrown = do(asked, "beginner_named", player="ben"), []
    while before.phase is Phase.PROLOG:
        ((colour, _),) = wanted(before).items()
        thrown.append((NAMES[before.active], colour))
        before = throw(before, colour)
    assert thrown == [
        *[("ben", "red")] * 2,
        *[("ben", "blue")] * 2,
        *[("carla", "brown")] * 2,
        *[("anna", "yellow")] * 2,
    ]
    assert before.supply == (18, 18, 18)


def test_a2_only_the_thrower_of_now_has_cubes_to_throw():
    with pytest.raises(OutOfPlace, match="No blue cube is to be thrown now: Anna throws 2 red"):
        throw(start(), "blue")


def test_a3_each_throw_names_its_colour():
    before = suspect(state(), "ben", 3, "1 blue, 1 grey")
    told = GAME.told(before, event("cube_thrown", colour="grey"), throw(before, "grey"))
    assert told == "Anna threw grey. One left."
    with pytest.raises(OutOfPlace, match="No white cube is to be thrown back"):
        throw(before, "white")


def test_a4_who_was_last_inside_a_hotel_begins_then_clockwise():
    before = start(3, {"hotel": "ask"})
    while before.phase is Phase.PROLOG:
        before, _ = throw_all(before)
    assert step(before) is Step.HOTEL
    before = do(before, "beginner_named", player="carla")
    turns = []
    for _ in range(4):
        turns.append(NAMES[before.active])
        before, _ = throw_all(lift(before, 7, ""))
    assert turns == ["carla", "anna", "ben", "carla"]


def test_a4_act_two_begins_when_both_victims_are_found_and_the_order_goes_on():
    after, _ = throw_all(lift(state(1, scenes=(3,), active="brown"), 6, "1 red"))
    assert (after.phase, after.active) == (Phase.ACT2, 3)


@pytest.mark.parametrize("floor", FLOORS)
def test_a5_any_floor_may_be_lifted(floor):
    assert do(state(1), "floor_lifted", floor=str(floor)).turn.floor == floor


@pytest.mark.parametrize("floor", ["8", "-1"])
def test_a5_there_are_eight_floors(floor):
    with pytest.raises(OutOfPlace, match="floors 0 to 7"):
        do(state(1), "floor_lifted", floor=floor)


def test_a6_what_falls_out_is_thrown_back_at_the_end_of_the_turn():
    before = do(state(1), "floor_lifted", floor="4")
    before = do(before, "cubes_fell_out", cubes="blue,grey")
    after = do(before, "cubes_seen", cubes="blue")
    assert wanted(after) == {"blue": 2, "grey": 1}
    after, thrown = throw_all(after)
    assert thrown == 4
    assert after.tower == (5, 4, 4, 4)


def test_a7_without_a_victim_found_clues_go_back_and_one_more():
    after = lift(state(1), 2, "1 blue")
    assert wanted(after) == {"blue": 1}
    after = throw(after, "blue")
    assert wanted(after) == {"yellow": 1}
    after = throw(after, "yellow", at=300)
    assert (after.active, after.tower) == (1, (5, 4, 4, 4))


def test_a8_a_victim_makes_its_floor_a_crime_scene():
    assert lift(state(1), 6, "1 red").scenes == (6,)
    assert lift(state(1), 6, "2 red").scenes == (6,)


def test_a8_no_victim_can_be_seen_that_is_not_in_the_tower():
    with pytest.raises(OutOfPlace, match="2 red seen, only 1 red can lie there"):
        lift(state(1, scenes=(3,)), 6, "2 red")
    with pytest.raises(OutOfPlace, match="no red can lie there"):
        lift(do(state(), "suspicion_voiced", suspects="ben"), 6, "1 red")


def test_a9_all_others_lay_for_a_victim_the_investigator_never():
    after = lift(state(1, active="blue"), 5, "1 red, 1 yellow, 2 blue, 3 brown")
    assert [spaces(after, c) for c in COLOURS[:4]] == [{5: 1}, {}, {5: 3}, {}]
    assert after.supply == (15, 16, 13, 16)


def test_a10_after_a_victim_there_is_no_penalty():
    after, thrown = throw_all(lift(state(1), 5, "1 red, 1 yellow, 2 blue"))
    assert thrown == 3
    assert of(after.supply, "yellow") == 16
    after = lift(state(1), 5, "1 red")
    assert (after.active, step(after)) == (1, Step.LIFT)


def test_a11_the_sheet_takes_supply_clues_found_ones_go_back():
    after = suspect(state(), "ben", 3, "2 blue")
    assert (of(after.supply, "blue"), of(after.loose, "blue"), spaces(after, "blue")) == (14, 2, {3: 2})
    after, _ = throw_all(after)
    assert of(after.tower, "blue") == 4


def test_a12_in_act_two_the_action_is_called_out_before_lifting():
    with pytest.raises(OutOfPlace, match=r"Lifting a floor does not come now\. Anna calls out"):
        do(state(), "floor_lifted", floor="3")
    with pytest.raises(OutOfPlace, match="Suspecting does not come now"):
        do(state(1), "suspicion_voiced", suspects="ben")


def test_a13_one_or_more_others_are_named_then_a_floor_is_lifted():
    before = do(state(), "suspicion_voiced", suspects="ben,dora")
    assert before.turn.suspects == (1, 3)
    assert step(before) is Step.LIFT
    with pytest.raises(OutOfPlace, match="at least one"):
        do(state(), "suspicion_voiced", suspects="")
    with pytest.raises(OutOfPlace, match="named once"):
        do(state(), "suspicion_voiced", suspects="ben,ben")
    with pytest.raises(OutOfPlace, match="Zoe does not play"):
        do(state(), "suspicion_voiced", suspects="zoe")


def test_a14_named_players_lay_one_for_each_of_theirs_others_nothing():
    after = suspect(state(), "ben,carla", 2, "1 blue, 3 brown, 2 grey, 2 yellow")
    assert [spaces(after, c) for c in COLOURS[:4]] == [{}, {2: 1}, {2: 3}, {}]


def test_a15_all_clues_of_the_floor_go_back():
    after = suspect(state(), "ben", 2, "1 blue, 3 brown, 2 yellow")
    assert wanted(after) == {"blue": 1, "brown": 3, "yellow": 2}
    after, thrown = throw_all(after)
    assert (thrown, after.tower, after.loose) == (6, (4, 4, 4, 4), (0, 0, 0, 0))


@pytest.mark.parametrize(
    ("suspects", "penalty"), [("ben", 0), ("carla", 1), ("ben,carla", 1), ("carla,dora", 2)]
)
def test_a16_one_own_clue_for_each_suspect_without_one_there(suspects, penalty):
    after, thrown = throw_all(suspect(state(), suspects, 2, "1 blue"))
    assert thrown == 1 + penalty
    assert of(after.supply, "yellow") == 16 - penalty


def test_a17_the_ground_floor_asks_for_a_clue_of_the_investigator():
    bare = suspect(state(), "ben,dora", 0, "1 blue, 1 brown")
    assert {c: spaces(bare, c) for c in COLOURS[:4]} == {c: {} for c in COLOURS[:4]}
    assert bare.turn.penalty == 2
    there = suspect(state(), "ben,dora", 0, "1 blue, 1 yellow")
    assert spaces(there, "blue") == {0: 1}
    assert there.turn.penalty == 1
    above = suspect(state(), "ben", 1, "1 blue")
    assert spaces(above, "blue") == {1: 1}


def test_a18_covering_takes_back_from_that_space_up_to_what_lies_there():
    before = state(sheet={"yellow": {2: 1, 3: 2}})
    after = cover(before, 2, "3 yellow, 1 blue")
    assert after.turn.recoverable == 1
    after = do(after, "clues_recovered", count="1")
    assert spaces(after, "yellow") == {3: 2}
    assert wanted(after) == {"yellow": 3, "blue": 1}
    nothing = cover(before, 2, "1 blue")
    assert (nothing.turn.recoverable, nothing.turn.penalty) == (0, 1)
    with pytest.raises(OutOfPlace, match="not -1"):
        do(cover(before, 2, "1 yellow"), "clues_recovered", count="-1")


def test_a19_what_a_supply_lacks_comes_from_the_open_floor():
    before = state(supply={"blue": 1, "brown": 8})
    after = suspect(before, "ben,carla", 3, "3 blue, 1 brown")
    assert spaces(after, "blue") == {3: 3}
    assert spaces(after, "brown") == {3: 1}
    assert of(after.supply, "blue") == 0
    assert of(after.tower, "blue") == of(before.tower, "blue") - 2
    assert sums(after) == {20}


def test_a20_ten_clues_end_the_game_at_once():
    after = suspect(state(sheet={"blue": {0: 9}}), "ben,carla", 3, "1 blue")
    assert after.ended == "ten_clues"
    assert GAME.expects(after).taps == ()
    nine = suspect(state(sheet={"blue": {0: 8}}), "ben", 3, "1 blue")
    assert nine.phase is Phase.ACT2


def test_a20_an_empty_supply_ends_the_game_at_once():
    before = suspect(state(supply={"yellow": 1}), "ben,carla", 3, "")
    assert throw(before, "yellow").ended == "empty_supply"
    with pytest.raises(OutOfPlace, match="The game is over"):
        throw(throw(before, "yellow"), "yellow")
    laid = suspect(state(supply={"blue": 1}), "ben", 3, "1 blue")
    assert laid.ended == "empty_supply"


def test_a21_three_at_a_scene_two_beside_one_elsewhere():
    assert points((1, 0, 0, 0, 0, 0, 0, 0), {3, 5}) == 1
    assert points((0, 0, 1, 0, 0, 0, 0, 0), {3, 5}) == 2
    assert points((0, 0, 0, 2, 0, 0, 0, 0), {3, 5}) == 6
    assert scores(state(sheet={"blue": {3: 1, 4: 1, 0: 1}}))[1] == 6


def test_a22_most_points_convict_fewest_win():
    ended = replace(state(sheet={"blue": {3: 3}, "brown": {3: 1}, "grey": {3: 1}}), phase=Phase.END)
    assert (culprits(ended), winners(ended)) == ((1,), (0,))
    told = outcome(ended)
    assert told is not None
    assert (told.winners, told.text) == (
        (ANNA,),
        "Ben is the culprit with 9 suspicion points; Anna wins with 0.",
    )
    assert outcome(state()) is None


def test_colours_may_be_changed_before_the_first_throw_and_change_places():
    before = do(start(), "colour_taken", player="anna", colour="white")
    assert before.colours == ("white", "blue", "brown")
    before = do(before, "colour_taken", player="anna", colour="blue")
    assert before.colours == ("blue", "white", "brown")
    assert GAME.keeps(before) == {"colours": "anna=blue;ben=white;carla=brown"}
    with pytest.raises(OutOfPlace, match="none in green"):
        do(before, "colour_taken", player="anna", colour="green")
    with pytest.raises(OutOfPlace, match="colours stay"):
        do(throw(before, "red"), "colour_taken", player="anna", colour="grey")


def test_colours_are_kept_for_the_next_evening_also_of_those_who_are_away():
    kept = {"colours": "ben=yellow;zoe=blue;anna=yellow"}
    assert start(3, carried=kept).colours == ("yellow", "blue", "brown")
    assert start(3, {"colours": "seats"}, carried={"colours": "anna=white"}).colours == COLOURS[:3]
    assert start(2, carried={"colours": "ben=yellow"}).colours == ("blue", "yellow")
    assert "zoe=blue" in GAME.keeps(start(3, carried=kept))["colours"]
    with pytest.raises(ValueError, match="green"):
        start(3, carried={"colours": "anna=green"})


def test_a_supply_that_lacks_nothing_is_not_touched_beyond_what_is_laid():
    after = suspect(state(), "ben", 3, "4 blue")
    assert (of(after.supply, "blue"), of(after.tower, "blue"), of(after.loose, "blue")) == (12, 0, 4)


def test_who_begins_may_be_an_option():
    first = start(3, {"knife": "first", "hotel": "knife"})
    assert first.active == 0
    named = do(start(3, {"knife": "ask", "hotel": "knife"}), "beginner_named", player="ben")
    while named.phase is Phase.PROLOG:
        named, _ = throw_all(named)
    assert NAMES[named.active] == BEN
