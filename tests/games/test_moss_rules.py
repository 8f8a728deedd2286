"""The rules M1 to M47 of the notes, one test or more for each, named by it."""

from dataclasses import replace

import pytest

from companion.games.moss import catalogue, evidence, told
from companion.games.moss.events import NoteWritten
from companion.games.moss.grid import CENTRE, NEIGHBOURS
from companion.games.moss.rules import GAME
from companion.games.moss.state import Due, Flips, Phase
from companion.rules.events import DieFace
from companion.rules.game import OutOfPlace, Setup
from companion.rules.view import Dice
from games.kit import (
    ANNA,
    NAMES,
    Evening,
    actions,
    alibi,
    arrow,
    cell,
    do,
    event,
    hidden,
    nine_out,
    panel,
    roll,
    shown,
    start,
    state,
    whole_house,
)

DOOR = "X:evidence:2:l.o.:-"
FIRST = "1 2 3 4 5 6 1 / 2"


def set_up(**options: str) -> Evening:
    """A dealt game with the Scene's neighbours laid, before the first throw."""
    evening = Evening(options)
    for ref in ("c2", "d3", "c4", "b3"):
        evening.do("tile_revealed", cell=ref)
        evening.do("tile_laid", turn="0")
    return evening


def test_m1_a_whole_evening_in_small():
    before = state(
        dice="2 2 2 2 2 3 1 1", suspects={"S1": "c3"}, clues=nine_out(), car=("c3", "N", 3), minutes=9
    )
    after = do(before, "suspect_arrested", dice="w1,w2,w3,w4,w5")
    after = do(after, "car_reached", dice="w6")
    ended = GAME.outcome(after)
    assert ended is not None
    assert (ended.termination, ended.winners) == ("won", after.seats)


def test_m2_the_piles_are_mixed_by_the_deal_and_seen_by_nobody():
    one, other = (GAME.setup(Setup((ANNA,), deal=deal)).piles for deal in ("one", "other"))
    assert one != other
    for piles in (one, other):
        assert sorted(piles.suspects) == sorted(catalogue.SUSPECTS)
        assert sorted(piles.evidence) == sorted(catalogue.EVIDENCE)
        assert sorted(piles.assistance) == sorted(catalogue.ASSISTANCE)
    assert repr(one) == "Piles()"


@pytest.mark.parametrize("pile", ["suspects", "evidence", "assistance"])
def test_m2_each_pile_is_mixed_anew(pile):
    deals = [GAME.setup(Setup((ANNA,), deal=deal)).piles for deal in ("one", "other", "third")]
    assert len({getattr(piles, pile) for piles in deals}) == 3


def test_m3_the_marker_starts_on_45():
    assert (start().minutes, start().start) == (45, 45)


def test_m4_scene_and_car_are_not_dealt():
    tiles = [tile for tile in start().piles.tiles if tile is not None]
    assert len(tiles) == 24
    assert {tile.icon for tile in tiles} == {"suspect", "evidence", "assistance"}


def test_m5_five_by_five_with_the_scene_face_up_in_the_centre():
    rooms = start().rooms
    assert len(rooms) == 25
    assert [i for i, room in enumerate(rooms) if room] == [CENTRE]


def test_m5_the_rooms_are_mixed_and_lie_around_the_scene():
    deals = [GAME.setup(Setup((ANNA,), deal=deal)).piles.tiles for deal in ("one", "other", "third")]
    assert len(set(deals)) == 3
    assert [[i for i, tile in enumerate(tiles) if tile is None] for tiles in deals] == [[CENTRE]] * 3


def test_m6_the_four_neighbours_are_turned_up_and_turned_at_will():
    evening = Evening()
    assert set(evening.state.due.reveal) == set(NEIGHBOURS[CENTRE])
    evening.do("tile_revealed", cell="b3")
    sides = {shown(do(evening.state, "tile_laid", turn=str(t)), "b3").sides for t in range(4)}
    assert len(sides) > 1
    with pytest.raises(OutOfPlace, match="0 to 3 quarter turns"):
        evening.do("tile_laid", turn="4")
    with pytest.raises(OutOfPlace, match="First lay the"):
        evening.do("tile_revealed", cell="c2")


def test_m6_nothing_else_before_they_lie():
    with pytest.raises(OutOfPlace, match="First turn up c2, d3, c4 and b3"):
        GAME.apply(start(), roll(FIRST))
    with pytest.raises(OutOfPlace, match="a1 is not to be turned up now; c2, d3, c4 and b3 are"):
        do(start(), "tile_revealed", cell="a1")


def test_m6_the_first_turn_begins_once_all_four_lie():
    evening = Evening()
    for ref in ("c2", "d3", "c4", "b3"):
        assert evening.state.phase is Phase.SETUP
        evening.do("tile_revealed", cell=ref)
        evening.do("tile_laid", turn="0")
    assert evening.state.phase is Phase.ROLL
    acting = replace(state(dice="1 1 1 1 1 1 1 1"), due=Due(reveal=(cell("c2"),)))
    after = do(acting, "tile_revealed", cell="c2", tile="X:evidence:2:oooo:-", turn="0")
    assert after.phase is Phase.ACT


