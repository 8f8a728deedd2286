"""From the last movement to the roll, and what it costs to look at and to keep what is seen.

    python tests/benchmarks/bench_watch.py            # time passed in, a reader that takes READER_S
    python tests/benchmarks/bench_watch.py service    # once through the real service, to a phone's stream

In simulated time frames come at a fixed rate; a frame that comes while the reader is busy is missed,
as it is at the table. The rehearsed tray says when its last die came to rest.
"""

import http.client
import json
import random
import resource
import statistics
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import cv2
from cryptography.fernet import Fernet

sys.path.append(str(Path(__file__).parents[2]))
sys.path.append(str(Path(__file__).parents[1]))
sys.path.append(str(Path(__file__).parents[1] / "web"))

from companion.devices import Devices
from companion.journal import Journal
from companion.rules.events import DiceExpected, Observation
from companion.seal import Seal
from companion.settings import Settings
from companion.table import Table
from dash import GAME as DASH
from house import PLAIN
from vision import rehearsal
from vision.dice import Die
from vision.glance import Glance
from vision.live import LivePicture
from vision.minute import Minute
from vision.place import Landmarks, compare
from vision.rehearsal import SIDE_PX, RehearsalTray
from vision.settle import Settle, small
from vision.sight import edge_px
from vision.tray import TrayProfile
from vision.watch import Watcher
from web import create_app, serve

ALL = DiceExpected((("white", 7), ("coloured", 1)))
READER_S = 0.025
THROWS = 10


class Simulated:
    """A watcher in simulated time; its reader knows the dice and takes ``reader_s``."""

    def __init__(self, reader_s: float, keeper: Minute | None = None) -> None:
        self.now, self.busy_until = 1000.0, 0.0
        self.heard: list[tuple[float, Observation]] = []
        self.reader_s = reader_s
        self.tray = RehearsalTray(chance=random.Random(4), monotonic=lambda: self.now)
        self.watcher = Watcher(
            self.tray,
            lambda: ALL,
            lambda claim: self.heard.append((self.busy_until, claim)),
            clock=float,
            reader=self.read,
            keeper=keeper,
            live=LivePicture(lambda: self.now),
        )

    def read(self, frame: object, expected: DiceExpected | None) -> tuple[Die, ...]:
        self.busy_until = self.now + self.reader_s
        return tuple(
            Die(cv2.boxPoints(((d.x, d.y), (SIDE_PX, SIDE_PX), d.angle)), d.kind, d.face, 0.99)
            for d in self.tray.dice
        )

    def throw(self, fps: float) -> float:
        """Throw, and return the seconds from the last die's rest to the roll."""
        self.run(0.7 + random.Random(len(self.heard)).random() / fps, fps)
        self.tray.throw()
        landed = max(die.landed for die in self.tray.dice)
        before = len(self.heard)
        while len(self.heard) == before:
            self.run(1 / fps, fps)
        at, claim = self.heard[-1]
        assert claim.sure, "what is doubtful waits for longer, by design: this measures what is sure"
        return at - landed

    def run(self, seconds: float, fps: float) -> None:
        end = self.now + seconds
        while self.now < end:
            if self.now >= self.busy_until:
                self.watcher.step(self.tray.frame(self.now))
            self.now += 1 / fps


def latencies() -> None:
    print(f"last movement to roll, {THROWS} throws of eight dice, simulated time (s)")
    print(f"{'fps':>5} {'reader ms':>10} {'median':>8} {'most':>8}")
    for fps, reader_s in ((30, READER_S), (30, 0.1), (20, READER_S), (15, READER_S), (15, 0.1)):
        table = Simulated(reader_s)
        table.run(1.0, fps)
        taken = [table.throw(fps) for _ in range(THROWS)]
        print(f"{fps:5} {1000 * reader_s:10.0f} {statistics.median(taken):8.3f} {max(taken):8.3f}")


