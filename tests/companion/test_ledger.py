"""Who read how well: the ledger over real tables, and the pictures of what was misread."""

import json
from datetime import date

import pytest

from companion.clock import TableClock
from companion.corrections import Corrections
from companion.journal import Journal
from companion.ledger import Tally, ledger
from companion.rules.events import DiceRolled, DieClaim, DieFace, Observation, Seconds
from companion.seal import Seal
from companion.table import Table
from dash import GAME as DASH

MONDAY = date(2026, 11, 23)


def dice(text):
    return tuple(DieFace("white", face) for face in text)


class Evening:
    """A table at which a camera claims throws of two dice."""

    def __init__(self, tmp_path, corrections=None):
        self.journal = Journal.open(f"sqlite:///{tmp_path / 'e.db'}", day=lambda: MONDAY)
        self.table = Table(
            self.journal,
            {"dash": DASH},
            seal=Seal.at(tmp_path / "seal.key"),
            clock=TableClock(now=lambda: 0.0),
            corrected=corrections.keep if corrections else None,
        )
        self.anna = self.table.join("Anna").key
        self.table.start_game(slug="dash", title="", seats=(self.anna,), options={})
        self.n = 0

    def claim(self, faces, *, sure=True, reader="camera"):
        self.n += 1
        claimed = dice(faces)
        claims = tuple(
            DieClaim("white", die.face, 0.9, ((0.1, 0.1), (0.2, 0.1), (0.2, 0.2), (0.1, 0.2)))
            for die in claimed
        )
        event = DiceRolled(at=Seconds(0.0), roll=f"r{self.n}", dice=claimed)
        self.table.submit(
            Observation(
                id=f"o{self.n}",
                event=event,
                source=reader,
                sure=sure,
                claims=claims,
                picture=b"drawn",
                original=lambda n=self.n: b"picture %d" % n,
            )
        )
        return f"o{self.n}"

    def answer(self, question, faces=None):
        self.table.confirm(id=question, seat=self.anna, dice=dice(faces) if faces else None)

    def by_hand(self, faces):
        self.n += 1
        event = DiceRolled(at=Seconds(0.0), roll=f"r{self.n}", dice=dice(faces))
        self.table.submit(Observation(id=f"o{self.n}", event=event, source="hand"))

    def undo(self):
        self.n += 1
        self.table.undo(id=f"o{self.n}", seat=self.anna)

    def amend(self, faces):
        self.n += 1
        row = self.table.snapshot().history[-1]
        was, _, rest = row.line.partition("dice=")
        assert rest
        line = was + "dice=" + ",".join(map(str, dice(faces)))
        assert self.table.amend(id=f"o{self.n}", seq=row.seq, line=line, seat=self.anna).good

    def close(self):
        self.table.close()
        self.journal.close()


@pytest.fixture
def evening(tmp_path):
    begun = Evening(tmp_path)
    yield begun
    begun.close()


def test_readings_are_held_against_what_the_table_said(evening):
    evening.claim("12")  # counts at once
    evening.answer(evening.claim("31", sure=False))  # confirmed
    evening.answer(evening.claim("21", sure=False), "23")  # corrected
    evening.claim("11", reader="photo")
    seen = ledger(evening.journal)
    assert seen.readers["camera"] == Tally(2, 3, MONDAY)
    assert seen.unasked["camera"] == Tally(1, 1)
    assert seen.readers["photo"] == Tally(1, 1)
    assert seen.mixed == {(DieFace("white", "3"), DieFace("white", "1")): 1}
    assert seen.faces[DieFace("white", "3")] == Tally(1, 2, MONDAY)
    assert seen.readers["camera"].told(date(2026, 11, 25)) == "2 of 3 right, last wrong on Monday"


def test_a_late_correction_counts_against_a_reading_that_was_sure(evening):
    evening.claim("12")
    evening.amend("22")
    assert ledger(evening.journal).unasked["camera"] == Tally(0, 1, MONDAY)


def test_taking_back_says_nothing_unless_the_throw_is_entered_anew(evening):
    evening.claim("12")
    evening.undo()
    assert ledger(evening.journal).readers == {}
    evening.by_hand("13")
    assert ledger(evening.journal).readers["camera"] == Tally(0, 1, MONDAY)


def test_a_question_that_is_answered_on_the_pad_counts(evening):
    evening.claim("12", sure=False)
    evening.by_hand("14")
    assert ledger(evening.journal).readers["camera"] == Tally(0, 1, MONDAY)


def test_throws_by_hand_are_no_readings(evening):
    evening.by_hand("12")
    assert ledger(evening.journal).readers == {}


@pytest.mark.parametrize(
    ("today", "told"),
    [
        ("2026-11-23", "today"),
        ("2026-11-24", "yesterday"),
        ("2026-11-29", "on Monday"),
        ("2026-11-30", "on 23 November"),
        ("2027-01-02", "on 23 November 2026"),
    ],
)
def test_days_are_said_as_people_say_them(today, told):
    tally = Tally(411, 413, MONDAY)
    assert tally.told(date.fromisoformat(today)) == f"411 of 413 right, last wrong {told}"
    assert Tally(3, 3).told(MONDAY) == "3 of 3 right"


def test_a_misread_is_kept_with_its_label_once_somebody_agreed(tmp_path):
    folder = tmp_path / "corrections"
    kept = Corrections(folder)
    evening = Evening(tmp_path, kept)
    evening.answer(evening.claim("21", sure=False), "11")
    assert (kept.agreed, kept.count, folder.exists()) == (False, 0, False)
    kept.agree(on=True)
    evening.answer(evening.claim("21", sure=False))  # right: no picture
    evening.answer(evening.claim("21", sure=False), "23")
    evening.claim("13")
    evening.amend("12")
    evening.claim("12", sure=False)
    evening.by_hand("11")
    assert kept.count == 3
    assert [f.read_bytes() for f in sorted(folder.glob("*.jpg"))] == [
        b"picture 3",
        b"picture 4",
        b"picture 6",
    ]
    label = json.loads((folder / "000001.json").read_text())
    assert label["right"] == ["white:2", "white:3"]
    assert label["read"][1]["face"] == "1"
    assert label["dice"][1]["face"] == "3"
    assert label["dice"][1]["outline"][0] == [0.1, 0.1]
    assert label["image"] == "000001.jpg"
    kept.agree(on=False)
    evening.answer(evening.claim("21", sure=False), "11")
    assert kept.count == 3
    assert kept.forget() == 3
    assert list(folder.iterdir()) == []
    evening.close()


def test_old_pictures_make_room(tmp_path):
    kept = Corrections(tmp_path, most=3, most_mb=10 / 1024 / 1024)
    kept.agree(on=True)
    event = DiceRolled(at=Seconds(0.0), roll="r", dice=dice("12"))
    for n in range(6):
        size = 3 if n < 5 else 8
        claim = Observation(id="o", event=event, source="camera", original=lambda size=size: b"x" * size)
        kept.keep(claim, dice("13"))
    assert sorted(f.name for f in tmp_path.glob("*.jpg")) == ["000006.jpg"]
    assert sorted(f.name for f in tmp_path.glob("*.json")) == ["000006.json", "agreed.json"]


def test_a_disk_that_refuses_stops_nothing(tmp_path, caplog):
    kept = Corrections(tmp_path)
    kept.agree(on=True)

    def broken():
        raise OSError(28, "No space left on device")

    event = DiceRolled(at=Seconds(0.0), roll="r", dice=dice("12"))
    kept.keep(Observation(id="o", event=event, source="camera", original=broken), dice("13"))
    assert "could not be kept" in caplog.text
