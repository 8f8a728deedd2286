"""Two browsers at one table: a phone of 390 pixels plays, a screen of 1280 shows; axe finds no fault."""

import re

import pytest

from companion.games import all_games
from companion.rules.events import DieClaim, Notice
from house import PLAIN
from visits import PHONE, SCREEN, faults, host_and_start, lay_out, sit, take_back, throw
from web import PhotoReading, create_app, serve

pytestmark = [pytest.mark.browser, pytest.mark.slow]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_turn_of_moss_on_a_phone_and_a_table_screen(open_house, browse, scheme):
    house = open_house({"moss": all_games()["moss"]})
    phone, screen = browse(scheme, **PHONE), browse(scheme, **SCREEN)
    sit(phone, house, "Clara")
    assert faults(phone) == []
    screen.goto(f"{house.address}/table")
    screen.get_by_text("Waiting for a game").wait_for()
    host_and_start(phone, house)
    screen.get_by_text("Inspector Moss").first.wait_for()
    lay_out(phone, house)
    assert faults(phone) == []
    throw(phone, "1122334", "2")
    screen.locator(".track-pending").wait_for()
    phone.locator("#die-w1").click()
    phone.locator("#die-w1[aria-pressed=true]").wait_for()
    screen.locator('.die[data-state="held"]').wait_for()
    phone.get_by_role("button", name="Stop rolling").click()
    phone.get_by_role("button", name="End the turn").first.wait_for()
    assert faults(phone) == []
    assert faults(screen) == []
    minutes = int(screen.locator(".track-figure strong").inner_text())
    phone.get_by_role("button", name="End the turn").first.click()
    screen.locator(".track-figure strong", has_text=re.compile(f"^{minutes - 2}$")).wait_for()
    phone.goto(house.address)
    assert faults(phone) == []


def test_local_state_stays_while_others_play(open_house, browse):
    house = open_house()
    house.start()
    phone = browse(**PHONE)
    take_back(phone, house, house.anna)
    bert = house.phone(house.bert)
    bert.throw()
    phone.locator("#tray").wait_for()
    bert.tap("stopped")
    phone.locator('#tray[data-mode="choose"]').wait_for()
    phone.locator("#act-list-search summary").click()
    phone.locator("#act-list-search label", has_text="Attic").click()
    phone.locator("#die-w2").click()
    phone.locator("#die-w4").click()
    phone.locator("#act-list-note summary").click()
    phone.locator("#act-list-note-text").fill("half a thou")
    phone.locator("#act-list-tile summary").click()
    phone.locator("#act-list-tile [data-step='1']").click()
    phone.locator("#act-list-note-text").focus()
    scrolled = phone.evaluate("scrollY")
    version = int(phone.locator("body").get_attribute("data-version"))
    bert.tap("searched", {"room": "cellar", "dice": "w7"})
    phone.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version)
    assert phone.locator("#act-list-search").get_attribute("open") is not None
    assert phone.locator("#act-list-search input[value=attic]").is_checked()
    assert phone.locator("#act-list-note-text").input_value() == "half a thou"
    assert phone.evaluate("document.activeElement.id") == "act-list-note-text"
    assert abs(phone.evaluate("scrollY") - scrolled) < 200
    assert phone.locator("#act-list-tile output[data-part=number]").inner_text() == "4"
    assert phone.locator("#act-list-search [data-chosen]").inner_text() == "2 4"
    phone.locator("#act-list-search [type=submit]").click()
    phone.locator("#die-w2, .die[data-state=used]").first.wait_for()
    phone.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version + 1)
    assert "room=attic dice=w2,w4" in house.table.snapshot().history[-1].line


def test_a_doubtful_photograph_is_corrected_with_two_taps(open_house, browse):
    claims = (
        DieClaim("white", "1", 0.4, ((0.1, 0.1), (0.3, 0.1), (0.3, 0.3), (0.1, 0.3)), ("6",)),
        *(DieClaim("white", face, 0.99) for face in "234561"),
        DieClaim("coloured", "5", 0.99),
    )
    pixel = bytes.fromhex(
        "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000d49444154789c6360f8cfc0"
        "f01f0005000110ff3fd8e8b70000000049454e44ae426082"
    )
    house = open_house(
        read_photo=lambda *_: PhotoReading(claims, False, "doubtful", "One leans.", pixel, 0.5)
    )
    phone = browse(**PHONE)
    sit(phone, house, "Clara")
    host_and_start(phone, house)
    file = {"name": "a.jpg", "mimeType": "image/jpeg", "buffer": b"jpeg"}
    phone.set_input_files("[data-photo]", files=[file])
    phone.locator("dice-question").wait_for()
    assert faults(phone) == []
    phone.locator('[data-dice] [data-n="0"]').click()
    assert phone.locator("[data-chooser] [data-pick]").first.get_attribute("data-face") == "6"
    assert faults(phone) == []
    phone.locator("[data-chooser] [data-pick]").first.click()
    assert phone.locator("[data-confirm]").inner_text() == "8 dice: 6 2 3 4 5 6 1, coloured 5 - right?"
    phone.locator("[data-confirm]").click()
    phone.locator("#tray").wait_for()
    assert "white:6" in house.table.snapshot().history[-1].line


