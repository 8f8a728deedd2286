"""C1 to C26: what the rulebook leaves open, as the README says it, with every option."""

from dataclasses import replace

import pytest

from companion.games.noir.grid import Line
from companion.games.noir.pieces import ALL, members
from companion.games.noir.rules import GAME
from companion.games.noir.state import INSPECTOR, KILLER, Phase, Shift
from companion.rules.game import OutOfPlace
from games.noir_kit import (
    ALPHABET,
    ANNA,
    BEN,
    CLASSIC,
    PHONES,
    actions,
    answer,
    arrest,
    card,
    could,
    do,
    exonerate,
    grid,
    kill,
    letters,
    name,
    seen,
    shift,
    shown,
    some,
    start,
    state,
    targets,
    text,
    told,
    words,
)

CARDS = {"secrets": "cards"}
ACTION = {"collapse": "action"}


def test_c1_only_the_very_last_shift_is_protected():
    moved = shift(state(), "row-2", "right")
    with pytest.raises(OutOfPlace, match="undone"):
        shift(moved, "row-2", "left")
    later = shift(moved, "row-4", "left")
    assert shift(later, "row-2", "left").grid == shift(state(), "row-4", "left").grid


@pytest.mark.parametrize("between", ["arrest", "exonerate"])
def test_c1_any_other_action_lifts_the_ban(between):
    moved = shift(state(hand="bcd"), "row-2", "right")
    other = arrest(moved, "b") if between == "arrest" else answer(exonerate(moved, "d"), near=False)
    assert other.last_shift is None
    assert shift(other, "row-2", "left").role == INSPECTOR


def test_c1_a_ban_lasts_through_a_question():
    moved = shift(state(turn=INSPECTOR, killer="m", inspector="a", innocent="h"), "row-2", "right")
    asked = kill(moved, "h")
    assert asked.phase is Phase.CANVASS
    after = answer(asked, near=False)
    assert after.last_shift is None


@pytest.mark.parametrize("way", ["up", "down"])
def test_c2_with_two_cards_both_ways_would_undo(way):
    before = state("abmde fghij", dead="klcnopqrstuvwyz")
    moved = shift(before, "column-1", "down")
    with pytest.raises(OutOfPlace, match="both ways come to the same"):
        shift(moved, "column-1", way)
    assert shift(moved, "column-2", way).role == KILLER


def test_c3_a_single_card_is_not_shifted():
    before = state("abcdefghij", killer="b", dead="klmnopqrstuvwyz")
    assert before.grid.rows == 1
    with pytest.raises(OutOfPlace, match="Column 3 is a single card: moving it would be a pass"):
        shift(before, "column-3", "up")
    assert shown(shift(before, "row-1", "left")) == "bcdefghija"


def test_c4_the_ban_stays_with_its_line_when_another_is_removed():
    lined = state("abcdj fghie klmno pqrst uvwyz", killer="w", inspector="n", hand="qrs", dead="abcde")
    moved = shift(lined, "column-5", "up")
    assert shown(moved) == "fghio klmnt pqrsz uvwyj"
    assert (moved.gone, moved.last_shift) == ((Line("row", 1),), Shift(Line("column", 5), "up"))
    with pytest.raises(OutOfPlace, match="moved column 5 up"):
        shift(moved, "column-5", "down")


def test_c4_the_number_of_the_line_follows():
    lined = state("kbcde lghij mawnu oqrst pvfyz", killer="m", inspector="n", hand="qrs", dead="klaop")
    moved = shift(lined, "row-3", "left")
    assert moved.gone == (Line("column", 1),)
    assert shown(moved) == "bcde ghij wnum qrst vfyz"
    assert moved.last_shift == Shift(Line("row", 3), "left")
    with pytest.raises(OutOfPlace, match="moved row 3 to the left"):
        shift(moved, "row-3", "right")
    above = state("abcde fghij pklmo nqrst uvwyz", killer="w", inspector="y", hand="qrs", dead="abcde")
    above = replace(above, grid=grid("fghij abcde pklmo nqrst uvwyz"))
    moved = shift(above, "row-4", "left")
    assert (moved.gone, moved.last_shift) == ((Line("row", 2),), Shift(Line("row", 3), "left"))


