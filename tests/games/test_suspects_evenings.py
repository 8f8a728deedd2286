"""Whole evenings: by people who want to solve cases, and by anybody who taps anything."""

import random
from collections import Counter
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.suspects.pieces import COLOURS, absent, missing, same
from companion.games.suspects.rules import GAME
from companion.rules.game import Setup
from games.sleuths import Sleuths, sound
from games.walker import Walker, any_setup

cards = st.lists(st.sampled_from(COLOURS), min_size=6, max_size=6)


def evening(seed: int, **forced: str):
    """A game to its end; the last state."""
    rng = random.Random(seed)
    setup = any_setup(GAME, rng)
    setup = replace(setup, options={**setup.options, **forced})
    played = Sleuths(seed, alert=rng.choice((0.3, 0.9)), errs=rng.choice((0.0, 0.05)))
    last = 0.0
    for before, event in played.play(setup):
        sound(before)
        assert event.at >= last
        last = event.at
        state = GAME.apply(before, event)
        assert GAME.told(before, event, state).endswith((".", "!"))
    sound(state)
    return state


@pytest.mark.parametrize("holding", ["cards", "phones"])
@pytest.mark.parametrize("seed", range(8))
def test_an_evening_runs_to_three_cases(holding, seed):
    ended = GAME.outcome(evening(seed, secrets=holding))
    assert ended is not None
    assert ended.winners


@pytest.mark.parametrize("seed", range(6))
def test_anything_tapped_keeps_the_table_sound(seed):
    rng = random.Random(seed)
    walk = Walker(GAME, any_setup(GAME, rng), rng)
    for before, event in walk.play(250):
        sound(before)
        sound(GAME.apply(before, event))


@pytest.mark.slow
@pytest.mark.parametrize("holding", ["cards", "phones"])
def test_eighty_evenings_run_to_their_end(holding):
    ends = Counter[str]()
    for seed in range(1000, 1080):
        ended = GAME.outcome(evening(seed, secrets=holding))
        assert ended is not None, f"game {seed} does not end"
        ends[ended.termination] += 1
    assert ends.total() == 80


@given(seed=st.integers(min_value=0, max_value=2**32))
@settings(max_examples=10, deadline=None)
def test_a_replay_deals_alike(seed):
    setup = Setup(("anna", "ben"), {"secrets": "phones"}, deal=f"deal {seed}")
    steps = list(Sleuths(seed).play(setup, most=120))
    again = reduce(GAME.apply, (event for _, event in steps[:-1]), GAME.setup(setup))
    assert again == steps[-1][0]


@given(file=cards, locker=cards)
def test_what_is_missing_is_nothing_exactly_when_both_are_the_same(file, locker):
    lacks = missing(file, locker)
    assert (not lacks) == same(file, locker) == (sorted(file) == sorted(locker))
    assert lacks.total() == missing(locker, file).total()
    assert 0 <= lacks.total() <= 6
    assert set(absent(locker)) == set(COLOURS) - set(locker)
