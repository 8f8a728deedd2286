"""A report run again through the real watcher, and whether it comes to the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from companion.rules.events import DiceExpected, Notice, Observation, Seconds
from vision.camera import CameraState
from vision.follow import Reader
from vision.frames import Frame
from vision.notes import claim_row
from vision.reader import LearnedReader
from vision.report import Report
from vision.watch import Watcher


@dataclass(frozen=True, slots=True)
class Roll:
    """One roll, as it was told then and as it is now; None where there was none.

    ``frame``: the number of the frame at which it was told, ``seconds`` after the first one.
    """

    frame: int
    seconds: float
    then: Mapping[str, Any] | None
    now: Mapping[str, Any] | None

    @property
    def same(self) -> bool:
        """Whether the same dice were told as surely."""
        return _essence(self.then) == _essence(self.now)


@dataclass(frozen=True, slots=True)
class Rerun:
    """What came of it: the rolls, at how many frames it did something else, how many could not be read."""

    rolls: tuple[Roll, ...]
    otherwise: int
    unread: int

    @property
    def same(self) -> bool:
        """Whether everything came to the same."""
        return self.otherwise == 0 and all(roll.same for roll in self.rolls)


def rerun(report: Report, reader: Reader | None = None) -> Rerun:
    """Run a report again from its first frame to its last, with the dice that had been taught.

    Raises ReportError for a damaged one.
    """
    reader = reader or LearnedReader(report.taught)
    told: list[Observation | Notice] = []
    expected: list[DiceExpected | None] = [None]
    watcher = Watcher(
        _Over(), lambda: expected[0], told.append, clock=Seconds, session="again", reader=reader
    )
    if report.start is not None:
        watcher.remember(report.start)
    rolls, otherwise, unread = [], 0, 0
    for n, (glance, awaited, row) in enumerate(report.frames()):
        expected[0] = awaited
        told.clear()
        watcher.take(glance)
        seconds = glance.at - float(report.rows[0]["at"])
        rolls += _compared(n, seconds, row.get("heard", ()), told)
        otherwise += watcher.state.value != row["watching"]
        unread += "read" in row and not glance.read
    return Rerun(tuple(rolls), otherwise, unread)


def _compared(
    n: int, seconds: float, heard: list[Mapping[str, Any]], told: list[Observation | Notice]
) -> list[Roll]:
    then = [row for row in heard if "roll" in row]
    now = [claim_row(claim) for claim in told if isinstance(claim, Observation)]
    length = max(len(then), len(now))
    pairs = zip(then + [None] * (length - len(then)), now + [None] * (length - len(now)), strict=True)
    return [Roll(n, seconds, was, is_) for was, is_ in pairs]


def _essence(roll: Mapping[str, Any] | None) -> object:
    return None if roll is None else (list(roll["dice"]), roll["sure"], round(roll["confidence"], 6))


class _Over:
    """A `Camera` that gives nothing: the frames come from the report."""

    state = CameraState.CLOSED

    def start(self) -> None:
        """Do nothing."""

    def latest(self, after: float, wait_s: float) -> Frame | None:
        """Give nothing."""
        del after, wait_s
        return None

    def close(self) -> None:
        """Do nothing."""
