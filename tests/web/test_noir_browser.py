"""Noir on two phones and a table screen: arrows, kills under the veil, by thumb and by keyboard."""

import re

import pytest

from companion.games import all_games
from companion.games.noir.pieces import NAMES, members
from companion.games.noir.rules import GAME
from companion.games.noir.turns import within_reach
from games.schemers import Schemers
from thumbs import Thumbs
from visits import PHONE, SCREEN, faults, take_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]


def begun(open_house, **options):
    house = open_house({"noir": all_games()["noir"]})
    seats = (house.anna.key, house.bert.key)
    chosen = {"killer": "first", **options}
    house.table.start_game(slug="noir", title="Evening", seats=seats, options=chosen)
    return house


def confirmed(page, *, house):
    """Say yes, and wait for what follows."""
    version = house.table.snapshot().version
    page.locator("#sure [data-yes]").click()
    page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_first_turns_on_phones(open_house, browse, scheme):
    house = begun(open_house, secrets="phones")
    anna, bert, screen = browse(scheme, **PHONE), browse(scheme, **PHONE), browse(scheme, **SCREEN)
    take_back(anna, house, house.anna)
    take_back(bert, house, house.bert)
    screen.goto(f"{house.address}/table")
    assert not anna.locator(".cloak .suspect").first.is_visible()
    anna.get_by_role("button", name="Show or hide").click()
    assert faults(anna) == []
    victim = NAMES[members(within_reach(house.table.snapshot().state))[0]]
    anna.locator(f"#act-veiled-kill-{victim}").click()
    assert f"Kill {victim}, row" in anna.locator("#sure [data-text]").inner_text()
    confirmed(anna, house=house)
    anna.evaluate("window.dispatchEvent(new Event('blur'))")
    assert not anna.locator(".cloak .suspect").first.is_visible()
    screen.locator(".suspect-dead", has_text=victim).wait_for()
    bert.get_by_role("button", name="Show or hide").click()
    bert.locator(".cloak button.suspect").first.click()
    confirmed(bert, house=house)
    anna.locator("#shift-row-2-left").click()
    screen.get_by_text("Anna shifts row 2 to the left.").wait_for()
    bert.locator("#shift-row-2-right").click()
    bert.get_by_text("that must not be undone at once").locator("visible=true").first.wait_for()
    for page in (anna, bert, screen):
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_turn_on_cards_by_keyboard(open_house, browse):
    house = begun(open_house)
    phone = browse(**SCREEN)
    take_back(phone, house, house.anna)
    phone.locator("#cell-Irma").focus()
    phone.keyboard.press("Enter")
    phone.locator("#about-Irma").wait_for()
    phone.locator("#act-cell-kill-Irma").focus()
    phone.keyboard.press("Enter")
    phone.get_by_role("button", name="The identity is chosen").focus()
    phone.keyboard.press("Enter")
    phone.locator("#shift-column-3-up").focus()
    phone.keyboard.press("Enter")
    phone.get_by_text("Anna shifts column 3 up.").first.wait_for()
    assert house.table.snapshot().state.grid.cards[2] == NAMES.index("Horatio")


def test_every_name_fits_its_card_on_a_small_phone(open_house, browse):
    house = begun(open_house)
    phone = browse(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    take_back(phone, house, house.anna)
    cut = phone.evaluate(
        "[...document.querySelectorAll('.lineup .suspect-name')]"
        ".filter(n => n.scrollWidth > n.parentElement.clientWidth).map(n => n.textContent)"
    )
    assert cut == []
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_the_table_screen_shows_the_whole_grid(open_house, browse):
    house = begun(open_house)
    screen = browse(viewport={"width": 1280, "height": 720})
    screen.goto(f"{house.address}/table")
    screen.locator(".suspect").first.wait_for()
    bottom = screen.locator(".lineup .suspect").last.evaluate("e => e.getBoundingClientRect().bottom")
    assert bottom <= 720
    assert re.search(r"kills a suspect", screen.locator("h1").inner_text())


CARDS = {"secrets": "cards", "layout": "entered", "target": "10"}
DEALT = {"secrets": "phones", "mode": "standard", "layout": "shuffled"}


@pytest.mark.parametrize(("seed", "options", "scheme"), [(95, DEALT, "light"), (64, CARDS, "dark")])
def test_noir_is_played_to_its_end_by_taps(open_house, browse, ticks, seed, options, scheme):
    house = open_house({"noir": GAME})
    thumbs = Thumbs(house, browse, ticks, GAME, deal=f"thumbs {seed}", options=options, scheme=scheme)
    outcome = thumbs.play(Schemers(seed, keen=0.9).play(thumbs.setup))
    assert outcome.winners
