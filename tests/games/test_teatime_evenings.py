"""Whole evenings: by people who want tokens, and by anybody who taps anything."""

import random
from collections import Counter
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.teatime.pieces import FACES, SIDE
from companion.games.teatime.pool import uses
from companion.games.teatime.rules import GAME
from companion.rules.game import Setup
from games.guests_at_tea import Guests, sound
from games.teatime_kit import player, state
from games.walker import Walker, any_setup

KINDS = (
    {"boards": "table", "keep": "picture"},
    {"boards": "table", "keep": "counts"},
    {"boards": "phones"},
)
numbers = st.lists(st.sampled_from("12345"), max_size=4).map(" ".join)


def evening(seed: int, **forced: str):
    """A game to its end, held against the boards that really lie there; the last state."""
    setup = any_setup(GAME, random.Random(seed))
    setup = replace(setup, options={**setup.options, **forced})
    guests, last = Guests(seed), 0.0
    for before, event in guests.play(setup):
        sound(before, guests.boards)
        assert event.at >= last
        last = event.at
        after = GAME.apply(before, event)
        assert GAME.told(before, event, after).endswith((".", "!"))
    sound(after, guests.boards)
    return after


@pytest.mark.parametrize("options", KINDS, ids=lambda options: " ".join(options.values()))
@pytest.mark.parametrize("seed", range(2))
def test_an_evening_runs_to_a_fifth_token(options, seed):
    ended = evening(seed, **options)
    assert ended.over
    assert GAME.outcome(ended).winners


@pytest.mark.parametrize("seed", range(4))
def test_anything_tapped_keeps_the_table_sound(seed):
    rng = random.Random(seed)
    walk = Walker(GAME, any_setup(GAME, rng), rng)
    for before, event in walk.play(150):
        sound(GAME.apply(before, event))


@pytest.mark.slow
@pytest.mark.parametrize("options", KINDS, ids=lambda options: " ".join(options.values()))
def test_fifteen_evenings_run_to_their_end(options):
    ends = Counter(GAME.outcome(evening(seed, **options)).termination for seed in range(1000, 1015))
    assert ends.total() == 15


@given(seed=st.integers(min_value=0, max_value=2**32))
@settings(max_examples=5, deadline=None)
def test_a_replay_deals_alike(seed):
    setup = Setup(("anna", "ben"), {"boards": "phones", "set": "ours"}, deal=f"deal {seed}")
    steps = list(Guests(seed).play(setup, most=100))
    again = reduce(GAME.apply, (event for _, event in steps[:-1]), GAME.setup(setup))
    assert again == steps[-1][0]


@given(dice=st.lists(st.sampled_from(FACES), min_size=5, max_size=5), right=numbers)
@settings(max_examples=60, deadline=None)
def test_what_is_reached_is_what_the_rules_say(dice, right):
    """T5, T10 to T12 said anew: count what may count, in every combination."""
    before = state(" ".join("g" if face == "glass" else face for face in dice), anna=player(right=right))
    if before.special:
        return
    wanted = set()
    for row in range(1, SIDE + 1):
        shown, glasses, tiles = dice.count(str(row)), dice.count("glass"), right.split().count(str(row))
        for g in range(glasses + 1):
            for t in range(tiles + 1):
                if shown and shown + g + t <= SIDE:
                    wanted.add((row, shown + g + t, g, t))
    found = {
        (use.number, use.column, use.glasses, use.tiles)
        for ways in uses(before, 0).values()
        for use in ways
    }
    assert found == wanted
    assert all(list(ways) == sorted(ways, key=lambda use: use.tiles) for ways in uses(before, 0).values())
