"""What does not match is asked, and the bells: nothing here ever blocks the game."""

from companion.games.arosa.ending import with_end
from companion.games.arosa.events import CubesChecked, StrayNamed, StrayPutAway
from companion.games.arosa.state import NOBODY, Drop, Phase, State, changed
from companion.games.arosa.steps import Step, pending, step
from companion.games.arosa.throws import completed, unheard, with_throwing
from companion.rules.copies import replace
from companion.rules.events import BellRang, Seconds
from companion.rules.game import OutOfPlace
from companion.rules.timer import Timer


def checked(state: State, event: CubesChecked) -> State:
    """The table looked after cubes that the tower had not heard."""
    if not unheard(state):
        raise OutOfPlace("Every cube that was named has been heard.")
    if event.stuck:
        return with_throwing(state, asked=False, listen=None)
    return with_throwing(state, named=(), back=None, asked=False, listen=None)


def stray_named(state: State, event: StrayNamed) -> State:
    """One more cube went in: it came from the supply of the player of this colour."""
    stray = _stray(state, event.drop)
    player = state.player_of(event.colour)
    if player == NOBODY:
        raise OutOfPlace(
            f"Nobody here plays {event.colour}: only a clue from a supply can be one too many."
        )
    state = replace(
        state,
        supply=changed(state.supply, player, -1),
        tower=changed(state.tower, player, 1),
        strays=tuple(s for s in state.strays if s is not stray),
        drops=(*state.drops, replace(stray, colour=event.colour, thrower=player)),
    )
    after = with_end(state)
    if step(after) is Step.PROLOG and not pending(after)[0][1]:
        return completed(after, (after.phase, after.active, after.turn), event.at)
    return after


def put_away(state: State, event: StrayPutAway) -> State:
    """It was no cube of anybody's supply."""
    stray = _stray(state, event.drop)
    strays = tuple(s for s in state.strays if s is not stray)
    return replace(state, strays=strays, drops=(*state.drops, stray))


def timer(state: State) -> Timer | None:
    """The bell that rings next: the turn's, or the one that asks about cubes not heard."""
    turn, ends = state.turn, []
    if state.throwing.listen is not None:
        ends.append(Timer("listen", state.throwing.listen))
    if state.rules.turn_s and turn.number and not turn.rung and state.phase is not Phase.END:
        ends.append(turn_timer(state))
    return min(ends, key=lambda t: t.ends_at, default=None)


def turn_timer(state: State) -> Timer:
    """When the time for this turn is up."""
    return Timer("turn", Seconds(state.turn.began + state.rules.turn_s))


def rang(state: State, event: BellRang) -> State:
    """A bell only says something; it takes nothing away."""
    now = timer(state)
    if now is None or now.name != event.timer:
        raise OutOfPlace("No such timer is running.")
    if event.timer == "turn":
        return replace(state, turn=replace(state.turn, rung=True))
    return with_throwing(state, listen=None, asked=True)


def _stray(state: State, drop: str) -> Drop:
    for stray in state.strays:
        if stray.id == drop:
            return stray
    raise OutOfPlace("That cube has been cleared up already.")
