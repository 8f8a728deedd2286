"""gpiozero's lines, on gpiozero's own mock pins; on kernel lines in tests/rig."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.edges import Edge, Line, LineFault
from hardware.gpio import GpioEdges, explain, load

mock = pytest.importorskip("gpiozero.pins.mock")


@pytest.fixture
def factory():
    made = mock.MockFactory()
    yield made
    made.reset()


@pytest.fixture
def source(factory):
    edges = GpioEdges([Line("entry", 17), Line("button", 27, pull_up=False)], lambda: factory)
    edges.start()
    yield edges
    edges.close()


def drained(source):
    return list(iter(lambda: source.next(0), None))


def test_the_first_edges_tell_the_levels(source):
    assert [(e.line, e.level) for e in drained(source)] == [("entry", True), ("button", False)]
    assert source.levels() == {"entry": True, "button": False}


def test_both_edges_come_with_the_level_on_the_wire(source, factory):
    drained(source)
    for line in (17, 27):
        factory.pin(line).drive_low()
        factory.pin(line).drive_high()
    factory.pin(27).drive_low()
    edges = drained(source)
    assert [(e.line, e.level) for e in edges] == [
        ("entry", False),
        ("entry", True),
        ("button", True),
        ("button", False),
    ]
    assert [e.at for e in edges] == sorted(e.at for e in edges)


def test_a_short_pulse_is_not_swallowed(source, factory):
    drained(source)
    for _ in range(50):
        factory.pin(17).drive_low()
        factory.pin(17).drive_high()
    assert len(drained(source)) == 100


def test_a_spare_line_is_claimed_and_another_to_revive(source, factory):
    before = {n for n, pin in factory.pins.items() if pin.pull == "up"}
    source.revive()
    after = {n for n, pin in factory.pins.items() if pin.pull == "up"}
    assert len(before) == 2
    assert len(after) == 3


def test_closing_twice_and_unstarted_is_fine(factory):
    edges = GpioEdges([Line("entry", 17)], lambda: factory)
    edges.close()
    edges.start()
    assert set(edges.levels()) == {"entry"}
    edges.close()
    edges.close()
    assert not edges.levels()


def test_one_line_twice_is_named(factory):
    edges = GpioEdges([Line("entry", 17), Line("roof", 17)], lambda: factory)
    with pytest.raises(LineFault, match="named twice") as caught:
        edges.start()
    assert caught.value.remedy


def test_a_line_that_is_not_there_is_named(factory):
    with pytest.raises(LineFault, match="no such line"):
        GpioEdges([Line("entry", 99)], lambda: factory).start()


def test_an_unknown_factory_is_named(tmp_path):
    with pytest.raises(LineFault, match="'lgpoi'") as caught:
        load("lgpoi", tmp_path)
    assert "lgpio" in caught.value.remedy


@pytest.mark.skipif(Path("/dev/gpiochip0").exists(), reason="there are lines here")
def test_where_there_are_no_lines_the_sentence_says_so_and_no_pipe_is_left(tmp_path):
    here, pipes = tmp_path / "here", tmp_path / "pipes"
    here.mkdir()
    script = (
        "import sys, pathlib\n"
        "from hardware.gpio import load\n"
        "from hardware.edges import LineFault\n"
        "try:\n    load('lgpio', pathlib.Path(sys.argv[1]))\n"
        "except LineFault as fault:\n    print(fault.text, '|', fault.remedy)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(pipes)],
        cwd=here,
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    text, _, remedy = done.stdout.partition("|")
    assert text.strip()
    assert "companion doctor" in remedy or "gpio" in remedy
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (ModuleNotFoundError("No module named 'lgpio'"), "apt install -y python3-lgpio"),
        (ModuleNotFoundError("No module named 'RPi'"), "Set the pin factory to lgpio"),
        (RuntimeError("Cannot determine SOC peripheral base address"), "Set the pin factory to lgpio"),
        (OSError("[Errno 13] Permission denied: '/dev/gpiochip0'"), "usermod -aG gpio"),
        (RuntimeError("'GPIO busy'"), "gpioinfo"),
        (FileNotFoundError("[Errno 2] No such file or directory: '.lgd-nfy-3'"), "RuntimeDirectory"),
    ],
)
def test_known_texts_have_remedies(error, words):
    assert words in explain(error).remedy


def test_an_unknown_text_is_passed_on():
    assert "strange" in explain(RuntimeError("strange")).text


def test_an_edge_is_a_value():
    assert Edge("entry", True, 1.0) == Edge("entry", True, 1.0)
