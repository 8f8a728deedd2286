"""Can dice be read in this picture at all? Pure: too dark, too bright and blurred, with what helps."""

from dataclasses import dataclass, field
from enum import StrEnum

import cv2
import numpy as np

from vision.frames import Image
from vision.settle import Grey
from vision.softness import steepness

LASTING_S = 1.5
"""A fault of the picture is told once it has lasted for so long: lamps are lit and hands go away."""

_DARK_LEVEL = 55.0
"""The lightest fiftieth of a picture in which dice can be read is lighter than this (grey levels)."""

_BRIGHT_LEVEL, _BRIGHT_SHARE = 250, 0.35
_BLURRED_PX = 5.5
"""Width of an edge, in px of a picture whose longest side is `_SHARP_PX`: the pips of a die that is
a twentieth of it wide run into one another."""

_SHARP_PX = 640
_WINDOW_PX = 21
_EDGE_LEVEL = 45.0


class Sight(StrEnum):
    """What the picture is like."""

    CLEAR = "clear"
    DARK = "dark"
    BRIGHT = "bright"
    BLURRED = "blurred"


WORDS = {
    Sight.DARK: ("It is too dark over the tray.", "Light a lamp; dice that are not sure are asked about."),
    Sight.BRIGHT: (
        "The picture is too bright: pips drown in it.",
        "Turn the lamp away from the tray, or dim it.",
    ),
    Sight.BLURRED: (
        "The picture is blurred.",
        "Wipe the lens; turn its ring until dice are sharp (a Module 3 focuses by itself at the start).",
    ),
}
"""What is said of each fault: the fault, and what helps."""


@dataclass(slots=True)
class Sighted:
    """Follows the pictures in which nothing moves. `light` sees each, `sharp` those that are read."""

    sight: Sight = Sight.CLEAR
    _light: Sight = Sight.CLEAR
    _blur: Sight = Sight.CLEAR
    _wrong: Sight = Sight.CLEAR
    _since: float = field(default=0.0)

    def light(self, grey: Grey, at: float) -> Sight:
        """Take in the tray in small; return what can be said by now."""
        self._light = _lit(grey)
        return self._weigh(at)

    def sharp(self, image: Image, at: float) -> Sight:
        """Take in the tray in full; return what can be said by now."""
        width_px = edge_px(image)
        if width_px is not None:
            self._blur = Sight.BLURRED if width_px > _BLURRED_PX else Sight.CLEAR
        return self._weigh(at)

    def _weigh(self, at: float) -> Sight:
        wrong = self._light if self._light is not Sight.CLEAR else self._blur
        if wrong is not self._wrong:
            self._wrong, self._since = wrong, at
        if wrong is Sight.CLEAR or at - self._since >= LASTING_S:
            self.sight = wrong
        return self.sight


def edge_px(image: Image) -> float | None:
    """Return how wide clear edges are, in px of a picture with the longest side 640; None without any.

    A sharp picture has 1.5 to 3. An edge's width is the contrast around it over its steepest slope.
    """
    scale = min(1.0, _SHARP_PX / max(image.shape[:2]))
    size = (max(1, round(image.shape[1] * scale)), max(1, round(image.shape[0] * scale)))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    window = np.ones((_WINDOW_PX, _WINDOW_PX), np.uint8)
    contrast = cv2.subtract(cv2.dilate(grey, window), cv2.erode(grey, window)).astype(np.float32)
    steepest = cv2.dilate(steepness(np.asarray(grey, np.uint8)), window)
    clear = contrast >= max(_EDGE_LEVEL, 0.6 * float(contrast.max(initial=0)))
    if not clear.any():
        return None
    return float(np.median(contrast[clear] / np.maximum(steepest[clear], 0.5)))


def _lit(grey: Grey) -> Sight:
    if float(np.percentile(grey, 98)) < _DARK_LEVEL:
        return Sight.DARK
    if float(np.mean(grey >= _BRIGHT_LEVEL)) > _BRIGHT_SHARE:
        return Sight.BRIGHT
    return Sight.CLEAR
