"""From the words on the command line to a camera; recordings played."""

import queue
import random

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected
from vision.camera import CameraFault, CameraState, OwnedCamera
from vision.playback import Playback, PlayedCamera
from vision.rehearsal import RehearsalTray
from vision.sources import Automatic, open_camera
from vision.watch import Watcher


@pytest.fixture
def folder(tmp_path):
    for n in range(2):
        cv2.imwrite(str(tmp_path / f"{n}.png"), np.full((48, 64, 3), 100 + 50 * n, np.uint8))
    return tmp_path


class Clock:
    """Seconds that go on only when told."""

    def __init__(self):
        self.now = 500.0

    def __call__(self):
        return self.now


def greys(device, clock, seconds):
    """Read at 15 pictures a second; return the grey of each."""
    seen = []
    for _ in range(round(seconds * 15)):
        frame = device.read()
        assert frame.at == clock.now
        seen.append(int(frame.image[0, 0, 0]))
        clock.now += 1 / 15 + 1e-6
    return seen


def test_stills_are_shown_for_seven_seconds_each_and_then_end(folder):
    clock = Clock()
    device = Playback(folder, monotonic=clock)
    device.open()
    seen = greys(device, clock, 13.9)
    assert seen.count(100) == pytest.approx(105, abs=1)
    assert set(seen[106:]) == {150}
    clock.now += 0.2
    with pytest.raises(CameraFault, match="has ended") as caught:
        device.read()
    assert caught.value.state is CameraState.ENDED
    assert caught.value.final


def test_a_looped_recording_begins_anew(folder):
    clock = Clock()
    device = Playback(folder, loop=True, monotonic=clock)
    device.open()
    seen = greys(device, clock, 25)
    assert (seen[50], seen[160], seen[260], seen[360]) == (100, 150, 100, 150)


def test_a_recording_waits_for_a_slow_reader_and_runs_no_faster_than_the_clock(folder):
    clock, heard = Clock(), []
    camera = PlayedCamera(folder, heard.append, monotonic=clock)
    camera.start()
    first = camera.latest(0, 0)
    assert first is not None
    assert camera.latest(first.at, 0) is None  # not due
    clock.now += 600  # the reader was busy
    seen = []
    while (frame := camera.latest(0, 0)) is not None:
        seen.append(int(frame.image[0, 0, 0]))
        clock.now += 1
    assert seen.count(100) == pytest.approx(104, abs=1)
    assert seen.count(150) == pytest.approx(105, abs=1)
    assert camera.state is CameraState.ENDED
    assert [notice.state for notice in heard] == ["live", "ended"]


def test_a_broken_picture_ends_the_recording_with_its_name(folder):
    (folder / "1.png").write_bytes(b"not a picture")
    (folder / "2.png").write_bytes(b"not a picture")
    device = Playback(folder, monotonic=Clock())
    with pytest.raises(CameraFault, match=r"1\.png") as caught:
        device.open()
    assert caught.value.final


def test_an_empty_folder_is_named(tmp_path):
    with pytest.raises(CameraFault, match="holds no pictures"):
        Playback(tmp_path, monotonic=Clock()).open()


def test_a_recording_plays_through_a_camera(folder):
    heard = queue.SimpleQueue()
    camera = open_camera(str(folder), heard.put)
    camera.start()
    frame = camera.latest(0.0, 5)
    assert frame.image.shape == (48, 64, 3)
    assert heard.get(timeout=5).state == "live"
    camera.close()


def test_photographs_in_a_folder_are_read_as_throws_one_after_the_other(tmp_path):
    clock = Clock()
    tray = RehearsalTray(chance=random.Random(6), monotonic=clock)
    rolls, heard = [], []
    for n in range(2):
        rolls.append(sorted(die.shown for die in tray.dice))
        cv2.imwrite(str(tmp_path / f"{n}.jpg"), tray.frame(clock.now + 9).image)
        tray.throw()
    device = Playback(tmp_path, monotonic=clock)
    device.open()
    expected = DiceExpected((("white", 7), ("coloured", 1)))
    watcher = Watcher(tray, lambda: expected, heard.append, clock=float, first_counts=True)
    for _ in range(round(13.5 * 15)):
        watcher.step(device.read())
        clock.now += 1 / 15 + 1e-6
    assert [sorted(told.event.dice) for told in heard] == rolls
    assert all(told.sure for told in heard)


def test_none_is_no_camera():
    assert open_camera("none", print) is None


@pytest.mark.parametrize("spec", ["auto", "picamera2", "v4l2:3"])
def test_a_camera_is_named_without_being_touched(spec):
    camera = open_camera(spec, print)
    assert isinstance(camera, OwnedCamera)
    camera.close()


@pytest.mark.parametrize("spec", ["v4l2:", "v4l2:x", "v4l2:-1", "webcam", "/no/such/file.mp4", ""])
def test_words_that_name_no_camera_are_refused_with_those_that_do(spec):
    with pytest.raises(ValueError, match="v4l2"):
        open_camera(spec, print)


def test_where_there_is_no_camera_the_sentence_says_what_to_do():
    device = Automatic(print, usb_devices=tuple)
    with pytest.raises(CameraFault, match="No camera is found") as caught:
        device.open()
    assert caught.value.state is CameraState.ABSENT
    assert "python3-picamera2" in caught.value.remedy
    device.close()


@pytest.mark.parametrize("spec", ["picamera2", "v4l2:0", "auto"])
def test_the_lamps_pace_reaches_the_camera(spec):
    camera = open_camera(spec, print, mains_hz=60)
    assert camera._device._mains_hz == 60
