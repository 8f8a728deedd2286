"""What only the host does: games, seats, turning off."""

import pytest


def test_a_game_is_started_with_seats_title_and_options(make_house):
    house = make_house()
    host = house.phone(host=True)
    body = {"slug": "parlour", "title": "Friday", "seats": ["anna"], "options": {"length": "long"}}
    assert host.post("/api/games", body).get_json()["title"] == "Friday"
    assert house.table.snapshot().game.seats == ("anna",)


@pytest.mark.parametrize(
    ("change", "status"),
    [
        ({"slug": "chess"}, 404),
        ({"seats": []}, 409),
        ({"seats": ["nobody"]}, 409),
        ({"options": {"length": "endless"}}, 409),
    ],
)
def test_a_game_that_cannot_be_started_says_why(make_house, change, status):
    host = make_house().phone(host=True)
    answer = host.post("/api/games", {"slug": "parlour", "seats": ["anna"], **change})
    assert answer.status_code == status
    assert answer.get_json()["error"][0].isupper() or answer.get_json()["error"].startswith("'")
    assert answer.get_json()["error"].endswith(".")


def test_games_are_put_away_and_opened_again(house):
    host, anna = house.phone(host=True), house.phone(house.anna)
    anna.throw()
    game = house.table.snapshot().game.id
    assert host.post("/api/games/close").status_code == 200
    assert house.table.snapshot().game is None
    kept = host.get("/api/games").get_json()["kept"]
    assert [g["id"] for g in kept] == [game]
    assert host.post(f"/api/games/{game}/open").status_code == 200
    assert house.table.snapshot().history[0].told.startswith("Threw")
    assert host.post("/api/games/nothing/open").status_code == 404


def test_export_and_import(house):
    host, anna = house.phone(host=True), house.phone(house.anna)
    anna.throw()
    anna.tap("noted", {"text": "planted-secret"})
    game = house.table.snapshot().game.id
    answer = anna.get(f"/api/games/{game}/export")
    assert answer.mimetype == "text/plain"
    assert "attachment" in answer.headers["Content-Disposition"]
    text = answer.get_data(as_text=True)
    assert "dice_rolled" in text
    assert "planted-secret" not in text
    brought = host.post("/api/games/import", {"text": text}).get_json()
    assert brought["id"] != game
    assert brought["facts"] == 2


def test_a_file_that_is_no_game_is_refused_by_line(house):
    answer = house.phone(host=True).post("/api/games/import", {"text": "hello\nthere\n"})
    assert answer.status_code == 409
    assert "its first line must be" in answer.get_json()["error"]


def test_seats_are_renamed_renewed_and_removed(house):
    host = house.phone(host=True)
    assert host.post("/api/seats/anna/rename", {"name": "Annabel"}).get_json()["name"] == "Annabel"
    code = host.post("/api/seats/anna/renew").get_json()["code"]
    assert code != house.anna.code
    assert host.post("/api/seats/anna/remove").status_code == 200
    assert [seat.key for seat in house.table.snapshot().seats] == ["bert"]
    assert host.post("/api/seats/anna/remove").status_code == 404
    assert host.post("/api/seats/anna/renew").status_code == 409


def test_the_lobby_shows_codes_to_the_host_alone(house):
    assert house.anna.code in house.phone(host=True).page("/")
    assert house.anna.code not in house.phone(house.bert).page("/")
    assert house.anna.code not in house.phone().page("/")


def test_the_lobby_gives_options_with_their_reasons(house):
    page = house.phone(host=True).page("/")
    assert "The rules leave it open." in page
    assert "Every question once." in page


def test_turning_off_calls_the_root(make_house):
    called = []
    house = make_house(shutdown=lambda: called.append(True))
    assert house.phone(house.anna).post("/api/shutdown").status_code == 403
    assert not called
    assert house.phone(host=True).post("/api/shutdown").status_code == 200
    assert called == [True]


def test_stop_hosting(house):
    host = house.phone(host=True)
    host.post("/api/host/leave")
    assert host.post("/api/games/close").status_code == 403


def test_a_seat_named_twice_plays_once(house):
    host = house.phone(host=True)
    key = house.anna.key
    assert host.post("/api/games", {"slug": "parlour", "seats": [key, key]}).get_json()["seats"] == [key]
