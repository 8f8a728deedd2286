"""Exposure, white balance and focus of a USB camera: found by itself, then held, checked, and found anew.

Pure but for the knobs: `cv2.VideoCapture` is a `Knobs`, and so is anything that gets and sets numbers.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import cv2

from vision.light import Light

SETTLE_S = 3.0
"""Automatic exposure of USB cameras takes 15 to 20 frames; then it is held."""

CHECK_S = 5.0
"""How often it is looked whether what is held still is."""


class Knobs(Protocol):
    """A camera's controls by OpenCV's numbers."""

    def get(self, propId: int, /) -> float:  # noqa: N803 - as OpenCV names it
        """Return a control's value; 0 or -1 if there is none."""

    def set(self, propId: int, value: float, /) -> bool:  # noqa: N803 - as OpenCV names it
        """Set a control; False if the camera does not take it."""


@dataclass(frozen=True, slots=True)
class _Automatic:
    """One automatic: its control with the values for manual and automatic, and what it rules."""

    name: str
    control: int
    manual: float
    automatic: float
    ruled: tuple[int, ...]
    again: bool = True
    """Whether it is let free when the light changes: focus is not a matter of light."""


_AUTOMATICS = (
    _Automatic(
        "exposure", cv2.CAP_PROP_AUTO_EXPOSURE, 1.0, 3.0, (cv2.CAP_PROP_EXPOSURE, cv2.CAP_PROP_GAIN)
    ),
    _Automatic("white balance", cv2.CAP_PROP_AUTO_WB, 0.0, 1.0, (cv2.CAP_PROP_WB_TEMPERATURE,)),
    _Automatic("focus", cv2.CAP_PROP_AUTOFOCUS, 0.0, 1.0, (cv2.CAP_PROP_FOCUS,), again=False),
)
"""1 is V4L2_EXPOSURE_MANUAL, 3 V4L2_EXPOSURE_APERTURE_PRIORITY, the only automatic of most webcams."""


class Said(StrEnum):
    """What is to be told of the controls."""

    HELD = "held"
    FREE = "automatic"
    LIGHT = "light"


class UsbHolding:
    """Follows one opened camera: `see` takes its pictures' levels and turns its knobs."""

    def __init__(self, opened_at: float) -> None:
        self._hold_at: float | None = opened_at + SETTLE_S
        self._check_at = float("inf")
        self._light = Light()
        self._values: dict[int, float] = {}
        self.free: tuple[str, ...] = ()

    def see(self, at: float, level: float, knobs: Knobs) -> Said | None:
        """Take in one picture; return what has changed, if anything. ``free``: what does not hold."""
        if self._hold_at is not None:
            if at < self._hold_at:
                return None
            self._hold_at, self._check_at, self._light = None, at + CHECK_S, Light()
            return self._hold(knobs)
        if self._light.see(at, level) and "exposure" not in self.free:
            self._hold_at, self._check_at = at + SETTLE_S, float("inf")
            for automatic in _AUTOMATICS:
                if automatic.again and automatic.name not in self.free:
                    knobs.set(automatic.control, automatic.automatic)
            return Said.LIGHT
        if at >= self._check_at:
            self._check_at = at + CHECK_S
            return self._check(knobs)
        return None

    def _hold(self, knobs: Knobs) -> Said:
        self._values = {}
        self.free = tuple(a.name for a in _AUTOMATICS if not self._held(knobs, a))
        return Said.FREE if self.free else Said.HELD

    def _held(self, knobs: Knobs, automatic: _Automatic) -> bool:
        """Switch one automatic off, keeping the values it had found; True if the camera now says so."""
        found = [(control, knobs.get(control)) for control in automatic.ruled]
        knobs.set(automatic.control, automatic.manual)
        for control, value in found:
            if value > 0 and knobs.set(control, value):
                self._values[control] = knobs.get(control)
        return knobs.get(automatic.control) == automatic.manual

    def _check(self, knobs: Knobs) -> Said | None:
        """See whether another program, or the camera itself, has turned what is held."""
        loose = [
            a.name
            for a in _AUTOMATICS
            if a.name not in self.free
            and (
                knobs.get(a.control) != a.manual
                or any(knobs.get(c) != self._values[c] for c in a.ruled if c in self._values)
            )
        ]
        if not loose:
            return None
        self.free = (*self.free, *loose)
        return Said.FREE
