"""An evening of Mord im Arosa with a rehearsed tower: edges and sound in, counts and a sealed book out."""

import json
import time
import urllib.request
from http.cookiejar import CookieJar
from itertools import count
from urllib.error import HTTPError

import pytest

from served import Served

PATIENCE_S = 60.0
_ids = count()


class Player:
    """A phone without a browser: the same requests that its page makes."""

    def __init__(self, served, name):
        self.served = served
        self.opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
        self.key = self.post("/api/join", name=name)["seat"]

    def post(self, path, **body):
        heads = {"Content-Type": "application/json", "X-Companion": "1"}
        request = urllib.request.Request(f"{self.served.address}{path}", json.dumps(body).encode(), heads)
        try:
            with self.opener.open(request, timeout=20) as answer:
                return json.loads(answer.read())
        except HTTPError as refused:
            return json.loads(refused.read())

    def tap(self, word, **args):
        told = self.post("/api/tap", id=f"t{next(_ids)}", word=word, args=args, seen=0)
        assert told["status"] == "kept", told
        return told

    def state(self):
        with self.opener.open(f"{self.served.address}/api/state", timeout=20) as answer:
            return json.loads(answer.read())

    def until(self, wanted):
        """The first state for which ``wanted`` holds."""
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            state = self.state()
            if wanted(state):
                return state
        raise AssertionError(f"it never came: {state['view']['headline']!r}, {state['notices']}")


def panel(state, kind):
    return next((found for found in state["view"]["panels"] if found["kind"] == kind), None)


def dropped(state):
    return sum(row["source"] == "tower" for row in state["history"])


@pytest.fixture
def players(tmp_path):
    served = Served(tmp_path / "data", "--rehearse")
    try:
        anna, bert = Player(served, "Anna"), Player(served, "Bert")
        anna.post("/api/host", pin=served.pin)
        seats = [anna.key, bert.key]
        begun = anna.post("/api/games", slug="arosa", title="Evening", seats=seats, options={})
        assert "id" in begun, begun
        yield anna, bert
    finally:
        served.end()


@pytest.mark.slow
def test_six_cubes_through_the_rehearsed_tower_and_a_book_that_opens_at_the_end(players):
    anna, bert = players
    anna.tap("beginner_named", player=anna.key)
    for n in range(6):  # two victims, then two clues of each: of one colour each time, so nobody need tap
        anna.post("/api/rehearsal", do="drop")
        state = anna.until(lambda seen, n=n: dropped(seen) > n)
    assert state["view"]["phase"].startswith("Act I")
    inside = [row["cells"][-1] for row in panel(state, "standings")["rows"]]
    assert inside == ["2", "2"]
    assert "floors" not in json.dumps(state)
    assert anna.post("/api/open-book")["status"] == "refused"
    anna.tap("beginner_named", player=bert.key)
    turns = 0
    while not (state := anna.state())["outcome"]:  # the rest by hand: nobody finds anything
        who = (bert, anna)[turns % 2]
        who.tap("floor_lifted", floor=str(turns % 8))
        who.tap("cubes_seen", cubes="")
        who.tap("cube_thrown", colour=("blue", "yellow")[turns % 2])
        turns += 1
    assert state["outcome"]["termination"] == "empty_supply"
    assert panel(state, "falls") is None
    assert bert.post("/api/open-book")["status"] == "kept"
    falls = panel(bert.state(), "falls")["falls"]
    sensed = [fall for fall in falls if fall["floors"]]
    assert len(sensed) == 6
    assert all(abs(sum(fall["floors"]) - 1) < 0.01 for fall in sensed)
    assert any(fall["sounds"] for fall in sensed)
    assert anna.post("/api/undo", id="u", seq=1)["status"] == "refused"
