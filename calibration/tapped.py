"""A camera that two look through: the watcher drives it, and calibration sees what the watcher saw."""

import threading
from collections import deque

from vision.camera import Camera, CameraState
from vision.frames import Frame

_KEPT = 6


class Tapped:
    """A `Camera` that remembers the last frames it gave. Looking on takes no frame from the watcher."""

    def __init__(self, camera: Camera) -> None:
        self._camera = camera
        self._fresh = threading.Condition()
        self._frames: deque[Frame] = deque(maxlen=_KEPT)

    @property
    def state(self) -> CameraState:
        return self._camera.state

    def start(self) -> None:
        self._camera.start()

    def latest(self, after: float, wait_s: float) -> Frame | None:
        frame = self._camera.latest(after, wait_s)
        if frame is not None:
            with self._fresh:
                self._frames.append(frame)
                self._fresh.notify_all()
        return frame

    def close(self) -> None:
        self._camera.close()
        with self._fresh:
            self._fresh.notify_all()

    def newest(self, number: int = 1, *, after: float = float("-inf"), wait_s: float = 2.0) -> list[Frame]:
        """Return up to ``number`` of the newest frames exposed later than ``after``, oldest first.

        Waits up to ``wait_s`` for them; fewer, or none, if they do not come.
        """
        with self._fresh:
            self._fresh.wait_for(
                lambda: len(self._later(after)) >= min(number, _KEPT) or self.state is CameraState.CLOSED,
                wait_s,
            )
            return self._later(after)[-number:]

    def _later(self, after: float) -> list[Frame]:
        return [frame for frame in self._frames if frame.at > after]
