"""Offers to activate a tile: one for each cell that is reached, with what it would use."""

from collections.abc import Iterator, Sequence
from typing import Final

from companion.games.teatime import events as ev
from companion.games.teatime import words
from companion.games.teatime.drafts import AT, draft
from companion.games.teatime.offers_box import ways_asked
from companion.games.teatime.pieces import (
    CELLS,
    DETECTIVE,
    DIAGONAL,
    DICE_TILES,
    MASTER_TILE,
    OTHER,
    THIEF,
    THIEVES,
    Space,
    Tile,
    ref,
)
from companion.games.teatime.pool import Use, uses
from companion.games.teatime.state import State
from companion.rules.view import Action, Input

MORE: Final = "With dice tiles instead of glasses"
LEAVE: Final = "Activate one and leave it there"
ANOTHER: Final = "another one: mark it below"


def activating(state: State, player: int) -> Iterator[Action]:
    """Every cell reached, in the way that takes fewest dice tiles; then the other ways."""
    reached = uses(state, player)
    for cell in sorted(reached):
        yield from _at(state, player, reached[cell][0], _group(state, reached[cell][0]))
    for cell in sorted(reached):
        for use in reached[cell][1:]:
            yield from _at(state, player, use, MORE)


def cost(use: Use) -> str:
    """What a way to a cell uses, in words.

    >>> cost(Use(14, dice=2, glasses=2, tiles=1))
    'two dice, two glasses, one dice tile'
    """
    parts = [words.counted(use.dice, "die", "dice")] if use.dice else []
    parts += [words.counted(use.glasses, "glass", "glasses")] if use.glasses else []
    parts += [words.counted(use.tiles, "dice tile")] if use.tiles else []
    return ", ".join(parts) or "any tile"


def _group(state: State, use: Use) -> str:
    return state.special.value if state.special else f"With the {use.number}s"


def _at(state: State, player: int, use: Use, group: str) -> Iterator[Action]:
    there = state.players[player].cells[use.cell]
    if isinstance(there, Tile):
        yield from _moving(state, player, use, there, group)
    else:
        yield _turning(state, player, use, group)


def _event(use: Use, shows: Tile | None = None, to: str | None = None) -> ev.TileActivated:
    return ev.TileActivated(
        at=AT,
        number=use.number,
        column=use.column,
        glasses=use.glasses,
        tiles=use.tiles,
        shows=shows,
        to=to,
    )


def _ident(use: Use) -> str:
    return f"{ref(use.cell)}-{use.glasses}-{use.tiles}"


def _turning(state: State, player: int, use: Use, group: str) -> Action:
    verb = "Turn up" if state.rules.picture else "Activate"
    inputs = () if state.rules.phones else _asked(state, player, use.cell)
    shows = Tile.parse(inputs[0].default) if inputs else None
    return draft(
        f"turn-{_ident(use)}",
        f"{verb} {words.place(use.cell)}",
        _event(use, shows),
        group,
        inputs=inputs,
        cost=cost(use),
        cell=ref(use.cell),
    )


def _asked(state: State, player: int, cell: int) -> tuple[Input, ...]:
    """What was turned up, and the directions of a tile that the companion does not know."""
    if not state.rules.picture:
        choices = ((OTHER, "No dice tile"), *_choices(DICE_TILES))
        return (Input("shows", "What you find", choices=choices, default=OTHER),)
    kind = DETECTIVE if cell in DIAGONAL else THIEF
    known = tuple(dict.fromkeys(tile for tile in state.box if tile.kind == kind))
    full = kind == THIEF and _thieves(state.players[player].cells) == THIEVES
    mine = state.players[player].cells
    choices = () if full else _people(mine, known)
    if kind == THIEF:
        choices = (*_choices(DICE_TILES), *_people(mine, (MASTER_TILE,)), *choices)
    if state.rules.ours or full:
        return (_shown(choices),)
    choices = (*choices, (kind, f"{words.begun(kind)}, {ANOTHER}"))
    return (_shown(choices), ways_asked(kind))


def _shown(choices: tuple[tuple[str, str], ...]) -> Input:
    return Input("shows", "It shows", choices=choices, default=choices[0][0])


def _choices(tiles: Sequence[Tile]) -> tuple[tuple[str, str], ...]:
    return tuple((str(tile), words.begun(words.tile(tile))) for tile in tiles)


def _people(cells: Sequence[Space | Tile], tiles: Sequence[Tile]) -> tuple[tuple[str, str], ...]:
    """Tiles of which a set has one: those that lie open stand last, and say so."""
    fresh = _choices([tile for tile in tiles if tile not in cells])
    there = _choices([tile for tile in tiles if tile in cells])
    return (*fresh, *((value, f"{label}, open already") for value, label in there))


def _thieves(cells: Sequence[Space | Tile]) -> int:
    return sum(isinstance(tile, Tile) and tile.kind == THIEF for tile in cells)


def _moving(state: State, player: int, use: Use, tile: Tile, group: str) -> Iterator[Action]:
    """An open tile goes to an empty cell, or is activated and stays."""
    mine = state.players[player]
    free = [cell for cell in range(CELLS) if mine.cells[cell] is Space.EMPTY]
    place, name = words.place(use.cell), words.tile(tile)
    token = ", with its token" if use.cell in mine.tokens else ""
    if free:
        choices = tuple((ref(cell), words.begun(words.place(cell))) for cell in free)
        yield draft(
            f"move-{_ident(use)}",
            f"Move the {name} from {place}",
            _event(use, to=ref(free[0])),
            group,
            inputs=(Input("to", "Where to", choices=choices, default=choices[0][0]),),
            cost=f"{cost(use)}{token}",
            cell=ref(use.cell),
        )
    text = f"Leave the {name} on {place}"
    yield draft(f"leave-{_ident(use)}", text, _event(use), LEAVE, cost=cost(use), cell=ref(use.cell))
