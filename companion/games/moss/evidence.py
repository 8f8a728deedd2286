"""Evidence: arrows, alibis, tainted evidence, and who is eliminated by what (M22 to M29)."""

from dataclasses import dataclass
from typing import Final

from companion.games.moss import words
from companion.games.moss.cost import Need
from companion.games.moss.dice import paid
from companion.games.moss.events import (
    AlibiGiven,
    ArrowPointed,
    EvidenceGathered,
    EvidenceReexamined,
    EvidenceTainted,
    UnplacedTurnedDown,
)
from companion.games.moss.grid import CELLS, DIRECTIONS, RAYS, Cell
from companion.games.moss.state import Clue, State
from companion.rules.copies import replace
from companion.rules.game import OutOfPlace

ALIBI: Final = "alibi"
TAINTED: Final = "tainted"

ARROWS: Final = {
    "four": ("four-way arrow", (0, 2, 4, 6)),
    "corner": ("right-angle arrow", (0, 2)),
    "straight": ("two-way arrow", (0, 4)),
    "single": ("single arrow", (0,)),
    "three": ("three-way arrow", (0, 2, 6)),
    "narrow": ("narrow double arrow", (0, 1)),
    "wide": ("wide double arrow", (0, 3)),
}
"""Arrow tokens: their name, and their directions when not turned (places in ``grid.DIRECTIONS``).

The rulebook names the first two; the others are for what a table may find in its box.
"""

KINDS: Final = {
    **{kind: label for kind, (label, _) in ARROWS.items()},
    ALIBI: "alibi",
    TAINTED: "tainted evidence",
}


@dataclass(frozen=True, slots=True)
class Cause:
    """Why a suspect is eliminated: the token's kind, the cell where it lies, and its ray's direction."""

    kind: str
    cell: Cell | None = None
    direction: int | None = None

    def __str__(self) -> str:
        if self.cell is None:
            return "Every tile still face-down is pointed at"
        if self.direction is None:
            return f"Alibi found on {self.cell}"
        label = KINDS[self.kind]
        return f"{label[0].upper()}{label[1:]} on {self.cell}, pointing {DIRECTIONS[self.direction]}"


def settings(kind: str) -> tuple[int, ...]:
    """The turns of an arrow that differ, in steps of 45 degrees: it turns as one piece (C12).

    >>> settings("four"), len(settings("corner"))
    ((0, 1), 8)
    """
    seen: dict[frozenset[int], int] = {}
    for turn in range(8):
        seen.setdefault(frozenset(directions(kind, turn)), turn)
    return tuple(seen.values())


def directions(kind: str, turn: int) -> tuple[int, ...]:
    """Where an arrow points after ``turn`` steps of 45 degrees clockwise."""
    return tuple((direction + turn) % 8 for direction in ARROWS[kind][1])


def hit_by(clue: Clue) -> frozenset[Cell]:
    """The cells that an arrow in play points at; none for any other token."""
    return _HITS[clue.kind, clue.home, clue.turn] if clue.turn is not None else frozenset()


def lit(state: State) -> frozenset[Cell]:
    """The cells that any arrow in play points at."""
    return frozenset().union(*(hit_by(clue) for clue in state.clues if clue.turn is not None))


def pointing(state: State) -> dict[Cell, tuple[Cause, ...]]:
    """The cells that arrows in play point at, each with the arrows and their directions there."""
    found: dict[Cell, tuple[Cause, ...]] = {}
    for clue in state.clues:
        if clue.turn is not None:
            for direction in directions(clue.kind, clue.turn):
                cause = Cause(clue.kind, clue.home, direction)
                for cell in RAYS[clue.home][direction]:
                    found[cell] = (*found.get(cell, ()), cause)
    return found


def eliminated(state: State) -> dict[str, tuple[Cause, ...]]:
    """Every eliminated suspect with all the causes (M27), in the order of ``state.names``."""
    proved = state.proved and unplaced_proved(state)
    rays = pointing(state)
    found: dict[str, tuple[Cause, ...]] = {}
    for name, cell in zip(state.names, state.where, strict=True):
        causes = [Cause(ALIBI, clue.home) for clue in state.clues if clue.on == name]
        if cell is not None:
            causes += rays.get(cell, ())
        elif proved and name != state.arrested:
            causes.append(Cause("proof"))
        if causes:
            found[name] = tuple(causes)
    return found


def out(state: State) -> frozenset[str]:
    """The names of the eliminated suspects: ``eliminated`` without the causes, and quick."""
    cells = lit(state)
    down = {name for name, cell in zip(state.names, state.where, strict=True) if cell in cells}
    down.update(clue.on for clue in state.clues if clue.on)
    if state.proved and unplaced_proved(state):
        down.update(state.unplaced)
    return frozenset(down)


def unplaced_proved(state: State) -> bool:
    """Whether every tile still face-down is pointed at, so that no unplaced suspect can stay (M29)."""
    cells = lit(state)
    return all(room is not None or cell in cells for room, cell in zip(state.rooms, CELLS, strict=True))


def gather_needs(state: State, *, again: bool) -> tuple[Need, ...]:
    """The dice for gathering or re-examining, the cheapest first (M22, M26, M40)."""
    what = "Re-examining evidence" if again else "Gathering evidence"
    full = Need(what, "run", 4)
    if "warrant" in state.carried and (state.rules.warrant_on_reexamine or not again):
        return Need(what, "run", 3, why="with the Search Warrant"), full
    return (full,)


