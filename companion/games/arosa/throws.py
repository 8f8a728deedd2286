"""Cubes into the tower: named by taps, counted by the tower, matched in either order (A2, A3, A7, A16).

A tap and a drop within ``HEARD_S`` of each other are one cube, the first of one with the first of the
other. The tower only ever counts: nothing here knows where a cube came to rest.
"""

from typing import Any

from companion.games.arosa import words
from companion.games.arosa.ending import with_end
from companion.games.arosa.events import CubeThrown, ThrowMissed
from companion.games.arosa.pieces import COLOURS, VICTIM
from companion.games.arosa.state import (
    Drop,
    Named,
    Phase,
    State,
    Throwing,
    Turn,
    changed,
    colour_counts,
)
from companion.games.arosa.steps import THROWS, Step, pending, step, thrower
from companion.games.arosa.turns import gone_on
from companion.rules.copies import replace
from companion.rules.events import CubeDropped, Seconds
from companion.rules.game import OutOfPlace

HEARD_S = 4.0
"""A drop this long after a tap can still be the cube that the tap named."""
ECHO_S = 6.0
"""A tap this long after a drop that named itself names that same cube, not another one.

Generous, because a cube is shown a while after it fell: a tap too few is seen on the screen and made
again, a cube counted twice is not.
"""
LISTEN_S = 5.0
"""So long the tower may take to report the last cube before anybody is asked about it."""

_WAITS = THROWS | {Step.INSPECT, Step.RECOVER}
"""Here a drop waits for its colour: cubes are thrown back sooner than everything has been tapped."""


def thrown(state: State, event: CubeThrown) -> State:
    """A cube of this colour was thrown (A3)."""
    throwing = state.throwing
    echo = None if throwing.done else _echo(throwing, event.colour, event.at)
    if echo is not None:
        named = replace(throwing.named[echo], tapped=True)
        return with_throwing(state, named=(*throwing.named[:echo], named, *throwing.named[echo + 1 :]))
    if event.colour not in dict(pending(state)):
        raise OutOfPlace(_why_not(state, event))
    drop = throwing.waiting[0] if throwing.waiting else None
    if drop is not None:
        state = with_throwing(state, waiting=throwing.waiting[1:])
    return caught_up(_named(state, event.colour, event.at, drop, tapped=True), event.at)


def dropped(state: State, event: CubeDropped) -> State:
    """The tower heard a cube: one that is named already, one to be named, or one that nobody awaits."""
    if event.colour not in {"", VICTIM, *COLOURS}:
        raise OutOfPlace(f"There are no {event.colour} cubes in this game.")
    if any(event.drop == known.id for known in _known(state)):
        raise OutOfPlace("That cube is counted already.")
    drop = Drop(event.drop, event.at)
    if state.silent:
        state = replace(state, silent=0)
    heard = _heard(state, drop, event.colour)
    if heard is not None:
        return heard
    if step(state) not in _WAITS:
        return replace(state, strays=(*state.strays, drop))
    wanted = dict(pending(state))
    if event.colour in wanted:
        return caught_up(_named(state, event.colour, event.at, drop, tapped=False), event.at)
    if len(wanted) == 1 and not state.throwing.waiting:
        return _named(state, next(iter(wanted)), event.at, drop, tapped=False)
    state = _begun(state)
    return with_throwing(state, waiting=(*state.throwing.waiting, drop))


def caught_up(state: State, at: Seconds) -> State:
    """Drops that wait for their colour have it as soon as only one colour is still to be thrown."""
    while state.throwing.waiting and step(state) in THROWS and len(pending(state)) == 1:
        drop, *waiting = state.throwing.waiting
        ((colour, _),) = pending(state)
        state = _named(with_throwing(state, waiting=tuple(waiting)), colour, at, drop, tapped=False)
    return state


def missed(state: State, _event: ThrowMissed) -> State:
    """The cube named last never entered the shaft: it is thrown again (C4)."""
    why = why_no_miss(state)
    if why:
        raise OutOfPlace(why)
    throwing = state.throwing
    last = throwing.named[-1]
    if throwing.back is not None:
        phase, active, turn = throwing.back
        state = replace(state, phase=phase, active=active, turn=turn)
    elif last.own and state.phase is not Phase.PROLOG:
        state = replace(state, turn=replace(state.turn, penalty=state.turn.penalty + 1))
    state = replace(state, **_moved(state, last, -1))
    return with_throwing(state, named=throwing.named[:-1], done=False, back=None, listen=None, asked=False)


def why_no_miss(state: State) -> str:
    """Why no throw can be taken back as missed; empty if one can."""
    if not state.throwing.named:
        return "No cube has been thrown just now: to take back something else, use undo."
    last = state.throwing.named[-1]
    if last.drop:
        return f"The tower has counted that {last.colour} cube. If it lies outside, use undo."
    if not dict(colour_counts(state, state.tower, state.inside)).get(last.colour):
        return f"No {last.colour} cube is in the tower any more: it is among those that fell out."
    return ""


def unheard(state: State) -> int:
    """Cubes of the throws just completed that a tower which hears has not heard."""
    if not (state.throwing.done and state.tower_hears):
        return 0
    return sum(not named.drop for named in state.throwing.named)


