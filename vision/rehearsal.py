"""The rehearsal table: a tray with dice that exists only as pictures, driven from the page.

It is a `Camera` like any other, so everything behind it is the real path.
"""

import random
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from companion.rules.events import PIPS, DieFace
from vision.camera import CameraState
from vision.frames import Frame
from vision.rehearsalfloor import floor_picture
from vision.rendered import FACES, Picture, draw_die, draw_hand, felt, grain, lit

SIZE_PX = (960, 720)
SIDE_PX = 66.0

INTERVAL_S = 1 / 15
IDLE_INTERVAL_S = 0.5
"""Between two pictures while something happens, and while nothing does."""

LIVELY_S = 1.5
"""So long after the last change pictures still come at the fast rate: readers want several."""

TUMBLE_S = (0.45, 0.65)
"""How long a die rolls."""

HAND_S = 0.25
"""How long a hand takes to come in or leave."""

_FACE_S = 0.07
_OPPOSITE = {"1": "6", "2": "5", "3": "4", "4": "3", "5": "2", "6": "1"}


@dataclass(frozen=True, slots=True)
class Lying:
    """A die on the tray. Lengths in px, angle in degrees, ``landed`` in monotonic seconds.

    Until ``landed`` it is on its way from ``start`` (x, y, angle), which it left at ``thrown``.
    ``leaning``: the second face that a die standing on its edge shows.
    """

    kind: str
    face: str
    x: float
    y: float
    angle: float
    start: tuple[float, float, float] = (0.0, 0.0, 0.0)
    thrown: float = 0.0
    landed: float = 0.0
    leaning: str = ""

    @property
    def shown(self) -> DieFace:
        """What it shows once it lies."""
        return DieFace(self.kind, self.face)


