"""Score the reader of dice over the labelled photographs, beside plain blobs and clusters.

``make bench-dice``, or ``python tests/benchmarks/bench_dice.py [--every N] [--threads N ...]``.
Pictures are decoded and brought to 1280 px first; ``ms`` is reading alone. A roll is exact if the whole
multiset of pip values is right; a silent error is a roll judged sure that is not exact. ``count given``
is told how many dice lie there, as a game in play tells it, all of one kind; ``one too few`` is told one
less of two or more dice, so whatever it is sure of is wrong. The others are told nothing.

``trained`` repositories gave photographs to the training; of the ``held out`` ones no picture was trained
on and no number fitted. Nothing on PyPI that reads the values of dice can be set beside: detect-dice 1.0.11
finds circles and draws them, cv-dice-detection 0.1.1 holds no code.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from calibration.training.pictures import TRAINED_ON
from companion.rules.events import DiceExpected
from vision.dice import read
from vision.frames import Frame
from vision.judgement import RollStatus, judge
from vision.stills import decode_photo

PHOTOGRAPHS = Path(__file__).parents[2].parent / "shared" / "dice"
LONGEST_PX = 1280


class Reading(NamedTuple):
    """Pip values, and what the reader thinks of them; ``confidence`` 0..1."""

    values: list[int]
    status: RollStatus
    confidence: float = 1.0


Ask = Callable[[Frame, int], Reading]
"""Reads a picture in which so many dice lie; only some readers use the number."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One photograph as one reader read it. ``ms``: from bytes to values."""

    repo: str
    got: Counter[int]
    want: Counter[int]
    status: RollStatus
    confidence: float
    ms: float

    @property
    def sure(self) -> bool:
        return self.status is RollStatus.SURE

    @property
    def exact(self) -> bool:
        return self.got == self.want


def ours(frame: Frame, _: int) -> Reading:
    return _read(frame, None)


def ours_given(frame: Frame, count: int) -> Reading:
    return _read(frame, DiceExpected((("white", count),), partial=False))


def ours_short(frame: Frame, count: int) -> Reading:
    return _read(frame, DiceExpected((("white", count - 1),), partial=False))


def _read(frame: Frame, expected: DiceExpected | None) -> Reading:
    dice = read(frame, expected)
    judged = judge(dice, expected)
    values = [int(d.face) if d.face.isdigit() else 0 for d in dice]
    return Reading(values, judged.status, judged.confidence)


def blobs(frame: Frame, _: int) -> Reading:
    """The plain way: round dark blobs at 800 px, clustered by distance, counted. Never unsure."""
    scale = 800 / max(frame.image.shape[:2])
    small = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    points = np.array([k.pt for k in _detector().detect(cv2.medianBlur(grey, 3))])
    sizes = Counter(clusters(points, 45.0)).values()
    return Reading([n for n in sizes if n <= 6], RollStatus.SURE if sizes else RollStatus.NONE)


def _detector() -> cv2.SimpleBlobDetector:
    params = cv2.SimpleBlobDetector.Params()
    params.filterByArea, params.minArea, params.maxArea = True, 12.0, 1500.0
    params.filterByCircularity, params.minCircularity = True, 0.7
    params.filterByInertia, params.minInertiaRatio = True, 0.5
    params.filterByConvexity, params.minConvexity = True, 0.8
    return cv2.SimpleBlobDetector.create(params)


def clusters(points: np.ndarray, radius: float) -> list[int]:
    """DBSCAN with one point as a core: a cluster number for each of the (n, 2) points."""
    label = [-1] * len(points)
    for seed in range(len(points)):
        if label[seed] >= 0:
            continue
        number = max(label) + 1
        queue = [seed]
        while queue:
            at = queue.pop()
            if label[at] < 0:
                label[at] = number
                queue += np.nonzero(np.hypot(*(points - points[at]).T) <= radius)[0].tolist()
    return label


GIVEN, SHORT = "ours, count given", "ours, one too few"
READERS: dict[str, Ask] = {"ours": ours, GIVEN: ours_given, SHORT: ours_short, "blobs": blobs}


def opened(row: dict) -> Frame:
    """Decode a photograph, its longest side LONGEST_PX at most."""
    frame = decode_photo((PHOTOGRAPHS / row["image"]).read_bytes(), name=row["image"], at=0.0)
    scale = LONGEST_PX / max(frame.image.shape[:2])
    if scale >= 1:
        return frame
    image = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    return replace(frame, image=image.astype(np.uint8, copy=False))


def score(rows: Sequence[dict], reader: Ask) -> list[Scored]:
    scored = []
    for row in rows:
        frame = opened(row)
        start_s = time.perf_counter()
        reading = reader(frame, len(row["dice"]))
        ms = 1000 * (time.perf_counter() - start_s)
        want = Counter(d["pips"] for d in row["dice"])
        scored.append(Scored(row["repo"], Counter(reading.values), want, *reading[1:], ms))
    return scored


