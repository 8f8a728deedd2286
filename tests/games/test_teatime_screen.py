"""What the screens show and offer, and what the history tells."""

from dataclasses import replace

import pytest

from companion.games.teatime.panels import House, Houses, Others
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import Phase
from companion.rules.events import Seconds
from companion.rules.notation import word_of
from companion.rules.view import Dice, Standings
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
    bell,
    do,
    event,
    panel,
    player,
    possible,
    roll,
    seen,
    start,
    state,
    text,
    told,
    with_tiles,
    words,
)

SQUARE = {"5-1": 0, "5-5": 4, "3-3": 12, "1-1": 20, "1-5": 24}


def square(before, at, seat=ANNA):
    return next(s for s in panel(before, House, seat).home.squares if s.ref == at)


# Panels


def test_row_five_is_the_highest_and_column_one_the_leftmost():
    squares = panel(state(), House).home.squares
    assert {at: squares[n].ref for at, n in SQUARE.items()} == {at: at for at in SQUARE}


def test_the_board_says_what_each_place_would_take():
    before = state("1 3 3 g g", anna=player(right="2 2 3"))
    uses = {s.ref: s.use for s in panel(before, House).home.squares if s.use}
    assert uses == {
        "1-1": (1, 0, 0),
        "1-2": (1, 1, 0),
        "1-3": (1, 2, 0),
        "3-2": (2, 0, 0),
        "3-3": (2, 1, 0),
        "3-4": (2, 2, 0),
        "3-5": (2, 2, 1),
    }
    assert panel(before, House).note.startswith("The marked places are reached")
    waits = panel(before, House, BEN)
    assert [s.use for s in waits.home.squares if s.use] == []
    nothing = state("4 4 4 g g", anna=player(with_tiles(r1c1="M")))
    assert panel(nothing, House).note == "These dice reach no tile of yours."


def test_dice_tiles_lie_at_the_right_of_their_row():
    home = panel(state(anna=player(right="2 2 5", discard="1 1 4")), House).home
    assert home.right == (1, 0, 0, 2, 0)
    assert home.discard == (1, 1, 4)
    assert (home.tokens, home.limit) == (0, 5)


def test_what_lies_open_is_drawn():
    board = with_tiles(DOWN, r2c2="D:N.E", r3c2="M", r2c3="T:N.W.NW", r4c1=".")
    before = state(anna=player(board))
    detective = square(before, "2-2")
    assert (detective.kind, detective.rays, detective.token, detective.number) == (
        "detective",
        ((0, True), (2, True)),
        True,
        "22",
    )
    assert square(before, "2-3").ways == (0, 6, 7)
    assert square(before, "3-2").kind == "master"
    assert (square(before, "4-1").kind, square(before, "4-1").number) == ("room", "4")
    assert (square(before, "3-3").kind, square(before, "3-3").back) == ("down", True)
    assert (square(before, "3-4").kind, square(before, "3-4").back) == ("down", False)
    broken = state(anna=player(with_tiles(r5c2="D:N.E")))
    assert square(broken, "5-2").rays == ((0, False), (2, True))
    assert (square(broken, "5-2").token, square(broken, "5-2").number) == (False, "")


def test_all_boards_stand_on_the_table_and_the_others_beside_ones_own():
    before = state(players=3)
    assert [home.name for home in panel(before, Houses, None).homes] == ["Anna", "Ben", "Cleo"]
    assert [home.name for home in panel(before, Others, BEN).homes] == ["Anna", "Cleo"]
    assert not any(isinstance(p, House) for p in seen(before, None).panels)
    assert not any(s.use for home in panel(before, Houses, None).homes for s in home.squares)


def test_without_a_picture_the_board_is_blank_and_says_only_what_is_reached():
    before = roll(start(options=COUNTS), "1 3 3 g g")
    squares = panel(before, House).home.squares
    assert {s.kind for s in squares} == {"plain"}
    assert sum(s.use is not None for s in squares) == 6
    assert not any(isinstance(p, Houses) for p in seen(before).panels)


def test_the_dice_are_held_by_who_has_them():
    first = do(roll(start(options=OURS), "1 3 3 g g"), "dice_held", dice="d2,d3")
    mine, others = panel(first, Dice), panel(first, Dice, BEN)
    assert (mine.tap, others.tap, panel(first, Dice, None).tap) == ("dice_held", "", "")
    assert [die.state for die in mine.dice] == ["loose", "held", "held", "loose", "loose"]
    assert mine.note == "Throw 1 of 3"
    assert [die.state for die in panel(start(options=OURS), Dice).dice] == ["unknown"] * 5
    assert panel(do(first, "rolling_stopped"), Dice).tap == ""


