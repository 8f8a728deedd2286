"""A whole game by people who try something wrong before each right move; it ends as if they had not."""

from dataclasses import replace

from companion.rules.events import BellRang, DiceRolled
from companion.rules.game import OutOfPlace
from companion.rules.notation import arguments, word_of
from fields import bring_to_light
from thumbs import Thumbs
from visits import faults

POST = """async ([path, body]) => {
    const answer = await fetch(path, {
        method: "POST",
        headers: {Accept: "application/json", "Content-Type": "application/json", "X-Companion": "1"},
        body: JSON.stringify(body),
    });
    return [answer.status, (await answer.json()).error];
}"""
"""As the pages post, but with what no button of theirs sends any more."""

HIDE = """hidden => {
    Object.defineProperty(document, "hidden", {value: hidden, configurable: true});
    document.dispatchEvent(new Event("visibilitychange"));
}"""


class Clumsy(Thumbs):
    """``tried`` counts what went wrong, by its kind."""

    def __init__(self, *args, **more):
        super().__init__(*args, **more)
        self.eyes = ("pad", "camera", "doubt")
        self.tried, self.dozing = {}, None

    def do(self, event):
        """Something wrong first, then the right move."""
        self.err(event)
        super().do(event)

    def act(self, event):
        """The right move while another phone sleeps; sometimes it goes back and forth."""
        asleep = self.doze(event)
        super().act(event)
        if asleep is not None:
            self.wake(asleep, event)
        if self.steps % 7 == 3:
            self.back_and_forth()

    def err(self, event):
        """Of the mistakes that can be made here the rarest so far; each leaves everything as it is."""
        before = (self.state, len(self.facts))
        mistakes = (
            self.greyed,
            self.not_mine,
            self.too_few,
            self.unlike,
            self.twice,
            self.leaves_it,
            self.paused,
        )
        for mistake in sorted(mistakes, key=lambda mistake: self.tried.get(mistake.__name__, 0)):
            if mistake(event):
                self.noted(mistake.__name__)
                break
        else:
            raise AssertionError(f"nothing can go wrong before {event}")
        assert (self.state, len(self.facts)) == before, event
        self.shown()

    def noted(self, kind):
        self.tried[kind] = self.tried.get(kind, 0) + 1

    def greyed(self, event):
        """An action that is not possible is tapped: it says why, and does nothing."""
        for key in self._others_first(event):
            page = self.phones[key]
            why = {a.id: a.refused for a in self.view(key).actions if a.refused}
            folds = page.locator("#actions .action-refused")
            if not folds.count():
                continue
            fold = folds.nth(self.steps % folds.count())
            bring_to_light(page, fold.locator("summary"))
            fold.locator("summary").click()
            ident = fold.get_attribute("id").removeprefix("act-list-")
            assert fold.locator("p").inner_text() == why[ident]
            assert len(why[ident].split()) > 2, why[ident]
            fold.locator("summary").click()
            return True
        return False

    def not_mine(self, event):
        """Somebody whose move it is not sends it all the same."""
        if isinstance(event, DiceRolled | BellRang):
            return False
        for key in self.keys:
            if not self._allowed(replace(event, by=key)):
                self._refused(
                    key, "/api/tap", {"word": word_of(event), "args": arguments(event), "seen": 0}
                )
                return True
        return False

    def too_few(self, event):
        """A throw with a die too few: the pad records none, and nothing else takes it either."""
        if not isinstance(event, DiceRolled):
            return False
        key = self.keys[self.steps % len(self.keys)]
        pad = self.phones[key].locator("dice-pad")
        dice = self.thrown(event)[:-1]
        for die in dice:
            pad.locator(f'.pad-kind[data-kind="{die.kind}"] [data-face="{die.face}"]').click()
        assert pad.locator("[data-record]").is_disabled()
        for _ in dice:
            pad.locator("[data-back]").click()
        self._refused(key, "/api/dice", {"dice": [str(die) for die in dice]})
        return True

    def unlike(self, event):
        """The camera counts a die too many: all are asked, and somebody says that nothing was thrown."""
        if not isinstance(event, DiceRolled):
            return False
        with self.counting():
            assert self.seen(event, [*event.dice, event.dice[0]]) == "asked"
        key = self.keys[self.steps % len(self.keys)]
        for page in self.pages():
            page.locator("#question").wait_for()
        with self.counting():
            self.phones[key].locator("#question [data-dismiss]").click()
        return True

    def twice(self, event):
        """An earlier tap comes once more, as from a page that has not followed."""
        for old in reversed(self.rights):
            if old.by is not None and not isinstance(old, DiceRolled) and not self._allowed(old):
                self._refused(old.by, "/api/tap", {"word": word_of(old), "args": arguments(old), "seen": 0})
                return True
        return False

    def leaves_it(self, event):
        """What has a warning is tapped, and left after all."""
        for key in self._others_first(event):
            page = self.phones[key]
            risky = page.locator(
                "#actions .action-group:visible > button[data-warning]:not([data-warning=''])"
            )
            if risky.count():
                risky.first.click()
                assert (
                    risky.first.get_attribute("data-warning")
                    == page.locator("#sure [data-text]").inner_text()
                )
                page.locator("#sure .button[data-closes]").click()
                return True
        return False

    def paused(self, event):
        """The game is paused by one, and played on by another."""
        one, other = (self.keys[(self.steps + n) % len(self.keys)] for n in (0, 1))
        with self.counting():
            self.phones[one].locator('#seat [data-act="pause"]').click()
        if isinstance(event, DiceRolled):
            self._refused(other, "/api/dice", {"dice": [str(die) for die in event.dice]})
        elif event.by is not None:
            self._refused(
                event.by, "/api/tap", {"word": word_of(event), "args": arguments(event), "seen": 0}
            )
        with self.counting():
            self.phones[other].locator('.headline [data-act="resume"]').click()
        return True

    def doubt(self, event):
        """The camera misreads a die and says that it is not sure; a thumb corrects it."""
        awaited = self.table.snapshot().expected.dice
        right = event.dice[0]
        wrong = next(face for face in awaited.faces if face != right.face)
        with self.counting():
            assert self.seen(event, [replace(right, face=wrong), *event.dice[1:]], sure=False) == "asked"
        page = self.phones[self.keys[self.steps % len(self.keys)]]
        page.locator('#question [data-dice] [data-n="0"]').click()
        if "doubt" not in self.tried:
            found = faults(page)
            assert not found, found
        self.noted("doubt")
        pick = f'#question [data-pick][data-kind="{right.kind}"][data-face="{right.face}"]'
        page.locator(pick).click()
        with self.counting():
            page.locator("#question [data-confirm]").click()

    def doze(self, event):
        """Another phone that could make the same move falls asleep before it, with the button in sight."""
        if isinstance(event, DiceRolled | BellRang):
            return None
        others = [key for key in self.keys if key != event.by and self._allowed(replace(event, by=key))]
        after = self.game.apply(self.state, event)
        for key in others:
            again = replace(event, by=key)
            if self._allowed(again, after):
                continue  # then it is no mistake
            page = self.phones[key]
            control, fields = self.control(page, again)
            if fields or control.get_attribute("data-warning"):
                self.put_away(page)
                continue
            control = control.element_handle()
            page.evaluate(HIDE, True)
            self.dozing = page
            return page, control
        return None

    def wake(self, asleep, event):
        """The phone that slept taps what everybody else has done: it is told so, and catches up."""
        page, control = asleep
        before = (self.state, len(self.facts))
        control.click()
        toast = page.locator("#toast[data-tone=bad]")
        toast.wait_for()
        assert toast.inner_text().strip().endswith((".", "!", "?")), toast.inner_text()
        assert (self.state, len(self.facts)) == before, event
        self.put_away(page)
        page.evaluate(HIDE, False)
        self.dozing = None
        self.noted("asleep")
        self.shown()

    def put_away(self, page):
        for sheet in page.locator("dialog[open] [data-closes]").all():
            sheet.click()

    def back_and_forth(self):
        """The move is taken back on one phone, and stands again by another."""
        after = self.state
        one, other = (self.phones[self.keys[(self.steps + n) % len(self.keys)]] for n in (0, 1))
        with self.counting():
            one.locator('[data-act="undo"]').click()
        assert len(self.facts) == len(self.rights)
        with self.counting():
            other.locator('[data-act="redo"]').click()
        assert self.state == after
        self.noted("undo")

    def look(self):
        """The same pages are looked at where nothing goes wrong."""

    def awake(self):
        return tuple((seat, page) for seat, page in super().awake() if page is not self.dozing)

    def _others_first(self, event):
        return sorted(self.keys, key=lambda key: key == event.by)

    def _allowed(self, event, state=None):
        try:
            self.game.apply(state or self.state, event)
        except OutOfPlace:
            return False
        return True

    def _refused(self, key, path, body):
        """Post from a phone's page what its buttons do not send: a sentence comes back."""
        status, error = self.phones[key].evaluate(POST, [path, {"id": f"odd-{next(self.ids)}", **body}])
        assert status == 409, (body, status, error)
        assert error.endswith((".", "!", "?")), error
