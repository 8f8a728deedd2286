"""What Linux says of cameras: which capture devices there are, and which process holds one."""

import fcntl
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

_QUERYCAP = 0x80685600
"""VIDIOC_QUERYCAP: _IOR('V', 0, struct v4l2_capability) from linux/videodev2.h."""
_CAPABILITY = struct.Struct("16s32s32sIII12x")
_S_CTRL = 0xC008561C
"""VIDIOC_S_CTRL: _IOWR('V', 28, struct v4l2_control)."""
_CONTROL = struct.Struct("Ii")
_POWER_LINE_FREQUENCY = 0x00980918
_MAINS = {50: 1, 60: 2}
_VIDEO_CAPTURE = 0x00000001
_M2M = 0x00004000 | 0x00008000
_STREAMING = 0x04000000
_DEVICE_CAPS = 0x80000000
_RAW_DRIVERS = frozenset({"unicam", "rp1-cfe", "bcm2835-isp", "bcm2835-codec", "pispbe", "rpi-hevc-dec"})
"""A Raspberry Pi's own nodes: raw sensor data and codecs. Its camera is read through picamera2."""


@dataclass(frozen=True, slots=True)
class VideoDevice:
    """A V4L2 device that gives pictures: ``/dev/video<index>``, the card's name and its driver."""

    index: int
    card: str
    driver: str


def video_devices() -> tuple[VideoDevice, ...]:
    """List the capture devices, lowest number first; those that may not be opened are left out."""
    found = (describe(node) for node in sorted(Path("/dev").glob("video*"), key=_number))
    return tuple(device for device in found if device and device.driver not in _RAW_DRIVERS)


def describe(node: Path) -> VideoDevice | None:
    """Describe a device node; None if it does not capture or cannot be opened."""
    try:
        fd = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        answer = fcntl.ioctl(fd, _QUERYCAP, bytes(_CAPABILITY.size))
    except OSError:
        return None
    finally:
        os.close(fd)
    driver, card, _, _, all_caps, own_caps = _CAPABILITY.unpack(answer)
    caps = own_caps if all_caps & _DEVICE_CAPS else all_caps
    if not caps & _VIDEO_CAPTURE or not caps & _STREAMING or caps & _M2M:
        return None
    return VideoDevice(_number(node), _text(card), _text(driver))


def set_mains(node: Path, mains_hz: int) -> bool:
    """Tell a camera at what rate lamps flicker, 50 or 60 Hz; False if it does not want to know."""
    try:
        fd = os.open(node, os.O_RDWR | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.ioctl(fd, _S_CTRL, _CONTROL.pack(_POWER_LINE_FREQUENCY, _MAINS[mains_hz]))
    except OSError:
        return False
    finally:
        os.close(fd)
    return True


def holders(nodes: Iterable[Path]) -> tuple[str, ...]:
    """Name the processes that hold one of these nodes open, as ``name (process id)``.

    Without root only one's own processes can be looked into, so the answer may be empty.
    """
    wanted = {str(node) for node in nodes}
    found = {pid: name for pid, name in _processes() if _holds(pid, wanted)}
    return tuple(f"{name} ({pid})" for pid, name in sorted(found.items()))


def _processes() -> Iterator[tuple[int, str]]:
    for folder in Path("/proc").iterdir():
        if folder.name.isdecimal():
            with suppress(OSError):  # it has ended since
                yield int(folder.name), (folder / "comm").read_text().strip()


def _holds(pid: int, wanted: set[str]) -> bool:
    with suppress(OSError):  # it has ended, or it is somebody else's
        for link in Path(f"/proc/{pid}/fd").iterdir():
            with suppress(OSError):
                if str(link.readlink()) in wanted:
                    return True
    return False


def _number(node: Path) -> int:
    digits = node.name.removeprefix("video")
    return int(digits) if digits.isdecimal() else -1


def _text(field: bytes) -> str:
    return field.split(b"\0", 1)[0].decode(errors="replace")
