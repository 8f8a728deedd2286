"""A tower's screens in a browser: thumbs, keyboard, ears, light and dark, small and large."""

import io
import re
import wave

import pytest

from chalet import GAME, Training
from companion.rules.events import CubesSeen, DieClaim, Notice, Observation, Seconds
from visits import PHONE, SCREEN, faults, take_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Tray:
    """A rehearsal that remembers what was done to it."""

    def __init__(self):
        self.done = []

    def tower(self, do, colour=""):
        self.done.append(f"{do} {colour}".strip())

    def sound(self):
        file = io.BytesIO()
        with wave.open(file, "wb") as out:
            out.setparams((1, 2, 8000, 0, "NONE", ""))
            out.writeframes(bytes(1600))
        return file.getvalue()

    def state(self):
        return {"tower": self.done[-1] if self.done else "quiet"}


def throw_all(page):
    for colour in ("yellow", "yellow", "blue", "red"):
        left = page.locator(f"#throw-{colour} strong").inner_text()
        page.locator(f"#throw-{colour}").click()
        # a tap on a button that is busy counts as the same tap
        page.wait_for_function(
            """([button, left]) => document.querySelector(`${button} strong`)?.textContent !== left
                && !document.querySelector("[aria-busy=true]")""",
            arg=[f"#throw-{colour}", left],
        )


def overlapping(page):
    """How many names stand over the numbers beside them."""
    return page.evaluate("""() => [...document.querySelectorAll(".standings tbody th")].filter((name) => {
        const edge = name.nextElementSibling.getBoundingClientRect().left;
        return [...name.querySelectorAll("span")].some((e) => e.getBoundingClientRect().right > edge + 0.5);
    }).length""")


def wide(page):
    return page.evaluate("document.documentElement.scrollWidth")


@pytest.fixture
def chalet(open_house):
    house = open_house({"chalet": GAME})
    house.start("chalet")
    return house


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_cubes_are_thrown_counted_and_somebody_is_suspected_by_taps(chalet, browse, scheme):
    phone, screen = browse(scheme, **PHONE), browse(scheme, **SCREEN)
    take_back(phone, chalet, chalet.anna)
    screen.goto(f"{chalet.address}/table")
    screen.get_by_text("Quiet please").wait_for()
    box = phone.locator("#throw-yellow").bounding_box()
    assert box["height"] >= 64
    assert box["width"] >= 300
    assert faults(phone) == []
    assert faults(screen) == []
    throw_all(phone)
    assert chalet.table.snapshot().state.named == ("yellow", "yellow", "blue", "red")
    counter = phone.locator("#act-lead-seen")
    counter.get_by_role("button", name="Yellow: one more").click()
    counter.get_by_role("button", name="Yellow: one more").click()
    counter.get_by_role("button", name="Yellow: one less").click()
    for _ in range(3):
        counter.get_by_role("button", name="Victim: one more").click(force=True)
    counter.get_by_text("Together: 3 cubes").wait_for()
    assert faults(phone) == []
    version = int(phone.locator("body").get_attribute("data-version"))
    chalet.table.notice(Notice(source="tower", state="floor lifted", level="info"))
    phone.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version)
    counter.get_by_text("Together: 3 cubes").wait_for()
    counter.locator("[type=submit]").click()
    phone.wait_for_function("() => !document.querySelector('#act-lead-seen').open")
    assert chalet.table.snapshot().state.seen == ("yellow", "red", "red")
    phone.locator("#act-list-suspect summary").click()
    phone.locator("#act-list-suspect label", has_text="Bert").click()
    phone.locator("#act-list-suspect label", has_text="Dora").click()
    assert faults(phone) == []
    phone.locator("#act-list-suspect [type=submit]").click()
    phone.wait_for_function("() => !document.querySelector('#act-list-suspect').open")
    assert chalet.table.snapshot().state.whom == ("bert", "dora")
    phone.get_by_role("button", name="Lift floor 7").click()
    phone.locator(".fact").first.wait_for()
    phone.wait_for_function("() => document.querySelectorAll('.fact').length === 7")
    assert chalet.table.snapshot().state.whom == ("floor7",)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [320, 360, 390])
