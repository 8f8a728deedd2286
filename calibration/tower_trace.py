"""The last seconds of every line and of the sound, as a page draws them. Pure; it judges nothing."""

from collections.abc import Iterable, Sequence
from typing import Any, Final

from hardware.edges import Edge

WINDOW_S: Final = 10.0
MOST: Final = 60
"""So many breaks of a line are drawn; more is a chatter, and looks like one."""

SHORTEST_S: Final = 0.02
"""A break is drawn at least so long, or nobody would see a cube."""


def trace(
    lines: Sequence[str], edges: Iterable[Edge], levels: Iterable[tuple[float, float]], now: float
) -> dict[str, Any]:
    """Return what a page draws: for each line the breaks, for the sound its levels.

    ``edges`` in the order in which they came, from before the window too where they are known;
    ``levels`` are (monotonic seconds, decibels of full scale). Times in the answer are seconds before
    ``now``, from ``WINDOW_S`` to 0; a line of which no edge is known is ``unknown``.
    """
    known: dict[str, list[Edge]] = {line: [] for line in lines}
    for edge in edges:
        if edge.line in known:
            known[edge.line].append(edge)
    return {
        "window_s": WINDOW_S,
        "lines": [_line(line, known[line], now) for line in lines],
        "sound": [
            [round(now - at, 2), round(level, 1)] for at, level in levels if 0 <= now - at <= WINDOW_S
        ],
    }


def _line(name: str, edges: Sequence[Edge], now: float) -> dict[str, Any]:
    breaks: list[tuple[float, float]] = []
    began: float | None = None
    for edge in edges:
        if not edge.level and began is None:
            began = edge.at
        elif edge.level and began is not None:
            breaks.append((began, edge.at))
            began = None
    if began is not None:
        breaks.append((began, now))
    shown = [(now - since, now - until) for since, until in breaks if now - until <= WINDOW_S]
    return {
        "line": name,
        "now": "unknown" if not edges else "clear" if edges[-1].level else "broken",
        "times": len(shown),
        "breaks": [
            [round(min(since, WINDOW_S), 3), round(max(min(until, since - SHORTEST_S), 0.0), 3)]
            for since, until in shown[-MOST:]
        ],
    }
