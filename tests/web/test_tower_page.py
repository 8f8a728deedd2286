"""Teaching the tower over the web: who may, what is answered, and what a sealed game keeps."""

import pytest

from parlour import Parlour
from web.tower import is_sealed, shut

NAMED = {
    "asked": ["floor5"],
    "prompt": "Break floor5.",
    "strayed": False,
    "over": False,
    "lines": [
        {
            "line": "entry",
            "found": "silent",
            "health": "problem",
            "kind": "beam",
            "number": 17,
            "text": "No.",
        },
        {
            "line": "floor5",
            "found": "swapped",
            "health": "problem",
            "kind": "beam",
            "number": 5,
            "text": "X.",
        },
        {"line": "floor2", "found": "works", "health": "ok", "kind": "beam", "number": 6, "text": "Works."},
    ],
    "advice": ["floor5 and floor2 have each other's name."],
}
WIDTH = {"safe": True, "text": "All seen.", "remedy": "", "single_mm": 15.5, "pair_mm": 20.3, "plates": []}
STATE = {
    "lines": [{"line": "entry", "number": 17}, {"line": "floor5", "number": 5}],
    "microphone": True,
    "sealed": False,
    "trouble": "",
    "profile": {"cube_mm": 8, "hole_mm": 16, "pitch_mm": 31.25, "date": "", "evidence": "built in"},
    "geometry": WIDTH,
    "naming": NAMED,
    "labels": {"waiting": [], "done": 3},
    "speech": {"text": "Talk.", "part": 0.5, "ready": False},
}
TRACE = {
    "window_s": 10.0,
    "lines": [
        {"line": line, "now": "clear", "times": 1, "breaks": [[1.0, 0.9]]}
        for line in ("entry", "entry_b", "floor7", "floor5")
    ],
    "sound": [[0.5, -33.0]],
    "sealed": False,
    "text": "",
}


class Bench:
    """A tower's bench that notes what it was asked, and keeps no secret itself."""

    def __init__(self):
        self.done = []
        self.fault = ""

    def _told(self, *what):
        self.done.append(what)
        if self.fault:
            raise ValueError(self.fault)
        return STATE

    def state(self):
        return STATE

    def trace(self):
        return TRACE

    def name(self, do):
        return self._told("name", do)

    def measure(self, cube_mm, hole_mm, pitch_mm, *, save=False):
        self._told("measure", cube_mm, hole_mm, pitch_mm, save)
        return WIDTH

    def label(self, do, number=0, floor=0):
        return self._told("label", do, number, floor)

    def speech(self, do):
        return self._told("speech", do)


class Training(Parlour):
    """The same game with its book open from the start."""

    def open_book(self, state):
        return True


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def towered(make_house, bench):
    return make_house(tower=bench)


def test_each_act_reaches_the_bench(towered, bench):
    anna = towered.phone(towered.anna)
    assert anna.get("/api/teach/tower").get_json() == STATE
    assert anna.get("/api/teach/tower/trace").get_json() == TRACE
    anna.post("/api/teach/tower/naming", {"do": "begin"})
    anna.post("/api/teach/tower/measures", {"cube_mm": 8, "hole_mm": 15.5, "pitch_mm": 31})
    anna.post("/api/teach/tower/measures", {"cube_mm": 8, "hole_mm": 15, "pitch_mm": 31, "save": True})
    anna.post("/api/teach/tower/cubes", {"do": "begin"})
    anna.post("/api/teach/tower/cubes", {"do": "lay", "number": 4, "floor": 0})
    assert anna.post("/api/teach/tower/speech", {"do": "begin"}).get_json() == STATE
    assert bench.done == [
        ("name", "begin"),
        ("measure", 8, 15.5, 31, False),
        ("measure", 8, 15, 31, True),
        ("label", "begin", 0, -1),
        ("label", "lay", 4, 0),
        ("speech", "begin"),
    ]


def test_what_cannot_be_done_is_a_sentence(towered, bench):
    bench.fault = "No cubes are being dropped"
    anna = towered.phone(towered.anna)
    answer = anna.post("/api/teach/tower/cubes", {"do": "finish"})
    assert (answer.status_code, answer.get_json()["error"]) == (409, "No cubes are being dropped.")
    assert anna.post("/api/teach/tower/measures", {"cube_mm": "8"}).status_code == 400
    assert anna.post("/api/teach/tower/naming").status_code == 400


