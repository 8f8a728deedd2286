"""What the screens offer: whole actions with prices, choices, reasons and warnings."""

from dataclasses import replace

import pytest

from companion.games.moss.desk import reveal_risk
from companion.games.moss.evidence import KINDS
from companion.games.moss.rules import GAME
from companion.games.moss.state import Due
from companion.games.moss.tiles import Tile
from games.detective import tapped
from games.kit import (
    ANNA,
    NAMES,
    actions,
    alibi,
    arrow,
    cell,
    do,
    hidden,
    lines,
    nine_out,
    seen,
    shown,
    start,
    state,
    whole_house,
)

RUN = "2 3 4 5 1 1 2 1"


ROOMS = {
    "c2": "Study:suspect:4:..l.:2",
    "b3": "Den:suspect:5:.o..:-",
    "d3": "Hall:evidence:2:....:-",
    "c3": "Scene of the Crime:scene:1:oooo:1",
}


def test_moves_carry_the_cheapest_dice_and_their_price():
    offered = actions(state(ROOMS, dice="4 6 6 1 1 5 5 5"))
    study = offered["move-c2"]
    assert (study.word, study.args["to"], study.args["dice"]) == ("moved", "c2", "w1,w2")
    assert study.cost == "2 dice: 4 6, +1 minute"
    assert study.cell == "c2"
    assert offered["move-b3"].args["dice"] == "c"
    assert "move-d3" not in offered
    assert offered["passage-c2"].cost == "1 die: 4, 3 minutes at once"


def test_the_board_tells_how_to_get_there():
    before = state(ROOMS, dice="4 2 2 1 1 2 2 2")
    assert shown(before, "c2").note == "passage: 4"
    assert shown(before, "c2").reachable
    assert not shown(before, "b3").reachable
    assert shown(state(ROOMS, dice="4 6 2 1 1 2 2 2"), "c2").note == "walk: 4 4 (with one six)"
    assert shown(state(ROOMS), "c2").reachable is False


def test_a_free_step_is_offered_with_its_warning():
    rooms = {"c2": "Study:suspect:4:....:2", "c3": "Scene of the Crime:scene:1:oooo:1"}
    before = state(rooms, moss="c2", dice="4 2 2 1 1 2 2 2", minutes=3, options={"scene_number": "free"})
    offered = actions(before)["passage-c3"]
    assert (offered.cost, offered.args["dice"]) == ("no dice, 3 minutes at once", "")
    assert "the game is lost" in offered.warning


def test_what_cannot_be_paid_says_why():
    offered = actions(state(ROOMS, dice="4 3 3 1 1 1 1 2", clues=[hidden("c3")], lying={"key": "c3"}))
    assert offered["move-c2"].refused == (
        "Moving to c2 needs two dice showing 4 (one lock); there are 1, 1, 1, 1, 2, 3, 3 and 4."
    )
    assert offered["move-b3"].refused.startswith("Moving to b3 needs one die showing 5")
    full = actions(state(ROOMS, dice="4 4 4 4 4 4 4 2", used=["w1", "w2", "w3", "w4", "w5"]))
    assert "only one more may be used" in full["move-c2"].refused
    spent = actions(state(ROOMS, dice="4 4 4 4 4 4 4 2", used=["w1", "w2", "w3", "w4", "w5", "w6"]))
    assert spent["move-b3"].refused == "Moving to b3 needs one die showing 5; six are used already."


def test_several_ways_to_pay_are_offered_the_best_first():
    before = state(ROOMS, dice="2 2 2 3 3 6 1 1", lying={"key": "c3"})
    offered = actions(before)
    costs = [offered[ident].cost for ident in ("collect-key", "collect-key-2", "collect-key-3")]
    assert costs[0] == "3 dice: 2 2 2"
    assert set(costs[1:]) == {"3 dice: 3 3 6, +1 minute", "3 dice: 1 1 6, +1 minute"}
    assert offered["collect-key"].args == {"token": "key", "dice": "w1,w2,w3"}
    gather = actions(state(dice="1 2 3 4 5 6 6 1", clues=[hidden("c3")]))["gather"]
    assert (gather.cost, gather.lead) == ("4 dice: 1 2 3 4", True)


