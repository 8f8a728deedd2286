"""Everything that is known of a game between two events.

Where the cards lie on the table the companion knows none that lies face down: all those are ``UNSEEN``.
Where it deals, the secret fields hold what only their owner may see.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from companion.games.noir.grid import Grid, Line
from companion.games.noir.options import Rules
from companion.games.noir.pieces import ALL, CARDS, UNSEEN, bit
from companion.rules.events import Seat, Seconds

NOBODY: Final = -1
"""Stands for a player or a card where there is none."""
KILLER, INSPECTOR = 0, 1
"""The roles; each is the other's ``1 - role``."""


class Phase(Enum):
    """The one thing that the table is at."""

    ROLE = "role"
    """Who is the killer?"""
    LAYOUT = "layout"
    """Which suspect lies where?"""
    FIRST = "first"
    """The killer's first turn: a kill."""
    CHOOSE = "choose"
    """The inspector's first turn: an identity."""
    TURN = "turn"
    """One action of the player whose turn it is."""
    VICTIM = "victim"
    """On cards: was the victim the inspector?"""
    ARREST = "arrest"
    """On cards: is the arrested suspect the killer?"""
    DISGUISE = "disguise"
    """On cards: the killer has looked at the top card; what became of it?"""
    EXONERATE = "exonerate"
    """The inspector holds four cards: one is laid open."""
    CANVASS = "canvass"
    """The other player says whether the own identity is next to the suspect."""
    END = "end"


class End(Enum):
    """How a game ends."""

    KILLED = "killed"
    """The victim was the inspector (N8)."""
    SPREE = "spree"
    """So many are deceased that the killer wins (N16)."""
    ARRESTED = "arrested"
    """The arrested suspect was the killer (N9)."""


@dataclass(frozen=True, slots=True)
class Shift:
    """A line that was moved, and which way."""

    line: Line
    way: str


@dataclass(frozen=True, slots=True)
class State:
    """A game of Noir.

    ``killer`` is the killer's place in ``seats``, ``role`` whose turn it is. Suspects and evidence cards
    are numbers 0 to 24 (``pieces.NAMES``), sets of them are bits of a number. ``deck`` is drawn from its
    beginning; ``shown`` are the evidence cards that lie face up. ``asked`` is the suspect that a question
    is about. ``could`` are the suspects that killer and inspector may be by what everybody knows. ``gone``
    are the lines, ``taken`` the cards that the last action took off the grid.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    deal: str = field(repr=False)
    grid: Grid
    phase: Phase = Phase.ROLE
    killer: int = NOBODY
    role: int = KILLER
    turn: int = 0
    began: Seconds = Seconds(0.0)  # noqa: RUF009 - a number
    rung: bool = False
    alive: int = ALL
    innocent: int = 0
    shown: tuple[int, ...] = ()
    deck: tuple[int, ...] = field(default=(), repr=False)
    identity: tuple[int, int] = field(default=(UNSEEN, UNSEEN), repr=False)
    hand: tuple[int, ...] = field(default=(), repr=False)
    chosen: bool = False
    last_shift: Shift | None = None
    asked: int = NOBODY
    could: tuple[int, int] = (ALL, ALL)
    gone: tuple[Line, ...] = ()
    taken: tuple[int, ...] = ()
    end: End | None = None

    @property
    def dead(self) -> int:
        """How many are deceased, those taken off the grid included."""
        return CARDS - self.alive.bit_count()

    def place_of(self, role: int) -> int:
        """Who plays a role, as a place in ``seats``."""
        return self.killer if role == KILLER else 1 - self.killer

    def seat_of(self, role: int) -> Seat:
        """Who plays a role."""
        return self.seats[self.place_of(role)]

    def name_of(self, role: int) -> str:
        """What the player of a role is called."""
        return self.names[self.place_of(role)]

    def lives(self, card: int) -> bool:
        """Whether a suspect lies alive on the grid."""
        return bool(self.alive & bit(card))
