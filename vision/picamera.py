"""The Raspberry Pi's camera through picamera2: the only module that imports it, and only when used.

Whatever picamera2 does not say plainly becomes a `CameraFault` here: a missing library, another
Python, a numpy it was not built for, a camera that somebody else holds, no camera at all.
"""

import logging
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError
from concurrent.futures import TimeoutError as FutureTimeoutError
from pathlib import Path
from typing import Any

from companion.rules.events import Notice
from vision.camera import SETTINGS_SOURCE, CameraFault, CameraState
from vision.devices import holders
from vision.exposure import Hold, Holding, checked, opening
from vision.frames import Frame
from vision.light import level_of

log = logging.getLogger(__name__)

SIZE_PX = (1280, 960)
"""Width and height. 4:3 keeps the whole field of view of the camera modules; a 16 mm die is 60 px
wide when the picture spans 34 cm."""

STALL_S = 2.0
"""A Pi's pipeline that has been silent for a second does not come back without stop and start."""

STALE_S = 1.0
"""A frame older than this was exposed before a stall and says nothing about now."""

APT = "sudo apt install -y python3-picamera2 --no-install-recommends"
VENV = "/usr/bin/python3 -m venv --system-site-packages .venv"


class Picamera:
    """A `Device` on a camera that libcamera knows. ``wanted``: a part of its Id or model name."""

    stall_s = STALL_S

    def __init__(
        self,
        notify: Callable[[Notice], None],
        *,
        wanted: str = "",
        csi_only: bool = False,
        size_px: tuple[int, int] = SIZE_PX,
        mains_hz: int = 50,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.name = "The camera"
        self._notify = notify
        self._wanted = wanted
        self._csi_only = csi_only
        self._size_px = size_px
        self._mains_hz = mains_hz
        self._monotonic = monotonic
        self._camera: Any = None
        self._job: Any = None
        self._last_at = 0.0
        self._holding: Holding | None = None

    def open(self) -> None:
        camera_class = load()
        info = choose(camera_class.global_camera_info(), self._wanted, csi_only=self._csi_only)
        self.name = f"The camera {info.get('Model', info['Id'])}"
        try:
            self._camera = camera_class(info["Num"])
            self._configure()
            self._camera.start()
        except (RuntimeError, IndexError) as error:
            raise explain(error) from error
        self._last_at = self._monotonic()  # frames exposed before this are not news
        self._holding = Holding(self._camera.camera_controls, self._mains_hz)

    def read(self, wait_s: float) -> Frame | None:
        # One capture job stands at a time: a job that is given up stays in picamera2's list and
        # keeps one of its few buffers when frames come again.
        self._job = self._job or self._camera.capture_request(wait=False)
        try:
            request = self._job.get_result(timeout=wait_s)
        except (TimeoutError, FutureTimeoutError):
            return None
        except CancelledError:
            self._job = None
            return None
        self._job = None
        try:
            metadata = request.get_metadata()
            at = metadata["SensorTimestamp"] / 1e9
            if at <= self._last_at or self._monotonic() - at > STALE_S:
                return None
            image = request.make_array("main")
        finally:
            request.release()
        self._last_at = at
        self._hold(at, metadata, level_of(image))
        return Frame(image=image, at=at, source="picamera2")

    def close(self) -> None:
        camera, self._camera, self._job, self._holding = self._camera, None, None, None
        if camera is None:
            return
        camera.cancel_all_and_flush()  # with a capture pending on a stalled camera, stop never returns
        camera.close()

    def set(self, controls: Mapping[str, Any]) -> tuple[str, ...]:
        """Set those controls that the camera takes; return a sentence for each of the others."""
        good, refused = checked(controls, self._camera.camera_controls)
        if good:
            self._camera.set_controls(good)
        return refused

    def _configure(self) -> None:
        # RGB888 is libcamera's name for arrays in the order blue, green, red. No lores stream and
        # no FrameRate control: USB cameras have neither.
        advertised = self._camera.camera_controls
        controls, _ = checked(opening(advertised, self._mains_hz), advertised)
        configuration = self._camera.create_preview_configuration(
            main={"format": "RGB888", "size": self._size_px}, buffer_count=4, queue=False, controls=controls
        )
        self._camera.configure(configuration)

    def _hold(self, at: float, metadata: Mapping[str, Any], level: float) -> None:
        if self._holding is None:
            return
        before = self._holding.state
        controls = self._holding.see(at, metadata, level)
        refused = self.set(controls) if controls else ()
        now = self._holding.state
        if refused:
            self._tell("refused", " ".join(refused))
        elif now is before:
            return
        elif now is Hold.REFUSED:
            loose = " and ".join(self._holding.loose) or "exposure"
            self._tell("automatic", f"{self.name} does not hold its {loose}; the picture may drift.")
        elif now is Hold.HELD:
            self._tell("held", f"{self.name} holds exposure and colours.", level="ok")
        elif now is Hold.SETTLING:
            self._tell("light", f"The light has changed; t{self.name[1:]} measures it anew.")

    def _tell(self, state: str, text: str, level: str = "info") -> None:
        remedy = (
            "" if level == "ok" else "Keep the light over the tray steady; the dice are read all the same."
        )
        self._notify(Notice(source=SETTINGS_SOURCE, state=state, text=text, remedy=remedy, level=level))


def load() -> Any:
    """Import picamera2 and return its class. Raises CameraFault with the remedy."""
    try:
        from picamera2 import Picamera2  # noqa: PLC0415 - present on a Raspberry Pi only
    except (ImportError, ValueError) as error:
        raise explain(error) from error
    return Picamera2


def choose(
    infos: Sequence[Mapping[str, Any]], wanted: str = "", *, csi_only: bool = False
) -> Mapping[str, Any]:
    """Choose a camera by its Id or model: a number alone names another camera after re-plugging.

    Without ``wanted``, a camera on the ribbon cable comes before one on USB, then the Id decides.
    Raises CameraFault if there is none.
    """
    fitting = [i for i in infos if wanted.lower() in f"{i['Id']} {i.get('Model', '')}".lower()]
    if csi_only:
        fitting = [i for i in fitting if "/usb" not in i["Id"]]
    if fitting:
        return min(fitting, key=lambda i: ("/usb" in i["Id"], i["Id"]))
    if wanted and infos:
        names = ", ".join(str(i.get("Model", i["Id"])) for i in infos)
        raise CameraFault(
            CameraState.ABSENT, f"There is no camera {wanted!r}; there is: {names}.", "Name one of these."
        )
    raise _no_camera()


def explain(error: BaseException) -> CameraFault:
    """Say in a sentence, with the remedy, what an error of picamera2 or of its import means."""
    text = " / ".join(f"{type(e).__name__}: {e}" for e in _chain(error))
    for mark, fault in _MEANINGS:
        if mark in text:
            return fault()
    if isinstance(error, ImportError):
        return CameraFault(
            CameraState.ABSENT, f"picamera2 cannot be imported: {error}.", f"Install it again: {APT}"
        )
    return CameraFault(
        CameraState.LOST, f"picamera2 failed: {error}.", "It is tried again; see the system log."
    )


def _chain(error: BaseException | None) -> list[BaseException]:
    chain = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def _no_camera() -> CameraFault:
    return CameraFault(
        CameraState.ABSENT,
        "No camera is found.",
        "Check that the ribbon cable is seated at both ends, then: rpicam-hello --list-cameras",
    )


def _busy() -> CameraFault:
    who = holders(Path("/dev").glob("media*")) or holders(Path("/dev").glob("video*"))
    return CameraFault(
        CameraState.BUSY,
        f"Another program holds the camera{': ' + ', '.join(who) if who else ''}.",
        "End that program (crowsnest, rpicam-hello, a second companion?); it is then taken by itself.",
    )


def _not_installed() -> CameraFault:
    return CameraFault(
        CameraState.ABSENT,
        "picamera2 is not there for this Python.",
        f"{APT}; then make the virtual environment so that it sees it: {VENV}",
    )


def _other_python() -> CameraFault:
    running = f"{sys.version_info.major}.{sys.version_info.minor}"
    return CameraFault(
        CameraState.ABSENT,
        f"libcamera was built for another Python than this one ({running}, {sys.executable}).",
        f"Use the system's Python: {VENV}",
    )


def _no_kms() -> CameraFault:
    return CameraFault(
        CameraState.ABSENT, "picamera2 lacks its module pykms.", "sudo apt install -y python3-kms++"
    )


def _numpy_clash() -> CameraFault:
    return CameraFault(
        CameraState.ABSENT,
        "picamera2's libraries were built for another numpy than the one in this virtual environment.",
        "Either .venv/bin/pip install 'simplejpeg>=1.9', "
        "or let the system's numpy be used: .venv/bin/pip uninstall -y numpy",
    )


_MEANINGS: tuple[tuple[str, Callable[[], CameraFault]], ...] = (
    ("numpy.dtype size changed", _numpy_clash),
    ("numpy.core.multiarray failed to import", _numpy_clash),
    ("compiled using NumPy 1.x", _numpy_clash),
    ("libcamera._libcamera", _other_python),
    ("No module named 'libcamera'", _not_installed),
    ("No module named 'picamera2'", _not_installed),
    ("No module named 'pykms'", _no_kms),
    ("Device or resource busy", _busy),
    ("Pipeline handler in use", _busy),
    ("__init__ sequence did not complete", _busy),
    ("No camera number", _no_camera),
    ("list index out of range", _no_camera),
)
"""Parts of error texts seen with picamera2 0.3.38, most telling first."""
