"""How far Moss gets on foot with the dice that are left: the walks that the screen offers."""

from collections import Counter
from dataclasses import dataclass

from companion.games.moss.cost import WILD, face_of, loose, ways
from companion.games.moss.grid import CELLS, NEIGHBOURS, Cell
from companion.games.moss.house import crossing
from companion.games.moss.moves import passage_need
from companion.games.moss.state import USE_LIMIT, State


@dataclass(frozen=True, slots=True)
class Walk:
    """The cheapest walk to a cell: the cells on the way and the numbers it asks for, step by step.

    ``sixes`` of the dice must be sixes: wild ones, or those that a tile numbered 6 asks for.
    """

    cells: tuple[Cell, ...]
    numbers: tuple[int, ...]
    sixes: int


def walks(state: State) -> dict[Cell, Walk]:
    """Where Moss can walk in this turn over face-up tiles, and the cheapest way there.

    Cheapest is fewest sixes, then fewest dice, then fewest steps. Empty before the first throw.
    """
    have = Counter(face_of(state, die) for die in loose(state))
    limit = USE_LIMIT - len(state.turn.used)
    best: dict[Cell, Walk] = {}
    todo = [Walk((state.moss,), (), 0)] if have else []
    while todo:
        walk = todo.pop()
        for there, numbers in steps_from(state, walk.cells[-1]):
            asked = walk.numbers + numbers
            if there in walk.cells or len(asked) > limit:
                continue
            sixes = _sixes(asked, have)
            if sixes > have[WILD]:
                continue
            further = Walk((*walk.cells, there), asked, sixes)
            if there not in best or _price(further) < _price(best[there]):
                best[there] = further
            todo.append(further)
    return best


def passages(state: State) -> tuple[Cell, ...]:
    """The tiles that a passage from here leads to and the dice pay for."""
    if state.passage_at(state.moss) is None:
        return ()
    ends = (cell for cell in CELLS if cell != state.moss and state.passage_at(cell) is not None)
    return tuple(to for to in ends if all(ways(state, need) for need in passage_need(state, to)))


def steps_from(state: State, here: Cell) -> list[tuple[Cell, tuple[int, ...]]]:
    """The neighbours that a doorway leads to, with the numbers that the step asks for."""
    found: list[tuple[Cell, tuple[int, ...]]] = []
    for side, there in enumerate(NEIGHBOURS[here]):
        locks = crossing(state, here, side)
        if there is not None and locks is not None:
            number = state.number_at(there)
            dice = 1 if "key" in state.carried else 1 + locks
            found.append((there, (number,) * dice if number else ()))
    return found


def _sixes(asked: tuple[int, ...], have: Counter[int]) -> int:
    needed = Counter(asked)
    return sum(n if face == WILD else max(0, n - have[face]) for face, n in needed.items())


def _price(walk: Walk) -> tuple[int, int, int]:
    return walk.sixes, len(walk.numbers), len(walk.cells)
