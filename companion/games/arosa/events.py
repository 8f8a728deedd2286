"""What can happen in Mord im Arosa, beside cubes that drop and cubes that are seen."""

from dataclasses import dataclass

from companion.rules.events import Event, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class ColourTaken(Event):
    """A player plays this colour; who had it before got the player's old one."""

    player: Seat
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginnerNamed(Event):
    """This player begins: the prolog as who last held a knife, Act I as who was last inside a hotel."""

    player: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeThrown(Event):
    """A cube of this colour was thrown into the shaft, and its colour named aloud."""

    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ThrowMissed(Event):
    """The cube named last missed the shaft or stayed on the roof."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubesChecked(Event):
    """Fewer cubes were heard than named. ``stuck``: one had stuck and was thrown again; else all are in."""

    stuck: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class StrayNamed(Event):
    """The cube that dropped unasked came from the supply of this colour's player."""

    drop: str
    colour: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StrayPutAway(Event):
    """What broke the beam unasked was no cube of a supply: a knock, a finger, a cube fallen out before."""

    drop: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspicionVoiced(Event):
    """The investigator called out whom he suspects."""

    suspects: tuple[Seat, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverCalled(Event):
    """The investigator called out that he covers his tracks."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FloorLifted(Event):
    """The hotel was lifted so that this floor, 0 to 7, lies open."""

    floor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class CubesFellOut(Event):
    """Cubes fell out of the hotel, as ``colour`` to count; they count for no floor."""

    cubes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CluesRecovered(Event):
    """Covering tracks, the investigator took so many own clues from the sheet back into his supply."""

    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessNoted(Event):
    """A private note: a cube of this colour lies on this floor. Only the seat that noted it sees it."""

    colour: str
    floor: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GuessStruck(Event):
    """A private note was struck out, ``note`` such as ``grey:6``."""

    note: str


EVENTS: tuple[type[Event], ...] = (
    ColourTaken,
    BeginnerNamed,
    CubeThrown,
    ThrowMissed,
    CubesChecked,
    StrayNamed,
    StrayPutAway,
    SuspicionVoiced,
    CoverCalled,
    FloorLifted,
    CubesFellOut,
    CluesRecovered,
    GuessNoted,
    GuessStruck,
)
