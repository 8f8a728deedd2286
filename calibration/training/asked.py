"""What the real tower would ask its ear on simulated evenings, and how told drops match true ones."""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from calibration.training.evenings import Evening
from hardware.edges import Edge
from hardware.floors import Logs
from hardware.hearing import Heard
from hardware.noticed import Noticed
from hardware.profile import for_lines
from hardware.soundfloors import DropSound, Kind, features
from hardware.tower import Tower

NEAR_S: Final = 0.06
NEAR_UNSEEN_S: Final = 0.35
"""A drop that is told so near a true entry is that cube; without an entry beam its time is a guess."""

_STEP_S: Final = 0.05
_HEARD_LATE_S: Final = 0.15


class Rows(NamedTuple):
    """What to learn from: features (n, FEATURES), known logarithms (n, 8), floors (n,)."""

    features: npt.NDArray[np.float32]
    known: npt.NDArray[np.float32]
    floors: npt.NDArray[np.int64]


def followed(
    tower: Tower, edges: Iterable[Edge], heard: Iterable[Heard], kind: Kind | None
) -> list[Noticed]:
    """Take edges and sounds through a tower in the order in which they would come; return all noticed."""
    items: list[tuple[float, int, Any]] = [(edge.at, 0, edge) for edge in edges]
    if kind is not None:
        tower.listening(kind)
        items += [(one.at + _HEARD_LATE_S, 1, one) for one in heard]
    items.sort(key=lambda item: item[:2])
    noticed: list[Noticed] = []
    now = 0.0
    for at, sounded, item in [*items, (items[-1][0] + 3.0 if items else 3.0, 2, None)]:
        while now + _STEP_S < at:
            now += _STEP_S
            noticed += tower.tick(now)
        if item is not None:
            noticed += tower.hear(item) if sounded else tower.edge(item)
    return noticed


def matched(true: Sequence[float], told: Sequence[float], near_s: float) -> list[tuple[int, int]]:
    """Pairs (number in ``true``, number in ``told``) of times that are the same drop, each used once."""
    pairs: list[tuple[int, int]] = []
    free = set(range(len(true)))
    for n, at in enumerate(told):
        best = min(free, key=lambda k: abs(true[k] - at), default=None)
        if best is not None and abs(true[best] - at) < near_s:
            free.remove(best)
            pairs.append((best, n))
    return pairs


def rows(evenings: Iterable[Evening], kind: Kind, sets: Iterable[tuple[str, ...]]) -> Rows:
    """Let each evening happen at a tower with the next set of beams, and write down what was asked."""
    asked: list[tuple[npt.NDArray[np.float32], Logs]] = []
    learned: list[tuple[npt.NDArray[np.float32], Logs, int]] = []

    def ear(drop: DropSound, known: Logs) -> Logs:
        asked.append((features(drop), known))
        return np.zeros_like(known)

    for one, lines in zip(evenings, sets, strict=False):
        asked.clear()
        tower = Tower(for_lines(lines), ear=ear)
        drops = [n for n in followed(tower, one.edges(lines), one.heard, kind) if n.floors is not None]
        if len(drops) != len(asked):
            continue  # its microphone was taken for deaf in between
        near_s = NEAR_S if any(line.startswith("entry") for line in lines) else NEAR_UNSEEN_S
        for cube, n in matched(one.entries, [drop.at for drop in drops], near_s):
            learned.append((*asked[n], one.floors[cube]))
    first, second, third = zip(*learned, strict=True)
    return Rows(np.array(first), np.array(second, np.float32), np.array(third, np.int64))


def joined(parts: Sequence[Rows]) -> Rows:
    """All of them."""
    return Rows(*(np.concatenate(column) for column in zip(*parts, strict=True)))
