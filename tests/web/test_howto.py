"""How to play, on one screen: out of the game's README, for everybody, also without scripts."""

import re

import pytest

from companion.games import all_games, folder
from visits import PHONE, SCREEN, faults
from web.howto import html, sections

GAMES = [pytest.param(game, id=slug) for slug, game in all_games().items()]
PAGE = "/how-to-play/{}"
MOST = 1.5
"""Screens of a phone that the page may fill."""


@pytest.fixture
def hall(make_house):
    """A house with every game that is found."""
    return make_house(all_games())


# -- what the README says ----------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_game_says_how_it_is_played_and_what_is_caught(game):
    there = sections((folder(game) / "README.md").read_text(encoding="utf-8"))
    played, caught = there["How to play, on one screen"], there["Five mistakes that are caught"]
    assert re.search(r"^1\. ", played, re.MULTILINE)
    rows = [row for row in caught.splitlines() if row.startswith("|")]
    assert len(rows) == 2 + 5
    assert all(cell.strip() for row in rows for cell in row.strip("|").split("|"))


@pytest.mark.parametrize(
    ("text", "drawn"),
    [
        ("a <b>\nc & d", "<p>a &lt;b&gt;\nc &amp; d</p>"),
        ("<script>alert(1)</script>", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
        ("**bold** and `x < **y**`", "<p><strong>bold</strong> and <code>x &lt; **y**</code></p>"),
        ("[x](javascript:y) ![z](http://q)", "<p>[x](javascript:y) ![z](http://q)</p>"),
        ("<http://q>", "<p>&lt;http://q&gt;</p>"),
        ("", ""),
    ],
)
def test_marks_are_drawn_and_nothing_else_gets_through(text, drawn):
    assert html(text) == drawn


def test_a_table_is_a_table():
    told = html("| a | b |\n| --- | --- |\n| **c** | <d> |")
    assert re.findall(r"<t[hd]>.*?</t[hd]>", told) == [
        "<th>a</th>",
        "<th>b</th>",
        "<td><strong>c</strong></td>",
        "<td>&lt;d&gt;</td>",
    ]


# -- the page ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_anybody_reads_it_in_the_games_own_face(hall, game):
    answer = hall.phone().get(PAGE.format(game.slug))
    assert answer.status_code == 200
    page = answer.get_data(as_text=True)
    assert f'data-face="{game.slug}"' in page
    assert f"<title>How to play {game.title}</title>" in page
    assert page.count("<h1") == 1
    assert "<ol>" in page
    assert "**" not in page
    assert " style=" not in page


def test_it_is_the_same_whatever_is_played_and_leads_back(hall):
    lobby, before = hall.phone(), hall.phone().page(PAGE.format("moss"))
    hall.start("arosa")
    assert strip(hall.phone().page(PAGE.format("moss"))) == strip(before)
    assert 'href="/play"' not in lobby.page(PAGE.format("moss"))
    assert 'href="/play">To your screen' in hall.phone(hall.anna).page(PAGE.format("moss"))


def strip(page):
    return re.sub(r'data-version="\d+"', "", page)


@pytest.mark.parametrize("slug", ["nothing", "parlour", "..", "moss%00", "%2e%2e%2fbook", "Moss"])
def test_an_unknown_game_is_a_friendly_sentence(hall, slug):
    people = hall.phone().get(PAGE.format(slug), headers={"Accept": "text/html"})
    assert people.status_code == 404
    assert "To the lobby" in people.get_data(as_text=True)
    told = hall.phone().get("/how-to-play/nothing", headers={"Accept": "application/json"}).get_json()
    assert told == {"error": "No such game is explained here. The lobby lists those that are."}


def test_a_game_without_the_section_is_not_offered(house):
    assert house.phone().get(PAGE.format("parlour")).status_code == 404
    anna = house.phone(house.anna)
    assert "/how-to-play/" not in anna.page("/") + anna.page("/play")


def test_the_lobby_leads_there_before_a_game_is_chosen(hall):
    for phone in (hall.phone(), hall.phone(hall.anna), hall.phone(host=True)):
        page = phone.page("/")
        assert re.findall(r'href="/how-to-play/(\w+)"', page) == list(all_games())


@pytest.mark.parametrize("game", GAMES)
def test_the_play_screen_leads_there_and_the_shared_screen_stays_where_it_is(hall, game):
    hall.start(game.slug)
    link = f'href="/how-to-play/{game.slug}"'
    assert link in hall.phone(hall.anna).page("/play")
    watching = hall.phone(hall.table.join("Clara"))
    assert link in watching.page("/play")
    assert link not in hall.phone().page("/table")


# -- in a browser ------------------------------------------------------------------------------------


@pytest.mark.browser
@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_phone_and_reads_without_faults(open_house, browse, scheme):
    house = open_house(all_games())
    phone, screen = browse(scheme, **PHONE), browse(scheme, **SCREEN)
    for slug in all_games():
        for page in (phone, screen):
            page.goto(house.address + PAGE.format(slug))
            page.locator("#howto").wait_for()
            assert page.evaluate("document.documentElement.scrollWidth") <= page.viewport_size["width"]
        tall = phone.evaluate("document.documentElement.scrollHeight")
        assert tall <= MOST * PHONE["viewport"]["height"], slug
        phone.locator("#caught summary").click()
        phone.locator("#caught tbody tr").last.wait_for()
        assert phone.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]
        assert faults(phone) == []


@pytest.mark.browser
@pytest.mark.slow
def test_it_is_read_by_keyboard_and_without_scripts(open_house, browse):
    house = open_house(all_games())
    phone = browse(java_script_enabled=False, **PHONE)
    phone.goto(house.address)
    link = phone.get_by_role("link", name="Inspector Moss: House Arrest")
    link.focus()
    phone.keyboard.press("Enter")
    phone.get_by_role("heading", name="Inspector Moss: House Arrest", level=1).wait_for()
    table = phone.locator("#caught table")
    assert not table.is_visible()
    for _ in range(20):
        phone.keyboard.press("Tab")
        if phone.locator("#caught summary:focus").count():
            break
    phone.keyboard.press("Enter")
    assert table.is_visible()
    phone.get_by_role("link", name="To the lobby", exact=True).click()
    phone.get_by_text("Real dice").wait_for()
