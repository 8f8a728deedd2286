"""Tea Time Crime for tests: boards drawn as text, and events given as text.

Anna has the dice, then Ben, Cleo and Dan. A board is drawn row 5 first: ``#`` face down, ``.`` a room,
``D:N.E`` a detective with his beams, ``T:N.NE.E`` a thief with his lit sides, ``M`` the master thief.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from companion.games.teatime.lighting import scored
from companion.games.teatime.pieces import KIND, REFS, SIDE, Space, Tile
from companion.games.teatime.pool import uses
from companion.games.teatime.rolling import special
from companion.games.teatime.rules import GAME
from companion.games.teatime.state import Phase, Player, State
from companion.rules import view
from companion.rules.events import BellRang, DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from companion.rules.view import Action, View

NAMES = ("anna", "ben", "cleo", "dan")
ANNA, BEN, CLEO, DAN = (Seat(name) for name in NAMES)
PHONES = {"boards": "phones", "set": "ours"}
OURS = {"set": "ours"}
COUNTS = {"keep": "counts"}
DOWN = "# # # # #\n" * SIDE
ROOMS = ". . . . .\n" * SIDE
P = TypeVar("P", bound=view.Panel)


def start(players: int = 3, options: Mapping[str, str] | None = None, **more) -> State:
    """A game at its very beginning; Anna goes first unless the options say else."""
    chosen = {"first": "seat", **(options or {})}
    deal = more.pop("deal", "a deal for tests")
    return GAME.setup(Setup(tuple(Seat(n) for n in NAMES[:players]), chosen, deal=deal, **more))


def cells(drawing: str) -> tuple[Space | Tile, ...]:
    """The cells of a drawn board."""
    rows = [line.split() for line in drawing.strip().splitlines()]
    assert [len(row) for row in rows] == [SIDE] * SIDE
    return tuple(_cell(text) for row in reversed(rows) for text in row)


def with_tiles(drawing: str = ROOMS, **tiles: str) -> tuple[Space | Tile, ...]:
    """A drawn board with more on it: ``with_tiles(r2c3="M")``."""
    there = list(cells(drawing))
    for at, text in tiles.items():
        there[REFS[f"{at[1]}-{at[3]}"]] = _cell(text)
    return tuple(there)


def _cell(text: str) -> Space | Tile:
    if text in {".", "#"}:
        return Space.EMPTY if text == "." else Space.DOWN
    kind, _, rest = text.partition(":")
    full = {"D": "detective", "T": "thief", "M": "master"}[kind]
    return Tile.parse(f"{full}:{rest}" if rest else full)


def player(board: tuple[Space | Tile, ...] | str = DOWN, right: str = "", discard: str = "") -> Player:
    """A player with this board, and dice tiles such as ``"2 2 3"`` beside it and in the discard pile."""
    lying = cells(board) if isinstance(board, str) else board
    tokens = scored(lying)
    return Player(cells=lying, right=_counts(right), discard=_counts(discard), tokens=tokens)


def _counts(numbers: str) -> tuple[int, ...]:
    return tuple(numbers.split().count(str(n)) for n in range(1, SIDE + 1))


def faces(dice: str) -> tuple[str, ...]:
    """``"1 3 3 g g"`` as faces."""
    return tuple("glass" if face == "g" else face for face in dice.split())


def state(
    dice: str = "1 3 3 g g",
    *,
    anna: Player | None = None,
    ben: Player | None = None,
    cleo: Player | None = None,
    players: int = 3,
    options: Mapping[str, str] | None = None,
    phase: Phase = Phase.CHOOSE,
    **more,
) -> State:
    """Anna has rolled these dice for the last time, with a picture of each board kept."""
    before = start(players, {**OURS, **(options or {})})
    given = (anna, ben, cleo, None)[:players]
    there = tuple(one or each for one, each in zip(given, before.players, strict=True))
    rolled = faces(dice)
    return replace(
        before, players=there, dice=rolled, throws=3, special=special(rolled), phase=phase, **more
    )


def event(word: str, by: Seat | None = ANNA, at: float = 200.0, **args: object) -> Event:
    """An event from its word and arguments, such as ``event("passed", back=2)``."""
    return event_from(word, {k: str(v) for k, v in args.items()}, at=Seconds(at), by=by, events=GAME.events)


def do(before: State, word: str, by: Seat | None = ANNA, at: float = 200.0, **args: object) -> State:
    return GAME.apply(before, event(word, by, at, **args))


def roll(before: State, dice: str, name: str = "") -> State:
    """Dice come to rest: all five, or those that were not kept."""
    thrown = tuple(DieFace(KIND, face) for face in faces(dice))
    return GAME.apply(
        before, DiceRolled(at=Seconds(200.0), roll=name or f"r{len(before.rolls)}", dice=thrown)
    )


def act(before: State, at: str, by: Seat = ANNA, **args: object) -> State:
    """Activate the tile at a place such as ``"3-2"`` with as few dice tiles as can be; more in ``args``."""
    return do(before, "tile_activated", by, **{**using(before, at, by), **args})


def using(before: State, at: str, by: Seat = ANNA) -> dict[str, object]:
    """The arguments of the cheapest way to a place; with none, those of the bare dice."""
    number, column = at.split("-")
    found = uses(before, before.seats.index(by)).get(REFS[at], ())
    args: dict[str, object] = {"number": number, "column": column}
    return {**args, "glasses": found[0].glasses, "tiles": found[0].tiles} if found else args


def reached(before: State, by: Seat = ANNA) -> set[str]:
    """The places that a player reaches."""
    places = uses(before, before.seats.index(by))
    return {name for name, cell in REFS.items() if cell in places}


def bell(before: State) -> State:
    timer = GAME.expects(before).timer
    assert timer is not None
    return GAME.apply(before, BellRang(at=timer.ends_at, timer=timer.name))


def tiles_of(before: State, place: int) -> int:
    """How many tiles a player has at all: 25 where a picture is kept."""
    mine = before.players[place]
    return sum(there is not Space.EMPTY for there in mine.cells) + sum(mine.right) + sum(mine.discard)


def seen(before: State, seat: Seat | None = ANNA) -> View:
    return GAME.view(before, seat, Seconds(300.0))


def panel(before: State, kind: type[P], seat: Seat | None = ANNA) -> P:
    """The one panel of this kind."""
    (found,) = (p for p in seen(before, seat).panels if isinstance(p, kind))
    return found


def text(before: State, title: str, seat: Seat | None = ANNA) -> list[str]:
    """The lines of the text panel with this title; none if it is not there."""
    panels = (p for p in seen(before, seat).panels if isinstance(p, view.Text) and p.title == title)
    return [line for p in panels for line in p.lines]


def actions(before: State, seat: Seat | None = ANNA) -> dict[str, Action]:
    return {action.id: action for action in seen(before, seat).actions}


def possible(before: State, seat: Seat | None = ANNA) -> set[str]:
    return {ident for ident, action in actions(before, seat).items() if not action.refused}


def words(before: State) -> set[str]:
    """The taps waited for."""
    return {tap.word for tap in GAME.expects(before).taps}


def told(before: State, word: str, by: Seat | None = ANNA, **args: object) -> str:
    done = event(word, by, **args)
    return GAME.told(before, done, GAME.apply(before, done))
