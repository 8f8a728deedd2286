"""Train the network that finds cubes: ``python -m calibration.training.findcubes --shots DIR --out DIR``.

Draws its own pictures (`cubescenes`) into ``--shots`` first, those that are there already are kept. Then
`cubecolours` trains what tells their colours, from the same pictures.
"""

import argparse
import json
import multiprocessing
from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional
from torch.utils.data import IterableDataset

from calibration.training import further
from calibration.training.cubescenes import TUNING, shot
from calibration.training.losses import normalised
from calibration.training.networks import CubeFinder
from calibration.training.pictures import TRAINED_ON
from calibration.training.train import WEIGHTS, Plan, export, train
from vision.cubeheads import (
    CHANNELS,
    COLOUR,
    COLOURS,
    FLOOR,
    HAND,
    HEAT,
    HOLE,
    HOLE_SIDE,
    PLACE,
    SIDE,
    STRIDE,
)
from vision.frames import Floats, Image, floats
from vision.rendered_cubes import linear

SIDE_PX = 352
"""Training squares: wide enough to show a floor with its hole around most cubes."""

LEAST_SEEN, IGNORED = 0.2, 0.1
"""The share of a cube that must be seen for it to be found, and above which it need not be denied."""

_SQUARES, _POOL = 3, 64
"""Squares cut from a picture each time it is opened, and squares that wait to be used."""

PLAN = Plan(5000, 6, 1e-3)
PICTURES = 3000

_PLAIN = 0.3
"""The share of drawn pictures that are of medium difficulty."""

_OF_PHOTOGRAPHS = 0.07
"""The share of squares that are cut from photographs of dice: nothing there is a cube."""

_CROP_PX, _CROPS = 448, 2


class Shots(IterableDataset[tuple[Tensor, ...]]):  # type: ignore[misc]  # as torch may be absent
    """Endless squares cut from the pictures in a folder, also from those that are still being drawn."""

    def __init__(self, folder: Path, seed: int, photographs: Sequence[Image] = ()) -> None:
        self._folder, self._seed, self._photographs = folder, seed, photographs
        self.step = 0

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        cv2.setNumThreads(0)
        rng = np.random.default_rng((self._seed, self.step))
        pool: list[tuple[np.ndarray, np.ndarray]] = []
        files: list[Path] = []
        drawn = 0
        while True:
            if drawn % 150 == 0:
                files = sorted(f for f in self._folder.glob("*.npz") if ".tmp" not in f.name)
            drawn += 1
            if self._photographs and rng.random() < _OF_PHOTOGRAPHS:
                chosen = self._photographs[int(rng.integers(len(self._photographs)))]
                none = np.zeros((0, 6)), np.full(3, -1.0), np.zeros(chosen.shape[:2], np.uint8)
                pool += [square(chosen, *none, rng) for _ in range(_SQUARES)]
                continue
            with np.load(files[rng.integers(len(files))]) as kept:
                image = cv2.imdecode(kept["jpg"], cv2.IMREAD_COLOR)
                known = kept["cubes"], kept["hole"], kept["hand"]
                pool += [square(image, *known, rng) for _ in range(_SQUARES)]
            while len(pool) > _POOL:  # so that a batch holds squares of many pictures
                some = pool.pop(int(rng.integers(len(pool))))
                yield tuple(torch.from_numpy(a) for a in some)


