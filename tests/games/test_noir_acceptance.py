"""AC-N1 to AC-N19 of the notes, by name."""

import pytest

from companion.games.noir.rules import GAME
from companion.games.noir.state import INSPECTOR, KILLER, Phase
from companion.rules.game import OutOfPlace
from games.noir_kit import (
    ANNA,
    BEN,
    CLASSIC,
    PHONES,
    actions,
    answer,
    arrest,
    do,
    exonerate,
    grid,
    kill,
    letters,
    shift,
    shown,
    some,
    start,
    state,
    targets,
    text,
)

WAYS = {"row": ("left", "right"), "column": ("up", "down")}


def test_ac_n1_a_shift_must_not_be_undone():
    after = shift(state(), "row-2", "right")
    with pytest.raises(OutOfPlace, match="Anna has just moved row 2 to the right"):
        shift(after, "row-2", "left")
    for line, way in (
        ("row-2", "right"),
        ("row-3", "left"),
        *((f"column-{n}", way) for n in range(1, 6) for way in WAYS["column"]),
    ):
        assert shift(after, line, way).turn == after.turn + 1


def test_ac_n2_an_action_in_between_lifts_the_ban():
    moved = shift(state(turn=INSPECTOR), "row-2", "right")
    killed = kill(moved, "r")
    assert shift(killed, "row-2", "left").grid == state().grid


def test_ac_n3_the_card_pushed_out_comes_in_at_the_other_end():
    before = grid("abcde")
    moved = before.shifted(before.lines()[0], "right")
    assert letters(moved.cards) == "eabcd"
    assert moved.shifted(before.lines()[0], "left") == before


@pytest.mark.parametrize(
    ("killer", "next_to"),
    [("a", "bfg"), ("z", "sty"), ("c", "bdghi"), ("m", "ghilnqrs"), ("k", "fglpq")],
)
def test_ac_n4_corner_edge_and_middle(killer, next_to):
    before = state(killer=killer, inspector="w")
    assert targets(before) == next_to
    assert len(next_to) in {3, 5, 8}


@pytest.mark.parametrize("word", ["line_shifted", "disguise_drawn"])
def test_ac_n5_the_killers_first_turn_is_a_kill(word):
    before = start(PHONES)
    args = {"line": "row-2", "way": "left"} if word == "line_shifted" else {}
    with pytest.raises(OutOfPlace, match=r"does not come now\. Anna, the killer, kills"):
        do(before, word, **args)
    assert not any(action.word != "suspect_killed" for action in actions(before).values())


def test_ac_n6_killing_the_inspector_wins_at_once():
    after = kill(state(killer="m", inspector="n"), "n")
    ended = GAME.outcome(after)
    assert ended is not None
    assert (ended.termination, ended.winners) == ("killed", (ANNA,))
    assert after.dead == 1
    assert "Ben was Niel" in ended.text


@pytest.mark.parametrize("target", [16, 14, 10])
def test_ac_n7_so_many_deceased_win(target):
    dead = "bcdefghijklnopq"[: target - 1]
    before = state(killer="m", inspector="a", dead=dead, options={"target": str(target)})
    assert before.dead == target - 1
    after = kill(before, "r")
    ended = GAME.outcome(after)
    assert ended is not None
    assert (ended.termination, ended.winners) == ("spree", (ANNA,))
    assert after.dead == target


@pytest.mark.parametrize("holding", ["cards", "phones"])
def test_ac_n8_arresting_oneself_changes_nothing(holding):
    before = state(turn=INSPECTOR, options={"secrets": holding})
    after = arrest(before, "a")
    if holding == "cards":
        after = do(after, "arrest_answered", BEN, killer="no")
    assert GAME.outcome(after) is None
    assert after.role == KILLER
    kept = ("grid", "alive", "innocent", "deck", "hand", "identity", "shown")
    assert [getattr(after, f) for f in kept] == [getattr(before, f) for f in kept]


def test_ac_n9_nobody_two_cells_away_is_arrested():
    with pytest.raises(OutOfPlace, match="Clive is not next to you"):
        arrest(state(inspector="a", turn=INSPECTOR), "c")


def test_ac_n10_a_disguise_in_the_standard_mode():
    before = state(killer="m", deck="zw")
    after = do(before, "disguise_drawn")
    assert (after.innocent, after.alive, after.dead) == (some("m"), before.alive, 0)
    assert after.identity == (some("z").bit_length() - 1, before.identity[1])
    assert after.shown == (12,)
    assert after.role == INSPECTOR
    assert "You are Zachary: row 5, column 5." in text(after, "For your eyes only")


