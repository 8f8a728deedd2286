"""A game that shows every kind of panel and asks every kind of question, for the web's tests."""

from dataclasses import dataclass, replace

from companion.rules.events import BellRang, DiceExpected, DiceRolled, DieFace, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Option, Outcome, OutOfPlace, Setup, Tap
from companion.rules.timer import Timer
from companion.rules.view import (
    Action,
    Board,
    Cell,
    Dice,
    DieShown,
    Entry,
    Input,
    Mark,
    Roster,
    Text,
    Tokens,
    Track,
    View,
)

KINDS = (("white", 7), ("coloured", 1))
IDS = (*(f"w{n}" for n in range(1, 8)), "c")
BELL_S = 90.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Held(Event):
    """These dice stay."""

    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stopped(Event):
    """No more throws."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Searched(Event):
    """A room was searched with dice."""

    room: str
    dice: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Described(Event):
    """A tile was described."""

    tile: str
    turn: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted(Event):
    """A private note."""

    text: str
    page: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Accused(Event):
    """Somebody was accused, and the game is over."""

    whom: str


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    dice: tuple[DieFace, ...] = ()
    held: tuple[str, ...] = ()
    throws: int = 0
    acting: bool = False
    used: tuple[str, ...] = ()
    searched: tuple[str, ...] = ()
    tiles: tuple[str, ...] = ()
    notes: tuple[tuple[Seat, str], ...] = ()
    accused: str = ""
    rolls: frozenset[str] = frozenset()


class Parlour(Game[State]):
    slug = "parlour"
    title = "The Parlour"
    tagline = "Every question once."
    seats = (1, 6)
    events = (Held, Stopped, Searched, Described, Noted, Accused)
    options = (
        Option(
            "length", "Length", (("short", "Short"), ("long", "Long")), "short", "The rules leave it open."
        ),
    )

    def setup(self, setup: Setup) -> State:
        if setup.options.get("length") not in {"short", "long"}:
            raise ValueError(f"length is short or long, not {setup.options.get('length')!r}")
        return State(setup.seats)

    def expects(self, state: State) -> Expected:
        if state.accused:
            return Expected()
        taps = tuple(Tap(word) for word in ("held", "stopped", "searched", "described", "noted", "accused"))
        if state.acting or state.throws == 3:
            return Expected(taps)
        held = tuple(state.dice[IDS.index(die)] for die in state.held)
        timer = Timer("turn", Seconds(BELL_S)) if state.throws == 0 else None
        return Expected((*taps, Tap("bell_rang")), DiceExpected(KINDS, held), timer=timer)

    def apply(self, state: State, event: Event) -> State:
        if state.accused:
            raise OutOfPlace("The case is closed.")
        match event:
            case DiceRolled(roll=roll, dice=dice):
                why = DiceExpected(KINDS).mismatch(dice)
                if state.acting or why or roll in state.rolls:
                    raise OutOfPlace(why or "The throwing is over.")
                order = tuple(sorted(dice, key=lambda die: die.kind != "white"))
                rolls = state.rolls | {roll}
                return replace(state, dice=order, throws=state.throws + 1, held=(), rolls=rolls)
            case BellRang():
                return replace(state, throws=max(1, state.throws))
            case Held(dice=dice):
                if not state.dice:
                    raise OutOfPlace("There is nothing to hold before the first throw.")
                return replace(state, held=dice)
            case Stopped():
                return replace(state, acting=True)
            case Searched(room=room, dice=dice):
                if set(dice) & set(state.used):
                    raise OutOfPlace("One of these dice is used already.")
                return replace(state, searched=(*state.searched, room), used=(*state.used, *dice))
            case Described(tile=tile):
                return replace(state, tiles=(*state.tiles, tile))
            case Noted(by=by, text=text) if by is not None:
                return replace(state, notes=(*state.notes, (by, text)))
            case Accused(whom=whom):
                return replace(state, accused=whom)
        raise OutOfPlace("That is not in this game.")

    def outcome(self, state: State) -> Outcome | None:
        if not state.accused:
            return None
        return Outcome("won", f"{state.accused} did it.", state.seats[:1])

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:
        mine = tuple(text for by, text in state.notes if by == seat)
        expected = self.expects(state)
        return View(
            title=self.title,
            phase="Act" if state.acting else "Roll",
            headline="Search the parlour." if state.acting else f"Throw {state.throws + 1} of 3.",
            panels=(
                Track("Minutes", 45 - 12 * len(state.searched), 45, "minutes", 3 * state.throws, "", 25),
                _dice(state),
                _board(state),
                _people(state),
                Tokens("Carried", (Entry("key", "Key", "ready", ("locks are free",)),), 3),
                *((Text("For your eyes only", mine, "secret"),) if mine else ()),
                *(
                    (Text("Mind", ("One more search and the clock runs low.",), "warning"),)
                    if state.searched
                    else ()
                ),
                Text("About", ("Nothing here is real.",)),
            ),
            actions=() if state.accused else _actions(state),
            timer=expected.timer,
            face="parlour",
        )

    def secrets(self, event: Event) -> bool:
        return isinstance(event, Noted)

    def told(self, before: State, event: Event, after: State) -> str:
        match event:
            case DiceRolled(dice=dice):
                return f"Threw {' '.join(die.face for die in dice)}."
            case Searched(room=room):
                return f"{event.by} searched the {room}."
            case Noted():
                return f"{event.by} made a note."
        return type(event).__name__


def _dice(state: State) -> Dice:
    faces = state.dice or tuple(DieFace(kind, "") for kind, n in KINDS for _ in range(n))

    def how(die: str) -> str:
        if not state.dice:
            return "unknown"
        return "used" if die in state.used else "held" if die in state.held else "loose"

    shown = tuple(DieShown(d, face.kind, face.face, how(d)) for d, face in zip(IDS, faces, strict=True))
    tap = "held" if state.dice and not state.acting else ""
    return Dice("Dice", shown, len(state.used), 6, tap, f"Throw {state.throws} of 3")


def _board(state: State) -> Board:
    cells = []
    for n in range(9):
        ref = f"{'abc'[n % 3]}{n // 3 + 1}"
        marks = (
            (Mark("suspect", "Miss Plum", down=n == 2), Mark("arrow-corner", "arrow", turn=n))
            if n % 2 == 0
            else ()
        )
        cells.append(
            Cell(
                ref,
                f"{ref}: Room {n}, doors",
                face_down=n in {1, 6},
                icon=("suspect", "evidence", "assistance")[n % 3],
                number=str(n % 5 + 1),
                passage="2" if n == 8 else "",
                sides=("olb.", "oooo", ".l.l")[n % 3],
                marks=(*marks, Mark("token-key", "Key")) if n == 0 else marks,
                lit=n in {3, 6, 7},
                here=n == 4,
                reachable=n in {5, 7},
            )
        )
    return Board("The house", 3, tuple(cells), (("c2", "E", "Police Car"),))


def _people(state: State) -> Roster:
    return Roster(
        "Who was it?",
        (
            Entry("plum", "Miss Plum", "eliminated", ("arrow on a1, pointing east",), "c1", out=True),
            Entry("rust", "Colonel Rust", "suspected", (), "a3"),
            Entry("ash", "Doctor Ash", "not placed"),
        ),
    )


def _actions(state: State) -> tuple[Action, ...]:
    known = (("Study:evidence:4:oo.l:1", "Study"), ("Attic:suspect:2:o...:-", "Attic"))
    rooms = tuple((room, room.capitalize()) for room in ("study", "attic", "cellar"))
    return (
        Action("stop", "Stop rolling", "stopped", lead=not state.acting and bool(state.dice)),
        Action(
            "search",
            "Search a room",
            "searched",
            inputs=(Input("room", "Room", choices=rooms, default="study"), Input("dice", "Dice", "dice")),
            cost="2 dice",
            group="Do",
        ),
        Action("walk", "Walk to b3", "searched", {"room": "hall"}, cost="1 die: 4", group="Go", cell="b3"),
        Action(
            "climb",
            "Climb to c2",
            "searched",
            {"room": "roof"},
            group="Go",
            cell="c2",
            refused="It is locked and you have no key.",
        ),
        Action(
            "tile",
            "Describe a tile",
            "described",
            inputs=(Input("tile", "Tile", "tile", known, "Room 1:suspect:3:oooo:-"),),
            group="House",
        ),
        Action(
            "note",
            "Write a note",
            "noted",
            inputs=(Input("text", "Note", "note"), Input("page", "Page", "number", default="1")),
            group="Notes",
        ),
        Action(
            "accuse",
            "Accuse Colonel Rust",
            "accused",
            inputs=(Input("whom", "By name", "text", default="Colonel Rust"),),
            warning="If it was somebody else the game is lost.",
            group="Do",
        ),
        Action(
            "panic",
            "Call it a night",
            "accused",
            {"whom": "Nobody"},
            warning="That ends the game.",
            group="Do",
        ),
    )


GAME = Parlour()
