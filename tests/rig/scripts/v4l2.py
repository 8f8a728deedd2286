"""Runs inside the rig: `/dev/video0` fed by this script and read by `vision.v4l2`. Prints JSON."""

import fcntl
import json
import os
import queue
import random
import statistics
import struct
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import cv2
import numpy as np

from companion.rules.events import DiceExpected, Observation
from vision.camera import OwnedCamera
from vision.dice import read
from vision.rehearsal import RehearsalTray
from vision.sources import open_camera
from vision.v4l2 import V4l2
from vision.watch import Watcher

NODE = Path("/dev/video0")
S_FMT = 0xC0D05605
OUTPUT = 2
DICE = DiceExpected((("white", 7), ("coloured", 1)))


@contextmanager
def feeding(picture, fps=30):
    """Write what ``picture()`` returns (BGR) into the loop device until left."""
    height, width = picture().shape[:2]
    fd = os.open(NODE, os.O_RDWR)
    pix = struct.pack(
        "<12I", width, height, struct.unpack("<I", b"BGR3")[0], 1, 3 * width, 3 * width * height, *[0] * 6
    )
    fcntl.ioctl(fd, S_FMT, bytearray(struct.pack("<II", OUTPUT, 0) + pix + bytes(200 - len(pix))))
    stop = threading.Event()

    def feed():
        while not stop.wait(1 / fps):
            os.write(fd, np.ascontiguousarray(picture()).tobytes())

    thread = threading.Thread(target=feed)
    thread.start()
    try:
        yield
    finally:
        stop.set()
        thread.join()
        os.close(fd)


def still(path=None):
    picture = RehearsalTray(chance=random.Random(1)).frame(0.0).image if path is None else cv2.imread(path)
    return np.asarray(cv2.resize(picture, (640, 480)))


@contextmanager
def opened():
    heard = queue.SimpleQueue()
    camera = OwnedCamera(V4l2(0, heard.put), heard.put, retry_s=(0.3,))
    camera.start()
    try:
        yield camera, heard
    finally:
        camera.close()


def wait_for(heard, state, seconds=15):
    """Collect notices until one has the state."""
    said = []
    end = time.monotonic() + seconds
    while not said or said[-1].state != state:
        said.append(heard.get(timeout=max(end - time.monotonic(), 0.01)))
    return [n.state for n in said], said[-1].text, said[-1].remedy


def picture():
    """Byte for byte, new, in order."""
    shown = still()
    with feeding(lambda: shown), opened() as (camera, heard):
        states = wait_for(heard, "live")[0]
        frames, after = [], 0.0
        for _ in range(20):
            frame = camera.latest(after, 2)
            frames.append((frame.at, time.monotonic() - frame.at))
            after = frame.at
        began = time.monotonic()
        camera.close()
        return {
            "states": states,
            "same": bool(np.array_equal(frame.image, shown)),
            "age_ms": statistics.median(age for _, age in frames) * 1000,
            "interval_ms": (frames[-1][0] - frames[0][0]) / 19 * 1000,
            "closed_s": time.monotonic() - began,
        }


def troubles():
    """No feeder, held by another, pulled out and put back."""
    shown = still()
    report = {}
    with opened() as (_, heard):
        report["unfed"] = wait_for(heard, "lost")
        with feeding(lambda: shown):
            report["fed"] = wait_for(heard, "live")
        report["unfed again"] = wait_for(heard, "stalled")
    with feeding(lambda: shown):
        holder = subprocess.Popen(
            [sys.executable, __file__, "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        holder.stdout.readline()
        with opened() as (_, heard):
            report["held"] = wait_for(heard, "busy")
            holder.communicate()
            report["let go"] = wait_for(heard, "live")
    device = NODE.stat().st_rdev
    with opened() as (_, heard):
        with feeding(lambda: shown):
            report["plugged in"] = wait_for(heard, "live")
            NODE.unlink()
        report["pulled out"] = wait_for(heard, "lost")
        report["gone"] = wait_for(heard, "absent")
        os.mknod(NODE, 0o20666, device)
        with feeding(lambda: shown):
            report["put back"] = wait_for(heard, "live")
    return report


def hold():
    capture = cv2.VideoCapture(0, cv2.CAP_V4L2)
    capture.grab()
    print("held", flush=True)
    sys.stdin.read()
    capture.release()


def throws():
    """A rehearsal tray filmed through the device, watched, thrown three times, read."""
    tray = RehearsalTray(chance=random.Random(5))
    heard, stop = queue.SimpleQueue(), threading.Event()
    rolls = []
    with feeding(lambda: np.asarray(cv2.resize(tray.frame(time.monotonic()).image, (640, 480))), fps=12):
        camera = open_camera("auto", heard.put)
        camera.start()
        wait_for(heard, "live")
        watcher = Watcher(camera, lambda: DICE, heard.put, clock=float, session="rig")
        thread = threading.Thread(target=watcher.run, args=(stop,))
        thread.start()
        end = time.monotonic() + 20
        while watcher.state != "waiting" and time.monotonic() < end:
            camera.latest(time.monotonic(), 0.2)
        for _ in range(3):
            tray.throw()
            landed = max(die.landed for die in tray.dice)
            seen = next(o for o in iter(lambda: heard.get(timeout=15), None) if isinstance(o, Observation))
            rolls.append(
                {
                    "sure": seen.sure,
                    "reason": seen.reason,
                    "right": sorted(map(str, seen.event.dice)) == sorted(str(d.shown) for d in tray.dice),
                    "since_landing_ms": (time.monotonic() - landed) * 1000,
                    "id": seen.id,
                }
            )
        stop.set()
        thread.join(5)
        camera.close()
    return rolls


def photographs(*paths):
    """Photographs filmed through the device: the faces read."""
    report = {}
    for path in paths:
        shown = cv2.imread(path)
        with feeding(lambda shown=shown: shown, fps=10), opened() as (camera, heard):
            wait_for(heard, "live")
            frame = camera.latest(0.0, 5)
            report[path] = [
                bool(np.array_equal(frame.image, shown)),
                sorted(die.face for die in read(frame, None)),
            ]
    return report


if __name__ == "__main__":
    print(json.dumps(globals()[sys.argv[1]](*sys.argv[2:])))
