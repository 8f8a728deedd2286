"""Edges of digital lines, and where they come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Edge:
    """A line has changed: ``level`` is what it is now, high (True) or low, as on the wire.

    ``line`` is the name it has in the settings, such as ``entry``; ``at`` is when it changed, in
    seconds of the monotonic clock, stamped by the kernel where there is one.
    """

    line: str
    level: bool
    at: float


class LineFault(Exception):  # noqa: N818 - the product's word: a fault is a sentence and a remedy
    """Lines cannot be watched."""

    def __init__(self, text: str, remedy: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.remedy = remedy


class EdgeSource(Protocol):
    """Where edges come from: `hardware.gpio`, a recording, or the rehearsal."""

    def start(self) -> None:
        """Take the lines. The first edge of each line tells its level at the start. Raises LineFault."""

    def next(self, wait_s: float) -> Edge | None:
        """Return the next edge in the order in which they came, or None if none came within ``wait_s``."""

    def levels(self) -> Mapping[str, bool]:
        """Read every line now, past the edges: what they say must come to the same. Raises LineFault."""

    def revive(self) -> None:
        """Wake up a source that gives no edges although levels change. Raises LineFault."""

    def close(self) -> None:
        """Give the lines back. May be called twice, and without `start`."""
