"""A tile is activated: turned up, or moved; or somebody passes (T6 to T14)."""

from companion.games.teatime import words
from companion.games.teatime.events import Passed, TileActivated
from companion.games.teatime.lighting import scored
from companion.games.teatime.pieces import (
    DETECTIVE,
    DIAGONAL,
    DIE,
    OTHER,
    REFS,
    THIEF,
    THIEVES,
    TOKENS,
    Space,
    Tile,
    cell_at,
    ways_of,
)
from companion.games.teatime.pool import acting, why_not
from companion.games.teatime.rounds import after_acting
from companion.games.teatime.state import Player, State
from companion.rules.chance import shuffled
from companion.rules.copies import replace
from companion.rules.events import Event, Seat
from companion.rules.game import OutOfPlace


def activated(state: State, event: TileActivated) -> State:
    """A player's tile is turned up or moved, with the dice, glasses and dice tiles it took (T7, T8)."""
    place = actor(state, event)
    why = why_not(state, place, event)
    if why:
        raise OutOfPlace(why)
    player, cell = state.players[place], cell_at(event.number, event.column)
    player = _spent(player, event.number, event.tiles)
    if not state.rules.picture:
        player = _found(player, event)
    elif isinstance(player.cells[cell], Tile):
        player = _moved(player, cell, event)
    else:
        tile = _turned_up(state, place, cell, event)
        state = _known(state, tile)
        player = _shown(player, cell, tile)
    if len(player.tokens) == TOKENS and place not in state.over:
        state = replace(state, over=(*state.over, place))
    return after_acting(state, place, player, event.at, 0 if state.special else event.number)


def passed(state: State, event: Passed) -> State:
    """A player does not explore, and takes one dice tile back blind (T6, T9, C18, C20)."""
    place = actor(state, event)
    player = state.players[place]
    back = _drawn(state, place, event)
    if back:
        player = replace(
            player,
            discard=_added(player.discard, back, -1),
            right=_added(player.right, back, 1),
            drawn=player.drawn + 1,
        )
    return after_acting(state, place, player, event.at, 0)


def actor(state: State, event: Event) -> int:
    """The player whose phone sent ``event``. Raises OutOfPlace if it is not for that player to act."""
    seat = player_of(state, event.by)
    now = acting(state)
    if seat in now:
        return seat
    if state.active in now:
        raise OutOfPlace(f"{state.called(state.active)} chooses first, then all others at once.")
    if not now:
        raise OutOfPlace(f"{state.called(state.active)} rolls the dice first.")
    raise OutOfPlace("You have played in this round, or there was nothing for you to do.")


def player_of(state: State, seat: Seat | None) -> int:
    """Whose seat it is. Raises OutOfPlace for a seat that does not play."""
    if seat not in state.seats:
        raise OutOfPlace(f"{words.begun(str(seat or 'nobody'))} does not play in this game.")
    return state.seats.index(seat)


def _spent(player: Player, number: int, tiles: int) -> Player:
    """Dice tiles that were used go to the discard pile (T11)."""
    if not tiles:
        return player
    return replace(
        player,
        right=_added(player.right, number, -tiles),
        discard=_added(player.discard, number, tiles),
    )


def _found(player: Player, event: TileActivated) -> Player:
    """Without a picture only a dice tile is told (T13)."""
    shows = event.shows
    if event.to is not None or (shows and shows.kind not in {DIE, OTHER}):
        raise OutOfPlace(
            "No picture of your board is kept: say only whether it was a dice tile, and which."
        )
    if shows is None or shows.kind == OTHER:
        return player
    return replace(player, right=_added(player.right, shows.number, 1))


def _turned_up(state: State, place: int, cell: int, event: TileActivated) -> Tile:
    """What lies face down on ``cell``: as dealt, or as the player says (T1, T13)."""
    if event.to is not None:
        raise OutOfPlace("A tile is turned up or moved, never both in one round.")
    if state.rules.phones:
        if event.shows:
            raise OutOfPlace("The companion turns this tile up itself.")
        return state.under[place][cell]
    if event.shows is None:
        raise OutOfPlace("Say what the tile shows that you turned up.")
    if event.shows.kind == OTHER:
        raise OutOfPlace("Say what the tile shows: a picture of your board is kept.")
    tile = _complete(event.shows, event.ways)
    if (tile.kind == DETECTIVE) != (cell in DIAGONAL):
        raise OutOfPlace("Detectives lie on the diagonal, all other tiles beside it.")
    if state.rules.ours and tile.kind in {DETECTIVE, THIEF} and tile not in state.box:
        raise OutOfPlace(f"The stand-in set has no {words.tile(tile)}.")
    if tile.kind == THIEF and _count(state.players[place], THIEF) == THIEVES:
        raise OutOfPlace("Your four thieves lie open already: look again, or correct an earlier one.")
    return tile


