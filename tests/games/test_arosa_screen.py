"""What the screens of Mord im Arosa show and offer: panels, prompts, why not, and never a secret."""

import random
from collections import Counter
from dataclasses import replace

import pytest

from companion.games.arosa.offers import offers
from companion.games.arosa.prompts import FEW
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Guess, Phase
from companion.rules.events import BellRang, Seconds
from companion.rules.game import OutOfPlace, Setup
from companion.rules.timer import Timer
from companion.rules.view import Standings, Storeys, Text, Throws
from games.arosa_kit import (
    ANNA,
    BEN,
    CARLA,
    actions,
    cover,
    do,
    drop,
    event,
    lift,
    lines,
    many,
    panel,
    seen,
    start,
    state,
    suspect,
    throw,
    throw_all,
)
from games.guests import Guests
from games.walker import Walker

EVERYBODY = (None, ANNA, BEN, CARLA)


# Panels


def test_throws_are_shown_by_name_and_the_throwers_phone_has_the_button():
    before = throw(suspect(state(), "ben,carla", 3, "2 blue, 1 grey"), "grey")
    mine, others = panel(before, Throws, ANNA), panel(before, Throws, BEN)
    assert mine.tap == "cube_thrown"
    assert others.tap == panel(before, Throws, None).tap == ""
    assert replace(mine, tap="") == others
    assert [(p.label, p.count) for p in mine.left] == [("Ben, blue", 2)]
    assert [(p.label, p.count) for p in mine.done] == [("Dora, grey", 1)]
    assert (mine.thrower, mine.hush, mine.heard) == ("Anna", True, None)
    assert mine.note == "After these the penalty: 1 yellow."


def test_the_tower_is_counted_beside():
    before = drop(throw(suspect(state(), "ben", 3, "2 blue, 1 grey"), "grey", at=200), "d1", at=201)
    assert panel(before, Throws).heard == 1
    assert panel(drop(before, "d2", at=203), Throws).heard == 2


def test_quiet_is_asked_for_while_cubes_are_thrown_and_not_else():
    assert panel(start(), Throws).hush
    assert not any(isinstance(p, Throws) for p in seen(state()).panels)
    early = drop(do(state(1), "floor_lifted", floor="3"), "d1")
    assert not panel(early, Throws).hush
    assert panel(early, Throws).tap == ""


def test_the_victims_are_named_too():
    assert [(p.colour, p.label, p.count) for p in panel(start(), Throws).left] == [
        ("red", "Victim, red", 2)
    ]


def test_the_sheet_shows_floors_from_above_with_worth_and_scenes():
    before = lift(lift(state(1, active="grey"), 3, "1 red"), 5, "1 red, 2 blue, 1 yellow")
    sheet = panel(before, Storeys)
    assert [storey.ref for storey in sheet.storeys] == list("76543210")
    assert [storey.worth for storey in sheet.storeys] == [1, 2, 3, 2, 3, 2, 1, 1]
    five = sheet.storeys[2]
    assert (five.scene, five.lifted, five.note) == (True, True, "crime scene")
    assert [(p.label, p.count) for p in five.pieces] == [("Victim, red", 1), ("Ben, blue", 2)]
    assert sheet.note == "Crime scenes: floor 3 and floor 5."
    assert sheet.storeys[-1].label == "Floor 0, ground floor"


def test_before_a_victim_is_found_nothing_counts_yet():
    sheet = panel(state(1), Storeys)
    assert {storey.worth for storey in sheet.storeys} == {0}
    assert sheet.note == "No victim has been found."
    one = panel(lift(state(1), 3, "1 red"), Storeys)
    assert one.note == "Crime scene: floor 3. One victim is still to be found."


def test_the_standings_tell_what_anybody_can_reckon():
    table = panel(state(sheet={"blue": {3: 2, 0: 1}}), Standings, BEN)
    assert table.columns == ("Supply", "On the sheet", "Points", "To ten", "In the tower")
    assert table.rows[1].cells == ("13", "3", "7", "7", "4")
    assert [row.mine for row in table.rows] == [False, True, False, False]
    assert [row.mark for row in table.rows] == ["investigates", "", "", ""]
    assert [row.mark for row in panel(start(), Standings).rows] == ["throws", "", ""]
    over = replace(state(), phase=Phase.END, ended="ten_clues")
    assert {row.mark for row in panel(over, Standings).rows} == {""}


