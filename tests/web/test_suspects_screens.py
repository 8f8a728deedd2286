"""Unusual Suspects in pages: dice as fingerprints, files under a veil, corrections by colour."""

import pytest

from companion.games import all_games
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from walk import everything, visitor
from web import Ports, create_app

COLOURS = ("green", "red", "yellow", "blue", "brown", "purple")
LETTERS = ("Gn", "Rd", "Ye", "Bu", "Bn", "Pu")
OWN = "For your eyes only"


@pytest.fixture
def table(make_table):
    """Two players with their files on phones, six dice in the locker."""
    table = make_table(all_games())
    seats = tuple(table.join(name).key for name in ("Anna", "Bert"))
    options = {"secrets": "phones", "dealer": "first"}
    table.start_game(slug="suspects", title="Evening", seats=seats, options=options)
    dice = tuple(DieFace("fingerprint", colour) for colour in COLOURS)
    event = DiceRolled(at=Seconds(0.0), roll="scene", dice=dice)
    assert table.submit(Observation(id="scene", event=event, source="camera")).status == "kept"
    assert table.tap(id="c", seat=seats[0], word="locker_compared", args={}).status == "kept"
    return table


@pytest.fixture
def app(table):
    ports = Ports(
        read_photo=None,
        rehearsal=None,
        camera=None,
        addresses=("http://localhost",),
        host_pin="4711",
        secret_key=b"k" * 32,
        shutdown=lambda: None,
        version="0",
    )
    return create_app(table, ports)


def anna(app, table):
    return visitor(app, code=table.snapshot().seats[0].code)


def page(client, path):
    return client.get(path, headers={"Accept": "text/html"}).get_data(as_text=True)


def test_dice_are_fingerprints_with_letters(app, table):
    shown = page(anna(app, table), "/play")
    for colour, letters in zip(COLOURS, LETTERS, strict=True):
        assert f'data-print="{colour}"' in shown
        assert f">{letters}</text>" in shown
    assert 'data-face="suspects"' in shown


def test_a_die_in_the_air_is_entered_by_colour(app, table):
    assert table.tap(id="d", seat="bert", word="die_taken", args={"die": "1"}).status == "kept"
    shown = page(anna(app, table), "/play")
    pad = shown.partition("<dice-pad")[2].partition("</dice-pad>")[0]
    assert 'data-count="1"' in pad
    for colour, letters in zip(COLOURS, LETTERS, strict=True):
        assert f'aria-label="{letters} fingerprint {colour}"' in pad
    client = anna(app, table)
    held = [f"fingerprint:{colour}" for colour in COLOURS[1:]]
    body = {"id": "by-thumb", "dice": [*held, "fingerprint:purple"]}
    assert client.post("/api/dice", json=body, headers={"X-Companion": "1"}).status_code == 200
    assert table.snapshot().state.locker == ("purple", *COLOURS[1:])


def test_a_misread_colour_is_corrected_by_colour(app, table):
    form = page(anna(app, table), "/amend/1")
    for colour in COLOURS:
        assert f'data-kind="fingerprint" data-face="{colour}"' in form
    assert 'data-face="6"' not in form


def test_files_lie_under_a_veil_on_the_own_phone_and_nowhere_else(app, table):
    mine = page(anna(app, table), "/play")
    panel = mine.partition(f'aria-label="{OWN}"')[2].partition("</section>")[0]
    assert "data-unveil" in panel
    veiled = panel.partition("data-veil")[2]
    identity = table.snapshot().state.identity[0]
    assert f"Your secret identity: {identity}." in veiled
    assert f"Your secret identity: {identity}." not in mine.replace(panel, "")
    assert OWN not in page(anna(app, table), "/table")
    assert mine.index(OWN) < mine.index('id="dice"') < mine.index('id="history"')


def test_a_table_screen_without_a_board_leaves_no_gap(app, table):
    shown = page(visitor(app), "/table")
    assert "table-plain" in shown
    assert "table-middle" not in shown


def test_no_stranger_finds_a_file_or_the_deal(app, table):
    deal = table._shelf._journal.game(table.snapshot().game.id).setup.deal
    for client in (visitor(app), visitor(app, pin="4711")):
        for what, text in everything(client, app, table):
            assert OWN not in text, what
            assert "You can solve" not in text, what
            assert deal not in text, what
