"""What a seat can do now: whole events, and why not what cannot be done.

With the cards on the table any seat may tap what the active player does. Where the companion deals only
that player's own phone may, and what depends on a file is in that phone's actions alone.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from companion.games.suspects import cases, turns, words
from companion.games.suspects import events as ev
from companion.games.suspects.pieces import COLOURS
from companion.games.suspects.prompts import solution
from companion.games.suspects.state import DISCARD, PILE, Phase, State
from companion.games.suspects.steps import player
from companion.rules.events import Event, Seat, Seconds
from companion.rules.notation import arguments, word_of
from companion.rules.view import Action, Input

AT = Seconds(0.0)
"""Drafts are never recorded: the table gives an event its own time."""
SOLVE = "Solve the case"
AMISS = "If somebody called out falsely"
_DICE = "Or roll one die"


@dataclass(frozen=True, slots=True)
class Desk:
    """Who asks. ``mine``: it is that seat's turn; ``taps``: it may tap for the active player."""

    state: State
    seat: Seat
    mine: bool
    taps: bool


def offers(state: State, seat: Seat | None) -> tuple[Action, ...]:
    """Everything meaningful now; nothing for the table screen or after the end."""
    if seat not in state.seats:
        return ()
    who = Seat(str(seat))
    mine = state.seats.index(who) == state.active
    desk = Desk(state, who, mine, mine or not state.rules.phones)
    return tuple(action for drafted in _DRAFTS.get(state.phase, ()) for action in drafted(desk))


def may_act(state: State) -> tuple[Seat, ...]:
    """The seats that may tap what the active player does."""
    return (state.seats[state.active],) if state.rules.phones else state.seats


def _draft(
    ident: str,
    text: str,
    event: Event,
    group: str,
    *,
    inputs: tuple[Input, ...] = (),
    refused: str = "",
    warning: str = "",
    cost: str = "",
    lead: bool = False,
) -> Action:
    return Action(
        ident, text, word_of(event), arguments(event), inputs, cost, refused, warning, group, lead=lead
    )


def _dealer(desk: Desk) -> Iterator[Action]:
    for seat in desk.state.seats:
        event = ev.DealerNamed(at=AT, player=seat)
        yield _draft(f"deal-{seat}", f"{words.name(seat)} deals", event, "Who deals?", lead=True)


def _flip(_: Desk) -> Iterator[Action]:
    for colour in COLOURS:
        event = ev.FirstCardTurned(at=AT, colour=colour)
        yield _draft(f"first-{colour}", words.begun(colour), event, "The card turned up", lead=True)


def _compared(_: Desk) -> Iterator[Action]:
    event = ev.LockerCompared(at=AT)
    yield _draft("compared", "All six lie there as rolled", event, "Evidence Locker", lead=True)


def _group(desk: Desk) -> str:
    return "Your turn" if desk.mine else f"For {player(desk.state, desk.state.active)}"


def _why_no_turn(desk: Desk) -> str:
    """Why neither a card can be drawn nor a die taken; empty if both can."""
    who = player(desk.state, desk.state.active)
    if not desk.taps:
        return f"It is {who}'s turn."
    if desk.state.phase is Phase.DRAWN:
        return f"{who} has drawn: a turn is one card or one die, never both. Now one card is discarded."
    if desk.state.phase is Phase.ROLL:
        return "A turn is one card or one die, never both: a die is being rolled."
    return ""


def _cards(desk: Desk) -> Iterator[Action]:
    state, why = desk.state, _why_no_turn(desk)
    lead = desk.mine and not why
    size = words.counted(len(state.pile), "card")
    event = ev.CardDrawn(at=AT, source=PILE)
    yield _draft("draw-pile", "Draw from the pile", event, _group(desk), refused=why, cost=size, lead=lead)
    open_card = f"open {state.discard[-1]} card" if state.discard else "open card"
    event = ev.CardDrawn(at=AT, source=DISCARD)
    why = why or turns.why_not_taken(state)  # asked only for who may act: it tells of that file
    yield _draft("draw-discard", f"Take the {open_card}", event, _group(desk), refused=why, lead=lead)


def _dice(desk: Desk) -> Iterator[Action]:
    why = _why_no_turn(desk)
    for place, face in enumerate(desk.state.locker, start=1):
        event = ev.DieTaken(at=AT, die=place)
        yield _draft(f"roll-{place}", f"Die {place}, {face}", event, _DICE, refused=why)


def _discard(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not desk.taps:
        return
    hand = state.file[state.active] if state.rules.phones else COLOURS
    counts = Counter(hand)
    label = "Discard a card"
    free = [colour for colour in COLOURS if counts[colour] and colour != state.taken]
    if free:
        choices = tuple((colour, words.begun(colour)) for colour in free)
        asked = (Input("colour", "Which", choices=choices, default=free[0]),)
        event = ev.CardDiscarded(at=AT, colour=free[0])
        yield _draft("discard", label, event, _group(desk), inputs=asked, lead=desk.mine)
    if state.taken:
        why = turns.why_not_back(state, state.taken)
        event = ev.CardDiscarded(at=AT, colour=state.taken)
        text = f"Put a {state.taken} card back"
        warning = "" if why else "That is a pass: nothing but the turn is changed."
        yield _draft("discard-same", text, event, _group(desk), refused=why, warning=warning)


def _solve(desk: Desk) -> Iterator[Action]:
    """On a phone that holds the file it is checked here, before anybody hears of it (C4)."""
    state = desk.state
    why = cases.why_no_call(state, state.seats.index(desk.seat))
    warning = "" if state.rules.phones else f"Check before you call. {solution(state)}"
    event = ev.CaseDeclared(at=AT)
    yield _draft("solve", "I have solved the case", event, SOLVE, refused=why, warning=warning)


def _false(desk: Desk) -> Iterator[Action]:
    state = desk.state
    if not state.rules.forfeit:
        return
    for place, seat in enumerate(state.seats):
        name = words.name(seat)
        why = f"{name} forfeits the next turn already." if state.forfeits[place] else ""
        event = ev.FalselyCalled(at=AT, player=seat)
        yield _draft(f"false-{seat}", f"{name} forfeits the next turn", event, AMISS, refused=why)


def _match(desk: Desk) -> Iterator[Action]:
    state = desk.state
    mine = desk.seat == state.seats[state.claims[0]]
    why = "Somebody else compares your cards." if mine else ""
    group = f"{player(state, state.claims[0])}'s cards"
    for match, text in ((True, "Yes: the case is solved"), (False, "No: they differ")):
        event = ev.CardsCompared(at=AT, match=match)
        yield _draft(f"match-{'yes' if match else 'no'}", text, event, group, refused=why, lead=True)


def _next(desk: Desk) -> Iterator[Action]:
    state = desk.state
    text = f"Begin case {state.case + 1}"
    yield _draft("next", text, ev.CaseOpened(at=AT), "The next case", lead=True)


_DRAFTS: Final[dict[Phase, tuple[Callable[[Desk], Iterator[Action]], ...]]] = {
    Phase.DEALER: (_dealer,),
    Phase.FLIP: (_flip,),
    Phase.TRANSFER: (_compared,),
    Phase.TURN: (_cards, _dice, _solve, _false),
    Phase.DRAWN: (_discard, _cards, _dice, _solve, _false),
    Phase.ROLL: (_cards, _dice, _solve),
    Phase.CALLED: (_solve,),
    Phase.SHOWN: (_match,),
    Phase.SOLVED: (_next,),
}