def test_c4_a_line_that_was_removed_bans_nothing():
    lined = state("fbcda eghij klmno pqrst uvwyz", killer="w", inspector="n", hand="qrs", dead="abcdf")
    after = shift(lined, "row-1", "right")
    assert (after.gone, after.last_shift) == ((Line("row", 1),), None)
    assert shift(after, "row-1", "left").role == KILLER


def test_c5_neighbours_close_up_and_nothing_goes_round():
    before = grid("abcde klmno")
    assert letters(members(before.next_to(card("a")))) == "bkl"
    assert letters(members(before.next_to(card("e")))) == "dno"
    assert letters(members(grid(ALPHABET).next_to(card("j")))) == "deino"


def test_c6_shifts_remove_lines_too():
    lined = state("abcdj fghie klmno pqrst uvwyz", killer="w", inspector="n", dead="abcde")
    assert shown(lined) == "ABCDj fghiE klmno pqrst uvwyz"
    assert shown(shift(lined, "column-5", "up")) == "fghio klmnt pqrsz uvwyj"


def test_c6_so_do_disguises_of_the_classic_mode():
    before = state(killer="m", inspector="y", dead="klno", deck="z", options=CLASSIC)
    assert shown(do(before, "disguise_drawn")) == "abcde fghij pqrst uvwyz"


def test_c7_rows_and_columns_are_found_together():
    after = kill(state(killer="r", dead="klmodisy"), "n")
    assert after.gone == (Line("row", 3), Line("column", 4))
    assert after.grid.all_in(ALL & ~after.alive) == ()


def test_c8_who_was_taken_away_has_no_area():
    before = state("abcde fghij pqrst uvwyz", killer="g", dead="klmno", hand="kcd", turn=INSPECTOR)
    after = exonerate(before, "k")
    assert (after.phase, after.role) == (Phase.TURN, KILLER)
    drawn = do(before, "evidence_drawn")
    done = told(drawn, "suspect_exonerated", BEN, name="Kristoph")
    assert done == (
        "Ben exonerates Kristoph (no longer on the grid). "
        "Deceased and taken away: there is no area to canvass."
    )


def test_c9_the_area_is_the_eight_around():
    for killer in "ghilnqrs":
        asked = exonerate(state(killer=killer, hand="mcd", turn=INSPECTOR), "m")
        assert answer(asked, near=True).role == KILLER
    for killer in "bcdefjkopt":
        asked = exonerate(state(killer=killer, hand="mva", inspector="w", turn=INSPECTOR), "m")
        assert answer(asked, near=False).role == KILLER


def test_c10_the_answer_comes_before_the_grid_closes():
    before = state(killer="r", inspector="h", innocent="n", dead="klmo")
    asked = kill(before, "n")
    assert (asked.phase, asked.grid.rows) == (Phase.CANVASS, 5)
    after = answer(asked, near=True)
    assert (after.grid.rows, shown(after)) == (4, "abcde fghij pqrst uvwyz")


def test_c11_the_answer_is_true_and_told_to_everybody():
    asked = exonerate(state(killer="g", hand="bcd", turn=INSPECTOR), "b")
    assert told(asked, "area_canvassed", ANNA, near="yes") == (
        "Anna: Yes, next to Barrin (row 1, column 2)."
    )
    with pytest.raises(OutOfPlace, match="must be true"):
        answer(asked, near=False)


@pytest.mark.parametrize(("chosen", "dead", "innocent"), [("deceased", 1, 0), ("innocent", 0, some("m"))])
def test_c12_the_old_identity_in_the_classic_mode(chosen, dead, innocent):
    before = state(deck="z", options={**CLASSIC, "old_identity": chosen})
    after = do(before, "disguise_drawn")
    assert (after.dead, after.innocent) == (dead, innocent)
    standard = do(state(deck="z", options={"old_identity": chosen}), "disguise_drawn")
    assert (standard.dead, standard.innocent) == (0, some("m"))


def test_c13_a_deceased_old_identity_counts():
    before = state(deck="z", dead="bcd", options=CLASSIC)
    assert do(before, "disguise_drawn").dead == 4


def test_c14_an_empty_deck_is_not_shuffled_again():
    after = do(state(deck="z"), "disguise_drawn")
    assert (after.deck, letters(after.shown)) == ((), "m")
    assert "disguise_drawn" in words(shift(after, "row-1", "left"))
    with pytest.raises(OutOfPlace, match="empty"):
        do(shift(after, "row-1", "left"), "disguise_drawn")