def test_dice_that_open_the_next_door_are_kept():
    rooms = {"c2": "Study:suspect:2:..o.:-"}
    before = state(rooms, dice="2 2 2 3 3 3 1 1", lying={"key": "c3"})
    assert actions(before)["collect-key"].cost == "3 dice: 3 3 3"


def test_every_offer_that_is_not_refused_is_accepted():
    before = state(
        ROOMS, dice="4 4 6 2 3 5 5 1", clues=[hidden("c3"), arrow("four", "b3")], lying={"key": "c3"},
        carried=["bomb", "switch", "lucky_break"],
    )  # fmt: skip
    offered = [
        action for action in actions(before).values() if not action.refused and action.group != "Notes"
    ]
    assert len(offered) > 10
    for action in offered:
        for asked in action.inputs:
            for value, _ in asked.choices:
                GAME.apply(before, tapped(action, 1.0, **{asked.name: value}))


BESIDE = {
    "c3": "Scene of the Crime:scene:1:oooo:-",
    "c2": "Study:suspect:4:..o.:-",
    "d3": "Den:suspect:4:....:-",
}


def test_a_bomb_is_one_offer_with_the_walls_beside_moss_first():
    offered = actions(state(BESIDE, carried=["bomb"]))
    assert [ident for ident in offered if "bomb" in ident] == ["bomb"]
    (asked,) = offered["bomb"].inputs
    choices = dict(asked.choices)
    assert choices["c3,d3"] == "Scene of the Crime (c3) and Den (d3)"
    assert choices["c1,c2"] == "c1, face-down and Study (c2)"
    assert "c2,c3" not in choices
    assert "a1,a2" not in choices
    assert ["c3" in value for value in choices] == sorted(
        ("c3" in value for value in choices), reverse=True
    )
    assert asked.default == asked.choices[0][0]


def test_switch_2_is_one_offer_that_tells_whom_each_pair_turns():
    board = {"S1": "c1", "S2": "d1"}
    clues = [arrow("single", "c4"), hidden("d4"), hidden("a1")]
    offered = actions(state(clues=clues, suspects=board, carried=["switch"]))
    assert [ident for ident in offered if ident.startswith("switch")] == ["switch"]
    assert dict(offered["switch"].inputs[0].choices) == {
        "c4,d4": "single arrow of c4 and hidden evidence of d4 — down: S2; up again: S1",
        "c4,a1": "single arrow of c4 and hidden evidence of a1 — up again: S1",
        "d4,a1": "hidden evidence of d4 and hidden evidence of a1 — changes nobody",
    }
    homes = ("a2", "a3", "a4", "a5", "b1", "b2", "b3", "b4", "b5")
    alibis = [alibi(home, name) for home, name in zip(homes, (*NAMES[:1], *NAMES[2:]), strict=True)]
    useless_first = actions(state(clues=clues[::-1], suspects=board, carried=["switch"]))["switch"]
    assert [value for value, _ in useless_first.inputs[0].choices] == ["a1,c4", "d4,c4", "a1,d4"]
    last = actions(state(clues=[*clues, *alibis], suspects=board, carried=["switch"]))
    assert "all ten" in last["switch-loses"].warning
    assert "c4,d4" in dict(last["switch-loses"].inputs[0].choices)
    assert "c4,d4" not in dict(last["switch"].inputs[0].choices)
    alone = actions(state(clues=clues[:1], carried=["switch"]))["switch"]
    assert alone.refused == "Switch 2 needs two evidence tokens that have come out."


def test_the_secret_passageway_is_one_offer_and_risky_tiles_stand_apart():
    offered = actions(state(BESIDE, carried=["passageway"]))
    assert [ident for ident in offered if "passageway" in ident] == ["passageway"]
    choices = offered["passageway"].inputs[0].choices
    assert len(choices) == 25
    assert choices[0] == ("c3", "Scene of the Crime (c3)")
    assert dict(choices)["e5"] == "e5, face-down"
    risky = actions(state(BESIDE, carried=["passageway"], clues=[*nine_out(), arrow("single", "e3", 4)]))
    assert dict(risky["passageway-risks"].inputs[0].choices).keys() == {"e4", "e5"}
    assert risky["passageway-risks"].label == "Put the Secret Passageway on a tile, at a risk"
    assert "S1 comes out on e4" in risky["passageway-risks"].warning
    assert "S1 comes out on e5" in risky["passageway-risks"].warning
    assert not {"e4", "e5"} & dict(risky["passageway"].inputs[0].choices).keys()
    assert risky["passageway"].warning == ""


