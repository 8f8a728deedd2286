"""What the kernel tells, made into edges: nothing is lost unsaid, a storm is thinned, levels stay right."""

from hypothesis import given
from hypothesis import strategies as st

from hardware.edgeflow import Flow, FlowLimits, Told
from hardware.edges import Edge


def storm(line, n, *, at=1.0, apart_s=50e-6):
    return [Told(line, k % 2 == 1, at + k * apart_s, k + 1) for k in range(n)]


def test_edges_pass_as_they_come():
    told = [Told("entry", False, 1.0, 1), Told("floor3", False, 1.05, 1), Told("entry", True, 1.02, 2)]
    flow = Flow()
    assert flow.take(told) == [Edge(t.line, t.level, t.at) for t in told]
    assert flow.settle() == []
    assert (flow.lost, flow.thinned) == (0, 0)


def test_what_the_kernel_dropped_is_counted_by_the_gap_in_a_line_s_numbers():
    flow = Flow()
    flow.take([Told("entry", False, 1.0, 5), Told("floor3", False, 1.0, 9)])  # others saw the first ones
    assert flow.lost == 0
    flow.take([Told("entry", False, 2.0, 9), Told("floor3", True, 2.0, 10)])
    assert flow.lost == 3


def test_a_line_that_rushes_is_thinned_and_its_neighbour_is_not():
    flow = Flow()
    rush = storm("floor3", 20_000)
    cube = [Told("entry", False, 1.5, 1), Told("entry", True, 1.503, 2)]
    edges = flow.take(sorted(rush + cube, key=lambda told: told.at))
    assert [e for e in edges if e.line == "entry"] == [Edge("entry", t.level, t.at) for t in cube]
    passed = sum(e.line == "floor3" for e in edges)
    limits = FlowLimits()
    assert limits.burst <= passed <= limits.burst + limits.per_s + 1
    assert flow.thinned == 20_000 - passed


def test_a_clap_and_a_tone_are_never_thinned():
    flow = Flow()
    assert len(flow.take(storm("mic", 50, apart_s=0.5e-3))) == 50
    assert len(flow.take(storm("beam", 10_000, apart_s=0.5e-3))) == 10_000


@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.booleans(), st.floats(0, 0.01)), max_size=80),
    st.integers(1, 5),
)
def test_after_a_storm_each_line_s_last_level_is_known(events, burst):
    flow, at, numbers, told = Flow(FlowLimits(burst=burst, per_s=50)), 0.0, {"a": 0, "b": 0}, []
    for line, level, pause_s in events:
        at += pause_s
        numbers[line] += 1
        told.append(Told(line, level, at, numbers[line]))
    last = {edge.line: edge.level for edge in (*flow.take(told), *flow.settle())}
    assert last == {t.line: t.level for t in told}
    assert flow.lost == 0
