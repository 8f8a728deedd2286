"""Turning tiles up, laying them, and attaching the Police Car (M6, M7, M16 to M18, M28)."""

from collections.abc import Iterable

from companion.games.moss import words
from companion.games.moss.events import CarPlaced, SceneLaid, SuspectNamed, TileLaid, TileRevealed
from companion.games.moss.grid import CENTRE, NEIGHBOURS, SIDE_NAMES, SIDES, Cell, opposite, outer_sides
from companion.games.moss.state import Car, Clue, Due, Flips, Phase, State
from companion.games.moss.tiles import ICONS, LOCKED, SCENE, WALL, Room, Tile
from companion.rules.copies import replace
from companion.rules.game import OutOfPlace


def crossing(state: State, here: Cell, side: int) -> int | None:
    """How many locks lie between ``here`` and the face-up tile across ``side``; None without a way.

    A door needs both halves (M14), each locked half is a lock (M15); a bombed doorway is open (C28).
    """
    there = NEIGHBOURS[here][side]
    room = state.rooms[here]
    other = None if there is None else state.rooms[there]
    if there is None or room is None or other is None:
        return None
    if edge(here, there) in state.bombs:
        return 0
    halves = (room.sides[side], other.sides[opposite(side)])
    return None if WALL in halves else halves.count(LOCKED)


def edge(first: Cell, second: Cell) -> tuple[Cell, Cell]:
    """The wall between two neighbours, the same from both sides."""
    return (first, second) if first < second else (second, first)


def to_reveal(state: State, entered: Cell) -> tuple[Cell, ...]:
    """The face-down neighbours that the tile just entered has a door to, locked or not (M16)."""
    room = state.rooms[entered]
    if room is None:
        return ()
    return tuple(
        there
        for side, there in enumerate(NEIGHBOURS[entered])
        if there is not None
        and state.rooms[there] is None
        and (room.sides[side] != WALL or edge(entered, there) in state.bombs)
    )


def entered(state: State, cell: Cell) -> State:
    """Moss stands on ``cell``; its neighbours behind doors are to be revealed."""
    queue = to_reveal(state, cell)
    return replace(state, moss=cell, due=Due(reveal=queue)) if queue else replace(state, moss=cell)


def scene_laid(state: State, event: SceneLaid) -> State:
    """The table's own Scene of the Crime lies face-up in the centre (M5)."""
    if event.tile.icon != SCENE:
        raise OutOfPlace(f"{event.tile.name} is a room; the Scene of the Crime lies in the centre.")
    if state.rules.scene_number is None:
        _number_known(state, event.tile)
    rooms = _with_room(state, CENTRE, Room.laid(event.tile, _quarter(event.turn)))
    state = replace(state, rooms=rooms, remembered=_remembered(state, event.tile))
    return replace(state, due=Due(reveal=_around_centre()))


def suspect_named(state: State, event: SuspectNamed) -> State:
    """A suspect gets the name that is printed on the token."""
    if event.suspect not in state.names:
        raise OutOfPlace(f"There is no suspect {event.suspect!r}; they are {words.listed(state.names)}.")
    if not event.name.strip() or ";" in event.name or len(event.name) > 40:
        raise OutOfPlace("A suspect's name has 1 to 40 characters, and no ; among them.")
    if event.name in state.names:
        raise OutOfPlace(f"There is a {event.name} already.")

    def renamed(name: str) -> str:
        return event.name if name == event.suspect else name

    return replace(
        state,
        names=tuple(renamed(name) for name in state.names),
        clues=tuple(replace(clue, on=renamed(clue.on)) for clue in state.clues),
        arrested=renamed(state.arrested),
        flips=Flips(tuple(map(renamed, state.flips.down)), tuple(map(renamed, state.flips.up))),
    )


def revealed(state: State, event: TileRevealed) -> State:
    """A tile that had to be revealed is turned up, and with ``turn`` laid at once."""
    if event.cell not in state.due.reveal:
        raise OutOfPlace(
            f"{event.cell} is not to be turned up now; {words.listed(state.due.reveal)} "
            f"{'is' if len(state.due.reveal) == 1 else 'are'}."
        )
    tile = _turned_up(state, event)
    rest = tuple(cell for cell in state.due.reveal if cell != event.cell)
    state = replace(state, due=replace(state.due, reveal=rest, hand=(event.cell, tile)))
    if event.turn is not None:
        return _laid(state, event.cell, tile, event.turn, event.token)
    if event.token is not None:
        raise OutOfPlace("The token is put on the tile when it is laid: say how it is turned, too.")
    return state


def laid(state: State, event: TileLaid) -> State:
    """The tile in hand is laid."""
    if state.due.hand is None:
        raise OutOfPlace("No tile is in hand.")
    cell, tile = state.due.hand
    return _laid(state, cell, tile, event.turn, event.token)


def car_placed(state: State, event: CarPlaced) -> State:
    """The Police Car is attached to the tile just laid, for good (M17, C23)."""
    cell = state.due.car_at
    if cell is None:
        raise OutOfPlace("No tile with a door out of the house has just been laid.")
    doors = car_sides(state, cell)
    if event.side not in {SIDES[side] for side in doors}:
        where = words.listed(SIDE_NAMES[side] for side in doors)
        raise OutOfPlace(f"The door out of the house on {cell} is in the {where}; you gave {event.side}.")
    known = state.rules.car_number
    if known is not None and event.number is not None:
        raise OutOfPlace("The number on the Police Car is known already; leave it out.")
    if known is None and event.number not in range(7):
        raise OutOfPlace("Say the number printed on the Police Car, 1 to 6, or 0 when there is none.")
    number = (event.number or 0) if known is None else known
    return _attached(state, Car(cell, SIDES.index(event.side), number))


