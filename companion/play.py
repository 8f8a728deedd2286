"""The open game as it is played: what becomes of each claim. Used on the table's thread only."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import NamedTuple

from companion.clock import TableClock
from companion.errors import JournalError
from companion.evening import Entry, Evening, Fact, Reading, StrandedError
from companion.opengame import OpenGame
from companion.rules import notation
from companion.rules.events import (
    BellRang,
    CubeDropped,
    CubesSeen,
    DiceRolled,
    DieFace,
    Event,
    Observation,
    Seat,
    Seconds,
)
from companion.rules.game import OutOfPlace
from companion.snapshot import Proposal, Undoable

_NOTED = "That is noted already."
_PAUSED = "The game is paused: go on first."
_ANSWERED = "That question has been answered."
_NOT_SURE = "Perhaps that was no cube. If it was one, tap its colour."
_NO_LIFT = "No floor is lifted now."
_OPEN_BOOK = "The tower's book is open: what happened this evening stands."

_REMEMBERED = 4
"""Readings whose pictures stay in memory in case they are corrected."""

Corrected = Callable[[Observation, tuple[DieFace, ...]], None]
"""Takes what a reader claimed, and the dice that really lay there."""


class Answer(NamedTuple):
    """What became of a claim, as ``Receipt`` has it."""

    status: str
    text: str


class Play:
    """Judges claims against the rules and the journal. ``fault`` is the journal's last trouble."""

    def __init__(self, opened: OpenGame, clock: TableClock, corrected: Corrected | None = None) -> None:
        """Set table time to where the game was left. ``corrected`` is told of each misread."""
        self.opened = opened
        self.proposal: Proposal | None = None
        self.fault: JournalError | None = None
        self._clock = clock
        self._corrected = corrected
        self._recent: dict[int, Observation] = {}
        at, paused = opened.left_at
        clock.resume()
        clock.turn_to(at)
        if paused:
            clock.pause()

    @property
    def undoable(self) -> Undoable:
        """The fact that undo takes back."""
        return _undoable(self.opened.evening.facts, "Nothing has happened yet.")

    @property
    def redoable(self) -> Undoable:
        """The fact that redo lets stand again."""
        return _undoable(self.opened.evening.undone, "Nothing was taken back.")

    @property
    def mark(self) -> tuple[object, ...]:
        """Differs from an earlier one if a screen must be drawn anew."""
        return self.opened.next_seq, self.proposal, self._clock.paused

    def ring_until(self, at: Seconds) -> None:
        """Ring every bell that was due by ``at``, each at its own time."""
        while not self._clock.paused:
            timer = self.opened.expected.timer
            if timer is None or not timer.over(at):
                return
            bell = BellRang(at=Seconds(round(timer.ends_at, 3)), timer=timer.name)
            if self._keep(self.opened.own_id("bell"), bell, "table").status != "kept":
                return

    def tap(self, observation: str, seat: Seat, word: str, args: Mapping[str, str]) -> Answer:
        """A tap of ``seat``."""
        try:
            event = notation.event_from(
                word, args, at=self._clock.at(), by=seat, events=self.opened.game.events
            )
        except ValueError as fault:
            return Answer("refused", str(fault))
        if isinstance(event, BellRang):
            return Answer("refused", "Only the table rings the bell.")
        return self.submit(Observation(id=observation, event=event, source="hand"))

    def submit(self, claim: Observation) -> Answer:
        """A claim of anybody: it becomes a fact, a question, or nothing."""
        if claim.id in self.opened.observed:
            return Answer("again", _NOTED)
        if self._clock.paused:
            return Answer("refused", _PAUSED)
        self.ring_until(self._stamp(claim))
        event = replace(claim.event, at=self._stamp(claim))
        if isinstance(event, DiceRolled | CubesSeen):
            instead = self._doubt(replace(claim, event=event), event)
            if instead is not None:
                return instead
        elif isinstance(event, CubeDropped) and not claim.sure:
            return Answer("ignored", _NOT_SURE)
        elif claim.source != "hand" and not self.opened.expected.covers(event, notation.word_of(event)):
            return Answer("ignored", "Nobody waits for that now.")
        return self._keep(claim.id, event, claim.source, claim.confidence, claim)

    def confirm(
        self,
        question: str,
        seat: Seat | None,
        dice: tuple[DieFace, ...] | None = None,
        cubes: tuple[str, ...] | None = None,
    ) -> Answer:
        """Answer the question: right as it is, or with these dice or cubes instead."""
        if self.proposal is None or self.proposal.id != question:
            return Answer("again" if question in self.opened.observed else "refused", _ANSWERED)
        if self._clock.paused:
            return Answer("refused", _PAUSED)
        claim = self.proposal.observation
        right: Event = claim.event
        if isinstance(right, DiceRolled) and dice is not None:
            right = replace(right, dice=dice)
        elif isinstance(right, CubesSeen) and cubes is not None:
            right = replace(right, cubes=cubes)
        why = self._mismatch(right)
        if why:
            return Answer(
                "refused", f"Not these {'dice' if isinstance(right, DiceRolled) else 'cubes'}: {why}."
            )
        source = f"{claim.source}, {'confirmed' if right == claim.event else 'corrected'}"
        event = replace(right, at=self._stamp(claim), by=seat)
        return self._keep(claim.id, event, source, claim.confidence, claim)

    def dismiss(self, question: str) -> Answer:
        """Put the question away: nothing happened."""
        if self.proposal is None or self.proposal.id != question:
            return Answer("again", _ANSWERED)
        self.proposal = None
        return Answer("kept", "Put away.")

    def open_book(self, seat: Seat | None) -> Answer:
        """Open what the sensors had sealed, once the game has ended."""
        if self.opened.released:
            return Answer("again", "It is open.")
        if self.opened.outcome is None:
            return Answer("refused", "The tower's book stays sealed until the game has ended.")
        if not self.opened.sealed:
            return Answer("refused", "Nothing was sealed in this game: the tower counted no cube.")
        self.fault = None
        try:
            self.opened.release(_by_hand(seat))
        except JournalError as fault:
            self.fault = fault
            return Answer("refused", f"The book cannot be opened: {fault}")
        return Answer("kept", "The tower's book is open.")

    def turn(self, kind: str, observation: str, seat: Seat | None, seen: int | None) -> Answer:
        """Undo or redo; ``seen`` is the fact that the phone showed."""
        if observation in self.opened.observed:
            return Answer("again", _NOTED)
        if self.opened.released:
            return Answer("refused", _OPEN_BOOK)
        what = self.undoable if kind == "undo" else self.redoable
        if what.seq is None:
            return Answer("refused", what.text)
        if seen is not None and seen != what.seq:
            return Answer("refused", "Something else has happened meanwhile. Look again.")
        evening = self.opened.evening
        after = evening.without_last() if kind == "undo" else evening.with_undone()
        entry = self.opened.row(kind, str(what.seq), _by_hand(seat), observation)
        answer = self._write(entry, after, "Taken back." if kind == "undo" else "It stands again.")
        if answer.status == "kept":
            self._clock.turn_to(Seconds(after.last_at))
        return answer

    def amend(self, observation: str, seq: int, line: str, seat: Seat | None) -> Answer:
        """Correct fact ``seq``; refused if a later one could not stand any more."""
        if observation in self.opened.observed:
            return Answer("again", _NOTED)
        if self.opened.released:
            return Answer("refused", _OPEN_BOOK)
        before = self.opened.evening
        try:
            after = amended(before, seq, line)
        except StrandedError as fault:
            return Answer("refused", stranded(fault))
        except (ValueError, LookupError) as fault:
            return Answer("refused", str(fault))
        fact = next(f for f in after.facts if f.seq == seq)
        row = f"{seq} {notation.write(fact.event)}"
        entry = self.opened.row("amend", row, _by_hand(seat), observation)
        answer = self._write(entry, after, "Corrected.")
        if answer.status == "kept" and seq in self._recent and isinstance(fact.event, DiceRolled):
            self._tell(self._recent[seq], fact.event.dice)
        if answer.status == "kept" and self._late(before, after):
            self._clock.turn_to(Seconds(after.last_at))
        return answer

    def pause(self, kind: str, seat: Seat | None) -> Answer:
        """Stop table time, or let it go on."""
        if self._clock.paused == (kind == "pause"):
            return Answer("again", "Paused already." if kind == "pause" else "It goes on already.")
        entry = self.opened.row(kind, repr(self._clock.at()), _by_hand(seat), self.opened.own_id(kind))
        answer = self._write(entry, self.opened.evening, "Paused." if kind == "pause" else "Play goes on.")
        if answer.status == "kept":
            (self._clock.pause if kind == "pause" else self._clock.resume)()
        return answer

    def _late(self, before: Evening, after: Evening) -> bool:
        """Whether an amendment brought a timer back that nobody could see run out."""
        was, timer = (evening.game.expects(evening.state).timer for evening in (before, after))
        return timer is not None and timer != was and timer.over(self._clock.at())

    def _doubt(self, claim: Observation, event: DiceRolled | CubesSeen) -> Answer | None:
        """What to do with dice or cubes instead of keeping them; None to keep them."""
        by_hand = claim.source == "hand"
        expected, dice = self.opened.expected, isinstance(event, DiceRolled)
        if (expected.dice if dice else expected.seen) is None:
            if by_hand and not dice:
                return None  # the game has the better sentence
            return Answer(
                "refused" if by_hand else "ignored", "No throw is waited for now." if dice else _NO_LIFT
            )
        why = self._mismatch(event)
        if by_hand:
            return Answer("refused", f"Not these dice: {why}.") if why and dice else None
        if not why and claim.sure:
            return None
        self.proposal = Proposal(claim.id, claim, claim.reason or why or "Is this right?")
        return Answer("asked", self.proposal.reason)

    def _mismatch(self, event: Event) -> str | None:
        """Why these dice or cubes cannot be what the table waits for; None if they can."""
        expected = self.opened.expected
        if isinstance(event, DiceRolled):
            return expected.dice.mismatch(event.dice) if expected.dice else "no throw is waited for now"
        assert isinstance(event, CubesSeen)
        return expected.seen.mismatch(event.cubes) if expected.seen else "no floor is lifted now"

    def _keep(
        self,
        observation: str,
        event: Event,
        source: str,
        confidence: float = 1.0,
        claim: Observation | None = None,
    ) -> Answer:
        """Let an event stand. ``claim``: what a reader had said, or the question that it answers."""
        if claim is not None and claim.source == "hand":
            claim = self.proposal.observation if self.proposal else None
        read = claim.event if claim and isinstance(event, DiceRolled) else None
        reading = Reading(claim.source, read.dice) if claim and isinstance(read, DiceRolled) else None
        try:
            after = self.opened.evening.then(self.opened.next_seq, event, source=source)
        except OutOfPlace as fault:
            return Answer("refused", str(fault))
        entry = self.opened.row("event", notation.write(event), source, observation)
        answer = self._write(entry, after, "Noted.", confidence, reading, claim.sealed if claim else "")
        if answer.status == "kept" and claim and reading and isinstance(event, DiceRolled):
            self._recent[entry.seq] = claim
            self._recent = dict(list(self._recent.items())[-_REMEMBERED:])
            if Counter(event.dice) != Counter(reading.dice):
                self._tell(claim, event.dice)
        return answer

    def _tell(self, claim: Observation, right: tuple[DieFace, ...]) -> None:
        if self._corrected is not None:
            self._corrected(claim, right)

    def _write(
        self,
        entry: Entry,
        after: Evening,
        text: str,
        confidence: float = 1.0,
        reading: Reading | None = None,
        sealed: str = "",
    ) -> Answer:
        """Make a row durable; else say why not, and nothing has changed."""
        self.fault = None
        try:
            if not self.opened.write(entry, after, confidence=confidence, reading=reading, sealed=sealed):
                return Answer("again", _NOTED)
        except JournalError as fault:
            self.fault = fault
            return Answer("refused", f"This could not be kept: {fault}")
        answered = self.proposal is not None and self.proposal.id in self.opened.observed
        if answered or (self.proposal is not None and not self._awaited(self.proposal)):
            self.proposal = None
        return Answer("kept", text)

    def _awaited(self, proposal: Proposal) -> bool:
        expected = self.opened.expected
        dice = isinstance(proposal.observation.event, DiceRolled)
        return (expected.dice if dice else expected.seen) is not None

    def _stamp(self, claim: Observation) -> Seconds:
        """Table time of a claim: a tap's is now, a sensor's its own, neither before the last fact."""
        now = self._clock.at()
        at = now if claim.source == "hand" else min(claim.event.at, now)
        return Seconds(round(max(at, self.opened.evening.last_at), 3))


