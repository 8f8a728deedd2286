"""T1 to T20, by number."""

from collections import Counter
from dataclasses import replace

import pytest

from companion.games.teatime.lighting import scored
from companion.games.teatime.pieces import DIAGONAL, DICE_TILES, MASTER_TILE, OURS, REFS, Space, Tile
from companion.games.teatime.rounds import total
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import Phase, Special
from companion.rules.game import OutOfPlace, Setup
from games.teatime_kit import (
    ANNA,
    BEN,
    CLEO,
    DOWN,
    NAMES,
    PHONES,
    act,
    actions,
    cells,
    do,
    player,
    possible,
    reached,
    roll,
    seen,
    start,
    state,
    text,
    with_tiles,
    words,
)
from games.teatime_kit import (
    OURS as STAND_IN,
)

LIT = with_tiles(r2c2="D:N.E")
"""A detective whose two beams light rooms."""


def test_t1_everybody_has_25_tiles_face_down_and_five_tokens():
    before = start(4)
    assert [mine.cells for mine in before.players] == [(Space.DOWN,) * 25] * 4
    assert "five score tokens" in text(start(options={"first": "ask"}), "Now")[0]
    with pytest.raises(ValueError, match="not 5"):
        GAME.setup(Setup((*NAMES, "emil")))
    with pytest.raises(ValueError, match="not 1"):
        GAME.setup(Setup(NAMES[:1]))


def test_t1_the_companion_deals_detectives_onto_the_diagonal():
    dealt = [start(4, PHONES, deal=f"deal {n}") for n in range(20)]
    for before in dealt:
        for under in before.under:
            assert {tile for cell, tile in enumerate(under) if cell in DIAGONAL} == set(OURS[:5])
            others = Counter(tile for cell, tile in enumerate(under) if cell not in DIAGONAL)
            assert others == Counter([*OURS[5:], MASTER_TILE, *DICE_TILES * 3])
    assert len({under for before in dealt for under in before.under}) == 80
    assert len({tuple(under[cell] for cell in DIAGONAL) for before in dealt for under in before.under}) > 40
    assert start(4, PHONES, deal="one").under == start(4, PHONES, deal="one").under


def test_t1_the_table_is_asked_who_goes_first():
    before = start(options={"first": "ask"})
    assert words(before) == {"beginner_named", "room_valued", "tile_described", "tile_forgotten"}
    assert "Who goes first" in seen(before).headline
    after = do(before, "beginner_named", BEN, player="cleo")
    assert (after.active, after.phase, after.round) == (2, Phase.ROLL, 1)
    with pytest.raises(OutOfPlace, match="Mallory does not play"):
        do(before, "beginner_named", player="mallory")


def test_t1_the_first_seat_goes_first_if_so_chosen():
    assert (start().active, start().phase) == (0, Phase.ROLL)


def test_t2_a_round_is_a_roll_then_the_active_player_then_the_others():
    before = start(options=STAND_IN)
    assert (before.phase, words(before) & {"tile_activated", "passed"}) == (Phase.ROLL, set())
    with pytest.raises(OutOfPlace, match="rolls the dice first"):
        do(before, "passed")
    rolled = roll(before, "1 1 2 3 g")
    assert possible(rolled, BEN) == set()
    with pytest.raises(OutOfPlace, match="Anna chooses first"):
        do(rolled, "passed", BEN)
    chosen = do(rolled, "passed")
    assert (chosen.phase, chosen.waiting) == (Phase.OTHERS, (1, 2))
    ben = do(chosen, "passed", BEN)
    assert (ben.phase, ben.waiting, ben.round) == (Phase.OTHERS, (2,), 1)
    cleo = do(ben, "passed", CLEO)
    assert (cleo.phase, cleo.round, cleo.active, cleo.dice) == (Phase.ROLL, 2, 1, ())


def test_t2_nobody_explores_twice():
    chosen = do(state("1 1 2 3 g"), "passed")
    ben = do(chosen, "passed", BEN)
    for seat in (ANNA, BEN):
        with pytest.raises(OutOfPlace, match="You have played in this round"):
            do(ben, "passed", seat)
        assert "Waiting for Cleo" in actions(ben, seat)["activate"].refused


def test_t3_all_five_are_rolled_and_any_again_twice():
    before = start(options=STAND_IN)
    assert GAME.expects(before).dice.thrown == (("teatime", 5),)
    with pytest.raises(OutOfPlace, match="5 teatime expected, 4 teatime seen"):
        roll(before, "1 2 3 4")
    with pytest.raises(OutOfPlace, match="6 is not on these dice"):
        roll(before, "1 2 3 4 6")
    first = roll(before, "1 3 3 g g")
    kept = do(first, "dice_held", dice="d2,d3")
    assert GAME.expects(kept).dice.thrown == (("teatime", 3),)
    second = roll(kept, "3 5 2")
    assert second.dice == ("3", "3", "3", "5", "2")
    third = roll(do(second, "dice_held", dice="d1,d2,d3"), "g 3")
    assert third.dice == ("3", "3", "3", "glass", "3")
    assert (third.phase, GAME.expects(third).dice) == (Phase.CHOOSE, None)
    with pytest.raises(OutOfPlace, match="Rolling dice does not come now"):
        roll(third, "1 1 1 1 1")