def car_sides(state: State, cell: Cell) -> tuple[int, ...]:
    """The sides of a face-up tile with a door, locked or not, out of the house."""
    room = state.rooms[cell]
    return tuple(side for side in outer_sides(cell) if room is not None and room.sides[side] != WALL)


def _laid(state: State, cell: Cell, tile: Tile, turn: int, token: str | None) -> State:
    state = replace(
        state,
        rooms=_with_room(state, cell, Room.laid(tile, _quarter(turn))),
        due=replace(state.due, hand=None),
        remembered=state.remembered if state.rules.dealt else _remembered(state, tile),
    )
    state = _with_token(state, cell, tile.icon, token)
    doors = car_sides(state, cell)
    if state.car is None and doors:
        state = replace(state, due=replace(state.due, car_at=cell))
        if len(doors) == 1 and state.rules.car_number is not None:
            state = _attached(state, Car(cell, doors[0], state.rules.car_number))
    if state.phase is Phase.SETUP and state.due == Due():
        state = replace(state, phase=Phase.ROLL)
    return state


def _with_token(state: State, cell: Cell, icon: str, token: str | None) -> State:
    """Put the token of the tile's kind on it, if one is left (M7, M18)."""
    if icon == "suspect":
        return _with_suspect(state, cell, token)
    if icon == "assistance":
        return _with_assistance(state, cell, token)
    if token is not None:
        raise OutOfPlace("Evidence is put on its tile face-down and unseen; leave the token out.")
    if not state.evidence_left:
        return state
    kind = state.piles.evidence[0] if state.rules.dealt else ""
    piles = replace(state.piles, evidence=state.piles.evidence[1:])
    return replace(state, piles=piles, clues=(*state.clues, Clue(cell, kind)))


def _with_suspect(state: State, cell: Cell, token: str | None) -> State:
    if not state.unplaced:
        _no_token(token, "suspect")
        return state
    if state.rules.suspect_chosen:
        if token is None:
            raise OutOfPlace(f"Say which suspect was put on {cell}: {words.listed(state.unplaced)}.")
        if token not in state.unplaced:
            raise OutOfPlace(f"{token!r} is not a suspect still to come: {words.listed(state.unplaced)}.")
        name = token
    else:
        if token is not None:
            raise OutOfPlace("The companion draws the suspect itself; leave the token out.")
        name = state.piles.suspects[0]
    order = tuple(other for other in state.piles.suspects if other != name)
    place = state.names.index(name)
    where = (*state.where[:place], cell, *state.where[place + 1 :])
    return replace(state, piles=replace(state.piles, suspects=order), where=where)


def _with_assistance(state: State, cell: Cell, token: str | None) -> State:
    if not state.assistance_left:
        _no_token(token, "assistance token")
        return state
    if state.rules.dealt:
        if token is not None:
            raise OutOfPlace("The companion draws the assistance token itself; leave the token out.")
        kind = state.piles.assistance[0]
    else:
        if token not in words.TOKENS:
            raise OutOfPlace(f"Say which assistance token was put on {cell}: {words.listed(words.TOKENS)}.")
        if [*(kind for kind, _ in state.lying), *state.carried, *state.spent].count(token) == 2:
            raise OutOfPlace(f"Both tokens of the kind {words.TOKENS[token]} have come out already.")
        kind = token
    piles = replace(state.piles, assistance=state.piles.assistance[1:])
    return replace(state, piles=piles, lying=(*state.lying, (kind, cell)))


def _turned_up(state: State, event: TileRevealed) -> Tile:
    if state.rules.dealt:
        if event.tile is not None:
            raise OutOfPlace("The companion dealt this tile and turns it up itself.")
        tile = state.piles.tiles[event.cell]
        if tile is None:
            raise OutOfPlace(f"No tile was dealt to {event.cell}.")
        return tile
    if event.tile is None:
        raise OutOfPlace(f"Say what the tile on {event.cell} shows.")
    if event.tile.icon not in ICONS:
        raise OutOfPlace(f"{event.tile.name} has no place among the rooms: its icon is {event.tile.icon}.")
    _number_known(state, event.tile)
    if any(room is not None and room.tile.name == event.tile.name for room in state.rooms):
        raise OutOfPlace(f"{event.tile.name} lies in the house already; give this tile a name of its own.")
    return event.tile


def _number_known(state: State, tile: Tile) -> None:
    if tile.number == 6 and not state.rules.tile_six_exists:
        raise OutOfPlace("A tile showing 6 is not known; if yours has one, start with that option.")


def _attached(state: State, car: Car) -> State:
    return replace(state, car=car, due=replace(state.due, car_at=None))


def _around_centre() -> tuple[Cell, ...]:
    return tuple(cell for cell in NEIGHBOURS[CENTRE] if cell is not None)


def _with_room(state: State, cell: Cell, room: Room) -> tuple[Room | None, ...]:
    return (*state.rooms[:cell], room, *state.rooms[cell + 1 :])


def _remembered(state: State, tile: Tile) -> tuple[Tile, ...]:
    kept: Iterable[Tile] = (other for other in state.remembered if other.name != tile.name)
    return (*kept, tile)


def _quarter(turn: int) -> int:
    if turn not in range(4):
        raise OutOfPlace(f"A tile is turned by 0 to 3 quarter turns, not {turn}.")
    return turn


def _no_token(token: str | None, kind: str) -> None:
    if token is not None:
        raise OutOfPlace(f"No {kind} is left: the tile stays empty.")
