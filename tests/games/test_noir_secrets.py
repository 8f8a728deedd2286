"""Identities, hand and deck are seen by their owners only, and nothing hints at them."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import all_games
from companion.games.noir.pieces import NAMES, UNSEEN
from companion.games.noir.rules import GAME
from companion.games.noir.state import INSPECTOR, KILLER, Phase, State
from companion.rules.events import Seconds
from companion.rules.game import OutOfPlace, Setup
from companion.rules.notation import word_of
from games.noir_kit import (
    ANNA,
    BEN,
    PHONES,
    actions,
    card,
    do,
    event,
    exonerate,
    kill,
    name,
    possible,
    seen,
    start,
    state,
    targets,
    text,
)
from games.schemers import Schemers
from games.walker import any_setup

EYES = "For your eyes only"
seeds = st.integers(min_value=0, max_value=2**32)


def on_phones(seed: int) -> Setup:
    setup = any_setup(GAME, random.Random(seed))
    return replace(setup, options={**setup.options, "secrets": "phones"})


def twin(before: State, keeps: int | None, rng: random.Random) -> State:
    """The same table with other cards face down; ``keeps`` is the role whose own cards stay."""
    killer, inspector = before.identity
    loose = [*before.deck]
    loose += [] if keeps == KILLER else [killer]
    if keeps != INSPECTOR:
        loose += [*before.hand, *([inspector] if inspector != UNSEEN else [])]
    rng.shuffle(loose)
    if keeps != KILLER:
        killer = loose.pop()
    hand = before.hand
    if keeps != INSPECTOR:
        hand = tuple(loose.pop() for _ in hand)
        inspector = loose.pop() if inspector != UNSEEN else UNSEEN
    return replace(before, identity=(killer, inspector), hand=hand, deck=tuple(loose))


@given(seed=seeds)
@settings(max_examples=8, deadline=None)
def test_what_others_see_does_not_depend_on_what_lies_face_down(seed):
    """The same view in every byte: buttons, their order, their number, the length of the page."""
    rng = random.Random(seed)
    setup = on_phones(seed)
    for before, _ in Schemers(seed).play(setup, most=60):
        if before.phase in {Phase.ROLE, Phase.LAYOUT}:
            continue
        for keeps in (None, KILLER, INSPECTOR):
            other = twin(before, keeps, rng)
            seat = None if keeps is None else before.seat_of(keeps)
            if before.phase is not Phase.END:
                assert GAME.view(other, seat, Seconds(1.0)) == GAME.view(before, seat, Seconds(1.0))
            assert GAME.expects(other) == GAME.expects(before)
            assert GAME.outcome(other) == GAME.outcome(before)


@given(seed=seeds)
@settings(max_examples=10, deadline=None)
def test_what_is_told_does_not_depend_on_it_either(seed):
    """Of everything but a struck inspector or killer, and a drawn disguise, which are open to all."""
    rng = random.Random(seed)
    for before, fact in Schemers(seed).play(on_phones(seed), most=60):
        told = GAME.told(before, fact, GAME.apply(before, fact))
        if before.phase in {Phase.ROLE, Phase.LAYOUT} or word_of(fact) == "disguise_drawn":
            continue
        try:
            other = twin(before, None, rng)
            after = GAME.apply(other, fact)
        except OutOfPlace:
            continue  # elsewhere somebody else is next to that suspect, or holds that card
        if after.end is None and GAME.apply(before, fact).end is None:
            assert GAME.told(other, fact, after) == told


def test_the_comparison_itself_can_fail():
    rng = random.Random(1)
    before = state()
    for seat in (ANNA, BEN):
        assert len({repr(seen(twin(before, None, rng), seat)) for _ in range(5)}) > 1


@pytest.mark.parametrize("seat", [None, BEN])
def test_where_the_killer_is_shows_on_no_other_screen(seat):
    """Corners, edges, the middle: not in one byte, nor in what is waited for."""
    views, waits = set(), set()
    for killer in "amzke":
        before = state(killer=killer, inspector="w", hand="bcd", dead="fg")
        views.add(repr(seen(before, seat)))
        waits.add(repr(GAME.expects(before)))
    assert len(views) == len(waits) == 1


def test_the_own_phone_lists_the_same_buttons_wherever_its_owner_is():
    """What tells of the place is under the veil: the list below shows it to nobody who looks over."""
    for turn, seat in ((KILLER, ANNA), (INSPECTOR, BEN)):
        lists = set()
        for one, two in (("a", "z"), ("m", "s"), ("k", "y")):
            before = state(killer=one, inspector=two, hand="bcd", turn=turn)
            lists.add(repr([action for action in seen(before, seat).actions if not action.veiled]))
        assert len(lists) == 1


@pytest.mark.parametrize("phase", ["turn", "choose", "exonerate"])
def test_no_open_button_or_panel_names_what_is_under_the_veil(phase):
    before = state(inspector="s", hand="bcd", turn=INSPECTOR, could=(0, 0))
    if phase == "choose":
        before = replace(before, phase=Phase.CHOOSE, chosen=False, identity=(12, UNSEEN), could=(0, 0))
    elif phase == "exonerate":
        before = replace(do(before, "evidence_drawn"), could=(0, 0))
    view = seen(before, BEN)
    bare = [p for p in view.panels if p.title not in {EYES, "Suspects"}]
    openly = repr([a for a in view.actions if not a.veiled]) + repr(bare)
    assert not [NAMES[c] for c in (*before.hand, *before.identity) if c >= 0 and NAMES[c] in openly]
    assert any(action.veiled for action in view.actions)


@pytest.mark.parametrize("seat", [None, BEN])
def test_an_identity_is_in_no_view_but_its_owners_and_in_no_log(seat):
    before = state()
    asked = exonerate(state(hand="bcd", turn=INSPECTOR), "b")
    for one in (before, asked):
        assert "You are Marion" not in repr(seen(one, seat))
        assert "identity=" not in repr(one)
        assert "deck=" not in repr(one)
        assert "hand=" not in repr(one)
        assert "deal=" not in repr(one)
    assert "You are Marion: row 3, column 3." in text(before, EYES)


def test_the_place_of_the_chosen_card_says_nothing():
    """Whatever the four are, the fact and what others see of it are the same."""
    before = kill(replace(start(PHONES), identity=(card("m"), UNSEEN)), "n")
    views, lines = set(), set()
    for four in ("abcd", "dcba", "wvyz"):
        hand = tuple(card(letter) for letter in four)
        other = replace(before, hand=hand, deck=before.deck)
        fact = event("identity_chosen", BEN, card="2")
        after = GAME.apply(other, fact)
        lines.add(GAME.told(other, fact, after))
        views.add(repr((seen(after, None), seen(after, ANNA))))
    assert len(views) == 1
    assert lines == {"Ben has chosen a secret identity."}


def test_a_canvassed_player_sees_both_answers_and_only_the_true_one_is_taken():
    asked = exonerate(state(killer="g", hand="bcd", turn=INSPECTOR), "b")
    assert set(actions(asked)) == {"near-yes", "near-no"}
    assert possible(asked) == {"near-yes"}
    assert "must be true" in actions(asked)["near-no"].refused
    assert actions(asked, BEN) == {}
    far = exonerate(state(killer="s", hand="bcd", turn=INSPECTOR), "b")
    assert seen(far, BEN).panels == seen(replace(far, identity=asked.identity), BEN).panels


def test_on_cards_the_companion_knows_nothing_that_lies_face_down():
    before = state(options={"secrets": "cards"})
    assert {*before.identity, *before.hand, *before.deck} == {UNSEEN}
    for seat in (ANNA, BEN):
        assert text(before, EYES, seat) == []
        assert not any(action.veiled for action in actions(before, seat).values())
        assert targets(before, seat) == "abcdefghijklmnopqrstuvwyz"


# At a real table


def table_with(make_table):
    table = make_table(all_games())
    seats = tuple(table.join(player).key for player in ("Anna", "Ben"))
    options = {"secrets": "phones", "killer": "first"}
    table.start_game(slug="noir", title="Evening", seats=seats, options=options)
    return table


def test_a_kill_out_of_reach_leaves_no_trace(make_table):
    table = table_with(make_table)
    before = table.snapshot()
    near = set(targets(before.state))
    far = next(letter for letter in "abcdefghijklmnopqrstuvwyz" if letter not in near)
    receipt = table.tap(id="try", seat=ANNA, word="suspect_killed", args={"name": name(far)})
    assert receipt.status == "refused"
    after = table.snapshot()
    assert (after.version, after.history, after.undo) == (before.version, before.history, before.undo)
    other = table.tap(id="b", seat=BEN, word="suspect_killed", args={"name": name(min(near))})
    assert other.text == "That is for Anna to tap."


def test_no_correction_tries_where_somebody_is(make_table):
    table = table_with(make_table)
    victim = name(targets(table.snapshot().state)[0])
    assert table.tap(id="k", seat=ANNA, word="suspect_killed", args={"name": victim}).status == "kept"
    (row,) = table.snapshot().history
    assert not row.amendable
    for answer in (
        table.preview(row.seq, row.line),
        table.amend(id="x", seq=row.seq, line=row.line, seat=BEN),
    ):
        assert "lies face down" in answer.text
    assert table.undo(id="u", seat=BEN, seq=row.seq).status == "kept"
