"""Dice that lean, seen from above: flat ones show squares all squeezed alike, if at all.

One crop cannot tell a die that leans from one that lies flat before a camera that looks across the table;
all dice of a picture together can, if it was straightened or they tell that it was taken from above.
"""

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.faceheads import STATES
from vision.frames import Floats, Frame, Image, floats
from vision.looks import Looks, edges, look, mean_sides

LEANING, SAID = 0.2, 0.15
"""A die leans if its outline is squeezed by so much more than the others', and if the network believes of
its crop, by so much, that it does. Either alone is wrong too often: on photographs outlines err more than
on traced pictures, and crops of a table seen obliquely show two faces of each die. Chosen on traced tuning
pictures from above (of 1,000 flat dice 1 is said to lean, of 10 turned by 30 to 40 degrees 6) and on 983
dice of photographs trained on (none is)."""

_SUSPECT = 0.18
"""From so much on a die is looked at again, turned by these degrees: one look errs by 0.09, all by 0.07."""
_TURNS = (22.5, 45.0, 67.5)

_UNSAID = 0.05
"""A die of whose first look the network believes less is not looked at again: that would take time."""

_COCKED, _LEAST = STATES.index("cocked"), 1e-3

_FEWEST = 3
_MOST_ALL = 0.3
"""So many dice tell how they are squeezed, and if it is by more than this, it says little of one die."""

_FEWEST_ABOVE, _MOST_ABOVE, _SPREAD_ABOVE = 4, 0.1, 0.12
"""The same where nobody straightened the picture, and how much the others may differ at the median."""

_ROUND, _LARGE_PX = 1.6, 96.0
"""Half the width, in sides of a face, of what is turned; and the side beyond which it is shrunk first."""


def leaning(frame: Frame, seen: Looks, real: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Say which of n places are dice that lean.

    Args:
        frame: the picture, a straightened tray (vision.tray) or any.
        seen: what was seen there, upper faces or what may be some.
        real: (n,) which of them are thought to be dice; the others never lean.
    """
    leans = np.zeros(len(real), np.bool_)
    if real.sum() < _FEWEST:
        return leans
    squeezed = squeeze(seen.corners)
    for n in np.flatnonzero(real):
        others = squeezed[[m for m in np.flatnonzero(real) if m != n]]
        usual = complex(np.median(others.real), np.median(others.imag))
        suspect = abs(squeezed[n] - usual) > _SUSPECT and seen.states[n, _COCKED] > _UNSAID
        if suspect and _tell(others, usual, straight=frame.straight):
            again, more = _again(frame.image, seen.corners[n])
            off = abs(np.mean([squeezed[n], *again]) - usual)
            said = np.log(np.array([seen.states[n, _COCKED], *more]) + _LEAST)
            leans[n] = off > LEANING and np.exp(said.mean()) > SAID
    return leans


def squeeze(corners: Floats) -> NDArray[np.complex128]:
    """Return (n,) by how much outlines (n, 4, 2) differ from squares: 0 for a square of any turn and size.

    The absolute value of a square seen at ``t`` degrees from straight above is ``1 / cos(t) - cos(t)``;
    half the angle is the way along which it is longest.
    """
    p, q = (side[:, 0] + 1j * side[:, 1] for side in edges(corners))
    told: NDArray[np.complex128] = (p * p + q * q) / np.maximum(np.abs((p.conj() * q).imag), 1e-6)
    return told


def _tell(others: NDArray[np.complex128], usual: complex, *, straight: bool) -> bool:
    """Return whether the others, so squeezed, tell anything of one die."""
    if straight:
        return abs(usual) < _MOST_ALL
    apart = float(np.median(np.abs(others - usual)))
    return len(others) + 1 >= _FEWEST_ABOVE and abs(usual) < _MOST_ABOVE and apart < _SPREAD_ABOVE


def _again(image: Image, outline: Floats) -> tuple[NDArray[np.complex128], Floats]:
    """Return a die's squeeze, and how much it is believed to lean, in the picture turned in each way."""
    image, centre, side = _near(image, outline.mean(axis=0), float(mean_sides(outline[None])[0]))
    half = max(8, round(_ROUND * side))
    tiles = []
    for turn in _TURNS:
        warp = cv2.getRotationMatrix2D((float(centre[0]), float(centre[1])), turn, 1.0)
        warp[:, 2] = warp[:, 2] + half - centre
        tiles.append(cv2.warpAffine(image, warp, (2 * half, 2 * half), borderMode=cv2.BORDER_REPLICATE))
    middles = floats([((2 * n + 1) * half, half) for n in range(len(tiles))])
    seen = look(np.asarray(np.hstack(tiles), np.uint8), middles, floats([side] * len(tiles)))
    back: NDArray[np.complex128] = np.exp(2j * np.radians(_TURNS))
    return squeeze(seen.corners) * back, seen.states[:, _COCKED]


def _near(image: Image, centre: Floats, side: float) -> tuple[Image, Floats, float]:
    """Cut out what lies round a large die, and shrink it: a crop needs no more, and memory is short."""
    if side <= _LARGE_PX:
        return image, centre, side
    reach = round(2 * _ROUND * side)
    left, top = (max(0, int(v) - reach) for v in centre)
    part = image[top : int(centre[1]) + reach, left : int(centre[0]) + reach]
    scale = _LARGE_PX / side
    small = cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return np.asarray(small, np.uint8), (centre - floats((left, top))) * np.float32(scale), _LARGE_PX
