"""Nine Candles: in turn put out one, two or three; nobody wants to put out the last."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.rules.events import Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.view import Action, Entry, Panel, Roster, View

MOST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class CandlesPutOut(Event):
    """The seat puts out so many candles, 1 to 3."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnPassed(Event):
    """The seat leaves all candles as they are."""


@dataclass(frozen=True, slots=True)
class Wicks(Panel):
    """Candles in a row, the first so many of which burn."""

    kind: ClassVar[str] = "wicks"
    lit: int
    all: int


@dataclass(frozen=True, slots=True)
class State:
    """``passed``: how many have passed in a row; ``dark``: who put out the last candle."""

    setup: Setup
    all: int
    lit: int
    turn: int = 0
    passed: int = 0
    dark: Seat | None = None


class Candles(Game[State]):
    """One to nine players in a library, at night."""

    slug = "candles"
    title = "Nine Candles"
    tagline = "Nobody wants to sit in the dark."
    seats = (2, 9)
    events = (CandlesPutOut, TurnPassed)
    options = (
        Option("candles", "Candles", (("9", "nine"), ("15", "fifteen")), "9", "fifteen last longer"),
    )

    def setup(self, setup: Setup) -> State:
        """All candles burn."""
        fewest, most = self.seats
        if not fewest <= len(setup.seats) <= most:
            raise ValueError(f"{self.title} is for {fewest} to {most} players, not {len(setup.seats)}.")
        if unknown := setup.options.keys() - {"candles"}:
            raise ValueError(f"There is no option {min(unknown)!r}.")
        chosen = setup.options.get("candles", "9")
        if chosen not in {"9", "15"}:
            raise ValueError(f"candles is 9 or 15, not {chosen!r}.")
        return State(setup, int(chosen), int(chosen))

    def expects(self, state: State) -> Expected:
        """Two taps of whoever's turn it is."""
        if self.outcome(state):
            return Expected()
        on_turn = frozenset({_on_turn(state)})
        return Expected(taps=(Tap("candles_put_out", on_turn), Tap("turn_passed", on_turn)))

    def apply(self, state: State, event: Event) -> State:
        """Fewer candles, or one more who passed."""
        if self.outcome(state):
            raise OutOfPlace("The night is over.")
        if event.by != _on_turn(state):
            raise OutOfPlace(f"It is {state.setup.called(_on_turn(state))}'s turn.")
        turn = (state.turn + 1) % len(state.setup.seats)
        match event:
            case TurnPassed():
                return replace(state, turn=turn, passed=state.passed + 1)
            case CandlesPutOut(count=count) if 1 <= count <= min(MOST, state.lit):
                dark = event.by if count == state.lit else None
                return replace(state, lit=state.lit - count, turn=turn, passed=0, dark=dark)
            case CandlesPutOut(count=count):
                raise OutOfPlace(f"Put out one to {min(MOST, state.lit)} candles, not {count}.")
        raise OutOfPlace("That is not done in this library.")

    def outcome(self, state: State) -> Outcome | None:
        """The last candle is out, or all have passed and the sun rises."""
        seats = state.setup.seats
        if state.dark is not None:
            others = tuple(seat for seat in seats if seat != state.dark)
            return Outcome("dark", f"{state.setup.called(state.dark)} sits in the dark.", others)
        if state.passed == len(seats):
            return Outcome("dawn", "Nobody dared: the sun rises.", seats)
        return None

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:
        """The candles, the players, and what may be done."""
        ended = self.outcome(state)
        name = state.setup.called(_on_turn(state))
        people = tuple(Entry(s, state.setup.called(s), "in the light") for s in state.setup.seats)
        actions = [
            Action(f"out-{n}", f"Put out {n}", "candles_put_out", args={"count": str(n)}, lead=n == 1)
            for n in range(1, min(MOST, state.lit) + 1)
        ]
        actions.append(Action("pass", "Pass", "turn_passed"))
        return View(
            title=self.title,
            phase="over" if ended else "night",
            headline=ended.text if ended else f"{name} is at the candles.",
            panels=(Wicks("Candles", state.lit, state.all), Roster("In the library", people)),
            actions=() if ended or seat != _on_turn(state) else tuple(actions),
            face=self.slug,
        )

    def told(self, before: State, event: Event, after: State) -> str:
        """One line for the history."""
        name = before.setup.called(event.by) if event.by else "Somebody"
        if isinstance(event, CandlesPutOut):
            return f"{name} put out {event.count}: {after.lit} burn."
        return f"{name} passed."


def _on_turn(state: State) -> Seat:
    return state.setup.seats[state.turn]


GAME = Candles()
