"""What the detectives' beams light, and what it counts (T15, T20, C6 to C9)."""

from collections.abc import Sequence
from dataclasses import dataclass

from companion.games.teatime import words
from companion.games.teatime.pieces import DETECTIVE, MASTER, NEIGHBOURS, POINTS, THIEF, WAYS, Space, Tile

_HALF = len(WAYS) // 2


@dataclass(frozen=True, slots=True)
class Beam:
    """One beam: its way, the cell it falls on (-1 off the board), what it counts, and what there is to say.

    ``points`` 0: it lights nothing.
    """

    way: int
    cell: int
    points: int
    text: str


def fulfilled(cells: Sequence[Space | Tile], cell: int) -> bool:
    """Whether every beam of the detective on ``cell`` falls on what can be lit from there (T15)."""
    tile, around = cells[cell], NEIGHBOURS[cell]
    return isinstance(tile, Tile) and all(lit(cells, around[way], way) for way in tile.ways)


def lit(cells: Sequence[Space | Tile], cell: int, way: int) -> bool:
    """Whether a beam going ``way`` lights ``cell``: a room, the master thief, or a thief's lit side."""
    if cell < 0:
        return False
    there = cells[cell]
    if not isinstance(there, Tile):
        return there is Space.EMPTY
    return there.kind == MASTER or (there.kind == THIEF and _back(way) in there.ways)


def scored(cells: Sequence[Space | Tile]) -> tuple[int, ...]:
    """The cells of the detectives that fulfil it, each of which carries a token (C12)."""
    return tuple(
        cell
        for cell, tile in enumerate(cells)
        if isinstance(tile, Tile) and tile.kind == DETECTIVE and fulfilled(cells, cell)
    )


def beams(cells: Sequence[Space | Tile], rooms: Sequence[int], cell: int) -> tuple[Beam, ...]:
    """Every beam of the detective on ``cell``, with what it lights or why it lights nothing."""
    tile = cells[cell]
    assert isinstance(tile, Tile)
    return tuple(_beam(cells, rooms, NEIGHBOURS[cell][way], way) for way in tile.ways)


def points(cells: Sequence[Space | Tile], rooms: Sequence[int], cell: int) -> tuple[int, ...]:
    """What each beam of a detective counts, in their order (T20, C9)."""
    return tuple(beam.points for beam in beams(cells, rooms, cell))


def _back(way: int) -> int:
    """The side of a tile on which a beam going ``way`` falls (C8)."""
    return (way + _HALF) % len(WAYS)


def _beam(cells: Sequence[Space | Tile], rooms: Sequence[int], cell: int, way: int) -> Beam:
    begun = f"{words.ARROWS[way]} "
    if cell < 0:
        return Beam(way, cell, 0, f"{begun}leaves the board and lights nothing")
    there, place = cells[cell], words.place(cell)
    if not isinstance(there, Tile):
        if there is Space.EMPTY:
            return Beam(way, cell, rooms[cell], f"{begun}lights the room on {place}: {rooms[cell]}")
        return Beam(way, cell, 0, f"{begun}falls on the tile face down on {place}: no room is seen there")
    if lit(cells, cell, way):
        worth = POINTS[there.kind]
        return Beam(way, cell, worth, f"{begun}lights the {words.kind(there)} on {place}: {worth}")
    if there.kind == THIEF:
        side = words.COMPASS[_back(way)]
        return Beam(way, cell, 0, f"{begun}meets the thief on {place} on a dark side ({side})")
    return Beam(way, cell, 0, f"{begun}falls on another {words.kind(there)} on {place}")
