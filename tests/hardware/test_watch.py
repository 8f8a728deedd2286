"""The loop from edges and sounds to what the table hears."""

import json
import queue
import random
import threading
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.rules.events import CubeDropped, Notice, Observation
from hardware.edges import Edge
from hardware.profile import for_lines
from hardware.recording import Recorded
from hardware.rehearsal import RehearsedTower
from hardware.sound import Samples, SoundFault
from hardware.tower import REPORT_S
from hardware.watch import TowerWatch

LINES = ("entry", "floor6", "floor5", "floor4", "floor3", "floor2", "floor1", "floor0")
FALL_S = {6: 0.042, 5: 0.071, 4: 0.094, 3: 0.114, 2: 0.132, 1: 0.148, 0: 0.163}
"""Seconds after the entry at which a clean fall breaks the beams below."""


class Bench:
    """A tower by hand: edges go in, time goes on in steps, and what was told is kept with its time."""

    def __init__(self, lines=LINES, *, book=False):
        self.heard = []
        self.now = 100.0
        self.book = book
        self.watch = TowerWatch(
            for_lines(lines),
            lambda claim: self.heard.append((round(self.now, 2), claim)),
            clock=lambda at: at - 100,
            open_book=lambda: self.book,
            session="s",
        )
        self.play(*((line, True, 0.0) for line in lines))

    def play(self, *steps, until_s=3.0):
        """Edges as (line, level, seconds from now); then time goes on."""
        began, waiting = self.now, sorted(steps, key=lambda step: step[2])
        while self.now < began + until_s:
            self.now += 0.02
            while waiting and began + waiting[0][2] <= self.now:
                line, level, after_s = waiting.pop(0)
                self.watch.take(Edge(line, level, began + after_s))
            self.watch.tick(self.now)

    def told(self):
        heard, self.heard = self.heard, []
        return [claim for _, claim in heard]


def cube(*plates, after_s=0.0, lines=LINES):
    """The edges of a cube that breaks the entry and the beams of these plates."""
    steps = [("entry", False, after_s), ("entry", True, after_s + 0.018)]
    for plate in plates:
        began = after_s + FALL_S[plate]
        steps += [(f"floor{plate}", False, began), (f"floor{plate}", True, began + 0.006)]
    return [step for step in steps if step[0] in lines]


def drops(told):
    return [claim for claim in told if isinstance(claim, Observation)]


def states(told):
    return [(claim.source, claim.state, claim.level) for claim in told if isinstance(claim, Notice)]


@pytest.fixture
def bench():
    return Bench()


def test_a_cube_is_told_once_in_table_time_a_fixed_time_after_its_entry(bench):
    before = bench.now
    bench.play(*cube(6, 5), until_s=6.0)
    ((at, claim),) = [(at, c) for at, c in bench.heard if isinstance(c, Observation)]
    assert claim.event == CubeDropped(at=pytest.approx(before - 100), drop="s-1")
    assert claim.sure
    assert REPORT_S <= at - before <= REPORT_S + 0.1
    sealed = json.loads(claim.sealed)
    assert np.argmax(sealed["floors"]) == 5
    assert [plate for plate, _ in sealed["beams"]] == [6, 5]
    assert states(bench.told()) == [
        ("tower", "falling", "info"),
        ("tower", "counted", "info"),
        ("tower", "quiet", "ok"),
    ]


def test_three_cubes_have_three_ids(bench):
    for _ in range(3):
        bench.play(*cube(6))
    assert [claim.id for claim in drops(bench.told())] == ["s-1", "s-2", "s-3"]


def test_a_beam_below_that_breaks_alone_is_no_sure_cube(bench):
    bench.play(("floor3", False, 0.0), ("floor3", True, 0.006))
    assert not [claim for claim in drops(bench.told()) if claim.sure]


def test_blocked_and_clear_again_are_told_once_each(bench):
    bench.play(("entry", False, 0.0), until_s=5.0)
    (notice,) = [c for c in bench.told() if isinstance(c, Notice) and c.level == "problem"]
    assert (notice.source, notice.state) == ("tower entry", "blocked")
    assert notice.remedy
    bench.play(("entry", True, 0.0))
    assert ("tower entry", "quiet", "ok") in states(bench.told())
    assert drops(bench.told()) == []


@pytest.mark.parametrize("book", [False, True])
def test_a_blocked_beam_inside_is_named_only_when_the_book_is_open(book):
    bench = Bench(book=book)
    bench.play(("floor3", False, 0.0), until_s=5.0)
    told = [c for c in bench.told() if isinstance(c, Notice) and c.level == "problem"]
    assert [n.source for n in told] == ["tower floor3" if book else "tower inside"]
    assert ("3" in told[0].text) is book


def test_when_the_book_opens_the_beam_is_named_then(bench):
    bench.play(("floor3", False, 0.0), until_s=5.0)
    bench.told()
    bench.book = True
    bench.play(until_s=0.1)
    assert states(bench.told()) == [("tower inside", "quiet", "ok"), ("tower floor3", "blocked", "problem")]


