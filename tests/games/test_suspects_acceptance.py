"""AC-U1 to AC-U10 of the notes, by name."""

from collections import Counter

import pytest

from companion.games.suspects.cases import flaws
from companion.games.suspects.rules import GAME
from companion.games.suspects.state import Phase
from companion.rules.events import DiceRolled, DieFace, Seconds
from companion.rules.game import OutOfPlace
from games.suspects_kit import (
    ANNA,
    BEN,
    EXAMPLE,
    PHONES,
    bell,
    do,
    roll,
    solvable,
    solve,
    start,
    state,
    tamper,
)

SCENE = {"green": 2, "red": 1, "yellow": 3}


def test_ac_u1_the_locker_is_what_was_rolled_before_and_after_the_transfer():
    before = roll(start(options=PHONES), EXAMPLE)
    assert before.phase is Phase.TRANSFER
    assert Counter(before.locker) == SCENE
    after = do(before, "locker_compared")
    assert after.phase is Phase.TURN
    assert after.locker == before.locker


@pytest.mark.parametrize("count", [0, 1, 5, 7])
def test_ac_u1_the_camera_must_see_six(count):
    before = start(options=PHONES)
    dice = tuple(DieFace("fingerprint", "green") for _ in range(count))
    event = DiceRolled(at=Seconds(1.0), roll="r", dice=dice)
    assert not GAME.expects(before).covers(event, "dice_rolled")
    with pytest.raises(OutOfPlace, match="6 fingerprint expected"):
        GAME.apply(before, event)


def held(file: str, identity: str, locker: str = EXAMPLE):
    return state(locker, files={"anna": file}, identities={"anna": identity})


def test_ac_u2_the_same_colours_and_another_identity_solve():
    before = held("g g r y y y", "blue")
    assert flaws(before, 0) == ()
    after = solve(before, ANNA)
    assert after.phase is Phase.SOLVED
    assert after.cases == (1, 0, 0)


def test_ac_u3_the_own_identity_in_the_locker_does_not():
    before = held("g g r y y y", "red")
    assert "die 3" in flaws(before, 0)[0]
    with pytest.raises(OutOfPlace, match="does not solve"):
        do(before, "case_declared", ANNA)


def test_ac_u4_another_multiset_does_not():
    before = held("g g r r y y", "blue")
    assert flaws(before, 0) == ("The file lacks 1 yellow, and has 1 red that no die matches.",)
    with pytest.raises(OutOfPlace):
        do(before, "case_declared", ANNA)


def test_ac_u5_the_order_does_not_matter():
    assert solve(held("y g y r g y", "blue"), ANNA).cases == (1, 0, 0)


def test_ac_u6_a_die_tampered_with_changes_the_locker():
    before = held("g g p y y y", "blue")
    assert flaws(before, 0)
    after = tamper(before, 3, "purple")
    assert Counter(after.locker) == {"green": 2, "purple": 1, "yellow": 3}
    assert flaws(after, 0) == ()
    assert solve(after, ANNA).cases == (1, 0, 0)


def test_ac_u7_the_same_colour_again_ends_the_turn_and_changes_nothing():
    before = solvable()
    after = tamper(before, 3, "red")
    assert after.locker == before.locker
    assert (before.active, after.active) == (1, 2)
    assert after.file == before.file


@pytest.mark.parametrize("source", ["pile", "discard"])
def test_ac_u8_a_card_drawn_is_followed_by_a_discard_and_by_nothing_else(source):
    drawn = do(state(), "card_drawn", BEN, source=source)
    assert drawn.phase is Phase.DRAWN
    for word, args in (("die_taken", {"die": "1"}), ("card_drawn", {"source": "pile"})):
        with pytest.raises(OutOfPlace, match="never both"):
            do(drawn, word, BEN, **args)
    with pytest.raises(OutOfPlace):
        do(drawn, "card_drawn", ANNA, source="pile")
    assert drawn.active == 1


def test_ac_u8_a_die_in_the_air_is_followed_by_its_face_and_by_nothing_else():
    rolling = do(state(), "die_taken", BEN, die="1")
    for word, args in (("card_drawn", {"source": "pile"}), ("die_taken", {"die": "2"})):
        with pytest.raises(OutOfPlace, match="never both and never two dice"):
            do(rolling, word, BEN, **args)


@pytest.mark.parametrize("holding", ["phones", "cards"])
def test_ac_u9_the_third_case_wins(holding):
    before = solvable(cases=(2, 2, 0), options={"secrets": holding})
    assert GAME.outcome(before) is None
    after = solve(before, ANNA)
    assert after.phase is Phase.END
    assert after.cases == (3, 2, 0)
    ended = GAME.outcome(after)
    assert ended is not None
    assert (ended.termination, ended.winners) == ("won", ("anna",))
    assert ended.text == "Anna has solved three cases and is the new Chief Inspector."


def test_ac_u9_the_third_case_ends_it_only_when_the_moment_is_over():
    called = do(solvable(cases=(2, 0, 0)), "case_declared", ANNA)
    assert GAME.outcome(called) is None
    assert GAME.outcome(bell(called)) is not None


@pytest.mark.parametrize("holding", ["phones", "cards"])
@pytest.mark.parametrize(("players", "left"), [(2, 39), (3, 32), (4, 25)])
def test_ac_u10_the_pile_after_dealing(holding, players, left):
    before = state(players=players, options={"secrets": holding})
    assert len(before.pile) == left == 53 - 7 * players
    assert len(before.discard) == 1
