"""What may come next, and how the table is asked for it (B.2 of the notes)."""

from typing import Final

from companion.games.teatime import events as ev
from companion.games.teatime import words
from companion.games.teatime.box import missing
from companion.games.teatime.rolling import THROWS
from companion.games.teatime.state import Phase, State
from companion.rules.events import BellRang, DiceRolled, Event

_BOX: Final = frozenset[type[Event]]({ev.TileDescribed, ev.TileForgotten, ev.RoomValued})
_ACT: Final = frozenset[type[Event]]({ev.TileActivated, ev.Passed, ev.TokensCounted, *_BOX})

ALLOWED: Final[dict[Phase, frozenset[type[Event]]]] = {
    Phase.BOX: _BOX,
    Phase.FIRST: frozenset({ev.BeginnerNamed, *_BOX}),
    Phase.ROLL: frozenset({DiceRolled, ev.DiceHeld, ev.RollingStopped, *_ACT}),
    Phase.CHOOSE: _ACT,
    Phase.OTHERS: frozenset({BellRang, *_ACT}),
    Phase.SCORE: frozenset((ev.PointsCounted, ev.TokensCounted)),
    Phase.END: frozenset(),
}


def demand(state: State) -> str:
    """What the table is asked to do now, as a sentence."""
    who = state.called(state.active)
    match state.phase:
        case Phase.BOX:
            detectives, thieves = missing(state)
            unknown = [words.counted(detectives, "detective")] if detectives else []
            unknown += [words.counted(thieves, "thief", "thieves")] if thieves else []
            return f"Describe the box's tiles: {words.listed(unknown)} to go, then the companion deals."
        case Phase.FIRST:
            return "Who goes first? That player takes the five dice."
        case Phase.ROLL if not state.throws:
            return f"{who} rolls all five dice."
        case Phase.ROLL:
            left = "once more" if state.throws == THROWS - 1 else "twice more"
            return f"{who} may roll any dice again, {left}; or choose a tile, or pass."
        case Phase.CHOOSE:
            return f"{who} chooses a tile, or passes."
        case Phase.OTHERS:
            names = words.listed(state.called(place) for place in state.waiting)
            if state.special:
                return f"{names} may take a dice tile back."
            return f"{names} {'choose' if len(state.waiting) > 1 else 'chooses'} a tile or {_pass(state)}."
        case Phase.SCORE:
            names = words.listed(
                state.called(p) for p, each in enumerate(state.players) if each.points is None
            )
            return f"The game is over. Count what your detectives light: {names} to go."
        case Phase.END:
            return "The game is over."


def _pass(state: State) -> str:
    return "pass" if len(state.waiting) > 1 else "passes"
