"""Guests of the Arosa: whole evenings, a tower that knows where its cubes lie, players who guess."""

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from companion.games.arosa.pieces import FLOORS, VICTIM
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import State
from companion.games.arosa.steps import THROWS, Step, pending, step
from companion.games.arosa.throws import ECHO_S, HEARD_S
from companion.rules.events import BellRang, CubeDropped, CubesSeen, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from


class Guests:
    """Players who know the floor to lift ``ears`` of the time, and else lift any.

    ``hears`` is the tower: ``nothing`` (no tower: all is tapped), ``all`` (a colour is tapped only where
    the drop alone cannot tell it), or ``most`` (likewise, and one drop in twenty is missed). ``mishaps``
    is how often a throw misses, a cube falls out, somebody makes a note.
    """

    def __init__(
        self,
        seed: int,
        hears: str = "nothing",
        *,
        ears: float = 1.0,
        mishaps: float = 0.0,
        lands: Any = None,
    ) -> None:
        self.rng = random.Random(seed)
        self.hears = hears
        self.lands = lands or (lambda colour: self.rng.choice(FLOORS))
        self.ears = ears
        self.mishaps = mishaps
        self.inside: list[tuple[str, int]] = []
        self.now = 0.0
        self.drops = 0

    def play(self, setup: Setup, most: int = 5000) -> Iterator[tuple[State, Event]]:
        """States and events until the game is over."""
        state = GAME.setup(setup)
        for _ in range(most):
            if GAME.outcome(state) is not None:
                return
            for event in self.next(state):
                for fact in (*self.bells(state, event), event):
                    yield state, fact
                    state = GAME.apply(state, fact)
                    if GAME.outcome(state) is not None:
                        return

    def bells(self, state: State, event: Event) -> Iterator[BellRang]:
        """The bell that the table rings before ``event``."""
        timer = GAME.expects(state).timer
        if timer is not None and timer.over(event.at) and not isinstance(event, BellRang):
            yield BellRang(at=timer.ends_at, timer=timer.name)

    def event(self, word: str, by: Seat | None, **args: str) -> Event:
        self.now = round(self.now + self.rng.choice((1.5, 2.25, 4.0, 6.5)), 3)
        return event_from(word, args, at=Seconds(self.now), by=by, events=GAME.events)

    def next(self, state: State) -> Iterator[Event]:
        now, who = step(state), state.seats[max(0, state.active)]
        if state.throwing.listen is not None:
            self.now = max(self.now, float(state.throwing.listen))
            yield BellRang(at=state.throwing.listen, timer="listen")
            return
        if state.throwing.asked:
            yield self.event("cubes_checked", who, stuck=self.rng.choice(("yes", "no")))
        if self.rng.random() < self.mishaps:
            yield from self.mishap(state, who)
        elif now in THROWS:
            yield from self.throw(state, who)
        elif now in {Step.KNIFE, Step.HOTEL}:
            yield self.event("beginner_named", who, player=self.rng.choice(state.seats))
        elif now is Step.CALL:
            yield self.call(state, who)
        elif now is Step.LIFT:
            yield self.event("floor_lifted", who, floor=str(self.floor(state)))
        elif now is Step.INSPECT:
            yield self.look(state)
        elif now is Step.RECOVER:
            yield self.event("clues_recovered", who, count=str(state.turn.recoverable))
        if state.strays:
            yield self.event("stray_put_away", who, drop=state.strays[0].id)

    def mishap(self, state: State, who: Seat) -> Iterator[Event]:
        now, inside = step(state), [colour for colour, _ in self.inside]
        if now in THROWS and self.rng.random() < 0.5:
            self.now += ECHO_S + 1
            yield self.event("cube_thrown", who, colour=pending(state)[0][0])
            yield self.event("throw_missed", who)
        elif now in {Step.LIFT, Step.INSPECT, Step.RETURN} and inside and self.rng.random() < 0.5:
            fallen = self.inside.pop(self.rng.randrange(len(self.inside)))
            yield self.event("cubes_fell_out", who, cubes=fallen[0])
        elif inside:
            seat, colour = self.rng.choice(state.seats), self.rng.choice(state.colours)
            yield self.event("guess_noted", seat, colour=colour, floor=str(self.rng.choice(FLOORS)))

    def throw(self, state: State, who: Seat) -> Iterator[Event]:
        wanted = pending(state)
        colour = self.rng.choice(wanted)[0]
        self.inside.append((colour, self.lands(colour)))
        heard = self.hears != "nothing" and not (self.hears == "most" and self.rng.random() < 0.05)
        if heard:
            self.drops += 1
            self.now = round(self.now + 2.5, 3)
            yield CubeDropped(at=Seconds(self.now), drop=f"cube-{self.drops}")
        elif self.hears != "nothing":
            self.now += ECHO_S + 1  # the thrower sees that nothing was counted, and taps
        if not heard or len(wanted) > 1:
            yield self.event("cube_thrown", who, colour=colour)
        if not heard and self.hears != "nothing":
            self.now += HEARD_S + 1

    def call(self, state: State, who: Seat) -> Event:
        own = state.on_sheet(state.active)
        if own and self.rng.random() < 0.2:
            return self.event("cover_called", who)
        others = [seat for seat in state.seats if seat != who]
        here = [
            state.seats[state.player_of(c)]
            for c, f in self.inside
            if f == self.liked(state) and c != VICTIM
        ]
        named = [seat for seat in others if seat in here and self.rng.random() < 0.8]
        return self.event("suspicion_voiced", who, suspects=",".join(named or [self.rng.choice(others)]))

    def liked(self, state: State) -> int:
        """The floor that this turn's investigator would lift: where most lies that others own."""
        own = state.colours[state.active]
        lie = Counter(floor for colour, floor in self.inside if colour != own)
        return max(FLOORS, key=lambda floor: (floor in state.scenes) * 2 + lie[floor] + floor / 100)

    def floor(self, state: State) -> int:
        own = state.colours[state.active]
        if state.turn.called == "cover":
            mine = [f for c, f in self.inside if c == own and state.sheet[state.active][f]]
            return self.rng.choice(mine or FLOORS)
        if state.turn.called:
            return self.liked(state) if self.rng.random() < self.ears else self.rng.choice(FLOORS)
        victims = [f for c, f in self.inside if c == VICTIM]
        return (
            self.rng.choice(victims)
            if victims and self.rng.random() < self.ears / 2
            else self.rng.choice(FLOORS)
        )

    def look(self, state: State) -> CubesSeen:
        floor = state.turn.floor
        found = tuple(sorted(colour for colour, f in self.inside if f == floor))
        self.inside = [cube for cube in self.inside if cube[1] != floor]
        self.now = round(self.now + 8.0, 3)
        return CubesSeen(at=Seconds(self.now), by=state.seats[state.active], cubes=found)