def test_t3_a_picture_of_all_five_leaves_the_kept_ones_where_they_are():
    first = do(roll(start(options=STAND_IN), "1 3 3 g g"), "dice_held", dice="d2,d3")
    assert roll(first, "3 4 3 1 2").dice == ("1", "3", "3", "4", "2")
    moved = roll(first, "3 4 4 1 2")
    assert sorted(moved.dice) == ["1", "2", "3", "4", "4"]
    with pytest.raises(OutOfPlace, match="All five dice are kept"):
        roll(do(first, "dice_held", dice="d1,d2,d3,d4,d5"), "")


def test_t3_only_who_has_the_dice_keeps_some():
    before = start(options=STAND_IN)
    with pytest.raises(OutOfPlace, match="first throw is of all five"):
        do(before, "dice_held", dice="d1")
    first = roll(before, "1 3 3 g g")
    for word, args in (("dice_held", {"dice": "d1"}), ("rolling_stopped", {})):
        with pytest.raises(OutOfPlace, match="Anna has the dice"):
            do(first, word, BEN, **args)
    with pytest.raises(OutOfPlace, match="no die 'd6'"):
        do(first, "dice_held", dice="d6")
    with pytest.raises(OutOfPlace, match="That throw is noted"):
        roll(roll(before, "1 2 3 4 4", name="once"), "1 2 3 4 4", name="once")


def test_t4_after_a_roll_one_chooses_or_passes():
    first = roll(start(options=STAND_IN), "1 3 3 g g")
    assert {"tile_activated", "passed", "rolling_stopped"} <= words(first)
    assert act(first, "3-2", shows="dice:1").phase is Phase.OTHERS
    stopped = do(first, "rolling_stopped")
    assert (stopped.phase, GAME.expects(stopped).dice) == (Phase.CHOOSE, None)
    assert {"tile_activated", "passed"} <= words(stopped)


def test_t5_all_dice_of_one_number_are_taken_and_the_rest_is_the_pool():
    after = act(state("3 3 1 g 5"), "3-2", shows="dice:1")
    assert (after.taken, after.dice) == (3, ("3", "3", "1", "glass", "5"))
    assert "In the middle: 1, 5 and one glass." in text(after, "Now")[0]
    assert reached(after, BEN) == {"1-1", "1-2", "5-1", "5-2"}


def test_t6_who_passes_takes_one_tile_back_and_explores_nothing():
    before = state(anna=player(discard="2 2 4"))
    after = do(before, "passed", back=4)
    assert (after.taken, after.players[0].right, after.players[0].discard) == (
        0,
        (0, 0, 0, 1, 0),
        (0, 2, 0, 0, 0),
    )
    with pytest.raises(OutOfPlace, match="2 or 4"):
        do(before, "passed", back=3)
    with pytest.raises(OutOfPlace, match="2 or 4"):
        do(before, "passed")
    with pytest.raises(OutOfPlace, match="takes one dice tile back"):
        do(before, "passed", takes="no")


def test_t7_row_is_the_number_and_column_how_many():
    before = state("4 4 4 1 g")
    assert reached(before) == {"4-3", "4-4", "1-1", "1-2"}
    after = act(before, "4-4", shows="detective:N.S")
    opened = [cell for cell, there in enumerate(after.players[0].cells) if there is not Space.DOWN]
    assert (opened, after.taken) == ([REFS["4-4"]], 4)


def test_t7_without_a_tile_to_reach_one_has_to_pass():
    before = state("4 4 4 g g", anna=player(with_tiles(r1c1="M")))
    assert reached(before) == set()
    assert possible(before) == {"pass"}
    assert actions(before)["pass"].lead
    with pytest.raises(OutOfPlace, match="No tile lies on row 4, column 3"):
        do(before, "tile_activated", number=4, column=3)


def test_t8_the_others_use_the_pool_which_stays():
    after = act(state("2 2 5 5 g"), "5-2", shows="dice:1")
    assert reached(after, BEN) == reached(after, CLEO) == {"2-2", "2-3"}
    ben = act(after, "2-3", BEN, shows="dice:1")
    assert reached(ben, CLEO) == {"2-2", "2-3"}
    cleo = act(ben, "2-3", CLEO, shows="dice:4")
    assert (cleo.phase, cleo.round) == (Phase.ROLL, 2)


