"""How long an evening takes to fold, and a screen to draw. Budgets from the table's plan.

A replay folds every fact again (undo, amend, reopening), so a 500-event evening has 10 ms; a view is
made for every phone at every fact, so it has 5 ms. Processor time: a busy neighbour does not count.
"""

import time
from functools import reduce
from itertools import count

import pytest

from companion.games.moss.rules import GAME
from companion.rules.events import Event, Seat, Seconds
from companion.rules.game import Setup
from games.detective import Hoarder
from games.kit import hidden, state, whole_house

EVENTS = 500
FOLD_BUDGET_S = 0.010
VIEW_BUDGET_S = 0.005

pytestmark = pytest.mark.benchmark(timer=time.process_time, warmup=True)

SEATS = (Seat("anna"), Seat("ben"))


def evenings() -> list[tuple[Setup, list[Event]]]:
    """Played games, 500 events together: a game has about 150."""
    played: list[tuple[Setup, list[Event]]] = []
    left = EVENTS
    for seed in count():
        setup = Setup(SEATS, options={"level": "60"}, deal=f"bench {seed}")
        events = [event for _, event in Hoarder(seed).play(setup)][:left]
        played.append((setup, events))
        left -= len(events)
        if not left:
            return played
    raise AssertionError


def test_fold_500_events(benchmark):
    played = evenings()

    def fold():
        return [reduce(GAME.apply, events, GAME.setup(setup)) for setup, events in played]

    benchmark(fold)
    assert benchmark.stats.stats.min < FOLD_BUDGET_S


def test_view_of_the_fullest_screen(benchmark):
    """Every tile up, all alike, eight ones: Moss can walk anywhere; and three tokens to be used."""
    everywhere = state(
        whole_house(),
        dice="1 1 1 1 1 1 1 1",
        carried=("passageway", "bomb", "switch"),
        clues=[hidden(ref) for ref in ("a1", "b1", "c3", "e5", "e4", "d1", "b2", "c5")],
    )
    benchmark(GAME.view, everywhere, SEATS[0], Seconds(0.0))
    assert benchmark.stats.stats.median < VIEW_BUDGET_S
