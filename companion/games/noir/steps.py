"""What may come next, and how a turn ends (B.2 of the notes)."""

from typing import Final

from companion.games.noir import events as ev
from companion.games.noir.grid import Line
from companion.games.noir.pieces import ALL
from companion.games.noir.state import INSPECTOR, KILLER, End, Phase, Shift, State
from companion.rules.copies import replace
from companion.rules.events import BellRang, Event, Seat, Seconds
from companion.rules.timer import Timer

TURN: Final = "turn"
"""The name of the timer."""


def _kinds(*kinds: type[Event]) -> frozenset[type[Event]]:
    return frozenset(kinds)


_KILLERS: Final = _kinds(ev.LineShifted, ev.SuspectKilled, ev.DisguiseDrawn, ev.GridCollapsed, BellRang)
_INSPECTORS: Final = _kinds(
    ev.LineShifted, ev.SuspectArrested, ev.EvidenceDrawn, ev.GridCollapsed, BellRang
)
_ALLOWED: Final[dict[Phase, frozenset[type[Event]]]] = {
    Phase.ROLE: _kinds(ev.KillerNamed),
    Phase.LAYOUT: _kinds(ev.SuspectLaid, ev.GridCompleted),
    Phase.FIRST: _kinds(ev.SuspectKilled, BellRang),
    Phase.CHOOSE: _kinds(ev.IdentityChosen, BellRang),
    Phase.VICTIM: _kinds(ev.VictimAnswered),
    Phase.ARREST: _kinds(ev.ArrestAnswered),
    Phase.DISGUISE: _kinds(ev.IdentityDiscarded, ev.DeadCardDiscarded, BellRang),
    Phase.EXONERATE: _kinds(ev.SuspectExonerated, BellRang),
    Phase.CANVASS: _kinds(ev.AreaCanvassed),
    Phase.END: _kinds(),
}
TIMED: Final = frozenset({Phase.FIRST, Phase.CHOOSE, Phase.TURN, Phase.DISGUISE, Phase.EXONERATE})
ASKING: Final = frozenset({Phase.VICTIM, Phase.ARREST, Phase.CANVASS})
"""In these the other player answers."""


def allowed(state: State) -> frozenset[type[Event]]:
    """The kinds of events that may come next."""
    if state.phase is not Phase.TURN:
        return _ALLOWED[state.phase]
    kinds = _KILLERS if state.role == KILLER else _INSPECTORS
    return kinds if state.rules.by_action else kinds - {ev.GridCollapsed}


def acting(state: State) -> int:
    """The role that acts or answers now."""
    return 1 - state.role if state.phase in ASKING else state.role


def may_tap(state: State, kind: type[Event]) -> frozenset[Seat] | None:
    """The seats that may send this; None for anybody.

    Where the cards lie on the table anybody taps what is said there, but a hidden identity's answer comes
    from its owner's phone. Where the companion holds them everything comes from its owner's.
    """
    if kind is BellRang:
        return None
    if state.phase in {Phase.ROLE, Phase.LAYOUT}:
        return frozenset(state.seats)
    if state.rules.phones or kind is ev.AreaCanvassed:
        return frozenset({state.seat_of(acting(state))})
    return frozenset(state.seats)


def timer(state: State) -> Timer | None:
    """The turn's time, if the table wants one."""
    if state.rules.turn_s and not state.rung and state.phase in TIMED:
        return Timer(TURN, Seconds(state.began + state.rules.turn_s))
    return None


def next_turn(state: State, at: Seconds, shift: Shift | None = None) -> State:
    """The action is over: dead lines close up, and it is the other player's turn (N15, C6, C7, C10)."""
    gone: tuple[Line, ...] = ()
    if not state.rules.by_action:
        gone = state.grid.all_in(ALL & ~state.alive)
    role, grid = 1 - state.role, state.grid.closed(gone) if gone else state.grid
    return replace(
        state,
        grid=grid,
        gone=gone,
        taken=tuple(card for card in state.grid.cards if card not in grid.cards) if gone else state.taken,
        last_shift=_standing(shift, gone),
        phase=Phase.CHOOSE if role == INSPECTOR and not state.chosen else Phase.TURN,
        role=role,
        turn=state.turn + 1,
        began=at,
        rung=False,
    )


def ended(state: State, end: End) -> State:
    """The game is over."""
    return replace(state, phase=Phase.END, end=end, gone=(), taken=())


def _standing(shift: Shift | None, gone: tuple[Line, ...]) -> Shift | None:
    """The shift on the line where it is now; None if that line was taken away (C4)."""
    if shift is None or shift.line in gone:
        return None
    before = sum(line.kind == shift.line.kind and line.number < shift.line.number for line in gone)
    return Shift(Line(shift.line.kind, shift.line.number - before), shift.way)
