"""What the screens show: panels, offers with prices and warnings, and never a secret."""

import random
from dataclasses import replace

import pytest

from companion.games.moss import catalogue, words
from companion.games.moss.cost import turn_minutes
from companion.games.moss.desk import reveal_risk
from companion.games.moss.evidence import KINDS
from companion.games.moss.rules import GAME
from companion.games.moss.state import Due, Phase, State
from companion.games.moss.tiles import Tile
from companion.rules.game import Setup
from companion.rules.view import Board, Dice, Roster, Tokens, Track
from games.detective import Detective, tapped
from games.kit import (
    ANNA,
    BEN,
    NAMES,
    actions,
    alibi,
    arrow,
    cell,
    do,
    hidden,
    lines,
    panel,
    seen,
    shown,
    start,
    state,
    whole_house,
)
from games.walker import Walker

RUN = "2 3 4 5 1 1 2 1"


def nine_out(last: str = "S1") -> list:
    return [alibi(f"a{n % 5 + 1}", name) for n, name in enumerate(NAMES) if name != last]


# Panels


def test_the_track_shows_what_this_turn_will_cost():
    track = panel(state(dice="6 1 1 1 1 1 1 4", used=["w1"], minutes=30), Track)
    assert (track.value, track.pending, track.unit) == (30, 5, "minutes")
    assert track.note == "This turn so far: 4 for the coloured die and 1 for used sixes"


def test_the_dice_panel_tells_used_held_and_loose():
    before = do(state(dice="6 1 1 1 1 1 1 4", throws=1), "dice_held", dice="w2")
    dice = panel(before, Dice)
    assert [die.state for die in dice.dice[:3]] == ["loose", "held", "loose"]
    assert (dice.tap, dice.note) == ("dice_held", "Throw 1 of 3")
    used = panel(state(dice="6 1 1 1 1 1 1 4", used=["w1"]), Dice)
    assert (used.dice[0].state, used.used, used.limit, used.tap) == ("used", 1, 6, "")
    assert used.note == "Third throw done"
    full = panel(state(dice="6 1 1 1 1 1 1 4", used=["w1", "w2", "w3", "w4", "w5", "w6"]), Dice)
    assert "that is all" in full.note
    assert {die.state for die in panel(start(), Dice).dice} == {"unknown"}


def test_the_board_shows_the_house():
    rooms = {"c2": "Study:suspect:4:o.l.:2", "d3": "Den:evidence:5:..oo:-"}
    before = state(
        rooms, dice="4 4 4 1 1 1 1 1", suspects={"S1": "c2"}, lying={"key": "c2"},
        clues=[hidden("d3"), arrow("single", "c5", 0), alibi("d5", "S1")], bombs=[("c2", "d2")],
        car=("c2", "N", 3),
    )  # fmt: skip
    study = shown(before, "c2")
    assert (study.icon, study.number, study.passage, study.sides) == ("suspect", "4", "2", "obl.")
    assert study.lit
    assert study.reachable
    assert study.note == "walk: 4 4; in the ray of the single arrow on c5"
    assert study.rays == (0,)
    assert [(m.kind, m.down) for m in study.marks] == [
        ("suspect", True),
        ("alibi", False),
        ("token-key", False),
    ]
    assert [(m.kind, m.down) for m in shown(before, "d3").marks] == [("evidence", True)]
    assert shown(before, "c5").face_down
    assert shown(before, "c5").marks[0].kind == "arrow-single"
    assert shown(before, "d5").note == ""
    assert shown(before, "c3").here
    board = panel(before, Board)
    assert (board.columns, len(board.cells)) == (5, 25)
    assert board.outside == (("c2", "N", "Police Car (3)"),)


def test_the_board_tells_which_way_rays_run():
    before = state(clues=[arrow("four", "b2"), arrow("corner", "d4", 6), arrow("single", "b4", 1)])
    assert shown(before, "b1").rays == (0,)
    assert shown(before, "e2").rays == (2,)
    crossed = shown(before, "b4")
    assert (crossed.lit, crossed.rays) == (True, (4, 6))
    assert (
        crossed.note == "in the ray of the four-way arrow on b2; in the ray of the right-angle arrow on d4"
    )
    assert shown(before, "d2").rays == (0, 1, 2)
    dark = shown(before, "e5")
    assert (dark.lit, dark.rays, dark.note) == (False, (), "")
    turned = replace(before, due=Due(reveal=(cell("b1"),)))
    assert shown(turned, "b1").note == "turn this one up; in the ray of the four-way arrow on b2"


