"""Noir in pages: the line-up and its arrows, and what lies under the veil."""

import re

import pytest

from companion.games import all_games
from companion.games.noir.pieces import NAMES, members
from companion.games.noir.turns import within_reach
from house import PLAIN, House

OWN = "For your eyes only"


@pytest.fixture
def noir(make_table):
    """Begin a game of Anna, the killer, and Bert, with these options."""
    made = []

    def make(**options):
        house = House(make_table(all_games()), PLAIN)
        made.append(house)
        seats = (house.anna.key, house.bert.key)
        chosen = {"killer": "first", **options}
        house.table.start_game(slug="noir", title="Evening", seats=seats, options=chosen)
        return house

    yield make
    for house in made:
        house.desk.hub.close()


def on(house):
    """Past both first turns: it is the killer's."""
    state = house.table.snapshot().state
    victim = NAMES[members(within_reach(state))[0]] if state.rules.phones else "Barrin"
    assert house.phone(house.anna).tap("suspect_killed", {"name": victim}).status_code == 200
    state = house.table.snapshot().state
    place = next(n for n, card in enumerate(state.hand) if card < 0 or state.lives(card))
    args = {"card": str(place)} if state.rules.phones else {}
    assert house.phone(house.bert).tap("identity_chosen", args).status_code == 200
    return house.table.snapshot().state


def part(page, label):
    """The section with this label."""
    return page.partition(f'aria-label="{label}"')[2].partition("</section>")[0]


def test_the_line_up_names_numbers_and_places_everybody(noir):
    for page in (noir().phone().page("/table"), noir().phone(noir().anna).page()):
        grid = part(page, "Suspects")
        for number, name in enumerate(NAMES, start=1):
            row, column = divmod(number - 1, 5)
            assert f"{name}, row {row + 1}, column {column + 1}" in grid
            assert f'<span class="suspect-number" aria-hidden="true">{number}</span>' in grid


def test_arrows_stand_around_it_for_whoever_may_shift(noir):
    house = noir(secrets="phones")
    on(house)
    grid = part(house.phone(house.anna).page(), "Suspects")
    assert len(re.findall(r'class="shift shift-\w+"', grid)) == 20
    assert "Shift row 2 to the left" in grid
    assert "shift-row" not in part(house.phone(house.bert).page(), "Suspects")
    assert "data-tap" not in house.phone().page("/table")


def test_the_one_arrow_that_would_undo_says_why(noir):
    house = noir()
    on(house)
    assert house.phone(house.anna).tap("line_shifted", {"line": "row-2", "way": "left"}).status_code == 200
    grid = part(house.phone(house.bert).page(), "Suspects")
    assert grid.count("shift-banned") == 1
    assert "Row 2 to the right: why not?" in grid
    assert "Anna has just moved row 2 to the left: that must not be undone at once." in grid


def test_on_phones_targets_are_under_the_veil_and_nowhere_else(noir):
    house = noir(secrets="phones")
    state = on(house)
    page = house.phone(house.anna).page()
    cloak = part(page, OWN)
    veil = cloak.partition("data-veil")[2]
    near = [NAMES[card] for card in members(within_reach(state))]
    assert near
    for name in near:
        assert f'id="act-veiled-kill-{name}"' in veil
        assert f"Kill {name}, row" in veil
    assert page.count("suspect_killed") == veil.count("suspect_killed") == len(near)
    assert page.count("this is you") == veil.count("this is you") == 1
    assert f"You are {NAMES[state.identity[0]]}" in veil
    for other in (house.phone(house.bert).page(), house.phone().page("/table")):
        assert "suspect_killed" not in other
        assert f"You are {NAMES[state.identity[0]]}" not in other


def test_on_cards_a_suspect_is_tapped_on_the_grid(noir):
    house = noir()
    on(house)
    for seat in (house.anna, house.bert):
        page = house.phone(seat).page()
        assert OWN not in page
        assert 'id="about-Irma"' in page
        assert 'id="act-cell-kill-Irma"' in page
        assert 'id="about-Barrin"' not in page


def test_the_grid_is_tapped_in(noir):
    house = noir(layout="entered")
    anna = house.phone(house.anna)
    assert 'id="tray-lay-Irma"' in anna.page()
    assert anna.tap("suspect_laid", {"name": "Irma"}).status_code == 200
    page = anna.page()
    assert 'id="tray-lay-Irma"' not in page
    assert "Irma, row 1, column 1" in page


@pytest.mark.parametrize("options", [{}, {"secrets": "phones"}, {"layout": "entered"}])
def test_no_id_is_there_twice(noir, options):
    house = noir(**options)
    if "layout" not in options:
        on(house)
    page = house.phone(house.anna).page()
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert sorted(set(ids)) == sorted(ids)


def test_a_board_of_a_games_own_is_called_board_in_the_tabs(noir):
    page = noir().phone(noir().anna).page()
    assert re.search(r'<a href="#lineup">.*?Board</a>', page, re.DOTALL)
