"""What the composition root hands to the web, so that the web never imports a sensor."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from companion.rules.events import DiceExpected, DieClaim


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """What a reader made of one photograph.

    ``sure`` is the reader's word that all claims may count unasked; ``status`` its judgement in a
    word, ``reason`` in a sentence; ``picture`` a JPEG showing what was seen; ``confidence`` 0..1.
    """

    claims: tuple[DieClaim, ...]
    sure: bool
    status: str
    reason: str
    picture: bytes = field(repr=False)
    confidence: float


ReadPhoto = Callable[[bytes, str, DiceExpected | None], PhotoReading]
"""Reads (bytes of the file, its name, the throw waited for). Raises ValueError with a sentence."""


class RehearsalPort(Protocol):
    """A table without a camera or GPIO, driven from the page."""

    def throw(self, held: tuple[int, ...] = ()) -> None:
        """Throw the dice, leaving those at the indices ``held`` where they lie."""

    def nudge(self) -> None:
        """Push one die a little, as a sleeve does."""

    def cover(self, on: bool) -> None:
        """Hold a hand over the dice, or take it away."""

    def lamp(self, level: float) -> None:
        """Set the light over the table, 0 (dark) to 1 (as calibrated)."""

    def state(self) -> Mapping[str, str]:
        """What the rehearsed sensors are doing, name to word."""


class CameraPort(Protocol):
    """The annotated live picture."""

    def picture(self) -> tuple[bytes, str] | None:
        """A JPEG and the reader's named state; None before the first picture."""


@dataclass(frozen=True, slots=True)
class Ports:
    """Everything outside of the table that pages need.

    ``addresses`` are this machine's, ``http://...``, best first. ``shutdown`` asks the whole
    companion to end and returns at once.
    """

    read_photo: ReadPhoto | None
    rehearsal: RehearsalPort | None
    camera: CameraPort | None
    addresses: tuple[str, ...]
    host_pin: str
    secret_key: bytes
    shutdown: Callable[[], None]
    version: str
