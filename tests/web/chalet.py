"""A game with a tower that shows its panels and asks its questions, for the web's tests."""

from collections import Counter
from dataclasses import dataclass, replace

from companion.rules.events import CubeDropped, CubesExpected, CubesSeen, Event, Seat, Seconds
from companion.rules.game import Expected, Game, Outcome, OutOfPlace, Setup, Tap
from companion.rules.view import (
    Action,
    Fall,
    Falls,
    Input,
    Panel,
    Pieces,
    Standing,
    Standings,
    Storey,
    Storeys,
    Text,
    Throws,
    View,
)

COLOURS = ("yellow", "blue", "brown", "grey", "black", "white")
TO_THROW = (("yellow", 2), ("blue", 1), ("red", 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourNamed(Event):
    """The colour of a cube was called out."""

    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Suspected(Event):
    """Players were suspected."""

    whom: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Finished(Event):
    """The evening is over."""


@dataclass(frozen=True, slots=True)
class State:
    seats: tuple[Seat, ...]
    named: tuple[str, ...] = ()
    heard: int = 0
    seen: tuple[str, ...] | None = None
    whom: tuple[str, ...] = ()
    over: bool = False
    training: bool = False

    @property
    def left(self) -> Counter[str]:
        return Counter(dict(TO_THROW)) - Counter(self.named)


class Chalet(Game[State]):
    slug = "chalet"
    title = "The Chalet"
    tagline = "Cubes in a tower."
    seats = (1, 6)
    events = (ColourNamed, Suspected, Finished)
    training = False

    def setup(self, setup: Setup) -> State:
        return State(setup.seats, training=self.training)

    def expects(self, state: State) -> Expected:
        if state.over:
            return Expected()
        taps = tuple(Tap(word) for word in ("colour_named", "suspected", "finished", "cube_dropped"))
        if state.left or state.seen is not None:
            return Expected(taps, cubes=tuple(state.left.items()))
        most = (*((colour, 4) for colour in COLOURS), ("red", 2))
        return Expected((*taps, Tap("cubes_seen")), seen=CubesExpected(most))

    def apply(self, state: State, event: Event) -> State:
        match event:
            case ColourNamed(colour=colour) if state.left[colour]:
                return replace(state, named=(*state.named, colour))
            case CubeDropped():
                return replace(state, heard=state.heard + 1)
            case CubesSeen(cubes=cubes):
                return replace(state, seen=cubes)
            case Suspected(whom=whom) if whom:
                return replace(state, whom=whom)
            case Finished():
                return replace(state, over=True)
        raise OutOfPlace("That is not asked for now.")

    def outcome(self, state: State) -> Outcome | None:
        return Outcome("won", "The yellow one did it.", state.seats[:1]) if state.over else None

    def open_book(self, state: State) -> bool:
        return state.training

    def afterwards(self, state: State, sealed: object) -> tuple[Panel, ...]:
        return (FALLS,)

    def view(self, state: State, seat: Seat | None, at: Seconds) -> View:
        throwing = bool(state.left)
        return View(
            title=self.title,
            phase="Act II",
            headline=f"Throw {state.left.total()} back." if throwing else "What lies on floor 5?",
            panels=(
                Text("Next", ("Say each colour aloud.",), "prompt"),
                *((Text("Mind", ("Anna has two cubes left.",), "warning"),) if state.named else ()),
                *((_throws(state, seat),) if throwing else ()),
                _hotel(lifted=not throwing and not state.over),
                _numbers(seat),
            ),
            actions=() if state.over or throwing else _actions(),
            face="arosa",
            banner="Training: the tower tells what it hears" if state.training else "",
        )


def _throws(state: State, seat: Seat | None) -> Throws:
    done = tuple(Pieces(c, c.capitalize(), n) for c, n in Counter(state.named).items())
    left = tuple(Pieces(c, c.capitalize(), n) for c, n in state.left.items())
    first = seat == state.seats[0]
    note = "The tower heard more cubes than were named." if state.heard > len(state.named) else ""
    return Throws(
        "To throw",
        "Anna",
        left,
        done,
        state.heard,
        "colour_named" if first else "",
        hush=not state.named,
        note=note,
    )


def _hotel(*, lifted: bool) -> Storeys:
    worth = (1, 1, 2, 3, 2, 3, 2, 1)
    lies = {
        5: (
            ("red", "Victim", 1),
            ("yellow", "Anna, yellow", 8),
            ("blue", "Bert, blue", 8),
            *((colour, colour, 8) for colour in COLOURS[2:]),
        ),
        3: (("blue", "Bert, blue", 3), ("brown", "Carla, brown", 1), ("grey", "Dora, grey", 2)),
        2: tuple((c, c, 1) for c in COLOURS),
        0: (("white", "Fred, white", 10),),
    }
    storeys = tuple(
        Storey(
            str(f),
            f"Floor {f}" if f else "Ground",
            tuple(Pieces(*piece) for piece in lies.get(f, ())),
            worth[f],
            f in {3, 5},
            lifted and f == 4,
        )
        for f in reversed(range(8))
    )
    return Storeys("The hotel", storeys, "What counts 3 lies at a crime scene.")


def _numbers(seat: Seat | None) -> Standings:
    names = ("Anna", "Bert", "Carla", "Dora", "Emil", "Wilhelmina")
    rows = tuple(
        Standing(
            name, colour, (str(18 - n), str(n), str(2 * n), str(10 - n), "12"), mine=bool(seat) and n == 0
        )
        for n, (name, colour) in enumerate(zip(names, COLOURS, strict=True))
    )
    rows = (replace(rows[0], mark="winner"), *rows[1:])
    return Standings(
        "How it stands",
        ("Supply", "On the sheet", "Points", "To ten", "In the tower"),
        rows,
        "Ten end the game.",
    )


def _actions() -> tuple[Action, ...]:
    lifts = tuple(
        Action(f"lift-{f}", f"Lift floor {f}", "suspected", {"whom": f"floor{f}"}, cell=str(f), lead=True)
        for f in (7, 0)
    )
    people = (("bert", "Bert, blue"), ("carla", "Carla, brown"), ("dora", "Dora, grey"))
    cubes = (*((c, c.capitalize()) for c in COLOURS), ("red", "Victim"))
    return (
        *lifts,
        Action(
            "seen",
            "Lies on floor 5",
            "cubes_seen",
            inputs=(Input("cubes", "What lies there?", "cubes", cubes, most=(4,) * 6 + (2,)),),
            lead=True,
        ),
        Action(
            "suspect",
            "Suspect somebody",
            "suspected",
            inputs=(Input("whom", "Whom?", "several", people),),
            group="Do",
        ),
        Action("finish", "End the evening", "finished", group="Do", warning="Then it is over."),
    )


FALLS = Falls(
    "The tower's book",
    (
        Fall(
            "Anna, yellow",
            "yellow",
            31.5,
            (0.0, 0.0, 0.0, 0.01, 0.21, 0.71, 0.05, 0.02),
            ((7, 0.0), (6, 0.08), (5, 0.14)),
            (0.15, 0.21),
            5,
        ),
        Fall(
            "Bert, blue",
            "blue",
            41.0,
            (0.9, 0.1, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
            ((7, 0.0), (0, 0.3)),
            (0.33,),
        ),
        Fall("Victim", "red", 55.0, (0.125,) * 8, (), (), 6, "No beam saw it."),
    ),
    "Each cube as the tower sensed it.",
)

GAME = Chalet()


class Training(Chalet):
    slug = "training"
    training = True
