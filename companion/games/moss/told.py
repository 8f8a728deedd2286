"""The history in sentences. Nothing here tells what a guest may not know."""

from typing import Final

from companion.games.moss import events as ev
from companion.games.moss import words
from companion.games.moss.cost import face_of, in_words, turn_minutes
from companion.games.moss.evidence import KINDS, directions
from companion.games.moss.grid import DIRECTIONS, SIDE_NAMES, Cell
from companion.games.moss.moves import passage_minutes
from companion.games.moss.state import Car, Phase, State
from companion.rules.events import DiceRolled, Event
from companion.rules.notation import word_of

_TRIED: Final[dict[type[Event], str]] = {
    DiceRolled: "A throw",
    ev.SceneLaid: "Laying the Scene of the Crime",
    ev.SuspectNamed: "Naming a suspect",
    ev.TileRevealed: "Turning up a tile",
    ev.TileLaid: "Laying a tile",
    ev.CarPlaced: "Attaching the Police Car",
    ev.DiceHeld: "Holding dice",
    ev.RollingStopped: "Stopping the throws",
    ev.Moved: "Walking",
    ev.PassageTaken: "Taking a passage",
    ev.CarReached: "Going to the Police Car",
    ev.TokenCollected: "Collecting a token",
    ev.TokenDropped: "Dropping a token",
    ev.EvidenceGathered: "Gathering evidence",
    ev.ArrowPointed: "Pointing an arrow",
    ev.AlibiGiven: "Giving an alibi",
    ev.EvidenceTainted: "Tainting evidence",
    ev.EvidenceReexamined: "Re-examining evidence",
    ev.UnplacedTurnedDown: "Turning down the suspects not yet placed",
    ev.SuspectArrested: "The arrest",
    ev.LuckyBreakUsed: "The Lucky Break",
    ev.InformantUsed: "The Informant",
    ev.PassagewayPlaced: "The Secret Passageway",
    ev.EvidenceSwitched: "Switch 2",
    ev.BombPlaced: "The Bomb",
    ev.TimePassed: "Ending the turn",
    ev.TimeSkipped: "Ending the turn",
    ev.NoteWritten: "A note",
}


def refusal(kind: type[Event], demand: str) -> str:
    """Why an event of this kind is not what comes now."""
    return f"{_TRIED.get(kind, 'This')} does not come now. {demand}"


def line(before: State, event: Event, after: State) -> str:
    """One line for the shared history, with the tokens to flip."""
    flips = after.flips if after.flips is not before.flips else None
    parts = [_what(before, event, after)]
    if flips and flips.down:
        parts.append(f"Face-down: {words.listed(flips.down)}.")
    if flips and flips.up:
        parts.append(f"Face-up again: {words.listed(flips.up)}.")
    if after.phase is Phase.LOST_TIME:
        parts.append("Time has run out.")
    if after.phase is Phase.LOST_NOBODY:
        parts.append("All ten suspects are eliminated.")
    return " ".join(parts)


def _what(before: State, event: Event, after: State) -> str:
    match event:
        case DiceRolled():
            whites = " ".join(str(face) for face in sorted(after.turn.faces[:-1]))
            return f"Throw {after.turn.throws}: white {whites}, coloured {after.turn.faces[-1]}."
        case ev.DiceHeld(dice=dice):
            faces = words.listed(face_of(before, die) for die in dice)
            return f"Held: {faces}." if faces else "No dice held."
        case ev.RollingStopped():
            return "No more throws."
        case ev.NoteWritten():
            return "A private note was written."
        case ev.SuspectNamed(suspect=old, name=new):
            return f"{old} is called {new}."
        case ev.TimePassed():
            spent = turn_minutes(before)
            return f"The turn took {words.minutes(spent)}: {after.minutes} left."
        case ev.TimeSkipped():
            return f"No Time to Lose: the turn took no time, {words.minutes(after.minutes)} left."
    return _house(before, event, after) or _evidence(before, event, after) or _tokens(before, event)


