"""Inspector Moss to its end by taps: won and lost, with the companion's pieces and with the own box."""

import random

import pytest

from companion.games.moss.rules import GAME
from games.lucky import Curious, LuckyBox, LuckyDetective
from thumbs import Thumbs

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.fixture
def evening(open_house, browse, ticks):
    def make(seed, hands=Thumbs, **more):
        return hands(open_house({"moss": GAME}), browse, ticks, GAME, deal=f"thumbs {seed}", **more)

    return make


def test_moss_is_won_by_taps(evening):
    thumbs = evening(987, players=1, scheme="dark")
    assert thumbs.play(LuckyDetective(0).play(thumbs.setup)).termination == "won"


@pytest.mark.soak
def test_moss_is_lost_by_taps_with_the_own_box(evening):
    thumbs = evening(
        14, players=3, options={"pieces": "mine", "level": "adaptive"}, carried={"next_start": "18"}
    )
    assert thumbs.play(LuckyBox(14, coloured=6).play(thumbs.setup)).termination == "lost_time"


@pytest.mark.soak
@pytest.mark.parametrize(("pieces", "seed", "most"), [("dealt", 79, 45), ("mine", 0, 16)])
def test_whatever_moss_offers_can_be_tapped(evening, pieces, seed, most):
    thumbs = evening(seed, options={"pieces": pieces, "level": "60"})
    thumbs.walk(Curious(GAME, thumbs.setup, random.Random(seed)).play(most))
