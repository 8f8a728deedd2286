"""OpenCV on a kernel's video device."""

import json

import cv2
import pytest

from served import SOON_S
from vision.dice import read
from vision.frames import Frame

pytestmark = [pytest.mark.rig, pytest.mark.slow]


def test_pictures_are_the_camera_s_own_and_new(rig):
    report = rig("v4l2.py", "picture")
    assert report["same"]
    assert report["states"][-1] == "live"
    assert report["age_ms"] < 500
    assert report["closed_s"] < SOON_S


def test_an_unfed_held_or_unplugged_camera_is_named_and_taken_again(rig):
    report = rig("v4l2.py", "troubles")
    assert {name: said[0][-1] for name, said in report.items()} == {
        "unfed": "lost",
        "fed": "live",
        "unfed again": "stalled",
        "held": "busy",
        "let go": "live",
        "plugged in": "live",
        "pulled out": "lost",
        "gone": "absent",
        "put back": "live",
    }
    assert "held by python" in report["held"][1]
    assert "unplugged" in report["pulled out"][1]
    assert all(said[2] for said in report.values() if said[0][-1] != "live")


def test_throws_are_filmed_watched_and_read(rig):
    rolls = rig("v4l2.py", "throws")
    assert [roll["right"] for roll in rolls] == [True] * 3
    assert [roll["sure"] for roll in rolls] == [True] * 3
    assert [roll["id"] for roll in rolls] == ["rig-1", "rig-2", "rig-3"]


@pytest.mark.photos
def test_photographs_read_the_same_through_the_device(rig, shared):
    rows = json.loads((shared / "dice" / "labels.json").read_text())
    rows = [row for row in rows if row["repo"] == "matteop65/Dice_Detection_Recognition"][:3]
    paths = [str(shared / "dice" / row["image"]) for row in rows]
    pictures = [cv2.imread(path) for path in paths]
    direct = [sorted(die.face for die in read(Frame(picture, 0.0, "file"), None)) for picture in pictures]
    report = rig("v4l2.py", "photographs", *paths)
    assert [report[path] for path in paths] == [[True, faces] for faces in direct]
    assert any(direct)
