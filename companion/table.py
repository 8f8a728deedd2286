"""One thread, one inbox: observations become facts, facts become what the screens show.

Everything that changes the table runs on its one thread, in the order of arrival. Every call here
is safe from any thread and returns when its effect is durable.
"""

import secrets
from collections.abc import Mapping
from dataclasses import replace
from threading import Condition, Lock
from typing import Any

from companion import seating
from companion.clock import TableClock
from companion.differences import differences
from companion.errors import CompanionError, JournalError
from companion.evening import Entry, Evening, StrandedError
from companion.inbox import Inbox
from companion.journal import Journal
from companion.opengame import OpenGame
from companion.rules import notation
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Notice, Observation, Seat, Seconds
from companion.rules.game import Game, OutOfPlace
from companion.rules.view import View
from companion.seal import Seal
from companion.shelf import Shelf
from companion.snapshot import GameInfo, Preview, Proposal, Receipt, SeatInfo, Snapshot, Undoable

GRACE_S = 0.5
"""How long the bell waits for a tap made in time whose packet is still on its way."""

_NO_GAME = "No game is open: the host starts or reopens one."
_NOTED = "That is noted already."
_PAUSED = "The game is paused: go on first."


class Table:
    """The single writer of one companion: one open game, many kept."""

    def __init__(
        self,
        journal: Journal,
        games: Mapping[str, Game[Any]],
        *,
        seal: Seal,
        clock: TableClock | None = None,
    ) -> None:
        self.games = games
        self.clock = clock or TableClock()
        self._journal = journal
        self._shelf = Shelf(journal, games, seal)
        self._seats = journal.seats()
        self._open: OpenGame | None = None
        self._proposal: Proposal | None = None
        self._notices: dict[str, Notice] = {}
        self._snapshot = Snapshot()
        self._changed = Condition()
        self._views: dict[Seat | None, tuple[int, View]] = {}
        self._views_lock = Lock()
        self._inbox = Inbox("table", wake=self._ring_what_is_due, sleep_s=self._until_bell_s)
        self._reopen_last()
        self._publish()
        self._inbox.start()

    def close(self) -> None:
        """Finish what is in the inbox, then stop. Calls after this raise CompanionError."""
        self._inbox.close()
        with self._changed:
            self._changed.notify_all()

    @property
    def closed(self) -> bool:
        """Whether it has stopped; ``wait`` returns at once from then on."""
        return self._inbox.closed

    # -- reading ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The table now."""
        return self._snapshot

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """The table as soon as it is not at ``version`` any more, is closed, or after ``timeout_s``."""
        with self._changed:
            self._changed.wait_for(
                lambda: self._snapshot.version != version or self._inbox.closed, timeout_s
            )
        return self._snapshot

    def view(self, snapshot: Snapshot, seat: Seat | None) -> View | None:
        """What ``seat`` may see of ``snapshot``; None while no game is open. Made once a version."""
        if snapshot.game is None:
            return None
        with self._views_lock:
            version, view = self._views.get(seat, (-1, None))
            if version != snapshot.version or view is None:
                view = self.games[snapshot.game.slug].view(snapshot.state, seat, snapshot.at)
                self._views[seat] = (snapshot.version, view)
        return view

    def kept_games(self) -> tuple[GameInfo, ...]:
        """Every game on the disk, the newest first."""
        return self._shelf.infos()

    def preview(self, seq: int, line: str) -> Preview:
        """What would change if fact ``seq`` had been ``line``. Nothing is changed."""
        opened = self._open
        if opened is None:
            return Preview(ok=False, text=_NO_GAME)
        evening = opened.evening
        try:
            changed = _amended(evening, seq, line)
        except StrandedError as fault:
            row = opened.history.row(fault.fact.seq)
            return Preview(
                ok=False, text=f"Then this could not stand: {fault.fact.told} {fault}", stranded=row
            )
        except (ValueError, LookupError) as fault:
            return Preview(ok=False, text=str(fault))
        at = self.clock.at()
        before, after = (evening.game.view(e.state, None, at) for e in (evening, changed))
        changes = differences(before, after)
        return Preview(
            ok=True, text="This would change:" if changes else "Nothing would change.", changes=changes
        )

    # -- facts --------------------------------------------------------------------------------------

    def submit(self, observation: Observation) -> Receipt:
        """Take a claim: it becomes a fact, a question, or nothing, and the receipt says which."""
        return self._inbox.do(lambda: self._submit(observation))

    def tap(
        self,
        *,
        id: str,  # noqa: A002 - the word of the interface
        seat: Seat,
        word: str,
        args: Mapping[str, str],
        seen: int = 0,
    ) -> Receipt:
        """Take a tap of ``seat``; ``id`` makes it count once.

        A tap is judged by what stands now, whatever version ``seen`` its phone showed: the rules
        refuse what has become impossible, and the phone is told why.
        """
        del seen
        return self._inbox.do(lambda: self._tap(id, seat, word, args))

    def confirm(
        self,
        *,
        id: str,  # noqa: A002
        seat: Seat | None,
        dice: tuple[DieFace, ...] | None = None,
    ) -> Receipt:
        """Answer the question called ``id``: right as it is, or with these dice instead."""
        return self._inbox.do(lambda: self._confirm(id, seat, dice))

    def dismiss(self, *, id: str, seat: Seat | None) -> Receipt:  # noqa: A002, ARG002 - anybody at the table may
        """Put the question called ``id`` away: nothing happened."""
        return self._inbox.do(lambda: self._dismiss(id))

    def undo(self, *, id: str, seat: Seat | None, seq: int | None = None) -> Receipt:  # noqa: A002
        """Take back the last fact that stands; refused if ``seq`` names another one.

        Two phones that tap undo at once mean the same fact, so each says which one it showed.
        """
        return self._inbox.do(lambda: self._turn("undo", id, seat, seq))

    def redo(self, *, id: str, seat: Seat | None, seq: int | None = None) -> Receipt:  # noqa: A002
        """Let the fact that was taken back last stand again; refused if ``seq`` names another one."""
        return self._inbox.do(lambda: self._turn("redo", id, seat, seq))

    def amend(self, *, id: str, seq: int, line: str, seat: Seat | None) -> Receipt:  # noqa: A002
        """Correct fact ``seq``; refused, naming the later fact, if one could not stand any more."""
        return self._inbox.do(lambda: self._amend(id, seq, line, seat))

    def pause(self, *, seat: Seat | None = None) -> Receipt:
        """Stop table time until ``resume``."""
        return self._inbox.do(lambda: self._pause("pause", seat))

    def resume(self, *, seat: Seat | None = None) -> Receipt:
        """Let table time go on."""
        return self._inbox.do(lambda: self._pause("resume", seat))

    def notice(self, notice: Notice) -> None:
        """Show what a sensor says of itself; level ``ok`` takes its earlier notice down."""
        self._inbox.do(lambda: self._note(notice))

    def tick(self) -> None:
        """Look at the clock: ring a bell that is due. The table does so by itself when time runs."""
        self._inbox.do(lambda: None)

    # -- seats and games ----------------------------------------------------------------------------

    def join(self, name: str) -> SeatInfo:
        """Take a new place. Raises ValueError with the reason."""
        return self._inbox.do(lambda: self._put_seat(seating.seated(name, self._seats)))

    def seat_by_code(self, code: str) -> SeatInfo | None:
        """The place that ``code`` gives back."""
        wanted = seating.normal_code(code).encode()
        return next((s for s in self._seats if secrets.compare_digest(s.code.encode(), wanted)), None)

    def rename_seat(self, key: Seat, name: str) -> SeatInfo:
        """Call a place something else. Raises ValueError with the reason."""

        def change() -> SeatInfo:
            others = [seat for seat in self._seats if seat.key != key]
            return self._put_seat(replace(self._seat(key), name=seating.seated(name, others).name))

        return self._inbox.do(change)

    def renew_seat(self, key: Seat) -> SeatInfo:
        """Give a place a new code; phones that held it fall out."""
        return self._inbox.do(lambda: self._put_seat(seating.renewed(self._seat(key), self._seats)))

    def remove_seat(self, key: Seat) -> None:
        """Take a place away. What it did in a game stays."""

        def change() -> None:
            self._journal.drop_seat(key)
            self._seats = self._journal.seats()
            self._publish()

        self._inbox.do(change)

    def start_game(
        self, *, slug: str, title: str, seats: tuple[Seat, ...], options: Mapping[str, str]
    ) -> GameInfo:
        """Begin a game and open it. Raises GameNotFoundError, or ValueError with the reason."""

        def change() -> GameInfo:
            for seat in seats:
                self._seat(seat)
            opened, trouble = self._shelf.begin(slug, title, seats, options)
            if trouble:
                self._note(Notice(source="games", state="not carried over", text=trouble, level="info"))
            return self._lay_out(opened)

        return self._inbox.do(change)

    def open_game(self, id: str) -> GameInfo:  # noqa: A002
        """Open a kept game where it was left. Raises GameNotFoundError or CompanionError."""
        return self._inbox.do(lambda: self._lay_out(self._shelf.open(id)))

    def close_game(self) -> None:
        """Put the open game away; it is kept."""

        def change() -> None:
            self._shelf.put_away()
            self._open = self._proposal = None
            self.clock.resume()
            self._publish()

        self._inbox.do(change)

    def export(self, game_id: str) -> str:
        """A kept game as text (see ``gamefile``), its secrets sealed. Raises GameNotFoundError."""
        return self._shelf.export(game_id, self._seats)

    def import_game(self, text: str) -> GameInfo:
        """Keep a game that was exported. Raises GameFileError naming the line at fault."""
        file, evening = self._shelf.read(text)
        return self._inbox.do(lambda: self._shelf.take_in(file, evening))

    # -- on the table's thread: the bell ------------------------------------------------------------

    def _until_bell_s(self) -> float | None:
        timer = self._snapshot.expected.timer
        if timer is None or self.clock.paused:
            return None
        return max(0.02, timer.left_s(self.clock.at()) + GRACE_S)

    def _ring_what_is_due(self) -> None:
        self._ring_until(Seconds(self.clock.at() - GRACE_S))

    def _ring_until(self, at: Seconds) -> None:
        """Ring every bell that was due by ``at``, each at its own time."""
        while self._open is not None and not self.clock.paused:
            timer = self._open.game.expects(self._open.evening.state).timer
            if timer is None or not timer.over(at):
                return
            bell = BellRang(at=timer.ends_at, timer=timer.name)
            if self._keep(self._open, f"bell-{self._open.next_seq}", bell, "table").status != "kept":
                return

    # -- on the table's thread: claims --------------------------------------------------------------

    def _tap(self, observation: str, seat: Seat, word: str, args: Mapping[str, str]) -> Receipt:
        if self._open is None:
            return self._receipt("refused", _NO_GAME)
        events = self._open.game.events
        try:
            event = notation.event_from(word, args, at=self.clock.at(), by=seat, events=events)
        except ValueError as fault:
            return self._receipt("refused", str(fault))
        if isinstance(event, BellRang):
            return self._receipt("refused", "Only the table rings the bell.")
        return self._submit(Observation(id=observation, event=event, source="hand"))

    def _submit(self, claim: Observation) -> Receipt:
        opened = self._open
        if opened is None:
            return self._receipt("ignored", _NO_GAME)
        if claim.id in opened.observed:
            return self._receipt("again", _NOTED)
        if self.clock.paused:
            return self._receipt("refused", _PAUSED)
        event = replace(claim.event, at=self._stamp(opened, claim))
        self._ring_until(event.at)
        event = replace(event, at=max(event.at, Seconds(opened.evening.last_at)))
        if isinstance(event, DiceRolled):
            instead = self._doubt(opened, replace(claim, event=event), event)
            if instead is not None:
                return instead
        elif claim.source != "hand":
            expected = opened.game.expects(opened.evening.state)
            if not expected.covers(event, notation.word_of(event)):
                return self._receipt("ignored", "Nobody waits for that now.")
        return self._keep(opened, claim.id, event, claim.source, claim.confidence)

    def _doubt(self, opened: OpenGame, claim: Observation, event: DiceRolled) -> Receipt | None:
        """What to do with a roll instead of keeping it; None to keep it."""
        by_hand = claim.source == "hand"
        wanted = opened.game.expects(opened.evening.state).dice
        if wanted is None:
            return self._receipt("refused" if by_hand else "ignored", "No throw is waited for now.")
        why = wanted.mismatch(event.dice)
        if by_hand:
            return self._receipt("refused", f"Not these dice: {why}.") if why else None
        if why is None and claim.sure:
            return None
        self._proposal = Proposal(claim.id, claim, claim.reason or why or "Is this right?")
        self._publish()
        return self._receipt("asked", self._proposal.reason)

    def _confirm(self, question_id: str, seat: Seat | None, dice: tuple[DieFace, ...] | None) -> Receipt:
        opened, question = self._open, self._proposal
        if opened is None or question is None or question.id != question_id:
            known = opened is not None and question_id in opened.observed
            return self._receipt("again" if known else "refused", "That question has been answered.")
        if self.clock.paused:
            return self._receipt("refused", _PAUSED)
        claim = question.observation
        assert isinstance(claim.event, DiceRolled)
        faces = claim.event.dice if dice is None else dice
        wanted = opened.game.expects(opened.evening.state).dice
        why = wanted.mismatch(faces) if wanted else "no throw is waited for now"
        if why:
            return self._receipt("refused", f"Not these dice: {why}.")
        event = replace(claim.event, at=self._stamp(opened, claim), by=seat, dice=faces)
        source = f"{claim.source}, {'confirmed' if faces == claim.event.dice else 'corrected'}"
        return self._keep(opened, claim.id, event, source, claim.confidence)

    def _dismiss(self, question_id: str) -> Receipt:
        if self._proposal is None or self._proposal.id != question_id:
            return self._receipt("again", "That question has been answered.")
        self._proposal = None
        self._publish()
        return self._receipt("kept", "Put away.")

    def _keep(
        self, opened: OpenGame, observation: str, event: Event, source: str, confidence: float = 1.0
    ) -> Receipt:
        try:
            after = opened.evening.then(opened.next_seq, event, source=source)
        except OutOfPlace as fault:
            return self._receipt("refused", str(fault))
        entry = opened.row("event", notation.write(event), source, observation)
        return self._write(opened, entry, after, "Noted.", confidence)

    def _turn(self, kind: str, observation: str, seat: Seat | None, seen: int | None) -> Receipt:
        opened = self._open
        if opened is None:
            return self._receipt("refused", _NO_GAME)
        if observation in opened.observed:
            return self._receipt("again", _NOTED)
        what = self._snapshot.undo if kind == "undo" else self._snapshot.redo
        if what.seq is None:
            return self._receipt("refused", what.text)
        if seen is not None and seen != what.seq:
            return self._receipt("refused", "Something else has happened meanwhile. Look again.")
        after = opened.evening.without_last() if kind == "undo" else opened.evening.with_undone()
        entry = opened.row(kind, str(what.seq), _by_hand(seat), observation)
        text = "Taken back." if kind == "undo" else "It stands again."
        receipt = self._write(opened, entry, after, text)
        if receipt.status == "kept":
            self.clock.turn_to(Seconds(after.last_at))
            self._publish()
        return receipt

    def _amend(self, observation: str, seq: int, line: str, seat: Seat | None) -> Receipt:
        opened = self._open
        if opened is None:
            return self._receipt("refused", _NO_GAME)
        if observation in opened.observed:
            return self._receipt("again", _NOTED)
        try:
            after = _amended(opened.evening, seq, line)
        except (ValueError, LookupError):
            return self._receipt("refused", self.preview(seq, line).text)
        fact = next(f for f in after.facts if f.seq == seq)
        row = f"{seq} {notation.write(fact.event)}"
        return self._write(
            opened, opened.row("amend", row, _by_hand(seat), observation), after, "Corrected."
        )

    def _pause(self, kind: str, seat: Seat | None) -> Receipt:
        opened = self._open
        if opened is None:
            return self._receipt("refused", _NO_GAME)
        if self.clock.paused == (kind == "pause"):
            return self._receipt("again", "Paused already." if kind == "pause" else "It goes on already.")
        mark = f"{kind}-{opened.next_seq}"
        entry = opened.row(kind, repr(self.clock.at()), _by_hand(seat), mark)
        text = "Paused." if kind == "pause" else "Play goes on."
        receipt = self._write(opened, entry, opened.evening, text)
        if receipt.status == "kept":
            (self.clock.pause if kind == "pause" else self.clock.resume)()
            self._publish()
        return receipt

    def _write(
        self, opened: OpenGame, entry: Entry, after: Evening, text: str, confidence: float = 1.0
    ) -> Receipt:
        """Make a row durable and show it; else say why not, and nothing has changed."""
        try:
            if not opened.write(entry, after, confidence=confidence):
                return self._receipt("again", _NOTED)
        except JournalError as fault:
            self._note(Notice(source="journal", state="not kept", text=str(fault)))
            return self._receipt("refused", f"This could not be kept: {fault}")
        self._notices.pop("journal", None)
        question = self._proposal
        if question and (question.id in opened.observed or opened.game.expects(after.state).dice is None):
            self._proposal = None
        self._publish()
        return self._receipt("kept", text)

    def _stamp(self, opened: OpenGame, claim: Observation) -> Seconds:
        """Table time of a claim: a tap's is now, a sensor's its own, neither before the last fact."""
        now = self.clock.at()
        at = now if claim.source == "hand" else min(claim.event.at, now)
        return Seconds(round(max(at, opened.evening.last_at), 3))

    # -- on the table's thread: the rest ------------------------------------------------------------

    def _lay_out(self, opened: OpenGame) -> GameInfo:
        at, paused = opened.left_at
        self._open, self._proposal = opened, None
        self.clock.resume()
        self.clock.turn_to(at)
        if paused:
            self.clock.pause()
        self._publish()
        return opened.info

    def _reopen_last(self) -> None:
        try:
            opened = self._shelf.last_open()
        except CompanionError as fault:
            self._notices["games"] = Notice(source="games", state="not reopened", text=str(fault))
            return
        if opened is not None:
            self._lay_out(opened)

    def _seat(self, key: Seat) -> SeatInfo:
        for seat in self._seats:
            if seat.key == key:
                return seat
        raise ValueError(f"{key!r} does not sit at the table")

    def _put_seat(self, seat: SeatInfo) -> SeatInfo:
        self._journal.put_seat(seat)
        self._seats = self._journal.seats()
        self._publish()
        return seat

    def _note(self, notice: Notice) -> None:
        shown = self._notices.get(notice.source)
        if notice.level == "ok":
            if shown is None:
                return
            del self._notices[notice.source]
        elif shown == notice:
            return
        else:
            self._notices[notice.source] = notice
        self._publish()

    def _receipt(self, status: str, text: str) -> Receipt:
        return Receipt(status, text, self._snapshot.version)

    def _publish(self) -> None:
        shown = Snapshot(
            version=self._snapshot.version + 1,
            proposal=self._proposal,
            notices=tuple(self._notices.values()),
            paused=self.clock.paused,
            at=self.clock.at(),
            seats=self._seats,
        )
        if self._open is not None:
            shown = _with_game(shown, self._open)
        with self._changed:
            self._snapshot = shown
            self._changed.notify_all()


def _with_game(shown: Snapshot, opened: OpenGame) -> Snapshot:
    evening = opened.evening
    return replace(
        shown,
        game=opened.info,
        state=evening.state,
        expected=opened.game.expects(evening.state),
        outcome=opened.outcome,
        history=opened.history.rows,
        undo=_undoable(evening.facts, "Nothing has happened yet."),
        redo=_undoable(evening.undone, "Nothing was taken back."),
    )


def _amended(evening: Evening, seq: int, line: str) -> Evening:
    """``evening`` with fact ``seq`` as ``line`` has it; its time and seat stay as they were."""
    event = notation.read(line, evening.game.events)
    fact = next((f for f in evening.facts if f.seq == seq), None)
    if fact is None:
        raise LookupError(f"Fact {seq} does not stand any more.")
    return evening.amended(seq, replace(event, at=fact.event.at, by=fact.event.by))


def _undoable(facts: tuple[Any, ...], why_not: str) -> Undoable:
    return Undoable(facts[-1].seq, facts[-1].told) if facts else Undoable(None, why_not)


def _by_hand(seat: Seat | None) -> str:
    return f"hand {seat or 'host'}"
