"""The tower's bench where it is wired: what is saved counts at once, and a sealed game shuts it."""

import random
import threading

import numpy as np
import pytest

from calibration.tower_bench import TOWER_FILE, TowerBench, answering
from companion.devices import REHEARSED, Devices
from companion.settings import Settings
from companion.tower import sealed
from hardware.edges import Edge
from hardware.profile import TowerProfile, for_lines
from hardware.rehearsal import RehearsedTower
from hardware.sound import Samples
from hardware.soundloop import SoundLoop
from hardware.watch import TowerWatch


def test_another_profile_counts_at_once_and_a_held_beam_stays_blocked():
    heard = []
    watch = TowerWatch(for_lines(("entry",)), heard.append, clock=lambda at: at, monotonic=lambda: 100.0)
    for level in (True, False):
        watch.take(Edge("entry", level=level, at=100.0 - level))
    watch.use(TowerProfile(lines=("entry",), hole_mm=12.0))
    watch._turn()
    assert watch.learned.hole_mm == 12.0
    watch.tick(101.0)
    assert "blocked" in [notice.state for notice in heard if notice.source == "tower entry"]


@pytest.fixture
def open_dash(make_table):
    table = make_table()
    table.start_game(slug="dash", title="", seats=(table.join("Anna").key,), options={})
    return table


def clicks():
    """Two seconds with a loud and a soft click."""
    data = np.random.default_rng(3).normal(0, 1e-4, 96000).astype(np.float32)
    for at, loud in ((30000, 0.5), (60000, 0.01)):
        data[at : at + 400] += loud * np.exp(-np.arange(400) / 80) * np.sign(np.sin(np.arange(400)))
    return [Samples(n / 48000, 48000, data[n : n + 960]) for n in range(0, 96000, 960)]


def test_what_is_softer_than_the_room_is_not_heard():
    heard = []
    loop = SoundLoop(None, heard.append, lambda _: None)
    for quietest_db, number in ((None, 2), (-30.0, 1), (None, 2)):
        heard.clear()
        loop.hear_above(quietest_db)
        for piece in clicks():
            loop.step(piece)
        assert len(heard) == number


def test_a_rehearsed_tower_answers_what_the_naming_asks(tmp_path):
    now = [100.0]
    tower = RehearsedTower(("entry", "floor5"), chance=random.Random(1), monotonic=lambda: now[0])
    bench = TowerBench(
        dict.fromkeys(("entry", "floor5"), 0),
        tmp_path,
        act=answering(tower, lambda: now[0]),
        monotonic=lambda: now[0],
    )
    tower.start()
    bench.name("begin")
    for _ in range(50):
        now[0] += 0.1
        while edge := tower.next(0.0):
            bench.listening.edge(edge)
        told = bench.state()["naming"]
    assert (told["over"], told["prompt"]) == (True, "Every line answers to its name.")


@pytest.mark.slow
def test_the_rehearsed_table_can_be_taught_its_tower_and_keeps_the_real_ones_file(open_dash, tmp_path):
    devices = Devices(Settings(), open_dash, rehearse=True, folder=tmp_path)
    devices.start()
    pause = threading.Event()
    try:
        bench = devices.bench
        bench.name("begin")
        for _ in range(100):
            told = bench.state()["naming"]
            if told["over"]:
                break
            pause.wait(0.2)
        assert told["prompt"] == "Every line answers to its name."
        assert len(told["lines"]) == len(REHEARSED) + 1
        assert {line["line"] for line in bench.trace()["lines"]} == {"entry", "entry_b"}
        assert open_dash.snapshot().game is not None
        open_dash.close_game()
        assert not sealed(open_dash)
        assert {line["line"] for line in bench.trace()["lines"]} == set(REHEARSED)
        bench.measure(8, 15, 31, save=True)
        assert not (tmp_path / TOWER_FILE).exists()
        assert TowerProfile.load(tmp_path / "rehearsal" / TOWER_FILE).hole_mm == 15
    finally:
        devices.close()
