"""Training samples of both networks, cut from labelled pictures."""

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from calibration.training.augment import disturbed, worn
from calibration.training.pictures import UNKNOWN, LabelledDie, Picture, axes
from vision.faceheads import SHAPE, STATES, SYMBOLS
from vision.finder import STRIDE
from vision.frames import Floats, Image, floats
from vision.looks import CROP_PX, CROP_SIDES

FINDER_PX = 256
_LEAST_SIDE, _MOST_SIDE = 8.0, 230.0
_LEAN, _AS_TAKEN = 0.15, 0.5
_AT_DIE, _AT_OTHER = 0.78, 0.9
"""So many of the finder's squares show a die; up to so many something else, if there is any; others
anything: what lies far from dice must be seen, too, or the keys of a laptop are dice."""
_LEAST_CROP = 22
"""Pixels to which the crop of a small die is shrunk at most."""
_DOUBTFUL_VISIBLE = 0.45
_MOST_SHAPE = 6.0
"""Faces seen almost edge on have shapes beyond any bound."""
_ODD, _ODD_STATES = 0.15, (STATES.index("cocked"), STATES.index("stacked"))
"""Of so many samples only dice are taken that lie like this, if there are any: few do in a picture."""
_FINGERPRINT = SYMBOLS.index("fingerprint")
_PIPS = range(SYMBOLS.index("pips1"), SYMBOLS.index("pips6") + 1)


@dataclass(frozen=True, slots=True)
class FinderSample:
    """``maps`` (6, h, w): heat 0..1, weight of the heat, log side, x, y (cells), weight of these."""

    image: Image
    maps: Floats


@dataclass(frozen=True, slots=True)
class FaceSample:
    """A crop and what is in it: symbol, colour, white, state (UNKNOWN where nobody knows), shape."""

    image: Image
    labels: NDArray[np.int64]
    shape: Floats
    shape_weight: Floats