def test_no_screen_of_a_tower_is_wider_than_the_phone(open_house, browse, width, scheme):
    house = open_house({"training": Training()}, rehearsal=Tray())
    house.start("training")
    phone = browse(scheme, **{**PHONE, "viewport": {"width": width, "height": 780}})
    take_back(phone, house, house.anna)
    phone.locator("tower-falls").wait_for()
    assert wide(phone) <= width
    throw_all(phone)
    phone.locator("cube-counter").first.wait_for()
    assert wide(phone) <= width
    assert overlapping(phone) == 0
    assert faults(phone) == []
    house.phone(house.anna).tap("finished")
    phone.locator("#outcome").wait_for()
    assert wide(phone) <= width
    phone.goto(f"{house.address}/table")
    phone.locator("tower-falls").wait_for()
    assert wide(phone) <= width


def test_a_turn_of_the_tower_by_keyboard_alone(chalet, browse):
    page = browse(**SCREEN)
    take_back(page, chalet, chalet.anna)
    page.locator("#throw-yellow").focus()
    for left in (3, 2, 1, 0):  # the focus goes on to the next colour by itself
        page.keyboard.press("Enter")
        page.wait_for_function(
            """left => document.querySelectorAll(".fact").length === 4 - left
                && !document.querySelector("[aria-busy=true]")""",
            arg=left,
        )
    assert page.locator("#now h1").evaluate("e => e === document.activeElement")
    more = page.get_by_role("button", name="Blue: one more")
    more.focus()
    for _ in range(6):
        page.keyboard.press("Space")
    assert more.evaluate("e => e === document.activeElement")
    assert more.get_attribute("aria-disabled") == "true"
    page.locator("#act-lead-seen [type=submit]").focus()
    page.keyboard.press("Enter")
    page.wait_for_function("() => document.querySelectorAll('.fact').length === 5")
    assert chalet.table.snapshot().state.seen == ("blue",) * 4
    floor = page.get_by_role("button", name="Lift floor 0")
    floor.focus()
    assert floor.evaluate("e => getComputedStyle(e, '::after').outlineStyle") == "solid"
    page.keyboard.press("Space")
    page.wait_for_function("() => document.querySelectorAll('.fact').length === 6")


def test_what_the_camera_doubts_is_corrected_with_two_taps(chalet, browse):
    phone = browse(**PHONE)
    take_back(phone, chalet, chalet.anna)
    throw_all(phone)
    claims = tuple(DieClaim("cube", c, 0.6, ((0.1, 0.1), (0.2, 0.1), (0.2, 0.2))) for c in ("blue", "grey"))
    event = CubesSeen(at=Seconds(0.0), cubes=("blue", "grey"))
    chalet.table.submit(
        Observation(id="q", event=event, source="camera", sure=False, reason="A shadow.", claims=claims)
    )
    question = phone.locator("cube-question")
    question.wait_for()
    assert faults(phone) == []
    confirm = question.locator("[data-confirm]")
    assert confirm.inner_text() == "Right: 1 blue, 1 grey"
    question.get_by_role("button", name="blue: one more").click()
    assert confirm.inner_text() == "Correct it to: 2 blue, 1 grey"
    confirm.click()
    question.wait_for(state="detached")
    assert chalet.table.snapshot().state.seen == ("blue", "blue", "grey")


