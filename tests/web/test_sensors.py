"""Photographs, the live picture and the rehearsed table, behind the web's own ports."""

import json

import pytest

from companion.rules.events import CubeDropped, DieClaim, Observation, Seconds
from house import ROLL
from shaft import GAME as SHAFT
from web import PhotoReading
from web.ports import CameraPicture
from web.sensors import PHOTO_BYTES, TOWER

CLAIMS = tuple(DieClaim(*text.split(":"), confidence=0.99) for text in ROLL)


class Reader:
    """Reads whatever it was told to read."""

    def __init__(self, *, sure=True, claims=CLAIMS, fault="", count=lambda expected: expected.count):
        self.count = count
        self.sure, self.claims, self.fault = sure, claims, fault
        self.given = []

    def __call__(self, data, name, expected):
        self.given.append((len(data), name, self.count(expected)))
        if self.fault:
            raise ValueError(self.fault)
        return PhotoReading(
            self.claims, self.sure, "sure" if self.sure else "doubtful", "Look.", b"jpeg", 0.9
        )


class Rehearsed:
    def __init__(self):
        self.done = []

    def throw(self, held=()):
        self.done.append(("throw", held))

    def nudge(self):
        self.done.append(("nudge",))

    def cover(self, on):
        self.done.append(("cover", on))

    def lamp(self, level):
        self.done.append(("lamp", level))

    def tower(self, do, colour=""):
        if do == "deaf":
            raise ValueError("no microphone here")
        self.done.append(("tower", do, *filter(None, [colour])))

    def sound(self):
        return b"RIFF" if ("tower", "drop") in self.done else None

    def state(self):
        return {"tray": "still"}


class Camera:
    def __init__(self, latest):
        self.latest = latest

    def picture(self):
        return self.latest

    def minute(self):
        return None if self.latest is None else iter((b"PK", b"-zip"))


def photo(phone, data=b"x" * 100, **headers):
    return phone.client.post(
        "/api/photo", data=data, content_type="image/jpeg", headers={"X-Companion": "1", **headers}
    )


def test_a_sure_photograph_counts_at_once(make_house):
    reader = Reader()
    house = make_house(read_photo=reader)
    house.start()
    answer = photo(house.phone(house.anna), **{"X-File-Name": "IMG%201.jpg"})
    assert answer.get_json()["status"] == "kept"
    assert reader.given == [(100, "IMG 1.jpg", 8)]
    assert house.table.snapshot().history[-1].source == "photo"


def test_a_doubtful_photograph_becomes_a_question_with_its_picture(make_house):
    house = make_house(read_photo=Reader(sure=False))
    house.start()
    anna = house.phone(house.anna)
    assert photo(anna).get_json()["status"] == "asked"
    page = anna.page()
    assert "Are these the dice?" in page
    assert "8 dice: 1 2 3 4 5 6 1, coloured 5 - right?" in page
    assert house.table.snapshot().proposal.id in page
    table = house.phone().page("/table")
    assert "Are these the dice?" in table
    assert "/api/picture" not in table


def test_sure_of_the_wrong_dice_is_a_question(make_house):
    house = make_house(read_photo=Reader(claims=CLAIMS[:5]))
    house.start()
    assert photo(house.phone(house.anna)).get_json()["status"] == "asked"


def test_a_photograph_of_a_lifted_floor_is_a_question_about_its_cubes(make_house):
    cubes = tuple(DieClaim("cube", colour, 0.8) for colour in ("blue", "red"))
    reader = Reader(sure=False, claims=cubes, count=lambda expected: dict(expected.most)["blue"])
    house = make_house({"shaft": SHAFT}, read_photo=reader)
    house.start("shaft")
    anna = house.phone(house.anna)
    assert photo(anna).status_code == 409
    for n in range(3):
        event = CubeDropped(at=Seconds(0.0), drop=f"d{n}")
        house.table.submit(Observation(id=event.drop, event=event, source="tower"))
    assert "Photograph the floor" in anna.page()
    assert photo(anna).get_json()["status"] == "asked"
    assert reader.given[0][2] == 3
    question = house.table.snapshot().proposal
    right = {"id": question.id, "cubes": ["blue"]}
    assert anna.post("/api/confirm", right).get_json()["status"] == "kept"
    assert house.table.snapshot().state.seen == ("blue",)


def test_a_bad_photograph_is_a_sentence(make_house):
    house = make_house(read_photo=Reader(fault="This is a HEIC file. Set the camera to JPEG."))
    house.start()
    answer = photo(house.phone(house.anna))
    assert answer.status_code == 422
    assert answer.get_json()["error"] == "This is a HEIC file. Set the camera to JPEG."


def test_an_empty_and_a_huge_photograph(make_house):
    reader = Reader()
    house = make_house(read_photo=reader)
    house.start()
    anna = house.phone(house.anna)
    assert photo(anna, b"").status_code == 422
    answer = photo(anna, b"x" * (PHOTO_BYTES + 1))
    assert answer.status_code == 413
    assert "25 MB" in answer.get_json()["error"]
    assert reader.given == []


def test_no_throw_no_photograph(make_house):
    reader = Reader()
    house = make_house(read_photo=reader)
    house.start()
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("stopped")
    assert photo(anna).status_code == 409
    assert reader.given == []


def test_without_a_reader_the_page_offers_the_pad_only(house):
    anna = house.phone(house.anna)
    page = anna.page()
    assert "data-photo" not in page
    assert "<dice-pad" in page
    assert photo(anna).status_code == 409


