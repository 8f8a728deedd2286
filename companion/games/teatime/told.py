"""The history in sentences. Nothing here tells what lies face down."""

from typing import Final

from companion.games.teatime import events as ev
from companion.games.teatime import words
from companion.games.teatime.pieces import NUMBERS, REFS, TOKENS, Tile, cell_at
from companion.games.teatime.rolling import THROWS
from companion.games.teatime.rounds import total
from companion.games.teatime.state import Phase, State
from companion.rules.events import BellRang, DiceRolled, Event, Seat

_TRIED: Final[dict[type[Event], str]] = {
    DiceRolled: "Rolling dice",
    BellRang: "A bell",
    ev.TileDescribed: "Describing a tile",
    ev.TileForgotten: "Taking a tile away",
    ev.RoomValued: "A room's value",
    ev.BeginnerNamed: "Naming who goes first",
    ev.DiceHeld: "Keeping dice",
    ev.RollingStopped: "Stopping",
    ev.TileActivated: "Activating a tile",
    ev.Passed: "Passing",
    ev.TokensCounted: "Counting tokens",
    ev.PointsCounted: "Counting points",
}


def refusal(kind: type[Event], demand: str) -> str:
    """Why an event of this kind is not what comes now."""
    return f"{_TRIED.get(kind, 'This')} does not come now. {demand}"


def line(before: State, event: Event, after: State) -> str:
    """One line for the shared history."""
    match event:
        case ev.TileActivated():
            return f"{_activated(before, event, after)}{_round(before, after)}"
        case ev.Passed():
            return f"{_passed(before, event, after)}{_round(before, after)}"
        case DiceRolled():
            return _rolled(before, after)
        case ev.TokensCounted(tokens=tokens):
            has = f"{_name(before, event.by)} has {words.counted(tokens, 'token')} on detectives."
            return f"{has}{_round(before, after)}"
        case ev.PointsCounted(points=points):
            place = before.seats.index(Seat(str(event.by)))
            with_spare = f"{total(after, place)} with the tokens left over"
            return f"{before.called(place)}'s detectives light {points} points: {with_spare}."
    return _small(before, event, after)


def _small(before: State, event: Event, after: State) -> str:
    match event:
        case ev.BeginnerNamed():
            return f"{after.called(after.active)} goes first."
        case ev.DiceHeld(dice=dice):
            return f"{before.called(before.active)} keeps {words.counted(len(dice), 'die', 'dice')}."
        case ev.RollingStopped():
            return f"{before.called(before.active)} stops with {words.dice(before.dice)}."
        case ev.TileForgotten(tile=tile):
            return f"The box has no {words.tile(tile)}."
        case ev.RoomValued(cell=cell, points=points):
            return f"The room on {words.place(REFS[cell])} counts {points}."
        case ev.TileDescribed() if len(after.box) == len(before.box):
            return "That tile of the box is known already."
        case ev.TileDescribed():
            dealt = (
                " All tiles are known: the boards are dealt." if after.under and not before.under else ""
            )
            return f"The box has a {words.tile(after.box[-1])}.{dealt}"
    return "The time to explore is up."


def _rolled(before: State, after: State) -> str:
    again = "" if not before.throws else f" (throw {after.throws} of {THROWS})"
    special = f" {after.special.value}!" if after.special else ""
    return f"{before.called(before.active)} rolls {words.dice(after.dice)}{again}.{special}"


def _activated(before: State, event: ev.TileActivated, after: State) -> str:
    place = before.seats.index(Seat(str(event.by)))
    name, cell = before.called(place), cell_at(event.number, event.column)
    there, now = before.players[place].cells[cell], after.players[place].cells[cell]
    what = f"{words.place(cell)} with {_used(before, event)}"
    if not before.rules.picture:
        found = f" and finds a {words.tile(event.shows)}" if event.shows and event.shows.number else ""
        return f"{name} activates {what}{found}."
    if isinstance(there, Tile):
        if event.to is None:
            return (
                f"{name} activates {what} and leaves the {words.tile(there)} there.{_tokens(after, place)}"
            )
        to = words.place(REFS[event.to])
        return f"{name} moves the {words.tile(there)} from {what} to {to}.{_tokens(after, place)}"
    shown = (
        words.a_tile(now)
        if isinstance(now, Tile)
        else f"a dice tile {_gained(before, event, after, place)}"
    )
    return f"{name} turns up {what}: {shown}.{_tokens(after, place)}"


def _gained(before: State, event: ev.TileActivated, after: State, place: int) -> int:
    """The number of the dice tile that came beside the board."""
    was, now = list(before.players[place].right), after.players[place].right
    was[event.number - 1] -= event.tiles
    return next(n for n in range(1, len(NUMBERS) + 1) if now[n - 1] > was[n - 1])


def _used(before: State, event: ev.TileActivated) -> str:
    if before.special:
        return f"the {before.special.value.lower()}"
    shown = event.column - event.glasses - event.tiles
    parts = [words.counted(shown, str(event.number))]
    parts += [words.counted(event.glasses, "glass", "glasses")] if event.glasses else []
    parts += [words.counted(event.tiles, "dice tile")] if event.tiles else []
    return words.listed(parts)


def _tokens(after: State, place: int) -> str:
    player = after.players[place]
    line = "".join(f" Token on {words.place(cell)}." for cell in player.gained)
    line += "".join(f" The token from {words.place(cell)} comes back." for cell in player.lost)
    return f"{line} That is the fifth." if player.gained and len(player.tokens) == TOKENS else line


def _passed(before: State, event: ev.Passed, after: State) -> str:
    place = before.seats.index(Seat(str(event.by)))
    was, now = before.players[place].right, after.players[place].right
    back = [n for n in range(1, len(NUMBERS) + 1) if now[n - 1] > was[n - 1]]
    took = f" and takes a dice tile {back[0]} back" if back else ""
    return f"{before.called(place)} passes{took}."


def _round(before: State, after: State) -> str:
    if after.round > before.round:
        return f" Round {after.round}: {after.called(after.active)} has the dice."
    over = {
        Phase.SCORE: " The last round is over: points are counted.",
        Phase.END: " The last round is over.",
    }
    return over.get(after.phase, "") if after.phase is not before.phase else ""


def _name(state: State, seat: Seat | None) -> str:
    return state.called(state.seats.index(Seat(str(seat))))
