"""Whole evenings: by people who want to win, and by anybody who taps anything."""

import random
from collections import Counter
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.noir.grid import OPPOSITE, WAYS, Grid, Line
from companion.games.noir.pieces import CARDS, members
from companion.games.noir.rules import GAME
from companion.rules.game import Setup
from games.noir_kit import ANNA, BEN
from games.schemers import Schemers, sound
from games.walker import Walker, any_setup

HOLDINGS = pytest.mark.parametrize("holding", ["cards", "phones"])


def evening(seed: int, **forced: str):
    """A game to its end; the last state."""
    rng = random.Random(seed)
    setup = any_setup(GAME, rng)
    setup = replace(setup, options={**setup.options, **forced})
    players = Schemers(seed, keen=rng.choice((0.4, 0.9)))
    last = 0.0
    for before, event in players.play(setup):
        sound(before, players.truth)
        assert event.at >= last
        last = event.at
        state = GAME.apply(before, event)
        assert GAME.told(before, event, state).endswith((".", "!"))
    sound(state, players.truth)
    return state


@HOLDINGS
@pytest.mark.parametrize("seed", range(12))
def test_an_evening_runs_to_its_end(holding, seed):
    ended = GAME.outcome(evening(seed, secrets=holding))
    assert ended is not None
    assert len(ended.winners) == 1


@pytest.mark.slow
@HOLDINGS
def test_two_hundred_evenings_end_in_every_way(holding):
    ends = Counter(GAME.outcome(evening(seed, secrets=holding)).termination for seed in range(1000, 1200))
    assert ends.total() == 200
    assert set(ends) == {"killed", "spree", "arrested"}


@pytest.mark.parametrize("seed", range(6))
def test_anything_tapped_on_phones_keeps_the_table_sound(seed):
    rng = random.Random(seed)
    setup = any_setup(GAME, rng)
    setup = replace(setup, options={**setup.options, "secrets": "phones"})
    for before, event in Walker(GAME, setup, rng).play(200):
        after = GAME.apply(before, event)
        sound(before, before)
        sound(after, after)


def test_the_same_evening_on_cards_and_on_phones():
    """Whoever holds the cards, the same things happen to the grid."""
    for seed in range(4):
        setup = Setup((ANNA, BEN), {"killer": "first", "secrets": "cards"}, deal=f"deal {seed}")
        players = Schemers(seed)
        for before, _ in players.play(setup):
            truth = players.truth
            if before.phase is truth.phase:
                alike = ("grid", "alive", "innocent", "could", "role", "shown")
                assert [getattr(before, f) for f in alike] == [getattr(truth, f) for f in alike]


@given(seed=st.integers(min_value=0, max_value=2**32))
@settings(max_examples=10, deadline=None)
def test_a_replay_deals_alike(seed):
    setup = Setup((ANNA, BEN), {"secrets": "phones", "killer": "lot"}, deal=f"deal {seed}")
    steps = list(Schemers(seed).play(setup, most=120))
    again = reduce(GAME.apply, (event for _, event in steps[:-1]), GAME.setup(setup))
    assert again == steps[-1][0]


sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))


@st.composite
def grids(draw):
    rows, columns = draw(sizes)
    order = draw(st.permutations(range(CARDS)))
    return Grid(tuple(order[: rows * columns]), columns)


@given(grid=grids(), data=st.data())
def test_a_shift_and_its_opposite_give_the_grid_back(grid, data):
    line = data.draw(st.sampled_from(grid.lines()))
    way = data.draw(st.sampled_from(WAYS[line.kind]))
    moved = grid.shifted(line, way)
    assert moved.shifted(line, OPPOSITE[way]) == grid
    assert (moved == grid) == (len(grid.along(line)) == 1)
    assert Counter(moved.cards) == Counter(grid.cards)
    others = [other for other in grid.lines() if other.kind == line.kind and other != line]
    assert all(moved.along(other) == grid.along(other) for other in others)


@given(grid=grids())
def test_being_next_to_each_other_is_mutual(grid):
    for card in grid.cards:
        beside = members(grid.next_to(card))
        assert card not in beside
        assert all(grid.next_to(other) >> card & 1 for other in beside)
        row, column = grid.where(card)
        edges = (row in {1, grid.rows}) + (column in {1, grid.columns})
        if min(grid.rows, grid.columns) > 1:
            assert len(beside) == {0: 8, 1: 5, 2: 3}[edges]


@given(grid=grids(), some=st.integers(min_value=0, max_value=2**CARDS - 1))
def test_closing_up_removes_whole_lines_only(grid, some):
    gone = grid.all_in(some)
    rows = sum(line.kind == "row" for line in gone)
    columns = len(gone) - rows
    left = grid.closed(gone)
    assert len(left.cards) == (grid.rows - rows) * (grid.columns - columns)
    assert all(some >> card & 1 for card in set(grid.cards) - set(left.cards))
    if left.cards:
        assert left.all_in(some) == ()


@given(line=st.builds(Line, st.sampled_from(("row", "column")), st.integers(1, 5)))
def test_a_line_is_written_and_read_back(line):
    assert Line.parse(str(line)) == line