def costs() -> None:
    cv2.setNumThreads(1)
    tray = RehearsalTray(chance=random.Random(1), monotonic=lambda: 0.0)
    frames = [tray.frame(100.0 + n / 30) for n in range(30)]
    profile = TrayProfile(((0.02, 0.02), (0.98, 0.02), (0.98, 0.98), (0.02, 0.98)))
    settle, minute = Settle(), Minute()
    greys = [small(frame.image) for frame in frames]
    wholes = [small(frame.image, 320) for frame in frames]
    landmarks = Landmarks.of(wholes[0], profile.corners)
    quick = Simulated(0.0)
    kept = Simulated(0.0, minute)
    for table in (quick, kept):
        table.run(1.0, 15)
    print("\ncosts on one thread, 960 x 720 (ms, median of 30)")
    each = {
        "look at a frame (cut out, shrink)": lambda n: Glance.of(frames[n], profile),
        "has anything moved": lambda n: settle.see(greys[n], n / 30),
        "has the camera moved (once a stillness)": lambda n: compare(landmarks, wholes[n]),
        "is it blurred (once a reading)": lambda n: edge_px(frames[n].image),
        "whole step at rest": lambda n: quick.watcher.step(tray.frame(2000 + n / 30)),
        "whole step at rest, kept": lambda n: kept.watcher.step(tray.frame(2000 + n / 30)),
        "drawing the rehearsed frame in these": lambda n: tray.frame(2000 + n / 30),
        "keep: compress (a thread of its own)": lambda n: minute.compress(),
    }
    for name, act in each.items():
        times = []
        for n in range(30):
            began = time.perf_counter()
            act(n)
            times.append(time.perf_counter() - began)
        print(f"{name:44}{1000 * statistics.median(times):8.2f}")


def service(throws: int = 10, fps: float = 30.0) -> None:
    """Throw at a rehearsed table with the real reader, and listen to a phone's stream over a socket."""
    rehearsal.INTERVAL_S = 1 / fps
    with tempfile.TemporaryDirectory() as folder, ExitStack() as closing:
        journal = Journal.open(f"sqlite:///{folder}/evening.db")
        closing.callback(journal.close)
        table = Table(journal, {"dash": DASH}, seal=Seal(Fernet.generate_key()))
        closing.callback(table.close)
        seat = table.join("Anna")
        table.start_game(slug="dash", title="", seats=(seat.key,), options={})
        devices = Devices(Settings(), table, rehearse=True, folder=Path(folder))
        closing.callback(devices.close)
        server = serve(create_app(table, replace(PLAIN, camera=devices.picture)), "127.0.0.1", 0)
        closing.callback(server.close)
        devices.start()
        taken = _taken(devices, table, server.port, seat.code, throws)
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"last movement to the roll at a phone, real service and reader, {fps:.0f} frames a second:")
    median = statistics.median(taken)
    print(f"median {median:.3f} s, most {max(taken):.3f} s of {len(taken)}; {most:.0f} MB at most")


def _taken(devices: Devices, table: Table, port: int, code: str, throws: int) -> list[float]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    heads = {"Content-Type": "application/json", "X-Companion": "1"}
    connection.request("POST", "/api/rejoin", json.dumps({"code": code}), heads)
    answer = connection.getresponse()
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    answer.read()
    stream = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    stream.request("GET", "/stream?screen=play", headers={"Cookie": cookie})
    lines = stream.getresponse()
    taken = []
    for n in range(throws):
        before = len(table.snapshot().history)
        devices.rehearsal.throw()
        time.sleep(0.2)  # the dice are in the air
        landed = max(die.landed for die in devices.rehearsal.tray.dice)
        while len(table.snapshot().history) == before and not table.snapshot().proposal:
            lines.readline()
        taken.append(time.monotonic() - landed)
        if proposal := table.snapshot().proposal:
            table.dismiss(id=proposal.id, seat=None)
        else:
            table.undo(id=f"undo{n}", seat=None)
        time.sleep(1.0)
    return taken


def test_a_roll_is_there_within_nine_twentieths_of_a_second() -> None:
    table = Simulated(READER_S)
    table.run(1.0, 30)
    assert statistics.median(table.throw(30) for _ in range(6)) < 0.45
    latencies()
    costs()


if __name__ == "__main__":
    if sys.argv[1:] == ["service"]:
        service()
    else:
        latencies()
        costs()
