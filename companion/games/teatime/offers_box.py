"""Offers to describe the box: its tiles' directions and its rooms' values."""

from collections.abc import Iterator
from typing import Final

from companion.games.teatime import events as ev
from companion.games.teatime import words
from companion.games.teatime.box import missing
from companion.games.teatime.drafts import AT, draft
from companion.games.teatime.pieces import BEAMS, DETECTIVE, LIT, REFS, SIDE, THIEF, WAYS, Tile
from companion.games.teatime.state import Phase, State
from companion.rules.view import Action, Input

GROUP: Final = "The box"
_DIRECTIONS: Final = tuple(
    (name, f"{words.ARROWS[way]} {words.COMPASS[way]}") for way, name in enumerate(WAYS)
)


def ways_asked(kind: str, label: str = "") -> Input:
    """All directions of a detective or a thief, to be marked."""
    if kind == DETECTIVE:
        return Input("ways", label or "Its beams, two to four", "several", _DIRECTIONS, most=BEAMS)
    return Input("ways", label or "Its three lit sides", "several", _DIRECTIONS, most=(LIT, LIT))


def about_the_box(state: State) -> Iterator[Action]:
    """Describe a tile, take one away, give a room another value."""
    waiting = state.phase is Phase.BOX
    for kind, left in zip((DETECTIVE, THIEF), missing(state), strict=True):
        if state.rules.phones and not left:
            continue
        event = ev.TileDescribed(at=AT, kind=kind, ways=())
        text, cost = f"Describe a {kind}", f"{left} to go" if left else ""
        yield draft(
            f"describe-{kind}", text, event, GROUP, inputs=(ways_asked(kind),), cost=cost, lead=waiting
        )
    if state.box:
        yield _forgetting(tuple(dict.fromkeys(state.box)))
    yield _valuing(state)


def _forgetting(tiles: tuple[Tile, ...]) -> Action:
    choices = tuple((str(tile), words.begun(words.tile(tile))) for tile in tiles)
    asked = Input("tile", "Which", choices=choices, default=choices[-1][0])
    event = ev.TileForgotten(at=AT, tile=tiles[-1])
    return draft("forget", "A tile was described wrongly", event, GROUP, inputs=(asked,))


def _valuing(state: State) -> Action:
    cells = tuple(
        (ref, f"{words.begun(words.place(cell))}: {state.rooms[cell]}") for ref, cell in REFS.items()
    )
    values = tuple((str(n), str(n)) for n in range(1, 2 * SIDE))
    where = Input("cell", "Which room", choices=cells, default=cells[0][0])
    asked = Input("points", "It counts", choices=values, default="1")
    event = ev.RoomValued(at=AT, cell=cells[0][0], points=1)
    return draft("room", "A room shows another number", event, GROUP, inputs=(where, asked))
