"""The pages themselves, the stream behind them, and what machines ask for."""

import json
from itertools import chain
from typing import cast

from flask import Blueprint, Response, current_app, jsonify, request, send_file
from werkzeug.exceptions import NotFound

from web import howto, shapes
from web.assets import KINDS, Assets
from web.desk import desk, refuse_other_sites, snapshot, who
from web.lines import taken_apart
from web.openapi import document
from web.refusals import Refused
from web.screens import SCREENS
from web.spec import NOBODY, PLAYER, Answer, Field, route
from web.stream import messages

pages = Blueprint("pages", __name__)

_HTML = "text/html"
_YEAR_S = 31_536_000


@route(pages, "GET", "/", media=_HTML)
def lobby() -> Answer:
    """The lobby: address, seats, and for the host the games."""
    return _page("lobby")


@route(pages, "GET", "/play", media=_HTML, answers={302: "To the lobby, without a seat."})
def play() -> Answer:
    """The seat's own screen."""
    return _page("play") if who().seat else _to_lobby()


@route(pages, "GET", "/table", media=_HTML)
def table() -> Answer:
    """The shared screen, without secrets; guests see the same."""
    return _page("table")


@route(pages, "GET", "/history", media=_HTML)
def history() -> Answer:
    """Everything that happened in the open game."""
    return _page("history")


@route(pages, "GET", "/camera", media=_HTML, answers={302: "To the lobby, without a seat."})
def camera() -> Answer:
    """The live picture of the tray, for seats."""
    if who().seat is None and not who().host:
        return _to_lobby()
    return desk().screens.page("camera.html", who=who(), snapshot=snapshot())


@route(pages, "GET", "/teach", media=_HTML, answers={302: "To the lobby, without a seat."})
def teach() -> Answer:
    """Teaching the dice: tray, light, kinds of dice, and the ledger of readings; for seats and the host."""
    if who().seat is None and not who().host:
        return _to_lobby()
    return desk().screens.page("teach.html", who=who(), snapshot=snapshot(), screen="teach")


@route(
    pages, "GET", "/how-to-play/<slug>", media=_HTML, answers={404: "No such game, or it tells nothing."}
)
def how_to_play(slug: str) -> Answer:
    """How a game is played, on one screen and in the game's own looks; for everybody, at any time."""
    game = desk().table.games.get(slug)
    told = howto.how_to_play(game) if game else None
    if game is None or told is None:
        raise Refused(404, "No such game is explained here. The lobby lists those that are.")
    page, face = desk().screens.page, game.slug
    return page("how-to-play.html", who=who(), snapshot=snapshot(), game=game, told=told, face=face)


@route(
    pages, "GET", "/amend/<int:seq>", needs=PLAYER, media=_HTML, answers={404: "Not in the shared history."}
)
def amend(seq: int) -> Answer:
    """The form that corrects one fact, as a fragment."""
    row = next((r for r in snapshot().history if r.seq == seq), None)
    if row is None or row.line is None or not row.amendable:
        raise Refused(404, "This fact cannot be corrected.")
    is_roll = shapes.is_roll(row)
    dice = shapes.dice_of(row) if is_roll else ()
    return desk().screens.page(
        "amend.html", row=row, line=taken_apart(row.line), is_roll=is_roll, dice=dice
    )


@route(
    pages,
    "GET",
    "/stream",
    media="text/event-stream",
    query=(
        Field("screen", "string", "lobby, play, table (if left out) or history", required=False),
        Field(
            "tab", "string", "a name of the page's own; its next stream replaces this one", required=False
        ),
    ),
    answers={503: "Two hundred listen already."},
)
def stream() -> Answer:
    """Server-Sent Events: ``view`` with the whole screen each time, ``beat``, and a last word.

    Last words: ``bye`` (the companion ends),
    ``again`` (open a new one), ``moved`` (a newer stream of this browser took over), ``out`` (the
    seat is somebody else's now).
    """
    refuse_other_sites()
    screen = request.args.get("screen", "table")
    if screen not in SCREENS:
        raise Refused(400, f"There is no screen {screen!r}: {', '.join(SCREENS)}.")
    me, wiring = who(), desk()
    if screen == "play" and me.seat is None:
        raise Refused(401, "Take a seat first: go to the lobby and say your name or your seat code.")
    tab, guest = request.args.get("tab", "")[:40], me.seat is None and not me.host
    ticket = None if wiring.hub.closed else wiring.streams.enter(me.device, tab, guest=guest)
    if ticket is None:
        raise Refused(503, "Too many screens are open. Close one, or try again in a minute.")
    wiring.hub.wake()

    def ending() -> str:
        return "bye" if wiring.hub.closed else "moved" if ticket.over else ""

    said = messages(
        wait=lambda version, s: wiring.hub.wait(version, s, lambda: ticket.over),
        show=lambda now: wiring.screens.message(screen, now, me, wiring.table.clock.at()),
        ending=ending,
        now=wiring.now,
    )
    lines = chain(("retry: 2000\n\n",), map(str, said))
    answer = Response(lines, mimetype="text/event-stream", headers={"X-Accel-Buffering": "no"})
    # also called when the phone is gone before the first line, when no generator would notice
    answer.call_on_close(lambda: wiring.streams.leave(ticket))
    return answer


@route(pages, "GET", "/healthz", needs=NOBODY)
def healthz() -> Answer:
    """Whether the companion runs, and a few numbers."""
    now = desk().table.snapshot()
    return jsonify(
        {
            "status": "ok",
            "version": desk().ports.version,
            "table": now.version,
            "game_open": now.game is not None,
            "seats": len(now.seats),
            "streams": len(desk().streams),
            "rehearsal": desk().ports.rehearsal is not None,
            "problems": [n.state for n in now.notices if n.level == "problem"],
        }
    )


@route(pages, "GET", "/openapi.json", needs=NOBODY)
def openapi() -> Answer:
    """This document."""
    text = json.dumps(document(current_app, desk().ports.version), ensure_ascii=False, indent=1)
    return Response(text, mimetype="application/json")


@route(
    pages, "GET", "/static/<stamp>/<path:name>", needs=NOBODY, media="*/*", answers={404: "No such file."}
)
def static(stamp: str, name: str) -> Answer:
    """Style sheets, scripts and drawings, under an address that changes with their content."""
    assets = _assets()
    path = assets.find(name)
    if path is None:
        raise NotFound
    answer = send_file(path, mimetype=KINDS.get(path.suffix))
    fresh = stamp == assets.stamp
    answer.headers["Cache-Control"] = f"public, max-age={_YEAR_S}, immutable" if fresh else "no-cache"
    return answer


@route(pages, "GET", "/favicon.ico", needs=NOBODY, media="image/svg+xml")
def favicon() -> Answer:
    """The little picture in the browser's tab."""
    icon = _assets().find("icon.svg")
    assert icon is not None
    return send_file(icon, mimetype=KINDS[".svg"])


def _assets() -> Assets:
    return cast("Assets", current_app.config["ASSETS"])


def _to_lobby() -> Response:
    return Response(status=302, headers={"Location": "/"})


def _page(screen: str) -> Answer:
    me, now = who(), snapshot()
    return desk().screens.page(
        f"{screen}.html",
        screen=screen,
        content=desk().screens.html(screen, now, me),
        face=desk().screens.face(now),
        at=desk().table.clock.at(),
        who=me,
        snapshot=now,
    )
