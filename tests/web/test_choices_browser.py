"""A form that stands open while its choices change sends what it shows."""

import pytest

from companion.rules.view import Action, Input
from visits import PHONE

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ACT = '{% from "parts/act.html" import act %}<div>{{ act(action) }}</div>'
MORPH = """async ([path, html]) => {
    const {morph} = await import(path);
    document.getElementById("screen").innerHTML ||= html;
    morph(document.getElementById("screen"), html);
}"""
SHOWN = """() => [...document.querySelectorAll("#screen form input:checked, #screen form option")]
    .filter((e) => e.tagName === "INPUT" || e.selected)
    .map((e) => [e.value, (e.labels?.[0] ?? e).textContent])"""


@pytest.fixture
def form(open_house, browse):
    """Puts a form with these choices on a page, as a new view would."""
    house = open_house()
    page = browse(**PHONE)
    page.add_init_script("document.addEventListener('companion:view', () => (window.viewed = true))")
    page.goto(f"{house.address}/camera")
    page.wait_for_function("() => window.viewed")  # else it comes over the form
    morph = page.locator("script[src*='js/main.js']").get_attribute("src").replace("main.js", "morph.js")
    template = house.desk.screens._environment.from_string(ACT)

    def put(values, kind="choice", default=""):
        asked = Input("who", "Who", kind, tuple((v, v.upper()) for v in values), default)
        action = Action("ask", "Ask", "asked", {"who": default}, (asked,))
        page.evaluate(MORPH, [morph, template.render(action=action)])
        return page

    return put


FEW, MANY = ["ann", "ben", "cleo"], [f"guest {n}" for n in range(12)]


@pytest.mark.parametrize("values", [FEW, MANY])
def test_a_choice_stays_what_it_was_when_the_others_move(form, values):
    page = form(values)
    if values is MANY:
        page.locator("select").evaluate("e => (e.value = 'guest 2')")
    else:
        page.locator("input[value=cleo]").evaluate("e => e.click()")
    chosen = page.evaluate(SHOWN)
    form(list(reversed(values)))
    assert page.evaluate(SHOWN) == chosen
    form(["somebody new", *values[1:]], default="somebody new")
    assert page.evaluate(SHOWN) == chosen
    labels = page.locator("#screen option" if values is MANY else "#screen form label").all()
    worth = [page.evaluate("e => (e.control ?? e).value", label.element_handle()) for label in labels]
    assert worth == ["somebody new", *values[1:]]


@pytest.mark.parametrize("values", [FEW, MANY])
def test_a_choice_that_is_no_more_gives_way_to_what_is_proposed(form, values):
    page = form(values, default=values[1])
    form(values[2:], default=values[2])
    assert page.evaluate(SHOWN) == [[values[2], values[2].upper()]]


def test_several_chosen_stay_chosen(form):
    page = form(FEW, "several")
    for value in ("ann", "cleo"):
        page.locator(f"input[value={value}]").evaluate("e => e.click()")
    form(["cleo", "dan", "ann"], "several")
    assert sorted(value for value, _ in page.evaluate(SHOWN)) == ["ann", "cleo"]