def test_an_alibis_home_is_told_on_its_tile():
    before = state(whole_house(), suspects={"S1": "c2"}, clues=[alibi("d5", "S1")])
    assert shown(before, "d5").note == "alibi for S1 found here"


def test_a_tile_in_hand_is_shown_as_printed():
    before = replace(state(), due=Due(reveal=(cell("c2"),)))
    assert shown(before, "c2").note == "turn this one up"
    held = do(before, "tile_revealed", cell="c2", tile="Study:suspect:4:o.l.:2")
    study = shown(held, "c2")
    assert (study.face_down, study.sides, study.passage) == (False, "o.l.", "2")
    assert "in hand" in study.note


def test_the_roster_tells_state_and_cause():
    before = state(suspects={"S1": "c2", "S2": "a1"}, clues=[arrow("single", "c4"), alibi("b1", "S3")])
    entries = {entry.id: entry for entry in panel(before, Roster).entries}
    assert len(entries) == 10
    assert (entries["S1"].state, entries["S1"].where, entries["S1"].out) == ("eliminated", "c2", True)
    assert entries["S1"].why == ("Single arrow on c4, pointing north",)
    assert entries["S2"].state == "suspected"
    assert entries["S3"].why == ("Alibi found on b1",)
    assert entries["S4"].state == "not placed"
    assert panel(before, Roster).note == "Eight not placed yet"
    held = panel(replace(before, arrested="S2"), Roster).entries[1]
    assert (held.state, held.out) == ("arrested", False)


def test_the_tokens_carried_and_their_state():
    before = state(dice=RUN, carried=["lucky_break", "bomb"])
    tokens = panel(before, Tokens)
    assert tokens.limit == 3
    assert [(entry.name, entry.state) for entry in tokens.entries] == [
        ("Lucky Break", "ready"),
        ("Bomb", "once"),
    ]
    after = panel(do(before, "lucky_break_used", die="w1", face="6"), Tokens)
    assert after.entries[0].state == "used this turn"
    assert set(words.TOKENS) == set(words.TOKEN_USES) == set(catalogue.ASSISTANCE)


def test_tokens_to_flip_are_told_until_the_turn_ends():
    before = state(dice=RUN, clues=[arrow("single", "c3")], suspects={"S1": "c2", "S2": "d3"})
    after = do(before, "evidence_reexamined", dice="w1,w2,w3,w4", turn="2")
    assert {"Turn face-down: S2.", "Turn face-up again: S1."} <= set(lines(after))
    assert not any("Turn face" in line for line in lines(do(after, "time_passed")))
    quiet = replace(after, turn=replace(after.turn, used=()))
    quiet = do(quiet, "evidence_reexamined", dice="w1,w2,w3,w4", turn="2")
    assert not any("Turn face" in line for line in lines(quiet))


@pytest.mark.parametrize(
    ("due", "carried", "said", "hint"),
    [
        (Due(reveal=(cell("c2"), cell("b3"))), (), "First turn up c2 and b3.", "lay it as you like"),
        (Due(car_at=cell("c1")), (), "First attach the Police Car to c1.", "first door out of the house"),
        (Due(), ("key", "bomb", "switch", "warrant"), "You carry four tokens", "collected here again"),
    ],
)
def test_what_is_demanded_is_prompted(due, carried, said, hint):
    before = replace(state({"c1": "X:evidence:2:oooo:-"}), due=due, carried=carried)
    assert any(hint in line for line in lines(before))
    assert said in seen(before).headline


def test_an_arrest_in_reach_is_prompted():
    before = state(suspects={"S1": "c2"}, clues=nine_out())
    assert any("S1 on c2 can be arrested" in line for line in lines(before))
    assert any("Police Car has not come yet" in line for line in lines(before))
    waiting = state(suspects={"S1": "c2"}, clues=nine_out(), car=("c2", "N", 1))
    assert not any("Police Car" in line for line in lines(waiting))
    caught = state(arrested="S1", car=("c2", "N", 1))
    assert "Bring S1 to the Police Car, at c2." in lines(caught)
    assert any("find a door" in line for line in lines(replace(caught, car=None)))


