"""One seat's screen: what lies on the table, what it means, and what can be done.

Face-down tiles, hidden evidence and the order of the piles appear in no view. Private notes and
what an Informant showed appear only in the view of the seat whose they are.
"""

from collections.abc import Callable

from companion.games.moss import evidence, words
from companion.games.moss.board import board
from companion.games.moss.catalogue import VICTIM
from companion.games.moss.cost import WILD, face_of, loose, turn_minutes
from companion.games.moss.dice import kind_of
from companion.games.moss.ending import next_start, outcome
from companion.games.moss.grid import CELLS
from companion.games.moss.offers import offers
from companion.games.moss.state import (
    CARRY_LIMIT,
    COLOURED,
    DICE,
    SUSPECTS,
    THROWS,
    USE_LIMIT,
    Phase,
    State,
)
from companion.games.moss.steps import Step, demand, step
from companion.rules.events import Event, Seat
from companion.rules.view import Dice, DieShown, Entry, Panel, Roster, Text, Tokens, Track, View

WARN_BELOW = 10
"""Minutes left at which the track warns: about three turns' worth."""

PHASES = {
    Phase.SETUP: "Setting up",
    Phase.ROLL: "Roll",
    Phase.ACT: "Act",
    Phase.WON: "Won",
    Phase.LOST_TIME: "Lost",
    Phase.LOST_NOBODY: "Lost",
}


_HINTS = {
    Step.SCENE: "Its doors decide where Moss can walk from there.",
    Step.REVEAL: "Turn each up, then lay it as you like; its token comes at once.",
    Step.LAY: "Doors need not meet other doors, but Moss walks only where two meet.",
    Step.ATTACH: "It is the first door out of the house: the Police Car stays there for good.",
    Step.POINT: "It eliminates every suspect it points at, as far as the edge of the house.",
    Step.CLEAR: "It eliminates one suspect, on the board or not.",
    Step.TAINT: (
        "Both tokens leave the board, a hidden one unseen. Whoever was eliminated by that token alone "
        "is suspected again."
    ),
    Step.DROP: "It can be collected here again, like any other.",
}
"""What helps while the rules demand something; the demand itself is the headline."""


def seen_by(title: str, apply: Callable[[State, Event], State], state: State, seat: Seat | None) -> View:
    """The screen of ``seat``; with None, what everybody may see."""
    ended = outcome(state)
    panels: list[Panel] = [_track(state), _dice(state), board(state), _roster(state), _tokens(state)]
    if ended is None:
        panels[:0] = _prompts(state)
    else:
        panels.insert(0, Text("How it ended", (ended.text, _following(state))))
    panels += _private(state, seat)
    return View(
        title=title,
        phase=PHASES[state.phase],
        headline=ended.text if ended else _headline(state),
        panels=tuple(panels),
        actions=offers(apply, state, seat),
        face="moss",
    )


def _headline(state: State) -> str:
    turn = "" if state.phase is Phase.SETUP else f"Turn {state.turn.number}. "
    return f"{turn}{demand(state)}"


def _track(state: State) -> Track:
    ended = step(state) is Step.OVER
    pending = 0 if ended else turn_minutes(state)
    note = ""
    if pending:
        coloured = state.turn.faces[-1]
        sixes = pending - coloured
        note = f"This turn so far: {coloured} for the coloured die"
        note += f" and {sixes} for used sixes" if sixes else ""
        if any(die != DICE[COLOURED] and face_of(state, die) == WILD for die in loose(state)):
            note += "; a 6 that is not used is free"
    unit = "minute" if state.minutes == 1 else "minutes"
    return Track(
        "Time left", state.minutes, max(state.start, state.minutes), unit, pending, note, WARN_BELOW
    )


def _dice(state: State) -> Dice:
    turn = state.turn
    ids = zip(DICE, turn.faces or (0,) * len(DICE), strict=True)
    shown = tuple(
        DieShown(die, kind_of(die), str(face) if face else "", _die_state(state, die)) for die, face in ids
    )
    rethrow = step(state) is Step.RETHROW
    note = {0: "Not thrown yet"}.get(turn.throws, f"Throw {turn.throws} of {THROWS}")
    if turn.throws == THROWS:
        note = "Third throw done"
    if len(turn.used) == USE_LIMIT:
        note = "Six dice are used: that is all for this turn"
    return Dice("Dice", shown, len(turn.used), USE_LIMIT, "dice_held" if rethrow else "", note)


def _die_state(state: State, die: str) -> str:
    turn = state.turn
    if not turn.faces:
        return "unknown"
    if die in turn.used:
        return "used"
    return "held" if die in turn.held and step(state) is Step.RETHROW else "loose"


