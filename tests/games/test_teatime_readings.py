"""C1 to C25 of the notes, by number, with their options."""

from dataclasses import replace

import pytest

from companion.games.teatime.lighting import fulfilled, lit, points, scored
from companion.games.teatime.pieces import REFS, ROOMS, WAYS, Space
from companion.games.teatime.rounds import placed, total
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import Phase, Special
from companion.rules.game import OutOfPlace
from games.teatime_kit import (
    ANNA,
    BEN,
    CLEO,
    COUNTS,
    DOWN,
    OURS,
    PHONES,
    act,
    actions,
    do,
    player,
    possible,
    reached,
    roll,
    seen,
    start,
    state,
    text,
    told,
    with_tiles,
    words,
)


def test_c1_after_a_pass_all_five_dice_are_the_pool():
    after = do(state("1 3 3 g g"), "passed")
    assert "In the middle: 1, 3, 3 and two glasses." in text(after, "Now")[0]
    assert reached(after, BEN) == {"1-1", "1-2", "1-3", "3-2", "3-3", "3-4"}


def test_c2_all_dice_of_the_number_count():
    before = state("3 3 3 1 2")
    assert reached(before) == {"3-3", "1-1", "2-1"}
    with pytest.raises(OutOfPlace, match="Three dice show 3, and all of them are used"):
        do(before, "tile_activated", number=3, column=2, shows="dice:1")


def test_c3_the_others_use_glasses_that_the_active_player_counted():
    after = act(state("3 3 1 g g"), "3-4", shows="dice:1")
    assert reached(after, BEN) == {"1-1", "1-2", "1-3"}


def test_c4_an_empty_place_cannot_be_activated():
    before = state("1 2 2 g g", anna=player(with_tiles(DOWN.replace("#", ".", 25), r2c3="M")))
    assert reached(before) == {"2-3"}
    with pytest.raises(OutOfPlace, match="No tile lies on row 1, column 1"):
        do(before, "tile_activated", number=1, column=1)


def test_c5_an_open_tile_may_stay_where_it_is():
    before = state(anna=player(with_tiles(r3c2="M")))
    assert {"move-3-2-0-0", "leave-3-2-0-0"} <= possible(before)
    after = act(before, "3-2")
    assert after.players[0].cells == before.players[0].cells
    assert after.phase is Phase.OTHERS
    full = state(anna=player(with_tiles(DOWN, r3c2="M")))
    assert "leave-3-2-0-0" in possible(full)
    assert not any(ident.startswith("move") for ident in actions(full))


def test_c6_a_tile_keeps_its_directions_when_it_moves():
    before = state(anna=player(with_tiles(r3c2="T:N.NE.E")))
    after = act(before, "3-2", to="5-5")
    assert str(after.players[0].cells[REFS["5-5"]]) == "thief:N.NE.E"
    assert "turn" not in " ".join(GAME.expects(before).taps[0].word)


@pytest.mark.parametrize(
    "board",
    [
        with_tiles(r5c3="D:N.E"),
        with_tiles(r2c1="D:N.W"),
        with_tiles(DOWN, r3c3="D:N.E"),
        with_tiles(r3c3="D:N.E", r4c3="D:S.W"),
    ],
    ids=["above the board", "left of the board", "face down", "another detective"],
)
def test_c7_what_cannot_be_lit(board):
    at = next(cell for cell, there in enumerate(board) if str(there).startswith("detective"))
    assert not fulfilled(board, at)


@pytest.mark.parametrize("way", range(8))
def test_c8_the_side_of_a_thief_that_faces_the_detective(way):
    steps = ((4, 3), (4, 4), (3, 4), (2, 4), (2, 3), (2, 2), (3, 2), (4, 2))
    row, column = steps[way]
    side = WAYS[(way + 4) % 8]
    others = [name for name in WAYS if name != side]
    place = REFS[f"{row}-{column}"]
    facing = with_tiles(**{f"r{row}c{column}": f"T:{side}.{others[0]}.{others[1]}"})
    away = with_tiles(**{f"r{row}c{column}": f"T:{'.'.join(others[:3])}"})
    assert lit(facing, place, way)
    assert not lit(away, place, way)


def test_c9_what_two_detectives_light_counts_twice():
    board = with_tiles(r2c1="D:E.N", r2c3="D:W.N", r2c2="M")
    assert [sum(points(board, ROOMS, cell)) for cell in scored(board)] == [12 + 3, 12 + 5]


def test_c10_the_end_stays_triggered():
    before = state("2 2 1 1 1", anna=player(with_tiles(r2c2="D:N.E")), over=(0,))
    after = act(before, "2-2", to="5-5")
    assert placed(after, 0) == 0
    done = do(do(after, "passed", BEN), "passed", CLEO)
    assert (done.phase, total(done, 0)) == (Phase.END, 15)