def test_warnings_refusals_correction_and_undo(open_house, browse):
    house = open_house()
    house.table.notice(Notice(source="camera", state="too dark", remedy="Turn on the lamp."))
    phone = browse(**PHONE)
    sit(phone, house, "Clara")
    host_and_start(phone, house)
    throw(phone, "1122334", "2")
    phone.locator("#act-list-climb summary").click()
    phone.get_by_text("It is locked and you have no key.").first.wait_for()
    phone.locator("#act-list-panic").click()
    phone.get_by_role("button", name="Leave it").click()
    assert house.table.snapshot().outcome is None
    phone.get_by_role("button", name="A die was read wrong").click()
    phone.locator("amend-form [data-turn]").first.click()
    phone.get_by_role("button", name="What would change?").click()
    phone.locator(".changes li").first.wait_for()
    assert faults(phone) == []
    phone.get_by_role("button", name="Correct it").click()
    phone.locator("#amend:not([open])").wait_for(state="attached")
    assert "white:2" in house.table.snapshot().history[0].line
    phone.locator('[data-act="undo"]').click()
    phone.locator(".fact-undone").wait_for()
    phone.locator("#cell-b3").click()
    phone.get_by_role("button", name="Walk to b3").last.click()
    phone.locator("dialog[open]").wait_for(state="detached")
    assert house.table.snapshot().history[-1].line is not None


def test_the_stale_banner_says_why_and_goes_with_the_first_event(make_house, browse):
    house = make_house()
    server = serve(house.app, "127.0.0.1", 0, threads=24)
    page = browse(**SCREEN)
    page.goto(f"http://localhost:{server.port}/table")
    page.get_by_text("Waiting for a game").wait_for()
    stale = page.locator("#stale")
    assert not stale.is_visible()
    server.close()
    stale.get_by_text("The companion was turned off.").wait_for()
    assert faults(page) == []
    again = serve(create_app(house.table, PLAIN), "127.0.0.1", server.port, threads=24)
    house.table.join("Clara")
    page.get_by_text("Clara").wait_for(timeout=15000)
    assert not stale.is_visible()
    again.close()


def test_another_stream_of_the_same_browser_lets_the_oldest_rest(open_house, browse):
    house = open_house()
    first = browse(**SCREEN)
    first.goto(f"{house.address}/table")
    first.get_by_text("Waiting for a game").wait_for()
    for _ in range(4):
        page = first.context.new_page()
        page.goto(f"{house.address}/table")
        page.get_by_text("Waiting for a game").wait_for()
    first.locator("#stale").get_by_text("This page rests").wait_for()
    assert not page.locator("#stale").is_visible()


def test_a_phone_in_the_pocket_is_silent_and_catches_up_when_it_wakes(open_house, browse):
    house = open_house()
    page = browse(**PHONE)
    page.goto(house.address)
    page.get_by_text("Anna").first.wait_for()
    hide = """hidden => {
        Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(hide, True)
    version = page.locator("body").get_attribute("data-version")
    house.table.join("Clara")
    house.table.join("Dora")
    # a whole answer later the stream, were it open, would have told
    page.evaluate("fetch('/healthz').then(answer => answer.json())")
    assert page.locator("body").get_attribute("data-version") == version
    page.evaluate(hide, False)
    page.get_by_text("Dora").wait_for()
    assert not page.locator("#stale").is_visible()


def test_the_lamp_is_turned_on_and_stays_on(open_house, browse):
    house = open_house()
    page = browse("light", **PHONE)
    page.goto(house.address)
    light = page.evaluate("getComputedStyle(document.body).color")
    page.locator("[data-theme-switch]").click()
    assert page.evaluate("getComputedStyle(document.body).color") != light
    page.goto(f"{house.address}/table")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_a_timer_counts_on_the_phone_and_stands_still_while_paused(open_house, browse, ticks):
    house = open_house()
    house.start()
    page = browse(**SCREEN)
    page.goto(f"{house.address}/table")
    timer = page.locator("count-down")
    timer.get_by_text("1:30").wait_for()
    timer.get_by_text("1:28").wait_for()
    house.table.pause(seat=house.anna.key)
    page.get_by_text("Paused").first.wait_for()
    timer.get_by_text("1:30").wait_for()
    page.wait_for_function("end => performance.now() > end", arg=page.evaluate("performance.now()") + 1200)
    assert timer.inner_text() == "1:30"
    assert faults(page) == []


def test_an_action_is_paid_with_the_dice_that_were_tapped(open_house, browse):
    house = open_house({"moss": all_games()["moss"]})
    phone = browse(**PHONE)
    sit(phone, house, "Clara")
    clara = next(seat for seat in house.table.snapshot().seats if seat.name == "Clara")
    # tiles described as the form proposes them have doors on every side and one number
    mine = {"pieces": "mine"}
    house.table.start_game(slug="moss", title="", seats=(clara.key,), options=mine)
    phone.locator(".leads").wait_for()
    lay_out(phone, house)
    number = next(
        room.tile.number for room in house.table.snapshot().state.rooms if room and room.tile.number > 1
    )
    house.phone(clara).throw([*(f"white:{number}" for _ in range(7)), "coloured:1"])
    house.phone(clara).tap("rolling_stopped")
    phone.locator('#tray[data-mode="choose"] #die-w5').click()
    phone.get_by_role("button", name="Walk to").first.click()
    phone.locator(".die[data-state=used]").wait_for()
    assert house.table.snapshot().state.turn.used == ("w5",)
