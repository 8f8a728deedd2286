"""In the middle of each phase: taken back and let stand, the power cut, exported and imported."""

from functools import cache

import pytest

from companion.games.noir.rules import GAME as NOIR
from companion.games.noir.state import Phase as NoirPhase
from companion.games.suspects.rules import GAME as SUSPECTS
from companion.games.suspects.state import Phase as SuspectsPhase
from companion.games.teatime.rules import GAME as TEATIME
from companion.games.teatime.state import Phase as TeatimePhase
from companion.rules.game import Setup
from games.guests_at_tea import Guests
from games.kit import ANNA
from games.midway import Evening, reached, survives
from games.schemers import Schemers
from games.sleuths import Sleuths

SEATS = (ANNA, "ben")
PLAYERS = {NOIR: Schemers, SUSPECTS: Sleuths, TEATIME: Guests}
WAYS = {
    NOIR: ({"secrets": "phones"}, {"secrets": "cards", "layout": "entered"}),
    SUSPECTS: ({"secrets": "phones"}, {"secrets": "cards"}),
    TEATIME: ({"boards": "phones"}, {"boards": "table", "keep": "counts"}),
}
PHASES = [
    (game, phase)
    for game, phases in ((NOIR, NoirPhase), (SUSPECTS, SuspectsPhase), (TEATIME, TeatimePhase))
    for phase in phases
    if phase.value not in {"end", next(iter(phases)).value}
]


@cache
def evening(slug: str, way: int, seed: int) -> Evening:
    game = next(game for game in PLAYERS if game.slug == slug)
    setup = Setup(SEATS, options=WAYS[game][way], deal=f"midway {seed}")
    return setup, list(PLAYERS[game](seed).play(setup))


@pytest.mark.parametrize(
    ("game", "phase"), PHASES, ids=[f"{game.slug} {phase.value}" for game, phase in PHASES]
)
def test_a_phase_survives_undo_a_power_cut_and_a_copy(make_table, game, phase):
    evenings = (evening(game.slug, way, seed) for seed in range(6) for way in (0, 1))
    setup, facts = reached(evenings, lambda state: state.phase is phase)
    survives(make_table, game, setup, facts, ANNA)
