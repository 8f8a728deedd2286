"""The workbench at a rehearsed table: tray, light and dice through the camera that the watcher drives."""

import json
import random

import cv2
import numpy as np
import pytest

from calibration.lying import find_bodies, find_shown
from calibration.tapped import Tapped
from calibration.workbench import PATIENCE_S, Workbench
from drawn import draw, photographed, table
from vision.dice import Die
from vision.frames import Frame
from vision.rehearsal import SIDE_PX, RehearsalTray
from vision.taught import Taught
from vision.tray import TrayProfile

CORNERS = ((0.1, 0.1), (0.9, 0.1), (0.9, 0.9), (0.1, 0.9))


class Bench:
    """A workbench whose eye gives a new picture of the rehearsed tray at each look."""

    def __init__(self, folder, **more):
        self.now = 100.0
        self.tray = RehearsalTray(chance=random.Random(3), monotonic=lambda: self.now)
        self.used, self.learned = [], []
        self.blind = False
        self.bench = Workbench(
            self,
            folder,
            use=self.used.append,
            learn=self.learned.append,
            reader=self.read,
            lay=self.lay,
            monotonic=lambda: self.now,
            **more,
        )

    def newest(self, number=1, *, after=float("-inf"), wait_s=2.0):
        if self.blind:
            return []
        frames = []
        for _ in range(number):
            self.now += 0.1
            frames.append(self.tray.frame(self.now))
        return frames

    def read(self, frame, expected):
        return tuple(
            Die(cv2.boxPoints(((d.x, d.y), (SIDE_PX, SIDE_PX), -d.angle)), d.kind, d.face)
            for d in self.tray.dice
        )

    def lay(self, kind, face):
        if face not in "123456":
            return False
        self.tray.lay(((kind, 3),))
        self.tray.throw([face] * 3)
        self.now += 2
        return True


@pytest.fixture
def at(tmp_path):
    return Bench(tmp_path)


def test_corners_that_are_marked_are_saved_and_used_at_once(at, tmp_path):
    assert at.bench.tray()["whole"]
    told = at.bench.mark([list(corner) for corner in CORNERS])
    assert told["corners"] == CORNERS
    assert at.used == [TrayProfile(CORNERS)]
    assert TrayProfile.load(tmp_path / "tray.json") == TrayProfile(CORNERS)
    with pytest.raises(ValueError, match="The corners must go round the tray clockwise"):
        at.bench.mark(CORNERS[::-1])
    assert len(at.used) == 1


def test_looking_finds_no_tray_on_bare_felt(at):
    told = at.bench.look()
    assert (told["found"], told["corners"]) == (False, None)
    assert "Drag" in told["remedy"]


def test_the_light_is_checked_in_the_tray(at):
    told = {finding["name"]: finding for finding in at.bench.light()}
    assert {finding["health"] for finding in told.values()} == {"ok"}
    at.tray.lamp(0.1)
    told = {finding["name"]: finding for finding in at.bench.light()}
    assert told["brightness"]["health"] == "problem"


def test_a_kind_is_taught_judged_saved_and_known_next_time(at, tmp_path):
    told = at.bench.begin("white", ("1", "2", "3"), "day")
    assert (told["done"], told["of"], told["face"]) == (0, 6, "1")
    assert at.bench.busy
    while told["face"]:
        told = at.bench.show()
    assert told["text"] == "3 dice noted as 3."
    assert (told["table"]["right"], told["table"]["total"]) == (18, 18)
    assert json.loads(json.dumps(told))["table"]["rows"][0] == [6, 0, 0]
    done = at.bench.finish()
    assert "White dice are known now" in done["text"]
    assert not at.bench.busy
    assert at.learned[0].of("white") == ("1", "2", "3")
    assert Taught.load(tmp_path / "dice.npz").of("white") == ("1", "2", "3")
    assert at.bench.lesson() == {"kind": ""}


