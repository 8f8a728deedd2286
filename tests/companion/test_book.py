"""What sensors seal: closed on the disk and on every screen until the outcome, open to all after."""

import json
from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest
from cryptography.fernet import Fernet

from companion.clock import TableClock
from companion.journal import Journal
from companion.rules.events import CubeDropped, CubesSeen, DieClaim, Observation, Seat, Seconds
from companion.seal import Seal
from companion.table import Table
from shaft import GAME as SHAFT

numbers = count()
ANNA = Seat("anna")


class Evening:
    """A table with the game of the shaft, on a journal that can be reopened by another companion."""

    def __init__(self, folder, **options):
        self.folder, self.key = folder, Fernet.generate_key()
        self.told: list[tuple[tuple[int, ...], bool]] = []
        self.open()
        seat = self.table.join("Anna")
        self.info = self.table.start_game(slug="shaft", title="Evening", seats=(seat.key,), options=options)

    def open(self):
        self.journal = Journal.open(f"sqlite:///{self.folder / 'companion.db'}")
        games: Mapping[str, Any] = {"shaft": SHAFT}
        clock = TableClock(lambda: 0.0)
        self.table = Table(self.journal, games, seal=Seal(self.key), clock=clock)
        self.table.when_opened(self.learn)

    def learn(self, found):
        self.told.append((found, self.table.snapshot().book is not None))

    def close(self):
        self.table.close()
        self.journal.close()

    def again(self):
        self.close()
        self.open()

    def drop(self, floor=5, sounds=3):
        knows = {"floors": [0.0] * 8, "sounds": [[0.1 * n, 50.0] for n in range(sounds)], "floor": floor}
        event = CubeDropped(at=Seconds(0.0), drop=f"d{next(numbers)}")
        claim = Observation(id=event.drop, event=event, source="tower", sealed=json.dumps(knows))
        return self.table.submit(claim).status

    def see(self, *cubes, source="hand", sure=True):
        event = CubesSeen(at=Seconds(0.0), cubes=cubes)
        claims = tuple(DieClaim("cube", cube, 0.6) for cube in cubes)
        ident = f"s{next(numbers)}"
        claim = Observation(id=ident, event=event, source=source, sure=sure, claims=claims)
        return self.table.submit(claim)

    def play(self):
        assert [self.drop(floor) for floor in (5, 6, 7)] == ["kept"] * 3
        assert self.see("blue").status == "kept"

    def open_book(self):
        return self.table.open_book(seat=ANNA)

    def lines(self):
        view = self.table.view(self.table.snapshot(), None)
        return [line for panel in view.panels for line in panel.lines]


@pytest.fixture
def evening(tmp_path):
    made = Evening(tmp_path)
    yield made
    made.close()


def stored(folder):
    return b"".join(file.read_bytes() for file in sorted(folder.glob("companion.db*")))


def test_until_the_outcome_nothing_sealed_is_on_a_screen_on_the_disk_or_in_an_export(evening, tmp_path):
    evening.drop(5)
    snapshot = evening.table.snapshot()
    assert snapshot.book is None
    assert not snapshot.sealed
    assert evening.lines() == []
    assert b"floors" not in stored(tmp_path)
    assert "floors" not in evening.table.export(evening.info.id)
    assert "floors" not in repr(snapshot)


def test_entries_are_equally_long_whatever_they_hold(evening):
    evening.drop(0, sounds=0)
    evening.drop(7, sounds=40)
    lengths = {len(token) for token in evening.journal.sealed(evening.info.id).values()}
    assert len(lengths) == 1


def test_the_book_stays_closed_before_the_outcome(evening):
    evening.drop()
    receipt = evening.open_book()
    assert receipt.status == "refused"
    assert "until the game has ended" in receipt.text
    evening.again()
    assert evening.table.snapshot().book is None


