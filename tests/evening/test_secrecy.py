"""The secrecy walk: planted secrets must not be found in anything that anybody else can get."""

import json
import logging
import re
from dataclasses import replace
from itertools import count

import pytest

from companion import table as tables
from companion.__main__ import main
from companion.games import all_games
from companion.rules.events import CubeDropped, Observation, Seconds
from companion.rules.view import Text
from dash import GAME as DASH
from shaft import GAME as SHAFT
from walk import HEADERS, everything, unvisited, visitor
from web import Ports, create_app

NOTE = "planted-note-8f3a"
PIN = "4711"
_taps = count()
FLOORS = [0.015625, 0.8125, 0.03125, 0.0625, 0.0390625, 0.0234375, 0.0078125, 0.0078125]
SENSED = ["0.8125", "0.0234375", "47.03", "0.0625"]
"""Figures of the sealed estimates that nothing else at the table would say."""


class Evening:
    """A game of two with a secret note of Anna's, and the web over it."""

    def __init__(self, table, slug, word, options=None):
        self.table = table
        self.anna, self.bert = table.join("Anna"), table.join("Bert")
        self.game = table.start_game(
            slug=slug, title="Evening", seats=(self.anna.key, self.bert.key), options=options or {}
        )
        self.deal = table._shelf._journal.game(self.game.id).setup.deal
        if word:
            assert table.tap(id="n", seat=self.anna.key, word=word, args={"text": NOTE}).status == "kept"
        self.ports = Ports(
            read_photo=None,
            rehearsal=None,
            camera=None,
            addresses=("http://localhost",),
            host_pin=PIN,
            secret_key=b"k" * 32,
            shutdown=lambda: None,
            version="0",
        )
        self.serve()

    def serve(self):
        """A fresh web over the same table: nobody has tried a PIN yet."""
        self.app = create_app(self.table, self.ports)

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


@pytest.fixture
def shaft(make_table):
    """Three cubes in a tower whose floors the sensors know, and a fourth fact to end the game."""
    table = make_table({"shaft": SHAFT})
    evening = Evening(table, "shaft", None)
    for n in range(3):
        event = CubeDropped(at=Seconds(0.0), drop=f"drop{n}")
        knows = json.dumps({"floors": FLOORS, "sounds": [[0.0625, 47.03]]})
        claim = Observation(id=event.drop, event=event, source="tower", sealed=knows)
        assert table.submit(claim).status == "kept"
    return evening


def everybody(evening):
    return {**evening.strangers(), "Anna": visitor(evening.app, code=evening.anna.code)}


def end(evening):
    args = {"cubes": "blue"}
    assert evening.table.tap(id="end", seat=evening.anna.key, word="cubes_seen", args=args).status == "kept"


def test_where_a_cube_fell_is_nowhere_until_the_book_is_opened(shaft, caplog):
    caplog.set_level(logging.DEBUG)
    assert shaft.leaks(SENSED, everybody(shaft)) == []
    end(shaft)
    shaft.serve()
    assert shaft.leaks(SENSED, everybody(shaft)) == []
    assert not any(secret in caplog.text for secret in SENSED)
    assert shaft.table.open_book(seat=shaft.anna.key).status == "kept"
    shaft.serve()
    found = shaft.leaks(SENSED, everybody(shaft))
    assert {"guest", "Bert", "Anna"} <= {who for who, _, _ in found}


@pytest.fixture
def hotel(make_table):
    """A prolog of Mord im Arosa in a sensed tower, and a private note of Anna's."""
    table = make_table(all_games())
    evening = Evening(table, "arosa", None)
    tap(evening, "beginner_named", player=evening.anna.key)
    for n in range(6):
        event = CubeDropped(at=Seconds(0.0), drop=f"drop{n}")
        knows = json.dumps({"floors": FLOORS, "sounds": [[0.0625, 47.03]], "beams": [[6, 0.0625]]})
        claim = Observation(id=event.drop, event=event, source="tower", sealed=knows)
        assert table.submit(claim).status == "kept"
    tap(evening, "guess_noted", colour="red", floor="6")
    return evening


def tap(evening, word, **args):
    receipt = evening.table.tap(id=f"tap{next(_taps)}", seat=evening.anna.key, word=word, args=args)
    assert receipt.status == "kept", receipt.text


def test_in_mord_im_arosa_nobody_learns_what_the_tower_knows_nor_what_another_has_noted(hotel, caplog):
    caplog.set_level(logging.DEBUG)
    mine = visitor(hotel.app, code=hotel.anna.code).get("/play").get_data(as_text=True)
    assert "Red on floor 6" in mine
    secrets = [*SENSED, "ed on floor 6", "81 %", "floor=6"]
    assert hotel.leaks(secrets, hotel.strangers()) == []
    assert not any(secret in caplog.text for secret in SENSED)


def test_a_screen_is_as_long_for_others_whatever_the_tower_knows_and_anna_notes(hotel):
    """Page sizes and the order of buttons tell nothing either."""
    bert = visitor(hotel.app, code=hotel.bert.code)
    before = bert.get("/play").get_data(as_text=True)
    tap(hotel, "guess_noted", colour="yellow", floor="2")
    after = bert.get("/play").get_data(as_text=True)
    told = re.compile(r'data-version="\d+"|<section class="card" id="history".*?</section>', re.DOTALL)
    shown, said = (told.sub("", page) for page in (before, after))
    assert 'id="storeys"' in shown
    assert shown == said


def test_nobody_opens_the_book_by_asking_before_the_end(shaft):
    for who, client in everybody(shaft).items():
        assert client.post("/api/open-book", json={}, headers=HEADERS).status_code in {401, 403, 409}, who
    assert shaft.table.snapshot().book is None


def test_an_open_book_is_found(shaft, monkeypatch):
    monkeypatch.setattr(type(SHAFT), "open_book", lambda self, state: True)
    shaft.table.join("Carla")
    assert {"guest", "Bert"} <= {who for who, _, _ in shaft.leaks(SENSED)}


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
