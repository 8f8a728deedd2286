"""Random evenings: whatever is done in whatever order, a reopened table is the table as it ran."""

from tempfile import TemporaryDirectory

import pytest
from cryptography.fernet import Fernet
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion import gamefile
from companion.clock import TableClock
from companion.journal import Journal
from companion.opengame import OpenGame
from companion.rules.events import DiceRolled, DieFace, Observation, Seat, Seconds
from companion.seal import Seal
from companion.table import GRACE_S, Table
from dash import GAME as DASH

SEATS = (Seat("anna"), Seat("bert"))
GAMES = {"dash": DASH}
FACES = st.lists(st.sampled_from("123456"), min_size=1, max_size=3)
STATUSES = {"kept", "again", "asked", "ignored", "refused"}


def dice(faces):
    return tuple(DieFace("white", face) for face in faces)


class Walk(RuleBasedStateMachine):
    """Players who tap, throw, take back, correct, pause and pull the plug, in any order."""

    def __init__(self):
        super().__init__()
        self.folder = TemporaryDirectory()
        self.journal = Journal.open(f"sqlite:///{self.folder.name}/walk.db")
        self.ticks = [0.0]
        self.seal = Seal(Fernet.generate_key())
        self.table = self.begun()
        self.kept: dict[str, str] = {}
        self.next_id = 0

    def begun(self):
        clock = TableClock(now=lambda: self.ticks[-1])
        return Table(self.journal, GAMES, seal=self.seal, clock=clock)

    def teardown(self):
        self.table.close()
        self.journal.close()
        self.folder.cleanup()

    @initialize(goal=st.sampled_from(("20", "40")))
    def start(self, goal):
        for name in SEATS:
            self.table.join(name.title())
        self.table.start_game(slug="dash", title="Walk", seats=SEATS, options={"goal": goal})

    def ident(self, old):
        """A fresh id, or, where ``old``, one that has been used for something."""
        if old and self.kept:
            return next(reversed(self.kept))
        self.next_id += 1
        return f"walk-{self.next_id}"

    def noted(self, ident, receipt):
        assert receipt.status in STATUSES
        if ident in self.kept:
            assert receipt.status == "again", f"{ident} counted twice: {receipt}"
        if receipt.status == "kept":
            self.kept[ident] = receipt.text

    @rule(wait_s=st.sampled_from((0.2, 5.0, 59.8, 60.4, 61.0, 200.0)))
    def time_goes(self, wait_s):
        self.ticks.append(self.ticks[-1] + wait_s)
        self.table.tick()

    @rule(seat=st.sampled_from(SEATS), word=st.sampled_from(("passed", "whispered")), old=st.booleans())
    def tap(self, seat, word, old):
        ident = self.ident(old)
        args = {"text": f"secret {ident}"} if word == "whispered" else {}
        self.noted(ident, self.table.tap(id=ident, seat=seat, word=word, args=args))

    @rule(faces=FACES, sure=st.booleans(), source=st.sampled_from(("camera", "hand")), late=st.booleans())
    def throw(self, faces, sure, source, late):
        ident = self.ident(old=False)
        at = Seconds(max(0.0, self.table.clock.at() - (0.4 if late else 0.0)))
        event = DiceRolled(at=at, roll=ident, dice=dice(faces))
        self.noted(ident, self.table.submit(Observation(id=ident, event=event, source=source, sure=sure)))

    @precondition(lambda self: self.table.snapshot().proposal)
    @rule(seat=st.sampled_from(SEATS), faces=st.none() | FACES, away=st.booleans())
    def answer(self, seat, faces, away):
        ident = self.table.snapshot().proposal.id
        if away:
            self.table.dismiss(id=ident, seat=seat)
            assert self.table.snapshot().proposal is None
        else:
            self.noted(ident, self.table.confirm(id=ident, seat=seat, dice=faces and dice(faces)))

    @rule(seat=st.sampled_from(SEATS), kind=st.sampled_from(("undo", "redo")), old=st.booleans())
    def turn(self, seat, kind, old):
        ident = self.ident(old)
        self.noted(ident, getattr(self.table, kind)(id=ident, seat=seat))

    @rule(data=st.data(), faces=FACES, old=st.booleans())
    def correct(self, data, faces, old):
        rows = [row for row in self.table.snapshot().history if row.line and "dice_rolled" in row.line]
        if rows:
            row = data.draw(st.sampled_from(rows))
            shown = ",".join(map(str, dice(faces)))
            line = f"{row.line.partition(' dice=')[0]} dice={shown}"
            preview = self.table.preview(row.seq, line)
            ident = self.ident(old)
            fresh = ident not in self.kept
            receipt = self.table.amend(id=ident, seq=row.seq, line=line, seat=SEATS[0])
            self.noted(ident, receipt)
            assert not fresh or preview.ok == (receipt.status == "kept")

    @rule(kind=st.sampled_from(("pause", "resume")))
    def halt(self, kind):
        getattr(self.table, kind)(seat=SEATS[0])
        assert self.table.snapshot().paused == (kind == "pause")

    @rule()
    def plug_is_pulled(self):
        before = self.table.snapshot()
        self.table.close()
        self.table = self.begun()
        after = self.table.snapshot()
        same = ("state", "expected", "outcome", "history", "undo", "redo", "paused", "game")
        for name in same:
            assert getattr(before, name) == getattr(after, name), name
        assert self.table.clock.at() <= before.at or before.paused

    @invariant()
    def rows_fold_to_what_is_shown(self):
        shown = self.table.snapshot()
        if shown.game is None:
            return
        folded = OpenGame(self.journal.game(shown.game.id), DASH, self.journal, self.seal)
        assert folded.evening.state == shown.state
        assert folded.history.rows == shown.history
        assert set(self.kept) <= folded.observed
        times = [fact.event.at for fact in folded.evening.facts]
        assert times == sorted(times)
        assert folded.left_at[1] == shown.paused
        assert not shown.paused or folded.left_at[0] == self.table.clock.at()

    @invariant()
    def the_exported_text_folds_to_the_same_state(self):
        shown = self.table.snapshot()
        if shown.game is None:
            return
        text = self.table.export(shown.game.id)
        assert "secret walk" not in text
        file = gamefile.read(text, GAMES, open_seal=self.seal.open)
        assert gamefile.fold(file, DASH).state == shown.state

    @invariant()
    def nothing_that_is_due_is_late(self):
        timer = self.table.snapshot().expected.timer
        if timer and not self.table.clock.paused:
            assert self.table.clock.at() <= timer.ends_at + GRACE_S + 0.001


Walk.TestCase.settings = settings(max_examples=40, stateful_step_count=30, deadline=None)
TestWalk = pytest.mark.slow(Walk.TestCase)
