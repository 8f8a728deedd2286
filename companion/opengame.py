"""The game on the table: its rows, its fold, its history. Used on the table's thread only."""

from contextlib import suppress
from typing import Any

from companion.errors import CompanionError, JournalError
from companion.evening import Entry, Evening
from companion.history import History
from companion.journal import GameRecord, Journal
from companion.rules.events import Seconds
from companion.rules.game import Expected, Game, Outcome
from companion.snapshot import GameInfo


class OpenGame:
    """One game of the journal, folded. ``write`` is the only way to a new row."""

    def __init__(self, record: GameRecord, game: Game[Any], journal: Journal) -> None:
        """Fold the kept rows. Raises CompanionError if this version cannot."""
        self.record = record
        self.game = game
        self.evening = Evening.begin(game, record.setup)
        self.history = History()
        self._journal = journal
        self._rows = journal.rows(record.id)
        self.observed = {row.observation for row in self._rows}
        self.next_seq = self._rows[-1].seq + 1 if self._rows else 1
        try:
            for row in self._rows:
                self.evening = self.evening.after(row)
                self.history = self.history.after(row, self.evening)
        except ValueError as fault:
            raise CompanionError(
                f"{record.title!r} cannot be reopened with this version: {fault}. It is kept as it is"
            ) from fault

    @property
    def left_at(self) -> tuple[Seconds, bool]:
        """Table time when it was left, and whether it was paused then."""
        pauses = [row for row in self._rows if row.kind in {"pause", "resume"}]
        if pauses and pauses[-1].kind == "pause":
            return Seconds(float(pauses[-1].line)), True
        return Seconds(self.evening.last_at), False

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

    def row(self, kind: str, line: str, source: str, observation: str) -> Entry:
        """The next row, not yet written."""
        return Entry(self.next_seq, kind, line, source, observation)

    def write(self, entry: Entry, after: Evening, *, confidence: float = 1.0) -> bool:
        """Make ``entry`` durable, then let ``after`` stand. False if it had been written before.

        Raises JournalError, and then nothing has changed.
        """
        was_over = self.outcome is not None
        if not self._journal.append(self.record.id, entry, confidence=confidence):
            return False
        self.observed.add(entry.observation)
        self.next_seq = entry.seq + 1
        self.evening = after
        self.history = self.history.after(entry, after)
        over = self.outcome is not None
        if over != was_over:
            with suppress(JournalError):  # the rows are the truth; this only saves the list a fold
                self._journal.mark_ended(self.record.id, ended=over)
        return True
