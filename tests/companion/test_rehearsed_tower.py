"""The rehearsed tower as the pages drive it, and what its hands do when a game lifts a floor."""

from collections import Counter

import pytest

from companion.rehearsed import Rehearsal
from companion.rules.events import CubesExpected
from companion.rules.game import Expected
from shaft import GAME as SHAFT
from web.sensors import TOWER


@pytest.fixture
def rehearsal(make_table):
    table = make_table({"shaft": SHAFT})
    seat = table.join("Anna")
    table.start_game(slug="shaft", title="", seats=(seat.key,), options={})
    return Rehearsal(table)


def lying(rehearsal):
    return [rehearsal.lines.cubes(floor) for floor in range(8)]


def lifted(floor):
    return Expected(seen=CubesExpected((("blue", 3), ("red", 1)), floor))


def test_everything_that_the_page_offers_can_be_done_at_the_rehearsed_tower(make_table):
    rehearsal = Rehearsal(make_table())
    assert rehearsal.state()["tower"] == "quiet"
    for do in TOWER:
        rehearsal.tower(do)
        assert rehearsal.state()["tower"] != "quiet"
    rehearsal.tower("drop")
    assert rehearsal.state()["tower"] == "cube dropped"


@pytest.mark.parametrize("do", ["dance", "close", "", "_fall"])
def test_nothing_else_can(make_table, do):
    with pytest.raises(ValueError, match="does not know"):
        Rehearsal(make_table()).tower(do)


def test_dice_can_be_shown_to_be_taught_with_the_faces_that_they_have(make_table):
    rehearsal = Rehearsal(make_table())
    assert rehearsal.show("fingerprint", "purple")
    assert [die.face for die in rehearsal.tray.dice] == ["purple"] * 3
    assert rehearsal.show("teatime", "glass")
    assert rehearsal.show("white", "6")
    assert not rehearsal.show("white", "purple")
    assert not rehearsal.show("teatime", "6")
    assert [die.kind for die in rehearsal.tray.dice] == ["white"] * 3


def test_a_cube_that_drops_is_one_of_those_to_be_thrown(rehearsal):
    rehearsal.tower("drop")
    rehearsal.tower("drop", "grey")
    assert rehearsal.state()["tower"] == "grey dropped"
    assert Counter(cube for floor in lying(rehearsal) for cube in floor) == {"blue": 1, "grey": 1}


def test_of_several_colours_each_is_dropped_as_often_as_it_waits(rehearsal):
    rehearsal.attend(Expected(cubes=(("blue", 3),)))
    for _ in range(3):
        rehearsal.tower("drop")
    assert rehearsal._next() == ""
    rehearsal.attend(Expected(cubes=(("blue", 2),)))  # one was named: two are still in the air
    assert rehearsal._dropped == {"blue": 2}


def test_a_lifted_floor_is_shown_to_the_camera_and_its_cubes_are_taken_out(rehearsal):
    rehearsal.tower("drop two")
    floors = lying(rehearsal)
    floor = next(n for n, cubes in enumerate(floors) if cubes)
    rehearsal.attend(lifted(floor))
    assert rehearsal.tray._tower is not None
    rehearsal.attend(Expected())  # a question of the game's own, before anything is thrown back
    assert lying(rehearsal)[floor] == floors[floor]
    rehearsal.attend(Expected(cubes=(("blue", 2),)))
    assert lying(rehearsal)[floor] == ()
    assert rehearsal.tray._tower is None


def test_a_floor_lifted_by_mistake_keeps_its_cubes(rehearsal):
    rehearsal.tower("drop")
    before = lying(rehearsal)
    floor = next(n for n, cubes in enumerate(before) if cubes)
    rehearsal.attend(lifted(floor))
    rehearsal.attend(Expected())
    rehearsal.attend(lifted((floor + 1) % 8))
    rehearsal.attend(Expected(cubes=(("blue", 1),)))
    assert lying(rehearsal)[floor] == before[floor]


def test_a_cube_knocked_off_takes_its_colour_along(rehearsal):
    colours = ("blue", "grey", "red", "white")
    for n in range(120):
        rehearsal.tower("drop", colours[n % 4])
    assert Counter(cube for floor in lying(rehearsal) for cube in floor) == dict.fromkeys(colours, 30)
    assert rehearsal.lines.lying() == tuple(map(len, lying(rehearsal)))