def gathered(state: State, event: EvidenceGathered) -> State:
    """The hidden evidence on Moss's tile is turned up; what it says is settled next (M22)."""
    clue = state.clue_at(state.moss)
    if clue is None:
        raise OutOfPlace(f"There is no evidence on {state.moss}.")
    if clue.shown:
        raise OutOfPlace(f"The evidence on {state.moss} has been turned up already; re-examine it instead.")
    kind = _kind_found(state, clue, event.kind)
    state = paid(state, event.dice, *gather_needs(state, again=False))
    state = changed(state, clue, replace(clue, kind=kind, shown=True))
    if kind == TAINTED and not taintable(state):
        return _taken_out(state, state.moss)
    return replace(state, due=replace(state.due, found=state.moss))


def pointed(state: State, event: ArrowPointed) -> State:
    """The arrow just found is laid (M23)."""
    clue = _found(state)
    return _resolved(changed(state, clue, replace(clue, turn=_turn(event.turn))))


def alibied(state: State, event: AlibiGiven) -> State:
    """The alibi just found is put on a suspect, placed or not (M24)."""
    clue = _found(state)
    return _resolved(changed(state, clue, replace(clue, on=_suspect(state, event.suspect))))


def tainted(state: State, event: EvidenceTainted) -> State:
    """The tainted token takes another one out of play; both leave the board (M25, C17 to C19)."""
    here = _found(state).home
    if event.cell is None:
        if not state.evidence_left:
            raise OutOfPlace("All evidence tokens have come out; choose one that lies on the board.")
        kind = state.piles.evidence[0] if state.rules.dealt else ""
        piles = replace(state.piles, evidence=state.piles.evidence[1:])
        blind = Clue(here, kind)
        return _resolved(_taken_out(replace(state, piles=piles, removed=(*state.removed, blind)), here))
    if event.cell == here:
        raise OutOfPlace("Tainted evidence takes another token with it, not itself.")
    if state.clue_at(event.cell) is None:
        raise OutOfPlace(f"There is no evidence on {event.cell}.")
    return _resolved(_taken_out(_taken_out(state, event.cell), here))


def taintable(state: State) -> bool:
    """Whether there is another token to take, on the board or not yet placed."""
    return state.evidence_left > 0 or any(clue.home != state.moss for clue in state.clues)


def reexamined(state: State, event: EvidenceReexamined) -> State:
    """The evidence on Moss's tile is changed; an alibi is changed where it was found (M26, C15)."""
    clue = state.clue_at(state.moss)
    if clue is None:
        raise OutOfPlace(f"There is no evidence on {state.moss}.")
    if not clue.shown:
        raise OutOfPlace(f"The evidence on {state.moss} is still hidden; gather it first.")
    if clue.kind == ALIBI:
        if event.turn is not None or event.suspect is None:
            raise OutOfPlace("An alibi is changed by naming a suspect.")
        fresh = replace(clue, on=_suspect(state, event.suspect))
    else:
        if event.suspect is not None or event.turn is None:
            raise OutOfPlace("An arrow is changed by turning it.")
        fresh = replace(clue, turn=_turn(event.turn))
    state = paid(state, event.dice, *gather_needs(state, again=True))
    return changed(state, clue, fresh)


def turned_down(state: State, _event: UnplacedTurnedDown) -> State:
    """The unplaced suspects are turned down, for none of them can stay (M29)."""
    if state.proved:
        raise OutOfPlace("The suspects not yet placed have been turned down already.")
    if not state.unplaced:
        raise OutOfPlace("All suspects have come out.")
    if not unplaced_proved(state):
        cells = lit(state)
        free = [c for c, room in zip(CELLS, state.rooms, strict=True) if room is None and c not in cells]
        raise OutOfPlace(f"A suspect may still come out where no arrow points: {words.listed(free)}.")
    return replace(state, proved=True)


def changed(state: State, clue: Clue, fresh: Clue) -> State:
    """The state with ``fresh`` in the place of ``clue``."""
    return replace(state, clues=tuple(fresh if c is clue else c for c in state.clues))


def _resolved(state: State) -> State:
    return replace(state, due=replace(state.due, found=None))


def _taken_out(state: State, home: Cell) -> State:
    gone = state.clue_at(home)
    if gone is None:
        raise OutOfPlace(f"There is no evidence on {home}.")
    kept = tuple(clue for clue in state.clues if clue is not gone)
    return replace(state, clues=kept, removed=(*state.removed, replace(gone, turn=None, on="")))


def _found(state: State) -> Clue:
    clue = None if state.due.found is None else state.clue_at(state.due.found)
    if clue is None:
        raise OutOfPlace("No evidence has just been gathered.")
    return clue


def _kind_found(state: State, clue: Clue, told: str | None) -> str:
    if state.rules.dealt:
        if told is not None:
            raise OutOfPlace("The companion dealt this evidence and turns it up itself.")
        return clue.kind
    if told is None:
        raise OutOfPlace(f"Say what the evidence is: {words.listed(KINDS)}.")
    if told not in KINDS:
        raise OutOfPlace(f"There is no evidence {told!r}; it is one of {words.listed(KINDS)}.")
    return told


def _turn(turn: int) -> int:
    if turn not in range(8):
        raise OutOfPlace(f"An arrow is turned by 0 to 7 steps of 45 degrees, not {turn}.")
    return turn


def _suspect(state: State, name: str) -> str:
    if name not in state.names:
        raise OutOfPlace(f"There is no suspect {name!r}; they are {words.listed(state.names)}.")
    if name == state.arrested:
        raise OutOfPlace(f"{name} is under arrest and needs no alibi.")
    return name


_HITS: Final = {
    (kind, cell, turn): frozenset(hit for d in directions(kind, turn) for hit in RAYS[cell][d])
    for kind in ARROWS
    for cell in CELLS
    for turn in range(8)
}
