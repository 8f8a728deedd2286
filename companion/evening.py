"""One game as it stands: the fold of its rows. Pure; the table owns one and replaces it."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from companion.rules import notation
from companion.rules.events import DieFace, Event
from companion.rules.game import Game, OutOfPlace, Setup


@dataclass(frozen=True, slots=True)
class Entry:
    """A row of the journal: an event, or an undo, redo, amendment, pause, resumption or unsealing.

    ``line`` is the event in the notation; for undo and redo the number of the fact; for an
    amendment that number and the new line; for an unsealing the key of the sealed book.
    """

    seq: int
    kind: str
    line: str
    source: str = ""
    observation: str = ""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a reader (``camera``, ``photo``) said that the dice of a fact were."""

    reader: str
    dice: tuple[DieFace, ...]


@dataclass(frozen=True, slots=True)
class Fact:
    """An event that stands, with the state after it and what the history tells of it."""

    seq: int
    event: Event
    state: Any
    told: str
    source: str = ""
    amended: bool = False
    undone: bool = False


class StrandedError(ValueError):
    """A change of the past leaves a later fact without ground."""

    def __init__(self, fact: Fact, why: str) -> None:
        super().__init__(why)
        self.fact = fact


@dataclass(frozen=True, slots=True)
class Evening:
    """A game, what it started from, its standing facts, and those undone (the newest last)."""

    game: Game[Any]
    start: Any
    facts: tuple[Fact, ...] = ()
    undone: tuple[Fact, ...] = ()

    @classmethod
    def begin(cls, game: Game[Any], setup: Setup) -> "Evening":
        """Before the first fact. Raises ValueError naming a bad option."""
        return cls(game, game.setup(setup))

    @property
    def state(self) -> Any:
        """The state now."""
        return self.facts[-1].state if self.facts else self.start

    @property
    def last_at(self) -> float:
        """Table time of the last fact that stands."""
        return self.facts[-1].event.at if self.facts else 0.0

    def then(self, seq: int, event: Event, *, source: str = "", amended: bool = False) -> "Evening":
        """With one more fact. Raises OutOfPlace, and then nothing has changed."""
        before = self.state
        after = self.game.apply(before, event)
        told = self.game.told(before, event, after)
        fact = Fact(seq, event, after, told, source, amended)
        return replace(self, facts=(*self.facts, fact), undone=())

    def without_last(self) -> "Evening":
        """With the last fact undone."""
        return replace(self, facts=self.facts[:-1], undone=(*self.undone, self.facts[-1]))

    def with_undone(self) -> "Evening":
        """With the fact that was undone last standing again."""
        fact = self.undone[-1]
        again = self.then(fact.seq, fact.event, source=fact.source, amended=fact.amended)
        return replace(again, undone=self.undone[:-1])

    def amended(self, seq: int, event: Event) -> "Evening":
        """With fact ``seq`` replaced and everything after it folded again.

        Raises LookupError if no such fact stands, OutOfPlace if the new fact itself cannot be,
        StrandedError if a later fact cannot stand any more.
        """
        places = [i for i, fact in enumerate(self.facts) if fact.seq == seq]
        if not places:
            raise LookupError(f"fact {seq} does not stand")
        place = places[0]
        changed = replace(self, facts=self.facts[:place])
        changed = changed.then(seq, event, source=self.facts[place].source, amended=True)
        for fact in self.facts[place + 1 :]:
            try:
                changed = changed.then(fact.seq, fact.event, source=fact.source, amended=fact.amended)
            except OutOfPlace as fault:
                raise StrandedError(fact, str(fault)) from fault
        return changed

    def after(self, entry: Entry) -> "Evening":
        """With one row of the journal. Raises ValueError naming the row if it cannot be."""
        try:
            return self._after(entry)
        except OutOfPlace as fault:
            raise ValueError(f"row {entry.seq} ({entry.kind}): {fault}") from fault
        except (ValueError, LookupError) as fault:  # its words may repeat a line that is secret
            raise ValueError(f"row {entry.seq} ({entry.kind}) is not in its language") from fault

    def replayed(self, entries: Iterable[Entry]) -> "Evening":
        """With all these rows."""
        evening = self
        for entry in entries:
            evening = evening.after(entry)
        return evening

    def _after(self, entry: Entry) -> "Evening":
        match entry.kind:
            case "event":
                event = notation.read(entry.line, self.game.events)
                return self.then(entry.seq, event, source=entry.source)
            case "undo":
                return self.without_last()
            case "redo":
                return self.with_undone()
            case "amend":
                seq, _, line = entry.line.partition(" ")
                return self.amended(int(seq), notation.read(line, self.game.events))
            case "pause" | "resume" | "unseal":
                return self
            case kind:
                raise ValueError(f"{kind!r} is not a kind of row")
