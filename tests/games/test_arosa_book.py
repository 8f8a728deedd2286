"""The opened book: each cube's way, what is certain of it, and how well suspicions and notes matched."""

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.arosa.book import NOTHING
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Phase
from companion.rules.game import Setup
from companion.rules.view import Falls, Standings
from games.arosa_kit import ANNA, BEN, do, drop, lift, start, state, suspect, throw_all
from games.guests import Guests

SETUP = Setup((ANNA, BEN), {"knife": "first", "hotel": "first"})


def estimate(floor: int, sure: float = 0.93, **more) -> str:
    """A sealed estimate that takes ``floor`` for the likeliest."""
    floors = [(1 - sure) / 7] * 8
    floors[floor] = sure
    return json.dumps({"at": 1.0, "floors": floors, "beams": [], "sounds": [], "sure": sure, **more})


def opened(before, sealed):
    falls, matched = GAME.afterwards(replace(before, phase=Phase.END), sealed)
    assert isinstance(falls, Falls)
    assert isinstance(matched, Standings)
    return falls, matched


def prolog():
    """Two players' prolog, heard by the tower: red v1 v2, yellow y1 y2, blue b1 b2."""
    before = start(2)
    for n, ident in enumerate(("v1", "v2", "y1", "y2", "b1", "b2")):
        before = drop(before, ident, at=10.0 * n)
    return before


def test_each_cube_is_told_with_its_way():
    sealed = {"y1": estimate(3, beams=[[7, 0.01], [5, 0.12]], sounds=[[0.2, -30.0], [0.3, -41.5]])}
    falls, _ = opened(prolog(), sealed)
    assert [fall.label for fall in falls.falls] == [
        *["A victim, red, thrown by Anna"] * 2,
        *["Anna, yellow"] * 2,
        *["Ben, blue"] * 2,
    ]
    told = falls.falls[2]
    assert (told.colour, told.at) == ("yellow", 20.0)
    assert told.floors[3] == pytest.approx(0.93)
    assert told.beams == ((7, 0.01), (5, 0.12))
    assert told.sounds == (0.2, 0.3)
    assert (told.was, told.note) == (None, "")
    assert falls.falls[3].note == NOTHING


def test_a_cube_thrown_by_another_says_so():
    after = drop(suspect(state(), "ben", 3, "1 blue"), "d1")
    falls, _ = opened(after, {})
    assert falls.falls[0].label == "Ben, blue, thrown by Anna"


def test_a_floor_that_held_all_of_a_colour_makes_certain():
    after = lift(prolog(), 4, "2 yellow, 1 blue", at=100)
    sealed = {"y1": estimate(4), "y2": estimate(5), "b1": estimate(4), "b2": estimate(2)}
    falls, _ = opened(after, sealed)
    known = {fall.label: fall for fall in falls.falls}
    was = [fall.was for fall in falls.falls]
    assert was == [None, None, 4, 4, None, None]
    assert falls.note == (
        "Where two cubes fell is certain from a lifted floor. The tower had one of them right."
    )
    assert known["Ben, blue"].note == ""
    blue = falls.falls[4]
    assert blue.note == "Perhaps the one that was found on floor 4."


def test_after_some_of_a_colour_were_found_the_rest_is_uncertain_until_all_are_out():
    after = lift(prolog(), 4, "1 blue", at=100)
    after, _ = throw_all(after, at=110)
    assert not after.throwing.waiting
    after = lift(after, 5, "1 blue", at=300)
    falls, _ = opened(after, {})
    assert [fall.was for fall in falls.falls[4:6]] == [None, None]


def test_both_victims_together_are_certain():
    falls, _ = opened(lift(prolog(), 6, "2 red", at=100), {})
    assert [fall.was for fall in falls.falls[:2]] == [6, 6]
    apart, _ = opened(lift(prolog(), 6, "1 red", at=100), {})
    assert [fall.was for fall in apart.falls[:2]] == [None, None]


def test_cubes_that_fell_out_make_uncertain():
    before = do(prolog(), "floor_lifted", floor="4", at=90)
    before = do(before, "cubes_fell_out", cubes="blue", at=95)
    after = do(before, "cubes_seen", cubes="blue", at=100)
    falls, _ = opened(after, {})
    assert [fall.was for fall in falls.falls[4:6]] == [None, None]


def test_a_colour_that_is_out_altogether_is_certain_again():
    before, _ = throw_all(lift(prolog(), 4, "2 yellow, 2 blue", at=100), at=110)
    falls, _ = opened(before, {})
    assert [fall.was for fall in falls.falls[2:6]] == [4, 4, 4, 4]


