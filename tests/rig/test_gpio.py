"""gpiozero and lgpio on a kernel's lines."""

import pytest

from served import SOON_S

pytestmark = [pytest.mark.rig, pytest.mark.slow]


@pytest.fixture(scope="module")
def edges(rig):
    return rig("gpio.py", "edges")


def test_every_edge_comes_with_the_kernels_time(edges):
    assert edges["first"] == [["entry", True], ["roof", True]]
    assert edges["edges"] == edges["toggles"] == 120
    assert edges["alternate"]
    assert 0 <= edges["late_ms_median"] < 20  # 0.3 ms on an idle machine, whatever the callback's delay
    assert edges["levels"] == {"entry": True, "roof": True}


def test_lgpio_leaves_the_working_folder_alone(edges):
    assert edges["same_folder"]
    assert edges["new_files"] == []


def test_no_start_is_deaf(rig):
    assert rig("gpio.py", "starts")["heard"] == [2] * 8


def test_cubes_are_told_and_a_hand_in_the_beam_is_named(rig):
    report = rig("gpio.py", "cubes")
    drops = [word for word in report["said"] if word.startswith("rig-")]
    assert drops == [f"rig-{n}" for n in range(1, 6)]
    assert report["said"][:2] == ["live", "falling"]
    assert report["said"][-2:] == ["blocked", "quiet"]
    assert not report["alive"]
    assert report["closed_s"] < SOON_S


def test_a_held_line_and_a_missing_chip_are_named_with_their_remedies(rig):
    held, missing = rig("gpio.py", "faults")["said"]
    assert "Another program holds this line" in held[0]
    assert "gpioinfo" in held[1]
    assert "cannot be opened" in missing[0]
    assert "group gpio" in missing[1]