def settled(state: State) -> State:
    """The throws before are over: what is not heard by now is asked about no more."""
    throwing = state.throwing
    if not throwing.done:
        return state
    late = tuple(named for named in throwing.named if not named.drop)
    return replace(state, throwing=Throwing(late=late))


def completed(state: State, before: tuple[Phase, int, Turn], at: Seconds) -> State:
    """All are named: what the tower has heard is set against them, and play goes on."""
    throwing = state.throwing
    waiting = list(throwing.waiting)
    named = list(throwing.named)
    for place, cube in enumerate(named):
        if waiting and not cube.drop:
            drop = waiting.pop(0)
            named[place] = replace(cube, drop=drop.id)
            state = replace(state, drops=(*state.drops, _filled(drop, cube)))
    deaf = not state.tower_hears or all(cube.drop for cube in named)
    throwing = Throwing(
        named=tuple(named),
        done=True,
        back=before,
        listen=None if deaf else Seconds(at + LISTEN_S),
        late=throwing.late,
    )
    strays = (*state.strays, *waiting) if waiting else state.strays
    return gone_on(replace(state, throwing=throwing, strays=strays), at)


def with_throwing(state: State, **changes: Any) -> State:
    """``state`` with these fields of its throwing changed."""
    return replace(state, throwing=replace(state.throwing, **changes))


def _begun(state: State) -> State:
    return settled(state) if state.throwing.done else state


def _named(state: State, colour: str, at: Seconds, drop: Drop | None, *, tapped: bool) -> State:
    state = _begun(state)
    now, before = step(state), (state.phase, state.active, state.turn)
    own = now is not Step.RETURN and colour != VICTIM
    cube = Named(colour, at, state.active, own, tapped, drop.id if drop else "")
    changes = _moved(state, cube, 1)
    changes["throwing"] = replace(state.throwing, named=(*state.throwing.named, cube))
    if now is Step.PENALTY:
        changes["turn"] = replace(state.turn, penalty=state.turn.penalty - 1)
    if drop is None:
        changes["silent"] = state.silent + 1
    else:
        changes["drops"] = (*state.drops, _filled(drop, cube))
    state = with_end(replace(state, **changes))
    if state.phase is Phase.END or _more(state):
        return state
    return completed(state, before, at)


def _more(state: State) -> bool:
    """Whether this player has more to throw now."""
    if state.phase is Phase.PROLOG:
        return bool(pending(state)[0][1]) and (
            state.outside > 0 or state.throwing.named[-1].colour != VICTIM
        )
    return bool(state.outside or any(state.loose) or state.turn.penalty)


def _moved(state: State, cube: Named, by: int) -> dict[str, Any]:
    """What changes with the cube in the tower (``by`` 1), or out of it again (-1)."""
    if cube.colour == VICTIM:
        return {"outside": state.outside - by, "inside": state.inside + by}
    player = state.player_of(cube.colour)
    tower = changed(state.tower, player, by)
    if cube.own:
        return {"supply": changed(state.supply, player, -by), "tower": tower}
    return {"loose": changed(state.loose, player, -by), "tower": tower}


def _heard(state: State, drop: Drop, colour: str) -> State | None:
    """The state with ``drop`` as the cube of an earlier tap; None if there was no such tap.

    While nothing is to be thrown, a drop is the cube that was not heard before, however late it comes.
    """
    idle = state.throwing.done and step(state) not in THROWS
    for field, cubes in (("late", state.throwing.late), ("named", state.throwing.named)):
        for place, cube in enumerate(cubes):
            late = drop.at - cube.at > HEARD_S and not (idle and field == "named")
            if cube.drop or late or colour not in {"", cube.colour}:
                continue
            kept = () if field == "late" else (replace(cube, drop=drop.id),)
            state = with_throwing(state, **{field: (*cubes[:place], *kept, *cubes[place + 1 :])})
            state = replace(state, drops=(*state.drops, _filled(drop, cube)))
            return state if unheard(state) else with_throwing(state, listen=None, asked=False)
    return None


def _filled(drop: Drop, cube: Named) -> Drop:
    return replace(drop, colour=cube.colour, thrower=cube.thrower)


def _echo(throwing: Throwing, colour: str, at: Seconds) -> int | None:
    """The place of the drop that named itself and that a tap at ``at`` speaks of."""
    for place, cube in enumerate(throwing.named):
        if cube.colour == colour and not cube.tapped and at - cube.at <= ECHO_S:
            return place
    return None


def _why_not(state: State, event: CubeThrown) -> str:
    wanted = f"{thrower(state)} throws {words.cubes(pending(state))}"
    echo = _echo(state.throwing, event.colour, event.at) is not None
    if state.throwing.done and echo:
        return f"The tower has counted that {event.colour} cube already. Now {wanted}."
    if step(state) is Step.RETURN:
        return f"No {event.colour} cube is to be thrown back: {wanted}. A penalty comes after that."
    return f"No {event.colour} cube is to be thrown now: {wanted}."


def _known(state: State) -> tuple[Drop, ...]:
    return (*state.throwing.waiting, *state.strays, *state.drops)
