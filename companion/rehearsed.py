"""The rehearsed table: a tray that exists only in pictures, a tower that only falls by the model.

Beside `companion.devices` it may see ``vision`` and ``hardware`` (see DECISIONS.md).
"""

import random
import secrets
import threading
from collections import Counter
from collections.abc import Iterable, Mapping

from companion.rules.events import PIPS, DiceExpected, DieFace
from companion.rules.game import Expected
from companion.table import Table
from hardware.rehearsal import TWO_S, RehearsedTower
from vision.cubeheads import COLOURS
from vision.rehearsal import RehearsalTray
from vision.rendered import FACES

REHEARSED = ("entry", "entry_b", "floor5", "floor5_b", "floor2", "floor2_b")
"""The beams of the rehearsed tower; it has a microphone, too."""

_TOWER = {
    "drop": "cube dropped",
    "drop two": "two cubes dropped",
    "hand": "hand in the shaft",
    "lift": "floor lifted",
    "bump": "bumped",
    "speak": "spoken over",
    "block": "beam blocked",
    "clear": "beam clear",
    "rattle": "wire rattled",
    "deaf": "microphone unplugged",
    "cut": "wire cut",
}
"""What can be done at the rehearsed tower, and what it is called afterwards."""


class Rehearsal:
    """The web's port to the rehearsed table: a rendered tray and simulated lines."""

    def __init__(self, table: Table) -> None:
        chance = random.SystemRandom()
        self.tray = RehearsalTray(chance=chance)
        self.lines = RehearsedTower(REHEARSED, chance=chance)
        self._table = table
        self._doing = "at rest"
        self._tower = "quiet"
        self._lamp = 1.0
        self._open: int | None = None
        self._taking: int | None = None
        self._before: Counter[str] = Counter()
        self._dropped: Counter[str] = Counter()

    def follow(self, stop: threading.Event) -> None:
        """Lift the floors that the game says are lifted, until told to stop."""
        version = -1
        while not stop.is_set():
            snapshot = self._table.wait(version, 0.5)
            if snapshot.version != version:
                version = snapshot.version
                self.attend(snapshot.expected)

    def attend(self, expected: Expected) -> None:
        """Do with the tower what hands at the table would: lift and show a floor, take its cubes out."""
        left = Counter(dict(expected.cubes))
        self._dropped -= self._before - left  # a cube named is one in the hand no more
        self._before = left
        floor = expected.seen.floor if expected.seen else None
        if floor == self._open:
            pass
        elif floor is None:
            self.tray.clear_tower()
            self._taking, self._open = self._open, None
        else:
            self._open, self._taking = floor, None
            self.lines.lift(floor)
            self.tray.expose([cube for cube in self.lines.cubes(floor) if cube in COLOURS], floor)
        if self._taking is not None and left:
            self.lines.take(self._taking)
            self._taking = None

    def throw(self, held: tuple[int, ...] = ()) -> None:
        """Throw the dice that the game waits for; those held stay, as well as those at ``held``."""
        expected = self._table.snapshot().expected.dice
        stay = set(held)
        if expected is not None:
            lying = [die.shown for die in self.tray.dice]
            if Counter(die.kind for die in lying) != Counter(dict(expected.kinds)):
                self.tray.lay(expected.kinds)
                lying = [die.shown for die in self.tray.dice]
            stay |= set(_places(lying, expected))
        self.tray.throw(hold=stay)
        self._doing = "thrown"

    def show(self, kind: str, face: str) -> bool:
        """Lay three dice of a kind that show a face, as somebody who teaches them does."""
        if face not in FACES.get(kind, PIPS):
            return False
        self.tray.lay(((kind, 3),))
        self.tray.throw([face] * 3)
        self._doing = f"showing {face}"
        return True

    def nudge(self) -> None:
        """Push one die a little."""
        self.tray.nudge(secrets.randbelow(len(self.tray.dice)))
        self._doing = "nudged"

    def cover(self, on: bool) -> None:
        """Hold a hand over the tray, or take it away."""
        self.tray.cover(on)
        self._doing = "covered" if on else "at rest"

    def lamp(self, level: float) -> None:
        """Dim the lamp, 0 to 1."""
        self.tray.lamp(level)
        self._lamp = level

    def tower(self, do: str, colour: str = "") -> None:
        """Do something at the rehearsed tower. Raises ValueError for what its lines cannot rehearse.

        A cube that drops is of the ``colour`` given, or else one of those that the game waits for.
        """
        if do not in _TOWER:
            raise ValueError(f"The rehearsed tower does not know {do!r} yet.")
        self._tower = _TOWER[do]
        if do in {"drop", "drop two"}:
            cubes = [colour or self._next() for _ in range(2 if do == "drop two" else 1)]
            for n, cube in enumerate(cubes):
                self.lines.drop(later_s=n * TWO_S, cube=cube)
            self._tower = f"{' and '.join(filter(None, cubes)) or 'cube'} dropped"
        else:
            getattr(self.lines, do)()

    def sound(self) -> bytes | None:
        """What ears at the table hear of the cubes dropped last, as a WAV file; None before the first."""
        return self.lines.heard()

    def state(self) -> Mapping[str, str]:
        """What is rehearsed now."""
        lamp, dice = f"{self._lamp:.0%}", str(len(self.tray.dice))
        return {"tray": self._doing, "lamp": lamp, "dice": dice, "tower": self._tower}

    def _next(self) -> str:
        """Take the next cube that is to be thrown into the hand; empty if the game waits for none."""
        left = Counter(dict(self._table.snapshot().expected.cubes)) - self._dropped
        colour = next(iter(left), "")
        self._dropped[colour] += bool(colour)
        return colour


def _places(lying: Iterable[DieFace], expected: DiceExpected) -> Iterable[int]:
    """Where the held dice lie among those on the tray."""
    wanted = Counter(expected.held)
    for place, die in enumerate(lying):
        if wanted[die]:
            wanted[die] -= 1
            yield place