def amended(evening: Evening, seq: int, line: str) -> Evening:
    """``evening`` with fact ``seq`` as ``line`` has it; its time and seat stay as they were.

    A correction says what somebody misread or mistyped; it is no way to act in another's name. So it
    keeps the word, and a secret fact is nobody's to correct. Raises ValueError, LookupError or
    StrandedError, each with a sentence.
    """
    fact = next((f for f in evening.facts if f.seq == seq), None)
    if fact is None:
        raise LookupError(f"Fact {seq} does not stand any more.")
    if evening.game.secrets(fact.event):
        raise ValueError("A secret fact cannot be corrected: take it back instead.")
    if not evening.game.correctable(evening.start, fact.event):
        raise ValueError("A correction could tell what lies face down: take it back instead.")
    event = notation.read(line, evening.game.events)
    if type(event) is not type(fact.event) or evening.game.secrets(event):
        raise ValueError("A correction cannot make another kind of fact: take it back instead.")
    return evening.amended(seq, replace(event, at=fact.event.at, by=fact.event.by))


def stranded(fault: StrandedError) -> str:
    """The sentence for an amendment that leaves a later fact without ground."""
    return f"Then this could not stand: {fault.fact.told} {fault}"


def _undoable(facts: tuple[Fact, ...], why_not: str) -> Undoable:
    return Undoable(facts[-1].seq, facts[-1].told) if facts else Undoable(None, why_not)


def _by_hand(seat: Seat | None) -> str:
    return f"hand {seat or 'host'}"
