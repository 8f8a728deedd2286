"""What can happen in Tea Time Crime, beside dice that come to rest and bells.

A tile that was activated, a pass, a count: each is one fact that holds everything about it. What is
dealt is in none of them: it follows from the sealed deal.
"""

from dataclasses import dataclass

from companion.games.teatime.pieces import Tile
from companion.rules.events import Event, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class TileDescribed(Event):
    """The box has a tile with these beams or lit sides."""

    kind: str
    ways: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class TileForgotten(Event):
    """The box has no such tile: it was described wrongly."""

    tile: Tile


@dataclass(frozen=True, slots=True, kw_only=True)
class RoomValued(Event):
    """The board shows so many ``points`` in the room on ``cell``, such as ``2-3``."""

    cell: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BeginnerNamed(Event):
    """This player goes first."""

    player: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class DiceHeld(Event):
    """These dice stay as they lie in the next throw; the others do not."""

    dice: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingStopped(Event):
    """The dice stay as they are, though there are throws left."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TileActivated(Event):
    """A player activated the tile in row ``number`` and ``column`` of the own board.

    All dice that show ``number`` counted, and so many ``glasses`` and dice ``tiles`` of that number.
    ``shows``: what was turned up where the companion cannot know it, ``ways`` the beams or sides of a
    tile that the box was not known to have. ``to``: where an open tile was moved, such as ``2-3``; None if
    it stays.
    """

    number: int
    column: int
    glasses: int = 0
    tiles: int = 0
    shows: Tile | None = None
    ways: tuple[str, ...] | None = None
    to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Passed(Event):
    """A player passed. ``back``: the dice tile drawn blind from the discards, where these lie on the table.

    ``takes`` is False for who wants none back after a special roll.
    """

    back: int | None = None
    takes: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class TokensCounted(Event):
    """So many score tokens lie on the own detectives, where the companion keeps no picture of boards."""

    tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PointsCounted(Event):
    """The own detectives with a token light so many points together."""

    points: int


EVENTS = (
    TileDescribed,
    TileForgotten,
    RoomValued,
    BeginnerNamed,
    DiceHeld,
    RollingStopped,
    TileActivated,
    Passed,
    TokensCounted,
    PointsCounted,
)
