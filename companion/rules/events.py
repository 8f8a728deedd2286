"""Facts in the past tense, the claims that lead to them, and what a table waits for.

Everything here is a value. The sensors (``vision``, ``hardware``) know this module and
nothing else of the companion.
"""

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import NewType, Self

Seconds = NewType("Seconds", float)
"""Table time in seconds: monotonic, pausable, settable. Never a wall clock."""

Seat = NewType("Seat", str)
"""A player's place at the table, as a short lower-case key such as ``anna``."""

PIPS: tuple[str, ...] = ("1", "2", "3", "4", "5", "6")


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """One past-tense fact. ``by`` is the seat that tapped it; None for sensors and the table."""

    at: Seconds
    by: Seat | None = None


@dataclass(frozen=True, slots=True, order=True)
class DieFace:
    """What one die shows: its kind (``white``, ``coloured``) and its face (``"1"`` to ``"6"``).

    >>> DieFace.parse("white:4")
    DieFace(kind='white', face='4')
    >>> str(DieFace("coloured", "6"))
    'coloured:6'
    """

    kind: str
    face: str

    @classmethod
    def parse(cls, text: str) -> Self:
        """Read ``kind:face``. Raises ValueError naming the text."""
        kind, colon, face = text.partition(":")
        if not (kind and colon and face):
            msg = f"{text!r} is not a die: write kind:face, for example white:4"
            raise ValueError(msg)
        return cls(kind, face)

    def __str__(self) -> str:
        return f"{self.kind}:{self.face}"


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceRolled(Event):
    """Dice have come to rest. ``roll`` names the throw, so a roll sent twice counts once."""

    roll: str
    dice: tuple[DieFace, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CubeDropped(Event):
    """A cube has gone through the tower's entry. ``colour`` is empty until somebody names it."""

    drop: str
    colour: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class CubesSeen(Event):
    """Cubes lie in view, as ``colour`` to count."""

    cubes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class BellRang(Event):
    """The timer called ``timer`` has run out. ``at`` is the end it had, not when it was noticed."""

    timer: str


@dataclass(frozen=True, slots=True)
class DiceExpected:
    """The dice that should lie in view after the next throw.

    ``kinds`` counts all of them, (kind, how many) in a fixed order; ``held`` are those of them
    that stay as they lie and should still show these faces; ``faces`` are the legal faces.
    ``partial`` allows a picture of only the thrown ones, the held lying elsewhere.
    """

    kinds: tuple[tuple[str, int], ...]
    held: tuple[DieFace, ...] = ()
    faces: tuple[str, ...] = PIPS
    partial: bool = True

    @property
    def count(self) -> int:
        """How many dice, held ones included."""
        return sum(n for _, n in self.kinds)

    @property
    def thrown(self) -> tuple[tuple[str, int], ...]:
        """How many of each kind are in the air, in the order of ``kinds``."""
        held = Counter(d.kind for d in self.held)
        return tuple((kind, n - held[kind]) for kind, n in self.kinds)

    def mismatch(self, dice: Iterable[DieFace]) -> str | None:
        """Why these dice cannot be the throw waited for, in a player's words; None if they can."""
        dice = tuple(dice)
        odd = [d for d in dice if d.face not in self.faces]
        if odd:
            return f"{odd[0].face} is not on these dice"
        seen = Counter(d.kind for d in dice)
        if seen == Counter(dict(self.kinds)) or (self.partial and seen == Counter(dict(self.thrown))):
            return None
        return f"{_listed(self.kinds)} expected, {_listed(tuple(seen.items())) or 'none'} seen"


@dataclass(frozen=True, slots=True)
class CubesExpected:
    """The cubes that may lie in view now: every colour that can, with the most there can be of it.

    ``floor``: on which floor of the tower they lie, if the table has said so.
    """

    most: tuple[tuple[str, int], ...]
    floor: int | None = None

    def mismatch(self, cubes: Iterable[str]) -> str | None:
        """Why these cubes cannot lie there, in a player's words; None if they can."""
        most = dict(self.most)
        for colour, n in Counter(cubes).items():
            if n > most.get(colour, 0):
                there = f"only {most[colour]}" if most.get(colour) else "no"
                return f"{n} {colour} seen, {there} {colour} can lie there"
        return None


@dataclass(frozen=True, slots=True)
class DieClaim:
    """One die as a reader saw it; or one cube, of the kind ``cube``, whose colour is its face.

    ``outline``: corners (x, y) as fractions 0..1 of the picture's width and height;
    ``confidence`` 0..1 that kind and face are right; ``alternatives``: other faces, likely first.
    """

    kind: str
    face: str
    confidence: float = 1.0
    outline: tuple[tuple[float, float], ...] = ()
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """An event that somebody or something claims.

    ``id`` makes it count once, however often it is sent. ``sure`` is the claimant's own word:
    what is not sure becomes a question to the table. ``picture`` is a JPEG; ``claims`` go with it.
    ``original`` makes a JPEG of the same picture with nothing drawn into it. ``sealed`` is what the
    claimant knows and nobody at the table may, as JSON: the table keeps it closed until the outcome.
    """

    id: str
    event: Event
    source: str
    confidence: float = 1.0
    sure: bool = True
    reason: str = ""
    claims: tuple[DieClaim, ...] = ()
    picture: bytes | None = field(default=None, repr=False)
    original: Callable[[], bytes] | None = field(default=None, repr=False, compare=False)
    sealed: str = field(default="", repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Notice:
    """What a sensor has to say of itself: its named state, a sentence, and what to do about it.

    ``level`` is ``ok`` (takes the source's earlier notice down), ``info`` or ``problem``.
    """

    source: str
    state: str
    text: str = ""
    remedy: str = ""
    level: str = "problem"


def _listed(kinds: Iterable[tuple[str, int]]) -> str:
    return " + ".join(f"{n} {kind}" for kind, n in kinds if n)