def test_c11_any_move_can_break_a_detective():
    board = with_tiles(r2c2="D:N.E", r5c1="M", r4c4="D:S.W", r3c4="T:N.NE.E", r4c3="T:E.SE.S")
    before = state("5 1 1 1 1", anna=player(board))
    assert before.players[0].tokens == (REFS["2-2"], REFS["4-4"])
    assert act(before, "5-1", to="5-2").players[0].tokens == before.players[0].tokens
    thief = state("4 4 4 1 1", anna=player(board))
    away = act(thief, "4-3", to="2-3")
    assert away.players[0].tokens == (REFS["4-4"],)
    assert away.players[0].lost == (REFS["2-2"],)


def test_c12_tokens_are_not_optional():
    before = state("3 3 1 1 1", anna=player(with_tiles(r3c2="M", r2c2="D:N.E")))
    assert len(before.players[0].tokens) == 1
    assert "tokens_counted" not in words(before)
    with pytest.raises(OutOfPlace, match="counts itself"):
        do(before, "tokens_counted", tokens=0)


def test_c13_everybody_finishes_the_round():
    before = replace(state("3 3 1 1 1"), over=(0,))
    after = do(before, "passed")
    assert after.phase is Phase.OTHERS
    half = do(after, "passed", CLEO)
    assert half.phase is Phase.OTHERS
    assert do(half, "passed", BEN).phase is Phase.END


def test_c13_by_tap_a_fifth_token_between_rounds_belongs_to_the_round_before():
    between = replace(start(options=COUNTS), round=2)
    assert do(between, "tokens_counted", BEN, tokens=5).phase is Phase.SCORE
    rolled = roll(between, "1 1 2 3 4")
    after = do(rolled, "tokens_counted", BEN, tokens=5)
    assert (after.phase, after.over) == (Phase.ROLL, (1,))
    first = do(start(options=COUNTS), "tokens_counted", BEN, tokens=5)
    assert first.phase is Phase.ROLL


def test_c14_several_fifth_tokens_all_score():
    before = replace(state("3 3 1 1 1"), over=(0, 2))
    assert "Anna and Cleo placed the fifth token." in " ".join(text(before, "Mind"))
    ended = replace(before, phase=Phase.END)
    assert len(GAME.outcome(ended).winners) == 3


def test_c15_the_others_act_in_any_order():
    after = act(state("2 2 5 5 g", players=3), "5-2", shows="dice:1")
    one = act(act(after, "2-2", BEN, shows="detective:N.S"), "2-3", CLEO, shows="dice:4")
    two = act(act(after, "2-3", CLEO, shows="dice:4"), "2-2", BEN, shows="detective:N.S")
    assert one == two


def test_c16_only_the_roll_that_stands_is_special():
    first = roll(start(options=OURS), "1 2 3 4 5")
    assert first.special is Special.STREAK
    assert "Rolling on gives it away." in text(first, "Now")[0]
    again = roll(do(first, "dice_held", dice="d1,d2,d3,d4"), "g")
    assert again.special is None
    stopped = do(first, "rolling_stopped")
    assert len(reached(stopped)) == 25
    assert len(reached(first)) == 25


def test_c17_after_a_special_roll_one_may_pass_and_take_nothing():
    before = state("g g g g g", anna=player(discard="1"), ben=player(discard="2"))
    after = do(before, "passed")
    assert after.players[0].right == (1, 0, 0, 0, 0)
    assert reached(after, BEN) == set()
    done = do(after, "passed", BEN, takes="no")
    assert (done.players[1].right, done.players[1].discard) == ((0,) * 5, (0, 1, 0, 0, 0))
    with pytest.raises(OutOfPlace, match="takes one dice tile back"):
        do(after, "passed", BEN, takes="no", back=2)


def test_c18_a_pass_without_discards_gains_nothing():
    after = do(state(), "passed")
    assert after.players[0] == state().players[0]
    assert actions(state())["pass"].cost == "nothing to take back"
    with pytest.raises(OutOfPlace, match="discard pile is empty"):
        do(state(), "passed", back=2)


def test_c18_who_could_do_nothing_is_not_waited_for():
    after = act(state("4 4 4 4 4", ben=player(discard="1")), "4-5", shows="dice:1")
    assert (after.waiting, after.idle) == ((1,), (2,))
    assert "nothing for you to do" in actions(after, CLEO)["activate"].refused
    with pytest.raises(OutOfPlace, match="nothing for you to do"):
        do(after, "passed", CLEO)


def test_c19_a_tile_that_came_back_is_used_in_later_rounds():
    before = state("2 2 1 5 5", anna=player(discard="2"))
    after = do(do(do(before, "passed"), "passed", BEN), "passed", CLEO)
    mine = replace(after, active=0, dice=before.dice, throws=3, phase=Phase.CHOOSE)
    assert reached(mine) == {"2-2", "2-3", "1-1", "5-2"}


