"""Tea Time Crime to its end by taps: boards on the table with and without a picture, and on phones."""

import pytest

from companion.games.teatime.rules import GAME
from games.lucky import LuckyGuests, QuickCounters
from thumbs import Thumbs

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PHONES = {"boards": "phones", "set": "ours", "first": "seat"}
COUNTS = {"keep": "counts", "set": "ours", "timer": "30"}


@pytest.mark.parametrize(
    ("seed", "players", "options", "scheme", "guests"),
    [
        (34, 2, {}, "dark", LuckyGuests),
        (15, 2, PHONES, "light", LuckyGuests),
        pytest.param(0, 4, COUNTS, "light", QuickCounters, marks=pytest.mark.soak),
    ],
    ids=["table", "phones", "counts"],
)
def test_teatime_is_played_to_its_end_by_taps(
    open_house, browse, ticks, seed, players, options, scheme, guests
):
    more = {"players": players, "options": options, "scheme": scheme}
    thumbs = Thumbs(open_house({"teatime": GAME}), browse, ticks, GAME, deal=f"thumbs {seed}", **more)
    assert thumbs.play(guests(seed).play(thumbs.setup)).winners