def square(
    image: np.ndarray, cubes: np.ndarray, hole: np.ndarray, hand: np.ndarray, rng: Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Cut a square, turned by any quarter, mirrored, of another scale; return it and its maps.

    ``cubes`` (n, 6): colour, x, y, side, share seen, whether it counts. Maps as `vision.cubeheads` has
    them, then where the hole's middle is, where cubes are, and where nothing is asked.
    """
    warp, scale = _warp(image, cubes, rng)
    if scale < 0.8:
        image = cv2.GaussianBlur(image, (0, 0), 0.35 / scale)
    size = (SIDE_PX, SIDE_PX)
    cut = cv2.warpAffine(image, warp, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    maps = np.zeros((CHANNELS + 3, SIDE_PX // STRIDE, SIDE_PX // STRIDE), np.float32)
    for colour, cx, cy, side, seen, counts in cubes:
        at = (warp[:, :2] @ (cx, cy) + warp[:, 2]) / STRIDE - 0.5
        cells = side * scale / STRIDE
        if seen >= LEAST_SEEN:
            _peak(maps, at, cells, int(colour), counts)
        elif seen >= IGNORED:
            maps[CHANNELS + 2] = np.maximum(maps[CHANNELS + 2], _gauss(maps, at, 0.3 * cells) > 0.5)
    if hole[2] > 0:
        at = (warp[:, :2] @ hole[:2] + warp[:, 2]) / STRIDE - 0.5
        _hole_peak(maps, at, hole[2] * scale / STRIDE)
    small = warp.copy()
    small[:, :2] *= image.shape[1] / hand.shape[1]  # the map of hands is smaller than the picture
    grid = (maps.shape[2], maps.shape[1])
    hands = cv2.warpAffine(hand, small / STRIDE, grid, borderMode=cv2.BORDER_REPLICATE)
    maps[HAND] = hands.astype(np.float32) / 255
    return _retouched(np.asarray(cut, np.uint8), rng), maps


def _warp(image: np.ndarray, cubes: np.ndarray, rng: Generator) -> tuple[np.ndarray, float]:
    """Choose which square to cut: the warp (2, 3) to it, and its scale."""
    turn, mirrored = int(rng.integers(4)), rng.random() < 0.5
    scale = float(np.exp(rng.uniform(np.log(0.65), np.log(1.35))))
    typical = float(np.median(cubes[:, 3])) if len(cubes) else 24.0
    scale = float(np.clip(scale, 10.5 / typical, 42 / typical))
    height, width = image.shape[:2]
    if len(cubes) and rng.random() < 0.85:
        x, y = cubes[rng.integers(len(cubes)), 1:3]
    else:
        x, y = rng.uniform(0, width), rng.uniform(0, height)
    jitter = rng.uniform(-0.4, 0.4, 2) * SIDE_PX
    warp = np.array(((scale, 0, -x * scale), (0, scale, -y * scale)), np.float64)
    quarter = np.array(((0.0, -1.0), (1.0, 0.0))) if turn % 2 else np.eye(2)
    quarter = quarter * (-1 if turn >= 2 else 1)
    if mirrored:
        quarter = np.diag((-1.0, 1.0)) @ quarter
    warp = quarter @ warp
    warp[:, 2] += SIDE_PX / 2 + jitter
    return warp, scale


def _gauss(maps: np.ndarray, at: np.ndarray, spread: float) -> np.ndarray:
    y, x = np.indices(maps.shape[1:])
    return np.asarray(np.exp(-((x - at[0]) ** 2 + (y - at[1]) ** 2) / (2 * spread**2)), np.float32)


def _inside(maps: np.ndarray, at: np.ndarray) -> bool:
    return bool(np.all(at > -0.5) and np.all(at < maps.shape[1] - 0.5))


def _peak(maps: np.ndarray, at: np.ndarray, cells: float, colour: int, counts: float) -> None:
    bell = _gauss(maps, at, max(0.7, 0.14 * cells))
    maps[HEAT] = np.maximum(maps[HEAT], bell)
    if not _inside(maps, at):
        return
    column, row = (round(float(v)) for v in at)
    maps[HEAT, row, column] = 1
    near = (_gauss(maps, at, max(0.7, 0.16 * cells)) > 0.55) & (bell >= maps[HEAT] * 0.999)
    near[row, column] = True
    y, x = np.nonzero(near)
    maps[SIDE, y, x] = np.log(max(cells, 1e-2))
    maps[PLACE, y, x], maps[PLACE + 1, y, x] = at[0] - x, at[1] - y
    maps[COLOUR : COLOUR + len(COLOURS), y, x] = 0
    maps[COLOUR + colour, y, x] = 1
    maps[FLOOR, y, x] = counts
    maps[CHANNELS + 1, y, x] = 1


def _hole_peak(maps: np.ndarray, at: np.ndarray, cells: float) -> None:
    maps[HOLE] = _gauss(maps, at, max(0.7, 0.1 * cells))
    if not _inside(maps, at):
        return
    column, row = (round(float(v)) for v in at)
    maps[HOLE, row, column] = 1
    maps[HOLE_SIDE, row, column] = np.log(cells)
    maps[CHANNELS, row, column] = 1


def _retouched(image: np.ndarray, rng: Generator) -> np.ndarray:
    """Change a little what other lamps and cameras change: never so much that a colour is another."""
    light = image.astype(np.float32)
    light *= np.exp(rng.normal(0, 0.035, 3) + rng.normal(0, 0.12)).astype(np.float32)
    light = np.clip(light, 0, 255)
    if rng.random() < 0.4:
        light = 255 * np.power(light / 255, np.float32(np.exp(rng.normal(0, 0.15))))
    if rng.random() < 0.25:
        light = floats(cv2.GaussianBlur(light, (0, 0), rng.uniform(0.4, 1.3)))
    if rng.random() < 0.5:
        y, x = rng.integers(0, SIDE_PX, 2)
        light += _noise()[y : y + SIDE_PX, x : x + SIDE_PX] * floats(rng.exponential(3.0))
    return np.clip(light, 0, 255).astype(np.uint8)


@lru_cache(maxsize=1)
def _noise() -> Floats:
    return floats(np.random.default_rng(3).standard_normal((2 * SIDE_PX, 2 * SIDE_PX, 3)))


def _soft_peaks(logits: Tensor, heat: Tensor, weight: Tensor) -> Tensor:
    """Say how far a map is from soft peaks; what is nearly right weighs little."""
    chance = torch.sigmoid(logits)
    each = functional.binary_cross_entropy_with_logits(logits, heat, reduction="none")
    return ((chance - heat).abs().square() * each * weight).sum() / (heat >= 1).sum().clamp(min=1)


def cube_loss(network: nn.Module, batch: Sequence[Tensor]) -> dict[str, Tensor]:
    """Say how far what the network tells is from the maps."""
    images, maps = batch
    told = network(normalised(images).contiguous(memory_format=torch.channels_last)).float()
    near, holes = maps[:, CHANNELS + 1], maps[:, CHANNELS]
    many, some = near.sum().clamp(min=1), holes.sum().clamp(min=1)
    colours = torch.log_softmax(told[:, COLOUR : COLOUR + len(COLOURS)], dim=1)
    named = -(colours * maps[:, COLOUR : COLOUR + len(COLOURS)]).sum(dim=1)
    floor = functional.binary_cross_entropy_with_logits(told[:, FLOOR], maps[:, FLOOR], reduction="none")
    places = (told[:, PLACE : PLACE + 2] - maps[:, PLACE : PLACE + 2]).abs().sum(dim=1)
    return {
        "heat": 2 * _soft_peaks(told[:, HEAT], maps[:, HEAT], 1 - maps[:, CHANNELS + 2]),
        "side": ((told[:, SIDE] - maps[:, SIDE]).abs() * near).sum() / many,
        "place": 0.3 * (places * near).sum() / many,
        "colour": (named * near).sum() / many,
        "floor": 0.5 * (floor * near).sum() / many,
        "hole": _soft_peaks(told[:, HOLE], maps[:, HOLE], torch.ones_like(near)),
        "hole side": 0.3 * ((told[:, HOLE_SIDE] - maps[:, HOLE_SIDE]).abs() * holes).sum() / some,
        "hand": 0.5 * functional.binary_cross_entropy_with_logits(told[:, HAND], maps[:, HAND]),
    }


def crops(folder: Path | None) -> list[Image]:
    """Cut squares from the photographs that the reader of dice is trained on, never from others."""
    if folder is None:
        return []
    rng, found = np.random.default_rng(4), []
    for row in json.loads((folder / "labels.json").read_text()):
        if row["repo"] not in TRAINED_ON:
            continue
        image = cv2.imread(str(folder / row["image"]))
        shrink = float(rng.uniform(1.3, 3.0)) * _CROP_PX / max(image.shape[:2])
        small = cv2.resize(
            image, None, fx=min(shrink, 1.0), fy=min(shrink, 1.0), interpolation=cv2.INTER_AREA
        )
        for _ in range(_CROPS):
            y, x = (int(rng.integers(max(1, side - _CROP_PX))) for side in small.shape[:2])
            found.append(np.asarray(small[y : y + _CROP_PX, x : x + _CROP_PX], np.uint8))
    return found


def draw(task: tuple[int, Path, Path | None]) -> None:
    """Draw one picture with its labels into a folder, unless it is there."""
    seed, folder, photographs = task
    file = folder / f"{seed}.npz"
    if file.exists():
        return
    cv2.setNumThreads(0)
    level = "medium" if np.random.default_rng([seed, 8]).random() < _PLAIN else "hard"
    one = shot(seed, level=level, photographs=_albedos(photographs))
    packed = cv2.imencode(".jpg", one.image, [cv2.IMWRITE_JPEG_QUALITY, 97])[1]
    rows = [(COLOURS.index(c.colour), c.x, c.y, c.side, c.seen, c.counts) for c in one.cubes]
    hand = cv2.resize(one.hand, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA)
    new = folder / f"{seed}.tmp.npz"
    np.savez(
        new,
        jpg=packed,
        cubes=np.array(rows, np.float32).reshape(-1, 6),
        hole=np.array(one.hole or (-1, -1, -1), np.float32),
        hand=(hand * 255).astype(np.uint8),
    )
    new.replace(file)


@lru_cache(maxsize=1)
def _albedos(folder: Path | None) -> list[Floats]:
    return [linear(floats(crop[..., ::-1]) / floats(255)) for crop in crops(folder)]


def begun(finder: Path) -> CubeFinder:
    """Return the network as it begins: as the finder of dice."""
    network = CubeFinder()
    network.begin(further.tensors(finder))
    return network


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=Path, required=True, help="folder of drawn pictures")
    parser.add_argument("--out", type=Path, required=True, help="folder for checkpoints")
    parser.add_argument("--photos", type=Path, help="folder of photographs with labels.json")
    parser.add_argument("--pictures", type=int, default=PICTURES)
    parser.add_argument("--steps", type=int, default=PLAN.steps)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args(arguments)
    assert args.pictures <= TUNING, "later seeds are for tuning and scoring"
    for folder in (args.shots, args.out):
        folder.mkdir(parents=True, exist_ok=True)
    with multiprocessing.Pool(2) as pool:
        pool.map(draw, [(seed, args.shots, args.photos) for seed in range(args.pictures)], chunksize=16)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    plan = Plan(args.steps, PLAN.batch, PLAN.rate)
    data = Shots(args.shots, args.seed, crops(args.photos))
    network = train("cubes", begun(WEIGHTS / "finder.onnx"), data, cube_loss, plan, args.out, workers=1)
    export("cubes", network, torch.zeros(1, 3, 480, 640), args.weights)


if __name__ == "__main__":
    main()
