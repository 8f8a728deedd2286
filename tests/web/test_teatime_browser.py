"""Tea Time Crime on phones: a place is tapped, then what lies there; a tile is moved on a map."""

import pytest

from companion.games.teatime.rules import GAME
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from companion.rules.game import Setup
from games.guests_at_tea import Guests
from games.midway import opened
from visits import PHONE, SCREEN, faults, take_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOCUS = "e => e === document.activeElement"
SMALL = {"width": 1280, "height": 720}
LINES = """all => [...new Set(all.map(
    one => Math.floor(one.offsetHeight / parseFloat(getComputedStyle(one).fontSize))
))]"""
WIDE = "document.documentElement.scrollWidth - innerWidth"


@pytest.fixture
def evening(open_house):
    """The box on the table, Anna goes first."""
    house = open_house({"teatime": GAME})
    keys = tuple(seat.key for seat in (house.anna, house.bert))
    house.table.start_game(slug="teatime", title="Tea", seats=keys, options={"first": "seat"})
    return house


def throw(house, faces):
    name = f"roll-{house.table.snapshot().version}"
    dice = tuple(DieFace("teatime", "glass" if face == "g" else face) for face in faces)
    event = DiceRolled(at=Seconds(0.0), roll=name, dice=dice)
    assert house.table.submit(Observation(id=name, event=event, source="camera")).status == "kept"


def phone(house, browse, seat, **more):
    page = browse(**more)
    take_back(page, house, seat)
    return page


def test_a_tile_is_turned_up_and_moved_by_tapping_the_house(evening, browse):
    anna = phone(evening, browse, evening.anna, **PHONE)
    bert = phone(evening, browse, evening.bert, **{**PHONE, "viewport": {"width": 320, "height": 640}})
    throw(evening, "331gg")
    anna.locator("#tea-3-2.tea-reached").click()
    sheet = anna.locator("#tea-about-3-2")
    sheet.get_by_role("button", name="Dice tile 5", exact=True).click()
    sheet.wait_for(state="hidden")
    anna.locator('.tea-right[aria-label="1 dice tile 5"]').first.wait_for()
    bert.locator("#tea-1-3.tea-reached").click()
    other = bert.locator("#tea-about-1-3")
    other.get_by_text("Thief, another one: mark it below").click()
    for way in ("↑ up", "→ right", "↗ up and right"):
        other.get_by_role("checkbox", name=way, exact=True).check()
    other.get_by_role("button", name="Turn it up").click()
    other.wait_for(state="hidden")
    bert.locator("#tea-1-3.tea-thief").wait_for()
    assert str(evening.table.snapshot().state.box[-1]) == "thief:N.NE.E"
    assert (anna.evaluate(WIDE), bert.evaluate(WIDE)) == (0, 0)
    throw(evening, "11145")
    bert.locator("#tea-1-3.tea-reached").click()
    bert.locator("#tea-about-1-3").get_by_role("button", name="Leave the thief").click()
    anna.locator("#tea-4-1.tea-reached").click()
    anna.locator("#tea-about-4-1").get_by_role("button", name="Thief ↑↗→", exact=True).click()
    anna.locator("#tea-4-1.tea-thief").wait_for()
    assert evening.table.snapshot().state.round == 3


def with_a_thief_to_move(evening):
    throw(evening, "331gg")
    tap(evening, "anna", number="3", column="2", shows="dice:5")
    evening.table.tap(id="b1", seat=evening.bert.key, word="passed", args={})
    throw(evening, "11145")
    evening.table.tap(id="b2", seat=evening.bert.key, word="passed", args={})
    tap(evening, "anna", number="4", column="1", shows="master")
    throw(evening, "42355")