def test_a_bomb_that_turns_up_a_tile_in_a_ray_stands_apart():
    rooms = {"c3": "Scene of the Crime:scene:1:oooo:-", "c2": "Study:suspect:4:..o.:-"}
    clues = [*nine_out(), arrow("four", "d3", 0), arrow("single", "b4", 0)]
    offered = actions(state(rooms, carried=["bomb"], clues=clues))
    assert dict(offered["bomb-risks"].inputs[0].choices).keys() == {"b3,c3"}
    assert "S1 comes out on b3" in offered["bomb-risks"].warning
    assert {"b2,c2", "c3,c4", "c3,d3"} <= dict(offered["bomb"].inputs[0].choices).keys()


def test_turning_up_a_tile_in_a_ray_is_warned_of():
    due = Due(reveal=(cell("c2"), cell("b3")))
    before = replace(state(clues=[*nine_out(), arrow("single", "c4", 0)]), due=due)
    assert "S1 comes out on c2" in actions(before)["reveal-c2"].warning
    assert actions(before)["reveal-b3"].warning == ""


def test_what_loses_never_leads():
    clues = [hidden("c3"), *nine_out()]
    found = do(state(dice=RUN, clues=clues), "evidence_gathered", dice="w1,w2,w3,w4", kind="alibi")
    offered = actions(found)
    assert offered["alibi"].lead
    assert not offered["alibi-loses"].lead
    rooms = {"c2": "Study:suspect:4:o.o.:-"}
    risky = state(rooms, dice="4 1 1 1 1 1 1 2", clues=[*nine_out(), arrow("single", "c4", 0)])
    assert actions(risky)["move-c2"].warning
    assert actions(risky)["end"].lead


def test_the_flashlight_saves_the_minutes_in_the_offer():
    rooms = {"a1": "X:suspect:4:....:3", "c3": "Scene of the Crime:scene:1:oooo:2"}
    before = state(rooms, dice="4 2 3 3 5 5 5 1", minutes=5)
    assert actions(before)["passage-a1"].cost == "1 die: 4, 5 minutes at once"
    assert "the game is lost" in actions(before)["passage-a1"].warning
    light = actions(replace(before, carried=("flashlight",)))["passage-a1"]
    assert (light.cost, light.warning) == ("1 die: 4", "")


def test_the_lucky_break_offers_each_number_once_and_spares_held_dice():
    before = replace(state(dice="5 2 2 5 2 1 1 3", throws=1, carried=["lucky_break"]))
    before = do(before, "dice_held", dice="w2,w4")
    die, face = actions(before)["lucky"].inputs
    assert die.choices == (("w6", "a 1"), ("w3", "a 2"), ("w1", "a 5"))
    assert len(face.choices) == 6


def test_offers_end_with_the_turn():
    before = state(
        BESIDE, dice="4 1 1 1 1 1 1 5", throws=1, carried=["bomb", "no_time_to_lose", "lucky_break"]
    )
    groups = list(dict.fromkeys(action.group for action in actions(before).values()))
    assert groups == ["Go", "Tokens", "Time", "Notes"]
    assert [i for i, a in actions(before).items() if a.group == "Time"] == ["stop", "end", "skip"]


def test_ending_the_turn_leads_once_the_dice_pay_for_nothing():
    assert not actions(state(BESIDE, dice="4 1 1 1 1 1 1 5"))["end"].lead
    assert actions(state(BESIDE, dice="3 1 1 1 1 1 1 5"))["end"].lead
    assert not actions(state(BESIDE, dice="3 1 1 1 1 1 1 5", throws=1))["end"].lead


def test_six_used_dice_end_the_turn_in_the_headline():
    used = ["w1", "w2", "w3", "w4", "w5", "w6"]
    assert (
        "Six dice are used, and that is all"
        in seen(state(BESIDE, dice="4 1 1 1 1 1 1 5", used=used)).headline
    )
    assert "use dice" in seen(state(BESIDE, dice="4 1 1 1 1 1 1 5", used=used[1:])).headline


