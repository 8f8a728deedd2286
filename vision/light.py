"""Has the light over the tray changed for good, while exposure is held? Pure."""

from collections import deque
from dataclasses import dataclass, field

from vision.frames import Image

LASTING_S = 4.0
"""A lamp that is switched on stays; a hand in front of it, or over the tray, has gone by then."""

LEARNT_S = 1.0
"""The level that is compared with is the middle one of the first second."""

_LIGHTER, _DARKER = 1.4, 1 / 1.5
_WHITE, _NOT_WHITE = 232.0, 212.0
"""A picture that is nearly white has no room left to grow by a factor."""


def level_of(image: Image) -> float:
    """Return the mean grey level 0..255 of a BGR picture, from every sixteenth pixel."""
    return float(image[::16, ::16].mean())


@dataclass(slots=True)
class Light:
    """Follows the level of the pictures from the moment their exposure was held."""

    _first: deque[tuple[float, float]] = field(default_factory=deque)
    _reference: float | None = None
    _since: float | None = None

    def see(self, at: float, level: float) -> bool:
        """Take in the next picture's level at ``at`` (seconds); True once a change has lasted."""
        if self._reference is None:
            self._first.append((at, level))
            if at - self._first[0][0] >= LEARNT_S:
                levels = sorted(level for _, level in self._first)
                self._reference = levels[len(levels) // 2]
                self._first.clear()
            return False
        if not self._differs(level, self._reference):
            self._since = None
            return False
        self._since = at if self._since is None else self._since
        return at - self._since >= LASTING_S

    @staticmethod
    def _differs(level: float, reference: float) -> bool:
        room = max(reference, 4.0)
        whited_out = level > _WHITE and reference < _NOT_WHITE
        return level > _LIGHTER * room or level < _DARKER * room or whited_out