def test_c20_nobody_picks_the_tile_that_comes_back():
    before = state(anna=player(discard="1 2 3 4 5"), options=PHONES)
    assert actions(before)["pass"].inputs == ()
    with pytest.raises(OutOfPlace, match="The companion draws the tile"):
        do(before, "passed", back=3)
    drawn = {do(replace(before, deal=f"deal {n}"), "passed").players[0].right for n in range(60)}
    assert len(drawn) == 5
    assert do(before, "passed") == do(before, "passed")
    table = state(anna=player(discard="1 2"))
    (asked,) = actions(table)["pass"].inputs
    assert asked.label == "Drawn blind from your discards"
    one = state(anna=player(discard="2 2"))
    assert actions(one)["pass"].inputs == ()
    assert do(one, "passed").players[0].right == (0, 1, 0, 0, 0)


def test_c20_every_draw_is_a_draw_of_its_own():
    mine = player(discard="1 2 3 4 5")
    draws = [replace(mine, drawn=n) for n in range(12)]
    rights = {do(state(anna=each, options=PHONES), "passed").players[0].right for each in draws}
    assert len(rights) > 2
    same = 0
    for n in range(12):
        before = state(anna=mine, options=PHONES, deal=f"deal {n}")
        first = do(before, "passed").players[0]
        again = replace(first, right=mine.right, discard=mine.discard)
        same += (
            do(replace(before, players=(again, *before.players[1:])), "passed").players[0].right
            == first.right
        )
    assert same < 12


def test_c21_more_tiles_than_places_are_simply_fewer():
    before = state("2 2 2 2 1", anna=player(right="2 2"))
    assert reached(before) == {"2-4", "2-5", "1-1"}
    after = act(before, "2-5", shows="dice:1")
    assert after.players[0].discard == (0, 1, 0, 0, 0)


def test_c22_glasses_that_were_counted_stay_in_the_pool():
    before = state("2 1 1 g g")
    assert "they stay in the middle" in " ".join(text(before, "Now"))
    after = act(before, "2-3", shows="dice:1")
    assert "In the middle: 1, 1 and two glasses." in text(after, "Now")[0]


def test_c23_under_a_dice_tile_the_room_is_open():
    before = state("3 3 3 1 2", anna=player(with_tiles(DOWN, r2c3="D:N.W", r2c2="M")))
    assert before.players[0].tokens == ()
    after = act(before, "3-3", shows="detective:N.S")
    assert after.players[0].tokens == ()
    near = state("3 3 1 1 2", anna=player(with_tiles(DOWN, r2c2="D:N.E", r2c3="M")))
    seen_room = act(near, "3-2", shows="dice:4")
    assert seen_room.players[0].cells[REFS["3-2"]] is Space.EMPTY
    assert seen_room.players[0].tokens == (REFS["2-2"],)


def test_c24_anybody_may_pass_even_with_tiles_to_reach():
    before = state()
    assert "pass" in possible(before)
    after = do(before, "passed")
    assert "pass" in possible(after, BEN)
    assert "pass" in possible(after, CLEO)


def test_c25_the_stored_faces_restore_the_dice():
    after = act(state("3 3 1 g g"), "3-3", shows="detective:N.S")
    assert [die.face for die in _dice(after)] == ["3", "3", "1", "glass", "glass"]
    assert [die.state for die in _dice(after)] == ["used", "used", "loose", "loose", "loose"]


def _dice(before):
    return next(panel for panel in seen(before).panels if panel.kind == "dice").dice


# Our own additions


def test_box_is_told_once_and_kept():
    before = start(options={"first": "ask"})
    known = do(before, "tile_described", CLEO, kind="thief", ways="E,N,NE")
    assert [str(tile) for tile in known.box] == ["detective:NE.SE.SW.NW", "thief:N.NE.E"]
    assert do(known, "tile_described", kind="thief", ways="N,NE,E") == known
    assert (
        told(known, "tile_described", kind="thief", ways="N,NE,E")
        == "That tile of the box is known already."
    )
    room = do(known, "room_valued", cell="5-5", points=8)
    kept = GAME.keeps(room)
    assert kept["tiles"] == "detective:NE.SE.SW.NW;thief:N.NE.E"
    following = start(carried=kept)
    assert (following.box, following.rooms) == (room.box, room.rooms)
    assert following.rooms[REFS["5-5"]] == 8
    forgotten = do(room, "tile_forgotten", tile="thief:N.NE.E")
    assert [str(tile) for tile in forgotten.box] == ["detective:NE.SE.SW.NW"]
    with pytest.raises(OutOfPlace, match="No thief"):
        do(forgotten, "tile_forgotten", tile="thief:N.NE.E")


