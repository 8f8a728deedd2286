"""How much of the plan the time holds: its parts are tried, and made fewer alike where they do not fit."""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

MINUTES = 120.0
"""What training may take on two cores."""

TRACING, TRAINING = 0.29, 0.67
"""Shares of that for pictures and for steps; what is left is for trying, loading and rounding to 8 bits."""

NETWORKS: Mapping[str, float] = {"finder": 0.25, "face": 0.75}
"""How the steps' time is shared."""


def fitting(wanted: Sequence[int], each_s: Sequence[float], budget_s: float) -> list[int]:
    """Return how many of each can be had within ``budget_s`` if one takes ``each_s``: all, or a like share.

    >>> fitting([100, 300], [1.0, 2.0], 350.0)
    [50, 150]
    """
    needed_s = sum(n * s for n, s in zip(wanted, each_s, strict=True))
    share = min(1.0, budget_s / needed_s) if needed_s else 1.0
    return [max(1, int(n * share)) if n else 0 for n in wanted]


def decided(file: Path, many: int, decide: Callable[[], Sequence[int]]) -> list[int]:
    """Return what was decided when this was first asked: who goes on later must come to the same.

    ``many``: how many numbers. Raises ValueError naming ``file`` if somebody wrote something else there.
    """
    if not file.exists():
        numbers = [int(n) for n in decide()]
        file.parent.mkdir(parents=True, exist_ok=True)
        file.with_suffix(".new").write_text(json.dumps(numbers), encoding="utf-8")
        file.with_suffix(".new").replace(file)
        return numbers
    try:
        numbers = [int(n) for n in json.loads(file.read_text(encoding="utf-8"))]
    except (ValueError, TypeError):
        numbers = []
    if len(numbers) != many or min(numbers) < 0:
        raise ValueError(f"{file} should hold {many} counts. Remove it, and it is measured anew.")
    return numbers
