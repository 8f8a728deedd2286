"""The loop from frames to what the table hears: scripted readings on rehearsed trays."""

import queue
import random
import threading

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected, DiceRolled, DieFace, Notice, Observation
from vision.dice import Die
from vision.live import LivePicture
from vision.rehearsal import SIDE_PX, RehearsalTray
from vision.tray import TrayProfile
from vision.watch import Watcher

ALL = DiceExpected((("white", 7), ("coloured", 1)))
FPS = 15


class Evening:
    """A rehearsed tray, a watcher, and a clock that goes on with the pictures.

    The reader knows what lies on the tray; ``blur`` makes it unsure, ``broken`` makes it fail.
    """

    def __init__(self, **how):
        self.now = 1000.0
        self.tray = RehearsalTray(chance=random.Random(8), monotonic=lambda: self.now)
        self.expected = ALL
        self.blur = 0.0
        self.broken = None
        self.readings = 0
        self.heard = []
        how.setdefault("clock", lambda at: at - 1000)
        self.watcher = Watcher(
            self.tray,
            lambda: self.expected,
            self.heard.append,
            session="t",
            reader=self.read,
            live=LivePicture(lambda: self.now),
            **how,
        )

    def read(self, frame, expected):
        self.readings += 1
        if self.broken:
            raise self.broken
        return tuple(
            Die(cv2.boxPoints(((d.x, d.y), (SIDE_PX, SIDE_PX), d.angle)), d.kind, d.face, 0.995 - self.blur)
            for d in self.tray.dice
        )

    def watch(self, seconds):
        """Let time go on; return what was said in it."""
        before = len(self.heard)
        for _ in range(round(seconds * FPS)):
            self.watcher.step(self.tray.frame(self.now))
            self.now += 1 / FPS
        return self.heard[before:]


@pytest.fixture
def evening():
    begun = Evening()
    assert begun.watch(1) == []
    assert begun.watcher.state == "waiting"
    return begun


def test_a_throw_is_told_once_with_its_dice_claims_and_picture(evening):
    evening.tray.throw()
    landed = max(die.landed for die in evening.tray.dice)
    (told,) = evening.watch(6)
    assert isinstance(told.event, DiceRolled)
    assert told.event.dice == tuple(die.shown for die in evening.tray.dice)
    assert told.event.at == pytest.approx(landed - 1000, abs=0.15)
    assert told.event.roll == told.id == "t-1"
    assert (told.source, told.sure, told.reason) == ("camera", True, "")
    assert told.confidence == pytest.approx(0.995**8, abs=1e-3)
    assert [(c.kind, c.face) for c in told.claims] == [(d.kind, d.face) for d in told.event.dice]
    assert all(0 <= v <= 1 for claim in told.claims for corner in claim.outline for v in corner)
    assert cv2.imdecode(np.frombuffer(told.picture, np.uint8), cv2.IMREAD_COLOR).shape == (720, 960, 3)


def test_it_is_told_within_four_tenths_of_a_second_of_landing(evening):
    evening.tray.throw()
    landed = max(die.landed for die in evening.tray.dice)
    while not evening.watch(1 / FPS):
        assert evening.now < landed + 0.4


@pytest.mark.slow
def test_every_throw_has_its_own_name(evening):
    names = []
    for _ in range(3):
        evening.tray.throw()
        names += [told.id for told in evening.watch(2)]
    assert names == ["t-1", "t-2", "t-3"]


@pytest.mark.slow
def test_nothing_is_told_while_no_dice_are_awaited(evening):
    evening.expected = None
    evening.tray.throw()
    assert evening.watch(2) == []
    assert evening.watcher.state == "idle"
    evening.expected = ALL
    assert evening.watch(2) == []  # those dice were not thrown for this


def test_a_throw_in_the_air_when_dice_become_awaited_counts(evening):
    evening.expected = None
    evening.watch(0.5)
    evening.tray.throw()
    evening.watch(0.3)
    evening.expected = ALL
    assert [told.sure for told in evening.watch(2)] == [True]


@pytest.mark.slow
@pytest.mark.parametrize("awaited", [None, ALL])
def test_a_nudge_after_the_roll_is_told_to_nobody(evening, awaited):
    evening.tray.throw()
    assert len(evening.watch(2)) == 1
    evening.expected = awaited
    evening.tray.nudge(4)
    assert evening.watch(2) == []


@pytest.mark.slow
def test_a_hand_over_dice_that_stay_is_no_throw(evening):
    evening.tray.cover(True)
    assert evening.watch(2) == []
    assert evening.watcher.state == "covered"
    evening.tray.cover(False)
    assert evening.watch(2) == []


@pytest.mark.slow
def test_a_throw_under_a_hand_is_read_when_the_hand_has_gone(evening):
    evening.tray.cover(True)
    evening.watch(0.5)
    evening.tray.throw()
    assert evening.watch(2) == []
    evening.tray.cover(False)
    assert len(evening.watch(2)) == 1


def test_light_is_no_throw(evening):
    for level in (0.6, 1.4, 1.0):
        evening.tray.lamp(level)
        assert evening.watch(1.5) == []


@pytest.mark.slow
def test_dice_picked_up_are_no_throw_however_slowly(evening):
    for _ in range(4):
        evening.tray.remove(0)
        assert evening.watch(4) == []


