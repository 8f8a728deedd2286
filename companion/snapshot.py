"""What screens read: the table at one version, as values that never change."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.events import Notice, Observation, Seat, Seconds
from companion.rules.game import Expected, Outcome


@dataclass(frozen=True, slots=True)
class SeatInfo:
    """A place at the table. ``code`` lets another phone take it; a new ``generation`` ends old phones."""

    key: Seat
    name: str
    colour: str
    code: str
    generation: int = 1


@dataclass(frozen=True, slots=True)
class GameInfo:
    """A game that is kept. ``facts`` counts rows, undo and amendments among them."""

    id: str
    slug: str
    title: str
    started: str
    seats: tuple[Seat, ...]
    facts: int = 0
    ended: bool = False


@dataclass(frozen=True, slots=True)
class Proposal:
    """A reading that is not sure, as a question to the table."""

    id: str
    observation: Observation
    reason: str


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the shared history. ``line`` is the fact in the notation; None if it is secret."""

    seq: int
    at: Seconds
    by: Seat | None
    source: str
    told: str
    standing: bool = True
    amended: bool = False
    amendable: bool = False
    line: str | None = None


@dataclass(frozen=True, slots=True)
class Undoable:
    """What undo (or redo) would do, or, with ``seq`` None, why it cannot."""

    seq: int | None
    text: str


@dataclass(frozen=True, slots=True)
class Preview:
    """What an amendment would change, before anything is changed."""

    ok: bool
    text: str
    changes: tuple[str, ...] = ()
    stranded: Row | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What became of a submission.

    ``kept``: durable now; ``again``: had been kept before; ``asked``: became a question;
    ``ignored``: nobody waits for it; ``refused``: cannot happen, and ``text`` says why.
    """

    status: str
    text: str
    version: int

    @property
    def good(self) -> bool:
        """Whether it needs no correction by the sender."""
        return self.status in {"kept", "again", "asked"}


NOTHING_TO_UNDO = Undoable(None, "Nothing has happened yet.")


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The whole table at ``version``."""

    version: int = 0
    game: GameInfo | None = None
    state: Any = None
    expected: Expected = Expected()  # noqa: RUF009 - frozen and empty
    outcome: Outcome | None = None
    proposal: Proposal | None = None
    notices: tuple[Notice, ...] = ()
    paused: bool = False
    at: Seconds = Seconds(0.0)  # noqa: RUF009 - a number
    history: tuple[Row, ...] = ()
    undo: Undoable = NOTHING_TO_UNDO
    redo: Undoable = NOTHING_TO_UNDO
    seats: tuple[SeatInfo, ...] = ()
    sealed: bool = False
    """The game has ended and what the sensors had sealed can be opened."""
    book: Mapping[str, str] | None = None
    """What the sensors had sealed, by observation, once it is open."""
