"""The words of the game as players read them."""

from collections.abc import Iterable
from typing import Final

TOKENS: Final = {
    "key": "Key",
    "warrant": "Search Warrant",
    "lucky_break": "Lucky Break",
    "informant": "Informant",
    "flashlight": "Flashlight",
    "passageway": "Secret Passageway",
    "no_time_to_lose": "No Time to Lose",
    "switch": "Switch 2",
    "bomb": "Bomb",
}

TOKEN_USES: Final = {
    "key": "locked doors need no extra dice",
    "warrant": "evidence needs three dice in a row",
    "lucky_break": "once per turn: set one white die",
    "informant": "look at the hidden evidence on your tile",
    "flashlight": "secret passages cost no minutes",
    "passageway": "becomes a secret passage where you put it",
    "no_time_to_lose": "1x: a turn costs no minutes",
    "switch": "1x: two evidence tokens change places",
    "bomb": "1x: blows a doorway open",
}

_BARE: Final = frozenset({"no_time_to_lose", "switch"})
"""Names that take no article."""

ONCE: Final = frozenset({"no_time_to_lose", "switch", "bomb"})
"""Marked 1x: out of the game after use."""

_NUMBERS: Final = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def the(token: str) -> str:
    """A token as a sentence calls it.

    >>> the("key"), the("switch")
    ('the Key', 'Switch 2')
    """
    return TOKENS[token] if token in _BARE else f"the {TOKENS[token]}"


def begun(text: str) -> str:
    """``text`` with a capital to begin a sentence.

    >>> begun("the Key")
    'The Key'
    """
    return f"{text[:1].upper()}{text[1:]}"


def number(n: int) -> str:
    """A small number as a word.

    >>> number(3)
    'three'
    """
    return _NUMBERS[n] if 0 <= n < len(_NUMBERS) else str(n)


def counted(n: int, one: str, many: str = "") -> str:
    """A number with its noun.

    >>> counted(2, "die", "dice")
    'two dice'
    """
    return f"{number(n)} {one if n == 1 else many or one + 's'}"


def minutes(n: int) -> str:
    """Minutes in figures.

    >>> minutes(1)
    '1 minute'
    """
    return f"{n} minute{'' if n == 1 else 's'}"


def listed(items: Iterable[object]) -> str:
    """Items as a sentence lists them.

    >>> listed(["2", "5", "6"])
    '2, 5 and 6'
    """
    words = [str(item) for item in items]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
