"""What the screens show and offer, and what the history tells."""

from dataclasses import replace

import pytest

from companion.games.suspects.pieces import COLOURS
from companion.games.suspects.rules import GAME
from companion.rules.notation import word_of
from companion.rules.view import Dice, Standings
from games.suspects_kit import (
    ANNA,
    BEN,
    CLEO,
    EXAMPLE,
    PHONES,
    actions,
    bell,
    do,
    event,
    panel,
    possible,
    roll,
    seen,
    solvable,
    solve,
    start,
    state,
    tamper,
    text,
)

CARDS = {"secrets": "cards"}
TURN = {"draw-pile", "draw-discard", *(f"roll-{die}" for die in range(1, 7))}


def told(before, word, by=BEN, **args):
    done = event(word, by, **args)
    return GAME.told(before, done, GAME.apply(before, done))


# Panels


def test_the_locker_shows_its_six_dice_and_which_is_in_the_air():
    before = state("g r y b n p")
    dice = panel(before, Dice).dice
    assert not panel(before, Dice).note
    assert [(die.id, die.kind, die.face, die.state) for die in dice[:2]] == [
        ("d1", "fingerprint", "green", "loose"),
        ("d2", "fingerprint", "red", "loose"),
    ]
    rolling = do(before, "die_taken", BEN, die="2")
    assert [die.state for die in panel(rolling, Dice).dice] == ["loose", "unknown", *["loose"] * 4]
    unthrown = panel(start(options=PHONES), Dice)
    assert {die.state for die in unthrown.dice} == {"unknown"}
    assert unthrown.note == "Not thrown yet"


def test_the_evidence_counts_colours_and_names_the_free_identities():
    assert text(state(), "Evidence", None) == [
        "In the locker: 2 green, 1 red and 3 yellow.",
        "Solved by whoever holds exactly 2 green, 1 red and 3 yellow, "
        "with blue, brown or purple as secret identity.",
        "A die that was pushed is turned back to what stands here.",
    ]
    assert "nobody can solve" in text(state("g r y b n p"), "Evidence", None)[1]


def test_cases_and_cards_are_counted_for_everybody():
    before = do(solvable(cases=(1, 0, 2)), "card_drawn", BEN, source="pile")
    table = panel(before, Standings)
    assert [row.cells for row in table.rows] == [("1 of 3", "6"), ("0 of 3", "7"), ("2 of 3", "6")]
    assert [row.mark for row in table.rows] == ["deals", "to act", ""]
    assert [row.mine for row in table.rows] == [True, False, False]


def test_the_piles_are_counted():
    before = state(top="brown")
    assert text(before, "Cards") == ["Draw pile: 32 cards.", "Discard pile: brown lies open."]
    more = replace(before, discard=("red", "blue", "brown"))
    assert text(more, "Cards")[1] == "Discard pile: brown lies open, on two others."


def test_tampered_dice_are_listed_the_newest_first():
    after = tamper(tamper(state(), 1, "red"), 3, "red", CLEO)
    assert text(after, "Tampered with", None) == [
        "Cleo: die 3, red to red",
        "Ben: die 1, green to red",
    ]
    assert text(state(), "Tampered with") == []


def test_after_a_roll_everybody_is_asked_to_check_alike():
    after = tamper(state(), 1, "red")
    asked = "The locker was tampered with: everybody checks the own file."
    assert all(text(after, "Now", seat) == [asked] for seat in (None, ANNA, BEN, CLEO))
    later = do(
        do(after, "card_drawn", CLEO, source="pile"), "card_discarded", CLEO, colour=after.file[2][0]
    )
    assert text(later, "Now") == []


def test_a_solved_case_is_open_to_all():
    won = solve(solvable(), ANNA)
    assert text(won, "Solved", None) == ["Case 1: Anna, 2 green, 1 red and 3 yellow"]
    assert seen(won, None).headline == "Anna solved case 1. Next, Ben deals."
    assert seen(won).phase == "Case 1"
    assert seen(start(options={"dealer": "ask"})).phase == "Before the first case"
    ended = solve(solvable(cases=(2, 0, 0)), ANNA)
    assert seen(ended).phase == "Chief Inspector"
    assert (actions(ended), seen(ended).timer) == ({}, None)


# What can be done


def test_on_phones_only_the_active_phone_acts():
    before = state()
    assert possible(before, BEN) == TURN
    assert possible(before, ANNA) == set()
    assert actions(before, ANNA)["draw-pile"].refused == "It is Ben's turn."
    assert set(actions(before, ANNA)) == set(actions(before, BEN))
    assert actions(before, BEN)["draw-pile"].lead
    drawn = do(before, "card_drawn", BEN, source="pile")
    assert "discard" in possible(drawn, BEN)
    assert "discard" not in actions(drawn, ANNA)
    choices = dict(actions(drawn, BEN)["discard"].inputs[0].choices)
    assert set(choices) == set(drawn.file[1])


