"""Views put in order for the templates: what stands where, and how it is said. Pure functions."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from companion.rules.events import DiceExpected, DiceRolled, DieClaim, DieFace
from companion.rules.notation import word_of
from companion.rules.view import (
    Action,
    Board,
    Cell,
    Dice,
    Falls,
    Mark,
    Panel,
    Roster,
    Storeys,
    Text,
    Throws,
    Track,
    View,
)
from companion.snapshot import Row, Snapshot
from web.lines import taken_apart

PIPS: Mapping[str, tuple[tuple[int, int], ...]] = {
    "1": ((50, 50),),
    "2": ((28, 28), (72, 72)),
    "3": ((26, 26), (50, 50), (74, 74)),
    "4": ((28, 28), (72, 28), (28, 72), (72, 72)),
    "5": ((26, 26), (74, 26), (50, 50), (26, 74), (74, 74)),
    "6": ((28, 24), (28, 50), (28, 76), (72, 24), (72, 50), (72, 76)),
}
"""Centres of the pips on a die drawn 100 wide."""

PRINTS: Mapping[str, str] = {
    "green": "Gn",
    "red": "Rd",
    "yellow": "Ye",
    "blue": "Bu",
    "brown": "Bn",
    "purple": "Pu",
}
"""Fingerprints on a die, each with two letters as the cubes have them: ink is no only sign."""

FACES: Mapping[str, tuple[str, ...]] = {
    "fingerprint": tuple(PRINTS),
    "teatime": ("1", "2", "3", "4", "5", "glass"),
}
"""The faces of kinds of dice that do not show 1 to 6."""

GLYPHS = frozenset(
    {
        *("suspect", "out", "assistance", "evidence", "scene", "car", "pawn", "token", "hidden"),
        *("alibi", "tainted", "bomb", "key", "passage"),
        *("arrow-four", "arrow-three", "arrow-straight", "arrow-corner"),
        *("arrow-single", "arrow-narrow", "arrow-wide"),
    }
)
"""Marks and icons that have a drawing in ``parts/sprite.html``."""

SIDES = ("north", "east", "south", "west")
DOORS = {"o": "open door", "l": "locked door", "b": "blown-open doorway"}


@dataclass(frozen=True, slots=True)
class Zones:
    """The panels of a view by where they stand on a screen."""

    top: tuple[Panel, ...]
    own: tuple[Panel, ...]
    hand: tuple[Panel, ...]
    middle: tuple[Panel, ...]
    side: tuple[Panel, ...]


def zones(view: View) -> Zones:
    """Panels by place, in the game's order within each."""

    def place(panel: Panel) -> str:
        match panel:
            case Track() | Text(tone="prompt" | "warning"):
                return "top"
            case Text(tone="secret"):
                return "own"
            case Dice() | Throws():
                return "hand"
            case Board() | Storeys() | Falls():
                return "middle"
            case _:
                return panel.place

    by_place: dict[str, tuple[Panel, ...]] = {"top": (), "own": (), "hand": (), "middle": (), "side": ()}
    for panel in view.panels:
        by_place[place(panel)] += (panel,)
    return Zones(**by_place)


def leads(actions: Iterable[Action]) -> tuple[Action, ...]:
    """The likely next steps that are possible; what has cubes to count is long, and stands last."""
    possible = (a for a in actions if a.lead and not a.refused)
    return tuple(sorted(possible, key=lambda a: any(i.kind == "cubes" for i in a.inputs)))


def groups(actions: Iterable[Action]) -> tuple[tuple[str, tuple[Action, ...]], ...]:
    """All other actions under their headings; within one, the possible ones first."""
    rest = [a for a in actions if not (a.lead and not a.refused)]
    names = list(dict.fromkeys(a.group for a in rest))
    rest.sort(key=lambda a: (names.index(a.group), bool(a.refused)))
    return tuple((name, tuple(members)) for name, members in groupby(rest, key=lambda a: a.group))


def at_cell(actions: Iterable[Action], cell: str) -> tuple[Action, ...]:
    """The actions tied to a board cell, the possible ones first."""
    return tuple(sorted((a for a in actions if a.cell == cell), key=lambda a: bool(a.refused)))


