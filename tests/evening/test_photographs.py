"""The main job on real input: photographs of dice become rolls, and two screens show the same game."""

import json
import re

import pytest

from served import Served

pytestmark = [pytest.mark.photos, pytest.mark.browser, pytest.mark.slow]

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
TABLE = {"viewport": {"width": 1280, "height": 800}}
FACES = "123456"


@pytest.fixture
def photographs(shared):
    """Five photographs of five white dice each, with what they show."""
    rows = json.loads((shared / "dice" / "labels.json").read_text(encoding="utf-8"))
    fives = [row for row in rows if len(row["dice"]) == 5 and "white" in row["tags"]]
    chosen = fives[:: max(1, len(fives) // 5)][:5]
    assert len(chosen) == 5
    return [(shared / "dice" / row["image"], sorted(str(d["pips"]) for d in row["dice"])) for row in chosen]


class Phone:
    """What a player does on the phone's page."""

    def __init__(self, page, address):
        self.page = page
        self.address = address

    def version(self):
        return int(self.page.locator("body").get_attribute("data-version"))

    def changed(self, version):
        self.page.wait_for_function("v => Number(document.body.dataset.version) > v", arg=version)

    def sit(self, name, pin):
        page = self.page
        page.goto(self.address)
        page.fill("#join-name", name)
        page.get_by_role("button", name="Sit down").click()
        page.wait_for_url("**/play")
        page.goto(self.address)
        page.locator("#host summary").click()
        page.fill("#host-pin", pin)
        page.get_by_role("button", name="Be the host").click()
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_url("**/play")

    def lead(self):
        """Take the likely next step as it is offered."""
        version, lead = self.version(), self.page.locator(".leads > *").first
        if lead.evaluate("e => e.tagName") == "DETAILS":
            lead.locator("summary").click()
            lead.locator("[type=submit]").click()
        else:
            lead.click()
        self.changed(version)

    def post(self, path, body):
        """As the page's own scripts post."""
        return self.page.evaluate(
            """async ([path, body]) => {
                const answer = await fetch(path, {method: "POST", body: JSON.stringify(body),
                    headers: {"Content-Type": "application/json", "X-Companion": "1"}});
                return await answer.json();
            }""",
            [path, body],
        )

    def photograph(self, path):
        """Choose the file in the page's own picker and wait for the table's answer."""
        with self.page.expect_response("**/api/photo*", timeout=30_000) as answered:
            self.page.locator("input[type=file][accept*=image]").first.set_input_files(str(path))
        assert answered.value.status == 200, answered.value.text()

    def state(self):
        return self.page.evaluate("fetch('/api/state').then(answer => answer.json())")


def dice_panel(state):
    return next(
        panel for panel in state["view"]["panels"] if panel.get("kind") == "dice" or "dice" in panel
    )["dice"]


def test_five_photographs_make_two_turns_and_both_screens_follow(photographs, tmp_path, browse):
    served = Served(tmp_path / "data", "--camera", "none")
    try:
        phone, screen = Phone(browse(**PHONE), served.address), browse("dark", **TABLE)
        phone.sit("Anna", served.pin)
        screen.goto(f"{served.address}/table")
        while not phone.page.locator("dice-pad").count():
            phone.lead()
        read = 0
        for number, (path, truth) in enumerate(photographs):
            phone.photograph(path)
            question = phone.state()["proposal"]
            if question is not None:
                seen = sorted(claim["face"] for claim in question["claims"])
                read += seen == truth
                faces = [f"white:{face}" for face in truth]
                if number in {0, 3}:  # a turn's first throw is of all eight: name those not in the picture
                    faces += ["white:3", "white:4", "coloured:2"]
                assert phone.post("/api/confirm", {"id": question["id"], "dice": faces})["status"] == "kept"
            else:
                read += 1
            phone.page.locator("#tray [data-kind=coloured]").wait_for()
            shown = [die["face"] for die in dice_panel(phone.state()) if die["kind"] == "white"]
            assert sorted(shown) == sorted([*truth, "3", "4"])
            if number in {0, 1, 3}:
                held = [die["id"] for die in kept_aside(dice_panel(phone.state()))]
                body = {
                    "id": f"hold{number}",
                    "word": "dice_held",
                    "args": {"dice": ",".join(held)},
                    "seen": 0,
                }
                assert phone.post("/api/tap", body)["status"] == "kept"
            if number == 2:
                minutes = int(screen.locator(".track-figure strong").inner_text())
                phone.page.get_by_role("button", name="End the turn").first.click()
                screen.locator(".track-figure strong", has_text=re.compile(f"^{minutes - 2}$")).wait_for()
        screen.locator(".die").nth(7).wait_for()
        labels = screen.locator("#tray .die").evaluate_all("all => all.map(die => die.ariaLabel)")
        assert [label.split(",")[0] for label in labels] == [
            f"{die['kind']} {die['face']}" for die in dice_panel(phone.state())
        ]
        print(f"{read} of 5 photographs read right")
        served.end()
        assert served.process.returncode == 0
    finally:
        if served.process.poll() is None:
            served.process.kill()


def kept_aside(dice):
    """One white 3, one white 4 and the coloured die: the ones that are not in the next photograph."""
    three = next(d for d in dice if (d["kind"], d["face"]) == ("white", "3"))
    four = next(d for d in dice if (d["kind"], d["face"]) == ("white", "4"))
    return [three, four, next(d for d in dice if d["kind"] == "coloured")]
