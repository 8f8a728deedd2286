"""The shared history: one row for every event, struck out once it stands no more."""

from dataclasses import dataclass, replace

from companion.evening import Entry, Evening, Fact
from companion.rules import notation
from companion.snapshot import Row


@dataclass(frozen=True, slots=True)
class History:
    """Rows in the order of their facts, oldest first."""

    rows: tuple[Row, ...] = ()

    def row(self, seq: int) -> Row | None:
        """The row of fact ``seq``."""
        return next((row for row in self.rows if row.seq == seq), None)

    def after(self, entry: Entry, evening: Evening) -> "History":
        """With one more row of the journal, after which the evening is ``evening``."""
        return self._with_last(evening) if entry.kind == "event" else self.shown(evening)

    def shown(self, evening: Evening) -> "History":
        """As ``evening`` stands; rows of facts that were undone for good stay, struck out."""
        last = evening.facts[-1] if evening.facts else None
        shown = self.rows[-1] if self.rows else None
        if last and (shown is None or last.seq > shown.seq) and not self._turned(evening):
            return self._with_last(evening)
        facts = {fact.seq: fact for fact in (*evening.facts, *evening.undone)}
        standing = {fact.seq for fact in evening.facts}
        rows = {row.seq: replace(row, standing=False, amendable=False) for row in self.rows}
        for seq, fact in facts.items():
            rows[seq] = _row(fact, evening, standing=seq in standing)
        return History(tuple(rows[seq] for seq in sorted(rows)))

    def _with_last(self, evening: Evening) -> "History":
        return History((*self.rows, _row(evening.facts[-1], evening, standing=True)))

    def _turned(self, evening: Evening) -> bool:
        standing = sum(row.standing for row in self.rows)
        return standing != len(evening.facts) - 1 or bool(evening.undone)


def _row(fact: Fact, evening: Evening, *, standing: bool) -> Row:
    secret = evening.game.secrets(fact.event)
    return Row(
        seq=fact.seq,
        at=fact.event.at,
        by=fact.event.by,
        source=fact.source,
        told=fact.told,
        standing=standing,
        amended=fact.amended,
        amendable=standing and not secret and evening.game.correctable(evening.start, fact.event),
        line=None if secret else notation.write(fact.event),
    )
