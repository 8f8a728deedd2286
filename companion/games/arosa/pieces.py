"""The pieces: floors, cubes and what a clue on the sheet is worth (A1, A21)."""

from collections.abc import Collection, Iterable
from typing import Final

FLOORS: Final = tuple(range(8))
"""Floor 0 stands on the table, floor 7 is under the roof."""
COLOURS: Final = ("yellow", "blue", "brown", "grey", "black", "white")
"""The clue cubes, in the order in which seats get them."""
VICTIM: Final = "red"
CLUES: Final = 20
"""Cubes of each player."""
VICTIMS: Final = 2
THROWN_AT_START: Final = 2
"""Own clues that each player throws in the prolog."""
TEN: Final = 10
"""So many clues of one player on the sheet end the game."""


def worth(floor: int, scenes: Collection[int]) -> int:
    """Suspicion points of one clue on this floor of the sheet (A21, C17, C18).

    >>> [worth(floor, {3, 5}) for floor in FLOORS]
    [1, 1, 2, 3, 2, 3, 2, 1]
    """
    if floor in scenes:
        return 3
    return 2 if floor - 1 in scenes or floor + 1 in scenes else 1


def points(sheet: Iterable[int], scenes: Collection[int]) -> int:
    """Suspicion points of one player, whose clues on the sheet are counted floor by floor from 0."""
    return sum(n * worth(floor, scenes) for floor, n in enumerate(sheet))
