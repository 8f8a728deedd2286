"""From glances at a tray to throws: what it does, when it is read, what counts.

Knows no device, no thread and no clock: glances go in, in their order, and what follows from them
comes out. A recording played through it comes to the same.
"""

import copy
import logging
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np

from companion.rules.events import DiceExpected
from vision.dice import Die
from vision.frames import Floats, Frame
from vision.glance import Glance
from vision.judgement import RollStatus, judge
from vision.place import Moved, Place, Shift
from vision.settle import Grey, Scene, Settle, Stillness
from vision.throws import Agreement, Lie, Reading, ReadingTimes, Verdict, decide
from vision.tray import TrayProfile, TrayProfileError

log = logging.getLogger(__name__)

MOVED_AWAY = "The camera or the tray has been moved."
MARK_AGAIN = "Put it back, or mark the tray again on the camera's page."

Reader = Callable[[Frame, DiceExpected | None], tuple[Die, ...]]


class Watching(StrEnum):
    """What the watcher is doing, in one word for the page."""

    IDLE = "idle"
    WAITING = "waiting"
    MOVING = "moving"
    COVERED = "covered"
    READING = "reading"
    READ = "read"
    DOUBTFUL = "doubtful"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Seen:
    """What one glance came to.

    ``reading`` if the tray was read, ``throw`` if that ended a throw, ``moved`` if the tray's place
    was looked for.
    """

    watching: Watching
    scene: Scene
    reading: Reading | None = None
    throw: Verdict | None = None
    moved: Moved | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """Everything that what follows depends on, between two glances."""

    settle: Settle = field(repr=False)
    reference: Grey | None = field(repr=False)
    profile: TrayProfile
    lie: Lie
    looked: int
    consumed: int
    placed: bool
    since: float
    away: bool
    watching: Watching


