"""Playing over HTTP: what is posted becomes a fact, a question or a sentence."""

import json

import pytest

from companion.rules.events import DiceRolled, DieClaim, DieFace, Observation, Seconds
from companion.snapshot import Snapshot
from house import ROLL


def asked(house, face="4"):
    claims = tuple(
        DieClaim(*text.split(":"), confidence=0.5, alternatives=("6",))
        for text in [f"white:{face}", *ROLL[1:]]
    )
    event = DiceRolled(at=Seconds(0.0), roll="r", dice=tuple(DieFace(c.kind, c.face) for c in claims))
    seen = Observation(
        id="photo-1",
        event=event,
        source="photo",
        sure=False,
        reason="Not sure.",
        claims=claims,
        picture=b"jpeg",
    )
    assert house.table.submit(seen).status == "asked"


def test_join_takes_a_seat_and_the_page_knows_it(house):
    phone = house.phone()
    answer = phone.post("/api/join", {"name": "  Clara  "})
    assert answer.get_json()["seat"] == "clara"
    assert "You watch this game" in phone.page()


@pytest.mark.parametrize("name", ["", "   ", "Anna", "x" * 60])
def test_names_that_will_not_do_are_refused_with_a_sentence(house, name):
    answer = house.phone().post("/api/join", {"name": name})
    assert answer.status_code == 409
    assert answer.get_json()["error"]


def test_leaving_keeps_the_seat(house):
    anna = house.phone(house.anna)
    anna.post("/api/leave")
    assert anna.get("/play").status_code == 302
    assert house.anna in house.table.snapshot().seats


def test_a_throw_by_hand_and_a_tap_become_facts(house):
    anna = house.phone(house.anna)
    assert anna.throw().get_json()["status"] == "kept"
    assert anna.tap("held", {"dice": "w1,w2"}).status_code == 200
    assert [row.told for row in house.table.snapshot().history] == ["Threw 1 2 3 4 5 6 1 5.", "Held"]


def test_sent_twice_counts_once(house):
    anna = house.phone(house.anna)
    body = {"id": "same", "dice": ROLL}
    assert anna.post("/api/dice", body).get_json()["status"] == "kept"
    assert anna.post("/api/dice", body).get_json()["status"] == "again"
    assert len(house.table.snapshot().history) == 1


@pytest.mark.parametrize(
    ("dice", "status"),
    [
        (ROLL[1:-1], 409),
        ([*ROLL, "white:1"], 409),
        (["white:9", *ROLL[1:]], 409),
        (["nonsense"], 400),
        ([], 409),
    ],
)
def test_dice_that_cannot_be_are_refused(house, dice, status):
    answer = house.phone(house.anna).throw(dice)
    assert answer.status_code == status
    assert answer.get_json()["error"]
    assert not house.table.snapshot().history


def test_a_refused_tap_says_why(house):
    anna = house.phone(house.anna)
    answer = anna.tap("held", {"dice": "w1"})
    assert answer.status_code == 409
    assert answer.get_json()["error"] == "There is nothing to hold before the first throw."


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("tap", {"id": "x", "word": "stopped", "args": {}, "seen": 0}),
        ("dice", {"id": "x", "dice": ROLL}),
        ("confirm", {"id": "x"}),
        ("dismiss", {"id": "x"}),
        ("undo", {"id": "x"}),
        ("redo", {"id": "x"}),
        ("preview", {"seq": 1, "args": {}}),
        ("amend", {"id": "x", "seq": 1, "args": {}}),
        ("pause", {}),
        ("resume", {}),
    ],
)
def test_who_was_not_chosen_only_watches(make_house, path, body):
    house = make_house()
    house.start(seats=(house.anna,))
    house.phone(house.anna).throw()
    answer = house.phone(house.bert).post(f"/api/{path}", body)
    assert answer.status_code == 409
    assert "Bert was not chosen" in answer.get_json()["error"]
    assert house.table.snapshot().history[0].standing


def test_the_host_may_undo_and_pause_without_playing(house):
    house.phone(house.anna).throw()
    host = house.phone(host=True)
    assert host.post("/api/undo", {"id": "u"}).status_code == 200
    assert host.post("/api/pause").status_code == 200


