"""How a cube falls through the tower: a model to rehearse, test and learn with. Pure, seeded by its caller.

The model is a specification in eighteen points, S1 to S18; every constant names its point. S1 to S4
are in `hardware.worlds`, S5 to S9 and the knocking off of S18 are here, what beams see of a fall
(S17) is in `hardware.beams`, what is heard of it (S10 to S16) in `hardware.acoustics` and
`hardware.synthesis`. Nothing of it is measured on a real tower: it says what is plausible, and a
reader must stand towers unlike it.

Inside, lengths are metres and speeds metres a second; whatever is in millimetres says so in its name.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from hardware.falls import Fall, Impact, Kind, Pass, shifted, when
from hardware.worlds import FLOORS, ROOF, TABLE, World, half_width_mm, height_mm

GRAVITY: Final = 9.81
"""S6, m/s2."""

ROUNDNESS: Final = (1.0, 1.25)
"""S3: the effective radius is half the cube's side times this, depending on how it is turned."""

RELEASE_MM: Final = (5.0, 30.0)
RELEASE_OFFSET_MM: Final = 2.5
RELEASE_LATERAL: Final = 0.05
RELEASE_VERTICAL: Final = 0.10
"""S5: height over the roof; standard deviations of the offset, and of both speeds in m/s."""

WALL_FACTOR: Final = 0.5
WALL_SOUND: Final = 0.1
"""S6: what a wall leaves of the speed, and the speed in m/s above which it sounds."""

RIM_REACH: Final = 0.3
"""S7, S8: the part of the radius by which a rim reaches out, and a bounce must be inside to fall in."""

RIM_STRENGTH: Final = (0.4, 1.0)
RIM_IN_OUTSIDE: Final = 0.15
RIM_SLOWED: Final = (0.05, 0.5)
RIM_DELAY_S: Final = (0.003, 0.030)
RIM_BACK: Final = 0.3
RIM_SPREAD: Final = 0.12
"""S7: sound; chance of going in with the centre beside the hole (over it: the world's); what follows."""

RESTITUTION: Final = (0.35, 0.09)
RESTITUTION_LIMITS: Final = (0.1, 0.7)
RESTITUTION_TABLE: Final = 0.08
BOUNCE_LATERAL: Final = 0.30
STOP: Final = 0.07
"""S8: mean and spread of e, its limits, what the table adds; sideways part; the last speed in m/s."""

FRICTION: Final = 0.45
SLIDE_IN: Final = 0.7
SLIDE_DELAY_S: Final = (0.020, 0.120)
"""S9."""

KNOCKED: Final = 0.03
"""S18: the chance that a landing among lying cubes pushes one of them on."""


def fall(world: World, rng: np.random.Generator, occupied: Sequence[int] | None = None) -> Fall:
    """Let a cube go above the roof until it lies on a floor 0 to 7.

    A cube that stays on the roof is taken up and let go again: it was never thrown. ``occupied``:
    how many cubes lie on floors 0 to 7; these may be knocked off (S18).
    """
    lying = list(occupied) if occupied is not None else [0] * FLOORS
    while True:
        cube = _Cube(world, rng, lying)
        cube.release()
        floor = cube.run(ROOF)
        if floor <= ROOF:
            return cube.told(floor, lay=FLOORS)


