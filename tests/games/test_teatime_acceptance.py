"""The acceptance cases AC-T1 to AC-T14 of the notes."""

from dataclasses import replace

import pytest

from companion.games.teatime.lighting import points, scored
from companion.games.teatime.pieces import REFS, ROOMS, Tile
from companion.games.teatime.pool import uses
from companion.games.teatime.rolling import special
from companion.games.teatime.rounds import by_detective, total
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import Phase, Special
from companion.rules.game import OutOfPlace
from games.teatime_kit import (
    ANNA,
    BEN,
    CLEO,
    PHONES,
    act,
    do,
    faces,
    player,
    possible,
    reached,
    state,
    text,
    with_tiles,
)

EMMA = player(right="2 2 3")
LIVING = "2-2"
CORNERS = "D:NE.SE.SW.NW"


def used(before, at, by=0):
    """(glasses, tiles) of every way to a place."""
    return {(use.glasses, use.tiles) for use in uses(before, by)[REFS[at]]}


def test_ac_t1_emmas_options():
    before = state("1 3 3 g g", anna=EMMA)
    assert reached(before) == {"1-1", "1-2", "1-3", "3-2", "3-3", "3-4", "3-5"}
    assert [used(before, at) for at in ("1-1", "1-2", "1-3")] == [{(0, 0)}, {(1, 0)}, {(2, 0)}]
    assert used(before, "3-2") == {(0, 0)}
    assert used(before, "3-3") == {(1, 0), (0, 1)}
    assert used(before, "3-4") == {(2, 0), (1, 1)}
    assert used(before, "3-5") == {(2, 1)}
    assert "pass" in possible(before)
    with pytest.raises(OutOfPlace, match="never used alone"):
        do(before, "tile_activated", number=2, column=2, tiles=2, shows="dice:1")


def test_ac_t1a_a_pass_brings_exactly_one_tile_back():
    before = state("1 3 3 g g", anna=player(right="2", discard="1 3 3"), options=PHONES)
    after = do(before, "passed")
    assert sum(after.players[0].right) == 2
    assert sum(after.players[0].discard) == 2
    numbers = {do(replace(before, deal=f"deal {n}"), "passed").players[0].right for n in range(20)}
    assert numbers == {(1, 1, 0, 0, 0), (0, 1, 1, 0, 0)}


def test_ac_t1b_a_tile_is_discarded_and_glasses_remain():
    after = act(state("1 3 3 g g", anna=EMMA), "3-5", shows="dice:1")
    assert after.players[0].right == (1, 2, 0, 0, 0)
    assert after.players[0].discard == (0, 0, 1, 0, 0)
    assert "In the middle: 1 and two glasses." in text(after, "Now")[0]
    assert reached(after, BEN) == {"1-1", "1-2", "1-3"}


def test_ac_t2_one_beam_of_two_is_not_enough():
    board = with_tiles(r3c3="D:N.E", r3c4="D:N.E", r4c4="T:N.NE.E")
    assert ROOMS[REFS["4-3"]] == 6
    assert REFS["3-3"] not in scored(board)


def test_ac_t3_two_rooms_are_lit():
    board = with_tiles(r3c3="D:N.W")
    assert scored(board) == (REFS["3-3"],)
    assert sorted(points(board, ROOMS, REFS["3-3"])) == [4, 6]


def test_ac_t4_thieves_on_their_dark_sides():
    board = with_tiles(r2c2=CORNERS, r3c3="M", r3c1="T:N.NE.E", r1c3="T:S.SW.SE")
    assert scored(board) == ()


def test_ac_t5_thieves_on_their_lit_sides():
    board = with_tiles(r2c2=CORNERS, r1c1="M", r3c1="T:E.SE.S", r1c3="T:N.W.NW")
    assert scored(board) == (REFS[LIVING],)
    values = points(board, ROOMS, REFS[LIVING])
    assert sorted(values) == [5, 10, 10, 12]
    assert sum(values) == 37


