"""The game on the table: its rows, its fold, its history. Used on the table's thread only."""

from collections.abc import Mapping
from contextlib import suppress
from itertools import count
from typing import Any

from companion.book import Book
from companion.errors import CompanionError, JournalError
from companion.evening import Entry, Evening, Reading
from companion.history import History
from companion.journal import GameRecord, Journal
from companion.rules.events import Seconds
from companion.rules.game import Expected, Game, Outcome
from companion.seal import Seal
from companion.snapshot import GameInfo


class OpenGame:
    """One game of the journal, folded. ``write`` is the only way to a new row."""

    def __init__(self, record: GameRecord, game: Game[Any], journal: Journal, seal: Seal) -> None:
        """Fold the kept rows. Raises CompanionError if this version cannot."""
        self.record = record
        self.game = game
        self.history = History()
        self._journal = journal
        self._book = Book(record.id, journal, seal)
        self._entries: dict[str, str] | None = None
        rows = journal.rows(record.id)
        self.released = next((row.line for row in rows if row.kind == "unseal"), "")
        """The key of the sealed book once somebody has opened it after the outcome."""
        self.observed = {row.observation for row in rows}
        self.next_seq = rows[-1].seq + 1 if rows else 1
        self.left_at = (Seconds(0.0), False)
        """Table time when it was left, as far as its rows tell, and whether it was paused then."""
        try:
            self.evening = Evening.begin(game, record.setup)
            for row in rows:
                self.evening = self.evening.after(row)
                self.history = self.history.after(row, self.evening)
                self.left_at = _left(self.left_at, row, self.evening)
        except ValueError as fault:
            raise CompanionError(
                f"{record.title!r} cannot be reopened with this version: {fault}. It is kept as it is"
            ) from fault

    @property
    def outcome(self) -> Outcome | None:
        """How it ended, if it has."""
        return self.game.outcome(self.evening.state)

    @property
    def expected(self) -> Expected:
        """What may come next."""
        return self.game.expects(self.evening.state)

    @property
    def info(self) -> GameInfo:
        """What the list of games shows."""
        record = self.record
        seats, facts, ended = record.setup.seats, self.next_seq - 1, self.outcome is not None
        return GameInfo(record.id, record.slug, record.title, record.started, seats, facts, ended)

    @property
    def book(self) -> Mapping[str, str] | None:
        """What sensors had sealed, by observation; None unless it is open: released, or a training."""
        if not self.released and not self.game.open_book(self.evening.state):
            return None
        if self._entries is None:
            try:
                self._entries = dict(self._book.opened(self.released))
            except JournalError:
                self._entries = {}
        return self._entries

    @property
    def sealed(self) -> bool:
        """Whether there is a book to be opened now: the game has ended, and it has entries."""
        if self.released or self.outcome is None:
            return False
        with suppress(JournalError):
            return bool(self._journal.sealed(self.record.id))
        return False

    def release(self, source: str) -> None:
        """Write the book's key into the journal; nothing is taken back any more. Raises JournalError."""
        key = self._book.key()
        self.write(self.row("unseal", key, source, self.own_id("unseal")), self.evening)
        self.released, self._entries = key, None

    def own_id(self, kind: str) -> str:
        """An id for a row of the table's own, which no phone has used up, by chance or in bad faith."""
        names = (f"{kind}-{self.next_seq}{'+' * n}" for n in count())
        return next(name for name in names if name not in self.observed)

    def row(self, kind: str, line: str, source: str, observation: str) -> Entry:
        """The next row, not yet written."""
        return Entry(self.next_seq, kind, line, source, observation)

    def write(
        self,
        entry: Entry,
        after: Evening,
        *,
        confidence: float = 1.0,
        reading: Reading | None = None,
        sealed: str = "",
    ) -> bool:
        """Make ``entry`` durable, then let ``after`` stand. False if it had been written before.

        ``sealed`` goes into the book, encrypted. Raises JournalError, and then nothing has changed.
        """
        was_over = self.outcome is not None
        token = self._book.closed(sealed) if sealed else ""
        if not self._journal.append(
            self.record.id, entry, confidence=confidence, reading=reading, sealed=token
        ):
            return False
        if sealed and self._entries is not None:
            self._entries[entry.observation] = sealed
        self.observed.add(entry.observation)
        self.next_seq = entry.seq + 1
        self.evening = after
        self.history = self.history.after(entry, after)
        over = self.outcome is not None
        if over != was_over:
            with suppress(JournalError):  # the rows are the truth; this only saves the list a fold
                self._journal.mark_ended(self.record.id, ended=over)
        return True


def _left(left: tuple[Seconds, bool], row: Entry, evening: Evening) -> tuple[Seconds, bool]:
    """Where table time stands after ``row``, given where it stood before."""
    at, paused = left
    match row.kind:
        case "pause" | "resume":
            return Seconds(float(row.line)), row.kind == "pause"
        case "amend":
            return Seconds(max(at, evening.last_at)), paused
        case _:
            return Seconds(evening.last_at), paused
