"""A turn without a finger or a mouse: every step has a name, a place in the order, and keeps the focus."""

import pytest

from visits import PHONE, SCREEN, faults, host_and_start, sit, throw

pytestmark = [pytest.mark.browser, pytest.mark.slow]

FOCUS = "e => e === document.activeElement"


def press(page, name, key="Enter"):
    button = page.get_by_role("button", name=name).first
    button.focus()
    page.keyboard.press(key)


def heard(page):
    """Everything that the live region says from now on."""
    page.evaluate("""() => {
        window.said = [];
        const region = document.getElementById("announcer");
        new MutationObserver(() => said.push(region.textContent)).observe(region, {childList: true});
    }""")


def test_a_turn_by_keyboard_alone(open_house, browse):
    house = open_house()
    page = browse(**SCREEN)
    page.goto(house.address)
    page.locator("#join-name").focus()
    page.keyboard.type("Clara")
    page.keyboard.press("Enter")
    page.wait_for_url("**/play")
    host_and_start(page, house)
    page.keyboard.press("Tab")
    skip = page.get_by_text("Skip to the content")
    assert skip.evaluate(FOCUS)
    assert skip.bounding_box()["width"] > 100
    heard(page)
    for name in [f"white {face}" for face in "1122334"] + ["coloured 2"]:
        press(page, name, "Space")
    press(page, "Record 1 1 2 2 3 3 4 2")
    page.locator("#die-w1").wait_for()
    assert page.locator("#now h1").evaluate(FOCUS)
    page.locator("#die-w1").focus()
    page.keyboard.press("Space")
    page.locator('.die[data-state="held"]').wait_for()
    assert page.locator("#die-w1").evaluate(FOCUS)
    press(page, "Stop rolling")
    page.get_by_role("heading", name="Search the parlour.").wait_for()
    assert page.locator("#now h1").evaluate(FOCUS)
    press(page, "Pause the game")
    page.locator('#now [data-act="resume"]').focus()
    page.keyboard.press("Enter")
    page.locator('#now [data-act="resume"]').wait_for(state="detached")
    assert page.locator("#now h1").evaluate(FOCUS)
    said = page.evaluate("said")
    assert said.count("Search the parlour.") == 1
    assert len(said) <= 6


def test_a_correction_by_keyboard_reads_the_change_before_it_is_made(open_house, browse):
    house = open_house()
    page = browse(**PHONE)
    sit(page, house, "Clara")
    host_and_start(page, house)
    throw(page, "1122334", "2")
    press(page, "A die was read wrong")
    page.locator("amend-form [data-turn]").first.focus()
    page.keyboard.press("Space")
    press(page, "What would change?")
    page.locator(".changes li").first.wait_for()
    assert page.locator("[data-preview]").evaluate(FOCUS)
    page.keyboard.press("Tab")
    assert page.locator("[data-amend-now]").evaluate(FOCUS)
    page.keyboard.press("Enter")
    page.locator("#amend:not([open])").wait_for(state="attached")
    assert "white:2" in house.table.snapshot().history[0].line


def test_own_colours_keep_the_places_of_the_board_apart(open_house, browse):
    house = open_house()
    page = browse(**SCREEN, forced_colors="active")
    house.start()
    page.goto(f"{house.address}/table")
    assert faults(page) == []
    assert page.locator(".cell").first.evaluate("e => getComputedStyle(e).borderTopStyle") == "solid"


@pytest.mark.parametrize(("wish", "moving"), [("reduce", 0), ("no-preference", 1)])
def test_nothing_moves_for_those_who_wish_it(open_house, browse, wish, moving):
    house = open_house()
    page = browse(**PHONE, reduced_motion=wish)
    page.goto(house.address)
    opened = "e => (e.click(), document.getElementById('qr').getAnimations().length)"
    assert page.locator('[data-opens="qr"]').evaluate(opened) == moving


def test_twice_as_large_nothing_is_lost_sideways(open_house, browse):
    house = open_house()
    house.start()
    page = browse(viewport={"width": 640, "height": 400}, device_scale_factor=2)
    for path in ("/", "/table", "/history"):
        page.goto(house.address + path)
        assert page.evaluate("document.documentElement.scrollWidth") <= 640, path
