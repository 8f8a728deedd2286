"""The pieces: six colours, dice, cards, and when a file solves the case (U2 to U5, U9)."""

from collections import Counter
from collections.abc import Iterable
from typing import Final

from companion.rules.events import DiceExpected, DieFace

COLOURS: Final = ("green", "red", "yellow", "blue", "brown", "purple")
"""The colours of the fingerprints: each is one character, one face of a die and one kind of card."""
KIND: Final = "fingerprint"
DICE: Final = 6
FILE: Final = 6
"""Cards of a criminal file."""
CARDS: Final = 54
EACH: Final = CARDS // len(COLOURS)
"""Cards of one colour in the deck that the companion deals. Of the printed deck nobody told the split."""
CASES: Final = 3
"""So many solved cases win."""
UNSEEN: Final = ""
"""A card whose colour the companion does not know."""

DECK: Final = tuple(colour for colour in COLOURS for _ in range(EACH))
ALL_DICE: Final = DiceExpected(((KIND, DICE),), faces=COLOURS)


def one_die(locker: tuple[str, ...], die: int) -> DiceExpected:
    """One die in the air, the five others of the locker held; a picture may show it alone (U7)."""
    held = tuple(DieFace(KIND, face) for place, face in enumerate(locker) if place != die)
    return DiceExpected(((KIND, DICE),), held=held, faces=COLOURS)


def same(cards: Iterable[str], locker: Iterable[str]) -> bool:
    """Whether cards and dice are the same colours, each as often; their order does not matter (U9).

    >>> same(["yellow", "green"], ["green", "yellow"]), same(["green", "green"], ["green", "yellow"])
    (True, False)
    """
    return Counter(cards) == Counter(locker)


def missing(cards: Iterable[str], locker: Iterable[str]) -> Counter[str]:
    """The dice that no card matches.

    >>> missing(["green", "red"], ["green", "green"])
    Counter({'green': 1})
    """
    return Counter(locker) - Counter(cards)


def absent(locker: Iterable[str]) -> tuple[str, ...]:
    """The colours that no die of the locker shows: the identities with which a case can be solved."""
    there = set(locker)
    return tuple(colour for colour in COLOURS if colour not in there)
