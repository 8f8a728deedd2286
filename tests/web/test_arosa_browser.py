"""Mord im Arosa in browsers: three phones and a table screen, by taps alone."""

import random
from collections import Counter
from itertools import count

import pytest

from companion.games import all_games
from companion.games.arosa.steps import Step, pending, step
from companion.rules.events import CubeDropped, Observation
from visits import PHONE, SCREEN, faults, take_back

pytestmark = [pytest.mark.browser, pytest.mark.slow]


class Hotel:
    """Three phones, a table screen, and a wooden tower that keeps its cubes to itself."""

    def __init__(self, house, browse, scheme="light", options=None):
        self.house, self.table = house, house.table
        clara = house.table.join("Clara")
        self.seats = (house.anna, house.bert, clara)
        keys = tuple(seat.key for seat in self.seats)
        house.table.start_game(slug="arosa", title="", seats=keys, options=options or {})
        self.phones = {seat.key: browse(scheme, **PHONE) for seat in self.seats}
        self.screen = browse(scheme, **SCREEN)
        for seat in self.seats:
            take_back(self.phones[seat.key], house, seat)
        self.screen.goto(f"{house.address}/table")
        self.lying = {floor: Counter() for floor in range(8)}
        self.chance = random.Random(5)
        self.ids = count()

    @property
    def state(self):
        return self.table.snapshot().state

    @property
    def active(self):
        return self.phones[self.state.seats[max(self.state.active, 0)]]

    def pages(self):
        return (*self.phones.values(), self.screen)

    def shown(self):
        """Wait until every screen shows the table as it is."""
        version = self.table.snapshot().version
        for page in self.pages():
            page.wait_for_function("v => Number(document.body.dataset.version) >= v", arg=version)

    def tap(self, page, selector):
        """Tap and wait until it counts."""
        version = self.table.snapshot().version
        page.locator(selector).first.click()
        snapshot = self.table.wait(version, 8.0)
        assert snapshot.version > version, selector
        self.shown()
        page.wait_for_function("() => !document.querySelector('[aria-busy=true]')")

    def falls(self, colour):
        """The cube is heard, and lands where nobody sees it."""
        self.hear()
        self.lying[self.chance.choice((5, 5, 5, 4))][colour] += 1

    def hear(self):
        drop = f"drop-{next(self.ids)}"
        event = CubeDropped(at=self.table.clock.at(), drop=drop)
        self.table.submit(Observation(id=drop, event=event, source="tower"))
        self.shown()

    def begin(self):
        self.tap(self.phones["anna"], "#act-lead-begin-anna")

    def throw(self):
        (colour, _), *_ = pending(self.state)
        self.tap(self.active, f"#throw-{colour}")
        self.falls(colour)

    def call(self):
        page, state = self.active, self.state
        own = state.sheet[state.active]
        if own[5] and self.chance.random() < 0.3:
            self.tap(page, "#act-lead-cover")
            return
        page.locator("#act-lead-suspect > summary").click()
        for label in page.locator("#act-lead-suspect label").all():
            label.click()
        self.tap(page, "#act-lead-suspect [type=submit]")

    def inspect(self):
        page, floor = self.active, self.state.turn.floor
        there = self.lying[floor]
        if not there:
            self.tap(page, "#act-lead-seen-nothing")
            return
        for colour, n in there.items():
            for _ in range(n):
                page.locator(f'#act-lead-seen [data-count-of="{colour}"] [data-by="1"]').click()
        self.lying[floor] = Counter()
        self.tap(page, "#act-lead-seen [type=submit]")

    def play(self):
        match step(self.state):
            case Step.KNIFE | Step.HOTEL:
                self.begin()
            case Step.PROLOG | Step.RETURN | Step.PENALTY:
                self.throw()
            case Step.CALL:
                self.call()
            case Step.LIFT:
                self.tap(self.active, f"#act-storey-lift-{self.chance.choice((5, 5, 4))}")
            case Step.INSPECT:
                self.inspect()
            case Step.RECOVER:
                self.tap(self.active, f"#act-lead-recover-{self.state.turn.recoverable}")
            case Step.OVER:
                return False
        return True


@pytest.fixture
def hotel(open_house, browse):
    def make(scheme="light", **options):
        return Hotel(open_house({"arosa": all_games()["arosa"]}), browse, scheme, options)

    return make


@pytest.mark.parametrize("scheme", ["light", pytest.param("dark", marks=pytest.mark.soak)])
def test_three_phones_play_an_evening_to_its_end_by_taps(hotel, scheme):
    evening = hotel(scheme)
    looked = set()
    while True:
        now = step(evening.state)
        if now not in looked:  # axe takes a second, so it looks at every step once
            looked.add(now)
            for page in (evening.active, evening.screen):
                assert faults(page) == [], now
                assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, now
        if not evening.play():
            break
    assert {Step.KNIFE, Step.PROLOG, Step.HOTEL, Step.LIFT, Step.INSPECT, Step.RETURN, Step.CALL} <= looked
    outcome = evening.table.snapshot().outcome
    for page in evening.pages():
        page.locator("#outcome").get_by_text(outcome.text).wait_for()


def test_an_evening_with_everything_going_wrong(hotel):
    evening = hotel()
    anna, bert = evening.phones["anna"], evening.phones["bert"]
    evening.begin()
    evening.tap(anna, "#throw-red")
    evening.tap(anna, "#act-list-missed")  # it stayed on the roof
    assert anna.locator("#throw-red strong").inner_text() == "2"
    evening.throw()
    evening.throw()
    evening.tap(anna, "#throw-yellow")
    evening.tap(anna, '[data-act="undo"]')
    while step(evening.state) is not Step.HOTEL:
        evening.throw()
    evening.hear()
    bert.get_by_text("One more cube went in").first.wait_for()
    evening.tap(bert, "#act-list-stray-away")
    evening.begin()
    assert not anna.locator("#throws").count()
    evening.tap(anna, "#act-storey-lift-4")
    anna.locator('#act-lead-seen [data-count-of="blue"] [data-by="1"]').click()
    evening.tap(anna, "#act-lead-seen [type=submit]")
    wrong = evening.table.snapshot().history[-1]
    assert wrong.line.endswith("cubes=blue")
    anna.locator(f'[data-amend="{wrong.seq}"]').first.click()
    amend = anna.locator("amend-form")
    amend.get_by_role("button", name="blue: one less").click()
    amend.get_by_role("button", name="What would change?").click()
    amend.get_by_role("button", name="Correct it").wait_for()
    assert faults(anna) == []
    version = evening.table.snapshot().version
    amend.get_by_role("button", name="Correct it").click()
    rows = evening.table.wait(version, 8.0).history
    assert [row.amended for row in rows if row.seq == wrong.seq] == [True]
    evening.shown()
    assert step(evening.state) is Step.PENALTY
    assert faults(anna) == []


def test_a_training_says_so_everywhere_and_an_evening_keeps_quiet(hotel):
    evening = hotel(training="yes")
    for page in evening.pages():
        page.locator("#banner").wait_for()
        assert faults(page) == []
