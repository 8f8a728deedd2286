"""Tea Time Crime in pages: dice with glasses, the own board to be tapped, all boards on the table."""

import json
import re

import pytest

from companion.games import all_games
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from house import PLAIN
from walk import visitor
from web import create_app


@pytest.fixture
def table(make_table):
    """Two players with the box on the table; Anna has rolled."""
    table = make_table(all_games())
    seats = tuple(table.join(name).key for name in ("Anna", "Bert"))
    table.start_game(slug="teatime", title="Evening", seats=seats, options={"first": "seat"})
    throw(table, "331gg")
    return table


def throw(table, faces):
    """Dice come to rest, as a camera tells it."""
    name = f"roll-{table.snapshot().version}"
    dice = tuple(DieFace("teatime", "glass" if face == "g" else face) for face in faces)
    event = DiceRolled(at=Seconds(0.0), roll=name, dice=dice)
    assert table.submit(Observation(id=name, event=event, source="camera")).status == "kept"


def play(table, seat, word, **args):
    receipt = table.tap(id=f"tap-{table.snapshot().version}", seat=seat, word=word, args=args)
    assert receipt.status == "kept", receipt.text


def page(table, place, path="/play"):
    client = visitor(create_app(table, PLAIN), code=table.snapshot().seats[place].code)
    return client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)


def taps(shown):
    """Everything that a tap on this page sends."""
    return [json.loads(text.replace("&#34;", '"')) for text in re.findall(r"data-tap='([^']*)'", shown)]


def test_a_glass_is_drawn_and_not_written(table):
    shown = page(table, 0)
    assert shown.count('class="lens"') >= 2
    assert ">glass</text>" not in shown


def test_the_own_board_says_what_each_place_would_take(table):
    shown = page(table, 0)
    assert 'data-face="teatime"' in shown
    assert "Row 3, column 4, a tile face down, reached with 2 dice, 2 glasses" in shown
    assert "Row 1, column 1, a detective face down, reached with 1 die" in shown
    assert len(re.findall(r'id="tea-\d-\d"', shown)) == 25
    assert len(re.findall(r"tea-cell tea-down tea-reached", shown)) == 6
    assert "tea-reached" not in page(table, 1)
    assert "all of them are used, so column 1 is not reached" in shown


def test_one_tap_turns_up_a_known_tile(table):
    sent = taps(page(table, 0))
    wanted = {"number": "3", "column": "2", "glasses": "0", "tiles": "0", "shows": "dice:5"}
    assert {"word": "tile_activated", "args": wanted} in sent
    table.tap(id="a", seat=table.snapshot().seats[0].key, word="tile_activated", args=wanted)
    after = page(table, 1)
    assert "reached with 1 die, 2 glasses" in after
    assert {"word": "passed", "args": {"takes": "yes"}} in taps(after)


def test_a_tile_is_moved_by_a_tap_on_the_map(table):
    anna, bert = (seat.key for seat in table.snapshot().seats)
    play(table, anna, "tile_activated", number="3", column="2", shows="dice:5")
    play(table, bert, "passed")
    throw(table, "11245")
    play(table, bert, "passed")
    play(table, anna, "tile_activated", number="1", column="2", shows="master")
    throw(table, "11245")
    shown = page(table, 0)
    assert "Move the master thief from row 1, column 2" in shown
    wanted = {"number": "1", "column": "2", "glasses": "0", "tiles": "0", "to": "3-2"}
    assert {"word": "tile_activated", "args": wanted} in taps(shown)
    play(table, anna, "tile_activated", **wanted)
    assert "Row 3, column 2, master thief" in page(table, 0)


def test_the_table_screen_shows_every_house_and_nothing_to_tap(table):
    client = create_app(table, PLAIN).test_client()
    shown = client.get("/table", headers={"Accept": "text/html"}).get_data(as_text=True)
    assert shown.count('class="tea-home"') == 2
    assert "data-tap" not in shown
