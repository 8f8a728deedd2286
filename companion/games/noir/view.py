"""One seat's screen. All see the same grid; the own identity, reach and hand lie under the own veil."""

from dataclasses import dataclass, replace
from typing import ClassVar

from companion.games.noir import words
from companion.games.noir.answers import outcome
from companion.games.noir.events import LineShifted
from companion.games.noir.offers import offers
from companion.games.noir.pieces import NAMES, UNSEEN, bit, members
from companion.games.noir.prompts import dead, demand, prompts, warnings, where
from companion.games.noir.state import INSPECTOR, KILLER, Phase, State
from companion.games.noir.steps import acting, may_tap, timer
from companion.games.noir.turns import within_reach
from companion.rules.events import Seat
from companion.rules.view import Board, Cell, Mark, Panel, Standing, Standings, Text, Track, View

_CAST = frozenset({Phase.ROLE, Phase.LAYOUT})
"""Nothing is dealt yet."""
EYES = "For your eyes only"


@dataclass(frozen=True, slots=True)
class Lineup(Board):
    """The suspects as they lie. A line's arrows are the actions whose ``cell`` is ``row-2-left`` and so on.

    Of a cell ``face_down`` is the deceased side, ``lit`` marks who may be the other player.
    """

    kind: ClassVar[str] = "lineup"
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cloak(Text):
    """The own secrets under a veil, with the grid: the own place is ``here``.

    What may be tapped now is ``reachable``; ``icon`` marks suspects whose evidence card the seat holds.
    """

    kind: ClassVar[str] = "cloak"
    columns: int = 0
    cells: tuple[Cell, ...] = ()


def seen_by(title: str, state: State, seat: Seat | None) -> View:
    """The screen of ``seat``; with None, what everybody may see."""
    ended = outcome(state)
    panels: list[Panel] = []
    for name, lines, tone in (("Now", prompts(state), "prompt"), ("Mind", warnings(state), "warning")):
        panels += [Text(name, lines, tone)] if lines else []
    panels += [_track(state), *_own(state, seat), *_lineup(state, seat)]
    panels += [*_notebook(state, seat), *_known(state), *_players(state, seat)]
    return View(
        title=title,
        phase=_phase(state),
        headline=ended.text if ended else demand(state),
        panels=tuple(panels),
        actions=offers(state, seat),
        timer=timer(state),
        face="noir",
    )


def _phase(state: State) -> str:
    if state.phase is Phase.END:
        return "Case closed"
    if state.phase in _CAST:
        return "Before the first kill"
    return f"Turn {state.turn}"


def _track(state: State) -> Track:
    target = state.rules.target
    unit = f"of {target} deceased"
    return Track("Deceased", state.dead, target, unit, note=f"With {target} the killer wins.")


def _cells(state: State) -> tuple[Cell, ...]:
    cells = []
    for card in state.grid.cards:
        marks = (Mark("innocent", "innocent"),) if state.innocent & bit(card) else ()
        cells.append(
            Cell(
                NAMES[card],
                NAMES[card],
                face_down=not state.lives(card),
                number=str(card + 1),
                marks=marks,
                note=where(state, card),
            )
        )
    return tuple(cells)


def _lineup(state: State, seat: Seat | None) -> list[Panel]:
    if not state.grid.cards and seat not in state.seats:
        return []  # nobody lies there yet, and a guest lays nobody
    cells, suspected = _cells(state), _suspected(state, seat)
    note = [] if suspected is None else [f"A dot marks who may be the {_other(state, seat)}."]
    lit = suspected or 0
    marked = tuple(
        replace(cell, lit=bool(lit & bit(card))) for card, cell in zip(state.grid.cards, cells, strict=True)
    )
    return [Lineup("Suspects", state.grid.columns, marked, note=" ".join([*_how(state, seat), *note]))]


def _how(state: State, seat: Seat | None) -> list[str]:
    """What a tap on this grid does, for a seat that may act by it."""
    if state.phase not in {Phase.FIRST, Phase.TURN} or seat not in (may_tap(state, LineShifted) or ()):
        return []
    verb = "kill" if state.role == KILLER else "arrest"
    ways = [] if state.rules.phones else [f"a suspect to {verb}"]
    ways += ["an arrow to shift"] if state.phase is Phase.TURN else []
    return [f"Tap {words.listed(ways, 'or')}."] if ways else []


