"""How many cubes broke the beams of one plate at once. Pure."""

from typing import Final

from hardware.passages import Broken, Passage, Span

SHIFT_S: Final = 0.006
"""One cube meets both beams of a pair at once; standing askew it may need some milliseconds."""

AGAIN_S: Final = 0.005
"""A cube darkens a beam for at least so long at the roof."""

SLOWEST_S: Final = 0.045
"""Longer than a cube of 8 mm takes that falls through the roof from rest, for each of 8 mm."""

SURE: Final = 0.99
SLOW_SURE: Final = 0.8
"""How sure one cube is: of the usual length, and longer than it falls by itself."""


def cubes_in(broken: Broken, cube_mm: float, typical_s: float) -> list[Passage]:
    """The cubes, one or two, that passed while the plate's beams were broken without a break.

    Two cubes that overlap show where a beam is dark twice, or where the beams of a pair do not begin and
    end together. The length alone proves nothing: a slow cube takes as long as two fast ones.
    """
    begun = _second(broken)
    slowest_s = SLOWEST_S * cube_mm / 8.0
    if begun is None:
        sure = SURE if broken.width_s <= slowest_s else SLOW_SURE
        return [Passage(broken.plate, broken.at, broken.width_s, sure)]
    first_s = min(typical_s, broken.width_s)
    return [
        Passage(broken.plate, broken.at, first_s),
        Passage(broken.plate, max(begun, broken.at), broken.until - begun, 0.9),
    ]


def _second(broken: Broken) -> float | None:
    """When the second cube came, if there was one."""
    for spans in broken.spans.values():
        long = [span for span in spans if span[1] - span[0] >= AGAIN_S]
        if len(long) >= 2:
            return long[-1][0]
    if len(broken.spans) < 2:
        return None
    one, other = (_hull(spans) for spans in broken.spans.values())
    if abs(one[0] - other[0]) > SHIFT_S:
        return max(one[0], other[0])
    if abs(one[1] - other[1]) > SHIFT_S:
        return min(one[1], other[1])
    return None


def _hull(spans: tuple[Span, ...]) -> Span:
    return spans[0][0], spans[-1][1]
