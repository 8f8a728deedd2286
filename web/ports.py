"""What the composition root hands to the web, so that the web never imports a sensor."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from companion.rules.events import CubesExpected, DiceExpected, DieClaim


@dataclass(frozen=True, slots=True)
class PhotoReading:
    """What a reader made of one photograph.

    ``sure`` is the reader's word that all claims may count unasked; ``status`` its judgement in a
    word, ``reason`` in a sentence; ``picture`` a JPEG showing what was seen; ``confidence`` 0..1;
    ``original`` makes a JPEG without drawings and without what the phone wrote into the file.
    """

    claims: tuple[DieClaim, ...]
    sure: bool
    status: str
    reason: str
    picture: bytes = field(repr=False)
    confidence: float
    original: Callable[[], bytes] | None = field(default=None, repr=False, compare=False)


ReadPhoto = Callable[[bytes, str, DiceExpected | CubesExpected | None], PhotoReading]
"""Reads (bytes of the file, its name, the throw or cubes waited for). Raises ValueError with a sentence."""


class RehearsalPort(Protocol):
    """A table without a camera or GPIO, driven from the page. A ValueError says what cannot be done."""

    def throw(self, held: tuple[int, ...] = ()) -> None:
        """Throw the dice, leaving those at the indices ``held`` where they lie."""

    def nudge(self) -> None:
        """Push one die a little, as a sleeve does."""

    def cover(self, on: bool) -> None:
        """Hold a hand over the dice, or take it away."""

    def lamp(self, level: float) -> None:
        """Set the light over the table, 0 (dark) to 1 (as calibrated)."""

    def tower(self, do: str, colour: str = "") -> None:
        """Do something at the tower: one of ``web.sensors.TOWER``; ``colour`` of the cube that drops."""

    def sound(self) -> bytes | None:
        """What ears at the table hear of the cubes dropped last, as a WAV file; None before the first."""

    def state(self) -> Mapping[str, str]:
        """What the rehearsed sensors are doing, name to word."""


class CameraPicture(NamedTuple):
    """The live picture: a JPEG, and the watcher's state in a word.

    ``why``: in a sentence what is unsure or wrong, if anything; ``dice``: what was read in it, each
    with whether it is sure.
    """

    jpeg: bytes
    state: str
    why: str = ""
    dice: tuple[tuple[DieClaim, bool], ...] = ()


class CameraPort(Protocol):
    """What the camera sees, and what it saw in the last minute."""

    def picture(self) -> CameraPicture | None:
        """The newest picture; None before the first one."""

    def minute(self) -> Iterator[bytes] | None:
        """The last minute as a zip file, piece by piece; None if none is kept."""


Told = Mapping[str, Any]
"""Plain data for a page: texts, numbers, lists and mappings of these."""


class TeachingPort(Protocol):
    """Calibration at the table. A ValueError says in a sentence what is wrong and what helps."""

    def picture(self) -> bytes | None:
        """The camera's whole newest picture as a JPEG; None if there is none."""

    def tray(self) -> Told:
        """The tray in use: ``corners`` as fractions, ``px_per_mm``, ``whole``."""

    def look(self, width_mm: float | None = None) -> Told:
        """Look for the tray: ``found``, ``corners``, ``how``, ``text``, ``remedy``."""

    def mark(self, corners: Sequence[Sequence[float]]) -> Told:
        """Save these corners and use them at once."""

    def light(self) -> Sequence[Told]:
        """Findings on lamp and lens: ``name``, ``health``, ``text``, ``remedy``."""

    def kinds(self) -> Mapping[str, Sequence[str]]:
        """Kinds of dice that can be taught, with their faces."""

    def lesson(self) -> Told:
        """The lesson as it stands: ``kind`` (empty without one), ``prompt``, ``done``, ``of`` ..."""

    def begin(self, kind: str, faces: Sequence[str], lamp: str) -> Told:
        """Begin a lesson."""

    def show(self) -> Told:
        """Take the picture of the face asked for."""

    def skip(self) -> Told:
        """Leave the face out."""

    def again(self, faces: Sequence[str], lamp: str) -> Told:
        """Ask for faces again, under a lamp."""

    def finish(self) -> Told:
        """Save what was taught."""

    def leave(self) -> Told:
        """End the lesson and save nothing."""


class TowerBenchPort(Protocol):
    """Calibration of the tower at the table. A ValueError says in a sentence what is wrong and what helps.

    While a game is sealed it gives nothing but the entry and whether a line works.
    """

    def state(self) -> Told:
        """How everything stands.

        ``lines``, ``microphone``, ``sealed``, ``trouble``, ``profile``, ``geometry``; and ``naming``,
        ``labels``, ``speech``, each None unless it is going on.
        """

    def name(self, do: str) -> Told:
        """Begin to name the lines, skip one, or leave; returns `state`."""

    def measure(self, cube_mm: float, hole_mm: float, pitch_mm: float, *, save: bool = False) -> Told:
        """Say what the measures mean: ``safe``, ``text``, ``remedy``, ``plates``."""

    def label(self, do: str, number: int = 0, floor: int = 0) -> Told:
        """Begin to drop cubes, say where one lay, leave it out, finish, or leave; returns `state`."""

    def speech(self, do: str) -> Told:
        """Begin to listen to talk and then to quiet, finish, or leave; returns `state`."""

    def trace(self) -> Told:
        """The last seconds: ``lines`` with ``breaks``, ``sound`` as pairs of seconds ago and decibels."""


class LedgerPort(Protocol):
    """How often readers were right, and the pictures of what was misread."""

    def told(self) -> Told:
        """``readers``, ``faces`` and ``mixed`` as texts; ``agreed``, ``pictures``, ``most``."""

    def agree(self, *, on: bool) -> None:
        """Keep pictures of misreads from now on, or no more."""

    def forget(self) -> int:
        """Delete all pictures; returns how many."""


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
    teaching: TeachingPort | None = None
    ledger: LedgerPort | None = None
    tower: TowerBenchPort | None = None