def test_the_camera_is_for_seats(make_house):
    house = make_house(camera=Camera(CameraPicture(b"jpeg", "settling")))
    anna = house.phone(house.anna)
    answer = anna.get("/api/camera")
    assert (answer.data, answer.headers["X-Camera-State"]) == (b"jpeg", "settling")
    assert json.loads(answer.headers["X-Camera-Seen"]) == {"why": "", "dice": []}
    assert anna.get("/camera").status_code == 200
    assert house.phone().get("/api/camera").status_code == 401
    assert house.phone().get("/camera").status_code == 302
    assert 'href="/camera"' not in house.phone().page("/")


def test_with_the_picture_comes_what_was_read_and_why_it_is_unsure(make_house):
    dice = ((CLAIMS[0], True), (DieClaim("fingerprint", "brown", 0.41234), False))
    seen = CameraPicture(b"jpeg", "doubtful", "8 dice are expected, 7 seen – one under the cup?", dice)
    house = make_house(camera=Camera(seen))
    headers = house.phone(house.anna).get("/api/camera").headers
    assert json.loads(headers["X-Camera-Seen"]) == {
        "why": "8 dice are expected, 7 seen – one under the cup?",
        "dice": [
            {"kind": "white", "face": "1", "confidence": 0.99, "sure": True},
            {"kind": "fingerprint", "face": "brown", "confidence": 0.412, "sure": False},
        ],
    }
    assert headers["X-Camera-Seen"].isascii()


def test_the_last_minute_is_saved_by_seats_and_the_host_and_by_nobody_else(make_house):
    house = make_house(camera=Camera(CameraPicture(b"jpeg", "idle")))
    for phone in (house.phone(house.anna), house.phone(host=True)):
        answer = phone.get("/api/camera/minute")
        assert (answer.status_code, answer.data, answer.mimetype) == (200, b"PK-zip", "application/zip")
        assert "attachment" in answer.headers["Content-Disposition"]
        assert 'href="/api/camera/minute"' in phone.page("/camera")
    assert house.phone().get("/api/camera/minute").status_code == 401


def test_a_minute_that_is_not_kept_is_a_sentence(make_house):
    house = make_house(camera=Camera(None))
    answer = house.phone(house.anna).get("/api/camera/minute")
    assert (answer.status_code, "minute_mb" in answer.get_json()["error"]) == (404, True)


@pytest.mark.parametrize("port", [None, Camera(None)])
def test_no_camera_or_no_picture_yet_is_a_sentence(make_house, port):
    anna = (house := make_house(camera=port)).phone(house.anna)
    answer = anna.get("/api/camera")
    assert answer.status_code == 404
    assert answer.get_json()["error"]


def test_the_rehearsal_is_driven_and_says_so_everywhere(make_house):
    table = Rehearsed()
    house = make_house(rehearsal=table)
    house.start()
    anna = house.phone(house.anna)
    for body in (
        {"do": "throw"},
        {"do": "throw", "held": [0, 2]},
        {"do": "nudge"},
        {"do": "cover"},
        {"do": "uncover"},
        {"do": "lamp", "level": 0.5},
    ):
        assert anna.post("/api/rehearsal", body).get_json() == {"tray": "still"}
    for do in TOWER:
        if do != "deaf":
            assert anna.post("/api/rehearsal", {"do": do}).get_json() == {"tray": "still"}
    assert table.done[-2:] == [("tower", "rattle"), ("tower", "cut")]
    anna.post("/api/rehearsal", {"do": "drop", "colour": "blue"})
    assert table.done.pop() == ("tower", "drop", "blue")
    assert table.done[:6] == [
        ("throw", ()),
        ("throw", (0, 2)),
        ("nudge",),
        ("cover", True),
        ("cover", False),
        ("lamp", 0.5),
    ]
    for path in ("/", "/play", "/table", "/history", "/camera"):
        assert "Rehearsal: no camera, no GPIO" in anna.page(path), path


def test_what_falls_in_the_rehearsed_tower_is_heard_by_who_sits_there(make_house):
    house = make_house(rehearsal=Rehearsed())
    anna = house.phone(house.anna)
    assert anna.get("/api/rehearsal/sound").status_code == 404
    anna.post("/api/rehearsal", {"do": "drop"})
    answer = anna.get("/api/rehearsal/sound")
    assert (answer.status_code, answer.mimetype, answer.data) == (200, "audio/wav", b"RIFF")
    assert house.phone().get("/api/rehearsal/sound").status_code == 401


def test_what_the_rehearsed_tower_lacks_is_a_sentence(make_house):
    house = make_house(rehearsal=Rehearsed())
    answer = house.phone(house.anna).post("/api/rehearsal", {"do": "deaf"})
    assert (answer.status_code, answer.get_json()["error"]) == (409, "No microphone here.")


@pytest.mark.parametrize(
    "body", [{"do": "dance"}, {"do": "lamp", "level": 2}, {"do": "throw", "held": ["x"]}]
)
def test_what_a_rehearsal_cannot_do(make_house, body):
    house = make_house(rehearsal=Rehearsed())
    assert house.phone(house.anna).post("/api/rehearsal", body).status_code == 400


def test_real_hardware_is_no_rehearsal(house):
    anna = house.phone(house.anna)
    assert anna.post("/api/rehearsal", {"do": "throw"}).status_code == 404
    assert "Rehearsal" not in anna.page()


def test_a_photograph_sent_twice_counts_once(make_house):
    house = make_house(read_photo=Reader())
    house.start()
    anna = house.phone(house.anna)
    assert photo(anna).json["status"] == "kept"
    assert photo(anna).json["status"] in {"again", "refused"}
    assert len([row for row in house.table.snapshot().history if "dice_rolled" in (row.line or "")]) == 1
