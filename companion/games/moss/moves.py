"""Walking, passages, the arrest, the Police Car, and the end of a turn (M14 to M19, M30 to M35)."""

from companion.games.moss import words
from companion.games.moss.cost import Need, turn_minutes
from companion.games.moss.dice import paid
from companion.games.moss.events import (
    CarReached,
    Moved,
    PassageTaken,
    SuspectArrested,
    TimePassed,
    TimeSkipped,
)
from companion.games.moss.evidence import out
from companion.games.moss.grid import Cell, side_between
from companion.games.moss.house import crossing, entered
from companion.games.moss.state import SUSPECTS, Flips, Phase, State, Turn
from companion.games.moss.tiles import LOCKED
from companion.games.moss.tokens import discarded
from companion.rules.copies import replace
from companion.rules.game import OutOfPlace

ARREST_NEED = Need("The arrest", "same", 5)


def moved(state: State, event: Moved) -> State:
    """Moss walks through a doorway to a neighbouring tile (M14, M15)."""
    needs = move_needs(state, event.to)
    return entered(paid(state, event.dice, *needs), event.to)


def move_needs(state: State, to: Cell) -> tuple[Need, ...]:
    """The dice for walking to a neighbour, the cheapest first; none where no number is asked.

    Raises OutOfPlace saying what is in the way.
    """
    side = side_between(state.moss, to)
    if side is None:
        raise OutOfPlace(f"{to} is not next to {state.moss}, where Moss stands.")
    if state.rooms[to] is None:
        raise OutOfPlace(f"{to} is still face-down; Moss walks onto face-up tiles only.")
    locks = crossing(state, state.moss, side)
    if locks is None:
        raise OutOfPlace(
            f"No doorway leads from {state.moss} to {to}: both tiles need a door on that side."
        )
    return _door_needs(state, f"Moving to {to}", state.number_at(to), locks)


def passed(state: State, event: PassageTaken) -> State:
    """Moss takes a secret passage; its minutes are gone at once (M19, M35, M43)."""
    need = passage_need(state, event.to)
    cost = 0 if event.flashlight and "flashlight" in state.carried else passage_minutes(state, event.to)
    state = paid(state, event.dice, *need)
    if cost:
        state = later(state, cost)
        if state.phase is Phase.LOST_TIME:
            return replace(state, moss=event.to)
    return entered(state, event.to)


def passage_need(state: State, to: Cell) -> tuple[Need, ...]:
    """The die for taking a passage to ``to``. Raises OutOfPlace where there is no passage."""
    if to == state.moss:
        raise OutOfPlace("A passage leads to another tile.")
    for cell in (state.moss, to):
        if state.passage_at(cell) is None:
            raise OutOfPlace(f"There is no secret passage on {cell}.")
    number = state.number_at(to)
    return (Need(f"The passage to {to}", "number", 1, number),) if number else ()


def passage_minutes(state: State, to: Cell) -> int:
    """The two numbers on the passage doors, added."""
    return (state.passage_at(state.moss) or 0) + (state.passage_at(to) or 0)


def reached_car(state: State, event: CarReached) -> State:
    """Out to the Police Car with the murderer: the game is won, the turn costs nothing (M31, M34)."""
    return replace(paid(state, event.dice, *car_needs(state)), phase=Phase.WON)


def car_needs(state: State) -> tuple[Need, ...]:
    """The dice for the last step, the cheapest first (C24). Raises OutOfPlace saying what is missing."""
    if state.car is None:
        raise OutOfPlace("The Police Car has not come yet: no tile with a door out of the house lies.")
    if not state.arrested:
        raise OutOfPlace("Moss goes to the Police Car with the arrested suspect only.")
    if state.moss != state.car.cell:
        raise OutOfPlace(f"The Police Car stands at {state.car.cell}; Moss is on {state.moss}.")
    room = state.rooms[state.car.cell]
    locks = int(room is not None and room.sides[state.car.side] == LOCKED)
    return _door_needs(state, "The Police Car", state.car.number, locks)


def arrested(state: State, event: SuspectArrested) -> State:
    """The one suspect left, on Moss's tile, is taken along (M30, C10)."""
    name = arrestable(state)
    state = paid(state, event.dice, ARREST_NEED)
    place = state.names.index(name)
    where = (*state.where[:place], None, *state.where[place + 1 :])
    return replace(state, arrested=name, where=where)


def arrestable(state: State) -> str:
    """Whom Moss may arrest here and now. Raises OutOfPlace saying what stands against it."""
    if state.arrested:
        raise OutOfPlace(f"{state.arrested} is under arrest already.")
    down = out(state)
    if len(down) != SUSPECTS - 1:
        raise OutOfPlace(f"An arrest needs nine suspects eliminated; {words.number(len(down))} are.")
    name = next(name for name in state.names if name not in down)
    cell = state.where[state.names.index(name)]
    if cell is None:
        raise OutOfPlace(f"{name} has not come out yet; explore on.")
    if cell != state.moss:
        raise OutOfPlace(f"{name} is on {cell}; Moss is on {state.moss}.")
    return name


def passed_time(state: State, _event: TimePassed) -> State:
    """The turn's minutes are paid (M32, M33)."""
    state = later(state, turn_minutes(state))
    return state if state.phase is Phase.LOST_TIME else next_turn(state)


def skipped_time(state: State, _event: TimeSkipped) -> State:
    """No Time to Lose: the turn costs nothing (M45). Minutes of passages stay paid (C6)."""
    return next_turn(discarded(state, "no_time_to_lose"))


def later(state: State, minutes: int) -> State:
    """The time marker moves down; below 1 the murderer escapes (M35, C7)."""
    left = state.minutes - minutes
    if left < 1:
        return replace(state, minutes=max(left, 0), phase=Phase.LOST_TIME)
    return replace(state, minutes=left)


def next_turn(state: State) -> State:
    """All dice come back from the player board."""
    return replace(state, phase=Phase.ROLL, turn=Turn(state.turn.number + 1), flips=Flips())


def _door_needs(state: State, what: str, number: int, locks: int) -> tuple[Need, ...]:
    if not number:
        return ()
    why = words.counted(locks, "lock") if locks else ""
    full = Need(what, "number", 1 + locks, number, why)
    if locks and "key" in state.carried:
        return Need(what, "number", 1, number, "with the Key"), full
    return (full,)
