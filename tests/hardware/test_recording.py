"""Edges as text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.edges import Edge, LineFault
from hardware.recording import Recorded, read, write

times = st.lists(st.integers(0, 10**11), max_size=20).map(sorted)
names = st.text("abcxyz-_0123456789", min_size=1, max_size=12)


@pytest.mark.slow
@given(
    times.flatmap(
        lambda ts: st.tuples(*(st.builds(Edge, names, st.booleans(), st.just(t / 1e6)) for t in ts))
    )
)
def test_what_is_written_is_read_back(tmp_path_factory, edges):
    path = tmp_path_factory.mktemp("edges") / "e.txt"
    write(edges, path)
    back = read(path)
    assert [(e.line, e.level) for e in back] == [(e.line, e.level) for e in edges]
    assert [e.at for e in back] == pytest.approx([e.at for e in edges], abs=1e-6)


def test_remarks_and_empty_lines_are_skipped(tmp_path):
    path = tmp_path / "e.txt"
    path.write_text("# a drop\n\n1.5 entry 0  # broken\n1.518 entry 1\n")
    assert read(path) == (Edge("entry", False, 1.5), Edge("entry", True, 1.518))


@pytest.mark.parametrize(
    "text",
    [
        "1.5 entry",
        "x entry 0",
        "1.5 entry 2",
        "1.5 entry 0 1",
        "2 entry 0\n1 entry 1",
        "nan entry 1",
        "inf entry 0",
    ],
)
def test_a_bad_line_is_named(tmp_path, text):
    path = tmp_path / "bad.txt"
    path.write_text("0.5 entry 1\n" + text + "\n")
    with pytest.raises(LineFault, match=r"bad\.txt, line [23]"):
        read(path)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(LineFault, match=r"none\.txt"):
        read(tmp_path / "none.txt")


def test_a_recording_keeps_its_distances_and_moves_its_times():
    source = Recorded([Edge("entry", False, 50.0), Edge("entry", True, 50.5)], monotonic=lambda: 1000.5)
    source.start()
    assert source.next(0) == Edge("entry", False, 1000.5)
    assert source.next(0) is None  # half a second to go, and this clock stands
    assert source.levels() == {"entry": False}


def test_a_recording_may_be_given_at_once():
    source = Recorded(
        [Edge("entry", False, 50.0), Edge("entry", True, 90.0)], pace=0, monotonic=lambda: 0.0
    )
    source.start()
    assert [source.next(0), source.next(0), source.next(0)] == [
        Edge("entry", False, 0.0),
        Edge("entry", True, 40.0),
        None,
    ]
