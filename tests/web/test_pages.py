"""Pages as pages: headers, addresses of static files, errors, numbers, the document."""

import json
import re
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

import web
from vision.follow import Watching
from web.assets import gathered

STATIC = Path(web.__file__).with_name("static")
SHEETS = tuple(path for name, path in gathered().files if name.endswith(".css"))
SCRIPTS = tuple(path for name, path in gathered().files if name.endswith(".js") and "vendor" not in name)
PAGES = ("/", "/play", "/table", "/history")


@pytest.mark.parametrize("path", [*PAGES, "/camera", "/api/state", "/healthz", "/nothing", "/openapi.json"])
def test_every_answer_is_guarded(house, path):
    answer = house.phone(house.anna).get(path)
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert answer.headers["Referrer-Policy"] == "no-referrer"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", PAGES)
def test_pages_keep_to_their_own_policy(house, path):
    page = house.phone(house.anna).page(path)
    assert " style=" not in page
    assert "<style" not in page
    assert not re.search(r"\son\w+=", page)
    assert all("src=" in tag for tag in re.findall(r"<script[^>]*>", page))
    for address in re.findall(r"""(?:src|href)=["']([^"']+)""", page):
        assert address.startswith(("/", "#")) or address == "http://192.168.1.23:8080", address


@pytest.mark.parametrize("path", PAGES)
def test_everything_a_page_links_is_there_and_kept_for_a_year(house, path):
    phone = house.phone(house.anna)
    linked = {
        a for a in re.findall(r'(?:src|href)="([^"]+)"', phone.page(path)) if a.startswith("/static/")
    }
    assert len(linked) > 20
    for address in linked:
        with phone.get(address) as answer:
            assert answer.status_code == 200, address
            assert "immutable" in answer.headers["Cache-Control"]


def test_modules_and_their_imports_are_there():
    for script in (STATIC / "js").glob("*.js"):
        for name in re.findall(r'(?:from|import) "([^"]+)"', script.read_text()):
            assert (script.parent / name).resolve().is_file(), f"{script.name}: {name}"


def test_an_old_address_of_a_static_file_is_not_kept(house):
    with house.phone().get("/static/000000000000/css/base.css") as answer:
        assert answer.status_code == 200
        assert answer.headers["Cache-Control"] == "no-cache"
    assert house.phone().get("/static/0/nothing.css").status_code == 404
    assert house.phone().get("/static/0/../app.py").status_code == 404


def test_colours_are_numbers_in_the_first_tier_only():
    places = {"values.css", "dark.css", "face.css"}
    for sheet in SHEETS:
        numbers = re.findall(r"#[0-9a-fA-F]{3,8}\b", sheet.read_text())
        if sheet.name == "bar.css":
            numbers = [n for n in numbers if f"--seat: {n}" not in sheet.read_text()]
        assert sheet.name in places or set(numbers) <= {"#fff", "#ffdf7e"}, (sheet.name, numbers)
    assert gathered().stylesheets[:3] == ("css/values.css", "css/meanings.css", "css/dark.css")


def test_dark_redefines_every_value():
    def names(sheet):
        return set(re.findall(r"^\s*(--[\w-]+):", (STATIC / "css" / sheet).read_text(), re.MULTILINE))

    assert names("dark.css") == names("values.css")


def test_scripts_need_no_secure_context_and_no_other_host():
    for script in SCRIPTS:
        text = script.read_text()
        assert not re.search(
            r"randomUUID\(|navigator\.serviceWorker|navigator\.locks|crypto\.subtle|getUserMedia", text
        ), script.name
        assert "://" not in text, script.name
        assert "eval(" not in text


def test_vendored_code_has_its_licence():
    for folder in (STATIC / "vendor", Path(__file__).with_name("vendor")):
        names = {path.name.split(".")[0] for path in folder.iterdir()}
        for name in names:
            assert (folder / f"{name}.LICENSE").stat().st_size > 100


def test_play_without_a_seat_leads_to_the_lobby(house):
    answer = house.phone().get("/play")
    assert (answer.status_code, answer.headers["Location"]) == (302, "/")


def test_the_lobby_shows_address_and_code(house):
    page = house.phone().page("/")
    assert "http://192.168.1.23:8080" in page
    assert "http://moss.local:8080" in page
    assert page.index("192.168.1.23") < page.index("moss.local")
    assert "<svg" in page


def test_no_network_is_a_sentence(make_house):
    assert "no phone can reach it" in make_house(addresses=()).phone().page("/")


def test_errors_are_pages_for_people_and_json_for_machines(house):
    people = house.phone().get("/nothing", headers={"Accept": "text/html"})
    assert people.status_code == 404
    assert "There is nothing at this address" in people.get_data(as_text=True)
    machine = house.phone().get("/nothing", headers={"Accept": "application/json"})
    assert machine.get_json() == {"error": "There is nothing at this address. Start at the lobby."}
    assert house.phone().post("/healthz").status_code == 405