def test_box_is_kept_by_a_game_with_the_stand_in_set():
    kept = {"tiles": "thief:N.NE.E", "rooms": ""}
    assert GAME.keeps(start(options=OURS, carried=kept)) == kept
    with pytest.raises(OutOfPlace, match="stand-in set is known"):
        do(start(options=OURS), "tile_described", kind="thief", ways="N,NE,E")


@pytest.mark.parametrize(
    ("kind", "ways", "why"),
    [
        ("thief", "N,E", "A thief is lit from three of the eight sides. Mark each of them."),
        ("detective", "N", "A detective tile has two to four beams. Mark each of them."),
        ("detective", "N,E,S,W,NE", "A detective tile has two to four beams."),
        ("master", "N,E,S", "Only detectives have beams"),
        ("thief", "N,E,UP", "'UP' is no direction"),
    ],
)
def test_box_what_is_no_tile_is_said(kind, ways, why):
    with pytest.raises(OutOfPlace, match=why):
        do(start(), "tile_described", kind=kind, ways=ways)


def test_box_a_tile_that_is_not_known_is_told_as_it_is_turned_up():
    before = state(options={"set": "box"})
    after = act(before, "3-3", shows="detective", ways="W,N")
    assert str(after.players[0].cells[REFS["3-3"]]) == "detective:N.W"
    assert str(after.box[-1]) == "detective:N.W"
    with pytest.raises(OutOfPlace, match="two to four beams"):
        act(before, "3-3", shows="detective")
    with pytest.raises(OutOfPlace, match="stand-in set has no thief"):
        act(state(), "3-2", shows="thief:N.E.S")


def test_box_on_the_phones_it_is_dealt_once_it_is_known():
    before = start(options={"boards": "phones", "first": "ask"})
    assert (before.phase, before.under) == (Phase.BOX, ())
    assert "four detectives and four thieves to go" in seen(before).headline
    for ways in ("N,S", "N,S", "E,W", "N,E"):
        before = do(before, "tile_described", kind="detective", ways=ways)
    with pytest.raises(OutOfPlace, match="Every detective is known"):
        do(before, "tile_described", kind="detective", ways="N,W")
    for ways in ("N,S,E", "N,S,W", "N,E,W", "S,E,W"):
        before = do(before, "tile_described", kind="thief", ways=ways)
    assert (before.phase, len(before.under)) == (Phase.FIRST, 3)
    again = do(before, "tile_forgotten", tile="detective:E.W")
    assert (again.phase, again.under) == (Phase.BOX, ())
    dealt = do(again, "tile_described", kind="detective", ways="E,SW")
    playing = do(dealt, "beginner_named", player="ben")
    assert (playing.round, playing.active) == (1, 1)
    with pytest.raises(OutOfPlace, match="before the next game"):
        do(roll(playing, "1 2 3 4 4"), "tile_forgotten", tile="detective:E.SW")


@pytest.mark.parametrize(
    "kept", [{"tiles": "dice:3"}, {"tiles": "thief:N"}, {"rooms": "1,2"}, {"tiles": "x"}], ids=str
)
def test_box_what_an_earlier_evening_left_is_looked_at(kept):
    with pytest.raises(ValueError, match=r"dice:3|thief:N|'1,2'|'x'"):
        start(carried=kept)


def test_counts_without_a_picture_tiles_are_told_and_tokens_counted():
    before = state("3 3 1 g g", options=COUNTS)
    before = replace(before, rules=start(options=COUNTS).rules)
    after = act(before, "3-4", shows="dice:2")
    assert after.players[0].right == (0, 1, 0, 0, 0)
    assert after.players[0].cells == before.players[0].cells
    assert act(before, "3-4", shows="other").players[0].right == (0,) * 5
    with pytest.raises(OutOfPlace, match="No picture of your board is kept"):
        act(before, "3-4", shows="master")
    two = do(do(before, "tokens_counted", BEN, tokens=2), "tokens_counted", BEN, tokens=1)
    assert placed(two, 1) == 1
    with pytest.raises(OutOfPlace, match="0 to 5"):
        do(before, "tokens_counted", BEN, tokens=6)


def test_counts_at_the_end_without_a_picture_everybody_tells_the_own_points():
    over = replace(start(options=COUNTS), phase=Phase.SCORE, over=(0,))
    over = do(over, "tokens_counted", ANNA, tokens=5)
    one = do(over, "points_counted", ANNA, points=62)
    assert "Ben and Cleo to go" in seen(one).headline
    with pytest.raises(OutOfPlace, match="Points are 0 to 999"):
        do(one, "points_counted", BEN, points=1000)
    done = do(do(one, "points_counted", BEN, points=47), "points_counted", CLEO, points=20)
    assert GAME.outcome(done).text == "Anna and Ben share the victory with 62 points each."
