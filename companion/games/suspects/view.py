"""One seat's screen. All see the same, but for the owner's identity and file, and who leads whose turn."""

from companion.games.suspects import words
from companion.games.suspects.cases import flaws, outcome, timer
from companion.games.suspects.offers import offers
from companion.games.suspects.pieces import CASES, DICE, FILE, KIND, missing
from companion.games.suspects.prompts import look_alike, prompts, solution, warnings
from companion.games.suspects.state import Phase, State
from companion.games.suspects.steps import demand, player
from companion.rules.events import Seat
from companion.rules.view import Dice, DieShown, Panel, Standing, Standings, Text, View

_LOCKER = frozenset({Phase.TURN, Phase.DRAWN, Phase.ROLL, Phase.CALLED, Phase.SHOWN})

PUSHED = "A die that was pushed is turned back to what stands here."


def seen_by(title: str, state: State, seat: Seat | None) -> View:
    """The screen of ``seat``; with None, what everybody may see."""
    ended = outcome(state)
    panels: list[Panel] = []
    for name, lines, tone in (("Now", prompts(state), "prompt"), ("Mind", warnings(state), "warning")):
        panels += [Text(name, lines, tone)] if lines else []
    panels += [_dice(state), *_own(state, seat), *_evidence(state), _standings(state, seat)]
    panels += [*_piles(state), *_history(state)]
    return View(
        title=title,
        phase=_phase(state),
        headline=ended.text if ended else demand(state),
        panels=tuple(panels),
        actions=offers(state, seat),
        timer=timer(state),
        face="suspects",
    )


def _phase(state: State) -> str:
    if state.phase is Phase.END:
        return "Chief Inspector"
    return f"Case {state.case}" if state.case else "Before the first case"


def _dice(state: State) -> Dice:
    faces = state.locker or ("",) * DICE
    air = state.die if state.phase is Phase.ROLL else -1
    dice = tuple(
        DieShown(
            f"d{place + 1}",
            KIND,
            "" if place == air else face,
            "unknown" if place == air or not face else "loose",
        )
        for place, face in enumerate(faces)
    )
    return Dice("Evidence Locker", dice, note="" if state.locker else "Not thrown yet")


def _own(state: State, seat: Seat | None) -> list[Panel]:
    """Identity and file, for their owner's eyes only, where the companion dealt them."""
    if seat not in state.seats or not state.rules.phones or not state.case:
        return []
    place = state.seats.index(Seat(str(seat)))
    file = state.file[place]
    lines = [f"Your secret identity: {state.identity[place]}.", f"Your file: {words.colours(file)}."]
    if state.phase in _LOCKER | {Phase.SOLVED}:
        lines += _match(state, place)
    return [Text("For your eyes only", tuple(lines), "secret")]


def _match(state: State, place: int) -> list[str]:
    file = state.file[place]
    off = missing(file, state.locker).total()
    lines = [f"{words.begun(words.counted(off, 'die', 'dice'))} of the locker without a card of yours."]
    if state.phase is Phase.SOLVED:
        return lines
    if len(file) > FILE:
        return [*lines, "Discard one card first: a file is six."]
    return [*lines, *(flaws(state, place) or ("You can solve the case: call it out.",))]


def _evidence(state: State) -> list[Panel]:
    if not state.locker:
        return []
    lines = [f"In the locker: {words.colours(state.locker)}."]
    if state.phase in _LOCKER:
        care = look_alike(state)
        lines += [solution(state), *([care] if care else []), PUSHED]
    return [Text("Evidence", tuple(lines))]


def _standings(state: State, seat: Seat | None) -> Standings:
    rows = []
    for place, who in enumerate(state.seats):
        held = len(state.file[place]) if state.file else 0
        marks = ["deals"] if place == state.dealer else []
        marks += ["to act"] if place == state.active and state.phase in _LOCKER else []
        cells = (f"{state.cases[place]} of {CASES}", str(held))
        rows.append(Standing(words.name(who), "", cells, seat == who, ", ".join(marks)))
    return Standings("Everybody", ("Cases", "File"), tuple(rows))


def _piles(state: State) -> list[Panel]:
    if not state.discard:
        return []
    pile = f"Draw pile: {words.counted(len(state.pile), 'card')}."
    under = len(state.discard) - 1
    more = f", on {words.counted(under, 'other')}" if under else ""
    return [Text("Cards", (pile, f"Discard pile: {state.discard[-1]} lies open{more}."))]


def _history(state: State) -> list[Panel]:
    """Which dice were tampered with in this case, and how each case was solved."""
    panels: list[Panel] = []
    if state.tampers:
        lines = tuple(
            f"{player(state, t.player)}: die {t.die + 1}, {t.was} to {t.now}"
            for t in reversed(state.tampers)
        )
        panels.append(Text("Tampered with", lines))
    if state.solved:
        lines = tuple(
            f"Case {s.case}: {words.listed(player(state, p) for p in s.players)}, {words.colours(s.locker)}"
            for s in state.solved
        )
        panels.append(Text("Solved", lines))
    return panels
