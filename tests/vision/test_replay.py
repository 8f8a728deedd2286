"""The last minute: kept within limits, written into a file, and run again to the same."""

import json
import random
import zipfile
import zlib

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected, DieFace, Notice
from vision.dice import Die, read
from vision.minute import KEEP_S, Minute
from vision.notes import expected_of, expected_row
from vision.rehearsal import SIDE_PX, RehearsalTray
from vision.replay import rerun
from vision.report import Report, ReportError, written
from vision.tray import TrayProfile
from vision.watch import Watcher

ALL = DiceExpected((("white", 7), ("coloured", 1)))
KEEPING = DiceExpected(ALL.kinds, held=(DieFace("white", "6"),) * 2)
FPS = 15


class Evening:
    """A rehearsed tray that is watched and kept; its reader knows the dice and remembers each picture."""

    def __init__(self, seed=8, reader=None, minute=None, compress=True, **how):
        self.compress = compress
        self.now = 1000.0
        self.tray = RehearsalTray(chance=random.Random(seed), monotonic=lambda: self.now)
        self.expected, self.blur, self.heard = ALL, 0.0, []
        self.given = {}
        self.minute = minute or Minute()
        self.watcher = Watcher(
            self.tray,
            lambda: self.expected,
            self.heard.append,
            clock=lambda at: at - 1000,
            session="t",
            reader=reader or self.read,
            keeper=self.minute,
            **how,
        )

    def read(self, frame, expected):
        dice = tuple(
            Die(cv2.boxPoints(((d.x, d.y), (SIDE_PX, SIDE_PX), d.angle)), d.kind, d.face, 0.995 - self.blur)
            for d in self.tray.dice
        )
        self.given[checksum(frame)] = dice
        return dice

    def again(self, frame, expected):
        """Read only what was read before, from the very same pixels."""
        return self.given[checksum(frame)]

    def watch(self, seconds):
        for _ in range(round(seconds * FPS)):
            self.watcher.step(self.tray.frame(self.now))
            self.now += 1 / FPS
            if self.compress:
                self.minute.compress()

    def report(self, path, **facts):
        edges = [{"at": 1001.5, "line": "entry", "level": False}]
        path.write_bytes(b"".join(written(self.minute.kept(), facts, edges)))
        return Report.open(path)


def checksum(frame):
    return zlib.crc32(np.ascontiguousarray(frame.image).tobytes())


def play(evening):
    """A sure throw, kept dice, a hand, a nudge, a doubtful throw, light, nothing awaited."""
    evening.watch(1)
    evening.tray.throw(list("11166234"))
    evening.watch(1.5)
    evening.expected = KEEPING
    evening.tray.throw(hold=[3, 4])
    evening.watch(1.5)
    evening.tray.cover(True)
    evening.watch(1)
    evening.tray.cover(False)
    evening.tray.nudge(2)
    evening.watch(1)
    evening.blur, evening.expected = 0.5, ALL
    evening.tray.throw()
    evening.watch(2.5)
    evening.tray.lamp(0.6)
    evening.expected = None
    evening.watch(1)


@pytest.fixture(scope="module")
def played():
    evening = Evening()
    play(evening)
    return evening


@pytest.mark.slow
def test_a_minute_run_again_comes_to_the_same_roll_for_roll(played, tmp_path):
    report = played.report(tmp_path / "minute.zip")
    outcome = rerun(report, played.again)
    assert [roll.then["roll"] for roll in outcome.rolls] == ["t-1", "t-2", "t-3"]
    assert [roll.now["sure"] for roll in outcome.rolls] == [True, True, False]
    assert [roll.same for roll in outcome.rolls] == [True] * 3
    assert (outcome.otherwise, outcome.unread, outcome.same) == (0, 0, True)


def test_a_minute_of_a_marked_tray_runs_again_too(tmp_path):
    evening = Evening(profile=TrayProfile(((0.02, 0.02), (0.98, 0.0), (0.99, 0.97), (0.0, 0.98))))
    evening.watch(1)
    evening.tray.throw()
    evening.watch(2)
    outcome = rerun(evening.report(tmp_path / "minute.zip"), evening.again)
    assert len(outcome.rolls) == 1
    assert outcome.same


@pytest.mark.slow
def test_what_is_kept_may_begin_in_the_middle_of_an_evening(tmp_path):
    evening = Evening(minute=Minute(keep_s=4.0))
    for _ in range(3):
        evening.tray.throw()
        evening.watch(2.4)
    report = evening.report(tmp_path / "minute.zip")
    assert report.rows[0]["at"] > 1003
    outcome = rerun(report, evening.again)
    assert outcome.rolls
    assert outcome.same


