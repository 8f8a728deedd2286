"""Recorded pictures play as frames, and say what is wrong when they cannot."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.recording import RecordingError, recorded
from vision.stills import PhotoError


def still(path: Path, grey: int) -> None:
    cv2.imwrite(str(path), np.full((48, 64, 3), grey, np.uint8))


def test_stills_come_in_the_order_of_their_names(tmp_path: Path) -> None:
    for name, grey in (("b.png", 80), ("a.jpg", 40), ("c.webp", 120)):
        still(tmp_path / name, grey)
    (tmp_path / "notes.txt").write_text("no picture")
    frames = list(recorded(tmp_path, fps=4.0, start=10.0))
    assert [round(float(f.image.mean()) / 40) for f in frames] == [1, 2, 3]
    assert [f.at for f in frames] == [10.0, 10.25, 10.5]
    assert frames[0].source == str(tmp_path / "a.jpg")


def test_a_video_keeps_its_own_time(tmp_path: Path) -> None:
    path = tmp_path / "roll.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 20.0, (64, 48))
    for grey in (40, 80, 120):
        writer.write(np.full((48, 64, 3), grey, np.uint8))
    writer.release()
    frames = list(recorded(path))
    assert [round(f.at, 3) for f in frames] == [0.0, 0.05, 0.1]
    assert [round(float(f.image.mean()) / 40) for f in frames] == [1, 2, 3]
    assert [f.at for f in recorded(path, fps=2.0)] == [0.0, 0.5, 1.0]


def test_nothing_to_play_is_said(tmp_path: Path) -> None:
    with pytest.raises(RecordingError, match="holds no pictures"):
        recorded(tmp_path)
    with pytest.raises(RecordingError, match="does not exist"):
        recorded(tmp_path / "gone.mp4")
    with pytest.raises(RecordingError, match="above 0"):
        recorded(tmp_path, fps=0.0)
    text = tmp_path / "roll.mp4"
    text.write_text("not a video")
    with pytest.raises(RecordingError, match=r"roll\.mp4 cannot be played"):
        recorded(text)


def test_a_damaged_still_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").write_bytes(b"")
    with pytest.raises(PhotoError, match=r"a\.jpg is empty"):
        next(recorded(tmp_path))
