"""The house as a panel: rooms, doors, tokens, what arrows point at, where Moss can walk."""

from collections.abc import Sequence
from dataclasses import replace

from companion.games.moss import words
from companion.games.moss.evidence import ALIBI, KINDS, Cause, out, pointing
from companion.games.moss.grid import CELLS, NEIGHBOURS, SIDE_NAMES, SIDES, SIZE, Cell
from companion.games.moss.house import edge
from companion.games.moss.state import State
from companion.games.moss.steps import Step, step
from companion.games.moss.tiles import LOCKED, OPEN, Tile
from companion.games.moss.walks import passages, walks
from companion.rules import view


def board(state: State) -> view.Board:
    """The house from the top left, with the Police Car outside."""
    rays = pointing(state)
    down = out(state)
    ways_there = _ways_there(state) if step(state) in {Step.RETHROW, Step.ACT} else {}
    cells = tuple(
        _in_rays(_cell(state, cell, down, ways_there.get(cell, "")), rays.get(cell, ())) for cell in CELLS
    )
    outside: tuple[tuple[str, str, str], ...] = ()
    if state.car is not None:
        number = str(state.car.number) if state.car.number else "no number"
        outside = ((str(state.car.cell), SIDES[state.car.side], f"Police Car ({number})"),)
    return view.Board("The house", SIZE, cells, outside)


def _ways_there(state: State) -> dict[Cell, str]:
    """The cells that Moss can reach in this turn, and how: on foot, or else by a passage."""
    found = {to: f"passage: {state.number_at(to) or 'no dice'}" for to in passages(state)}
    for to, walk in walks(state).items():
        numbers = " ".join(str(n) for n in walk.numbers) or "no dice"
        sixes = f" (with {words.counted(walk.sixes, 'six', 'sixes')})" if walk.sixes else ""
        found[to] = f"walk: {numbers}{sixes}"
    return found


def _cell(state: State, cell: Cell, down: frozenset[str], way: str) -> view.Cell:
    room = state.rooms[cell]
    if state.due.hand is not None and state.due.hand[0] == cell:
        return _in_hand(state, cell, state.due.hand[1])
    sides = _with_bombs(state, cell, room.sides if room else "....")
    if room is None:
        return view.Cell(
            str(cell),
            f"{cell}: face-down",
            face_down=True,
            sides=sides,
            marks=_marks(state, cell, down),
            note="turn this one up" if cell in state.due.reveal else "",
        )
    number = state.number_at(cell)
    passage = state.passage_at(cell)
    return view.Cell(
        str(cell),
        f"{cell}: {room.tile.name}, {_doors(sides)}",
        icon=room.tile.icon,
        number=str(number) if number else "",
        passage="" if passage is None else str(passage),
        sides=sides,
        marks=_marks(state, cell, down),
        here=cell == state.moss,
        reachable=bool(way),
        note=_note(state, cell, way),
    )


def _in_rays(shown: view.Cell, rays: Sequence[Cause]) -> view.Cell:
    """The cell with the rays that run through it, and the arrows they come from."""
    if not rays:
        return shown
    arrows = dict.fromkeys(f"{KINDS[ray.kind]} on {ray.cell}" for ray in rays)
    notes = ([shown.note] if shown.note else []) + [f"in the ray of the {arrow}" for arrow in arrows]
    directions = sorted({ray.direction for ray in rays if ray.direction is not None})
    return replace(shown, lit=True, rays=tuple(directions), note="; ".join(notes))


def _in_hand(state: State, cell: Cell, tile: Tile) -> view.Cell:
    """A tile that was turned up and is not laid yet, as printed."""
    return view.Cell(
        str(cell),
        f"{cell}: {tile.name}, in hand",
        icon=tile.icon,
        number=str(tile.number),
        passage=str(tile.passage or ""),
        sides=_with_bombs(state, cell, tile.sides),
        marks=_marks(state, cell, frozenset()),
        note="in hand: choose how to lay it",
    )


def _marks(state: State, cell: Cell, down: frozenset[str]) -> tuple[view.Mark, ...]:
    marks = []
    if cell == state.moss:
        who = f"Moss with {state.arrested}" if state.arrested else "Moss"
        marks.append(view.Mark("pawn", who))
    name = state.suspect_at(cell)
    if name:
        marks.append(view.Mark("suspect", name, down=name in down))
        marks += [view.Mark(ALIBI, f"alibi found on {c.home}") for c in state.clues if c.on == name]
    clue = state.clue_at(cell)
    if clue is not None and not clue.shown:
        marks.append(view.Mark("evidence", "hidden evidence", down=True))
    elif clue is not None and clue.kind != ALIBI:
        marks.append(view.Mark(f"arrow-{clue.kind}", KINDS[clue.kind], turn=clue.turn or 0))
    marks += [view.Mark(f"token-{kind}", words.TOKENS[kind]) for kind in state.tokens_at(cell)]
    return tuple(marks)


def _note(state: State, cell: Cell, way: str) -> str:
    parts = [way] if way else []
    clue = state.clue_at(cell)
    if clue is not None and clue.on:
        parts.append(f"alibi for {clue.on} found here")
    return "; ".join(parts)


def _with_bombs(state: State, cell: Cell, sides: str) -> str:
    return "".join(
        "b" if there is not None and edge(cell, there) in state.bombs else side
        for side, there in zip(sides, NEIGHBOURS[cell], strict=True)
    )


def _doors(sides: str) -> str:
    doors = [SIDE_NAMES[i] for i, side in enumerate(sides) if side in {OPEN, "b"}]
    locks = [SIDE_NAMES[i] for i, side in enumerate(sides) if side == LOCKED]
    parts = [f"doors {words.listed(doors)}"] if doors else []
    parts += [f"locked {words.listed(locks)}"] if locks else []
    return ", ".join(parts) or "no doors"
