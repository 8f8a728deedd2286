"""How long an evening takes to fold, and a screen to draw. Budgets from the table's plan.

A replay folds every fact again (undo, amend, reopening), so a 500-event evening has 10 ms; a view is
made for every phone at every fact, so it has 5 ms. Processor time: a busy neighbour does not count.
"""

import time
from collections.abc import Callable
from functools import reduce
from itertools import count

import pytest

from companion.games.arosa.rules import GAME as AROSA
from companion.games.moss.rules import GAME
from companion.games.noir.rules import GAME as NOIR
from companion.games.suspects.rules import GAME as SUSPECTS
from companion.games.teatime.rules import GAME as TEATIME
from companion.rules.events import Event, Seat, Seconds
from companion.rules.game import Setup
from games.detective import Hoarder
from games.guests import Guests
from games.guests_at_tea import Guests as GuestsAtTea
from games.kit import hidden, state, whole_house
from games.schemers import Schemers
from games.sleuths import Sleuths

EVENTS = 500
FOLD_BUDGET_S = 0.010
VIEW_BUDGET_S = 0.005

pytestmark = pytest.mark.benchmark(timer=time.process_time, warmup=True)

SEATS = (Seat("anna"), Seat("ben"))
SIX = (*SEATS, Seat("carla"), Seat("dora"), Seat("emil"), Seat("finn"))


def moss(seed: int) -> tuple[Setup, list[Event]]:
    setup = Setup(SEATS, options={"level": "60"}, deal=f"bench {seed}")
    return setup, [event for _, event in Hoarder(seed).play(setup)]


def arosa(seed: int) -> tuple[Setup, list[Event]]:
    setup = Setup(SIX, options={"turn_timer": "1"})
    return setup, [event for _, event in Guests(seed, "most", ears=0.5, mishaps=0.05).play(setup)]


def suspects(seed: int) -> tuple[Setup, list[Event]]:
    setup = Setup(SIX[:4], options={"secrets": "phones", "turn_timer": "1"}, deal=f"bench {seed}")
    return setup, [event for _, event in Sleuths(seed).play(setup)]


def noir(seed: int) -> tuple[Setup, list[Event]]:
    setup = Setup(SIX[:2], options={"secrets": "phones", "turn_timer": "1"}, deal=f"bench {seed}")
    return setup, [event for _, event in Schemers(seed).play(setup)]


def teatime(seed: int) -> tuple[Setup, list[Event]]:
    setup = Setup(SIX[:4], options={"boards": "phones", "set": "ours"}, deal=f"bench {seed}")
    return setup, [event for _, event in GuestsAtTea(seed).play(setup, most=EVENTS)]


def evenings(one: Callable[[int], tuple[Setup, list[Event]]]) -> list[tuple[Setup, list[Event]]]:
    """Played games, 500 events together: a game has about 150."""
    played: list[tuple[Setup, list[Event]]] = []
    left = EVENTS
    for seed in count():
        setup, events = one(seed)
        played.append((setup, events[:left]))
        left -= len(events[:left])
        if not left:
            return played
    raise AssertionError


@pytest.mark.parametrize(
    ("game", "one"),
    [(GAME, moss), (AROSA, arosa), (SUSPECTS, suspects), (NOIR, noir), (TEATIME, teatime)],
    ids=["moss", "arosa", "suspects", "noir", "teatime"],
)
def test_fold_500_events(benchmark, game, one):
    played = evenings(one)

    def fold():
        return [reduce(game.apply, events, game.setup(setup)) for setup, events in played]

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


def test_view_of_a_late_turn_in_the_arosa(benchmark):
    """Six players near the end of a long evening."""
    setup, events = arosa(1)
    late = reduce(AROSA.apply, events[:-3], AROSA.setup(setup))
    benchmark(AROSA.view, late, SIX[0], Seconds(0.0))
    assert benchmark.stats.stats.median < VIEW_BUDGET_S


def test_view_of_a_late_turn_at_tea(benchmark):
    """Four players with most tiles up; the active player's choices."""
    setup, events = teatime(1)
    late = reduce(TEATIME.apply, events[:400], TEATIME.setup(setup))
    benchmark(TEATIME.view, late, late.seats[late.active], Seconds(0.0))
    assert benchmark.stats.stats.median < VIEW_BUDGET_S