def test_guests_teach_nothing(towered, bench):
    guest = towered.phone()
    assert guest.get("/teach-tower").status_code == 302
    for path in ("", "/trace"):
        assert guest.get(f"/api/teach/tower{path}").status_code == 401
    for path in ("naming", "measures", "cubes", "speech"):
        assert guest.post(f"/api/teach/tower/{path}", {"do": "begin"}).status_code == 401
    assert bench.done == []


def test_without_a_tower_the_page_says_what_is_missing(make_house):
    house = make_house()
    anna = house.phone(house.anna)
    page = anna.page("/teach-tower")
    assert "This companion has no tower" in page
    assert "<tower-bench" not in page
    answer = anna.get("/api/teach/tower")
    assert answer.status_code == 404
    assert "companion.toml" in answer.get_json()["error"]


def test_in_a_sealed_game_nothing_tells_where_a_cube_fell(towered, bench):
    towered.start()
    host = towered.phone(towered.anna, host=True)
    trace = host.get("/api/teach/tower/trace").get_json()
    assert [one["line"] for one in trace["lines"]] == ["entry", "entry_b", "floor7"]
    assert (trace["sound"], trace["sealed"]) == ([], True)
    state = host.get("/api/teach/tower").get_json()
    assert (state["labels"], state["speech"], state["sealed"]) == (None, None, True)
    told = {one["line"]: (one["found"], one["text"]) for one in state["naming"]["lines"]}
    assert told == {"entry": ("silent", "No."), "floor5": ("waiting", ""), "floor2": ("works", "Works.")}
    assert state["naming"]["advice"] == []
    for path, body in (
        ("cubes", {"do": "begin"}),
        ("speech", {"do": "begin"}),
        ("measures", {"cube_mm": 8, "hole_mm": 16, "pitch_mm": 31, "save": True}),
    ):
        answer = host.post(f"/api/teach/tower/{path}", body)
        assert answer.status_code == 409, path
        assert "Not while a game is sealed" in answer.get_json()["error"]
    assert bench.done == []
    # whether a line works, and what measures mean, is no secret
    assert host.post("/api/teach/tower/naming", {"do": "begin"}).get_json()["sealed"]
    body = {"cube_mm": 8, "hole_mm": 16, "pitch_mm": 31}
    assert host.post("/api/teach/tower/measures", body).get_json() == WIDTH


def test_after_the_outcome_and_in_a_training_everything_may_be_looked_at(make_house, bench):
    house = make_house(tower=bench)
    house.start()
    anna = house.phone(house.anna)
    assert is_sealed(house.table.snapshot())
    anna.tap("accused", {"whom": "Nobody"})
    assert house.table.snapshot().outcome is not None
    assert anna.get("/api/teach/tower/trace").get_json() == TRACE
    training = make_house({"parlour": Training()}, tower=bench)
    training.start()
    assert not is_sealed(training.table.snapshot())
    bert = training.phone(training.bert)
    assert bert.get("/api/teach/tower").get_json() == STATE
    assert bert.post("/api/teach/tower/cubes", {"do": "begin"}).status_code == 200


def test_shutting_invents_nothing():
    assert shut({"lines": [{"line": "floor5", "number": 5}], "naming": None, "labels": None})["lines"] == [
        {"line": "floor5", "number": 5}
    ]
    assert shut(TRACE)["sound"] == []
    assert TRACE["sound"] != []


def test_the_page_links_its_parts(towered):
    page = towered.phone(towered.anna).page("/teach-tower")
    assert "<tower-bench" in page
    assert 'data-naming="begin"' in page
    assert " style=" not in page


def test_the_way_there_is_shown_where_there_is_a_tower(towered, make_house):
    host = towered.phone(towered.anna, host=True)
    assert 'href="/teach-tower"' in host.page("/")
    assert 'href="/teach-tower"' in host.page("/teach")
    plain = make_house()
    assert 'href="/teach-tower"' not in plain.phone(plain.anna, host=True).page("/")
