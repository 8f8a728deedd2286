"""/teach-tower and /api/teach/tower: the tower's lines, measures, cubes dropped for it, and its sound."""

from collections.abc import Mapping
from typing import Any

from flask import Blueprint, Response, jsonify

from companion.snapshot import Snapshot
from web.desk import desk, snapshot, who
from web.ports import TowerBenchPort
from web.refusals import Refused, faults_told
from web.spec import PLAYER, Answer, Field, Given, route

api = Blueprint("tower", __name__)

NO_TOWER = "This companion has no tower. Wire one, write its lines into companion.toml, start again."
SEALED = "Not while a game is sealed: it would tell where cubes fall. End the game, or play a training."
ENTRY = ("entry", "floor7")
"""What the beams in the roof are called; everybody at the table sees what breaks them."""

_REFUSED = {404: "No tower.", 409: "It cannot be done now, with a sentence."}
_DO = "what to do: "


@route(api, "GET", "/teach-tower", media="text/html", answers={302: "To the lobby, without a seat."})
def page() -> Answer:
    """Teaching the tower: name its lines, measure it, drop cubes, set the sound; for seats and the host."""
    if who().seat is None and not who().host:
        return Response(status=302, headers={"Location": "/"})
    return desk().screens.page("teach-tower.html", who=who(), snapshot=snapshot(), screen="teach")


@route(api, "GET", "/api/teach/tower", needs=PLAYER, answers={404: "No tower."})
def state() -> Answer:
    """The lines and what is known of them, the measures, the cubes dropped so far, and the sound.

    While a game is sealed: which lines work, and nothing of where a cube fell.
    """
    return _told(_port().state())


@route(api, "GET", "/api/teach/tower/trace", needs=PLAYER, answers={404: "No tower."})
def trace() -> Answer:
    """The last ten seconds of every line and of the sound; of the entry alone while a game is sealed."""
    return _told(_port().trace())


@route(
    api,
    "POST",
    "/api/teach/tower/naming",
    needs=PLAYER,
    answers=_REFUSED,
    body=(Field("do", "string", f"{_DO}begin, skip (nothing happens) or leave", longest=20),),
)
def naming(given: Given) -> Answer:
    """Name the lines by breaking them one after another."""
    with faults_told():
        return _told(_port().name(given["do"]))


@route(
    api,
    "POST",
    "/api/teach/tower/measures",
    needs=PLAYER,
    answers=_REFUSED,
    body=(
        Field("cube_mm", "number", "side of a cube in millimetres"),
        Field("hole_mm", "number", "side of the holes in millimetres"),
        Field("pitch_mm", "number", "height of a floor in millimetres"),
        Field("save", "boolean", "keep them; not while a game is sealed", required=False),
    ),
)
def measures(given: Given) -> Answer:
    """Say whether the beams see every cube in holes of this size, and what to do if not."""
    save = given.get("save", False)
    if save:
        _refuse_sealed()
    with faults_told():
        told = _port().measure(given["cube_mm"], given["hole_mm"], given["pitch_mm"], save=save)
        return jsonify(dict(told))


@route(
    api,
    "POST",
    "/api/teach/tower/cubes",
    needs=PLAYER,
    answers=_REFUSED,
    body=(
        Field("do", "string", f"{_DO}begin, lay, forget, uncounted, finish or leave", longest=20),
        Field("number", "integer", "with lay and forget: which cube", required=False),
        Field("floor", "integer", "with lay and uncounted: where it lay, 0 (table) to 7", required=False),
    ),
)
def cubes(given: Given) -> Answer:
    """Drop cubes and say where each lay, so that the tower learns how its own cubes fall."""
    _refuse_sealed()
    with faults_told():
        return _told(_port().label(given["do"], given.get("number", 0), given.get("floor", -1)))


@route(
    api,
    "POST",
    "/api/teach/tower/speech",
    needs=PLAYER,
    answers=_REFUSED,
    body=(Field("do", "string", f"{_DO}begin, finish or leave", longest=20),),
)
def speech(given: Given) -> Answer:
    """Talk for twenty seconds, then be quiet for ten: where the sound of a cube begins is set by it."""
    _refuse_sealed()
    with faults_told():
        return _told(_port().speech(given["do"]))


def is_sealed(now: Snapshot) -> bool:
    """Whether a game is played whose book is closed."""
    return now.game is not None and now.outcome is None and now.book is None


def shut(told: Mapping[str, Any]) -> dict[str, Any]:
    """Return what may be told while a game is sealed, whatever the port said."""
    kept = dict(told) | {"sealed": True, "text": SEALED if "naming" in told else told.get("text", "")}
    if "sound" in told:  # a trace
        kept["lines"] = [one for one in told["lines"] if one["line"].startswith(ENTRY)]
        kept["sound"] = []
    for name in ("labels", "speech"):
        if name in told:
            kept[name] = None
    if told.get("naming"):
        naming = dict(told["naming"])
        naming["lines"] = [_known(one) for one in naming["lines"]]
        naming["advice"] = []
        kept["naming"] = naming
    return kept


def _known(line: Mapping[str, Any]) -> dict[str, Any]:
    if line["found"] == "works" or line["line"].startswith(ENTRY):
        return dict(line)
    return {**line, "found": "waiting", "health": "unknown", "text": ""}


def _told(told: Mapping[str, Any]) -> Response:
    return jsonify(shut(told) if is_sealed(snapshot()) else dict(told))


def _refuse_sealed() -> None:
    if is_sealed(snapshot()):
        raise Refused(409, SEALED)


def _port() -> TowerBenchPort:
    port = desk().ports.tower
    if port is None:
        raise Refused(404, NO_TOWER)
    return port