def test_m7_a_token_of_its_kind_comes_to_each_tile():
    revealed = set_up().state
    for c in (c for c in NEIGHBOURS[CENTRE] if c is not None):
        room = revealed.rooms[c]
        assert room is not None
        clue = revealed.clue_at(c)
        assert bool(revealed.suspect_at(c)) is (room.tile.icon == "suspect")
        assert bool(revealed.tokens_at(c)) is (room.tile.icon == "assistance")
        assert (clue is not None and not clue.shown) is (room.tile.icon == "evidence")


def test_m7_evidence_is_never_named_when_it_is_laid():
    before = replace(state(), due=Due(reveal=(cell("c2"),)))
    with pytest.raises(OutOfPlace, match="face-down and unseen"):
        do(before, "tile_revealed", cell="c2", tile="X:evidence:2:oooo:-", turn="0", token="four")


def test_m8_moss_stands_on_the_scene():
    assert start().moss == cell("c3")


def test_m9_roll_then_act_then_time():
    evening = set_up()
    with pytest.raises(OutOfPlace, match="First throw all eight dice"):
        evening.do("time_passed")
    evening.roll(FIRST, "r1")
    assert evening.do("rolling_stopped").phase is Phase.ACT
    with pytest.raises(OutOfPlace, match="throwing is over"):
        evening.roll(FIRST, "r2")
    after = evening.do("time_passed")
    assert (after.phase, after.turn.number, after.turn.faces) == (Phase.ROLL, 2, ())


def test_m9_an_action_stops_the_rolling_by_itself():
    before = state({"c2": "X:suspect:1:..o.:-"}, dice="1 2 3 4 5 5 5 2", throws=1)
    assert do(before, "moved", to="c2", dice="w1").phase is Phase.ACT


def test_m10_three_throws_with_any_dice_held():
    evening = set_up()
    assert GAME.expects(evening.state).dice.count == 8
    evening.roll(FIRST, "r1")
    evening.do("dice_held", dice="w6,c")
    waiting = GAME.expects(evening.state).dice
    assert waiting.held == (DieFace("white", "6"), DieFace("coloured", "2"))
    evening.roll("1 1 1 1 1 1 /", "r2")
    assert evening.state.turn.faces == (1, 1, 1, 1, 1, 6, 1, 2)
    evening.do("dice_held", dice="w1")
    after = evening.roll("3 3 3 3 3 3 / 5", "r3")
    assert sorted(after.turn.faces[:7]) == [1, 3, 3, 3, 3, 3, 3]
    assert (after.turn.faces[7], after.phase) == (5, Phase.ACT)


def test_m10_all_eight_in_view_keep_their_names_where_they_lie_unchanged():
    evening = set_up()
    evening.roll("1 2 3 4 5 6 6 / 2", "r1")
    evening.do("dice_held", dice="w3,w6")
    after = evening.roll("6 3 1 1 2 2 5 / 4", "r2")
    assert after.turn.faces[2] == 3
    assert after.turn.faces[5] == 6
    assert after.turn.faces[:2] == (1, 2)
    assert sorted(after.turn.faces[:7]) == [1, 1, 2, 2, 3, 5, 6]


def test_m10_a_held_face_that_is_missing_was_thrown_after_all():
    evening = set_up()
    evening.roll("1 2 3 4 5 6 6 / 2", "r1")
    evening.do("dice_held", dice="w1,w2")
    after = evening.roll("3 3 3 3 4 4 4 / 1", "r2")
    assert sorted(after.turn.faces[:7]) == [3, 3, 3, 3, 4, 4, 4]


@pytest.mark.parametrize("faces", ["1 2 3 / 4", "1 2 3 4 5 6 7 / 1", "1 2 3 4 5 6 1 2 /"])
def test_m10_a_throw_of_other_dice_is_refused(faces):
    with pytest.raises(OutOfPlace, match=r"expected|is not on these dice"):
        set_up().roll(faces, "r1")


def test_m10_the_same_throw_counts_once():
    evening = set_up()
    evening.roll(FIRST, "r1")
    with pytest.raises(OutOfPlace, match="counted already"):
        evening.roll(FIRST, "r1")


def test_m10_all_dice_held_cannot_be_thrown():
    evening = set_up()
    evening.roll(FIRST, "r1")
    evening.do("dice_held", dice="w1,w2,w3,w4,w5,w6,w7,c")
    with pytest.raises(OutOfPlace, match="All eight dice are held"):
        evening.roll("/", "r2")


def test_m11_each_die_once_and_no_more_than_asked():
    rooms = {"c2": "X:suspect:1:..o.:-", "c4": "Y:suspect:1:o...:-"}
    before = state(rooms, dice="1 1 3 4 5 5 5 2")
    with pytest.raises(OutOfPlace, match="same die was given twice"):
        do(before, "moved", to="c2", dice="w1,w1")
    with pytest.raises(OutOfPlace, match="needs one die showing 1; you gave 1 and 1"):
        do(before, "moved", to="c2", dice="w1,w2")
    with pytest.raises(OutOfPlace, match="no die 'w9'"):
        do(before, "moved", to="c2", dice="w9")
    after = do(before, "moved", to="c2", dice="w1")
    with pytest.raises(OutOfPlace, match="showing 1 lies on the player board already"):
        do(after, "moved", to="c3", dice="w1")


def test_m12_a_used_die_keeps_its_face():
    before = state({"c2": "X:suspect:1:..o.:-"}, dice="6 1 3 4 5 5 5 2")
    after = do(before, "moved", to="c2", dice="w1")
    assert after.turn.faces == before.turn.faces
    assert panel(after, Dice).dice[0].state == "used"


