"""What holds for every game in ``companion/games``, found by being there."""

import random
from dataclasses import replace
from functools import reduce

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games import all_games, folder
from companion.rules.events import Seconds
from companion.rules.game import Expected, OutOfPlace, Setup
from companion.rules.notation import KERNEL_EVENTS, arguments, read, word_of, write
from games.walker import Walker, any_setup

every_game = pytest.mark.parametrize("game", all_games().values(), ids=all_games())
seeds = st.integers(min_value=0, max_value=2**32)
few = settings(max_examples=12, deadline=None)
STEPS = 120


def walker(game, seed: int) -> Walker:
    rng = random.Random(seed)
    return Walker(game, any_setup(game, rng), rng)


@every_game
@given(seed=seeds)
@few
def test_what_is_accepted_was_expected(game, seed):
    walk = walker(game, seed)
    for state, event in walk.play(STEPS):
        for tried in (event, *(walk.erring(event) for _ in range(4))):
            if tried is None:
                continue
            refusal = refused(game, state, tried)
            if refusal is None:
                assert game.expects(state).covers(tried, word_of(tried)), write(tried)
            else:
                assert refusal.endswith((".", "?", "!")), refusal
                assert tried is not event, f"the screen offered {write(event)}: {refusal}"


def refused(game, state, event) -> str | None:
    """Why the game refuses an event; None when it does not."""
    try:
        game.apply(state, event)
    except OutOfPlace as refusal:
        return str(refusal)
    return None


@every_game
@given(seed=seeds)
@few
def test_a_replay_is_the_same_game(game, seed):
    walk = walker(game, seed)
    steps = list(walk.play(STEPS))
    again = reduce(game.apply, (event for _, event in steps[:-1]), game.setup(walk.setup))
    assert again == steps[-1][0]


@every_game
@given(seed=seeds)
@few
def test_every_event_is_written_and_read_back(game, seed):
    for _, event in walker(game, seed).play(STEPS):
        assert read(write(event), game.events) == event


@every_game
@given(seed=seeds)
@few
def test_secret_facts_reach_nobody_else(game, seed):
    walk = walker(game, seed)
    planted: list[tuple[str, str | None]] = []
    for state, event in walk.play(STEPS):
        for seat in (None, *walk.setup.seats):
            shown = repr(game.view(state, seat, Seconds(0.0)))
            for text, owner in planted:
                assert (text in shown) <= (seat == owner), f"{seat} reads what {owner} wrote"
        if game.secrets(event):
            texts = [text for text in arguments(event).values() if text.strip('"').startswith("planted")]
            planted += [(text.strip('"'), event.by) for text in texts]
            told = game.told(state, event, game.apply(state, event))
            assert not any(text in told for text, _ in planted)


@pytest.mark.slow
@every_game
@given(seed=seeds)
@settings(max_examples=5, deadline=None)  # whole games
def test_nothing_comes_after_the_end(game, seed):
    walk = walker(game, seed)
    state = game.setup(walk.setup)
    for state, event in walk.play(3000):  # noqa: B007 - the last one is looked at
        pass
    ended = game.apply(state, event)
    if game.outcome(ended) is None:
        return
    assert game.expects(ended) == Expected()
    assert game.view(ended, walk.setup.seats[0], Seconds(0.0)).actions == ()
    with pytest.raises(OutOfPlace):
        game.apply(ended, event)


@every_game
@given(seed=seeds)
@few
def test_what_is_kept_begins_the_next_evening(game, seed):
    walk = walker(game, seed)
    for state, _ in walk.play(STEPS):
        kept = game.keeps(state)
    assert all(isinstance(text, str) for text in kept.values())
    following = game.setup(replace(walk.setup, carried=kept))
    assert game.outcome(following) is None
    assert {**game.keeps(following)}.keys() >= kept.keys() - {""}


@every_game
@given(seed=seeds)
@few
def test_the_history_tells_every_event_in_one_line(game, seed):
    for state, event in walker(game, seed).play(STEPS):
        line = game.told(state, event, game.apply(state, event))
        assert line.strip()
        assert "\n" not in line


@every_game
def test_actions_are_told_apart_and_complete(game):
    walk = walker(game, 1)
    words = {word_of(kind) for kind in (*KERNEL_EVENTS, *game.events)}
    for state, _ in walk.play(STEPS):
        for seat in (None, *walk.setup.seats):
            actions = game.view(state, seat, Seconds(0.0)).actions
            assert len({action.id for action in actions}) == len(actions)
            for action in actions:
                assert action.word in words
                assert action.label
                for asked in action.inputs:
                    assert asked.kind != "choice" or asked.default in dict(asked.choices)


@every_game
def test_bad_options_and_seats_are_named(game):
    fewest, most = game.seats
    seats = tuple(f"seat{n}" for n in range(fewest))
    with pytest.raises(ValueError, match="no-such-option"):
        game.setup(Setup(seats, options={"no-such-option": "1"}))
    for option in game.options:
        with pytest.raises(ValueError, match=option.name):
            game.setup(Setup(seats, options={option.name: "no such value"}))
        assert option.default in dict(option.choices)
        assert option.why
    with pytest.raises(ValueError, match=str(most + 1)):
        game.setup(Setup(tuple(f"seat{n}" for n in range(most + 1))))


@every_game
def test_it_has_a_readme_and_three_playthroughs(game):
    assert (folder(game) / "README.md").read_text(encoding="utf-8").startswith("# ")
    assert len(list((folder(game) / "playthroughs").glob("*.txt"))) >= 3
