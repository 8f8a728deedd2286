"""What can happen in Inspector Moss, beside the throwing of dice. Dice are named w1 to w7 and c."""

from dataclasses import dataclass

from companion.games.moss.grid import Cell
from companion.games.moss.tiles import Tile
from companion.rules.events import Event


@dataclass(frozen=True, slots=True, kw_only=True)
class SceneLaid(Event):
    """The table's own Scene of the Crime lies in the centre, ``turn`` quarter turns clockwise."""

    tile: Tile
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectNamed(Event):
    """A suspect of the table's own box has got their printed name."""

    suspect: str
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TileRevealed(Event):
    """A tile was turned up. With ``turn`` it was laid down again at once, else ``TileLaid`` follows.

    ``tile`` only with the table's own box; ``token`` is what was put on it (see ``TileLaid``).
    """

    cell: Cell
    tile: Tile | None = None
    turn: int | None = None
    token: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TileLaid(Event):
    """The tile in hand was laid, ``turn`` quarter turns clockwise.

    ``token`` names the suspect or the kind of assistance token put on it, where the companion does
    not draw it itself. Evidence is never named: nobody has looked.
    """

    turn: int
    token: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CarPlaced(Event):
    """The Police Car stands at ``side`` (N, E, S or W) of the tile just laid.

    ``number`` is printed on it, 0 when none is; only where the options say to ask.
    """

    side: str
    number: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceHeld(Event):
    """These dice, and no others, stay as they lie in the next throw."""

    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingStopped(Event):
    """No more throws in this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Moved(Event):
    """Moss walked to a neighbouring tile."""

    to: Cell
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageTaken(Event):
    """Moss took a secret passage. ``flashlight=no`` leaves a carried Flashlight off."""

    to: Cell
    dice: tuple[str, ...] = ()
    flashlight: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class CarReached(Event):
    """Moss walked out to the Police Car."""

    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenCollected(Event):
    """An assistance token on Moss's tile was taken."""

    token: str
    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TokenDropped(Event):
    """One of four carried tokens was left on Moss's tile."""

    token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceGathered(Event):
    """The evidence on Moss's tile was turned up; ``kind`` only with the table's own box."""

    dice: tuple[str, ...]
    kind: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrowPointed(Event):
    """The arrow just gathered lies ``turn`` steps of 45 degrees clockwise."""

    turn: int


@dataclass(frozen=True, slots=True, kw_only=True)
class AlibiGiven(Event):
    """The alibi just gathered lies on ``suspect``."""

    suspect: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceTainted(Event):
    """The tainted token just gathered took the evidence found on ``cell``, or one not yet placed."""

    cell: Cell | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceReexamined(Event):
    """The evidence on Moss's tile was changed: an arrow to ``turn``, an alibi to ``suspect``."""

    dice: tuple[str, ...]
    turn: int | None = None
    suspect: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class UnplacedTurnedDown(Event):
    """Every face-down tile is pointed at, so the suspects not yet placed were turned down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectArrested(Event):
    """The last suspect, on Moss's tile, was taken along."""

    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class LuckyBreakUsed(Event):
    """A white die was turned to ``face``, 1 to 6."""

    die: str
    face: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InformantUsed(Event):
    """The seat that tapped has looked at the hidden evidence on Moss's tile."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassagewayPlaced(Event):
    """The Secret Passageway token was put on ``cell``."""

    cell: Cell


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceSwitched(Event):
    """The evidence tokens of these two cells changed places."""

    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BombPlaced(Event):
    """A doorway was blown open between two neighbouring tiles."""

    between: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TimePassed(Event):
    """The turn is over and its minutes are paid."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeSkipped(Event):
    """The turn is over and, with No Time to Lose, cost nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteWritten(Event):
    """A private note; nobody but the seat that wrote it sees it."""

    text: str


EVENTS: tuple[type[Event], ...] = (
    SceneLaid,
    SuspectNamed,
    TileRevealed,
    TileLaid,
    CarPlaced,
    DiceHeld,
    RollingStopped,
    Moved,
    PassageTaken,
    CarReached,
    TokenCollected,
    TokenDropped,
    EvidenceGathered,
    ArrowPointed,
    AlibiGiven,
    EvidenceTainted,
    EvidenceReexamined,
    UnplacedTurnedDown,
    SuspectArrested,
    LuckyBreakUsed,
    InformantUsed,
    PassagewayPlaced,
    EvidenceSwitched,
    BombPlaced,
    TimePassed,
    TimeSkipped,
    NoteWritten,
)
