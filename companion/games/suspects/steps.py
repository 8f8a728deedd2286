"""What may come next, and how the table is asked for it (B.2 of the notes)."""

from typing import Final

from companion.games.suspects import events as ev
from companion.games.suspects import words
from companion.games.suspects.state import NOBODY, Phase, State
from companion.rules.events import BellRang, DiceRolled, Event

_TURN: Final = frozenset({ev.CardDrawn, ev.DieTaken, ev.CaseDeclared, ev.FalselyCalled, BellRang})

ALLOWED: Final[dict[Phase, frozenset[type[Event]]]] = {
    Phase.DEALER: frozenset({ev.DealerNamed}),
    Phase.FLIP: frozenset({ev.FirstCardTurned}),
    Phase.SCENE: frozenset({DiceRolled}),
    Phase.TRANSFER: frozenset({ev.LockerCompared}),
    Phase.TURN: _TURN,
    Phase.DRAWN: frozenset({ev.CardDiscarded, ev.CaseDeclared, ev.FalselyCalled, BellRang}),
    Phase.ROLL: frozenset({DiceRolled, BellRang}),
    Phase.CALLED: frozenset({ev.CaseDeclared, BellRang}),
    Phase.SHOWN: frozenset({ev.CardsCompared}),
    Phase.SOLVED: frozenset({ev.CaseOpened}),
    Phase.END: frozenset(),
}


def player(state: State, place: int) -> str:
    """A player's name; empty for nobody."""
    return words.name(state.seats[place]) if place != NOBODY else ""


def demand(state: State) -> str:
    """What the table is asked to do now, as a sentence."""
    who, dealer = player(state, state.active), player(state, state.dealer)
    match state.phase:
        case Phase.DEALER:
            return "Who watched a mystery film last? That player deals; if nobody did, the youngest."
        case Phase.FLIP:
            return f"{dealer} shuffles, deals, and turns one card up: say its colour."
        case Phase.SCENE:
            return f"{dealer} rolls all six dice."
        case Phase.TRANSFER:
            return "Move the dice to the Evidence Locker as they lie, then compare."
        case Phase.TURN:
            return f"{who} draws one card or rolls one die."
        case Phase.DRAWN:
            return f"{who} discards one card."
        case Phase.ROLL:
            return f"{who} rolls die {state.die + 1}, which shows {state.locker[state.die]}."
        case Phase.CALLED:
            return f"Case solved, calls {callers(state)}."
        case Phase.SHOWN:
            return f"{player(state, state.claims[0])} lays the cards open: say whether they solve the case."
        case Phase.SOLVED:
            return f"{solvers(state)} solved case {state.case}. Next, {_next(state)} deals."
        case Phase.END:
            return "The game is over."


def callers(state: State) -> str:
    """Who has declared the case solved, by name."""
    return words.listed(player(state, place) for place in state.claims)


def solvers(state: State) -> str:
    """Who has solved the last case, by name."""
    return words.listed(player(state, place) for place in state.solved[-1].players)


def _next(state: State) -> str:
    return player(state, state.left_of(state.dealer))
