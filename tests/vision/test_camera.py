"""A camera's owner thread, on devices that do as they are told."""

import queue
import threading

import numpy as np
import pytest

from vision.camera import Camera, CameraFault, CameraState, Darkness, OwnedCamera
from vision.frames import Frame

GREY = np.full((48, 64, 3), 120, np.uint8)
BLACK = np.zeros((48, 64, 3), np.uint8)


class ScriptedDevice:
    """Does one thing of its script for every call: a frame, None, or an exception to raise.

    It waits at the end of the script until it is closed or given more.
    """

    name = "The camera on the table"
    stall_s = 0.0
    close_fails = False

    def __init__(self, *script):
        self.script = queue.SimpleQueue()
        for act in script:
            self.script.put(act)
        self.calls = []

    def open(self):
        self.calls.append("open")
        self._act()

    def read(self, wait_s):
        try:
            return self._act(wait_s)
        except queue.Empty:
            return Frame(image=GREY, at=0.0, source="script")

    def close(self):
        self.calls.append("close")
        if self.close_fails:
            raise RuntimeError("release failed")

    def _act(self, wait_s=5.0):
        act = self.script.get(timeout=wait_s)
        if isinstance(act, Exception):
            raise act
        return act


def frame(at, image=GREY):
    return Frame(image=image, at=at, source="script")


@pytest.fixture
def opened():
    cameras = []

    def open_(device):
        heard = queue.SimpleQueue()
        camera = OwnedCamera(device, heard.put, retry_s=(0.0,))
        cameras.append(camera)
        camera.start()
        return camera, heard

    yield open_
    for camera in cameras:
        camera.close()


def states(heard, count):
    return [heard.get(timeout=30).state for _ in range(count)]


def test_it_starts_and_gives_the_newest_frame(opened):
    camera, heard = opened(ScriptedDevice("opened", frame(1.0), frame(2.0)))
    assert states(heard, 2) == ["starting", "live"]
    assert camera.latest(after=1.0, wait_s=5).at == 2.0
    assert camera.latest(after=2.0, wait_s=0) is None
    assert camera.state is CameraState.LIVE


def test_a_reader_waits_for_a_frame_that_comes_later(opened):
    device = ScriptedDevice("opened", frame(1.0))
    camera, _ = opened(device)
    assert camera.latest(after=0.0, wait_s=5).at == 1.0
    threading.Thread(target=device.script.put, args=(frame(3.0),)).start()
    assert camera.latest(after=1.0, wait_s=5).at == 3.0


@pytest.mark.parametrize("state", [CameraState.BUSY, CameraState.ABSENT, CameraState.LOST])
def test_a_fault_is_told_once_and_tried_again_until_it_works(opened, state):
    fault = CameraFault(state, "It does not work.", "Do this.")
    device = ScriptedDevice(fault, fault, fault, "opened", frame(1.0))
    _, heard = opened(device)
    notices = [heard.get(timeout=30) for _ in range(3)]
    assert [n.state for n in notices] == ["starting", state, "live"]
    assert (notices[1].text, notices[1].remedy, notices[1].level) == (
        "It does not work.",
        "Do this.",
        "problem",
    )
    assert notices[2].level == "ok"
    assert device.calls[:7] == ["open", "close", "open", "close", "open", "close", "open"]


def test_a_stall_restarts_the_device(opened):
    device = ScriptedDevice("opened", frame(1.0), None, "opened", frame(2.0))
    camera, heard = opened(device)
    assert states(heard, 4) == ["starting", "live", "stalled", "live"]
    assert device.calls == ["open", "close", "open"]
    assert camera.latest(after=0.0, wait_s=5).at == 2.0


def test_a_device_that_breaks_in_an_unknown_way_is_lost_and_closed(opened, caplog):
    device = ScriptedDevice("opened", frame(1.0), KeyError("FrameDurationLimits"), "opened", frame(2.0))
    _, heard = opened(device)
    notices = [heard.get(timeout=30) for _ in range(4)]
    assert [n.state for n in notices] == ["starting", "live", "lost", "live"]
    assert "FrameDurationLimits" in notices[2].text
    assert device.calls == ["open", "close", "open"]
    assert "The camera on the table failed" in caplog.text


def test_a_device_that_does_not_close_is_tried_again_all_the_same(opened, caplog):
    device = ScriptedDevice(
        "opened", frame(1.0), CameraFault(CameraState.LOST, "Unplugged."), "opened", frame(2.0)
    )
    device.close_fails = True
    camera, heard = opened(device)
    assert states(heard, 4) == ["starting", "live", "lost", "live"]
    camera.close()
    assert "release failed" in caplog.text


def test_no_old_frame_is_given_after_a_fault(opened):
    device = ScriptedDevice("opened", frame(5.0), CameraFault(CameraState.LOST, "Unplugged."))
    camera, heard = opened(device)
    assert states(heard, 3) == ["starting", "live", "lost"]
    device.script.put("opened")
    device.script.put(frame(4.0))
    assert camera.latest(after=0.0, wait_s=5).at == 4.0


def test_a_final_fault_is_the_end(opened):
    device = ScriptedDevice(
        "opened", frame(1.0), CameraFault(CameraState.ENDED, "The film is over.", final=True)
    )
    camera, heard = opened(device)
    notices = [heard.get(timeout=30) for _ in range(3)]
    assert [n.state for n in notices] == ["starting", "live", "ended"]
    assert notices[2].level == "info"
    camera.close()
    assert device.calls == ["open", "close"]


def test_black_pictures_are_dark_and_light_again(opened):
    black = [frame(1 + n / 10, BLACK) for n in range(15)]
    _, heard = opened(ScriptedDevice("opened", frame(0.5), *black, frame(3.0)))
    notices = [heard.get(timeout=30) for _ in range(4)]
    assert [n.state for n in notices] == ["starting", "live", "dark", "live"]
    assert "lens cap" in notices[2].remedy


def test_a_short_darkness_is_only_a_hand():
    darkness = Darkness()
    assert not any(darkness.see(frame(n / 10, BLACK)) for n in range(9))
    assert not darkness.see(frame(1.0))
    assert not darkness.see(frame(1.1, BLACK))


def test_closing_ends_the_thread_the_device_and_every_waiting_reader(opened):
    device = ScriptedDevice("opened", frame(1.0))
    camera, heard = opened(device)
    assert states(heard, 2) == ["starting", "live"]
    got = queue.SimpleQueue()
    reader = threading.Thread(target=lambda: got.put(camera.latest(after=9.0, wait_s=60)))
    reader.start()
    camera.close()
    assert got.get(timeout=30) is None
    reader.join(5)
    assert device.calls[-1] == "close"
    assert camera.state is CameraState.CLOSED
    camera.close()


def test_a_camera_that_was_never_started_can_be_closed():
    camera: Camera = OwnedCamera(ScriptedDevice(), print)
    camera.close()
    assert camera.state is CameraState.CLOSED
