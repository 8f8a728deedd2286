"""A walk through everything that leaves the server, as one kind of guest after the other."""

import json
import re
from collections.abc import Iterable, Iterator
from itertools import count

from flask import Flask

from companion.table import Table

HEADERS = {"X-Companion": "1", "Accept": "application/json"}
_PLACE = re.compile(r"<(?:\w+:)?(\w+)>")
_ids = count()


def visitor(app: Flask, *, code: str | None = None, pin: str | None = None):
    """A browser: with a seat by its code, with the host's PIN, with both, or with neither."""
    client = app.test_client()
    if code:
        assert client.post("/api/rejoin", json={"code": code}).status_code == 200
    if pin:
        assert client.post("/api/host", json={"pin": pin}).status_code == 200
    return client


def everything(client, app: Flask, table: Table) -> Iterator[tuple[str, str]]:
    """(what, text) of every answer that this visitor can get: pages, data, streams, refusals.

    Nothing it asks for changes the game: what would be a fact is refused or taken back. It leaves its
    seat at the end.
    """
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (str(rule).endswith("leave"), str(rule))):
        for path in _paths(rule.rule, table):
            if "GET" in rule.methods:
                yield from _got(client, path)
            if "POST" in rule.methods and rule.rule in _BODIES:
                yield from _posted(client, rule.rule, path, table)
    for path in ("/nothing-here", "/amend/9999"):
        answer = client.get(path, headers={"Accept": "text/html"})
        yield f"GET {path} as a page", str(answer.headers) + answer.get_data(as_text=True)


def unvisited(app: Flask, seen: Iterable[str]) -> set[str]:
    """Routes, as ``METHOD /path``, that none of the ``seen`` answers came from; files apart."""
    routes = {
        f"{method} {rule}"
        for rule in app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
        if not str(rule).startswith("/static")
    }
    adapter = app.url_map.bind("localhost")
    for what in seen:
        method, path = what.split()[:2]
        if not what.endswith("as a page"):
            rule, _ = adapter.match(path.partition("?")[0], method=method, return_rule=True)
            routes.discard(f"{method} {rule}")
    return routes


def _got(client, path: str) -> Iterator[tuple[str, str]]:
    queries = (
        ("",) if path != "/stream" else tuple(f"?screen={s}" for s in ("lobby", "play", "table", "history"))
    )
    for query in queries:
        answer = client.get(path + query, headers=HEADERS, buffered=path != "/stream")
        heads = str(answer.headers)
        if path == "/stream" and answer.status_code == 200:
            lines = iter(answer.response)
            body = "".join(next(lines).decode() for _ in range(2))
        else:
            body = answer.get_data(as_text=True) if "image" not in str(answer.mimetype) else ""
        answer.close()
        yield f"GET {path}{query}", heads + body


def _posted(client, rule: str, path: str, table: Table) -> Iterator[tuple[str, str]]:
    game = table.snapshot().game
    for body in _BODIES[rule](table):
        answer = client.post(
            _PLACE.sub("nobody", rule) if rule in _FATAL else path, json=body, headers=HEADERS
        )
        if table.snapshot().game is None and game is not None:
            table.open_game(game.id)
        table.resume()
        yield f"POST {path} {json.dumps(body)}", str(answer.headers) + answer.get_data(as_text=True)


def _paths(rule: str, table: Table) -> Iterator[str]:
    shown = table.snapshot()
    values = {
        "name": [g.id for g in table.kept_games()] + ["nothing"],
        "seq": [str(row.seq) for row in shown.history],
        "key": [seat.key for seat in shown.seats],
        "stamp": ["x"],
        "slug": [*table.games, "nothing"],
    }
    place = _PLACE.search(rule)
    if place is None:
        yield rule
    elif place[1] != "path":
        for value in values.get(place[1], []):
            yield from _paths(rule.replace(place[0], value), table)


