"""The history in sentences. Nothing here tells what a guest may not know."""

from collections import Counter
from typing import Final

from companion.games.arosa import events as ev
from companion.games.arosa import words
from companion.games.arosa.ending import why
from companion.games.arosa.prompts import outcome_of
from companion.games.arosa.state import NOBODY, Phase, State
from companion.games.arosa.steps import Step, pending, step
from companion.rules.events import BellRang, CubeDropped, CubesSeen, Event
from companion.rules.notation import word_of

_TRIED: Final[dict[type[Event], str]] = {
    CubeDropped: "A cube",
    CubesSeen: "Counting a floor",
    BellRang: "A bell",
    ev.ColourTaken: "Taking a colour",
    ev.BeginnerNamed: "Saying who begins",
    ev.CubeThrown: "Throwing a cube",
    ev.ThrowMissed: "Taking a throw back",
    ev.CubesChecked: "Looking after cubes",
    ev.StrayNamed: "Naming a cube",
    ev.StrayPutAway: "Putting a cube away",
    ev.SuspicionVoiced: "Suspecting",
    ev.CoverCalled: "Covering tracks",
    ev.FloorLifted: "Lifting a floor",
    ev.CubesFellOut: "Cubes that fell out",
    ev.CluesRecovered: "Taking clues back",
    ev.GuessNoted: "A note",
    ev.GuessStruck: "Striking out a note",
}


def refusal(kind: type[Event], demand: str) -> str:
    """Why an event of this kind is not what comes now."""
    return f"{_TRIED.get(kind, 'This')} does not come now. {demand}"


def line(before: State, event: Event, after: State) -> str:
    """One line for the shared history; the end, if this was it."""
    parts = [_what(before, event, after)]
    if after.phase is Phase.END:
        parts.append(f"The game ends now: {why(after)}")
    return " ".join(parts)


def _what(before: State, event: Event, after: State) -> str:
    who = before.name(before.active) if before.active != NOBODY else ""
    match event:
        case ev.ColourTaken(player=player, colour=colour):
            return f"{before.called(player)} plays {colour}."
        case ev.BeginnerNamed(player=player):
            what = "throws the victims" if before.phase is Phase.PROLOG else "begins Act I"
            return f"{before.called(player)} {what}."
        case ev.SuspicionVoiced(suspects=suspects):
            return f"{who} suspects {words.listed(before.called(s) for s in suspects)}."
        case ev.CoverCalled():
            return f"{who} covers tracks."
        case ev.FloorLifted(floor=floor):
            return f"{who} lifts {words.floor(floor)}."
        case CubesSeen(cubes=cubes):
            return " ".join([_seen(before, cubes), *outcome_of(after), *_penalty(before, after)])
        case ev.CubesFellOut(cubes=cubes):
            return f"Fell out of the hotel: {words.cubes(Counter(cubes).items())}."
        case ev.CluesRecovered(count=count):
            return f"{who} takes {words.counted(count, 'clue')} back from the sheet."
        case ev.GuessNoted() | ev.GuessStruck():
            return "A private note was made."
        case BellRang(timer="turn"):
            return "The time for this turn is up."
    return _thrown(before, event, after, who)


def _thrown(before: State, event: Event, after: State, who: str) -> str:
    match event:
        case ev.CubeThrown(colour=colour):
            return f"{who} threw {colour}.{_left(before, after)}"
        case CubeDropped():
            counted = after.drops[-1] if len(after.drops) > len(before.drops) else None
            if counted is not None and len(after.throwing.named) == len(before.throwing.named):
                return f"The tower heard the {counted.colour} cube."
            if counted is not None:
                return f"The tower heard a {counted.colour} cube of {who}'s throws.{_left(before, after)}"
            if len(after.strays) > len(before.strays):
                return "The tower heard a cube that nobody was to throw."
            return "The tower heard a cube; its colour is not named yet."
        case ev.ThrowMissed():
            return f"The {before.throwing.named[-1].colour} cube missed the shaft and is thrown again."
        case ev.CubesChecked(stuck=stuck):
            return "A cube had stuck and went in." if stuck else "All cubes are in."
        case ev.StrayNamed(colour=colour):
            whose = before.name(before.player_of(colour))
            return f"One more {colour} cube went in, from {whose}'s supply."
        case ev.StrayPutAway():
            return "What the tower heard was no new cube."
        case BellRang():
            return "The tower has heard fewer cubes than were named."
    return word_of(event).replace("_", " ").capitalize() + "."


def _seen(before: State, cubes: tuple[str, ...]) -> str:
    there = words.begun(words.floor(before.turn.floor or 0))
    return f"{there}: {words.cubes(Counter(cubes).items())}."


def _penalty(before: State, after: State) -> list[str]:
    penalty = after.turn.penalty if after.turn.number == before.turn.number else 0
    if not penalty or after.phase is Phase.END:
        return []
    return [f"{after.name(after.active)} throws {penalty} more for a sloppy investigation."]


def _left(before: State, after: State) -> str:
    same = (before.active, before.turn.number, before.phase) == (
        after.active,
        after.turn.number,
        after.phase,
    )
    left = sum(n for _, n in pending(after)) if same and step(after) is not Step.OVER else 0
    more = after.turn.penalty if step(after) is Step.RETURN else 0
    return f" {words.begun(words.number(left + more))} left." if left + more else ""
