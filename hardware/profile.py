"""What is known of one tower: its lines, its measures, how its cubes fall, how its beams miss.

Calibration writes it, `hardware.tower` reads it and learns into it. It survives between evenings.
"""

import json
import math
import os
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any, Final, Literal, Self, get_args

FLOORS: Final = 8
ENTRY_PLATE: Final = 7
"""The roof opening: ``entry`` and ``floor7`` watch the same hole."""

BEAM_MM: Final = 2.5
COVERED: Final = 0.6
"""A beam is broken when so much of its width is covered."""

PAIR_OFFSET: Final = 0.3
"""Two beams of a pair stand so many cubes to either side of the hole's middle."""

EXTRA_MISS: Final = 0.003
FALSE_RATE: Final = 0.002
_STAY: Final = (4.0, 16.0)
_WEIGHT: Final = 50.0
"""What geometry says of misses counts as much as so many passages seen."""

SoundKind = Literal["none", "wave", "digital"]
Counts = tuple[float, float]
_LINE = re.compile(r"(entry|floor([0-7])|mic)(_?b|_?2)?")


class ProfileError(ValueError):
    """A tower profile cannot be used; the text names the file, the field and what helps."""


@dataclass(frozen=True, slots=True)
class TowerProfile:
    """One tower, measured or assumed.

    ``lines``: names as in the settings; empty: whichever give edges. ``stays``: for floors 1 to 7 the
    two numbers of a beta distribution, (stayed, went on), of the chance that a cube that came so far
    stays. ``missed``: for plates 0 to 7 likewise (missed, seen); ``false``: chance that the beam of
    plate 0 to 7 seems broken once while a cube falls elsewhere. ``loudness_db``: median level of the
    loudest impact of a drop, relative to full scale; None if nobody has heard one. ``quietest_db``:
    what is softer than this is the room's and no cube; None if nobody has listened to the room.
    ``date`` and ``evidence`` say when and by what it was measured. Raises ProfileError.
    """

    lines: tuple[str, ...] = ()
    cube_mm: float = 8.0
    hole_mm: float = 16.0
    pitch_mm: float = 31.25
    stays: tuple[Counts, ...] = (_STAY,) * (FLOORS - 1)
    missed: tuple[Counts, ...] = ()
    false: tuple[float, ...] = (FALSE_RATE,) * FLOORS
    sound: SoundKind = "wave"
    loudness_db: float | None = None
    quietest_db: float | None = None
    date: str = ""
    evidence: str = field(default="built in, nothing measured")

    def __post_init__(self) -> None:
        if not self.missed:
            object.__setattr__(self, "missed", self.expected_misses())
        problem = _problem(self)
        if problem:
            raise ProfileError(problem)

    @property
    def plates(self) -> dict[int, tuple[str, ...]]:
        """The lines at each plate 7 to 0 that has any, the first of a pair first."""
        found: dict[int, list[str]] = {}
        for line in sorted(self.lines):
            plate = plate_of(line)
            if plate is not None:
                found.setdefault(plate, []).append(line)
        return {plate: tuple(found[plate]) for plate in sorted(found, reverse=True)}

    def miss(self, plate: int) -> float:
        """The chance 0..1 that a cube passes that plate unseen."""
        missed, seen = self.missed[plate]
        return missed / (missed + seen)

    def expected_misses(self) -> tuple[Counts, ...]:
        """What the measures say of the misses of plates 0 to 7: pairs (missed, seen) worth 50 passages."""
        lines = self.plates
        shares = [
            geometric_miss(self.cube_mm, self.hole_mm, len(lines.get(j, ("",)))) for j in range(FLOORS)
        ]
        return tuple((share * _WEIGHT, (1 - share) * _WEIGHT) for share in shares)

    def with_lines(self, lines: Iterable[str]) -> Self:
        """The same tower with these lines and the misses expected of them; other names are left out."""
        known = tuple(sorted({line for line in lines if _LINE.fullmatch(line)}))
        return replace(self, lines=known, missed=())

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a profile. Raises ProfileError naming the file and the field."""
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise ProfileError(f"{path} cannot be read as a tower profile: {error}.") from error
        if not isinstance(found, dict):
            raise ProfileError(f"{path} is not a tower profile: calibrate the tower again.")
        known = {one.name for one in fields(cls)}
        if odd := sorted(set(found) - known):
            raise ProfileError(f"{path}: unknown {', '.join(odd)}; known are {', '.join(sorted(known))}.")
        try:
            return cls(**{name: _tuples(value) for name, value in found.items()})
        except ProfileError as error:
            raise ProfileError(f"{path}: {error}") from error

    def save(self, path: Path) -> None:
        """Write the profile so that a power cut leaves the old file or the new one, never half of one."""
        text = json.dumps(asdict(self), indent=2) + "\n"
        temporary = path.with_name(path.name + ".tmp")
        with temporary.open("w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
        folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def plate_of(line: str) -> int | None:
    """The plate 7 to 0 in whose hole that line's beam is; None for a microphone or another name.

    >>> [plate_of(name) for name in ("entry", "entry_b", "floor5b", "floor0_2", "mic", "lamp")]
    [7, 7, 5, 0, None, None]
    """
    found = _LINE.fullmatch(line)
    if not found or found[1] == "mic":
        return None
    return int(found[2]) if found[2] else ENTRY_PLATE


def is_microphone(line: str) -> bool:
    """Whether a threshold sound module is on that line."""
    found = _LINE.fullmatch(line)
    return bool(found) and found is not None and found[1] == "mic"


def geometric_miss(cube_mm: float, hole_mm: float, beams: int) -> float:
    """The chance 0..1 that a cube anywhere in the hole leaves every beam unbroken.

    One beam goes through the middle; two stand at 0.3 cubes to either side of it.

    >>> [round(geometric_miss(8, hole, 1), 2) for hole in (14, 16, 18, 20, 25)]
    [0.0, 0.07, 0.25, 0.38, 0.56]
    >>> geometric_miss(8, 20, 2)
    0.003
    """
    room = max((hole_mm - cube_mm) / 2, 0.0)
    reach = cube_mm / 2 - (COVERED - 0.5) * BEAM_MM + (PAIR_OFFSET * cube_mm if beams > 1 else 0.0)
    blind = max(0.0, 1 - reach / room) if room else 0.0
    return blind + EXTRA_MISS * (1 - blind)


def one_beam_sees_all(cube_mm: float, hole_mm: float) -> bool:
    """Whether one beam through the middle of the hole is broken by every cube that passes."""
    return hole_mm < 2 * cube_mm - 0.2 * BEAM_MM


def for_lines(lines: Iterable[str]) -> TowerProfile:
    """The built-in profile for a tower with these lines; names that are none of its lines are left out."""
    return TowerProfile().with_lines(lines)


def _tuples(value: Any) -> Any:
    return tuple(_tuples(one) for one in value) if isinstance(value, list) else value


def _problem(profile: TowerProfile) -> str:
    for name in ("cube_mm", "hole_mm", "pitch_mm"):
        if not _number(getattr(profile, name), above=0.0):
            return f"{name} must be a number of millimetres above 0, not {getattr(profile, name)!r}."
    if profile.hole_mm <= profile.cube_mm:
        return f"hole_mm: a cube of {profile.cube_mm} mm does not fall through {profile.hole_mm} mm."
    if not isinstance(profile.lines, tuple) or not all(isinstance(one, str) for one in profile.lines):
        return "lines must be a list of names."
    if odd := [line for line in profile.lines if not _LINE.fullmatch(line)]:
        return f"lines: {odd[0]!r} is none of entry, floor7 to floor0 and mic."
    for name, count in (("stays", FLOORS - 1), ("missed", FLOORS)):
        pairs = getattr(profile, name)
        if not (isinstance(pairs, tuple) and len(pairs) == count and all(map(_counts, pairs))):
            return f"{name} must be {count} pairs of numbers above 0."
    chances = profile.false
    if not (isinstance(chances, tuple) and len(chances) == FLOORS and all(map(_chance, chances))):
        return f"false must be {FLOORS} chances between 0 and 1."
    if profile.sound not in get_args(SoundKind):
        return f"sound must be one of {', '.join(get_args(SoundKind))}, not {profile.sound!r}."
    for name in ("loudness_db", "quietest_db"):
        level = getattr(profile, name)
        if level is not None and not _number(level):
            return f"{name} must be a number of decibels or null, not {level!r}."
    odd_words = [name for name in ("date", "evidence") if not isinstance(getattr(profile, name), str)]
    return f"{odd_words[0]} must be a text." if odd_words else ""


def _number(value: object, above: float = -math.inf) -> bool:
    plain = isinstance(value, int | float) and not isinstance(value, bool)
    return plain and math.isfinite(value) and value > above  # type: ignore[operator, arg-type]


def _counts(pair: object) -> bool:
    return isinstance(pair, tuple) and len(pair) == 2 and all(_number(one, above=0.0) for one in pair)


def _chance(value: object) -> bool:
    return _number(value, above=0.0) and value < 1  # type: ignore[operator]