def _rows(table: Table) -> Iterator[dict]:
    for row in table.snapshot().history:
        yield {"seq": row.seq, "line": "0.0 anna note_written text=x"}
        yield {"seq": row.seq, "line": row.line or "?"}


def _wrong(table: Table) -> Iterator[dict]:
    for row in table.snapshot().history:
        yield {"seq": row.seq, "line": "0.0 anna nonsense"}


def _taps(_: Table) -> Iterator[dict]:
    for word in (
        "note_written",
        "whispered",
        "informant_used",
        "evidence_gathered",
        "tile_revealed",
        "moved",
        "x",
    ):
        yield {"id": f"walk{next(_ids)}", "word": word, "args": {"nonsense": "1"}, "seen": 0}


_FATAL = {"/api/seats/<key>/remove", "/api/seats/<key>/renew"}
"""Asked for a seat that is not there: the others must live on."""
_BODIES = {
    "/api/amend": lambda table: [{"id": f"walk{next(_ids)}", **row} for row in _wrong(table)],
    "/api/undo": lambda _: [{"id": f"walk{next(_ids)}", "seq": 9999}],
    "/api/redo": lambda _: [{"id": f"walk{next(_ids)}", "seq": 9999}],
    "/api/games": lambda _: [{"slug": "nix", "seats": ["anna"]}, {"slug": "dash", "seats": ["nobody"]}],
    "/api/games/<name>/open": lambda _: [{}],
    "/api/games/close": lambda _: [{}],
    "/api/host": lambda _: [{"pin": "no"}],
    "/api/host/leave": lambda _: [{}],
    "/api/join": lambda _: [{"name": ""}, {"name": "Anna"}],
    "/api/leave": lambda _: [{}],
    "/api/pause": lambda _: [{}],
    "/api/resume": lambda _: [{}],
    "/api/photo": lambda _: [{}],
    "/api/rehearsal": lambda _: [{"do": "throw"}],
    "/api/seats/<key>/remove": lambda _: [{}],
    "/api/seats/<key>/rename": lambda _: [{"name": ""}],
    "/api/seats/<key>/renew": lambda _: [{}],
    "/api/shutdown": lambda _: [{}],
    "/api/preview": _rows,
    "/api/tap": _taps,
    "/api/dismiss": lambda _: [{"id": "none"}],
    "/api/confirm": lambda _: [{"id": "none"}],
    "/api/teach/look": lambda _: [{"width_mm": 300}],
    "/api/teach/tray": lambda _: [{"corners": [0, 0, 1, 0, 1, 1, 0, 1]}],
    "/api/teach/light": lambda _: [{}],
    "/api/teach/lesson": lambda _: [{"kind": "white", "faces": ["1", "2"]}],
    "/api/teach/lesson/step": lambda _: [{"do": "show"}, {"do": "again", "faces": ["1"]}, {"do": "x"}],
    "/api/teach/tower/naming": lambda _: [{"do": "begin"}, {"do": "skip"}, {"do": "leave"}],
    "/api/teach/tower/measures": lambda _: [
        {"cube_mm": 8, "hole_mm": 16, "pitch_mm": 31.25, "save": save} for save in (False, True)
    ],
    "/api/teach/tower/cubes": lambda _: [
        {"do": "begin"},
        {"do": "lay", "number": 1, "floor": 3},
        {"do": "uncounted", "floor": 3},
        {"do": "finish"},
    ],
    "/api/teach/tower/speech": lambda _: [{"do": "begin"}, {"do": "finish"}, {"do": "leave"}],
    "/api/teach/ledger": lambda _: [{"keep": True}],
    "/api/teach/ledger/forget": lambda _: [{}],
    "/api/open-book": lambda table: [] if table.snapshot().outcome else [{}],
    "/api/rejoin": lambda _: [{"code": "nobody"}],
    "/api/dice": lambda _: [{"id": f"walk{next(_ids)}", "dice": ["white:9"]}],
    "/api/games/import": lambda _: [{"text": "companion game 1\ngame nix\n"}],
}
