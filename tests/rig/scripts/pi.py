"""Runs inside the virtual camera, where picamera2 is real and the camera is not. Prints JSON.

The folder of the frames is the first argument; nothing here needs OpenCV.
"""

import json
import os
import queue
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from vision.camera import CameraFault, OwnedCamera
from vision.light import LEARNT_S
from vision.picamera import Picamera, load

SIZE = (640, 480)
PATIENCE_S = 60
"""Python under emulation is slow, and so are machines that build at the same time."""


@contextmanager
def opened(wait=True, **how):
    heard = queue.SimpleQueue()
    camera = OwnedCamera(Picamera(heard.put, size_px=SIZE, **how), heard.put, retry_s=(0.3,))
    camera.start()
    try:
        if wait:
            wait_for(heard, "live")
        yield camera, heard
    finally:
        camera.close()


def wait_for(heard, state):
    """Collect notices until one has the state."""
    said = []
    end = time.monotonic() + PATIENCE_S
    while not said or said[-1].state != state:
        said.append(heard.get(timeout=max(end - time.monotonic(), 0.01)))
    return {"states": [n.state for n in said], "text": said[-1].text, "remedy": said[-1].remedy}


def picture(frames):
    """The bytes of a frame, its age, and how long closing takes."""
    shown = np.load(Path(frames).with_suffix(".npy"))
    with opened() as (camera, heard):
        ages, after = [], 0.0
        for _ in range(10):
            frame = camera.latest(after, PATIENCE_S)
            ages.append(time.monotonic() - frame.at)
            assert frame.at > after
            after = frame.at
        held = wait_for(heard, "held") if "imx219" in _name() else wait_for(heard, "automatic")
        began = time.monotonic()
        camera.close()
        return {
            "same": bool(np.array_equal(frame.image, shown)),
            "age_ms": statistics.median(ages) * 1000,
            "held": held,
            "closed_s": time.monotonic() - began,
            "fresh_open": _can_open(),
        }


def relit(frames):
    """A light that stays another: told, measured anew by the camera's own automatic, and held again."""
    shown = np.load(Path(frames).with_suffix(".npy"))
    bright, dim = (Path(frames).with_suffix(f".{name}.png") for name in ("bright", "dim"))
    with opened() as (camera, heard):
        first = wait_for(heard, "held")
        threading.Event().wait(3 * LEARNT_S)  # emulated frames come slowly
        try:
            _show(dim, frames)
            light = wait_for(heard, "light")
            again = wait_for(heard, "held")
            mean = float(camera.latest(0.0, PATIENCE_S).image.mean())
        finally:
            _show(bright, frames)
    return {"first": first, "light": light, "again": again, "dimmed": mean < float(shown.mean()) / 2}


def _show(picture, frames):
    """Let the camera see another picture: it looks anew for every frame, so it is put there at once."""
    part = Path(frames).with_suffix(".part")
    shutil.copyfile(picture, part)
    part.rename(Path(frames) / "a.png")


def stall(frames):
    """A stall: named, nothing stale, over by itself when frames come again; closing while it lasts."""
    mark = Path(frames) / ".stall"
    with opened() as (camera, heard):
        mark.touch()
        stalled = wait_for(heard, "stalled")
        while camera.latest(0.0, 0.1) is not None:
            # frames that were merely late: it must have come back, and must stall once more
            wait_for(heard, "live")
            wait_for(heard, "stalled")
        mark.unlink()
        resumed = time.monotonic()
        live = wait_for(heard, "live")
        frame = camera.latest(0.0, PATIENCE_S)
        report = {
            "stalled": stalled,
            "live": live["states"],
            "fresh": frame.at > resumed - 0.5,
        }
    with opened() as (camera, heard):
        mark.touch()
        threading.Event().wait(0.5)
        began = time.monotonic()
        camera.close()
        report["closed_stalled_s"] = time.monotonic() - began
        mark.unlink()
    report["fresh_open"] = _can_open()
    return report


def busy(_frames):
    """Held by another process, then let go."""
    holder = subprocess.Popen(
        [sys.executable, __file__, "hold"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=os.environ
    )
    holder.stdout.readline()
    with opened(wait=False) as (_, heard):
        report = {"busy": wait_for(heard, "busy")}
        holder.communicate()
        report["live"] = wait_for(heard, "live")["states"]
    return report


def hold():
    camera = load()(0)
    print("held", flush=True)
    sys.stdin.read()
    camera.close()


def controls(_frames):
    """Wrong types and unknown names are refused, and pictures still come."""
    heard = queue.SimpleQueue()
    device = Picamera(heard.put, size_px=SIZE)
    device.open()
    try:
        refused = device.set({"ExposureTime": "x", "AnalogueGain": True, "Zoom": 3})
        after = [device.read(PATIENCE_S) for _ in range(5)]
    finally:
        device.close()
    return {"refused": refused, "frames": sum(frame is not None for frame in after)}


def sigterm(_frames):
    """A process that handles SIGTERM gives the camera back."""
    child = subprocess.Popen([sys.executable, __file__, "serve"], stdout=subprocess.PIPE, env=os.environ)
    child.stdout.readline()
    began = time.monotonic()
    child.send_signal(signal.SIGTERM)
    code = child.wait(PATIENCE_S)
    return {
        "code": code,
        "ended_s": time.monotonic() - began,
        "rest": child.stdout.read().decode(),
        "open": _can_open(),
    }


def serve():
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    with opened():
        print("live", flush=True)
        stop.wait(PATIENCE_S)
    print("closed", flush=True)


def absent(_frames):
    """No camera at all."""
    with opened(wait=False) as (_, heard):
        return wait_for(heard, "absent")


def several(_frames):
    """Of several USB cameras the first by its Id, whatever its number; another one by name."""
    infos = load().global_camera_info()
    device = Picamera(print, size_px=SIZE)
    device.open()
    first = (device.name, device.read(PATIENCE_S).image[0, 0].tolist())
    device.close()
    other = max(infos, key=lambda info: info["Id"])
    device = Picamera(print, size_px=SIZE, wanted=other["Id"])
    device.open()
    last = (device.name, device.read(PATIENCE_S).image[0, 0].tolist())
    device.close()
    return {"infos": [[i["Num"], i["Id"]] for i in infos], "first": first, "last": last}


def _name():
    return load().global_camera_info()[0]["Model"]


def _can_open():
    device = Picamera(lambda _: None, size_px=SIZE)
    try:
        device.open()
    except CameraFault as fault:
        return fault.text
    finally:
        device.close()
    return True


if __name__ == "__main__":
    answer = globals()[sys.argv[1]](*sys.argv[2:])
    if answer is not None:
        print(json.dumps(answer))
