"""What the screens show and offer, and what the history tells."""

from dataclasses import replace

import pytest

from companion.games.noir.pieces import NAMES
from companion.games.noir.rules import GAME
from companion.games.noir.state import INSPECTOR, KILLER, Phase
from companion.games.noir.view import Cloak, Lineup
from companion.rules.notation import word_of
from companion.rules.view import Board, Standings, Text, Track
from games.noir_kit import (
    ANNA,
    BEN,
    CLASSIC,
    PHONES,
    actions,
    answer,
    arrest,
    bell,
    card,
    do,
    exonerate,
    kill,
    panel,
    possible,
    seen,
    shift,
    some,
    start,
    state,
    targets,
    text,
    told,
)

CARDS = {"secrets": "cards"}
EYES = "For your eyes only"
SHIFTS = {
    *(f"shift-row-{n}-{way}" for n in range(1, 6) for way in ("left", "right")),
    *(f"shift-column-{n}-{way}" for n in range(1, 6) for way in ("up", "down")),
}


# Panels


def test_the_line_up_shows_names_numbers_places_and_sides():
    cells = panel(state(dead="b", innocent="c"), Lineup, None).cells
    assert [cell.label for cell in cells] == list(NAMES)
    assert [cell.number for cell in cells] == [str(n) for n in range(1, 26)]
    assert (cells[0].note, cells[24].note) == ("row 1, column 1", "row 5, column 5")
    assert [cell.ref for cell in cells if cell.face_down] == ["Barrin"]
    assert [cell.ref for cell in cells if cell.marks] == ["Clive"]
    assert not any(cell.here or cell.reachable or cell.lit for cell in cells)
    assert issubclass(Lineup, Board)


def test_before_the_first_card_lies_there_only_players_see_the_line_up():
    entered = start({"layout": "entered"})
    assert panel(entered, Lineup, ANNA).cells == ()
    assert not any(isinstance(there, Lineup) for there in seen(entered, None).panels)


def test_a_closed_up_grid_is_smaller():
    after = kill(state(killer="r", dead="klmo"), "n")
    lineup = panel(after, Lineup, None)
    assert (lineup.columns, len(lineup.cells)) == (5, 20)
    both = panel(kill(state(killer="r", dead="klmodisy"), "n"), Lineup, None)
    assert (both.columns, len(both.cells)) == (4, 16)


def test_deaths_are_counted_towards_the_target():
    track = panel(state(dead="bcd", options={"target": "14"}), Track, None)
    assert (track.value, track.maximum, track.unit) == (3, 14, "of 14 deceased")
    assert track.note == "With 14 the killer wins."


def test_what_is_known_to_all_is_listed():
    before = state(dead="b", innocent="c", deck="efg", shown=(card("c"), card("z")))
    assert text(before, "Known to all", None) == [
        "Evidence deck: three cards.",
        "Innocent: Clive.",
        "Deceased: Barrin.",
        "Evidence cards that lie open: Clive and Zachary.",
    ]


def test_players_roles_and_hands():
    rows = panel(state(), Standings).rows
    assert [(r.name, r.cells, r.mine, r.mark) for r in rows] == [
        ("Anna", ("killer", "-"), True, "to act"),
        ("Ben", ("inspector", "3"), False, ""),
    ]
    asked = exonerate(state(hand="bcd", turn=INSPECTOR), "b")
    assert [row.mark for row in panel(asked, Standings, None).rows] == ["to act", ""]
    asked_start = start({"killer": "ask"})
    assert not any(isinstance(p, Standings) for p in seen(asked_start).panels)
    assert text(asked_start, "Known to all") == []


def test_the_cloak_shows_the_own_place_and_who_is_in_reach():
    before = state(killer="m", inspector="a", dead="n")
    cloak = panel(before, Cloak)
    assert (cloak.title, cloak.tone, cloak.columns) == (EYES, "secret", 5)
    assert cloak.lines == ("You are Marion: row 3, column 3.", "Tap whom you kill.")
    assert [cell.ref for cell in cloak.cells if cell.here] == ["Marion"]
    assert "".join(c.ref[0].lower() for c in cloak.cells if c.reachable) == targets(before) == "ghilqrs"
    assert isinstance(cloak, Text)
    waits = panel(before, Cloak, BEN)
    assert waits.lines == ("You are Alyss: row 1, column 1.", "Your evidence: Barrin, Clive and Deidre.")
    assert not any(cell.reachable for cell in waits.cells)


