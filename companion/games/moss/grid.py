"""The house as a grid: cells ``a1`` (top left) to ``e5``, four sides, eight directions, rays."""

from typing import Final, Self

SIZE: Final = 5
COLUMNS: Final = "abcde"

SIDES: Final = "NESW"
"""The sides of a tile, clockwise; a side's number is its place in this text."""
SIDE_NAMES: Final = ("north", "east", "south", "west")

DIRECTIONS: Final = (
    "north",
    "north-east",
    "east",
    "south-east",
    "south",
    "south-west",
    "west",
    "north-west",
)
"""The directions of arrows, clockwise in steps of 45 degrees."""

_STEPS: Final = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))


class Cell(int):
    """A cell of the grid, numbered 0 to 24 row by row; as text its column and row.

    >>> str(Cell.parse("c4"))
    'c4'
    """

    __slots__ = ()

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``c4``. Raises ValueError naming the text."""
        if len(text) == 2 and text[0] in COLUMNS and text[1] in "12345":
            return cls((int(text[1]) - 1) * SIZE + COLUMNS.index(text[0]))
        raise ValueError(f"{text!r} is not a cell: write a column a to e and a row 1 to 5, for example c3")

    @property
    def column(self) -> int:
        """0 to 4 from the left."""
        return int(self) % SIZE

    @property
    def row(self) -> int:
        """0 to 4 from the top."""
        return int(self) // SIZE

    def __str__(self) -> str:
        return f"{COLUMNS[self.column]}{self.row + 1}"

    def __repr__(self) -> str:
        return f"Cell({str(self)!r})"


CELLS: Final = tuple(Cell(i) for i in range(SIZE * SIZE))
CENTRE: Final = Cell.parse("c3")


def _step(cell: Cell, direction: int) -> Cell | None:
    dx, dy = _STEPS[direction]
    x, y = cell.column + dx, cell.row + dy
    return CELLS[y * SIZE + x] if 0 <= x < SIZE and 0 <= y < SIZE else None


def _ray(cell: Cell, direction: int) -> tuple[Cell, ...]:
    seen: list[Cell] = []
    here = _step(cell, direction)
    while here is not None:
        seen.append(here)
        here = _step(here, direction)
    return tuple(seen)


NEIGHBOURS: Final = tuple(tuple(_step(cell, 2 * side) for side in range(4)) for cell in CELLS)
"""[cell][side]: the cell across that side, None outside the house."""

RAYS: Final = tuple(tuple(_ray(cell, d) for d in range(8)) for cell in CELLS)
"""[cell][direction]: the cells that an arrow on that cell hits, from its neighbour to the edge."""


def side_between(here: Cell, there: Cell) -> int | None:
    """The side of ``here`` across which ``there`` lies; None when they are not neighbours."""
    return NEIGHBOURS[here].index(there) if there in NEIGHBOURS[here] else None


def opposite(side: int) -> int:
    """The side that faces ``side`` from across it."""
    return (side + 2) % 4


def outer_sides(cell: Cell) -> tuple[int, ...]:
    """The sides of ``cell`` that face out of the house."""
    return tuple(side for side in range(4) if NEIGHBOURS[cell][side] is None)
