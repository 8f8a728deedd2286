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
from vision.devices import describe, holders, video_devices
from vision.frames import Frame, Image

log = logging.getLogger(__name__)

SIZE_PX = (1280, 720)
"""Width and height asked for; the camera may give another size, which is then used."""

INTERVAL_S = 1 / 20
"""Every frame is fetched, so that none is old, but only so many a second are decoded."""

STALL_S = 3.0

SETTLE_S = 3.0
"""Automatic exposure of USB cameras takes 15 to 20 frames; then it is held."""

TRUSTED_STAMP_S = 2.0
"""A driver's time stamp is believed if it is at most this old; some count from elsewhere."""

_QUICK_FAILURES = 20
"""A device that has been pulled out fails at once, again and again."""

_HELD: tuple[tuple[str, int, float, tuple[int, ...]], ...] = (
    ("exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 1.0, (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN)),
    ("white balance", cv2.CAP_PROP_AUTO_WB, 0.0, (cv2.CAP_PROP_WB_TEMPERATURE,)),
    ("focus", cv2.CAP_PROP_AUTOFOCUS, 0.0, (cv2.CAP_PROP_FOCUS,)),
)
"""Name, the automatic control, its value for manual (1 is V4L2_EXPOSURE_MANUAL), and what it ruled."""


class V4l2:
    """A `Device` on ``/dev/video<index>``."""

    stall_s = STALL_S

    def __init__(
        self,
        index: int,
        notify: Callable[[Notice], None],
        *,
        size_px: tuple[int, int] = SIZE_PX,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._index = index
        self._node = Path(f"/dev/video{index}")
        self.name = f"The camera {self._node}"
        self._notify = notify
        self._size_px = size_px
        self._monotonic = monotonic
        self._capture: cv2.VideoCapture | None = None
        self._failures = 0
        self._last_at = 0.0
        self._hold_at: float | None = None

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
        self._failures, self._last_at = 0, 0.0
        self._hold_at = self._monotonic() + SETTLE_S

    def read(self, wait_s: float) -> Frame | None:
        capture = self._capture
        assert capture is not None, "read before open"
        give_up_s = self._monotonic() + wait_s
        while capture.grab():
            self._failures = 0
            at = self._stamp(capture)
            if at - self._last_at < INTERVAL_S:
                if self._monotonic() > give_up_s:
                    return None
                continue
            return self._decoded(capture, at)
        self._missed(self._monotonic() < give_up_s)
        return None

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
        if self._hold_at is not None and at >= self._hold_at:
            self._hold_at = None
            self._hold(capture)
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

    def _hold(self, capture: cv2.VideoCapture) -> None:
        free = [name for name, auto, manual, ruled in _HELD if not _held(capture, auto, manual, ruled)]
        if free:
            self._notify(
                Notice(
                    source=SETTINGS_SOURCE,
                    state="automatic",
                    text=f"{self.name} does not let its {' and '.join(free)} be held.",
                    remedy="Keep the light over the tray steady; the dice are read all the same.",
                    level="info",
                )
            )

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


def _held(capture: cv2.VideoCapture, auto: int, manual: float, ruled: tuple[int, ...]) -> bool:
    """Switch one automatic off, keeping the values it had found; True if the camera now says so."""
    found = [(control, capture.get(control)) for control in ruled]
    capture.set(auto, manual)
    for control, value in found:
        if value > 0:
            capture.set(control, value)
    return float(capture.get(auto)) == manual
