"""What the table hears of the tower, and what it never hears while a game is sealed."""

import json

import pytest

from companion.rules.events import CubeDropped
from hardware.noticed import Condition, Kind, Noticed, TowerState
from hardware.told import INSIDE, SOUND, SOURCE, calm, claim, notices

FLOORS = (0.1, 0.05, 0.05, 0.1, 0.1, 0.4, 0.1, 0.1)
DROP = Noticed(7.0, Kind.DROP, 0.97, floors=FLOORS, beams=((6, 0.0421),), sounds=((0.1, -21.04),))
INNER = [f"floor{n}{b}" for n in range(8) for b in ("", "_b")]
STATES = [TowerState(condition) for condition in Condition]
ABOUT_BEAMS = (Condition.BLOCKED, Condition.CHATTER, Condition.SILENT)


def test_a_drop_is_claimed_and_its_secret_is_sealed():
    told = claim(DROP, 107.0, "s-1")
    assert told.event == CubeDropped(at=107.0, drop="s-1")
    assert (told.id, told.source, told.sure, told.reason) == ("s-1", "tower", True, "")
    assert json.loads(told.sealed) == {
        "at": 107.0,
        "floors": list(FLOORS),
        "beams": [[6, 0.0421]],
        "sounds": [[0.1, -21.0]],
        "sure": 0.97,
    }
    assert told.sealed not in repr(told)


def test_what_may_have_been_a_cube_is_asked():
    told = claim(Noticed(7.0, Kind.UNSURE, 0.4), 7.0, "s-2")
    assert not told.sure
    assert told.reason


@pytest.mark.parametrize("kind", sorted(set(Kind) - {Kind.DROP, Kind.UNSURE}))
def test_nothing_else_is_claimed(kind):
    assert claim(Noticed(7.0, kind), 7.0, "s-3") is None


def test_every_state_has_its_words_and_only_quiet_has_nothing_to_say():
    for state in STATES:
        line = "entry" if state.condition in ABOUT_BEAMS else ""
        found = notices([TowerState(state.condition, line)], open_book=True)
        assert bool(found) is (state.condition is not Condition.QUIET)
        for notice in found.values():
            assert notice.text
            assert notice.level == "info" or notice.remedy


def test_while_sealed_no_beam_inside_is_named_and_all_read_the_same():
    told = {
        str(notices([TowerState(condition, line)], open_book=False))
        for condition in ABOUT_BEAMS
        for line in INNER
    }
    assert len(told) == len(ABOUT_BEAMS)
    assert not any(digit in text for text in told for digit in "01234567")
    named = notices([TowerState(Condition.BLOCKED, "floor5_b")], open_book=True)
    assert list(named) == ["tower floor5_b"]
    assert "over floor 5" in named["tower floor5_b"].text


def test_several_beams_inside_are_one_notice_while_sealed():
    states = [TowerState(Condition.BLOCKED, line) for line in ("floor3", "floor2")]
    assert list(notices(states, open_book=False)) == [INSIDE]
    assert len(notices(states, open_book=True)) == 2


@pytest.mark.parametrize("line", ["entry", "entry_b"])
def test_the_entry_is_always_named(line):
    shut, opened = (
        notices([TowerState(Condition.BLOCKED, line)], open_book=book) for book in (False, True)
    )
    assert shut == opened
    assert list(shut) == [f"tower {line}"]


def test_the_most_urgent_state_is_shown_and_troubles_beside_it():
    states = [TowerState(Condition.HAND), TowerState(Condition.FALLING), TowerState(Condition.DEAF)]
    found = notices(states, open_book=False)
    assert {source: n.state for source, n in found.items()} == {
        SOURCE: "hand in the shaft",
        SOUND: "microphone deaf",
    }
    assert calm(SOURCE).level == "ok"
