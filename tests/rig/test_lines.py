"""gpiozero and gpiod on a kernel's lines: nothing is lost, and every fault has its name and remedy."""

import statistics

import pytest

from served import SOON_S

pytestmark = [pytest.mark.rig, pytest.mark.slow]
BOTH = pytest.mark.parametrize("backend", ["gpiozero", "gpiod"])


@BOTH
@pytest.mark.parametrize(("case", "played"), [("one", 200), ("four", 800)])
def test_every_pulse_of_three_milliseconds_is_read(rig, backend, case, played):
    found = rig("lines.py", "case", backend, case, "idle", virtual="free")
    assert found["seen"] == found["played"] == played
    assert found["width_ms"][2] < 0.5


@pytest.mark.parametrize("case", ["one", "four"])
def test_beside_a_busy_thread_nothing_that_the_kernel_saw_is_lost(rig, case):
    found = rig("lines.py", "case", "gpiod", case, "busy", virtual="cpu")
    assert found["told"] == []
    # a machine that is busy itself holds the simulated line up, and two changes at once are none to it
    assert found["seen"] >= 0.9 * found["played"]


def test_cubes_are_read_while_another_line_chatters(rig):
    found = rig("lines.py", "case", "gpiod", "chatter", "idle", virtual="cpu")
    assert found["seen"] >= 0.9 * found["played"]
    assert found["chatter_hz"] > 1000


@BOTH
def test_every_fault_has_its_name_and_remedy(rig, backend):
    told = rig("lines.py", "faults", backend)
    assert told["free"] is None
    assert told["free again"] is None
    for case, words in {
        "held": ("Another program holds this line", "gpioinfo"),
        "used by the kernel": ("Another program holds this line", "gpioinfo"),
        "nobody": ("", "gpio"),
        "twice": ("for entry and for floor3", "a line of its own"),
        "no such line": ("no such line" if backend == "gpiozero" else "no line GPIO77", "BCM numbers"),
        "no chip": ("", ""),
    }.items():
        text, remedy = told[case]
        assert words[0] in text, case
        assert words[1] in remedy, case
        assert remedy, case
    assert "floor3" in told["held"][0]
    if backend == "gpiod":
        assert "'sysfs'" in told["used by the kernel"][0]


@BOTH
def test_a_cut_wire_and_a_loose_one_are_named_and_the_loop_ends(rig, backend):
    told = rig("lines.py", "watch", backend, seconds=300, virtual="cpu")
    # the same here: now and then a machine that is busy itself makes one cube look like two, or like none
    assert told["sure"] >= 0.9 * told["cubes"]
    assert told["drops"] - told["sure"] <= 2
    assert told["cut"][-1][:2] == ["tower entry", "blocked"]
    assert told["cut"][-1][2]
    assert told["chatter"][-1][:2] == ["tower inside", "chatters"]
    assert told["closed_s"] < SOON_S


def test_gpiozero_can_be_started_again_in_one_process(rig):
    assert rig("lines.py", "restarts", "gpiozero", virtual="free")["heard"] == [10] * 4


def test_every_cube_comes_to_a_phone_a_fixed_time_after_its_entry(rig):
    told = rig("phone.py", "60", "gpiod", seconds=300, virtual="cpu")
    assert told["views"] == told["cubes"] == 60
    assert min(told["counted_s"]) >= 1.6
    # a view may be late where the machine itself is held up, but not so that it would matter at a table
    assert statistics.quantiles(told["counted_s"], n=10)[-1] < 2.0
    assert max(told["counted_s"]) < 5.0
    assert statistics.median(told["falling_s"]) < 0.25
