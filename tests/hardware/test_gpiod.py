"""libgpiod's lines, as far as they can be tried without a kernel's; on kernel lines in tests/rig."""

import errno
from pathlib import Path

import pytest

from hardware.chips import busy, chosen, explain, missing, no_such_line
from hardware.edges import Edge, Line, LineFault, Turned, named_twice
from hardware.gpiod_lines import GpiodEdges, _Losses, glance, holders
from hardware.recording import Recorded

pytest.importorskip("gpiod")
ENTRY = Line("entry", 17)


@pytest.mark.parametrize(
    ("labels", "number"),
    [
        (("pinctrl-rp1", "gpio-brcmstb@107d508500"), 0),
        (("gpio-brcmstb@107d508500", "brcmvirt-gpio", "pinctrl-rp1"), 2),
        (("pinctrl-bcm2711", "raspberrypi-exp-gpio"), 0),
        (("pinctrl-bcm2835",), 0),
    ],
)
def test_the_header_s_chip_is_found_by_its_label_not_its_number(labels, number):
    paths = [Path(f"/dev/gpiochip{n}") for n in range(len(labels))]
    assert chosen(dict(zip(paths, labels, strict=True))) == paths[number]


def test_other_chips_are_listed_where_the_header_s_is_not():
    labels = {Path("/dev/gpiochip0"): "gpio-mockup-A"}
    assert chosen(labels) is None
    assert "gpiochip0 (gpio-mockup-A)" in missing(labels).text
    assert "no chip at all" in missing({}).text
    assert "--rehearse" in missing({}).remedy


def test_no_chip_is_a_fault_and_closing_is_fine(tmp_path):
    source = GpiodEdges([ENTRY], devices=tmp_path)
    source.close()
    with pytest.raises(LineFault, match="not here"):
        source.start()
    assert source.levels() == {}
    assert source.next(0) is None
    source.close()
    source.close()
    for look in (glance, holders):
        with pytest.raises(LineFault, match="not here"):
            look([ENTRY], tmp_path)


def test_a_line_named_twice_is_told_with_both_names(tmp_path):
    lines = [ENTRY, Line("floor3", 5), Line("floor3_b", 17)]
    assert named_twice(lines[:2]) is None
    with pytest.raises(
        LineFault, match="GPIO17 is named twice in the settings: for entry and for floor3_b"
    ):
        GpiodEdges(lines, devices=tmp_path).start()


def test_a_number_that_is_not_on_the_header_is_named(tmp_path):
    assert no_such_line([ENTRY]) is None
    with pytest.raises(LineFault, match="no line GPIO46, which is set for floor2"):
        GpiodEdges([ENTRY, Line("floor2", 46)], devices=tmp_path).start()


def test_whoever_holds_a_line_is_named():
    fault = busy([ENTRY, Line("floor3", 5)], {"floor3": "lg"})
    assert fault.text == "Another program holds this line: GPIO5 (floor3) by 'lg'."
    assert "gpioinfo" in fault.remedy
    assert "a line" in busy([ENTRY], {}).text


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (errno.EACCES, "usermod -aG gpio"),
        (errno.EPERM, "char-gpiochip"),
        (errno.EBUSY, "gpioinfo"),
        (errno.ENODEV, "Start the Raspberry Pi again"),
        (errno.EIO, "companion doctor"),
    ],
)
def test_each_refusal_has_its_remedy(number, words):
    fault = explain(OSError(number, "said the kernel"))
    assert words in fault.remedy
    assert "said the kernel" in fault.text


def test_lost_edges_are_said_once_and_taken_back_when_it_is_over():
    said = []
    losses = _Losses(said.append)
    seen = [
        losses.see(lost, now)
        for lost, now in ((0, 1.0), (3, 2.0), (7, 3.0), (7, 12.0), (7, 13.5), (7, 30.0))
    ]
    assert seen == [False, True, True, False, False, False]
    assert [(n.state, n.level) for n in said] == [("edges lost", "problem"), ("followed", "ok")]
    assert not any(word in said[0].text + said[0].remedy for word in ("floor", "entry"))


def test_sensors_that_are_high_when_broken_are_turned_round():
    source = Turned(Recorded([], pace=0))
    assert source.next(0) is None
    source = Turned(Recorded([Edge("entry", False, 1.0), Edge("entry", True, 1.02)], pace=0))
    source.start()
    assert [source.next(0).level for _ in range(2)] == [True, False]
    assert source.levels() == {"entry": False}
    source.revive()
    source.close()
