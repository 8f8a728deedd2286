"""What tells of a secret is tapped under the veil, and stands in no list."""

from dataclasses import replace

import pytest

from companion.rules.view import Action, Text
from parlour import GAME
from visits import PHONE, take_back

OWN = "For your eyes only"


class Hiding(type(GAME)):
    """The parlour, in which each seat may also whisper under its veil."""

    def view(self, state, seat, at):
        view = super().view(state, seat, at)
        if seat is None:
            return view
        veiled = Action("whisper", f"Whisper to {seat}", "noted", {"text": "psst"}, veiled=True)
        panels = (*(p for p in view.panels if p.title != OWN), Text(OWN, ("A secret line.",), "secret"))
        return replace(view, panels=panels, actions=(*view.actions, veiled))


@pytest.fixture
def hiding(make_house):
    house = make_house({"parlour": Hiding()})
    house.start()
    return house


def test_a_veiled_action_is_under_the_veil_and_nowhere_else(hiding):
    page = hiding.phone(hiding.anna).page()
    panel = page.partition(f'aria-label="{OWN}"')[2].partition("</section>")[0]
    veil = panel.partition("data-veil")[2]
    assert "A secret line." in veil
    assert 'id="act-veiled-whisper"' in veil
    assert page.count("Whisper to") == veil.count("Whisper to") == 1


def test_nobody_else_gets_it(hiding):
    assert "Whisper to" not in hiding.phone().page("/table")
    assert f"Whisper to {hiding.anna.key}" not in hiding.phone(hiding.bert).page()


SHOWN = "e => e.closest('section').querySelector('[data-veil]').hasAttribute('data-shown')"


@pytest.fixture
def veil(open_house, browse):
    """Anna's phone, its clock in our hands, and the button of her veil."""
    house = open_house({"parlour": Hiding()})
    house.start()
    page = browse(**PHONE)
    page.clock.install()
    take_back(page, house, house.anna)
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    button = page.locator("[data-unveil]")
    button.scroll_into_view_if_needed()
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    return page, button


@pytest.mark.browser
@pytest.mark.slow
def test_a_finger_that_stays_holds_the_veil_up_until_it_lets_go(veil):
    page, button = veil
    page.mouse.down()
    assert button.evaluate(SHOWN)
    page.clock.run_for(500)
    page.mouse.up()
    assert not button.evaluate(SHOWN)
    assert button.get_attribute("aria-pressed") == "false"


@pytest.mark.browser
@pytest.mark.slow
def test_a_tap_or_a_key_leaves_it_up_until_the_next_one_or_until_the_page_is_left(veil):
    page, button = veil
    for act in (page.mouse.down, page.mouse.up):
        act()
    assert button.evaluate(SHOWN)
    button.press("Enter")
    assert not button.evaluate(SHOWN)
    button.press("Enter")
    assert button.evaluate(SHOWN)
    page.evaluate("dispatchEvent(new Event('blur'))")
    assert not button.evaluate(SHOWN)
    assert button.get_attribute("aria-pressed") == "false"
    page.mouse.down()
    page.mouse.up()
    assert button.evaluate(SHOWN)
