"""Teaching on a phone at a rehearsed table: handles by thumb and keys, the light, a lesson."""

import random
import threading

import pytest

from calibration.tapped import Tapped
from calibration.workbench import Workbench
from companion.corrections import Corrections
from companion.records import Records
from house import PIN
from vision.rehearsal import RehearsalTray
from vision.tray import TrayProfile
from visits import PHONE, SCREEN, faults, take_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Rehearsed:
    """A workbench at a rehearsed tray, and the thread that drives its camera."""

    def __init__(self, folder):
        self.tray = RehearsalTray(chance=random.Random(4))
        self.eye = Tapped(self.tray)
        self.used = []
        self.bench = Workbench(self.eye, folder, use=self.used.append, lay=self.lay)
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def lay(self, kind, face):
        self.tray.lay(((kind, 3),))
        self.tray.throw([face] * 3)
        return True

    def close(self):
        self.eye.close()
        self._thread.join(5)

    def _watch(self):
        after = float("-inf")
        while self.tray.state != "closed":
            frame = self.eye.latest(after, 0.5)
            after = frame.at if frame else after


@pytest.fixture
def rehearsed(tmp_path):
    made = Rehearsed(tmp_path)
    yield made
    made.close()


def sit(page, house, *, host=False):
    take_back(page, house, house.anna)
    if host:
        page.evaluate(
            "pin => fetch('/api/host', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            " body: JSON.stringify({pin})})",
            PIN,
        )
    page.goto(f"{house.address}/teach")


@pytest.mark.parametrize(("scheme", "size"), [("light", PHONE), ("dark", SCREEN)])
def test_corners_light_and_a_lesson(open_house, browse, rehearsed, tmp_path, scheme, size):
    house = open_house(teaching=rehearsed.bench)
    page = browse(scheme, **size)
    sit(page, house)
    page.locator("img[data-teach-picture][src^=blob]").first.wait_for()
    assert faults(page) == []
    corner = page.get_by_role("button", name="upper left corner")
    corner.focus()
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("ArrowDown")
    assert corner.get_attribute("aria-label") == "upper left corner, 3 % from the left, 0 % from the top"
    page.locator("[data-handle='2']").scroll_into_view_if_needed()
    box = page.locator("[data-handle='2']").bounding_box()
    page.mouse.move(box["x"] + 20, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 30, box["y"] - 20, steps=3)
    page.mouse.up()
    page.get_by_role("button", name="Save the corners").click()
    page.get_by_text("The tray is used from now on").first.wait_for()
    (used,) = rehearsed.used
    assert used.corners[0] == (pytest.approx(0.03), pytest.approx(0.004))
    assert used.corners[2][0] < 0.95
    assert TrayProfile.load(tmp_path / "tray.json") == used
    page.get_by_role("button", name="Check the light").click()
    page.locator(".teach-finding").first.wait_for(timeout=30_000)
    assert page.locator(".teach-finding").count() == 6
    assert faults(page) == []


def test_a_kind_of_ones_own_is_taught_to_the_end(open_house, browse, rehearsed):
    house = open_house(teaching=rehearsed.bench)
    page = browse(**PHONE)
    sit(page, house)
    page.locator("[data-kinds] option").first.wait_for(state="attached")
    page.select_option("[data-kinds]", "another")
    page.fill("[name=name]", "small")
    page.fill("[name=faces]", "1, 6")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("so that all show 1.").wait_for()
    assert faults(page) == []
    for n in range(4):
        _picture(page, n + 1)
    page.get_by_text("12 of 12 would have been read right.").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Save what was taught").click()
    page.get_by_text("Small dice are known now").first.wait_for()
    page.locator("[data-kinds] option", has_text="small: 1, 6").wait_for(state="attached")


def test_the_host_allows_pictures_and_deletes_them_with_one_tap(open_house, browse, tmp_path):
    corrections = Corrections(tmp_path / "corrections")

    class Port:
        """The ledger of the house's own journal, which exists only once the house does."""

        def __getattr__(self, name):
            return getattr(Records(house.table._journal, corrections), name)

    house = open_house(ledger=Port())
    page = browse(**PHONE)
    sit(page, house, host=True)
    page.get_by_role("button", name="Yes, keep them").click()
    page.get_by_role("button", name="They are kept").wait_for()
    assert corrections.agreed
    (tmp_path / "corrections" / "000001.jpg").write_bytes(b"x")
    page.reload()
    page.get_by_text("1 picture is kept.").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="Delete all").click()
    page.get_by_text("None is kept.").wait_for()
    assert corrections.count == 0


def _picture(page, done):
    """Press until the dice have come to rest."""
    for _ in range(20):
        page.get_by_role("button", name="Take the picture").click()
        page.locator("[data-step=show]:not([aria-busy])").wait_for(state="attached", timeout=20_000)
        if page.locator("[data-progress]").evaluate("bar => bar.value") == done:
            return
    raise AssertionError(page.locator("[data-noted]").inner_text())
