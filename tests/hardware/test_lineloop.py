"""The loop around lines: levels at the start, lines that go deaf, lines that are lost."""

import queue
import threading

import pytest

from hardware.edges import Edge, LineFault
from hardware.lineloop import LONG_AGO_S, LineLoop
from hardware.recording import Recorded


@pytest.fixture
def handed():
    return []


@pytest.fixture
def loop(handed):
    return LineLoop(Recorded([]), handed.append, handed.append)


def test_edges_are_handed_on_as_they_come(loop, handed):
    edges = [Edge("entry", True, 100.0), Edge("entry", False, 107.0), Edge("entry", True, 107.02)]
    for edge in edges:
        loop.step(edge)
    assert handed == edges


def test_what_is_broken_at_the_start_has_been_so_for_long(loop, handed):
    loop.step(Edge("floor3", False, 100.0))
    loop.step(Edge("floor3", True, 100.02))
    assert handed == [Edge("floor3", False, 100.0 - LONG_AGO_S), Edge("floor3", True, 100.02)]


def test_a_difference_must_stand_before_the_source_is_deaf(loop, handed):
    loop.step(Edge("entry", True, 100.0))
    assert not loop.compare({"entry": True}, 101.0)
    assert not loop.compare({"entry": False}, 102.0)  # its edge may be on the way
    assert not loop.compare({"entry": True}, 103.0)  # it was
    assert not loop.compare({"entry": False}, 104.0)
    assert loop.compare({"entry": False}, 105.0)
    assert handed[-1] == Edge("entry", False, 105.0)
    assert not loop.compare({"entry": False}, 106.0)  # put right


class Failing(Recorded):
    """Fails to start at first, as a source does whose lines another program holds; then while it runs."""

    def __init__(self, failures: int) -> None:
        super().__init__([])
        self.failures = failures
        self.lost = False

    def start(self) -> None:
        self.failures -= 1
        if self.failures >= 0:
            raise LineFault("The line is held.", "End the other program.")

    def next(self, wait_s: float) -> Edge | None:
        if not self.lost:
            self.lost = True
            raise LineFault("The chip has gone.", "Start again.")
        return super().next(wait_s)


def test_lines_that_are_lost_are_told_and_taken_again():
    said, stop = queue.SimpleQueue(), threading.Event()
    loop = LineLoop(Failing(2), lambda _: None, said.put, retry_s=(0.0,))
    thread = threading.Thread(target=loop.run, args=(stop,))
    thread.start()
    told = [said.get(timeout=30) for _ in range(5)]
    stop.set()
    thread.join(5)
    assert not thread.is_alive()
    assert [n.state for n in told] == ["lost", "lost", "live", "lost", "live"]
    assert [n.level for n in told] == ["problem", "problem", "ok", "problem", "ok"]
    assert all(n.remedy for n in told if n.state == "lost")
