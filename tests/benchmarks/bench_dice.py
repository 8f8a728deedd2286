"""Score the reader of dice over the labelled photographs, beside a plain blobs-and-clusters reader.

Run as ``python tests/benchmarks/bench_dice.py [--every N] [--threads N ...]`` or by pytest. A roll
is exact if the whole multiset of pip values is right; a silent error is a roll judged sure that is
not exact. Nobody tells the readers how many dice to expect.

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
from pathlib import Path

import cv2
import numpy as np

from vision.judgement import RollStatus
from vision.photo import read_photo

PHOTOGRAPHS = Path(__file__).parents[2].parent / "shared" / "dice"
TUNED = frozenset(
    {"DamianTab/DiceDetection", "nell-byler/dice_detection", "matteop65/Dice_Detection_Recognition"}
)

Reading = tuple[list[int], bool]
"""Pip values, and whether the reader is sure of them."""


@dataclass(frozen=True, slots=True)
class Scored:
    """One photograph as one reader read it. ``ms``: from bytes to values."""

    repo: str
    got: Counter[int]
    want: Counter[int]
    sure: bool
    ms: float

    @property
    def exact(self) -> bool:
        return self.got == self.want


def ours(data: bytes) -> Reading:
    reading = read_photo(data)
    return [int(d.face) for d in reading.dice], reading.judgement.status is RollStatus.SURE


def blobs(data: bytes) -> Reading:
    """The plain way: round dark blobs at 800 px, clustered by distance, counted. Never unsure."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_GRAYSCALE)
    scale = 800 / max(picture.shape)
    grey = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    points = np.array([k.pt for k in _detector().detect(cv2.medianBlur(grey, 3))])
    sizes = Counter(clusters(points, 45.0)).values()
    return [n for n in sizes if n <= 6], bool(sizes)


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


READERS: dict[str, Callable[[bytes], Reading]] = {"ours": ours, "blobs": blobs}


def score(rows: Sequence[dict], reader: Callable[[bytes], Reading]) -> list[Scored]:
    scored = []
    for row in rows:
        data = (PHOTOGRAPHS / row["image"]).read_bytes()
        start_s = time.perf_counter()
        values, sure = reader(data)
        ms = 1000 * (time.perf_counter() - start_s)
        want = Counter(d["pips"] for d in row["dice"])
        scored.append(Scored(row["repo"], Counter(values), want, sure, ms))
    return scored


HEAD = (
    f"{'':42}{'photos':>7}{'exact %':>9}{'recall %':>10}{'precis. %':>10}"
    f"{'sure %':>8}{'silent':>8}{'ms':>6}{'ms p90':>8}"
)


def line(name: str, scored: Sequence[Scored]) -> str:
    hits = sum(sum((s.got & s.want).values()) for s in scored)
    recall = hits / max(1, sum(sum(s.want.values()) for s in scored))
    precision = hits / max(1, sum(sum(s.got.values()) for s in scored))
    exact, sure = (np.mean([getattr(s, n) for s in scored]) for n in ("exact", "sure"))
    silent = sum(s.sure and not s.exact for s in scored)
    ms = [s.ms for s in scored]
    return (
        f"{name:42}{len(scored):7}{100 * exact:9.1f}{100 * recall:10.1f}{100 * precision:10.1f}"
        f"{100 * sure:8.1f}{silent:8}{np.median(ms):6.0f}{np.percentile(ms, 90):8.0f}"
    )


def table(reader: str, scored: Sequence[Scored], threads: int) -> str:
    groups = {"all": list(scored)}
    groups["tuned"] = [s for s in scored if s.repo in TUNED]
    groups["held out"] = [s for s in scored if s.repo not in TUNED]
    for s in scored:
        groups.setdefault(f"  {s.repo}", []).append(s)
    lines = [line(name, group) for name, group in groups.items() if group]
    return "\n".join([f"{reader}, {threads} thread{'s' * (threads > 1)}", HEAD, *lines])


def labelled(every: int) -> list[dict]:
    rows: list[dict] = json.loads((PHOTOGRAPHS / "labels.json").read_text())
    return rows[::every]


def test_ours_reads_more_rolls_than_blobs(shared: Path) -> None:
    rows = labelled(3)
    read = {name: score(rows, reader) for name, reader in READERS.items()}
    for name, scored in read.items():
        print("\n" + table(name, scored, cv2.getNumThreads()))
    assert sum(s.exact for s in read["ours"]) > 2 * sum(s.exact for s in read["blobs"])
    assert sum(s.sure and not s.exact for s in read["ours"]) <= 0.03 * len(rows)


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
        for name, reader in READERS.items():
            print(table(name, score(rows, reader), threads) + "\n", flush=True)


if __name__ == "__main__":
    main()