def test_m13_a_six_stands_for_any_number():
    before = state({"c2": "X:suspect:1:..o.:-"}, dice="6 2 3 4 5 5 5 2")
    after = do(before, "moved", to="c2", dice="w1")
    assert do(after, "time_passed").minutes == 45 - 2 - 1


@pytest.mark.parametrize(
    ("rooms", "to", "why"),
    [
        ({"c2": "X:suspect:1:....:-"}, "c2", "No doorway leads from c3 to c2"),
        ({"c2": "X:suspect:1:..o.:-"}, "b3", "b3 is still face-down"),
        ({"c1": "X:suspect:1:..o.:-"}, "c1", "c1 is not next to c3"),
    ],
)
def test_m14_where_moss_cannot_walk(rooms, to, why):
    with pytest.raises(OutOfPlace, match=why):
        do(state(rooms, dice="1 1 1 1 1 1 1 1"), "moved", to=to, dice="w1")


def test_m15_crossing_does_not_unlock():
    rooms = {"c2": "X:suspect:1:..l.:-", "c3": "Scene of the Crime:scene:2:oooo:-"}
    before = state(rooms, dice="1 1 2 2 5 5 5 2")
    after = do(before, "moved", to="c2", dice="w1,w2")
    with pytest.raises(OutOfPlace, match=r"two dice showing 2 \(one lock\)"):
        do(after, "moved", to="c3", dice="w3")
    assert do(after, "moved", to="c3", dice="w3,w4").moss == cell("c3")


def test_m16_entering_reveals_what_lies_behind_doors():
    before = state({"c2": "X:suspect:1:o.ol:-"}, dice="1 1 2 2 5 5 5 2")
    after = do(before, "moved", to="c2", dice="w1")
    assert after.due.reveal == (cell("c1"), cell("b2"))
    with pytest.raises(OutOfPlace, match="First turn up c1 and b2"):
        do(after, "time_passed")
    after = do(after, "tile_revealed", cell="b2", tile="Y:evidence:2:....:-", turn="0")
    assert after.due.reveal == (cell("c1"),)


def revealing(ref: str, **more):
    return replace(state(**more), due=Due(reveal=(cell(ref),)))


def test_m17_the_first_door_out_of_the_house_gets_the_car():
    options = {"pieces": "mine", "police_car_number": "4"}
    before = revealing("c1", options=options)
    after = do(before, "tile_revealed", cell="c1", tile=DOOR, turn="0")
    assert after.car is not None
    assert (after.car.cell, after.car.side, after.car.number) == (cell("c1"), 0, 4)
    assert "Police Car waits at c1" in GAME.told(
        before, event("tile_revealed", cell="c1", tile=DOOR, turn="0"), after
    )
    again = replace(after, due=Due(reveal=(cell("e3"),)))
    again = do(again, "tile_revealed", cell="e3", tile="Y:evidence:2:oooo:-", turn="0")
    assert again.car == after.car


def test_m17_a_wall_out_of_the_house_gets_no_car():
    before = revealing("c1", options={"pieces": "mine", "police_car_number": "4"})
    after = do(before, "tile_revealed", cell="c1", tile="X:evidence:2:.ooo:-", turn="0")
    assert (after.car, after.due) == (None, Due())


