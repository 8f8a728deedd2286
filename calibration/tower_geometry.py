"""Whether a tower's beams can see every cube, from three measures; when a cube should be where. Pure."""

import math
from dataclasses import dataclass, replace
from typing import Final

from hardware.profile import (
    BEAM_MM,
    ENTRY_PLATE,
    PAIR_OFFSET,
    ProfileError,
    TowerProfile,
    geometric_miss,
)

GRAVITY: Final = 9.81
RELEASE_MM: Final = 15.0
"""A hand lets a cube go so high over the roof."""

RANGES_MM: Final = {"cube_mm": (4.0, 20.0), "hole_mm": (5.0, 60.0), "pitch_mm": (10.0, 100.0)}
"""What a tower's measures can be at all, in millimetres."""

_WORDS: Final = {"cube_mm": "A cube's side", "hole_mm": "A hole's side", "pitch_mm": "A floor's height"}
_SEES_ALL: Final = 0.005
"""Beams that miss no more than this see every cube, as far as anybody can tell."""


@dataclass(frozen=True, slots=True)
class Passing:
    """A cube that falls cleanly, at one plate 7 to 0.

    ``after_s`` seconds after it was let go and ``entry_s`` after the roof; ``broken_s`` is how long it
    breaks a beam there. ``beams`` of that plate (0: none) miss the share ``missed`` 0..1 of all cubes.
    """

    plate: int
    after_s: float
    entry_s: float
    broken_s: float
    beams: int
    missed: float


@dataclass(frozen=True, slots=True)
class Width:
    """What the measures mean, in sentences: ``text`` and ``remedy``.

    ``single_mm`` and ``pair_mm``: in holes smaller than that one beam or two see every cube.
    ``safe``: the beams at the entry do.
    """

    safe: bool
    single_mm: float
    pair_mm: float
    passings: tuple[Passing, ...]
    text: str
    remedy: str


def measured(profile: TowerProfile, *, cube_mm: float, hole_mm: float, pitch_mm: float) -> TowerProfile:
    """Return the profile with these measures; what was counted of misses belongs to the old ones and goes.

    Raises ValueError with a sentence for a measure that no tower has.
    """
    given = {"cube_mm": cube_mm, "hole_mm": hole_mm, "pitch_mm": pitch_mm}
    for name, value in given.items():
        low, high = RANGES_MM[name]
        if not (math.isfinite(value) and low <= value <= high):
            raise ValueError(
                f"{_WORDS[name]} is {low:.0f} to {high:.0f} mm, not {value:g}. Measure it again."
            )
    if all(math.isclose(getattr(profile, name), value) for name, value in given.items()):
        return profile
    try:
        return replace(profile, cube_mm=cube_mm, hole_mm=hole_mm, pitch_mm=pitch_mm, missed=())
    except ProfileError as fault:
        raise ValueError(f"Measure cube and hole again: {fault}") from fault


def check(profile: TowerProfile) -> Width:
    """Say whether every cube is seen at the entry, and what to do if not."""
    cube, hole = profile.cube_mm, profile.hole_mm
    single = 2 * cube - 0.2 * BEAM_MM
    pair = (2 + 2 * PAIR_OFFSET) * cube - 0.2 * BEAM_MM
    beams = len(profile.plates.get(ENTRY_PLATE, ()))
    text = (
        f"One beam through the middle sees every {cube:g} mm cube in holes below {single:g} mm, "
        f"a pair in holes below {pair:g} mm. Yours is {hole:g} mm."
    )
    missed = geometric_miss(cube, hole, max(beams, 1))
    passings = tuple(_passing(profile, plate) for plate in range(ENTRY_PLATE, -1, -1))
    if beams == 0:
        remedy = "There is no beam at the entry: counting by ear alone is unsure. Wire one as `entry`."
    elif missed <= _SEES_ALL:
        return Width(True, single, pair, passings, f"{text} Every cube breaks the beam.", "")
    else:
        text += f" About {missed:.0%} of the cubes would not be seen.".replace("%", " %")
        remedy = _remedy(cube, hole, beams)
    return Width(False, single, pair, passings, text, remedy)


def _remedy(cube: float, hole: float, beams: int) -> str:
    funnel = math.floor(2 * cube - 0.2 * BEAM_MM - 0.01)
    if beams > 1:
        return f"Put a funnel of {funnel} mm or less over the roof: even two beams leave gaps in this hole."
    if geometric_miss(cube, hole, 2) <= _SEES_ALL:
        return (
            f"Put a funnel of {funnel} mm or less over the roof, or a second beam beside the first: each "
            f"{PAIR_OFFSET * cube:.1f} mm from the middle of the hole (entry_b in companion.toml)."
        )
    return f"Put a funnel of {funnel} mm or less over the roof: not even two beams see the whole hole."


def _passing(profile: TowerProfile, plate: int) -> Passing:
    depth_m = (RELEASE_MM + (ENTRY_PLATE - plate) * profile.pitch_mm) / 1000
    after_s = math.sqrt(2 * depth_m / GRAVITY)
    at_roof_s = math.sqrt(2 * RELEASE_MM / 1000 / GRAVITY)
    speed = GRAVITY * after_s
    beams = len(profile.plates.get(plate, ()))
    missed = profile.miss(plate) if beams else 1.0
    return Passing(plate, after_s, after_s - at_roof_s, profile.cube_mm / 1000 / speed, beams, missed)


def told(width: Width) -> dict[str, object]:
    """Put it as data for pages and scripts: times in milliseconds, shares in per cent."""
    return {
        "safe": width.safe,
        "single_mm": round(width.single_mm, 2),
        "pair_mm": round(width.pair_mm, 2),
        "text": width.text,
        "remedy": width.remedy,
        "plates": [
            {
                "plate": one.plate,
                "line": "entry" if one.plate == ENTRY_PLATE else f"floor{one.plate}",
                "entry_ms": round(one.entry_s * 1000),
                "broken_ms": round(one.broken_s * 1000, 1),
                "beams": one.beams,
                "missed": round(100 * one.missed, 1) if one.beams else None,
            }
            for one in width.passings
        ],
    }
