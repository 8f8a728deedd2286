"""Exposure, gain, white balance and focus: found by the camera once, then held, then checked.

Pure: metadata goes in as picamera2 gives it, controls come out as picamera2 takes them.
"""

from collections import deque
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from vision.light import Light

SETTLED_FRAMES = 6
"""Frames that must agree. Automatic exposure has converged by frame six on a camera module v2."""

SETTLED_WITHIN = 0.03
"""Largest spread (relative) of exposure x gain over those frames."""

SETTLE_S = 4.0
"""After this long the values are taken as they are: a flickering lamp never agrees."""

VERIFY_FRAMES = 30
"""New values are in force about eight frames after they are set; more than this is a refusal."""

VERIFY_WITHIN = 0.02
"""Relative difference between the value asked for and the value in the metadata."""

_LEAST_DIFFERENCE = 0.03
"""Less is rounding: in dioptres, and in gains."""

FRAME_US = (33_333, 66_667)
"""Shortest and longest frame: 30 to 15 pictures a second."""

_AF_MANUAL, _AF_CONTINUOUS, _AF_FOCUSED = 0, 2, 2
_FLICKER_MANUAL = 1
_PAIRS = frozenset({"ColourGains", "FrameDurationLimits"})

Controls = dict[str, Any]
Advertised = Mapping[str, tuple[Any, Any, Any]]
"""Control to (least, greatest, default), as ``Picamera2.camera_controls``."""


class Hold(StrEnum):
    """How far the values are."""

    SETTLING = "settling"
    SETTING = "setting"
    HELD = "held"
    REFUSED = "refused"


def checked(controls: Mapping[str, Any], advertised: Advertised) -> tuple[Controls, tuple[str, ...]]:
    """Split controls into those the camera takes and sentences on the others.

    A value of the wrong type is accepted by picamera2 and then ends its event thread, so that no
    picture comes any more: nothing is set that has not been through here.
    """
    good: Controls = {}
    refused = []
    for name, value in controls.items():
        if name not in advertised:
            refused.append(f"This camera has no control {name}.")
        elif problem := _problem(name, value, advertised[name]):
            refused.append(problem)
        else:
            good[name] = value
    return good, tuple(refused)


def opening(advertised: Advertised, mains_hz: int) -> Controls:
    """Return the controls to start with: everything automatic, no flicker, 15 to 30 pictures a second."""
    wanted: Controls = {
        "AeEnable": True,
        "AwbEnable": True,
        "FrameDurationLimits": FRAME_US,
        "AfMode": _AF_CONTINUOUS,
        "AeFlickerMode": _FLICKER_MANUAL,
        "AeFlickerPeriod": _flicker_us(mains_hz),
    }
    return {name: value for name, value in wanted.items() if name in advertised}


class Holding:
    """Watches the metadata of one opened camera until its values are held.

    >>> holding = Holding({"ExposureTime": (1, 10**6, 1), "AnalogueGain": (1.0, 8.0, 1.0)}, mains_hz=50)
    >>> for n in range(6):
    ...     controls = holding.see(n / 30, {"ExposureTime": 21_000, "AnalogueGain": 2.0})
    >>> controls["ExposureTime"], round(controls["AnalogueGain"], 2), holding.state.value
    (20000, 2.1, 'setting')
    """

    def __init__(self, advertised: Advertised, mains_hz: int) -> None:
        self._advertised = advertised
        self._mains_hz = mains_hz
        self._recent: deque[float] = deque(maxlen=SETTLED_FRAMES)
        self._began: float | None = None
        self._asked: Controls = {}
        self._waited = 0
        self._light = Light()
        self._focused = "AfMode" not in advertised
        self.state = Hold.SETTLING
        self.loose: tuple[str, ...] = ()

    def see(self, at: float, metadata: Mapping[str, Any], level: float | None = None) -> Controls | None:
        """Take in one frame's metadata (``at`` in seconds); return controls to set now, or None.

        ``level``: the mean of its picture, 0..255. Once that has changed for good, exposure and
        colours are found and held anew; focus stays. ``loose`` names what is not as it was asked for.
        """
        match self.state:
            case Hold.SETTLING:
                return self._settle(at, metadata)
            case Hold.SETTING:
                self._verify(metadata)
            case Hold.HELD:
                if level is not None and self._light.see(at, level):
                    return self._release(at)
                self._verify(metadata)
        return None

    def _release(self, at: float) -> Controls:
        self.state, self._began = Hold.SETTLING, at
        self._recent.clear()
        return {k: v for k, v in opening(self._advertised, self._mains_hz).items() if k != "AfMode"}

    def _settle(self, at: float, metadata: Mapping[str, Any]) -> Controls | None:
        self._began = at if self._began is None else self._began
        waited_out = at - self._began >= SETTLE_S
        if "ExposureTime" not in metadata or "AnalogueGain" not in metadata:
            if waited_out:  # a camera that does not report cannot be held
                self.state = Hold.REFUSED
            return None
        self._recent.append(metadata["ExposureTime"] * metadata["AnalogueGain"])
        focusing = not self._focused and metadata.get("AfState") != _AF_FOCUSED
        if not waited_out and (focusing or not self._agree()):
            return None
        self._asked = _held(metadata, self._advertised, self._mains_hz)
        self.state, self._waited, self._light, self._focused = Hold.SETTING, 0, Light(), True
        return self._asked

    def _agree(self) -> bool:
        full = len(self._recent) == SETTLED_FRAMES
        return full and max(self._recent) <= min(self._recent) * (1 + SETTLED_WITHIN)

    def _verify(self, metadata: Mapping[str, Any]) -> None:
        """Compare what is in force with what was asked for; a difference that stays is a refusal."""
        self.loose = tuple(word for name, word in _VERIFIED.items() if not self._in_force(name, metadata))
        if not self.loose:
            self.state, self._waited = Hold.HELD, 0
            return
        self._waited += 1
        if self._waited >= VERIFY_FRAMES:
            self.state = Hold.REFUSED

    def _in_force(self, name: str, metadata: Mapping[str, Any]) -> bool:
        asked, seen = self._asked.get(_ASKED_AS.get(name, name)), metadata.get(name)
        if asked is None or (seen is None and name not in _ALWAYS_REPORTED):
            return True
        if name == "FrameDuration":
            return _near(seen, asked[0])
        if name == "ColourGains":
            return all(_near(s, a) for s, a in zip(seen or (), asked, strict=False))
        return _near(seen, asked)