def test_t9_one_of_the_others_may_pass_and_takes_a_tile_back():
    before = act(state("2 2 5 5 g", ben=player(discard="3")), "5-2", shows="dice:1")
    after = do(before, "passed", BEN)
    assert (after.players[1].right, after.players[1].discard) == ((0, 0, 1, 0, 0), (0,) * 5)


def test_t10_glasses_only_add_to_dice_and_any_number_of_them():
    before = state("g g g 2 2", ben=player(discard="1"))
    assert reached(before) == {"2-2", "2-3", "2-4", "2-5"}
    with pytest.raises(OutOfPlace, match="never used alone"):
        do(before, "tile_activated", number=3, column=2, glasses=2, shows="dice:1")
    with pytest.raises(OutOfPlace, match="There are three glasses"):
        do(before, "tile_activated", number=2, column=2, glasses=4, shows="dice:1")
    after = act(before, "2-5", shows="dice:1")
    assert after.dice.count("glass") == 3
    mine = state("g g g 2 2", anna=player(right="2"))
    with pytest.raises(OutOfPlace, match="There are three glasses"):
        do(mine, "tile_activated", number=2, column=2, glasses=-1, tiles=1, shows="detective:N.S")
    with pytest.raises(OutOfPlace, match="Beside your board lies one dice tile 2"):
        do(mine, "tile_activated", number=2, column=2, glasses=1, tiles=-1, shows="detective:N.S")


def test_t11_dice_tiles_only_add_to_dice_of_their_number_and_are_discarded():
    mine = player(right="2 2 3")
    before = state("2 3 4 4 5", anna=mine)
    assert reached(before) == {"2-1", "2-2", "2-3", "3-1", "3-2", "4-2", "5-1"}
    after = act(before, "2-3", shows="dice:1")
    assert (after.players[0].right, after.players[0].discard) == ((1, 0, 1, 0, 0), (0, 2, 0, 0, 0))
    with pytest.raises(OutOfPlace, match="Beside your board lie no dice tiles 4"):
        do(before, "tile_activated", number=4, column=3, tiles=1, shows="dice:1")
    with pytest.raises(OutOfPlace, match="Beside your board lies one dice tile 3"):
        do(before, "tile_activated", number=3, column=3, tiles=2, shows="dice:1")


def test_t12_at_most_five_count():
    before = state("3 3 3 3 g", anna=player(right="3 3"))
    assert reached(before) == {"3-4", "3-5"}
    with pytest.raises(OutOfPlace, match="that is column 6, not 5"):
        do(before, "tile_activated", number=3, column=5, glasses=1, tiles=1, shows="dice:1")
    with pytest.raises(OutOfPlace, match="go from 1 to 5"):
        do(before, "tile_activated", number=3, column=6, glasses=1, tiles=1, shows="dice:1")


def test_t13_a_dice_tile_goes_beside_the_board_and_a_person_stays():
    before = state()
    dice = act(before, "3-2", shows="dice:5")
    assert dice.players[0].cells[REFS["3-2"]] is Space.EMPTY
    assert dice.players[0].right == (0, 0, 0, 0, 1)
    thief = act(before, "3-2", shows="thief:N.NE.E")
    assert thief.players[0].cells[REFS["3-2"]] == Tile.parse("thief:N.NE.E")
    master = act(before, "3-2", shows="master")
    assert master.players[0].cells[REFS["3-2"]] == MASTER_TILE
    with pytest.raises(OutOfPlace, match="turned up or moved, never both"):
        act(before, "3-2", shows="master", to="1-1")


def test_t13_on_the_phones_the_companion_turns_it_up():
    before = state(options=PHONES)
    after = act(before, "3-3")
    assert after.players[0].cells[REFS["3-3"]] == before.under[0][REFS["3-3"]]
    assert after.players[0].cells[REFS["3-3"]].kind == "detective"
    with pytest.raises(OutOfPlace, match="turns this tile up itself"):
        act(before, "3-3", shows="detective:N.S")


def test_t14_an_open_tile_moves_face_up_to_any_empty_place():
    before = state(anna=player(with_tiles(r3c2="T:N.NE.E", r5c5="M")))
    after = act(before, "3-2", to="5-1")
    assert after.players[0].cells == with_tiles(r5c1="T:N.NE.E", r5c5="M")
    with pytest.raises(OutOfPlace, match="lies open already"):
        act(before, "3-2", shows="master")
    covered = state(anna=player(with_tiles(DOWN, r3c2="M", r5c5=".")))
    with pytest.raises(OutOfPlace, match="A tile lies on row 4, column 4"):
        act(covered, "3-2", to="4-4")
    with pytest.raises(OutOfPlace, match="no place '6-1'"):
        act(before, "3-2", to="6-1")