def test_the_inspectors_cloak():
    before = state(inspector="a", turn=INSPECTOR)
    assert "Tap whom you arrest: somebody next to you, or yourself." in panel(before, Cloak, BEN).lines
    reach = [cell.ref for cell in panel(before, Cloak, BEN).cells if cell.reachable]
    assert reach == ["Alyss", "Barrin", "Franklin", "Geneva"]


def test_before_the_choice_the_cloak_holds_four_cards():
    before = start(PHONES)
    four = text(before, EYES, BEN)
    assert four[0].startswith("Your four cards: ")
    cells = panel(before, Cloak, BEN).cells
    assert sorted(c.ref for c in cells if c.icon) == sorted(NAMES[one] for one in before.hand)
    assert not any(cell.here or cell.reachable for cell in cells)
    after = kill(before, targets(before)[0])
    offered = [action for action in actions(after, BEN).values() if action.word == "identity_chosen"]
    assert len(offered) == 4
    assert all(action.veiled for action in offered)
    assert {a.cell for a in offered if not a.refused} == {
        cell.ref for cell in panel(after, Cloak, BEN).cells if cell.reachable
    }
    assert "Tap who you will be." in text(after, EYES, BEN)
    assert text(start({**PHONES, "killer": "ask"}), EYES) == []


def test_the_cloak_offers_the_hand_for_exonerating():
    drawn = do(state(hand="bcd", deck="k", dead="c", turn=INSPECTOR), "evidence_drawn")
    cells = panel(drawn, Cloak, BEN).cells
    assert [c.ref for c in cells if c.reachable] == ["Barrin", "Clive", "Deidre", "Kristoph"]
    assert [c.ref for c in cells if c.icon] == ["Barrin", "Clive", "Deidre", "Kristoph"]
    assert "Tap whom you exonerate." in text(drawn, EYES, BEN)
    assert not any(cell.reachable or cell.icon for cell in panel(drawn, Cloak, ANNA).cells)


def test_the_notebook_says_who_the_other_may_be():
    before = kill(state(killer="m", inspector="a"), "n")
    assert text(before, "Notebook", BEN) == [
        "The killer may be one of eight suspects: Horatio, Irma, Julian, Marion, Ophelia, Ryan, Simon or "
        "Trevor.",
        "Drawn from what everybody at the table knows.",
    ]
    lit = [cell.ref for cell in panel(before, Lineup, BEN).cells if cell.lit]
    assert lit == ["Horatio", "Irma", "Julian", "Marion", "Ophelia", "Ryan", "Simon", "Trevor"]
    assert panel(before, Lineup, BEN).note.endswith("A dot marks who may be the killer.")
    assert text(before, "Notebook", None) == []
    arrested = arrest(before, "a")
    lit = [cell.ref for cell in panel(arrested, Lineup, ANNA).cells if cell.lit]
    assert lit == ["Alyss", "Barrin", "Franklin", "Geneva"]


@pytest.mark.parametrize(
    ("holding", "turn", "said"),
    [
        ("cards", KILLER, "Tap a suspect to kill or an arrow to shift."),
        ("cards", INSPECTOR, "Tap a suspect to arrest or an arrow to shift."),
        ("phones", KILLER, "Tap an arrow to shift."),
    ],
)
def test_the_grid_says_what_a_tap_does(holding, turn, said):
    before = state(options={"secrets": holding}, turn=turn)
    assert panel(before, Lineup).note.startswith(said)
    assert panel(before, Lineup, None).note == ""
    assert panel(before, Lineup, BEN).note.startswith("Tap") == (holding == "cards")
    assert panel(start(CARDS), Lineup).note == "Tap a suspect to kill."


