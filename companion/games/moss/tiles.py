"""Tiles as text, and tiles as they lie."""

import re
from dataclasses import dataclass
from typing import Final, Self

WALL, OPEN, LOCKED = ".", "o", "l"
ICONS: Final = ("suspect", "evidence", "assistance")
SCENE: Final = "scene"

_NAME = re.compile(r"[^:;\"]{1,40}")
_SIDES = re.compile(r"[ol.]{4}")


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile as printed. ``sides`` are N, E, S, W when it is not turned: ``o``, ``l`` or ``.``.

    ``icon``: suspect, evidence, assistance or scene; ``number`` 1 to 6; ``passage`` is the number on
    the secret passage's door, None without one.

    >>> Tile.parse("Study:suspect:4:o.l.:2")
    Tile(name='Study', icon='suspect', number=4, sides='o.l.', passage=2)
    """

    name: str
    icon: str
    number: int
    sides: str
    passage: int | None = None

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``name:icon:number:sides:passage``. Raises ValueError saying which part is wrong."""
        parts = text.split(":")
        if len(parts) != 5:
            raise ValueError(f"{text!r} is not a tile: write it like Study:suspect:4:o.l.:2")
        name, icon, number, sides, passage = parts
        if not _NAME.fullmatch(name) or name != name.strip():
            raise ValueError(f"{name!r} is not a tile's name: 1 to 40 characters without : ; and quotes")
        if icon not in (*ICONS, SCENE):
            raise ValueError(f"{icon!r} is not an icon: write {', '.join(ICONS)} or {SCENE}")
        if number not in {*"123456"}:
            raise ValueError(f"{number!r} is not a tile's number: 1 to 6")
        if not _SIDES.fullmatch(sides):
            raise ValueError(f"{sides!r} are not four sides: write o, l or . for north, east, south, west")
        if passage != "-" and passage not in {*"123456789"}:
            raise ValueError(f"{passage!r} is not a passage: 1 to 9, or - without one")
        return cls(name, icon, int(number), sides, None if passage == "-" else int(passage))

    def __str__(self) -> str:
        return f"{self.name}:{self.icon}:{self.number}:{self.sides}:{self.passage or '-'}"


def turned(sides: str, turn: int) -> str:
    """The sides after ``turn`` quarter turns clockwise.

    >>> turned("ol..", 1)
    '.ol.'
    """
    return sides[-turn % 4 :] + sides[: -turn % 4]


@dataclass(frozen=True, slots=True)
class Room:
    """A tile that lies face-up; ``sides`` as it lies now, N, E, S, W of the house."""

    tile: Tile
    sides: str

    @classmethod
    def laid(cls, tile: Tile, turn: int) -> Self:
        """``tile`` laid after ``turn`` quarter turns clockwise."""
        return cls(tile, turned(tile.sides, turn))
