"""What picamera2 says, in our words. The real one runs in tests/rig."""

import pytest

from vision.camera import CameraFault, CameraState
from vision.picamera import choose, explain

V2 = {"Model": "imx219", "Id": "/base/soc/i2c0mux/i2c@1/imx219@10", "Num": 0}
USB_A = {"Model": "Webcam", "Id": "/base/soc/usb@7e980000-1.1:1.0-1d6b:0102", "Num": 2}
USB_B = {"Model": "Document camera", "Id": "/base/soc/usb@7e980000-1.2:1.0-1d6b:0102", "Num": 1}


def caused(error, cause):
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "state", "words", "remedy"),
    [
        (
            ModuleNotFoundError("No module named 'picamera2'"),
            "absent",
            "picamera2 is not there",
            "python3-picamera2",
        ),
        (
            ModuleNotFoundError("No module named 'libcamera'"),
            "absent",
            "not there",
            "--system-site-packages",
        ),
        (
            ModuleNotFoundError("No module named 'libcamera._libcamera'"),
            "absent",
            "another Python",
            "/usr/bin/python3 -m venv",
        ),
        (ModuleNotFoundError("No module named 'pykms'"), "absent", "pykms", "python3-kms++"),
        (
            ValueError(
                "numpy.dtype size changed, may indicate binary incompatibility. Expected 96, got 88"
            ),
            "absent",
            "another numpy",
            "simplejpeg>=1.9",
        ),
        (ImportError("libturbojpeg.so.0: cannot open"), "absent", "libturbojpeg", "sudo apt install"),
        (
            caused(
                RuntimeError("Camera __init__ sequence did not complete."),
                RuntimeError("Failed to acquire camera: Device or resource busy"),
            ),
            "busy",
            "holds the camera",
            "End that program",
        ),
        (
            RuntimeError("No camera number 0 found (0 cameras detected)"),
            "absent",
            "No camera",
            "rpicam-hello",
        ),
        (RuntimeError("something new"), "lost", "something new", ""),
    ],
)
def test_known_texts_become_states_and_remedies(error, state, words, remedy):
    fault = explain(error)
    assert fault.state == state
    assert words in fault.text
    assert remedy in fault.remedy


def test_the_camera_on_the_ribbon_comes_first():
    assert choose([USB_A, USB_B, V2])["Num"] == 0


def test_among_usb_cameras_the_id_decides_not_the_number():
    assert choose([USB_B, USB_A]) is USB_A
    assert choose([USB_A, USB_B]) is USB_A


def test_a_camera_is_wanted_by_part_of_its_name_or_id():
    assert choose([V2, USB_A, USB_B], "document") is USB_B
    assert choose([V2, USB_A, USB_B], "1.1:1.0") is USB_A


def test_a_camera_that_is_not_there_is_named_with_those_that_are():
    with pytest.raises(CameraFault, match=r"'imx708'.*imx219, Webcam") as caught:
        choose([V2, USB_A], "imx708")
    assert caught.value.state is CameraState.ABSENT


@pytest.mark.parametrize(("infos", "csi_only"), [([], False), ([USB_A], True)])
def test_none_is_absent(infos, csi_only):
    with pytest.raises(CameraFault, match="No camera") as caught:
        choose(infos, csi_only=csi_only)
    assert caught.value.state is CameraState.ABSENT
