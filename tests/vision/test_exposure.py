"""Holding the exposure: metadata in, controls out."""

import pytest

from vision.exposure import SETTLE_S, VERIFY_FRAMES, Hold, Holding, checked, opening

V2 = {  # as picamera2 0.3.38 advertises for a camera module v2
    "ExposureTime": (1, 66_666, 20_000),
    "AnalogueGain": (1.0, 16.0, 1.0),
    "ColourGains": (0.0, 32.0, None),
    "AeEnable": (False, True, True),
    "AwbEnable": (False, True, None),
    "FrameDurationLimits": (33_333, 250_000_000, (33_333, 33_333)),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1_000_000, None),
    "ScalerCrop": ((0, 0, 0, 0), (65_535,) * 4, (0, 0, 0, 0)),
}
FOCUSING = V2 | {"AfMode": (0, 2, 0), "LensPosition": (0.0, 32.0, 1.0)}
STEADY = {"ExposureTime": 23_000, "AnalogueGain": 2.0, "ColourGains": (2.1, 1.5), "FrameDuration": 33_333}


def settled(advertised=V2, metadata=STEADY, frames=6):
    holding = Holding(advertised, mains_hz=50)
    asked = [holding.see(n / 30, metadata) for n in range(frames)]
    return holding, asked


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("ExposureTime", "x", "must be int"),
        ("ExposureTime", 20_000.0, "must be int"),
        ("ExposureTime", True, "must be int"),
        ("ExposureTime", 70_000, "between 1 and 66666"),
        ("AnalogueGain", "2", "must be float"),
        ("AeEnable", 1, "must be bool"),
        ("ColourGains", 2.0, "must be a pair"),
        ("ColourGains", (2.0,), "must be a pair"),
        ("ColourGains", (2.0, "1"), "must be float"),
        ("FrameDurationLimits", (10, 33_333), "between"),
        ("ScalerCrop", (0, 0, 10, 10), "not set here"),
        ("FrameRate", 30.0, "no control FrameRate"),
        ("AnalogueGain", float("nan"), "between"),
    ],
)
def test_a_control_the_camera_would_choke_on_is_refused_in_words(name, value, words):
    good, refused = checked({name: value, "AwbEnable": False}, V2)
    assert good == {"AwbEnable": False}
    assert len(refused) == 1
    assert words in refused[0]
    assert name in refused[0]


def test_whole_numbers_are_fine_where_fractions_are():
    assert checked({"AnalogueGain": 2}, V2) == ({"AnalogueGain": 2}, ())


def test_it_opens_with_what_the_camera_has_and_never_with_less_than_it_checks():
    assert set(opening(V2, 50)) == {
        "AeEnable",
        "AwbEnable",
        "FrameDurationLimits",
        "AeFlickerMode",
        "AeFlickerPeriod",
    }
    assert opening({}, 50) == {}
    assert checked(opening(FOCUSING, 60), FOCUSING)[1] == ()


def test_after_six_frames_alike_everything_is_held_without_flicker():
    _, asked = settled()
    assert asked[:5] == [None] * 5
    controls = asked[5]
    assert controls["ExposureTime"] == 20_000
    assert controls["ExposureTime"] * controls["AnalogueGain"] == pytest.approx(46_000)
    assert controls["FrameDurationLimits"] == (33_333, 33_333)
    assert controls["ColourGains"] == (2.1, 1.5)
    assert controls["AeEnable"] is False
    assert controls["AwbEnable"] is False
    assert checked(controls, V2)[1] == ()


def test_a_short_exposure_stays_as_it_is():
    _, asked = settled(metadata=STEADY | {"ExposureTime": 2_003, "AnalogueGain": 1.0})
    assert (asked[5]["ExposureTime"], asked[5]["AnalogueGain"]) == (2_003, 1.0)


def test_a_gain_beyond_the_camera_is_cut():
    _, asked = settled(metadata=STEADY | {"ExposureTime": 14_000, "AnalogueGain": 15.9})
    assert asked[5]["AnalogueGain"] == 16.0


def test_it_waits_while_exposure_still_moves_but_not_for_ever():
    holding = Holding(V2, mains_hz=50)
    times = [n / 30 for n in range(round(SETTLE_S * 30) + 2)]
    asked = [
        holding.see(at, STEADY | {"ExposureTime": 5_000 + 500 * (n % 7)}) for n, at in enumerate(times)
    ]
    first = next(n for n, controls in enumerate(asked) if controls)
    assert times[first] == pytest.approx(SETTLE_S, abs=0.05)


def test_focus_is_found_before_it_is_held():
    holding = Holding(FOCUSING, mains_hz=50)
    lens = {"LensPosition": 3.3}
    assert all(holding.see(n / 30, STEADY | lens | {"AfState": 1}) is None for n in range(20))
    controls = holding.see(0.7, STEADY | lens | {"AfState": 2})
    assert controls["AfMode"] == 0
    assert controls["LensPosition"] == 3.3


def test_held_means_that_the_metadata_say_so():
    holding, asked = settled()
    assert holding.state is Hold.SETTING
    for n in range(8):  # a manual exposure is in force about eight frames later
        holding.see(1 + n / 30, STEADY)
        assert holding.state is Hold.SETTING
    holding.see(2, STEADY | {"ExposureTime": 19_990, "AnalogueGain": asked[5]["AnalogueGain"]})
    assert holding.state is Hold.HELD
    assert holding.see(3, STEADY) is None


def test_a_camera_that_does_not_obey_is_found_out():
    holding, _ = settled()
    for n in range(VERIFY_FRAMES):
        holding.see(1 + n / 30, STEADY)
    assert holding.state is Hold.REFUSED


def test_a_camera_that_reports_nothing_cannot_be_held():
    holding = Holding({"ExposureTime": (100, 500_000, 16_600)}, mains_hz=50)
    assert holding.see(0, {"SensorTimestamp": 1}) is None
    holding.see(SETTLE_S, {"SensorTimestamp": 2})
    assert holding.state is Hold.REFUSED