_VERIFIED = {
    "ExposureTime": "exposure",
    "AnalogueGain": "gain",
    "ColourGains": "colours",
    "FrameDuration": "pace",
    "LensPosition": "focus",
}
"""What the metadata are held against, and the words for it."""
_ASKED_AS = {"FrameDuration": "FrameDurationLimits"}
_ALWAYS_REPORTED = frozenset({"ExposureTime", "AnalogueGain"})


def _held(metadata: Mapping[str, Any], advertised: Advertised, mains_hz: int) -> Controls:
    exposure_us = _whole_periods(int(metadata["ExposureTime"]), mains_hz)
    gain = metadata["AnalogueGain"] * metadata["ExposureTime"] / exposure_us
    frame_us = max(FRAME_US[0], exposure_us, int(metadata.get("FrameDuration", 0)))
    wanted: Controls = {
        "AeEnable": False,
        "AwbEnable": False,
        "ExposureTime": _clamped(exposure_us, advertised.get("ExposureTime")),
        "AnalogueGain": float(_clamped(gain, advertised.get("AnalogueGain"))),
        "FrameDurationLimits": (frame_us, frame_us),
    }
    if "ColourGains" in metadata:
        wanted["ColourGains"] = tuple(float(gain) for gain in metadata["ColourGains"])
    if "AfMode" in advertised and "LensPosition" in metadata:
        wanted |= {"AfMode": _AF_MANUAL, "LensPosition": float(metadata["LensPosition"])}
    return {name: value for name, value in wanted.items() if name in advertised}


def _flicker_us(mains_hz: int) -> int:
    return round(1_000_000 / (2 * mains_hz))


def _whole_periods(exposure_us: int, mains_hz: int) -> int:
    """Round to whole half-waves of the mains, so that a lamp's flicker leaves no bands.

    >>> _whole_periods(27_000, 50), _whole_periods(4_000, 50)
    (30000, 4000)
    """
    period_us = _flicker_us(mains_hz)
    return exposure_us if exposure_us < period_us else round(exposure_us / period_us) * period_us


def _clamped(value: float, limits: tuple[Any, Any, Any] | None) -> float:
    return value if limits is None else min(max(value, limits[0]), limits[1])


def _near(seen: float | None, asked: float) -> bool:
    return seen is not None and abs(seen - asked) <= max(VERIFY_WITHIN * abs(asked), _LEAST_DIFFERENCE)


def _problem(name: str, value: Any, limits: tuple[Any, Any, Any]) -> str:
    if name in _PAIRS:
        if not isinstance(value, tuple | list) or len(value) != 2:
            return f"{name} must be a pair, not {value!r}."
        return next(filter(None, (_problem_of_one(name, v, limits) for v in value)), "")
    return _problem_of_one(name, value, limits)


def _problem_of_one(name: str, value: Any, limits: tuple[Any, Any, Any]) -> str:
    least, greatest, _ = limits
    kinds = {bool: (bool,), int: (int,), float: (int, float)}.get(type(least))
    if kinds is None:
        return f"{name} takes a value that is not set here."
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        return f"{name} must be {type(least).__name__}, not {value!r}."
    if bool not in kinds and not least <= value <= greatest:
        return f"{name} must be between {least} and {greatest}, not {value!r}."
    return ""