@dataclass(slots=True)
class _Cube:
    """A cube on its way. ``place`` and ``lateral`` are x, y in m and m/s, ``down`` is its speed down."""

    world: World
    rng: np.random.Generator
    lying: list[int]
    at: float = 0.0
    place: list[float] = field(default_factory=lambda: [0.0, 0.0])
    lateral: list[float] = field(default_factory=lambda: [0.0, 0.0])
    down: float = 0.0
    radius: float = 0.0
    height: float = 0.0
    passes: list[Pass] = field(default_factory=list)
    impacts: list[Impact] = field(default_factory=list)
    knocked: list[Fall] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.radius = self.world.cube_mm / 2000 * self.rng.uniform(*ROUNDNESS)

    @property
    def half_hole(self) -> float:
        return self.world.hole_mm / 2000

    def release(self) -> None:
        """S5: out of a hand above the roof."""
        rng = self.rng
        self.place = [rng.normal(0, RELEASE_OFFSET_MM / 1000) for _ in range(2)]
        self.lateral = [rng.normal(0, RELEASE_LATERAL) for _ in range(2)]
        self.down = abs(rng.normal(0, RELEASE_VERTICAL))
        self.height = height_mm(ROOF) / 1000 + rng.uniform(*RELEASE_MM) / 1000
        self._descend(ROOF)

    def run(self, plate: int) -> int:
        """Meet that plate and all below until it lies; return the floor, 8 for the roof."""
        for met in range(plate, TABLE - 1, -1):
            if met == TABLE or not self._through(met):
                if met == TABLE:
                    self._land(TABLE)
                return met + 1
            self._descend(met - 1)
        raise AssertionError("nothing falls through the table")

    def slip(self, plate: int) -> int:
        """Begin again as a cube that lay on a plate and was pushed into its hole; return its floor."""
        self.height = height_mm(plate) / 1000
        self.at += self.rng.uniform(*SLIDE_DELAY_S)
        spread = self.half_hole - self.radius
        self.place = [m / 1000 + self.rng.uniform(-spread, spread) for m in self.world.offsets_mm[plate]]
        self._pass(plate, 0.0)
        self._descend(plate - 1)
        return self.run(plate - 1)

    def told(self, floor: int, *, lay: int) -> Fall:
        """Sum up, on the clock that begins with the entry."""
        own = Fall(
            floor, lay, 0.0, self.at, tuple(self.passes), tuple(sorted(self.impacts, key=when)),
            tuple(self.knocked),
        )  # fmt: skip
        return shifted(own, -self.passes[0].at) if lay == FLOORS else own

    def _through(self, plate: int) -> bool:
        """S7: clean, or over the rim, or by way of the plate; False if it stays there."""
        m = self._off(plate)
        if m < self.half_hole - self.radius:
            self._pass(plate, self.down)
            return True
        if m < self.half_hole + RIM_REACH * self.radius:
            self._sound(plate, self.down, "rim", self.down * self.rng.uniform(*RIM_STRENGTH))
            chance = self.world.rim_in if m < self.half_hole else RIM_IN_OUTSIDE
            if self.rng.random() < chance:
                self._over_rim(plate)
                return True
        return self._land(plate)

    def _over_rim(self, plate: int) -> None:
        """S7: slower, later, and thrown back from the side it met."""
        speed = self.down * self.rng.uniform(*RIM_SLOWED)
        off = self._from_centre(plate)
        met = 0 if abs(off[0]) >= abs(off[1]) else 1
        self.lateral = [self.rng.normal(0, RIM_SPREAD * speed) for _ in range(2)]
        self.lateral[met] -= math.copysign(RIM_BACK * speed, off[met])
        self.at += self.rng.uniform(*RIM_DELAY_S)
        self._pass(plate, speed)

    def _land(self, plate: int) -> bool:
        """S8, S9: bounce, slide; True if it falls in at last."""
        self._knock(plate)
        rng = self.rng
        while True:
            self._sound(plate, self.down, "landing", self.down)
            e = float(np.clip(rng.normal(*RESTITUTION), *RESTITUTION_LIMITS))
            up = self.down * (e + (RESTITUTION_TABLE if plate == TABLE else 0.0))
            self.lateral = [v + rng.normal(0, BOUNCE_LATERAL * self.down) for v in self.lateral]
            if up < STOP:
                return self._slide(plate)
            self.down = up
            self._fly(2 * up / GRAVITY, plate)
            if plate != TABLE and self._off(plate) < self.half_hole - RIM_REACH * self.radius:
                self._pass(plate, self.down)
                return True

    def _slide(self, plate: int) -> bool:
        """S9."""
        speed = math.hypot(*self.lateral)
        seconds = speed / (FRICTION * GRAVITY)
        far = self._limit(plate)
        end = [
            min(max(p + v * seconds / 2, -far), far) for p, v in zip(self.place, self.lateral, strict=True)
        ]
        crosses = plate != TABLE and self._crosses(plate, end)
        if crosses and self.rng.random() < SLIDE_IN:
            self.at += self.rng.uniform(*SLIDE_DELAY_S)
            self.lateral = [0.0, 0.0]
            self._pass(plate, 0.0)
            return True
        self.at += seconds
        self.place, self.lateral, self.down = end, [0.0, 0.0], 0.0
        return False

    def _crosses(self, plate: int, end: Sequence[float]) -> bool:
        """Whether the straight way from here to ``end`` touches the square hole."""
        centre = [m / 1000 for m in self.world.offsets_mm[plate]]
        first, last = 0.0, 1.0
        for start, stop, middle in zip(self.place, end, centre, strict=True):
            step, low, high = stop - start, middle - self.half_hole, middle + self.half_hole
            if step == 0.0:
                if not low <= start <= high:
                    return False
                continue
            near, far = sorted(((low - start) / step, (high - start) / step))
            first, last = max(first, near), min(last, far)
        return first <= last

    def _pass(self, plate: int, speed: float) -> None:
        """Note the way through, the cube held within the hole's sides."""
        room = max(self.half_hole - self.radius, 0.0)
        offset = [min(max(d, -room), room) for d in self._from_centre(plate)]
        middle = self.world.offsets_mm[plate]
        self.place = [d + m / 1000 for d, m in zip(offset, middle, strict=True)]
        self.down = speed
        self.passes.append(Pass(plate, self.at, (offset[0] * 1000, offset[1] * 1000), speed))

    def _knock(self, plate: int) -> None:
        """S18: push one of the cubes lying here into the hole."""
        if plate in (TABLE, ROOF) or not self.lying[plate + 1]:
            return
        if self.rng.random() >= KNOCKED:
            return
        self.lying[plate + 1] -= 1
        other = _Cube(self.world, self.rng, self.lying, at=self.at)
        floor = other.slip(plate)
        self.lying[floor] += 1
        self.knocked.append(other.told(floor, lay=plate + 1))

    def _descend(self, plate: int) -> None:
        """S6: fall freely to a plate's height."""
        drop = self.height - height_mm(plate) / 1000
        reached = math.sqrt(self.down**2 + 2 * GRAVITY * drop)
        self._fly((reached - self.down) / GRAVITY, plate)
        self.height -= drop
        self.down = reached

    def _fly(self, seconds: float, below: int) -> None:
        """Move sideways for a while in the box that stands on ``below``, from wall to wall (S6)."""
        for axis in range(2):
            left, far = seconds, self._limit(below)
            while abs(self.place[axis] + self.lateral[axis] * left) > far:
                speed = self.lateral[axis]
                hit = (math.copysign(far, speed) - self.place[axis]) / speed
                left -= hit
                self.place[axis] = math.copysign(far, speed)
                self.lateral[axis] = -WALL_FACTOR * speed
                if abs(speed) > WALL_SOUND:
                    self._sound(below, abs(speed), "wall", abs(speed), seconds - left)
            self.place[axis] += self.lateral[axis] * left
        self.at += seconds

    def _sound(self, plate: int, speed: float, kind: Kind, strength: float, later: float = 0.0) -> None:
        x, y = (m * 1000 for m in self.place)
        self.impacts.append(Impact(self.at + later, plate, speed, kind, strength, (x, y, height_mm(plate))))

    def _limit(self, below: int) -> float:
        """How far from the axis the cube's middle can be on that plate; on the roof there is no wall."""
        return math.inf if below == ROOF else half_width_mm(below + 1) / 1000 - self.radius

    def _from_centre(self, plate: int) -> tuple[float, float]:
        x, y = self.world.offsets_mm[plate]
        return self.place[0] - x / 1000, self.place[1] - y / 1000

    def _off(self, plate: int) -> float:
        """S7's m."""
        return max(map(abs, self._from_centre(plate)))
