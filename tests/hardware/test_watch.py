"""The loop from edges to what the table hears."""

import queue
import random
import threading

import pytest

from companion.rules.events import CubeDropped, Notice, Observation
from hardware.edges import Edge, LineFault
from hardware.recording import Recorded
from hardware.rehearsal import RehearsalLines
from hardware.watch import EdgeWatch


@pytest.fixture
def heard():
    return []


@pytest.fixture
def watch(heard):
    return EdgeWatch(Recorded([]), heard.append, clock=lambda at: at - 100, session="s")


def test_a_cube_is_told_once_in_table_time(watch, heard):
    for edge in (Edge("entry", True, 100.0), Edge("entry", False, 107.0), Edge("entry", True, 107.02)):
        watch.step(edge)
    watch.tick(107.1)
    watch.tick(108.0)
    assert heard == [Observation(id="s-1", event=CubeDropped(at=7.0, drop="s-1"), source="tower")]


def test_other_lines_drop_no_cubes(watch, heard):
    for edge in (Edge("roof", False, 107.0), Edge("roof", True, 107.02)):
        watch.step(edge)
    watch.tick(108.0)
    assert heard == []


def test_blocked_and_clear_again_are_told_once_each(watch, heard):
    watch.step(Edge("entry", False, 100.0))
    for tenth in range(1, 20):
        watch.tick(100 + tenth / 10)
    watch.step(Edge("entry", True, 103.0))
    watch.tick(104.0)
    assert [(n.source, n.state, n.level) for n in heard] == [
        ("tower entry", "blocked", "problem"),
        ("tower entry", "clear", "ok"),
    ]
    assert heard[0].remedy


def test_ids_go_on_counting(watch, heard):
    for n in range(3):
        watch.step(Edge("entry", False, 100.0 + n))
        watch.step(Edge("entry", True, 100.02 + n))
    watch.tick(110.0)
    assert [o.id for o in heard] == ["s-1", "s-2", "s-3"]


def test_a_difference_must_stand_before_the_source_is_deaf(watch, heard):
    watch.step(Edge("entry", True, 100.0))
    assert not watch.compare({"entry": True}, 101.0)
    assert not watch.compare({"entry": False}, 102.0)  # its edge may be on the way
    assert not watch.compare({"entry": True}, 103.0)  # it was
    assert not watch.compare({"entry": False}, 104.0)
    assert watch.compare({"entry": False}, 105.0)
    assert not watch.compare({"entry": False}, 106.0)  # put right
    watch.tick(106.0)
    assert [n.state for n in heard] == ["blocked"]


class Failing(Recorded):
    """Fails to start at first, as a source does whose lines another program holds."""

    def __init__(self, failures: int) -> None:
        super().__init__([])
        self.failures = failures

    def start(self) -> None:
        self.failures -= 1
        if self.failures >= 0:
            raise LineFault("The line is held.", "End the other program.")


def test_the_thread_tells_of_a_fault_and_starts_again():
    heard, stop = queue.SimpleQueue(), threading.Event()
    watch = EdgeWatch(Failing(2), heard.put, clock=float, retry_s=(0.0,))
    thread = threading.Thread(target=watch.run, args=(stop,))
    thread.start()
    states = [heard.get(timeout=5).state for _ in range(3)]
    stop.set()
    thread.join(5)
    assert states == ["lost", "lost", "live"]
    assert not thread.is_alive()


@pytest.fixture
def rehearsed():
    """The real loop over rehearsal lines, in its thread."""
    lines = RehearsalLines(chance=random.Random(1))
    heard, stop = queue.SimpleQueue(), threading.Event()
    thread = threading.Thread(
        target=EdgeWatch(lines, heard.put, clock=float, session="r").run, args=(stop,)
    )
    thread.start()
    assert heard.get(timeout=5).state == "live"
    yield lines, heard
    stop.set()
    thread.join(5)


def test_a_rehearsed_drop_comes_out_as_a_cube(rehearsed):
    lines, heard = rehearsed
    lines.drop()
    first = heard.get(timeout=5)
    assert isinstance(first, Observation)
    assert first.event.drop == "r-1"


def test_a_rehearsed_block_and_rattle_are_named(rehearsed):
    lines, heard = rehearsed
    lines.block()
    assert heard.get(timeout=5) == Notice(
        source="tower entry",
        state="blocked",
        text="The beam entry is blocked.",
        remedy="Take out what lies in it; if nothing does, check emitter and wire.",
    )
    lines.clear()
    assert heard.get(timeout=5).state == "clear"
    lines.rattle()
    assert heard.get(timeout=5).state == "chattering"


def test_a_rehearsal_has_only_its_lines():
    with pytest.raises(ValueError, match="no line 'cellar'"):
        RehearsalLines(chance=random.Random(1)).drop("cellar")
