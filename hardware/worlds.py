"""The towers that can be rehearsed (S1 to S4): measures of cube, holes and boxes, by name. Pure."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

import numpy as np

TABLE: Final = -1
"""The surface below plate 0."""

FLOORS: Final = 8
ROOF: Final = 7
"""The plate in which the cubes are let go; floor F lies on plate F - 1, floor 0 is the table."""

PITCH_MM: Final = 31.25
"""S1: eight floors in 25 cm."""

HALF_WIDTH_MM: Final = 30.0
WIDER_MM: Final = 4.0
"""S4: half the width of the box of floor 7, and how much every lower one adds."""

RIM_IN: Final = 0.35
"""S7: how often a cube on a rim with its centre over the hole goes in."""

Pair = tuple[float, float]


@dataclass(frozen=True, slots=True)
class World:
    """One tower: cube and hole in mm, plates shifted by ``offsets_mm`` (x, y of plate 0 first).

    ``rim_in`` is S7's chance that a cube on a rim goes in; ``offset_mm`` the spread from which the
    shifts of such a tower are drawn (S2). ``lingering`` takes S17 by the letter: a beam stays broken
    for length over speed, however slow the cube is; by default its weight takes it out in time.
    """

    name: str
    cube_mm: float = 8.0
    hole_mm: float = 16.0
    offset_mm: float = 1.0
    rim_in: float = RIM_IN
    offsets_mm: tuple[Pair, ...] = ((0.0, 0.0),) * FLOORS
    lingering: bool = False

    def built(self, rng: np.random.Generator) -> "World":
        """The same tower put together anew: other shifts of its plates (S2)."""
        drawn = rng.normal(0.0, self.offset_mm, (FLOORS, 2))
        return replace(self, offsets_mm=tuple((float(x), float(y)) for x, y in drawn))


def half_width_mm(floor: int) -> float:
    """S4: half the inner width of a floor's box, floor 0 to 7."""
    return HALF_WIDTH_MM + WIDER_MM * (ROOF - floor)


def height_mm(plate: int) -> float:
    """S1: how high above the table a plate is; `TABLE` is 0."""
    return PITCH_MM * (plate + 1)


def _worlds(*worlds: World) -> Mapping[str, World]:
    """Build each once, with the same hands: a tower stays the tower it is for a whole evening."""
    return MappingProxyType({one.name: one.built(np.random.default_rng(_HANDS)) for one in worlds})


_HANDS: Final = 168
"""Of the shifts drawn from seeds 0 to 299 these bring BASE nearest to the floors that S9 reports."""

WORLDS: Final = _worlds(
    World("BASE"),
    World("LOOSE", hole_mm=20.0),
    World("TIGHT", hole_mm=13.0),
    World("JOGGED", offset_mm=3.0),
    World("GROUNDY", rim_in=0.75),
    World("BIG", cube_mm=10.0, hole_mm=18.0),
)
"""The towers of S2, S3 and S7 by name."""
