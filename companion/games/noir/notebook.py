"""The notebook: who killer and inspector may still be by what everybody at the table knows.

It is drawn from open facts alone, so it may stand on either phone; whoever holds more knows more.
"""

from companion.games.noir.pieces import ALL, bit
from companion.games.noir.state import INSPECTOR, KILLER, State
from companion.rules.copies import replace


def after_kill(state: State, card: int) -> State:
    """The killer was next to the victim and was not the victim; nor was the inspector, as play goes on."""
    killer, inspector = state.could
    return _noted(state, killer & state.grid.next_to(card), inspector & ~bit(card))


def after_arrest(state: State, card: int) -> State:
    """The killer is somebody else; the inspector was next to the suspect, or is the suspect."""
    killer, inspector = state.could
    return _noted(state, killer & ~bit(card), inspector & (state.grid.next_to(card) | bit(card)))


def after_discard(state: State, card: int) -> State:
    """An evidence card that lies open is nobody's identity."""
    killer, inspector = state.could
    return _noted(state, killer & ~bit(card), inspector & ~bit(card))


def after_answer(state: State, role: int, card: int, *, near: bool) -> State:
    """The asked player was next to the suspect, or was not."""
    area = state.grid.next_to(card)
    kept = state.could[role] & (area if near else ~area & ~bit(card))
    killer, inspector = state.could
    return _noted(state, kept, inspector) if role == KILLER else _noted(state, killer, kept)


def after_disguise(state: State) -> State:
    """The killer is somebody else now: anybody alive whose evidence card does not lie open."""
    shown = sum(bit(card) for card in state.shown)
    return _noted(state, ALL & ~shown, state.could[INSPECTOR] & ~shown)


def _noted(state: State, killer: int, inspector: int) -> State:
    return replace(state, could=(killer & state.alive, inspector & state.alive))
