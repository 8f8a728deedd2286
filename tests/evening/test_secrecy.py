"""The secrecy walk: planted secrets must not be found in anything that anybody else can get."""

import logging
from dataclasses import replace

import pytest

from companion import table as tables
from companion.__main__ import main
from companion.games import all_games
from companion.rules.view import Text
from dash import GAME as DASH
from walk import everything, unvisited, visitor
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


def test_the_walk_visits_every_route_there_is(evening):
    host = visitor(evening.app, code=evening.bert.code, pin=PIN)
    answers = [what for what, _ in everything(host, evening.app, evening.table)]
    assert unvisited(evening.app, answers) == set()
    left_out = [what for what in answers if not what.startswith("POST /api/undo")]
    assert unvisited(evening.app, left_out) == {"POST /api/undo"}
    assert evening.table.snapshot().history[-1].seq == 1


def test_after_the_end_the_deal_is_open_and_the_note_still_sealed(make_table, tmp_path, capsys, caplog):
    evening = Evening(make_table({"dash": DASH}), "dash", "whispered")
    dice = {"id": "one", "dice": "white:6,white:6"}
    for n, seat in enumerate((evening.anna, evening.bert, evening.anna)):
        args = {"roll": f"{dice['id']}{n}", "dice": dice["dice"]}
        receipt = evening.table.tap(id=f"roll{n}", seat=seat.key, word="dice_rolled", args=args)
        assert receipt.status == "kept"
    assert evening.table.snapshot().outcome
    assert evening.leaks([NOTE]) == []
    assert {"export" in what for _, what, _ in evening.leaks([evening.deal])} == {True}
    assert NOTE not in caplog.text


def test_the_command_line_tells_no_secret(make_table, tmp_path, capsys):
    evening = Evening(make_table(all_games()), "moss", "note_written")
    file = tmp_path / "evening.txt"
    file.write_text(evening.table.export(evening.game.id))
    (tmp_path / "companion.db").symlink_to(tmp_path / "evenings.db")
    assert main(["games", "--data", str(tmp_path)]) == 0
    assert main(["replay", str(file), "--seat", "Anna"]) == 1  # the deal is sealed
    head, _, facts = file.read_text().partition("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith("sealed-deal")]
    file.write_text("\n".join([*lines, "deal somebody's", "", facts]))
    assert main(["replay", str(file), "--seat", "Anna"]) == 0
    told = "".join(capsys.readouterr())
    assert "Evening" in told
    assert "sealed, so left out: lines" in told
    assert NOTE not in told
    assert evening.deal not in told


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
