"""What one seat may see, as data. The web draws panels and never learns a game's name.

Every text is for players. Everything in a ``View`` leaves the server, so a game puts
secrets into the view of the seat that owns them and nowhere else.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar

from companion.rules.timer import Timer


@dataclass(frozen=True, slots=True)
class Input:
    """One thing to fill in before an action can be sent: the argument's name and how to ask.

    ``kind``: ``choice`` (one of ``choices``), ``several`` (any of them, with commas between, or as few
    and as many as ``most`` says: a pair), ``text``,
    ``number``, ``note`` (long text), ``tile`` (the tile editor), ``dice`` (the dice tapped on the dice
    panel) or ``cubes`` (a counter for each colour; ``choices`` are (colour, label), ``most`` the
    highest number of each; the value is the colours, one for each cube, with commas between).
    """

    name: str
    label: str
    kind: str = "choice"
    choices: tuple[tuple[str, str], ...] = ()
    default: str = ""
    most: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Action:
    """Something a seat can tap: a whole event as text arguments, with its price and its warning.

    ``refused`` says why it is not possible now (it is shown greyed, with the reason);
    ``warning`` must be confirmed first; ``args`` are given to ``notation.event_from`` as they are.
    An argument called ``dice`` holds the dice it would spend, the cheapest; dice that the player tapped
    beforehand take their place. ``group`` names the list it stands in; ``cell`` ties it to a board
    cell; ``lead`` marks the likely next step. ``veiled`` tells of what only this seat may know: it stands
    in no list, but under the veil of the seat's own ``Text`` of the tone ``secret``.
    """

    id: str
    label: str
    word: str
    args: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    inputs: tuple[Input, ...] = ()
    cost: str = ""
    refused: str = ""
    warning: str = ""
    group: str = ""
    cell: str = ""
    lead: bool = False
    veiled: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """One part of a screen. ``kind`` names the template that draws it.

    ``place``: where a game's own kind stands: ``hand`` with what is played now, ``middle`` or ``side``.
    """

    kind: ClassVar[str] = "panel"
    place: ClassVar[str] = "side"
    title: str


@dataclass(frozen=True, slots=True)
class Track(Panel):
    """A number that goes down (or up): minutes left of ``maximum``. ``pending`` is not yet paid."""

    kind: ClassVar[str] = "track"
    value: int
    maximum: int
    unit: str
    pending: int = 0
    note: str = ""
    warn_below: int = 0


@dataclass(frozen=True, slots=True)
class DieShown:
    """A die on the dice panel. ``state``: ``loose``, ``held``, ``used`` or ``unknown``."""

    id: str
    kind: str
    face: str
    state: str


@dataclass(frozen=True, slots=True)
class Dice(Panel):
    """The dice: ``used`` of ``limit`` are spent.

    ``tap`` is the word that tapping dice sends, with ``dice=`` all ids then held; empty outside throws.
    """

    kind: ClassVar[str] = "dice"
    dice: tuple[DieShown, ...]
    used: int = 0
    limit: int = 0
    tap: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """A thing lying on a cell: ``kind`` picks the drawing, ``label`` is read out, ``down`` is face-down."""

    kind: str
    label: str
    down: bool = False
    turn: int = 0


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell of a board. ``sides`` N, E, S, W: ``.`` none, ``o`` open, ``l`` locked, ``b`` bombed.

    ``lit`` marks a cell that something points at, and ``rays`` are the ways in which it points there,
    clockwise from north in steps of 45 degrees (2 is from the west to the east); ``here`` where the
    pawn stands.
    """

    ref: str
    label: str
    face_down: bool = False
    icon: str = ""
    number: str = ""
    passage: str = ""
    sides: str = "...."
    marks: tuple[Mark, ...] = ()
    lit: bool = False
    here: bool = False
    reachable: bool = False
    note: str = ""
    rays: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Board(Panel):
    """A grid of cells, row by row from the top left, with what is attached outside it."""

    kind: ClassVar[str] = "board"
    columns: int
    cells: tuple[Cell, ...]
    outside: tuple[tuple[str, str, str], ...] = ()
    """(cell ref, side N E S W, label) of tiles attached at the edge."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of a roster: a name, its state in a word, and why."""

    id: str
    name: str
    state: str
    why: tuple[str, ...] = ()
    where: str = ""
    out: bool = False


