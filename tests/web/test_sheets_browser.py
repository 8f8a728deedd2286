"""Sheets that lie over a page while the table goes on."""

import pytest

from companion.games.moss.rules import GAME
from visits import PHONE, take_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""
LATE = """() => {
    const fetch = window.fetch;
    window.fetch = async (...asked) => {
        const next = (done) => document.addEventListener("companion:view", done, {once: true});
        const shown = new Promise(next);
        const answer = await fetch(...asked);
        await shown;
        return answer;
    };
}"""
"""Answers come after the new view, as they do now and then."""


@pytest.fixture
def moss(open_house, browse):
    """A house, and Bert's phone with the sheet of a tile open that is to be turned up."""
    house = open_house({"moss": GAME})
    house.start("moss")
    page = browse(**PHONE)
    take_back(page, house, house.bert)
    page.locator("#cell-c2").click()
    page.locator("#about-c2[open]").wait_for()
    return house, page


def test_what_a_sheet_was_refused_stays_to_be_read_when_the_table_goes_on(moss):
    house, page = moss
    page.evaluate(HIDE, True)  # it does not hear that the tile is turned up
    house.phone(house.anna).tap("tile_revealed", {"cell": "c2"})
    page.locator("#act-cell-reveal-c2").click()
    toast = page.locator("#toast[data-tone=bad]")
    toast.wait_for()
    page.evaluate(HIDE, False)
    page.locator("#act-cell-reveal-c2").wait_for(state="detached")
    toast.wait_for()
    page.locator("#about-c2 [data-closes]").click()
    toast.wait_for()


def test_a_sheet_closes_also_when_the_answer_comes_after_the_view(moss):
    _, page = moss
    page.evaluate(LATE)
    page.locator("#act-cell-reveal-c2").click()
    page.locator("#about-c2:not([open])").wait_for(state="attached")
