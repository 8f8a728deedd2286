"""One thread, one inbox: observations become facts, facts become what the screens show.

Everything that changes the table runs on its one thread, in the order of arrival. Every call here
is safe from any thread and returns when its effect is durable.
"""

import secrets
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import replace
from queue import Empty, SimpleQueue
from threading import Condition, Lock, Thread
from typing import Any, TypeVar

from companion import gamefile, seating
from companion.clock import TableClock, wall_time
from companion.differences import differences
from companion.errors import CompanionError, GameFileError, GameNotFoundError, JournalError
from companion.evening import Entry, Evening, StrandedError
from companion.history import History
from companion.journal import GameRecord, Journal
from companion.rules import notation
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Notice, Observation, Seat, Seconds
from companion.rules.game import Game, OutOfPlace, Setup
from companion.rules.view import View
from companion.seal import Seal, new_deal
from companion.snapshot import GameInfo, Preview, Proposal, Receipt, SeatInfo, Snapshot, Undoable

T = TypeVar("T")

GRACE_S = 0.5
"""How long the bell waits for a tap made in time whose packet is still on its way."""

_OPEN = "open game"
_NO_GAME = "No game is open: the host starts or reopens one."


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
        self._seal = seal
        self._record: GameRecord | None = None
        self._evening: Evening | None = None
        self._history = History()
        self._next_seq = 1
        self._observed: set[str] = set()
        self._proposal: Proposal | None = None
        self._notices: dict[str, Notice] = {}
        self._seats = journal.seats()
        self._snapshot = Snapshot()
        self._changed = Condition()
        self._views: dict[Seat | None, tuple[int, View]] = {}
        self._views_lock = Lock()
        self._inbox: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closed = False
        self._reopen_last()
        self._publish()
        self._thread = Thread(target=self._run, name="table", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish what is in the inbox, then stop. Calls after this raise CompanionError."""
        if not self._closed:
            self._closed = True
            self._inbox.put(None)
            self._thread.join()
            with self._changed:
                self._changed.notify_all()

    # -- reading ------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """The table now."""
        return self._snapshot

    def wait(self, version: int, timeout_s: float) -> Snapshot:
        """The table as soon as it is not at ``version`` any more, or after ``timeout_s``."""
        with self._changed:
            self._changed.wait_for(lambda: self._snapshot.version != version or self._closed, timeout_s)
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
        return tuple(_info(record) for record in self._journal.games())

    # -- facts --------------------------------------------------------------------------------------

    def submit(self, observation: Observation) -> Receipt:
        """Take a claim: it becomes a fact, a question, or nothing, and the receipt says which."""
        return self._do(lambda: self._submit(observation))

    def tap(self, *, id: str, seat: Seat, word: str, args: Mapping[str, str], seen: int) -> Receipt:  # noqa: A002 - the word of the interface
        """Take a tap of ``seat``, who saw version ``seen``; ``id`` makes it count once."""

        def fold() -> Receipt:
            if self._evening is None:
                return self._receipt("refused", _NO_GAME)
            if id in self._observed:
                return self._receipt("again", "That is noted already.")
            try:
                event = notation.event_from(
                    word, args, at=self.clock.at(), by=seat, events=self._evening.game.events
                )
            except ValueError as fault:
                return self._receipt("refused", str(fault))
            if isinstance(event, BellRang):
                return self._receipt("refused", "Only the table rings the bell.")
            return self._submit(Observation(id=id, event=event, source="hand"))

        del seen  # a tap is judged by what stands now; the phone shows what became of it
        return self._do(fold)

    def confirm(self, *, id: str, seat: Seat | None, dice: tuple[DieFace, ...] | None = None) -> Receipt:  # noqa: A002
        """Answer the question called ``id``: right as it is, or with these dice instead."""
        return self._do(lambda: self._confirm(id, seat, dice))

    def dismiss(self, *, id: str, seat: Seat | None) -> Receipt:  # noqa: A002, ARG002 - anybody at the table may
        """Put the question called ``id`` away: nothing happened."""

        def fold() -> Receipt:
            if self._proposal is None or self._proposal.id != id:
                return self._receipt("again", "That question has been answered.")
            self._proposal = None
            self._publish()
            return self._receipt("kept", "Put away.")

        return self._do(fold)

    def undo(self, *, id: str, seat: Seat | None) -> Receipt:  # noqa: A002
        """Take back the last fact that stands."""
        return self._do(lambda: self._turn("undo", id, seat))

    def redo(self, *, id: str, seat: Seat | None) -> Receipt:  # noqa: A002
        """Let the fact that was taken back last stand again."""
        return self._do(lambda: self._turn("redo", id, seat))

    def preview(self, seq: int, line: str) -> Preview:
        """What would change if fact ``seq`` had been ``line``. Nothing is changed."""
        evening = self._evening
        if evening is None:
            return Preview(ok=False, text=_NO_GAME)
        try:
            changed = _amended(evening, seq, line)
        except StrandedError as fault:
            row = self._history.row(fault.fact.seq)
            told = row.told if row else ""
            return Preview(ok=False, text=f"Then this could not stand: {told} {fault}", stranded=row)
        except (ValueError, LookupError) as fault:
            return Preview(ok=False, text=str(fault))
        at = self.clock.at()
        changes = differences(
            evening.game.view(evening.state, None, at), evening.game.view(changed.state, None, at)
        )
        return Preview(
            ok=True, text="This would change:" if changes else "Nothing would change.", changes=changes
        )

    def amend(self, *, id: str, seq: int, line: str, seat: Seat | None) -> Receipt:  # noqa: A002
        """Correct fact ``seq``; refused, naming the later fact, if one could not stand any more."""
        return self._do(lambda: self._amend(id, seq, line, seat))

    def pause(self, *, seat: Seat | None = None) -> Receipt:
        """Stop table time until ``resume``."""
        return self._do(lambda: self._pause("pause", seat))

    def resume(self, *, seat: Seat | None = None) -> Receipt:
        """Let table time go on."""
        return self._do(lambda: self._pause("resume", seat))

    def notice(self, notice: Notice) -> None:
        """Show what a sensor says of itself; level ``ok`` takes its earlier notice down."""
        self._do(lambda: self._note(notice))

    def tick(self) -> None:
        """Look at the clock: ring a bell that is due. The table does so by itself when time runs."""
        self._do(lambda: None)

    # -- seats --------------------------------------------------------------------------------------

    def join(self, name: str) -> SeatInfo:
        """Take a new place. Raises ValueError with the reason."""
        return self._do(lambda: self._put_seat(seating.seated(name, self._seats)))

    def seat_by_code(self, code: str) -> SeatInfo | None:
        """The place that ``code`` gives back."""
        wanted = seating.normal_code(code)
        return next((seat for seat in self._seats if secrets.compare_digest(seat.code, wanted)), None)

    def rename_seat(self, key: Seat, name: str) -> SeatInfo:
        """Call a place something else. Raises ValueError with the reason."""

        def fold() -> SeatInfo:
            others = [seat for seat in self._seats if seat.key != key]
            return self._put_seat(replace(self._seat(key), name=seating.seated(name, others).name))

        return self._do(fold)

    def renew_seat(self, key: Seat) -> SeatInfo:
        """Give a place a new code; phones that held it fall out."""
        return self._do(lambda: self._put_seat(seating.renewed(self._seat(key), self._seats)))

    def remove_seat(self, key: Seat) -> None:
        """Take a place away. What it did in a game stays."""

        def fold() -> None:
            self._journal.drop_seat(key)
            self._seats = self._journal.seats()
            self._publish()

        self._do(fold)

    # -- games --------------------------------------------------------------------------------------

    def start_game(
        self, *, slug: str, title: str, seats: tuple[Seat, ...], options: Mapping[str, str]
    ) -> GameInfo:
        """Begin a game and open it. Raises GameNotFoundError, or ValueError with the reason."""
        return self._do(lambda: self._start(slug, title, seats, options))

    def open_game(self, id: str) -> None:  # noqa: A002
        """Open a kept game where it was left. Raises GameNotFoundError or CompanionError."""

        def fold() -> None:
            self._open(self._journal.game(id))
            self._journal.keep(_OPEN, id)
            self._publish()

        self._do(fold)

    def close_game(self) -> None:
        """Put the open game away; it is kept."""

        def fold() -> None:
            self._journal.keep(_OPEN, "")
            self._put_away()
            self._publish()

        self._do(fold)

    def export(self, game_id: str) -> str:
        """A kept game as text (see ``gamefile``), its secrets sealed."""
        record = self._journal.game(game_id)
        game = self._game(record.slug)
        evening = Evening.begin(game, record.setup).replayed(self._journal.rows(game_id))
        names = {seat.key: seat.name for seat in self._seats}
        events = tuple((fact.seq, fact.event) for fact in evening.facts)
        file = gamefile.GameFile(record.slug, record.title, record.setup, events, (), record.started, names)
        over = game.outcome(evening.state) is not None
        return gamefile.write(file, game, close=self._seal.close, over=over)

    def import_game(self, text: str) -> GameInfo:
        """Keep a game that was exported. Raises GameFileError naming the line at fault."""
        file = gamefile.read(text, self.games, open_seal=self._seal.open)
        game = self.games[file.slug]
        evening = gamefile.fold(file, game)
        over = game.outcome(evening.state) is not None

        def fold() -> GameInfo:
            record = GameRecord(
                _new_id(), file.slug, file.title, file.started or wall_time(), file.setup, ended=over
            )
            self._journal.begin(record)
            rows = [
                Entry(fact.seq, "event", notation.write(fact.event), "import", f"import-{fact.seq}")
                for fact in evening.facts
            ]
            self._journal.append_all(record.id, rows)
            self._journal.mark_ended(record.id, ended=over)
            return _info(replace(record, rows=len(rows)))

        return self._do(fold)

    # -- the table's thread -------------------------------------------------------------------------

    def _do(self, fold: Callable[[], T]) -> T:
        if self._closed:
            raise CompanionError("the companion is stopping; try again in a moment")
        future: Future[T] = Future()

        def job() -> None:
            try:
                future.set_result(fold())
            except BaseException as fault:  # noqa: BLE001 - it is raised again where the caller waits
                future.set_exception(fault)

        self._inbox.put(job)
        return future.result()

    def _run(self) -> None:
        while True:
            try:
                job = self._inbox.get(timeout=self._until_bell_s())
            except Empty:
                self._ring_until(Seconds(self.clock.at() - GRACE_S))
                continue
            if job is None:
                return
            self._ring_until(Seconds(self.clock.at() - GRACE_S))
            job()

    def _until_bell_s(self) -> float | None:
        timer = self._snapshot.expected.timer
        if timer is None or self.clock.paused:
            return None
        return max(0.02, timer.left_s(self.clock.at()) + GRACE_S)

    def _ring_until(self, at: Seconds) -> None:
        """Ring every bell that was due by ``at``, each at its own time."""
        while self._evening is not None and not self.clock.paused:
            timer = self._evening.game.expects(self._evening.state).timer
            if timer is None or not timer.over(at):
                return
            bell = BellRang(at=timer.ends_at, timer=timer.name)
            if self._keep(f"bell-{self._next_seq}", bell, "table", 1.0).status != "kept":
                return

    def _submit(self, claim: Observation) -> Receipt:
        evening = self._evening
        if evening is None:
            return self._receipt("ignored", _NO_GAME)
        if claim.id in self._observed:
            return self._receipt("again", "That is noted already.")
        if self.clock.paused:
            return self._receipt("refused", "The game is paused: go on first.")
        at = self._stamp(claim)
        self._ring_until(at)
        evening = self._evening or evening
        event = replace(claim.event, at=at)
        expected = evening.game.expects(evening.state)
        if isinstance(event, DiceRolled):
            doubt = self._doubt(claim, event, expected.dice is not None)
            if doubt is not None:
                return doubt
        elif claim.source != "hand" and not expected.covers(event, notation.word_of(event)):
            return self._receipt("ignored", "Nobody waits for that now.")
        return self._keep(claim.id, event, claim.source, claim.confidence)

    def _doubt(self, claim: Observation, event: DiceRolled, awaited: bool) -> Receipt | None:
        """What to do with a roll instead of keeping it; None to keep it."""
        evening = self._evening
        assert evening is not None
        wanted = evening.game.expects(evening.state).dice
        if not awaited or wanted is None:
            text = "No throw is waited for now."
            return self._receipt("refused" if claim.source == "hand" else "ignored", text)
        why = wanted.mismatch(event.dice)
        if claim.source == "hand":
            return self._receipt("refused", f"Not these dice: {why}.") if why else None
        if why is None and claim.sure:
            return None
        self._proposal = Proposal(
            claim.id, replace(claim, event=event), claim.reason or why or "Is this right?"
        )
        self._publish()
        return self._receipt("asked", self._proposal.reason)

    def _confirm(self, id: str, seat: Seat | None, dice: tuple[DieFace, ...] | None) -> Receipt:  # noqa: A002
        question = self._proposal
        if question is None or question.id != id or self._evening is None:
            done = "again" if id in self._observed else "refused"
            return self._receipt(done, "That question has been answered.")
        claim = question.observation
        assert isinstance(claim.event, DiceRolled)
        faces = claim.event.dice if dice is None else dice
        wanted = self._evening.game.expects(self._evening.state).dice
        why = wanted.mismatch(faces) if wanted else "no throw is waited for now"
        if why:
            return self._receipt("refused", f"Not these dice: {why}.")
        event = replace(claim.event, at=self._stamp(claim), by=seat, dice=faces)
        source = f"{claim.source}, {'confirmed' if faces == claim.event.dice else 'corrected'}"
        return self._keep(claim.id, event, source, claim.confidence)

    def _keep(self, observation: str, event: Event, source: str, confidence: float) -> Receipt:
        assert self._evening is not None
        seq = self._next_seq
        try:
            after = self._evening.then(seq, event, source=source)
        except OutOfPlace as fault:
            return self._receipt("refused", str(fault))
        entry = Entry(seq, "event", notation.write(event), source, observation)
        kept = self._append(entry, confidence)
        return kept or self._now(after, "Noted.")

    def _turn(self, kind: str, observation: str, seat: Seat | None) -> Receipt:
        if self._evening is None:
            return self._receipt("refused", _NO_GAME)
        if observation in self._observed:
            return self._receipt("again", "That is done already.")
        what = self._snapshot.undo if kind == "undo" else self._snapshot.redo
        if what.seq is None:
            return self._receipt("refused", what.text)
        try:
            after = self._evening.without_last() if kind == "undo" else self._evening.with_undone()
        except OutOfPlace as fault:
            return self._receipt("refused", str(fault))
        entry = Entry(self._next_seq, kind, str(what.seq), f"hand {seat or 'host'}", observation)
        kept = self._append(entry, 1.0)
        if kept is None:
            self.clock.turn_to(Seconds(after.last_at))
        return kept or self._now(after, "Taken back." if kind == "undo" else "It stands again.")

    def _amend(self, observation: str, seq: int, line: str, seat: Seat | None) -> Receipt:
        if self._evening is None:
            return self._receipt("refused", _NO_GAME)
        if observation in self._observed:
            return self._receipt("again", "That is done already.")
        try:
            after = _amended(self._evening, seq, line)
        except (ValueError, LookupError):
            return self._receipt("refused", self.preview(seq, line).text)
        fact = next(f for f in after.facts if f.seq == seq)
        row = f"{seq} {notation.write(fact.event)}"
        entry = Entry(self._next_seq, "amend", row, f"hand {seat or 'host'}", observation)
        kept = self._append(entry, 1.0)
        return kept or self._now(after, "Corrected.")

    def _pause(self, kind: str, seat: Seat | None) -> Receipt:
        if self._evening is None:
            return self._receipt("refused", _NO_GAME)
        if self.clock.paused == (kind == "pause"):
            return self._receipt("again", "Paused already." if kind == "pause" else "It goes on already.")
        seq = self._next_seq
        entry = Entry(seq, kind, repr(self.clock.at()), f"hand {seat or 'host'}", f"{kind}-{seq}")
        kept = self._append(entry, 1.0)
        if kept is None:
            (self.clock.pause if kind == "pause" else self.clock.resume)()
        return kept or self._now(self._evening, "Paused." if kind == "pause" else "Play goes on.")

    def _append(self, entry: Entry, confidence: float) -> Receipt | None:
        """Make a row durable. None when it is; else what to answer, and nothing has changed."""
        assert self._record is not None
        try:
            written = self._journal.append(self._record.id, entry, confidence=confidence)
        except JournalError as fault:
            self._note(Notice(source="journal", state="not kept", text=str(fault)))
            return self._receipt("refused", f"This could not be kept: {fault}")
        if not written:
            return self._receipt("again", "That is noted already.")
        self._notices.pop("journal", None)
        self._observed.add(entry.observation)
        self._next_seq = entry.seq + 1
        return None

    def _now(self, after: Evening, text: str) -> Receipt:
        assert self._evening is not None
        assert self._record is not None
        before, self._evening = self._evening, after
        over, was_over = (e.game.outcome(e.state) is not None for e in (after, before))
        if over != was_over:
            with suppress(JournalError):  # only the list of games reads it, and the rows are the truth
                self._journal.mark_ended(self._record.id, ended=over)
        if self._proposal is not None:
            asked = self._proposal.id in self._observed
            if asked or after.game.expects(after.state).dice is None:
                self._proposal = None
        self._publish()
        return self._receipt("kept", text)

    def _stamp(self, claim: Observation) -> Seconds:
        """Table time of a claim: a tap's is now, a sensor's its own, neither before the last fact."""
        now = self.clock.at()
        assert self._evening is not None
        at = now if claim.source == "hand" else min(claim.event.at, now)
        return Seconds(round(max(at, self._evening.last_at), 3))

    # -- games, on the table's thread ---------------------------------------------------------------

    def _start(
        self, slug: str, title: str, seats: tuple[Seat, ...], options: Mapping[str, str]
    ) -> GameInfo:
        game = self._game(slug)
        known = {seat.key: seat for seat in self._seats}
        strangers = [seat for seat in seats if seat not in known]
        if strangers:
            raise ValueError(f"{strangers[0]!r} does not sit at the table")
        fewest, most = game.seats
        if not fewest <= len(seats) <= most:
            raise ValueError(f"{game.title} takes {fewest} to {most} players; {len(seats)} are chosen")
        setup = Setup(seats, {**_defaults(game), **options}, new_deal(), self._carried(game))
        Evening.begin(game, setup)
        record = GameRecord(
            _new_id(), slug, " ".join(title.split())[:200] or game.title, wall_time(), setup
        )
        self._journal.begin(record)
        self._journal.keep(_OPEN, record.id)
        self._open(record)
        self._publish()
        return _info(record)

    def _carried(self, game: Game[Any]) -> Mapping[str, str]:
        """What the last evening of this game left for this one."""
        last = next((record for record in self._journal.games() if record.slug == game.slug), None)
        if last is None:
            return {}
        try:
            evening = Evening.begin(game, last.setup).replayed(self._journal.rows(last.id))
        except ValueError as fault:
            text = f"{last.title} cannot be replayed, so nothing is carried over from it: {fault}"
            self._note(Notice(source="games", state="not carried", text=text, level="info"))
            return last.setup.carried
        return dict(game.keeps(evening.state))

    def _open(self, record: GameRecord) -> None:
        game = self._game(record.slug)
        rows = self._journal.rows(record.id)
        evening, history = Evening.begin(game, record.setup), History()
        try:
            for row in rows:
                evening = evening.after(row)
                history = history.after(row, evening)
        except ValueError as fault:
            raise CompanionError(
                f"{record.title!r} cannot be reopened with this version: {fault}. It is kept as it is"
            ) from fault
        self._put_away()
        self._record, self._evening, self._history = record, evening, history
        self._next_seq = rows[-1].seq + 1 if rows else 1
        self._observed = {row.observation for row in rows}
        self._set_clock(rows, evening)

    def _set_clock(self, rows: tuple[Entry, ...], evening: Evening) -> None:
        pauses = [row for row in rows if row.kind in {"pause", "resume"}]
        at = evening.last_at
        if pauses:
            at = max(at, float(pauses[-1].line)) if pauses[-1] is rows[-1] else at
        self.clock.resume()
        self.clock.turn_to(Seconds(at))
        if pauses and pauses[-1].kind == "pause":
            self.clock.pause()

    def _put_away(self) -> None:
        self._record = self._evening = self._proposal = None
        self._history, self._observed, self._next_seq = History(), set(), 1
        self.clock.resume()

    def _reopen_last(self) -> None:
        game_id = self._journal.kept(_OPEN)
        if not game_id:
            return
        try:
            self._open(self._journal.game(game_id))
        except (CompanionError, GameNotFoundError, GameFileError) as fault:
            self._notices["games"] = Notice(source="games", state="not reopened", text=str(fault))

    def _game(self, slug: str) -> Game[Any]:
        if slug not in self.games:
            raise GameNotFoundError(f"the game {slug!r} is not here; there are: {', '.join(self.games)}")
        return self.games[slug]

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

    # -- showing ------------------------------------------------------------------------------------

    def _note(self, notice: Notice) -> None:
        if notice.level == "ok":
            if self._notices.pop(notice.source, None) is None:
                return
        elif self._notices.get(notice.source) == notice:
            return
        else:
            self._notices[notice.source] = notice
        self._publish()

    def _receipt(self, status: str, text: str) -> Receipt:
        return Receipt(status, text, self._snapshot.version)

    def _publish(self) -> None:
        evening, record = self._evening, self._record
        shown = Snapshot(
            version=self._snapshot.version + 1,
            proposal=self._proposal,
            notices=tuple(self._notices.values()),
            paused=self.clock.paused,
            at=self.clock.at(),
            seats=self._seats,
        )
        if evening is not None and record is not None:
            self._history = self._history.shown(evening)
            outcome = evening.game.outcome(evening.state)
            info = replace(_info(record), facts=self._next_seq - 1, ended=outcome is not None)
            shown = replace(
                shown,
                game=info,
                state=evening.state,
                expected=evening.game.expects(evening.state),
                outcome=outcome,
                history=self._history.rows,
                undo=_undoable(evening.facts, "Nothing has happened yet."),
                redo=_undoable(evening.undone, "Nothing was taken back."),
            )
        with self._changed:
            self._snapshot = shown
            self._changed.notify_all()


def _amended(evening: Evening, seq: int, line: str) -> Evening:
    """``evening`` with fact ``seq`` as ``line`` has it; its time and seat stay as they were."""
    event = notation.read(line, evening.game.events)
    fact = next((f for f in evening.facts if f.seq == seq), None)
    if fact is None:
        raise LookupError(f"Fact {seq} does not stand any more.")
    return evening.amended(seq, replace(event, at=fact.event.at, by=fact.event.by))


def _undoable(facts: tuple[Any, ...], why_not: str) -> Undoable:
    return Undoable(facts[-1].seq, facts[-1].told) if facts else Undoable(None, why_not)


def _defaults(game: Game[Any]) -> dict[str, str]:
    return {option.name: option.default for option in game.options}


def _info(record: GameRecord) -> GameInfo:
    return GameInfo(
        record.id, record.slug, record.title, record.started, record.setup.seats, record.rows, record.ended
    )


def _new_id() -> str:
    return secrets.token_hex(4)
