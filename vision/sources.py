"""Which camera: from the words on the command line to a camera that can be started."""

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from companion.rules.events import Notice
from vision.camera import Camera, CameraFault, CameraState, Device, OwnedCamera
from vision.devices import VideoDevice, video_devices
from vision.frames import Frame
from vision.picamera import APT, Picamera
from vision.recording import recorded
from vision.v4l2 import V4l2

SPECS = "auto, none, picamera2, v4l2:N (for /dev/videoN), or the path of a video or of a folder of pictures"

STILL_SHOWN_S = 3.0
"""How long a recording shows one still: longer than the watcher is patient with missing dice."""

PLAYBACK_INTERVAL_S = 1 / 15

Notify = Callable[[Notice], None]


def open_camera(spec: str, notify: Notify, *, loop: bool = False) -> Camera | None:
    """Return the camera that ``spec`` names, not yet started; None for ``none``.

    What does not work once it is started is told to ``notify`` and tried again. ``loop``: a
    recording begins anew at its end. Raises ValueError for words that name no camera.
    """
    if spec == "none":
        return None
    return OwnedCamera(_device(spec, notify, loop=loop), notify)


def _device(spec: str, notify: Notify, *, loop: bool) -> Device:
    if spec == "auto":
        return Automatic(notify)
    if spec == "picamera2":
        return Picamera(notify)
    if spec.startswith("v4l2:"):
        number = spec.removeprefix("v4l2:")
        if not number.isdecimal():
            raise ValueError(f"{spec!r} names no camera: write v4l2:0 for /dev/video0.")
        return V4l2(int(number), notify)
    path = Path(spec)
    if not spec or not path.exists():
        raise ValueError(f"{spec!r} is no camera and no file. Write {SPECS}.")
    return Playback(path, loop=loop)


class Automatic:
    """A `Device` that takes the first camera there is, each time it is opened: ribbon before USB."""

    def __init__(
        self, notify: Notify, *, usb_devices: Callable[[], Sequence[VideoDevice]] = video_devices
    ) -> None:
        self._notify = notify
        self._usb_devices = usb_devices
        self._chosen: Device | None = None

    @property
    def name(self) -> str:
        return self._chosen.name if self._chosen else "The camera"

    @property
    def stall_s(self) -> float:
        return self._chosen.stall_s if self._chosen else 0.0

    def open(self) -> None:
        self._chosen = ribbon = Picamera(self._notify, csi_only=True)
        try:
            ribbon.open()
        except CameraFault as fault:
            if fault.state is not CameraState.ABSENT:
                raise
            self._open_usb(fault)

    def read(self, wait_s: float) -> Frame | None:
        assert self._chosen is not None, "read before open"
        return self._chosen.read(wait_s)

    def close(self) -> None:
        if self._chosen is not None:
            self._chosen.close()

    def _open_usb(self, fault: CameraFault) -> None:
        devices = self._usb_devices()
        if not devices:
            self._chosen = None
            raise CameraFault(
                CameraState.ABSENT,
                f"No camera is found. On the ribbon: {fault.text} On USB: none.",
                f"Plug a camera in; it is then used by itself. A Pi's own camera needs: {APT}",
            )
        self._chosen = V4l2(devices[0].index, self._notify)
        self._chosen.open()


class Playback:
    """A `Device` on a recording, played at its pace; a still is shown again and again meanwhile."""

    stall_s = float("inf")

    def __init__(
        self, path: Path, *, loop: bool = False, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.name = f"The recording {path}"
        self._path = path
        self._loop = loop
        self._monotonic = monotonic
        self._frames: Iterator[Frame] = iter(())
        self._now: Frame | None = None
        self._next: Frame | None = None
        self._shown_at = float("-inf")
        self._pause = threading.Event()

    def open(self) -> None:
        self._begin()

    def read(self, wait_s: float) -> Frame | None:
        due_s = self._shown_at + PLAYBACK_INTERVAL_S - self._monotonic()
        if due_s > 0:
            self._pause.wait(min(due_s, wait_s))
        now = self._monotonic()
        if now < self._shown_at + PLAYBACK_INTERVAL_S:
            return None
        self._advance(now)
        assert self._now is not None, "a recording that was begun has a frame"
        self._shown_at = now
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
