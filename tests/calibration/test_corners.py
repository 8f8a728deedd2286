"""Finding the tray's corners: by markers, by its edge, and the honesty to find nothing."""

import json
import random

import cv2
import numpy as np
import pytest

from calibration.corners import SURE, find_tray
from calibration.markers import find_markers, png, svg
from pictured import CORNERS, SIZE_PX, TRAY_MM, apart, seen, tray, with_markers, wood
from vision.frames import Frame
from vision.rehearsal import RehearsalTray
from vision.tray import rectify

RIM_PX = 21
"""How wide the tray's rim is in the picture: its inner edge will do as well as its outer one."""


@pytest.mark.parametrize("noise", [2.0, 10.0])
def test_four_markers_give_the_corners_and_the_scale(noise):
    found = find_tray(seen(with_markers(tray()), noise=noise))
    assert (found.how, found.confidence) == ("markers", 1.0)
    assert apart(found.profile) < 4
    straight = rectify(Frame(seen(with_markers(tray())), 0.0, "test"), found.profile).image
    assert straight.shape[1] / found.profile.px_per_mm == pytest.approx(TRAY_MM[0], rel=0.12)


def test_markers_say_which_way_up_the_tray_is():
    upside_down = np.roll(CORNERS, 2, axis=0)
    found = find_tray(seen(with_markers(tray()), corners=upside_down))
    assert apart(found.profile, upside_down) < 4


@pytest.mark.parametrize("gone", range(4))
def test_three_markers_say_which_one_is_missing(gone):
    numbers = [None if n == gone else n for n in range(4)]
    found = find_tray(seen(with_markers(tray(), numbers)))
    names = ("upper left", "upper right", "lower right", "lower left")
    assert found.profile is None
    assert found.text == f"3 markers are seen, marker {gone} ({names[gone]} corner) not."
    assert "covers" in found.remedy


def test_one_marker_names_the_three_others():
    found = find_tray(seen(with_markers(tray(), (None, None, 2, None))))
    assert found.text.startswith("One marker is seen, marker 0 (upper left corner), marker 1")
    assert found.text.endswith("and marker 3 (lower left corner) not.")


def test_markers_that_changed_places_are_refused():
    found = find_tray(seen(with_markers(tray(), (1, 0, 2, 3))))
    assert found.profile is None
    assert "not in their order" in found.text


@pytest.mark.parametrize("noise", [2.0, 10.0])
@pytest.mark.parametrize("floor", [(60, 90, 50), (25, 25, 25), (225, 225, 220)])
def test_the_edge_of_a_tray_on_wood_is_found(floor, noise):
    found = find_tray(seen(tray(floor), noise=noise))
    assert found.how == "edge"
    assert found.confidence >= SURE
    assert apart(found.profile) < RIM_PX
    assert found.profile.px_per_mm is None
    assert "right?" in found.text


def test_dice_and_a_shadow_in_the_tray_do_not_hide_its_edge():
    flat = tray()
    for x in range(200, 1000, 130):
        cv2.rectangle(flat, (x, 60), (x + 64, 124), (235, 240, 240), -1)
    picture = seen(flat).astype(np.float32)
    picture[:, 700:] *= 0.6
    found = find_tray(picture.astype(np.uint8))
    assert apart(found.profile) < RIM_PX


def test_a_width_in_millimetres_gives_the_scale():
    found = find_tray(seen(tray()), width_mm=TRAY_MM[0])
    across = max(np.linalg.norm(CORNERS[1] - CORNERS[0]), np.linalg.norm(CORNERS[2] - CORNERS[3]))
    assert found.profile.px_per_mm == pytest.approx(across / TRAY_MM[0], rel=0.03)
    with pytest.raises(ValueError, match="no tray"):
        find_tray(wood(), width_mm=0)


def cut_off():
    return seen(tray(), corners=[(210, 130), (1500, 160), (1500, 850), (130, 800)])


@pytest.mark.parametrize(
    "picture",
    [
        wood(),
        np.full((*SIZE_PX[::-1], 3), 128, np.uint8),
        RehearsalTray(chance=random.Random(1)).frame(1e9).image,
        cut_off(),
        np.zeros((8, 8, 3), np.uint8),
    ],
    ids=["wood", "grey", "felt to the rim", "half a tray", "tiny"],
)
def test_where_no_tray_stands_out_none_is_claimed(picture):
    found = find_tray(picture)
    assert found.profile is None
    assert found.confidence < SURE
    assert found.text == "No tray stands out in this picture."
    assert "Drag" in found.remedy


@pytest.mark.photos
def test_on_real_photographs_no_table_passes_for_a_tray(shared):
    """Three boxes among the photographs of one set are trays; nothing else may be called one."""
    rows = json.loads((shared / "dice" / "labels.json").read_text())
    called = []
    for row in rows[::4]:
        picture = cv2.imread(str(shared / "dice" / row["image"]), cv2.IMREAD_REDUCED_COLOR_2)
        if find_tray(picture).profile is not None:
            called.append(row["repo"])
    assert set(called) <= {"nell-byler/dice_detection"}
    assert called


def test_the_page_of_markers_is_found_again_and_says_its_size():
    page = png()
    picture = cv2.imdecode(np.frombuffer(page, np.uint8), cv2.IMREAD_COLOR)
    squares = find_markers(cv2.resize(picture, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA))
    assert sorted(squares) == [0, 1, 2, 3]
    assert np.ptp(squares[0][:, 0]) == pytest.approx(30 * 12 * 0.25, abs=2)
    assert page[37:41] == b"pHYs"
    assert int.from_bytes(page[41:45]) == 12_000
    drawn = svg()
    assert 'width="210mm"' in drawn
    assert drawn.count("corner</text>") == 4