class Follower:
    """Follows one tray. ``first_counts``: dice that lie there from the beginning count as thrown."""

    def __init__(
        self,
        reader: Reader,
        *,
        profile: TrayProfile | None = None,
        times: ReadingTimes | None = None,
        first_counts: bool = False,
    ) -> None:
        self._reader = reader
        self._times = times or ReadingTimes()
        self._agreement: Agreement | None = None
        self._lie = Lie()
        self._watching = Watching.IDLE
        self.use(profile or TrayProfile())
        self._consumed = -1 if first_counts else 0

    def use(self, profile: TrayProfile) -> None:
        """Look at this tray from now on; what lies in it is no throw."""
        self.profile = profile
        self._settle, self._agreement = Settle(), None
        self._place = Place(profile.corners, profile.whole)
        self._consumed, self._looked, self._since = 0, -1, float("nan")
        self._placed = self.away = False

    def see(self, glance: Glance, expected: DiceExpected | None) -> Seen:
        """Take the next glance in."""
        scene = self._settle.see(glance.grey, glance.at)
        if scene.since != self._since:
            self._since, self._agreement, self._placed = scene.since, None, False
        moved = self._find(glance, scene)
        if moved is Moved.FOLLOWED or scene.stillness is Stillness.COVERED:
            self._agreement = None
            return self._seen(
                Watching(scene.stillness.value) if moved is None else Watching.MOVING, scene, moved
            )
        if scene.stillness is Stillness.MOVING:
            return self._early(glance, scene, expected)
        if expected is None:
            self._consumed, self._agreement = scene.movements, None
            return self._seen(Watching.IDLE, scene, moved)
        return replace(self._look(glance, scene, expected), moved=moved)

    def give_up(self) -> None:
        """Leave what lies there now unread: reading it failed."""
        self._consumed = self._looked = self._settle.movements
        self._agreement, self._watching = None, Watching.FAILED

    def memory(self) -> Memory | None:
        """What to `remember` so as to go on from here; None in the middle of reading a throw."""
        if self._agreement is not None:
            return None
        return Memory(
            copy.copy(self._settle), self._place.reference, self.profile, self._lie, self._looked,
            self._consumed, self._placed, self._since, self.away, self._watching,
        )  # fmt: skip

    def remember(self, memory: Memory) -> None:
        """Go on from there."""
        self._settle, self.profile, self._lie = copy.copy(memory.settle), memory.profile, memory.lie
        self._place = Place(memory.profile.corners, memory.profile.whole, memory.reference)
        self._looked, self._consumed, self._agreement = memory.looked, memory.consumed, None
        self._placed, self._since, self.away = memory.placed, memory.since, memory.away
        self._watching = memory.watching

    def _seen(self, watching: Watching, scene: Scene, moved: Moved | None = None) -> Seen:
        self._watching = watching
        return Seen(watching, scene, moved=moved)

    def _find(self, glance: Glance, scene: Scene) -> Moved | None:
        """Once the tray lies still again, or seems to be covered, see whether it is where it was."""
        still = scene.stillness is Stillness.STILL
        hidden = scene.stillness is Stillness.COVERED and scene.quiet_s >= self._settle.times.still_s
        if self._placed or not (still or hidden):
            return None
        self._placed = True
        shift = self._place.see(glance.whole())
        if shift.moved is Moved.FOLLOWED and not self._followed(shift, glance):
            shift = replace(shift, moved=Moved.AWAY)
        if shift.moved is not Moved.UNKNOWN:
            self.away = shift.moved is Moved.AWAY
        return shift.moved

    def _followed(self, shift: Shift, glance: Glance) -> bool:
        """Follow a tray that was moved: its corners, or, where none are marked, the dice as they lay."""
        assert shift.matrix is not None, "only what was measured is followed"
        if self.profile.whole:
            self._lie = replace(self._lie, dice=_carried(self._lie.dice, shift.matrix, max(glance.size)))
        else:
            try:
                self.profile = _with_corners(self.profile, shift.matrix, glance.whole().shape)
            except TrayProfileError:  # a corner has left the picture
                return False
        self._place.corners = self.profile.corners
        self._place.accept(glance.whole())
        self._settle.jump()
        return True

    def _early(self, glance: Glance, scene: Scene, expected: DiceExpected | None) -> Seen:
        """Read before the dice count as lying still, so that the roll is there soon after."""
        pending = expected is not None and scene.movements > self._consumed
        if not pending or scene.quiet_s < self._times.early_s:
            return self._seen(Watching.MOVING, scene)
        assert expected is not None, "dice are awaited"
        agreement = self._agreeing(expected)
        seen = self._seen(Watching.MOVING, scene)
        if not agreement.due(glance.at):
            return seen
        try:
            reading = self._read(glance, expected)
        except Exception:  # noqa: BLE001 - the reading that counts comes soon, and says what is wrong
            log.info("an early reading failed", exc_info=True)
            return seen
        agreement.note(reading)
        return replace(seen, reading=reading)

    def _look(self, glance: Glance, scene: Scene, expected: DiceExpected) -> Seen:
        """Read a tray that lies still while dice are awaited."""
        pending = scene.movements > self._consumed
        if not pending and self._looked == scene.movements:
            return self._seen(self._settled(), scene)  # read already
        if pending and not self._agreeing(expected).due(glance.at):
            return self._seen(Watching.READING, scene)
        reading = self._read(glance, expected)
        if pending:
            return self._weigh(reading, scene, expected)
        sure = reading.judgement.status is RollStatus.SURE  # how the dice lie before the throw
        self._lie, self._looked = Lie(reading.dice, sure=sure), scene.movements
        return replace(self._seen(Watching.WAITING, scene), reading=reading)

    def _settled(self) -> Watching:
        """What is said of dice that have been read: the last word on them, also after a hand."""
        last = self._watching
        return last if last in _LAST_WORDS else Watching.WAITING

    def _weigh(self, reading: Reading, scene: Scene, expected: DiceExpected) -> Seen:
        verdict = self._agreeing(expected).add(reading)
        if verdict is None:
            return replace(self._seen(Watching.READING, scene), reading=reading)
        throw = decide(self._lie, verdict, expected)
        if throw is not None and self.away:
            reason = f"{throw.reason} {MOVED_AWAY} {MARK_AGAIN}".strip()
            throw = replace(throw, sure=False, reason=reason)
        self._lie = Lie(verdict.reading.dice, sure=throw.sure if throw else self._lie.sure)
        self._consumed = self._looked = scene.movements
        self._agreement = None
        if throw is None:
            return replace(self._seen(Watching.WAITING, scene), reading=reading)
        watching = Watching.READ if throw.sure else Watching.DOUBTFUL
        return replace(self._seen(watching, scene), reading=reading, throw=throw)

    def _agreeing(self, expected: DiceExpected) -> Agreement:
        if self._agreement is None or self._agreement.expected != expected:
            self._agreement = Agreement(expected, self._times)
        return self._agreement

    def _read(self, glance: Glance, expected: DiceExpected) -> Reading:
        dice = self._reader(glance.tray(), expected)
        return Reading(glance.at, dice, judge(dice, expected))


_LAST_WORDS = frozenset({Watching.WAITING, Watching.READ, Watching.DOUBTFUL, Watching.FAILED})


def _carried(dice: tuple[Die, ...], matrix: Floats, longest_px: int) -> tuple[Die, ...]:
    """Carry dice along with a picture that has moved; ``matrix`` in fractions of its longest side."""
    turn, way = matrix[:, :2], matrix[:, 2] * longest_px
    return tuple(replace(die, outline=(die.outline @ turn.T + way).astype(np.float32)) for die in dice)


def _with_corners(profile: TrayProfile, matrix: Floats, shape: tuple[int, ...]) -> TrayProfile:
    """Return the profile, its corners moved along. Raises TrayProfileError if one leaves the picture."""
    sides = np.array(shape[1::-1], np.float32) / max(shape)
    moved = (np.array(profile.corners, np.float32) * sides @ matrix[:, :2].T + matrix[:, 2]) / sides
    return replace(profile, corners=tuple((float(x), float(y)) for x, y in moved))
