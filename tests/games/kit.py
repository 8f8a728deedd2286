"""Inspector Moss for tests: states made by hand, and events given as text."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TypeVar

from companion.games.moss.grid import SIDES, Cell
from companion.games.moss.house import edge
from companion.games.moss.rules import GAME
from companion.games.moss.state import Car, Clue, Due, Phase, State, Turn
from companion.games.moss.tiles import Room, Tile
from companion.rules import view
from companion.rules.events import DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Setup
from companion.rules.notation import event_from
from companion.rules.view import Action, View

ANNA, BEN = Seat("anna"), Seat("ben")
P = TypeVar("P", bound=view.Panel)
NAMES = tuple(f"S{n}" for n in range(1, 11))


def cell(text: str) -> Cell:
    return Cell.parse(text)


def start(options: Mapping[str, str] | None = None, **more) -> State:
    """A game at its very beginning."""
    return GAME.setup(Setup(seats=(ANNA, BEN), options=options or {}, deal="a deal for tests", **more))


def state(
    rooms: Mapping[str, str] | None = None,
    *,
    moss: str = "c3",
    dice: str = "",
    used: Iterable[str] = (),
    throws: int = 3,
    minutes: int = 45,
    suspects: Mapping[str, str] | None = None,
    clues: Iterable[Clue] = (),
    carried: Iterable[str] = (),
    lying: Mapping[str, str] | None = None,
    arrested: str = "",
    bombs: Iterable[tuple[str, str]] = (),
    car: tuple[str, str, int] | None = None,
    options: Mapping[str, str] | None = None,
) -> State:
    """A state in the middle of a game, on the table's own box unless the options say otherwise.

    ``rooms``: cell to tile text, all others face-down; ``dice``: eight faces, the coloured one last.
    """
    fresh = start({"pieces": "mine", **(options or {})})
    laid = {cell(c): Room.laid(Tile.parse(text), 0) for c, text in (rooms or {"c3": SCENE}).items()}
    laid.setdefault(cell("c3"), Room.laid(Tile.parse(SCENE), 0))
    where = {name: cell(c) for name, c in (suspects or {}).items()}
    faces = tuple(int(face) for face in dice.split())
    return replace(
        fresh,
        phase=Phase.ACT if throws == 3 else Phase.ROLL,
        rooms=tuple(laid.get(Cell(i)) for i in range(25)),
        due=Due(),
        moss=cell(moss),
        minutes=minutes,
        names=NAMES,
        where=tuple(where.get(name) for name in NAMES),
        clues=tuple(clues),
        carried=tuple(carried),
        lying=tuple((kind, cell(c)) for kind, c in (lying or {}).items()),
        arrested=arrested,
        bombs=frozenset(edge(cell(a), cell(b)) for a, b in bombs),
        car=Car(cell(car[0]), SIDES.index(car[1]), car[2]) if car else None,
        turn=Turn(throws=throws if faces else 0, faces=faces, used=tuple(used)),
        rolls=frozenset({"earlier"}),
    )


SCENE = "Scene of the Crime:scene:1:oooo:-"


def whole_house(sides: str = "oooo", icon: str = "assistance", number: int = 1) -> dict[str, str]:
    """Every cell face-up, all alike."""
    cells = (Cell(i) for i in range(25))
    return {str(c): f"Room {c}:{icon}:{number}:{sides}:-" for c in cells if str(c) != "c3"} | {"c3": SCENE}


def arrow(kind: str, at: str, turn: int | None = 0) -> Clue:
    return Clue(cell(at), kind, shown=True, turn=turn)


def alibi(at: str, on: str) -> Clue:
    return Clue(cell(at), "alibi", shown=True, on=on)


def nine_out(last: str = "S1") -> list[Clue]:
    """Alibis for all suspects but one."""
    return [alibi(f"a{n % 5 + 1}", name) for n, name in enumerate(NAMES) if name != last]


def hidden(at: str, kind: str = "") -> Clue:
    return Clue(cell(at), kind)


def event(word: str, by: Seat | None = ANNA, at: float = 1.0, **args: str) -> Event:
    """An event from its word and text arguments, such as ``event("moved", to="c4", dice="w1")``."""
    return event_from(word, args, at=Seconds(at), by=by, events=GAME.events)


def roll(faces: str, name: str = "r1", at: float = 1.0) -> DiceRolled:
    """A throw: white faces, a slash, the coloured face; either side may be empty."""
    white, _, coloured = faces.partition("/")
    dice = [DieFace("white", f) for f in white.split()] + [DieFace("coloured", f) for f in coloured.split()]
    return DiceRolled(at=Seconds(at), roll=name, dice=tuple(dice))


def do(before: State, word: str, by: Seat | None = ANNA, **args: str) -> State:
    return GAME.apply(before, event(word, by, **args))


def seen(before: State, seat: Seat | None = ANNA) -> View:
    return GAME.view(before, seat, Seconds(1.0))


def panel(before: State, kind: type[P], seat: Seat | None = ANNA) -> P:
    """The one panel of this kind."""
    (found,) = (p for p in seen(before, seat).panels if isinstance(p, kind))
    return found


def shown(before: State, ref: str) -> view.Cell:
    """A cell as the board panel shows it."""
    return next(c for c in panel(before, view.Board).cells if c.ref == ref)


def lines(before: State, seat: Seat | None = ANNA) -> list[str]:
    """All sentences of the text panels."""
    return [line for p in seen(before, seat).panels if isinstance(p, view.Text) for line in p.lines]


def actions(before: State, seat: Seat | None = ANNA) -> dict[str, Action]:
    return {action.id: action for action in seen(before, seat).actions}


@dataclass
class Evening:
    """A game in the hand: events one after the other."""

    options: Mapping[str, str] = field(default_factory=dict)
    deal: str = "a deal for tests"
    state: State = field(init=False)

    def __post_init__(self) -> None:
        self.state = GAME.setup(Setup(seats=(ANNA, BEN), options=self.options, deal=self.deal))

    def do(self, word: str, by: Seat | None = ANNA, **args: str) -> State:
        self.state = do(self.state, word, by, **args)
        return self.state

    def roll(self, faces: str, name: str) -> State:
        self.state = GAME.apply(self.state, roll(faces, name))
        return self.state