def wants_dice(actions: Iterable[Action]) -> bool:
    """Whether tapping dice chooses them for some action that asks for dice or spends some."""
    asked = (a for a in actions if not a.refused)
    return any("dice" in a.args or any(i.kind == "dice" for i in a.inputs) for a in asked)


@dataclass(frozen=True, slots=True)
class Pad:
    """Entering a throw by hand: how many of each kind to tap, and what lies there already.

    ``key`` changes with every throw, so that a half-entered one is not carried over.
    """

    key: str
    kinds: tuple[tuple[str, int], ...]
    held: tuple[DieFace, ...]
    faces: tuple[str, ...]

    @property
    def count(self) -> int:
        """How many dice have to be tapped."""
        return sum(n for _, n in self.kinds)


def pad(snapshot: Snapshot) -> Pad | None:
    """The pad for the throw waited for, or None when none is."""
    expected = snapshot.expected.dice
    if expected is None:
        return None
    rolls = sum(1 for row in snapshot.history if is_roll(row))
    text = f"{rolls} {snapshot.game and snapshot.game.id} {expected}"
    kinds = tuple((kind, n) for kind, n in expected.thrown if n > 0)
    return Pad(sha256(text.encode()).hexdigest()[:10], kinds, expected.held, expected.faces)


def is_roll(row: Row) -> bool:
    """Whether the row is a throw of dice."""
    return row.line is not None and taken_apart(row.line).word == word_of(DiceRolled)


def odd_kinds(panel: Dice) -> frozenset[str]:
    """The kinds of dice that need a word beside them: all but the commonest."""
    common = Counter(die.kind for die in panel.dice).most_common(1)
    return frozenset(die.kind for die in panel.dice) - {kind for kind, _ in common}


def last_roll(snapshot: Snapshot) -> Row | None:
    """The latest throw that stands and may be corrected."""
    return next((r for r in reversed(snapshot.history) if r.standing and r.amendable and is_roll(r)), None)


def faces(kind: str) -> tuple[str, ...]:
    """What a die of this kind may show.

    >>> faces("fingerprint")[:2], faces("white")[:2]
    (('green', 'red'), ('1', '2'))
    """
    return FACES.get(kind, tuple(PIPS))


def dice_of(row: Row) -> tuple[DieFace, ...]:
    """The dice of a row that is a throw."""
    text = taken_apart(row.line or "").args.get("dice", "")
    return tuple(DieFace.parse(die) for die in text.split(",") if die)


def ident(value: str) -> str:
    """``value`` as a part of an id: a choice is known by what it stands for, not by its place in a list.

    >>> ident("Rye Crumble"), ident("c3,c4")
    ('Rye-Crumble', 'c3-c4')
    """
    return re.sub(r"\W+", "-", value)


def die_name(kind: str, face: str, flag: str = "") -> str:
    """A die in words, beginning with what is written on it, in that order, as a button's name has to.

    >>> die_name("white", "4"), die_name("fingerprint", "blue"), die_name("coloured", "6", "held")
    ('white 4', 'Bu fingerprint blue', 'coloured held 6')
    """
    return " ".join(filter(None, (PRINTS.get(face), kind, flag, face)))


def question(claims: Sequence[DieClaim] | Sequence[DieFace]) -> str:
    """The dice as one would read them out.

    >>> question([DieFace("white", "4"), DieFace("coloured", "5"), DieFace("white", "2")])
    '3 dice: 4 2, coloured 5'
    """
    kinds: dict[str, list[str]] = {}
    for die in claims:
        kinds.setdefault(die.kind, []).append(die.face)
    first = max(kinds, key=lambda kind: len(kinds[kind]), default="")
    parts = [
        " ".join(faces) if kind == first else f"{kind} {' '.join(faces)}" for kind, faces in kinds.items()
    ]
    return f"{len(claims)} {'die' if len(claims) == 1 else 'dice'}: {', '.join(parts) or 'none'}"


