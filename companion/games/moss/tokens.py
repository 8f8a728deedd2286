"""The assistance tokens: collecting, dropping and using them (M20, M21, M39 to M47).

The Key, the Search Warrant and the Flashlight work by being carried (see ``moves``, ``evidence``);
the Lucky Break is in ``dice``, No Time to Lose in ``moves``.
"""

from typing import TypeVar

from companion.games.moss import words
from companion.games.moss.cost import Need
from companion.games.moss.dice import paid
from companion.games.moss.events import (
    BombPlaced,
    EvidenceSwitched,
    InformantUsed,
    NoteWritten,
    PassagewayPlaced,
    TokenCollected,
    TokenDropped,
)
from companion.games.moss.evidence import changed
from companion.games.moss.grid import side_between
from companion.games.moss.house import edge
from companion.games.moss.state import State
from companion.rules.copies import replace
from companion.rules.game import OutOfPlace

T = TypeVar("T")


def collect_need(kind: str) -> Need:
    """Three dice of one number (M20)."""
    return Need(f"Collecting {words.the(kind)}", "same", 3)


def collected(state: State, event: TokenCollected) -> State:
    """A token on Moss's tile is taken; each is collected on its own (C32)."""
    if event.token not in state.tokens_at(state.moss):
        there = words.listed(words.the(kind) for kind in state.tokens_at(state.moss))
        name = words.TOKENS.get(event.token, event.token)
        lies = f"; you can collect {there}" if there else ""
        raise OutOfPlace(f"There is no {name} on {state.moss}{lies}.")
    state = paid(state, event.dice, collect_need(event.token))
    lying = _without(state.lying, (event.token, state.moss))
    return replace(state, lying=lying, carried=(*state.carried, event.token))


def dropped(state: State, event: TokenDropped) -> State:
    """The token that is one too many is left on Moss's tile (M21)."""
    _carries(state, event.token)
    carried = _without(state.carried, event.token)
    return replace(state, carried=carried, lying=(*state.lying, (event.token, state.moss)))


def informed(state: State, event: InformantUsed) -> State:
    """A seat has looked at the hidden evidence on Moss's tile (M42)."""
    _carries(state, "informant")
    clue = state.clue_at(state.moss)
    if clue is None or clue.shown:
        raise OutOfPlace(f"There is no hidden evidence on {state.moss} to look at.")
    if event.by is None:
        raise OutOfPlace("Somebody at the table has to look: tap it on a player's own screen.")
    return changed(state, clue, replace(clue, peeked=clue.peeked | {event.by}))


def passageway_placed(state: State, event: PassagewayPlaced) -> State:
    """The Secret Passageway lies on a tile; a face-down tile is turned up at once (M44)."""
    _carries(state, "passageway")
    state = replace(
        state,
        carried=_without(state.carried, "passageway"),
        lying=(*state.lying, ("passageway", event.cell)),
    )
    if state.rooms[event.cell] is None:
        state = replace(state, due=replace(state.due, reveal=(event.cell,)))
    return state


def switched(state: State, event: EvidenceSwitched) -> State:
    """Two evidence tokens change places; settings and alibis stay as they are (M46, C20)."""
    _carries(state, "switch")
    if len(event.cells) != 2 or len(set(event.cells)) != 2:
        raise OutOfPlace("Switch 2 needs two different evidence tokens.")
    for cell in event.cells:
        if state.clue_at(cell) is None:
            raise OutOfPlace(f"There is no evidence on {cell} to switch.")
    swap = dict(zip(event.cells, reversed(event.cells), strict=True))
    clues = tuple(
        replace(clue, home=swap[clue.home]) if clue.home in swap else clue for clue in state.clues
    )
    return replace(discarded(state, "switch"), clues=clues)


def bombed(state: State, event: BombPlaced) -> State:
    """An open doorway between two neighbours, for good (M47, C27, C28)."""
    _carries(state, "bomb")
    if len(event.between) != 2:
        raise OutOfPlace("A bomb goes between two tiles.")
    first, second = event.between
    if side_between(first, second) is None:
        raise OutOfPlace(f"{first} and {second} are not neighbours; a bomb goes between two that are.")
    if edge(first, second) in state.bombs:
        raise OutOfPlace(f"A bomb has opened the wall between {first} and {second} already.")
    state = replace(discarded(state, "bomb"), bombs=state.bombs | {edge(first, second)})
    pair = event.between
    beyond = tuple(cell for cell in pair if state.moss in pair and state.rooms[cell] is None)
    return replace(state, due=replace(state.due, reveal=beyond)) if beyond else state


def discarded(state: State, kind: str) -> State:
    """A token marked 1x leaves the game."""
    _carries(state, kind)
    return replace(state, carried=_without(state.carried, kind), spent=(*state.spent, kind))


def noted(state: State, event: NoteWritten) -> State:
    """A seat keeps a note to itself."""
    if event.by is None:
        raise OutOfPlace("A note belongs to a player: write it on your own screen.")
    if not event.text.strip():
        raise OutOfPlace("The note is empty.")
    return replace(state, notes=(*state.notes, (event.by, event.text)))


def _carries(state: State, kind: str) -> None:
    if kind not in state.carried:
        have = words.listed(words.the(other) for other in state.carried) or "nothing"
        what = words.the(kind) if kind in words.TOKENS else repr(kind)
        raise OutOfPlace(f"You do not carry {what}; you carry {have}.")


def _without(items: tuple[T, ...], item: T) -> tuple[T, ...]:
    place = items.index(item)
    return (*items[:place], *items[place + 1 :])