def test_no_page_sounds_before_it_is_asked_to(chalet, browse):
    page = browse(**PHONE)
    take_back(page, chalet, chalet.anna)
    page.evaluate("window.chimes = 0; document.addEventListener('companion:chime', () => chimes++)")
    anna = chalet.phone(chalet.anna)
    anna.tap("colour_named", {"colour": "blue"})
    page.locator('#hush[data-hush=""]').wait_for(state="attached")
    anna.post("/api/undo", {"id": "u", "seq": 1})
    page.locator('#hush[data-hush="Anna"]').wait_for()
    assert page.evaluate("chimes") == 0
    switch = page.locator("#throws [data-sound]")
    assert switch.get_attribute("aria-pressed") == "false"
    switch.click()
    page.wait_for_function("() => chimes === 1")
    anna.tap("colour_named", {"colour": "blue"})
    page.locator('#hush[data-hush=""]').wait_for(state="attached")
    assert switch.get_attribute("aria-pressed") == "true"
    assert page.evaluate("chimes") == 1
    anna.post("/api/undo", {"id": "v", "seq": 3})
    page.locator('#hush[data-hush="Anna"]').wait_for()
    page.wait_for_function("() => chimes === 2")
    switch.click()
    anna.post("/api/redo", {"id": "w", "seq": 3})
    page.locator('#hush[data-hush=""]').wait_for(state="attached")
    anna.post("/api/undo", {"id": "x", "seq": 3})
    page.locator('#hush[data-hush="Anna"]').wait_for()
    assert page.evaluate("chimes") == 2


def test_asking_for_silence_moves_nothing_under_a_thumb(chalet, browse):
    phone = browse(**PHONE)
    take_back(phone, chalet, chalet.anna)
    top = phone.locator("#throw-yellow").bounding_box()["y"]
    chalet.phone(chalet.anna).tap("colour_named", {"colour": "red"})
    phone.locator('#hush[data-hush=""]').wait_for(state="attached")
    assert phone.locator("#throw-yellow").bounding_box()["y"] == top


def test_the_page_stays_where_it_is_until_all_is_thrown(chalet, browse):
    phone = browse(**{**PHONE, "viewport": {"width": 390, "height": 560}})
    take_back(phone, chalet, chalet.anna)
    phone.locator("#throw-red").scroll_into_view_if_needed()
    phone.evaluate("scrollTo(0, 200)")
    facts = len(chalet.table.snapshot().history)
    for thrown, colour in enumerate(("yellow", "blue", "red"), start=1):
        phone.locator(f"#throw-{colour}").click()
        phone.wait_for_function("n => document.querySelectorAll('.fact').length === n", arg=facts + thrown)
        assert phone.evaluate("scrollY") == 200
        phone.wait_for_function("() => !document.querySelector('[aria-busy=true]')")
    phone.locator("#throw-yellow").click()
    phone.locator("#throws").wait_for(state="detached")
    phone.wait_for_function("() => scrollY < 100")


def test_the_tower_tells_its_state_once_each_time_and_moves_nothing(chalet, browse):
    phone = browse(**PHONE)
    chalet.table.notice(Notice(source="tower", state="quiet", level="info"))
    take_back(phone, chalet, chalet.anna)
    state = phone.locator("#tower-state")
    before = phone.locator("#throw-yellow").bounding_box()
    for name in ("falling", "counted", "unsure", "quiet"):
        chalet.table.notice(Notice(source="tower", state=name, level="info"))
        state.get_by_text(name).wait_for()
        assert phone.locator("#throw-yellow").bounding_box() == before
    chalet.table.notice(Notice(source="tower", state="", level="ok"))
    state.locator(".chip").wait_for(state="detached")
    assert phone.locator("#throw-yellow").bounding_box() == before


def test_the_opened_book_is_stepped_through_and_played(open_house, browse):
    house = open_house({"training": Training()})
    house.start("training")
    page = browse(**PHONE)
    take_back(page, house, house.anna)
    told = page.locator("[data-told]")
    assert told.inner_text().startswith("3 / 3 · Victim")
    page.get_by_role("button", name="The cube before").click()
    assert told.inner_text().startswith("2 / 3 · Bert, blue: floor 0 90 %")
    assert page.locator('[data-percent="0"]').text_content() == "90 %"
    page.keyboard.press("ArrowLeft")
    assert told.inner_text().startswith("1 / 3 · Anna, yellow")
    assert page.locator("[data-found][data-here]").get_attribute("data-found") == "5"
    assert page.locator(".spark:visible").count() == 2
    assert faults(page) == []
    page.locator("[data-play]").click()
    assert page.locator("[data-play]").inner_text().strip() == "Pause"
    page.wait_for_function("() => document.querySelector('[data-told]').textContent.startsWith('3 / 3')")
    page.locator("[data-play]", has_text="Play").wait_for()
    page.locator("tower-falls summary").click()
    page.locator('[data-pick="0"]').click()
    assert told.inner_text().startswith("1 / 3")
    assert faults(page) == []


