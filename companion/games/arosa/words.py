"""The words of the game as players read them."""

from collections.abc import Iterable
from typing import Final

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def number(n: int) -> str:
    """A small number as a word.

    >>> number(3), number(12)
    ('three', '12')
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(2, "clue"), counted(1, "clue")
    ('two clues', 'one clue')
    """
    return f"{number(n)} {one if n == 1 else many or one + 's'}"


def listed(items: Iterable[object]) -> str:
    """Items as a sentence lists them.

    >>> listed(["2 grey", "1 blue", "1 red"])
    '2 grey, 1 blue and 1 red'
    """
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)


def cubes(counts: Iterable[tuple[str, int]]) -> str:
    """Cubes by colour, such as ``2 grey and 1 blue``; ``no cubes`` for none.

    >>> cubes([("grey", 2), ("blue", 0)]), cubes([])
    ('2 grey', 'no cubes')
    """
    return listed(f"{n} {colour}" for colour, n in counts if n) or "no cubes"


def floor(n: int) -> str:
    """A floor by its name.

    >>> floor(0), floor(3)
    ('the ground floor', 'floor 3')
    """
    return f"floor {n}" if n else "the ground floor"


def begun(text: str) -> str:
    """``text`` with a capital to begin a sentence.

    >>> begun("floor 3")
    'Floor 3'
    """
    return f"{text[:1].upper()}{text[1:]}"
