"""/api for eyes and ears: a photograph of the dice, the live picture, the rehearsed table."""

import json
from hashlib import sha256
from threading import BoundedSemaphore
from urllib.parse import unquote

from flask import Blueprint, Response, jsonify, request

from companion.rules.events import CubesSeen, DiceExpected, DiceRolled, DieFace, Observation, Seconds
from web.acts import plays
from web.desk import desk, my_key, snapshot, told
from web.ports import CameraPort, PhotoReading, RehearsalPort
from web.refusals import Refused, faults_told
from web.spec import PLAYER, SEAT, Answer, Field, Given, route

api = Blueprint("sensors", __name__, url_prefix="/api")

PHOTO_BYTES = 25 * 1024 * 1024
TOO_BIG = (
    f"This file is larger than {PHOTO_BYTES // 1024 // 1024} MB. Take the photograph at a smaller size."
)
_READING = BoundedSemaphore(1)
"""One photograph is read at a time: reading takes a processor and much memory."""
_PATIENCE_S = 20.0
TOWER = (
    *("drop", "drop two", "hand", "lift", "bump", "speak"),
    *("block", "clear", "rattle", "deaf", "cut"),
)
"""What can be done at the rehearsed tower: the last five are faults of its lines."""


@route(
    api, "POST", "/photo", needs=SEAT, raw="image/*", answers={413: TOO_BIG, 409: "No throw is waited for."}
)
def photo() -> Answer:
    """Read the dice on a photograph, or the cubes on a lifted floor: the body is the file as it was taken.

    What is sure counts at once; anything else becomes a question to the table.
    """
    plays()
    read = desk().ports.read_photo
    if read is None:
        raise Refused(409, "This companion reads no photographs. Enter the dice by hand.")
    wanted = snapshot().expected.dice or snapshot().expected.seen
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
    ident = f"photo-{sha256(data).hexdigest()[:32]}"
    if isinstance(wanted, DiceExpected):
        dice = tuple(DieFace(claim.kind, claim.face) for claim in reading.claims)
        return _submitted(reading, DiceRolled(at=_now(), by=my_key(), roll=ident, dice=dice), ident)
    # The same picture may be taken of two floors that look alike, so its time is in its name.
    cubes = tuple(claim.face for claim in reading.claims)
    return _submitted(reading, CubesSeen(at=_now(), by=my_key(), cubes=cubes), f"{ident}-{_now():.3f}")


@route(
    api, "GET", "/camera", needs=PLAYER, media="image/jpeg", answers={404: "No camera, or no picture yet."}
)
def camera() -> Answer:
    """The latest picture of the tray with what was seen in it.

    Its state is in X-Camera-State; X-Camera-Seen is JSON: ``why``, a sentence on what is unsure or
    wrong, and ``dice``, each with kind, face, confidence and whether it is sure.
    """
    latest = _camera().picture()
    if latest is None:
        raise Refused(404, "The camera has not given a picture yet.")
    dice = [
        {"kind": die.kind, "face": die.face, "confidence": round(die.confidence, 3), "sure": sure}
        for die, sure in latest.dice
    ]
    seen = json.dumps({"why": latest.why, "dice": dice})  # in ASCII, as headers must be
    return Response(
        latest.jpeg,
        mimetype="image/jpeg",
        headers={"X-Camera-State": latest.state, "X-Camera-Seen": seen},
    )


@route(
    api,
    "GET",
    "/camera/minute",
    needs=PLAYER,
    media="application/zip",
    answers={404: "No camera, or nothing kept."},
)
def minute() -> Answer:
    """The last minute as the camera saw it, as one file for `companion replay-frames`.

    It holds pictures of the tray, edges of the tower's lines, what was read, versions and settings;
    nothing of anybody's hand, and no key, PIN or code.
    """
    pieces = _camera().minute()
    if pieces is None:
        raise Refused(404, "Nothing is kept: minute_mb is 0 in companion.toml.")
    name = "attachment; filename=companion-minute.zip"
    return Response(pieces, mimetype="application/zip", headers={"Content-Disposition": name})


@route(api, "GET", "/rehearsal")
def rehearsal() -> Answer:
    """What the rehearsed sensors are doing."""
    return jsonify(dict(_rehearsal().state()))


@route(
    api,
    "GET",
    "/rehearsal/sound",
    needs=SEAT,
    media="audio/wav",
    answers={404: "No rehearsal, or nothing has fallen yet."},
)
def rehearsed_sound() -> Answer:
    """What all at the table would hear of the cubes dropped last: a rehearsed tower makes no noise."""
    sound = _rehearsal().sound()
    if sound is None:
        raise Refused(404, "No cube has fallen yet.")
    return Response(sound, mimetype="audio/wav")


@route(
    api,
    "POST",
    "/rehearsal",
    needs=SEAT,
    body=(
        Field("do", "string", f"throw, nudge, cover, uncover or lamp; at the tower {', '.join(TOWER)}"),
        Field(
            "held",
            "array",
            "with throw: places of the dice that stay",
            required=False,
            inner="integer",
            longest=40,
        ),
        Field("level", "number", "with lamp: 0 (dark) to 1", required=False),
        Field("colour", "string", "with drop: of the cube; else the next to be thrown", required=False),
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
        case do if do in TOWER:
            with faults_told():
                port.tower(do, given.get("colour", ""))
        case other:
            known = ", ".join(("throw", "nudge", "cover", "uncover", "lamp", *TOWER))
            raise Refused(400, f"{other!r} is not done here; there is: {known}.")
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


def _now() -> Seconds:
    return desk().table.clock.at()


def _submitted(reading: PhotoReading, event: DiceRolled | CubesSeen, ident: str) -> Answer:
    """Submit a reading as the observation ``ident``: made of the file, so that it counts once."""
    observation = Observation(
        id=ident,
        event=event,
        source="photo",
        confidence=reading.confidence,
        sure=reading.sure,
        reason=reading.reason,
        claims=reading.claims,
        picture=reading.picture,
        original=reading.original,
    )
    return told(desk().table.submit(observation))


def _camera() -> CameraPort:
    port = desk().ports.camera
    if port is None:
        raise Refused(404, "This companion has no camera. Photograph the dice with your phone instead.")
    return port


def _rehearsal() -> RehearsalPort:
    port = desk().ports.rehearsal
    if port is None:
        raise Refused(404, "This is not a rehearsal: real sensors watch the table.")
    return port