def test_m18_without_a_token_of_its_kind_the_tile_stays_empty():
    clues = [hidden(c) for c in ("a1", "a2", "a3", "a4", "a5", "b1", "b2", "b3")]
    after = do(
        revealing("c2", clues=clues), "tile_revealed", cell="c2", tile="X:evidence:2:oooo:-", turn="0"
    )
    assert len(after.clues) == 8
    assert after.rooms[cell("c2")] is not None
    placed = dict(zip(NAMES, [*("abcde"[i % 5] + str(i // 5 + 4) for i in range(10))], strict=True))
    full = revealing("c2", suspects=placed)
    with pytest.raises(OutOfPlace, match="No suspect is left"):
        do(full, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-", turn="0", token="S1")
    assert do(full, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-", turn="0").where == full.where


def test_m18_assistance_tokens_end_too():
    before = replace(revealing("c2"), spent=("bomb",) * 10)
    with pytest.raises(OutOfPlace, match="No assistance token is left"):
        do(before, "tile_revealed", cell="c2", tile="X:assistance:2:oooo:-", turn="0", token="key")
    assert do(before, "tile_revealed", cell="c2", tile="X:assistance:2:oooo:-", turn="0").lying == ()


def test_m19_passages_lead_anywhere_with_a_passage():
    rooms = {
        "a1": "X:suspect:4:....:3",
        "c3": "Scene of the Crime:scene:1:oooo:2",
        "e5": "Y:suspect:2:....:-",
    }
    before = state(rooms, dice="4 2 3 3 5 5 5 1")
    after = do(before, "passage_taken", to="a1", dice="w1")
    assert (after.moss, after.minutes) == (cell("a1"), 40)
    with pytest.raises(OutOfPlace, match="no secret passage on e5"):
        do(before, "passage_taken", to="e5", dice="w2")
    with pytest.raises(OutOfPlace, match="The passage to a1 needs one die showing 4; you gave 2"):
        do(before, "passage_taken", to="a1", dice="w2")


def test_m19_m16_a_passage_reveals_on_arrival():
    rooms = {"a1": "X:suspect:4:.o..:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    after = do(state(rooms, dice="4 2 3 3 5 5 5 1"), "passage_taken", to="a1", dice="w1")
    assert after.due.reveal == (cell("b1"),)


def test_m19_a_passage_that_takes_all_the_time_is_still_walked():
    rooms = {"a1": "X:suspect:4:.o..:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    after = do(state(rooms, dice="4 2 3 3 5 5 5 1", minutes=5), "passage_taken", to="a1", dice="w1")
    assert (after.phase, after.moss, after.minutes, after.due) == (Phase.LOST_TIME, cell("a1"), 0, Due())


def test_m20_collecting_takes_what_lies_here():
    before = state(dice="4 4 4 1 1 1 2 1", lying={"key": "c3"})
    with pytest.raises(OutOfPlace, match="There is no Bomb on c3; you can collect the Key"):
        do(before, "token_collected", token="bomb", dice="w1,w2,w3")
    with pytest.raises(OutOfPlace, match="three dice of one number; you gave 4, 4 and 1"):
        do(before, "token_collected", token="key", dice="w1,w2,w4")


def test_m21_a_dropped_token_is_collected_again():
    before = replace(state(dice="4 4 4 1 1 1 2 1"), carried=("key", "bomb", "switch", "informant"))
    dropped = do(before, "token_dropped", token="key")
    assert do(dropped, "token_collected", token="key", dice="w1,w2,w3").carried[-1] == "key"
    with pytest.raises(
        OutOfPlace, match="do not carry the Flashlight; you carry the Key, the Bomb, Switch 2 and the Inf"
    ):
        do(before, "token_dropped", token="flashlight")


def test_m21_tokens_work_before_the_first_throw():
    before = state(carried=["bomb"], throws=0)
    assert do(before, "bomb_placed", between="a1,a2").spent == ("bomb",)


@pytest.mark.parametrize(
    ("kind", "word", "args"),
    [
        ("bomb", "bomb_placed", {"between": "a1,a2"}),
        ("switch", "evidence_switched", {"cells": "a1,e5"}),
        ("no_time_to_lose", "time_skipped", {}),
    ],
)
def test_m21_a_token_marked_1x_leaves_the_game(kind, word, args):
    before = state(dice="2 3 4 5 1 1 2 1", carried=["key", kind], clues=[hidden("a1"), hidden("e5")])
    after = do(before, word, **args)
    assert (after.carried, after.spent) == (("key",), (kind,))
    with pytest.raises(OutOfPlace, match=r"First throw|You do not carry"):
        do(after, word, **args)


def test_m22_gathering_turns_the_token_up():
    before = state(dice="2 3 4 5 1 1 2 1", clues=[hidden("c3")])
    after = do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="four")
    assert after.due.found == cell("c3")
    with pytest.raises(OutOfPlace, match="First point the arrow found on c3"):
        do(after, "time_passed")
    with pytest.raises(OutOfPlace, match="There is no evidence on c3"):
        do(state(dice="2 3 4 5 1 1 2 1"), "evidence_gathered", dice="w1,w2,w3,w4", kind="four")


def test_m22_dealt_evidence_is_told_by_the_companion():
    evening = set_up()
    before = replace(
        evening.state, phase=Phase.ACT, clues=(hidden("c3", "corner"),),
        turn=replace(evening.state.turn, throws=3, faces=(2, 3, 4, 5, 1, 1, 1, 1)),
    )  # fmt: skip
    after = do(before, "evidence_gathered", dice="w1,w2,w3,w4")
    assert after.clues[0].kind == "corner"
    with pytest.raises(OutOfPlace, match="The companion dealt this evidence"):
        do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="corner")


def test_m22_m26_hidden_evidence_is_gathered_and_shown_evidence_re_examined():
    seen_already = state(dice="2 3 4 5 1 1 2 1", clues=[arrow("single", "c3")])
    with pytest.raises(OutOfPlace, match="turned up already; re-examine it instead"):
        do(seen_already, "evidence_gathered", dice="w1,w2,w3,w4", kind="four")
    unseen = state(dice="2 3 4 5 1 1 2 1", clues=[hidden("c3", "single")])
    with pytest.raises(OutOfPlace, match="still hidden; gather it first"):
        do(unseen, "evidence_reexamined", dice="w1,w2,w3,w4", turn="2")


def gathered(kind: str, **more):
    clues = [hidden("c3"), *more.pop("clues", ())]
    before = state(dice="2 3 4 5 1 1 2 1", clues=clues, **more)
    return do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind=kind)


@pytest.mark.parametrize(
    ("kind", "aims"),
    [
        ("four", {0, 90, 180, 270}),
        ("corner", {0, 90}),
        ("straight", {0, 180}),
        ("single", {0}),
        ("three", {0, 90, 270}),
        ("narrow", {0, 45}),
        ("wide", {0, 135}),
    ],
)
def test_m23_the_shapes_of_arrows_in_degrees(kind, aims):
    assert {45 * direction for direction in evidence.directions(kind, 0)} == aims


def test_m23_an_arrow_points_along_rows_columns_or_diagonals():
    before = gathered("single", suspects={"S1": "c1", "S2": "e5", "S3": "d3"})
    for turn, hit in ((0, {"S1"}), (3, {"S2"}), (2, {"S3"}), (4, set())):
        assert set(evidence.eliminated(do(before, "arrow_pointed", turn=str(turn)))) == hit
    with pytest.raises(OutOfPlace, match="0 to 7 steps"):
        do(before, "arrow_pointed", turn="8")


def test_m24_an_alibi_clears_any_suspect():
    before = gathered("alibi", suspects={"S1": "c1"})
    for name in ("S1", "S2"):
        after = do(before, "alibi_given", suspect=name)
        assert [str(c) for c in evidence.eliminated(after)[name]] == ["Alibi found on c3"]
    with pytest.raises(OutOfPlace, match="no suspect 'Nobody'"):
        do(before, "alibi_given", suspect="Nobody")


def test_m25_tainted_takes_another_token_and_both_leave():
    before = gathered("tainted", clues=[arrow("single", "c4", 0)], suspects={"S1": "c2"})
    assert set(evidence.eliminated(before)) == {"S1"}
    after = do(before, "evidence_tainted", cell="c4")
    assert (after.clues, len(after.removed)) == ((), 2)
    assert evidence.eliminated(after) == {}


def test_m26_reexamining_turns_the_arrow_for_the_same_dice():
    before = state(
        dice="2 3 4 5 1 1 2 1", clues=[arrow("single", "c3", 0)], suspects={"S1": "c2", "S2": "d3"}
    )
    after = do(before, "evidence_reexamined", dice="w1,w2,w3,w4", turn="2")
    assert set(evidence.eliminated(after)) == {"S2"}
    assert (after.flips.down, after.flips.up) == (("S2",), ("S1",))
    with pytest.raises(OutOfPlace, match="changed by turning it"):
        do(before, "evidence_reexamined", dice="w1,w2,w3,w4", suspect="S1")
    for both_or_neither in ({"turn": "1", "suspect": "S1"}, {}):
        with pytest.raises(OutOfPlace, match="changed by turning it"):
            do(before, "evidence_reexamined", dice="w1,w2,w3,w4", **both_or_neither)
    with pytest.raises(OutOfPlace, match="four dice in a row"):
        do(before, "evidence_reexamined", dice="w1,w2,w5,w6", turn="2")


def test_m27_every_cause_is_named():
    clues = [arrow("corner", "a1", 2), alibi("b2", "S1"), arrow("single", "d2", 7)]
    causes = evidence.eliminated(state(suspects={"S1": "c1"}, clues=clues))["S1"]
    assert [str(cause) for cause in causes] == [
        "Alibi found on b2",
        "Right-angle arrow on a1, pointing east",
        "Single arrow on d2, pointing north-west",
    ]


ALL_BUT_C1 = {c: text for c, text in whole_house().items() if c != "c1"}
UP = arrow("single", "c4", 0)
TILE = {"tile": "X:suspect:2:..o.:-"}


@pytest.mark.parametrize(
    ("before", "word", "args", "flips"),
    [
        (gathered("single", suspects={"S1": "c2"}), "arrow_pointed", {"turn": "0"}, Flips(down=("S1",))),
        (gathered("alibi"), "alibi_given", {"suspect": "S2"}, Flips(down=("S2",))),
        (
            gathered("tainted", clues=[UP], suspects={"S1": "c2"}),
            "evidence_tainted",
            {"cell": "c4"},
            Flips(up=("S1",)),
        ),
        (
            state(clues=[UP, hidden("a1")], suspects={"S1": "c2"}, carried=["switch"]),
            "evidence_switched",
            {"cells": "c4,a1"},
            Flips(up=("S1",)),
        ),
        (
            state(ALL_BUT_C1, clues=[UP], suspects=dict.fromkeys(NAMES[2:], "a1")),
            "unplaced_turned_down",
            {},
            Flips(down=("S1", "S2")),
        ),
        (
            revealing("c2", clues=[UP]),
            "tile_revealed",
            {**TILE, "cell": "c2", "turn": "0", "token": "S4"},
            Flips(down=("S4",)),
        ),
        (
            do(revealing("c2", clues=[UP]), "tile_revealed", cell="c2", **TILE),
            "tile_laid",
            {"turn": "0", "token": "S4"},
            Flips(down=("S4",)),
        ),
    ],
)
def test_m27_m28_after_each_change_it_is_told_whom_to_flip(before, word, args, flips):
    assert do(before, word, **args).flips == flips


def test_m28_a_suspect_revealed_in_a_ray_lies_face_down():
    before = revealing("c2", clues=[arrow("single", "c4", 0)])
    after = do(before, "tile_revealed", cell="c2", tile="X:suspect:2:..o.:-", turn="0", token="S4")
    marks = shown(after, "c2").marks
    assert [(mark.label, mark.down) for mark in marks if mark.kind == "suspect"] == [("S4", True)]


def test_m29_unplaced_suspects_are_turned_down_once_it_is_proved():
    before = state(ALL_BUT_C1, clues=[arrow("single", "c4", 0)], suspects={"S1": "a1", "S2": "a2"})
    assert evidence.eliminated(before) == {}
    after = do(before, "unplaced_turned_down")
    out = evidence.eliminated(after)
    assert set(out) == set(NAMES) - {"S1", "S2"}
    assert "face-down is pointed at" in str(out["S3"][0])
    unproved = replace(before, clues=(arrow("single", "c4", 2),))
    with pytest.raises(OutOfPlace, match="where no arrow points: c1"):
        do(unproved, "unplaced_turned_down")


def test_m29_the_proof_falls_with_the_arrow():
    before = state(
        ALL_BUT_C1, moss="c4", dice="2 3 4 5 1 1 2 1", clues=[arrow("single", "c4", 0)],
        suspects={"S1": "a1", "S2": "a2"},
    )  # fmt: skip
    proved = do(before, "unplaced_turned_down")
    after = do(proved, "evidence_reexamined", dice="w1,w2,w3,w4", turn="4")
    assert evidence.eliminated(after) == {}
    assert set(after.flips.up) == set(NAMES) - {"S1", "S2"}


def test_m29_turned_up_again_they_stay_up_until_they_are_turned_down_again():
    before = state(
        ALL_BUT_C1, moss="c4", dice="2 3 4 5 2 3 4 1", clues=[arrow("single", "c4", 0)],
        suspects={"S1": "a1", "S2": "a2"}, carried=["warrant"],
    )  # fmt: skip
    away = do(do(before, "unplaced_turned_down"), "evidence_reexamined", dice="w1,w2,w3", turn="4")
    back = do(away, "evidence_reexamined", dice="w5,w6,w7", turn="0")
    assert evidence.eliminated(back) == {}
    assert "proof" in actions(back)
    assert len(evidence.eliminated(do(back, "unplaced_turned_down"))) == 8


def test_m29_the_arrested_one_is_not_among_those_turned_down():
    before = replace(state(ALL_BUT_C1, clues=[arrow("single", "c4", 0)], arrested="S1"), proved=True)
    assert set(evidence.eliminated(before)) == evidence.out(before) == set(NAMES) - {"S1"}


def test_m30_the_arrest_is_made_on_the_last_suspects_tile():
    before = state(dice="2 2 2 2 2 1 1 1", suspects={"S1": "c2"}, clues=nine_out())
    with pytest.raises(OutOfPlace, match="S1 is on c2; Moss is on c3"):
        do(before, "suspect_arrested", dice="w1,w2,w3,w4,w5")
    here = replace(before, moss=cell("c2"))
    with pytest.raises(
        OutOfPlace, match="The arrest needs five dice of one number; you gave 2, 2, 2, 2 and 1"
    ):
        do(here, "suspect_arrested", dice="w1,w2,w3,w4,w6")
    after = do(here, "suspect_arrested", dice="w1,w2,w3,w4,w5")
    assert (after.arrested, after.where[0]) == ("S1", None)
    assert after.unplaced == before.unplaced


def test_m31_the_car_is_reached_through_its_door():
    rooms = {"c3": "Scene of the Crime:scene:1:l...:-"}
    before = state(rooms, dice="4 4 2 2 2 1 1 1", arrested="S1", car=("c3", "N", 4))
    with pytest.raises(
        OutOfPlace, match=r"The Police Car needs two dice showing 4 \(one lock\); you gave 4"
    ):
        do(before, "car_reached", dice="w1")
    assert do(before, "car_reached", dice="w1,w2").phase is Phase.WON
    assert do(replace(before, carried=("key",)), "car_reached", dice="w1").phase is Phase.WON


def test_m31_the_car_waits_where_it_stands():
    rooms = {"c2": "X:suspect:1:o.o.:-"}
    before = state(rooms, dice="4 4 2 2 2 1 1 1", arrested="S1", car=("c2", "N", 4))
    with pytest.raises(OutOfPlace, match="The Police Car stands at c2; Moss is on c3"):
        do(before, "car_reached", dice="w1")


def test_m32_m33_time_is_paid_and_the_next_turn_begins():
    after = do(state(dice="6 6 2 2 2 1 1 4", used=("w1",)), "time_passed")
    assert (after.minutes, after.turn.number, after.phase) == (40, 2, Phase.ROLL)


def test_m34_the_winning_turn_costs_nothing():
    before = state(dice="6 6 2 2 2 1 1 6", arrested="S1", car=("c3", "N", 4), minutes=2)
    after = do(before, "car_reached", dice="w1")
    assert (after.minutes, after.phase) == (2, Phase.WON)


def test_m35_time_below_1_loses():
    after = do(state(dice="6 6 2 2 2 1 1 6", minutes=3), "time_passed")
    ended = GAME.outcome(after)
    assert ended is not None
    assert ended.termination == "lost_time"
    assert ended.winners == ()


def test_m36_all_ten_eliminated_loses_at_any_time():
    before = gathered("alibi", clues=nine_out())
    assert do(before, "alibi_given", suspect="S5").phase is Phase.ACT
    after = do(before, "alibi_given", suspect="S1")
    ended = GAME.outcome(after)
    assert ended is not None
    assert ended.termination == "lost_nobody"


def test_m37_levels_are_options():
    level = next(option for option in GAME.options if option.name == "level")
    assert [value for value, _ in level.choices] == ["60", "45", "30", "adaptive"]


def test_m38_the_next_start_is_carried_over():
    won = replace(state(minutes=10), phase=Phase.WON, arrested="S1")
    carried = GAME.keeps(won)
    assert carried["next_start"] == "35"
    assert carried["last_start"] == "45"
    following = GAME.setup(Setup((ANNA,), options={"level": "adaptive"}, carried=carried))
    assert (following.start, following.minutes) == (35, 35)
    assert GAME.keeps(following)["next_start"] == "35"
    for bad in ("soon", "0", "-3"):
        with pytest.raises(ValueError, match=f"next_start cannot be '{bad}'"):
            GAME.setup(Setup((ANNA,), options={"level": "adaptive"}, carried={"next_start": bad}))


def test_m38_no_start_below_one_minute():
    won = replace(state(minutes=45), phase=Phase.WON, arrested="S1")
    assert GAME.keeps(won)["next_start"] == "1"


def test_m39_the_key_opens_locks():
    rooms = {"c2": "X:suspect:1:..l.:-", "c3": "Scene of the Crime:scene:2:l...:-"}
    before = state(rooms, dice="1 1 1 2 5 5 5 2", carried=["key"])
    assert do(before, "moved", to="c2", dice="w1").moss == cell("c2")


def test_m40_the_warrant_makes_three_enough():
    before = state(dice="2 3 4 5 1 1 2 1", clues=[hidden("c3")], carried=["warrant"])
    assert do(before, "evidence_gathered", dice="w1,w2,w3", kind="four").due.found == cell("c3")


def test_m41_the_lucky_break_turns_one_white_die_a_turn():
    before = state(dice="2 3 4 5 1 1 2 1", carried=["lucky_break"])
    after = do(before, "lucky_break_used", die="w5", face="6")
    assert after.turn.faces[4] == 6
    with pytest.raises(OutOfPlace, match="works again in the next"):
        do(after, "lucky_break_used", die="w6", face="6")
    with pytest.raises(OutOfPlace, match="white die only"):
        do(before, "lucky_break_used", die="c", face="1")
    with pytest.raises(OutOfPlace, match="shows 1 to 6"):
        do(before, "lucky_break_used", die="w1", face="7")
    with pytest.raises(OutOfPlace, match="carry no Lucky Break"):
        do(replace(before, carried=()), "lucky_break_used", die="w1", face="1")
    assert do(do(after, "time_passed"), "note_written", text="x").turn.lucky == 0


def test_m41_two_lucky_breaks_work_once_each():
    before = state(dice="2 3 4 5 1 1 2 1", carried=["lucky_break", "lucky_break"])
    after = do(do(before, "lucky_break_used", die="w5", face="6"), "lucky_break_used", die="w6", face="5")
    assert after.turn.faces[4:6] == (6, 5)
    with pytest.raises(OutOfPlace, match="works again in the next"):
        do(after, "lucky_break_used", die="w7", face="6")


def test_m42_the_informant_shows_one_seat_the_hidden_token():
    before = state(clues=[hidden("c3", "four")], carried=["informant"])
    after = do(before, "informant_used")
    assert after.clues[0].peeked == {ANNA}
    assert not after.clues[0].shown
    with pytest.raises(OutOfPlace, match="do not carry the Informant"):
        do(replace(before, carried=()), "informant_used")
    with pytest.raises(OutOfPlace, match="no hidden evidence on c3"):
        do(replace(before, clues=()), "informant_used")
    with pytest.raises(OutOfPlace, match="on a player's own screen"):
        do(before, "informant_used", by=None)


def test_m43_the_flashlight_saves_the_minutes():
    rooms = {"a1": "X:suspect:4:....:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    before = state(rooms, dice="4 2 3 3 5 5 5 1", carried=["flashlight"])
    assert do(before, "passage_taken", to="a1", dice="w1").minutes == 45


def test_m44_the_secret_passageway_is_a_passage_where_it_lies():
    rooms = {"a1": "X:suspect:4:....:3", "c2": "Y:assistance:2:..o.:-"}
    before = state(rooms, dice="4 4 4 3 5 5 5 1", carried=["passageway"])
    with pytest.raises(OutOfPlace, match="no secret passage on c3"):
        do(before, "passage_taken", to="a1", dice="w1")
    placed = do(before, "passageway_placed", cell="c3")
    after = do(placed, "passage_taken", to="a1", dice="w1")
    assert (after.moss, after.minutes) == (cell("a1"), 45 - 3 - 1)
    again = do(placed, "token_collected", token="passageway", dice="w1,w2,w3")
    assert again.carried == ("passageway",)


def test_m44_placed_on_a_hidden_tile_it_turns_that_up():
    before = state(carried=["passageway"], throws=0)
    after = do(before, "passageway_placed", cell="e5")
    assert after.due.reveal == (cell("e5"),)
    after = do(after, "tile_revealed", cell="e5", tile="X:assistance:2:....:-", turn="0", token="bomb")
    assert after.tokens_at(cell("e5")) == ("passageway", "bomb")
    assert after.passage_at(cell("e5")) == 1


def test_m44_the_better_of_two_passage_numbers_counts():
    rooms = {"a1": "X:suspect:4:....:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    before = state(rooms, dice="4 4 4 3 5 5 5 1", carried=["passageway"])
    assert before.passage_at(cell("c3")) == 2
    placed = do(before, "passageway_placed", cell="c3")
    assert placed.passage_at(cell("c3")) == 1
    with pytest.raises(OutOfPlace, match="do not carry the Secret Passageway"):
        do(placed, "passageway_placed", cell="c2")


@pytest.mark.parametrize(("option", "number"), [({}, 1), ({"passage_token_number": "4"}, 4)])
def test_m44_the_tokens_own_number_is_an_option(option, number):
    assert state(lying={"passageway": "c3"}, options=option).passage_at(cell("c3")) == number


def test_m45_no_time_to_lose_skips_the_minutes_once():
    before = state(dice="6 4 4 3 5 5 5 6", used=["w1"], carried=["no_time_to_lose"], minutes=3)
    after = do(before, "time_skipped")
    assert (after.minutes, after.spent, after.turn.number) == (3, ("no_time_to_lose",), 2)
    with pytest.raises(OutOfPlace, match="do not carry No Time to Lose"):
        do(replace(before, carried=()), "time_skipped")


def test_m46_switch_swaps_two_evidence_tokens():
    clues = [arrow("single", "c4", 0), hidden("a1", "four")]
    before = state(clues=clues, suspects={"S1": "c2"}, carried=["switch"])
    after = do(before, "evidence_switched", cells="c4,a1")
    assert {(str(c.home), c.kind, c.shown) for c in after.clues} == {
        ("a1", "single", True),
        ("c4", "four", False),
    }
    assert evidence.eliminated(after) == {}
    assert after.spent == ("switch",)
    with pytest.raises(OutOfPlace, match="no evidence on b2 to switch"):
        do(before, "evidence_switched", cells="c4,b2")
    for cells in ("c4,c4", "c4", "", "c4,a1,c4"):
        with pytest.raises(OutOfPlace, match="two different"):
            do(before, "evidence_switched", cells=cells)


def test_m47_a_bomb_opens_a_doorway_for_good():
    rooms = {"c2": "X:suspect:1:....:-"}
    before = state(rooms, dice="1 4 4 3 5 5 5 1", carried=["bomb"])
    after = do(before, "bomb_placed", between="c2,c3")
    assert do(after, "moved", to="c2", dice="w1").moss == cell("c2")
    assert after.spent == ("bomb",)
    for between in ("c2", "", "c2,c3,c4"):
        with pytest.raises(OutOfPlace, match="between two tiles"):
            do(before, "bomb_placed", between=between)
    with pytest.raises(OutOfPlace, match="not neighbours"):
        do(before, "bomb_placed", between="a1,c3")
    with pytest.raises(OutOfPlace, match="opened the wall between"):
        do(replace(after, carried=("bomb",)), "bomb_placed", between="c3,c2")


def test_m47_the_doorway_stays_open_in_later_turns():
    before = state({"c2": "X:suspect:1:....:-"}, dice="1 4 4 3 5 5 5 1", bombs=[("c2", "c3")])
    thrown = GAME.apply(do(before, "time_passed"), roll(FIRST))
    assert do(thrown, "moved", to="c2", dice="w1").moss == cell("c2")


def awaited(before) -> set[str]:
    return {tap.word for tap in GAME.expects(before).taps}


def test_only_what_can_be_is_awaited():
    nine = state(dice="1 1 1 1 1 1 1 1", clues=nine_out(), suspects={"S1": "c3"})
    assert "suspect_arrested" in awaited(nine)
    assert "suspect_arrested" not in awaited(replace(nine, clues=nine.clues[1:]))
    caught = replace(nine, arrested="S1", where=(None,) * 10)
    assert not {"suspect_arrested", "car_reached"} & awaited(caught)
    provable = state(ALL_BUT_C1, clues=[arrow("single", "c4", 0)], suspects={"S1": "a1", "S2": "a2"})
    assert "unplaced_turned_down" in awaited(provable)
    assert "unplaced_turned_down" not in awaited(do(provable, "unplaced_turned_down"))
    assert "unplaced_turned_down" not in awaited(replace(provable, clues=()))
    everybody = replace(provable, where=tuple(c for c in NEIGHBOURS[cell("b2")] * 3)[:10])
    assert "unplaced_turned_down" not in awaited(everybody)
    bare = {"moved", "time_passed", "note_written", "suspect_named"}
    assert awaited(state(dice="1 1 1 1 1 1 1 1")) == bare
    assert awaited(state(dice="1 1 1 1 1 1 1 1", carried=["bomb"])) == bare | {"bomb_placed"}


def test_notes_belong_to_a_seat():
    before = start()
    assert do(before, "note_written", text="S4 lied").notes == ((ANNA, "S4 lied"),)
    with pytest.raises(OutOfPlace, match="on your own screen"):
        do(before, "note_written", by=None, text="x")
    with pytest.raises(OutOfPlace, match="empty"):
        do(before, "note_written", text=" ")


@pytest.mark.parametrize("kind", [kind for kind in GAME.events if kind is not NoteWritten])
def test_what_does_not_come_now_is_called_by_its_name(kind):
    said = told.refusal(kind, "First throw all eight dice.")
    assert said.endswith(" does not come now. First throw all eight dice.")
    assert not said.startswith("This")


def test_a_passage_that_takes_all_the_time_tells_its_full_price():
    rooms = {"a1": "X:suspect:4:....:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    before = state(rooms, dice="4 2 3 3 5 5 5 1", minutes=2)
    taken = event("passage_taken", to="a1", dice="w1")
    after = GAME.apply(before, taken)
    assert GAME.told(before, taken, after) == (
        "Moss took the passage to a1 (1 die: 4; 5 minutes at once). Time has run out."
    )
    light = replace(before, carried=("flashlight",))
    assert "(1 die: 4; no minutes)" in GAME.told(light, taken, GAME.apply(light, taken))
    off = event("passage_taken", to="a1", dice="w1", flashlight="no")
    assert "5 minutes at once" in GAME.told(light, off, GAME.apply(light, off))


def test_nothing_comes_after_the_end():
    won = replace(state(), phase=Phase.WON, arrested="S1")
    assert GAME.expects(won).taps == ()
    assert GAME.expects(won).dice is None
    assert actions(won) == {}
    with pytest.raises(OutOfPlace, match="The game is over"):
        do(won, "note_written", text="x")
