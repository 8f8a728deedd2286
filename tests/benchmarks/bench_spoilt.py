"""Score the reader on spoilt photographs: blurred, dim, burnt out, noisy, packed hard, small.

``python tests/benchmarks/bench_spoilt.py [--every N]``. The photographs are those that were trained on,
brought to 1280 px, so what is told is what spoiling costs, and limits may be chosen here. Blur is its sigma
in px, light a factor of the levels. The number of dice is known but in the column ``free``. See bench_dice
for exact, sure and silent.
"""

import argparse
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest
from bench_dice import labelled, ours, ours_given, score

from calibration.training.pictures import TRAINED_ON
from vision.frames import Frame, Image

pytestmark = [pytest.mark.photos, pytest.mark.slow]

Spoil = Callable[[Image], np.ndarray]


def blur(sigma_px: float) -> Spoil:
    return lambda image: cv2.GaussianBlur(image, (0, 0), sigma_px)


def light(factor: float) -> Spoil:
    return lambda image: np.clip(image * factor, 0, 255)


def noise(deviation: float) -> Spoil:
    return lambda image: np.clip(image + np.random.default_rng(1).normal(0, deviation, image.shape), 0, 255)


def night(image: Image) -> np.ndarray:
    return noise(4.0)(np.asarray(light(0.12)(image), np.uint8))


def packed(quality: int) -> Spoil:
    def spoil(image: Image) -> np.ndarray:
        _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))

    return spoil


def small(longest_px: int) -> Spoil:
    def spoil(image: Image) -> np.ndarray:
        scale = min(1.0, longest_px / max(image.shape[:2]))
        return cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)

    return spoil


SPOILT: Mapping[str, Spoil] = {
    "as taken": lambda image: image,
    "blur 3": blur(3),
    "blur 5": blur(5),
    "blur 7": blur(7),
    "light 0.25": light(0.25),
    "light 0.12": light(0.12),
    "light 0.06": light(0.06),
    "light 0.12, noise": night,
    "light 1.8": light(1.8),
    "noise 25": noise(25),
    "JPEG 15": packed(15),
    "240 px": small(240),
}


def scored(rows: Sequence[dict], name: str) -> tuple[float, float, float, int]:
    """Return the shares 0..1 exact, exact told nothing, and sure, and how many are surely wrong."""

    def spoilt(frame: Frame) -> Frame:
        return replace(frame, image=np.ascontiguousarray(SPOILT[name](frame.image).astype(np.uint8)))

    given = score(rows, lambda frame, count: ours_given(spoilt(frame), count))
    free = score(rows, lambda frame, count: ours(spoilt(frame), count))
    return (
        float(np.mean([s.exact for s in given])),
        float(np.mean([s.exact for s in free])),
        float(np.mean([s.sure for s in given])),
        sum(s.sure and not s.exact for s in given),
    )


def trained_on(every: int) -> list[dict]:
    return [row for row in labelled(1) if row["repo"] in TRAINED_ON][::every]


def test_little_light_costs_hardly_a_roll_and_blur_no_honesty(shared: Path) -> None:
    rows = trained_on(1)
    taken, dim, soft = (scored(rows, name) for name in ("as taken", "light 0.12", "blur 5"))
    assert dim[0] > taken[0] - 0.03
    assert dim[2] > taken[2] - 0.05
    assert max(taken[3], dim[3]) == 0
    assert soft[3] <= 2  # each one small die that is blurred away


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, metavar="N", help="only every Nth photograph")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    rows = trained_on(args.every)
    print(f"{len(rows)} photographs    exact    free    sure  silent")
    for name in SPOILT:
        exact, free, sure, silent = scored(rows, name)
        print(f"{name:20}{exact:8.3f}{free:8.3f}{sure:8.2f}{silent:8}", flush=True)


if __name__ == "__main__":
    main()
