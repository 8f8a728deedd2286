"""Mord im Arosa as a game: what may happen when, and what it does."""

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final

from companion.games.arosa import asked, book, ending, options, throws, told, turns, words
from companion.games.arosa import events as ev
from companion.games.arosa.pieces import COLOURS, FLOORS, VICTIM
from companion.games.arosa.state import Guess, State, fresh
from companion.games.arosa.steps import ALLOWED, Step, demand, pending, step
from companion.games.arosa.view import seen_by
from companion.rules.copies import replace
from companion.rules.events import BellRang, CubeDropped, CubesSeen, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.notation import word_of
from companion.rules.view import Panel, View


def _seen(state: State, event: CubesSeen) -> State:
    return throws.caught_up(turns.seen(state, event), event.at)


def _recovered(state: State, event: ev.CluesRecovered) -> State:
    return throws.caught_up(turns.recovered(state, event), event.at)


def _guessed(state: State, event: ev.GuessNoted) -> State:
    if turns.colours_open(state):
        raise OutOfPlace("Nothing is in the tower yet.")
    if event.colour not in (*state.colours, VICTIM) or event.floor not in FLOORS:
        raise OutOfPlace(f"There is no {event.colour} on {words.floor(event.floor)} in this game.")
    guess = Guess(_writer(state, event), event.colour, event.floor, event.at)
    return replace(state, guesses=(*_others(state, guess.seat, guess.note), guess))


def _struck(state: State, event: ev.GuessStruck) -> State:
    left = _others(state, _writer(state, event), event.note)
    if len(left) == len(state.guesses):
        raise OutOfPlace("There is no such note of yours.")
    return replace(state, guesses=left)


def _writer(state: State, event: Event) -> Seat:
    if event.by not in state.seats:
        raise OutOfPlace("Only players keep notes.")
    return Seat(event.by)


def _others(state: State, seat: Seat, note: str) -> tuple[Guess, ...]:
    return tuple(guess for guess in state.guesses if (guess.seat, guess.note) != (seat, note))


_DO: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    CubeDropped: throws.dropped,
    CubesSeen: _seen,
    BellRang: asked.rang,
    ev.ColourTaken: turns.colour_taken,
    ev.BeginnerNamed: turns.beginner_named,
    ev.CubeThrown: throws.thrown,
    ev.ThrowMissed: throws.missed,
    ev.CubesChecked: asked.checked,
    ev.StrayNamed: asked.stray_named,
    ev.StrayPutAway: asked.put_away,
    ev.SuspicionVoiced: turns.suspicion_voiced,
    ev.CoverCalled: turns.cover_called,
    ev.FloorLifted: turns.lifted,
    ev.CubesFellOut: turns.fell_out,
    ev.CluesRecovered: _recovered,
    ev.GuessNoted: _guessed,
    ev.GuessStruck: _struck,
}

_ON: Final = frozenset(
    {ev.BeginnerNamed, ev.SuspicionVoiced, ev.CoverCalled, ev.FloorLifted, ev.CubesFellOut}
)
"""With these play goes on, and a question about the throws before is asked no more."""

_POSSIBLE: Final[dict[type[Event], Callable[[State], object]]] = {
    BellRang: asked.timer,
    ev.ColourTaken: turns.colours_open,
    ev.GuessNoted: lambda state: not turns.colours_open(state),
    ev.ThrowMissed: lambda state: not throws.why_no_miss(state),
    ev.CubesChecked: throws.unheard,
    ev.StrayNamed: lambda state: state.strays,
    ev.StrayPutAway: lambda state: state.strays,
    ev.CoverCalled: lambda state: not turns.why_no_cover(state),
    ev.CubesFellOut: lambda state: any(state.tower) or state.inside,
}
"""What must be there before an event can happen, where the table can see it at a glance."""

_PRIVATE: Final = (ev.GuessNoted, ev.GuessStruck)
_TAPS: Final = {kind: Tap(word_of(kind)) for kind in (*ev.EVENTS, CubeDropped, BellRang)}


