"""Tea Time Crime as a game: what may happen when, and what it does."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from companion.games.teatime import box, exploring, options, rolling, rounds, told
from companion.games.teatime import events as ev
from companion.games.teatime.pieces import OURS, ROOMS
from companion.games.teatime.pool import acting
from companion.games.teatime.state import Player, State
from companion.games.teatime.steps import ALLOWED, demand
from companion.games.teatime.view import seen_by
from companion.rules.events import BellRang, DiceRolled, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.notation import word_of
from companion.rules.view import View

_DO: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    DiceRolled: rolling.rolled,
    BellRang: rounds.rang,
    ev.TileDescribed: box.tile_described,
    ev.TileForgotten: box.tile_forgotten,
    ev.RoomValued: box.room_valued,
    ev.BeginnerNamed: rounds.beginner_named,
    ev.DiceHeld: rolling.held,
    ev.RollingStopped: rolling.stopped,
    ev.TileActivated: exploring.activated,
    ev.Passed: exploring.passed,
    ev.TokensCounted: rounds.tokens_counted,
    ev.PointsCounted: rounds.points_counted,
}

_BOX: Final = frozenset[type[Event]]({ev.TileDescribed, ev.TileForgotten, ev.RoomValued})
_COUNTS: Final = frozenset[type[Event]]((ev.TokensCounted, ev.PointsCounted))
_TAPS: Final[dict[type[Event], str]] = {kind: word_of(kind) for kind in (*ev.EVENTS, BellRang)}


class TeaTime(Game[State]):
    """Tea Time Crime."""

    slug: ClassVar[str] = "teatime"
    title: ClassVar[str] = "Tea Time Crime"
    tagline: ClassVar[str] = "Five detectives, five torches, and thieves who show only one side"
    seats: ClassVar[tuple[int, int]] = (2, 4)
    events: ClassVar[tuple[type[Event], ...]] = ev.EVENTS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS

    def setup(self, setup: Setup) -> State:
        """Every board face down; where the companion deals and knows the tiles, dealt (T1)."""
        fewest, most = self.seats
        if not fewest <= len(setup.seats) <= most:
            raise ValueError(f"Tea Time Crime is played by {fewest} to {most}, not {len(setup.seats)}")
        rules = options.rules_of(setup)
        carried, ours = setup.carried, rules.ours
        state = State(
            rules=rules,
            seats=setup.seats,
            names=tuple(setup.called(seat) for seat in setup.seats),
            deal=setup.deal,
            players=(Player(),) * len(setup.seats),
            box=OURS if ours else box.tiles_of(carried),
            rooms=ROOMS if ours else box.rooms_of(carried),
            carried=tuple(carried.items()),
        )
        return box.ready(state)

    def expects(self, state: State) -> Expected:
        """Taps and dice that the phase allows, and by whom."""
        running = rounds.timer(state)
        taps = []
        for kind in ALLOWED[state.phase]:
            seats = _seats(state, kind) if kind in _TAPS else frozenset[Seat]()
            if seats is None or seats:
                taps.append(Tap(_TAPS[kind], seats))
        taps.sort(key=lambda tap: tap.word)
        return Expected(tuple(taps), dice=rolling.awaited(state), timer=running)

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``. Raises OutOfPlace with the reason."""
        kind = type(event)
        if kind not in ALLOWED[state.phase]:
            raise OutOfPlace(told.refusal(kind, demand(state)))
        return _DO[kind](state, event)

    def outcome(self, state: State) -> Outcome | None:
        """Who has most points after the last round."""
        return rounds.outcome(state)

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:  # noqa: ARG002 - timers say their end
        """The screen of ``seat``, or the one that everybody may see."""
        return seen_by(self.title, state, seat)

    def keeps(self, state: State) -> Mapping[str, str]:
        """The box's tiles and rooms, as they were told."""
        return box.keeps(state)

    def correctable(self, start: State, event: Event) -> bool:
        """With boards on phones only dice: any other correction would look under another tile."""
        return not start.rules.phones or isinstance(event, DiceRolled)

    def told(self, before: State, event: Event, after: State) -> str:
        """One line for the history."""
        return told.line(before, event, after)


def _seats(state: State, kind: type[Event]) -> frozenset[Seat] | None:
    """Who may tap this; None for anybody, empty for nobody."""
    nobody = frozenset[Seat]()
    if kind in {ev.TileActivated, ev.Passed}:
        return frozenset(state.seats[place] for place in acting(state))
    if kind in {ev.DiceHeld, ev.RollingStopped}:
        return frozenset({state.seats[state.active]}) if state.throws else nobody
    if kind in _BOX:
        return None if box.editable(state) else nobody
    if kind in _COUNTS:
        return nobody if state.rules.picture else frozenset(state.seats)
    if kind is BellRang:
        return None if rounds.timer(state) else nobody
    return None


GAME: Final = TeaTime()
