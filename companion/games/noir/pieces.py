"""The pieces: twenty-five suspects and their evidence cards (N0)."""

from typing import Final

NAMES: Final = (
    *("Alyss", "Barrin", "Clive", "Deidre", "Ernest"),
    *("Franklin", "Geneva", "Horatio", "Irma", "Julian"),
    *("Kristoph", "Linus", "Marion", "Niel", "Ophelia"),
    *("Phoebe", "Quinton", "Ryan", "Simon", "Trevor"),
    *("Udstad", "Vladimir", "Wilhelm", "Yvonne", "Zachary"),
)
"""The suspects as their cards spell them, from A to Z without X. A card is its place in this list."""
SIDE: Final = 5
"""The grid is so many rows of so many suspects at first."""
CARDS: Final = len(NAMES)
ALL: Final = (1 << CARDS) - 1
"""A set of suspects is a number with one bit for each."""
FOUR: Final = 4
"""Evidence cards that the inspector is dealt; one of them becomes the identity."""
HAND: Final = FOUR - 1
UNSEEN: Final = -1
"""A card whose suspect the companion does not know."""

_PLACES: Final = {name: card for card, name in enumerate(NAMES)}


def card_of(name: str) -> int | None:
    """The card with this name; None if there is none.

    >>> card_of("Clive"), card_of("Xavier")
    (2, None)
    """
    return _PLACES.get(name)


def bit(card: int) -> int:
    """The set of one suspect; of a card not known the empty one.

    >>> bit(2), bit(UNSEEN)
    (4, 0)
    """
    return 1 << card if card >= 0 else 0


def members(some: int) -> tuple[int, ...]:
    """The suspects of a set, in alphabetical order.

    >>> members(0b1010)
    (1, 3)
    """
    return tuple(card for card in range(some.bit_length()) if some >> card & 1)