def test_the_end_tells_how_and_what_comes_next():
    won = replace(state(minutes=10), phase=Phase.WON, arrested="S1")
    assert seen(won).headline == "S1 sits in the Police Car, with 10 minutes to spare."
    assert "After this game, the adaptive level starts on 35 minutes." in lines(won)
    assert seen(won).actions == ()
    assert panel(won, Track).pending == 0


# Offers


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


# Secrets


def other_secrets(before: State) -> State:
    """The same table with quite other cards face-down."""

    def turned(pile: tuple) -> tuple:
        return (*pile[1:], *pile[:1])

    piles, kinds = before.piles, list(KINDS)
    tiles = [
        None if tile is None else replace(tile, name=f"Other {tile.name}", number=7 - tile.number)
        for tile in piles.tiles
    ]
    hidden_now = {
        i: replace(clue, kind=kinds[(kinds.index(clue.kind) + 1) % len(kinds)])
        for i, clue in enumerate(before.clues)
        if not clue.shown
    }
    return replace(
        before,
        piles=replace(
            piles,
            tiles=tuple(reversed(tiles)),
            suspects=turned(piles.suspects),
            evidence=turned(piles.evidence),
            assistance=turned(piles.assistance),
        ),
        clues=tuple(hidden_now.get(i, clue) for i, clue in enumerate(before.clues)),
    )


@pytest.mark.parametrize("seed", range(3))
def test_no_screen_depends_on_what_is_face_down(seed):
    setup = Setup((ANNA, BEN), deal=f"secret {seed}", options={"level": "60"})
    walk = Walker(GAME, setup, random.Random(seed))
    evenings = (walk.play(250), Detective(seed).play(setup))
    differed = 0
    for before, _ in (step for evening in evenings for step in evening):
        other = other_secrets(before)
        differed += other != before
        peekers = {seat for clue in before.clues for seat in clue.peeked if not clue.shown}
        for seat in {None, ANNA, BEN} - peekers:
            assert seen(other, seat) == seen(before, seat)
    assert differed > 50


def test_the_walk_would_notice_a_leak():
    before = replace(
        state(clues=[replace(hidden("c3", "four"), peeked=frozenset({ANNA}))]), names=catalogue.SUSPECTS
    )
    peeking = replace(before, clues=(replace(before.clues[0], kind="corner"),))
    assert seen(before, ANNA) != seen(peeking, ANNA)
    assert seen(before, BEN) == seen(peeking, BEN)


def test_a_peek_is_shown_to_the_seat_that_peeked_until_all_see_it():
    before = state(dice=RUN, clues=[hidden("c3", "four")], carried=["informant"])
    after = do(before, "informant_used", by=ANNA)
    assert "Hidden evidence on c3: four-way arrow" in lines(after, ANNA)
    for seat in (BEN, None):
        assert lines(after, seat) == []
    assert GAME.told(before, tapped(actions(before)["informant"], 1.0), after) == (
        "The Informant showed one player the hidden evidence on c3."
    )
    gathered = replace(after, clues=(replace(after.clues[0], shown=True),))
    assert lines(gathered, ANNA) == []
    unknown = do(replace(before, clues=(hidden("c3"),)), "informant_used", by=ANNA)
    assert any("note what it was" in line for line in lines(unknown, ANNA))


def test_a_note_is_seen_by_its_writer_only():
    after = do(start(), "note_written", by=BEN, text="S4 was in the pantry")
    assert "S4 was in the pantry" in lines(after, BEN)
    for seat in (ANNA, None):
        assert "pantry" not in repr(seen(after, seat)).replace("Pantry", "")


def test_a_state_does_not_print_its_secrets():
    before = do(start(), "note_written", text="a secret note")
    text = repr(before)
    assert "secret note" not in text
    assert not any(tile.name in text for tile in catalogue.ROOM_TILES)
    assert "four" not in repr(hidden("c3", "four"))


def test_the_next_minutes_are_those_that_are_paid():
    before = state(dice="6 6 2 2 2 1 1 4", used=("w1", "c"))
    assert panel(before, Track).pending == turn_minutes(before) == 5
