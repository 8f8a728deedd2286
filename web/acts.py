"""/api for play: taps, dice by hand, answers to questions, history, pause, seats."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from flask import Blueprint, Response, jsonify, request

from companion.rules.events import DiceRolled, DieFace, Observation
from companion.rules.view import Panel
from companion.snapshot import Snapshot
from web import who as people
from web.desk import desk, my_key, my_seat, snapshot, told, who
from web.lines import Line, put_together, taken_apart
from web.refusals import Refused, faults_told
from web.spec import GUEST, PLAYER, SEAT, Answer, Field, Given, route

api = Blueprint("play", __name__, url_prefix="/api")

ID = Field("id", "string", "an id drawn by the sender, so that sending twice counts once", longest=80)
DICE = Field("dice", "array", "dice as kind:face, for example white:4", longest=40)
SEQ = Field("seq", "integer", "the number of the fact in the history")
LINE = Field("line", "string", "the fact as it should be, in the notation", required=False)
ARGS = Field("args", "object", "instead of line: the arguments that change, as text", required=False)
SHOWN = Field("seq", "integer", "the fact that the screen named; refused if it is another", required=False)
REFUSED = {409: "Refused by the table, with a sentence."}


@route(api, "POST", "/join", body=(Field("name", "string", "what the player is called", longest=80),))
def join(given: Given) -> Answer:
    """Take a new seat by name."""
    with faults_told():
        seat = desk().table.join(given["name"])
    people.sit(seat)
    return jsonify({"seat": seat.key, "name": seat.name, "code": seat.code})


@route(api, "POST", "/rejoin", body=(Field("code", "string", "the seat's code", longest=20),))
def rejoin(given: Given) -> Answer:
    """Take an existing seat with this browser, by its code."""
    limit, key, at_s = desk().codes, str(request.remote_addr), desk().now()
    wait_s = limit.wait_s(key, at_s)
    if wait_s > 0:
        raise Refused(429, f"Too many wrong codes. Wait {round(wait_s) + 1} seconds, then try again.")
    seat = desk().table.seat_by_code(given["code"])
    if seat is None:
        limit.failed(key, at_s)
        raise Refused(
            404, "No seat has this code. It stands on the seat's own phone, and the host sees it."
        )
    people.sit(seat)
    return jsonify({"seat": seat.key, "name": seat.name, "code": seat.code})


@route(api, "POST", "/leave")
def leave() -> Answer:
    """Let this browser forget its seat; the seat stays at the table."""
    people.stand_up()
    return jsonify({"status": "kept", "text": "This browser has no seat any more."})


@route(
    api,
    "POST",
    "/tap",
    needs=SEAT,
    answers=REFUSED,
    body=(
        ID,
        Field("word", "string", "the event's word, as the view's action has it", longest=80),
        Field("args", "object", "the event's arguments as text"),
        Field("seen", "integer", "the version of the table that was looked at"),
    ),
)
def tap(given: Given) -> Answer:
    """Send an action of the view."""
    plays()
    return told(
        desk().table.tap(
            id=given["id"], seat=my_seat().key, word=given["word"], args=given["args"], seen=given["seen"]
        )
    )


@route(api, "POST", "/dice", needs=SEAT, answers=REFUSED, body=(ID, DICE))
def dice(given: Given) -> Answer:
    """Enter a throw by hand: all the dice, the held ones included."""
    plays()
    event = DiceRolled(at=snapshot().at, by=my_key(), roll=given["id"], dice=_faces(given["dice"]))
    return told(desk().table.submit(Observation(id=given["id"], event=event, source="hand")))


@route(
    api,
    "POST",
    "/confirm",
    needs=SEAT,
    answers=REFUSED,
    body=(
        Field("id", "string", "the question's id"),
        Field("dice", "array", "the right dice, if they are others", required=False, longest=40),
        Field(
            "cubes",
            "array",
            "the colours of the right cubes, if they are others",
            required=False,
            inner="string",
            longest=130,
        ),
    ),
)
def confirm(given: Given) -> Answer:
    """Answer the open question: right as it is, or with these dice or cubes."""
    plays()
    faces = _faces(given["dice"]) if "dice" in given else None
    cubes = tuple(given["cubes"]) if "cubes" in given else None
    return told(desk().table.confirm(id=given["id"], seat=my_key(), dice=faces, cubes=cubes))


@route(api, "POST", "/open-book", needs=SEAT, answers=REFUSED)
def open_book() -> Answer:
    """Open what the sensors had sealed, once the game has ended; nothing can be taken back after."""
    plays()
    return told(desk().table.open_book(seat=my_key()))


@route(
    api, "POST", "/dismiss", needs=SEAT, answers=REFUSED, body=(Field("id", "string", "the question's id"),)
)
def dismiss(given: Given) -> Answer:
    """Put the open question away: nothing was thrown."""
    plays()
    return told(desk().table.dismiss(id=given["id"], seat=my_key()))


@route(api, "POST", "/undo", needs=PLAYER, answers=REFUSED, body=(ID, SHOWN))
def undo(given: Given) -> Answer:
    """Take back the last fact that stands."""
    plays(or_host=True)
    return told(desk().table.undo(id=given["id"], seat=my_key(), seq=given.get("seq")))


@route(api, "POST", "/redo", needs=PLAYER, answers=REFUSED, body=(ID, SHOWN))
def redo(given: Given) -> Answer:
    """Let the fact that was taken back last stand again."""
    plays(or_host=True)
    return told(desk().table.redo(id=given["id"], seat=my_key(), seq=given.get("seq")))


@route(api, "POST", "/preview", needs=PLAYER, body=(SEQ, LINE, ARGS))
def preview(given: Given) -> Answer:
    """Say what a correction of the past would change. Nothing is changed."""
    plays(or_host=True)
    seen = desk().table.preview(given["seq"], _corrected(given))
    stranded = _plain(seen.stranded) if seen.stranded else None
    return jsonify({"ok": seen.ok, "text": seen.text, "changes": list(seen.changes), "stranded": stranded})


@route(api, "POST", "/amend", needs=PLAYER, answers=REFUSED, body=(ID, SEQ, LINE, ARGS))
def amend(given: Given) -> Answer:
    """Correct a fact of the past; refused if a later fact could not stand then."""
    plays(or_host=True)
    line = _corrected(given)
    return told(desk().table.amend(id=given["id"], seq=given["seq"], line=line, seat=my_key()))


@route(api, "POST", "/pause", needs=PLAYER, answers=REFUSED)
def pause() -> Answer:
    """Stop table time."""
    plays(or_host=True)
    return told(desk().table.pause(seat=my_key()))


@route(api, "POST", "/resume", needs=PLAYER, answers=REFUSED)
def resume() -> Answer:
    """Let table time go on."""
    plays(or_host=True)
    return told(desk().table.resume(seat=my_key()))


@route(api, "GET", "/state", needs=GUEST)
def state() -> Answer:
    """The table as data: what everybody may know, and this seat's own view."""
    now = snapshot()
    playing = now.game is not None and my_key() in now.game.seats
    view = desk().table.view(now, my_key() if playing else None)
    return jsonify(
        {**public(now), "you": my_key(), "host": who().host, "view": _plain(view) if view else None}
    )


