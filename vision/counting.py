"""How many of the places seen are dice, given how many should lie there. Pure."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def count_chances(chances: Sequence[float]) -> NDArray[np.float64]:
    """Return (n + 1,): the chance of each number of dice among n places, each one with its own chance."""
    counts: NDArray[np.float64] = _of_each(np.asarray([chances], np.float64))[0]
    return counts


def chance_given_count(chances: Sequence[float], chosen: int, count: int) -> float:
    """Return the chance that exactly the first ``chosen`` places are dice if ``count`` dice are seen.

    0 if ``chosen`` is not ``count``. Places are independent but for their number.
    """
    if chosen != count or count > len(chances):
        return 0.0
    total = float(count_chances(chances)[count])
    together = float(np.prod([*chances[:chosen], *(1 - c for c in chances[chosen:])]))
    return together / total if total > 0 else 0.0


def each_given_count(chances: Sequence[float], count: int) -> list[float]:
    """Return each place's chance to be a die if exactly ``count`` of the places are dice."""
    if not 0 <= count <= len(chances):
        return list(chances)
    total = float(count_chances(chances)[count])
    if total <= 0:
        return list(chances)
    others = np.tile(np.asarray(chances, np.float64), (len(chances), 1))
    np.fill_diagonal(others, 0.0)  # a place that cannot be a die is left out
    rest = _of_each(others)[:, count - 1] if count else np.zeros(len(chances))
    return [float(one) for one in np.asarray(chances) * rest / total]


def _of_each(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return (m, n + 1): `count_chances` of m rows of n chances each."""
    counts = np.zeros((len(chances), chances.shape[1] + 1))
    counts[:, 0] = 1.0
    for seen, chance in enumerate(chances.T[..., None]):
        one_more = counts[:, : seen + 1] * chance
        counts[:, : seen + 1] *= 1 - chance
        counts[:, 1 : seen + 2] += one_more
    return counts