def test_on_cards_any_phone_taps_for_the_active_player():
    before = state(options=CARDS)
    for seat in (ANNA, BEN):
        assert possible(before, seat) == TURN | {"solve"}
    assert actions(before, ANNA)["draw-pile"].group == "For Ben"
    assert actions(before, BEN)["draw-pile"].group == "Your turn"
    assert not actions(before, ANNA)["draw-pile"].lead
    drawn = do(before, "card_drawn", ANNA, source="pile")
    for seat in (ANNA, BEN):
        assert set(dict(actions(drawn, seat)["discard"].inputs[0].choices)) == set(COLOURS)


def test_what_is_offered_in_the_other_phases():
    asked = start(options={"dealer": "ask"})
    assert possible(asked) == {"deal-anna", "deal-ben", "deal-cleo"}
    assert possible(do(asked, "dealer_named", player="ben")) == {f"first-{c}" for c in COLOURS}
    scene = start(options=PHONES)
    assert possible(scene) == set()
    assert possible(roll(scene, EXAMPLE)) == {"compared"}
    called = do(solvable(), "case_declared", ANNA)
    assert set(actions(called, BEN)) == {"solve"}
    assert possible(bell(called), CLEO) == {"next"}
    assert actions(state(), None) == {}
    assert actions(state(), "mallory") == {}


def test_the_forfeit_is_offered_where_it_is_played():
    assert not any(ident.startswith("false") for ident in actions(state()))
    before = state(options={"false_call": "forfeit"})
    assert {"false-anna", "false-ben", "false-cleo"} <= possible(before)
    after = do(before, "falsely_called", BEN, player="anna")
    assert actions(after)["false-anna"].refused == "Anna forfeits the next turn already."


def test_every_refused_action_has_its_sentence():
    for before in (
        state(),
        do(state(), "card_drawn", BEN, source="pile"),
        do(state(), "die_taken", BEN, die="1"),
    ):
        for seat in (ANNA, BEN):
            for action in actions(before, seat).values():
                assert action.refused == "" or action.refused.endswith(".")


# What is told


@pytest.mark.parametrize(
    ("word", "args", "line"),
    [
        ("card_drawn", {"source": "pile"}, "Ben draws from the pile: 31 left."),
        ("card_drawn", {"source": "discard"}, "Ben takes the open brown card."),
        ("die_taken", {"die": "3"}, "Ben takes die 3, which shows red."),
    ],
)
def test_a_turn_is_told(word, args, line):
    assert told(state(top="brown", files={"ben": "g g r y b p"}), word, **args) == line


def test_dealing_and_rolling_are_told():
    asked = start(options={"dealer": "ask"})
    assert told(asked, "dealer_named", player="cleo") == "Cleo deals."
    assert told(start(), "first_card_turned", colour="red") == "Anna dealt; red lies open."
    rolled = roll(start(options=PHONES), EXAMPLE)
    assert told(rolled, "locker_compared") == "The dice lie in the locker as rolled. Ben begins."
    won = solve(solvable(), ANNA)
    assert told(won, "case_opened") == "Case 2 begins; Ben deals."


def test_a_solution_is_told_with_what_was_held():
    before = solvable()
    assert told(before, "case_declared", ANNA) == "Anna calls: case solved!"
    called = do(before, "case_declared", ANNA)
    done = event("bell_rang", None, timer="call")
    assert GAME.told(called, done, GAME.apply(called, done)) == (
        "The case is closed. Anna held 2 green, 1 red and 3 yellow, with blue as secret identity. "
        "Anna has solved one of three cases."
    )


def test_a_comparison_is_told():
    called = do(state(options=CARDS), "case_declared", ANNA)
    done = event("bell_rang", None, timer="call")
    shown = GAME.apply(called, done)
    assert GAME.told(called, done, shown) == "Now Anna lays the cards open."
    yes = "Anna's cards solve the case. Anna has solved one of three cases."
    assert told(shown, "cards_compared", match="yes") == yes
    no = "Anna's cards do not solve the case. It costs nothing."
    assert told(shown, "cards_compared", match="no") == no
    strict = replace(shown, rules=replace(shown.rules, forfeit=True))
    assert told(strict, "cards_compared", match="no").endswith("It costs the next turn.")


def test_a_forfeited_turn_is_told():
    before = do(state(options={"false_call": "forfeit"}), "falsely_called", ANNA, player="cleo")
    drawn = do(before, "card_drawn", BEN, source="pile")
    card = drawn.file[1][0]
    assert told(drawn, "card_discarded", colour=card) == f"Ben discards {card}. Cleo forfeits this turn."
    timed = state(options={"turn_timer": "1"})
    assert told(timed, "bell_rang", None, timer="turn") == "The time for this turn is up."
    assert told(before, "falsely_called", ANNA, player="anna") == (
        "Anna called out falsely and forfeits the next turn."
    )


NOW = {"card_drawn", "die_taken", "case_declared", "falsely_called"}
NOT_NOW = [kind for kind in GAME.events if word_of(kind) not in NOW]


@pytest.mark.parametrize("kind", NOT_NOW, ids=word_of)
def test_what_does_not_come_now_is_said_in_words(kind):
    before = state()
    args = {"player": "anna", "colour": "red", "match": "yes", "die": "1", "source": "pile"}
    known = {name for name in kind.__dataclass_fields__ if name in args}
    with pytest.raises(ValueError, match=r"does not come now\. Ben draws one card or rolls one die\."):
        do(before, word_of(kind), BEN, **{name: args[name] for name in known})
