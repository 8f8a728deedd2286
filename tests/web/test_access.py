"""Who may do what: by route, from where, and how often."""

from base64 import urlsafe_b64decode

import pytest

from companion.games import all_games
from house import PIN
from web.desk import known_host
from web.refusals import Limiter
from web.spec import GUEST, HOST, OPERATIONS, PLAYER, SEAT


def routes(house, *needs):
    for rule in house.app.url_map.iter_rules():
        if OPERATIONS[rule.endpoint].needs in needs:
            path = rule.rule.replace("<name>", "x").replace("<key>", "anna").replace("<int:seq>", "1")
            yield path, "POST" if "POST" in rule.methods else "GET"


def test_guests_may_read_and_nothing_more(house):
    guest = house.phone()
    refused = {
        path: guest.client.open(path, method=method, json={})
        for path, method in routes(house, SEAT, PLAYER, HOST)
    }
    assert len(refused) > 20
    for path, answer in refused.items():
        assert answer.status_code in {401, 403}, path
        assert answer.get_json()["error"].endswith("."), path


def test_how_a_game_is_played_is_for_guests_too_and_takes_no_posts(make_house):
    guest = make_house(all_games()).phone()
    for slug in all_games():
        assert guest.get(f"/how-to-play/{slug}").status_code == 200
        assert guest.post(f"/how-to-play/{slug}").status_code == 405
    assert OPERATIONS["pages.how_to_play"].needs == GUEST


def test_seats_may_not_do_what_the_host_does(house):
    anna = house.phone(house.anna)
    for path, method in routes(house, HOST):
        assert anna.client.open(path, method=method, json={}).status_code == 403, path


def test_a_host_without_a_seat_does_not_play(house):
    host = house.phone(host=True)
    for path, method in routes(house, SEAT):
        assert host.client.open(path, method=method, json={}).status_code == 401, path


def test_every_post_needs_somebody_unless_it_says_otherwise(house):
    open_to_all = {
        rule.rule
        for rule in house.app.url_map.iter_rules()
        if "POST" in rule.methods and OPERATIONS[rule.endpoint].needs not in {SEAT, PLAYER, HOST}
    }
    assert open_to_all == {"/api/join", "/api/rejoin", "/api/leave", "/api/host", "/api/host/leave"}


def test_a_renewed_seat_throws_old_phones_out(house):
    anna = house.phone(house.anna)
    assert anna.get("/play").status_code == 200
    house.table.renew_seat(house.anna.key)
    assert anna.get("/play").status_code == 302
    assert anna.tap("stopped").status_code == 401
    assert anna.post("/api/rejoin", {"code": house.anna.code}).status_code == 404


def test_whoever_takes_the_name_of_a_removed_seat_does_not_share_it_with_the_old_phone(house):
    old, new = house.phone(house.bert), house.phone()
    house.table.remove_seat(house.bert.key)
    assert new.post("/api/join", {"name": "Bert"}).get_json()["seat"] == house.bert.key
    assert new.get("/play").status_code == 200
    assert old.get("/play").status_code == 302
    assert old.tap("stopped").status_code == 401


def test_the_cookie_tells_no_seat_code(house):
    cookie = house.phone(house.anna).client.get_cookie("companion").value
    content = cookie.lstrip(".").split(".")[0]
    assert house.anna.code.encode() not in urlsafe_b64decode(content + "=" * (-len(content) % 4))


def test_a_forged_cookie_is_nobody(house):
    anna = house.phone(house.anna)
    cookie = anna.client.get_cookie("companion").value
    stranger = house.phone()
    stranger.client.set_cookie("companion", cookie[:-3] + "abc")
    assert stranger.get("/play").status_code == 302


def test_the_cookie_is_kept_from_scripts_and_other_sites(house):
    answer = house.phone().get("/")
    cookie = answer.headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie


def test_the_pin_is_limited_for_a_phone_and_says_how_long(house):
    phone = house.phone()
    for _ in range(5):
        assert phone.post("/api/host", {"pin": "0000"}).status_code == 403
    answer = phone.post("/api/host", {"pin": PIN})
    assert answer.status_code == 429
    assert "300 seconds" in answer.get_json()["error"] or "301 seconds" in answer.get_json()["error"]
    house.seconds.append(301.0)
    assert phone.post("/api/host", {"pin": PIN}).status_code == 200


def test_another_pin_ends_the_host(make_house):
    house = make_house()
    host = house.phone(host=True)
    cookie = host.client.get_cookie("companion").value
    other = make_house(host_pin="9999")
    stranger = other.phone()
    stranger.client.set_cookie("companion", cookie)
    assert stranger.post("/api/games/close").status_code == 403


def test_seat_codes_cannot_be_guessed_for_long(house):
    phone = house.phone()
    answers = [phone.post("/api/rejoin", {"code": f"WRONG{n}"}).status_code for n in range(11)]
    assert answers == [404] * 10 + [429]


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example", "Content-Type": "application/json"}, 403),
        ({"Origin": "null", "Content-Type": "application/json"}, 403),
        ({"Origin": "http://[::1", "Content-Type": "application/json"}, 403),
        ({"Origin": "http://localhost@evil.example", "Content-Type": "application/json"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Content-Type": "application/json"}, 403),
        ({"Content-Type": "text/plain"}, 403),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 403),
        ({"Origin": "http://localhost", "Content-Type": "application/json"}, 200),
        ({"Content-Type": "application/json"}, 200),
        ({"X-Companion": "1", "Content-Type": "application/json"}, 200),
    ],
)
def test_posts_of_other_sites_are_refused(house, headers, status):
    anna = house.phone(house.anna)
    assert anna.client.post("/api/pause", data="{}", headers=headers).status_code == status


@pytest.mark.parametrize(
    ("host", "good"),
    [
        ("192.168.1.7:8080", True),
        ("[fe80::1]:8080", True),
        ("moss.local", True),
        ("pi:8080", True),
        ("table.example:8080", True),
        ("evil.example:8080", False),
        ("192.168.1.7.evil.example", False),
    ],
)
def test_only_names_of_this_machine_are_answered(host, good):
    assert known_host(host, ("http://table.example:8080",)) is good


def test_a_rebound_name_gets_nothing(house):
    answer = house.phone().get("/api/state", headers={"Host": "evil.example"})
    assert answer.status_code == 421
    assert "game" not in answer.get_data(as_text=True)


def test_limits_hold_for_each_and_for_all_together():
    limiter = Limiter(tries=2, window_s=10.0)
    for n in range(2):
        limiter.failed("a", float(n))
    assert limiter.wait_s("a", 2.0) == 8.0
    assert limiter.wait_s("b", 2.0) == 0.0
    for n in range(18):
        limiter.failed(f"many-{n}", 2.0)
    assert limiter.wait_s("b", 3.0) > 0.0
    assert limiter.wait_s("b", 20.0) == 0.0


def test_answers_leave_the_cookie_alone_once_it_is_set(house):
    anna = house.phone(house.anna)
    for path in ("/play", "/api/state", "/healthz", "/openapi.json"):
        assert "Set-Cookie" not in anna.get(path).headers, path
    answer = house.phone().get("/healthz")
    assert "Set-Cookie" not in answer.headers
    assert "Cookie" not in answer.headers.get("Vary", "")


def test_an_endpoint_without_a_declaration_is_not_served(house):
    house.app.add_url_rule("/loose", "loose", lambda: "secret")
    answer = house.phone().get("/loose", headers={"Accept": "application/json"})
    assert answer.status_code == 500
    assert "secret" not in answer.get_data(as_text=True)
