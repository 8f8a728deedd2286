"""Score the reader of dice over the labelled photographs, beside a plain blobs-and-clusters reader.

Run as ``python tests/benchmarks/bench_dice.py [--every N] [--threads N ...]`` or by pytest. A roll
is exact if the whole multiset of pip values is right; a silent error is a roll judged sure that is
not exact. ``ours, count given`` is told how many dice lie there, as a game in play tells it, all of
one kind (tests/vision/test_kinds_photographs.py measures kinds); ``ours, told one too few`` reads the
photographs of two or more dice as if one less should lie there, so whatever it is sure of is wrong.
The others are told nothing.

``tuned`` sets were looked at, and the odds fitted on them (fit_odds.py), while the reader was made.
No weight or limit was fitted on a ``held out`` set and none of its pictures was looked at; its
totals were read a few times on the way, and once made a feature relative to the picture's plane.
"""

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import cv2
import numpy as np

from companion.rules.events import DiceExpected
from vision.judgement import RollStatus
from vision.photo import read_photo

PHOTOGRAPHS = Path(__file__).parents[2].parent / "shared" / "dice"
TUNED = frozenset(
    {"DamianTab/DiceDetection", "nell-byler/dice_detection", "matteop65/Dice_Detection_Recognition"}
)


class Reading(NamedTuple):
    """Pip values, and what the reader thinks of them; ``confidence`` 0..1."""

    values: list[int]
    status: RollStatus
    confidence: float = 1.0


Ask = Callable[[bytes, int], Reading]
"""Reads the bytes of a photograph on which so many dice lie; only some readers use the number."""


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


def ours(data: bytes, _: int) -> Reading:
    return _read(data, None)


def ours_given(data: bytes, count: int) -> Reading:
    return _read(data, DiceExpected((("white", count),), partial=False))


def ours_short(data: bytes, count: int) -> Reading:
    return _read(data, DiceExpected((("white", count - 1),), partial=False))


def _read(data: bytes, expected: DiceExpected | None) -> Reading:
    reading = read_photo(data, expected)
    judged = reading.judgement
    return Reading([int(d.face) for d in reading.dice], judged.status, judged.confidence)


def blobs(data: bytes, _: int) -> Reading:
    """The plain way: round dark blobs at 800 px, clustered by distance, counted. Never unsure."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    scale = 800 / max(picture.shape)
    grey = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
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


GIVEN, SHORT = "ours, count given", "ours, told one too few"
READERS: dict[str, Ask] = {"ours": ours, GIVEN: ours_given, SHORT: ours_short, "blobs": blobs}


def score(rows: Sequence[dict], reader: Ask) -> list[Scored]:
    scored = []
    for row in rows:
        data = (PHOTOGRAPHS / row["image"]).read_bytes()
        start_s = time.perf_counter()
        reading = reader(data, len(row["dice"]))
        ms = 1000 * (time.perf_counter() - start_s)
        want = Counter(d["pips"] for d in row["dice"])
        scored.append(Scored(row["repo"], Counter(reading.values), want, *reading[1:], ms))
    return scored


HEAD = (
    f"{'':42}{'photos':>7}{'exact %':>9}{'recall %':>10}{'precis. %':>10}"
    f"{'sure %':>8}{'silent':>8}{'miscount':>10}{'ms':>6}{'ms p90':>8}"
)


def line(name: str, scored: Sequence[Scored]) -> str:
    hits = sum(sum((s.got & s.want).values()) for s in scored)
    recall = hits / max(1, sum(sum(s.want.values()) for s in scored))
    precision = hits / max(1, sum(sum(s.got.values()) for s in scored))
    exact, sure = (np.mean([getattr(s, n) for s in scored]) for n in ("exact", "sure"))
    silent = sum(s.sure and not s.exact for s in scored)
    miscount = sum(s.status in {RollStatus.WRONG_COUNT, RollStatus.NONE} for s in scored)
    ms = [s.ms for s in scored]
    return (
        f"{name:42}{len(scored):7}{100 * exact:9.1f}{100 * recall:10.1f}{100 * precision:10.1f}"
        f"{100 * sure:8.1f}{silent:8}{miscount:10}{np.median(ms):6.0f}{np.percentile(ms, 90):8.0f}"
    )


def table(reader: str, scored: Sequence[Scored], threads: int) -> str:
    groups = {"all": list(scored)}
    groups["tuned"] = [s for s in scored if s.repo in TUNED]
    groups["held out"] = [s for s in scored if s.repo not in TUNED]
    for s in scored:
        groups.setdefault(f"  {s.repo}", []).append(s)
    lines = [line(name, group) for name, group in groups.items() if group]
    return "\n".join([f"{reader}, {threads} thread{'s' * (threads > 1)}", HEAD, *lines])


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
    """Print every reader's table, and how far ours can be believed on what is held out."""
    read = {}
    for name, reader in READERS.items():
        several = [row for row in rows if name != SHORT or len(row["dice"]) > 1]
        read[name] = score(several, reader)
        print("\n" + table(name, read[name], threads), flush=True)
    for name in ("ours", GIVEN):
        held = [s for s in read[name] if s.repo not in TUNED]
        print("\n" + reliability(f"{name}, held out", held), flush=True)
    return read


def labelled(every: int) -> list[dict]:
    rows: list[dict] = json.loads((PHOTOGRAPHS / "labels.json").read_text())
    return rows[::every]


def test_ours_reads_more_rolls_than_blobs(shared: Path) -> None:
    rows = labelled(3)
    read = report(rows, cv2.getNumThreads())
    exact = {name: sum(s.exact for s in scored) for name, scored in read.items()}
    silent = {name: sum(s.sure and not s.exact for s in scored) for name, scored in read.items()}
    assert exact["ours"] > 2 * exact["blobs"]
    assert exact[GIVEN] >= exact["ours"]
    assert sum(s.sure for s in read[GIVEN]) > 1.15 * sum(s.sure for s in read["ours"])
    assert max(silent["ours"], silent[GIVEN]) <= 0.03 * len(rows)
    assert silent[SHORT] <= 0.06 * len(read[SHORT])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="take every Nth photograph")
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2], metavar="N")
    args = parser.parse_args()
    if not (PHOTOGRAPHS / "labels.json").exists():
        parser.exit(2, f"No photographs at {PHOTOGRAPHS}: they are not part of the repository.\n")
    rows = labelled(args.every)
    for threads in args.threads:
        cv2.setNumThreads(threads)
        report(rows, threads)


if __name__ == "__main__":
    main()
