"""Twenty seconds of talk, then ten of quiet: where the sound of a cube begins. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from hardware.loudness import Level, threshold_from

TALK_S: Final = 20.0
QUIET_S: Final = 10.0

HIGHEST_DB: Final = -30.0
"""A threshold above this would lose cubes: then the room is too loud to be called quiet."""

LEAST_HEARD: Final = 40
"""So many levels (twentieths of a second) of each part are needed to say anything: two seconds."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What was heard since ``began`` (monotonic seconds): levels, and trips of a threshold module."""

    began: float
    levels: Sequence[Level] = ()
    trips: Sequence[float] = ()


@dataclass(frozen=True, slots=True)
class Room:
    """What the talk and the quiet say. Levels in decibels of full scale, None without a waveform.

    ``quietest_db``: the threshold to keep; ``good``: whether cubes can be heard like this.
    """

    quietest_db: float | None
    talk_db: float | None
    quiet_db: float | None
    good: bool
    text: str


def left_s(began: float, now: float) -> tuple[str, float]:
    """Return what is listened to now, ``talk``, ``quiet`` or nothing, and for how many more seconds.

    The last second of the talk and the first of the quiet count for neither.
    """
    since = now - began
    if since < TALK_S:
        return "talk", TALK_S - since
    if since < TALK_S + QUIET_S:
        return "quiet", TALK_S + QUIET_S - since
    return "", 0.0


def judged(hearing: Hearing, loudness_db: float | None = None) -> Room:
    """Judge the whole of it. ``loudness_db``: how loud a cube is, where one has been heard."""
    levels, began = hearing.levels, hearing.began
    talk = [level for level in levels if _within(level.at, began, "talk")]
    quiet = [level for level in levels if _within(level.at, began, "quiet")]
    if min(len(talk), len(quiet)) >= LEAST_HEARD:
        return _wave(talk, quiet, loudness_db)
    return _module(*(sum(_within(at, began, part) for at in hearing.trips) for part in ("talk", "quiet")))


def told(hearing: Hearing, now: float, loudness_db: float | None) -> dict[str, Any]:
    """Put it as data: what to do now and how far it is; in the end what was found."""
    part, left = left_s(hearing.began, now)
    whole = TALK_S + QUIET_S
    if part:
        what = "Talk as you do at the table" if part == "talk" else "Now be quiet"
        text = f"{what}: {left:.0f} more seconds."
        return {
            "ready": False,
            "part": round(1 - _rest(part, left) / whole, 3),
            "text": text,
            "good": False,
        }
    room = judged(hearing, loudness_db)
    return {
        "ready": True,
        "part": 1.0,
        "text": room.text,
        "good": room.good,
        "quietest_db": room.quietest_db,
        "talk_db": room.talk_db,
        "quiet_db": room.quiet_db,
    }


def _rest(part: str, left: float) -> float:
    return left + QUIET_S if part == "talk" else left


def _wave(talk: Sequence[Level], quiet: Sequence[Level], loudness_db: float | None) -> Room:
    found = threshold_from(quiet, talk)
    quiet_db = float(np.median([level.rms_db for level in quiet]))
    rounded = {"talk_db": round(found.talk_db, 1), "quiet_db": round(quiet_db, 1)}
    if found.least_db > HIGHEST_DB:
        text = (
            f"It was not quiet: only what is above {found.least_db:.0f} dB stands out. Begin again, let "
            "nobody move; if all was still, turn the microphone's gain down."
        )
        return Room(None, good=False, text=text, **rounded)
    if found.talk_db < quiet_db + 3.0:
        text = "Talk and quiet sound alike: the microphone does not hear you. Check it, then begin again."
        return Room(None, good=False, text=text, **rounded)
    text = (
        f"The room is at {quiet_db:.0f} dB, your talk at {found.talk_db:.0f} dB. "
        f"What is softer than {found.least_db:.0f} dB is left to the room."
    )
    good = loudness_db is None or loudness_db > found.least_db
    if loudness_db is not None:
        text += _beside(loudness_db - found.talk_db) if good else _TOO_SOFT
    return Room(round(found.least_db, 1), good=good, text=text, **rounded)


def _beside(above: float) -> str:
    if above < 6.0:
        return f" A cube is only {above:.0f} dB above your talk: be quiet while one falls."
    return f" A cube is {above:.0f} dB above your talk: that is well."


_TOO_SOFT = " A cube is no louder than that: put the microphone nearer to the tower."


def _module(talk: int, quiet: int) -> Room:
    good, coarser = False, "turn its screw coarser"
    if quiet > 1:
        text = f"The module tripped {quiet} times in the quiet: {coarser}, then begin again."
    elif talk > 10:
        text = f"The module trips at talk ({talk} times): {coarser} until only a cube trips it."
    else:
        good = True
        text = f"The module tripped {talk} times at talk and stayed still in the quiet: that is well."
    return Room(None, None, None, good=good, text=text)


def _within(at: float, began: float, part: str) -> bool:
    """Whether that was in one of the two parts, without the second on either side of the change."""
    since = at - began
    return 0.0 <= since <= TALK_S - 1 if part == "talk" else TALK_S + 1 <= since <= TALK_S + QUIET_S
