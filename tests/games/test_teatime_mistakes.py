"""The mistakes that players make most, and what catches each."""

from dataclasses import replace

import pytest

from companion.games.teatime.panels import House
from companion.games.teatime.pieces import REFS
from companion.games.teatime.state import Phase
from companion.rules.game import OutOfPlace
from games.teatime_kit import (
    ANNA,
    BEN,
    CLEO,
    OURS,
    act,
    do,
    panel,
    player,
    possible,
    reached,
    roll,
    seen,
    start,
    state,
    text,
    with_tiles,
)


def notes(before, at, seat=ANNA):
    """What the own board says of a place."""
    return next(s.notes for s in panel(before, House, seat).home.squares if s.ref == at)


def test_glasses_taken_out_of_the_pool():
    before = state("3 3 g g 1")
    assert text(before, "Now")[1] == (
        "Glasses are used where they lie: they stay in the middle for the others."
    )
    after = act(before, "3-4", shows="dice:1")
    assert "In the middle: 1 and two glasses." in text(after, "Now")[0]
    assert reached(after, BEN) == {"1-1", "1-2", "1-3"}
    with pytest.raises(OutOfPlace, match="No die that you may use shows 3"):
        do(after, "tile_activated", BEN, number=3, column=2, glasses=2, shows="dice:1")


def test_a_glass_or_a_dice_tile_alone_or_of_another_number():
    before = state("1 3 3 g g", anna=player(right="2 2 3"))
    alone = "No die that you may use shows 2: a glass or a dice tile is never used alone."
    with pytest.raises(OutOfPlace, match=alone):
        do(before, "tile_activated", number=2, column=2, tiles=2, shows="detective:N.S")
    assert notes(before, "2-3") == (alone,)
    with pytest.raises(OutOfPlace, match="Beside your board lie no dice tiles 1"):
        do(before, "tile_activated", number=1, column=2, tiles=1, shows="dice:1")
    assert notes(before, "1-4") == ("With every glass and dice tile 1 that is 3, not 4.",)


def test_not_all_dice_of_the_number():
    before = state("3 3 3 1 g")
    why = "Three dice show 3: all of them are used, so column 2 is not reached."
    assert notes(before, "3-2") == (why,)
    with pytest.raises(OutOfPlace, match="Three dice show 3, and all of them are used"):
        do(before, "tile_activated", number=3, column=2, shows="dice:1")


def test_a_token_left_on_a_detective_after_a_tile_moved():
    before = state("4 4 1 1 1", anna=player(with_tiles(r4c2="M", r3c2="D:N.E")))
    assert before.players[0].tokens == (REFS["3-2"],)
    after = act(before, "4-2", to="4-5")
    assert after.players[0].tokens == (REFS["3-2"],), "the room that was under it is lit instead"
    thief = state("4 4 1 1 1", anna=player(with_tiles(r5c5="T:SE.S.SW", r4c2="M", r3c2="D:N.S")))
    covered = act(replace(thief, dice=("5",) * 5), "5-5", to="2-2")
    assert covered.players[0].tokens == ()
    said = "Anna takes the token from row 3, column 2 back: a beam there lights nothing any more."
    for seat in (ANNA, BEN, None):
        assert said in text(covered, "Mind", seat)
    rolled = roll(covered, "1 1 2 2 g")
    assert text(rolled, "Mind") == []


def test_a_thief_lit_from_a_dark_side_and_a_beam_that_leaves_the_board():
    board = with_tiles(r5c2="D:N.E", r5c3="T:N.NE.E", r2c2="D:S.W", r1c2="T:N.NE.NW")
    before = state(anna=player(board))
    assert before.players[0].tokens == (REFS["2-2"],)
    assert notes(before, "5-2")[:3] == (
        "No token: a beam lights nothing.",
        "↑ leaves the board and lights nothing.",
        "→ meets the thief on row 5, column 3 on a dark side (left).",
    )
    assert notes(before, "2-2")[:3] == (
        "Every beam lights something: a token, and 12 points.",
        "↓ lights the thief on row 1, column 2: 10.",
        "← lights the room on row 2, column 1: 2.",
    )


def test_forgetting_the_tile_that_a_pass_brings():
    before = state(anna=player(discard="2 4"))
    with pytest.raises(OutOfPlace, match="Draw one tile of your discard pile blind and say which it is"):
        do(before, "passed")
    assert "pass" in possible(before)


def test_going_on_after_the_last_round():
    before = replace(state("3 3 1 1 1"), over=(0,))
    assert "This is the last round." in text(before, "Mind")[0]
    done = do(do(do(before, "passed"), "passed", BEN), "passed", CLEO)
    assert done.phase is Phase.END
    with pytest.raises(OutOfPlace, match="The game is over"):
        roll(done, "1 1 1 1 1")
    assert "share the victory" in seen(done).headline
    assert start(options=OURS).phase is Phase.ROLL
