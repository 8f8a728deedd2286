"""Renders labelled pictures: python -m calibration.training.render --out DIR --count N --seed S."""

import argparse
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.training import develop, labels, props, sampling, stage
from calibration.training.scene import Floats, Scene
from calibration.training.studio import Studio


class Taker(Protocol):
    """Whatever takes pictures of scenes: linear light (h, w, 3), and the labels' probes that are seen."""

    def take(self, scene: Scene) -> tuple[NDArray[np.float32], list[Floats]]: ...


def main(arguments: list[str] | None = None) -> int:
    """Render what is missing in a folder; 0 when all is there."""
    wanted = parser().parse_args(arguments)
    wanted.out.mkdir(parents=True, exist_ok=True)
    studio = Studio(samples=wanted.samples, threads=wanted.threads)
    begun = time.monotonic()
    for done, number in enumerate(missing(wanted.out, wanted.count), start=1):
        seed = wanted.seed + number
        scene = sampling.tray(seed, unseen=wanted.unseen) if wanted.tray else sampling.table(seed)
        keep(studio, scene, wanted.out, number)
        print(f"{number:06d} {60 * done / (time.monotonic() - begun):.1f} a minute", flush=True)
    return 0


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="calibration.training.render", description=__doc__)
    made.add_argument(
        "--out", type=Path, required=True, help="folder of pictures and labels; what exists is kept"
    )
    made.add_argument("--count", type=int, default=100, help="pictures in all")
    made.add_argument(
        "--seed", type=int, default=0, help="the first picture's seed; the next ones count on"
    )
    made.add_argument("--samples", type=int, default=4, help="rays a pixel")
    made.add_argument("--threads", type=int, default=1)
    made.add_argument("--tray", action="store_true", help="rectified trays from straight above, 640 by 480")
    made.add_argument(
        "--unseen", action="store_true", help="with --tray: surfaces and lamps never trained on"
    )
    return made


def missing(folder: Path, count: int) -> Iterator[int]:
    """Numbers below ``count`` that have no label yet, asked for one by one: others may render as well."""
    return (number for number in range(count) if not (folder / f"{number:06d}.json").exists())


def keep(taker: Taker, scene: Scene, folder: Path, number: int) -> None:
    """Render one scene into NNNNNN.jpg and NNNNNN.json; the label comes last and marks it as whole."""
    linear, clear = taker.take(scene)
    picture = develop.photograph(linear, scene.finish, scene.seed, stage.lamp_colour(scene.light).tolist())
    _, encoded = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, scene.finish.quality])
    write(folder / f"{number:06d}.jpg", encoded.tobytes())
    label = labels.of(scene, clear)
    others = [*props.outlines(scene), *labels.fronts(scene)]
    label["others"] = [{"corners": corners.round(1).tolist()} for corners in others]
    write(folder / f"{number:06d}.json", json.dumps(label).encode())


def write(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}")
    part.write_bytes(content)
    part.replace(path)


if __name__ == "__main__":
    raise SystemExit(main())