def finder_sample(picture: Picture, under: Picture, rng: Generator) -> FinderSample:
    """Cut a square from a picture at a random scale and turn, laid over another picture.

    What is laid over it is the whole picture or, as often, only its dice: real dice on other tables.
    """
    size = FINDER_PX
    side = math.exp(rng.uniform(math.log(_LEAST_SIDE), math.log(_MOST_SIDE)))
    image, dice, covers = _placed(picture, side, rng)
    hue = not any(d.symbol == _FINGERPRINT for d in dice)
    only_dice = bool(dice) and rng.random() < 0.4
    if only_dice:
        covers = _around(dice, size, rng)
    if only_dice or covers.min() == 0:
        below, others, _ = _placed(under, side * math.exp(rng.normal(0, 0.3)), rng)
        hue = hue and not any(d.symbol == _FINGERPRINT for d in others)
        mixed = below + (image.astype(np.float32) - below) * covers[..., None]
        image = np.asarray(np.clip(mixed, 0, 255), np.uint8)
        dice = [*dice, *(d for other in others if (d := _left_over(other, covers)) is not None)]
    image, _ = disturbed(image, rng, blur_px=min(4.0, side / 7), hue=hue or rng.random() < 0.5)
    return FinderSample(image, _maps(dice, size // STRIDE))


def face_sample(picture: Picture, rng: Generator) -> FaceSample:
    """Cut one die, or something that is none, as the finder would have found it."""
    none = not picture.dice or rng.random() < 0.28
    if none:
        pivot, side = _beside(picture, rng)
        die = None
    else:
        dice = picture.dice
        if rng.random() < _ODD:
            dice = tuple(die for die in dice if die.state in _ODD_STATES) or dice
        die = dice[rng.integers(len(dice))]
        side = die.side * math.exp(rng.normal(0, 0.10))
        pivot = die.centre + floats(rng.normal(0, 0.06, 2) * side)
    scale = CROP_PX / CROP_SIDES / side
    middle = floats((CROP_PX / 2, CROP_PX / 2))
    warp = _warp(pivot, middle, scale, rng, _turn(picture, rng))
    if (die is None or die.symbol in _PIPS or die.symbol == _FINGERPRINT) and rng.random() < 0.5:
        warp = np.diag([-1.0, 1.0, 1.0]) @ warp
        warp[0] += (CROP_PX) * np.array([0, 0, 1.0])
    if rng.random() < 0.35:  # as a small die would be: its detail is gone before it is enlarged
        image = _coarse(picture, warp, scale, rng)
    else:
        image = _warped(picture, warp, scale, CROP_PX, rng)
    hue = die is None or die.symbol != _FINGERPRINT
    image, true = disturbed(image, rng, blur_px=3.0, hue=hue)
    if die is not None and not true:
        die = replace(die, white=UNKNOWN)
    return _labelled(image, die, warp)


def shape_of(corners: Floats, middle: Floats, side: float) -> Floats:
    """Return the SHAPE numbers of vision.faceheads for corners (4, 2) px in a crop."""
    first, second = axes(corners)
    p, q = (complex(v[0], v[1]) / side for v in (first, second))
    square_sum, product = p * p + q * q, (p * q) ** 2
    x, y = (corners.mean(axis=0) - middle) / side
    shape = np.array((x, y, square_sum.real, square_sum.imag, product.real, product.imag), np.float32)
    return np.clip(shape, -_MOST_SHAPE, _MOST_SHAPE)


def _labelled(image: Image, die: LabelledDie | None, warp: NDArray[np.float64]) -> FaceSample:
    shape, weight = np.zeros(SHAPE, np.float32), np.zeros(SHAPE, np.float32)
    if die is None:
        return FaceSample(image, np.array((0, UNKNOWN, UNKNOWN, UNKNOWN)), shape, weight)
    moved = _moved(die, warp)
    shape = shape_of(moved.corners, floats((CROP_PX / 2, CROP_PX / 2)), CROP_PX / CROP_SIDES)
    weight[:2] = 1
    weight[2:] = die.turned
    symbol = die.symbol if die.visible > _DOUBTFUL_VISIBLE else UNKNOWN
    white = die.white
    labels = np.array((symbol, die.colour, white, die.state))
    return FaceSample(image, labels, shape, weight)


def _placed(picture: Picture, side: float, rng: Generator) -> tuple[Image, list[LabelledDie], Floats]:
    """Return a square with dice about ``side`` px large, the dice, and where it has pixels."""
    size = FINDER_PX
    height, width = picture.levels[0].shape[:2]
    pivot, usual = _pivot(picture, rng)
    scale = side / usual
    target = floats(rng.uniform(0.1, 0.9, 2) * size)
    warp = _warp(pivot, target, scale, rng, _turn(picture, rng))
    image = _warped(picture, warp, scale, size, rng)
    inside = np.full((height // 8, width // 8), 1.0, np.float32)
    whole = warp @ np.diag((8.0, 8.0, 1.0))
    covers = cv2.warpAffine(inside, whole[:2], (size, size), flags=cv2.INTER_NEAREST)
    dice = [_moved(d, warp) for d in picture.dice]
    return (
        image,
        [d for d in dice if np.all((d.centre > -8) & (d.centre < size + 8))],
        np.asarray(covers, np.float32),
    )


def _pivot(picture: Picture, rng: Generator) -> tuple[Floats, float]:
    """Return a place that is to be seen, mostly a die's, and how large dice are there, px."""
    chance = rng.random()
    some = picture.dice or picture.others
    usual = some[rng.integers(len(some))].side if some else 40.0
    if picture.dice and chance < _AT_DIE:
        die = picture.dice[rng.integers(len(picture.dice))]
        return die.centre, die.side
    if picture.others and chance < _AT_OTHER:
        return picture.others[rng.integers(len(picture.others))].centre, usual
    height, width = picture.levels[0].shape[:2]
    return floats(rng.uniform(0, 1, 2) * (width, height)), usual


def _around(dice: list[LabelledDie], size: int, rng: Generator) -> Floats:
    """Return 1 on these dice and a little around them, 0 elsewhere, soft between."""
    mask = np.zeros((size, size), np.float32)
    grown = rng.uniform(1.35, 1.9)
    for die in dice:
        outline = die.centre + (die.corners - die.centre) * grown
        cv2.fillConvexPoly(mask, np.round(outline).astype(np.int32), (1.0,), cv2.LINE_AA)
    return np.asarray(cv2.GaussianBlur(mask, (0, 0), max(0.6, 0.04 * dice[0].side)), np.float32)


def _left_over(die: LabelledDie, covers: Floats) -> LabelledDie | None:
    """Return the die as far as it is still seen below what was laid over it; None if it is hidden."""
    size = covers.shape[0]
    points = np.array(
        [die.centre + (corner - die.centre) * k for corner in die.corners for k in (0.3, 0.9)]
    )
    x, y = np.clip(np.round(points).astype(int), 0, size - 1).T
    seen = 1 - float((covers[y, x] > 0.3).mean())
    if seen < 0.25:
        return None
    return replace(die, visible=die.visible * (1.0 if seen > 0.99 else 0.4 * seen))


def _beside(picture: Picture, rng: Generator) -> tuple[Floats, float]:
    """Return a place and a size where no face lies: beside a die, on its pips, around several, anywhere."""
    height, width = picture.levels[0].shape[:2]
    for _ in range(8):
        way = rng.random()
        if picture.others and way < 0.5:
            other = picture.others[rng.integers(len(picture.others))]
            return other.centre, other.side * math.exp(rng.normal(0, 0.2))
        if picture.dice and way < 0.85:
            die = picture.dice[rng.integers(len(picture.dice))]
            turn, away = rng.uniform(0, 2 * math.pi), rng.uniform(0.45, 1.6)
            offset = floats((math.cos(turn), math.sin(turn))) * floats(away * die.side)
            pivot, side = die.centre + offset, die.side * math.exp(rng.normal(0, 0.3))
        else:
            pivot = floats(rng.uniform(0.05, 0.95, 2) * (width, height))
            side = math.exp(rng.uniform(math.log(12), math.log(120)))
        if all(np.linalg.norm(d.centre - pivot) > 0.42 * max(d.side, 0.6 * side) for d in picture.dice):
            break
    else:
        return floats((-5 * side, -5 * side)), side
    return floats(pivot), float(side)


def _warp(
    pivot: Floats, target: NDArray[np.floating], scale: float, rng: Generator, turn: float
) -> NDArray[np.float64]:
    """Return a 3 x 3 transform: turn, scale and lean about the pivot, which comes to the target."""
    tilt = rng.uniform(0, 2 * math.pi)
    squeeze = 1 - abs(rng.normal(0, _LEAN))
    squeeze = max(squeeze, 0.55)
    rotate = _rotation(turn) @ _rotation(-tilt) @ np.diag((1.0, squeeze)) @ _rotation(tilt)
    warp = np.eye(3)
    warp[:2, :2] = rotate * scale / math.sqrt(squeeze)
    warp[:2, 2] = target - warp[:2, :2] @ pivot
    return warp


def _turn(picture: Picture, rng: Generator) -> float:
    """Return by how much to turn the picture: by anything, unless it would no longer show what lies up."""
    if picture.upright:
        return float(rng.normal(0, 0.15))
    return float(rng.normal(0, 0.2) if rng.random() < _AS_TAKEN else rng.uniform(0, 2 * math.pi))


def _rotation(turn: float) -> NDArray[np.float64]:
    return np.array(((math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))))


def _warped(picture: Picture, warp: NDArray[np.float64], scale: float, size: int, rng: Generator) -> Image:
    level = min(max(0, math.floor(-math.log2(scale) + 0.35)), len(picture.levels) - 1)
    down = np.diag((2.0**level, 2.0**level, 1.0))
    border = cv2.BORDER_REPLICATE if rng.random() < 0.4 else cv2.BORDER_CONSTANT
    image = cv2.warpAffine(
        picture.levels[level],
        (warp @ down)[:2],
        (size, size),
        flags=cv2.INTER_LINEAR,
        borderMode=border,
        borderValue=[float(v) for v in rng.uniform(0, 255, 3)],
    )
    return np.asarray(image, np.uint8)


def _coarse(picture: Picture, warp: NDArray[np.float64], scale: float, rng: Generator) -> Image:
    small = int(rng.integers(_LEAST_CROP, CROP_PX))
    factor = small / CROP_PX
    image = worn(_warped(picture, np.diag((factor, factor, 1.0)) @ warp, scale * factor, small, rng), rng)
    return np.asarray(cv2.resize(image, (CROP_PX, CROP_PX), interpolation=cv2.INTER_LINEAR), np.uint8)


def _moved(die: LabelledDie, warp: NDArray[np.float64]) -> LabelledDie:
    corners = (die.corners @ warp[:2, :2].T + warp[:2, 2]).astype(np.float32)
    return replace(die, corners=corners)


def _maps(dice: list[LabelledDie], cells: int) -> Floats:
    maps = np.zeros((6, cells, cells), np.float32)
    maps[1] = 1
    rows, columns = np.mgrid[0:cells, 0:cells].astype(np.float32)
    for die in dice:
        x, y = die.centre / STRIDE - 0.5
        side = die.side / STRIDE
        away = (columns - x) ** 2 + (rows - y) ** 2
        if die.visible < _DOUBTFUL_VISIBLE:
            maps[1][away < (0.6 * side) ** 2] = 0
            continue
        sigma = max(0.7, 0.11 * side)
        maps[0] = np.maximum(maps[0], np.exp(-away / (2 * sigma**2)))
        column, row = round(float(x)), round(float(y))
        if not (0 <= column < cells and 0 <= row < cells):
            continue
        maps[0, row, column] = 1
        near = away < max(1.3, 0.2 * side) ** 2
        maps[2][near] = math.log(side)
        maps[3][near], maps[4][near] = (x - columns)[near], (y - rows)[near]
        maps[5][near] = 1
    return maps
