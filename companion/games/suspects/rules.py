"""Unusual Suspects as a game: what may happen when, and what it does."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from companion.games.suspects import cases, dealing, options, told, turns, words
from companion.games.suspects import events as ev
from companion.games.suspects.offers import may_act
from companion.games.suspects.state import State, fresh
from companion.games.suspects.steps import ALLOWED, demand
from companion.games.suspects.view import seen_by
from companion.rules.events import BellRang, DiceRolled, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.notation import word_of
from companion.rules.view import View

_DO: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    DiceRolled: turns.rolled,
    BellRang: cases.rang,
    ev.DealerNamed: dealing.dealer_named,
    ev.FirstCardTurned: dealing.first_turned,
    ev.LockerCompared: turns.compared,
    ev.CardDrawn: turns.drawn,
    ev.CardDiscarded: turns.discarded,
    ev.DieTaken: turns.die_taken,
    ev.CaseDeclared: cases.declared,
    ev.CardsCompared: cases.compared,
    ev.FalselyCalled: cases.falsely_called,
    ev.CaseOpened: dealing.case_opened,
}

_ACTS: Final = (ev.CardDrawn, ev.CardDiscarded, ev.DieTaken)
"""What the active player does."""
_TAPS: Final[dict[type[Event], str]] = {kind: word_of(kind) for kind in (*ev.EVENTS, BellRang)}


class Suspects(Game[State]):
    """Unusual Suspects."""

    slug: ClassVar[str] = "suspects"
    title: ClassVar[str] = "Unusual Suspects"
    tagline: ClassVar[str] = "Match your file to six fingerprints, and never be one of them"
    seats: ClassVar[tuple[int, int]] = (2, 4)
    events: ClassVar[tuple[type[Event], ...]] = ev.EVENTS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS

    def setup(self, setup: Setup) -> State:
        """Nothing is dealt before somebody deals."""
        fewest, most = self.seats
        if not fewest <= len(setup.seats) <= most:
            raise ValueError(f"Unusual Suspects is played by {fewest} to {most}, not {len(setup.seats)}")
        rules = options.rules_of(setup)
        state = fresh(rules, setup.seats, setup.deal)
        return state if rules.dealer_asked else dealing.dealt(state, 0)

    def expects(self, state: State) -> Expected:
        """Taps and dice that the phase allows; by whom depends on nobody's cards."""
        running = cases.timer(state)
        taps = []
        for kind in ALLOWED[state.phase]:
            if kind in _TAPS and (kind is not BellRang or running):
                seats = _seats(state, kind)
                if seats is None or seats:
                    taps.append(Tap(_TAPS[kind], seats))
        taps.sort(key=lambda tap: tap.word)
        return Expected(tuple(taps), dice=turns.awaited(state), timer=running)

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``. Raises OutOfPlace with the reason."""
        kind = type(event)
        if kind not in ALLOWED[state.phase]:
            raise OutOfPlace(told.refusal(kind, state, demand(state)))
        if kind in _ACTS and event.by not in may_act(state):
            raise OutOfPlace(f"It is {words.name(state.seats[state.active])}'s turn.")
        return _DO[kind](state, event)

    def outcome(self, state: State) -> Outcome | None:
        """Who was first to three cases."""
        return cases.outcome(state)

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:  # noqa: ARG002 - timers say their end
        """The screen of ``seat``, or the one that everybody may see."""
        return seen_by(self.title, state, seat)

    def correctable(self, start: State, event: Event) -> bool:
        """With files on phones only dice: any other correction would try what somebody holds."""
        return not start.rules.phones or isinstance(event, DiceRolled)

    def told(self, before: State, event: Event, after: State) -> str:
        """One line for the history."""
        return told.line(before, event, after)


def _seats(state: State, kind: type[Event]) -> frozenset[Seat] | None:
    """Who may tap this; None for anybody."""
    if kind in _ACTS:
        return frozenset(may_act(state))
    if kind is ev.CaseDeclared:
        return frozenset(state.seats[place] for place in cases.callers(state))
    if kind is ev.CardsCompared:
        return frozenset(seat for seat in state.seats if seat != state.seats[state.claims[0]])
    if kind is ev.FalselyCalled and not state.rules.forfeit:
        return frozenset()
    return None


GAME: Final = Suspects()
