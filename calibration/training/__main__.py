"""Train the reader of dice from nothing: ``python -m calibration.training --photos DIR --work DIR``.

Traces the pictures, trains both networks on them and on the photographs, and writes vision/weights/*.onnx,
whole and in 8 bits.
Interrupted at any moment it goes on where it was. Within two hours on two cores: where these are slow,
with fewer pictures and steps; see README.md here.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from calibration.training import budget, eightbit, train

PICTURES, WEAK, CROWDS, TUMBLED = 1400, 700, 2000, 1500
"""Traced pictures: ordinary ones, hard ones, crowds of dice, and dice that lean or lie on others.

See sampling.table, weak, crowd and tumbled."""

_SEEDS = (640_000, 620_000, 650_000, 670_000)
_WAYS: tuple[tuple[str, ...], ...] = ((), ("--weak",), ("--crowd",), ("--tumbled",))
_AT_ONCE = 2
_TRIED = 24
"""Pictures of each kind by which it is measured how long one takes."""


def main(arguments: list[str] | None = None) -> int:
    """Do all of it."""
    parser = argparse.ArgumentParser(prog="calibration.training", description=__doc__)
    parser.add_argument(
        "--photos", type=Path, required=True, help="folder with labels.json and the photographs"
    )
    parser.add_argument(
        "--work", type=Path, required=True, help="folder for traced pictures and checkpoints"
    )
    parser.add_argument(
        "--renders", type=Path, nargs="*", default=[], help="folders made by .render as well"
    )
    parser.add_argument("--pictures", type=int, default=PICTURES, help="how many to trace")
    parser.add_argument("--weak", type=int, default=WEAK, help="how many of hard ones to trace")
    parser.add_argument("--crowds", type=int, default=CROWDS, help="how many of many dice to trace")
    parser.add_argument(
        "--tumbled", type=int, default=TUMBLED, help="how many of dice that lean or lie on others to trace"
    )
    parser.add_argument("--steps", type=int, help="a trial: so few steps for each network")
    parser.add_argument(
        "--minutes",
        type=float,
        default=budget.MINUTES,
        help="what it may take; 0: the whole plan, however long (%(default)s)",
    )
    parser.add_argument("--weights", type=Path, default=train.WEIGHTS, help="folder for the networks")
    wanted = parser.parse_args(arguments)
    folders = [wanted.work / name for name in ("traced", "weak", "crowds", "tumbled")]
    counts = [wanted.pictures, wanted.weak, wanted.crowds, wanted.tumbled]
    if wanted.minutes:
        seconds = 60 * wanted.minutes * budget.TRACING
        file, plan = wanted.work / "pictures.json", counts
        counts = budget.decided(
            file, len(plan), lambda: budget.fitting(plan, _tried(wanted.work, plan), seconds)
        )
        told = ", ".join(f"{n} {folder.name}" for n, folder in zip(counts, folders, strict=True))
        print(f"pictures: {told} (to measure anew remove {file})", flush=True)
    _trace(folders, counts)
    traced, *hard = (str(folder) for folder in folders)
    given = ["--photos", str(wanted.photos), "--out", str(wanted.work)]
    given += ["--renders", traced, *map(str, wanted.renders)]
    given += ["--weak", *hard] if sum(counts[1:]) else []
    given += ["--weights", str(wanted.weights), "--minutes", str(wanted.minutes * budget.TRAINING)]
    train.main([*given, "--steps", str(wanted.steps)] if wanted.steps else given)
    photos, weights = ["--photos", str(wanted.photos)], ["--weights", str(wanted.weights)]
    eightbit.main([*photos, "--renders", traced, *hard, *weights])
    return 0


def _trace(folders: Sequence[Path], counts: Sequence[int]) -> None:
    """Trace what is missing, by a process a core."""
    for folder, seed, count, way in zip(folders, _SEEDS, counts, _WAYS, strict=True):
        folder.mkdir(parents=True, exist_ok=True)
        if not count:
            continue
        trace = [sys.executable, "-m", "calibration.training.trace", "--out", str(folder), *way]
        trace += ["--seed", str(seed), "--count", str(count)]
        running = [subprocess.Popen([*trace, "--every", f"{n}/{_AT_ONCE}"]) for n in range(_AT_ONCE)]
        ended = [process.wait() for process in running]
        if any(ended):
            raise SystemExit(f"Pictures could not be traced in {folder}: see above.")


def _tried(work: Path, counts: Sequence[int]) -> list[float]:
    """Return how many seconds a picture of each kind takes, from some that are thrown away."""
    seconds = []
    work.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="tried-", dir=work) as new:  # what lay there would take no time
        folders = [Path(new) / str(n) for n in range(len(counts))]
        for n, count in enumerate(counts):
            some = [min(_TRIED, count) if k == n else 0 for k in range(len(counts))]
            begun = time.monotonic()
            _trace(folders, some)
            seconds.append((time.monotonic() - begun) / max(1, some[n]))
    return seconds


if __name__ == "__main__":
    raise SystemExit(main())