def test_c15_a_card_is_never_twice():
    before = do(state(turn=INSPECTOR, hand="bcd", options=CARDS), "evidence_drawn")
    laid = answer(do(before, "suspect_exonerated", ANNA, name="Clive"), near=False)
    drawn = do(laid, "disguise_drawn")
    with pytest.raises(OutOfPlace, match="Clive's evidence card lies open already"):
        do(drawn, "identity_discarded", ANNA, name="Clive")
    assert "Clive" not in dict(actions(drawn)["lives"].inputs[0].choices)


def test_c16_the_inspector_is_nobody_deceased():
    before = start(PHONES)
    before = replace(before, identity=(card("m"), -1), hand=(card("n"), card("a"), card("b"), card("c")))
    after = kill(before, "n")
    assert "deceased" in actions(after, BEN)["be-0"].refused
    with pytest.raises(OutOfPlace, match="Niel is deceased: choose somebody who lives"):
        do(after, "identity_chosen", card="0")
    assert do(after, "identity_chosen", card="1").identity[INSPECTOR] == card("a")
    on_cards = kill(start(CARDS), "n")
    assert "Choose somebody who lives" in text(on_cards, "Now", None)[0]


def test_c17_a_first_victim_in_the_inspectors_four_tells_nothing():
    before = start(PHONES)
    hit = replace(before, identity=(card("m"), -1), hand=(card("n"), card("a"), card("b"), card("c")))
    miss = replace(hit, hand=(card("d"), card("a"), card("b"), card("c")))
    one, other = kill(hit, "n"), kill(miss, "n")
    assert GAME.outcome(one) is None
    assert seen(one, ANNA) == seen(other, ANNA)
    assert seen(one, None) == seen(other, None)


def test_c18_no_arrest_of_the_deceased_and_a_warning_for_the_innocent():
    before = state(inspector="a", dead="b", innocent="g", turn=INSPECTOR)
    with pytest.raises(OutOfPlace, match="Barrin is deceased, and so is not the killer"):
        arrest(before, "b")
    assert targets(before, BEN) == "afg"
    assert "that is not the killer" in actions(before, BEN)["arrest-Geneva"].warning
    assert arrest(before, "g").role == KILLER


def test_c19_the_card_just_drawn_or_a_deceased_one_may_be_laid_open():
    before = state(turn=INSPECTOR, hand="bcd", deck="e", dead="c")
    assert letters(exonerate(before, "e").hand) == "bcd"
    assert letters(exonerate(before, "c").shown) == "c"
    assert not set(before.hand) & {before.identity[INSPECTOR]}


def test_c20_nobody_alive_nearby_leaves_shifting():
    before = state(killer="a", inspector="z", dead="bfg")
    assert targets(before) == ""
    assert "Nobody alive is next to you" in " ".join(text(before, "For your eyes only"))
    assert shift(before, "row-5", "left").role == INSPECTOR


def test_c21_an_innocent_may_be_killed():
    asked = kill(state(inspector="a", innocent="n"), "n")
    assert (asked.lives(card("n")), asked.phase) == (False, Phase.CANVASS)
    on_cards = kill(state(innocent="n", options=CARDS), "n")
    assert on_cards.phase is Phase.CANVASS  # an open card is nobody's identity: there is nothing to ask


@pytest.mark.parametrize("holding", ["cards", "phones"])
def test_c22_the_inspector_draws_before_the_first_kill_or_after_it(holding):
    before = start({"secrets": holding})
    later = start({"secrets": holding, "draws": "after"})
    assert (len(before.hand), len(before.deck), len(later.hand), len(later.deck)) == (4, 20, 0, 24)
    victim = targets(before)[0]
    one, other = kill(before, victim), kill(later, victim)
    assert (one.hand, one.deck) == (other.hand, other.deck)
    if holding == "phones":
        assert "Your four cards" in text(before, "For your eyes only", BEN)[0]
        assert text(later, "For your eyes only", BEN) == []
    else:
        assert "after the first kill" in text(later, "Now")[1]
        assert "Draw four" in text(other, "Now")[0]