def _own(state: State, seat: Seat | None) -> list[Panel]:
    """Identity, reach and hand, for their owner's eyes only, where the companion dealt them."""
    role = _role(state, seat)
    if role is None or not state.rules.phones:
        return []
    lines, mine = [], state.identity[role]
    if mine != UNSEEN:
        lines.append(f"You are {NAMES[mine]}: {where(state, mine)}.")
    held = state.hand if role == INSPECTOR else ()
    if held:
        which = "Your evidence" if state.chosen else "Your four cards"
        lines.append(f"{which}: {words.suspects(held)}.")
    lines += _tapped(state, role)
    if not lines:
        return []
    choice = _choice(state, role)
    cells = tuple(
        replace(
            cell,
            here=card == mine,
            reachable=bool(choice & bit(card)),
            icon="evidence" if card in held else "",
        )
        for card, cell in zip(state.grid.cards, _cells(state), strict=True)
    )
    return [Cloak(EYES, tuple(lines), "secret", state.grid.columns, cells)]


def _tapped(state: State, role: int) -> list[str]:
    """What a tap on one of the marked suspects does."""
    if state.role != role:
        return []
    match state.phase:
        case Phase.CHOOSE:
            return ["Tap who you will be."]
        case Phase.EXONERATE:
            return ["Tap whom you exonerate."]
        case Phase.FIRST | Phase.TURN if role == INSPECTOR:
            return ["Tap whom you arrest: somebody next to you, or yourself."]
        case Phase.FIRST | Phase.TURN if within_reach(state):
            return ["Tap whom you kill."]
        case Phase.FIRST | Phase.TURN:
            return ["Nobody alive is next to you: shift a line or disguise."]
    return []


def _choice(state: State, role: int) -> int:
    """The suspects that this role may tap now."""
    if state.role != role:
        return 0
    hand = sum(bit(card) for card in state.hand)
    match state.phase:
        case Phase.CHOOSE:
            return hand & state.alive
        case Phase.EXONERATE:
            return hand
        case Phase.FIRST | Phase.TURN:
            return within_reach(state)
    return 0


def _role(state: State, seat: Seat | None) -> int | None:
    """The role of a seat; None for guests and before roles and cards are dealt."""
    if seat not in state.seats or state.phase in _CAST:
        return None
    return KILLER if seat == state.seat_of(KILLER) else INSPECTOR


def _other(state: State, seat: Seat | None) -> str:
    return "inspector" if _role(state, seat) == KILLER else "killer"


def _suspected(state: State, seat: Seat | None) -> int | None:
    """Who may be the other player, for the own notebook; None before there is anything to say."""
    role = _role(state, seat)
    if role is None or state.phase is Phase.END or not (state.chosen or role == INSPECTOR):
        return None
    return state.could[1 - role]


def _notebook(state: State, seat: Seat | None) -> list[Panel]:
    some = _suspected(state, seat)
    if some is None:
        return []
    cards, other = members(some), _other(state, seat)
    count = words.counted(len(cards), "suspect")
    lines = [f"The {other} may be one of {count}: {words.suspects(cards, 'or')}."]
    if len(cards) == 1:
        lines = [f"The {other} can only be {words.suspects(cards)}, {where(state, cards[0])}."]
    if not cards:
        lines = [f"Nobody could be the {other}: something told was wrong."]
    return [Text("Notebook", (*lines, "Drawn from what everybody at the table knows."))]


def _known(state: State) -> list[Panel]:
    if state.phase in _CAST:
        return []
    lines = [f"Evidence deck: {words.counted(len(state.deck), 'card')}."]
    for what, cards in (("Innocent", members(state.innocent)), ("Deceased", dead(state))):
        lines += [f"{what}: {words.suspects(cards)}."] if cards else []
    if state.shown:
        lines.append(f"Evidence cards that lie open: {words.suspects(state.shown)}.")
    return [Text("Known to all", tuple(lines))]


def _players(state: State, seat: Seat | None) -> list[Panel]:
    if state.phase in _CAST:
        return []
    rows = []
    for place, who in enumerate(state.seats):
        role = KILLER if place == state.killer else INSPECTOR
        mark = "to act" if role == acting(state) and state.phase is not Phase.END else ""
        hand = str(len(state.hand)) if role == INSPECTOR else "-"
        cells = ("killer" if role == KILLER else "inspector", hand)
        rows.append(Standing(state.names[place], "", cells, seat == who, mark))
    return [Standings("Players", ("Role", "Evidence hand"), tuple(rows))]