def test_a_tainted_token_tells_whom_each_choice_brings_back():
    clues = [hidden("c3"), hidden("a1"), arrow("single", "c5")]
    before = state(dice=RUN, clues=clues, suspects={"S1": "c2"})
    offered = actions(do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="tainted"))
    assert offered["taint-c5"].label == "Take the single arrow found on c5 out of play — up again: S1"
    assert offered["taint-a1"].label == "Take the hidden evidence found on a1 out of play — changes nobody"
    assert "taint-unplaced" in offered


def test_the_screen_warns_of_the_turn_that_takes_the_last_minute():
    before = state(ROOMS, dice="4 3 3 1 1 1 1 5", minutes=5)
    assert "the game is lost" in actions(before)["end"].warning
    assert actions(before)["end"].cost == "5 minutes"
    assert actions(replace(before, minutes=6))["end"].warning == ""
    skipping = actions(replace(before, carried=("no_time_to_lose",)))
    assert (skipping["skip"].cost, skipping["skip"].warning) == ("no minutes", "")


def test_a_warning_rests_on_what_everybody_sees():
    before = state(clues=[*nine_out()[:8], arrow("single", "c4", 0)])
    assert reveal_risk(before, (cell("c2"),)) == ""
    both = reveal_risk(before, (cell("c2"), cell("c1")))
    assert both.startswith("If S1 and S10 come out on c2 and c1")
    assert reveal_risk(replace(before, arrested="S1"), (cell("c2"), cell("c1"))) == ""


def test_the_proof_is_offered_when_it_holds():
    rooms = {c: text for c, text in whole_house().items() if c != "c1"}
    before = state(rooms, clues=[arrow("single", "c4", 0)], suspects={"S1": "a1", "S2": "a2"})
    assert actions(before)["proof"].warning == ""
    losing = replace(before, clues=(*before.clues, alibi("b1", "S1"), alibi("b2", "S2")))
    assert "all ten" in actions(losing)["proof"].warning
    assert "proof" not in actions(replace(before, clues=()))
    assert "proof" not in actions(do(before, "unplaced_turned_down"))


def test_with_the_own_box_tiles_are_described_or_picked():
    before = replace(
        start({"pieces": "mine"}, carried={"tiles": "Study:suspect:4:o.l.:2;Den:evidence:1:oooo:-"})
    )
    after = do(before, "scene_laid", tile="Scene of the Crime:scene:2:oooo:-")
    (asked,) = actions(after)["reveal-c2"].inputs
    assert asked.kind == "tile"
    assert [label for _, label in asked.choices] == [
        "Den: evidence 1, doors north, east, south and west",
        "Study: suspect 4, doors north, locked south, passage 2",
    ]
    held = do(after, "tile_revealed", cell="c2", tile="Study:suspect:4:o.l.:2")
    turn, token = actions(held)["lay"].inputs
    assert {name for name, _ in token.choices} == set(held.names)
    assert len(turn.choices) == 4
    laid = do(held, "tile_laid", turn="1", token="Suspect 4")
    assert "Study" not in str(actions(laid)["reveal-b3"].inputs[0].choices)


def test_tiles_without_names_are_remembered_side_by_side():
    known = ";".join(f"Room {n}:evidence:{n % 5 + 1}:oooo:-" for n in (10, 2, 1))
    before = start({"pieces": "mine"}, carried={"tiles": known})
    before = do(before, "scene_laid", tile="Scene of the Crime:scene:2:oooo:-")
    (asked,) = actions(before)["reveal-c2"].inputs
    assert asked.default.startswith("Room 3:")
    assert [label.partition(":")[0] for _, label in asked.choices] == ["Room 1", "Room 2", "Room 10"]


@pytest.mark.parametrize(
    ("tile", "said"),
    [
        ("X:evidence:2:oooo:-", "Put an evidence token on it face-down, and nobody looks."),
        ("X:suspect:2:oooo:-", "Put the next suspect on it, and say which it is."),
        ("X:assistance:2:oooo:-", "Put the next assistance token on it, and say which it is."),
    ],
)
def test_the_token_of_a_tile_in_hand_is_prompted(tile, said):
    before = replace(state(), due=Due(reveal=(cell("c2"),)))
    assert said in lines(do(before, "tile_revealed", cell="c2", tile=tile))
    none_left = replace(
        before,
        where=tuple(cell(f"{column}{row}") for row in (4, 5) for column in "abcde"),
        removed=(hidden("a1"),) * 8,
        spent=("bomb",) * 10,
    )
    empty = lines(do(none_left, "tile_revealed", cell="c2", tile=tile))
    assert any(line.endswith("is left: the tile stays empty.") for line in empty)
    dealt = do(start(), "tile_revealed", cell="c2")
    assert not any(line.startswith("Put ") for line in lines(dealt))


