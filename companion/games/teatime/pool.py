"""Who may use which dice for which cell (T5 to T12, T17, T18)."""

from collections.abc import Iterator
from dataclasses import dataclass

from companion.games.teatime import words
from companion.games.teatime.events import TileActivated
from companion.games.teatime.pieces import CELLS, GLASS, NUMBERS, SIDE, Space, cell_at
from companion.games.teatime.state import Phase, State


@dataclass(frozen=True, slots=True)
class Use:
    """One way to a cell: all ``dice`` that show its row's number, so many glasses, so many dice tiles."""

    cell: int
    dice: int = 0
    glasses: int = 0
    tiles: int = 0

    @property
    def number(self) -> int:
        """The row, which is the number of the dice."""
        return self.cell // SIDE + 1

    @property
    def column(self) -> int:
        """The column, which is how many count."""
        return self.cell % SIDE + 1


def acting(state: State) -> tuple[int, ...]:
    """Who may activate a tile or pass now: the active player, then all others at once."""
    if state.phase is Phase.CHOOSE or (state.phase is Phase.ROLL and state.throws):
        return (state.active,)
    return state.waiting if state.phase is Phase.OTHERS else ()


def offered(state: State, player: int) -> tuple[str, ...]:
    """The dice that ``player`` may use: all of them, or for others the pool that the active player left."""
    return state.dice if player == state.active else pool(state)


def pool(state: State) -> tuple[str, ...]:
    """All dice but those taken; glasses always stay (T5, C1, C3)."""
    taken = str(state.taken)
    return tuple(face for face in state.dice if face != taken)


def uses(state: State, player: int) -> dict[int, tuple[Use, ...]]:
    """The cells that ``player`` reaches with the dice there are, and how; fewest dice tiles first."""
    reached: dict[int, tuple[Use, ...]] = {}
    cells = state.players[player].cells
    for use in _all(state, player):
        if cells[use.cell] is not Space.EMPTY:
            reached[use.cell] = (*reached.get(use.cell, ()), use)
    return reached


def why_not(state: State, player: int, event: TileActivated) -> str:
    """Why ``player`` cannot activate this cell in this way; empty if it is possible."""
    if not (1 <= event.number <= SIDE and 1 <= event.column <= SIDE):
        return "Rows and columns go from 1 to 5."
    cell = cell_at(event.number, event.column)
    why = _special(state, player, event) if state.special else _uncounted(state, player, event)
    if not why and state.players[player].cells[cell] is Space.EMPTY:
        return f"No tile lies on {words.place(cell)}."
    return why


def why_unreached(state: State, player: int, cell: int) -> str:
    """Why ``player`` does not reach ``cell`` at all, for who taps there; empty if he does."""
    if any(use.cell == cell for use in _all(state, player)):
        empty = state.players[player].cells[cell] is Space.EMPTY
        return f"No tile lies on {words.place(cell)}." if empty else ""
    if state.special:
        return _closed(state)
    number, column = cell // SIDE + 1, cell % SIDE + 1
    dice = offered(state, player)
    shown, glasses = dice.count(str(number)), dice.count(GLASS)
    if not shown:
        return _alone(number)
    if column < shown:
        return f"{_shown(shown, number)}: all of them are used, so column {column} is not reached."
    most = shown + glasses + state.players[player].right[number - 1]
    return f"With every glass and dice tile {number} that is {most}, not {column}."


def able(state: State, player: int) -> bool:
    """Whether ``player``, one of the others, has anything to do: activate a tile, or take one back."""
    mine = state.players[player]
    return any(mine.discard) or any(mine.cells[use.cell] is not Space.EMPTY for use in _all(state, player))


def _all(state: State, player: int) -> Iterator[Use]:
    if state.special:
        if player == state.active:
            yield from (Use(cell) for cell in range(CELLS))
        return
    dice, right = offered(state, player), state.players[player].right
    glasses = dice.count(GLASS)
    for number, face in enumerate(NUMBERS, start=1):
        shown = dice.count(face)
        if not shown:
            continue
        most = min(SIDE, shown + glasses + right[number - 1])
        for column in range(shown, most + 1):
            more = column - shown
            for tiles in range(max(0, more - glasses), min(more, right[number - 1]) + 1):
                yield Use(cell_at(number, column), shown, more - tiles, tiles)


def _special(state: State, player: int, event: TileActivated) -> str:
    if player != state.active:
        return _closed(state)
    return "After such a roll no glass or dice tile is used." if event.glasses or event.tiles else ""


def _closed(state: State) -> str:
    assert state.special
    name = state.called(state.active)
    return f"{state.special.value}: only {name} activates a tile in this round. The others may pass."


def _uncounted(state: State, player: int, event: TileActivated) -> str:
    number, dice = event.number, offered(state, player)
    shown, glasses = dice.count(str(number)), dice.count(GLASS)
    if not shown:
        return _alone(number)
    if not 0 <= event.glasses <= glasses:
        return (
            f"There {'is' if glasses == 1 else 'are'} {words.counted(glasses, 'glass', 'glasses')} to use."
        )
    tiles = state.players[player].right[number - 1]
    if not 0 <= event.tiles <= tiles:
        there = words.counted(tiles, f"dice tile {number}", f"dice tiles {number}")
        return f"Beside your board {'lies' if tiles == 1 else 'lie'} {there}."
    count = shown + event.glasses + event.tiles
    if count != event.column:
        glass, tile = (
            words.counted(event.glasses, "glass", "glasses"),
            words.counted(event.tiles, "dice tile"),
        )
        used = f"with {glass} and {tile} that is column {count}, not {event.column}"
        return f"{_shown(shown, number)}, and all of them are used: {used}."
    return ""


def _alone(number: int) -> str:
    return f"No die that you may use shows {number}: a glass or a dice tile is never used alone."


def _shown(shown: int, number: int) -> str:
    return (
        f"{words.begun(words.counted(shown, 'die', 'dice'))} {'shows' if shown == 1 else 'show'} {number}"
    )
