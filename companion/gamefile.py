"""A game as readable text, out and in.

    companion game 1
    game moss
    title Saturday evening
    started 2026-11-29T19:30:00+00:00
    seat anna Anna
    option level 45
    deal 0f3c...            (or: sealed-deal gAAAA... while the game is played)
    carried start "45"

    12.5 anna moved to=c4 dice=w1,w3
    14.0 anna sealed gAAAA...

Facts stand in their order; what was undone is left out, what was amended stands corrected.
A secret fact is always sealed; the deal is sealed until the outcome. Both open where they were sealed.
"""

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from companion.errors import GameFileError
from companion.evening import Evening
from companion.rules import notation
from companion.rules.events import Event, Seat
from companion.rules.game import Game, OutOfPlace, Setup

FORMAT = "companion game 1"
_SEALED = "sealed"
_DEAL = "deal "
"""Stands before a deal in its seal, so that a sealed fact passes for no deal and none for a fact."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """A game's text, read: its header and its facts with the numbers of their lines."""

    slug: str
    title: str
    setup: Setup
    events: tuple[tuple[int, Event], ...] = ()
    left_out: tuple[int, ...] = ()
    """Numbers of the lines that are sealed and could not be opened here."""
    started: str = ""
    names: Mapping[Seat, str] = field(default_factory=dict)


def write(file: GameFile, game: Game[Any], *, close: Callable[[str], str], over: bool) -> str:
    """The text of ``file``, secrets sealed by ``close``; once the game is ``over`` the deal is open."""
    setup = file.setup
    lines = [FORMAT, f"game {file.slug}", f"title {_one_line(file.title)}"]
    if file.started:
        lines.append(f"started {file.started}")
    lines += [f"seat {seat} {_one_line(file.names.get(seat, seat))}" for seat in setup.seats]
    lines += [f"option {name} {value}" for name, value in setup.options.items()]
    if setup.deal:
        lines.append(f"deal {setup.deal}" if over else f"sealed-deal {close(_DEAL + setup.deal)}")
    lines += [
        f"carried {key} {json.dumps(value, ensure_ascii=False)}" for key, value in setup.carried.items()
    ]
    lines.append("")
    for _, event in file.events:
        line = notation.write(event)
        if game.secrets(event):
            line = f"{event.at!r} {event.by or notation.TABLE} {_SEALED} {close(line)}"
        lines.append(line)
    return "\n".join(lines) + "\n"


def read(
    text: str, games: Mapping[str, Game[Any]], *, open_seal: Callable[[str], str] | None = None
) -> GameFile:
    """The game in ``text``. Raises GameFileError naming the line and what is wrong with it."""
    text = text.removeprefix("\N{BYTE ORDER MARK}")  # Windows editors put it there
    lines = [(n, line.rstrip()) for n, line in enumerate(text.split("\n"), start=1)]
    lines = [(n, line) for n, line in lines if not line.startswith("#")]
    if not lines or lines[0][1] != FORMAT:
        raise GameFileError(f"this is not a game of the companion: its first line must be {FORMAT!r}")
    split = next((i for i, (_, line) in enumerate(lines) if not line), len(lines))
    header = _Header(open_seal or _nobody_opens)
    for number, line in lines[1:split]:
        with _Line(number):
            header.take(line)
    header.check()
    if header.slug not in games:
        known = ", ".join(games)
        raise GameFileError(
            f"the game {header.slug or '(none named)'!r} is not known here; there are: {known}"
        )
    game = games[header.slug]
    events: list[tuple[int, Event]] = []
    left_out: list[int] = []
    for number, line in lines[split:]:
        opened = _opened(line, open_seal or _nobody_opens)
        if opened is None:
            left_out.append(number)
        elif opened:
            with _Line(number, hidden=opened != line):
                events.append((number, notation.read(opened, game.events)))
    setup = Setup(tuple(header.names), header.options, header.deal, header.carried, header.names)
    return GameFile(
        header.slug, header.title, setup, tuple(events), tuple(left_out), header.started, header.names
    )


def fold(file: GameFile, game: Game[Any], *, to: int | None = None) -> Evening:
    """Play the facts of ``file``, or the first ``to``. Raises GameFileError naming the line at fault."""
    try:
        evening = Evening.begin(game, file.setup)
    except ValueError as fault:
        raise GameFileError(f"the game cannot begin: {fault}") from fault
    for seq, (number, event) in enumerate(file.events[:to], start=1):
        try:
            evening = evening.then(seq, event)
        except OutOfPlace as fault:
            hint = " (sealed lines were left out)" if file.left_out else ""
            raise GameFileError(f"line {number}: {fault}{hint}") from fault
    return evening


class _Header:
    def __init__(self, open_seal: Callable[[str], str]) -> None:
        self._open = open_seal
        self.slug = self.title = self.deal = self.started = ""
        self.names: dict[Seat, str] = {}
        self.options: dict[str, str] = {}
        self.carried: dict[str, str] = {}

    def check(self) -> None:
        """Raises GameFileError for what no line is at fault of."""
        if not self.names:
            raise GameFileError("this game has no seat: write a line `seat anna Anna` into its head")

    def take(self, line: str) -> None:
        word, _, rest = line.partition(" ")
        key, _, value = rest.partition(" ")
        there: dict[str, Iterable[str]] = {
            "seat": self.names,
            "option": self.options,
            "carried": self.carried,
        }
        if key in set(there.get(word, ())):
            raise ValueError(f"{word} {key!r} stands there twice")
        match word:
            case "game":
                self.slug = rest
            case "title":
                self.title = rest
            case "started":
                self.started = rest
            case "deal":
                self.deal = rest
            case "sealed-deal":
                self.deal = _deal(self._open(rest))
            case "seat":
                if not key.isalnum() or key == notation.TABLE:
                    raise ValueError(f"{key!r} is no seat: write a key and a name, as in `seat anna Anna`")
                self.names[Seat(key)] = value or key
            case "option":
                self.options[key] = value
            case "carried":
                self.carried[key] = str(json.loads(value))
            case _:
                raise ValueError(f"{word!r} is not known in the head of a game")


class _Line:
    """Puts the number of the line before a fault in it; of ``hidden`` ones it repeats nothing."""

    def __init__(self, number: int, *, hidden: bool = False) -> None:
        self._number = number
        self._hidden = hidden

    def __enter__(self) -> None:
        return None

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None, trace: object
    ) -> None:
        if isinstance(fault, ValueError) and self._hidden:
            raise GameFileError(
                f"line {self._number}: what is sealed there is no fact of this game"
            ) from None
        if isinstance(fault, ValueError):
            raise GameFileError(f"line {self._number}: {fault}") from fault


def _opened(line: str, open_seal: Callable[[str], str]) -> str | None:
    """The fact in ``line``, unsealed where it was sealed; None if it cannot be opened here."""
    parts = line.split(maxsplit=3)
    if len(parts) != 4 or parts[2] != _SEALED:
        return line
    try:
        return open_seal(parts[3])
    except ValueError:
        return None


def _deal(opened: str) -> str:
    if not opened.startswith(_DEAL):
        raise ValueError("what is sealed there is no deal")
    return opened.removeprefix(_DEAL)


def _nobody_opens(_: str) -> str:
    raise ValueError(
        "this part is sealed; it opens on the companion that exported it, or after the game's end"
    )


def _one_line(text: str) -> str:
    return " ".join(text.split())
