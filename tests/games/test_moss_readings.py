"""The readings C1 to C35 of the notes, where the rulebook leaves a question."""

from dataclasses import replace

import pytest

from companion.games.moss import evidence
from companion.games.moss.cost import Need, turn_minutes
from companion.games.moss.ending import active_suspects
from companion.games.moss.rules import GAME
from companion.games.moss.state import Due, Phase, State
from companion.rules.events import Seat
from companion.rules.game import OutOfPlace, Setup
from games.kit import (
    NAMES,
    Evening,
    actions,
    alibi,
    arrow,
    cell,
    do,
    event,
    hidden,
    lines,
    nine_out,
    roll,
    seen,
    shown,
    start,
    state,
    whole_house,
)

RUN = "2 3 4 5 1 1 2 1"
FOUR = "w1,w2,w3,w4"


def revealing(*refs: str, **more) -> State:
    return replace(state(**more), due=Due(reveal=tuple(cell(ref) for ref in refs)))


def test_c1_a_tile_6_takes_only_sixes_and_only_with_the_option():
    six = Need("Moving to c2", "number", 1, 6)
    assert [face for face in range(1, 7) if six.met_by((face,))] == [6]
    tile = "X:evidence:6:oooo:-"
    with pytest.raises(OutOfPlace, match="A tile showing 6 is not known"):
        do(revealing("c2"), "tile_revealed", cell="c2", tile=tile)
    with pytest.raises(OutOfPlace, match="A tile showing 6 is not known"):
        do(start({"pieces": "mine"}), "scene_laid", tile="Scene:scene:6:oooo:-")
    allowed = {"tile_six_exists": "yes"}
    assert do(revealing("c2", options=allowed), "tile_revealed", cell="c2", tile=tile).due.hand is not None
    walked = do(state({"c2": tile}, dice="6 1 1 1 1 1 1 2"), "moved", to="c2", dice="w1")
    assert turn_minutes(walked) == 3


@pytest.mark.parametrize(("option", "minutes"), [("yes", 7), ("no", 6)])
def test_c2_the_used_coloured_six(option, minutes):
    before = state(dice="1 2 3 4 5 1 2 6", used=["c"], options={"coloured_six_adds": option})
    assert turn_minutes(before) == minutes


def test_c3_coloured_and_sixes_count_among_the_six_used():
    rooms = {"c2": "X:suspect:1:..o.:-"}
    before = state(rooms, dice="6 1 1 1 1 1 1 1", used=["w1", "w2", "w3", "w4", "w5", "c"])
    with pytest.raises(OutOfPlace, match="Six dice may be used"):
        do(before, "moved", to="c2", dice="w6")


def test_c4_a_six_opens_locks_at_a_minute_each():
    before = state({"c2": "X:suspect:1:..l.:-"}, dice="1 6 2 2 2 2 2 1")
    assert turn_minutes(do(before, "moved", to="c2", dice="w1,w2")) == 2


def test_c5_no_run_goes_around_the_corner():
    need = Need("Gathering", "run", 4)
    assert need.met_by((6, 3, 4, 5))
    assert not need.met_by((5, 6, 1, 2))


