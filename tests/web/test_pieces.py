"""Cubes and the tower as they are drawn: who may tap, what is asked, what is told and what is not."""

import re

import pytest

from chalet import COLOURS, FALLS, GAME, Training
from companion.games import all_games
from companion.rules.events import (
    CubeDropped,
    CubesExpected,
    CubesSeen,
    DiceRolled,
    DieClaim,
    DieFace,
    Notice,
    Observation,
    Seconds,
)
from companion.rules.view import Fall, Input, Pieces, Storey, Storeys
from house import ROLL
from web import pieces

AT = Seconds(0.0)


@pytest.fixture
def chalet(make_house):
    house = make_house({"chalet": GAME})
    house.start("chalet")
    return house


def throw_all(phone):
    for colour in ("yellow", "yellow", "blue", "red"):
        assert phone.tap("colour_named", {"colour": colour}).status_code == 200


def seen(*colours, ident="seen"):
    claims = tuple(DieClaim("cube", colour, 0.6) for colour in colours)
    event = CubesSeen(at=AT, cubes=colours)
    return Observation(
        id=ident, event=event, source="camera", sure=False, reason="A shadow.", claims=claims
    )


def test_only_who_throws_has_a_button_for_each_colour_left(chalet):
    anna = chalet.phone(chalet.anna)
    buttons = re.findall(r'<button type="button" class="throw" id="throw-(\w+)"', anna.page())
    assert buttons == ["yellow", "blue", "red"]
    for page in (chalet.phone(chalet.bert).page(), chalet.phone().page("/table")):
        assert 'class="throw"' not in page
        assert page.count("throw-seen") == 3
    anna.tap("colour_named", {"colour": "blue"})
    assert 'id="throw-blue"' not in anna.page()
    assert "1 of 4" in anna.page()


def test_who_throws_has_the_buttons_before_the_warnings(chalet):
    anna = chalet.phone(chalet.anna)
    anna.tap("colour_named", {"colour": "blue"})
    page, other = anna.page(), chalet.phone(chalet.bert).page()
    assert page.index('id="throws"') < page.index("Anna has two cubes left.")
    assert other.index('id="throws"') > other.index("Anna has two cubes left.")
    assert page.count("Anna has two cubes left.") == 1


def test_colour_is_never_the_only_sign():
    assert set(pieces.CODES) == {*COLOURS, "red"}
    assert len(set(pieces.CODES.values())) == len(pieces.CODES)
    assert len({*pieces.WEAVES.values(), ""}) == len(pieces.CODES)


def test_each_floor_says_what_lies_there_what_it_counts_and_what_happened(chalet):
    page = chalet.phone().page("/table")
    assert 'aria-label="3 Bert, blue"' in page
    assert page.count('data-worth="3"') == 2
    assert page.count("crime scene</span>") == 2
    assert "Bert, blue</span>" in page


def test_the_band_asks_for_silence_and_keeps_its_place(chalet):
    anna = chalet.phone(chalet.anna)
    for page in (anna.page(), anna.page("/table")):
        assert 'data-hush="Anna"' in page
        assert "Quiet please" in page
    anna.tap("colour_named", {"colour": "blue"})
    assert 'data-hush=""' in anna.page()
    throw_all_but_blue = ("yellow", "yellow", "red")
    for colour in throw_all_but_blue:
        anna.tap("colour_named", {"colour": colour})
    assert 'id="hush"' not in anna.page()


def test_what_the_tower_does_is_a_word_and_what_it_lacks_a_banner(chalet):
    assert 'id="tower-state" role="status"></span>' in chalet.phone(chalet.anna).page()
    chalet.table.notice(Notice(source="tower", state="hand in the shaft", level="info"))
    page = chalet.phone(chalet.anna).page()
    assert "hand in the shaft</span>" in page
    assert 'id="tower-state" role="status"' in page
    assert "notice-tower" not in page
    chalet.table.notice(Notice(source="tower", state="quiet", level="ok"))
    assert 'role="status"></span>' in chalet.phone(chalet.anna).page()
    event = CubeDropped(at=AT, drop="d")
    chalet.table.submit(Observation(id="d", event=event, source="tower"))
    assert "Tower: </span>quiet" in chalet.phone(chalet.anna).page()
    lost = Notice(source="tower entry", state="silent", remedy="Look at its plug.", level="problem")
    chalet.table.notice(lost)
    page = chalet.phone(chalet.anna).page()
    assert "Look at its plug." in page
    assert "Tower: </span>quiet" not in page


def test_actions_of_a_floor_stand_in_the_house_and_in_no_list(chalet):
    anna = chalet.phone(chalet.anna)
    throw_all(anna)
    page = anna.page()
    assert page.count("Lift floor 7</button>") == 1
    assert "act-list-lift-7" not in page
    assert page.index('id="storeys"') < page.index('class="leads"')
    assert "Lift floor 7" not in chalet.phone().page("/table")


def test_cubes_are_counted_and_people_chosen(chalet):
    anna = chalet.phone(chalet.anna)
    throw_all(anna)
    page = anna.page()
    assert page.count("data-count-of=") == 7
    assert 'data-count-of="red" data-most="2"' in page
    assert page.count('type="checkbox" name="whom"') == 3
    assert anna.tap("cubes_seen", {"cubes": "yellow,yellow,blue"}).status_code == 200
    assert anna.tap("suspected", {"whom": "bert,carla"}).status_code == 200
    assert chalet.table.snapshot().state.whom == ("bert", "carla")


