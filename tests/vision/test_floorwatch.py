"""From pictures of a tower to what the table hears: scripted readings of rehearsed floors."""

import random
from collections import Counter
from functools import lru_cache

import cv2
import numpy as np
import pytest

from companion.rules.events import CubesExpected, CubesSeen, DiceExpected, Notice, Observation
from vision.cubefinder import Hole
from vision.cubes import CubeSeen, CubesRead
from vision.frames import Frame
from vision.judgement import RollStatus
from vision.live import LivePicture
from vision.minute import Minute
from vision.rehearsalfloor import floor_picture
from vision.rendered import draw_hand, felt
from vision.watch import Watcher

ANY = CubesExpected(tuple((colour, 20) for colour in ("yellow", "blue", "brown", "grey", "black", "red")))
FPS = 15
SIZE = (320, 240)
HOLE = Hole(160, 120, 17, 0.99)
ELSEWHERE = Hole(100, 70, 17, 0.99)


@lru_cache
def tower(floor, *cubes):
    """Draw the rehearsed tower in small, once."""
    return floor_picture(cubes, floor, SIZE, random.Random(floor))


def seen(colour: str) -> CubeSeen:
    ring = np.array([(90, 90), (98, 90), (98, 98), (90, 98)], np.float32)
    return CubeSeen(colour, 0.99, ring, ("red",))


def read_as(*colours: str, hole=HOLE, status=RollStatus.SURE, beside=(), reason="") -> CubesRead:
    cubes = tuple(seen(colour) for colour in colours)
    return CubesRead(cubes, status, 0.98, reason, hole, tuple(seen(colour) for colour in beside))


NOTHING = CubesRead((), RollStatus.NONE, 0.0, "Nothing is seen.")


class Evening:
    """A rehearsed tower, a watcher, and a reader that says what it is told to."""

    def __init__(self, **how):
        self.now = 1000.0
        self.picture, self.hand = tower(8), False
        self.cubes = ANY
        self.dice = None
        self.says = read_as()
        self.readings = 0
        self.heard = []
        self.live = LivePicture(lambda: self.now)
        self.watcher = Watcher(
            None,
            lambda: self.dice,
            self.heard.append,
            clock=lambda at: at - 1000,
            session="t",
            reader=lambda _frame, _expected: (),
            live=self.live,
            cubes=lambda: self.cubes,
            cube_reader=self.read,
            **how,
        )

    def read(self, image, expected, *, profile=None):
        self.readings += 1
        says = self.says.pop(0) if isinstance(self.says, list) else self.says
        if isinstance(says, Exception):
            raise says
        return says

    def lift(self, says, *cubes, floor=5):
        """Expose a floor; cubes already there stay where they lie."""
        self.picture = tower(floor, *cubes)
        self.says = says

    def frame(self):
        picture = self.picture.copy()
        if self.hand:
            draw_hand(picture, 1.0)
        return Frame(picture, self.now, "test")

    def watch(self, seconds):
        before = len(self.heard)
        for _ in range(round(seconds * FPS)):
            self.watcher.step(self.frame())
            self.now += 1 / FPS
        return self.heard[before:]


@pytest.fixture
def evening():
    begun = Evening()
    assert begun.watch(1.5) == []
    assert begun.watcher.state == "waiting"
    return begun


def test_a_lifted_floor_is_told_once_with_claims_and_a_picture(evening):
    evening.lift(read_as("blue", "blue", "red"), "blue", "blue", "red")
    lifted = evening.now
    (told,) = evening.watch(6)
    assert isinstance(told, Observation)
    assert told.event == CubesSeen(at=told.event.at, cubes=("blue", "blue", "red"))
    assert told.event.at == pytest.approx(lifted - 1000, abs=0.15)
    assert (told.id, told.source, told.sure, told.confidence) == ("t-floor-1", "camera", True, 0.98)
    assert Counter((c.kind, c.face) for c in told.claims) == {("cube", "blue"): 2, ("cube", "red"): 1}
    assert all(0 <= v <= 1 for claim in told.claims for corner in claim.outline for v in corner)
    assert cv2.imdecode(np.frombuffer(told.picture, np.uint8), cv2.IMREAD_COLOR).shape == (240, 320, 3)
    assert evening.watcher.state == "read"


def test_it_is_told_soon_after_the_lifted_part_was_put_down(evening):
    evening.lift(read_as("blue"), "blue")
    assert len(evening.watch(2.2)) == 1


def test_what_is_not_sure_is_a_question(evening):
    evening.lift(read_as("blue", status=RollStatus.DOUBTFUL, reason="It could be grey."), "blue")
    (told,) = evening.watch(3)
    assert (told.sure, told.reason) == (False, "It could be grey.")
    assert evening.watcher.state == "doubtful"


def test_an_empty_floor_is_told_too(evening):
    evening.lift(read_as(hole=ELSEWHERE))
    (told,) = evening.watch(3)
    assert told.event.cubes == ()
    assert not told.sure  # it may be no floor at all


