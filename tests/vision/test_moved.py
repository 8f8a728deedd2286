"""A camera that is pushed while an evening goes on: followed if little, said if much, and no throw."""

import cv2
import numpy as np
import pytest

from clothed import MARKED, tray
from companion.rules.events import DiceExpected, Notice, Observation
from vision.dice import Die
from vision.frames import Frame
from vision.settle import Settle
from vision.tray import TrayProfile
from vision.watch import Watcher

FPS = 15
SIZE, SMALLER = (480, 360), 0.5
NOISE = np.random.default_rng(1).normal(0, 1.5, (SIZE[1], SIZE[0], 3)).astype(np.float32)


class Table:
    """One picture after the other of a drawn table, seen from where the camera stands."""

    def __init__(self, profile=None):
        self.now, self.heard, self.read_at = 100.0, [], []
        self.picture, self.shift, self.light = tray(), (0, 0), 1.0
        self.dice = self.laid(1)
        self.watcher = Watcher(
            None,
            lambda: self.expected,
            self.heard.append,
            clock=float,
            session="t",
            profile=profile,
            reader=self.read,
        )

    def laid(self, seed):
        self.expected = DiceExpected((("white", 3), ("coloured", 1)))
        chance = np.random.default_rng(seed)
        return [(k, str(chance.integers(1, 7)), *chance.uniform(0.25, 0.75, 2)) for k in KINDS]

    def throw(self, seed):
        self.picture, self.dice = tray(seed), self.laid(seed)

    def read(self, frame, expected):
        """The dice where they are in the frame: the tray, cut out where the profile says it is."""
        height, width = frame.image.shape[:2]
        self.read_at.append(frame.image)
        whole = self.watcher._follower.profile.whole
        dx, dy = (self.shift[0] / 960, self.shift[1] / 720) if whole else (0, 0)
        return tuple(
            Die(cv2.boxPoints((((x + dx) * width, (y + dy) * height), (30, 30), 0)), kind, face, 0.995)
            for kind, face, x, y in self.dice
        )

    def watch(self, seconds):
        before = len(self.heard)
        turn = np.float32([[1, 0, self.shift[0] * SMALLER], [0, 1, self.shift[1] * SMALLER]])
        picture = cv2.resize(self.picture, SIZE, interpolation=cv2.INTER_AREA)
        seen = cv2.warpAffine(picture, turn, SIZE, borderMode=cv2.BORDER_REFLECT) * self.light
        for n in range(round(seconds * FPS)):
            noisy = np.clip(seen + np.roll(NOISE, 7 * n, axis=1), 0, 255).astype(np.uint8)
            self.watcher.step(Frame(noisy, self.now, "drawn"))
            self.now += 1 / FPS
        return self.heard[before:]


KINDS = ("white", "white", "white", "coloured")


@pytest.mark.slow
@pytest.mark.parametrize("profile", [None, TrayProfile(MARKED)])
def test_a_small_push_of_the_camera_is_no_throw_and_the_next_throw_is(profile):
    table = Table(profile)
    table.watch(1)
    table.shift = (25, 12)
    assert table.watch(6) == []
    assert table.watcher.state == "waiting"
    table.throw(5)
    (told,) = table.watch(6)
    assert isinstance(told, Observation)
    assert told.sure


@pytest.mark.slow
def test_the_corners_of_a_marked_tray_follow():
    table = Table(TrayProfile(MARKED))
    table.watch(1)
    table.shift = (24, -12)
    table.watch(6)
    found = np.array(table.watcher._follower.profile.corners)
    assert found == pytest.approx(np.add(MARKED, (24 / 960, -12 / 720)), abs=0.004)
    table.shift = (0, 0)
    table.watch(6)
    assert np.array(table.watcher._follower.profile.corners) == pytest.approx(np.array(MARKED), abs=0.006)


@pytest.mark.slow
def test_a_large_push_is_said_with_what_helps_and_no_roll_is_sure_until_it_is_put_right():
    table = Table(TrayProfile(MARKED))
    table.watch(1)
    table.shift = (110, 60)
    said = table.watch(6)
    (notice,) = [claim for claim in said if isinstance(claim, Notice)]
    assert (notice.source, notice.state, notice.level) == ("camera place", "moved", "problem")
    assert "mark the tray again" in notice.remedy
    table.throw(7)
    rolls = [claim for claim in table.watch(7) if isinstance(claim, Observation)]
    assert [roll.sure for roll in rolls] == [False]
    assert "has been moved" in rolls[0].reason
    table.shift = (0, 0)
    back = [claim for claim in table.watch(6) if isinstance(claim, Notice)]
    assert [notice.level for notice in back] == ["ok"]


def test_marking_the_tray_again_puts_it_right():
    table = Table(TrayProfile(MARKED))
    table.watch(1)
    table.shift = (110, 60)
    table.watch(6)
    table.watcher.use(TrayProfile(((0.2, 0.2), (0.9, 0.2), (0.9, 0.9), (0.2, 0.9))))
    assert [claim.level for claim in table.watch(1)] == ["ok"]


def test_a_lamp_moves_nothing():
    table = Table(TrayProfile(MARKED))
    table.watch(1)
    for light in (0.6, 1.3, 0.9):
        table.light = light
        assert table.watch(2) == []
    assert table.watcher._follower.profile.corners == MARKED


def test_a_jump_is_taken_for_the_same_tray():
    settle = Settle()
    grey = np.full((120, 160), 90, np.uint8)
    grey[40:60, 40:60] = 200
    for n in range(10):
        settle.see(grey, n / FPS)
    settle.jump()
    scene = settle.see(np.roll(grey, 30, axis=1), 10 / FPS)
    assert (scene.stillness, scene.movements) == ("still", 0)
