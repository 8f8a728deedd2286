"""The whole of a game: set up, expect, apply, end, show."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Generic, TypeVar

from companion.rules.events import CubesExpected, CubesSeen, DiceExpected, DiceRolled, Event, Seat, Seconds
from companion.rules.timer import Timer
from companion.rules.view import Panel, View

S = TypeVar("S")


class OutOfPlace(ValueError):  # noqa: N818 - it is the word of the house, and it is a refusal, not a fault
    """This event cannot happen in this state. The text says why in words a player understands."""


@dataclass(frozen=True, slots=True)
class Option:
    """A switch set before the game: its choices (value, label), the default and where it comes from."""

    name: str
    label: str
    choices: tuple[tuple[str, str], ...]
    default: str
    why: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """Everything a game starts from; it is stored with the game, so a replay starts alike.

    ``deal`` is a text of at least 128 random bits drawn by the table (see ``rules.chance``); it is
    as secret as what is dealt from it. ``carried`` is what an earlier evening left (``Game.keeps``).
    ``names`` are what the players are called; `called` gives a seat without one a name made of its key.
    """

    seats: tuple[Seat, ...]
    options: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    deal: str = ""
    carried: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    names: Mapping[Seat, str] = field(default_factory=lambda: MappingProxyType({}))

    def called(self, seat: Seat) -> str:
        """What the player at ``seat`` is called.

        >>> Setup((Seat("anna"),)).called(Seat("anna"))
        'Anna'
        """
        return self.names.get(seat) or f"{seat[:1].upper()}{seat[1:]}"


@dataclass(frozen=True, slots=True)
class Tap:
    """A tap waited for: the event's word, and which seats may send it (None: any seat)."""

    word: str
    seats: frozenset[Seat] | None = None


@dataclass(frozen=True, slots=True)
class Expected:
    """What the table waits for next. Nothing at all after the outcome.

    ``cubes``: those to be thrown into the tower, (colour, how many); ``seen``: those that may lie in
    view, to be counted. A game that wants every cube that falls, waited for or not, lists the tap
    ``cube_dropped``.
    """

    taps: tuple[Tap, ...] = ()
    dice: DiceExpected | None = None
    cubes: tuple[tuple[str, int], ...] = ()
    seen: CubesExpected | None = None
    timer: Timer | None = None

    def covers(self, event: Event, word: str) -> bool:
        """Whether ``event``, called ``word`` in the notation, is waited for from its seat."""
        if isinstance(event, DiceRolled):
            return self.dice is not None and self.dice.mismatch(event.dice) is None
        if isinstance(event, CubesSeen):
            return self.seen is not None and self.seen.mismatch(event.cubes) is None
        return any(t.word == word and (t.seats is None or event.by in t.seats) for t in self.taps)


@dataclass(frozen=True, slots=True)
class Outcome:
    """How the game ended: ``won``, ``lost`` or a game's own word, the sentence for it, and who won."""

    termination: str
    text: str
    winners: tuple[Seat, ...] = ()


class Game(ABC, Generic[S]):
    """A game as five pure functions over frozen states. ``S`` is the game's own state.

    A game is found by being there: ``companion/games/<slug>/rules.py`` with a module-level ``GAME``.
    """

    slug: ClassVar[str]
    title: ClassVar[str]
    tagline: ClassVar[str] = ""
    seats: ClassVar[tuple[int, int]]
    """Fewest and most players."""
    events: ClassVar[tuple[type[Event], ...]]
    """The game's own event types, beside the kernel's (``DiceRolled`` and so on)."""
    options: ClassVar[tuple[Option, ...]] = ()

    @abstractmethod
    def setup(self, setup: Setup) -> S:
        """The state before the first event. Raises ValueError naming a bad option or seat count."""

    @abstractmethod
    def expects(self, state: S) -> Expected:
        """What may come next."""

    @abstractmethod
    def apply(self, state: S, event: Event) -> S:
        """The state after ``event``. Raises OutOfPlace, and then nothing has changed."""

    @abstractmethod
    def outcome(self, state: S) -> Outcome | None:
        """How it ended, or None while it is played."""

    @abstractmethod
    def view(self, state: S, seat: Seat | None, at: Seconds) -> View:
        """What ``seat`` may see; with None, what everybody may see (table screen, guests)."""

    def keeps(self, state: S) -> Mapping[str, str]:  # noqa: ARG002 - for games that keep something
        """What the next evening of this game starts with, as text. Nothing unless a game says so."""
        return {}

    def open_book(self, state: S) -> bool:  # noqa: ARG002 - for games with a training
        """Whether what sensors seal is open while the game is played: a training, marked as one."""
        return False

    def afterwards(self, state: S, sealed: Mapping[str, str]) -> tuple[Panel, ...]:  # noqa: ARG002 - as above
        """What the opened book shows: ``sealed`` holds, by observation, what a sensor had sealed (JSON).

        Shown to everybody, once the game has ended and somebody has opened the book, or in a training.
        """
        return ()

    def found(self, state: S) -> tuple[int, ...]:  # noqa: ARG002 - for games with a tower
        """Where cubes thrown into the tower were seen to lie: the floor of each, in order."""
        return ()

    def secrets(self, event: Event) -> bool:  # noqa: ARG002 - for games that have secret facts
        """Whether ``event`` must be sealed in exports and left out of the shared history."""
        return False

    def correctable(self, start: S, event: Event) -> bool:  # noqa: ARG002 - the default needs only the event
        """Whether ``event`` of the game that began as ``start`` may be corrected later.

        Where trying a correction would tell a secret, it may not: then a fact can only be taken back.
        """
        return not self.secrets(event)

    def told(self, before: S, event: Event, after: S) -> str:  # noqa: ARG002 - the default needs only the event
        """One line for the shared history. It holds nothing that a guest may not know."""
        return type(event).__name__


def players(seats: tuple[int, int]) -> str:
    """How many may play.

    >>> [players(seats) for seats in ((1, 1), (2, 2), (2, 6))]
    ['1 player', '2 players', '2 to 6 players']
    """
    fewest, most = seats
    many = f"{fewest}" if fewest == most else f"{fewest} to {most}"
    return f"{many} {'player' if most == 1 else 'players'}"
