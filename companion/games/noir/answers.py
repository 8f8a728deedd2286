"""What the other player answers: a victim, an arrest, a canvassed area; and how a game ended."""

from companion.games.noir import events as ev
from companion.games.noir import notebook
from companion.games.noir.pieces import NAMES, UNSEEN, bit
from companion.games.noir.state import INSPECTOR, KILLER, End, Phase, State
from companion.games.noir.steps import TURN, acting, ended, next_turn, timer
from companion.games.noir.turns import missed, spared
from companion.rules.copies import replace
from companion.rules.events import BellRang
from companion.rules.game import Outcome, OutOfPlace

UNTRUE = "That is not where your identity lies: the answer must be true."


def victim_answered(state: State, event: ev.VictimAnswered) -> State:
    """On cards: the inspector reveals the identity, or play goes on (N8)."""
    return ended(state, End.KILLED) if event.inspector else spared(state, event.at)


def arrest_answered(state: State, event: ev.ArrestAnswered) -> State:
    """On cards: the killer is found, or play goes on (N9)."""
    return ended(state, End.ARRESTED) if event.killer else missed(state, event.at)


def canvassed(state: State, event: ev.AreaCanvassed) -> State:
    """The asked player says whether the own identity is next to the suspect (N12, N13, C11)."""
    if why_untrue(state, near=event.near):
        raise OutOfPlace(UNTRUE)
    return next_turn(notebook.after_answer(state, acting(state), state.asked, near=event.near), event.at)


def why_untrue(state: State, *, near: bool) -> str:
    """Why the asked player cannot say so; empty on cards, where the companion does not know (C26)."""
    mine = state.identity[acting(state)]
    if mine == UNSEEN:
        return ""
    return "" if near == bool(state.grid.next_to(state.asked) & bit(mine)) else UNTRUE


def rang(state: State, event: BellRang) -> State:
    """A turn's time is up: it is only said."""
    if timer(state) is None or event.timer != TURN:
        raise OutOfPlace("No such bell is waited for.")
    return replace(state, rung=True)


def outcome(state: State) -> Outcome | None:
    """Who won, and how (N16, C23)."""
    if state.phase is not Phase.END:
        return None
    role = INSPECTOR if state.end is End.ARRESTED else KILLER
    assert state.end is not None
    return Outcome(state.end.value, _sentence(state), (state.seat_of(role),))


def _sentence(state: State) -> str:
    killer, inspector = state.name_of(KILLER), state.name_of(INSPECTOR)
    victim = NAMES[state.asked]
    match state.end:
        case End.KILLED:
            text = f"{killer} has killed the inspector: {inspector} was {victim}. The killer wins."
        case End.ARRESTED:
            text = f"{inspector} has arrested the killer: {killer} was {victim}. The inspector wins."
        case _:
            text = f"{state.dead} suspects are deceased: the killer, {killer}, wins."
    return f"{text}{_unmasked(state)}"


def _unmasked(state: State) -> str:
    """The identities that nobody has seen yet, where the companion knows them."""
    parts = []
    for role, end in ((KILLER, End.ARRESTED), (INSPECTOR, End.KILLED)):
        card = state.identity[role]
        if card != UNSEEN and state.end is not end:
            parts.append(f"{state.name_of(role)} was {NAMES[card]}.")
    return f" {' '.join(parts)}" if parts else ""
