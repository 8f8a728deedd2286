"""The grid: who lies where, who is next to whom, and how lines move and close up (N6, N9, N15)."""

from dataclasses import dataclass
from functools import cache
from typing import Final, Self

from companion.games.noir.pieces import SIDE, bit

LEFT, RIGHT, UP, DOWN = "left", "right", "up", "down"
ROW, COLUMN = "row", "column"
WAYS: Final = {ROW: (LEFT, RIGHT), COLUMN: (UP, DOWN)}
"""The ways in which a line can move."""
OPPOSITE: Final = {LEFT: RIGHT, RIGHT: LEFT, UP: DOWN, DOWN: UP}


@dataclass(frozen=True, slots=True, order=True)
class Line:
    """A row or a column, counted from 1 at the top or at the left, written as ``row-2``.

    >>> str(Line.parse("column-3"))
    'column-3'
    """

    kind: str
    number: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``row-2`` or ``column-3``. Raises ValueError naming the text."""
        kind, _, number = text.partition("-")
        if kind not in WAYS or number not in {str(n) for n in range(1, SIDE + 1)}:
            raise ValueError(f"{text!r} is no line: write row-1 to row-{SIDE} or column-1 to column-{SIDE}")
        return cls(kind, int(number))

    def __str__(self) -> str:
        return f"{self.kind}-{self.number}"


@dataclass(frozen=True, slots=True)
class Grid:
    """Suspects row by row from the top left; ``columns`` in each row."""

    cards: tuple[int, ...]
    columns: int = SIDE

    @property
    def rows(self) -> int:
        """How many rows there are."""
        return -(-len(self.cards) // self.columns) if self.columns else 0

    def lines(self) -> tuple[Line, ...]:
        """All rows, then all columns."""
        rows = tuple(Line(ROW, n) for n in range(1, self.rows + 1))
        return (*rows, *(Line(COLUMN, n) for n in range(1, self.columns + 1)))

    def count(self, kind: str) -> int:
        """How many lines of this kind there are."""
        return self.rows if kind == ROW else self.columns

    def places(self, line: Line) -> range:
        """Where the suspects of a line stand in ``cards``, from the left or from the top."""
        first = line.number - 1
        if line.kind == ROW:
            return range(first * self.columns, (first + 1) * self.columns)
        return range(first, len(self.cards), self.columns)

    def along(self, line: Line) -> tuple[int, ...]:
        """The suspects of a line, from the left or from the top."""
        return tuple(self.cards[place] for place in self.places(line))

    def where(self, card: int) -> tuple[int, int] | None:
        """Row and column of a suspect, from 1; None once the card was taken away."""
        if card not in self.cards:
            return None
        row, column = divmod(self.cards.index(card), self.columns)
        return row + 1, column + 1

    def next_to(self, card: int) -> int:
        """The set of suspects beside a card, also diagonally; empty once it was taken away (C5, C9)."""
        if card not in self.cards:
            return 0
        return sum(bit(self.cards[n]) for n in _beside(self.rows, self.columns, self.cards.index(card)))

    def shifted(self, line: Line, way: str) -> "Grid":
        """With one line moved by one; the card that falls off comes in at the other end (N6)."""
        places, along = self.places(line), self.along(line)
        moved = (*along[1:], along[0]) if way in {LEFT, UP} else (along[-1], *along[:-1])
        cards = list(self.cards)
        for place, card in zip(places, moved, strict=True):
            cards[place] = card
        return Grid(tuple(cards), self.columns)

    def closed(self, gone: tuple[Line, ...]) -> "Grid":
        """Without these lines, the gaps closed (N15)."""
        out = {place for line in gone for place in self.places(line)}
        fewer = sum(line.kind == COLUMN for line in gone)
        cards = tuple(card for place, card in enumerate(self.cards) if place not in out)
        return Grid(cards, self.columns - fewer)

    def all_in(self, some: int) -> tuple[Line, ...]:
        """The lines whose suspects are all in this set."""
        inside, wide = [some >> card & 1 for card in self.cards], self.columns
        rows = [Line(ROW, n + 1) for n in range(self.rows) if all(inside[n * wide : (n + 1) * wide])]
        return (*rows, *(Line(COLUMN, n + 1) for n in range(wide) if all(inside[n::wide])))

    def nearest(self, some: int, way: str) -> tuple[int, ...] | None:
        """From each line along ``way`` the suspect of the set that is nearest to that end.

        None if one of the lines has none: then the grid cannot be collapsed that way.
        """
        kind = ROW if way in WAYS[ROW] else COLUMN
        found = []
        for number in range(1, self.count(kind) + 1):
            there = [card for card in self.along(Line(kind, number)) if some >> card & 1]
            if not there:
                return None
            found.append(there[0] if way in {LEFT, UP} else there[-1])
        return tuple(found)

    def collapsed(self, gone: tuple[int, ...], way: str) -> "Grid":
        """Without one suspect of each line along ``way``: one column or one row fewer."""
        if way in WAYS[ROW]:
            return Grid(tuple(card for card in self.cards if card not in gone), self.columns - 1)
        stacks = [
            [card for card in self.along(Line(COLUMN, n)) if card not in gone]
            for n in range(1, self.columns + 1)
        ]
        return Grid(tuple(card for row in zip(*stacks, strict=True) for card in row), self.columns)


@cache
def _beside(rows: int, columns: int, place: int) -> tuple[int, ...]:
    row, column = divmod(place, columns)
    return tuple(
        r * columns + c
        for r in range(max(0, row - 1), min(rows, row + 2))
        for c in range(max(0, column - 1), min(columns, column + 2))
        if (r, c) != (row, column)
    )
