"""Light that changes for good while exposure is held, and the knobs of USB cameras."""

import cv2
import numpy as np
import pytest

from vision.exposure import Hold, Holding
from vision.light import LASTING_S, Light, level_of
from vision.usbcontrols import CHECK_S, SETTLE_S, Said, UsbHolding

FPS = 15


def first_change(levels, fps=FPS):
    """After how many seconds of these levels a change is told; None if it is not."""
    light = Light()
    return next((n / fps for n, level in enumerate(levels) if light.see(n / fps, level)), None)


def lamp(seconds, level):
    return [level] * round(seconds * FPS)


@pytest.mark.parametrize("level", [60, 66, 170, 240])
def test_a_lamp_that_stays_is_noticed_after_a_while(level):
    assert first_change(lamp(3, 110) + lamp(6, level)) == pytest.approx(3 + LASTING_S, abs=0.1)


@pytest.mark.parametrize("level", [85, 100, 120, 150])
def test_a_little_more_or_less_is_no_new_light(level):
    assert first_change(lamp(3, 110) + lamp(20, level)) is None


def test_a_hand_that_goes_again_is_no_new_light():
    assert first_change((lamp(2, 110) + lamp(3, 50)) * 4) is None


def test_dusk_is_noticed_however_slowly_it_falls():
    assert first_change([110 * 0.9995**n for n in range(60 * FPS)]) is not None


def test_a_picture_that_whites_out_is_noticed_though_it_has_no_room_to_grow():
    assert first_change(lamp(2, 200) + lamp(6, 250)) is not None
    assert first_change(lamp(2, 225) + lamp(6, 250)) is None


def test_the_level_is_the_mean_grey():
    assert level_of(np.full((480, 640, 3), 77, np.uint8)) == 77


def test_a_pi_s_camera_measures_new_light_once_holds_it_and_leaves_focus_alone():
    advertised = {
        "ExposureTime": (1, 66_666, 20_000),
        "AnalogueGain": (1.0, 16.0, 1.0),
        "AeEnable": (False, True, True),
        "AwbEnable": (False, True, True),
        "AfMode": (0, 2, 0),
        "LensPosition": (0.0, 32.0, 1.0),
    }
    holding, now = Holding(advertised, mains_hz=50), [0.0]
    found = {"ExposureTime": 20_000, "AnalogueGain": 2.0, "LensPosition": 3.0, "AfState": 2}

    def frames(count, metadata, level):
        asked = []
        for _ in range(count):
            now[0] += 1 / 30
            asked.append(holding.see(now[0], metadata, level))
        return [controls for controls in asked if controls]

    assert len(frames(10, found, 110)) == 1
    assert holding.state is Hold.HELD
    assert frames(60, found, 110) == []
    (free,) = frames(round(LASTING_S * 30) + 2, found, 200)
    assert free["AeEnable"] is True
    assert "AfMode" not in free
    bright = {"ExposureTime": 10_000, "AnalogueGain": 1.5, "LensPosition": 3.0, "AfState": 0}
    (held,) = frames(10, bright, 110)
    assert (held["AeEnable"], held["ExposureTime"], held["LensPosition"]) == (False, 10_000, 3.0)
    assert holding.state is Hold.HELD


@pytest.mark.parametrize(
    ("wrong", "word"),
    [
        ({"ExposureTime": 9_000}, "exposure"),
        ({"AnalogueGain": 2.6}, "gain"),
        ({"ColourGains": (2.1, 1.9)}, "colours"),
        ({"FrameDuration": 66_000}, "pace"),
        ({"LensPosition": 4.0}, "focus"),
    ],
)
def test_everything_that_was_asked_for_is_held_against_the_metadata_for_ever(wrong, word):
    found = {
        "ExposureTime": 20_000,
        "AnalogueGain": 2.0,
        "ColourGains": (2.1, 1.5),
        "FrameDuration": 33_333,
        "LensPosition": 3.0,
        "AfState": 2,
    }
    advertised = dict.fromkeys(
        ("AeEnable", "AwbEnable", "ColourGains", "FrameDurationLimits"), (0, 1, 0)
    ) | {
        "ExposureTime": (1, 66_666, 20_000),
        "AnalogueGain": (1.0, 16.0, 1.0),
        "AfMode": (0, 2, 0),
        "LensPosition": (0.0, 32.0, 1.0),
    }
    holding = Holding(advertised, mains_hz=50)
    for n in range(20):
        holding.see(n / 30, found)
    assert holding.state is Hold.HELD
    for n in range(29):
        holding.see(1 + n / 30, found | wrong)
    assert holding.state is Hold.HELD  # a frame or two may be late
    holding.see(2, found | wrong)
    assert (holding.state, holding.loose) == (Hold.REFUSED, (word,))


