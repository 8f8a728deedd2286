"""Recordings as a camera: a folder of stills or a video, none of its pictures skipped."""

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from companion.rules.events import Notice
from vision.camera import SOURCE, CameraFault, CameraState
from vision.frames import Frame
from vision.recording import recorded

STILL_SHOWN_S = 7.0
"""How long a recording shows one still: a picture that differs much may pass for a hand for 4 s, and
the watcher is patient with missing dice for 2.5 s."""

PLAYBACK_INTERVAL_S = 1 / 15


class PlayedCamera:
    """A `Camera` on a recording, at the pace of whoever looks.

    Recorded time goes on by one interval with each look, and never faster than the clock: a reader
    that needs a second for a picture still sees every throw.
    """

    def __init__(
        self,
        path: Path,
        notify: Callable[[Notice], None],
        *,
        loop: bool = False,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._notify = notify
        self._monotonic = monotonic
        self._recorded_s = 0.0
        self._playback = Playback(path, loop=loop, monotonic=lambda: self._recorded_s)
        self._state = CameraState.STARTING
        self._closed = threading.Event()

    @property
    def state(self) -> CameraState:
        return self._state

    def start(self) -> None:
        self._recorded_s = self._monotonic()
        try:
            self._playback.open()
        except CameraFault as fault:
            self._say(fault.state, fault.text, fault.remedy)
        else:
            self._say(CameraState.LIVE, f"{self._playback.name} is played.", level="ok")

    def latest(self, after: float, wait_s: float) -> Frame | None:
        """Return the next picture; None if it is not due within ``wait_s``, or the recording is over."""
        del after  # the next one is always later
        due_s = self._recorded_s - self._monotonic()
        if self._state is not CameraState.LIVE or due_s > wait_s:
            self._closed.wait(wait_s)
            return None
        if self._closed.wait(max(0.0, due_s)):
            return None
        try:
            frame = self._playback.read()
        except CameraFault as fault:
            self._say(fault.state, fault.text, fault.remedy, level="info")
            return None
        self._recorded_s += PLAYBACK_INTERVAL_S
        return frame

    def close(self) -> None:
        self._closed.set()
        self._playback.close()
        self._state = CameraState.CLOSED

    def _say(self, state: CameraState, text: str, remedy: str = "", *, level: str = "problem") -> None:
        self._state = state
        self._notify(Notice(source=SOURCE, state=state, text=text, remedy=remedy, level=level))


class Playback:
    """A recording by its own time, ``monotonic``; a still is shown again and again meanwhile."""

    def __init__(self, path: Path, *, loop: bool = False, monotonic: Callable[[], float]) -> None:
        self.name = f"The recording {path}"
        self._path = path
        self._loop = loop
        self._monotonic = monotonic
        self._frames: Iterator[Frame] = iter(())
        self._now: Frame | None = None
        self._next: Frame | None = None

    def open(self) -> None:
        """Begin. Raises CameraFault if there is nothing to play."""
        self._begin()

    def read(self) -> Frame:
        """Return the picture that is shown now. Raises CameraFault at the end or for a broken one."""
        now = self._monotonic()
        self._advance(now)
        assert self._now is not None, "a recording that was begun has a frame"
        return Frame(self._now.image, now, self._now.source)

    def close(self) -> None:
        self._frames, self._now, self._next = iter(()), None, None

    def _begin(self) -> None:
        fps = 1 / STILL_SHOWN_S if self._path.is_dir() else None
        try:
            self._frames = recorded(self._path, fps=fps, start=self._monotonic())
            self._now, self._next = next(self._frames), next(self._frames, None)
        except ValueError as error:
            raise CameraFault(
                CameraState.ABSENT, str(error), "Name another recording.", final=True
            ) from error

    def _advance(self, now: float) -> None:
        try:
            while self._next is not None and self._next.at <= now:
                self._now, self._next = self._next, next(self._frames, None)
        except ValueError as error:
            raise CameraFault(
                CameraState.LOST, str(error), "Take it out of the recording.", final=True
            ) from error
        if self._next is None and self._now is not None and now - self._now.at >= STILL_SHOWN_S:
            if not self._loop:
                raise CameraFault(CameraState.ENDED, f"{self.name} has ended.", final=True)
            self._begin()
