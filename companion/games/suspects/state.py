"""Everything that is known of a game between two events.

Where the cards lie on the table the companion knows no colour but that of open ones: all others are
``UNSEEN``. Where it deals, the secret fields hold what only their owner may see.
"""

from dataclasses import dataclass, field
from enum import Enum
from typing import TypeVar

from companion.games.suspects.options import Rules
from companion.rules.events import Seat, Seconds

T = TypeVar("T")

NOBODY = -1
"""Stands for a player where there is none."""
PILE, DISCARD = "pile", "discard"


class Phase(Enum):
    """The one thing that the table is at."""

    DEALER = "dealer"
    """Who deals?"""
    FLIP = "flip"
    """The cards are dealt on the table; which one was turned up?"""
    SCENE = "scene"
    """The dealer rolls all six dice."""
    TRANSFER = "transfer"
    """The dice are moved to the locker and compared."""
    TURN = "turn"
    """The active player draws a card or takes a die."""
    DRAWN = "drawn"
    """The active player holds seven cards."""
    ROLL = "roll"
    """The die taken is in the air."""
    CALLED = "called"
    """A solution was called out; who else calls in the same moment?"""
    SHOWN = "shown"
    """The declarer's cards lie open and are compared."""
    SOLVED = "solved"
    """The case is solved, the next one not yet begun."""
    END = "end"


@dataclass(frozen=True, slots=True)
class Tamper:
    """One die rolled again in a turn. Players are places in ``State.seats``, dice in ``State.locker``."""

    turn: int
    player: int
    die: int
    was: str
    now: str


@dataclass(frozen=True, slots=True)
class Solved:
    """A case that was solved: by whom, what lay in the locker, and their identities where dealt."""

    case: int
    players: tuple[int, ...]
    locker: tuple[str, ...]
    identities: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class State:
    """A game of Unusual Suspects.

    ``identity``, ``file``, ``cases`` and ``forfeits`` stand in the order of ``seats``, to the left.
    The top of ``pile`` is its first card, that of ``discard`` its last. Identities, files, pile and
    discards are always 54 cards. ``taken`` is the colour that the active player took from the discards;
    ``back`` is where the game goes on if a declaration does not hold, ``proven`` are those whose does.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    deal: str = field(repr=False)
    cases: tuple[int, ...]
    forfeits: tuple[bool, ...]
    phase: Phase = Phase.DEALER
    case: int = 0
    dealer: int = NOBODY
    active: int = NOBODY
    last: int = NOBODY
    turn: int = 0
    began: Seconds = Seconds(0.0)  # noqa: RUF009 - a number
    rung: bool = False
    identity: tuple[str, ...] = field(default=(), repr=False)
    file: tuple[tuple[str, ...], ...] = field(default=(), repr=False)
    pile: tuple[str, ...] = field(default=(), repr=False)
    discard: tuple[str, ...] = ()
    shuffles: int = 0
    taken: str = ""
    locker: tuple[str, ...] = ()
    die: int = NOBODY
    rolls: frozenset[str] = frozenset()
    tampers: tuple[Tamper, ...] = ()
    back: Phase = Phase.TURN
    claims: tuple[int, ...] = ()
    proven: tuple[int, ...] = ()
    solved: tuple[Solved, ...] = ()

    def left_of(self, player: int) -> int:
        """The player to the left."""
        return (player + 1) % len(self.seats)

    def from_active(self, players: tuple[int, ...]) -> tuple[int, ...]:
        """These players from the active one leftwards (C2)."""
        return tuple(sorted(players, key=lambda player: (player - self.active) % len(self.seats)))


def fresh(rules: Rules, seats: tuple[Seat, ...], deal: str) -> State:
    """The table before anything has happened."""
    none = len(seats)
    return State(rules=rules, seats=seats, deal=deal, cases=(0,) * none, forfeits=(False,) * none)


def put(items: tuple[T, ...], place: int, item: T) -> tuple[T, ...]:
    """``items`` with another one at ``place``.

    >>> put(("green", "red"), 1, "blue")
    ('green', 'blue')
    """
    return (*items[:place], item, *items[place + 1 :])
