"""The words of the game as players read them."""

from collections.abc import Iterable
from typing import Final

from companion.games.noir.grid import Line
from companion.games.noir.pieces import NAMES

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(n: int) -> str:
    """A small number as a word.

    >>> number(3), number(12)
    ('three', '12')
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def counted(n: int, one: str) -> str:
    """A number with its noun.

    >>> counted(2, "card"), counted(1, "card")
    ('two cards', 'one card')
    """
    return f"{number(n)} {one if n == 1 else one + 's'}"


def listed(items: Iterable[object], joint: str = "and") -> str:
    """Items as a sentence lists them.

    >>> listed(["Alyss", "Clive", "Irma"]), listed(["left", "right"], "or")
    ('Alyss, Clive and Irma', 'left or right')
    """
    words = [str(item) for item in items]
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def suspects(cards: Iterable[int], joint: str = "and") -> str:
    """Suspects by name.

    >>> suspects((2, 0))
    'Clive and Alyss'
    """
    return listed((NAMES[card] for card in cards), joint)


def line(which: Line) -> str:
    """A line as a sentence calls it.

    >>> line(Line("row", 2))
    'row 2'
    """
    return f"{which.kind} {which.number}"


def toward(way: str) -> str:
    """A way as a sentence says it.

    >>> toward("left"), toward("up")
    ('to the left', 'up')
    """
    return f"to the {way}" if way in {"left", "right"} else way


def begun(text: str) -> str:
    """``text`` with a capital to begin a sentence.

    >>> begun("row 2")
    'Row 2'
    """
    return f"{text[:1].upper()}{text[1:]}"