def test_what_the_rehearsal_cannot_lay_is_said_and_skipped(at):
    told = at.bench.begin("moon", ("sun", "moon"), "the red lamp")
    assert "no dice that show sun: leave it out" in told["text"]
    for _ in range(4):
        told = at.bench.skip()
    assert told["face"] == ""
    assert told["table"]["notes"][0].startswith("Never shown: sun, moon")
    with pytest.raises(ValueError, match="No face has been shown yet"):
        at.bench.finish()
    assert at.bench.leave()["kind"] == ""
    with pytest.raises(ValueError, match="Choose a kind"):
        at.bench.show()


def test_a_lesson_left_alone_gives_the_table_back_to_the_game(at):
    at.bench.begin("white", ("1", "2"), "")
    at.now += PATIENCE_S + 1
    assert not at.bench.busy
    at.bench.show()
    assert at.bench.busy


def test_moving_dice_are_not_photographed(at):
    at.bench.begin("white", ("1", "2"), "")
    at.tray.throw()
    with pytest.raises(ValueError, match="Something moves"):
        at.bench.show()


def test_without_a_picture_each_step_says_so(at):
    at.blind = True
    assert at.bench.picture() is None
    for act in (at.bench.look, at.bench.light):
        with pytest.raises(ValueError, match="gives no picture"):
            act()


def test_a_taught_kind_of_ones_own_is_offered_again(at):
    assert "cat" not in at.bench.kinds()
    Taught().add("cat", "paw", np.ones((1, 64), np.float32)).save(at.bench._folder / "dice.npz")
    assert at.bench.kinds()["cat"] == ("paw",)


def test_an_old_file_of_dice_is_no_dead_end(at, tmp_path):
    (tmp_path / "dice.npz").write_bytes(b"of another age")
    assert "white" in at.bench.kinds()
    told = at.bench.begin("white", ("1", "2"), "day")
    assert "dice.npz cannot be used" in told["text"]
    assert "takes its place" in told["text"]
    while told["face"]:
        told = at.bench.show()
    at.bench.finish()
    assert Taught.load(tmp_path / "dice.npz").of("white") == ("1", "2")


def test_the_tap_gives_the_watcher_every_frame_and_others_the_newest():
    now = [10.0]
    tapped = Tapped(RehearsalTray(chance=random.Random(1), monotonic=lambda: now[-1]))
    assert tapped.newest(wait_s=0.0) == []
    seen = []
    for _ in range(8):
        now.append(now[-1] + 1)
        seen.append(tapped.latest(now[-1] - 1, 0.0))
    assert tapped.newest(2, wait_s=0.0) == seen[-2:]
    assert tapped.newest(5, after=seen[-2].at, wait_s=0.0) == seen[-1:]
    tapped.close()


def test_square_things_are_no_fingerprint_dice():
    image = table()
    draw(image, "5", (300, 220), side=64, turn=20.0, body=(40, 30, 190), ink=(200, 60, 160))
    frame = Frame(photographed(image), 0.0, "drawn")
    found = [len(find_shown(frame, (kind, 1), lambda *_: ())) for kind in ("cat", "fingerprint")]
    assert found == [1, 0]


def test_square_things_of_any_kind_are_found_on_a_plain_floor():
    image = table()
    for n, body in enumerate(((225, 238, 240), (40, 30, 190), (20, 20, 20))):
        draw(image, "5", (120 + 190 * n, 220), side=64, turn=20.0 * n, body=body, ink=(200, 60, 160))
    cv2.line(image, (20, 440), (600, 450), (230, 230, 230), 6)  # a pencil is no die
    outlines = find_bodies(photographed(image))
    middles = sorted(tuple(int(v) for v in np.round(o.mean(axis=0), -1)) for o in outlines)
    assert middles == [(120, 220), (310, 220), (500, 220)]
    assert find_bodies(photographed(table())) == []
