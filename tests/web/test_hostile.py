"""Whatever is sent, the answer is a sentence and never a fault; whatever is written, it stays text."""

import json
import re
from itertools import product

import pytest

from companion.rules.events import Notice
from web.stream import Message

HOSTILE = (
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "🕵️‍♀️💥",
    "\u202eאבג شرلوك",
    "{{ 7*7 }}",
    "a\r\nSet-Cookie: x=1",
)
LONE = "\ud800"
ODD = (
    None,
    True,
    -1,
    10**30,
    1.5,
    "",
    "x" * 5000,
    LONE,
    "a\x00b",
    [],
    [None],
    [[]],
    ["white:1"] * 41,
    {},
    {"a": {}},
    {LONE: LONE},
)


def sendings(schema):
    """Bodies that fit the schema but for one member, and bodies that fit by their shape alone."""
    plain = {"string": "x", "integer": 1, "number": 0.5, "boolean": True, "array": [], "object": {}}
    members = schema["properties"]
    whole = {name: plain[member["type"]] for name, member in members.items()}
    yield whole
    for name, value in product(members, ODD):
        yield {**whole, name: value}
    for name in members:
        yield {other: value for other, value in whole.items() if other != name}
    yield {**whole, "stranger": 1}


def posts(app):
    document = app.test_client().get("/openapi.json").get_json()
    for path, operations in document["paths"].items():
        body = operations.get("post", {}).get("requestBody", {}).get("content", {}).get("application/json")
        if body:
            yield path, body["schema"]


def test_no_body_of_any_shape_makes_a_fault(make_house):
    house = make_house()
    house.start()
    anna = house.phone(house.anna, host=True)
    anna.throw()
    sent = 0
    for path, schema in posts(house.app):
        for body in sendings(schema):
            house.seconds.append(house.seconds[-1] + 1000.0)  # past every limit on wrong codes and PINs
            answer = anna.post(path.replace("{key}", "nobody").replace("{name}", "none"), body)
            assert answer.status_code < 500, (path, body, answer.get_data(as_text=True))
            assert answer.status_code == 200 or answer.get_json()["error"], (path, body)
            sent += 1
    assert sent > 300
    assert anna.get("/api/state").status_code == 200


DEEP = 9000
NOT_OURS = (
    *(b"", b"\xff\xfe", b"null", b"[1]", b"1e999", b'{"name": NaN}'),
    *(b'{"name":' + b"[" * DEEP, b'{"a":' * DEEP, b'{"name":' + b"[" * DEEP + b"]" * DEEP + b"}"),
    b'{"name":' + b"9" * 5000 + b"}",
)


@pytest.mark.parametrize("raw", NOT_OURS, ids=range(len(NOT_OURS)))
def test_what_is_no_json_of_ours_is_refused(house, raw):
    answer = house.phone().client.post("/api/join", data=raw, content_type="application/json")
    assert answer.status_code == 400
    assert answer.get_json()["error"]


def test_half_a_character_is_refused_wherever_it_stands(house):
    anna = house.phone(house.anna)
    bodies = [
        ("/api/join", {"name": LONE}),
        ("/api/host", {"pin": LONE}),
        ("/api/dice", {"id": LONE, "dice": []}),
        ("/api/dice", {"id": "a", "dice": [LONE]}),
        ("/api/tap", {"id": "a", "word": "noted", "args": {"text": LONE}, "seen": 0}),
        ("/api/tap", {"id": "a", "word": "noted", "args": {LONE: "x"}, "seen": 0}),
    ]
    for path, body in bodies:
        answer = anna.post(path, body)
        assert answer.status_code == 400, body
        assert "cannot be written down" in answer.get_json()["error"]


def screens(phone):
    return [phone.page(path) for path in ("/", "/play", "/table", "/history")]


@pytest.mark.parametrize("text", HOSTILE)
def test_names_titles_notes_and_tiles_stay_text(make_house, text):
    house = make_house()
    name = text[:24]
    clara = house.phone(host=True)
    assert clara.post("/api/join", {"name": name}).status_code == 200
    key = house.table.snapshot().seats[-1].key
    assert clara.post("/api/games", {"slug": "parlour", "title": text, "seats": [key]}).status_code == 200
    clara.throw()
    assert clara.tap("noted", {"text": json.dumps(text)}).status_code == 200
    clara.tap("described", {"tile": json.dumps(f"{text}:suspect:3:oooo:-")})
    for page in screens(clara):
        assert re.findall(r"<script(?! (src|type)=)", page) == []
        assert not re.search(r"<img(?! alt)[^>]*onerror", page)
        assert "49" not in re.findall(r"<h1>(.*?)</h1>", page)
    game = house.table.snapshot().game
    exported = clara.get(f"/api/games/{game.id}/export")
    assert "\n" not in exported.headers["Content-Disposition"]
    assert "Set-Cookie: x" not in str(exported.headers)
    brought = clara.post("/api/games/import", {"text": exported.get_data(as_text=True)})
    assert brought.status_code < 500
    assert all("<script>alert" not in page for page in screens(clara))


@pytest.mark.parametrize("text", HOSTILE)
def test_notices_stay_text(house, text):
    house.table.notice(Notice(source=text, state=text, text=text, remedy=text))
    for page in screens(house.phone(house.anna)):
        assert "<script>alert" not in page
        assert not re.search(r"<img src=x", page)


def test_what_a_stream_says_is_one_line_whatever_it_holds():
    message = str(Message("view", {"html": "a\r\nevent: out\n\n\u2028"}, 3))
    assert message.count("\n") == 4
    assert "\r" not in message
