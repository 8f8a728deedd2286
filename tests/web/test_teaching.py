"""Teaching the dice over the web: who may, what is answered, and what the page shows."""

from dataclasses import replace

import pytest

from companion.corrections import Corrections
from companion.records import Records

FINDING = {"name": "glare", "health": "problem", "text": "A lamp is mirrored.", "remedy": "Move it."}
LESSON = {"kind": "white", "faces": ("1", "2"), "face": "1", "prompt": "Show 1.", "done": 0, "of": 4}


class Bench:
    """A workbench that notes what it was asked."""

    def __init__(self):
        self.done = []
        self.fault = ""

    def _told(self, *what):
        self.done.append(what)
        if self.fault:
            raise ValueError(self.fault)
        return {**LESSON, "table": None, "text": "ok"}

    def picture(self):
        return None if self.fault else b"jpeg"

    def tray(self):
        return {
            "corners": ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)),
            "px_per_mm": None,
            "whole": True,
        }

    def look(self, width_mm=None):
        return self._told("look", width_mm)

    def mark(self, corners):
        return self._told("mark", tuple(corners))

    def light(self):
        self._told("light")
        return [FINDING]

    def kinds(self):
        return {"white": ("1", "2")}

    def lesson(self):
        return {"kind": ""}

    def begin(self, kind, faces, lamp):
        return self._told("begin", kind, tuple(faces), lamp)

    def show(self):
        return self._told("show")

    def skip(self):
        return self._told("skip")

    def again(self, faces, lamp):
        return self._told("again", tuple(faces), lamp)

    def finish(self):
        return self._told("finish")

    def leave(self):
        return self._told("leave")


@pytest.fixture
def bench():
    return Bench()


@pytest.fixture
def taught(make_house, bench):
    return make_house(teaching=bench)


def test_each_act_reaches_the_workbench(taught, bench):
    anna = taught.phone(taught.anna)
    assert anna.get("/api/teach").get_json()["kinds"] == {"white": ["1", "2"]}
    assert anna.get("/api/teach/picture").data == b"jpeg"
    assert anna.post("/api/teach/look", {"width_mm": 300}).status_code == 200
    assert anna.post("/api/teach/tray", {"corners": [0, 0, 1, 0, 1, 1, 0, 1]}).status_code == 200
    assert anna.post("/api/teach/light").get_json() == {"findings": [FINDING]}
    anna.post("/api/teach/lesson", {"kind": "white", "faces": ["1", "2"], "lamp": "evening"})
    for do in ("show", "skip", "finish", "leave"):
        assert anna.post("/api/teach/lesson/step", {"do": do}).get_json()["prompt"] == "Show 1."
    anna.post("/api/teach/lesson/step", {"do": "again", "faces": ["2"], "lamp": "day"})
    assert bench.done == [
        ("look", 300),
        ("mark", ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))),
        ("light",),
        ("begin", "white", ("1", "2"), "evening"),
        ("show",),
        ("skip",),
        ("finish",),
        ("leave",),
        ("again", ("2",), "day"),
    ]


def test_what_cannot_be_done_is_a_sentence(taught, bench):
    bench.fault = "No die is seen. Put one down"
    anna = taught.phone(taught.anna)
    answer = anna.post("/api/teach/lesson/step", {"do": "show"})
    assert (answer.status_code, answer.get_json()["error"]) == (409, "No die is seen. Put one down.")
    assert anna.get("/api/teach/picture").status_code == 404
    assert anna.post("/api/teach/lesson/step", {"do": "dance"}).status_code == 400
    assert anna.post("/api/teach/tray", {"corners": [0, 1]}).status_code == 400
    assert anna.post("/api/teach/tray", {"corners": ["x"] * 8}).status_code == 400


def test_guests_teach_nothing_and_only_the_host_agrees_to_pictures(make_house, bench, tmp_path):
    house = make_house(teaching=bench)
    guest = house.phone()
    assert guest.get("/teach").status_code == 302
    for path in ("/api/teach/look", "/api/teach/light"):
        assert guest.post(path).status_code == 401
    assert guest.get("/api/teach/picture").status_code == 401
    assert house.phone(house.anna).post("/api/teach/ledger", {"keep": True}).status_code == 403
    assert house.phone(house.anna).post("/api/teach/ledger/forget").status_code == 403
    assert bench.done == []


def test_without_a_camera_the_page_says_what_is_missing(house):
    anna = house.phone(house.anna)
    page = anna.page("/teach")
    assert "This companion has no camera" in page
    assert "<teach-tray" not in page
    answer = anna.get("/api/teach")
    assert answer.status_code == 404
    assert "Plug one in" in answer.get_json()["error"]
    assert anna.get("/api/teach/ledger").status_code == 404


def test_the_ledger_is_on_the_page_and_its_pictures_are_the_hosts_to_allow(make_house, bench, tmp_path):
    house = make_house()
    corrections = Corrections(tmp_path / "corrections")
    ports = {"teaching": bench, "ledger": Records(house.table._journal, corrections)}
    house = type(house)(house.table, replace(house.desk.ports, **ports))
    anna, host = house.phone(house.anna), house.phone(house.bert, host=True)
    page = anna.page("/teach")
    assert "No throw has been read yet" in page
    assert "The host has not agreed." in page
    assert "data-keep" not in page
    assert "data-keep" in host.page("/teach")
    assert (
        host.post("/api/teach/ledger", {"keep": True}).get_json()["text"].startswith("Pictures of misreads")
    )
    assert corrections.agreed
    assert anna.get("/api/teach/ledger").get_json()["agreed"] is True
    assert "The host has agreed." in anna.page("/teach")
    assert host.post("/api/teach/ledger/forget").get_json()["text"] == "0 pictures were deleted."
    assert host.post("/api/teach/ledger", {"keep": False}).status_code == 200
    assert not corrections.agreed
    house.desk.hub.close()
