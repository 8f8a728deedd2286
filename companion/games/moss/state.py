"""Everything that is known of a game between two events. Elimination is never stored (M27)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType

from companion.games.moss.grid import CELLS, CENTRE, Cell
from companion.games.moss.options import Rules
from companion.games.moss.tiles import Room, Tile
from companion.rules.events import Seat

DICE = ("w1", "w2", "w3", "w4", "w5", "w6", "w7", "c")
"""The dice by name, in the order of ``Turn.faces``: seven white ones and the coloured one."""
COLOURED = 7
"""The place of the coloured die in that order."""
PLACE = {die: place for place, die in enumerate(DICE)}

SUSPECTS, EVIDENCE_TOKENS, ASSISTANCE_TOKENS = 10, 8, 10
CARRY_LIMIT = 3
USE_LIMIT = 6
THROWS = 3


class Phase(Enum):
    """Where the game is. TIME takes no waiting: it is the event that ends a turn."""

    SETUP = "setup"
    ROLL = "roll"
    ACT = "act"
    WON = "won"
    LOST_TIME = "lost_time"
    LOST_NOBODY = "lost_nobody"


OVER = frozenset({Phase.WON, Phase.LOST_TIME, Phase.LOST_NOBODY})


@dataclass(frozen=True, slots=True)
class Piles:
    """What the companion has dealt face-down: secret, and empty when the table's own box is used.

    ``tiles`` by cell (None in the centre); of the other piles the first is the next.
    """

    tiles: tuple[Tile | None, ...] = field(default=(), repr=False)
    suspects: tuple[str, ...] = field(default=(), repr=False)
    evidence: tuple[str, ...] = field(default=(), repr=False)
    assistance: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class Clue:
    """An evidence token that has come out, by the cell where it lies (an alibi: was found).

    ``kind`` is empty while nobody has told the companion; it is secret until ``shown``. ``turn`` is an
    arrow's setting in steps of 45 degrees, None before it is laid; ``on`` is the suspect under an alibi.
    """

    home: Cell
    kind: str = field(default="", repr=False)
    shown: bool = False
    turn: int | None = None
    on: str = ""
    peeked: frozenset[Seat] = frozenset()


@dataclass(frozen=True, slots=True)
class Car:
    """The Police Car at ``side`` (0 to 3) of ``cell``; ``number`` 0 needs no dice."""

    cell: Cell
    side: int
    number: int


@dataclass(frozen=True, slots=True)
class Turn:
    """The dice of this turn: ``faces`` in the order of ``DICE`` (empty before the first throw)."""

    number: int = 1
    throws: int = 0
    faces: tuple[int, ...] = ()
    held: frozenset[str] = frozenset()
    used: tuple[str, ...] = ()
    lucky: int = 0


@dataclass(frozen=True, slots=True)
class Due:
    """What the rules demand before anything else may happen."""

    reveal: tuple[Cell, ...] = ()
    hand: tuple[Cell, Tile] | None = None
    car_at: Cell | None = None
    found: Cell | None = None


@dataclass(frozen=True, slots=True)
class Flips:
    """The suspect tokens to flip since the last change of tiles or evidence."""

    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class State:
    """A game of Inspector Moss.

    ``names`` and ``where`` stand side by side, one place a suspect; ``where`` is None before a suspect
    comes out and again once arrested. ``lying`` are assistance tokens on the board, an uncollected or
    placed Secret Passageway among them. ``bombs`` are pairs of cells, the lower first. ``earlier`` is
    what the last evening left, ``remembered`` the tiles that any evening told of.
    """

    rules: Rules
    seats: tuple[Seat, ...]
    start: int
    minutes: int
    piles: Piles
    names: tuple[str, ...]
    phase: Phase = Phase.SETUP
    rooms: tuple[Room | None, ...] = (None,) * len(CELLS)
    moss: Cell = CENTRE
    car: Car | None = None
    bombs: frozenset[tuple[Cell, Cell]] = frozenset()
    where: tuple[Cell | None, ...] = (None,) * SUSPECTS
    arrested: str = ""
    clues: tuple[Clue, ...] = ()
    removed: tuple[Clue, ...] = ()
    lying: tuple[tuple[str, Cell], ...] = ()
    carried: tuple[str, ...] = ()
    spent: tuple[str, ...] = ()
    proved: bool = False
    turn: Turn = Turn()
    due: Due = Due()
    flips: Flips = Flips()
    rolls: frozenset[str] = frozenset()
    notes: tuple[tuple[Seat, str], ...] = field(default=(), repr=False)
    remembered: tuple[Tile, ...] = ()
    earlier: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def evidence_left(self) -> int:
        """Evidence tokens that have not come out yet."""
        return EVIDENCE_TOKENS - len(self.clues) - len(self.removed)

    @property
    def assistance_left(self) -> int:
        """Assistance tokens that have not come out yet."""
        return ASSISTANCE_TOKENS - len(self.lying) - len(self.carried) - len(self.spent)

    @property
    def unplaced(self) -> tuple[str, ...]:
        """The suspects that have not come out yet."""
        return tuple(
            name
            for name, cell in zip(self.names, self.where, strict=True)
            if cell is None and name != self.arrested
        )

    def clue_at(self, cell: Cell) -> Clue | None:
        """The evidence token whose place is ``cell``."""
        return next((clue for clue in self.clues if clue.home == cell), None)

    def suspect_at(self, cell: Cell) -> str:
        """The suspect on ``cell``, empty without one."""
        return self.names[self.where.index(cell)] if cell in self.where else ""

    def tokens_at(self, cell: Cell) -> tuple[str, ...]:
        """The kinds of assistance tokens that lie on ``cell``."""
        return tuple(kind for kind, there in self.lying if there == cell)

    def passage_at(self, cell: Cell) -> int | None:
        """The lowest number of a secret passage on ``cell``, None without one."""
        room = self.rooms[cell]
        if room is None:
            return None
        own = [] if room.tile.passage is None else [room.tile.passage]
        token = [self.rules.passage_token] if ("passageway", cell) in self.lying else []
        return min(own + token, default=None)

    def number_at(self, cell: Cell) -> int:
        """The number that a move to face-up ``cell`` needs; 0 needs no dice."""
        room = self.rooms[cell]
        if cell == CENTRE and self.rules.scene_number is not None:
            return self.rules.scene_number
        return room.tile.number if room else 0
