"""The ledger: how often each reader of dice was right, by what the tables said. A fold over the journal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import TypeVar

from companion.evening import Entry, Reading
from companion.journal import Journal
from companion.rules import notation
from companion.rules.events import DiceRolled, DieFace

Key = TypeVar("Key")


@dataclass(frozen=True, slots=True)
class Judged:
    """One reading and what stands now. ``asked``: it was a question, else it counted at once."""

    reader: str
    day: date
    read: tuple[DieFace, ...]
    stands: tuple[DieFace, ...]
    asked: bool

    @property
    def right(self) -> bool:
        """Whether the dice were as read, in whatever order."""
        return Counter(self.read) == Counter(self.stands)


@dataclass(frozen=True, slots=True)
class Tally:
    """``right`` of ``total``, and the day of the last wrong one."""

    right: int = 0
    total: int = 0
    last_wrong: date | None = None

    def with_one(self, *, right: bool, day: date) -> "Tally":
        """With one more."""
        last = self.last_wrong
        if not right:
            last = day if last is None else max(last, day)
        return Tally(self.right + right, self.total + 1, last)

    def told(self, today: date) -> str:
        """As a sentence part, such as ``411 of 413 right, last wrong on Tuesday``."""
        counted = f"{self.right} of {self.total} right"
        return f"{counted}, last wrong {_when(self.last_wrong, today)}" if self.last_wrong else counted


@dataclass(frozen=True, slots=True)
class Ledger:
    """Tallies of throws by reader, of throws that counted unasked, and of dice by face.

    ``mixed``: (what lay there, what was read) to how often, where they differ.
    """

    readers: Mapping[str, Tally] = field(default_factory=dict)
    unasked: Mapping[str, Tally] = field(default_factory=dict)
    faces: Mapping[DieFace, Tally] = field(default_factory=dict)
    mixed: Mapping[tuple[DieFace, DieFace], int] = field(default_factory=dict)


def ledger(journal: Journal) -> Ledger:
    """Fold all games that are kept. Raises JournalError."""
    judgements: list[Judged] = []
    for game, readings in journal.readings().items():
        judgements += judged(journal.rows(game), readings)
    return summed(judgements)


def judged(rows: Iterable[Entry], readings: Sequence[tuple[int, str, Reading]]) -> list[Judged]:
    """Hold a game's readings against what stands in it now, or was put in their place by hand.

    A throw that was taken back and entered by hand right after was misread; one that was only taken
    back says nothing of the reader.
    """
    standing: dict[int, Entry] = {}
    undone: dict[int, Entry] = {}
    replaced: dict[int, int] = {}
    for row in rows:
        match row.kind:
            case "event":
                if undone and row.source == "hand" and _dice(row.line):
                    replaced[min(undone)] = row.seq
                undone.clear()
                standing[row.seq] = row
            case "undo" if int(row.line) in standing:
                undone[int(row.line)] = standing.pop(int(row.line))
            case "redo" if int(row.line) in undone:
                standing[int(row.line)] = undone.pop(int(row.line))
            case "amend":
                number, _, line = row.line.partition(" ")
                if int(number) in standing:
                    was = standing[int(number)]
                    standing[int(number)] = Entry(was.seq, was.kind, line, was.source, was.observation)
    found = []
    for seq, day, reading in readings:
        now = standing.get(seq) or standing.get(replaced.get(seq, -1))
        if now is not None:
            asked = now.source != reading.reader and now.seq == seq
            on = date.fromisoformat(day)
            found.append(Judged(reading.reader, on, reading.dice, _dice(now.line), asked))
    return found


def summed(judgements: Iterable[Judged]) -> Ledger:
    """Count."""
    readers: dict[str, Tally] = {}
    unasked: dict[str, Tally] = {}
    faces: dict[DieFace, Tally] = {}
    mixed: Counter[tuple[DieFace, DieFace]] = Counter()
    for one in judgements:
        readers[one.reader] = _one_more(readers, one.reader, right=one.right, day=one.day)
        if not one.asked:
            unasked[one.reader] = _one_more(unasked, one.reader, right=one.right, day=one.day)
        for lay, read in _paired(one):
            faces[lay] = _one_more(faces, lay, right=lay == read, day=one.day)
            if read is not None and read != lay:
                mixed[lay, read] += 1
    return Ledger(readers, unasked, dict(sorted(faces.items())), dict(mixed.most_common()))


def _one_more(tallies: Mapping[Key, Tally], key: Key, *, right: bool, day: date) -> Tally:
    return tallies.get(key, Tally()).with_one(right=right, day=day)


def _paired(one: Judged) -> Iterable[tuple[DieFace, DieFace | None]]:
    """Each die that lay there with what was read of it; None if that cannot be told."""
    if len(one.read) == len(one.stands) and all(
        a.kind == b.kind for a, b in zip(one.read, one.stands, strict=True)
    ):
        yield from zip(one.stands, one.read, strict=True)
        return
    left = Counter(one.read)
    for die in one.stands:
        seen = left[die] > 0
        left[die] -= seen
        yield die, die if seen else None


def _dice(line: str) -> tuple[DieFace, ...]:
    try:
        event = notation.read(line)
    except ValueError:  # a game's own word
        return ()
    return event.dice if isinstance(event, DiceRolled) else ()


def _when(day: date, today: date) -> str:
    if day >= today:
        return "today"
    if day == today - timedelta(days=1):
        return "yesterday"
    if day > today - timedelta(days=7):
        return f"on {day:%A}"
    return f"on {day.day} {day:%B}" + (f" {day.year}" if day.year != today.year else "")
