"""What is known of the box: its tiles' directions and its rooms' values, told once; and the deal (T1)."""

from collections.abc import Mapping

from companion.games.teatime import words
from companion.games.teatime.events import RoomValued, TileDescribed, TileForgotten
from companion.games.teatime.exploring import described
from companion.games.teatime.pieces import (
    CELLS,
    CORNERS,
    DETECTIVE,
    DETECTIVES,
    DIAGONAL,
    DICE_TILES,
    MASTER_TILE,
    REFS,
    ROOMS,
    THIEF,
    THIEVES,
    Tile,
)
from companion.games.teatime.rounds import begun
from companion.games.teatime.state import NOBODY, Phase, State
from companion.rules.chance import shuffled
from companion.rules.copies import replace
from companion.rules.game import OutOfPlace

TILES_KEPT, ROOMS_KEPT = "tiles", "rooms"
_EACH = 3
"""Dice tiles of each number in a dealt set: 25 tiles less all others, shared out evenly."""
_HIGHEST = 9


def tiles_of(carried: Mapping[str, str]) -> tuple[Tile, ...]:
    """The box's detectives and thieves, as an earlier evening left them. Raises ValueError."""
    if TILES_KEPT not in carried:
        return (CORNERS,)
    tiles = tuple(Tile.parse(text) for text in carried[TILES_KEPT].split(";") if text)
    odd = [tile for tile in tiles if tile.kind not in {DETECTIVE, THIEF} or not tile.ways]
    if odd:
        raise ValueError(f"{odd[0]} is no detective or thief with its directions")
    return tiles


def rooms_of(carried: Mapping[str, str]) -> tuple[int, ...]:
    """The rooms' values as an earlier evening left them. Raises ValueError naming what is wrong."""
    if not carried.get(ROOMS_KEPT):
        return ROOMS
    values = tuple(int(text) for text in carried[ROOMS_KEPT].split(","))
    if len(values) != CELLS or not all(1 <= value <= _HIGHEST for value in values):
        raise ValueError(f"{CELLS} rooms have values of 1 to {_HIGHEST}, not {carried[ROOMS_KEPT]!r}")
    return values


def keeps(state: State) -> Mapping[str, str]:
    """What the next evening starts with."""
    kept = dict(state.carried)
    if not state.rules.ours:
        kept[TILES_KEPT] = ";".join(map(str, state.box))
        kept[ROOMS_KEPT] = ",".join(map(str, state.rooms))
    return kept


def editable(state: State) -> bool:
    """Whether the box can be described: it is played with, and no tile that was dealt lies open."""
    if not state.rules.picture or state.rules.ours or state.phase is Phase.END:
        return False
    return not state.rules.phones or not (state.throws or state.round > 1)


def missing(state: State) -> tuple[int, int]:
    """How many detectives and thieves are not described yet."""
    there = [tile.kind for tile in state.box]
    return max(0, DETECTIVES - there.count(DETECTIVE)), max(0, THIEVES - there.count(THIEF))


def tile_described(state: State, event: TileDescribed) -> State:
    """The box has such a tile. Where the companion deals, the deal waits for all of them."""
    _open(state)
    tile = described(event.kind, event.ways)
    if not state.rules.phones:
        return state if tile in state.box else replace(state, box=(*state.box, tile))
    detectives, thieves = missing(state)
    if not (detectives if tile.kind == DETECTIVE else thieves):
        raise OutOfPlace(f"Every {words.kind(tile)} is known: take a wrong one away first.")
    return ready(replace(state, box=(*state.box, tile)))


def tile_forgotten(state: State, event: TileForgotten) -> State:
    """A tile was described wrongly. Those that lie open stay as they are; dealt boards are dealt again."""
    _open(state)
    if event.tile not in state.box:
        raise OutOfPlace(f"No {words.tile(event.tile)} is known of the box.")
    place = state.box.index(event.tile)
    state = replace(state, box=(*state.box[:place], *state.box[place + 1 :]))
    return ready(state) if state.rules.phones else state


def room_valued(state: State, event: RoomValued) -> State:
    """The board shows another number in this room."""
    _open(state)
    if event.cell not in REFS:
        raise OutOfPlace(f"There is no place {event.cell!r}; write row and column, such as 2-3.")
    if not 1 <= event.points <= _HIGHEST:
        raise OutOfPlace(f"Rooms count 1 to {_HIGHEST}.")
    cell = REFS[event.cell]
    return replace(state, rooms=(*state.rooms[:cell], event.points, *state.rooms[cell + 1 :]))


def ready(state: State) -> State:
    """On to the first round, or to who goes first; where the companion deals, with every board dealt."""
    if state.rules.phones:
        if any(missing(state)):
            return replace(state, phase=Phase.BOX, round=0, active=NOBODY, under=())
        under = tuple(_dealt(state, place) for place in range(len(state.seats)))
        state = replace(state, round=0, under=under)
    return replace(state, phase=Phase.FIRST) if state.rules.asked else begun(state, 0)


def _dealt(state: State, place: int) -> tuple[Tile, ...]:
    """One player's 25 tiles, cell by cell: detectives on the diagonal, the others beside it (T1)."""
    detectives = [tile for tile in state.box if tile.kind == DETECTIVE][:DETECTIVES]
    thieves = [tile for tile in state.box if tile.kind == THIEF][:THIEVES]
    others = (*thieves, MASTER_TILE, *DICE_TILES * _EACH)
    stand = iter(shuffled(state.deal, f"player {place} detectives", detectives))
    beside = iter(shuffled(state.deal, f"player {place} others", others))
    return tuple(next(stand if cell in DIAGONAL else beside) for cell in range(CELLS))


def _open(state: State) -> None:
    if state.rules.ours:
        raise OutOfPlace("The stand-in set is known; the box is described in a game with the box.")
    if not state.rules.picture:
        raise OutOfPlace("No picture of boards is kept in this game, so the box need not be described.")
    if not editable(state):
        raise OutOfPlace("The boards are dealt and played with: describe the box before the next game.")
