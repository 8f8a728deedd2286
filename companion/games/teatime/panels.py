"""House boards as panels: what lies on each cell, and for its owner what would reach it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, Final

from companion.games.teatime import words
from companion.games.teatime.lighting import Beam, beams
from companion.games.teatime.pieces import CELLS, DETECTIVE, DIAGONAL, SIDE, TOKENS, Space, Tile, ref
from companion.games.teatime.pool import Use, acting, uses, why_unreached
from companion.games.teatime.rounds import placed
from companion.games.teatime.state import NOBODY, State
from companion.rules.copies import replace
from companion.rules.view import Panel

DOWN, ROOM, PLAIN = "down", "room", "plain"
"""What is drawn where no tile shows its face; plain where no picture is kept."""


@dataclass(frozen=True, slots=True)
class Square:
    """One cell. ``kind``: ``down``, ``room``, ``detective``, ``thief``, ``master`` or ``plain``.

    ``ways``: a thief's lit sides; ``rays``: a detective's beams, (way, whether it lights something).
    ``number``: what a room counts, or a detective with a token. ``back``: a detective lies here face down.
    ``use``: what would reach it, (dice, glasses, dice tiles). ``notes``: sentences for whoever taps it.
    """

    ref: str
    label: str
    kind: str
    number: str = ""
    ways: tuple[int, ...] = ()
    rays: tuple[tuple[int, bool], ...] = ()
    back: bool = False
    token: bool = False
    use: tuple[int, int, int] | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Home:
    """One player's board: 25 squares from the top left, and what lies beside it.

    ``right``: how many dice tiles of each row, from the top; ``discard``: the numbers in the discard pile.
    """

    name: str
    squares: tuple[Square, ...]
    right: tuple[int, ...]
    discard: tuple[int, ...]
    tokens: int
    limit: int = TOKENS


@dataclass(frozen=True, slots=True)
class House(Panel):
    """The own board, to be tapped."""

    kind: ClassVar[str] = "teahouse"
    place: ClassVar[str] = "hand"
    home: Home
    note: str = ""


@dataclass(frozen=True, slots=True)
class Houses(Panel):
    """Boards to look at."""

    kind: ClassVar[str] = "teahouses"
    place: ClassVar[str] = "middle"
    homes: tuple[Home, ...]


@dataclass(frozen=True, slots=True)
class Others(Houses):
    """The others' boards, beside one's own."""

    place: ClassVar[str] = "side"


def own(state: State, player: int) -> House:
    """A player's own board, with what the present dice reach."""
    now = player in acting(state)
    reached = {cell: found[0] for cell, found in uses(state, player).items()} if now else {}
    whys = (
        {cell: why_unreached(state, player, cell) for cell in range(CELLS) if cell not in reached}
        if now
        else {}
    )
    return House("Your house", _home(state, player, reached, whys), _note(now=now, reached=len(reached)))


def everybody(state: State, but: int = NOBODY) -> Houses:
    """All boards, as everybody sees them; for a player those of the others."""
    places = [place for place in range(len(state.seats)) if place != but]
    homes = tuple(_home(state, place, {}, {}) for place in places)
    return Houses("The houses", homes) if but == NOBODY else Others("The other houses", homes)


def _note(*, now: bool, reached: int) -> str:
    if not now:
        return "Tap a place to see what lies there."
    if not reached:
        return "These dice reach no tile of yours."
    return "The marked places are reached, and say with what: tap one."


def _home(state: State, place: int, reached: Mapping[int, Use], whys: Mapping[int, str]) -> Home:
    player = state.players[place]
    squares = _squares(player.cells, player.tokens, state.rooms) if state.rules.picture else _BLANK
    if reached or whys:
        squares = tuple(
            replace(square, use=_use(reached[cell]))
            if cell in reached
            else replace(square, notes=(*square.notes, whys[cell]))
            for cell, square in zip(_ORDER, squares, strict=True)
        )
    return Home(
        state.called(place),
        squares,
        player.right[::-1],
        tuple(number for number, n in enumerate(player.discard, start=1) for _ in range(n)),
        placed(state, place),
    )


@lru_cache(maxsize=64)
def _squares(
    cells: tuple[Space | Tile, ...], tokens: tuple[int, ...], rooms: tuple[int, ...]
) -> tuple[Square, ...]:
    """A board as it lies: it is drawn for everybody, and changes for one player in a turn."""
    return tuple(_square(cells, tokens, rooms, cell) for cell in _ORDER)


def _square(
    cells: tuple[Space | Tile, ...], tokens: tuple[int, ...], rooms: tuple[int, ...], cell: int
) -> Square:
    there, place = cells[cell], words.begun(words.place(cell))
    if there is Space.EMPTY:
        room = str(rooms[cell])
        return Square(ref(cell), f"{place}, room {room}", ROOM, room)
    if not isinstance(there, Tile):
        back = cell in DIAGONAL
        what = "a detective" if back else "a tile"
        return Square(ref(cell), f"{place}, {what} face down", DOWN, back=back)
    if there.kind == DETECTIVE:
        return _detective(beams(cells, rooms, cell), cell, token=cell in tokens)
    sides = f"Lit from these sides only: {words.ways(there)}." if there.ways else "Lit from every side."
    return Square(ref(cell), f"{place}, {words.kind(there)}", there.kind, ways=there.ways, notes=(sides,))


def _detective(found: Sequence[Beam], cell: int, *, token: bool) -> Square:
    """A detective says what each beam does."""
    points = sum(beam.points for beam in found)
    shines = f"Every beam lights something: a token, and {points} points."
    verdict = shines if token else "No token: a beam lights nothing."
    return Square(
        ref(cell),
        f"{words.begun(words.place(cell))}, detective{' with a token' if token else ''}",
        DETECTIVE,
        str(points) if token else "",
        rays=tuple((beam.way, bool(beam.points)) for beam in found),
        token=token,
        notes=(verdict, *(f"{beam.text}." for beam in found)),
    )


def _use(use: Use) -> tuple[int, int, int]:
    return use.dice, use.glasses, use.tiles


_ORDER: Final = tuple(SIDE * (SIDE - 1 - row) + column for row in range(SIDE) for column in range(SIDE))
"""The cells from the top left: row 5 is the highest."""
_BLANK: Final = tuple(Square(ref(cell), words.begun(words.place(cell)), PLAIN) for cell in _ORDER)
"""A board of which no picture is kept."""
