"""Everything that is known of a game between two events."""

from dataclasses import dataclass, field
from enum import Enum

from companion.games.teatime.options import Rules
from companion.games.teatime.pieces import CELLS, ROOMS, SIDE, Space, Tile
from companion.rules.events import Seat, Seconds

NOBODY = -1
"""Stands for a player where there is none."""
NONE: tuple[int, ...] = (0,) * SIDE
"""No dice tile of any number."""


class Phase(Enum):
    """The one thing that the table is at."""

    BOX = "box"
    """The companion deals the box's tiles and does not know them all yet."""
    FIRST = "first"
    """Who goes first?"""
    ROLL = "roll"
    """The active player throws; after the first throw he may also choose."""
    CHOOSE = "choose"
    """No throw is left: the active player activates a tile, or passes."""
    OTHERS = "others"
    """Everybody else does, at the same time."""
    SCORE = "score"
    """The last round is over, and points are counted where the companion keeps no picture."""
    END = "end"


class Special(Enum):
    """A roll that lets the active player activate any tile."""

    JACKPOT = "Flawless jackpot"
    STREAK = "Lucky streak"


@dataclass(frozen=True, slots=True)
class Player:
    """One player's board and what lies beside it.

    ``cells``: what lies on each. ``right`` and ``discard`` count the dice tiles at the right side and in
    the discard pile, by number from 1. ``tokens``: the cells of the detectives with a token; where no
    picture is kept, ``counted`` is how many there are. ``gained``, ``lost``: cells where a token was put or
    taken back in the round that was played last. ``drawn``: how often a tile came back. ``points``: what
    the player says at the end where no picture is kept.
    """

    cells: tuple[Space | Tile, ...] = (Space.DOWN,) * CELLS
    right: tuple[int, ...] = NONE
    discard: tuple[int, ...] = NONE
    tokens: tuple[int, ...] = ()
    counted: int = 0
    gained: tuple[int, ...] = ()
    lost: tuple[int, ...] = ()
    drawn: int = 0
    points: int | None = None


@dataclass(frozen=True, slots=True)
class State:
    """A game of Tea Time Crime.

    ``under`` is what the companion dealt, player by player and cell by cell; nobody may know it. ``box``:
    the detectives and thieves that the box is known to have. ``dice`` are the faces by die, none before the
    first throw; ``taken`` is the number that the active player took, 0 for none. ``waiting``: who of the
    others has yet to act; ``idle``: who had nothing to do in this round. ``over``: who placed five tokens.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    names: tuple[str, ...]
    deal: str = field(repr=False)
    players: tuple[Player, ...]
    box: tuple[Tile, ...]
    rooms: tuple[int, ...] = ROOMS
    under: tuple[tuple[Tile, ...], ...] = field(default=(), repr=False)
    carried: tuple[tuple[str, str], ...] = ()
    phase: Phase = Phase.FIRST
    round: int = 0
    active: int = NOBODY
    throws: int = 0
    dice: tuple[str, ...] = ()
    held: frozenset[str] = frozenset()
    rolls: frozenset[str] = frozenset()
    taken: int = 0
    special: Special | None = None
    waiting: tuple[int, ...] = ()
    idle: tuple[int, ...] = ()
    began: Seconds = Seconds(0.0)  # noqa: RUF009 - a number
    rung: bool = False
    over: tuple[int, ...] = ()

    def called(self, player: int) -> str:
        """A player's name; empty for nobody."""
        return self.names[player] if player != NOBODY else ""


def put(players: tuple[Player, ...], place: int, player: Player) -> tuple[Player, ...]:
    """``players`` with another one at ``place``."""
    return (*players[:place], player, *players[place + 1 :])
