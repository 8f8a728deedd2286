"""The words of the game as players read them."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from companion.games.suspects.pieces import COLOURS
from companion.rules.events import Seat

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def name(seat: Seat) -> str:
    """A seat as a sentence calls it.

    >>> name(Seat("anna"))
    'Anna'
    """
    return f"{seat[:1].upper()}{seat[1:]}"


def number(n: int) -> str:
    """A small number as a word.

    >>> number(3), number(12)
    ('three', '12')
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(2, "card"), counted(1, "die", "dice")
    ('two cards', 'one die')
    """
    return f"{number(n)} {one if n == 1 else many or one + 's'}"


def listed(items: Iterable[object], joint: str = "and") -> str:
    """Items as a sentence lists them.

    >>> listed(["green", "red", "blue"]), listed(["green", "red"], "or")
    ('green, red and blue', 'green or red')
    """
    words = [str(item) for item in items]
    return f" {joint} ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def colours(items: Iterable[str]) -> str:
    """Colours with how often each comes, in the order of the pieces.

    >>> colours(["red", "green", "green"]), colours([])
    ('2 green and 1 red', 'nothing')
    """
    counts = Counter(items)
    return listed(f"{counts[colour]} {colour}" for colour in COLOURS if counts[colour]) or "nothing"


def begun(text: str) -> str:
    """``text`` with a capital to begin a sentence.

    >>> begun("two cards")
    'Two cards'
    """
    return f"{text[:1].upper()}{text[1:]}"
