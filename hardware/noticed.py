"""What the tower notices, and the states it can be in."""

from dataclasses import dataclass
from enum import StrEnum

from hardware.floors import Chances


class Kind(StrEnum):
    """What was noticed, by name."""

    DROP = "drop"
    UNSURE = "unsure"
    HAND = "hand"
    BLOCKED = "blocked"
    CLEAR = "clear"
    LIFTED = "lifted"
    CLOSED = "closed"
    CHATTER = "chatter"
    SILENT = "silent"
    DEAF = "deaf"
    NOISY = "noisy"
    KNOCK = "knock"
    SPEECH = "speech"


@dataclass(frozen=True, slots=True)
class Noticed:
    """Something happened at the tower at ``at`` seconds.

    ``confidence`` 0..1; ``line``: the beam that it is about, if it is about one. For drops:
    ``floors``, the probabilities of floors 0 to 7; ``beams``, the plates below the entry that saw it
    pass, with seconds after the entry; ``sounds``, seconds after the entry and decibels. These three
    are the game's secret.
    """

    at: float
    kind: Kind
    confidence: float = 1.0
    line: str = ""
    floors: Chances | None = None
    beams: tuple[tuple[int, float], ...] = ()
    sounds: tuple[tuple[float, float], ...] = ()


class Condition(StrEnum):
    """The tower's states by name, the most urgent first."""

    LIFTED = "floor lifted"
    HAND = "hand in the shaft"
    BLOCKED = "blocked"
    CHATTER = "chatters"
    FALLING = "falling"
    UNSURE = "unsure"
    COUNTED = "counted"
    SILENT = "silent"
    DEAF = "microphone deaf"
    NOISY = "too noisy"
    QUIET = "quiet"


@dataclass(frozen=True, slots=True)
class TowerState:
    """A state, and the line that it is about.

    >>> str(TowerState(Condition.BLOCKED, "floor5"))
    'beam floor5 blocked'
    """

    condition: Condition
    line: str = ""

    def __str__(self) -> str:
        return f"beam {self.line} {self.condition}" if self.line else str(self.condition)