def _roster(state: State) -> Roster:
    causes = evidence.eliminated(state)
    entries = []
    why: tuple[str, ...]
    for name, cell in zip(state.names, state.where, strict=True):
        if name == state.arrested:
            word, why = "arrested", ("The murderer",)
        elif name in causes:
            word, why = "eliminated", tuple(str(cause) for cause in causes[name])
        else:
            word, why = ("suspected" if cell is not None else "not placed"), ()
        where = str(cell) if cell is not None else ""
        gone = name in causes and name != state.arrested
        entries.append(Entry(name, name, word, why, where, out=gone))
    unplaced = len(state.unplaced)
    note = f"{words.number(unplaced).capitalize()} not placed yet" if unplaced else "All have come out"
    return Roster(f"Who killed {VICTIM}?", tuple(entries), note)


def _tokens(state: State) -> Tokens:
    entries = []
    for number, kind in enumerate(state.carried):
        spent = kind == "lucky_break" and state.carried[:number].count(kind) < state.turn.lucky
        word = "used this turn" if spent else "once" if kind in words.ONCE else "ready"
        entries.append(Entry(f"{kind}-{number}", words.TOKENS[kind], word, (words.TOKEN_USES[kind],)))
    return Tokens("Carried", tuple(entries), CARRY_LIMIT)


def _prompts(state: State) -> list[Panel]:
    lines: list[str] = []
    if (hint := _HINTS.get(step(state))) is not None:
        lines.append(hint)
    if state.due.hand is not None and not state.rules.dealt:
        lines.append(_token_prompt(state, state.due.hand[1].icon))
    if state.flips.down:
        lines.append(f"Turn face-down: {words.listed(state.flips.down)}.")
    if state.flips.up:
        lines.append(f"Turn face-up again: {words.listed(state.flips.up)}.")
    lines += _arrest_prompt(state)
    panels: list[Panel] = [Text("Now", tuple(lines), "prompt")] if lines else []
    warning = _last_unplaced(state)
    if warning:
        panels.append(Text("Mind", (warning,), "warning"))
    return panels


def _token_prompt(state: State, icon: str) -> str:
    """What the table's own box puts on the tile in hand (M7, M18)."""
    left = {
        "suspect": len(state.unplaced),
        "evidence": state.evidence_left,
        "assistance": state.assistance_left,
    }[icon]
    token = icon if icon == "suspect" else f"{icon} token"
    if not left:
        return f"No {token} is left: the tile stays empty."
    if icon == "evidence":
        return f"Put an {token} on it face-down, and nobody looks."
    return f"Put the next {token} on it, and say which it is."


def _arrest_prompt(state: State) -> list[str]:
    if state.arrested:
        place = f"at {state.car.cell}" if state.car else "nowhere yet: find a door out of the house"
        return [f"Bring {state.arrested} to the Police Car, {place}."]
    down = evidence.out(state)
    if len(down) != SUSPECTS - 1:
        return []
    name = next(name for name in state.names if name not in down)
    cell = state.where[state.names.index(name)]
    if cell is None:
        return []
    found = [f"Nine are eliminated: {name} on {cell} can be arrested with five dice of one number."]
    if state.car is None:
        found.append("The Police Car has not come yet: it comes with the first door out of the house.")
    return found


def _last_unplaced(state: State) -> str:
    """The last suspect has not come out: where they may come out, and where they must not (C10)."""
    down = evidence.out(state)
    left = [name for name in state.names if name not in down]
    if state.arrested or len(left) != 1 or left[0] not in state.unplaced:
        return ""
    said = f"{left[0]} is the last one left and has not come out yet"
    lit = evidence.lit(state)
    if not any(room is None and cell in lit for room, cell in zip(state.rooms, CELLS, strict=True)):
        return f"{said}: explore on."
    return (
        f"{said}. On a tile that an arrow points at, nobody would be left and the game lost: "
        "explore elsewhere, or turn the arrow first."
    )


def _following(state: State) -> str:
    return (
        f"After this game, the adaptive level starts on {words.minutes(next_start(state) or state.start)}."
    )


def _private(state: State, seat: Seat | None) -> list[Panel]:
    if seat is None:
        return []
    lines = []
    for clue in state.clues:
        if seat in clue.peeked and not clue.shown:
            what = evidence.KINDS[clue.kind] if clue.kind else "you looked at it: note what it was"
            lines.append(f"Hidden evidence on {clue.home}: {what}")
    lines += [text for writer, text in state.notes if writer == seat]
    return [Text("For your eyes only", tuple(lines), "secret")] if lines else []