def test_who_has_not_acted_is_on_every_screen():
    after = do(state("1 1 2 3 g"), "passed")
    marks = {row.name: row.mark for row in panel(after, Standings, None).rows}
    assert marks == {"Anna": "dice", "Ben": "to act", "Cleo": "to act"}
    assert seen(after, None).headline == "Ben and Cleo choose a tile or pass."
    one = do(after, "passed", BEN)
    assert seen(one, None).headline == "Cleo chooses a tile or passes."
    assert panel(one, Standings, None).rows[1].mark == ""


def test_the_score_sheet_tells_every_detective():
    board = with_tiles(r2c2="D:N.E", r3c2="M", r2c3="T:N.W.NW")
    ended = replace(state(anna=player(board)), phase=Phase.END)
    assert text(ended, "Anna: 34 points") == ["Row 2, column 2: 12 + 10 = 22", "Four tokens left over: 12"]
    assert text(ended, "Ben: 15 points") == ["Five tokens left over: 15"]
    assert next(row.cells for row in panel(ended, Standings).rows) == ("1", "22", "12", "34")
    assert text(ended, "What their detectives light", None) == ["Anna: 12 + 10"]
    assert text(ended, "Anna: 34 points", None) == []
    assert seen(ended).headline == "Anna wins with 34 points."
    assert not any(isinstance(p, Dice) for p in seen(ended).panels)


def test_the_time_of_the_others_runs_and_takes_nothing():
    before = state("1 1 2 3 g", options={"timer": "30"})
    assert GAME.expects(before).timer is None
    after = do(before, "passed", at=100.0)
    assert GAME.expects(after).timer.ends_at == Seconds(130.0)
    rung = bell(after)
    assert text(rung, "Mind", BEN) == ["The time to explore is up."]
    assert (rung.waiting, GAME.expects(rung).timer) == ((1, 2), None)
    assert do(rung, "passed", BEN).waiting == (2,)
    with pytest.raises(ValueError, match="No such bell"):
        do(after, "bell_rang", None, timer="tea")


# Actions


def test_each_place_that_is_reached_is_one_action_and_the_other_ways_stand_below():
    before = state("1 3 3 g g", anna=player(right="2 2 3"))
    offered = actions(before)
    assert [a.id for a in offered.values() if a.group == "With the 3s"] == [
        "turn-3-2-0-0",
        "turn-3-3-1-0",
        "turn-3-4-2-0",
        "turn-3-5-2-1",
    ]
    assert [a.id for a in offered.values() if a.group == "With dice tiles instead of glasses"] == [
        "turn-3-3-0-1",
        "turn-3-4-1-1",
    ]
    assert offered["turn-3-5-2-1"].cost == "two dice, two glasses, one dice tile"
    assert offered["turn-3-5-2-1"].cell == "3-5"


def test_what_may_lie_under_a_tile_is_offered():
    before = state()
    labels = [label for _, label in actions(before)["turn-3-2-0-0"].inputs[0].choices]
    assert labels[:6] == [*(f"Dice tile {n}" for n in range(1, 6)), "Master thief"]
    assert labels[6:] == ["Thief ↑↗→", "Thief →↘↓", "Thief ↓↙←", "Thief ↑←↖"]
    detectives = [value for value, _ in actions(before)["turn-3-3-1-0"].inputs[0].choices]
    assert all(value.startswith("detective:") for value in detectives)
    box = state(options={"set": "box"})
    assert [asked.name for asked in actions(box)["turn-3-2-0-0"].inputs] == ["shows", "ways"]
    assert actions(state(options=PHONES))["turn-3-2-0-0"].inputs == ()


def test_who_lies_open_already_stands_last():
    before = state(anna=player(with_tiles(DOWN, r1c2="T:N.NE.E", r1c1="D:E.W")))
    thieves = [label for _, label in actions(before)["turn-3-2-0-0"].inputs[0].choices][6:]
    assert thieves == ["Thief →↘↓", "Thief ↓↙←", "Thief ↑←↖", "Thief ↑↗→, open already"]
    detectives = [label for _, label in actions(before)["turn-3-3-1-0"].inputs[0].choices]
    assert detectives[-1] == "Detective →←, open already"


