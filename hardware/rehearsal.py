"""The rehearsed tower: cubes, hands, bumps and loose wires, as its lines and its microphone give them."""

import random
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from hardware.falls import Fall
from hardware.noises import noise
from hardware.physics import fall
from hardware.rehearsed_ears import RATE as EARS_RATE
from hardware.rehearsed_ears import heard
from hardware.rehearsed_lines import ENTRY, RehearsedLines
from hardware.rehearsed_sound import RehearsedMicrophone
from hardware.synthesis import RATE, Voice
from hardware.traces import Drop, drop_spans, line_name, noise_spans, sensed
from hardware.worlds import FLOORS, WORLDS, World

TWO_S: Final = 0.15
"""How far apart two cubes are let go by `RehearsedTower.drop_two`."""

KEPT: Final = 2000
"""So many drops are remembered: an evening has some hundreds."""

_TRIES: Final = 2000


class RehearsedTower(RehearsedLines):
    """Its lines are an `EdgeSource`, its ``microphone`` is a `SoundSource`; both are driven from the page.

    ``lines`` may be beams (``entry``, ``floor5``, ``floor5_b``) and ``mic``, a threshold sound module.
    What a cube does comes out over the second after it was dropped. ``chance`` seeds everything.
    """

    def __init__(
        self,
        lines: tuple[str, ...] = (ENTRY,),
        *,
        chance: random.Random,
        world: World = WORLDS["BASE"],
        rate: int = RATE,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(lines, monotonic=monotonic)
        seeds = [chance.getrandbits(64) for _ in range(6)]
        rngs = [np.random.default_rng(seed) for seed in seeds]
        self.microphone = RehearsedMicrophone(rngs[0], rate, monotonic=monotonic)
        self._voice = Voice(rngs[1], rate)
        self._seed = seeds[1]
        self._rng, self._disturbing, self._senses = rngs[2], rngs[3], (rngs[4], rngs[5])
        self._world = world
        self._plates = [plate for plate in range(FLOORS) if line_name(plate) in lines]
        self._pairs = [plate for plate in self._plates if line_name(plate, second=True) in lines]
        # Apart from that of the lines: while a long sound is made, edges go on coming.
        self._doing = threading.Lock()
        self._lying: list[list[str]] = [[] for _ in range(FLOORS)]
        self._drops: deque[Drop] = deque(maxlen=KEPT)

    def drop(self, floor: int | None = None, *, later_s: float = 0.0, cube: str = "") -> None:
        """Let a cube go above the roof now, or ``later_s`` seconds later.

        ``floor``: the one on which it shall come to rest, 0 to 7; otherwise chance decides. ``cube`` is
        what `cubes` calls it. Raises ValueError for a floor that it does not reach.
        """
        with self._doing:
            fallen = self._fall(floor)
            self._settle(fallen, cube)
            at = self._monotonic() + later_s - fallen.released
            one = sensed(self._world, fallen, at, self._senses, self._plates, paired=self._pairs)
            self._drops.append(one)
        self.add(drop_spans(one))
        for sound in one.sounds:
            self.microphone.play(at + sound.at, partial(self._voice.impact, sound))

    def drop_two(self, gap_s: float = TWO_S) -> None:
        """Let two cubes go, one shortly after the other."""
        self.drop()
        self.drop(later_s=gap_s)

    def hand(self) -> None:
        """Reach into the shaft."""
        self._disturb("hand")

    def lift(self, floor: int | None = None) -> None:
        """Lift a floor, 0 to 7, and all above it; any but the lowest unless told. No cube is taken out."""
        self._disturb("lift", floor=floor)

    def bump(self) -> None:
        """Bump the table."""
        self._disturb("bump")

    def knock(self) -> None:
        """Knock on the table with the knuckles."""
        self._disturb("knock")

    def speak(self, seconds: float = 3.0) -> None:
        """Talk beside the tower."""
        self._disturb("speech", seconds=seconds)

    def deaf(self) -> None:
        """Unplug the microphone until `clear` without a name."""
        self.microphone.unplug()

    def clear(self, line: str | None = None) -> None:
        """Take out what was held in a beam; without its name, put right all beams, wires and microphone."""
        super().clear(line)
        if line is None:
            self.microphone.plug_in()

    def take(self, floor: int) -> int:
        """Take all cubes off a lifted floor, 0 to 7; return how many lay there."""
        with self._doing:
            number, self._lying[floor] = len(self._lying[floor]), []
            return number

    def cubes(self, floor: int) -> tuple[str, ...]:
        """Name the cubes that lie on a floor, 0 to 7, as they were dropped. As secret as `fallen`."""
        with self._doing:
            return tuple(self._lying[floor])

    def heard(self) -> bytes | None:
        """Return a WAV file of what ears hear of the cubes let go last; None before the first."""
        with self._doing:
            drops = tuple(self._drops)[-2:]
        return heard(drops, Voice(np.random.default_rng(self._seed), EARS_RATE))

    def fallen(self) -> tuple[Drop, ...]:
        """Every drop with its path, in order. The game's secret: for training and after the end only."""
        with self._doing:
            return tuple(self._drops)

    def lying(self) -> tuple[int, ...]:
        """How many cubes lie on floors 0 to 7. As secret as `fallen`."""
        with self._doing:
            return tuple(map(len, self._lying))

    def _settle(self, fallen: Fall, cube: str) -> None:
        names = [cube]
        for other in fallen.moving[1:]:
            there = self._lying[other.lay]
            names.append(there.pop(int(self._rng.integers(len(there)))))
        for one, name in zip(fallen.moving, names, strict=True):
            self._lying[one.floor].append(name)

    def _fall(self, floor: int | None) -> Fall:
        if floor is not None and not 0 <= floor < FLOORS:
            raise ValueError(f"There is no floor {floor}; there are 0 to 7.")
        for _ in range(_TRIES):
            fallen = fall(self._world, self._rng, [len(there) for there in self._lying])
            if floor in {None, fallen.floor}:
                return fallen
        raise ValueError(f"In this tower hardly any cube comes to rest on floor {floor}; name another.")

    def _disturb(self, kind: str, *, seconds: float = 0.0, floor: int | None = None) -> None:
        rate = self.microphone.rate
        with self._doing:
            any_floor = int(self._disturbing.integers(1, FLOORS))
            which = any_floor if floor is None else floor
            made = noise(kind, self._disturbing, rate, seconds=seconds, place=which)
        at = self._monotonic()  # making a long sound takes a while: it begins when it is made
        self.add(noise_spans(at, made, rate))
        self.microphone.play(at, made.sound)


RehearsalLines = RehearsedTower
"""The older name."""
