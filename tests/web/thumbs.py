"""Whole games by taps: as many phones as players and a table screen, in browsers of their own.

A player of `tests/games` chooses each move from the game; it is carried out by what stands on a page, and
all screens have to follow before the next one. `Thumbs` makes no mistake; `clumsy.Clumsy` always makes one.
"""

import json
from contextlib import contextmanager
from dataclasses import replace
from functools import reduce
from itertools import count, product

from companion.gamefile import FORMAT
from companion.rules.events import BellRang, DiceRolled, DieClaim, Observation
from companion.rules.game import Setup
from companion.rules.notation import event_from, word_of
from companion.rules.view import Dice
from companion.table import GRACE_S
from fields import bring_to_light, fill
from onpage import PATIENCE_S, followed, taps_on
from visits import PHONE, SCREEN, faults, take_back

STILL = {"reduced_motion": "reduce"}
"""Nobody waits for what slides or fades."""


class Thumbs:
    """``game`` on an open table, with a phone for each seat.

    ``options``, ``deal`` and ``carried`` make it the same game each time. Dice are read in two ways, taken
    in turn: entered on the pad by thumb, and seen by the camera.
    """

    def __init__(
        self, house, browse, ticks, game, *, deal, players=2, options=None, carried=None, scheme="light"
    ):
        self.house, self.table, self.ticks = house, house.table, ticks
        self.game = game
        others = [house.table.join(name) for name in ("Cleo", "Dan", "Eve", "Fay")[: players - 2]]
        self.seats = (house.anna, house.bert, *others)[:players]
        self.keys = tuple(seat.key for seat in self.seats)
        names = {seat.key: seat.name for seat in self.seats}
        self.setup = Setup(self.keys, options or {}, deal, carried or {}, names)
        self._lay_out()
        self.eyes = ("pad", "camera")
        self.steps, self.ids, self.throws = 0, count(), count()
        self.rights, self.looked, self.failed = [], set(), []
        self.phones = {seat.key: self._phone(browse(scheme, **STILL, **PHONE), seat) for seat in self.seats}
        self.screen = self._watched(browse(scheme, **STILL, **SCREEN))
        self.screen.goto(f"{house.address}/table")

    def play(self, moves):
        """Carry out ``moves``, (state, event) each, until they end; the game is over then, everywhere."""
        self.walk(moves)
        self.look()
        outcome = self.table.snapshot().outcome
        assert outcome is not None
        for page in self.pages():
            assert outcome.text in page.locator("#outcome").inner_text()
        return outcome

    def walk(self, moves):
        """Carry out ``moves``; what stands then is what they alone give."""
        self.shown()
        for before, event in moves:
            assert bare(before) == bare(self.state), event
            self.look()
            for one in self.apart(event):
                self.do(one)
        assert not self.failed
        assert reduce(self.game.apply, self.rights, self.game.setup(self.setup)) == self.state

    def apart(self, event):
        """The taps that an event takes: dice are held and let go one by one."""
        tray = self.tray(event.by)
        if tray.tap != word_of(event):
            return [event]
        now, taps = _held(tray), []
        for die in sorted(now ^ set(event.dice), key=lambda die: die in event.dice):
            now = now ^ {die}
            taps.append(replace(event, dice=tuple(die.id for die in tray.dice if die.id in now)))
        return taps

    def do(self, event):
        """Carry out one move, and see that it, and nothing else, is what has happened."""
        before, facts = self.state, self.facts
        self.turn_to(event)
        self.act(event)
        assert len(self.facts) == len(facts) + 1, event
        kept = self.facts[-1].event
        right = replace(event, roll=kept.roll) if isinstance(event, DiceRolled) else event
        assert isinstance(event, DiceRolled) or kept == event, f"{kept} instead of {event}"
        self.rights.append(right)
        assert self.state == self.game.apply(before, right), event
        self.steps += 1

    def act(self, event):
        if isinstance(event, BellRang):
            self.ring()
        elif word_of(event) == self.tray(event.by).tap:
            self.hold(self.phones[event.by], event)
        elif isinstance(event, DiceRolled):
            getattr(self, self.eyes[next(self.throws) % len(self.eyes)])(event)
        else:
            self.tap(self.phones[event.by], event)

    def hold(self, page, event):
        """Tap the die that the event holds or lets go."""
        (die,) = _held(self.tray(event.by)) ^ set(event.dice)
        with self.counting():
            page.locator(f"#die-{die}").click()

    def tray(self, seat):
        """The dice as they are shown to ``seat``; none where a game has none."""
        panels = self.view(seat).panels
        return next((panel for panel in panels if isinstance(panel, Dice)), Dice("None", ()))

    def turn_to(self, event):
        """Set the table's clock to the event's time; a bell is rung once its grace is over."""
        at = event.at + GRACE_S * isinstance(event, BellRang)
        self.ticks.append(self.ticks[-1] + at - self.table.clock.at())

    def ring(self):
        with self.counting():
            self.table.tick()

    def camera(self, event):
        """The dice are seen by the camera, which is sure of them."""
        with self.counting():
            assert self.seen(event, event.dice) == "kept"

    def seen(self, event, dice, *, sure=True):
        """The camera says that these dice lie there; what became of it."""
        name = f"seen-{next(self.ids)}"
        claims = tuple(DieClaim(die.kind, die.face, 0.99 if sure else 0.5) for die in dice)
        event = replace(event, roll=name, by=None, dice=tuple(dice))
        said = Observation(id=name, event=event, source="camera", sure=sure, claims=claims)
        return self.table.submit(said).status

    def pad(self, event, by=None):
        """The dice that were thrown are entered by thumb, by anybody."""
        page = self.phones[by or self.keys[self.steps % len(self.keys)]]
        for die in self.thrown(event):
            page.locator(f'.pad-kind[data-kind="{die.kind}"] [data-face="{die.face}"]').click()
        with self.counting():
            page.locator("dice-pad [data-record]").click()

    def thrown(self, event):
        """The dice in the air, in their order: what is held lies in the pad already."""
        awaited = self.table.snapshot().expected.dice
        dice = list(event.dice)
        for die in awaited.held if len(dice) == awaited.count else ():
            dice.remove(die)
        return dice

    def tap(self, page, event):
        """Find what on this page makes the event, fill it in if it asks for something, and tap it."""
        control, fields = self.control(page, event)
        warning = control.get_attribute("data-warning")
        with self.counting():
            for asked, value in fields:
                fill(control, asked, value)
            (control.locator("[type=submit]") if fields else control).click()
            if warning:
                page.locator("#sure [data-yes]").click()

    def control(self, page, event):
        """A button or a form that makes the event, brought to light, and the form's fields with values.

        Where there are several (a list, a sheet, a board) they are taken in turn.
        """
        there = []
        for number, one in enumerate(taps_on(page)):
            fields = self._fields(event, **one) if one["word"] == word_of(event) else None
            if fields is not None:
                there.append((number, fields))
        assert there, f"nothing on the page of {event.by} makes {event}"
        number, fields = there[self.steps % len(there)]
        control = page.locator("[data-tap]").nth(number)
        bring_to_light(page, control)
        return control, fields

    def _fields(self, event, word, args, names):
        """(input, value) for the fields of a form that makes the event so; None if it cannot."""
        inputs = [i for a in self.view(event.by).actions if a.word == word for i in a.inputs]
        asked = [next(i for i in inputs if i.name == name) for name in names]
        for values in product(*(_values(one, event) for one in asked)):
            filled = dict(zip(names, values, strict=True))
            if self._made(event, word, {**args, **filled}) == event:
                return list(zip(asked, values, strict=True))
        return None

    def _made(self, event, word, args):
        try:
            return event_from(word, args, at=event.at, by=event.by, events=self.game.events)
        except ValueError:
            return None

    def look(self):
        """What axe finds, once at each kind of step: it takes a second."""
        kind = self.kind()
        if kind in self.looked:
            return
        self.looked.add(kind)
        for page in (self.leading(), self.screen):
            found = faults(page)
            assert not found, f"{kind}: {found}"

    def kind(self):
        """What the table is at: what is proposed to anybody, and whether dice are waited for."""
        leads = {a.word for key in self.keys for a in self.view(key).actions if a.lead}
        return (*sorted(leads), self.table.snapshot().expected.dice is not None)

    def leading(self):
        """The phone that is asked to do something now."""
        seats = (key for key in self.keys if any(a.lead for a in self.view(key).actions))
        return self.phones[next(seats, self.keys[0])]

    @contextmanager
    def counting(self):
        """Around what has to change the table; every screen follows it."""
        version = self.table.snapshot().version
        yield
        said = [page.locator("#toast") for page in self.phones.values()]
        changed = self.table.wait(version, PATIENCE_S).version > version
        assert changed, f"nothing happened, the phones say {[toast.text_content() for toast in said]}"
        self.shown()

    def shown(self):
        """Wait until every screen shows the table as it is."""
        version = self.table.snapshot().version
        for seat, page in self.awake():
            view = self.view(seat)
            seen = followed(page, version, view.actions if seat else ())
            assert seen["headline"] == view.headline
            assert not seen["missing"], f"{seen['headline']}: nowhere on the page: {seen['missing']}"
            assert seen["wide"] <= 0, f"{seen['headline']}: {seen['wide']} pixels too wide"
            assert not seen["cut"], f"{seen['headline']}: cut off: {seen['cut']}"

    def awake(self):
        """(seat, page) of all screens that listen; the table screen has no seat."""
        return (*self.phones.items(), (None, self.screen))

    @property
    def state(self):
        return self.table.snapshot().state

    @property
    def facts(self):
        return self.table._play.opened.evening.facts

    def view(self, seat):
        return self.table.view(self.table.snapshot(), seat)

    def pages(self):
        return (*self.phones.values(), self.screen)

    def _lay_out(self):
        """Begin with a deal of our own, as a kept game is opened."""
        setup = self.setup
        lines = [FORMAT, f"game {self.game.slug}", "title An evening"]
        lines += [f"seat {key} {name}" for key, name in setup.names.items()]
        lines += [f"option {name} {value}" for name, value in setup.options.items()]
        lines += [f"carried {key} {json.dumps(value)}" for key, value in setup.carried.items()]
        lines.append(f"deal {setup.deal}")
        self.table.open_game(self.table.import_game("\n".join([*lines, "", ""])).id)

    def _phone(self, page, seat):
        self._watched(page)
        take_back(page, self.house, seat)
        return page

    def _watched(self, page):
        page.on(
            "response", lambda r: self.failed.append(f"{r.status} {r.url}") if r.status >= 500 else None
        )
        return page


def bare(state):
    """A state but for the names of its throws, which the screens choose themselves."""
    return replace(state, rolls=frozenset()) if hasattr(state, "rolls") else state


def _held(tray):
    return {die.id for die in tray.dice if die.state == "held"}


def _values(asked, event):
    """What an input may have to be for the event to come out."""
    if asked.kind == "choice":
        return [value for value, _ in asked.choices]
    value = getattr(event, asked.name)
    return [",".join(map(str, value)) if isinstance(value, tuple) else str(value)]
