"""What the composition root plugs in: a folder of photographs as the camera, all the way to facts."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from companion.devices import Devices
from companion.errors import CompanionError
from companion.rules.events import CubeDropped, Observation, Seconds
from companion.settings import CameraSettings, GpioSettings, Settings, parse
from hardware.profile import TowerProfile
from shaft import GAME as SHAFT
from vision.cubes import CubeSeen, CubesRead
from vision.frames import Frame
from vision.judgement import RollStatus
from vision.live import Shown

PIPS = {"1": [(0, 0)], "2": [(-25, -25), (25, 25)], "3": [(-25, -25), (0, 0), (25, 25)]}


def photograph(path, faces):
    """White dice on a dark cloth."""
    image = np.full((480, 640, 3), (70, 90, 40), np.uint8)
    for x, face in zip((150, 400), faces, strict=True):
        cv2.rectangle(image, (x, 180), (x + 110, 290), (235, 240, 240), -1)
        for dx, dy in PIPS[face]:
            cv2.circle(image, (x + 55 + dx, 235 + dy), 11, (30, 30, 30), -1, cv2.LINE_AA)
    cv2.imwrite(str(path), image)


@pytest.fixture
def open_dash(make_table):
    table = make_table()
    seat = table.join("Anna").key
    table.start_game(slug="dash", title="", seats=(seat,), options={})
    return table


def until(table, done):
    """Wait for a snapshot that is ``done``; the last one if none comes in time."""
    shown = table.snapshot()
    while not done(shown):
        after = table.wait(shown.version, timeout_s=20)
        if after.version == shown.version:
            break
        shown = after
    return shown


@pytest.mark.slow
def test_a_folder_of_photographs_plays_like_a_camera(open_dash, tmp_path):
    folder = tmp_path / "photographs"
    folder.mkdir()
    for n, faces in enumerate(("12", "31", "22")):
        photograph(folder / f"{n}.png", faces)
    settings = replace(Settings(), camera=CameraSettings(source=str(folder)))
    devices = Devices(settings, open_dash, rehearse=False, folder=tmp_path)
    devices.start()
    try:
        seen = []
        for _ in range(3):
            told = len(seen)
            shown = until(open_dash, lambda s, told=told: s.proposal or len(s.history) > told)
            if shown.proposal:
                open_dash.confirm(id=shown.proposal.id, seat=None)
                shown = open_dash.snapshot()
            seen = [row.told for row in shown.history]
        assert seen == ["anna threw 1 2.", "anna threw 3 1.", "anna threw 2 2."]
    finally:
        devices.close()


def test_a_camera_that_is_none_is_refused(open_dash, tmp_path):
    settings = replace(Settings(), camera=CameraSettings(source="webcam"))
    with pytest.raises(CompanionError, match="'webcam' is no camera"):
        Devices(settings, open_dash, rehearse=False, folder=tmp_path)


def test_lines_that_do_not_work_are_a_notice_and_nothing_waits(open_dash, tmp_path):
    settings = Settings(
        camera=CameraSettings(source="none"), gpio=GpioSettings(pin_factory="lgpoi", entry=17)
    )
    devices = Devices(settings, open_dash, rehearse=False, folder=tmp_path)
    devices.start()
    try:
        shown = until(open_dash, lambda s: s.notices)
        assert "lgpoi" in shown.notices[0].text + shown.notices[0].remedy
        assert open_dash.join("Bert").name == "Bert"
    finally:
        devices.close()


def test_the_live_picture_of_a_floor_comes_with_its_cubes(open_dash, tmp_path):
    """Each as a claim with its place and whether it is sure; beside the tower is not on the floor."""
    devices = Devices(Settings(), open_dash, rehearse=True, folder=tmp_path)
    square = np.array([(10, 20), (30, 20), (30, 40), (10, 40)], np.float32)
    read = CubesRead(
        (CubeSeen("blue", 0.99, square), CubeSeen("grey", 0.6, square + 40, ("white",))),
        RollStatus.DOUBTFUL,
        0.59,
        "The cube read as grey could be white.",
        beside=(CubeSeen("red", 0.9, square + 60),),
    )
    frame = Frame(np.full((100, 200, 3), 120, np.uint8), 0.0, "test")
    devices.picture.watcher.live.show(Shown(frame, cubes=read, why=read.reason, trouble="It is dark."))
    try:
        seen = devices.picture.picture()
        assert seen.jpeg.startswith(b"\xff\xd8")
        assert seen.why == "It is dark. The cube read as grey could be white."
        told = [(claim.kind, claim.face, claim.confidence, sure) for claim, sure in seen.dice]
        assert told == [("cube", "blue", 0.99, True), ("cube", "grey", 0.6, False)]
        assert seen.dice[0][0].outline[0] == pytest.approx((0.05, 0.2))
        assert seen.dice[1][0].alternatives == ("white",)
    finally:
        devices.close()


def test_what_an_evening_found_is_kept_for_the_next_once_its_book_is_open(make_table, tmp_path):
    table = make_table({"shaft": SHAFT})
    seat = table.join("Anna").key
    table.start_game(slug="shaft", title="", seats=(seat,), options={})
    settings = parse("[tower]\nentry = 17\n[camera]\nsource = 'none'")
    devices = Devices(settings, table, rehearse=False, folder=tmp_path)
    before = devices.tower.learned
    devices.start()
    try:
        for n in range(3):
            event = CubeDropped(at=Seconds(0.0), drop=f"d{n}")
            table.submit(Observation(id=event.drop, event=event, source="tower", sealed="{}"))
        table.tap(id="end", seat=seat, word="cubes_seen", args={"cubes": "blue,blue"})
        assert not (tmp_path / "tower.json").exists()
        assert table.open_book(seat=seat).status == "kept"
        learned = TowerProfile.load(tmp_path / "tower.json")
    finally:
        devices.close()
    assert learned.stays[1] == (before.stays[1][0] + 2, before.stays[1][1])  # two lay on floor 2
