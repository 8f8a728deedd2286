"""What helps the people at the table just now, and what they must not miss. The same for everybody."""

from companion.games.teatime import words
from companion.games.teatime.box import editable, missing
from companion.games.teatime.pieces import GLASS, SPARE
from companion.games.teatime.pool import pool
from companion.games.teatime.state import Phase, State

_SETUP = (
    "Everybody: a house board and the five score tokens of one colour.",
    "Shuffle the five detectives face down onto the diagonal, the other twenty tiles onto the other rooms.",
)


def prompts(state: State) -> tuple[str, ...]:
    """Tokens to put, and sentences for what the table is at."""
    if state.phase is Phase.END:
        return ()
    won = [
        f"{name} puts a token on the detective on {words.place(cell)}."
        for name, player in zip(state.names, state.players, strict=True)
        for cell in player.gained
    ]
    return (*won, *_hints(state))


def _hints(state: State) -> tuple[str, ...]:
    match state.phase:
        case Phase.BOX:
            return ("Look at one set of tiles. It is asked once: the next evening knows them.",)
        case Phase.FIRST:
            return (*(() if state.rules.phones else _SETUP), *_unknown(state))
        case Phase.ROLL | Phase.CHOOSE:
            return _rolling(state)
        case Phase.OTHERS:
            return _others(state)
        case Phase.SCORE:
            return (
                "Each detective with a token: the rooms it lights, 10 for a thief, 12 for the master.",
                f"The companion adds {SPARE} for each token that was not placed.",
            )
    return ()


def warnings(state: State) -> tuple[str, ...]:
    """Tokens to take back, the last round, and time that is up."""
    if state.phase is Phase.END:
        return ()
    lines = [
        f"{name} takes the token from {words.place(cell)} back: a beam there lights nothing any more."
        for name, player in zip(state.names, state.players, strict=True)
        for cell in player.lost
    ]
    if state.over:
        names = words.listed(state.called(place) for place in state.over)
        last = "That was the last round." if state.phase is Phase.SCORE else "This is the last round."
        lines.append(f"{names} placed the fifth token. {last}")
    if state.rung and state.phase is Phase.OTHERS:
        lines.append("The time to explore is up.")
    return tuple(lines)


def _unknown(state: State) -> tuple[str, ...]:
    detectives, thieves = missing(state)
    if not editable(state) or not detectives + thieves:
        return ()
    return ("Tiles that the companion does not know are described when they are turned up, or now.",)


def _rolling(state: State) -> tuple[str, ...]:
    if not state.dice:
        return ()
    name = state.called(state.active)
    if state.special:
        fresh = "" if state.phase is Phase.CHOOSE else " Rolling on gives it away."
        return (
            f"{state.special.value}! {name} may activate any one tile; nobody else activates one.{fresh}",
        )
    lines = ["All dice of one number count, never some of them. Glasses and dice tiles only add to dice."]
    if GLASS in state.dice:
        lines.append("Glasses are used where they lie: they stay in the middle for the others.")
    return tuple(lines)


def _others(state: State) -> tuple[str, ...]:
    name = state.called(state.active)
    if state.special:
        return (f"{state.special.value}: nobody but {name} activated a tile in this round.",)
    left = words.dice(pool(state))
    took = f"{name} took the {state.taken}s." if state.taken else f"{name} passed."
    return (
        f"{took} In the middle: {left}.",
        "These dice stay there for everybody: several may use the same ones, glasses too.",
    )