@pytest.mark.slow
def test_a_missing_die_is_asked_about_after_patience(evening):
    evening.tray.remove(0)
    evening.watch(4)
    evening.tray.throw()
    assert evening.watch(2.5) == []
    (told,) = evening.watch(3)
    assert not told.sure
    assert "7 dice are seen, 8 should lie here" in told.reason
    assert evening.watcher.state == "doubtful"


@pytest.mark.slow
def test_a_hazy_die_is_asked_about(evening):
    evening.blur = 0.5
    evening.tray.throw()
    (told,) = evening.watch(4)
    assert not told.sure
    assert told.reason
    assert len(told.claims) == 8


def test_kept_dice_stay_and_the_rest_is_thrown(evening):
    evening.tray.throw(list("11166234"))
    evening.watch(2)
    evening.expected = DiceExpected(ALL.kinds, held=(DieFace("white", "6"),) * 2)
    evening.tray.throw(hold=[3, 4])
    (told,) = evening.watch(2)
    assert told.sure
    assert len(told.event.dice) == 8


@pytest.mark.slow
def test_kept_dice_that_were_thrown_too_are_asked_about(evening):
    evening.tray.throw(list("11166234"))
    evening.watch(2)
    evening.expected = DiceExpected(ALL.kinds, held=(DieFace("white", "6"),) * 2)
    evening.tray.throw(list("11122234"))
    (told,) = evening.watch(2)
    assert not told.sure
    assert "white 6" in told.reason


def test_a_roll_entered_by_hand_meanwhile_is_not_told_again(evening):
    evening.tray.throw()
    evening.watch(1.0)  # it has landed and is being read
    evening.expected = None
    assert evening.watch(2) == []


def test_a_reader_that_fails_says_so_and_the_next_throw_works(evening, caplog):
    evening.broken = MemoryError("no room")
    evening.tray.throw()
    (notice,) = evening.watch(3)
    assert isinstance(notice, Notice)
    assert (notice.source, notice.state, notice.level) == ("dice reader", "failed", "problem")
    assert "no room" in notice.text
    assert "by hand" in notice.remedy
    assert "reading the dice failed" in caplog.text
    evening.broken = None
    evening.tray.throw()
    better, told = evening.watch(2)
    assert (better.source, better.level) == ("dice reader", "ok")
    assert isinstance(told, Observation)


def test_a_tray_at_rest_is_not_read_again_and_again(evening):
    evening.tray.throw()
    evening.watch(2)
    before = evening.readings
    assert before <= 4  # one of the dice as they lay, then two or three of the throw
    evening.watch(5)
    assert evening.readings == before


def test_dice_left_from_before_are_not_a_throw_but_in_photographs_they_are():
    assert Evening().watch(3) == []
    assert [told.sure for told in Evening(first_counts=True).watch(3)] == [True]


def test_only_the_tray_is_read_and_shown():
    corners = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))
    evening = Evening(profile=TrayProfile(corners))
    evening.watch(1)
    evening.tray.throw()
    (told,) = evening.watch(2)
    shape = cv2.imdecode(np.frombuffer(told.picture, np.uint8), cv2.IMREAD_COLOR).shape
    assert shape == (576, 768, 3)


def test_a_tray_marked_anew_is_cut_out_at_once_and_what_lies_there_is_no_throw(evening):
    evening.watcher.use(TrayProfile(((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))))
    assert evening.watch(3) == []
    assert evening.watcher.state == "waiting"
    evening.tray.throw()
    (told,) = evening.watch(2)
    shape = cv2.imdecode(np.frombuffer(told.picture, np.uint8), cv2.IMREAD_COLOR).shape
    assert shape == (576, 768, 3)


def test_the_page_sees_the_newest_picture(evening):
    first, state = evening.watcher.snapshot()
    assert state == "waiting"
    assert evening.watcher.snapshot()[0] is first
    evening.tray.throw()
    evening.watch(0.3)
    second, state = evening.watcher.snapshot()
    assert state in ("moving", "covered")
    assert second != first
    assert Evening().watcher.snapshot() == (None, "idle")


def test_the_thread_reads_a_real_throw_with_the_real_reader():
    tray = RehearsalTray(chance=random.Random(2))
    heard, stop = queue.SimpleQueue(), threading.Event()
    watcher = Watcher(tray, lambda: ALL, heard.put, clock=float, session="t", first_counts=True)
    thread = threading.Thread(target=watcher.run, args=(stop,))
    thread.start()
    told = heard.get(timeout=20)
    stop.set()
    tray.close()
    thread.join(5)
    assert not thread.is_alive()
    assert (told.sure, told.reason) == (True, "")
    assert sorted(told.event.dice) == sorted(die.shown for die in tray.dice)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_six_throws_are_read_right_and_surely_by_the_real_reader(seed):
    now = [100.0]
    heard = []
    tray = RehearsalTray(chance=random.Random(seed), monotonic=lambda: now[0])
    watcher = Watcher(tray, lambda: ALL, heard.append, clock=float)
    rolls = []
    for _ in range(7):
        for _ in range(round(1.5 * FPS)):
            watcher.step(tray.frame(now[0]))
            now[0] += 1 / FPS
        rolls.append(sorted(die.shown for die in tray.dice))
        tray.throw()
    assert [sorted(told.event.dice) for told in heard] == rolls[1:]
    assert [told.sure for told in heard].count(False) == 0