def test_cubes_not_sure_become_a_question_on_phones_and_a_sentence_on_the_table(chalet):
    anna = chalet.phone(chalet.anna)
    throw_all(anna)
    assert chalet.table.submit(seen("yellow", "blue", "yellow")).status == "asked"
    page, table = anna.page(), anna.page("/table")
    assert "Do these cubes lie there?" in page
    assert "Right: 2 yellow, 1 blue" in page
    assert 'data-count-of="yellow" data-most="4" data-start="2"' in page
    assert "2 yellow, 1 blue" in table
    assert "<cube-question" not in table
    assert "<dice-question" not in page
    answer = anna.post("/api/confirm", {"id": "seen", "cubes": ["blue"]})
    assert answer.get_json()["status"] == "kept"
    assert chalet.table.snapshot().state.seen == ("blue",)


def test_a_question_about_dice_is_drawn_as_before(house):
    dice = tuple(DieFace.parse(text) for text in ROLL)
    event = DiceRolled(at=AT, roll="r", dice=dice)
    house.table.submit(Observation(id="r", event=event, source="camera", sure=False, reason="Dark."))
    page = house.phone(house.anna).page()
    assert "<dice-question" in page
    assert "8 dice: 1 2 3 4 5 6 1, coloured 5 - right?" in page


def test_a_training_is_marked_on_every_screen_and_an_evening_is_not(make_house):
    house = make_house({"training": Training(), "chalet": GAME})
    house.start("training")
    anna = house.phone(house.anna)
    paths = ("/", "/play", "/table", "/history", "/camera", "/teach")
    assert {anna.page(path).count("Training: the tower tells what it hears") for path in paths} == {1}
    house.start("chalet")
    assert {anna.page(path).count("Training:") for path in paths} == {0}


def test_no_fall_is_shown_before_the_book_is_open(make_house):
    house = make_house({"chalet": GAME, "training": Training()})
    house.start("chalet")
    anna = house.phone(house.anna)
    event = CubeDropped(at=AT, drop="d")
    sealed = '{"at": 1.0, "floors": [0, 0, 0, 0, 0, 0, 0, 1]}'
    house.table.submit(Observation(id="d", event=event, source="tower", sealed=sealed))
    assert "<tower-falls" not in anna.page() + anna.page("/table")
    assert anna.tap("finished").status_code == 200
    assert "<tower-falls" not in anna.page()
    assert 'data-act="open-book"' in anna.page()
    assert 'data-act="open-book"' not in anna.page("/table")
    assert anna.post("/api/open-book", {"id": "open"}).get_json()["status"] == "kept"
    page = anna.page()
    assert "floor 5 71 %, floor 4 21 %" in page
    assert 'data-act="open-book"' not in page
    assert 'data-auto="all"' in anna.page("/table")
    assert "data-auto" not in page


def test_every_fall_is_told_in_words():
    told = [pieces.told(fall) for fall in FALLS.falls]
    assert told[0] == (
        "Anna, yellow: floor 5 71 %, floor 4 21 %, floor 6 5 %, floor 7 2 %, floor 3 1 %. Found on floor 5."
    )
    assert told[2].endswith("Found on floor 6. No beam saw it.")
    assert pieces.told(Fall("Blue", "blue", 0.0, ())) == "Blue: nothing was sensed of it."


def test_a_counter_starts_where_it_is_told_and_stops_at_the_most():
    field = Input("cubes", "?", "cubes", (("blue", "Bert"), ("red", "Victim")), "blue,blue", (3, 2))
    assert [(row.count, row.most) for row in pieces.rows(field)] == [(2, 3), (0, 2)]
    assert [row.most for row in pieces.rows(Input("c", "?", "cubes", (("blue", "Bert"),)))] == [20]


def test_a_question_can_be_corrected_to_every_colour_that_can_lie_there():
    claims = [DieClaim("cube", "red"), DieClaim("cube", "red"), DieClaim("cube", "green")]
    rows = pieces.asked(claims, CubesExpected((("blue", 3), ("red", 1))))
    assert [(row.colour, row.count, row.most) for row in rows] == [
        ("blue", 0, 3),
        ("red", 2, 2),
        ("green", 1, 1),
    ]
    assert len(pieces.asked(claims, None)) == len(pieces.CODES) + 1
    assert pieces.spoken(()) == "nothing"


def test_the_legend_names_each_colour_once():
    storeys = (
        Storey("1", "One", (Pieces("blue", "Bert, blue", 1),)),
        Storey("0", "Ground", (Pieces("blue", "Bert, blue", 2), Pieces("red", "Victim", 1))),
    )
    assert [p.label for p in pieces.owners(Storeys("House", storeys))] == ["Bert, blue", "Victim"]


def test_a_real_evening_draws_at_every_phase(make_house):
    house = make_house({"arosa": all_games()["arosa"]})
    house.start("arosa")
    anna = house.phone(house.anna)
    assert anna.tap("beginner_named", {"player": "anna"}).status_code == 200
    for path in ("/play", "/table", "/history", "/"):
        assert anna.get(path).status_code == 200
    assert 'id="throw-red"' in anna.page()
