"""Calling out, lifting, what is seen and what follows from it (A5 to A19)."""

from collections import Counter

from companion.games.arosa import words
from companion.games.arosa.ending import with_end
from companion.games.arosa.events import (
    BeginnerNamed,
    CluesRecovered,
    ColourTaken,
    CoverCalled,
    CubesFellOut,
    FloorLifted,
    SuspicionVoiced,
)
from companion.games.arosa.pieces import COLOURS, FLOORS, VICTIM, VICTIMS
from companion.games.arosa.state import (
    COVER,
    NOBODY,
    SUSPICION,
    Fallen,
    Phase,
    Reveal,
    State,
    Turn,
    changed,
    colour_counts,
)
from companion.games.arosa.steps import to_begin_with
from companion.rules.copies import replace
from companion.rules.events import CubesExpected, CubesSeen, Seat, Seconds
from companion.rules.game import OutOfPlace


def colour_taken(state: State, event: ColourTaken) -> State:
    """A player plays another colour; two who want the same change places."""
    player = _player(state, event.player)
    if event.colour not in COLOURS:
        raise OutOfPlace(
            f"Clues are {words.listed(COLOURS)}; there are none in {event.colour or 'no colour'}."
        )
    if not colours_open(state):
        raise OutOfPlace("Cubes have been thrown: colours stay as they are.")
    colours = list(state.colours)
    other = state.player_of(event.colour)
    if other != NOBODY:
        colours[other] = colours[player]
    colours[player] = event.colour
    return replace(state, colours=tuple(colours))


def colours_open(state: State) -> bool:
    """Whether players may still change colours: no cube has been thrown."""
    return state.phase is Phase.PROLOG and not (any(state.tower) or state.inside)


def beginner_named(state: State, event: BeginnerNamed) -> State:
    """Who last held a knife throws the victims (A2); who was last inside a hotel begins Act I (A4)."""
    player = _player(state, event.player)
    if state.phase is Phase.PROLOG:
        return replace(state, active=player, knife=player)
    return replace(state, active=player, turn=Turn(1, event.at))


def suspicion_voiced(state: State, event: SuspicionVoiced) -> State:
    """The investigator names one or more other players (A13, C10, C11)."""
    named = tuple(_player(state, seat) for seat in event.suspects)
    if not named:
        raise OutOfPlace("Name at least one player to suspect.")
    if len(set(named)) < len(named):
        raise OutOfPlace("Each suspect is named once.")
    if state.active in named:
        raise OutOfPlace("Nobody suspects himself: name other players.")
    return replace(state, turn=replace(state.turn, called=SUSPICION, suspects=tuple(sorted(named))))


def cover_called(state: State, _event: CoverCalled) -> State:
    """The investigator covers his tracks (A12, A18)."""
    why = why_no_cover(state)
    if why:
        raise OutOfPlace(why)
    return replace(state, turn=replace(state.turn, called=COVER))


def why_no_cover(state: State) -> str:
    """Why the investigator may not cover tracks; empty if he may (C8)."""
    if state.on_sheet(state.active) or state.rules.bare_cover:
        return ""
    name = state.name(state.active)
    return f"{name} has no clue on the sheet, so there are no tracks to cover."


def lifted(state: State, event: FloorLifted) -> State:
    """A floor lies open; it is the floor chosen (A5, A13, C27)."""
    if event.floor not in FLOORS:
        raise OutOfPlace(f"The hotel has floors 0 to {FLOORS[-1]}, no floor {event.floor}.")
    return replace(state, turn=replace(state.turn, floor=event.floor))


def fell_out(state: State, event: CubesFellOut) -> State:
    """Cubes fell out: they go back at the end of the turn and count for no floor (A6, C2, C5)."""
    if not event.cubes:
        raise OutOfPlace("Say which cubes fell out.")
    fallen, victims = _counted(state, event.cubes)
    return replace(
        state,
        tower=_less(state.tower, fallen),
        loose=_more(state.loose, fallen),
        inside=state.inside - victims,
        outside=state.outside + victims,
        fallen=(*state.fallen, Fallen(event.at, (*fallen, victims))),
    )


def seen(state: State, event: CubesSeen) -> State:
    """What lies on the open floor is known, and what follows from it (A7 to A10, A13 to A19)."""
    found, victims = _counted(state, event.cubes)
    turn = replace(state.turn, inspected=True)
    floor = turn.floor or 0
    inside = (*state.tower, state.inside)
    if state.phase is Phase.ACT1:
        state, turn, laying = _searched(state, turn, floor, victims)
    elif turn.called == SUSPICION:
        turn, laying = _suspected(state, turn, floor, found)
    else:
        turn, laying = _covered(state, turn, floor, found), ()
    state, left, laid = _laid(state, found, laying, floor)
    reveal = Reveal(event.at, state.active, turn.called, turn.suspects, floor, found, victims, laid, inside)
    state = replace(state, turn=turn, reveals=(*state.reveals, reveal))
    state = with_end(state)
    if state.phase is Phase.END:
        return state
    state = replace(state, tower=_less(state.tower, left), loose=_more(state.loose, left))
    return _or_on(state, event.at)


