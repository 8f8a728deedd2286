"""Noir: Killer vs Inspector as a game: what may happen when, and what it does."""

from collections.abc import Callable
from typing import Any, ClassVar, Final

from companion.games.noir import answers, dealing, options, told, turns
from companion.games.noir import events as ev
from companion.games.noir.state import Phase, State
from companion.games.noir.steps import acting, allowed, may_tap, timer
from companion.games.noir.view import seen_by
from companion.rules.events import BellRang, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.notation import word_of
from companion.rules.view import View

_DO: Final[dict[type[Event], Callable[[State, Any], State]]] = {
    BellRang: answers.rang,
    ev.KillerNamed: dealing.killer_named,
    ev.SuspectLaid: dealing.suspect_laid,
    ev.GridCompleted: dealing.grid_completed,
    ev.SuspectKilled: turns.killed,
    ev.VictimAnswered: answers.victim_answered,
    ev.IdentityChosen: dealing.identity_chosen,
    ev.LineShifted: turns.shifted,
    ev.SuspectArrested: turns.arrested,
    ev.ArrestAnswered: answers.arrest_answered,
    ev.DisguiseDrawn: turns.disguise_drawn,
    ev.IdentityDiscarded: turns.identity_discarded,
    ev.DeadCardDiscarded: turns.dead_card_discarded,
    ev.EvidenceDrawn: turns.evidence_drawn,
    ev.SuspectExonerated: turns.exonerated,
    ev.AreaCanvassed: answers.canvassed,
    ev.GridCollapsed: turns.collapsed,
}
_WORDS: Final[dict[type[Event], str]] = {kind: word_of(kind) for kind in _DO}


class Noir(Game[State]):
    """Noir: Killer vs Inspector."""

    slug: ClassVar[str] = "noir"
    title: ClassVar[str] = "Noir: Killer vs Inspector"
    tagline: ClassVar[str] = "Two hidden among twenty-five suspects: who finds the other first?"
    seats: ClassVar[tuple[int, int]] = (2, 2)
    events: ClassVar[tuple[type[Event], ...]] = ev.EVENTS
    options: ClassVar[tuple[Option, ...]] = options.OPTIONS

    def setup(self, setup: Setup) -> State:
        """The grid is laid unless it is tapped in; cards are dealt once the roles are known."""
        if len(setup.seats) != self.seats[0]:
            raise ValueError(f"Noir is played by two, not {len(setup.seats)}")
        return dealing.fresh(options.rules_of(setup), setup)

    def expects(self, state: State) -> Expected:
        """Taps that the phase allows; by whom depends on nobody's identity."""
        running = timer(state)
        kinds = (kind for kind in allowed(state) if kind is not BellRang or running)
        taps = sorted((_WORDS[kind], may_tap(state, kind)) for kind in kinds)
        return Expected(tuple(Tap(word, seats) for word, seats in taps), timer=running)

    def apply(self, state: State, event: Event) -> State:
        """The state after ``event``. Raises OutOfPlace with the reason."""
        kind = type(event)
        if kind not in allowed(state):
            raise OutOfPlace(told.refusal(kind, state))
        seats = may_tap(state, kind)
        if seats is not None and event.by not in seats:
            raise OutOfPlace(_not_you(state))
        return _DO[kind](state, event)

    def outcome(self, state: State) -> Outcome | None:
        """Whether killer or inspector has won."""
        return answers.outcome(state)

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:  # noqa: ARG002 - timers say their end
        """The screen of ``seat``, or the one that everybody may see."""
        return seen_by(self.title, state, seat)

    def correctable(self, start: State, event: Event) -> bool:  # noqa: ARG002 - whatever the event is
        """With identities on phones nothing: any correction would try where somebody is."""
        return not start.rules.phones

    def told(self, before: State, event: Event, after: State) -> str:
        """One line for the history."""
        return told.line(before, event, after)


def _not_you(state: State) -> str:
    dealt = state.phase not in {Phase.ROLE, Phase.LAYOUT}
    if (state.rules.phones and dealt) or state.phase is Phase.CANVASS:
        return f"That is for {state.name_of(acting(state))} to tap."
    return "Only the two who play tap that."


GAME: Final = Noir()
