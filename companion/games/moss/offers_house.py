"""Offers that build the house: the Scene, tiles turned up and laid, the Police Car."""

from collections.abc import Iterator
from dataclasses import replace

from companion.games.moss import events as ev
from companion.games.moss import house, words
from companion.games.moss.catalogue import SCENE_TILE
from companion.games.moss.desk import AT, Desk, draft, reveal_risk
from companion.games.moss.grid import NEIGHBOURS, SIDE_NAMES, SIDES, Cell, outer_sides
from companion.games.moss.state import State
from companion.games.moss.tiles import LOCKED, OPEN, SCENE, WALL, Room, Tile
from companion.rules.view import Action, Input

GROUP = "House"


def scene(desk: Desk) -> Iterator[Action]:
    """How the table's own Scene of the Crime lies."""
    known = [tile for tile in desk.state.remembered if tile.icon == SCENE] or [SCENE_TILE]
    event = ev.SceneLaid(at=AT, tile=known[-1])
    choices = tuple((str(tile), tile.name) for tile in known)
    inputs = (
        Input("tile", "What it shows", kind="tile", choices=choices, default=str(known[-1])),
        _turn_input(desk.state, None, known[-1]),
    )
    yield draft("scene", "Lay the Scene of the Crime", event, group=GROUP, inputs=inputs, lead=True)


def reveals(desk: Desk) -> Iterator[Action]:
    """One offer for each tile to turn up; the table's own tiles are described, or picked from memory."""
    state = desk.state
    for number, cell in enumerate(state.due.reveal):
        event = ev.TileRevealed(at=AT, cell=cell)
        inputs: tuple[Input, ...] = ()
        if not state.rules.dealt:
            lying = {room.tile.name for room in state.rooms if room}
            known = [t for t in state.remembered if t.name not in lying and t.icon != SCENE]
            event = replace(event, tile=_blank(cell, lying | {tile.name for tile in state.remembered}))
            choices = tuple((str(tile), _described(tile)) for tile in sorted(known, key=_by_name))
            inputs = (
                Input("tile", "What it shows", kind="tile", choices=choices, default=str(event.tile)),
            )
        yield draft(
            f"reveal-{cell}",
            f"Turn up {cell}",
            event,
            group=GROUP,
            inputs=inputs,
            warning=reveal_risk(state, (cell,)),
            cell=cell,
            lead=number == 0,
        )


def laying(desk: Desk) -> Iterator[Action]:
    """The tile in hand, with what each way to turn it opens, the best first."""
    state = desk.state
    if state.due.hand is None:
        return
    cell, tile = state.due.hand
    turn = _turn_input(state, cell, tile)
    token = _token_input(state, tile)
    event = ev.TileLaid(at=AT, turn=int(turn.default), token=token.default if token else None)
    yield draft(
        "lay",
        f"Lay the {tile.name} on {cell}",
        event,
        group=GROUP,
        inputs=(turn, token) if token else (turn,),
        warning=reveal_risk(state, (cell,)) if token and tile.icon == "suspect" else "",
        cell=cell,
        lead=True,
    )


def attaching(desk: Desk) -> Iterator[Action]:
    """Where the Police Car may stand, and what it shows if that is asked."""
    state, cell = desk.state, desk.state.due.car_at
    if cell is None:
        return
    asked = state.rules.car_number is None
    numbers = (*((str(n), str(n)) for n in range(1, 7)), ("0", "No number: no dice needed"))
    known = state.earlier.get("car_number", "")
    known = known if known in dict(numbers) else "1"
    inputs = (Input("number", "Number on the Police Car", choices=numbers, default=known),) if asked else ()
    for side in house.car_sides(state, cell):
        yield draft(
            f"attach-{SIDES[side]}",
            f"Attach the Police Car to {cell}, {SIDE_NAMES[side]} side",
            ev.CarPlaced(at=AT, side=SIDES[side], number=1 if asked else None),
            group=GROUP,
            inputs=inputs,
            cell=cell,
            lead=True,
        )


def _turn_input(state: State, cell: Cell | None, tile: Tile) -> Input:
    distinct: dict[str, int] = {}
    for turn in range(4):
        distinct.setdefault(Room.laid(tile, turn).sides, turn)
    ranked = list(distinct.items())
    if state.rules.dealt:  # with the own box the tile lies already, most likely as it was described
        ranked.sort(key=lambda item: -_worth(state, cell, item[0]))
    choices = tuple((str(turn), _sides_in_words(sides)) for sides, turn in ranked)
    return Input("turn", "Turned to the right by quarters", choices=choices, default=choices[0][0])


def _worth(state: State, cell: Cell | None, sides: str) -> float:
    """How well these sides connect: ways to face-up tiles count most, then doors to what is hidden."""
    if cell is None:
        return 0.0
    outer = outer_sides(cell)
    worth = 0.0
    for side, there in enumerate(NEIGHBOURS[cell]):
        if sides[side] == WALL:
            continue
        ease = 1.0 if sides[side] == OPEN else 0.6
        if there is None:
            worth += 0.5 * ease if side in outer and state.car is None else -0.1
        elif (room := state.rooms[there]) is None:
            worth += 0.5 * ease
        elif room.sides[(side + 2) % 4] != WALL:
            worth += ease if room.sides[(side + 2) % 4] == OPEN else 0.7 * ease
            worth += ease if there == state.moss else 0.0
    return worth


def _sides_in_words(sides: str) -> str:
    doors = [SIDE_NAMES[i] for i, side in enumerate(sides) if side == OPEN]
    locks = [SIDE_NAMES[i] for i, side in enumerate(sides) if side == LOCKED]
    parts = [f"doors {words.listed(doors)}"] if doors else []
    parts += [f"locked {words.listed(locks)}"] if locks else []
    return ", ".join(parts) or "no doors"


def _token_input(state: State, tile: Tile) -> Input | None:
    if tile.icon == "suspect" and state.unplaced and state.rules.suspect_chosen:
        choices = tuple((name, name) for name in state.unplaced)
    elif tile.icon == "assistance" and state.assistance_left and not state.rules.dealt:
        out = [*(kind for kind, _ in state.lying), *state.carried, *state.spent]
        choices = tuple((kind, name) for kind, name in words.TOKENS.items() if out.count(kind) < 2)
    else:
        return None
    return Input("token", "Token put on it", choices=choices, default=choices[0][0])


def _described(tile: Tile) -> str:
    """A tile to be told from the others by one who holds it in the hand."""
    passage = f", passage {tile.passage}" if tile.passage else ""
    return f"{tile.name}: {tile.icon} {tile.number}, {_sides_in_words(tile.sides)}{passage}"


def _by_name(tile: Tile) -> tuple[str, int]:
    """Room 2 comes before Room 10."""
    stem = tile.name.rstrip("0123456789")
    return stem, int(tile.name[len(stem) :] or 0)


def _blank(cell: Cell, taken: set[str]) -> Tile:
    names = (f"Room {n}" for n in range(1, 1000))
    name = next((name for name in names if name not in taken), f"Room on {cell}")
    return Tile(name, "suspect", 3, "oooo")