def test_the_notebook_follows_each_fact():
    before = state(killer="m", inspector="a", hand="gcd", deck="zw")
    one = kill(before, "n")
    two = answer(exonerate(one, "g"), near=True)
    assert two.could[KILLER] == some("hm")
    three = do(two, "disguise_drawn")
    assert not three.could[KILLER] & some("mgn")
    assert three.could[KILLER].bit_count() == 22
    assert two.could[INSPECTOR] & some("ng") == 0
    missed = arrest(one, "b")
    assert missed.could[INSPECTOR] == some("abcfgh")
    near = kill(state(killer="m", inspector="h", hand="gcd"), "n")
    assert near.could[KILLER] & some("i")
    assert not arrest(near, "i").could[KILLER] & some("i")


def test_a_single_suspect_and_nobody_are_said_so():
    one = state(could=(some("m"), some("a")))
    assert text(one, "Notebook", BEN)[0] == "The killer can only be Marion, row 3, column 3."
    none = state(could=(0, some("a")))
    assert text(none, "Notebook", BEN)[0] == "Nobody could be the killer: something told was wrong."


def test_before_the_choice_nobody_guesses_the_inspector():
    before = start(PHONES)
    assert text(before, "Notebook", ANNA) == []
    assert "25 suspects" in text(before, "Notebook", BEN)[0]


def test_the_end_shows_both_and_offers_nothing():
    after = kill(state(inspector="n"), "n")
    assert (actions(after), seen(after).phase) == ({}, "Case closed")
    assert seen(after, None).headline == (
        "Anna has killed the inspector: Ben was Niel. The killer wins. Anna was Marion."
    )
    assert text(after, "Notebook", BEN) == []


# What can be done


def test_on_phones_only_the_owner_acts():
    before = state()
    assert possible(before) == SHIFTS | {"disguise"} | {f"kill-{name}" for name in _names("ghilnqrs")}
    assert actions(before, BEN) == {}
    assert actions(before, None) == {}
    veiled = {ident for ident, action in actions(before).items() if action.veiled}
    assert veiled == {f"kill-{name}" for name in _names("ghilnqrs")}
    assert actions(before)["kill-Niel"].warning == "Kill Niel, row 3, column 4?"


def test_on_cards_any_phone_taps():
    before = state(options=CARDS)
    for seat in (ANNA, BEN):
        assert possible(before, seat) == SHIFTS | {"disguise"} | {f"kill-{name}" for name in NAMES}
    assert actions(before)["disguise"].group == "Your turn"
    assert actions(before, BEN)["disguise"].group == "For Anna"
    asked = exonerate(state(hand="bcd", turn=INSPECTOR, options=CARDS), "b")
    assert possible(asked) == {"near-yes", "near-no"}
    assert possible(asked, BEN) == set()


def _names(letters):
    return [NAMES[card(letter)] for letter in letters]


def test_arrows_are_tied_to_their_lines():
    cells = {action.cell for action in actions(state()).values() if action.word == "line_shifted"}
    assert cells == {ident.removeprefix("shift-") for ident in SHIFTS}
    assert actions(state())["shift-row-2-left"].label == "Row 2 to the left"
    assert actions(state())["shift-column-3-up"].label == "Column 3 up"


@pytest.mark.parametrize("holding", ["cards", "phones"])
def test_every_state_can_be_played_by_taps(holding):
    """Whatever is waited for, some phone offers it."""
    for before in (
        start({"secrets": holding, "killer": "ask"}),
        start({"secrets": holding, "layout": "entered"}),
        start({"secrets": holding}),
        kill(start({"secrets": holding}), targets(start({"secrets": holding}))[0]),
        state(options={"secrets": holding, "collapse": "action"}, dead="afkpu", killer="m", inspector="n"),
        state(options={"secrets": holding}, turn=INSPECTOR),
        do(state(options={"secrets": holding}, turn=INSPECTOR), "evidence_drawn"),
        exonerate(state(hand="bcd", options={"secrets": holding}, turn=INSPECTOR), "b"),
    ):
        offered = {a.word for seat in (ANNA, BEN) for a in actions(before, seat).values() if not a.refused}
        assert {tap.word for tap in GAME.expects(before).taps} == offered
    for word in ("suspect_killed", "suspect_arrested", "disguise_drawn"):
        before = state(options=CARDS, dead="z", turn=INSPECTOR if word == "suspect_arrested" else KILLER)
        args = {} if word == "disguise_drawn" else {"name": "Niel"}
        after = do(before, word, **args)
        offered = {a.word for a in actions(after).values()}
        assert {tap.word for tap in GAME.expects(after).taps} == offered