def recovered(state: State, event: CluesRecovered) -> State:
    """Clues go back from the sheet into the supply, at most as many as were found (A18)."""
    most = state.turn.recoverable
    if not 0 <= event.count <= most:
        raise OutOfPlace(f"From none to {words.number(most)} may be taken back, not {event.count}.")
    player, floor = state.active, state.turn.floor or 0
    sheet = changed(state.sheet[player], floor, -event.count)
    state = replace(
        state,
        sheet=(*state.sheet[:player], sheet, *state.sheet[player + 1 :]),
        supply=changed(state.supply, player, event.count),
        turn=replace(state.turn, recoverable=0),
    )
    return _or_on(state, event.at)


def visible(state: State) -> CubesExpected:
    """The cubes that may lie on the open floor: all that are in the tower."""
    return CubesExpected(colour_counts(state, state.tower, state.inside), state.turn.floor)


def gone_on(state: State, at: Seconds) -> State:
    """After a player's throws: the next to throw in the prolog, or the next turn (A2, A4, C25)."""
    players = len(state.seats)
    if state.throwing.waiting:
        strays = (*state.strays, *state.throwing.waiting)
        state = replace(state, strays=strays, throwing=replace(state.throwing, waiting=()))
    if state.phase is not Phase.PROLOG:
        phase = Phase.ACT2 if state.found == VICTIMS else Phase.ACT1
        return replace(
            state,
            phase=phase,
            active=(state.active + 1) % players,
            turn=Turn(state.turn.number + 1, at),
        )
    order = [(state.knife + n) % players for n in range(players)]
    following = next((p for p in order if to_begin_with(state, p)), NOBODY)
    if following != NOBODY:
        return replace(state, active=following)
    first = {"knife": state.knife, "first": 0}.get(state.rules.hotel, NOBODY)
    turn = Turn() if first == NOBODY else Turn(1, at)
    return replace(state, phase=Phase.ACT1, active=first, turn=turn)


def _searched(state: State, turn: Turn, floor: int, victims: int) -> tuple[State, Turn, tuple[int, ...]]:
    """Act I: with a victim there all others lay, without one the investigator throws one (A7 to A10)."""
    if not victims:
        return state, replace(turn, penalty=1), ()
    scenes = tuple(sorted({*state.scenes, floor}))
    others = tuple(p for p in range(len(state.seats)) if p != state.active)
    return replace(state, inside=state.inside - victims, scenes=scenes), turn, others


def _suspected(
    state: State, turn: Turn, floor: int, found: tuple[int, ...]
) -> tuple[Turn, tuple[int, ...]]:
    """Suspects lay; those without a clue there cost one each, and on the ground floor maybe all (A17)."""
    if floor == 0 and not found[state.active]:
        return replace(turn, penalty=len(turn.suspects)), ()
    return replace(turn, penalty=sum(not found[p] for p in turn.suspects)), turn.suspects


def _covered(state: State, turn: Turn, floor: int, found: tuple[int, ...]) -> Turn:
    """As many clues may be taken back as lie there; with none there one is thrown (A18, C9)."""
    own, on_space = found[state.active], state.sheet[state.active][floor]
    return replace(turn, recoverable=min(own, on_space), penalty=0 if own else 1)


def _or_on(state: State, at: Seconds) -> State:
    """On to the next turn if there is nothing more to do in this one."""
    turn = state.turn
    if turn.recoverable or turn.penalty or state.outside or any(state.loose):
        return state
    return gone_on(state, at)


def _laid(
    state: State, found: tuple[int, ...], players: tuple[int, ...], floor: int
) -> tuple[State, tuple[int, ...], tuple[tuple[int, int], ...]]:
    """The clues that ``players`` lay for theirs on the floor; what stays of ``found``; who laid what.

    A supply that does not suffice is filled up from the player's cubes on the open floor (A19). All lay
    at once, so nobody is spared because another's supply ran out (C12).
    """
    left, laid = found, []
    for player in players:
        n = found[player]
        if not n:
            continue
        taken = max(0, n - state.supply[player])
        sheet = changed(state.sheet[player], floor, n)
        state = replace(
            state,
            sheet=(*state.sheet[:player], sheet, *state.sheet[player + 1 :]),
            supply=changed(state.supply, player, taken - n),
            tower=changed(state.tower, player, -taken),
        )
        left = changed(left, player, -taken)
        laid.append((player, n))
    return state, left, tuple(laid)


def _counted(state: State, cubes: tuple[str, ...]) -> tuple[tuple[int, ...], int]:
    """Clues by player, and victims. Raises OutOfPlace if they cannot have been in the tower."""
    why = visible(state).mismatch(cubes)
    if why:
        raise OutOfPlace(f"{words.begun(why)}: count again.")
    counts = Counter(cubes)
    return tuple(counts[colour] for colour in state.colours), counts[VICTIM]


def _player(state: State, seat: Seat) -> int:
    if seat not in state.seats:
        raise OutOfPlace(f"{state.called(seat) or 'Nobody'} does not play in this game.")
    return state.seats.index(seat)


def _less(counts: tuple[int, ...], by: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n - m for n, m in zip(counts, by, strict=True))


def _more(counts: tuple[int, ...], by: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(n + m for n, m in zip(counts, by, strict=True))
