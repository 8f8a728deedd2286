"""What has to be in sight is in sight, and what has to be done takes few taps."""

import pytest

from companion.games import all_games
from companion.rules.events import DiceRolled, DieClaim, DieFace, Notice, Observation, Seconds
from house import ROLL
from visits import PHONE, SCREEN, faults, host_and_start, sit

pytestmark = [pytest.mark.browser, pytest.mark.slow]


BLURRED = (
    "The coloured die read as 5 is out of focus: wipe the lens and focus it, or hold the phone still and "
    "further away."
)
"""With it a reason is as long as they come."""


class Tray:
    """A rehearsal that does nothing but say that it is one."""

    def state(self):
        return {"dice": "8", "lamp": "100%", "tray": "at rest"}


def ask(house, dice, ident="seen-1"):
    claims = tuple(DieClaim(*text.split(":"), confidence=0.6) for text in dice)
    event = DiceRolled(at=Seconds(0.0), roll=ident, dice=tuple(DieFace(c.kind, c.face) for c in claims))
    reason = f"{len(dice)} dice are seen, 8 should lie here. {BLURRED}"
    seen = Observation(
        id=ident, event=event, source="camera", sure=False, reason=reason, claims=claims, confidence=0.5
    )
    assert house.table.submit(seen).status == "asked"


def edge(page, selector, side="bottom"):
    return page.locator(selector).first.evaluate(f"e => e.getBoundingClientRect().{side}")


def test_the_table_screen_shows_all_of_moss_at_once_with_a_question_and_a_rehearsal(open_house, browse):
    house = open_house({"moss": all_games()["moss"]}, rehearsal=Tray())
    house.start("moss")
    anna = house.phone(house.anna)
    for cell in ("c2", "d3", "c4", "b3"):
        assert anna.tap("tile_revealed", {"cell": cell, "turn": "0"}).status_code == 200
    assert anna.throw().status_code == 200
    screen = browse(**SCREEN)
    screen.goto(f"{house.address}/table")
    ask(house, ROLL[:5])
    screen.locator("#question").wait_for()
    for must in (".track", "#dice", "#board", "#people", "#question"):
        assert edge(screen, must) <= SCREEN["viewport"]["height"], must
    assert screen.evaluate("document.documentElement.scrollHeight") <= SCREEN["viewport"]["height"]
    wide = edge(screen, ".board-grid")
    house.table.notice(Notice(source="camera", state="too dark", remedy="Turn on the lamp."))
    screen.get_by_text("Turn on the lamp.").wait_for()
    assert edge(screen, "#board") <= SCREEN["viewport"]["height"]
    assert edge(screen, ".board-grid") - edge(screen, ".board-grid", "top") < wide
    assert faults(screen) == []


def test_dice_that_were_not_seen_take_one_tap_each(open_house, browse):
    house = open_house()
    phone = browse(**PHONE)
    sit(phone, house, "Clara")
    host_and_start(phone, house)
    ask(house, ["white:5", "white:4", "white:1", "white:3", "white:2"])
    confirm = phone.locator("[data-confirm]")
    phone.get_by_text("tap what lay there: 2 white").wait_for()
    assert confirm.is_disabled()
    assert faults(phone) == []
    for kind, face in (("white", 6), ("white", 6), ("coloured", 3)):
        phone.locator(f'[data-lack] [data-kind="{kind}"][data-face="{face}"]').click()
    assert confirm.inner_text() == "8 dice: 5 4 1 3 2 6 6, coloured 3 - right?"
    assert confirm.evaluate("e => e === document.activeElement")
    confirm.click()
    phone.locator("#tray").wait_for()
    assert "white:6,white:6,coloured:3" in house.table.snapshot().history[-1].line
    assert edge(phone, "#now h1", "top") >= 0


def test_dice_too_many_have_to_be_taken_away(open_house, browse):
    house = open_house()
    phone = browse(**PHONE)
    sit(phone, house, "Clara")
    host_and_start(phone, house)
    ask(house, [*ROLL[:-1], "white:6", "coloured:5"])
    phone.get_by_text("take it away: 1 white").wait_for()
    assert phone.locator("[data-confirm]").is_disabled()
    phone.locator('[data-dice] [data-face="6"]').last.click()
    phone.locator("[data-remove]").click()
    phone.locator("[data-confirm]").click()
    phone.locator("#tray").wait_for()


def test_the_longest_price_breaks_no_word_of_its_action(open_house, browse):
    house = open_house()
    house.start()
    phone = browse(**PHONE)
    phone.goto(house.address)
    words = phone.locator("#screen").evaluate("""(screen) => {
        screen.innerHTML = `<button class="action"><span>Take the passage to Chapel (b1)</span>
            <span class="action-cost">1 die: 6, +1 minute, 3 minutes at once</span></button>`;
        const text = screen.querySelector("span").firstChild, range = document.createRange();
        return [...text.data.matchAll(/\\S+/g)].map((found) => {
            range.setStart(text, found.index);
            range.setEnd(text, found.index + found[0].length);
            return range.getClientRects().length;
        });
    }""")  # in one go: the stream draws the screen anew whenever it likes
    assert words == [1] * 6


@pytest.mark.parametrize("width", [320, 390])
def test_no_page_is_wider_than_the_phone_and_no_short_word_is_broken(open_house, browse, width):
    house = open_house({"moss": all_games()["moss"]}, rehearsal=Tray())
    phone = browse(**{**PHONE, "viewport": {"width": width, "height": 640}})
    sit(phone, house, "Wilhelmina-Friederike")
    for path in ("/", "/play", "/table", "/history"):
        phone.goto(house.address + path)
        assert phone.evaluate("document.documentElement.scrollWidth") <= width, path
    host_and_start(phone, house)
    assert phone.evaluate("document.documentElement.scrollWidth") <= width
    for label in ("Throw", "Nudge", "Cover"):
        assert phone.locator(f".rehearsal .button:has-text('{label}')").bounding_box()["height"] < 50
