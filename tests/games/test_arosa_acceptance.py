"""AC-A1 to AC-A15 of the notes, by name."""

from dataclasses import replace

import pytest

from companion.games.arosa.ending import outcome, scores
from companion.games.arosa.pieces import FLOORS, worth
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Phase
from companion.games.arosa.steps import Step, step
from companion.rules.game import OutOfPlace
from games.arosa_kit import (
    cover,
    do,
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


def test_ac_a1_one_suspect_lays_the_other_costs_a_clue():
    before = state()
    after = suspect(before, "dora,ben", 3, "2 grey, 1 brown")
    assert spaces(after, "grey") == {3: 2}
    assert of(after.supply, "grey") == of(before.supply, "grey") - 2
    assert spaces(after, "blue") == spaces(after, "brown") == {}
    assert (of(after.supply, "blue"), of(after.supply, "brown")) == (16, 16)
    assert wanted(after) == {"grey": 2, "brown": 1}
    after = throw(after, "grey", "brown", "grey")
    assert wanted(after) == {"yellow": 1}
    after = throw(after, "yellow", at=300)
    assert of(after.supply, "yellow") == of(before.supply, "yellow") - 1
    assert after.tower == (5, 4, 4, 4)
    assert sums(after) == {20}
    assert after.active == 1


BLUE = {3: 1, 5: 1, 2: 2, 4: 2, 6: 2, 0: 1, 1: 1, 7: 1}
BROWN = {0: 3, 2: 3}


def test_ac_a2_blue_is_the_culprit_with_21_and_brown_wins_with_9():
    ended = replace(
        state(players=3, sheet={"blue": BLUE, "brown": BROWN, "yellow": {3: 4}}), phase=Phase.END
    )
    assert scores(ended) == (12, 21, 9)
    told = outcome(ended)
    assert told is not None
    assert told.text == "Ben is the culprit with 21 suspicion points; Carla wins with 9."
    assert told.winners == ("carla",)


def test_ac_a2b_the_laying_that_reaches_ten_is_carried_out_completely():
    sheet = {"blue": {0: 4, 7: 5}}
    after = suspect(state(sheet=sheet), "ben", 3, "3 blue")
    assert after.on_sheet(1) == 12
    assert after.phase is Phase.END
    assert after.ended == "ten_clues"
    assert sums(after) == {20}


def test_ac_a3_a_victim_and_clues_of_others():
    before = state(1)
    after = lift(before, 5, "1 red, 1 yellow, 2 blue")
    assert after.scenes == (5,)
    assert after.inside == 1
    assert spaces(after, "blue") == {5: 2}
    assert of(after.supply, "blue") == of(before.supply, "blue") - 2
    assert spaces(after, "yellow") == {}
    assert wanted(after) == {"yellow": 1, "blue": 2}
    after, thrown = throw_all(after)
    assert thrown == 3
    assert of(after.supply, "yellow") == of(before.supply, "yellow")
    assert after.active == 1


def test_ac_a4_no_victim_three_clues_four_throws():
    before = state(1)
    after, thrown = throw_all(lift(before, 2, "1 yellow, 2 grey"))
    assert thrown == 4
    assert of(after.supply, "yellow") == of(before.supply, "yellow") - 1
    assert after.tower == (5, 4, 4, 4)


def test_ac_a4b_an_empty_floor_costs_one_throw():
    before = state(1)
    after, thrown = throw_all(lift(before, 2, ""))
    assert thrown == 1
    assert of(after.supply, "yellow") == of(before.supply, "yellow") - 1


WEIGHTS = [
    pytest.param({3, 5}, [1, 1, 2, 3, 2, 3, 2, 1], id="A5"),
    pytest.param({4}, [1, 1, 1, 2, 3, 2, 1, 1], id="A6"),
    pytest.param({0}, [3, 2, 1, 1, 1, 1, 1, 1], id="A7 the ground floor"),
    pytest.param({3, 4}, [1, 1, 2, 3, 3, 2, 1, 1], id="A7 neighbours"),
]


@pytest.mark.parametrize(("scenes", "weights"), WEIGHTS)
def test_ac_a5_to_a7_what_a_clue_counts(scenes, weights):
    assert [worth(floor, scenes) for floor in FLOORS] == weights


def test_ac_a5_victims_on_two_floors_are_two_scenes():
    after, _ = throw_all(lift(state(1), 3, "1 red"))
    assert (after.scenes, after.phase) == ((3,), Phase.ACT1)
    after, _ = throw_all(lift(after, 5, "1 red, 1 blue"))
    assert (after.scenes, after.phase) == ((3, 5), Phase.ACT2)


def test_ac_a6_both_victims_on_one_floor_are_one_scene():
    after, _ = throw_all(lift(state(1), 4, "2 red, 1 blue"))
    assert (after.scenes, after.phase) == ((4,), Phase.ACT2)


def test_ac_a8_ground_floor_without_a_clue_of_the_investigator():
    before = state()
    after = suspect(before, "ben,carla", 0, "2 blue")
    assert after.sheet == before.sheet
    assert wanted(after) == {"blue": 2}
    after, thrown = throw_all(after)
    assert thrown == 4
    assert of(after.supply, "yellow") == of(before.supply, "yellow") - 2
    assert after.tower == (6, 4, 4, 4)


def test_ac_a9_ground_floor_with_a_clue_of_the_investigator():
    before = state()
    after = suspect(before, "ben,carla", 0, "2 blue, 1 yellow")
    assert spaces(after, "blue") == {0: 2}
    after, thrown = throw_all(after)
    assert thrown == 4
    assert of(after.supply, "yellow") == of(before.supply, "yellow") - 1


@pytest.mark.parametrize("taken", [0, 1, 2])
def test_ac_a10_covering_takes_at_most_what_was_found(taken):
    before = state(sheet={"yellow": {2: 3}})
    after = cover(before, 2, "2 yellow, 1 grey")
    assert step(after) is Step.RECOVER
    with pytest.raises(OutOfPlace, match="From none to two"):
        do(after, "clues_recovered", count="3")
    after = do(after, "clues_recovered", count=str(taken))
    assert spaces(after, "yellow") == {2: 3 - taken}
    assert of(after.supply, "yellow") == of(before.supply, "yellow") + taken
    after, thrown = throw_all(after)
    assert thrown == 3
    assert sums(after) == {20}
    assert of(after.supply, "yellow") == of(before.supply, "yellow") + taken


def test_ac_a11_covering_with_no_clue_there_costs_one():
    before = state(sheet={"yellow": {2: 3}})
    after = cover(before, 2, "1 grey")
    assert wanted(after) == {"grey": 1}
    after, thrown = throw_all(after)
    assert thrown == 2
    assert spaces(after, "yellow") == {2: 3}
    assert of(after.supply, "yellow") == of(before.supply, "yellow") - 1


def test_ac_a12_missing_clues_come_from_the_open_floor_and_the_game_ends():
    before = state(supply={"blue": 2}, sheet={"blue": {0: 4}})
    after = suspect(before, "ben", 3, "3 blue")
    assert spaces(after, "blue") == {0: 4, 3: 3}
    assert of(after.supply, "blue") == 0
    assert of(after.tower, "blue") == of(before.tower, "blue") - 1
    assert after.ended == "empty_supply"
    assert sums(after) == {20}


def test_ac_a13_a_penalty_that_empties_the_supply_ends_the_game():
    before = state(1, supply={"yellow": 1})
    after = throw(lift(before, 2, ""), "yellow")
    assert after.phase is Phase.END
    assert after.ended == "empty_supply"
    assert GAME.outcome(after) is not None


@pytest.mark.parametrize("players", range(2, 7))
def test_ac_a14_the_prolog(players):
    before, thrown = start(players), 0
    while before.phase is Phase.PROLOG:
        before, more = throw_all(before)
        thrown += more
    assert thrown == 2 + 2 * players
    assert before.supply == (18,) * players
    assert before.tower == (2,) * players
    assert (before.inside, before.outside) == (2, 0)


def test_ac_a15_ties_on_both_sides():
    sheet = {"yellow": {3: 2}, "blue": {3: 2}, "brown": {0: 1}, "grey": {7: 1}}
    told = outcome(replace(state(sheet=sheet), phase=Phase.END))
    assert told is not None
    assert told.text == (
        "Anna and Ben are the culprits with 6 suspicion points; Carla and Dora win with 1."
    )
    assert told.winners == ("carla", "dora")