def _house(before: State, event: Event, after: State) -> str:
    match event:
        case ev.SceneLaid():
            return "The Scene of the Crime lies in the centre."
        case ev.TileRevealed(cell=cell):
            name = _tile_name(after, cell)
            return f"{name} turned up on {cell}.{_landed(before, after, cell)}"
        case ev.TileLaid() if before.due.hand is not None:
            cell, tile = before.due.hand
            return f"{tile.name} laid on {cell}.{_landed(before, after, cell)}"
        case ev.CarPlaced() if after.car is not None:
            return _car(after.car)
        case ev.Moved(to=to, dice=dice):
            return f"Moss walked to {to} ({in_words(before, dice)})."
        case ev.PassageTaken(to=to, dice=dice):
            free = event.flashlight and "flashlight" in before.carried
            spent = 0 if free else passage_minutes(before, to)
            cost = f"{words.minutes(spent)} at once" if spent else "no minutes"
            return f"Moss took the passage to {to} ({in_words(before, dice)}; {cost})."
        case ev.CarReached(dice=dice):
            return f"Moss reached the Police Car with {before.arrested} ({in_words(before, dice)})."
        case ev.SuspectArrested(dice=dice):
            return f"{after.arrested} is under arrest ({in_words(before, dice)})."
    return ""


def _evidence(before: State, event: Event, after: State) -> str:
    match event:
        case ev.EvidenceGathered(dice=dice):
            shown = after.clue_at(before.moss) or after.removed[-1]
            found = f"Evidence on {before.moss}: {KINDS[shown.kind]} ({in_words(before, dice)})."
            return found if after.due.found is not None else f"{found} There was nothing for it to taint."
        case ev.ArrowPointed(turn=turn):
            clue = after.clue_at(before.moss)
            return f"The {_aim(clue.kind, turn)}." if clue else ""
        case ev.AlibiGiven(suspect=suspect):
            return f"Alibi for {suspect}."
        case ev.EvidenceTainted(cell=cell):
            what = "evidence not yet placed" if cell is None else f"the evidence found on {cell}"
            return f"Tainted: {what} is out of play."
        case ev.EvidenceReexamined(dice=dice, turn=turn, suspect=suspect):
            clue = after.clue_at(before.moss)
            now = f"the {_aim(clue.kind, turn)}" if clue and turn is not None else f"alibi for {suspect}"
            return f"Evidence on {before.moss} re-examined: {now} ({in_words(before, dice)})."
        case ev.UnplacedTurnedDown():
            return "No suspect not yet placed can stay: they are turned down."
    return ""


def _tokens(before: State, event: Event) -> str:
    match event:
        case ev.TokenCollected(token=token, dice=dice):
            return f"Collected {words.the(token)} ({in_words(before, dice)})."
        case ev.TokenDropped(token=token):
            return f"Dropped {words.the(token)} on {before.moss}."
        case ev.LuckyBreakUsed(die=die, face=face):
            return f"Lucky Break: a white {face_of(before, die)} became a {face}."
        case ev.InformantUsed():
            return f"The Informant showed one player the hidden evidence on {before.moss}."
        case ev.PassagewayPlaced(cell=cell):
            return f"The Secret Passageway lies on {cell}."
        case ev.EvidenceSwitched(cells=cells):
            return f"Switch 2: the evidence of {words.listed(cells)} changed places."
        case ev.BombPlaced(between=between):
            return f"A bomb opened a doorway between {words.listed(between)}."
    return word_of(event).replace("_", " ").capitalize() + "."


def _landed(before: State, after: State, cell: Cell) -> str:
    """What was put on a tile just laid, and whether the Police Car came."""
    parts = []
    suspect = after.suspect_at(cell)
    if suspect and not before.suspect_at(cell):
        parts.append(f" {suspect} is there.")
    if len(after.lying) > len(before.lying):
        parts.append(f" {words.begun(words.the(after.lying[-1][0]))} lies there.")
    if len(after.clues) > len(before.clues):
        parts.append(" Hidden evidence lies there.")
    if before.car is None and after.car is not None:
        parts.append(f" {_car(after.car)}")
    return "".join(parts)


def _tile_name(after: State, cell: Cell) -> str:
    if after.due.hand is not None and after.due.hand[0] == cell:
        return after.due.hand[1].name
    room = after.rooms[cell]
    return room.tile.name if room else "A tile"


def _car(car: Car) -> str:
    return f"The Police Car waits at {car.cell}, {SIDE_NAMES[car.side]} side."


def _aim(kind: str, turn: int) -> str:
    return f"{KINDS[kind]} points {words.listed(DIRECTIONS[d] for d in directions(kind, turn))}"
