"""What is drawn: every panel, no secret where it does not belong, and once for all who see the same."""

import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from companion.games import all_games, folder
from companion.rules.events import DieFace, Notice
from companion.rules.view import Board, Cell, Dice, Mark, Panel, View
from house import ROLL
from web import shapes
from web.lines import Line, put_together, taken_apart
from web.who import Who

TEMPLATES = Path(shapes.__file__).with_name("templates")


def test_every_kind_of_panel_has_a_template():
    from companion.rules import view

    kinds = {c.kind for c in vars(view).values() if isinstance(c, type) and issubclass(c, view.Panel)}
    assert {p.stem for p in (TEMPLATES / "panels").glob("*.html")} == kinds


@pytest.mark.parametrize("place", ["hand", "middle", "side"])
def test_a_panel_of_a_games_own_stands_where_it_says(place):
    own = type("Own", (Panel,), {"kind": "own", "place": place})("Own")
    shown = shapes.zones(View("", "", "", (Dice("Dice", ()), own)))
    assert getattr(shown, place)[-1] is own
    assert shown.hand[0].kind == "dice"


def test_every_drawing_named_is_in_the_sprite():
    sprite = (TEMPLATES / "parts" / "sprite.html").read_text()
    there = set(re.findall(r'id="g-([\w-]+)"', sprite))
    named = {
        n for p in TEMPLATES.rglob("*.html") for n in re.findall(r'glyph\("([\w-]+)"\)', p.read_text())
    }
    assert named <= there
    assert there >= shapes.GLYPHS


def test_the_phone_shows_every_panel(house):
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("searched", {"room": "study"})
    anna.tap("noted", {"text": "only for me"})
    page = anna.page()
    for text in (
        "minutes",
        "Who was it?",
        "arrow on a1, pointing east",
        "Carried",
        "Mind",
        "only for me",
        "Police Car",
    ):
        assert text in page, text
    assert 'data-word="held"' in page
    assert "why not?" in page
    assert "It is locked and you have no key." in page
    assert 'data-warning="That ends the game."' in page
    assert "<tile-editor" in page
    assert "A die was read wrong" in page


def test_the_table_shows_no_secret_and_offers_nothing(house):
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("noted", {"text": "only for me"})
    page = anna.page("/table")
    assert "only for me" not in page
    assert "data-tap" not in page
    assert "<dice-pad" not in page
    assert "anna made a note." in page


def test_the_table_has_no_empty_history(make_house):
    house = make_house()
    house.start()
    anna = house.phone(house.anna)
    assert "What happened" not in anna.page("/table")
    anna.throw()
    assert "What happened" in anna.page("/table")


def test_who_watches_sees_the_game_and_is_offered_nothing(make_house):
    house = make_house()
    house.start(seats=(house.anna,))
    house.phone(house.anna).throw()
    page = house.phone(house.bert).page()
    assert "You watch this game" in page
    assert "Who was it?" in page
    assert house.bert.code in page
    for offer in ("data-tap", "data-die=", "<dice-pad", 'data-act="undo"', "data-amend"):
        assert offer not in page, offer


def test_titles_and_addresses_hold_no_name(house):
    for path in ("/", "/play", "/table", "/history"):
        page = house.phone(house.anna).page(path)
        assert re.search(r"<title>(.*)</title>", page)[1] == "Companion"


def test_what_players_type_is_escaped(house):
    anna = house.phone(house.anna)
    anna.throw()
    anna.tap("noted", {"text": "<script>alert(1)</script>"})
    anna.tap("searched", {"room": "<img src=x>'\""})
    house.table.rename_seat(house.bert.key, "<b>Bert")
    page = anna.page()
    assert "<script>alert" not in page
    assert "<img src=x>" not in page
    assert "<b>Bert" not in anna.page("/")


def test_one_drawing_serves_all_who_see_the_same(house):
    screens, now = house.desk.screens, house.table.snapshot()
    before = screens.drawn
    with ThreadPoolExecutor(16) as pool:
        pages = set(pool.map(lambda n: screens.html("play", now, Who(f"d{n}", house.anna)), range(50)))
        tables = set(pool.map(lambda n: screens.html("table", now, Who(f"d{n}")), range(50)))
    assert (len(pages), len(tables)) == (1, 1)
    assert screens.drawn - before == 2


def test_a_new_version_is_drawn_anew(house):
    anna = house.phone(house.anna)
    first = anna.page()
    anna.throw()
    assert anna.page() != first


def test_a_seat_never_gets_the_drawing_of_another(house):
    anna, bert = house.phone(house.anna), house.phone(house.bert)
    anna.throw()
    anna.tap("noted", {"text": "annas own"})
    assert "annas own" in anna.page()
    assert "annas own" not in bert.page()
    renewed = house.table.renew_seat(house.anna.key)
    assert renewed.code in house.phone(renewed).page()


def test_notices_are_banners_with_their_remedy(house):
    house.table.notice(
        Notice(source="camera", state="too dark", text="Hard to see.", remedy="Turn on the lamp.")
    )
    page = house.phone(house.anna).page()
    assert "Camera: too dark." in page
    assert "Turn on the lamp." in page
    assert "<dice-pad" in page


