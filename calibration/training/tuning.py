"""Evenings on which training stops and the networks' sharpness is chosen; none is learned from."""

from collections.abc import Iterator, Sequence
from itertools import repeat
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from calibration.training.asked import Rows, rows
from calibration.training.ears import misheard
from calibration.training.evenings import Evening, evening
from hardware.soundfloors import Kind, averaged
from hardware.worlds import WORLDS

CUBES: Final = 30


class Some(NamedTuple):
    """Evenings of some seeds in some worlds, as `evening` has it; ``other_ears``: `ears`."""

    seeds: range
    worlds: tuple[str, ...]
    varied: bool = False
    anew: bool = False
    other_ears: bool = False


EVENINGS: Final = (
    Some(range(700_001, 700_017), ("BASE",)),
    Some(range(735_001, 735_051), ("BASE",), anew=True),
    Some(range(710_001, 710_031), tuple(WORLDS), varied=True),
    Some(range(735_001, 735_026), ("BASE",), anew=True, other_ears=True),
)
"""BASE as it is built, put together anew each evening, anything, and BASE heard by other ears."""

SETUPS: Final = (
    ("entry", "entry_b"),
    ("entry", "entry_b", "floor5", "floor5_b", "floor2", "floor2_b"),
)
UNSEEN: Final[tuple[tuple[str, ...], ...]] = ((),)
"""Without an entry beam: the microphone alone."""

SHARPNESSES: Final = tuple(round(0.6 + 0.05 * n, 2) for n in range(31))


def trials(kind: Kind, setups: Sequence[tuple[str, ...]] = SETUPS) -> list[Rows]:
    """What the network would be asked, for each of these evenings and set-ups."""
    ears: Any = "audio" if kind == "wave" else "module"
    found: list[Rows] = []
    for some in EVENINGS:
        made = [
            evening(seed, ears, CUBES, some.worlds, varied=some.varied, anew=some.anew)
            for seed in some.seeds
        ]
        if some.other_ears:
            heard_by = np.random.default_rng(some.seeds.start)
            made = [misheard(one, heard_by) for one in made]
        found += trial(made, kind, setups)
    return found


def trial(
    evenings: Sequence[Evening], kind: Kind, setups: Sequence[tuple[str, ...]] = SETUPS
) -> Iterator[Rows]:
    """The same evenings with each of the set-ups."""
    return (rows(evenings, kind, repeat(lines)) for lines in setups)


def sharpness(nets: Sequence[Sequence[npt.NDArray[np.float32]]], some: Sequence[Rows]) -> float:
    """The power that makes the averaged chances as sure as they are right; great errors weigh most."""
    stacked = [np.stack(arrays) for arrays in zip(*nets, strict=True)]
    layers = tuple(zip(stacked[::2], stacked[1::2], strict=True))
    told = [(averaged(layers, one.features, one.known.astype(np.float64)), one.floors) for one in some]

    def off(power: float) -> float:
        return float(np.mean([ece(sharpened(p, power), floors) ** 2 for p, floors in told]))

    return min(SHARPNESSES, key=off)


def sharpened(p: npt.NDArray[np.float64], power: float) -> npt.NDArray[np.float64]:
    """Chances (n, 8) to a power, made to add up to 1 again."""
    raised = (p + 1e-6) ** power
    return np.asarray(raised / raised.sum(axis=1, keepdims=True), np.float64)


def ece(told: npt.NDArray[np.float64], floors: npt.NDArray[np.int64]) -> float:
    """Expected calibration error of the likeliest floor, ten bins of confidence."""
    sure, right = told.max(axis=1), told.argmax(axis=1) == floors
    bins = np.minimum((sure * 10).astype(int), 9)
    return float(
        sum(
            abs(sure[bins == k].mean() - right[bins == k].mean()) * (bins == k).mean()
            for k in range(10)
            if (bins == k).any()
        )
    )