def _complete(tile: Tile, names: tuple[str, ...] | None) -> Tile:
    """The tile with its directions, told beside it if the box was not known to have it."""
    if tile.ways or tile.kind not in {DETECTIVE, THIEF}:
        return tile
    return described(tile.kind, names or ())


def described(kind: str, names: tuple[str, ...]) -> Tile:
    """A detective or thief with these directions. Raises OutOfPlace saying what is wrong with them."""
    if kind not in {DETECTIVE, THIEF}:
        raise OutOfPlace("Only detectives have beams, and only thieves lit sides.")
    try:
        tile = Tile(kind, ways_of(names))
    except ValueError as why:
        raise OutOfPlace(f"{words.begun(str(why))}.") from None
    if tile.flaw:
        raise OutOfPlace(f"{tile.flaw} Mark each of them.")
    return tile


def _known(state: State, tile: Tile) -> State:
    """A detective or thief that was told is known of the box from now on."""
    if tile.kind not in {DETECTIVE, THIEF} or tile in state.box:
        return state
    return replace(state, box=(*state.box, tile))


def _shown(player: Player, cell: int, tile: Tile) -> Player:
    """A dice tile goes beside the board and its room is seen; anybody else stays (T13)."""
    if tile.kind != DIE:
        return _checked(player, _with(player.cells, cell, tile))
    player = replace(player, right=_added(player.right, tile.number, 1))
    return _checked(player, _with(player.cells, cell, Space.EMPTY))


def _moved(player: Player, cell: int, event: TileActivated) -> Player:
    """An open tile goes to an empty cell, or stays (T14, C5)."""
    if event.shows:
        raise OutOfPlace("That tile lies open already: it may be moved.")
    if event.to is None:
        return player
    if event.to not in REFS:
        raise OutOfPlace(f"There is no place {event.to!r}; write row and column, such as 2-3.")
    to = REFS[event.to]
    if player.cells[to] is not Space.EMPTY:
        raise OutOfPlace(f"A tile lies on {words.place(to)}: only one lies on a place.")
    cells = _with(_with(player.cells, to, player.cells[cell]), cell, Space.EMPTY)
    return _checked(player, cells, (cell, to))


def _checked(player: Player, cells: tuple[Space | Tile, ...], moved: tuple[int, int] = (-1, -1)) -> Player:
    """The board with its tokens put where they belong now (T15, C11, C12).

    A token that rides on the tile that was moved is neither put nor taken back.
    """
    before, tokens = set(player.tokens), scored(cells)
    gained, lost = set(tokens) - before, before.difference(tokens)
    if moved[0] in lost and moved[1] in gained:
        lost.remove(moved[0])
        gained.remove(moved[1])
    return replace(
        player, cells=cells, tokens=tokens, gained=tuple(sorted(gained)), lost=tuple(sorted(lost))
    )


def _drawn(state: State, place: int, event: Passed) -> int:
    """The number of the dice tile that comes back; 0 for none."""
    discard = state.players[place].discard
    if not event.takes:
        if not state.special or event.back is not None:
            raise OutOfPlace("Whoever passes takes one dice tile back.")
        return 0
    if not any(discard):
        if event.back is not None:
            raise OutOfPlace("Your discard pile is empty: nothing comes back.")
        return 0
    lying = [number for number, n in enumerate(discard, start=1) for _ in range(n)]
    if state.rules.phones:
        if event.back is not None:
            raise OutOfPlace("The companion draws the tile.")
        return shuffled(state.deal, f"player {place} draw {state.players[place].drawn}", lying)[0]
    if event.back is None and len(set(lying)) == 1:
        return lying[0]
    if event.back not in lying:
        there = words.listed(dict.fromkeys(lying), "or")
        raise OutOfPlace(f"Draw one tile of your discard pile blind and say which it is: {there}.")
    return event.back


def _added(counts: tuple[int, ...], number: int, n: int) -> tuple[int, ...]:
    return (*counts[: number - 1], counts[number - 1] + n, *counts[number:])


def _with(cells: tuple[Space | Tile, ...], cell: int, there: Space | Tile) -> tuple[Space | Tile, ...]:
    return (*cells[:cell], there, *cells[cell + 1 :])


def _count(player: Player, kind: str) -> int:
    return sum(isinstance(tile, Tile) and tile.kind == kind for tile in player.cells)