class Arosa(Game[State]):
    """Mord im Arosa."""

    slug: ClassVar[str] = "arosa"
    title: ClassVar[str] = "Mord im Arosa"
    tagline: ClassVar[str] = "Cubes fall through a hotel, and only your ears know where"
    seats: ClassVar[tuple[int, int]] = (2, 6)
    events: ClassVar[tuple[type[Event], ...]] = ev.EVENTS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS

    def setup(self, setup: Setup) -> State:
        """The hotel stands empty, everybody has twenty clues (A1)."""
        fewest, most = self.seats
        if not fewest <= len(setup.seats) <= most:
            raise ValueError(f"Mord im Arosa is played by {fewest} to {most}, not {len(setup.seats)}")
        rules = options.rules_of(setup)
        kept = _kept_colours(setup.carried)
        colours = _colours(setup.seats, kept if rules.colours_kept else {})
        return replace(
            fresh(rules, setup.seats, colours, tuple(map(setup.called, setup.seats))), earlier=kept
        )

    def expects(self, state: State) -> Expected:
        """The taps that the step allows, any seat's; the cubes to be thrown, or those to be counted."""
        now = step(state)
        kinds = [k for k in ALLOWED[now] if k not in _POSSIBLE or _POSSIBLE[k](state)]
        own = frozenset(state.seats)
        taps = tuple(
            Tap(tap.word, own) if kind in _PRIVATE else tap for kind, tap in _TAPS.items() if kind in kinds
        )
        seen = turns.visible(state) if now is Step.INSPECT else None
        return Expected(taps, cubes=pending(state), seen=seen, timer=asked.timer(state))

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``. Raises OutOfPlace with the reason."""
        kind = type(event)
        if kind not in ALLOWED[step(state)]:
            raise OutOfPlace(told.refusal(kind, demand(state)))
        return _DO[kind](throws.settled(state) if kind in _ON else state, event)

    def outcome(self, state: State) -> Outcome | None:
        """Culprits and winners, once somebody has ten clues on the sheet or no supply."""
        return ending.outcome(state)

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:  # noqa: ARG002 - timers say their end
        """The screen of ``seat``, or the one that everybody may see."""
        return seen_by(self.title, state, seat)

    def keeps(self, state: State) -> Mapping[str, str]:
        """Who plays which colour, for the next evening; of seats that are away too."""
        colours: dict[str, str] = {**state.earlier}
        colours.update(zip(state.seats, state.colours, strict=True))
        return {"colours": ";".join(f"{seat}={colour}" for seat, colour in colours.items())}

    def open_book(self, state: State) -> bool:
        """In a training the tower's secret is open."""
        return state.rules.training

    def afterwards(self, state: State, sealed: Mapping[str, str]) -> tuple[Panel, ...]:
        """How each cube fell, and how well suspicions and notes matched."""
        return book.opened(state, sealed)

    def found(self, state: State) -> tuple[int, ...]:
        """The floor of each cube that was found on an open one."""
        return tuple(r.floor for r in state.reveals for _ in range(sum(r.found) + r.victims))

    def secrets(self, event: Event) -> bool:
        """Private notes are nobody else's."""
        return isinstance(event, _PRIVATE)

    def told(self, before: State, event: Event, after: State) -> str:
        """One line for the history."""
        return told.line(before, event, after)


def _kept_colours(carried: Mapping[str, str]) -> dict[str, str]:
    kept: dict[str, str] = {}
    for part in filter(None, carried.get("colours", "").split(";")):
        seat, _, colour = part.partition("=")
        if colour not in COLOURS:
            known = ", ".join(COLOURS)
            raise ValueError(f"colours cannot hold {part!r}: write seat=colour with one of {known}")
        kept[seat] = colour
    return kept


def _colours(seats: tuple[Seat, ...], kept: Mapping[str, str]) -> tuple[str, ...]:
    """Each seat's kept colour if nobody before it has it, else the first that is free."""
    taken: dict[Seat, str] = {}
    for seat in seats:
        if seat in kept and kept[seat] not in taken.values():
            taken[seat] = kept[seat]
    free = [colour for colour in COLOURS if colour not in taken.values()]
    return tuple(taken[seat] if seat in taken else free.pop(0) for seat in seats)


GAME: Final = Arosa()
