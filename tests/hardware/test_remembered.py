"""Edges that are kept for a report while they are watched."""

from hardware.edges import Edge
from hardware.recording import Recorded, Remembered


def test_the_last_minute_of_edges_is_kept_and_the_watch_notices_nothing():
    edges = [Edge("entry", level=n % 2 == 0, at=10.0 * n) for n in range(12)]
    now = [0.0]
    source = Remembered(Recorded(edges, pace=0.0, monotonic=lambda: now[0]))
    source.start()
    assert source.edges(0.0) == ()
    assert [source.next(0.0) for _ in edges] == edges
    assert [edge.at for edge in source.edges(110.0)] == [50.0, 60.0, 70.0, 80.0, 90.0, 100.0, 110.0]
    assert source.levels() == {"entry": False}
    source.revive()
    source.close()
    assert source.next(0.0) is None


def test_a_line_that_chatters_does_not_fill_the_memory():
    edges = [Edge("entry", level=n % 2 == 0, at=0.001 * n) for n in range(500)]
    source = Remembered(Recorded(edges, pace=0.0, monotonic=lambda: 0.0), most=100)
    source.start()
    while source.next(0.0):
        pass
    assert len(source.edges(0.5)) == 100