def test_four_thieves_are_all_there_are():
    board = with_tiles(DOWN, r1c2="T:N.NE.E", r1c3="T:E.SE.S", r1c4="T:S.SW.SE", r1c5="T:N.W.NW", r5c1="M")
    before = state(anna=player(board), options={"set": "box"})
    (asked,) = actions(before)["turn-3-2-0-0"].inputs
    assert [label for _, label in asked.choices][-1] == "Master thief, open already"
    assert "thief" not in {value.partition(":")[0] for value, _ in asked.choices}
    with pytest.raises(ValueError, match="four thieves lie open already"):
        act(before, "3-2", shows="thief:N.NE.E")
    with pytest.raises(ValueError, match="Detectives lie on the diagonal"):
        act(before, "3-2", shows="detective:N.S")
    with pytest.raises(ValueError, match="Detectives lie on the diagonal"):
        act(before, "3-3", shows="master")
    with pytest.raises(ValueError, match="Say what the tile shows"):
        act(before, "3-2")
    with pytest.raises(ValueError, match="a picture of your board is kept"):
        act(before, "3-2", shows="other")


def test_a_move_offers_every_empty_place_and_tells_of_a_token():
    before = state(anna=player(with_tiles(r3c2="D:N.E", r5c5="M")))
    move = actions(before)["move-3-2-0-0"]
    assert len(move.inputs[0].choices) == 23
    assert move.cost == "two dice, with its token"
    assert actions(before)["leave-3-2-0-0"].group == "Activate one and leave it there"


def test_nobody_else_has_anything_to_tap_and_knows_why():
    before = state()
    assert possible(before, BEN) == set()
    assert actions(before, BEN)["activate"].refused == (
        "Anna chooses first. Then all others do, at the same time."
    )
    assert actions(before, None) == {}
    assert seen(before, CLEO).actions == seen(before, BEN).actions


def test_the_box_is_described_between_rounds():
    before = start()
    assert {"describe-detective", "describe-thief", "forget", "room"} <= possible(before, CLEO)
    assert "describe-thief" not in possible(roll(before, "1 2 3 4 4"), CLEO)
    assert "describe-thief" not in possible(start(options=OURS))
    assert "describe-thief" not in possible(start(options=COUNTS))
    known = do(before, "tile_described", kind="thief", ways="N,NE,E")
    assert actions(known)["describe-thief"].cost == "3 to go"
    asked = actions(known)["forget"].inputs[0]
    assert [label for _, label in asked.choices] == ["Detective ↗↘↙↖", "Thief ↑↗→"]


def test_tokens_are_tapped_where_no_picture_is_kept():
    before = start(options=COUNTS)
    assert {"token"} <= possible(before)
    assert "token-back" not in possible(before)
    four = do(before, "tokens_counted", tokens=4)
    assert "ends the game" in actions(four)["token"].warning
    assert {"token", "token-back"} <= possible(four)
    over = replace(before, phase=Phase.SCORE)
    assert actions(over)["points"].lead
    assert "tokens_counted" in words(over)


# What is told


def test_turning_up_is_told():
    before = state("1 3 3 g g", anna=player(right="3"))
    assert told(before, "tile_activated", number=3, column=5, glasses=2, tiles=1, shows="dice:4") == (
        "Anna turns up row 3, column 5 with two 3s, two glasses and one dice tile: a dice tile 4."
    )
    assert told(before, "tile_activated", number=3, column=2, shows="master") == (
        "Anna turns up row 3, column 2 with two 3s: the master thief."
    )
    assert told(before, "tile_activated", number=3, column=2, shows="thief:N.NE.E") == (
        "Anna turns up row 3, column 2 with two 3s: a thief ↑↗→."
    )


def test_a_dice_tile_of_the_number_just_spent_is_told_right():
    before = state("3 3 1 1 1", anna=player(right="3"))
    assert told(before, "tile_activated", number=3, column=3, tiles=1, shows="detective:N.S").startswith(
        "Anna turns up row 3, column 3 with two 3s and one dice tile: a detective ↑↓."
    )
    same = state("3 3 3 1 1", anna=player(right="3"))
    assert "a dice tile 3." in told(same, "tile_activated", number=3, column=4, tiles=1, shows="dice:3")


def test_moving_is_told_with_its_tokens():
    before = state("2 2 1 1 1", anna=player(with_tiles(r2c2="D:N.E", r5c5="M")))
    assert told(before, "tile_activated", number=2, column=2, to="2-5") == (
        "Anna moves the detective ↑→ from row 2, column 2 with two 2s to row 2, column 5."
        " The token from row 2, column 2 comes back."
    )
    assert told(before, "tile_activated", number=2, column=2, to="3-3") == (
        "Anna moves the detective ↑→ from row 2, column 2 with two 2s to row 3, column 3."
    )
    assert told(before, "tile_activated", number=2, column=2) == (
        "Anna activates row 2, column 2 with two 2s and leaves the detective ↑→ there."
    )


