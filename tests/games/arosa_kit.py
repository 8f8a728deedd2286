"""Mord im Arosa for tests: states made by hand, and events given as text.

Anna plays yellow, Ben blue, Carla brown, Dora grey, Emil black, Finn white.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import TypeVar

from companion.games.arosa.pieces import CLUES, COLOURS, FLOORS
from companion.games.arosa.rules import GAME
from companion.games.arosa.state import Phase, State, Turn
from companion.rules import view
from companion.rules.events import CubeDropped, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from companion.rules.view import Action, View

NAMES = ("anna", "ben", "carla", "dora", "emil", "finn")
ANNA, BEN, CARLA, DORA, EMIL, FINN = (Seat(name) for name in NAMES)
P = TypeVar("P", bound=view.Panel)

Counts = Mapping[str, int]
Sheet = Mapping[str, Mapping[int, int]]


def start(players: int = 3, options: Mapping[str, str] | None = None, **more) -> State:
    """A game at its very beginning; Anna throws the victims and begins Act I unless options say else."""
    chosen = {"knife": "first", "hotel": "first", **(options or {})}
    return GAME.setup(Setup(tuple(Seat(n) for n in NAMES[:players]), chosen, **more))


def state(
    act: int = 2,
    *,
    players: int = 4,
    sheet: Sheet | None = None,
    tower: Counts | None = None,
    loose: Counts | None = None,
    supply: Counts | None = None,
    scenes: tuple[int, ...] = (3, 5),
    active: str = "yellow",
    options: Mapping[str, str] | None = None,
) -> State:
    """Before a turn of Act I or II. In the tower are four of each colour unless said otherwise.

    With ``supply`` the tower takes up the rest of the twenty. In Act II both victims are found; in Act I
    as many as there are scenes.
    """
    fresh = start(players, options)
    colours = COLOURS[:players]
    laid = tuple(tuple((sheet or {}).get(c, {}).get(f, 0) for f in FLOORS) for c in colours)
    out = tuple((loose or {}).get(c, 0) for c in colours)
    inside = []
    for colour, spaces, lying in zip(colours, laid, out, strict=True):
        rest = CLUES - sum(spaces) - lying
        inside.append(rest - supply[colour] if colour in (supply or {}) else (tower or {}).get(colour, 4))
    scenes = scenes if act == 2 else scenes if scenes != (3, 5) else ()
    return replace(
        fresh,
        phase=Phase.ACT2 if act == 2 else Phase.ACT1,
        active=colours.index(active),
        supply=tuple(CLUES - sum(s) - t - o for s, t, o in zip(laid, inside, out, strict=True)),
        sheet=laid,
        tower=tuple(inside),
        loose=out,
        inside=0 if act == 2 else 2 - len(scenes),
        outside=0,
        scenes=scenes,
        turn=Turn(number=9, began=Seconds(100.0)),
    )


def event(word: str, by: Seat | None = ANNA, at: float = 200.0, **args: str) -> Event:
    """An event from its word and text arguments, such as ``event("floor_lifted", floor="3")``."""
    return event_from(word, args, at=Seconds(at), by=by, events=GAME.events)


def do(before: State, word: str, by: Seat | None = ANNA, at: float = 200.0, **args: str) -> State:
    return GAME.apply(before, event(word, by, at, **args))


def drop(before: State, ident: str, at: float = 200.0, colour: str = "") -> State:
    return GAME.apply(before, CubeDropped(at=Seconds(at), drop=ident, colour=colour))


def lift(before: State, floor: int, cubes: str, *, at: float = 200.0) -> State:
    """A floor lifted, and the cubes seen there such as ``"2 grey, 1 red"``."""
    return see(do(before, "floor_lifted", at=at, floor=str(floor)), cubes, at=at)


def see(before: State, cubes: str, *, at: float = 200.0, by: Seat | None = ANNA) -> State:
    return do(before, "cubes_seen", by, at, cubes=many(cubes))


def many(cubes: str) -> str:
    """``"2 grey, 1 red"`` as ``grey,grey,red``."""
    pairs = [part.split() for part in cubes.split(",") if part.strip()]
    return ",".join(colour for n, colour in pairs for _ in range(int(n)))


def suspect(before: State, whom: str, floor: int, cubes: str) -> State:
    """A whole suspicion up to what is seen."""
    return lift(do(before, "suspicion_voiced", suspects=whom), floor, cubes)


def cover(before: State, floor: int, cubes: str) -> State:
    return lift(do(before, "cover_called"), floor, cubes)


def throw(before: State, *colours: str, at: float = 210.0) -> State:
    """Cubes named one after the other, ten seconds apart."""
    for n, colour in enumerate(colours):
        before = do(before, "cube_thrown", at=at + 10 * n, colour=colour)
    return before


def throw_all(before: State, at: float = 210.0) -> tuple[State, int]:
    """Everything that is to be thrown by the player whose turn it is, and how many cubes that was."""
    turn, who, count = before.turn.number, before.active, 0
    while (before.turn.number, before.active) == (turn, who) and GAME.expects(before).cubes:
        before = throw(before, GAME.expects(before).cubes[0][0], at=at + 10 * count)
        count += 1
    return before, count


def of(counts: tuple[int, ...], colour: str) -> int:
    return counts[COLOURS.index(colour)]


def spaces(before: State, colour: str) -> dict[int, int]:
    """A player's clues on the sheet by floor."""
    return {f: n for f, n in enumerate(before.sheet[COLOURS.index(colour)]) if n}


def wanted(before: State) -> dict[str, int]:
    """The cubes to be thrown now."""
    return dict(GAME.expects(before).cubes)


def sums(before: State) -> set[int]:
    """What supply, sheet, tower and loose add up to, over all players."""
    rows = zip(before.supply, before.sheet, before.tower, before.loose, strict=True)
    return {supply + sum(sheet) + tower + loose for supply, sheet, tower, loose in rows}


def seen(before: State, seat: Seat | None = ANNA) -> View:
    return GAME.view(before, seat, Seconds(300.0))


def panel(before: State, kind: type[P], seat: Seat | None = ANNA) -> P:
    """The one panel of this kind."""
    (found,) = (p for p in seen(before, seat).panels if isinstance(p, kind))
    return found


def lines(before: State, seat: Seat | None = ANNA) -> list[str]:
    """All sentences of the text panels."""
    return [line for p in seen(before, seat).panels if isinstance(p, view.Text) for line in p.lines]


def actions(before: State, seat: Seat | None = ANNA) -> dict[str, Action]:
    return {action.id: action for action in seen(before, seat).actions}


def counted(cubes: tuple[str, ...]) -> Counter[str]:
    return Counter(cubes)