@pytest.mark.parametrize("holding", ["cards", "phones"])
def test_c23_the_sixteenth_victim_was_the_inspector(holding):
    dead = "bcdefghijklnopq"
    before = state(inspector="r", hand="stu", dead=dead, options={"secrets": holding})
    after = kill(before, "r")
    if holding == "cards":
        after = do(after, "victim_answered", BEN, inspector="yes")
    ended = GAME.outcome(after)
    assert ended is not None
    assert (after.dead, ended.termination) == (16, "killed")


def test_c24_an_innocent_mark_goes_with_its_suspect():
    asked = kill(state(inspector="a", innocent="n"), "n")
    assert asked.innocent == 0
    assert letters(asked.shown) == "n"
    last = kill(state(innocent="n", dead="bcdefghijklopqr"), "n")
    assert (last.innocent, last.dead) == (0, 16)
    assert "Innocent: Niel." in text(state(innocent="n"), "Known to all")
    assert not any(line.startswith("Innocent") for line in text(asked, "Known to all"))


def test_c25_marks_travel_with_a_shift():
    before = state(innocent="g", dead="f")
    moved = shift(before, "row-2", "right")
    cells = {cell.ref: cell for panel in seen(moved).panels for cell in getattr(panel, "cells", ())}
    assert cells["Geneva"].note == "row 2, column 3"
    assert [mark.label for mark in cells["Geneva"].marks] == ["innocent"]
    assert cells["Franklin"].face_down
    assert moved.innocent == before.innocent


def test_c26_held_identities_decide_else_what_was_told_is_taken_back():
    with pytest.raises(OutOfPlace, match="must be true"):
        answer(exonerate(state(killer="g", hand="bcd", turn=INSPECTOR), "b"), near=False)
    before = exonerate(state(hand="bcd", turn=INSPECTOR, options=CARDS), "b")
    for near in (True, False):
        assert answer(before, near=near).role == KILLER
    assert not GAME.correctable(start(PHONES), None)
    assert GAME.correctable(start(CARDS), None)


def test_c26_facts_that_contradict_each_other_are_noticed():
    before = state(options=CARDS)
    first = do(kill(before, "a"), "victim_answered", BEN, inspector="no")
    other = shift(first, "row-5", "left")
    assert "the killer is not next to" in actions(other)["kill-Zachary"].warning
    assert actions(other)["kill-Clive"].warning == ""
    odd = do(kill(other, "z"), "victim_answered", BEN, inspector="no")
    assert could(odd, KILLER) == ""
    assert "nobody could be the killer" in text(odd, "Mind", None)[0]
    assert text(other, "Mind", None) == []


# The Black Box's collapse


def test_collapsing_by_action_takes_one_deceased_of_each_line():
    before = state(killer="z", inspector="y", dead="ahmnpv", options=ACTION)
    assert "grid_collapsed" in words(before)
    after = do(before, "grid_collapsed", way="left")
    assert shown(after) == "bcde fgij klNo qrst uwyz"
    assert (after.dead, after.role) == (6, INSPECTOR)
    assert "Take away Alyss, Horatio, Marion, Phoebe and Vladimir" in text(after, "Now", None)[0]
    right = do(before, "grid_collapsed", way="right")
    assert shown(right) == "bcde fgij klMo qrst uwyz"


def test_collapsing_by_column():
    before = state(killer="z", inspector="y", dead="fbcnou", options=ACTION)
    after = do(before, "grid_collapsed", way="up")
    assert shown(after) == "aghde klmij pqrst Uvwyz"
    down = do(before, "grid_collapsed", way="down")
    assert shown(down) == "aghde Flmij kqrst pvwyz"


def test_collapsing_needs_a_deceased_in_each_line_and_the_option():
    before = state(killer="z", inspector="y", dead="ahmp", options=ACTION)
    with pytest.raises(OutOfPlace, match="Every row needs a deceased suspect"):
        do(before, "grid_collapsed", way="left")
    assert "Every column" in actions(before)["collapse-up"].refused
    with pytest.raises(OutOfPlace, match="left, right, up or down"):
        do(before, "grid_collapsed", way="in")
    with pytest.raises(OutOfPlace, match="close up by themselves"):
        do(state(dead="ahmpv", killer="z"), "grid_collapsed", way="left")


def test_with_collapse_as_an_action_dead_lines_stay():
    after = kill(state(killer="r", dead="klmo", options=ACTION), "n")
    assert shown(after) == "abcde fghij KLMNO pqrst uvwyz"
    assert name("n") in text(after, "Known to all", None)[1]
