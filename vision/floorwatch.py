"""Waits for the tower to be lifted off one of its floors, and tells the table what lies on that."""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Protocol

from companion.rules.events import CubesExpected, CubesSeen, Notice, Observation, Seconds
from vision.annotate import cube_evidence, encode_jpeg
from vision.cubes import CubesRead, cube_claims, read_cubes
from vision.follow import Watching
from vision.frames import Image
from vision.glance import Glance
from vision.judgement import RollStatus
from vision.live import LivePicture, Shown
from vision.settle import Grey, Settle, SettleLimits, SettleTimes, Stillness, largest
from vision.tray import TrayProfile

log = logging.getLogger(__name__)

SOURCE = "camera"
CUBES_SOURCE = "cube reader"
"""The source of notices about counting cubes."""

AGREE_S = 0.3
"""Two readings of a floor are at least so far apart."""

DOUBT_S = 1.5
"""So long readings may differ before the commonest goes out as a doubt."""

HAND_S = 6.0
"""So long a hand may cover a part of the floor before what can be seen goes out as a doubt."""

_TIMES = SettleTimes(covered_s=1.5)
"""What comes in from the edge and lies still for so long is the lifted part put down, not a hand."""

_CHANGED = 0.01
"""The share of the picture that looks different once a floor has been lifted."""

_MOVED_SIDES, _OTHER_SIZE = 0.5, 1.15
"""A hole that moved by so many sides, or is so many times as large, is another floor's."""


class CubeReader(Protocol):
    """Counts the cubes in a picture, as `vision.cubes.read_cubes` does."""

    def __call__(
        self, image: Image, expected: CubesExpected | None, *, profile: TrayProfile | None
    ) -> CubesRead:
        """Return what lies there."""


@dataclass(frozen=True, slots=True)
class FloorSeen:
    """What one glance came to: ``read`` if it was read, ``told`` if that is news for the table."""

    watching: Watching
    since: float
    read: CubesRead | None = None
    told: CubesRead | None = None
    sure: bool = False


@dataclass(slots=True)
class FloorFollower:
    """Follows the view while cubes are waited for; knows no thread and no clock.

    What lay there when the waiting began is not what was lifted, unless cubes lie on a floor by then.
    """

    reader: CubeReader = read_cubes
    _settle: Settle | None = None
    _before: tuple[CubesRead, Grey] | None = None
    _readings: list[CubesRead] = field(default_factory=list)
    _stilled: float = float("nan")
    _read_at: float = float("-inf")
    _began: float = float("nan")
    _done: int = -1
    _told: CubesRead | None = None
    _last: CubesRead | None = None
    _watching: Watching = Watching.WAITING

    def see(
        self, glance: Glance, expected: CubesExpected | None, profile: TrayProfile | None
    ) -> FloorSeen | None:
        """Take the next glance in; None while no cubes are waited for."""
        if expected is None:
            self._settle = None
            return None
        if self._settle is None:
            self._settle = Settle(times=_TIMES)
            self._before, self._told, self._done = None, None, -1
            self._watching = Watching.WAITING
        scene = self._settle.see(glance.grey, glance.at)
        if scene.stillness is not Stillness.STILL:
            return FloorSeen(Watching(scene.stillness.value), scene.since)
        if scene.since != self._stilled:
            self._stilled, self._readings = scene.since, []
        if self._done == scene.movements:
            return FloorSeen(self._watching, scene.since)
        if self._readings and glance.at - self._read_at < AGREE_S:
            return FloorSeen(Watching.READING, scene.since)
        # not glance.tray(): what is asked for there counts as dice that were read, in a kept minute
        read = self.reader(glance.picture.image, expected, profile=profile)
        self._read_at = glance.at
        self._began = self._began if self._readings else glance.at
        self._readings.append(read)
        chosen = self._agreed(glance.at - scene.since, glance.at - self._began)
        if chosen is None:
            return FloorSeen(Watching.READING, scene.since, read)
        self._done = scene.movements
        return self._weigh(chosen, glance.grey, scene.since, first=scene.movements == 0)

    def give_up(self) -> None:
        """Leave the floor as it lies now unread: reading it failed."""
        if self._settle is not None:
            self._done = self._settle.movements
        self._watching = Watching.FAILED

    def _agreed(self, quiet_s: float, reading_s: float) -> tuple[CubesRead, bool] | None:
        """Return what the readings of this stillness come to, and whether they all say the same."""
        last = self._readings[-1]
        if last.status is RollStatus.COVERED and quiet_s < HAND_S:
            self._readings.clear()
            return None
        if len(self._readings) < 2:
            return None
        if _same(last, self._readings[-2]):
            return last, True
        if reading_s < DOUBT_S:
            return None
        usual, _ = Counter(_key(read) for read in self._readings).most_common(1)[0]
        return next(read for read in reversed(self._readings) if _key(read) == usual), False

    def _weigh(self, chosen: tuple[CubesRead, bool], grey: Grey, since: float, *, first: bool) -> FloorSeen:
        """Decide whether what was read is a floor that has just been exposed."""
        read, agreed = chosen
        self._watching = Watching.WAITING
        before, self._before = self._before, self._before or (read, grey)
        if not read.floor:
            self._told = self._last = None
            return FloorSeen(self._watching, since, read)
        if first and not (read.hole and read.cubes and not (self._last and _same(read, self._last))):
            return FloorSeen(self._watching, since, read)
        unchanged = before is not None and _same(read, before[0]) and not _differs(before[1], grey)
        if unchanged or (self._told is not None and _same_floor(self._told, read)):
            return FloorSeen(self._watching, since, read)
        self._told = self._last = read
        read = _with_new_beside(read, before[0] if before else None)
        sure = agreed and read.sure and bool(read.cubes) and not first  # an empty floor may be no floor
        self._watching = Watching.READ if sure else Watching.DOUBTFUL
        return FloorSeen(self._watching, since, read, read, sure)


