"""Anybody playing any game: taps what the screen offers, throws what is expected, and also errs."""

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import count
from typing import Any

from companion.rules.events import (
    BellRang,
    CubeDropped,
    CubesSeen,
    DiceRolled,
    DieFace,
    Event,
    Seat,
    Seconds,
)
from companion.rules.game import Game, Setup
from companion.rules.notation import KERNEL_EVENTS, arguments, event_from, word_of
from companion.rules.view import Action, Input


def any_setup(game: Game[Any], rng: random.Random) -> Setup:
    """Any number of seats, any options."""
    seats = tuple(Seat(f"seat{n}") for n in range(rng.randint(*game.seats)))
    options = {option.name: rng.choice(option.choices)[0] for option in game.options}
    return Setup(seats, options, deal=f"deal {rng.random()}")


@dataclass
class Walker:
    """Steps through a game by chance. ``texts`` are what it writes into text fields, in turn."""

    game: Game[Any]
    setup: Setup
    rng: random.Random

    def __post_init__(self) -> None:
        self.ticks = count(1)

    def event(self, state: Any) -> Event | None:
        """Something that the screens offer or the table waits for; None when there is nothing."""
        at = Seconds(float(next(self.ticks)))
        expected = self.game.expects(state)
        offers: list[Event] = []
        if expected.dice is not None:
            offers.append(self._throw(state, at))
        if expected.cubes:
            colour = self.rng.choice(("", self.rng.choice(expected.cubes)[0]))
            offers.append(CubeDropped(at=at, drop=f"d{at:g}", colour=colour))
        elif any(tap.word == "cube_dropped" for tap in expected.taps) and self.rng.random() < 0.03:
            return CubeDropped(at=at, drop=f"d{at:g}")
        if expected.seen is not None:
            offers.append(CubesSeen(at=at, cubes=self._cubes(expected.seen.most)))
        if expected.timer is not None:
            offers.append(BellRang(at=expected.timer.ends_at, timer=expected.timer.name))
        seat = self.rng.choice(self.setup.seats)
        actions = self._possible(state, seat, at)
        if not actions and not offers:  # then it is somebody else's turn
            for other in self.rng.sample(self.setup.seats, len(self.setup.seats)):
                seat, actions = other, self._possible(state, other, at)
                if actions:
                    break
        if actions and (not offers or self.rng.random() < 0.7):
            return self.tap(self.rng.choice(actions), seat, at)
        return self.rng.choice(offers) if offers else None

    def tap(self, action: Action, seat: Seat, at: Seconds) -> Event:
        """The event that an action sends, its inputs filled in by chance."""
        args = {**action.args, **{asked.name: self._filled(asked) for asked in action.inputs}}
        return event_from(action.word, args, at=at, by=seat, events=self.game.events)

    def erring(self, event: Event) -> Event | None:
        """``event`` with something wrong in it, or quite another one; None if it makes no event."""
        kinds = (*KERNEL_EVENTS, *self.game.events)
        at, by = event.at, self.rng.choice((event.by, None, Seat("stranger"), *self.setup.seats))
        word, args = word_of(event), arguments(event)
        if self.rng.random() < 0.3 or not args:
            kind = self.rng.choice(kinds)
            word = word_of(kind)
            known = {f.name for f in fields(kind)}
            args = {name: text for name, text in args.items() if name in known}
        if args and self.rng.random() < 0.8:
            name = self.rng.choice(sorted(args))
            args[name] = self.rng.choice(
                ("1", "2", "9", "-1", "a1", "c2", "e5", "w1", "w1,w2", "c", "yes", "N", "", "key", "four")
            )
        try:
            return event_from(word, args, at=at, by=by, events=self.game.events)
        except ValueError:
            return None

    def play(self, most: int) -> Iterator[tuple[Any, Event]]:
        """States and events, at most so many, until the game is over."""
        state = self.game.setup(self.setup)
        for _ in range(most):
            event = self.event(state) if self.game.outcome(state) is None else None
            if event is None:
                return
            yield state, event
            state = self.game.apply(state, event)

    def _possible(self, state: Any, seat: Seat, at: Seconds) -> list[Action]:
        return [a for a in self.game.view(state, seat, at).actions if not a.refused]

    def _throw(self, state: Any, at: Seconds) -> DiceRolled:
        waiting = self.game.expects(state).dice
        assert waiting is not None
        kinds = waiting.thrown if any(n for _, n in waiting.thrown) else waiting.kinds
        dice = [DieFace(kind, self.rng.choice(waiting.faces)) for kind, n in kinds for _ in range(n)]
        return DiceRolled(at=at, roll=f"r{at:g}", dice=tuple(dice))

    def _cubes(self, most: Iterable[tuple[str, int]], fewest: int = 0) -> tuple[str, ...]:
        """A few of the cubes that may be there: most floors hold few."""
        there = [colour for colour, n in most for _ in range(n)]
        return tuple(self.rng.sample(there, min(len(there), self.rng.choice((fewest, 1, 1, 2, 3, 5)))))

    def _filled(self, asked: Input) -> str:
        if asked.kind == "cubes":
            colours = (colour for colour, _ in asked.choices)
            return ",".join(self._cubes(zip(colours, asked.most, strict=True), fewest=1)[:1])
        if asked.kind == "several":
            values = [value for value, _ in asked.choices]
            fewest, most = asked.most or (1, len(values))
            return ",".join(self.rng.sample(values, self.rng.randint(fewest, most)))
        if asked.choices and asked.kind != "tile":
            return self.rng.choice(asked.choices)[0]
        if asked.kind in {"text", "note"}:
            return f"planted {self.rng.randrange(10**9)}"
        return asked.default