HEAD = (
    f"{'':34}{'':20}{'photos':>7}{'exact %':>9}{'recall %':>10}{'precis. %':>10}"
    f"{'sure %':>8}{'silent':>8}{'miscount':>10}{'ms':>7}{'ms p90':>8}"
)


def line(group: str, reader: str, scored: Sequence[Scored]) -> str:
    hits = sum(sum((s.got & s.want).values()) for s in scored)
    recall = hits / max(1, sum(sum(s.want.values()) for s in scored))
    precision = hits / max(1, sum(sum(s.got.values()) for s in scored))
    exact, sure = (np.mean([getattr(s, n) for s in scored]) for n in ("exact", "sure"))
    silent = sum(s.sure and not s.exact for s in scored)
    miscount = sum(s.status in {RollStatus.WRONG_COUNT, RollStatus.NONE} for s in scored)
    ms = [s.ms for s in scored]
    return (
        f"{group:34}{reader:20}{len(scored):7}{100 * exact:9.1f}{100 * recall:10.1f}{100 * precision:10.1f}"
        f"{100 * sure:8.1f}{silent:8}{miscount:10}{np.median(ms):7.1f}{np.percentile(ms, 90):8.1f}"
    )


def table(read_by: Mapping[str, Sequence[Scored]], threads: int) -> str:
    """Lay the readers side by side: all photographs, held out and trained, then every repository."""
    repos = sorted({s.repo for scored in read_by.values() for s in scored})
    groups = {
        "all": set(repos),
        "held out": set(repos) - set(TRAINED_ON),
        "trained": set(repos) & set(TRAINED_ON),
    }
    groups |= {f"  {repo}": {repo} for repo in repos}
    lines = [f"{threads} thread{'s' * (threads > 1)}", HEAD]
    for group, inside in groups.items():
        for n, (reader, scored) in enumerate(read_by.items()):
            chosen = [s for s in scored if s.repo in inside]
            if chosen:
                lines.append(line("" if n else group, reader, chosen))
    return "\n".join(lines)


BINS = (0.0, 0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1.0)


def reliability(reader: str, scored: Sequence[Scored]) -> str:
    """Of rolls whose confidence lies in each bin: how many, their mean confidence, the share exact.

    A wrong count counts as not exact; no dice at all have no confidence and are left out.
    """
    lines = [
        f"{reader}, how often rolls of a confidence are exact",
        f"{'':16}{'photos':>7}{'said %':>8}{'is %':>7}",
    ]
    told = [s for s in scored if s.status is not RollStatus.NONE]
    for low, high in pairwise(BINS):
        group = [s for s in told if low <= s.confidence < high or s.confidence == high == 1]
        if group:
            said, right = (100 * np.mean([getattr(s, n) for s in group]) for n in ("confidence", "exact"))
            lines.append(f"{f'  {low:.2f} to {high:.2f}':16}{len(group):7}{said:8.0f}{right:7.0f}")
    return "\n".join(lines)


def report(rows: Sequence[dict], threads: int) -> dict[str, list[Scored]]:
    """Print one table of all readers, and how far ours can be believed on what is held out."""
    several = [row for row in rows if len(row["dice"]) > 1]
    read_by = {name: score(several if name == SHORT else rows, reader) for name, reader in READERS.items()}
    print("\n" + table(read_by, threads), flush=True)
    for name in ("ours", GIVEN):
        held = [s for s in read_by[name] if s.repo not in TRAINED_ON]
        print("\n" + reliability(f"{name}, held out", held), flush=True)
    return read_by


def labelled(every: int) -> list[dict]:
    rows: list[dict] = json.loads((PHOTOGRAPHS / "labels.json").read_text())
    return rows[::every]


def test_ours_reads_more_rolls_than_blobs(shared: Path) -> None:
    rows = labelled(3)
    read_by = report(rows, cv2.getNumThreads())
    exact = {name: sum(s.exact for s in scored) for name, scored in read_by.items()}
    silent = {name: sum(s.sure and not s.exact for s in scored) for name, scored in read_by.items()}
    assert exact["ours"] > 3 * exact["blobs"]
    assert exact[GIVEN] >= exact["ours"]
    assert sum(s.sure for s in read_by[GIVEN]) > 1.15 * sum(s.sure for s in read_by["ours"])
    assert max(silent["ours"], silent[GIVEN]) <= 0.01 * len(rows)
    assert silent[SHORT] <= 0.02 * len(read_by[SHORT])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth photograph")
    parser.add_argument("--threads", type=int, nargs="+", default=[1], metavar="N")
    args = parser.parse_args()
    if not (PHOTOGRAPHS / "labels.json").exists():
        parser.exit(2, f"No photographs at {PHOTOGRAPHS}: they are not part of the repository.\n")
    rows = labelled(args.every)
    for threads in args.threads:
        cv2.setNumThreads(threads)
        report(rows, threads)


if __name__ == "__main__":
    main()