@pytest.mark.parametrize(("wish", "moving"), [("reduce", False), ("no-preference", True)])
def test_the_shared_screen_plays_the_book_by_itself_for_who_likes_moving_things(
    open_house, browse, wish, moving
):
    house = open_house({"training": Training()})
    house.start("training")
    page = browse(**SCREEN, reduced_motion=wish)
    page.goto(f"{house.address}/table")
    page.locator("[data-play]").wait_for()
    assert page.locator(".hush .glyph").evaluate("e => e.getAnimations().length > 0") is moving
    assert faults(page) == []
    house.phone(house.anna).tap("finished")
    page.locator('[data-auto="all"]').wait_for()
    page.goto(f"{house.address}/table")
    page.locator("[data-told]", has_text="1 / 3" if moving else "3 / 3").wait_for()
    assert page.locator("[data-play]").inner_text().strip() == ("Pause" if moving else "Play")


def test_the_shared_screen_shows_a_whole_turn_at_once(chalet, browse):
    screen = browse(**SCREEN)
    screen.goto(f"{chalet.address}/table")
    for colour in ("", "red", "yellow", "yellow", "blue"):
        if colour:
            chalet.phone(chalet.anna).tap("colour_named", {"colour": colour})
        version = chalet.table.snapshot().version
        screen.wait_for_function("v => Number(document.body.dataset.version) >= v", arg=version)
        assert screen.evaluate("document.documentElement.scrollHeight") <= SCREEN["viewport"]["height"]
        assert wide(screen) <= SCREEN["viewport"]["width"]
    assert screen.locator(".lot").count() == 17
    outside = """() => [...document.querySelectorAll(".storeys .lot, .storeys .chip")].filter((lot) => {
        const [inner, outer] = [lot, lot.closest(".storey-house")].map((e) => e.getBoundingClientRect());
        return inner.left < outer.left || inner.right > outer.right
            || inner.top < outer.top || inner.bottom > outer.bottom || inner.bottom > innerHeight;
    }).length"""
    assert screen.evaluate(outside) == 0


@pytest.mark.parametrize("width", [1000, 1024, 1200, 1280, 1920])
def test_names_stand_beside_their_numbers(chalet, browse, width):
    screen = browse(viewport={"width": width, "height": 800})
    screen.goto(f"{chalet.address}/table")
    screen.locator(".standings").wait_for()
    assert overlapping(screen) == 0
    assert wide(screen) <= width
    card = screen.locator(".standings").bounding_box()
    table = screen.locator(".standings table").bounding_box()
    assert table["x"] + table["width"] <= card["x"] + card["width"]


def test_a_rehearsed_cube_falls_with_each_colour_that_is_tapped(open_house, browse):
    tray = Tray()
    house = open_house({"chalet": GAME}, rehearsal=tray)
    house.start("chalet")
    phone = browse(**PHONE)
    take_back(phone, house, house.anna)
    assert not phone.get_by_role("button", name="Nudge a die").is_visible()
    phone.get_by_role("button", name="Two at once").click()
    phone.get_by_text("tower: drop two").wait_for()
    phone.get_by_role("button", name="Drop at each colour tapped").click()
    phone.locator("#throw-blue").click()
    phone.get_by_text(re.compile("tower: drop blue$")).wait_for()
    phone.locator(".rehearsal-more summary").click()
    assert faults(phone) == []
    phone.get_by_role("button", name="Unplug the microphone").click()
    phone.get_by_text("tower: deaf").wait_for()
    assert tray.done == ["drop two", "drop blue", "deaf"]
    assert house.table.snapshot().state.named == ("blue",)


def test_own_colours_keep_the_cubes_apart(chalet, browse):
    page = browse(**SCREEN, forced_colors="active")
    page.goto(f"{chalet.address}/table")
    page.locator(".cube").first.wait_for()
    assert page.locator(".throws .cube text").all_text_contents() == ["Ye", "Bu", "Rd"]
    assert faults(page) == []