def test_c6_passage_minutes_are_not_given_back():
    rooms = {"a1": "X:suspect:4:....:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    before = state(rooms, dice="4 2 3 3 5 5 5 6", carried=["no_time_to_lose"])
    after = do(do(before, "passage_taken", to="a1", dice="w1"), "time_skipped")
    assert after.minutes == 40


@pytest.mark.parametrize(("minutes", "phase"), [(3, Phase.ROLL), (2, Phase.LOST_TIME)])
def test_c7_standing_on_1_is_not_lost(minutes, phase):
    assert do(state(dice="1 1 1 1 1 1 1 2", minutes=minutes), "time_passed").phase is phase


def test_c7_the_marker_stops_at_0():
    assert do(state(dice="1 1 1 1 1 1 1 5", minutes=2), "time_passed").minutes == 0


def test_c8_only_the_finished_setting_counts():
    board = {"S1": "c2", "S2": "d3", **{f"S{n}": f"{'abcde'[n % 5]}5" for n in range(3, 7)}}
    clues = [alibi("a1", name) for name in NAMES if name not in {"S1", "S2"}]
    before = state(moss="c4", dice=RUN, suspects=board, clues=[*clues, arrow("single", "c4", 0)])
    assert len(evidence.eliminated(before)) == 9
    other = replace(before, clues=(*clues, arrow("single", "b3", 2), arrow("single", "c4", 4)))
    assert len(evidence.eliminated(other)) == 9
    after = do(before, "evidence_reexamined", dice=FOUR, turn="2")
    assert after.phase is Phase.ACT
    swapped = do(replace(other, carried=("switch",)), "evidence_switched", cells="b3,c4")
    assert swapped.phase is Phase.ACT


def test_c8_the_screen_warns_before_a_setting_that_leaves_nobody():
    clues = [*nine_out()[:8], arrow("single", "c3", 4)]
    board = {"S1": "c2", "S10": "c4"}
    shown = actions(state(dice=RUN, suspects=board, clues=[*clues, alibi("b2", "S10")]))
    safe, lost = shown["reexamine"], shown["reexamine-loses"]
    assert "0" not in dict(safe.inputs[0].choices)
    assert safe.warning == ""
    assert dict(lost.inputs[0].choices) == {"0": "north — down: S1"}
    assert "all ten" in lost.warning


def test_c9_revealing_the_tenth_into_a_ray_loses_at_once():
    before = revealing("c2", clues=[*nine_out(), arrow("single", "c4", 0)])
    after = do(before, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-", turn="0", token="S1")
    assert after.phase is Phase.LOST_NOBODY


def test_c9_it_loses_however_the_tile_is_laid():
    before = revealing("c2", clues=[*nine_out(), arrow("single", "c4", 0)])
    held = do(before, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-")
    assert held.phase is not Phase.LOST_NOBODY
    laid = event("tile_laid", turn="0", token="S1")
    after = GAME.apply(held, laid)
    assert after.phase is Phase.LOST_NOBODY
    assert GAME.told(held, laid, after).endswith(
        "S1 is there. Face-down: S1. All ten suspects are eliminated."
    )


def test_c10_the_last_one_unplaced_cannot_be_arrested_and_the_screen_warns():
    rooms = {"c2": "X:suspect:1:o.o.:-"}
    before = state(rooms, dice="1 2 2 2 2 2 1 1", clues=[*nine_out(), arrow("single", "c4", 0)])
    with pytest.raises(OutOfPlace, match="S1 has not come out yet"):
        do(before, "suspect_arrested", dice="w2,w3,w4,w5,w6")
    assert any("turn the arrow first" in line for line in lines(before))
    assert "all ten are eliminated" in actions(before)["move-c2"].warning


def test_c11_nothing_blocks_a_ray_and_its_own_cell_is_not_hit():
    ray = evidence.hit_by(arrow("single", "c5", 0))
    assert ray == {cell(c) for c in ("c4", "c3", "c2", "c1")}
    assert "S1" not in evidence.eliminated(state(suspects={"S1": "c5"}, clues=[arrow("single", "c5", 0)]))


def test_c12_arrows_turn_as_one_piece():
    counts = {kind: len(evidence.settings(kind)) for kind in evidence.ARROWS}
    assert (counts["four"], counts["corner"], counts["straight"], counts["single"]) == (2, 8, 4, 8)
    for turn in range(8):
        assert len({d % 2 for d in evidence.directions("four", turn)}) == 1


def test_c13_reexamine_at_once_and_again():
    before = state(dice="2 3 4 5 2 3 4 1", clues=[hidden("c3")], carried=["warrant"])
    after = do(before, "evidence_gathered", dice="w1,w2,w3", kind="single")
    after = do(after, "arrow_pointed", turn="0")
    after = do(after, "evidence_reexamined", dice="w5,w6,w7", turn="1")
    assert after.clues[0].turn == 1
    away = replace(before, moss=cell("c2"), clues=(arrow("single", "c3"),))
    with pytest.raises(OutOfPlace, match="no evidence on c2"):
        do(away, "evidence_reexamined", dice="w1,w2,w3", turn="1")


@pytest.mark.parametrize("option", ["yes", "no"])
def test_c14_the_warrant_and_reexamining(option):
    before = state(
        dice=RUN,
        clues=[arrow("single", "c3")],
        carried=["warrant"],
        options={"warrant_on_reexamine": option},
    )
    if option == "yes":
        assert do(before, "evidence_reexamined", dice="w1,w2,w3", turn="1").clues[0].turn == 1
    else:
        with pytest.raises(OutOfPlace, match="four dice in a row"):
            do(before, "evidence_reexamined", dice="w1,w2,w3", turn="1")


def test_c14_gathering_is_helped_whatever_the_option():
    options = {"warrant_on_reexamine": "no"}
    before = state(dice=RUN, clues=[hidden("c3")], carried=["warrant"], options=options)
    assert do(before, "evidence_gathered", dice="w1,w2,w3", kind="four").due.found == cell("c3")


def test_c15_an_alibi_is_reexamined_where_it_was_found():
    before = state(dice=RUN, suspects={"S1": "c2"}, clues=[alibi("c3", "S1")])
    after = do(before, "evidence_reexamined", dice=FOUR, suspect="S2")
    assert set(evidence.eliminated(after)) == {"S2"}
    with pytest.raises(OutOfPlace, match="no evidence on c2"):
        do(replace(before, moss=cell("c2")), "evidence_reexamined", dice=FOUR, suspect="S2")
    for wrong in ({"turn": "1"}, {"turn": "1", "suspect": "S2"}, {}):
        with pytest.raises(OutOfPlace, match="naming a suspect"):
            do(before, "evidence_reexamined", dice=FOUR, **wrong)


def test_c16_the_same_suspect_may_be_chosen_again():
    before = state(dice=RUN, clues=[alibi("c3", "S1")])
    assert do(before, "evidence_reexamined", dice=FOUR, suspect="S1").clues[0].on == "S1"


def test_c17_tainted_needs_another_token():
    before = state(dice=RUN, clues=[hidden("c3")])
    gone = tuple(hidden(f"a{n % 5 + 1}") for n in range(7))
    alone = replace(before, removed=gone)
    one_left = do(replace(before, removed=gone[1:]), "evidence_gathered", dice=FOUR, kind="tainted")
    assert one_left.due.found == cell("c3")
    after = do(alone, "evidence_gathered", dice=FOUR, kind="tainted")
    assert (after.clues, after.due.found, len(after.removed)) == ((), None, 8)
    told = GAME.told(alone, event("evidence_gathered", dice=FOUR, kind="tainted"), after)
    assert "nothing for it to taint" in told
    chosen = do(before, "evidence_gathered", dice=FOUR, kind="tainted")
    with pytest.raises(OutOfPlace, match="not itself"):
        do(chosen, "evidence_tainted", cell="c3")
    with pytest.raises(OutOfPlace, match="no evidence on b1"):
        do(chosen, "evidence_tainted", cell="b1")


def test_c18_tainted_takes_an_unplaced_token_blind():
    before = state(dice=RUN, clues=[hidden("c3")])
    assert before.evidence_left == 7
    after = do(do(before, "evidence_gathered", dice=FOUR, kind="tainted"), "evidence_tainted")
    assert after.evidence_left == 6
    assert after.removed[0].kind == ""
    spent = tuple(hidden("a1") for _ in range(6))
    full = replace(before, removed=spent, clues=(hidden("c3"), hidden("c2")))
    full = do(full, "evidence_gathered", dice=FOUR, kind="tainted")
    with pytest.raises(OutOfPlace, match="All evidence tokens have come out"):
        do(full, "evidence_tainted")


def test_c18_in_a_dealt_game_the_pile_shrinks():
    evening = Evening()
    top, following = evening.state.piles.evidence[:2]
    before = replace(
        evening.state,
        phase=Phase.ACT,
        due=Due(found=cell("c3")),
        clues=(replace(hidden("c3", "tainted"), shown=True),),
        piles=replace(evening.state.piles, evidence=evening.state.piles.evidence[:7]),
    )
    after = do(before, "evidence_tainted")
    assert after.piles.evidence[0] == following
    assert after.removed[0].kind == top
    assert top not in repr(seen(after))


def test_c19_the_tainted_tile_is_empty_afterwards():
    before = state(dice=RUN, clues=[hidden("c3"), hidden("c2")])
    after = do(do(before, "evidence_gathered", dice=FOUR, kind="tainted"), "evidence_tainted", cell="c2")
    assert after.clue_at(cell("c3")) is None
    assert after.clue_at(cell("c2")) is None


def test_c20_switching_keeps_settings_and_alibis():
    before = state(
        carried=["switch"], clues=[arrow("corner", "a1", 2), alibi("e5", "S1")], suspects={"S2": "e1"}
    )
    after = do(before, "evidence_switched", cells="a1,e5")
    turned, cleared = after.clues
    assert (turned.home, turned.turn) == (cell("e5"), 2)
    assert (cleared.home, cleared.on) == (cell("a1"), "S1")
    assert set(evidence.eliminated(after)) == {"S1"}


def test_c21_dealt_suspects_are_drawn_unless_the_players_choose():
    drawn, chosen = Evening(), Evening({"suspect_choice": "chosen"})
    for evening in (drawn, chosen):
        ref = next(
            c
            for c in evening.state.due.reveal
            if evening.state.piles.tiles[c] and evening.state.piles.tiles[c].icon == "suspect"
        )
        evening.do("tile_revealed", cell=str(ref))
    assert drawn.state.piles.suspects[0] not in repr(seen(drawn.state).actions)
    with pytest.raises(OutOfPlace, match="draws the suspect itself"):
        drawn.do("tile_laid", turn="0", token=drawn.state.names[0])
    first = drawn.state.piles.suspects[0]
    assert first in drawn.do("tile_laid", turn="0").names
    assert first not in drawn.state.unplaced
    with pytest.raises(OutOfPlace, match="Say which suspect was put on"):
        chosen.do("tile_laid", turn="0")
    wanted = chosen.state.names[7]
    assert wanted not in chosen.do("tile_laid", turn="0", token=wanted).unplaced


def test_c22_an_alibied_suspect_comes_out_face_down():
    before = revealing("c2", clues=[alibi("a1", "S3")])
    after = do(before, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-", turn="0", token="S3")
    marks = {mark.kind: mark for mark in shown(after, "c2").marks}
    assert marks["suspect"].down
    assert "alibi" in marks


def test_c23_the_players_choose_among_doors_out_of_the_house():
    options = {"police_car_number": "2"}
    before = revealing("a1", "c2", options=options)
    after = do(before, "tile_revealed", cell="a1", tile="X:evidence:2:looo:-", turn="0")
    assert after.due.car_at == cell("a1")
    with pytest.raises(OutOfPlace, match="First attach the Police Car to a1"):
        do(after, "tile_revealed", cell="c2", tile="Y:evidence:2:oooo:-", turn="0")
    with pytest.raises(OutOfPlace, match="in the north and west; you gave E"):
        do(after, "car_placed", side="E")
    with pytest.raises(OutOfPlace, match="known already"):
        do(after, "car_placed", side="N", number="4")
    assert do(after, "car_placed", side="N").car.side == 0
    assert set(actions(after)) >= {"attach-N", "attach-W"}


def test_c24_the_cars_number_is_asked_or_given_or_none():
    asked = do(revealing("c1"), "tile_revealed", cell="c1", tile="X:evidence:2:o.o.:-", turn="0")
    with pytest.raises(OutOfPlace, match="Say the number printed on the Police Car"):
        do(asked, "car_placed", side="N")
    assert do(asked, "car_placed", side="N", number="5").car.number == 5
    free = do(asked, "car_placed", side="N", number="0")
    home = replace(free, arrested="S1", moss=cell("c1"), due=Due(), phase=Phase.ACT)
    home = replace(home, turn=state(dice=RUN).turn)
    assert do(home, "car_reached").phase is Phase.WON
    with pytest.raises(OutOfPlace, match="needs no dice; you gave 2"):
        do(home, "car_reached", dice="w1")


def test_c24_the_scene_may_be_free():
    rooms = {"c2": "X:suspect:1:..o.:-"}
    before = state(rooms, moss="c2", dice=RUN, options={"scene_number": "free"})
    assert do(before, "moved", to="c3").moss == cell("c3")


def test_c25_no_car_before_a_door_out_of_the_house():
    before = state(dice=RUN, arrested="S1", bombs=[("c3", "c2")])
    with pytest.raises(OutOfPlace, match="The Police Car has not come yet"):
        do(before, "car_reached", dice="w1")
    assert "not come yet" in actions(before)["car"].refused


def test_c26_no_car_before_the_arrest():
    before = state(dice=RUN, car=("c3", "N", 2))
    with pytest.raises(OutOfPlace, match="with the arrested suspect only"):
        do(before, "car_reached", dice="w1")


def test_c27_a_bomb_beside_moss_turns_the_hidden_tile_up():
    before = state({"c2": "X:suspect:1:..o.:-"}, carried=["bomb"], dice="1 1 1 1 1 1 1 1")
    assert do(before, "bomb_placed", between="c3,b3").due.reveal == (cell("b3"),)
    far = do(before, "bomb_placed", between="c2,b2")
    assert far.due.reveal == ()
    assert do(far, "moved", to="c2", dice="w1").due.reveal == (cell("b2"),)


def test_c28_a_bombed_door_has_no_locks():
    rooms = {"c2": "X:suspect:1:..l.:-"}
    before = state(rooms, dice="1 2 2 2 2 2 2 2", bombs=[("c2", "c3")])
    assert do(before, "moved", to="c2", dice="w1").moss == cell("c2")


def test_c29_the_lucky_break_leaves_used_dice_alone():
    before = state(dice=RUN, used=["w1"], carried=["lucky_break"])
    with pytest.raises(OutOfPlace, match="has been used already"):
        do(before, "lucky_break_used", die="w1", face="1")
    between = state(dice=RUN, throws=1, carried=["lucky_break"])
    after = do(between, "lucky_break_used", die="w1", face="1")
    assert after.phase is Phase.ROLL


def test_c30_helpful_tokens_may_stay_in_the_pocket():
    rooms = {
        "c2": "X:suspect:1:..l.:-",
        "a1": "Y:suspect:4:....:3",
        "c3": "Scene of the Crime:scene:1:oooo:2",
    }
    before = state(
        rooms, dice="1 1 4 2 3 5 5 1", clues=[hidden("c3")], carried=["key", "warrant", "flashlight"]
    )
    assert len(do(before, "moved", to="c2", dice="w1,w2").turn.used) == 2
    assert len(do(before, "evidence_gathered", dice="w4,w5,w3,w6", kind="four").turn.used) == 4
    assert do(before, "passage_taken", to="a1", dice="w3", flashlight="no").minutes == 40


@pytest.mark.parametrize(("option", "active"), [("no", 2), ("yes", 8)])
def test_c31_active_suspects_after_a_loss(option, active):
    lost = state(
        suspects={"S1": "a1", "S2": "a2", "S3": "c2"},
        clues=[alibi("b1", "S9"), arrow("single", "c4")],
        options={"loss_counts_unplaced": option},
    )
    assert active_suspects(lost) == active
    assert active_suspects(replace(lost, arrested="S1", where=(None, *lost.where[1:]))) == active - 1


def test_c32_several_tokens_on_a_tile_are_collected_one_by_one():
    before = replace(state(dice="4 4 4 2 2 2 1 1"), lying=(("key", cell("c3")), ("bomb", cell("c3"))))
    after = do(before, "token_collected", token="bomb", dice="w1,w2,w3")
    assert after.tokens_at(cell("c3")) == ("key",)
    assert do(after, "token_collected", token="key", dice="w4,w5,w6").carried == ("bomb", "key")


def test_c33_a_turn_without_using_dice_still_takes_time():
    assert do(state(dice="1 1 1 1 1 1 1 5", throws=1), "time_passed").minutes == 40


def test_c34_after_the_arrest_evidence_no_longer_matters():
    before = state(dice=RUN, arrested="S1", clues=[*nine_out(), hidden("c3")])
    after = do(before, "evidence_gathered", dice=FOUR, kind="alibi")
    with pytest.raises(OutOfPlace, match="S1 is under arrest"):
        do(after, "alibi_given", suspect="S1")
    assert do(after, "alibi_given", suspect="S2").phase is Phase.ACT


def test_c35_the_coloured_die_may_be_held_and_thrown_again():
    before = state(dice=RUN, throws=1)
    held = do(before, "dice_held", dice="c")
    assert GAME.expects(held).dice.thrown == (("white", 7), ("coloured", 0))
    thrown = GAME.apply(before, roll("2 3 4 5 1 1 2 / 6", "r2"))
    assert thrown.turn.faces[7] == 6


def test_m29_no_face_down_tile_left_is_proof_enough():
    before = state(whole_house(), suspects={"S1": "a1"})
    assert len(evidence.eliminated(do(before, "unplaced_turned_down"))) == 9


def test_a_game_begins_with_one_to_six():
    with pytest.raises(ValueError, match="played by 1 to 6, not 0"):
        GAME.setup(Setup(()))
    with pytest.raises(ValueError, match="not 7"):
        GAME.setup(Setup(tuple(Seat(f"p{i}") for i in range(7))))