def test_ac_t6_with_no_number_left_all_others_have_to_pass():
    hungry = player(discard="2")
    after = act(state("4 4 4 g g", ben=hungry, cleo=hungry), "4-5", shows="dice:1")
    assert (reached(after, BEN), reached(after, CLEO)) == (set(), set())
    assert possible(after, BEN) == possible(after, CLEO) == {"pass"}
    done = do(do(after, "passed", BEN), "passed", CLEO)
    assert [mine.right for mine in done.players[1:]] == [(0, 1, 0, 0, 0)] * 2
    assert (done.round, done.active) == (2, 1)


def test_ac_t7_emma_has_89_points():
    values = [(12, 7), (7, 7), (12, 5), (10, 5, 1, 3), (10, 10)]
    assert [sum(each) for each in values] == [19, 14, 17, 19, 20]
    emma = replace(state(anna=player(EIGHTY_NINE)), phase=Phase.END)
    sheet = [tuple(sorted(each, reverse=True)) for _, each in by_detective(emma, 0)]
    assert sorted(sheet) == sorted(tuple(sorted(each, reverse=True)) for each in values)
    assert sum(each.count(12) for each in sheet) == 2
    assert sum(isinstance(tile, Tile) and tile.kind == "master" for tile in EIGHTY_NINE) == 1
    assert total(emma, 0) == 89
    assert GAME.outcome(emma).winners == (ANNA,)


EIGHTY_NINE = with_tiles(
    r2c2=CORNERS,
    r1c3="T:N.W.NW",
    r4c5="D:S.W",
    r5c2="D:E.S",
    r4c1="D:N.E",
    r4c2="M",
    r1c5="D:N.W",
    r2c5="T:S.SW.SE",
    r1c4="T:E.SE.S",
)


def test_ac_t8_two_players_use_the_same_dice():
    before = act(state("2 2 g 5 5"), "5-2", shows="dice:1")
    a = act(before, "2-3", BEN, shows="dice:1")
    b = act(a, "2-2", CLEO, shows="detective:N.S")
    assert (b.round, b.phase) == (2, Phase.ROLL)


def test_ac_t9_five_glasses():
    before = state("g g g g g", ben=player(discard="1"))
    assert before.special is Special.JACKPOT
    after = act(before, "1-5", shows="dice:2")
    assert possible(after, BEN) == {"pass", "nothing"}
    with pytest.raises(OutOfPlace, match="only Anna activates"):
        do(after, "tile_activated", BEN, number=1, column=1, shows="dice:1")


def test_ac_t10_one_to_five():
    before = state("5 4 3 2 1", ben=player(discard="1"))
    assert before.special is Special.STREAK
    after = act(before, "1-5", shows="dice:2")
    with pytest.raises(OutOfPlace, match="Lucky streak: only Anna activates"):
        do(after, "tile_activated", BEN, number=1, column=1, shows="dice:1")


def test_ac_t11_a_glass_breaks_the_streak():
    assert special(faces("1 2 3 4 g")) is None
    assert reached(state("1 2 3 4 g")) == {f"{row}-{column}" for row in range(1, 5) for column in (1, 2)}


def test_ac_t12_a_move_onto_a_tile_is_refused():
    before = state(anna=player(with_tiles(r3c2="M", r5c5="D:N.E")))
    with pytest.raises(OutOfPlace, match="A tile lies on row 5, column 5: only one"):
        act(before, "3-2", to="5-5")
    with pytest.raises(OutOfPlace, match="only one"):
        act(before, "3-2", to="3-2")


def test_ac_t13_a_scored_detective_moves_and_its_token_comes_back():
    before = state("2 2 1 1 1", anna=player(with_tiles(r2c2="D:N.E")), over=(0,))
    assert before.players[0].tokens == (REFS["2-2"],)
    after = act(before, "2-2", to="2-5")
    assert (after.players[0].tokens, after.players[0].lost) == ((), (REFS["2-2"],))
    assert after.over == (0,)
    done = do(do(after, "passed", BEN), "passed", CLEO)
    assert done.phase is Phase.END


def test_ac_t14_three_tokens_and_40_points_are_46():
    board = with_tiles(r3c3="D:N.W", r5c5="D:S.W", r3c4="D:N.E")
    before = state(anna=player(board))
    assert sum(sum(each) for _, each in by_detective(before, 0)) == 40
    assert len(before.players[0].tokens) == 3
    assert total(before, 0) == 40 + 2 * 3
