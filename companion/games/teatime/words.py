"""The words of the game as players read them."""

from collections.abc import Iterable, Sequence
from typing import Final

from companion.games.teatime.pieces import DETECTIVE, DIE, GLASS, MASTER, NUMBERS, OTHER, SIDE, THIEF, Tile

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
ARROWS: Final = ("↑", "↗", "→", "↘", "↓", "↙", "←", "↖")
COMPASS: Final = (
    "up",
    "up and right",
    "right",
    "down and right",
    "down",
    "down and left",
    "left",
    "up and left",
)
_KINDS: Final = {DETECTIVE: "detective", THIEF: "thief", MASTER: "master thief", OTHER: "person"}


def number(n: int) -> str:
    """A small number as a word.

    >>> number(3), number(12)
    ('three', '12')
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(2, "token"), counted(1, "glass", "glasses")
    ('two tokens', 'one glass')
    """
    return f"{number(n)} {one if n == 1 else many or one + 's'}"


def listed(items: Iterable[object], joint: str = "and") -> str:
    """Items as a sentence lists them.

    >>> listed(["Anna", "Ben", "Cleo"]), listed([2, 3], "or")
    ('Anna, Ben and Cleo', '2 or 3')
    """
    words = [str(item) for item in items]
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def begun(text: str) -> str:
    """``text`` with a capital to begin a sentence.

    >>> begun("two glasses")
    'Two glasses'
    """
    return f"{text[:1].upper()}{text[1:]}"


def place(cell: int) -> str:
    """A cell as players say it.

    >>> place(7)
    'row 2, column 3'
    """
    return f"row {cell // SIDE + 1}, column {cell % SIDE + 1}"


def arrows(ways: Iterable[int]) -> str:
    """Directions as arrows.

    >>> arrows((0, 3))
    '↑↘'
    """
    return "".join(ARROWS[way] for way in ways)


def ways(tile: Tile) -> str:
    """A detective's beams or a thief's lit sides, in words."""
    return listed(COMPASS[way] for way in tile.ways)


def tile(tile: Tile) -> str:
    """A tile's name, with its directions as arrows.

    >>> tile(Tile.parse("thief:N.NE.E")), tile(Tile.parse("dice:3")), tile(Tile("master"))
    ('thief ↑↗→', 'dice tile 3', 'master thief')
    """
    if tile.kind == DIE:
        return f"dice tile {tile.number}"
    return f"{_KINDS[tile.kind]} {arrows(tile.ways)}".strip()


def kind(tile: Tile) -> str:
    """What a tile shows, without directions.

    >>> kind(Tile.parse("thief:N.NE.E"))
    'thief'
    """
    return f"dice tile {tile.number}" if tile.kind == DIE else _KINDS[tile.kind]


def a_tile(shown: Tile) -> str:
    """A tile with its article.

    >>> a_tile(Tile("master"))
    'the master thief'
    """
    return f"{'the' if shown.kind == MASTER else 'a'} {tile(shown)}"


def dice(faces: Sequence[str]) -> str:
    """Faces in order, glasses last.

    >>> dice(["3", "glass", "1", "3", "glass"]), dice([])
    ('1, 3, 3 and two glasses', 'nothing')
    """
    shown = sorted(face for face in faces if face in NUMBERS)
    glasses = sum(face == GLASS for face in faces)
    return listed([*shown, *([counted(glasses, "glass", "glasses")] if glasses else [])]) or "nothing"