def test_a_tower_that_stays_closed_is_no_floor(evening):
    evening.hand, evening.says = True, read_as(status=RollStatus.COVERED)
    assert evening.watch(1) == []
    evening.hand, evening.says = False, read_as()
    assert evening.watch(6) == []


def test_nothing_is_read_and_told_while_no_cubes_are_waited_for(evening):
    evening.cubes = None
    evening.watch(0.5)
    before = evening.readings
    evening.lift(read_as("blue"), "blue")
    assert evening.watch(6) == []
    assert evening.readings == before
    assert evening.watcher.state == "idle"


def test_while_dice_are_awaited_cubes_are_not_read(evening):
    evening.dice = DiceExpected((("white", 1),))
    before = evening.readings
    evening.lift(read_as("blue"), "blue")
    evening.watch(3)
    assert evening.readings == before


def test_cubes_that_lie_on_a_floor_when_the_waiting_begins_are_asked_about():
    evening = Evening()
    evening.lift(read_as("blue"), "blue")
    (told,) = evening.watch(3)
    assert not told.sure
    evening.cubes = None
    evening.watch(0.5)
    evening.cubes = ANY
    assert evening.watch(3) == []  # the floor that was told already


def test_cubes_taken_off_a_floor_that_was_told_are_no_other_floor(evening):
    evening.lift(read_as("blue", "red"), "blue", "red")
    assert len(evening.watch(3)) == 1
    evening.lift(read_as("blue"), "blue")
    assert evening.watch(3) == []


def test_another_floor_is_told_again(evening):
    evening.lift(read_as("blue"), "blue")
    first = evening.watch(3)
    evening.lift(read_as("red", hole=ELSEWHERE), "red", floor=3)
    second = evening.watch(3)
    assert [told.id for told in first + second] == ["t-floor-1", "t-floor-2"]


def test_nothing_is_told_where_no_floor_is_to_be_seen(evening):
    evening.picture = felt(*SIZE)
    evening.says = NOTHING
    assert evening.watch(3) == []


def test_a_hand_is_waited_for(evening):
    covered = read_as("blue", status=RollStatus.COVERED, reason="A hand covers it.")
    evening.lift(covered, "blue", "red")
    assert evening.watch(3) == []
    evening.says = read_as("blue", "red")
    (told,) = evening.watch(1)
    assert told.event.cubes == ("blue", "red")


def test_a_hand_that_stays_makes_it_a_doubt(evening):
    evening.lift(read_as("blue", status=RollStatus.COVERED, reason="A hand covers it."), "blue")
    (told,) = evening.watch(8)
    assert not told.sure


def test_readings_that_differ_are_a_doubt(evening):
    one, other = read_as("blue"), read_as("grey")
    evening.lift([one, other, one, other, one, other, one, other, one, other], "blue")
    (told,) = evening.watch(5)
    assert not told.sure
    assert told.event.cubes in {("blue",), ("grey",)}


def test_cubes_beside_a_floor_that_were_not_there_before_are_offered(evening):
    evening.lift(read_as(beside=("blue", "red"), status=RollStatus.DOUBTFUL), floor=0)
    (told,) = evening.watch(3)
    assert told.event.cubes == ("blue", "red")
    assert not told.sure
    assert "beside" in told.reason


def test_cubes_that_lay_beside_before_are_not_offered():
    evening = Evening()
    evening.says = read_as(beside=("blue", "red"), status=RollStatus.DOUBTFUL)
    assert evening.watch(1.5) == []
    evening.lift(read_as(beside=("blue", "red"), status=RollStatus.DOUBTFUL))
    (told,) = evening.watch(3)
    assert told.event.cubes == ()


def test_a_failing_reader_is_a_notice_and_the_next_floor_a_new_chance(evening):
    evening.lift(RuntimeError("no network"), "blue")
    (told,) = evening.watch(3)
    assert isinstance(told, Notice)
    assert (told.source, told.level) == ("cube reader", "problem")
    assert "no network" in told.text
    assert "by hand" in told.remedy
    evening.lift(read_as("red"), "red", floor=3)
    assert [type(said) for said in evening.watch(3)] == [Notice, Observation]


def test_a_kept_minute_takes_no_offence():
    minute = Minute()
    evening = Evening(keeper=minute)
    evening.watch(1.5)
    evening.lift(read_as("blue"), "blue")
    assert len(evening.watch(3)) == 1


def test_the_live_picture_shows_the_cubes(evening):
    evening.lift(read_as("blue"), "blue")
    evening.watch(3)
    looked = evening.live.look()
    assert looked is not None
    jpeg, shown = looked
    assert shown.cubes is not None
    assert shown.cubes.colours == ("blue",)
    assert shown.dice == ()
    assert jpeg.startswith(b"\xff\xd8")