def test_t15_every_beam_has_to_light_something():
    assert scored(with_tiles(r2c2="D:N.E")) == (REFS["2-2"],)
    assert scored(with_tiles(r2c2="D:N.E", r3c2="M")) == (REFS["2-2"],)
    assert scored(with_tiles(r2c2="D:N.E", r3c2="T:SE.S.SW")) == (REFS["2-2"],)
    assert scored(with_tiles(r2c2="D:N.E", r3c2="T:N.NE.E")) == ()
    assert scored(with_tiles(r5c2="D:N.E")) == ()
    assert scored(cells("# # # # #\n" * 5)) == ()


def test_t15_tokens_come_and_go_by_themselves():
    before = state("2 2 1 g g", anna=player(with_tiles(r2c2="T:N.NE.E", r1c2="D:N.S", r4c4="M")))
    assert before.players[0].tokens == ()
    moved = act(before, "1-2", to="3-3")
    assert moved.players[0].tokens == moved.players[0].gained == (REFS["3-3"],)
    assert "Anna puts a token on the detective on row 3, column 3." in text(moved, "Now", BEN)
    again = replace(moved, phase=Phase.CHOOSE, waiting=())
    broken = act(again, "2-2", to="4-3")
    assert (broken.players[0].tokens, broken.players[0].lost) == ((), (REFS["3-3"],))
    assert "takes the token from row 3, column 3 back" in " ".join(text(broken, "Mind", None))


def test_t16_the_dice_go_round():
    before = do(do(do(state(), "passed"), "passed", BEN), "passed", CLEO)
    assert (before.active, before.round) == (1, 2)
    assert seen(before).headline == "Ben rolls all five dice."
    ben = roll(before, "1 1 2 3 4")
    cleo = do(do(do(ben, "passed", BEN), "passed", ANNA), "passed", CLEO)
    assert (cleo.active, cleo.round) == (2, 3)
    cleo = roll(cleo, "1 1 2 3 4")
    anna = do(do(do(cleo, "passed", CLEO), "passed", BEN), "passed", ANNA)
    assert (anna.active, anna.round) == (0, 4)


def test_t17_five_glasses_activate_any_tile():
    before = state("g g g g g", ben=player(discard="2"))
    assert before.special is Special.JACKPOT
    assert len(reached(before)) == 25
    after = act(before, "4-5", shows="dice:2")
    assert (after.waiting, after.taken, after.idle) == ((1,), 0, (2,))
    assert reached(after, BEN) == set()
    with pytest.raises(OutOfPlace, match="Flawless jackpot: only Anna"):
        do(after, "tile_activated", BEN, number=1, column=1, shows="dice:1")
    assert do(after, "passed", BEN).players[1].right == (0, 1, 0, 0, 0)
    with pytest.raises(OutOfPlace, match="no glass or dice tile"):
        do(before, "tile_activated", number=1, column=1, glasses=1, shows="dice:1")


def test_t18_one_to_five_activate_any_tile():
    before = state("3 1 2 5 4")
    assert before.special is Special.STREAK
    assert len(reached(before)) == 25
    assert act(before, "5-5", shows="detective:N.S").round == 2  # the others have no discards


def almost(**more):
    """Anna's fifth detective needs one move."""
    board = with_tiles(
        r1c1="D:N.E", r1c4="D:N.E", r3c1="D:N.E", r3c4="D:N.E", r5c3="D:E.W", r5c4="T:N.NE.E", r4c3="M"
    )
    return state("5 5 5 5 1", anna=player(board), **more)


def test_t19_a_fifth_token_ends_the_game_after_this_round():
    before = almost()
    assert len(before.players[0].tokens) == 4
    after = act(before, "5-4", to="5-1")
    assert (len(after.players[0].tokens), after.over, after.phase) == (5, (0,), Phase.OTHERS)
    assert "Anna placed the fifth token. This is the last round." in text(after, "Mind", CLEO)
    assert "the last" in seen(after).phase
    done = do(do(after, "passed", BEN), "passed", CLEO)
    assert done.phase is Phase.END
    assert GAME.outcome(done).winners == (ANNA,)


def test_t20_points_are_what_is_lit_and_three_for_each_token_left():
    board = with_tiles(r2c2="D:N.E", r3c2="M", r2c3="T:N.W.NW", r5c1="D:N.E")
    before = state(anna=player(board))
    assert before.players[0].tokens == (REFS["2-2"],)
    assert total(before, 0) == 12 + 10 + 4 * 3
    assert total(before, 1) == 15


def test_t20_most_points_win_and_ties_share():
    ended = replace(almost(), phase=Phase.END)
    assert (GAME.outcome(ended).termination, GAME.outcome(ended).winners) == ("won", (ANNA,))
    level = replace(state(), phase=Phase.END)
    assert (GAME.outcome(level).termination, len(GAME.outcome(level).winners)) == ("shared", 3)