def test_the_outcome_is_shown_to_all(house):
    anna = house.phone(house.anna)
    anna.tap("accused", {"whom": "Colonel Rust"})
    for path in ("/play", "/table"):
        page = anna.page(path)
        assert "Colonel Rust did it." in page
        assert "Anna won." in page


def test_the_pad_asks_for_the_thrown_dice_and_changes_with_every_throw(house):
    anna = house.phone(house.anna)
    first = shapes.pad(house.table.snapshot())
    assert first.kinds == (("white", 7), ("coloured", 1))
    anna.throw()
    anna.tap("held", {"dice": "w1,c"})
    second = shapes.pad(house.table.snapshot())
    assert second.kinds == (("white", 6),)
    assert second.held == (DieFace("white", "1"), DieFace("coloured", "5"))
    assert first.key != second.key
    house.table.notice(Notice(source="x", state="y"))
    assert shapes.pad(house.table.snapshot()) == second
    anna.tap("stopped")
    assert shapes.pad(house.table.snapshot()) is None


def test_the_amend_form_shows_the_dice_of_the_throw(house):
    anna = house.phone(house.anna)
    anna.throw()
    form = anna.page("/amend/1")
    assert form.count("data-turn") == 8
    anna.tap("searched", {"room": "study"})
    assert 'name="room" value="study"' in anna.page("/amend/2")
    assert anna.get("/amend/99").status_code == 404


def test_every_game_draws_for_every_screen(make_house):
    for slug, game in all_games().items():
        house = make_house({slug: game})
        house.start(slug)
        anna = house.phone(house.anna)
        assert game.title in anna.page()
        assert game.title in anna.page("/table")


def test_no_template_or_script_knows_a_game():
    names = {*all_games(), "moss", "arosa", "parlour"}
    for path in (*TEMPLATES.rglob("*.html"), *TEMPLATES.with_name("static").rglob("*.js")):
        if "vendor" not in path.parts:
            found = {name for name in names if re.search(rf"\b{name}\b", path.read_text(), re.IGNORECASE)}
            assert not found, path


@pytest.mark.parametrize(
    "line",
    [
        "3.5 anna moved to=c4 dice=w1,w2",
        '0.0 table note text="a \\"b\\", c = d"',
        "0.0 anna stopped",
        "1.25 anna held dice=",
    ],
)
def test_lines_come_apart_and_together(line):
    assert put_together(taken_apart(line)) == line


def test_a_text_with_spaces_is_quoted():
    assert (
        put_together(Line("0.0", "anna", "note", {"text": "who, me?"})) == '0.0 anna note text="who, me?"'
    )


def test_the_frame_around_a_board():
    cells = tuple(Cell(f"{c}{r}", "") for r in (1, 2) for c in "ab")
    frame = shapes.ring(Board("", 2, cells, (("b1", "E", "Car"), ("a2", "S", "Shed"))))
    assert frame == (("", "", "", ""), ("", "", "", "Car"), ("", "", "", ""), ("", "Shed", "", ""))


def test_cells_are_spoken_with_all_that_is_on_them():
    cell = Cell(
        "c3", "c3: Library, doors", number="4", sides="ol..", marks=(Mark("suspect", "Plum"),), lit=True
    )
    assert (
        shapes.spoken_cell(cell)
        == "c3, Library, number 4, open door north, locked door east, Plum, in a ray"
    )
    assert shapes.spoken_cell(Cell("a1", "a1: face-down", face_down=True, number="9")) == "a1, face down"


def test_a_screen_reader_hears_headline_warnings_and_what_runs_low(house):
    anna = house.phone(house.anna)
    now = house.table.snapshot()
    assert shapes.said(house.table.view(now, None)) == "Throw 1 of 3."
    for room in ("study", "attic"):
        anna.tap("searched", {"room": room})
    view = house.table.view(house.table.snapshot(), None)
    assert shapes.said(view) == "Throw 1 of 3. 21 minutes left. One more search and the clock runs low."


def test_dice_are_read_out():
    dice = [DieFace.parse(text) for text in ROLL]
    assert shapes.question(dice) == "8 dice: 1 2 3 4 5 6 1, coloured 5"
    assert shapes.question(dice[:1]) == "1 die: 1"
    assert shapes.question([]) == "0 dice: none"


def test_rays_are_drawn_the_way_they_run(make_house):
    house = make_house(all_games())
    played = (folder(house.table.games["moss"]) / "playthroughs" / "won.txt").read_text(encoding="utf-8")
    house.table.open_game(house.table.import_game(played).id)
    board = next(p for p in house.table.view(house.table.snapshot(), None).panels if p.kind == "board")
    ways = [way for cell in board.cells for way in cell.rays]
    assert ways
    page = house.phone().page("/table")
    assert page.count('class="cell-rays"') == sum(bool(cell.rays) for cell in board.cells)
    assert all(f"rotate({way * 45} 50 50)" in page for way in ways)
