"""A USB camera (or any V4L2 capture device) through OpenCV."""

import logging
import os
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from companion.rules.events import Notice
from vision.camera import SETTINGS_SOURCE, CameraFault, CameraState
from vision.devices import describe, holders, set_mains, video_devices
from vision.frames import Frame, Image
from vision.light import level_of
from vision.usbcontrols import Said, UsbHolding

log = logging.getLogger(__name__)

SIZE_PX = (1280, 720)
"""Width and height asked for; the camera may give another size, which is then used."""

INTERVAL_S = 1 / 20
"""Every frame is fetched, so that none is old, but only so many a second are decoded."""

STALL_S = 3.0

TRUSTED_STAMP_S = 2.0
"""A driver's time stamp is believed if it is at most this old; some count from elsewhere."""

_QUICK_FAILURES = 20
"""A device that has been pulled out fails at once, again and again."""

_QUEUED_S = 0.2
"""A frame that lies ready after nobody looked for so long has waited: it is older than what happens now."""

_READY_S = 0.003


class V4l2:
    """A `Device` on ``/dev/video<index>``."""

    stall_s = STALL_S

    def __init__(
        self,
        index: int,
        notify: Callable[[Notice], None],
        *,
        size_px: tuple[int, int] = SIZE_PX,
        mains_hz: int = 50,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._index = index
        self._node = Path(f"/dev/video{index}")
        self.name = f"The camera {self._node}"
        self._notify = notify
        self._size_px = size_px
        self._mains_hz = mains_hz
        self._monotonic = monotonic
        self._capture: cv2.VideoCapture | None = None
        self._failures = 0
        self._last_at = 0.0
        self._looked_s = 0.0
        self._holding = UsbHolding(0.0)

    def open(self) -> None:
        self._check()
        # OpenCV waits ten seconds for a frame unless told otherwise before its first wait.
        os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "1")
        self._capture = cv2.VideoCapture(self._index, cv2.CAP_V4L2)
        if not self._capture.isOpened():
            raise self._not_opened()
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, self._size_px[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, self._size_px[1])
        set_mains(self._node, self._mains_hz)
        self._failures, self._last_at = 0, 0.0
        self._looked_s = self._monotonic()
        self._holding = UsbHolding(self._looked_s)

    def read(self, wait_s: float) -> Frame | None:
        capture = self._capture
        assert capture is not None, "read before open"
        give_up_s = self._monotonic() + wait_s
        while self._grab(capture):
            self._failures = 0
            at = self._stamp(capture)
            if at - self._last_at < INTERVAL_S:
                if self._monotonic() > give_up_s:
                    return None
                continue
            return self._decoded(capture, at)
        self._missed(self._monotonic() < give_up_s)
        return None

    def _grab(self, capture: cv2.VideoCapture) -> bool:
        """Take the next frame of those that are new: a driver keeps some while nobody looks."""
        while True:
            began_s = self._monotonic()
            if not capture.grab():
                return False
            now_s = self._monotonic()
            if now_s - began_s >= _READY_S or began_s - self._looked_s < _QUEUED_S:
                self._looked_s = now_s
                return True

    def close(self) -> None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.release()

    def _decoded(self, capture: cv2.VideoCapture, at: float) -> Frame | None:
        good, picture = capture.retrieve()
        if not good or picture is None:
            return None  # a damaged JPEG; the next one comes
        image = self._shaped(capture, np.asarray(picture, dtype=np.uint8))
        self._last_at = at
        self._hold(at, level_of(image), capture)
        return Frame(image=image, at=at, source=f"v4l2:{self._index}")

    def _shaped(self, capture: cv2.VideoCapture, image: Image) -> Image:
        """Give a picture its three axes: OpenCV hands some formats over as one long row."""
        if image.ndim == 3:
            return image
        shape = (
            round(capture.get(cv2.CAP_PROP_FRAME_HEIGHT)),
            round(capture.get(cv2.CAP_PROP_FRAME_WIDTH)),
            3,
        )
        if image.size != shape[0] * shape[1] * shape[2]:
            raise CameraFault(
                CameraState.LOST,
                f"{self.name} gives pictures in a form that cannot be read.",
                "Set it to MJPG or YUYV: v4l2-ctl --list-formats",
            )
        return image.reshape(shape)

    def _stamp(self, capture: cv2.VideoCapture) -> float:
        """Return when the frame was taken: the driver's monotonic stamp, or now if that is unusable."""
        now_s = self._monotonic()
        stamp_s = float(capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000
        return stamp_s if 0 <= now_s - stamp_s <= TRUSTED_STAMP_S else now_s

    def _missed(self, quick: bool) -> None:
        """Tell a device that has gone from one that is only slow. Raises CameraFault."""
        self._failures = self._failures + 1 if quick else 0
        if not self._node.exists() or self._failures >= _QUICK_FAILURES:
            raise CameraFault(
                CameraState.LOST,
                f"{self.name} has been unplugged or has failed.",
                "Plug it in again, into the same socket; it is then used by itself.",
            )

    def _hold(self, at: float, level: float, capture: cv2.VideoCapture) -> None:
        said = self._holding.see(at, level, capture)
        steady = "Keep the light over the tray steady; the dice are read all the same."
        match said:
            case Said.FREE:
                free = " and ".join(self._holding.free)
                self._tell(said, f"{self.name} does not let its {free} be held.", steady)
            case Said.LIGHT:
                self._tell(said, f"The light has changed; {_lower(self.name)} measures it anew.", steady)
            case Said.HELD:
                self._tell(said, f"{self.name} holds exposure and colours.", level="ok")

    def _tell(self, state: str, text: str, remedy: str = "", *, level: str = "info") -> None:
        self._notify(Notice(source=SETTINGS_SOURCE, state=state, text=text, remedy=remedy, level=level))

    def _check(self) -> None:
        if not self._node.exists():
            there = ", ".join(f"v4l2:{d.index} ({d.card})" for d in video_devices())
            raise CameraFault(
                CameraState.ABSENT,
                f"{self.name} is not there{'; there is ' + there if there else ''}.",
                "Plug the camera in, or name another one.",
            )
        if not os.access(self._node, os.R_OK | os.W_OK):
            raise CameraFault(
                CameraState.ABSENT,
                f"{self.name} may not be opened by this user.",
                "sudo usermod -aG video $USER, then log out and in again.",
            )
        if describe(self._node) is None:
            raise CameraFault(
                CameraState.ABSENT,
                f"{self._node} is not a camera that gives pictures.",
                "Many cameras have two nodes: name the other one, usually the lower number.",
            )

    def _not_opened(self) -> CameraFault:
        who = [holder for holder in holders([self._node]) if not holder.endswith(f"({os.getpid()})")]
        return CameraFault(
            CameraState.BUSY,
            f"{self.name} cannot be used{': held by ' + ', '.join(who) if who else ''}.",
            "End the program that uses it; the camera is then taken by itself.",
        )


def _lower(name: str) -> str:
    return f"{name[:1].lower()}{name[1:]}"
