"""The loop between a camera and the table: frames in, rolls and notices out."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from uuid import uuid4

from companion.rules.events import DiceExpected, DiceRolled, DieFace, Notice, Observation, Seconds
from vision.annotate import evidence
from vision.camera import Camera, CameraState
from vision.dice import Die, read
from vision.frames import Frame
from vision.judgement import RollStatus, claims, judge
from vision.settle import Scene, Settle, Stillness, small
from vision.throws import Agreement, Lie, Reading, ReadingTimes, Verdict, decide
from vision.tray import TrayProfile, rectify

log = logging.getLogger(__name__)

SOURCE = "camera"
READER_SOURCE = "dice reader"
"""The source of notices about reading; the camera's own notices have another one."""

_WAIT_S = 0.25
_IDLE_S = 0.1
"""While no dice are awaited, a few pictures a second keep the page's picture fresh."""

Reader = Callable[[Frame, DiceExpected | None], tuple[Die, ...]]
Submit = Callable[[Observation | Notice], None]


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
class _Shown:
    frame: Frame | None = None
    dice: tuple[Die, ...] = ()


class Watcher:
    """Watches one tray.

    ``expected`` tells which dice the table waits for, None if it waits for none; ``clock`` turns a
    frame's monotonic seconds into table time; ``session`` makes the ids of this run different from
    those of any other. ``first_counts``: dice that lie there from the beginning count as thrown, as
    in a folder of photographs; at a table they are what the last evening left.
    `step` is called by one thread; `snapshot` by any.
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
    ) -> None:
        self._camera = camera
        self._expected = expected
        self._submit = submit
        self._clock = clock
        self._profile = profile or TrayProfile()
        self._times = times or ReadingTimes()
        self._session = session or uuid4().hex[:8]
        self._reader = reader
        self._settle = Settle()
        self._scene: Scene | None = None
        self._agreement: Agreement | None = None
        self._lie = Lie()
        self._looked = -1
        self._consumed = -1 if first_counts else 0
        self._throws = 0
        self._failed = False
        self._watching = Watching.IDLE
        self._shown = _Shown()
        self._encoded: tuple[_Shown, bytes] | None = None

    @property
    def state(self) -> Watching:
        return self._watching

    def step(self, frame: Frame) -> None:
        """Take the next frame in. Whatever fails becomes a notice, and the next throw is a new chance."""
        try:
            self._step(frame)
        except Exception as error:  # noqa: BLE001 - whatever a picture does to the reader, the loop goes on
            self._fail(error)

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
            if self._watching is Watching.IDLE:
                stop.wait(_IDLE_S)

    def snapshot(self) -> tuple[bytes | None, str]:
        """Return the newest picture of the tray with what was read in it (JPEG), and the state's name."""
        shown = self._shown
        if shown.frame is None:
            return None, self._watching.value
        encoded = self._encoded
        if encoded is None or encoded[0] is not shown:
            encoded = self._encoded = (shown, evidence(shown.frame, shown.dice))
        return encoded[1], self._watching.value

    def _step(self, frame: Frame) -> None:
        tray = rectify(frame, self._profile)
        scene = self._scene = self._settle.see(small(tray.image), tray.at)
        expected = self._expected()
        dice = self._shown.dice if scene.stillness is Stillness.STILL else ()
        self._shown = _Shown(tray, dice)
        if scene.stillness is not Stillness.STILL:
            self._agreement = None
            self._watching = Watching(scene.stillness.value)
        elif expected is None:
            self._consumed, self._agreement = scene.movements, None
            self._watching = Watching.IDLE
        else:
            self._look(tray, scene, expected)

    def _look(self, tray: Frame, scene: Scene, expected: DiceExpected) -> None:
        """Read a tray that lies still while dice are awaited."""
        pending = scene.movements > self._consumed
        if not pending and self._looked == scene.movements:
            return  # read already
        if pending and self._agreement and not self._agreement.due(tray.at):
            return
        reading = self._read(tray, expected)
        if pending:
            self._weigh(reading, scene, expected)
        else:  # how the dice lie before the throw
            sure = reading.judgement.status is RollStatus.SURE
            self._lie, self._looked = Lie(reading.dice, sure=sure), scene.movements
            self._watching = Watching.WAITING

    def _read(self, tray: Frame, expected: DiceExpected) -> Reading:
        dice = self._reader(tray, expected)
        self._shown = _Shown(tray, dice)
        return Reading(tray.at, dice, judge(dice, expected))

    def _weigh(self, reading: Reading, scene: Scene, expected: DiceExpected) -> None:
        if self._agreement is None or self._agreement.expected != expected:
            self._agreement = Agreement(expected, self._times)
        self._watching = Watching.READING
        verdict = self._agreement.add(reading)
        if verdict is None:
            return
        throw = decide(self._lie, verdict, expected)
        self._lie = Lie(verdict.reading.dice, sure=throw.sure if throw else self._lie.sure)
        self._consumed = self._looked = scene.movements
        self._agreement = None
        self._watching = Watching.WAITING
        if throw is not None:
            self._report(throw, scene)

    def _report(self, throw: Verdict, scene: Scene) -> None:
        self._throws += 1
        roll = f"{self._session}-{self._throws}"
        dice = throw.reading.dice
        tray = self._shown.frame
        assert tray is not None, "a throw is reported from the frame that was read"
        event = DiceRolled(
            at=self._clock(scene.since), roll=roll, dice=tuple(DieFace(die.kind, die.face) for die in dice)
        )
        self._watching = Watching.READ if throw.sure else Watching.DOUBTFUL
        if self._failed:
            self._failed = False
            self._submit(
                Notice(source=READER_SOURCE, state="reading", text="Dice are read again.", level="ok")
            )
        self._submit(
            Observation(
                id=roll,
                event=event,
                source=SOURCE,
                confidence=throw.confidence,
                sure=throw.sure,
                reason=throw.reason,
                claims=claims(dice, tray.image.shape),
                picture=evidence(tray, dice),
            )
        )

    def _fail(self, error: Exception) -> None:
        log.error("reading the dice failed", exc_info=error)
        self._consumed = self._looked = self._scene.movements if self._scene else 0
        self._agreement, self._failed = None, True
        self._watching = Watching.FAILED
        self._submit(
            Notice(
                source=READER_SOURCE,
                state="failed",
                text=f"This throw could not be read: {type(error).__name__}: {error}",
                remedy="Enter it by hand, or throw again.",
            )
        )