def test_answers_that_end_a_game_are_confirmed():
    asked = kill(state(options=CARDS), "n")
    assert actions(asked)["victim-yes"].warning == "Then the killer has won."
    assert actions(asked)["victim-no"].warning == ""
    asked = arrest(state(options=CARDS, turn=INSPECTOR), "n")
    assert actions(asked)["arrest-yes"].warning == "Then the inspector has won."


def test_prompts_say_how_to_lay_the_table():
    before = start(CARDS)
    assert text(before, "Now", None) == [
        "Lay the suspects as the grid shows, on the living side. Shuffle the 25 evidence cards.",
        "Anna draws one, the secret identity, and lays it face down. Ben draws four.",
        "Next to a suspect are the eight around it; the grid does not go round its edges.",
    ]
    phones = text(start(PHONES), "Now", None)
    assert phones[1] == "To kill, lift the veil on your own phone: it shows who is next to you."
    entered = start({"layout": "entered"})
    assert seen(entered).headline == "Lay the suspects out. Who lies in row 1, column 1?"
    assert "rest" in possible(entered, BEN)


def test_the_turns_time():
    before = state(options={"turn_timer": "2"})
    timer = GAME.expects(before).timer
    assert timer is not None
    assert (timer.name, timer.ends_at) == ("turn", 120.0)
    rung = bell(before)
    assert (GAME.expects(rung).timer, text(rung, "Mind")) == (None, ["The time for this turn is up."])
    after = shift(rung, "row-1", "left")
    timer = GAME.expects(after).timer
    assert timer is not None
    assert (timer.ends_at, text(after, "Mind")) == (320.0, [])
    with pytest.raises(ValueError, match="No such bell"):
        bell(state(), "turn")
    with pytest.raises(ValueError, match="No such bell"):
        bell(before, "other")


# The history


def test_shifts_kills_and_arrests_are_told_with_their_places():
    assert told(state(), "line_shifted", ANNA, line="row-2", way="left") == "Anna shifts row 2 to the left."
    assert told(state(), "suspect_killed", ANNA, name="Niel") == "Anna kills Niel (row 3, column 4)."
    dying = state(killer="r", dead="klmo")
    assert told(dying, "suspect_killed", ANNA, name="Niel") == (
        "Anna kills Niel (row 3, column 4). Row 3 is all deceased and taken away."
    )
    both = state(killer="r", dead="klmodisy")
    assert told(both, "suspect_killed", ANNA, name="Niel").endswith(
        "Row 3 and column 4 are all deceased and taken away."
    )
    found = state(killer="m", inspector="n")
    assert told(found, "suspect_killed", ANNA, name="Niel").endswith("That was the inspector!")
    arrests = state(killer="b", inspector="a", turn=INSPECTOR)
    assert told(arrests, "suspect_arrested", BEN, name="Alyss") == (
        "Ben arrests Alyss (row 1, column 1). Not the killer."
    )
    assert told(arrests, "suspect_arrested", BEN, name="Barrin").endswith("That is the killer!")
    last = state(dead="bcdefghijklnopq")
    assert told(last, "suspect_killed", ANNA, name="Ryan").endswith("That makes 16 deceased.")


def test_answers_on_cards_are_told():
    asked = kill(state(options=CARDS), "n")
    assert told(asked, "victim_answered", BEN, inspector="no") == "Niel was not the inspector."
    assert told(asked, "victim_answered", BEN, inspector="yes") == "Niel was the inspector."
    last = kill(state(options=CARDS, dead="bcdefghijklnopq"), "r")
    assert told(last, "victim_answered", BEN, inspector="no").endswith("That makes 16 deceased.")
    asked = arrest(state(options=CARDS, turn=INSPECTOR), "n")
    assert told(asked, "arrest_answered", BEN, killer="no") == "Ben asked for Niel. Not the killer."
    assert told(asked, "arrest_answered", BEN, killer="yes") == "Ben asked for Niel. That is the killer!"


