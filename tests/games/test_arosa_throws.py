"""Taps that name cubes and drops that count them: one cube each, in either order, and never a block."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.games.arosa.rules import GAME
from companion.games.arosa.state import SILENT, Phase
from companion.games.arosa.steps import Step, step
from companion.games.arosa.throws import ECHO_S, HEARD_S, LISTEN_S
from companion.rules.events import BellRang, CubeDropped, Seconds
from companion.rules.game import OutOfPlace
from companion.rules.view import Throws
from games.arosa_kit import (
    actions,
    do,
    drop,
    lift,
    lines,
    of,
    panel,
    start,
    state,
    sums,
    suspect,
    throw,
    throw_all,
    wanted,
)


def found(*cubes: str, **more):
    """Anna has suspected Ben, and these cubes are to be thrown back."""
    return suspect(state(**more), "ben", 3, ", ".join(cubes))


def ring(before, at: float):
    return GAME.apply(before, BellRang(at=Seconds(at), timer="listen"))


def colours(before) -> list[str]:
    return [known.colour for known in before.drops]


def test_a_drop_names_itself_where_only_one_colour_is_to_be_thrown():
    before = drop(start(), "d1")
    assert wanted(before) == {"red": 1}
    assert colours(before) == ["red"]
    assert wanted(drop(before, "d2")) == {"yellow": 2}


def test_a_drop_waits_for_its_name_where_two_colours_are_to_be_thrown():
    before = drop(found("1 blue", "1 grey"), "d1")
    assert wanted(before) == {"blue": 1, "grey": 1}
    assert panel(before, Throws).note == "One cube heard and not yet named."
    after = throw(before, "grey", at=201)
    assert wanted(after) == {"blue": 1}
    assert colours(after) == ["grey"]


def test_what_waits_names_itself_once_one_colour_is_left():
    before = drop(drop(found("1 blue", "1 grey"), "d1"), "d2", at=201)
    after = throw(before, "grey", at=202)
    assert colours(after) == ["grey", "blue"]
    assert after.active == 1


def test_a_tap_waits_for_its_drop():
    before = throw(found("1 blue", "1 grey"), "grey", at=200)
    assert wanted(before) == {"blue": 1}
    after = drop(before, "d1", at=201)
    assert (wanted(after), colours(after)) == ({"blue": 1}, ["grey"])


@pytest.mark.parametrize(("wait", "left"), [(HEARD_S, 1), (HEARD_S + 0.1, 0)])
def test_a_drop_long_after_a_tap_is_another_cube(wait, left):
    before = throw(found("1 blue", "1 grey", "1 yellow"), "grey", at=200)
    before = throw(before, "yellow", at=200)
    after = drop(drop(before, "d1", at=200 + wait), "d2", at=200 + wait)
    assert wanted(after).get("blue", 0) == left


@pytest.mark.parametrize(("wait", "left"), [(ECHO_S, 1), (ECHO_S + 0.1, 0)])
def test_a_tap_soon_after_a_drop_that_named_itself_is_the_same_cube(wait, left):
    before = drop(found("2 blue"), "d1", at=200)
    after = throw(before, "blue", at=200 + wait)
    assert wanted(after).get("blue", 0) == left


def test_each_echo_speaks_of_one_cube():
    before = drop(drop(found("3 blue"), "d1", at=200), "d2", at=200.5)
    after = throw(throw(before, "blue", at=201), "blue", at=202)
    assert wanted(after) == {"blue": 1}
    assert throw(after, "blue", at=202.5).active == 1


def test_a_tap_after_the_turn_is_told_that_the_cube_is_counted():
    after = drop(found("1 blue"), "d1", at=200)
    assert after.active == 1
    prolog = drop(drop(start(), "d1", at=200), "d2", at=201)
    with pytest.raises(OutOfPlace, match="The tower has counted that red cube already"):
        throw(prolog, "red", at=202)


def test_a_drop_counts_once_however_often_it_comes():
    before = drop(found("2 blue"), "d1")
    with pytest.raises(OutOfPlace, match="counted already"):
        drop(before, "d1")
    waiting = drop(found("1 blue", "1 grey"), "d1")
    with pytest.raises(OutOfPlace, match="counted already"):
        drop(waiting, "d1")
    stray = drop(state(), "d1")
    with pytest.raises(OutOfPlace, match="counted already"):
        drop(stray, "d1")


def test_a_drop_may_bring_its_colour():
    before = found("1 blue", "1 grey")
    after = GAME.apply(before, CubeDropped(at=Seconds(200.0), drop="d1", colour="grey"))
    assert wanted(after) == {"blue": 1}
    with pytest.raises(OutOfPlace, match="no green cubes"):
        GAME.apply(before, CubeDropped(at=Seconds(200.0), drop="d1", colour="green"))
    odd = GAME.apply(before, CubeDropped(at=Seconds(200.0), drop="d1", colour="white"))
    assert wanted(odd) == {"blue": 1, "grey": 1}


def test_a_colour_that_is_not_to_be_thrown_is_refused():
    with pytest.raises(OutOfPlace, match="No grey cube is to be thrown back: Anna throws 2 blue"):
        throw(found("2 blue"), "grey")


def test_cubes_thrown_before_the_floor_is_told_wait():
    before = do(do(state(), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3")
    before = drop(drop(before, "d1"), "d2", at=201)
    after = do(before, "cubes_seen", at=203, cubes="blue,blue")
    assert colours(after) == ["blue", "blue"]
    assert after.active == 1
    nothing = do(before, "cubes_seen", at=203, cubes="")
    assert colours(nothing) == ["yellow"]
    assert [stray.id for stray in nothing.strays] == ["d2"]


def test_cubes_thrown_before_clues_are_taken_back_wait_too():
    before = lift(do(state(sheet={"yellow": {2: 1}}), "cover_called"), 2, "1 yellow")
    before = drop(before, "d1")
    assert step(before) is Step.RECOVER
    after = do(before, "clues_recovered", count="1")
    assert (after.active, colours(after)) == (1, ["yellow"])


def test_what_waits_when_a_turn_ends_by_its_reveal_is_asked_about():
    before = drop(do(state(1), "floor_lifted", floor="3"), "d1")
    after = do(before, "cubes_seen", cubes="red")
    assert after.active == 1
    assert [stray.id for stray in after.strays] == ["d1"]


# One too few


def deaf(at: float = 220.0):
    """Two cubes named, one heard, and the turn gone on."""
    before = throw(found("1 blue", "1 grey"), "blue", at=at - 10)
    return throw(drop(before, "d1", at=at - 10), "grey", at=at)


def test_without_a_tower_nobody_asks():
    after = throw(found("1 blue", "1 grey"), "blue", "grey")
    assert GAME.expects(after).timer is None
    assert not any("stick" in line for line in lines(ring_if(after)))
    with pytest.raises(OutOfPlace, match="Every cube that was named has been heard"):
        do(after, "cubes_checked", stuck="no")
    assert panel(found("1 blue"), Throws).heard is None


def ring_if(before):
    timer = GAME.expects(before).timer
    return ring(before, timer.ends_at) if timer else before


def test_a_tower_that_has_fallen_silent_is_not_asked_about_any_more():
    before = drop(throw(found("1 blue", "1 grey"), "grey", at=200), "d1", at=200)
    before = throw(before, "blue", at=220)
    assert GAME.expects(before).timer is not None
    for n in range(2, SILENT):
        before, _ = throw_all(suspect(before, before.seats[before.active - 1], 7, ""), at=230 + 10 * n)
        assert GAME.expects(before).timer is not None
    before, _ = throw_all(suspect(before, before.seats[before.active - 1], 7, ""), at=400)
    assert before.silent == SILENT
    assert GAME.expects(before).timer is None
    heard = drop(suspect(before, before.seats[before.active - 1], 7, ""), "d9", at=450)
    assert (heard.silent, heard.tower_hears) == (0, True)


def test_a_knock_makes_no_tower():
    before = do(drop(state(), "d1"), "stray_put_away", drop="d1")
    after, _ = throw_all(suspect(before, "ben", 7, ""))
    assert GAME.expects(after).timer is None


def test_the_tower_has_a_while_before_anybody_is_asked():
    after = deaf()
    timer = GAME.expects(after).timer
    assert timer is not None
    assert (timer.name, timer.ends_at) == ("listen", 220 + LISTEN_S)
    assert "all-in" not in actions(after)
    asked = ring(after, 225)
    assert "One too few: did a cube stick?" in lines(asked)
    assert {"all-in", "stuck"} <= actions(asked).keys()
    assert GAME.expects(asked).timer is None
    with pytest.raises(OutOfPlace, match="No such timer"):
        ring(asked, 226)


def test_a_late_drop_answers_the_question():
    for before in (deaf(), ring(deaf(), 225)):
        after = drop(before, "d2", at=260)
        assert colours(after) == ["blue", "grey"]
        assert not after.throwing.asked
        assert GAME.expects(after).timer is None
        assert after.strays == ()


@pytest.mark.parametrize("stuck", ["yes", "no"])
def test_the_question_has_two_answers(stuck):
    after = do(ring(deaf(), 225), "cubes_checked", stuck=stuck)
    assert not any("stick" in line for line in lines(after))
    late = drop(after, "d2", at=260)
    assert len(late.strays) == (stuck == "no")


def test_the_question_never_blocks():
    asked = ring(deaf(), 225)
    on = do(asked, "suspicion_voiced", suspects="carla")
    assert not any("stick" in line for line in lines(on))
    assert do(on, "floor_lifted", floor="2").turn.floor == 2


def test_the_next_throw_is_not_taken_for_the_cube_that_was_not_heard():
    before = drop(drop(start(), "d1", at=10), "d2", at=12)
    before = throw(drop(before, "d3", at=20), "yellow", at=30)
    assert wanted(before) == {"blue": 2}
    assert wanted(drop(before, "d4", at=30 + HEARD_S)) == {"blue": 2}
    assert wanted(drop(before, "d4", at=31 + HEARD_S)) == {"blue": 1}


def test_a_late_drop_of_the_thrower_before_is_not_the_next_throwers():
    before = drop(drop(start(), "d1", at=10), "d2", at=12)
    before = throw(throw(drop(before, "d3", at=20), "yellow", at=29), "blue", at=30)
    before = drop(before, "d4", at=31)
    assert colours(before) == ["red", "red", "yellow", "yellow"]
    assert (wanted(before), colours(drop(before, "d5", at=31))[-1]) == ({"blue": 1}, "blue")


# One more cube


def test_a_drop_that_nobody_awaits_is_asked_about():
    before = drop(state(), "d1")
    assert "One more cube went in than was named: whose?" in lines(before)
    offered = actions(before)
    assert offered["stray-blue"].label == "Ben, blue: from Ben's supply"
    after = do(before, "stray_named", drop="d1", colour="blue")
    assert (of(after.supply, "blue"), of(after.tower, "blue")) == (15, 5)
    assert colours(after) == ["blue"]
    away = do(before, "stray_put_away", drop="d1")
    assert (away.supply, away.tower, away.strays) == (before.supply, before.tower, ())
    for done in (after, away):
        with pytest.raises(OutOfPlace):
            do(done, "stray_put_away", drop="d1")


def test_the_history_tells_what_the_tower_heard():
    stray = event_of("d1")
    assert GAME.told(state(), stray, GAME.apply(state(), stray)) == (
        "The tower heard a cube that nobody was to throw."
    )
    two = found("1 blue", "1 grey")
    assert GAME.told(two, stray, GAME.apply(two, stray)) == (
        "The tower heard a cube; its colour is not named yet."
    )
    tapped = throw(two, "grey", at=200)
    assert GAME.told(tapped, stray, GAME.apply(tapped, stray)) == "The tower heard the grey cube."
    one = found("2 blue")
    assert GAME.told(one, stray, GAME.apply(one, stray)) == (
        "The tower heard a blue cube of Anna's throws. One left."
    )


def event_of(ident: str) -> CubeDropped:
    return CubeDropped(at=Seconds(200.0), drop=ident)


def test_a_stray_belongs_to_somebody_who_plays():
    with pytest.raises(OutOfPlace, match="Nobody here plays white"):
        do(drop(state(), "d1"), "stray_named", drop="d1", colour="white")
    with pytest.raises(OutOfPlace, match="Nobody here plays red"):
        do(drop(state(), "d1"), "stray_named", drop="d1", colour="red")
    with pytest.raises(OutOfPlace, match="cleared up already"):
        do(drop(state(), "d1"), "stray_named", drop="d2", colour="blue")


def test_a_stray_that_empties_a_supply_ends_the_game():
    before = drop(state(supply={"blue": 1}), "d1")
    assert do(before, "stray_named", drop="d1", colour="blue").ended == "empty_supply"


def test_a_stray_never_blocks():
    before = drop(state(), "d1")
    assert do(before, "suspicion_voiced", suspects="ben").turn.called


def test_more_drops_than_names_are_asked_about():
    before = found("1 blue", "1 grey")
    for n in range(3):
        before = drop(before, f"d{n}", at=200 + n)
    after = throw(before, "grey", at=204)
    assert after.active == 1
    assert [stray.id for stray in after.strays] == ["d2"]


def test_a_clue_too_many_in_the_prolog_counts_among_the_two():
    before = drop(start(2), "d0", at=1)
    before = drop(before, "d1", at=2)
    before = drop(before, "d2", at=3)
    early = GAME.apply(before, CubeDropped(at=Seconds(4.0), drop="d3"))
    assert wanted(early) == {"blue": 2}
    knife = start(2, {"knife": "ask"})
    knife = do(drop(knife, "d1", at=1), "beginner_named", player="anna", at=5)
    named = throw(
        do(throw(knife, "red", "red"), "stray_named", drop="d1", colour="yellow"), "yellow", at=300
    )
    assert wanted(named) == {"blue": 2}
    last = do(
        throw(throw(knife, "red", "red"), "yellow", at=250), "stray_named", drop="d1", colour="yellow"
    )
    assert wanted(last) == {"blue": 2}
    assert sums(last) == {20}


# Missed


def test_what_the_tower_heard_has_not_missed():
    before = drop(found("2 blue"), "d1")
    with pytest.raises(OutOfPlace, match="The tower has counted that blue cube"):
        do(before, "throw_missed")
    assert "counted that blue cube" in actions(before)["missed"].refused


def test_a_cube_that_fell_out_has_not_missed():
    before = throw(suspect(state(tower={"blue": 1}), "carla", 3, "1 blue"), "blue")
    before = do(before, "cubes_fell_out", cubes="blue")
    with pytest.raises(OutOfPlace, match="among those that fell out"):
        do(before, "throw_missed")


def test_cubes_fell_out_must_be_said_and_be_possible():
    before = do(state(1), "floor_lifted", floor="3")
    with pytest.raises(OutOfPlace, match="Say which cubes"):
        do(before, "cubes_fell_out", cubes="")
    with pytest.raises(OutOfPlace, match="5 blue seen, only 4 blue"):
        do(before, "cubes_fell_out", cubes="blue,blue,blue,blue,blue")


def test_after_the_end_nothing_is_counted():
    before = suspect(state(sheet={"blue": {0: 9}}), "ben", 3, "1 blue")
    assert before.phase is Phase.END
    with pytest.raises(OutOfPlace, match="The game is over"):
        drop(before, "d1")


@given(st.data())
def test_named_or_heard_in_any_order_each_cube_counts_once(data):
    """A batch of one to three colours: each cube is tapped and dropped within a second."""
    cubes = data.draw(st.lists(st.sampled_from(["blue", "brown", "grey"]), min_size=2, max_size=9))
    most = {colour: cubes.count(colour) for colour in set(cubes)}
    before = suspect(
        state(tower=dict.fromkeys(("yellow", "blue", "brown", "grey"), 9)),
        "ben,carla,dora" if len(most) == 3 else ",".join(_seat(c) for c in sorted(most)),
        3,
        ", ".join(f"{n} {colour}" for colour, n in most.items()),
    )
    at = 300.0
    for n, colour in enumerate(cubes):
        at += 10
        done = before.active != 0
        assert not done
        if data.draw(st.booleans()):
            before = drop(before, f"d{n}", at=at)
            if before.active == 0:
                before = _tap(before, colour, at + 1)
        else:
            before = throw(before, colour, at=at)
            before = drop(before, f"d{n}", at=at + 1)
    assert before.active == 1
    assert sorted(colours(before)) == sorted(cubes)
    assert (before.strays, before.throwing.asked) == ((), False)
    assert sums(before) == {20}


def _seat(colour: str) -> str:
    return {"blue": "ben", "brown": "carla", "grey": "dora"}[colour]


def _tap(before, colour, at):
    return throw(before, colour, at=at)


def test_everything_is_thrown_by_anybodys_tap():
    before = found("1 blue")
    after = do(before, "cube_thrown", by=None, colour="blue")
    assert after.active == 1
    assert throw_all(before)[1] == 1
