"""Streams: what they say and when they end, with time passed in."""

import json
from itertools import islice
from threading import Thread

import pytest

from companion.rules.events import Seconds
from companion.snapshot import Snapshot
from web.stream import Hub, Message, Streams, messages


def said(snapshots, *, times=None, ending=lambda: "", show=None, **more):
    """All that a stream says when the table shows these snapshots, one a wait."""
    queue, clock = iter(snapshots), iter(times or [0.0] * 100)
    patience = []

    def wait(version, timeout_s):
        patience.append((version, timeout_s))
        return next(queue)

    stream = messages(
        wait=wait,
        show=show or (lambda now: {"html": f"v{now.version}"}),
        ending=ending,
        now=lambda: next(clock),
        **more,
    )
    found = [(message.event, message.id) for message in islice(stream, len(snapshots))]
    return found, patience


def at(version):
    return Snapshot(version=version)


def test_the_first_word_is_the_whole_view_and_silence_is_a_heartbeat():
    found, patience = said([at(3), at(3), at(5)], heartbeat_s=10.0)
    assert found == [("view", 3), ("beat", None), ("view", 5)]
    assert patience[:3] == [(-1, 10.0), (3, 10.0), (3, 10.0)]


def test_the_latest_wins():
    found, _ = said([at(1), at(7)])
    assert found == [("view", 1), ("view", 7)]


def test_an_old_stream_asks_for_a_new_one():
    found, _ = said([at(1), at(1), at(2)], times=[0.0, 5.0, 12.0], max_age_s=10.0)
    assert found == [("view", 1), ("beat", None), ("again", None)]


def test_the_end_is_said_before_anything_else():
    found, _ = said([at(1)], ending=lambda: "bye")
    assert found == [("bye", None)]


def test_who_lost_the_seat_is_told():
    found, _ = said([at(1)], show=lambda now: None)
    assert found == [("out", None)]


def test_a_message_is_one_event_whatever_it_holds():
    text = str(Message("view", {"html": "a\n\ndata: x\n<b>ü</b>"}, 4))
    assert text.startswith("id: 4\nevent: view\ndata: {")
    assert text.count("\n\n") == 1
    assert json.loads(text.split("data: ", 1)[1])["html"] == "a\n\ndata: x\n<b>ü</b>"


def test_a_browsers_newest_stream_pushes_out_its_oldest():
    streams = Streams(most=10, most_of_one=2)
    first, second, third = (streams.enter("a") for _ in range(3))
    assert [t.over for t in (first, second, third)] == [True, False, False]
    assert len(streams) == 2
    streams.leave(first)
    streams.leave(first)
    assert len(streams) == 2


def test_a_tabs_next_page_replaces_its_last_one_and_no_other():
    streams = Streams(most=10, most_of_one=2)
    table, play = streams.enter("a", "t1"), streams.enter("a", "t2")
    again = streams.enter("a", "t2")
    stranger = streams.enter("b", "t2")
    assert [t.over for t in (table, play, again, stranger)] == [False, True, False, False]


def test_a_full_house_takes_back_its_own_and_refuses_strangers():
    streams = Streams(most=2)
    own = streams.enter("a")
    assert streams.enter("b")
    assert streams.enter("c") is None
    assert streams.enter("a")
    assert own.over
    assert len(streams) == 2


def test_a_stranger_with_many_pages_keeps_no_player_out():
    streams = Streams(most=3)
    crowd = [streams.enter(f"page {n}") for n in range(3)]
    assert streams.enter("another guest") is None
    players = [streams.enter(f"player {n}", guest=False) for n in range(3)]
    assert all(players)
    assert all(ticket.over for ticket in crowd)
    assert not any(ticket.over for ticket in players)
    assert streams.enter("a fourth", guest=False) is None
    assert len(streams) == 3


def test_the_hub_wakes_for_news_and_for_goodbye(house):
    hub = Hub(house.table, patience_s=0.05)
    version = hub.wait(-1, 5.0, lambda: False).version
    seen = []

    def listen():
        seen.append(hub.wait(version, 10.0, lambda: False).version)
        seen.append(hub.wait(10**6, 100.0, lambda: False))

    listener = Thread(target=listen)
    listener.start()
    house.table.join("Clara")
    hub.close()
    listener.join(timeout=30.0)
    assert not listener.is_alive()
    assert seen[0] >= version
    assert hub.closed


@pytest.mark.parametrize("screen", ["lobby", "play", "table", "history"])
def test_the_stream_gives_each_screen(house, screen):
    anna = house.phone(house.anna)
    answer = anna.get(f"/stream?screen={screen}", buffered=False)
    parts = iter(answer.response)
    assert next(parts) == b"retry: 2000\n\n"
    head, _, data = next(parts).decode().partition("data: ")
    view = json.loads(data)
    assert "event: view" in head
    assert view["version"] == house.table.snapshot().version
    assert len(house.desk.streams) == 1
    answer.close()
    assert len(house.desk.streams) == 0


def test_a_phone_gone_before_the_first_line_leaves_no_ticket_behind(house):
    answer = house.phone().get("/stream", buffered=False)
    assert len(house.desk.streams) == 1
    answer.close()
    assert len(house.desk.streams) == 0


def test_a_stream_ends_when_the_seat_is_given_away(house):
    anna = house.phone(house.anna)
    answer = anna.get("/stream?screen=play", buffered=False)
    parts = iter(answer.response)
    next(parts), next(parts)
    house.table.renew_seat(house.anna.key)
    rest = b"".join(parts).decode()
    assert "event: out" in rest
    assert "html" not in rest


def test_a_stream_says_goodbye(house):
    answer = house.phone().get("/stream?screen=table", buffered=False)
    parts = iter(answer.response)
    next(parts), next(parts)
    house.desk.hub.close()
    assert b"".join(parts) == b"event: bye\ndata: {}\n\n"
    assert house.phone().get("/stream?screen=table").status_code == 503


def test_refused_streams_are_sentences(house):
    assert house.phone().get("/stream?screen=play").status_code == 401
    answer = house.phone().get("/stream?screen=cellar")
    assert answer.status_code == 400
    stolen = house.phone().get("/stream", headers={"Sec-Fetch-Site": "cross-site"})
    assert stolen.status_code == 403
    house.desk.streams = Streams(most=0)
    assert house.phone().get("/stream").status_code == 503


def test_timers_go_out_as_their_end_with_table_time_beside(house, ticks):
    ticks.append(12.5)
    view = house.desk.screens.message("table", house.table.snapshot(), _guest(), house.table.clock.at())
    assert view["at"] == Seconds(12.5)
    assert 'data-ends-at="90.0"' in view["html"]


def _guest():
    from web.who import Who

    return Who("device")