def test_choosing_the_last_suspect_for_a_tile_in_a_ray_is_warned_of():
    clues = [*nine_out(), arrow("single", "c4", 0)]
    before = replace(state(clues=clues), due=Due(reveal=(cell("c2"),)))
    held = do(before, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-")
    assert actions(held)["lay"].warning.startswith("If S1 comes out on c2")
    other = do(before, "tile_revealed", cell="c2", tile="X:evidence:2:oooo:-")
    assert actions(other)["lay"].warning == ""
    safe = replace(before, clues=tuple(nine_out()))
    assert actions(do(safe, "tile_revealed", cell="c2", tile="X:suspect:2:oooo:-"))["lay"].warning == ""


def test_the_last_suspect_not_placed_is_told_where_to_be_looked_for():
    (calm,) = lines(state(clues=nine_out()))
    assert calm == "S1 is the last one left and has not come out yet: explore on."
    (careful,) = lines(state(clues=[*nine_out(), arrow("single", "c4", 0)]))
    assert "explore elsewhere, or turn the arrow first." in careful


def test_re_examining_offers_what_changes_something():
    turned = actions(state(dice=RUN, clues=[arrow("four", "c3", 3)]))["reexamine"]
    assert [value for value, _ in turned.inputs[0].choices] == ["0"]
    cleared = actions(state(dice=RUN, clues=[alibi("c3", "S4")]))["reexamine"]
    assert {value for value, _ in cleared.inputs[0].choices} == set(NAMES) - {"S4"}


def test_whom_a_turned_arrow_brings_back_is_in_the_history():
    before = state(dice=RUN, clues=[arrow("single", "c3")], suspects={"S1": "c2", "S2": "d3"})
    action = actions(before)["reexamine"]
    turned = tapped(action, 1.0, turn="2")
    told = GAME.told(before, turned, GAME.apply(before, turned))
    assert told.endswith("Face-down: S2. Face-up again: S1.")


def test_a_dealt_tile_is_offered_as_it_connects_best():
    held = replace(start(), due=Due(hand=(cell("c2"), Tile.parse("X:suspect:2:.l..:-"))))
    (asked,) = actions(held)["lay"].inputs
    assert asked.choices[0] == ("1", "locked south")
    assert asked.default == "1"


def test_no_arrest_is_offered_with_eight_eliminated():
    before = state(dice="2 2 2 2 2 1 1 1", suspects={"S1": "c3"}, clues=nine_out())
    assert actions(before)["arrest"].refused == ""
    assert "arrest" not in actions(replace(before, clues=before.clues[1:]))


def test_the_cars_number_is_remembered():
    before = replace(state({"c1": "X:evidence:2:o.o.:-"}), due=Due(car_at=cell("c1")))
    kept = GAME.keeps(do(before, "car_placed", side="N", number="5"))
    assert kept["car_number"] == "5"
    (asked,) = actions(replace(before, earlier=kept))["attach-N"].inputs
    assert asked.default == "5"
    (fresh,) = actions(before)["attach-N"].inputs
    assert fresh.default == "1"


def test_gathering_from_the_own_box_asks_what_it_is():
    before = state(dice=RUN, clues=[hidden("c3")])
    (asked,) = actions(before)["gather"].inputs
    assert dict(asked.choices) == KINDS
    assert actions(do(before, "evidence_gathered", dice="w1,w2,w3,w4", kind="alibi"))["alibi"].inputs


def test_the_table_screen_offers_no_private_acts():
    before = state(dice=RUN, clues=[hidden("c3")], carried=["informant"])
    assert "note" in actions(before, ANNA)
    assert "note" not in actions(before, None)
    assert actions(before, ANNA)["informant"].refused == ""
    assert "own screen" in actions(before, None)["informant"].refused
