"""The real picamera2, on a Pi's camera and on USB cameras that are not there."""

import pytest

from served import SOON_S

pytestmark = [pytest.mark.camera, pytest.mark.slow]


def test_a_pi_s_pictures_come_byte_for_byte_and_its_exposure_is_held(virtual_camera):
    report = virtual_camera("pi", "picture")
    assert report["same"]
    assert report["held"]["states"] == ["held"]
    assert report["age_ms"] < 1000
    assert report["closed_s"] < SOON_S
    assert report["fresh_open"] is True


def test_a_usb_camera_s_pictures_come_byte_for_byte(virtual_camera):
    report = virtual_camera("usb", "picture")
    assert report["same"]
    assert report["held"]["states"] == ["automatic"]  # it reports no exposure to verify
    assert report["age_ms"] < 1000
    assert report["closed_s"] < SOON_S
    assert report["fresh_open"] is True


def test_a_light_that_stays_another_is_told_measured_anew_and_held_again(virtual_camera):
    report = virtual_camera("pi", "relit")
    assert report["dimmed"]
    assert report["light"]["states"][-1] == "light"
    assert "The light has changed" in report["light"]["text"]
    assert report["again"]["states"] == ["held"]


@pytest.mark.parametrize("kind", ["pi", "usb"])
def test_a_stall_is_named_passes_and_does_not_hinder_closing(virtual_camera, kind):
    report = virtual_camera(kind, "stall")
    assert report["stalled"]["states"] == ["stalled"]
    assert "cable" in report["stalled"]["remedy"]
    assert report["live"][-1] == "live"
    assert report["fresh"]
    assert report["closed_stalled_s"] < SOON_S
    assert report["fresh_open"] is True


def test_a_busy_camera_is_named_and_taken_when_it_is_free(virtual_camera):
    report = virtual_camera("usb", "busy")
    assert report["busy"]["states"] == ["starting", "busy"]
    assert "Another program" in report["busy"]["text"]
    assert report["live"] == ["live"]


def test_a_wrong_control_is_refused_and_pictures_still_come(virtual_camera):
    report = virtual_camera("usb", "controls")
    assert len(report["refused"]) == 3
    assert report["frames"] == 5


@pytest.mark.parametrize("kind", ["pi", "usb"])
def test_a_service_that_is_ended_gives_the_camera_back(virtual_camera, kind):
    report = virtual_camera(kind, "sigterm")
    assert report["code"] == 0
    assert report["rest"] == "closed\n"
    assert report["open"] is True


def test_no_camera_is_absent(virtual_camera):
    report = virtual_camera("usb", "absent", VCAM_COUNT="0")
    assert report["states"] == ["starting", "absent"]
    assert "No camera is found" in report["text"]


def test_of_several_the_id_decides_not_the_number(virtual_camera):
    report = virtual_camera("usb", "several", VCAM_COUNT="3")
    numbers = [number for number, _ in sorted(report["infos"], key=lambda info: info[1])]
    assert numbers == [2, 1, 0]  # libcamera's number 0 is the last by its Id
    assert report["first"][0].endswith("Virtual Camera 0")
    assert report["last"][0].endswith("Virtual Camera 2")