class Webcam:
    """Knobs of a camera whose automatics rule as long as they are on; ``stuck`` ones stay on."""

    def __init__(self, *stuck):
        self.stuck = stuck
        self.values = {
            cv2.CAP_PROP_AUTO_EXPOSURE: 3.0,
            cv2.CAP_PROP_EXPOSURE: 156.0,
            cv2.CAP_PROP_GAIN: 12.0,
            cv2.CAP_PROP_AUTO_WB: 1.0,
            cv2.CAP_PROP_WB_TEMPERATURE: 4600.0,
            cv2.CAP_PROP_AUTOFOCUS: 1.0,
            cv2.CAP_PROP_FOCUS: 30.0,
        }

    def get(self, knob):
        return self.values.get(knob, -1.0)

    def set(self, knob, value):
        if knob in self.stuck or knob not in self.values:
            return False
        self.values[knob] = value
        return True


def watched(holding, webcam, begin, seconds, level=110):
    said = [
        (holding.see(begin + n / FPS, level, webcam), begin + n / FPS) for n in range(round(seconds * FPS))
    ]
    return [(what, at) for what, at in said if what]


def test_a_webcam_settles_then_is_held_at_what_it_had_found():
    webcam, holding = Webcam(), UsbHolding(0.0)
    ((what, at),) = watched(holding, webcam, 0.0, 20)
    assert (what, at) == (Said.HELD, pytest.approx(SETTLE_S, abs=0.1))
    assert webcam.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 1.0
    assert webcam.get(cv2.CAP_PROP_EXPOSURE) == 156.0
    assert webcam.get(cv2.CAP_PROP_AUTOFOCUS) == 0.0


def test_new_light_frees_exposure_and_white_balance_but_not_focus_and_holds_them_again():
    webcam, holding = Webcam(), UsbHolding(0.0)
    watched(holding, webcam, 0.0, 6)
    ((what, _),) = watched(holding, webcam, 6.0, LASTING_S + 1, level=220)
    assert what is Said.LIGHT
    assert webcam.get(cv2.CAP_PROP_AUTO_EXPOSURE) == 3.0
    assert webcam.get(cv2.CAP_PROP_AUTO_WB) == 1.0
    assert webcam.get(cv2.CAP_PROP_AUTOFOCUS) == 0.0
    webcam.values[cv2.CAP_PROP_EXPOSURE] = 40.0
    ((what, _),) = watched(holding, webcam, 11.0, SETTLE_S + 3, level=115)
    assert what is Said.HELD
    assert webcam.get(cv2.CAP_PROP_EXPOSURE) == 40.0


def test_what_does_not_hold_is_named_and_left_alone_in_new_light():
    webcam = Webcam(cv2.CAP_PROP_AUTO_EXPOSURE)
    holding = UsbHolding(0.0)
    assert [what for what, _ in watched(holding, webcam, 0.0, 5)] == [Said.FREE]
    assert holding.free == ("exposure",)
    assert watched(holding, webcam, 5.0, 10, level=240) == []


def test_a_camera_that_turns_its_own_knobs_later_is_found_out():
    webcam, holding = Webcam(), UsbHolding(0.0)
    watched(holding, webcam, 0.0, 4)
    webcam.values[cv2.CAP_PROP_EXPOSURE] = 80.0
    ((what, at),) = watched(holding, webcam, 4.0, 20)
    assert what is Said.FREE
    assert at < 4 + CHECK_S
    assert holding.free == ("exposure",)


def test_a_camera_without_knobs_is_free_in_everything():
    webcam, holding = Webcam(), UsbHolding(0.0)
    webcam.values.clear()
    watched(holding, webcam, 0.0, 5)
    assert holding.free == ("exposure", "white balance", "focus")
