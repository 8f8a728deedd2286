"""The loop between a camera and the table: frames in, rolls and notices out."""

import logging
import threading
from collections.abc import Callable
from functools import partial
from typing import Protocol
from uuid import uuid4

from companion.rules.events import (
    CubesExpected,
    DiceExpected,
    DiceRolled,
    DieFace,
    Notice,
    Observation,
    Seconds,
)
from vision.annotate import encode_jpeg, evidence
from vision.camera import Camera, CameraState
from vision.cubes import read_cubes
from vision.dice import read
from vision.floorwatch import CubeReader, FloorWatcher
from vision.follow import MARK_AGAIN, MOVED_AWAY, Follower, Memory, Reader, Seen, Watching
from vision.frames import Frame
from vision.glance import Glance
from vision.judgement import RollStatus, claims
from vision.live import LivePicture, Shown
from vision.place import Moved
from vision.settle import Stillness
from vision.sight import WORDS, Sight, Sighted
from vision.throws import ReadingTimes, Verdict
from vision.tray import TrayProfile

log = logging.getLogger(__name__)

SOURCE = "camera"
READER_SOURCE = "dice reader"
"""The source of notices about reading; the camera's own notices have another one."""

PICTURE_SOURCE = "camera picture"
"""The source of notices on what the pictures are like: dark, bright, blurred."""

PLACE_SOURCE = "camera place"
"""The source of notices on the camera or the tray having been moved."""

_WAIT_S = 0.25
_IDLE_S = 0.1
"""While no dice are awaited, a few pictures a second keep the page's picture fresh."""

Submit = Callable[[Observation | Notice], None]


def no_cubes() -> None:
    """Say that the table waits for no cubes."""


class Keeper(Protocol):
    """Keeps what was seen, for a report."""

    def keep(
        self, glance: Glance, expected: DiceExpected | None, before: Memory | None, seen: Seen | None
    ) -> None:
        """Take one glance, the dice awaited, what was remembered before it, and what it came to."""

    def heard(self, claim: Observation | Notice) -> None:
        """Take what was told to the table."""

    def forget(self) -> None:
        """Begin anew: what was kept was another tray."""