def test_the_entry_goes_on_counting_while_a_line_inside_chatters(bench):
    noise = [("floor2", n % 2 == 1, 0.1 + n * 0.0005) for n in range(4000)]
    bench.play(*noise, *cube(after_s=1.0), *cube(after_s=1.6), until_s=6.0)
    told = bench.told()
    assert len(drops(told)) == 2
    assert ("tower inside", "chatters", "problem") in states(told)


def public(bench):
    """All that anybody sees, and when."""
    return [(at, replace(c, sealed="") if isinstance(c, Observation) else c) for at, c in bench.heard]


@settings(max_examples=12, deadline=None)
@given(st.lists(st.integers(0, 7), min_size=1, max_size=3))
def test_while_sealed_neither_words_nor_times_tell_how_deep_cubes_fell(floors):
    shallow, deep = Bench(), Bench()
    for bench, depths in ((shallow, [7] * len(floors)), (deep, floors)):
        for floor in depths:
            bench.play(*cube(*range(6, floor - 1, -1)), until_s=4.5)
    assert public(shallow) == public(deep)
    assert [json.loads(c.sealed)["beams"] == [] for _, c in deep.heard if isinstance(c, Observation)] == [
        floor == 7 for floor in floors
    ]


def test_a_sound_module_s_bursts_are_heard():
    bench = Bench(("entry", "mic"))
    taps = [("mic", n % 2 == 1, start + n * 0.001) for start in (0.06, 0.16) for n in range(10)]
    bench.play(*cube(lines=("entry",)), *taps)
    (claim,) = drops(bench.told())
    assert [round(after, 2) for after, _ in json.loads(claim.sealed)["sounds"]] == [0.06, 0.16]


def test_the_silence_of_a_lost_microphone_means_nothing():
    floors = []
    for states_of_it in ((), (True,), (True, False)):
        bench = Bench(("entry",))
        for live in states_of_it:
            bench.watch._wave_is(live=live)
        bench.play(*cube())
        floors.append(json.loads(drops(bench.told())[0].sealed)["floors"])
    none, silent, lost = floors
    assert lost == none
    assert silent != none


# -- in threads ---------------------------------------------------------------------------------------


class Dead:
    """A microphone that is not there."""

    def start(self):
        raise SoundFault("No microphone is found.", "Plug it in.")

    def next(self, wait_s):
        raise AssertionError

    def close(self):
        pass


class Unplugged:
    """A microphone that is heard once and then pulled out."""

    def __init__(self):
        self.pieces = [Samples(0.0, 48_000, np.zeros(480, np.float32))]

    def start(self):
        pass

    def next(self, wait_s):
        if self.pieces:
            return self.pieces.pop()
        raise SoundFault("The microphone has gone.", "Plug it in again.")

    def close(self):
        pass


@pytest.fixture
def running():
    """Start a watch's loops in their threads; they end with the test."""
    stop, threads = threading.Event(), []

    def run(**sources):
        heard = queue.SimpleQueue()
        watch = TowerWatch(for_lines(("entry",)), heard.put, clock=float, session="r", **sources)
        for loop in watch.loops.values():
            threads.append(threading.Thread(target=loop, args=(stop,)))
            threads[-1].start()
        return heard

    yield run
    stop.set()
    for thread in threads:
        thread.join(5)
        assert not thread.is_alive()


def until(heard, state):
    """What is heard before ``state``, and that."""
    told = []
    while not told or getattr(told[-1], "state", "") != state:
        told.append(heard.get(timeout=30))
    return told


def test_a_rehearsed_drop_comes_out_as_a_cube(running):
    lines = RehearsedTower(chance=random.Random(1))
    heard = running(lines=lines)
    assert heard.get(timeout=30).state == "live"
    lines.drop()
    (claim,) = drops(until(heard, "counted"))
    assert claim.event.drop == "r-1"


def test_a_rehearsed_block_and_rattle_are_named(running):
    lines = RehearsedTower(chance=random.Random(1))
    heard = running(lines=lines)
    lines.block()
    assert until(heard, "blocked")[-1].remedy
    lines.clear()
    until(heard, "quiet")
    lines.rattle()
    assert until(heard, "chatters")[-1].source == "tower entry"


@pytest.mark.parametrize(("sound", "words"), [(Dead(), "not there"), (Unplugged(), "pulled out")])
def test_the_lines_go_on_when_the_sound_is_lost(running, sound, words):
    lines = RehearsedTower(chance=random.Random(1))
    heard = running(lines=lines, sound=sound)
    lost = until(heard, "lost")[-1]
    assert lost.source == "tower sound", words
    assert lost.remedy
    lines.drop()
    assert len(drops(until(heard, "counted"))) == 1


def test_a_recording_plays_like_lines(running):
    edges = [Edge("entry", True, 5.0), Edge("entry", False, 5.1), Edge("entry", True, 5.118)]
    heard = running(lines=Recorded(edges))
    assert len(drops(until(heard, "counted"))) == 1


def test_a_rehearsal_has_only_its_lines():
    with pytest.raises(ValueError, match="no line 'cellar'"):
        RehearsedTower(chance=random.Random(1)).block("cellar")
