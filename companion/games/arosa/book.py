"""The opened book: how each cube fell, and how well suspicions and notes matched.

What a sensor had sealed for a drop is JSON: ``{"at": s, "floors": [p0..p7], "beams": [[plate, s]...],
"sounds": [[s, dB]...], "sure": 0..1}``. Whatever of it is missing or odd is left out, and said.
"""

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any

from companion.games.arosa import words
from companion.games.arosa.cubes import Tracked, tracked
from companion.games.arosa.pieces import FLOORS, VICTIM
from companion.games.arosa.state import SUSPICION, Drop, Guess, Phase, State
from companion.rules.view import Fall, Falls, Panel, Standing, Standings

NOTHING = "The tower kept nothing of this cube."


def opened(state: State, sealed: Mapping[str, str]) -> tuple[Panel, ...]:
    """What the tower had sealed, set beside what everybody saw. ``sealed``: JSON by the drop's id.

    While a training is still played, private notes stay private: they are set beside it at the end.
    """
    kept = {drop.id: _kept(sealed.get(drop.id, "")) for drop in state.drops if drop.colour}
    floors = {drop: _floors(it.get("floors")) for drop, it in kept.items()}
    track = tracked(state, floors)
    falls = tuple(_fall(state, drop, kept[drop.id], track) for drop in state.drops if drop.colour)
    certain = sum(fall.was is not None for fall in falls)
    right = sum(fall.was is not None and fall.was == _likeliest(fall.floors) for fall in falls)
    note = f"Where {words.counted(certain, 'cube')} fell is certain from a lifted floor." if certain else ""
    note += f" The tower had {words.number(right)} of them right." if certain else ""
    told = Falls("How the cubes fell", falls, note)
    return (told, _matched(state, track)) if state.phase is Phase.END else (told,)


def _fall(state: State, drop: Drop, it: Mapping[str, Any], track: Tracked) -> Fall:
    floors = _floors(it.get("floors"))
    found = track.likely.get(drop.id)
    notes = [] if floors else [NOTHING]
    if drop.id not in track.certain and found is not None:
        notes.append(f"Perhaps the one that was found on {words.floor(found)}.")
    return Fall(
        label=_label(state, drop),
        colour=drop.colour,
        at=float(drop.at),
        floors=floors,
        beams=tuple((int(p), s) for p, s in _pairs(it.get("beams")) if p in {*FLOORS}),
        sounds=tuple(s for s, _ in _pairs(it.get("sounds"))),
        was=track.certain.get(drop.id),
        note=" ".join(notes),
    )


def _label(state: State, drop: Drop) -> str:
    who = state.name(drop.thrower)
    if drop.colour == VICTIM:
        return f"A victim, red, thrown by {who}"
    owner = state.name(state.player_of(drop.colour))
    return f"{owner}, {drop.colour}" + ("" if owner == who else f", thrown by {who}")


def _matched(state: State, track: Tracked) -> Standings:
    rows = []
    for player, (seat, colour) in enumerate(zip(state.seats, state.colours, strict=True)):
        mine = [r for r in state.reveals if r.player == player and r.called == SUSPICION]
        voiced = [(reveal, suspect) for reveal in mine for suspect in reveal.suspects]
        right = sum(bool(reveal.found[suspect]) for reveal, suspect in voiced)
        notes = [guess for guess in state.guesses if guess.seat == seat]
        seen = [shown for shown in (_shown(state, guess) for guess in notes) if shown is not None]
        tower = [track.there(guess.colour, guess.floor, guess.at) for guess in notes]
        tower += [track.there(state.colours[s], reveal.floor, reveal.at) for reveal, s in voiced]
        known = [chance for chance in tower if chance is not None]
        cells = (
            f"{right} of {len(voiced)}",
            f"{sum(seen)} of {len(seen)}",
            str(len(notes)),
            f"{100 * sum(known) / len(known):.0f} %" if known else "–",
        )
        rows.append(Standing(f"{state.called(seat)}, {colour}", colour, cells))
    columns = ("Suspicions right", "Notes seen true", "Notes", "The tower would have said so")
    note = "A note counts as seen when its floor is lifted next. The last column is the chance that the "
    note += "tower gave, on average, to what was suspected and noted."
    return Standings("Ears against the tower", columns, tuple(rows), note)


def _shown(state: State, guess: Guess) -> bool | None:
    """Whether the floor, when it was lifted next, held what the note says; None if it never was."""
    for reveal in state.reveals:
        if reveal.floor == guess.floor and reveal.at >= guess.at:
            if guess.colour == VICTIM:
                return bool(reveal.victims)
            return bool(reveal.found[state.player_of(guess.colour)])
    return None


def _kept(text: str) -> Mapping[str, Any]:
    try:
        read = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return read if isinstance(read, dict) else {}


def _floors(value: Any) -> tuple[float, ...]:
    """Eight probabilities that add up to one; nothing if these are none."""
    if not isinstance(value, list) or len(value) != len(FLOORS) or not all(map(_number, value)):
        return ()
    total = sum(value)
    if min(value) < 0 or not 0 < total < float("inf"):
        return ()
    return tuple(float(p) / total for p in value)


def _pairs(value: Any) -> list[tuple[float, float]]:
    listed = value if isinstance(value, list) else []
    pairs = [pair for pair in listed if isinstance(pair, list) and len(pair) == 2]
    return [(float(a), float(b)) for a, b in pairs if _number(a) and _number(b)]


def _number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value)


def _likeliest(floors: tuple[float, ...]) -> int | None:
    return max(FLOORS, key=lambda floor: floors[floor]) if floors else None
