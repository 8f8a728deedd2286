"""The tray's profile: kept in a file, cut out of the picture."""

import json

import cv2
import numpy as np
import pytest

from vision.frames import Frame
from vision.tray import TrayProfile, TrayProfileError, rectify

SLANTED = TrayProfile(corners=((0.25, 0.2), (0.8, 0.25), (0.9, 0.85), (0.15, 0.8)), px_per_mm=2.5)


def test_what_is_saved_is_loaded(tmp_path):
    path = tmp_path / "tray.json"
    TrayProfile().save(path)
    SLANTED.save(path)
    assert TrayProfile.load(path) == SLANTED
    assert [p.name for p in tmp_path.iterdir()] == ["tray.json"]


def test_the_whole_picture_is_the_default_and_stays_untouched():
    frame = Frame(np.zeros((48, 64, 3), np.uint8), 1.0, "test")
    assert TrayProfile().whole
    assert rectify(frame, TrayProfile()) is frame


def test_a_slanted_tray_is_straightened():
    image = np.zeros((480, 640, 3), np.uint8)
    corners = np.array(SLANTED.corners) * (640, 480)
    cv2.fillConvexPoly(image, np.round(corners).astype(np.int32), (40, 90, 60))
    for n, (x, y) in enumerate(corners):
        inwards = (corners.mean(axis=0) - (x, y)) * 0.12
        spot = tuple(np.round(np.add((x, y), inwards)).astype(int).tolist())
        cv2.circle(image, spot, 6, (60 * n + 60, 255, 255), -1)
    tray = rectify(Frame(image, 7.0, "test"), SLANTED)
    height, width = tray.image.shape[:2]
    assert (tray.at, tray.source) == (7.0, "test")
    assert width == pytest.approx(np.linalg.norm(corners[2] - corners[3]), abs=1)
    assert height == pytest.approx(np.linalg.norm(corners[1] - corners[2]), abs=20)
    assert (tray.image[3:-3, 3:-3].sum(axis=2) > 0).all()
    blues = [tray.image[y, x, 0] for y, x in _spots(tray.image)]
    assert blues == [60, 120, 180, 240]


def _spots(image):
    """Where the four spots are, clockwise from the upper left."""
    mask = (image[..., 1] == 255).astype(np.uint8)
    _, _, _, centres = cv2.connectedComponentsWithStats(mask)
    middle = np.array(image.shape[1::-1]) / 2
    order = {(True, True): 0, (False, True): 1, (False, False): 2, (True, False): 3}
    spots = {order[x < middle[0], y < middle[1]]: (round(y), round(x)) for x, y in centres[1:]}
    return [spots[n] for n in range(4)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "cannot be read"),
        ("[]", "not a tray profile"),
        ('{"corners": [[0,0],[1,0],[1,1]]}', "four pairs"),
        ('{"corners": [[0,0],[1,0],[1,2],[0,1]]}', "four pairs"),
        ('{"corners": "all"}', "four pairs"),
        ("{}", "four pairs"),
        ('{"corners": [[0,0],[1,1],[1,0],[0,1]]}', "clockwise"),
        ('{"corners": [[0,0],[0,1],[1,1],[1,0]]}', "clockwise"),
        ('{"corners": [[0,0],[0.05,0],[0.05,0.05],[0,0.05]]}', "too small"),
        ('{"corners": [[0,0],[1,0],[1,1],[0,1]], "px_per_mm": -1}', "px_per_mm"),
        ('{"corners": [[0,0],[1,0],[1,1],[0,1]], "px_per_mm": "2"}', "px_per_mm"),
        ('{"corners": [[0,0],[1,0],[1,1],[0,1]], "colour": 1, "felt": 2}', "unknown colour, felt"),
    ],
)
def test_a_bad_file_is_named_with_what_is_wrong(tmp_path, text, words):
    path = tmp_path / "tray.json"
    path.write_text(text)
    with pytest.raises(TrayProfileError, match=words) as caught:
        TrayProfile.load(path)
    assert str(path) in str(caught.value)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(TrayProfileError, match=r"none\.json"):
        TrayProfile.load(tmp_path / "none.json")


def test_the_file_is_json_that_people_can_read(tmp_path):
    SLANTED.save(tmp_path / "tray.json")
    found = json.loads((tmp_path / "tray.json").read_text())
    assert found == {"corners": [list(c) for c in SLANTED.corners], "px_per_mm": 2.5}
