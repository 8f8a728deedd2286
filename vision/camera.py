"""Cameras as the rest of the product sees them: the newest frame, a named state, and words for it.

A `Device` is one piece of hardware (or a recording) with blocking calls; an `OwnedCamera` gives it
one thread of its own, which alone opens, reads and closes it, tries again with growing pauses when
it fails, and says in a `Notice` what is wrong and what helps.
"""

import itertools
import logging
import threading
import time
from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Protocol

import numpy as np

from companion.rules.events import Notice
from vision.frames import Frame

log = logging.getLogger(__name__)

SOURCE = "camera"
"""The source of every notice on the camera's state: a later one takes the earlier one's place."""

SETTINGS_SOURCE = "camera settings"
"""The source of notices on what a live camera cannot do, such as holding its exposure."""

RETRY_S = (0.5, 1.0, 2.0, 5.0, 10.0)
"""Pauses between attempts to open a camera; the last one repeats."""

POLL_S = 0.2
"""How long one read waits, so also how soon the owner notices that it should close."""

CLOSE_S = 1.7
"""How long `close` waits for the device: the whole service has two seconds to end."""

DARK_MEAN = 8.0
"""Grey level 0..255 below which a picture is black. A lens cap gives 0 to 3 with sensor noise."""

DARK_AFTER_S = 1.0
"""A picture black for this long is worth a notice; a hand over the lens is gone sooner."""


class CameraState(StrEnum):
    """What a camera is doing, in one word for the screens."""

    STARTING = "starting"
    LIVE = "live"
    BUSY = "busy"
    LOST = "lost"
    DARK = "dark"
    STALLED = "stalled"
    ABSENT = "absent"
    ENDED = "ended"
    CLOSED = "closed"


class CameraFault(Exception):  # noqa: N818 - the product's word: a fault is a state, a sentence and a remedy
    """A device cannot give frames. ``final`` faults are not tried again."""

    def __init__(self, state: CameraState, text: str, remedy: str = "", *, final: bool = False) -> None:
        super().__init__(text)
        self.state = state
        self.text = text
        self.remedy = remedy
        self.final = final


class Device(Protocol):
    """One camera as its owner uses it: blocking calls from one thread only."""

    @property
    def name(self) -> str:
        """What a sentence about it begins with, such as ``The camera imx219``."""

    @property
    def stall_s(self) -> float:
        """Seconds without a frame after which it is closed and opened again."""

    def open(self) -> None:
        """Take the device. Raises CameraFault."""

    def read(self, wait_s: float) -> Frame | None:
        """Return the newest frame, or None if none came within about ``wait_s``. Raises CameraFault."""

    def close(self) -> None:
        """Give the device back, whatever state it is in, opened or not."""


class Camera(Protocol):
    """Where frames come from."""

    @property
    def state(self) -> CameraState:
        """What the camera is doing now."""

    def start(self) -> None:
        """Begin to give frames. Returns at once; success and failure come as notices."""

    def latest(self, after: float, wait_s: float) -> Frame | None:
        """Return the newest frame exposed later than ``after`` (monotonic seconds).

        Waits up to ``wait_s`` for one; None if none came or the camera is closed.
        """

    def close(self) -> None:
        """Release the device, within two seconds in every state. May be called twice."""


