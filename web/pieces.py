"""Wooden cubes and the tower for the templates: how they are drawn, counted and said. Pure functions."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from companion.rules.events import (
    CubesExpected,
    CubesSeen,
    DiceRolled,
    DieClaim,
    DieFace,
    Notice,
    Observation,
)
from companion.rules.view import Action, Fall, Falls, Input, Pieces, Storeys, Throws, View
from companion.snapshot import Snapshot

CODES: Mapping[str, str] = {
    "yellow": "Ye",
    "blue": "Bu",
    "brown": "Bn",
    "grey": "Gy",
    "black": "Bk",
    "white": "Wh",
    "red": "Rd",
}
"""Two letters on each cube, as IEC 60757 abbreviates colours: blue, brown and black all begin with B."""

WEAVES: Mapping[str, str] = {
    "yellow": "M9 19h.1M19 19h.1M29 19h.1M9 39h.1M19 39h.1M29 39h.1",
    "blue": "M3 19q4-4 8 0t8 0t8 0t8 0M3 39q4-4 8 0t8 0t8 0t8 0",
    "brown": "M8 13v32M14 13v32M24 13v32M30 13v32",
    "grey": "M3 25L15 13M3 37L27 13M11 45L35 21M23 45L35 33",
    "black": "M7 17h24v24H7z",
    "red": "M3 13L35 45M35 13L3 45",
}
"""The pattern on the front of each cube, 32 wide from (3, 13); white is plain."""

QUIET = "quiet"
_SOURCE = "tower"
_SHOWN = 0.005
"""Odds below half a per cent would be read as 0 %."""


@dataclass(frozen=True, slots=True)
class CountRow:
    """One row of a counter: a colour, its label, how many lie there, and the most that can."""

    colour: str
    label: str
    count: int
    most: int


def code(colour: str) -> str:
    """The letters on a cube.

    >>> code("brown"), code("green")
    ('Bn', 'Gr')
    """
    return CODES.get(colour, colour[:2].capitalize())


def total(pieces: Iterable[Pieces]) -> int:
    """How many cubes these are."""
    return sum(p.count for p in pieces)


def throws(view: View | None) -> Throws | None:
    """The throws of a view, if it has any."""
    panels = view.panels if view else ()
    return next((p for p in panels if isinstance(p, Throws)), None)


def tied(view: View) -> tuple[Action, ...]:
    """The actions that stand in a house, each on its own floor, and in no list."""
    refs = {s.ref for panel in view.panels if isinstance(panel, Storeys) for s in panel.storeys}
    return tuple(a for a in view.actions if a.cell in refs)


def first(actions: Iterable[Action]) -> bool:
    """Whether the house has to stand before everything else: the likely next step is in it."""
    return any(a.lead and not a.refused for a in actions)


def towering(view: View) -> bool:
    """Whether the game is one with a tower, so that the tower's state has its place on the screen."""
    return any(isinstance(panel, Throws | Storeys) for panel in view.panels)


def owners(panel: Storeys) -> tuple[Pieces, ...]:
    """Each colour that lies in the house with its label, for a legend; in order of appearance."""
    seen: dict[str, Pieces] = {}
    for storey in panel.storeys:
        for p in storey.pieces:
            seen.setdefault(p.colour, p)
    return tuple(seen.values())


def tower(snapshot: Snapshot) -> str:
    """The tower's state by its name; nothing while it has a problem, or has never told anything."""
    told = next((n.state for n in snapshot.notices if _quiet_news(n)), "")
    troubles = (n for n in snapshot.notices if n.level == "problem")
    if told or any(n.source.partition(" ")[0] == _SOURCE for n in troubles):
        return told
    return QUIET if any(row.source == _SOURCE for row in reversed(snapshot.history)) else ""


def loud(notices: Iterable[Notice]) -> tuple[Notice, ...]:
    """The notices that deserve a banner; what the tower just does is told in a word beside the throws."""
    return tuple(n for n in notices if n.level != "ok" and not _quiet_news(n))


def rows(field: Input) -> tuple[CountRow, ...]:
    """The counter of a ``cubes`` input. Without ``most``, twenty of each: no game has more."""
    given = Counter(filter(None, field.default.split(",")))
    most = field.most or (20,) * len(field.choices)
    pairs = zip(field.choices, most, strict=True)
    return tuple(CountRow(colour, label, given[colour], n) for (colour, label), n in pairs)


def asked(claims: Sequence[DieClaim], seen: CubesExpected | None) -> tuple[CountRow, ...]:
    """The counter of a question about cubes: what was seen, and every colour that can lie there."""
    found = Counter(claim.face for claim in claims)
    most = dict(seen.most) if seen else dict.fromkeys(CODES, 20)
    colours = [*most, *(c for c in found if c not in most)]
    # a claim beyond the rules is shown as it is, so that it can be counted down
    return tuple(CountRow(c, c, found[c], max(most.get(c, 0), found[c])) for c in colours)


def kept(cubes: str) -> tuple[CountRow, ...]:
    """The counter for correcting cubes of the past, given as colours with commas between."""
    given = Counter(filter(None, cubes.split(",")))
    return tuple(CountRow(c, c, given[c], 20) for c in dict.fromkeys((*given, *CODES)))


def claimed(seen: Observation) -> Sequence[DieClaim | DieFace]:
    """What a question is about, one by one: as it was claimed, else as the fact has it."""
    match seen.event:
        case CubesSeen(cubes=cubes) if not seen.claims:
            return [DieClaim("cube", colour) for colour in cubes]
        case DiceRolled(dice=dice) if not seen.claims:
            return dice
    return seen.claims


def spoken(claims: Iterable[DieClaim]) -> str:
    """Cubes as one would read them out.

    >>> spoken([DieClaim("cube", "blue"), DieClaim("cube", "grey"), DieClaim("cube", "blue")])
    '2 blue, 1 grey'
    """
    return ", ".join(f"{n} {colour}" for colour, n in Counter(c.face for c in claims).items()) or "nothing"


def odds(fall: Fall) -> str:
    """The probabilities of the floors in words, the likeliest first.

    >>> odds(Fall("", "", 0.0, (0.0, 0.08, 0.21, 0.71)))
    'floor 3 71 %, floor 2 21 %, floor 1 8 %'
    """
    order = sorted(range(len(fall.floors)), key=lambda n: -fall.floors[n])
    return ", ".join(f"floor {n} {100 * fall.floors[n]:.0f} %" for n in order if fall.floors[n] >= _SHOWN)


def told(fall: Fall) -> str:
    """A whole fall in a sentence."""
    was = f" Found on floor {fall.was}." if fall.was is not None else ""
    note = f" {fall.note}" if fall.note else ""
    sensed = odds(fall)
    return f"{fall.label}: {sensed or 'nothing was sensed of it'}.{was}{note}"


def track(fall: Fall) -> str:
    """What the script draws, as JSON."""
    return json.dumps(
        {
            "colour": fall.colour,
            "floors": fall.floors,
            "beams": fall.beams,
            "sounds": fall.sounds,
            "was": fall.was,
        }
    )


def floors(panel: Falls) -> int:
    """How many floors the tower has."""
    return max((len(fall.floors) for fall in panel.falls), default=0) or 8


def _quiet_news(notice: Notice) -> bool:
    return notice.source == _SOURCE and notice.level == "info"
