"""The secrecy walk: planted secrets must not be found in anything that anybody else can get."""

import logging
from dataclasses import replace

import pytest

from companion import table as tables
from companion.games import all_games
from companion.rules.view import Text
from dash import GAME as DASH
from walk import everything, visitor
from web import Ports, create_app

NOTE = "planted-note-8f3a"
PIN = "4711"


class Evening:
    """A game of two with a secret note of Anna's, and the web over it."""

    def __init__(self, table, slug, word):
        self.table = table
        self.anna, self.bert = table.join("Anna"), table.join("Bert")
        self.game = table.start_game(
            slug=slug, title="Evening", seats=(self.anna.key, self.bert.key), options={}
        )
        self.deal = table._shelf._journal.game(self.game.id).setup.deal
        assert table.tap(id="n", seat=self.anna.key, word=word, args={"text": NOTE}).status == "kept"
        ports = Ports(
            read_photo=None,
            rehearsal=None,
            camera=None,
            addresses=("http://localhost",),
            host_pin=PIN,
            secret_key=b"k" * 32,
            shutdown=lambda: None,
            version="0",
        )
        self.app = create_app(table, ports)

    def strangers(self):
        """Everybody who may not see Anna's note."""
        return {
            "guest": visitor(self.app),
            "Bert": visitor(self.app, code=self.bert.code),
            "host without a seat": visitor(self.app, pin=PIN),
            "Bert as host": visitor(self.app, code=self.bert.code, pin=PIN),
        }

    def leaks(self, secrets, clients=None):
        """Where any of the secrets turned up: (who, what, which)."""
        found = []
        for who, client in (clients or self.strangers()).items():
            for what, text in everything(client, self.app, self.table):
                found += [(who, what, secret) for secret in secrets if secret in text]
        return found


@pytest.fixture(params=["dash", "moss"])
def evening(request, make_table):
    games = {"dash": DASH, **all_games()}
    word = {"dash": "whispered", "moss": "note_written"}[request.param]
    return Evening(make_table(games), request.param, word)


def test_no_stranger_finds_the_note_or_the_deal_anywhere(evening, caplog):
    caplog.set_level(logging.DEBUG)
    assert evening.leaks([NOTE, evening.deal]) == []
    assert NOTE not in caplog.text
    assert evening.deal not in caplog.text


def test_the_owner_finds_the_note_on_her_own_screen_and_never_the_deal(evening):
    anna = {"Anna": visitor(evening.app, code=evening.anna.code)}
    found = evening.leaks([NOTE, evening.deal], anna)
    assert {secret for _, _, secret in found} == {NOTE}
    assert any("/play" in what for _, what, _ in found)
    assert not any("/table" in what or "/history" in what or "export" in what for _, what, _ in found)


def test_seat_codes_are_shown_to_their_owner_and_the_host_only(evening):
    codes = [evening.anna.code]
    strangers = {who: client for who, client in evening.strangers().items() if "host" not in who}
    assert evening.leaks(codes, strangers) == []


def test_no_screen_names_a_tile_that_lies_face_down(make_table):
    table = make_table(all_games())
    evening = Evening(table, "moss", "note_written")
    hidden = [tile.name for tile in table.snapshot().state.piles.tiles if tile]
    assert len(hidden) == 24
    clients = {**evening.strangers(), "Anna": visitor(evening.app, code=evening.anna.code)}
    assert evening.leaks(hidden, clients) == []


def test_the_files_of_the_companion_are_not_served(evening):
    for path in ("/data/companion.db", "/static/../companion.db", "/companion.toml", "/.git/config"):
        assert visitor(evening.app).get(path).status_code in {404, 421}


# -- the walk itself must be able to fail -----------------------------------------------------------


def test_a_leak_in_the_public_view_is_found(evening, monkeypatch):
    game = evening.table.games[evening.game.slug]
    honest = type(game).view

    def leaky(self, state, seat, at):
        view = honest(self, state, seat, at)
        return replace(view, panels=(*view.panels, Text("Oops", (NOTE,))))

    monkeypatch.setattr(type(game), "view", leaky)
    evening.table.join("Carla")  # a new version, so that no screen comes from before
    found = evening.leaks([NOTE])
    assert {"guest", "Bert"} <= {who for who, _, _ in found}
    assert any("/stream" in what for _, what, _ in found)


def test_a_leak_in_the_history_is_found(evening, monkeypatch):
    monkeypatch.setattr(type(evening.table.games[evening.game.slug]), "secrets", lambda self, event: False)
    evening.table.open_game(evening.game.id)
    found = evening.leaks([NOTE])
    assert any("export" in what for _, what, _ in found)
    assert any("/api/state" in what or "/amend" in what for _, what, _ in found)


def test_an_open_deal_is_found(evening, monkeypatch):
    monkeypatch.setattr(tables.Shelf, "export", lambda self, game_id, seats: f"deal {evening.deal}")
    assert any("export" in what for _, what, _ in evening.leaks([evening.deal]))
