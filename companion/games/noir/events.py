"""What can happen in Noir, beside bells.

No event holds a secret. The inspector's choice is the place of a card in the hand as it was dealt: what
lies there follows from the sealed deal alone, so that an export plays again wherever the deal is open.
"""

from dataclasses import dataclass

from companion.games.noir.grid import Line
from companion.rules.events import Event, Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class KillerNamed(Event):
    """This player is the killer; the other one is the inspector."""

    player: Seat


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectLaid(Event):
    """This suspect lies on the next place of the grid, row by row from the top left."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCompleted(Event):
    """The other suspects lie there in alphabetical order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectKilled(Event):
    """The killer turned this suspect to the deceased side."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class VictimAnswered(Event):
    """Whether the suspect just killed was the inspector; asked where identities are on cards."""

    inspector: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityChosen(Event):
    """The inspector chose an identity: on phones the card at this place of the four, from 0."""

    card: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class LineShifted(Event):
    """A row moved left or right, or a column up or down, by one."""

    line: Line
    way: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectArrested(Event):
    """The inspector pointed at this suspect and asked whether that is the killer."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArrestAnswered(Event):
    """Whether the suspect just arrested is the killer; asked where identities are on cards."""

    killer: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DisguiseDrawn(Event):
    """The killer took the top evidence card and looked at it in secret."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IdentityDiscarded(Event):
    """On cards: the card drawn lives. This old identity was laid open, the drawn one took its place."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DeadCardDiscarded(Event):
    """On cards: the card drawn is of this deceased suspect. It was laid open, and nothing changed."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EvidenceDrawn(Event):
    """The inspector took the top evidence card into the hand, which has four cards now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuspectExonerated(Event):
    """The inspector laid this card of the four open."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AreaCanvassed(Event):
    """Whether the asked player's identity is next to the suspect in question."""

    near: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class GridCollapsed(Event):
    """Of each row (left, right) or column (up, down) the deceased nearest to that end was taken away."""

    way: str


EVENTS = (
    KillerNamed,
    SuspectLaid,
    GridCompleted,
    SuspectKilled,
    VictimAnswered,
    IdentityChosen,
    LineShifted,
    SuspectArrested,
    ArrestAnswered,
    DisguiseDrawn,
    IdentityDiscarded,
    DeadCardDiscarded,
    EvidenceDrawn,
    SuspectExonerated,
    AreaCanvassed,
    GridCollapsed,
)
