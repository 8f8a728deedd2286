"""Everything that is known of a game between two events.

Where cubes lie in the tower is nowhere in here: only how many of each colour are inside, which
anybody at the table can reckon, and what was openly seen when a floor was lifted.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from companion.games.arosa.options import Rules
from companion.games.arosa.pieces import CLUES, FLOORS, VICTIM, VICTIMS
from companion.rules.events import Seat, Seconds

NOBODY = -1
"""Stands for the player whose turn it is while the table is asked who begins."""
SILENT = 6
"""A tower that has not heard so many cubes in a row is taken for one that is not there."""
SUSPICION, COVER = "suspicion", "cover"


class Phase(Enum):
    """The parts of the game."""

    PROLOG = "prolog"
    ACT1 = "act1"
    ACT2 = "act2"
    END = "end"


@dataclass(frozen=True, slots=True)
class Turn:
    """One investigation. Players are places in ``State.seats``.

    ``recoverable``: own clues that may still be taken back; ``penalty``: own clues still to throw.
    """

    number: int = 0
    began: Seconds = Seconds(0.0)  # noqa: RUF009 - a number
    rung: bool = False
    called: str = ""
    suspects: tuple[int, ...] = ()
    floor: int | None = None
    inspected: bool = False
    recoverable: int = 0
    penalty: int = 0


@dataclass(frozen=True, slots=True)
class Named:
    """A cube thrown, and named by a tap or, where only one colour could be, by its drop alone.

    ``drop`` is empty until the tower has heard it; ``own``: it came from the thrower's supply.
    """

    colour: str
    at: Seconds
    thrower: int
    own: bool
    tapped: bool
    drop: str = ""


@dataclass(frozen=True, slots=True)
class Drop:
    """A cube that the tower heard. ``colour`` is empty for what was no cube after all."""

    id: str
    at: Seconds
    colour: str = ""
    thrower: int = NOBODY


@dataclass(frozen=True, slots=True)
class Throwing:
    """One player's throws, matched with the tower.

    ``waiting``: drops whose colour is still to be named; ``done``: all are named, ``back`` is where
    the game stood before it went on; ``listen``: when to ask about cubes not heard; ``late``: cubes
    of the throws before that the tower may still report.
    """

    named: tuple[Named, ...] = ()
    waiting: tuple[Drop, ...] = ()
    done: bool = False
    back: tuple[Phase, int, Turn] | None = None
    listen: Seconds | None = None
    asked: bool = False
    late: tuple[Named, ...] = ()


@dataclass(frozen=True, slots=True)
class Reveal:
    """What everybody saw when a floor was lifted.

    ``found`` counts clues by player, ``laid`` is (player, clues) that went on the sheet; ``inside`` is
    how many were in the tower then, victims last.
    """

    at: Seconds
    player: int
    called: str
    suspects: tuple[int, ...]
    floor: int
    found: tuple[int, ...]
    victims: int
    laid: tuple[tuple[int, int], ...]
    inside: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Fallen:
    """Cubes that fell out of the hotel, counted by player, victims last."""

    at: Seconds
    cubes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Guess:
    """A private note that a cube of ``colour`` lies on ``floor``."""

    seat: Seat
    colour: str
    floor: int
    at: Seconds

    @property
    def note(self) -> str:
        """What it says, as text such as ``grey:6``."""
        return f"{self.colour}:{self.floor}"


@dataclass(frozen=True, slots=True)
class State:
    """A game of Mord im Arosa.

    ``colours``, ``supply``, ``sheet``, ``tower`` and ``loose`` stand in the order of ``seats``; loose
    cubes were taken or fell out of the hotel and are not yet thrown back. ``outside`` are victims in
    somebody's hand; ``silent`` counts cubes named since the tower last heard one. For each player
    supply, sheet, tower and loose add up to twenty.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    colours: tuple[str, ...]
    supply: tuple[int, ...]
    sheet: tuple[tuple[int, ...], ...]
    tower: tuple[int, ...]
    loose: tuple[int, ...]
    inside: int = 0
    outside: int = VICTIMS
    scenes: tuple[int, ...] = ()
    phase: Phase = Phase.PROLOG
    active: int = NOBODY
    knife: int = NOBODY
    turn: Turn = Turn()
    throwing: Throwing = Throwing()
    drops: tuple[Drop, ...] = ()
    silent: int = 0
    strays: tuple[Drop, ...] = ()
    reveals: tuple[Reveal, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    guesses: tuple[Guess, ...] = field(default=(), repr=False)
    ended: str = ""
    earlier: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    names: tuple[str, ...] = ()

    @property
    def found(self) -> int:
        """Victims found so far."""
        return VICTIMS - self.inside - self.outside

    @property
    def tower_hears(self) -> bool:
        """Whether there is a tower whose silence means something: not one that fell silent long ago."""
        return self.silent < SILENT and any(drop.colour for drop in self.drops)

    def name(self, player: int) -> str:
        """What a player is called."""
        return self.names[player]

    def called(self, seat: Seat) -> str:
        """What the player at ``seat`` is called; a seat that does not play is called by its key."""
        return self.names[self.seats.index(seat)] if seat in self.seats else f"{seat[:1].upper()}{seat[1:]}"

    def on_sheet(self, player: int) -> int:
        """Clues of a player on the sheet."""
        return sum(self.sheet[player])

    def player_of(self, colour: str) -> int:
        """Whose colour it is; NOBODY for the victims' and for colours that nobody plays."""
        return self.colours.index(colour) if colour in self.colours else NOBODY


def fresh(rules: Rules, seats: tuple[Seat, ...], colours: tuple[str, ...], names: tuple[str, ...]) -> State:
    """The table before anything has happened (A1)."""
    players = len(seats)
    knife = NOBODY if rules.knife_asked else 0
    return State(
        rules=rules,
        seats=seats,
        colours=colours,
        supply=(CLUES,) * players,
        sheet=((0,) * len(FLOORS),) * players,
        tower=(0,) * players,
        loose=(0,) * players,
        active=knife,
        knife=knife,
        names=names,
    )


def changed(counts: tuple[int, ...], player: int, by: int) -> tuple[int, ...]:
    """``counts`` with one player's raised by ``by``.

    >>> changed((20, 20), 1, -2)
    (20, 18)
    """
    return (*counts[:player], counts[player] + by, *counts[player + 1 :])


def colour_counts(state: State, counts: tuple[int, ...], victims: int) -> tuple[tuple[str, int], ...]:
    """Clues by player and victims, as (colour, how many) with no empty ones, victims last."""
    pairs = (*zip(state.colours, counts, strict=True), (VICTIM, victims))
    return tuple((colour, n) for colour, n in pairs if n)