def test_after_the_outcome_one_tap_opens_it_for_all_and_for_good(evening):
    evening.play()
    assert evening.table.snapshot().sealed
    assert evening.lines() == []
    assert evening.open_book().status == "kept"
    assert [json.loads(line)["floor"] for line in evening.lines()] == [5, 6, 7]
    assert evening.told == [((2,), True)]
    evening.key = Fernet.generate_key()  # another companion: the key has been released into the journal
    evening.again()
    assert [json.loads(line)["floor"] for line in evening.lines()] == [5, 6, 7]
    assert evening.open_book().status == "again"


def test_a_mistaken_end_can_be_taken_back_only_while_the_book_is_closed(evening):
    evening.play()
    assert evening.table.undo(id="u1", seat=ANNA).status == "kept"
    assert not evening.table.snapshot().sealed
    evening.see("blue", "blue")
    evening.open_book()
    for receipt in (
        evening.table.undo(id="u2", seat=ANNA),
        evening.table.amend(id="a1", seq=1, line="0.0 table cube_dropped drop=x", seat=ANNA),
    ):
        assert receipt.status == "refused"
        assert "book is open" in receipt.text


def test_the_key_is_in_the_journal_only_once_released(evening):
    evening.play()
    kinds = [row.kind for row in evening.journal.rows(evening.info.id)]
    assert "unseal" not in kinds
    evening.open_book()
    assert evening.journal.rows(evening.info.id)[-1].kind == "unseal"


def test_a_copy_of_the_database_without_the_key_file_opens_nothing_and_says_so(evening):
    evening.play()
    evening.key = Fernet.generate_key()
    evening.again()
    receipt = evening.open_book()
    assert receipt.status == "refused"
    assert "seal.key" in receipt.text
    assert evening.table.snapshot().book is None


def test_a_game_without_a_sensed_cube_has_no_book(evening):
    for _ in range(3):
        event = CubeDropped(at=Seconds(0.0), drop=f"d{next(numbers)}")
        evening.table.submit(Observation(id=event.drop, event=event, source="tower"))
    evening.see()
    assert not evening.table.snapshot().sealed
    assert "Nothing was sealed" in evening.open_book().text


def test_in_a_training_the_book_is_open_from_the_start(tmp_path):
    training = Evening(tmp_path, training="yes")
    try:
        training.drop(3)
        training.drop(4)
        floors = [json.loads(line)["floor"] for line in training.lines()]
        training.again()
        assert [json.loads(line)["floor"] for line in training.lines()] == floors == [3, 4]
    finally:
        training.close()


def test_cubes_seen_by_a_camera_that_is_not_sure_are_asked_and_corrected(evening):
    for floor in (1, 2, 3):
        evening.drop(floor)
    assert evening.see("blue", source="camera", sure=False).status == "asked"
    question = evening.table.snapshot().proposal
    receipt = evening.table.confirm(id=question.id, seat=ANNA, cubes=("blue", "red"))
    assert receipt.status == "kept"
    assert evening.table.snapshot().state.seen == ("blue", "red")
    assert evening.table.snapshot().proposal is None


def test_more_cubes_than_there_can_be_are_a_question_and_no_answer(evening):
    for floor in (1, 2, 3):
        evening.drop(floor)
    assert evening.see("red", "red", source="camera").status == "asked"
    question = evening.table.snapshot().proposal
    assert "2 red seen, only 1 red can lie there" in question.reason
    refused = evening.table.confirm(id=question.id, seat=ANNA)
    assert refused.status == "refused"


def test_cubes_seen_out_of_season_are_ignored(evening):
    assert evening.see("blue", source="camera").status == "ignored"


def test_a_drop_that_the_tower_is_not_sure_of_is_nobodys_fact(evening):
    event = CubeDropped(at=Seconds(0.0), drop="perhaps")
    claim = Observation(id="perhaps", event=event, source="tower", confidence=0.4, sure=False, sealed="{}")
    receipt = evening.table.submit(claim)
    assert receipt.status == "ignored"
    assert "tap its colour" in receipt.text
    assert evening.table.snapshot().state.drops == ()
    assert evening.journal.sealed(evening.info.id) == {}
