"""Identities, files and the pile are seen by their owners only, and nothing hints at them."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import all_games
from companion.games.suspects.cases import flaws
from companion.games.suspects.rules import GAME
from companion.games.suspects.state import State
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from companion.rules.game import OutOfPlace, Setup
from companion.rules.notation import word_of
from games.sleuths import Sleuths
from games.suspects_kit import (
    ANNA,
    BEN,
    CLEO,
    NAMES,
    actions,
    do,
    event,
    hidden,
    seen,
    solvable,
    start,
    state,
    text,
)
from games.walker import any_setup

seeds = st.integers(min_value=0, max_value=2**32)


def on_phones(seed: int) -> Setup:
    rng = random.Random(seed)
    setup = any_setup(GAME, rng)
    return replace(setup, options={**setup.options, "secrets": "phones"})


def twin(before: State, keeps: int | None, rng: random.Random) -> State:
    """The same table with other cards face down; ``keeps`` is the player whose own stay."""
    others = [p for p in range(len(before.seats)) if p != keeps]
    cards = [before.identity[p] for p in others] + [c for p in others for c in before.file[p]]
    cards += before.pile
    rng.shuffle(cards)
    identity, file = list(before.identity), list(before.file)
    for p in others:
        identity[p] = cards.pop()
        file[p] = tuple(cards.pop() for _ in file[p])
    return replace(before, identity=tuple(identity), file=tuple(file), pile=tuple(cards))


@given(seed=seeds)
@settings(max_examples=6, deadline=None)
def test_what_others_see_does_not_depend_on_what_lies_face_down(seed):
    """The same view in every byte: buttons, their order, their number, the length of the page."""
    rng = random.Random(seed)
    setup = on_phones(seed)
    for before, fact in Sleuths(seed).play(setup, most=70):
        if not before.case:
            continue
        for keeps in (None, *range(len(before.seats))):
            other = twin(before, keeps, rng)
            seat = None if keeps is None else before.seats[keeps]
            assert GAME.view(other, seat, Seconds(1.0)) == GAME.view(before, seat, Seconds(1.0))
            assert GAME.expects(other) == GAME.expects(before)
            assert GAME.outcome(other) == GAME.outcome(before)
        if word_of(fact) in {"die_taken", "dice_rolled", "locker_compared"}:
            other = twin(before, None, rng)
            lines = [GAME.told(b, fact, GAME.apply(b, fact)) for b in (before, other)]
            assert lines[0] == lines[1]


@given(seed=seeds)
@settings(max_examples=10, deadline=None)
def test_a_drawn_card_is_told_to_nobody(seed):
    rng = random.Random(seed)
    for before, fact in Sleuths(seed).play(on_phones(seed), most=80):
        if word_of(fact) == "card_drawn":
            other = twin(before, None, rng)
            lines = [GAME.told(b, fact, _applied(b, fact)) for b in (before, other)]
            assert lines[0] == lines[1]


def _applied(before, fact):
    try:
        return GAME.apply(before, fact)
    except OutOfPlace:  # another file may be of one colour
        return GAME.apply(replace(before, rules=replace(before.rules, same_allowed=True)), fact)


def test_the_comparison_itself_can_fail():
    rng = random.Random(1)
    before = state()
    mine = [repr(seen(twin(before, None, rng), ANNA)) for _ in range(5)]
    assert len(set(mine)) > 1


@pytest.mark.parametrize("seat", [None, BEN, CLEO])
def test_a_planted_card_is_in_no_view_but_its_owners(seat):
    before = state()
    planted = replace(
        before,
        identity=("planted-identity", *before.identity[1:]),
        file=(("planted-card",) * 6, *before.file[1:]),
        pile=("planted-pile",) * len(before.pile),
    )
    assert "planted" not in repr(seen(planted, seat))
    assert "planted" not in repr(GAME.expects(planted))
    assert "planted" not in repr(planted)
    mine = repr(seen(planted, ANNA))
    assert "planted-identity" in mine
    assert "planted-pile" not in mine


def test_nothing_but_the_own_phone_hints_that_somebody_could_solve():
    able, unable = solvable(), state(files={"anna": "g g r y y b"}, identities={"anna": "blue"})
    assert flaws(able, 0) == ()
    assert flaws(unable, 0) != ()
    for seat in (None, BEN, CLEO):
        assert [p for p in seen(able, seat).panels if p.title != "For your eyes only"] == [
            p for p in seen(unable, seat).panels if p.title != "For your eyes only"
        ]
        assert seen(able, None) == seen(unable, None)
    assert GAME.expects(able) == GAME.expects(unable)
    assert "You can solve the case: call it out." in text(able, "For your eyes only")
    assert "You can solve" not in " ".join(text(unable, "For your eyes only"))
    assert actions(able)["solve"].refused == ""
    assert not actions(able)["solve"].lead


def test_the_own_panel_is_under_the_veil_and_tells_the_distance():
    before = state(files={"anna": "g g r b b b"}, identities={"anna": "purple"})
    (mine,) = (p for p in seen(before).panels if p.title == "For your eyes only")
    assert mine.tone == "secret"
    assert mine.lines == (
        "Your secret identity: purple.",
        "Your file: 2 green, 1 red and 3 blue.",
        "Three dice of the locker without a card of yours.",
        "The file lacks 3 yellow, and has 3 blue that no die matches.",
    )
    drawn = do(before, "card_drawn", BEN, source="pile")
    assert "Discard one card first: a file is six." in text(drawn, "For your eyes only", BEN)
    assert text(start(options={"dealer": "ask", "secrets": "phones"}), "For your eyes only") == []


def test_no_button_of_the_own_phone_names_what_is_under_the_veil():
    before = state("g g g g g g", files={"anna": "n n n n n n"}, identities={"anna": "brown"}, top="blue")
    assert not any("brown" in repr(action) for action in actions(before).values())
    assert "brown" in " ".join(text(before, "For your eyes only"))


def test_on_cards_the_companion_knows_only_what_lies_open():
    before = state(options={"secrets": "cards"}, top="brown")
    assert hidden(before) == []
    drawn = do(before, "card_drawn", CLEO, source="discard")
    assert hidden(drawn) == []
    after = do(drawn, "card_discarded", ANNA, colour="red")
    assert (hidden(after), after.discard) == ([], ("red",))
    views = [seen(after, seat) for seat in (ANNA, BEN, CLEO)]
    assert not any("For your eyes only" in repr(view) for view in views)


# At a real table


def table_with(make_table):
    table = make_table(all_games())
    seats = tuple(table.join(name.title()).key for name in NAMES[:2])
    options = {"secrets": "phones", "dealer": "first"}
    table.start_game(slug="suspects", title="Evening", seats=seats, options=options)
    scene = DiceRolled(at=Seconds(0.0), roll="scene", dice=colours("g r y b n p"))
    assert table.submit(Observation(id="scene", event=scene, source="camera")).status == "kept"
    assert table.tap(id="c", seat=ANNA, word="locker_compared", args={}).status == "kept"
    return table


def colours(letters: str) -> tuple[DieFace, ...]:
    names = {"g": "green", "r": "red", "y": "yellow", "b": "blue", "n": "brown", "p": "purple"}
    return tuple(DieFace("fingerprint", names[letter]) for letter in letters.split())


def test_a_false_declaration_leaves_no_trace(make_table):
    table = table_with(make_table)
    before = table.snapshot()
    receipt = table.tap(id="try", seat=ANNA, word="case_declared", args={})
    assert receipt.status == "refused"
    assert not any(colour in receipt.text for colour in ("green", "red", "yellow", "blue", "purple"))
    after = table.snapshot()
    assert (after.version, after.history, after.undo) == (before.version, before.history, before.undo)


def test_no_correction_tries_what_somebody_holds(make_table):
    table = table_with(make_table)
    table.tap(id="d", seat=BEN, word="card_drawn", args={"source": "pile"})
    held = table.snapshot().state.file[1][0]
    assert table.tap(id="e", seat=BEN, word="card_discarded", args={"colour": held}).status == "kept"
    rows = table.snapshot().history
    for row in rows[1:]:
        assert not row.amendable
        for answer in (
            table.preview(row.seq, row.line),
            table.amend(id="x", seq=row.seq, line=row.line, seat=ANNA),
        ):
            assert "lies face down" in answer.text
    dice = rows[0]
    assert dice.amendable
    line = dice.line.replace("fingerprint:purple", "fingerprint:brown")
    assert table.amend(id="y", seq=dice.seq, line=line, seat=ANNA).status == "kept"
    assert table.snapshot().state.locker[-1] == "brown"


def test_on_cards_what_was_seen_is_corrected():
    fact = event("card_discarded", BEN, colour="red")
    assert GAME.correctable(start(), fact)
    assert not GAME.correctable(start(options={"secrets": "phones"}), fact)
