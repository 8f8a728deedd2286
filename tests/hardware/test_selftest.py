"""The self-test: each beam broken by a finger, one clap."""

import pytest

from hardware.edges import Edge
from hardware.selftest import CLAP, Found, SelfTest

LINES = ("floor5", "entry", "floor7", "entry_b", "mic")


class Bench:
    """Somebody in front of a tower who does what is asked."""

    def __init__(self, lines=LINES, *, broken=(), sound=False):
        self.test = SelfTest({line: line not in broken for line in lines}, sound=sound)
        self.now = 100.0

    def hold(self, *lines, held_s=0.4, apart_s=0.005):
        for line in lines:
            self.test.see(Edge(line, False, self.now))
            self.now += apart_s
        self.now += held_s - apart_s * len(lines)
        for line in lines:
            self.test.see(Edge(line, True, self.now))
            self.now += apart_s
        self.now += 1.0
        self.test.tick(self.now)

    def clap(self, line="mic", edges=12):
        for n in range(edges):
            self.test.see(Edge(line, n % 2 == 1, self.now + n * 0.001))
        self.now += 1.0

    @property
    def asked(self):
        return self.test.progress().asked

    def found(self, line):
        return next(one for one in self.test.progress().checked if one.line == line)


@pytest.fixture
def bench():
    return Bench()


def test_a_tower_that_is_wired_right_passes_from_the_roof_down(bench):
    asked = []
    while not bench.test.progress().over:
        asked.append(bench.asked)
        bench.clap() if bench.asked == (CLAP,) else bench.hold(*bench.asked)
    assert asked == [("entry", "entry_b"), ("floor7",), ("floor5",), (CLAP,)]
    assert bench.test.progress().passed
    assert all(one.text for one in bench.test.progress().checked)


def test_beams_of_a_pair_may_be_broken_one_after_the_other(bench):
    bench.hold("entry_b")
    assert bench.found("entry").found is Found.WAITING
    bench.hold("entry")
    assert bench.asked == ("floor7",)


def test_a_falling_cube_counts_for_nothing(bench):
    for width_s in (0.003, 0.028, 0.045):
        bench.hold("entry", "entry_b", held_s=width_s, apart_s=0.001)
        bench.hold("floor7", held_s=width_s)
    bench.hold("entry", "entry_b", held_s=60)  # and what is stuck is no finger
    assert bench.asked == ("entry", "entry_b")
    assert not bench.test.progress().strayed
    assert {one.found for one in bench.test.progress().checked} == {Found.WAITING}


def test_swapped_wires_are_named_both_ways(bench):
    bench.hold("entry", "entry_b")
    bench.hold("floor5")  # asked for floor7
    assert bench.test.progress().strayed
    assert bench.asked == ("floor7",)
    bench.test.skip()
    bench.hold("floor7")
    bench.test.skip()
    assert (bench.found("floor7").found, bench.found("floor7").others) == (Found.SWAPPED, ("floor5",))
    assert (bench.found("floor5").found, bench.found("floor5").others) == (Found.SWAPPED, ("floor7",))
    assert "swap the two wires" in bench.found("floor5").text


def test_a_slip_is_forgiven_when_the_right_beam_is_broken_then(bench):
    bench.hold("floor5")
    bench.hold("entry", "entry_b")
    assert bench.found("entry").found is Found.WORKS
    assert not bench.test.progress().strayed


def test_beams_that_see_each_other_s_light_are_named(bench):
    bench.hold("entry", "entry_b")
    bench.hold("floor7", "floor5")
    assert bench.found("floor7").found is Found.TOGETHER
    assert bench.found("floor7").others == ("floor5",)
    assert "tube over" in bench.found("floor7").text
    assert bench.asked == ("floor5",)


def test_what_does_not_answer_is_silent_stuck_or_chatters():
    bench = Bench(("entry", "floor3", "floor2"), broken=("floor3",))
    bench.test.skip()
    bench.test.skip()
    bench.clap("floor2", edges=60)
    bench.test.skip()
    progress = bench.test.progress()
    assert progress.over
    assert not progress.passed
    assert [bench.found(line).found for line in ("entry", "floor3", "floor2")] == [
        Found.SILENT,
        Found.STUCK,
        Found.CHATTERS,
    ]
    bench.test.skip()  # nothing is left


def test_a_clap_must_be_heard_by_module_and_microphone():
    bench = Bench(("mic",), sound=True)
    bench.clap()
    assert bench.asked == (CLAP,)
    bench.test.hear()
    assert bench.test.progress().passed


def test_noise_before_the_clap_is_asked_for_counts_for_nothing(bench):
    bench.clap()
    assert bench.found("mic").found is Found.WAITING


def test_while_a_game_is_sealed_it_tells_only_what_works(bench):
    bench.hold("entry", "entry_b")
    bench.hold("floor5")
    bench.test.skip()
    closed = bench.test.progress().closed()
    assert {(one.line, one.found, one.others) for one in closed.checked} == {
        ("entry", Found.WORKS, ()),
        ("entry_b", Found.WORKS, ()),
        ("floor7", Found.WAITING, ()),
        ("floor5", Found.WAITING, ()),
        ("mic", Found.WAITING, ()),
    }
    assert not any(one.text for one in closed.checked if one.found is Found.WAITING)


def test_unknown_lines_are_left_alone(bench):
    bench.test.see(Edge("lamp", False, 100.0))
    bench.test.tick(101.0)
    assert "lamp" not in {one.line for one in bench.test.progress().checked}
