"""Teaching a rehearsed tower on a phone: lines by a finger, measures, cubes by keys, the live trace."""

import random
import threading

import pytest

from calibration.tower_bench import TOWER_FILE, TowerBench
from calibration.tower_listening import OverheardLines
from hardware.profile import TowerProfile
from hardware.rehearsal import RehearsalLines
from visits import PHONE, SCREEN, faults, sit

pytestmark = [pytest.mark.browser, pytest.mark.slow]

NUMBERS = {"entry": 17, "entry_b": 27, "floor5": 23}


class Rehearsed:
    """A rehearsed tower with its bench, and the thread that drives its lines."""

    def __init__(self, folder):
        self.tower = RehearsalLines(tuple(NUMBERS), chance=random.Random(4))
        self.bench = TowerBench(NUMBERS, folder)
        self._lines = OverheardLines(self.tower, self.bench.listening)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)
        self._thread.start()

    def hold(self, *lines):
        for line in lines:
            self.tower.block(line)
        self._stop.wait(0.4)
        for line in lines:
            self.tower.clear(line)

    def close(self):
        self._stop.set()
        self._thread.join(5)

    def _watch(self):
        self._lines.start()
        while not self._stop.is_set():
            self._lines.next(0.1)


@pytest.fixture
def rehearsed(tmp_path):
    made = Rehearsed(tmp_path)
    yield made
    made.close()


@pytest.mark.parametrize(("scheme", "size"), [("light", PHONE), ("dark", SCREEN)])
def test_a_tower_is_taught_by_finger_and_keys(open_house, browse, rehearsed, tmp_path, scheme, size):
    house = open_house(tower=rehearsed.bench)
    page = browse(scheme, **size)
    sit(page, house, "Wilhelmina-Friederike")
    page.goto(f"{house.address}/teach-tower")
    page.get_by_role("button", name="Name the lines").click()
    page.get_by_text("the opening in the roof (entry, entry_b)").wait_for()
    rehearsed.hold("entry", "entry_b")
    page.get_by_text("the hole under floor 6 (floor5)").wait_for()
    rehearsed.hold("floor5")
    page.get_by_text("Every line answers to its name.").wait_for()
    assert faults(page) == []
    page.get_by_label("Hole, mm").fill("24")
    page.get_by_role("button", name="Check").click()
    page.get_by_text("even two beams leave gaps").wait_for()
    page.get_by_label("Hole, mm").fill("2")
    page.get_by_role("button", name="Save", exact=True).click()
    assert page.locator("[name=hole_mm]:invalid").count() == 1
    page.get_by_label("Hole, mm").fill("15")
    page.get_by_role("button", name="Save", exact=True).click()
    page.get_by_text("measured: cube 8 mm, hole 15 mm").wait_for()
    page.locator("[data-trace]").scroll_into_view_if_needed()
    page.locator(".tower-row").first.wait_for()
    assert page.locator(".tower-row").count() == 3
    begin = page.get_by_role("button", name="Begin to drop cubes")
    begin.focus()
    page.keyboard.press("Enter")
    page.get_by_text("Drop a cube, wait until it is counted").wait_for()
    rehearsed.tower.drop(5)
    page.get_by_text("Cube 1: where does it lie?").first.wait_for()
    page.locator("[data-floors] button", has_text="Floor 5").focus()
    page.keyboard.press("Enter")
    page.get_by_text("1 of 40 cubes").wait_for()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size["viewport"]["width"]
    page.get_by_role("button", name="Save what was learned").click()
    page.get_by_text("In use: 1 cubes dropped and looked for").wait_for()
    assert TowerProfile.load(tmp_path / TOWER_FILE).hole_mm == 15


def test_in_a_sealed_game_the_page_says_so_and_shows_the_entry_alone(open_house, browse, rehearsed):
    house = open_house(tower=rehearsed.bench)
    page = browse("light", **PHONE)
    sit(page, house, "Cora")
    house.start()
    page.goto(f"{house.address}/teach-tower")
    page.get_by_text("A game is sealed.").wait_for()
    assert page.get_by_role("button", name="Begin to drop cubes").is_disabled()
    page.locator("[data-trace]").scroll_into_view_if_needed()
    page.locator(".tower-row").first.wait_for()
    assert page.locator(".tower-row .tower-name").all_text_contents() == ["entry", "entry_b"]
