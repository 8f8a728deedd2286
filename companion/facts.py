"""What a report says of the machine and the settings, and nothing that is anybody's secret."""

import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from companion.clock import wall_time
from companion.settings import Settings

_PACKAGES = (
    "table-companion",
    "numpy",
    "opencv-python-headless",
    "opencv",
    "picamera2",
    "gpiozero",
    "lgpio",
    "gpiod",
)
_MODEL = Path("/proc/device-tree/model")


def facts(settings: Settings, *, cameras: str) -> dict[str, Any]:
    """Return versions and the settings that matter to sensors.

    Addresses, passwords of databases and paths stay here: a path can hold somebody's name.
    ``cameras`` says which camera it is, in the camera's own words.
    """
    recorded = Path(settings.camera.source).exists()
    return {
        "written": wall_time(),
        "versions": {name: found for name in _PACKAGES if (found := _version(name))},
        "python": platform.python_version(),
        "machine": platform.machine(),
        "model": _MODEL.read_text(encoding="ascii", errors="replace").strip("\0")
        if _MODEL.exists()
        else "",
        "camera": {
            "source": "a recording" if recorded else settings.camera.source,
            "mains_hz": settings.camera.mains_hz,
            "minute_mb": settings.camera.minute_mb,
            "seen": cameras,
        },
        "gpio": {
            "pin_factory": settings.gpio.pin_factory,
            "entry": settings.gpio.entry,
            "active_low": settings.gpio.active_low,
        },
    }


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return ""
