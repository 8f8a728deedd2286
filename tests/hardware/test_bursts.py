"""Bursts out of a sound module's edges."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.bursts import Burst, BurstLimits, BurstReader
from hardware.edges import Edge


def reader():
    made = BurstReader()
    assert made.edge(Edge("mic", True, 0.0)) is None
    return made


def play(reader, times):
    """Alternate the level, low first, at these times; return the bursts, with what time ends."""
    found = [reader.edge(Edge("mic", n % 2 == 1, at)) for n, at in enumerate(times)]
    return [*filter(None, [*found, reader.tick(times[-1] + 2.0)])]


def ring(at, edges, gap=0.0005):
    return [at + n * gap for n in range(edges)]


def test_dozens_of_edges_are_one_burst():
    (burst,) = play(reader(), ring(1.0, 46))
    assert (burst.at, burst.edges, burst.cut) == (1.0, 46, False)
    assert burst.span_s == pytest.approx(0.0225)


def test_impacts_further_apart_than_the_rest_are_two():
    bursts = play(reader(), ring(1.0, 20) + ring(1.03, 10))
    assert [(b.at, b.edges) for b in bursts] == [(1.0, 20), (1.03, 10)]


def test_impacts_nearer_than_the_rest_are_one():
    assert [b.edges for b in play(reader(), ring(1.0, 20) + ring(1.02, 10))] == [30]


def test_a_burst_is_told_when_it_has_rested():
    ear = reader()
    ear.edge(Edge("mic", False, 1.0))
    ear.edge(Edge("mic", True, 1.001))
    assert ear.tick(1.010) is None
    assert ear.tick(1.014) == Burst(1.0, 2, pytest.approx(0.001))
    assert ear.tick(9.0) is None


def test_the_first_edge_and_repeated_levels_are_no_sound():
    ear = BurstReader()
    assert ear.edge(Edge("mic", False, 1.0)) is None
    assert ear.edge(Edge("mic", False, 2.0)) is None
    assert ear.tick(9.0) is None


def test_a_line_that_stays_low_is_one_edge():
    """A module whose potentiometer is turned over the threshold."""
    assert [(b.edges, b.span_s) for b in play(reader(), [1.0])] == [(1, 0.0)]


def test_chatter_tells_its_first_part_once_and_is_named_until_it_is_calm():
    ear = reader()
    found = [ear.edge(Edge("mic", n % 2 == 1, 1.0 + n * 1e-4)) for n in range(50000)]
    (burst,) = filter(None, found)
    assert burst.cut
    assert burst.at == 1.0
    assert burst.span_s == pytest.approx(BurstLimits().longest_s, abs=0.001)
    assert ear.chattering
    assert ear.tick(6.5) is None
    assert ear.chattering
    assert ear.tick(7.1) is None
    assert not ear.chattering
    assert [b.at for b in play(ear, [8.0, 8.001])] == [8.0]


@given(st.lists(st.floats(0.0001, 0.2), min_size=1, max_size=60))
def test_no_edge_of_a_calm_line_is_lost(gaps):
    times, at = [], 1.0
    for gap in gaps:
        at += gap
        times.append(at)
    bursts = play(reader(), times)
    if not any(b.cut for b in bursts):
        assert sum(b.edges for b in bursts) == len(times)
        assert all(b.at in times for b in bursts)
        assert [b.at for b in bursts] == sorted(b.at for b in bursts)