def middle(page, selector):
    box = page.locator(selector).bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_a_tile_is_dragged_to_a_free_room_and_back_to_its_own_means_nothing(evening, browse):
    anna = phone(evening, browse, evening.anna, **PHONE)
    with_a_thief_to_move(evening)
    anna.locator("#tea-4-1.tea-reached.tea-loose").scroll_into_view_if_needed()
    assert anna.locator(".tea-loose").count() == 1
    here, there = middle(anna, "#tea-4-1"), middle(anna, "#tea-3-2")
    before = evening.table.snapshot().version
    anna.mouse.move(*here)
    anna.mouse.down()
    anna.mouse.move(*there, steps=4)
    assert anna.locator("#tea-3-2.tea-room-free").count() == 1
    anna.mouse.move(*here, steps=4)
    anna.mouse.up()
    assert not anna.locator("dialog[open]").count()
    assert not anna.locator(".teahouse .tea-grid .tea-room-free, .tea-dragged").count()
    assert evening.table.snapshot().version == before
    anna.mouse.down()
    anna.mouse.move(*there, steps=4)
    anna.mouse.up()
    anna.locator("#tea-3-2.tea-master").wait_for()
    anna.locator("#tea-4-1.tea-room").wait_for()
    assert not anna.locator("dialog[open]").count()
    assert not anna.locator(".tea-grid [style]").count()


def test_a_detective_is_moved_on_the_map(evening, browse):
    anna = phone(evening, browse, evening.anna, **PHONE)
    with_a_thief_to_move(evening)
    anna.locator("#tea-4-1.tea-reached").click()
    anna.locator("#tea-about-4-1").get_by_role("button", name="Row 3, column 2, room 4").click()
    anna.locator("#tea-3-2.tea-master").wait_for()
    anna.locator("#tea-4-1.tea-room").wait_for()


def tap(house, name, **args):
    seat = next(seat.key for seat in house.table.snapshot().seats if seat.name.lower() == name)
    id_ = f"tap-{house.table.snapshot().version}"
    assert house.table.tap(id=id_, seat=seat, word="tile_activated", args=args).status == "kept"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_nothing_serious_stands_in_the_way_of_anybody(evening, browse, scheme):
    throw(evening, "331gg")
    page = phone(evening, browse, evening.anna, scheme=scheme, **PHONE)
    page.locator("#tea-3-2").focus()
    page.keyboard.press("Enter")
    sheet = page.locator("#tea-about-3-2")
    sheet.get_by_role("button", name="Dice tile 5", exact=True).wait_for()
    assert faults(page) == []
    page.keyboard.press("Escape")
    sheet.wait_for(state="hidden")
    assert page.locator("#tea-3-2").evaluate(FOCUS)
    assert faults(page) == []
    screen = browse(scheme=scheme, **SCREEN)
    screen.goto(f"{evening.address}/table")
    screen.locator(".tea-home").nth(1).wait_for()
    assert faults(screen) == []
    assert screen.evaluate(WIDE) == 0


def test_what_is_to_be_laid_out_is_read_from_across_the_room(open_house, browse):
    house = open_house({"teatime": GAME})
    house.start("teatime")
    screen = browse(viewport=SMALL)
    screen.goto(f"{house.address}/table")
    lines = screen.locator(".text-prompt .lines")
    assert lines.evaluate("e => parseFloat(getComputedStyle(e).fontSize)") > 20
    assert screen.evaluate("document.documentElement.scrollHeight") <= SMALL["height"]


def test_two_boards_are_drawn_large_on_a_small_table_screen(evening, browse):
    screen = browse(viewport=SMALL)
    screen.goto(f"{evening.address}/table")
    throw(evening, "331gg")
    screen.locator(".tea-home").nth(1).wait_for()
    assert screen.locator(".tea-cell").first.evaluate("e => e.offsetWidth") >= 44
    assert screen.evaluate("document.documentElement.scrollHeight") <= SMALL["height"]
    assert screen.evaluate(WIDE) <= 0
    assert faults(screen) == []


@pytest.mark.parametrize("players", [2, 4])
def test_boards_and_how_it_ended_fit_a_small_table_screen(open_house, browse, players):
    names = ("anna", "ben", "carla", "dora")[:players]
    setup = Setup(names, options={"boards": "phones"}, deal="four")
    facts = [fact for _, fact in Guests(3).play(setup)]
    house = open_house({"teatime": GAME})
    opened(house.table, GAME, setup, facts)
    screen = browse(viewport=SMALL)
    screen.goto(f"{house.address}/table")
    screen.locator("#outcome").wait_for()
    assert screen.locator(".tea-home").count() == players
    assert screen.evaluate("document.documentElement.scrollHeight") <= SMALL["height"]
    assert screen.evaluate(WIDE) <= 0
    assert screen.locator(".fact time").evaluate_all(LINES) == [1]