def test_a_phone_shows_its_own_clues_with_their_worth():
    before = state(sheet={"blue": {3: 2, 4: 1}})
    own = next(p for p in seen(before, BEN).panels if p.title == "Your clues (blue)")
    assert isinstance(own, Text)
    assert own.lines == (
        "Floor 4: one clue at 2",
        "Floor 3: two clues at 3",
        "8 suspicion points on the sheet; seven more clues make ten.",
        "13 clues left in your supply.",
    )
    assert not any(p.title.startswith("Your clues") for p in seen(before, None).panels)


def test_the_turn_timer_is_shown_and_only_says_so():
    before = state(active="blue", options={"turn_timer": "2"})
    assert seen(before).timer == Timer("turn", Seconds(220.0))
    after = GAME.apply(before, BellRang(at=Seconds(220.0), timer="turn"))
    assert "The time for this turn is up." in lines(after)
    assert (seen(after).timer, GAME.expects(after).timer) == (None, None)
    assert after == replace(before, turn=replace(before.turn, rung=True))
    assert seen(state()).timer is None
    with pytest.raises(OutOfPlace, match="No such timer"):
        GAME.apply(state(), BellRang(at=Seconds(220.0), timer="turn"))


def test_a_training_is_marked_on_every_screen():
    training = start(3, {"training": "yes"})
    assert GAME.open_book(training)
    assert not GAME.open_book(start())
    for seat in EVERYBODY:
        assert seen(training, seat).banner.startswith("Training: ears against sensors")
        assert seen(start(), seat).banner == ""


# Prompts: the five frequent mistakes first


def test_the_penalty_is_announced_before_and_after():
    assert "Without a victim there, Anna throws one clue more." in lines(state(1))
    before = suspect(state(), "ben,carla", 3, "1 blue")
    assert "Carla had no clue there." in lines(before)
    assert "Sloppy investigation: Anna throws 1 yellow from the supply after that." in lines(before)
    assert (
        seen(throw(before, "blue")).headline
        == "Sloppy investigation: Anna throws 1 yellow from the supply."
    )


