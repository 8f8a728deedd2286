"""Photographs, the live picture and the rehearsed table, behind the web's own ports."""

import pytest

from companion.rules.events import DieClaim
from house import ROLL
from web import PhotoReading
from web.sensors import PHOTO_BYTES

CLAIMS = tuple(DieClaim(*text.split(":"), confidence=0.99) for text in ROLL)


class Reader:
    """Reads whatever it was told to read."""

    def __init__(self, *, sure=True, claims=CLAIMS, fault=""):
        self.sure, self.claims, self.fault = sure, claims, fault
        self.given = []

    def __call__(self, data, name, expected):
        self.given.append((len(data), name, expected.count))
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

    def state(self):
        return {"tray": "still"}


class Camera:
    def __init__(self, latest):
        self.latest = latest

    def picture(self):
        return self.latest


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
    house = make_house(camera=Camera((b"jpeg", "settling")))
    anna = house.phone(house.anna)
    answer = anna.get("/api/camera")
    assert (answer.data, answer.headers["X-Camera-State"]) == (b"jpeg", "settling")
    assert anna.get("/camera").status_code == 200
    assert house.phone().get("/api/camera").status_code == 401
    assert house.phone().get("/camera").status_code == 302
    assert 'href="/camera"' not in house.phone().page("/")


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
    assert table.done == [
        ("throw", ()),
        ("throw", (0, 2)),
        ("nudge",),
        ("cover", True),
        ("cover", False),
        ("lamp", 0.5),
    ]
    for path in ("/", "/play", "/table", "/history", "/camera"):
        assert "Rehearsal: no camera, no GPIO" in anna.page(path), path


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
