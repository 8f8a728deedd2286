"""How a game ends, what a change of evidence means, and what the next evening starts with."""

from collections.abc import Mapping

from companion.games.moss import words
from companion.games.moss.evidence import out, unplaced_proved
from companion.games.moss.state import SUSPECTS, Flips, Phase, State
from companion.rules.copies import replace
from companion.rules.game import Outcome


def settled(before: State, after: State) -> State:
    """``after``, once a completed change is looked at as a whole (M27, M36, C8, C34)."""
    if after.proved and not unplaced_proved(after):
        after = replace(after, proved=False)
    was, now = out(before), out(after)
    down = tuple(name for name in after.names if name in now and name not in was)
    up = tuple(name for name in after.names if name in was and name not in now)
    if down or up or after.flips != Flips():
        after = replace(after, flips=Flips(down, up))
    if len(now) == SUSPECTS and not after.arrested and after.phase is not Phase.LOST_TIME:
        after = replace(after, phase=Phase.LOST_NOBODY)
    return after


def outcome(state: State) -> Outcome | None:
    """How it ended; None while it is played."""
    match state.phase:
        case Phase.WON:
            text = f"{state.arrested} sits in the Police Car, with {words.minutes(state.minutes)} to spare."
            return Outcome("won", text, state.seats)
        case Phase.LOST_TIME:
            return Outcome("lost_time", "Time has run out: the murderer has escaped.")
        case Phase.LOST_NOBODY:
            text = "All ten suspects are eliminated: it was an uninvited guest, long gone."
            return Outcome("lost_nobody", text)
    return None


def active_suspects(state: State) -> int:
    """Suspects still face-up on the board (C31; with the option, unplaced ones too)."""
    down = out(state)
    counted = [name for name, cell in zip(state.names, state.where, strict=True) if cell is not None]
    if state.rules.loss_counts_unplaced:
        counted += state.unplaced
    return sum(name not in down and name != state.arrested for name in counted)


def next_start(state: State) -> int | None:
    """Minutes to start with next time (M38); None while it is played."""
    match state.phase:
        case Phase.WON:
            return max(1, state.start - state.minutes)
        case Phase.LOST_TIME | Phase.LOST_NOBODY:
            return state.start + 2 * active_suspects(state)
    return None


def keeps(state: State) -> Mapping[str, str]:
    """What the next evening starts with: times, and what the table told of its own box."""
    following = next_start(state)
    kept = {**state.earlier, "last_start": str(state.start)}
    if following is not None:
        kept["next_start"] = str(following)
    if state.remembered:
        kept["tiles"] = ";".join(str(tile) for tile in state.remembered)
    if not state.rules.dealt:
        kept["suspects"] = ";".join(state.names)
        if state.car is not None:
            kept["car_number"] = str(state.car.number)
    return kept
