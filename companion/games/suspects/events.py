"""What can happen in Unusual Suspects, beside dice that come to rest and bells.

No event holds a secret: identities, files and the order of the pile follow from the sealed deal.
"""

from dataclasses import dataclass

from companion.rules.events import Event, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class DealerNamed(Event):
    """This player watched a mystery film last, and deals the first case."""

    player: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstCardTurned(Event):
    """Cards are dealt on the table, and this colour was turned up to begin the discard pile."""

    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LockerCompared(Event):
    """The six dice lie on the Evidence Locker and show what was rolled."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDrawn(Event):
    """The active player drew a card from the ``pile``, or took the open one of the ``discard`` pile."""

    source: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CardDiscarded(Event):
    """The active player laid a card of this colour open on the discard pile."""

    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DieTaken(Event):
    """The active player took this die of the locker, 1 to 6, to roll it."""

    die: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseDeclared(Event):
    """The player who tapped has solved the case, and called it out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardsCompared(Event):
    """Somebody else compared the cards that the declarer laid open: whether they solve the case."""

    match: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class FalselyCalled(Event):
    """This player called out a solution that the own phone did not confirm."""

    player: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseOpened(Event):
    """All cards were collected, and the next case begins."""


EVENTS = (
    DealerNamed,
    FirstCardTurned,
    LockerCompared,
    CardDrawn,
    CardDiscarded,
    DieTaken,
    CaseDeclared,
    CardsCompared,
    FalselyCalled,
    CaseOpened,
)
