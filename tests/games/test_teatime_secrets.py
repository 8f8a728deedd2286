"""What the companion dealt is known to nobody until it is turned up, not even to its owner."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import all_games
from companion.games.teatime.pieces import DIAGONAL, DIE, Space, Tile
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import State
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from companion.rules.game import Setup
from companion.rules.notation import word_of
from games.guests_at_tea import Guests
from games.teatime_kit import ANNA, BEN, NAMES, PHONES, act, event, player, seen, start, state
from games.walker import any_setup

seeds = st.integers(min_value=0, max_value=2**32)


def on_phones(seed: int) -> Setup:
    setup = any_setup(GAME, random.Random(seed))
    return replace(setup, options={**setup.options, "boards": "phones", "set": "ours"})


def twin(before: State, rng: random.Random) -> State:
    """The same table with other tiles face down, and another deal for what is yet to be drawn."""
    under = []
    for mine, dealt in zip(before.players, before.under, strict=True):
        there = list(dealt)
        for group in ([c for c in range(25) if c in DIAGONAL], [c for c in range(25) if c not in DIAGONAL]):
            down = [cell for cell in group if mine.cells[cell] is Space.DOWN]
            tiles = [there[cell] for cell in down]
            rng.shuffle(tiles)
            for cell, tile in zip(down, tiles, strict=True):
                there[cell] = tile
        under.append(tuple(there))
    return replace(before, under=tuple(under), deal=f"another {rng.random()}")


@given(seed=seeds)
@settings(max_examples=5, deadline=None)
def test_no_screen_depends_on_what_lies_face_down(seed):
    """The same view in every byte: buttons, their order, their number, the length of the page."""
    rng = random.Random(seed)
    setup = on_phones(seed)
    for before, fact in Guests(seed).play(setup, most=60):
        other = twin(before, rng)
        for seat in (None, *before.seats):
            assert GAME.view(other, seat, Seconds(1.0)) == GAME.view(before, seat, Seconds(1.0))
        assert GAME.expects(other) == GAME.expects(before)
        assert GAME.outcome(other) == GAME.outcome(before)
        if word_of(fact) in {"dice_rolled", "dice_held"}:
            lines = [GAME.told(b, fact, GAME.apply(b, fact)) for b in (before, other)]
            assert lines[0] == lines[1]


def test_the_comparison_itself_can_fail():
    rng = random.Random(1)
    before = state("3 3 1 g g", options=PHONES)
    turned = {str(GAME.view(act(twin(before, rng), "3-2"), ANNA, Seconds(1.0))) for _ in range(6)}
    assert len(turned) > 1


@pytest.mark.parametrize("seat", [None, ANNA, BEN])
def test_a_planted_tile_is_in_no_view(seat):
    before = state("3 3 1 g g", anna=player(discard="1 2"), options=PHONES)
    planted = replace(before, under=((Tile(DIE, number=77),) * 25,) * 3, deal="planted-deal")
    for shown in (repr(seen(planted, seat)), repr(GAME.expects(planted)), repr(planted)):
        assert "77" not in shown
        assert "planted" not in shown
    assert planted.under[0][0].number == 77
    turned = replace(before, under=((Tile("thief", (0, 1, 2)),) * 25,) * 3)
    assert "thief" not in repr(seen(turned, seat).actions)
    assert "thief" in repr(seen(act(turned, "3-2"), seat))


def test_the_next_tile_of_the_discards_is_sealed():
    mine = player(discard="1 2 3 4 5")
    decks = [state("1 1 2 3 g", anna=mine, options=PHONES) for _ in range(5)]
    others = [replace(deck, deal=f"deal {n}") for n, deck in enumerate(decks)]
    for seat in (None, ANNA, BEN):
        assert len({repr(seen(other, seat)) for other in others}) == 1


def test_where_the_boards_lie_on_the_table_the_companion_knows_nothing():
    assert state().under == ()
    assert start(options={"set": "ours"}).under == ()


# At a real table


def test_a_flip_on_the_phones_is_taken_back_but_never_corrected(make_table):
    table = make_table(all_games())
    seats = tuple(table.join(name.title()).key for name in NAMES[:2])
    options = {**PHONES, "first": "seat"}
    table.start_game(slug="teatime", title="Evening", seats=seats, options=options)
    dice = tuple(DieFace("teatime", face) for face in ("3", "3", "1", "glass", "2"))
    rolled = DiceRolled(at=Seconds(0.0), roll="one", dice=dice)
    assert table.submit(Observation(id="one", event=rolled, source="camera")).status == "kept"
    args = {"number": "3", "column": "2", "glasses": "0", "tiles": "0"}
    assert table.tap(id="a", seat=ANNA, word="tile_activated", args=args).status == "kept"
    roll_row, flip_row = table.snapshot().history
    assert roll_row.amendable
    assert not flip_row.amendable
    line = flip_row.line.replace("column=2", "column=3")
    assert "lies face down" in table.preview(flip_row.seq, line).text


def test_on_the_table_what_was_entered_is_corrected():
    fact = event("tile_activated", BEN, number=3, column=2, shows="dice:1")
    assert GAME.correctable(start(), fact)
    assert not GAME.correctable(start(options=PHONES), fact)
    assert GAME.correctable(start(options=PHONES), event("dice_rolled", None, roll="r", dice="teatime:1"))
