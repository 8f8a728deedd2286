"""What may come next (B.2 of the notes)."""

from enum import Enum, auto
from typing import Final

from companion.games.arosa import events as ev
from companion.games.arosa import words
from companion.games.arosa.pieces import CLUES, THROWN_AT_START, VICTIM
from companion.games.arosa.state import NOBODY, SUSPICION, Phase, State, colour_counts
from companion.rules.events import BellRang, CubeDropped, CubesSeen, Event


class Step(Enum):
    """The one thing that the table is at."""

    KNIFE = auto()
    """Who last held a knife?"""
    PROLOG = auto()
    """Victims, then each player's first two clues are thrown."""
    HOTEL = auto()
    """Who was last inside a hotel?"""
    CALL = auto()
    """The investigator calls out what he does."""
    LIFT = auto()
    """The investigator lifts a floor."""
    INSPECT = auto()
    """What lies on the open floor is counted."""
    RECOVER = auto()
    """The investigator says how many clues he takes back from the sheet."""
    RETURN = auto()
    """What was taken out, or fell out, is thrown back."""
    PENALTY = auto()
    """The investigator throws own clues for a sloppy investigation."""
    OVER = auto()
    """Nothing more comes."""


_ALWAYS: Final = (CubeDropped, BellRang, ev.StrayNamed, ev.StrayPutAway, ev.GuessNoted, ev.GuessStruck)
_LOOSE: Final = (*_ALWAYS, ev.ThrowMissed, ev.CubesChecked)

ALLOWED: Final[dict[Step, frozenset[type[Event]]]] = {
    Step.KNIFE: frozenset({ev.BeginnerNamed, ev.ColourTaken, *_ALWAYS}),
    Step.PROLOG: frozenset({ev.CubeThrown, ev.ColourTaken, *_LOOSE}),
    Step.HOTEL: frozenset({ev.BeginnerNamed, *_LOOSE}),
    Step.CALL: frozenset({ev.SuspicionVoiced, ev.CoverCalled, ev.CubesFellOut, *_LOOSE}),
    Step.LIFT: frozenset({ev.FloorLifted, ev.CubesFellOut, *_LOOSE}),
    Step.INSPECT: frozenset({CubesSeen, ev.CubesFellOut, *_ALWAYS}),
    Step.RECOVER: frozenset({ev.CluesRecovered, ev.CubesFellOut, *_ALWAYS}),
    Step.RETURN: frozenset({ev.CubeThrown, ev.CubesFellOut, *_LOOSE}),
    Step.PENALTY: frozenset({ev.CubeThrown, ev.CubesFellOut, *_LOOSE}),
    Step.OVER: frozenset(),
}

THROWS: Final = frozenset({Step.PROLOG, Step.RETURN, Step.PENALTY})


def step(state: State) -> Step:
    """What the table is at."""
    if state.phase is Phase.END:
        return Step.OVER
    if state.active == NOBODY:
        return Step.KNIFE if state.phase is Phase.PROLOG else Step.HOTEL
    if state.phase is Phase.PROLOG:
        return Step.PROLOG
    turn = state.turn
    if turn.floor is None:
        return Step.CALL if state.phase is Phase.ACT2 and not turn.called else Step.LIFT
    if not turn.inspected:
        return Step.INSPECT
    if turn.recoverable:
        return Step.RECOVER
    if state.outside or any(state.loose):
        return Step.RETURN
    return Step.PENALTY


def pending(state: State) -> tuple[tuple[str, int], ...]:
    """The cubes to be thrown now, (colour, how many): those found before any penalty (C23)."""
    own = state.colours[state.active]
    match step(state):
        case Step.PROLOG if state.outside:
            return ((VICTIM, state.outside),)
        case Step.PROLOG:
            return ((own, to_begin_with(state, state.active)),)
        case Step.RETURN:
            return colour_counts(state, state.loose, state.outside)
        case Step.PENALTY:
            return ((own, min(state.turn.penalty, state.supply[state.active])),)
    return ()


def to_begin_with(state: State, player: int) -> int:
    """Own clues that a player still throws in the prolog (A2)."""
    return max(0, state.supply[player] - (CLUES - THROWN_AT_START))


def thrower(state: State) -> str:
    """Whose turn or throw it is, by name; empty while that is asked."""
    return state.name(state.active) if state.active != NOBODY else ""


def demand(state: State) -> str:
    """What the table is asked to do now, as a sentence."""
    who = thrower(state)
    match step(state):
        case Step.KNIFE:
            return "Who was the last to hold a knife? That player throws the victims."
        case Step.HOTEL:
            return "Who was last inside a hotel? That player begins Act I."
        case Step.PROLOG | Step.RETURN:
            back = "" if state.phase is Phase.PROLOG else " back"
            return f"{who} throws {words.cubes(pending(state))}{back}."
        case Step.CALL:
            return f"{who} calls out: suspect others, or cover tracks?"
        case Step.LIFT:
            return f"{who} {_why_lift(state)}."
        case Step.INSPECT:
            return f"Say what lies on {words.floor(state.turn.floor or 0)}."
        case Step.RECOVER:
            most = state.turn.recoverable
            return f"{who} may take up to {words.number(most)} from {_space(state)} back."
        case Step.PENALTY:
            own = words.cubes(pending(state))
            return f"Sloppy investigation: {who} throws {own} from the supply."
        case Step.OVER:
            return "The game is over."


def _why_lift(state: State) -> str:
    turn = state.turn
    if not turn.called:
        return "lifts a floor and looks for a victim"
    if turn.called == SUSPICION:
        return f"suspects {words.listed(state.name(s) for s in turn.suspects)} and lifts a floor"
    return "covers tracks and lifts a floor"


def _space(state: State) -> str:
    return f"the sheet's space of {words.floor(state.turn.floor or 0)}"
