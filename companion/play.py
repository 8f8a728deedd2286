"""The open game as it is played: what becomes of each claim. Used on the table's thread only."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from companion.clock import TableClock
from companion.errors import JournalError
from companion.evening import Entry, Evening, Fact, StrandedError
from companion.opengame import OpenGame
from companion.rules import notation
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Observation, Seat, Seconds
from companion.rules.game import OutOfPlace
from companion.snapshot import Proposal, Undoable

_NOTED = "That is noted already."
_PAUSED = "The game is paused: go on first."
_ANSWERED = "That question has been answered."


class Answer(NamedTuple):
    """What became of a claim, as ``Receipt`` has it."""

    status: str
    text: str


class Play:
    """Judges claims against the rules and the journal. ``fault`` is the journal's last trouble."""

    def __init__(self, opened: OpenGame, clock: TableClock) -> None:
        """Set table time to where the game was left."""
        self.opened = opened
        self.proposal: Proposal | None = None
        self.fault: JournalError | None = None
        self._clock = clock
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
        if isinstance(event, DiceRolled):
            instead = self._doubt(replace(claim, event=event), event)
            if instead is not None:
                return instead
        elif claim.source != "hand" and not self.opened.expected.covers(event, notation.word_of(event)):
            return Answer("ignored", "Nobody waits for that now.")
        return self._keep(claim.id, event, claim.source, claim.confidence)

    def confirm(self, question: str, seat: Seat | None, dice: tuple[DieFace, ...] | None) -> Answer:
        """Answer the question: right as it is, or with these dice instead."""
        if self.proposal is None or self.proposal.id != question:
            return Answer("again" if question in self.opened.observed else "refused", _ANSWERED)
        if self._clock.paused:
            return Answer("refused", _PAUSED)
        claim = self.proposal.observation
        assert isinstance(claim.event, DiceRolled)
        faces = claim.event.dice if dice is None else dice
        wanted = self.opened.expected.dice
        why = wanted.mismatch(faces) if wanted else "no throw is waited for now"
        if why:
            return Answer("refused", f"Not these dice: {why}.")
        event = replace(claim.event, at=self._stamp(claim), by=seat, dice=faces)
        source = f"{claim.source}, {'confirmed' if faces == claim.event.dice else 'corrected'}"
        return self._keep(claim.id, event, source, claim.confidence)

    def dismiss(self, question: str) -> Answer:
        """Put the question away: nothing happened."""
        if self.proposal is None or self.proposal.id != question:
            return Answer("again", _ANSWERED)
        self.proposal = None
        return Answer("kept", "Put away.")

    def turn(self, kind: str, observation: str, seat: Seat | None, seen: int | None) -> Answer:
        """Undo or redo; ``seen`` is the fact that the phone showed."""
        if observation in self.opened.observed:
            return Answer("again", _NOTED)
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

    def _doubt(self, claim: Observation, event: DiceRolled) -> Answer | None:
        """What to do with a roll instead of keeping it; None to keep it."""
        by_hand = claim.source == "hand"
        wanted = self.opened.expected.dice
        if wanted is None:
            return Answer("refused" if by_hand else "ignored", "No throw is waited for now.")
        why = wanted.mismatch(event.dice)
        if by_hand:
            return Answer("refused", f"Not these dice: {why}.") if why else None
        if why is None and claim.sure:
            return None
        self.proposal = Proposal(claim.id, claim, claim.reason or why or "Is this right?")
        return Answer("asked", self.proposal.reason)

    def _keep(self, observation: str, event: Event, source: str, confidence: float = 1.0) -> Answer:
        try:
            after = self.opened.evening.then(self.opened.next_seq, event, source=source)
        except OutOfPlace as fault:
            return Answer("refused", str(fault))
        entry = self.opened.row("event", notation.write(event), source, observation)
        return self._write(entry, after, "Noted.", confidence)

    def _write(self, entry: Entry, after: Evening, text: str, confidence: float = 1.0) -> Answer:
        """Make a row durable; else say why not, and nothing has changed."""
        self.fault = None
        try:
            if not self.opened.write(entry, after, confidence=confidence):
                return Answer("again", _NOTED)
        except JournalError as fault:
            self.fault = fault
            return Answer("refused", f"This could not be kept: {fault}")
        answered = self.proposal is not None and self.proposal.id in self.opened.observed
        if answered or self.opened.expected.dice is None:
            self.proposal = None
        return Answer("kept", text)

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
