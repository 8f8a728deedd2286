"""Boards, tiles and dice of Tea Time Crime, as far as they can be told (A of the notes).

Row 1 is the lowest, column 1 the leftmost. A cell is its place: 5 times the row, plus the column, both from
nought. A way is a direction on the board, clockwise from north in steps of 45 degrees.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final, Self

from companion.rules.events import DiceExpected

SIDE: Final = 5
CELLS: Final = SIDE * SIDE
DETECTIVES: Final = 5
THIEVES: Final = 4
"""In each set."""
TOKENS: Final = 5
DICE: Final = 5
SPARE: Final = 3
"""Points for each token that was not placed."""

KIND: Final = "teatime"
GLASS: Final = "glass"
NUMBERS: Final = ("1", "2", "3", "4", "5")
FACES: Final = (*NUMBERS, GLASS)
ALL_DICE: Final = DiceExpected(((KIND, DICE),), faces=FACES)
JACKPOT: Final = (GLASS,) * DICE
IDS: Final = tuple(f"d{n}" for n in range(1, DICE + 1))
"""What the dice are called on the screens."""

DETECTIVE, THIEF, MASTER, DIE, OTHER = "detective", "thief", "master", "dice", "other"
POINTS: Final = {THIEF: 10, MASTER: 12}

WAYS: Final = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
_STEPS: Final = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
BEAMS: Final = (2, 4)
"""Fewest and most beams of a detective tile."""
LIT: Final = 3
"""Sides from which a thief can be lit."""


class Space(IntEnum):
    """What lies on a cell if no tile shows its face."""

    EMPTY = 0
    DOWN = 1


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile's face. ``ways``: a detective's beams, or the sides from which a thief can be lit.

    ``number`` is that of a dice tile. As text ``detective:N.E``, ``thief:N.NE.E``, ``master``, ``dice:3``;
    ``detective`` and ``thief`` alone are tiles of which only this is known, ``other`` is anybody.

    >>> Tile.parse("thief:E.N.NE")
    Tile(kind='thief', ways=(0, 1, 2), number=0)
    >>> str(Tile.parse("dice:3"))
    'dice:3'
    """

    kind: str
    ways: tuple[int, ...] = ()
    number: int = 0

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read a tile. Raises ValueError naming the text and what a tile is."""
        kind, _, rest = text.partition(":")
        if kind in {MASTER, OTHER} and not rest:
            return cls(kind)
        if kind == DIE and rest in NUMBERS:
            return cls(kind, number=int(rest))
        if kind in {DETECTIVE, THIEF}:
            tile = cls(kind, ways_of(name for name in rest.split(".") if name))
            if not tile.ways or not tile.flaw:
                return tile
            raise ValueError(f"{text!r}: {tile.flaw}")
        raise ValueError(f"{text!r} is no tile: write dice:3, master, thief:N.NE.E or detective:N.E")

    def __str__(self) -> str:
        if self.kind == DIE:
            return f"{DIE}:{self.number}"
        return f"{self.kind}:{'.'.join(WAYS[way] for way in self.ways)}" if self.ways else self.kind

    @property
    def flaw(self) -> str:
        """What is wrong with the number of ways, as a sentence; empty if nothing is."""
        if self.kind == THIEF and len(self.ways) != LIT:
            return "A thief is lit from three of the eight sides."
        if self.kind == DETECTIVE and not BEAMS[0] <= len(self.ways) <= BEAMS[1]:
            return "A detective tile has two to four beams."
        return ""


def ways_of(names: Iterable[str]) -> tuple[int, ...]:
    """Directions by their names, clockwise from north, each once. Raises ValueError naming a wrong one."""
    wanted = set(names)
    odd = sorted(wanted - set(WAYS))
    if odd:
        raise ValueError(f"{odd[0]!r} is no direction; they are {', '.join(WAYS)}")
    return tuple(way for way, name in enumerate(WAYS) if name in wanted)


def cell_at(row: int, column: int) -> int:
    """The cell in a row and a column, each 1 to 5.

    >>> cell_at(1, 1), cell_at(5, 5)
    (0, 24)
    """
    return SIDE * (row - 1) + column - 1


def ref(cell: int) -> str:
    """A cell as text, row and column.

    >>> ref(7)
    '2-3'
    """
    return f"{cell // SIDE + 1}-{cell % SIDE + 1}"


REFS: Final = {ref(cell): cell for cell in range(CELLS)}
DIAGONAL: Final = tuple((SIDE + 1) * n for n in range(SIDE))
"""The cells of the detectives."""


def _neighbours(cell: int) -> tuple[int, ...]:
    row, column = divmod(cell, SIDE)
    places = ((row + up, column + right) for up, right in _STEPS)
    return tuple(SIDE * r + c if 0 <= r < SIDE and 0 <= c < SIDE else -1 for r, c in places)


NEIGHBOURS: Final = tuple(_neighbours(cell) for cell in range(CELLS))
"""For each cell the eight around it, by way; -1 is off the board."""
ROOMS: Final = tuple(cell // SIDE + cell % SIDE + 1 for cell in range(CELLS))
"""What each room counts: row and column less one. Only that it goes from 1 to 9 is public."""

DICE_TILES: Final = tuple(Tile(DIE, number=n) for n in range(1, SIDE + 1))
MASTER_TILE: Final = Tile(MASTER)
CORNERS: Final = Tile(DETECTIVE, (1, 3, 5, 7))
"""The detectives with four beams, into the corners."""
OURS: Final = (
    *(Tile.parse(f"{DETECTIVE}:{ways}") for ways in ("N.S", "E.W", "N.E", "S.W")),
    CORNERS,
    *(Tile.parse(f"{THIEF}:{ways}") for ways in ("N.NE.E", "E.SE.S", "S.SW.W", "N.W.NW")),
)
"""The stand-in set: directions of our own, for those of the box are not public."""