@dataclass(frozen=True, slots=True)
class Roster(Panel):
    """People or things with their states, such as suspects."""

    kind: ClassVar[str] = "roster"
    entries: tuple[Entry, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Tokens(Panel):
    """Tokens carried, of at most ``limit``."""

    kind: ClassVar[str] = "tokens"
    entries: tuple[Entry, ...]
    limit: int = 0


@dataclass(frozen=True, slots=True)
class Pieces:
    """``count`` pieces of one colour; ``label`` names them ("Anna, blue"): colour is no only sign."""

    colour: str
    label: str
    count: int


@dataclass(frozen=True, slots=True)
class Storey:
    """One floor of a house: what lies on it, what each piece there counts, whether it is marked.

    ``worth`` 0 shows nothing; ``scene`` marks the place of the deed; ``lifted`` lies open now.
    """

    ref: str
    label: str
    pieces: tuple[Pieces, ...] = ()
    worth: int = 0
    scene: bool = False
    lifted: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Storeys(Panel):
    """A house as its floors, the highest first."""

    kind: ClassVar[str] = "storeys"
    storeys: tuple[Storey, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Throws(Panel):
    """Cubes to be thrown one by one: ``left`` of them, ``done`` so far, ``heard`` by the tower.

    ``tap`` is the word that a tap on a colour sends, with ``colour=``; empty for who does not throw.
    ``hush`` asks for silence. ``thrower`` is whose throw it is; ``note`` says what does not match.
    """

    kind: ClassVar[str] = "throws"
    thrower: str
    left: tuple[Pieces, ...]
    done: tuple[Pieces, ...] = ()
    heard: int | None = None
    tap: str = ""
    hush: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's numbers: ``cells`` as texts under the panel's columns; ``mine`` for the seat's own."""

    name: str
    colour: str
    cells: tuple[str, ...]
    mine: bool = False
    mark: str = ""


@dataclass(frozen=True, slots=True)
class Standings(Panel):
    """Numbers of all players as a table with these column heads (after the player's name)."""

    kind: ClassVar[str] = "standings"
    columns: tuple[str, ...]
    rows: tuple[Standing, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Fall:
    """One cube's way, as sensed: ``floors``: probabilities of floors 0..n, ``was``: where it was found.

    ``beams``: (plate, seconds after the entry) for each beam that it broke; ``sounds``: seconds after
    the entry of each impact heard; ``was`` None if nobody ever saw.
    """

    label: str
    colour: str
    at: float
    floors: tuple[float, ...]
    beams: tuple[tuple[int, float], ...] = ()
    sounds: tuple[float, ...] = ()
    was: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Falls(Panel):
    """The ways of all cubes, in their order, to be shown as they fell: only of an opened book."""

    kind: ClassVar[str] = "falls"
    falls: tuple[Fall, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class Text(Panel):
    """Sentences for the people at the table. ``tone``: ``plain``, ``prompt``, ``warning`` or ``secret``."""

    kind: ClassVar[str] = "text"
    lines: tuple[str, ...]
    tone: str = "plain"


@dataclass(frozen=True, slots=True)
class View:
    """A whole screen for one seat (or, for no seat, for the table and guests)."""

    title: str
    phase: str
    headline: str
    panels: tuple[Panel, ...] = ()
    actions: tuple[Action, ...] = ()
    timer: Timer | None = None
    face: str = ""
    """Name of the game's palette and motif."""
    banner: str = ""
    """What must not be missed on any screen while it holds, such as that this is a training."""
