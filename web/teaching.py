"""/api for teaching the dice: the tray's corners, the lamp, a kind of dice, and the ledger of readings."""

from collections.abc import Mapping, Sequence
from typing import Any

from flask import Blueprint, Response, jsonify

from web.desk import desk
from web.ports import LedgerPort, TeachingPort
from web.refusals import Refused, faults_told
from web.spec import HOST, PLAYER, Answer, Field, Given, route

api = Blueprint("teaching", __name__, url_prefix="/api/teach")

NO_CAMERA = "This companion has no camera to teach. Plug one in and start it again."
_LAMP = Field("lamp", "string", "day, evening, or what else the lamp is called", required=False, longest=40)
_REFUSED = {404: "No camera.", 409: "It cannot be done now, with a sentence."}


@route(api, "GET", "", needs=PLAYER, answers={404: "No camera."})
def state() -> Answer:
    """The tray in use, the kinds of dice, and the lesson as it stands."""
    port = _port()
    with faults_told():
        kinds = {kind: list(faces) for kind, faces in port.kinds().items()}
        return jsonify({"tray": _plain(port.tray()), "kinds": kinds, "lesson": _plain(port.lesson())})


@route(api, "GET", "/picture", needs=PLAYER, media="image/jpeg", answers={404: "No camera, or no picture."})
def picture() -> Answer:
    """The camera's whole newest picture, for marking the tray in it."""
    jpeg = _port().picture()
    if jpeg is None:
        raise Refused(404, "The camera gives no picture. Check it on the camera's page.")
    return Response(jpeg, mimetype="image/jpeg")


@route(
    api,
    "POST",
    "/look",
    needs=PLAYER,
    answers=_REFUSED,
    body=(
        Field("width_mm", "number", "length of the tray's upper side, if it was measured", required=False),
    ),
)
def look(given: Given) -> Answer:
    """Look for the tray's corners: by printed markers, else by its edge. Nothing is saved."""
    with faults_told():
        return jsonify(_plain(_port().look(given.get("width_mm"))))


@route(
    api,
    "POST",
    "/tray",
    needs=PLAYER,
    answers=_REFUSED,
    body=(Field("corners", "array", "x, y of four corners, clockwise, 0 to 1", inner="number", longest=8),),
)
def tray(given: Given) -> Answer:
    """Save the tray's corners; they count at once."""
    numbers = [float(value) for value in given["corners"]]
    if len(numbers) != 8:
        raise Refused(400, "corners are eight numbers: x and y of the four corners, clockwise.")
    with faults_told():
        return jsonify(_plain(_port().mark(list(zip(numbers[::2], numbers[1::2], strict=True)))))


@route(api, "POST", "/light", needs=PLAYER, answers=_REFUSED)
def light() -> Answer:
    """Check lamp and lens; takes a second or two."""
    with faults_told():
        return jsonify({"findings": [_plain(finding) for finding in _port().light()]})


@route(
    api,
    "POST",
    "/lesson",
    needs=PLAYER,
    answers=_REFUSED,
    body=(
        Field("kind", "string", "which dice", longest=40),
        Field("faces", "array", "what they can show", longest=20),
        _LAMP,
    ),
)
def begin(given: Given) -> Answer:
    """Begin to teach a kind of dice. Until it is finished or left, what lies in the tray is no throw."""
    with faults_told():
        return jsonify(_plain(_port().begin(given["kind"], given["faces"], given.get("lamp", ""))))


@route(
    api,
    "POST",
    "/lesson/step",
    needs=PLAYER,
    answers=_REFUSED,
    body=(
        Field("do", "string", "show, skip, again, finish or leave"),
        Field("faces", "array", "with again: which faces; all if left out", required=False, longest=20),
        _LAMP,
    ),
)
def step(given: Given) -> Answer:
    """Go on with the lesson: take a picture of the face asked for, skip it, ask again, save, or leave."""
    port = _port()
    with faults_told():
        match given["do"]:
            case "show":
                told = port.show()
            case "skip":
                told = port.skip()
            case "again":
                told = port.again(given.get("faces", []), given.get("lamp", ""))
            case "finish":
                told = port.finish()
            case "leave":
                told = port.leave()
            case other:
                raise Refused(400, f"{other!r} is not done here: show, skip, again, finish or leave.")
        return jsonify(_plain(told))


@route(api, "GET", "/ledger", needs=PLAYER, answers={404: "No ledger."})
def ledger() -> Answer:
    """How often each reader was right, and how many pictures of misreads are kept."""
    return jsonify(_plain(_ledger().told()))


@route(
    api,
    "POST",
    "/ledger",
    needs=HOST,
    answers={404: "No ledger."},
    body=(Field("keep", "boolean", "whether pictures of misreads are kept on this machine"),),
)
def agree(given: Given) -> Answer:
    """Keep pictures of misread dice for the next training, or no more. Off until the host agrees."""
    _ledger().agree(on=given["keep"])
    text = "Pictures of misreads are kept from now on." if given["keep"] else "No more pictures are kept."
    return jsonify({"status": "kept", "text": text})


@route(api, "POST", "/ledger/forget", needs=HOST, answers={404: "No ledger."})
def forget() -> Answer:
    """Delete every picture of a misread."""
    number = _ledger().forget()
    text = "One picture was deleted." if number == 1 else f"{number} pictures were deleted."
    return jsonify({"status": "kept", "text": text})


def _port() -> TeachingPort:
    port = desk().ports.teaching
    if port is None:
        raise Refused(404, NO_CAMERA)
    return port


def _ledger() -> LedgerPort:
    port = desk().ports.ledger
    if port is None:
        raise Refused(404, "This companion keeps no ledger of its readings.")
    return port


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item) for item in value]
    return value
