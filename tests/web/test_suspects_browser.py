"""Unusual Suspects to its end by taps: on cards and on phones, by two and by four."""

import pytest

from companion.games.suspects.rules import GAME
from games.lucky import LuckySleuths
from thumbs import Thumbs

pytestmark = [pytest.mark.browser, pytest.mark.slow]

CARDS = {"secrets": "cards", "false_call": "forfeit", "together": "all", "same_card": "warned"}
PHONES = {"secrets": "phones", "dealer": "first", "false_call": "forfeit"}


@pytest.fixture
def evening(open_house, browse, ticks):
    def make(seed, hands=Thumbs, **more):
        return hands(open_house({"suspects": GAME}), browse, ticks, GAME, deal=f"thumbs {seed}", **more)

    return make


@pytest.mark.parametrize(
    ("seed", "players", "options", "scheme"), [(34, 2, PHONES, "light"), (45, 4, CARDS, "dark")]
)
def test_suspects_is_played_to_its_end_by_taps(evening, seed, players, options, scheme):
    thumbs = evening(seed, players=players, options=options, scheme=scheme)
    outcome = thumbs.play(LuckySleuths(seed, errs=0.1).play(thumbs.setup))
    assert outcome.winners
