"""A tiny game for the book's tests: three cubes into a tower, then one look at a floor."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.rules.events import CubeDropped, CubesExpected, CubesSeen, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.view import Panel, Text, View

CUBES = 3


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    training: bool = False
    drops: tuple[str, ...] = ()
    seen: tuple[str, ...] | None = None


class Shaft(Game[State]):
    slug = "shaft"
    title = "Shaft"
    seats = (1, 4)
    events = ()
    options = (Option("training", "Training", (("no", "No"), ("yes", "Yes")), "no"),)

    def setup(self, setup: Setup) -> State:
        return State(setup.seats, setup.options.get("training") == "yes")

    def expects(self, state: State) -> Expected:
        if state.seen is not None:
            return Expected()
        if len(state.drops) < CUBES:
            left = CUBES - len(state.drops)
            return Expected(taps=(Tap("cube_dropped"),), cubes=(("blue", left),))
        return Expected(taps=(Tap("cubes_seen"),), seen=CubesExpected((("blue", CUBES), ("red", 1))))

    def apply(self, state: State, event: Event) -> State:
        match event:
            case CubeDropped(drop=drop) if state.seen is None and len(state.drops) < CUBES:
                return replace(state, drops=(*state.drops, drop))
            case CubesSeen(cubes=cubes) if len(state.drops) == CUBES and state.seen is None:
                return replace(state, seen=cubes)
        raise OutOfPlace("Not now.")

    def outcome(self, state: State) -> Outcome | None:
        return Outcome("seen", "All was seen.") if state.seen is not None else None

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:
        return View("Shaft", "throw", f"{len(state.drops)} cubes went in.")

    def open_book(self, state: State) -> bool:
        return state.training

    def found(self, state: State) -> tuple[int, ...]:
        return (2,) * len(state.seen or ())

    def afterwards(self, state: State, sealed: Mapping[str, str]) -> tuple[Panel, ...]:
        return (Text("The book", tuple(sealed.get(drop, "not sensed") for drop in state.drops)),)


GAME = Shaft()
