"""Count what is taken for dice on tables where none lie: keys, buttons, labels, plugs, crumbs.

``python tests/benchmarks/bench_lookalikes.py [--pictures N] [--weights DIR ...]``. Seeds and surfaces were
never trained on, the things are those of training. A reader that sees nothing does best here: read it
beside `bench_dice` and `bench_trays`.
"""

import argparse
from pathlib import Path

import cv2

from calibration.training import lookalikes
from vision import networks
from vision.dice import read
from vision.frames import Frame
from vision.judgement import RollStatus, judge

FIRST_SEED = 7_000_000


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pictures", type=int, default=200)
    parser.add_argument("--weights", type=Path, nargs="*", default=[networks.WEIGHTS])
    args = parser.parse_args()
    cv2.setNumThreads(1)
    tables = [lookalikes.draw(FIRST_SEED + n, unseen=True).image for n in range(args.pictures)]
    print(f"{'tables without dice':36}{'tables':>8}{'with dice':>11}{'dice':>7}{'sure':>6}")
    for folder in args.weights:
        networks.WEIGHTS = folder
        rolls = [read(Frame(table, 0.0, "table")) for table in tables]
        some = [dice for dice in rolls if dice]
        sure = sum(judge(dice, None).status is RollStatus.SURE for dice in some)
        print(f"{folder.as_posix()[-34:]:36}{len(rolls):8}{len(some):11}{sum(map(len, some)):7}{sure:6}")


if __name__ == "__main__":
    main()
