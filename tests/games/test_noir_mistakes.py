"""The five mistakes that players make most, and what catches each."""

import pytest

from companion.games.noir.state import INSPECTOR, KILLER, Phase
from companion.rules.game import OutOfPlace
from companion.rules.view import Standings
from games.noir_kit import (
    ANNA,
    BEN,
    actions,
    answer,
    arrest,
    do,
    exonerate,
    kill,
    panel,
    possible,
    seen,
    shift,
    shown,
    state,
    targets,
    text,
    words,
)

CARDS = {"secrets": "cards"}


@pytest.mark.parametrize("options", [CARDS, {}])
def test_undoing_the_shift_of_the_other_player(options):
    moved = shift(state(options=options), "column-2", "down")
    assert "Anna has just moved column 2 down" in actions(moved, BEN)["shift-column-2-up"].refused
    greyed = {ident for ident, action in actions(moved, BEN).items() if action.refused}
    assert greyed == {"shift-column-2-up"}
    with pytest.raises(OutOfPlace, match="must not be undone at once"):
        shift(moved, "column-2", "up")


def test_killing_whom_a_shift_has_taken_away():
    before = state(killer="m", inspector="a")
    assert "n" in targets(before)
    moved = shift(shift(before, "column-4", "down"), "column-4", "down")
    assert "n" not in targets(moved)
    with pytest.raises(OutOfPlace, match="Niel is not next to you now"):
        kill(moved, "n")


def test_killing_or_arresting_across_the_edge():
    with pytest.raises(OutOfPlace, match="does not go round its edges"):
        kill(state(killer="k", inspector="a"), "o")
    with pytest.raises(OutOfPlace, match="does not go round its edges"):
        arrest(state(inspector="a", turn=INSPECTOR), "u")


def test_arresting_two_cells_away():
    with pytest.raises(OutOfPlace, match="You may arrest your own identity"):
        arrest(state(inspector="a", turn=INSPECTOR), "m")
    on_cards = arrest(state(turn=INSPECTOR, options=CARDS), "a")
    later = shift(do(on_cards, "arrest_answered", ANNA, killer="no"), "row-5", "left")
    assert "the inspector is not next to" in actions(later, BEN)["arrest-Zachary"].warning
    assert actions(later, BEN)["arrest-Barrin"].warning == ""


@pytest.mark.parametrize("options", [CARDS, {}])
def test_forgetting_the_canvass_or_asking_about_another_area(options):
    asked = exonerate(state(hand="bcd", turn=INSPECTOR, options=options), "b")
    assert words(asked) == {"area_canvassed"}
    with pytest.raises(OutOfPlace, match=r"A kill does not come now\. Anna: is your identity next to"):
        kill(asked, "n")
    assert text(asked, "Now", None) == ["Next to Barrin: Alyss, Clive, Franklin, Geneva and Horatio."]
    assert seen(asked, None).headline.startswith("Anna: is your identity next to Barrin?")


def test_an_untrue_answer():
    asked = exonerate(state(killer="g", hand="bcd", turn=INSPECTOR), "b")
    with pytest.raises(OutOfPlace, match="the answer must be true"):
        answer(asked, near=False)
    assert asked.phase is Phase.CANVASS


@pytest.mark.parametrize("options", [CARDS, {}])
def test_a_wrong_hand(options):
    before = state(hand="bcd", turn=INSPECTOR, options=options)
    with pytest.raises(OutOfPlace, match="Draw an evidence card first"):
        do(before, "suspect_exonerated", name="Barrin")
    drawn = do(before, "evidence_drawn")
    assert "Three cards stay in the hand" in text(drawn, "Now", None)[0]
    with pytest.raises(OutOfPlace, match="lays one of them open"):
        do(drawn, "evidence_drawn")
    with pytest.raises(OutOfPlace, match="lays one of them open"):
        shift(drawn, "row-1", "left")
    (row,) = [row for row in panel(drawn, Standings).rows if row.name == "Ben"]
    assert row.cells == ("inspector", "4")


@pytest.mark.parametrize("options", [CARDS, {}])
def test_a_dead_line_and_the_count_of_the_dead(options):
    before = state(killer="r", dead="klmo", options=options)
    after = kill(before, "n")
    if options:
        after = do(after, "victim_answered", BEN, inspector="no")
    assert shown(after) == "abcde fghij pqrst uvwyz"
    said = "Row 3 is all deceased: take it away and close the gap from above and below."
    for seat in (None, ANNA, BEN):
        assert text(after, "Now", seat)[0] == said
    assert after.dead == 5
    assert "Deceased: Kristoph, Linus, Marion, Niel and Ophelia." in text(after, "Known to all", None)


def test_a_disguise_with_a_dead_card():
    drawn = do(state(options=CARDS, dead="n"), "disguise_drawn")
    assert [line.partition(":")[0] for line in text(drawn, "Now")] == ["It lives", "It is deceased"]
    with pytest.raises(OutOfPlace, match="Niel is deceased, and so was not the killer"):
        do(drawn, "identity_discarded", ANNA, name="Niel")
    assert dict(actions(drawn)["dead"].inputs[0].choices) == {"Niel": "Niel"}
    assert "Niel" not in dict(actions(drawn)["lives"].inputs[0].choices)


def test_two_actions_in_a_turn():
    after = kill(state(), "n")
    assert after.role == INSPECTOR
    with pytest.raises(OutOfPlace, match=r"A kill does not come now\. Ben, the inspector"):
        do(after, "suspect_killed", ANNA, name="Linus")
    assert possible(after, ANNA) == set()
    assert state().role == KILLER
