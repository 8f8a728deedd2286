"""What people do with a phone at the table, for tests in a browser."""

from pathlib import Path

AXE = Path(__file__).with_name("vendor").joinpath("axe.min.js")
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}


def faults(page):
    """Serious and critical faults that axe finds."""
    # a script tag would break the page's own policy, which the test leaves in force
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run(document, {resultTypes: ['violations']})")["violations"]
    return [
        f"{fault['impact']} {fault['id']}: {fault['nodes'][0]['html'][:160]}"
        for fault in found
        if fault["impact"] in {"serious", "critical"}
    ]


def sit(page, house, name):
    page.goto(house.address)
    page.fill("#join-name", name)
    page.get_by_role("button", name="Sit down").click()
    page.wait_for_url("**/play")


def take_back(page, house, seat):
    """Come to the table with the code of a seat that is there."""
    page.goto(house.address)
    page.locator("#rejoin summary").click()
    page.fill("#rejoin-code", seat.code.lower())
    page.get_by_role("button", name="Take it back").click()
    page.wait_for_url("**/play")


def host_and_start(page, house):
    page.goto(house.address)
    page.locator("#host summary").click()
    page.fill("#host-pin", "2468")
    page.get_by_role("button", name="Be the host").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/play")


def throw(page, white, coloured):
    for face in white:
        page.locator(f'.pad-kind[data-kind=white] [data-face="{face}"]').click()
    page.locator(f'.pad-kind[data-kind=coloured] [data-face="{coloured}"]').click()
    page.locator("[data-record]").click()


def lay_out(page, house):
    """Do what the lead proposes, as it proposes it, until a throw is waited for."""
    for _ in range(30):
        if page.locator("dice-pad").count():
            return
        before = house.table.snapshot().version
        lead = page.locator(".leads > *").first
        if lead.evaluate("e => e.tagName") == "DETAILS":
            lead.locator("summary").click()
            lead.locator("[type=submit]").click()
        else:
            lead.click()
        page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=before)