@route(
    api, "GET", "/picture/<name>", needs=PLAYER, media="image/jpeg", answers={404: "Answered meanwhile."}
)
def picture(name: str) -> Answer:
    """The picture that goes with the open question."""
    asked = snapshot().proposal
    if asked is None or asked.id != name or asked.observation.picture is None:
        raise Refused(404, "This question has been answered, or it has no picture.")
    return Response(asked.observation.picture, mimetype="image/jpeg")


def public(now: Snapshot) -> dict[str, Any]:
    """What everybody may know of the table; named one by one, so that nothing slips in."""
    asked = now.proposal
    wanted = now.expected.dice
    return {
        "version": now.version,
        "at": now.at,
        "paused": now.paused,
        "game": _plain(now.game) if now.game else None,
        "outcome": _plain(now.outcome) if now.outcome else None,
        "expected_dice": _plain(wanted) if wanted else None,
        "proposal": None
        if asked is None
        else {
            "id": asked.id,
            "reason": asked.reason,
            "claims": [_plain(c) for c in asked.observation.claims],
        },
        "notices": [_plain(n) for n in now.notices],
        "history": [_plain(row) for row in now.history],
        "undo": _plain(now.undo),
        "redo": _plain(now.redo),
        "seats": [{"key": s.key, "name": s.name, "colour": s.colour} for s in now.seats],
    }


def plays(*, or_host: bool = False) -> None:
    """Refuse who does not take part in the open game; the host may pass ``or_host``."""
    game = snapshot().game
    if game is None:
        raise Refused(409, "No game is open: the host starts or reopens one.")
    seat = who().seat
    if not (seat and seat.key in game.seats) and not (or_host and who().host):
        name = seat.name if seat else "this phone"
        raise Refused(409, f"You watch this game: {name} was not chosen for it when it began.")


def _plain(value: Any) -> Any:
    """Values as JSON would have them; a panel also says its kind."""
    if is_dataclass(value) and not isinstance(value, type):
        data = {f.name: _plain(getattr(value, f.name)) for f in fields(value)}
        return {"kind": value.kind, **data} if isinstance(value, Panel) else data
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, tuple | frozenset):
        return [_plain(item) for item in value]
    return value


def _faces(texts: list[str]) -> tuple[DieFace, ...]:
    try:
        return tuple(DieFace.parse(text) for text in texts)
    except ValueError as fault:
        raise Refused(400, f"{fault}.") from None


def _corrected(given: Given) -> str:
    """The line that the fact should be: as given, or its own with other arguments.

    Raises Refused for a secret fact: nobody corrects what they may not see.
    """
    row = next((r for r in snapshot().history if r.seq == given["seq"]), None)
    if row is None or row.line is None:
        raise Refused(404, "This fact is not in the shared history.")
    if "line" in given:
        return str(given["line"])
    line = taken_apart(row.line)
    return put_together(Line(line.at, line.by, line.word, {**line.args, **given.get("args", {})}))
