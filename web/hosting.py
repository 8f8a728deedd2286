"""/api for the host: games, seats, turning off."""

import hmac
from typing import Any
from urllib.parse import quote

from flask import Blueprint, Response, jsonify, request

from companion.rules.events import Seat
from companion.snapshot import GameInfo
from web import who as people
from web.desk import desk, snapshot
from web.refusals import Refused, faults_told
from web.spec import HOST, PLAYER, Answer, Field, Given, route

api = Blueprint("host", __name__, url_prefix="/api")


@route(
    api,
    "POST",
    "/host",
    body=(Field("pin", "string", "the host PIN", longest=80),),
    answers={429: "Too often."},
)
def sign_in(given: Given) -> Answer:
    """Become the host with this browser, by PIN."""
    limit, key, at_s = desk().pins, str(request.remote_addr), desk().now()
    wait_s = limit.wait_s(key, at_s)
    if wait_s > 0:
        raise Refused(429, f"Too many wrong PINs. Wait {round(wait_s) + 1} seconds, then try again.")
    if not hmac.compare_digest(given["pin"].strip().encode(), desk().ports.host_pin.encode()):
        limit.failed(key, at_s)
        raise Refused(403, "This is not the host PIN. The companion prints it where it was started.")
    people.become_host(desk().stamp)
    return jsonify({"status": "kept", "text": "You are the host now."})


@route(api, "POST", "/host/leave")
def sign_out() -> Answer:
    """Stop being the host with this browser."""
    people.stop_hosting()
    return jsonify({"status": "kept", "text": "You are not the host any more."})


@route(api, "GET", "/games", needs=PLAYER)
def games() -> Answer:
    """The games that can be played, with their options, and the games that are kept."""
    return jsonify(
        {
            "games": [
                {
                    "slug": game.slug,
                    "title": game.title,
                    "tagline": game.tagline,
                    "seats": list(game.seats),
                    "options": [
                        {
                            "name": o.name,
                            "label": o.label,
                            "choices": o.choices,
                            "default": o.default,
                            "why": o.why,
                        }
                        for o in game.options
                    ],
                }
                for game in desk().table.games.values()
            ],
            "kept": [_game(kept) for kept in desk().table.kept_games()],
        }
    )


@route(
    api,
    "POST",
    "/games",
    needs=HOST,
    body=(
        Field("slug", "string", "the game's name in addresses"),
        Field("title", "string", "what to call this evening", required=False, longest=200),
        Field("seats", "array", "keys of the seats that play", longest=40),
        Field("options", "object", "option name to value", required=False),
    ),
)
def start(given: Given) -> Answer:
    """Start a game and open it."""
    seats = tuple(Seat(key) for key in dict.fromkeys(given["seats"]))
    title, options = given.get("title", ""), given.get("options", {})
    with faults_told():
        game = desk().table.start_game(slug=given["slug"], title=title, seats=seats, options=options)
    return jsonify(_game(game))


@route(api, "POST", "/games/<name>/open", needs=HOST, answers={404: "No such game."})
def reopen(name: str) -> Answer:
    """Open a kept game where it was left."""
    desk().table.open_game(name)
    return jsonify({"status": "kept", "text": "The game is open where you left it."})


@route(api, "POST", "/games/close", needs=HOST)
def close() -> Answer:
    """Put the open game away; it is kept."""
    desk().table.close_game()
    return jsonify({"status": "kept", "text": "The game is put away and kept."})


@route(api, "GET", "/games/<name>/export", needs=PLAYER, media="text/plain", answers={404: "No such game."})
def export(name: str) -> Answer:
    """A kept game as readable text, its secrets sealed."""
    text = desk().table.export(name)
    game = next((g for g in desk().table.kept_games() if g.id == name), None)
    file = quote(f"{game.title if game else name}.txt", safe="")
    answer = Response(text, content_type="text/plain; charset=utf-8")
    answer.headers["Content-Disposition"] = f"attachment; filename*=UTF-8''{file}"
    return answer


@route(
    api,
    "POST",
    "/games/import",
    needs=HOST,
    body=(Field("text", "string", "an exported game", longest=5_000_000),),
)
def bring_in(given: Given) -> Answer:
    """Keep a game that was exported, here or elsewhere."""
    return jsonify(_game(desk().table.import_game(given["text"])))


@route(
    api,
    "POST",
    "/seats/<key>/rename",
    needs=HOST,
    body=(Field("name", "string", "the new name", longest=80),),
)
def rename(key: str, given: Given) -> Answer:
    """Call a seat something else."""
    with faults_told():
        seat = desk().table.rename_seat(Seat(key), given["name"])
    return jsonify({"seat": seat.key, "name": seat.name})


@route(api, "POST", "/seats/<key>/renew", needs=HOST)
def renew(key: str) -> Answer:
    """Give a seat a new code; phones that held it fall out."""
    with faults_told():
        seat = desk().table.renew_seat(Seat(key))
    return jsonify({"seat": seat.key, "name": seat.name, "code": seat.code})


@route(api, "POST", "/seats/<key>/remove", needs=HOST)
def remove(key: str) -> Answer:
    """Take a seat away. What it did in games stays."""
    if not any(seat.key == key for seat in snapshot().seats):
        raise Refused(404, "This seat is not at the table any more.")
    desk().table.remove_seat(Seat(key))
    return jsonify({"status": "kept", "text": "The seat is gone."})


@route(api, "POST", "/shutdown", needs=HOST)
def shutdown() -> Answer:
    """Turn the companion off. Everything is kept."""
    desk().ports.shutdown()
    return jsonify({"status": "kept", "text": "The companion turns itself off. Everything is kept."})


def _game(game: GameInfo) -> dict[str, Any]:
    return {
        "id": game.id,
        "slug": game.slug,
        "title": game.title,
        "started": game.started,
        "seats": list(game.seats),
        "facts": game.facts,
        "ended": game.ended,
    }