def waited(expected: DiceExpected) -> str:
    """The throw waited for, in words.

    >>> waited(DiceExpected((("white", 7), ("coloured", 1)), held=(DieFace("white", "4"),)))
    '6 white and 1 coloured'
    >>> waited(DiceExpected((("teatime", 5),)))
    '5 dice'
    """
    thrown = [(kind, n) for kind, n in expected.thrown if n]
    if len(thrown) == 1 and len(expected.kinds) == 1:
        return f"{thrown[0][1]} {'die' if thrown[0][1] == 1 else 'dice'}"
    return " and ".join(f"{n} {kind}" for kind, n in thrown) or "no dice"


def counted(kinds: Iterable[tuple[str, int]]) -> str:
    """How many of each kind, for a script.

    >>> counted((("white", 7), ("coloured", 1)))
    'white:7,coloured:1'
    """
    return ",".join(f"{kind}:{n}" for kind, n in kinds)


def face_counts(dice: Iterable[DieFace]) -> Mapping[str, int]:
    """How often each face lies there."""
    return Counter(die.face for die in dice)


def spoken_cell(cell: Cell) -> str:
    """Everything on a cell, for those who cannot see it."""
    if cell.face_down:
        parts = [cell.ref, "face down"]
    else:
        number = f"number {cell.number}" if cell.number else ""
        passage = f"secret passage {cell.passage}" if cell.passage else ""
        parts = [cell.ref, cell_name(cell), number, passage, spoken_sides(cell.sides)]
    parts += [mark.label for mark in cell.marks]
    flags = (("the pawn is here", cell.here), ("in a ray", cell.lit), ("can be reached", cell.reachable))
    parts += [text for text, on in flags if on]
    return ", ".join(p for p in parts if p)


def cell_name(cell: Cell) -> str:
    """The name alone of a label such as ``c3: Library, doors north``.

    >>> cell_name(Cell("c3", "c3: Library, doors north"))
    'Library'
    """
    return cell.label.removeprefix(f"{cell.ref}:").partition(",")[0].strip()


def said(view: View) -> str:
    """What a screen reader hears of a new view: the headline, warnings, and tracks that run low."""
    parts = [view.headline]
    for panel in view.panels:
        if isinstance(panel, Text) and panel.tone == "warning":
            parts += panel.lines
        elif isinstance(panel, Track) and panel.value < panel.warn_below:
            parts.append(f"{panel.value} {panel.unit} left.")
    return " ".join(parts)


def glyph(mark: Mark) -> str:
    """The drawing for a mark; empty when there is none, and its first letter has to do."""
    if mark.kind == "evidence" and mark.down:
        return "hidden"
    if mark.kind == "suspect" and mark.down:
        return "out"
    name = mark.kind.removeprefix("token-")
    if name in GLYPHS:
        return name
    return "token" if mark.kind.startswith("token-") else ""


def spoken_sides(sides: str) -> str:
    """The doors of a tile in words.

    >>> spoken_sides("ool."), spoken_sides("....")
    ('open door north and east, locked door south', 'no doors')
    """
    parts = []
    for kind, name in DOORS.items():
        at = [side for mark, side in zip(sides, SIDES, strict=False) if mark == kind]
        if at:
            parts.append(f"{name} {' and '.join(filter(None, (', '.join(at[:-1]), at[-1])))}")
    return ", ".join(parts) or "no doors"


def ring(board: Board) -> tuple[tuple[str, ...], ...]:
    """What lies outside the board, as a frame of labels one cell wide around the grid.

    Row by row, ``rows + 2`` by ``columns + 2``; labels stand in the frame, everything else is "".
    """
    rows = -(-len(board.cells) // board.columns)
    frame = [[""] * (board.columns + 2) for _ in range(rows + 2)]
    places = {cell.ref: divmod(n, board.columns) for n, cell in enumerate(board.cells)}
    steps = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}
    for ref, side, label in board.outside:
        (row, column), (down, right) = places[ref], steps[side]
        frame[row + 1 + down][column + 1 + right] = label
    return tuple(tuple(line) for line in frame)


def out_count(roster: Roster) -> int:
    """How many of a roster are out."""
    return sum(1 for entry in roster.entries if entry.out)
