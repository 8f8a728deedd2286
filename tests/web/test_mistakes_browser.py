"""Whole games with something wrong before each right move: they end as the right moves alone have it."""

import pytest

from clumsy import Clumsy
from companion.games.moss.rules import GAME as MOSS
from companion.games.noir.rules import GAME as NOIR
from companion.games.suspects.rules import GAME as SUSPECTS
from companion.games.teatime.rules import GAME as TEATIME
from games.lucky import LuckyDetective, LuckyGuests, LuckySleuths, QuickCounters
from games.schemers import Schemers

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ALWAYS = {"greyed", "twice", "undo", "paused"}
DICE = {"too_few", "unlike", "doubt"}


@pytest.fixture
def evening(open_house, browse, ticks):
    def make(game, seed, **more):
        return Clumsy(open_house({game.slug: game}), browse, ticks, game, deal=f"thumbs {seed}", **more)

    return make


def sound(thumbs, tried):
    assert not tried - set(thumbs.tried), thumbs.tried
    assert sum(thumbs.tried.values()) >= thumbs.steps


def test_moss(evening):
    thumbs = evening(MOSS, 46, options={"level": "adaptive"}, carried={"next_start": "12"})
    assert thumbs.play(LuckyDetective(46, coloured=6).play(thumbs.setup)).termination == "lost_time"
    sound(thumbs, ALWAYS | DICE | {"asleep"})


@pytest.mark.parametrize(
    ("seed", "secrets"), [(131, "phones"), pytest.param(34, "cards", marks=pytest.mark.soak)]
)
def test_suspects(evening, seed, secrets):
    thumbs = evening(SUSPECTS, seed, options={"secrets": secrets, "false_call": "forfeit"})
    thumbs.play(LuckySleuths(seed, errs=0.1).play(thumbs.setup))
    sound(thumbs, ALWAYS | DICE | {"asleep", "not_mine"})


@pytest.mark.parametrize(
    ("seed", "secrets"), [(5, "phones"), pytest.param(16, "cards", marks=pytest.mark.soak)]
)
def test_noir(evening, seed, secrets):
    thumbs = evening(NOIR, seed, options={"secrets": secrets})
    thumbs.play(Schemers(seed).play(thumbs.setup))
    sound(thumbs, ALWAYS | {"not_mine"})


def test_teatime(evening):
    thumbs = evening(TEATIME, 0, options={"keep": "counts", "set": "ours"})
    thumbs.play(QuickCounters(0).play(thumbs.setup))
    sound(thumbs, {"paused", "twice", "not_mine"})


@pytest.mark.soak
def test_teatime_on_phones(evening):
    thumbs = evening(TEATIME, 9, options={"boards": "phones", "set": "ours"})
    thumbs.play(LuckyGuests(9).play(thumbs.setup))
    sound(thumbs, ALWAYS | DICE | {"not_mine"})
