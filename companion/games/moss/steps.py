"""What may come next: the rules' demands first, then throwing, then acting (B.2 of the notes)."""

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from companion.games.moss import events as ev
from companion.games.moss import words
from companion.games.moss.evidence import ALIBI, TAINTED, out, unplaced_proved
from companion.games.moss.grid import CENTRE
from companion.games.moss.state import CARRY_LIMIT, OVER, SUSPECTS, USE_LIMIT, Due, Phase, State
from companion.rules.events import DiceRolled, Event


class Step(Enum):
    """The one thing that the table is at."""

    SCENE = auto()
    """The table's own Scene of the Crime is to be laid."""
    LAY = auto()
    """The tile in hand is to be turned and laid."""
    ATTACH = auto()
    """The Police Car is to be attached to the tile just laid."""
    REVEAL = auto()
    """Tiles are to be turned up."""
    POINT = auto()
    """The arrow just gathered is to be laid."""
    CLEAR = auto()
    """The alibi just gathered is to be given to a suspect."""
    TAINT = auto()
    """The tainted token just gathered is to take another one."""
    DROP = auto()
    """One of four tokens is to be dropped."""
    THROW = auto()
    """All dice are to be thrown."""
    RETHROW = auto()
    """Dice may be thrown again, or used."""
    ACT = auto()
    """Dice may be used."""
    OVER = auto()
    """Nothing more comes."""


_FREE: Final = (
    ev.InformantUsed,
    ev.PassagewayPlaced,
    ev.EvidenceSwitched,
    ev.BombPlaced,
    ev.UnplacedTurnedDown,
)
"""Possible at any time in a turn, even before the first throw (M21, M29)."""

_PAID: Final = (
    ev.Moved,
    ev.PassageTaken,
    ev.CarReached,
    ev.TokenCollected,
    ev.EvidenceGathered,
    ev.EvidenceReexamined,
    ev.SuspectArrested,
    ev.LuckyBreakUsed,
    ev.TimePassed,
    ev.TimeSkipped,
)
"""Possible once the dice have been thrown. All but the Lucky Break end the rolling."""

_ALLOWED: Final[dict[Step, tuple[type[Event], ...]]] = {
    Step.SCENE: (ev.SceneLaid, ev.NoteWritten),
    Step.LAY: (ev.TileLaid, ev.NoteWritten),
    Step.ATTACH: (ev.CarPlaced, ev.NoteWritten),
    Step.REVEAL: (ev.TileRevealed, ev.NoteWritten),
    Step.POINT: (ev.ArrowPointed, ev.NoteWritten),
    Step.CLEAR: (ev.AlibiGiven, ev.NoteWritten),
    Step.TAINT: (ev.EvidenceTainted, ev.NoteWritten),
    Step.DROP: (ev.TokenDropped, ev.NoteWritten),
    Step.THROW: (DiceRolled, *_FREE, ev.NoteWritten),
    Step.RETHROW: (DiceRolled, ev.DiceHeld, ev.RollingStopped, *_PAID, *_FREE, ev.NoteWritten),
    Step.ACT: (*_PAID, *_FREE, ev.NoteWritten),
    Step.OVER: (),
}

ALLOWED: Final[dict[tuple[Step, bool], frozenset[type[Event]]]] = {
    (step, dealt): frozenset(kinds if dealt or step is Step.OVER else (*kinds, ev.SuspectNamed))
    for step, kinds in _ALLOWED.items()
    for dealt in (True, False)
}
"""By step, and whether the companion deals: only the table's own suspects are named by the table."""


def awaited(state: State) -> frozenset[type[Event]]:
    """The events that the step allows, without those that what lies on the table rules out."""
    allowed = ALLOWED[step(state), state.rules.dealt]
    return frozenset(kind for kind in allowed if kind not in _POSSIBLE or _POSSIBLE[kind](state))


def _nine_out(state: State) -> bool:
    return not state.arrested and len(out(state)) == SUSPECTS - 1


def _provable(state: State) -> bool:
    return not state.proved and bool(state.unplaced) and unplaced_proved(state)


def _evidence_here(state: State, *, shown: bool) -> bool:
    clue = state.clue_at(state.moss)
    return clue is not None and clue.shown is shown


def _carried(kind: str) -> Callable[[State], bool]:
    return lambda state: kind in state.carried


_POSSIBLE: Final[dict[type[Event], Callable[[State], bool]]] = {
    ev.PassageTaken: lambda state: state.passage_at(state.moss) is not None,
    ev.CarReached: lambda state: bool(state.arrested) and state.car is not None,
    ev.TokenCollected: lambda state: bool(state.tokens_at(state.moss)),
    ev.EvidenceGathered: lambda state: _evidence_here(state, shown=False),
    ev.EvidenceReexamined: lambda state: _evidence_here(state, shown=True),
    ev.UnplacedTurnedDown: _provable,
    ev.SuspectArrested: _nine_out,
    ev.LuckyBreakUsed: _carried("lucky_break"),
    ev.InformantUsed: _carried("informant"),
    ev.PassagewayPlaced: _carried("passageway"),
    ev.EvidenceSwitched: _carried("switch"),
    ev.BombPlaced: _carried("bomb"),
    ev.TimeSkipped: _carried("no_time_to_lose"),
}
"""What must be there before an event can happen, where the table can see it at a glance."""


def step(state: State) -> Step:
    """What the table is at."""
    due = state.due
    if state.phase in OVER:
        return Step.OVER
    if state.rooms[CENTRE] is None:
        return Step.SCENE
    if due.hand is not None:
        return Step.LAY
    if due.car_at is not None:
        return Step.ATTACH
    if due.reveal:
        return Step.REVEAL
    if due.found is not None:
        clue = state.clue_at(due.found)
        kind = clue.kind if clue else ""
        return {ALIBI: Step.CLEAR, TAINTED: Step.TAINT}.get(kind, Step.POINT)
    if len(state.carried) > CARRY_LIMIT:
        return Step.DROP
    if state.phase is Phase.ROLL:
        return Step.RETHROW if state.turn.throws else Step.THROW
    return Step.ACT


def demand(state: State) -> str:
    """What the table is asked to do now, as a sentence."""
    due = state.due
    match step(state):
        case Step.SCENE:
            return "First say how the Scene of the Crime lies in the centre."
        case Step.LAY:
            return f"First lay the {_in_hand(due)}: turn it as you like."
        case Step.ATTACH:
            return f"First attach the Police Car to {due.car_at}."
        case Step.REVEAL:
            return f"First turn up {words.listed(due.reveal)}."
        case Step.POINT:
            return f"First point the arrow found on {due.found}."
        case Step.CLEAR:
            return f"First give the alibi found on {due.found} to a suspect."
        case Step.TAINT:
            return f"First choose which evidence the tainted token found on {due.found} takes away."
        case Step.DROP:
            return "You carry four tokens and may carry three: first drop one here."
        case Step.THROW:
            return "First throw all eight dice."
        case Step.RETHROW:
            return "Throw again what is not held, or use the dice."
        case Step.ACT:
            if len(state.turn.used) == USE_LIMIT:
                return "Six dice are used, and that is all: end the turn."
            return "The throwing is over: use dice, or end the turn."
        case Step.OVER:
            return "The game is over."


def _in_hand(due: Due) -> str:
    return f"{due.hand[1].name} on {due.hand[0]}" if due.hand else "tile"