def test_passing_and_rolling_are_told():
    before = state("1 3 3 g g", anna=player(discard="4"))
    assert told(before, "passed") == "Anna passes and takes a dice tile 4 back."
    assert told(state(), "passed") == "Anna passes."
    first = start(options=OURS)
    rolled = event(
        "dice_rolled", None, roll="r", dice="teatime:glass,teatime:2,teatime:1,teatime:2,teatime:5"
    )
    assert GAME.told(first, rolled, GAME.apply(first, rolled)) == "Anna rolls 1, 2, 2, 5 and one glass."
    streak = event("dice_rolled", None, roll="r", dice=",".join(f"teatime:{n}" for n in (5, 3, 1, 2, 4)))
    assert (
        GAME.told(first, streak, GAME.apply(first, streak)) == "Anna rolls 1, 2, 3, 4 and 5. Lucky streak!"
    )
    assert told(roll(first, "1 2 2 2 g"), "rolling_stopped") == "Anna stops with 1, 2, 2, 2 and one glass."
    assert told(roll(first, "1 2 2 2 g"), "dice_held", dice="d2,d3") == "Anna keeps two dice."


def test_special_rolls_the_fifth_token_and_the_end_are_told():
    special = state("g g g g g")
    assert told(special, "tile_activated", number=4, column=5, shows="dice:1") == (
        "Anna turns up row 4, column 5 with the flawless jackpot: a dice tile 1. Round 2: Ben has the dice."
    )
    last = replace(state(), over=(0,), phase=Phase.OTHERS, waiting=(2,), special=None)
    assert told(last, "passed", CLEO) == "Cleo passes. The last round is over."


def test_counts_are_told():
    before = roll(start(options=COUNTS), "1 3 3 g g")
    assert told(before, "tile_activated", number=3, column=2, shows="other") == (
        "Anna activates row 3, column 2 with two 3s."
    )
    assert told(before, "tile_activated", number=3, column=2, shows="dice:5") == (
        "Anna activates row 3, column 2 with two 3s and finds a dice tile 5."
    )
    assert told(before, "tokens_counted", BEN, tokens=2) == "Ben has two tokens on detectives."
    over = replace(start(options=COUNTS), phase=Phase.SCORE)
    assert told(over, "points_counted", BEN, points=40) == (
        "Ben's detectives light 40 points: 55 with the tokens left over."
    )


def test_describing_the_box_is_told():
    before = start(options={"first": "ask"})
    assert told(before, "beginner_named", player="cleo") == "Cleo goes first."
    assert told(before, "tile_described", kind="thief", ways="N,NE,E") == "The box has a thief ↑↗→."
    assert told(before, "tile_forgotten", tile="detective:NE.SE.SW.NW") == "The box has no detective ↗↘↙↖."
    assert told(before, "room_valued", cell="5-5", points=8) == "The room on row 5, column 5 counts 8."
    for args, why in (
        ({"cell": "6-1", "points": 1}, "no place '6-1'"),
        ({"cell": "5-5", "points": 10}, "1 to 9"),
    ):
        with pytest.raises(ValueError, match=why):
            do(before, "room_valued", **args)


NOW = {"tile_activated", "passed", "tokens_counted", "tile_described", "tile_forgotten", "room_valued"}
NOT_NOW = [kind for kind in GAME.events if word_of(kind) not in NOW]


@pytest.mark.parametrize("kind", NOT_NOW, ids=word_of)
def test_what_does_not_come_now_is_said_in_words(kind):
    args = {"player": "anna", "dice": "d1", "points": "1"}
    known = {name for name in kind.__dataclass_fields__ if name in args}
    with pytest.raises(ValueError, match=r"does not come now\. Anna chooses a tile, or passes\."):
        do(state(), word_of(kind), ANNA, **{name: args[name] for name in known})


def test_strangers_do_nothing():
    with pytest.raises(ValueError, match="Mallory does not play"):
        do(state(), "passed", "mallory")
    with pytest.raises(ValueError, match="Nobody does not play"):
        do(state(), "passed", None)
    with pytest.raises(ValueError, match="Mallory does not play"):
        do(start(options=COUNTS), "tokens_counted", "mallory", tokens=1)