def test_no_game_no_taps(make_house):
    house = make_house()
    answer = house.phone(house.anna).tap("stopped")
    assert answer.status_code == 409
    assert "No game is open" in answer.get_json()["error"]


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        "text",
        {"id": "x"},
        {"id": 3, "word": "stopped", "args": {}, "seen": 0},
        {"id": "x", "word": "stopped", "args": {"a": 1}, "seen": 0},
        {"id": "x", "word": "stopped", "args": [], "seen": 0},
        {"id": "x", "word": "stopped", "args": {}, "seen": True},
        {"id": "x", "word": "stopped", "args": {}, "seen": 0, "more": 1},
        {"id": "x" * 81, "word": "stopped", "args": {}, "seen": 0},
    ],
)
def test_a_body_that_is_not_as_documented_is_refused(house, body):
    anna = house.phone(house.anna)
    answer = anna.client.post("/api/tap", data=json.dumps(body), content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"]


def test_a_body_that_is_too_long_is_not_read(house):
    answer = house.phone().post("/api/join", {"name": "x" * 100_000})
    assert answer.status_code == 413
    assert answer.get_json()["error"] == "This is too long: 64 kB at most."


def test_a_question_without_claims_and_picture_can_be_answered_too(house):
    dice = tuple(DieFace.parse(text) for text in ROLL[:7])
    event = DiceRolled(at=Seconds(0.0), roll="r", dice=dice)
    assert house.table.submit(Observation(id="cam-1", event=event, source="camera")).status == "asked"
    page = house.phone(house.anna).page()
    assert "7 dice: 1 2 3 4 5 6 1 - right?" in page
    assert "/api/picture" not in page


def test_a_question_is_confirmed_with_one_tap(house):
    asked(house)
    anna = house.phone(house.anna)
    assert anna.post("/api/confirm", {"id": "photo-1"}).get_json()["status"] == "kept"
    now = house.table.snapshot()
    assert now.proposal is None
    assert now.history[-1].source == "photo, confirmed"


def test_a_question_is_answered_with_other_dice(house):
    asked(house)
    anna = house.phone(house.anna)
    assert anna.post("/api/confirm", {"id": "photo-1", "dice": ["white:6", *ROLL[1:]]}).status_code == 200
    row = house.table.snapshot().history[-1]
    assert row.source == "photo, corrected"
    assert "white:6" in row.line


def test_a_question_is_put_away(house):
    asked(house)
    assert house.phone(house.anna).post("/api/dismiss", {"id": "photo-1"}).status_code == 200
    assert house.table.snapshot().proposal is None


def test_the_picture_of_a_question_is_for_seats_and_gone_after_the_answer(house):
    asked(house)
    anna = house.phone(house.anna)
    assert anna.get("/api/picture/photo-1").data == b"jpeg"
    assert house.phone().get("/api/picture/photo-1").status_code == 401
    anna.post("/api/confirm", {"id": "photo-1"})
    assert anna.get("/api/picture/photo-1").status_code == 404


def test_undo_and_redo(house):
    anna = house.phone(house.anna)
    anna.throw()
    assert anna.post("/api/undo", {"id": "u1"}).get_json()["text"] == "Taken back."
    assert not house.table.snapshot().history[0].standing
    assert anna.post("/api/undo", {"id": "u2"}).status_code == 409
    assert anna.post("/api/redo", {"id": "r1"}).status_code == 200
    assert house.table.snapshot().history[0].standing


def test_a_misread_die_is_corrected_with_a_preview(house):
    anna = house.phone(house.anna)
    anna.throw()
    dice = ",".join(["white:6", *ROLL[1:]])
    seen = anna.post("/api/preview", {"seq": 1, "args": {"dice": dice}}).get_json()
    assert seen["ok"]
    assert seen["changes"]
    assert not house.table.snapshot().history[0].amended
    assert anna.post("/api/amend", {"id": "a1", "seq": 1, "args": {"dice": dice}}).status_code == 200
    assert house.table.snapshot().history[0].amended


def test_a_correction_that_strands_a_later_fact_names_it(house):
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("searched", {"room": "study", "dice": "w1"})
    anna.tap("searched", {"room": "attic", "dice": "w2"})
    seen = anna.post("/api/preview", {"seq": 2, "args": {"dice": "w1,w2"}}).get_json()
    assert not seen["ok"]
    assert seen["stranded"]["seq"] == 3
    assert "attic" in seen["text"]
    assert anna.post("/api/amend", {"id": "a", "seq": 2, "args": {"dice": "w1,w2"}}).status_code == 409


def test_a_line_may_be_given_whole(house):
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("searched", {"room": "study"})
    line = house.table.snapshot().history[-1].line.replace("study", '"wine cellar"')
    assert anna.post("/api/preview", {"seq": 2, "line": line}).get_json()["ok"]
    assert anna.post("/api/preview", {"seq": 2, "line": "nonsense"}).get_json()["ok"] is False


def test_a_secret_fact_cannot_be_corrected_here(house):
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("noted", {"text": "mine"})
    assert anna.post("/api/preview", {"seq": 2, "args": {"text": "x"}}).status_code == 404
    assert anna.get("/amend/2").status_code == 404
    body = {"seq": 2, "line": "0.0 anna noted text=other"}
    assert house.phone(house.bert).post("/api/preview", body).status_code == 404
    assert house.phone(house.bert).post("/api/amend", {"id": "x", **body}).status_code == 404


def test_pause_stops_taps_and_resume_lets_them_through(house):
    anna = house.phone(house.anna)
    anna.post("/api/pause")
    assert anna.throw().status_code == 409
    assert "Paused" in anna.page()
    anna.post("/api/resume")
    assert anna.throw().status_code == 200


def test_state_is_the_public_part_and_ones_own_view(house):
    anna, bert = house.phone(house.anna), house.phone(house.bert)
    anna.throw()
    anna.tap("noted", {"text": "planted-secret"})
    mine = anna.get("/api/state").get_json()
    assert mine["you"] == "anna"
    assert {panel["kind"] for panel in mine["view"]["panels"]} >= {
        "track",
        "dice",
        "board",
        "roster",
        "tokens",
    }
    assert "planted-secret" in json.dumps(mine)
    assert "planted-secret" not in bert.get("/api/state").get_data(as_text=True)
    guest = house.phone().get("/api/state").get_json()
    assert guest["you"] is None
    assert "planted-secret" not in json.dumps(guest)
    assert house.anna.code not in json.dumps(mine)


def test_state_names_what_it_gives_one_by_one(house):
    given = house.phone().get("/api/state").get_json().keys() - {"you", "host", "view"}
    assert given <= {*Snapshot.__dataclass_fields__, "expected_dice"}
    assert "state" not in given