@pytest.mark.slow
def test_another_reading_is_told_as_different(played, tmp_path):
    def wrong(frame, expected):
        first, *rest = played.again(frame, expected)
        return (Die(first.outline, first.kind, "1" if first.face != "1" else "2", first.confidence), *rest)

    outcome = rerun(played.report(tmp_path / "minute.zip"), wrong)
    assert not outcome.same
    assert not outcome.rolls[0].same


def test_a_roll_that_is_not_told_any_more_is_different(played, tmp_path):
    outcome = rerun(played.report(tmp_path / "minute.zip"), lambda frame, expected: ())
    assert [roll.now for roll in outcome.rolls if roll.then] == [None] * 3
    assert not outcome.same


@pytest.mark.slow
def test_the_real_reader_reads_the_kept_pixels_the_same(tmp_path):
    evening = Evening(seed=2, reader=read)
    evening.watch(1)
    evening.tray.throw()
    evening.watch(1.5)
    outcome = rerun(evening.report(tmp_path / "minute.zip"))
    assert len(outcome.rolls) == 1
    assert outcome.same


def test_the_file_holds_pictures_for_people_edges_and_facts(played, tmp_path):
    report = played.report(tmp_path / "minute.zip", version="9")
    with zipfile.ZipFile(report.path) as file:
        names = file.namelist()
        assert json.loads(file.read("edges.jsonl"))["line"] == "entry"
    assert report.head["version"] == "9"
    assert report.head["frames"] == len(report.rows) == sum(name.startswith("grey/") for name in names)
    shown = sum(name.startswith("shown/") for name in names)
    assert 3 <= shown / report.head["seconds"] <= 4.1
    assert 0 < sum(name.startswith("tray/") for name in names) < 40


@pytest.mark.slow
def test_it_keeps_a_minute_and_no_more_bytes_than_allowed():
    evening = Evening(minute=Minute(most_bytes=1_500_000))
    play(evening)
    kept = evening.minute.kept()
    assert evening.minute.bytes <= 1_500_000
    assert kept[0].before is not None
    assert Minute()._keep_s == KEEP_S == 60


def test_a_backlog_of_pictures_does_not_fill_the_memory():
    evening = Evening(compress=False)
    evening.blur = 0.5
    evening.watch(0.5)
    evening.tray.throw()
    evening.watch(2)
    waiting = [raw for raw in evening.minute._waiting if raw.tray is not None]
    assert len(waiting) == 4
    assert any(step.wanted and step.tray is None for step in evening.minute.kept())


@pytest.mark.slow
def test_a_frame_that_was_not_kept_is_counted_and_fails_no_worse(tmp_path, caplog):
    evening = Evening()
    evening.watch(1)
    evening.tray.throw()
    evening.watch(2)
    path = tmp_path / "minute.zip"
    evening.report(path)
    thinned = tmp_path / "thinned.zip"
    with zipfile.ZipFile(path) as whole, zipfile.ZipFile(thinned, "w") as less:
        for name in whole.namelist():
            if not name.startswith("tray/"):
                less.writestr(name, whole.read(name))
    outcome = rerun(Report.open(thinned), evening.again)
    assert not outcome.same
    assert "was not kept" in caplog.text


def test_a_tray_marked_anew_begins_a_new_minute():
    evening = Evening()
    evening.watch(2)
    evening.watcher.use(TrayProfile(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))))
    evening.watch(1)
    kept = evening.minute.kept()
    assert len(kept) == FPS
    assert {step.size for step in kept} == {(768, 576)}


def test_notices_are_kept_as_well(played):
    said = Notice(source="camera", state="lost", text="It is gone.")
    evening = Evening()
    evening.minute.heard(said)
    evening.watch(0.1)
    assert evening.minute.kept()[0].heard == (said,)


@pytest.mark.parametrize(
    "expected", [None, ALL, KEEPING, DiceExpected((("fingerprint", 1),), faces=("red",))]
)
def test_what_was_awaited_reads_back(expected):
    assert expected_of(json.loads(json.dumps(expected_row(expected)))) == expected


@pytest.mark.parametrize("content", [b"", b"PK nonsense", b"\x89PNG"])
def test_a_file_that_is_none_is_refused_in_words(tmp_path, content):
    file = tmp_path / "x.zip"
    file.write_bytes(content)
    with pytest.raises(ReportError, match=r"x\.zip is not a report"):
        Report.open(file)


def test_files_of_other_formats_are_refused(tmp_path):
    file = tmp_path / "x.zip"
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("report.json", '{"format": 99}')
    with pytest.raises(ReportError, match="another version"):
        Report.open(file)
    with zipfile.ZipFile(file, "w") as made:
        made.writestr("report.json", "[]")
    with pytest.raises(ReportError, match="damaged"):
        Report.open(file)