class RehearsalTray:
    """A rendered tray. Thread-safe; every command takes effect with the next picture."""

    def __init__(
        self,
        kinds: Iterable[tuple[str, int]] = (("white", 7), ("coloured", 1)),
        *,
        chance: random.Random,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._chance = chance
        self._monotonic = monotonic
        self._changed = threading.Condition(threading.RLock())
        self._closed = False
        self._felt = felt(*SIZE_PX)
        self._grain = grain(*SIZE_PX)
        self._resting: tuple[tuple[Lying, ...], Picture] = ((), self._felt)
        self._tower: Picture | None = None
        self._lamp = 1.0
        self._hand = (False, float("-inf"))
        self._lively_until = float("-inf")
        self._dice: tuple[Lying, ...] = ()
        self.lay(kinds)

    @property
    def state(self) -> CameraState:
        return CameraState.CLOSED if self._closed else CameraState.LIVE

    @property
    def dice(self) -> tuple[Lying, ...]:
        """The dice in the order in which commands number them."""
        return self._dice

    def start(self) -> None:
        """Do nothing: pictures are drawn when asked for."""

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    def latest(self, after: float, wait_s: float) -> Frame | None:
        with self._changed:
            now_s = self._monotonic()
            give_up_s = now_s + wait_s
            while not self._closed:
                due_s = after + (INTERVAL_S if after < self._lively_until else IDLE_INTERVAL_S)
                if now_s >= due_s and now_s > after:
                    return self.frame(now_s)
                if now_s >= give_up_s:
                    return None
                self._changed.wait(min(due_s, give_up_s) - now_s)
                now_s = self._monotonic()
            return None

    def frame(self, at: float) -> Frame:
        """Draw the tray as it is at ``at`` (monotonic seconds)."""
        with self._changed:
            picture = (self._rested(at) if self._tower is None else self._tower).copy()
            for die in self._dice if self._tower is None else ():
                if at < die.landed:
                    _draw_rolling(picture, die, at)
            reach = self._reach(at)
            if reach > 0:
                draw_hand(picture, reach)
            image = lit(picture, self._lamp, self._grain, round(at / INTERVAL_S))
            return Frame(image=image, at=at, source="rehearsal")

    def lay(self, kinds: Iterable[tuple[str, int]]) -> None:
        """Take all dice off and lay these (kind, how many), each with a face of chance."""
        with self._changed:
            self._dice = ()
            for kind in [kind for kind, n in kinds for _ in range(n)]:
                x, y = self._free_place(self._dice)
                die = Lying(kind, self._chance.choice(_faces(kind)), x, y, self._chance.uniform(0, 360))
                self._dice = (*self._dice, die)
            self._touch(0.0)

    def throw(self, faces: Sequence[str] | None = None, *, hold: Iterable[int] = ()) -> None:
        """Throw all dice but those held, by number. ``faces``: what the thrown ones show, in order."""
        with self._changed:
            held = set(hold)
            self._check(held)
            thrown = [n for n in range(len(self._dice)) if n not in held]
            known = [_faces(self._dice[n].kind) for n in thrown]
            shown = list(faces) if faces is not None else [self._chance.choice(some) for some in known]
            if len(shown) != len(thrown) or any(
                face not in some for face, some in zip(shown, known, strict=True)
            ):
                raise ValueError(
                    f"{len(thrown)} dice are thrown; give as many faces that they have, not {shown}."
                )
            dice = list(self._dice)
            lying = [dice[n] for n in sorted(held)]
            for n, face in zip(thrown, shown, strict=True):
                dice[n] = self._thrown(dice[n], face, lying)
                lying.append(dice[n])
            self._dice = tuple(dice)
            self._touch(TUMBLE_S[1])

    def expose(self, cubes: Iterable[str], floor: int) -> None:
        """Show the tower instead of the dice, lifted off ``floor`` (0 to 8: closed), cubes lying on it.

        Raises ValueError for a colour or a floor that there is not.
        """
        picture = floor_picture(tuple(cubes), floor, SIZE_PX, self._chance)
        with self._changed:
            self._tower = picture
            self._touch(0.0)

    def clear_tower(self) -> None:
        """Take the tower away; the dice lie there as before."""
        with self._changed:
            self._tower = None
            self._touch(0.0)

    def nudge(self, number: int) -> None:
        """Push a die by a good third of its side; it keeps its face."""
        with self._changed:
            self._check({number})
            die = self._dice[number]
            step = SIDE_PX * 0.4 * (1 if die.x < SIZE_PX[0] / 2 else -1)
            self._move(number, replace(die, x=die.x + step, angle=die.angle + 12), 0.2)

    def cocked(self, number: int) -> None:
        """Stand a die on its edge, so that it shows two faces."""
        with self._changed:
            self._check({number})
            die = self._dice[number]
            hidden = (die.face, _OPPOSITE.get(die.face))
            others = [face for face in _faces(die.kind) if face not in hidden]
            self._move(number, replace(die, leaning=self._chance.choice(others)), 0.0)

    def remove(self, number: int) -> None:
        """Take a die off the tray; those after it move up by one number."""
        with self._changed:
            self._check({number})
            self._dice = self._dice[:number] + self._dice[number + 1 :]
            self._touch(0.0)

    def cover(self, covered: bool) -> None:
        """Hold a hand over the tray, or take it away."""
        with self._changed:
            if covered != self._hand[0]:
                self._hand = (covered, self._monotonic())
                self._touch(HAND_S)

    def lamp(self, level: float) -> None:
        """Dim or brighten the lamp: 0 is out, 1 is normal, at most 2."""
        if not 0 <= level <= 2:
            raise ValueError(f"The lamp goes from 0 to 2, not {level}.")
        with self._changed:
            self._lamp = level
            self._touch(0.0)

    def _check(self, numbers: set[int]) -> None:
        odd = sorted(n for n in numbers if not 0 <= n < len(self._dice))
        if odd:
            raise ValueError(
                f"There is no die number {odd[0]}; they are numbered 0 to {len(self._dice) - 1}."
            )

    def _touch(self, lasts_s: float) -> None:
        self._lively_until = self._monotonic() + lasts_s + LIVELY_S
        self._changed.notify_all()

    def _thrown(self, die: Lying, face: str, lying: Sequence[Lying]) -> Lying:
        x, y = self._free_place(lying)
        now_s = self._monotonic()
        start = (
            SIZE_PX[0] + SIDE_PX,
            self._chance.uniform(0.2, 0.8) * SIZE_PX[1],
            self._chance.uniform(-720, 720),
        )
        landed = now_s + self._chance.uniform(*TUMBLE_S)
        return Lying(die.kind, face, x, y, self._chance.uniform(0, 360), start, now_s, landed)

    def _move(self, number: int, die: Lying, lasts_s: float) -> None:
        before, now_s = self._dice[number], self._monotonic()
        moved = replace(die, start=(before.x, before.y, before.angle), thrown=now_s, landed=now_s + lasts_s)
        self._dice = (*self._dice[:number], moved, *self._dice[number + 1 :])
        self._touch(lasts_s)

    def _free_place(self, lying: Sequence[Lying]) -> tuple[float, float]:
        """Find a place where a die touches no other; with ever less room if the tray is crowded."""
        room = 2.0 * SIDE_PX
        while True:
            for _ in range(60):
                x = self._chance.uniform(1.2 * SIDE_PX, SIZE_PX[0] - 1.2 * SIDE_PX)
                y = self._chance.uniform(1.2 * SIDE_PX, SIZE_PX[1] - 1.2 * SIDE_PX)
                if all((x - o.x) ** 2 + (y - o.y) ** 2 > room**2 for o in lying):
                    return x, y
            room *= 0.9

    def _rested(self, at: float) -> Picture:
        """Return felt and resting dice, drawn anew only when other dice rest."""
        resting = tuple(die for die in self._dice if at >= die.landed)
        if resting != self._resting[0]:
            picture = self._felt.copy()
            for die in resting:
                draw_die(
                    picture, die.kind, die.face, (die.x, die.y), die.angle, SIDE_PX, leaning=die.leaning
                )
            self._resting = (resting, picture)
        return self._resting[1]

    def _reach(self, at: float) -> float:
        covered, since = self._hand
        gone = min(max((at - since) / HAND_S, 0.0), 1.0)
        return gone if covered else 1.0 - gone


def _faces(kind: str) -> tuple[str, ...]:
    return FACES.get(kind, PIPS)


def _draw_rolling(picture: Picture, die: Lying, at: float) -> None:
    """Draw a die on its way: fast at first, showing another face every few hundredths of a second."""
    part = min(max((at - die.thrown) / (die.landed - die.thrown), 0.0), 1.0)
    done = 1 - (1 - part) ** 2
    x = die.start[0] + (die.x - die.start[0]) * done
    y = die.start[1] + (die.y - die.start[1]) * done
    angle = die.start[2] + (die.angle - die.start[2]) * done
    tumbling = abs(die.start[0] - die.x) > SIDE_PX and part < 0.85
    turn = int((at - die.thrown) / _FACE_S)
    faces = _faces(die.kind)
    face = faces[(turn * 5 + faces.index(die.face) + 1) % len(faces)] if tumbling else die.face
    draw_die(picture, die.kind, face, (x, y), angle, SIDE_PX, leaning=die.leaning)
