"""Traces training pictures with labels: python -m calibration.training.trace --out DIR --count N --seed S.

As `render` does with Blender, but several times as fast; several may fill one folder at once.
"""

import argparse
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import cv2

from calibration.training import sampling
from calibration.training.render import keep, missing
from calibration.training.scene import Scene
from calibration.training.tracer import Tracer


def main(arguments: list[str] | None = None) -> int:
    """Trace what is missing in a folder; 0 when all is there."""
    parser = argparse.ArgumentParser(prog="calibration.training.trace", description=__doc__)
    parser.add_argument("--out", type=Path, required=True, help="folder of pictures and labels")
    parser.add_argument("--count", type=int, default=100, help="pictures in all")
    parser.add_argument(
        "--seed", type=int, default=0, help="the first picture's seed; the next ones count on"
    )
    parser.add_argument(
        "--tray", action="store_true", help="rectified trays from straight above, 640 by 480"
    )
    parser.add_argument(
        "--unseen", action="store_true", help="with --tray: surfaces and lamps never trained on"
    )
    parser.add_argument(
        "--weak", action="store_true", help="what readers are weak at: see sampling.weak; no trays"
    )
    parser.add_argument(
        "--crowd", action="store_true", help="many dice of many sets: see sampling.crowd; no trays"
    )
    parser.add_argument(
        "--tumbled", action="store_true", help="many that lean or lie on others: sampling.tumbled; no trays"
    )
    parser.add_argument("--every", default="0/1", help="K/N: only every Nth picture, from the Kth on")
    wanted = parser.parse_args(arguments)
    first, step = (int(n) for n in wanted.every.split("/"))
    wanted.out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    tracer, begun, done = Tracer(), time.monotonic(), 0
    for number in missing(wanted.out, wanted.count):
        if number % step != first:
            continue
        scene = _scenes(wanted)(wanted.seed + number)
        keep(tracer, scene, wanted.out, number)
        done += 1
        if done % 50 == 0:
            print(f"{number:06d} {60 * done / (time.monotonic() - begun):.1f} a minute", flush=True)
    return 0


def _scenes(wanted: argparse.Namespace) -> Callable[[int], Scene]:
    """Return what makes the scene of a seed."""
    if wanted.tray:
        return partial(sampling.tray, unseen=wanted.unseen)
    if wanted.tumbled:
        return sampling.tumbled
    if wanted.crowd:
        return sampling.crowd
    return sampling.weak if wanted.weak else sampling.table


if __name__ == "__main__":
    raise SystemExit(main())
