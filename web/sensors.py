"""/api for eyes and ears: a photograph of the dice, the live picture, the rehearsed table."""

from hashlib import sha256
from threading import BoundedSemaphore
from urllib.parse import unquote

from flask import Blueprint, Response, jsonify, request

from companion.rules.events import DiceRolled, DieFace, Observation
from web.acts import plays
from web.desk import desk, my_key, snapshot, told
from web.ports import PhotoReading, RehearsalPort
from web.refusals import Refused
from web.spec import PLAYER, SEAT, Answer, Field, Given, route

api = Blueprint("sensors", __name__, url_prefix="/api")

PHOTO_BYTES = 25 * 1024 * 1024
TOO_BIG = (
    f"This file is larger than {PHOTO_BYTES // 1024 // 1024} MB. Take the photograph at a smaller size."
)
_READING = BoundedSemaphore(1)
"""One photograph is read at a time: reading takes a processor and much memory."""
_PATIENCE_S = 20.0


@route(
    api, "POST", "/photo", needs=SEAT, raw="image/*", answers={413: TOO_BIG, 409: "No throw is waited for."}
)
def photo() -> Answer:
    """Read the dice on a photograph: the body is the file as the phone took it.

    What is sure counts at once; anything else becomes a question to the table.
    """
    plays()
    read = desk().ports.read_photo
    if read is None:
        raise Refused(409, "This companion reads no photographs. Enter the dice by hand.")
    wanted = snapshot().expected.dice
    if wanted is None:
        raise Refused(409, "No throw is waited for now.")
    data = _body()
    if not _READING.acquire(timeout=_PATIENCE_S):
        raise Refused(503, "Another photograph is still being read. Try again in a moment.")
    try:
        reading = read(data, unquote(request.headers.get("X-File-Name", "photograph"))[:120], wanted)
    except ValueError as fault:
        raise Refused(422, str(fault)) from None
    finally:
        _READING.release()
    return _submitted(reading, f"photo-{sha256(data).hexdigest()[:32]}")


@route(
    api, "GET", "/camera", needs=PLAYER, media="image/jpeg", answers={404: "No camera, or no picture yet."}
)
def camera() -> Answer:
    """The latest picture of the tray with what was seen in it; its state in X-Camera-State."""
    port = desk().ports.camera
    if port is None:
        raise Refused(404, "This companion has no camera. Photograph the dice with your phone instead.")
    latest = port.picture()
    if latest is None:
        raise Refused(404, "The camera has not given a picture yet.")
    return Response(latest[0], mimetype="image/jpeg", headers={"X-Camera-State": latest[1]})


@route(api, "GET", "/rehearsal")
def rehearsal() -> Answer:
    """What the rehearsed sensors are doing."""
    return jsonify(dict(_rehearsal().state()))


@route(
    api,
    "POST",
    "/rehearsal",
    needs=SEAT,
    body=(
        Field("do", "string", "throw, nudge, cover, uncover or lamp"),
        Field(
            "held",
            "array",
            "with throw: places of the dice that stay",
            required=False,
            inner="integer",
            longest=40,
        ),
        Field("level", "number", "with lamp: 0 (dark) to 1", required=False),
    ),
)
def rehearse(given: Given) -> Answer:
    """Do something at the rehearsed table."""
    port = _rehearsal()
    match given["do"]:
        case "throw":
            port.throw(tuple(given.get("held", ())))
        case "nudge":
            port.nudge()
        case "cover" | "uncover" as hand:
            port.cover(hand == "cover")
        case "lamp":
            level = given.get("level", 1.0)
            if not 0 <= level <= 1:
                raise Refused(400, "level goes from 0 (dark) to 1 (as calibrated).")
            port.lamp(float(level))
        case other:
            raise Refused(400, f"{other!r} is not done here: throw, nudge, cover, uncover or lamp.")
    return jsonify(dict(port.state()))


def _body() -> bytes:
    """The file, in pieces, so that a lie about its length does not fill the memory."""
    pieces, size = [], 0
    while piece := request.stream.read(64 * 1024):
        size += len(piece)
        if size > PHOTO_BYTES:
            raise Refused(413, TOO_BIG)
        pieces.append(piece)
    if not size:
        raise Refused(422, "The file is empty. Take the photograph again.")
    return b"".join(pieces)


def _submitted(reading: PhotoReading, ident: str) -> Answer:
    """Submit a reading as the observation ``ident``: made of the file, so that it counts once."""
    dice = tuple(DieFace(claim.kind, claim.face) for claim in reading.claims)
    event = DiceRolled(at=desk().table.clock.at(), by=my_key(), roll=ident, dice=dice)
    observation = Observation(
        id=ident,
        event=event,
        source="photo",
        confidence=reading.confidence,
        sure=reading.sure,
        reason=reading.reason,
        claims=reading.claims,
        picture=reading.picture,
    )
    return told(desk().table.submit(observation))


def _rehearsal() -> RehearsalPort:
    port = desk().ports.rehearsal
    if port is None:
        raise Refused(404, "This is not a rehearsal: real sensors watch the table.")
    return port