def test_what_was_put_away_did_not_fall():
    before = do(drop(state(), "d1"), "stray_put_away", drop="d1")
    falls, _ = opened(before, {"d1": estimate(3)})
    assert falls.falls == ()
    assert falls.note == ""


def test_suspicions_and_notes_are_set_beside_what_was_seen_and_what_the_tower_says():
    before = do(prolog(), "guess_noted", by=BEN, colour="yellow", floor="4", at=60)
    before = do(before, "guess_noted", by=BEN, colour="red", floor="4", at=61)
    before = do(before, "guess_noted", by=BEN, colour="yellow", floor="5", at=62)
    before = lift(before, 4, "2 yellow, 2 red, 1 blue", at=100)
    before, _ = throw_all(before, at=110)
    after = suspect(before, "anna", 4, "")
    sealed = {
        "y1": estimate(4, 0.8),
        "y2": estimate(4, 0.8),
        "v1": estimate(4, 1.0),
        "v2": estimate(0, 1.0),
    }
    _, matched = opened(after, sealed)
    assert matched.columns[:3] == ("Suspicions right", "Notes seen true", "Notes")
    anna, ben = matched.rows
    assert anna.cells == ("0 of 0", "0 of 0", "0", "–")
    assert ben.cells[:3] == ("0 of 1", "2 of 2", "3")
    assert ben.cells[3] == "67 %"


def test_while_a_training_is_played_notes_are_not_set_beside_it():
    (only,) = GAME.afterwards(prolog(), {})
    assert isinstance(only, Falls)


def test_a_right_suspicion_counts():
    _, matched = opened(suspect(state(), "ben,carla", 3, "1 blue"), {})
    assert matched.rows[0].cells == ("1 of 2", "0 of 0", "0", "–")


ODD = [
    *("", "nonsense", "[]", "null", "7", '{"floors": 3}', '{"floors": [1, 2]}', "[" * 100_000),
    *('{"floors": [0,0,0,0,0,0,0,0]}', '{"floors": [1,0,0,0,0,0,0,-1]}', '{"floors": [NaN,1,0,0,0,0,0,0]}'),
    *('{"floors": ["1",0,0,0,0,0,0,0]}', '{"beams": [[1]], "sounds": [3]}', '{"beams": 1, "sounds": {}}'),
    '{"beams": [["a", "b"]], "sounds": [[null, 1]]}',
]


@pytest.mark.parametrize("text", ODD, ids=range(len(ODD)))
def test_odd_sealed_text_is_left_out_and_said(text):
    falls, _ = opened(prolog(), {"y1": text, "no such drop": text})
    fall = falls.falls[2]
    assert (fall.floors, fall.beams, fall.sounds, fall.note) == ((), (), (), NOTHING)


@given(st.dictionaries(st.sampled_from(["v1", "y1", "b2"]), st.text() | st.builds(json.dumps, st.recursive(
    st.none() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["floors", "beams", "sounds", "at"]), inner))), max_size=3))  # fmt: skip
def test_no_sealed_text_breaks_the_book(sealed):
    opened(prolog(), sealed)


@pytest.mark.parametrize("seed", range(8))
def test_what_is_certain_is_true(seed):
    """Whole evenings: wherever the book is certain, the cube had come to rest there."""

    class Told(Guests):
        def throw(self, state, who):
            for fact in super().throw(state, who):
                if type(fact).__name__ == "CubeDropped":
                    truth[fact.drop] = self.inside[-1][1]
                yield fact

    truth: dict[str, int] = {}
    lands = None if seed % 2 else (lambda _: seed % 3 + 2)
    for before, fact in Told(seed, "most", mishaps=0.03, lands=lands).play(SETUP):  # noqa: B007
        pass
    after = GAME.apply(before, fact)
    falls, _ = opened(after, {drop: estimate(floor) for drop, floor in truth.items()})
    drops = [drop.id for drop in after.drops if drop.colour]
    certain = {i: fall.was for i, fall in zip(drops, falls.falls, strict=True) if fall.was is not None}
    assert certain == {ident: truth[ident] for ident in certain}
    assert certain or seed % 2
    assert all(fall.floors for fall in falls.falls)


def test_found_tells_the_floor_of_every_cube_that_was_seen():
    after = lift(prolog(), 4, "2 yellow, 1 red", at=100)
    assert GAME.found(after) == (4, 4, 4)
    assert GAME.found(replace(after, reveals=())) == ()