def test_clues_for_the_sheet_come_from_the_supply():
    before = do(do(state(), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3")
    assert any("clues for the sheet come from the supplies" in line for line in lines(before))
    assert "Ben lays 2 on floor 3, from the supply." in lines(do(before, "cubes_seen", cubes="blue,blue"))


def test_who_finds_a_victim_is_told_to_lay_none():
    after = lift(state(1), 5, "1 red, 1 yellow, 1 blue")
    assert "A victim on floor 5: it is a crime scene. Anna lays no clues." in lines(after)
    both = lift(state(1), 5, "2 red, 1 blue")
    assert "Both victims on floor 5: it is a crime scene. Anna lays no clues." in lines(both)


def test_the_ground_floor_is_warned_of_and_explained():
    before = do(state(), "suspicion_voiced", suspects="ben,carla")
    assert "nobody lays" in actions(before)["lift-0"].warning
    assert actions(before)["lift-1"].warning == ""
    assert actions(state(1))["lift-0"].warning == ""
    after = lift(before, 0, "1 blue")
    assert "No clue of Anna lies on the ground floor: nobody lays, and Anna throws two clues." in lines(
        after
    )
    fine = lift(before, 0, "1 blue, 1 yellow")
    assert not any("nobody lays" in line for line in lines(fine))


def test_the_game_ends_now():
    after = suspect(state(sheet={"blue": {0: 9}}), "ben", 3, "1 blue")
    assert seen(after).headline == "The game ends now: Ben has ten clues on the sheet."
    assert seen(after).actions == ()
    emptied = throw(lift(state(1, supply={"yellow": 1}), 2, ""), "yellow")
    assert seen(emptied).headline == "The game ends now: Anna has no clue left in the supply."


def test_the_action_is_announced_before_lifting():
    assert "Call it out before you touch the hotel." in lines(state())


@pytest.mark.parametrize(("left", "warned"), [(FEW, True), (FEW + 1, False)])
def test_a_supply_that_runs_low_is_told(left, warned):
    said = any("left in the supply" in line for line in lines(state(supply={"blue": left}), None))
    assert said is warned
    near = any("short of ten" in line for line in lines(state(sheet={"blue": {0: 10 - left}}), None))
    assert near is warned


def test_a_turn_that_ends_with_its_reveal_is_still_told():
    after = lift(state(1), 5, "1 red")
    assert after.active == 1
    assert "A victim on floor 5: it is a crime scene. Anna lays no clues." in lines(after)
    on, _ = throw_all(lift(after, 2, "", at=230))
    assert not any("crime scene." in line for line in lines(on))


def test_the_final_reckoning_goes_from_the_fewest_points_to_the_culprit():
    sheet = {"blue": {3: 3}, "brown": {4: 1, 0: 1}, "grey": {3: 1}}
    after = suspect(state(sheet=sheet, supply={"yellow": 1}), "ben", 7, "")
    ended = throw(after, "yellow")
    (told,) = (p for p in seen(ended, None).panels if p.title == "Culprit and winner")
    assert isinstance(told, Text)
    assert told.lines == (
        "Anna: no clues on the sheet: 0 suspicion points – the winner.",
        "Carla: 1 beside one (1 × 2), 1 elsewhere (1 × 1): 3 suspicion points.",
        "Dora: 1 at a crime scene (1 × 3): 3 suspicion points.",
        "Ben: 3 at a crime scene (3 × 3): 9 suspicion points – the culprit.",
    )


def test_what_comes_from_the_open_floor_is_told():
    before = do(
        do(state(supply={"blue": 1}), "suspicion_voiced", suspects="ben"), "floor_lifted", floor="3"
    )
    saw = event("cubes_seen", cubes=many("3 blue"))
    told = GAME.told(before, saw, GAME.apply(before, saw))
    assert told == (
        "Floor 3: 3 blue. Ben lays 3 on floor 3, 1 from the supply, 2 from the open floor. "
        "The game ends now: Ben has no clue left in the supply."
    )


# Actions


def test_the_likely_step_leads_on_the_active_phone_and_others_tap_for_it():
    before = state(sheet={"yellow": {3: 1}})
    assert actions(before, ANNA)["suspect"].lead
    assert actions(before, ANNA)["suspect"].group == "Your turn"
    assert not actions(before, BEN)["suspect"].lead
    assert actions(before, BEN)["suspect"].group == "For Anna"
    assert not any(action.lead for action in offers(before, None))


def test_others_may_name_a_cube_for_the_thrower():
    before = suspect(state(), "ben", 3, "2 blue, 1 grey")
    assert "throw-blue" not in actions(before, ANNA)
    assert actions(before, BEN)["throw-blue"].label == "Ben, blue is thrown"
    assert actions(before, BEN)["throw-blue"].cost == "2 left"


def test_floors_are_tied_to_the_sheet_with_what_a_clue_counts_there():
    before = do(state(), "suspicion_voiced", suspects="ben")
    floors = [action for action in seen(before).actions if action.cell]
    assert [(a.cell, a.cost) for a in floors][:3] == [
        ("7", "1 a clue"),
        ("6", "2 a clue"),
        ("5", "3 a clue"),
    ]
    assert {a.cost for a in seen(state(1)).actions if a.cell} == {""}


def test_counting_asks_for_each_colour_up_to_what_is_in_the_tower():
    before = do(state(1, tower={"blue": 0, "yellow": 2}), "floor_lifted", floor="3")
    (asked,) = actions(before)["seen"].inputs
    assert (asked.kind, asked.most) == ("cubes", (2, 4, 4, 2))
    assert [value for value, _ in asked.choices] == ["yellow", "brown", "grey", "red"]
    assert actions(before)["seen-nothing"].args["cubes"] == ""


def test_covering_offers_each_number_that_may_be_taken_back():
    before = cover(state(sheet={"yellow": {2: 3}}), 2, "2 yellow")
    recovers = [a for a in seen(before).actions if a.word == "clues_recovered"]
    assert [a.label for a in recovers] == ["Take two clues back", "Take one clue back", "Take none back"]


def test_every_refusal_says_what_is_asked_instead():
    with pytest.raises(OutOfPlace, match=r"Taking clues back does not come now\. Anna calls out"):
        do(state(), "clues_recovered", count="1")
    with pytest.raises(OutOfPlace, match=r"Throwing a cube does not come now\. Anna lifts"):
        throw(state(1), "yellow")
    with pytest.raises(OutOfPlace, match="Say what lies on floor 3"):
        throw(do(state(1), "floor_lifted", floor="3"), "yellow")


# Secrets


def test_a_note_is_seen_by_its_writer_only():
    before = do(state(), "guess_noted", by=BEN, colour="grey", floor="6")
    assert "Grey on floor 6" in lines(before, BEN)
    assert actions(before, BEN)["strike"].inputs[0].choices == (("grey:6", "grey on floor 6"),)
    for seat in (None, ANNA, CARLA):
        assert seen(before, seat) == seen(state(), seat)
    assert GAME.secrets(event("guess_noted", colour="grey", floor="6"))
    assert GAME.secrets(event("guess_struck", note="grey:6"))
    assert not GAME.secrets(event("cube_thrown", colour="grey"))
    told = GAME.told(state(), event("guess_noted", by=BEN, colour="grey", floor="6"), before)
    assert told == "A private note was made."
    assert "Guess(" not in repr(before)


def test_a_note_may_be_made_anew_and_struck_out_by_its_writer():
    before = do(state(), "guess_noted", by=BEN, colour="grey", floor="6", at=210)
    again = do(before, "guess_noted", by=BEN, colour="grey", floor="6", at=220)
    assert again.guesses == (Guess(BEN, "grey", 6, Seconds(220.0)),)
    assert do(again, "guess_struck", by=BEN, note="grey:6").guesses == ()
    with pytest.raises(OutOfPlace, match="no such note of yours"):
        do(again, "guess_struck", by=ANNA, note="grey:6")


def test_notes_are_players_and_about_what_is_in_the_tower():
    with pytest.raises(OutOfPlace, match="Only players"):
        do(state(), "guess_noted", by=None, colour="grey", floor="6")
    with pytest.raises(OutOfPlace, match="no white on floor 6"):
        do(state(), "guess_noted", by=BEN, colour="white", floor="6")
    with pytest.raises(OutOfPlace, match="no grey on floor 9"):
        do(state(), "guess_noted", by=BEN, colour="grey", floor="9")
    with pytest.raises(OutOfPlace, match="Nothing is in the tower yet"):
        do(start(), "guess_noted", by=BEN, colour="blue", floor="6")
    assert "note" not in actions(start(), BEN)


@pytest.mark.parametrize("seed", range(3))
def test_screens_differ_by_notes_and_by_whose_turn_it_is_only(seed):
    setup = Setup((ANNA, BEN, CARLA), {"knife": "first"})
    played = 0
    for before, _ in Guests(seed, "all", ears=0.6, mishaps=0.1).play(setup):
        played += 1
        shared = [p for p in seen(before, None).panels if not isinstance(p, Throws | Standings)]
        for seat in (ANNA, BEN, CARLA):
            mine = [p for p in seen(before, seat).panels if not isinstance(p, Throws | Standings)]
            own = [p for p in mine if p not in shared]
            assert {p.title for p in own} <= {f"Your clues ({before.colours[before.seats.index(seat)]})",
                                              "For your eyes only"}  # fmt: skip
    assert played > 40


@pytest.mark.parametrize("seed", range(4))
def test_no_screen_depends_on_where_cubes_lie(seed):
    """Two towers in which the same cubes lie elsewhere give the same screens until a floor is lifted."""
    setup = Setup((ANNA, BEN), {"knife": "first", "hotel": "first"})
    high, low = (
        list(Guests(seed, "all", lands=lambda _, floor=floor: floor).play(setup, most=6))
        for floor in (7, 1)
    )
    assert [event for _, event in high] == [event for _, event in low]
    for (one, _), (other, _) in zip(high, low, strict=True):
        for seat in (None, ANNA, BEN):
            assert seen(one, seat) == seen(other, seat)


def test_a_walk_over_everything_offered_keeps_phases_told():
    walk = Walker(GAME, Setup((ANNA, BEN)), random.Random(5))
    phases = Counter(seen(before, None).phase for before, _ in walk.play(150))
    assert set(phases) >= {"Prolog", "Act I: searching for victims"}
    assert seen(replace(state(), phase=Phase.END, ended="ten_clues"), None).phase == "Finale"
