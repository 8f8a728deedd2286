"""The five mistakes that players make most, and what catches each."""

import pytest

from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Phase
from companion.rules.game import OutOfPlace
from companion.rules.view import Standings, Storeys
from games.arosa_kit import (
    actions,
    cover,
    do,
    event,
    lift,
    lines,
    of,
    panel,
    seen,
    spaces,
    state,
    suspect,
    throw,
    throw_all,
    wanted,
)


def test_forgetting_the_penalty_clue():
    assert "Without a victim there, Anna throws one clue more." in lines(state(1))
    missed = lift(state(1), 2, "1 blue")
    accused = suspect(state(), "ben,carla", 3, "1 blue")
    bare = cover(state(sheet={"yellow": {2: 1}}), 2, "1 blue")
    for before in (missed, accused, bare):
        assert "Sloppy investigation: Anna throws 1 yellow from the supply after that." in lines(before)
        last = throw(before, "blue")
        assert seen(last).headline == "Sloppy investigation: Anna throws 1 yellow from the supply."
        assert (last.active, wanted(last)) == (0, {"yellow": 1})
        with pytest.raises(OutOfPlace, match="does not come now"):
            do(last, "floor_lifted", floor="4")
        assert throw(last, "yellow").active == 1


def test_laying_found_cubes_or_keeping_them_out_of_the_tower():
    open_floor = do(do(state(), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3")
    assert any("clues for the sheet come from the supplies" in line for line in lines(open_floor))
    before = suspect(state(), "ben", 3, "2 blue, 1 grey")
    assert "Ben lays 2 on floor 3, from the supply." in lines(before)
    assert wanted(before) == {"blue": 2, "grey": 1}
    with pytest.raises(OutOfPlace, match="does not come now"):
        do(before, "suspicion_voiced", suspects="ben")
    after, thrown = throw_all(before)
    assert (thrown, of(after.tower, "blue")) == (3, of(state().tower, "blue"))
    assert of(after.supply, "blue") == of(state().supply, "blue") - 2


def test_the_investigator_laying_for_a_victim():
    after = lift(state(1), 5, "1 red, 2 yellow, 1 blue")
    assert "A victim on floor 5: it is a crime scene. Anna lays no clues." in lines(after)
    assert (spaces(after, "yellow"), spaces(after, "blue")) == ({}, {5: 1})


def test_forgetting_the_condition_of_the_ground_floor():
    before = do(state(), "suspicion_voiced", suspects="ben,carla")
    assert "nobody lays" in actions(before)["lift-0"].warning
    after = lift(before, 0, "2 blue")
    assert "No clue of Anna lies on the ground floor: nobody lays, and Anna throws two clues." in lines(
        after
    )
    assert (spaces(after, "blue"), after.turn.penalty) == ({}, 2)


def test_playing_on_after_the_end_or_counting_four_between_two_scenes():
    ten = suspect(state(sheet={"blue": {0: 9}}), "ben", 3, "1 blue")
    empty = throw(lift(state(1, supply={"yellow": 1}), 2, ""), "yellow")
    for after, why in ((ten, "Ben has ten clues on the sheet."), (empty, "Anna has no clue left in the")):
        assert after.phase is Phase.END
        assert seen(after).headline.startswith(f"The game ends now: {why}")
        assert seen(after).actions == ()
        with pytest.raises(OutOfPlace, match=r"\.$"):
            GAME.apply(after, event("floor_lifted", floor="1"))
    between = state(sheet={"yellow": {4: 1}})
    worth = {storey.ref: storey.worth for storey in panel(between, Storeys).storeys}
    assert [worth[str(floor)] for floor in range(8)] == [1, 1, 2, 3, 2, 3, 2, 1]
    table = panel(between, Standings)
    assert table.rows[0].cells[table.columns.index("Points")] == "2"
