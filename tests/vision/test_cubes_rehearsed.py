"""The whole way in rehearsal: the tower is lifted, the real reader reads, the table hears of it."""

import random

import pytest

from companion.rules.events import CubesExpected, CubesSeen, Observation
from vision.rehearsal import RehearsalTray
from vision.watch import Watcher

FPS = 6
IN_PLAY = CubesExpected((("blue", 15), ("yellow", 15), ("brown", 15), ("red", 2)))


class Evening:
    def __init__(self):
        self.now = 1000.0
        self.tray = RehearsalTray((), chance=random.Random(8), monotonic=lambda: self.now)
        self.heard = []
        self.watcher = Watcher(
            self.tray,
            lambda: None,
            self.heard.append,
            clock=lambda at: at - 1000,
            session="t",
            cubes=lambda: IN_PLAY,
        )

    def watch(self, seconds):
        before = len(self.heard)
        for _ in range(round(seconds * FPS)):
            self.watcher.step(self.tray.frame(self.now))
            self.now += 1 / FPS
        return [said for said in self.heard[before:] if isinstance(said, Observation)]


@pytest.mark.slow
def test_a_rehearsed_floor_is_proposed_with_its_cubes():
    evening = Evening()
    evening.tray.expose((), 8)
    assert evening.watch(1.5) == []
    evening.tray.expose(("blue", "yellow", "red", "blue"), 5)
    (told,) = evening.watch(3)
    assert told.event == CubesSeen(at=told.event.at, cubes=("blue", "blue", "red", "yellow"))
    assert not told.sure  # nothing is, until the benchmark has shown that it may be
    evening.tray.clear_tower()
    assert evening.watch(2) == []


@pytest.mark.slow
def test_a_hand_on_its_way_out_is_not_in_the_way():
    evening = Evening()
    evening.tray.expose((), 8)
    evening.watch(1.5)
    evening.tray.cover(True)
    evening.tray.expose(("brown", "blue"), 4)
    assert evening.watch(1) == []
    evening.tray.cover(False)
    (told,) = evening.watch(3)
    assert told.event.cubes == ("blue", "brown")
