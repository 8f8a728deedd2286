"""Which camera: from the words on the command line to a camera that can be started."""

from collections.abc import Callable, Sequence
from pathlib import Path

from companion.rules.events import Notice
from vision.camera import Camera, CameraFault, CameraState, Device, OwnedCamera
from vision.devices import VideoDevice, video_devices
from vision.frames import Frame
from vision.picamera import APT, Picamera
from vision.playback import PlayedCamera
from vision.v4l2 import V4l2

SPECS = "auto, none, picamera2, v4l2:N (for /dev/videoN), or the path of a video or of a folder of pictures"

Notify = Callable[[Notice], None]


def open_camera(spec: str, notify: Notify, *, loop: bool = False, mains_hz: int = 50) -> Camera | None:
    """Return the camera that ``spec`` names, not yet started; None for ``none``.

    ``mains_hz``: 50 or 60, of the lamps over the table. ``loop``: a recording begins anew at its end.
    What does not work once it is started is told to ``notify`` and tried again. Raises ValueError
    for words that name no camera.
    """
    if spec == "none":
        return None
    device = _device(spec, notify, mains_hz)
    return OwnedCamera(device, notify) if device else PlayedCamera(Path(spec), notify, loop=loop)


def _device(spec: str, notify: Notify, mains_hz: int) -> Device | None:
    """The device that ``spec`` names; None if it names a recording. Raises ValueError for neither."""
    if spec == "auto":
        return Automatic(notify, mains_hz=mains_hz)
    if spec == "picamera2":
        return Picamera(notify, mains_hz=mains_hz)
    if spec.startswith("v4l2:"):
        number = spec.removeprefix("v4l2:")
        if not number.isdecimal():
            raise ValueError(f"{spec!r} names no camera: write v4l2:0 for /dev/video0.")
        return V4l2(int(number), notify, mains_hz=mains_hz)
    if not spec or not Path(spec).exists():
        raise ValueError(f"{spec!r} is no camera and no file. Write {SPECS}.")
    return None


class Automatic:
    """A `Device` that takes the first camera there is, each time it is opened: ribbon before USB."""

    def __init__(
        self,
        notify: Notify,
        *,
        mains_hz: int = 50,
        usb_devices: Callable[[], Sequence[VideoDevice]] = video_devices,
    ) -> None:
        self._notify = notify
        self._mains_hz = mains_hz
        self._usb_devices = usb_devices
        self._chosen: Device | None = None

    @property
    def name(self) -> str:
        return self._chosen.name if self._chosen else "The camera"

    @property
    def stall_s(self) -> float:
        return self._chosen.stall_s if self._chosen else 0.0

    def open(self) -> None:
        self._chosen = ribbon = Picamera(self._notify, csi_only=True, mains_hz=self._mains_hz)
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
        self._chosen = V4l2(devices[0].index, self._notify, mains_hz=self._mains_hz)
        self._chosen.open()