class FloorWatcher:
    """Hands exposed floors to the table. ``expected``: the cubes waited for, None for none."""

    def __init__(
        self,
        expected: Callable[[], CubesExpected | None],
        submit: Callable[[Observation | Notice], None],
        *,
        clock: Callable[[float], Seconds],
        session: str,
        live: LivePicture,
        reader: CubeReader = read_cubes,
    ) -> None:
        self._expected = expected
        self._submit = submit
        self._clock = clock
        self._session = session
        self._live = live
        self._follower = FloorFollower(reader)
        self._floors = 0
        self._failed = False

    def take(self, glance: Glance, profile: TrayProfile, trouble: str = "") -> Watching | None:
        """Take the next glance in. Whatever fails becomes a notice. None while no cubes are waited for.

        ``trouble``: what is wrong with the picture itself, to be shown with it.
        """
        try:
            seen = self._follower.see(glance, self._expected(), profile)
            if seen is None:
                return None
            self._show(glance, seen, trouble)
            if seen.told is not None:
                self._report(seen, seen.told, glance)
        except Exception as error:  # noqa: BLE001 - whatever a picture does to the reader, the loop goes on
            return self._fail(error)
        return seen.watching

    def _show(self, glance: Glance, seen: FloorSeen, trouble: str) -> None:
        shown = self._live.shown
        read = seen.read
        if read is None and seen.watching in _LAST_WORDS and shown is not None:
            read = shown.cubes
        why = read.reason if read is not None else ""
        self._live.show(Shown(glance.picture, cubes=read, why=why, trouble=trouble))

    def _report(self, seen: FloorSeen, read: CubesRead, glance: Glance) -> None:
        self._floors += 1
        if self._failed:
            self._failed = False
            self._submit(
                Notice(source=CUBES_SOURCE, state="reading", text="Cubes are counted again.", level="ok")
            )
        name = f"{self._session}-floor-{self._floors}"
        self._submit(
            Observation(
                id=name,
                event=CubesSeen(at=self._clock(seen.since), cubes=read.colours),
                source=SOURCE,
                confidence=read.confidence,
                sure=seen.sure,
                reason=read.reason,
                claims=cube_claims(read.cubes, glance.picture.image.shape),
                picture=cube_evidence(glance.picture, read),
                original=partial(encode_jpeg, glance.picture.image, 92),
            )
        )

    def _fail(self, error: Exception) -> Watching:
        log.error("counting the cubes failed", exc_info=error)
        self._follower.give_up()
        self._failed = True
        text = f"The cubes on this floor could not be counted: {type(error).__name__}: {error}"
        self._submit(
            Notice(
                source=CUBES_SOURCE,
                state="failed",
                text=text,
                remedy="Enter them by hand.",
                level="problem",
            )
        )
        return Watching.FAILED


_LAST_WORDS = frozenset({Watching.READING, Watching.READ, Watching.DOUBTFUL, Watching.WAITING})


def _with_new_beside(read: CubesRead, before: CubesRead | None) -> CubesRead:
    """Offer what lies beside an empty floor and did not before: the ground floor is the table."""
    lay = Counter(cube.colour for cube in (*before.cubes, *before.beside)) if before else Counter()
    if read.cubes or not read.beside or Counter(cube.colour for cube in read.beside) == lay:
        return read
    reason = "These cubes lie beside a floor: they count if it is the ground floor that was exposed."
    return replace(read, cubes=read.beside, beside=(), status=RollStatus.DOUBTFUL, reason=reason)


def _key(read: CubesRead) -> tuple[bool, bool, tuple[str, ...]]:
    return read.floor, read.hole is not None, read.colours


def _same(one: CubesRead, other: CubesRead) -> bool:
    return _key(one) == _key(other)


def _same_floor(one: CubesRead, other: CubesRead) -> bool:
    """Say whether both are the same floor, whatever has been taken off it since."""
    if one.hole is None or other.hole is None:
        return one.hole is other.hole
    a, b = one.hole, other.hole
    far = max(abs(a.x - b.x), abs(a.y - b.y)) > _MOVED_SIDES * max(a.side, b.side)
    return not far and 1 / _OTHER_SIZE < a.side / b.side < _OTHER_SIZE


def _differs(before: Grey, now: Grey) -> bool:
    return before.shape != now.shape or largest(before, now, SettleLimits())[0] > _CHANGED