class OwnedCamera:
    """A device with its owner thread. ``notify`` is called from that thread."""

    def __init__(
        self,
        device: Device,
        notify: Callable[[Notice], None],
        *,
        retry_s: Sequence[float] = RETRY_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._device = device
        self._notify = notify
        self._retry_s = retry_s
        self._monotonic = monotonic
        self._stop = threading.Event()
        self._fresh = threading.Condition()
        self._frame: Frame | None = None
        self._state = CameraState.STARTING
        self._said: Notice | None = None
        self._thread = threading.Thread(target=self._own, name=f"camera {device.name}", daemon=True)

    @property
    def state(self) -> CameraState:
        return self._state

    def start(self) -> None:
        self._say(CameraState.STARTING, f"{self._device.name} is starting.", level="info")
        self._thread.start()

    def latest(self, after: float, wait_s: float) -> Frame | None:
        with self._fresh:
            self._fresh.wait_for(lambda: self._stop.is_set() or self._newer(after), wait_s)
            return None if self._stop.is_set() or not self._newer(after) else self._frame

    def close(self) -> None:
        self._stop.set()
        with self._fresh:
            self._fresh.notify_all()
        if self._thread.is_alive():
            self._thread.join(CLOSE_S)
        if self._thread.is_alive():
            log.warning(
                "%s did not close within %.1f s; it is free when the process ends",
                self._device.name,
                CLOSE_S,
            )
        self._state = CameraState.CLOSED

    def _newer(self, after: float) -> bool:
        return self._frame is not None and self._frame.at > after

    def _own(self) -> None:
        pauses = self._pauses()
        while not self._stop.is_set():
            try:
                self._use()
            except CameraFault as fault:
                if self._stop.is_set():
                    break
                self._say(fault.state, fault.text, fault.remedy, level="info" if fault.final else "problem")
                if fault.final:
                    break
                if self._frame is not None:  # it has worked since the last fault
                    pauses, self._frame = self._pauses(), None
                self._stop.wait(next(pauses))

    def _pauses(self) -> itertools.chain[float]:
        return itertools.chain(self._retry_s, itertools.repeat(self._retry_s[-1]))

    def _use(self) -> None:
        """Open the device and read it until told to stop. Raises CameraFault for whatever goes wrong."""
        try:
            self._device.open()
            self._watch()
        except CameraFault:
            raise
        except Exception as error:
            log.exception("%s failed", self._device.name)
            text = f"{self._device.name} failed: {type(error).__name__}: {error}"
            raise CameraFault(
                CameraState.LOST, text, "It is tried again; if it stays, see companion doctor."
            ) from error
        finally:
            self._release()

    def _release(self) -> None:
        try:
            self._device.close()
        except Exception:
            log.exception("%s could not be closed; it is opened anew all the same", self._device.name)

    def _watch(self) -> None:
        last_s = self._monotonic()
        darkness = Darkness()
        while not self._stop.is_set():
            frame = self._device.read(POLL_S)
            now_s = self._monotonic()
            if frame is None:
                if now_s - last_s >= self._device.stall_s:
                    raise _stalled(self._device)
                continue
            last_s = now_s
            self._publish(frame)
            self._judge(dark=darkness.see(frame))

    def _publish(self, frame: Frame) -> None:
        with self._fresh:
            self._frame = frame
            self._fresh.notify_all()

    def _judge(self, *, dark: bool) -> None:
        if dark:
            self._say(
                CameraState.DARK,
                f"The picture of {self._device.name} is black.",
                "Take off the lens cap, or light a lamp.",
            )
        else:
            self._say(CameraState.LIVE, f"{self._device.name} gives pictures.", level="ok")

    def _say(self, state: CameraState, text: str, remedy: str = "", *, level: str = "problem") -> None:
        """Change the state and tell of it, once for each change."""
        self._state = state
        notice = Notice(source=SOURCE, state=state, text=text, remedy=remedy, level=level)
        if notice != self._said:
            self._said = notice
            self._notify(notice)


class Darkness:
    """Whether the picture has been black for long enough to speak of."""

    def __init__(self) -> None:
        self._since: float | None = None

    def see(self, frame: Frame) -> bool:
        """Take the next frame in; True once it has been black for `DARK_AFTER_S`."""
        if float(np.mean(frame.image[::16, ::16])) >= DARK_MEAN:
            self._since = None
            return False
        if self._since is None:
            self._since = frame.at
        return frame.at - self._since >= DARK_AFTER_S


def _stalled(device: Device) -> CameraFault:
    return CameraFault(
        CameraState.STALLED,
        f"{device.name} has given no picture for {device.stall_s:.1f} s; it is being restarted.",
        "If it stays so: check the camera's cable at both ends, and the power supply.",
    )