def test_ac_n11_the_same_in_the_classic_mode():
    before = state(killer="m", deck="zw", options=CLASSIC)
    after = do(before, "disguise_drawn")
    assert (after.innocent, after.dead, after.lives(12)) == (0, 1, False)
    last = state(killer="m", deck="z", dead="bcdefghijklnopq", options=CLASSIC)
    ended = GAME.outcome(do(last, "disguise_drawn"))
    assert ended is not None
    assert (last.dead, ended.termination) == (15, "spree")
    row = state(killer="m", deck="z", dead="klno", options=CLASSIC)
    assert shown(do(row, "disguise_drawn")) == "abcde fghij pqrst uvwyz"


def test_ac_n12_a_dead_card_leaves_the_old_identity():
    before = state(killer="m", deck="zw", dead="z")
    after = do(before, "disguise_drawn")
    assert (after.identity, after.innocent, after.dead) == (before.identity, 0, 1)
    assert letters(after.shown) == "z"
    assert after.role == INSPECTOR


def test_ac_n13_exonerating_next_to_the_killer():
    before = state(killer="m", hand="gcd", turn=INSPECTOR)
    deck = len(before.deck)
    asked = exonerate(before, "g")
    assert (asked.phase, asked.innocent) == (Phase.CANVASS, some("g"))
    assert (len(asked.hand), len(asked.deck)) == (3, deck - 1)
    with pytest.raises(OutOfPlace, match="must be true"):
        answer(asked, near=False)
    after = answer(asked, near=True)
    assert (after.phase, after.role) == (Phase.TURN, KILLER)


def test_ac_n14_exonerating_a_deceased_suspect_is_canvassed_around():
    asked = exonerate(state(killer="m", hand="gcd", dead="g", turn=INSPECTOR), "g")
    assert (asked.phase, asked.innocent) == (Phase.CANVASS, 0)
    assert answer(asked, near=True).role == KILLER


@pytest.mark.parametrize(("inspector", "near"), [("f", True), ("i", False)])
def test_ac_n15_killing_an_innocent_asks_the_inspector(inspector, near):
    before = state(killer="m", inspector=inspector, innocent="g")
    asked = kill(before, "g")
    assert asked.phase is Phase.CANVASS
    with pytest.raises(OutOfPlace, match="must be true"):
        do(asked, "area_canvassed", BEN, near="no" if near else "yes")
    after = do(asked, "area_canvassed", BEN, near="yes" if near else "no")
    assert (after.role, after.innocent, after.lives(6)) == (INSPECTOR, 0, False)


@pytest.mark.parametrize(("turn", "word"), [(KILLER, "disguise_drawn"), (INSPECTOR, "evidence_drawn")])
def test_ac_n16_an_empty_deck(turn, word):
    before = state(deck="", turn=turn)
    with pytest.raises(OutOfPlace, match="evidence deck is empty"):
        do(before, word)
    ident = "disguise" if turn == KILLER else "exonerate"
    assert "empty" in actions(before, ANNA if turn == KILLER else BEN)[ident].refused


def test_ac_n17_the_fifth_of_a_row_removes_it():
    before = state(killer="r", dead="klmo")
    after = kill(before, "n")
    assert shown(after) == "abcde fghij pqrst uvwyz"
    assert (after.dead, after.grid.rows, after.grid.columns) == (5, 4, 5)
    assert letters(sorted(c for c in range(25) if after.grid.next_to(17) >> c & 1)) == "ghiqsvwy"


def test_ac_n18_a_row_and_a_column_at_once():
    before = state(killer="r", dead="klmodisy")
    after = kill(before, "n")
    assert shown(after) == "abce fghj pqrt uvwz"
    assert (after.grid.rows, after.grid.columns, after.dead) == (4, 4, 9)


@pytest.mark.parametrize("holding", ["cards", "phones"])
def test_ac_n19_after_dealing(holding):
    before = start({"secrets": holding})
    after = kill(before, targets(before)[0])
    assert (len(after.deck), len(after.hand)) == (20, 4)
    if holding == "phones":
        place = next(p for p, one in enumerate(after.hand) if after.lives(one))
        after = do(after, "identity_chosen", card=str(place))
    else:
        after = do(after, "identity_chosen")
    assert (len(after.deck), len(after.hand)) == (20, 3)
