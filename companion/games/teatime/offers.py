"""What a seat can do now: whole events, and why not what cannot be done."""

from collections.abc import Callable, Iterator
from typing import Final

from companion.games.teatime import events as ev
from companion.games.teatime import words
from companion.games.teatime.box import editable
from companion.games.teatime.drafts import AT, draft
from companion.games.teatime.offers_box import about_the_box
from companion.games.teatime.offers_tiles import activating
from companion.games.teatime.pieces import TOKENS
from companion.games.teatime.pool import acting
from companion.games.teatime.state import Phase, State
from companion.rules.events import Seat
from companion.rules.view import Action, Input

_DICE: Final = "Dice"
_BACK: Final = "Or pass"
_TOKENS: Final = "Your tokens"


def offers(state: State, seat: Seat | None) -> tuple[Action, ...]:
    """Everything meaningful now; nothing for the table screen or after the end."""
    if seat not in state.seats:
        return ()
    place = state.seats.index(Seat(str(seat)))
    return tuple(action for drafted in _DRAFTS[state.phase] for action in drafted(state, place))


def _beginner(state: State, _place: int) -> Iterator[Action]:
    for seat, name in zip(state.seats, state.names, strict=True):
        event = ev.BeginnerNamed(at=AT, player=seat)
        yield draft(f"first-{seat}", f"{name} goes first", event, "Who goes first?", lead=True)


def _box(state: State, _place: int) -> Iterator[Action]:
    """The box is described between rounds, so that it is in nobody's way."""
    if editable(state) and not state.throws:
        yield from about_the_box(state)


def _exploring(state: State, place: int) -> Iterator[Action]:
    now = acting(state)
    if place in now:
        offered = tuple(activating(state, place))
        yield from offered
        yield from _passing(state, place, must=not offered)
    elif now:
        event = ev.TileActivated(at=AT, number=1, column=1)
        yield draft("activate", "Activate a tile", event, "", refused=_why_not_now(state, place))
    if state.phase is Phase.ROLL and place in now:
        yield draft("stop", "Stop rolling, and think", ev.RollingStopped(at=AT), _DICE)


def _why_not_now(state: State, place: int) -> str:
    if state.phase is not Phase.OTHERS:
        return f"{state.called(state.active)} chooses first. Then all others do, at the same time."
    names = words.listed(state.called(other) for other in state.waiting)
    idle = place in state.idle
    done = "There is nothing for you to do in this round" if idle else "You have played in this round"
    return f"{done}. Waiting for {names}."


def _passing(state: State, place: int, *, must: bool) -> Iterator[Action]:
    """One dice tile comes back: drawn by the companion, or blind at the table."""
    lying = [number for number, n in enumerate(_discards(state, place), start=1) if n]
    count = sum(_discards(state, place))
    drawn = len(lying) > 1 and not state.rules.phones
    choices = tuple((str(number), f"Dice tile {number}") for number in lying)
    text = "Pass, and take a dice tile back" if lying else "Pass"
    cost = f"one of {count}, by chance" if count > 1 else "" if count else "nothing to take back"
    event = ev.Passed(at=AT, back=lying[0] if drawn else None)
    blind = "Drawn blind from your discards"
    inputs = (Input("back", blind, choices=choices, default=choices[0][0]),) if drawn else ()
    yield draft("pass", text, event, _BACK, inputs=inputs, cost=cost, lead=must)
    if state.special and lying and place != state.active:
        event = ev.Passed(at=AT, takes=False)
        yield draft("nothing", "Take nothing back", event, _BACK)


def _tokens(state: State, place: int) -> Iterator[Action]:
    """Where no picture is kept, tokens are counted by tap."""
    if state.rules.picture:
        return
    count = state.players[place].counted
    if count < TOKENS:
        event = ev.TokensCounted(at=AT, tokens=count + 1)
        last = "The fifth token ends the game after this round." if count + 1 == TOKENS else ""
        yield draft(
            "token", "I put a token on a detective", event, _TOKENS, cost=f"then {count + 1}", warning=last
        )
    if count:
        event = ev.TokensCounted(at=AT, tokens=count - 1)
        yield draft("token-back", "I took a token back", event, _TOKENS, cost=f"then {count - 1}")


def _points(state: State, place: int) -> Iterator[Action]:
    told = state.players[place].points
    asked = Input(
        "points", "Rooms, thieves and the master thief together", "number", default=str(told or 0)
    )
    event = ev.PointsCounted(at=AT, points=told or 0)
    text = "Enter what your detectives light"
    yield draft("points", text, event, "The score", inputs=(asked,), lead=told is None)


def _discards(state: State, place: int) -> tuple[int, ...]:
    return state.players[place].discard


_DRAFTS: Final[dict[Phase, tuple[Callable[[State, int], Iterator[Action]], ...]]] = {
    Phase.BOX: (_box,),
    Phase.FIRST: (_beginner, _box),
    Phase.ROLL: (_exploring, _tokens, _box),
    Phase.CHOOSE: (_exploring, _tokens),
    Phase.OTHERS: (_exploring, _tokens),
    Phase.SCORE: (_points, _tokens),
    Phase.END: (),
}
