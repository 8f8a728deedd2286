"""One thread, one inbox: observations become facts, facts become what the screens show.

Everything that changes the table runs on its one thread, in the order of arrival. Every call here
is safe from any thread and returns when its effect is durable.
"""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from threading import Condition, Lock
from typing import Any

from companion import seating
from companion.clock import TableClock
from companion.differences import differences
from companion.errors import CompanionError
from companion.evening import StrandedError
from companion.inbox import Inbox
from companion.journal import Journal
from companion.opengame import OpenGame
from companion.play import Answer, Corrected, Play, amended, stranded
from companion.rules.events import DieFace, Notice, Observation, Seat, Seconds
from companion.rules.game import Game
from companion.rules.view import View
from companion.seal import Seal
from companion.shelf import Shelf
from companion.snapshot import GameInfo, Preview, Receipt, SeatInfo, Snapshot

GRACE_S = 0.5
"""How long the bell waits for a tap made in time whose packet is still on its way."""

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
        corrected: Corrected | None = None,
    ) -> None:
        """``corrected`` is told of each misread, on the table's thread."""
        self.games = games
        self.clock = clock or TableClock()
        self._journal = journal
        self._corrected = corrected
        self._opened: Callable[[tuple[int, ...]], None] | None = None
        self._shelf = Shelf(journal, games, seal)
        self._seats = journal.seats()
        self._play: Play | None = None
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
                game = self.games[snapshot.game.slug]
                view = game.view(snapshot.state, seat, snapshot.at)
                if snapshot.book is not None:
                    told = game.afterwards(snapshot.state, snapshot.book)
                    view = replace(view, panels=(*view.panels, *told))
                self._views[seat] = (snapshot.version, view)
        return view

    def kept_games(self) -> tuple[GameInfo, ...]:
        """Every game on the disk, the newest first."""
        return self._shelf.infos()

    def preview(self, seq: int, line: str) -> Preview:
        """What would change if fact ``seq`` had been ``line``. Nothing is changed."""
        play = self._play
        if play is None:
            return Preview(ok=False, text=_NO_GAME)
        evening = play.opened.evening
        try:
            changed = amended(evening, seq, line)
        except StrandedError as fault:
            row = play.opened.history.row(fault.fact.seq)
            return Preview(ok=False, text=stranded(fault), stranded=row)
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
        return self._at_play(lambda play: play.submit(observation), idle="ignored")

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
        return self._at_play(lambda play: play.tap(id, seat, word, args))

    def confirm(
        self,
        *,
        id: str,  # noqa: A002
        seat: Seat | None,
        dice: tuple[DieFace, ...] | None = None,
        cubes: tuple[str, ...] | None = None,
    ) -> Receipt:
        """Answer the question called ``id``: right as it is, or with these dice or cubes instead."""
        return self._at_play(lambda play: play.confirm(id, seat, dice, cubes))

    def dismiss(self, *, id: str, seat: Seat | None) -> Receipt:  # noqa: A002, ARG002 - anybody at the table may
        """Put the question called ``id`` away: nothing happened."""
        return self._at_play(lambda play: play.dismiss(id))

    def open_book(self, *, seat: Seat | None) -> Receipt:
        """Open what the sensors had sealed; refused before the outcome. Nothing is taken back after."""
        receipt = self._at_play(lambda play: play.open_book(seat))
        if receipt.status == "kept":
            self._inbox.do(self._teach)
        return receipt

    def when_opened(self, learn: Callable[[tuple[int, ...]], None]) -> None:
        """Have ``learn`` called with the floors on which cubes were found, on the table's thread.

        By then the snapshot has the open book.
        """
        self._opened = learn

    def undo(self, *, id: str, seat: Seat | None, seq: int | None = None) -> Receipt:  # noqa: A002
        """Take back the last fact that stands; refused if ``seq`` names another one.

        Two phones that tap undo at once mean the same fact, so each says which one it showed.
        """
        return self._at_play(lambda play: play.turn("undo", id, seat, seq))

    def redo(self, *, id: str, seat: Seat | None, seq: int | None = None) -> Receipt:  # noqa: A002
        """Let the fact that was taken back last stand again; refused if ``seq`` names another one."""
        return self._at_play(lambda play: play.turn("redo", id, seat, seq))

    def amend(self, *, id: str, seq: int, line: str, seat: Seat | None) -> Receipt:  # noqa: A002
        """Correct fact ``seq``; refused, naming the later fact, if one could not stand any more."""
        return self._at_play(lambda play: play.amend(id, seq, line, seat))

    def pause(self, *, seat: Seat | None = None) -> Receipt:
        """Stop table time until ``resume``."""
        return self._at_play(lambda play: play.pause("pause", seat))

    def resume(self, *, seat: Seat | None = None) -> Receipt:
        """Let table time go on."""
        return self._at_play(lambda play: play.pause("resume", seat))

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
            names = {seat: self._seat(seat).name for seat in seats}
            opened, trouble = self._shelf.begin(slug, title, seats, options, names)
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
            self._play = None
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

    # -- on the table's thread ----------------------------------------------------------------------

    def _at_play(self, act: Callable[[Play], Answer], *, idle: str = "refused") -> Receipt:
        """Let ``act`` happen to the open game; ``idle`` is the status when there is none."""

        def change() -> Receipt:
            if self._play is None:
                return Receipt(idle, _NO_GAME, self._snapshot.version)
            before = self._play.mark
            answer = act(self._play)
            self._show(self._play, before)
            return Receipt(answer.status, answer.text, self._snapshot.version)

        return self._inbox.do(change)

    def _teach(self) -> None:
        if self._opened is not None and self._play is not None:
            opened = self._play.opened
            self._opened(opened.game.found(opened.evening.state))

    def _until_bell_s(self) -> float | None:
        timer = self._snapshot.expected.timer
        if timer is None or self.clock.paused:
            return None
        return max(0.02, timer.left_s(self.clock.at()) + GRACE_S)

    def _ring_what_is_due(self) -> None:
        if self._play is not None:
            before = self._play.mark
            self._play.ring_until(Seconds(self.clock.at() - GRACE_S))
            self._show(self._play, before)

    def _show(self, play: Play, before: tuple[object, ...]) -> None:
        """Publish what has changed since ``before``, and the journal's trouble or its end."""
        if play.fault is not None:
            self._note(Notice(source="journal", state="not kept", text=str(play.fault)))
        elif play.mark != before:
            self._notices.pop("journal", None)
        if play.mark != before:
            self._publish()

    def _lay_out(self, opened: OpenGame) -> GameInfo:
        self._play = Play(opened, self.clock, self._corrected)
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

    def _publish(self) -> None:
        shown = Snapshot(
            version=self._snapshot.version + 1,
            notices=tuple(self._notices.values()),
            paused=self.clock.paused,
            at=self.clock.at(),
            seats=self._seats,
        )
        if self._play is not None:
            shown = _with_game(shown, self._play)
        with self._changed:
            self._snapshot = shown
            self._changed.notify_all()


def _with_game(shown: Snapshot, play: Play) -> Snapshot:
    opened = play.opened
    return replace(
        shown,
        game=opened.info,
        state=opened.evening.state,
        expected=opened.expected,
        outcome=opened.outcome,
        proposal=play.proposal,
        history=opened.history.rows,
        undo=play.undoable,
        redo=play.redoable,
        sealed=opened.sealed,
        book=opened.book,
    )
