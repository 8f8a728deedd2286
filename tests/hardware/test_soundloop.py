"""The loop around a microphone: what is heard, what is lost, and that it is tried again."""

import queue
import threading

import numpy as np
import pytest

from hardware.sound import Onset, Samples, SoundFault
from hardware.soundloop import DEAF_S, SoundLoop

RATE = 48_000


class Scripted:
    """A `SoundSource` that gives pieces, silence (None) or faults, in order; then it stops the loop."""

    def __init__(self, steps, stop):
        self.steps, self.stop, self.starts, self.closed = list(steps), stop, 0, 0

    def start(self):
        self.starts += 1

    def next(self, wait_s):
        if not self.steps:
            self.stop.set()
            return None
        step = self.steps.pop(0)
        if isinstance(step, SoundFault):
            raise step
        return step

    def close(self):
        self.closed += 1


def piece(at, clicks=(), length=4800):
    data = np.random.default_rng(int(at * 1000)).normal(0, 1e-4, length).astype(np.float32)
    for click in clicks:
        decay = np.exp(-np.arange(480) / 96) * np.sin(np.arange(480) * 0.9)
        data[click : click + 480] += (0.5 * decay).astype(np.float32)
    return Samples(at, RATE, data)


@pytest.fixture
def ran():
    """Run a loop over steps to its end; return what it put, said and was, and the source."""

    def run(*steps, clock=lambda: 0.0):
        stop, heard, live = threading.Event(), queue.SimpleQueue(), []
        source = Scripted(steps, stop)
        said = []
        loop = SoundLoop(source, heard.put, said.append, live=live.append, retry_s=(0.0,), monotonic=clock)
        loop.run(stop)
        return [heard.get() for _ in range(heard.qsize())], said, live, source

    return run


def test_clicks_are_handed_on_as_onsets_at_their_times(ran):
    pieces = [piece(7.0 + n * 0.1, clicks=(2400,) if n in (2, 5) else ()) for n in range(12)]
    heard, said, live, _ = ran(*pieces)
    assert all(isinstance(one, Onset) for one in heard)
    assert [one.at for one in heard] == pytest.approx([7.25, 7.55], abs=0.005)
    assert [n.state for n in said] == ["live"]
    assert live == [True]


def test_a_microphone_that_is_pulled_out_is_told_and_tried_again(ran):
    fault = SoundFault("The microphone has gone.", "Plug it in again.")
    _, said, live, source = ran(piece(7.0), fault, piece(9.0))
    assert [(n.state, n.level) for n in said] == [("live", "ok"), ("lost", "problem"), ("live", "ok")]
    assert said[1].remedy == "Plug it in again."
    assert live == [True, False, True]
    assert source.starts == source.closed == 2


def test_a_microphone_that_gives_nothing_is_lost(ran):
    times = iter([0.0, *(n * (DEAF_S + 1) for n in range(20))])
    _, said, live, _ = ran(None, None, None, clock=lambda: next(times))
    assert said[0].state == "lost"
    assert said[0].remedy
    assert live[0] is False