class Watcher:
    """Watches one tray.

    ``expected`` tells which dice the table waits for, None if it waits for none; ``clock`` turns a
    frame's monotonic seconds into table time; ``session`` makes the ids of this run different from
    those of any other. ``first_counts``: dice that lie there from the beginning count as thrown, as
    in a folder of photographs; at a table they are what the last evening left. ``cubes`` tells which
    cubes may lie on a floor that is about to be lifted off; while dice are awaited it is not asked.
    `step` is called by one thread; `use`, `state` and ``live`` by any.
    """

    def __init__(
        self,
        camera: Camera,
        expected: Callable[[], DiceExpected | None],
        submit: Submit,
        *,
        clock: Callable[[float], Seconds],
        profile: TrayProfile | None = None,
        times: ReadingTimes | None = None,
        session: str = "",
        first_counts: bool = False,
        reader: Reader = read,
        keeper: Keeper | None = None,
        live: LivePicture | None = None,
        cubes: Callable[[], CubesExpected | None] = no_cubes,
        cube_reader: CubeReader = read_cubes,
    ) -> None:
        self._camera = camera
        self._expected = expected
        self._to_table = submit
        self._clock = clock
        self._session = session or uuid4().hex[:8]
        self._reader = reader
        self._keeper = keeper
        self._follower = Follower(reader, profile=profile, times=times, first_counts=first_counts)
        self._wanted: TrayProfile | None = None
        self._sighted = Sighted()
        self._told: dict[str, str] = {}
        self._throws = 0
        self._read_for_show = -1
        self._state = Watching.IDLE
        self.live = live or LivePicture()
        self._floor = FloorWatcher(
            lambda: cubes() if self._expected() is None else None,
            submit,
            clock=clock,
            session=self._session,
            live=self.live,
            reader=cube_reader,
        )

    @property
    def state(self) -> Watching:
        return self._state

    def step(self, frame: Frame) -> None:
        """Take the next frame in. Whatever fails becomes a notice, and the next throw is a new chance."""
        if self._wanted is not None:
            self._follower.use(self._wanted)
            self._wanted = None
            if self._keeper:
                self._keeper.forget()
        self.take(Glance.of(frame, self._follower.profile))

    def take(self, glance: Glance) -> None:
        """Take the next glance in, as `step` does."""
        expected = self._expected()
        before = self._follower.memory() if self._keeper else None
        seen = None
        try:
            seen = self._follower.see(glance, expected)
            floor = self._floor.take(glance, self._follower.profile, self._trouble())
            self._state = floor or seen.watching
            if floor is None:
                self._show(glance, seen, expected)
            self._sense(glance, seen)
            if seen.throw is not None:
                self._report(seen.throw, glance, seen.scene.since)
        except Exception as error:  # noqa: BLE001 - whatever a picture does to the reader, the loop goes on
            self._fail(error)
        if self._keeper:
            self._keeper.keep(glance, expected, before, seen)

    def run(self, stop: threading.Event) -> None:
        """Watch until told to stop."""
        after = float("-inf")
        while not stop.is_set():
            frame = self._camera.latest(after, _WAIT_S)
            if frame is None:
                if self._camera.state is CameraState.CLOSED:
                    stop.wait(_WAIT_S)
                continue
            after = frame.at
            self.step(frame)
            if self._state is Watching.IDLE:
                stop.wait(_IDLE_S)

    def use(self, profile: TrayProfile) -> None:
        """Cut out this tray from the next picture on; what lies in it then is no throw. From any thread."""
        self._wanted = profile

    def remember(self, memory: Memory) -> None:
        """Go on from what a watcher remembered, before the first `step`."""
        self._follower.remember(memory)

    def snapshot(self) -> tuple[bytes | None, str]:
        """Return the newest picture of the tray with what was read in it (JPEG), and the state's name."""
        looked = self.live.look()
        return (looked[0] if looked else None), self._state.value

    def _show(self, glance: Glance, seen: Seen, expected: DiceExpected | None) -> None:
        """Put the picture on the page, with the dice that were read since something moved last."""
        shown = self.live.shown
        if seen.reading is not None:
            dice, why = seen.reading.dice, why_unsure(seen, expected)
        elif seen.scene.stillness is not Stillness.STILL or shown is None:
            dice, why = (), ""
        elif expected is None and self.live.looked_at and self._read_for_show != seen.scene.movements:
            self._read_for_show = seen.scene.movements
            dice, why = self._reader(glance.picture, None), ""
        else:
            dice, why = shown.dice, shown.why
        self.live.show(Shown(glance.picture, dice, why, self._trouble()))

    def _sense(self, glance: Glance, seen: Seen) -> None:
        """Say what the pictures are like and whether the tray is where it was."""
        if seen.scene.stillness is Stillness.STILL:
            sight = self._sighted.light(glance.grey, glance.at)
            if seen.reading is not None:
                sight = self._sighted.sharp(glance.picture.image, glance.at)
            if sight is Sight.CLEAR:
                self._say(PICTURE_SOURCE, "clear", "The picture is clear again.")
            else:
                self._say(PICTURE_SOURCE, sight.value, *WORDS[sight])
        if self._follower.away:
            self._say(PLACE_SOURCE, "moved", MOVED_AWAY, MARK_AGAIN)
        else:
            self._say(PLACE_SOURCE, "steady", "The tray is in its place.")
        if seen.moved is Moved.FOLLOWED:
            log.info("the camera or the tray was moved a little; the tray is followed")

    def _trouble(self) -> str:
        """What is wrong with the pictures themselves, with what helps."""
        if self._follower.away:
            return f"{MOVED_AWAY} {MARK_AGAIN}"
        return " ".join(WORDS.get(self._sighted.sight, ()))

    def _say(self, source: str, state: str, text: str, remedy: str = "") -> None:
        """Tell of a state when it changes; one without a remedy is good and takes the last one down."""
        good = not remedy
        if self._told.get(source, "" if good else None) == ("" if good else state):
            return
        self._told[source] = "" if good else state
        level = "ok" if good else "problem"
        self._submit(Notice(source=source, state=state, text=text, remedy=remedy, level=level))

    def _report(self, throw: Verdict, glance: Glance, since: float) -> None:
        self._throws += 1
        roll = f"{self._session}-{self._throws}"
        dice = throw.reading.dice
        faces = tuple(DieFace(die.kind, die.face) for die in dice)
        self._say(READER_SOURCE, "reading", "Dice are read again.")
        self._submit(
            Observation(
                id=roll,
                event=DiceRolled(at=self._clock(since), roll=roll, dice=faces),
                source=SOURCE,
                confidence=throw.confidence,
                sure=throw.sure,
                reason=throw.reason,
                claims=claims(dice, glance.picture.image.shape),
                picture=evidence(glance.picture, dice),
                original=partial(encode_jpeg, glance.picture.image, 92),
            )
        )

    def _fail(self, error: Exception) -> None:
        log.error("reading the dice failed", exc_info=error)
        self._follower.give_up()
        self._state = Watching.FAILED
        self._told[READER_SOURCE] = ""  # each failure is told, also the same one again
        text = f"This throw could not be read: {type(error).__name__}: {error}"
        self._say(READER_SOURCE, "failed", text, "Enter it by hand, or throw again.")

    def _submit(self, claim: Observation | Notice) -> None:
        if self._keeper:
            self._keeper.heard(claim)
        self._to_table(claim)


def why_unsure(seen: Seen, expected: DiceExpected | None) -> str:
    """Say in a sentence why what was read is not sure; nothing if it is."""
    if seen.reading is None:
        return ""
    missing = expected.count - len(seen.reading.dice) if expected else 0
    if expected and missing > 0 and seen.reading.judgement.status is RollStatus.WRONG_COUNT:
        where = "is one" if missing == 1 else "are they"
        return (
            f"{expected.count} dice are expected, {len(seen.reading.dice)} seen: "
            f"{where} under the cup, in a hand or on the floor?"
        )
    return seen.throw.reason if seen.throw else seen.reading.judgement.reason