def test_a_fault_is_logged_and_told_without_its_details(house, caplog):
    house.table.close()
    answer = house.phone().post("/api/join", {"name": "Clara"})
    assert answer.status_code == 409
    assert "stopping" in answer.get_json()["error"]
    house.desk.screens.page = lambda *_, **__: 1 / 0
    answer = house.phone().get("/", headers={"Accept": "application/json"})
    assert answer.status_code == 500
    assert "ZeroDivision" not in answer.get_data(as_text=True)
    assert "ZeroDivisionError" in caplog.text


def test_healthz_gives_numbers_and_no_names(house):
    answer = house.phone().get("/healthz").get_json()
    assert answer["status"] == "ok"
    assert answer["version"] == "1.2.3"
    assert answer["seats"] == 2
    assert "Anna" not in json.dumps(answer)


def test_the_document_has_every_route(house):
    document = house.phone().get("/openapi.json").get_json()
    documented = {
        (path, method.upper()) for path, methods in document["paths"].items() for method in methods
    }
    there = {
        (re.sub(r"<(?:\w+:)?(\w+)>", r"{\1}", rule.rule), method)
        for rule in house.app.url_map.iter_rules()
        for method in rule.methods - {"HEAD", "OPTIONS"}
    }
    assert documented == there


def test_the_document_is_openapi(house):
    document = house.phone().get("/openapi.json").get_json()
    Draft202012Validator(OPENAPI).validate(document)
    operations = [o for methods in document["paths"].values() for o in methods.values()]
    idents = [o["operationId"] for o in operations]
    assert len(set(idents)) == len(idents)
    assert all(o["summary"].endswith(".") for o in operations)
    for path, methods in document["paths"].items():
        for operation in methods.values():
            given = {p["name"] for p in operation.get("parameters", []) if p["in"] == "path"}
            assert given == set(re.findall(r"{(\w+)}", path)), path
            for media in operation.get("requestBody", {}).get("content", {}).values():
                Draft202012Validator.check_schema(media["schema"])
    Draft202012Validator.check_schema(document["components"]["schemas"]["Error"])


def test_bodies_are_read_by_the_schema_that_is_documented(house):
    document = house.phone().get("/openapi.json").get_json()
    schema = document["paths"]["/api/tap"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    anna = house.phone(house.anna)
    good = {"id": "a", "word": "stopped", "args": {}, "seen": 1}
    for body in (good, {**good, "more": 1}, {**good, "args": {"x": 1}}, {**good, "id": 1}, {"id": "a"}):
        valid = Draft202012Validator(schema).is_valid(body)
        assert (anna.post("/api/tap", body).status_code != 400) is valid, body


OPENAPI = {
    "type": "object",
    "required": ["openapi", "info", "paths"],
    "additionalProperties": False,
    "properties": {
        "openapi": {"pattern": r"^3\.1\.\d+$"},
        "info": {
            "type": "object",
            "required": ["title", "version"],
            "properties": {"title": {"type": "string"}, "version": {"type": "string"}},
        },
        "servers": {"type": "array", "items": {"type": "object", "required": ["url"]}},
        "paths": {
            "type": "object",
            "patternProperties": {
                "^/": {"type": "object", "additionalProperties": {"$ref": "#/$defs/operation"}}
            },
            "additionalProperties": False,
        },
        "components": {"type": "object"},
    },
    "$defs": {
        "content": {
            "type": "object",
            "minProperties": 1,
            "propertyNames": {"pattern": r"^[\w*-]+/[\w.*+-]+$"},
        },
        "operation": {
            "type": "object",
            "required": ["operationId", "summary", "responses"],
            "additionalProperties": False,
            "properties": {
                "operationId": {"type": "string"},
                "summary": {"type": "string"},
                "description": {"type": "string"},
                "tags": {"type": "array"},
                "security": {"type": "array"},
                "parameters": {
                    "type": "array",
                    "items": {
                        "type": "object",
                        "required": ["name", "in", "required", "schema"],
                        "properties": {"in": {"enum": ["path", "query"]}, "required": {"type": "boolean"}},
                    },
                },
                "requestBody": {
                    "type": "object",
                    "required": ["content"],
                    "properties": {"content": {"$ref": "#/$defs/content"}, "required": {"type": "boolean"}},
                },
                "responses": {
                    "type": "object",
                    "minProperties": 1,
                    "propertyNames": {"pattern": r"^([1-5]\d\d|default)$"},
                    "additionalProperties": {
                        "type": "object",
                        "required": ["description"],
                        "properties": {"content": {"$ref": "#/$defs/content"}},
                    },
                },
            },
        },
    },
}
"""The part of OpenAPI 3.1's own schema that this document makes use of."""


def test_every_state_of_the_watcher_has_words(house):
    page = house.phone(house.anna).page("/camera")
    assert [state for state in Watching if f'data-word="camera-{state}"' not in page] == []
