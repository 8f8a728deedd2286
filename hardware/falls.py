"""What there is to tell of a cube's way through the tower: plates passed, impacts, where it lies. Pure."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from hardware.worlds import FLOORS, Pair

Kind = Literal["rim", "landing", "wall"]


@dataclass(frozen=True, slots=True)
class Pass:
    """A cube through the hole of a plate: ``at`` seconds after its entry at the roof.

    ``offset_mm`` is how far its centre is from the hole's: x across the beams, y along them; ``speed`` m/s.
    """

    plate: int
    at: float
    offset_mm: Pair
    speed: float


@dataclass(frozen=True, slots=True)
class Impact:
    """A cube against something: ``at`` seconds after its entry, before it where it met the roof.

    ``plate`` 7 to 0 or `TABLE`: what it fell on, for a wall what is below. ``speed`` is the cube's,
    ``strength`` the part of it that sounds (S7), both m/s. ``place_mm``: x, y and height above the table.
    """

    at: float
    plate: int
    speed: float
    kind: Kind
    strength: float
    place_mm: tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Fall:
    """One cube's way: it passed every plate from 7 down to ``floor``, in this order, and lies there.

    ``released`` (negative) and ``rested`` are seconds after the entry. ``knocked`` are cubes that lay
    in its way and were pushed on, each with its own passes and impacts on the same clock; these
    begin at plate ``lay - 1``, where the cube lay.
    """

    floor: int
    lay: int
    released: float
    rested: float
    passes: tuple[Pass, ...]
    impacts: tuple[Impact, ...]
    knocked: tuple["Fall", ...] = ()

    @property
    def moving(self) -> tuple["Fall", ...]:
        """This cube and all that it set moving, directly or not."""
        return (self, *(fall for other in self.knocked for fall in other.moving))

    @property
    def sounding(self) -> tuple[Impact, ...]:
        """Every impact of this cube and of those it set moving, in order of time."""
        return tuple(sorted((impact for fall in self.moving for impact in fall.impacts), key=when))


def settled(occupied: Sequence[int], fallen: Fall) -> list[int]:
    """How many cubes lie on floors 0 to 7 when a fall is over, the one that fell among them."""
    lying = list(occupied)
    for cube in fallen.moving:
        lying[cube.floor] += 1
        if cube.lay < FLOORS:
            lying[cube.lay] -= 1
    return lying


def shifted(own: Fall, by: float) -> Fall:
    """Put a fall and all that it set moving on a clock that is ``by`` seconds ahead."""
    return replace(
        own,
        released=own.released + by,
        rested=own.rested + by,
        passes=tuple(replace(one, at=one.at + by) for one in own.passes),
        impacts=tuple(replace(one, at=one.at + by) for one in own.impacts),
        knocked=tuple(shifted(other, by) for other in own.knocked),
    )


def when(impact: Impact) -> float:
    """Order impacts by their time."""
    return impact.at