def test_evidence_is_told():
    assert told(state(deck="zw"), "disguise_drawn", ANNA) == (
        "Anna is in disguise, and was Marion (row 3, column 3), who is innocent now."
    )
    classic = state(deck="zw", options=CLASSIC)
    assert told(classic, "disguise_drawn", ANNA).endswith("who is deceased now.")
    assert told(state(deck="zw", dead="z"), "disguise_drawn", ANNA) == (
        "Anna cannot disguise: the card drawn is Zachary, who is deceased."
    )
    assert told(state(options=CARDS), "disguise_drawn", BEN) == "Anna draws a card for a disguise."
    inspects = state(turn=INSPECTOR, hand="bcd", deck="zw", dead="c")
    assert told(inspects, "evidence_drawn", BEN) == "Ben draws an evidence card: one card left."
    drawn = do(inspects, "evidence_drawn")
    barrin = told(drawn, "suspect_exonerated", BEN, name="Barrin")
    assert barrin == "Ben exonerates Barrin (row 1, column 2)."
    assert told(drawn, "suspect_exonerated", BEN, name="Clive") == (
        "Ben exonerates Clive (row 1, column 3). Deceased: no innocent card."
    )
    asked = do(drawn, "suspect_exonerated", name="Barrin")
    assert told(asked, "area_canvassed", ANNA, near="no") == (
        "Anna: No, not next to Barrin (row 1, column 2)."
    )


def test_the_beginning_and_the_collapse_are_told():
    asked = start({"killer": "ask"})
    assert told(asked, "killer_named", BEN, player="ben") == "Ben is the killer, Anna the inspector."
    entered = start({"layout": "entered"})
    assert told(entered, "suspect_laid", BEN, name="Irma") == "Irma lies in row 1, column 1."
    assert told(entered, "grid_completed", BEN) == "The other suspects lie in alphabetical order."
    first = kill(start(CARDS), "b")
    assert told(first, "identity_chosen", ANNA) == "Ben has chosen a secret identity."
    before = state(killer="z", inspector="y", dead="ahmpv", options={"collapse": "action"})
    assert told(before, "grid_collapsed", ANNA, way="left") == (
        "Anna collapses the grid: Alyss, Horatio, Marion, Phoebe and Vladimir are taken away."
    )


ARGS = {"name": "Alyss", "player": "anna", "inspector": "no", "killer": "no", "near": "no"}
ARGS |= {"line": "row-1", "way": "left"}
NOW = {"line_shifted", "suspect_killed", "disguise_drawn"}


@pytest.mark.parametrize("kind", [k for k in GAME.events if word_of(k) not in NOW], ids=word_of)
def test_what_does_not_come_now_is_said_in_words(kind):
    known = {name: ARGS[name] for name in kind.__dataclass_fields__ if name in ARGS}
    with pytest.raises(ValueError, match=r"Anna, the killer: shift|close up by themselves"):
        do(state(), word_of(kind), **known)


def test_a_question_comes_first():
    asked = kill(state(options=CARDS), "n")
    with pytest.raises(ValueError, match=r"were you Niel\? That comes first\."):
        shift(asked, "row-1", "left")


def test_seats_that_do_not_play():
    with pytest.raises(ValueError, match=r"Only the two who play tap that\."):
        do(state(options=CARDS), "line_shifted", "dora", line="row-1", way="left")
    asked = exonerate(state(hand="bcd", options=CARDS, turn=INSPECTOR), "b")
    with pytest.raises(ValueError, match=r"That is for Anna to tap\."):
        do(asked, "area_canvassed", BEN, near="no")


def test_names_are_the_players_own():
    assert replace(state(), names=("Ann-Marie", "Ben")).name_of(KILLER) == "Ann-Marie"
    assert state().phase is Phase.TURN
