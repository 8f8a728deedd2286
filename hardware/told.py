"""What the table hears of the tower: its states as notices, its drops as claims. Pure.

While a game is sealed nothing here names a beam inside the tower, nor says anything else from which
one could guess where a cube is.
"""

import json
from collections.abc import Iterable, Mapping

from companion.rules.events import CubeDropped, Notice, Observation, Seconds
from hardware.noticed import Condition, Kind, Noticed, TowerState
from hardware.profile import ENTRY_PLATE, plate_of

SOURCE = "tower"
INSIDE = "tower inside"
SOUND = "tower microphone"

ENTRY_LINES = frozenset({"entry", "entry_b", "entryb", "entry2", "entry_2"})
"""The only beams that everybody may know of: what breaks them is seen by all who sit there."""


MODULE = Notice(
    source="tower mic",
    state="chatters",
    text="The sound module hears something all the time.",
    remedy="Turn its screw coarser until its light goes out in a quiet room. The beams still count.",
)


def notices(states: Iterable[TowerState], *, open_book: bool) -> Mapping[str, Notice]:
    """Return what to show for these states, by source; a source that is missing has nothing to say."""
    found: dict[str, Notice] = {}
    for state in states:  # the most urgent first
        notice = _notice(state, open_book=open_book)
        if notice is not None:
            found.setdefault(notice.source, notice)
    return found


def calm(source: str) -> Notice:
    """Return the notice that takes a source's earlier one down."""
    text = "The tower is quiet." if source == SOURCE else f"The {source} works."
    return Notice(source=source, state="quiet", text=text, level="ok")


def claim(noticed: Noticed, at: Seconds, name: str) -> Observation | None:
    """Return the claim of a drop called ``name`` at table time ``at``; None if it was no drop."""
    if noticed.kind not in (Kind.DROP, Kind.UNSURE):
        return None
    unsure = noticed.kind is Kind.UNSURE
    return Observation(
        id=name,
        event=CubeDropped(at=at, drop=name),
        source=SOURCE,
        confidence=round(noticed.confidence, 2),
        sure=not unsure,
        reason="It may have been a cube." if unsure else "",
        sealed=sealed(noticed, at),
    )


def sealed(noticed: Noticed, at: Seconds) -> str:
    """Write what the table keeps closed until the outcome."""
    return json.dumps(
        {
            "at": round(at, 3),
            "floors": [round(float(p), 4) for p in noticed.floors or ()],
            "beams": [[plate, round(s, 4)] for plate, s in noticed.beams],
            "sounds": [[round(s, 4), round(level, 1)] for s, level in noticed.sounds],
            "sure": round(noticed.confidence, 3),
        }
    )


def _notice(state: TowerState, *, open_book: bool) -> Notice | None:
    condition = state.condition
    if condition in _INFO:
        return Notice(source=SOURCE, state=str(condition), text=_INFO[condition], level="info")
    if condition in _SOUND:
        text, remedy = _SOUND[condition]
        return Notice(source=SOUND, state=str(condition), text=text, remedy=remedy)
    if condition not in _BEAM:
        return None
    what, remedy = _BEAM[condition]
    if open_book or state.line in ENTRY_LINES:
        text = f"The beam {_called(state.line)} {what}."
        return Notice(source=f"{SOURCE} {state.line}", state=str(condition), text=text, remedy=remedy)
    return Notice(
        source=INSIDE,
        state=str(condition),
        text=f"A beam inside the tower {what}.",
        remedy="Play on; cubes are counted at the entry. After the game: Teach the tower, The lines.",
    )


def _called(line: str) -> str:
    plate = plate_of(line)
    if line in ENTRY_LINES or plate is None:
        return f"of the {line.replace('_', ' ')}"
    return f"{line} (in the roof)" if plate == ENTRY_PLATE else f"{line} (over floor {plate})"


_INFO = {
    Condition.LIFTED: "A floor is lifted: nothing is counted meanwhile.",
    Condition.HAND: "A hand is in the shaft.",
    Condition.FALLING: "A cube is falling.",
    Condition.UNSURE: "Something fell, perhaps no cube. If it was one, tap its colour.",
    Condition.COUNTED: "A cube was counted.",
}
_SOUND = {
    Condition.DEAF: (
        "The microphone is deaf: it heard none of the last cubes.",
        "Check its cable and that it is not muted; see companion doctor. The beams still count.",
    ),
    Condition.NOISY: ("It is too noisy to hear cubes.", "Quiet, please. The beams still count."),
}
_BEAM = {
    Condition.BLOCKED: (
        "is blocked",
        "Take out what lies in it; if nothing does, check emitter and wire.",
    ),
    Condition.CHATTER: (
        "chatters",
        "Check its wire and its pull-up; cubes can be entered by hand meanwhile.",
    ),
    Condition.SILENT: (
        "does not answer",
        "Check its emitter, and its wire at both ends; see Teach the tower, The lines.",
    ),
}
