"""A tiny game for the table's tests: throw two dice, first to twenty, a minute a throw."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from companion.rules.events import BellRang, DiceExpected, DiceRolled, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.timer import Timer
from companion.rules.view import Action, Entry, Roster, Text, Track, View

GOAL = 20
TURN_S = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Event):
    """A seat lets the dice go on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whispered(Event):
    """A seat notes something for itself."""

    text: str


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    goal: int
    turn: int = 0
    scores: tuple[int, ...] = ()
    rolls: frozenset[str] = frozenset()
    whispers: tuple[tuple[Seat, str], ...] = ()
    turn_since: float = 0.0
    treasure: str = ""


class Dash(Game[State]):
    slug = "dash"
    title = "Dash"
    seats = (1, 4)
    events = (Passed, Whispered)
    options = (Option("goal", "First to", (("20", "twenty"), ("40", "forty")), "20"),)

    def setup(self, setup: Setup) -> State:
        goal = int(setup.options.get("goal", "20"))
        return State(setup.seats, goal, scores=(0,) * len(setup.seats), treasure=f"treasure-{setup.deal}")

    def expects(self, state: State) -> Expected:
        if self.outcome(state):
            return Expected()
        on_turn = frozenset({state.seats[state.turn]})
        return Expected(
            taps=(Tap("passed", on_turn), Tap("whispered"), Tap("bell_rang")),
            dice=DiceExpected(kinds=(("white", 2),)),
            timer=Timer("throw", Seconds(state.turn_since + TURN_S)),
        )

    def apply(self, state: State, event: Event) -> State:
        if self.outcome(state):
            raise OutOfPlace("The dash is over.")
        match event:
            case DiceRolled(roll=roll, dice=dice, at=at):
                why = DiceExpected(kinds=(("white", 2),)).mismatch(dice)
                if why or roll in state.rolls:
                    raise OutOfPlace(why or "That throw is noted.")
                scores = list(state.scores)
                scores[state.turn] += sum(int(die.face) for die in dice)
                thrown = replace(state, scores=tuple(scores), rolls=state.rolls | {roll})
                return self._next(thrown, at)
            case Passed(by=by, at=at):
                if by != state.seats[state.turn]:
                    raise OutOfPlace(f"It is {state.seats[state.turn]}'s turn.")
                return self._next(state, at)
            case Whispered(by=by, text=text) if by is not None:
                return replace(state, whispers=(*state.whispers, (by, text)))
            case BellRang(at=at):
                return self._next(state, at)
        raise OutOfPlace("That is not in this game.")

    def outcome(self, state: State) -> Outcome | None:
        best = max(state.scores, default=0)
        if best < state.goal:
            return None
        winner = state.seats[state.scores.index(best)]
        return Outcome("won", f"{winner} is first.", (winner,))

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:
        mine = tuple(text for by, text in state.whispers if by == seat)
        panels = (
            Track("Best", max(state.scores, default=0), state.goal, "points"),
            Roster(
                "Scores", tuple(Entry(s, s, str(n)) for s, n in zip(state.seats, state.scores, strict=True))
            ),
            *((Text("Yours alone", mine, "secret"),) if mine else ()),
        )
        actions = (Action("pass", "Pass", "passed"),) if not self.outcome(state) else ()
        return View("Dash", "throw", f"{state.seats[state.turn]} throws.", panels, actions)

    def secrets(self, event: Event) -> bool:
        return isinstance(event, Whispered)

    def told(self, before: State, event: Event, after: State) -> str:
        match event:
            case DiceRolled(dice=dice):
                return f"{before.seats[before.turn]} threw {' '.join(die.face for die in dice)}."
            case Whispered():
                return f"{event.by} made a note."
            case BellRang():
                return "The bell rang."
        return f"{event.by} passed."

    def keeps(self, state: State) -> Mapping[str, str]:
        return {"best": str(max(state.scores, default=0))}

    def _next(self, state: State, at: Seconds) -> State:
        return replace(state, turn=(state.turn + 1) % len(state.seats), turn_since=at)


GAME = Dash()
