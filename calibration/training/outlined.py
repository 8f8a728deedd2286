"""Look again at the photographs trained on: where the outlines of dice lie, and what was mistaken for dice.

    python -m calibration.training.outlined --photos DIR

The first outlines came from the classical reader, which sees pips and no edges: of a one it only knew the
middle, and guessed how large the die is. Networks that were trained on the others see the edges. An outline
is replaced where they read the face that the label tells, `outlines.json`; places that they took for dice,
far from any, are added to `mistaken.json`: what was mistaken once stays there, or the next networks would
forget it. Look at what it draws into ``--sheet`` before you keep it.
"""

import argparse
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.training.pictures import MISTAKEN, OUTLINES
from vision.dim import brightened
from vision.faceheads import SYMBOLS
from vision.frames import Floats, Frame, Image, floats
from vision.looks import look, mean_sides
from vision.places import Places, survey

_LOOKS, _TWICE = 12, 2
_AWAY, _LARGER = 0.05, 0.07
"""Each die is looked at so often, from places and of sizes that differ by so much (of a side, log)."""

_AGREED, _SAME = 0.2, 0.5
"""An outline whose middle the networks see so near, in sides, stays; what is seen further away than the
second is another die."""
_SPREAD = 0.08
"""Outlines of these looks must agree so well, in sides."""

_APART = 0.7
"""What lies nearer to a die than this, in sides, may be that die."""

_TILE = 96

Row = dict[str, Any]
Place = list[float]
"""Middle (x, y) and side, px."""


@dataclass(frozen=True, slots=True)
class Seen:
    """One die as the networks see it: ``corners`` (4, 2) px, its symbol, how far looks differ, in sides."""

    corners: Floats
    symbol: str
    spread: float


def mended(row: Mapping[str, Any], image: Image, places: Places) -> Row | None:
    """Return a die's row with the outline that the networks see; None if they see another face there."""
    nearest, away = _nearest(floats(row["corners"]), places)
    if nearest is None or away > _SAME:
        return None
    seen = seen_from(image, nearest)
    if seen.symbol != f"pips{row['face']}" or seen.spread > _SPREAD:
        return None
    outline = [[round(float(v), 1) for v in corner] for corner in seen.corners]
    return {**row, "corners": outline, "turned": True}


def seen_from(image: Image, corners: Floats) -> Seen:
    """Look at a die from places round about, and from there once more; return the median outline."""
    rng = np.random.default_rng(1)
    symbols, spread = np.zeros(len(SYMBOLS)), 0.0
    for _ in range(_TWICE):
        side, middle = _side(corners), corners.mean(axis=0)
        looks = look(
            image,
            floats(middle + rng.normal(0, _AWAY, (_LOOKS, 2)) * side),
            floats(side * np.exp(rng.normal(0, _LARGER, _LOOKS))),
        )
        alike = np.array([_turned_as(corners, one) for one in looks.corners])
        corners = floats(np.median(alike, axis=0))
        spread = float(np.linalg.norm(alike - corners, axis=2).mean() / side)
        symbols = looks.symbols.mean(axis=0)
    return Seen(corners, SYMBOLS[int(symbols.argmax())], spread)


def mistaken(places: Places, dice: Sequence[Floats]) -> list[Place]:
    """Return places (x, y, side) that the finder proposed and that lie at no die (4, 2)."""
    proposed = zip(places.looks.corners.mean(axis=1), places.looks.sides, strict=True)
    return added([], [[round(float(v), 1) for v in (*middle, side)] for middle, side in proposed], dice)


def added(known: Sequence[Place], new: Sequence[Place], dice: Sequence[Floats]) -> list[Place]:
    """Return the places mistaken before, but for those at a die (4, 2), and new ones that lie elsewhere."""
    kept: list[Place] = []
    for x, y, side in (*known, *new):
        at = floats((x, y))
        near = [(die.mean(axis=0), _side(die), _APART) for die in dice]
        near += [(floats(one[:2]), one[2], _SAME) for one in kept]
        if all(float(np.linalg.norm(at - m)) > apart * max(s, side) for m, s, apart in near):
            kept.append([x, y, side])
    return kept


def main(arguments: Sequence[str] | None = None) -> int:
    """Write both files anew; return 0. Raises SystemExit naming a photograph that cannot be read."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--sheet", type=Path, help="a picture of all outlines that change, old and new")
    wanted = parser.parse_args(arguments)
    outlines, errors = (json.loads(file.read_text(encoding="utf-8")) for file in (OUTLINES, MISTAKEN))
    tiles: list[Image] = []
    kept = 0
    for name, rows in outlines.items():
        taken = cv2.imread(str(wanted.photos / name))
        if taken is None:
            raise SystemExit(
                f"{wanted.photos / name} cannot be read: --photos is the folder of labels.json."
            )
        image = brightened(np.asarray(taken, np.uint8))
        places = survey(Frame(image, 0.0, name))
        for n, row in enumerate(rows):
            if row["turned"] and _agreed(floats(row["corners"]), places):
                continue
            better = mended(row, image, places)
            kept += better is None
            rows[n] = better or row
            tiles.append(_tile(image, floats(row["corners"]), floats(rows[n]["corners"])))
        dice = [floats(row["corners"]) for row in rows]
        if wrong := added(errors.pop(name, []), mistaken(places, dice), dice):
            errors[name] = wrong
    for file, told in ((OUTLINES, outlines), (MISTAKEN, errors)):
        file.write_text(json.dumps(told, separators=(",", ":")) + "\n", encoding="utf-8")
    if wanted.sheet and tiles:
        cv2.imwrite(str(wanted.sheet), _sheet(tiles))
    wrong_places = sum(map(len, errors.values()))
    print(f"{len(tiles)} outlines looked at, {kept} left as they were; {wrong_places} mistakes")
    return 0


def _agreed(corners: Floats, places: Places) -> bool:
    return _nearest(corners, places)[1] < _AGREED


def _nearest(corners: Floats, places: Places) -> tuple[Floats | None, float]:
    """Return the nearest outline that was found, and how far away its middle is, in sides of the larger."""
    away = np.linalg.norm(places.looks.corners.mean(axis=1) - corners.mean(axis=0), axis=1)
    if not len(away):
        return None, np.inf
    nearest = int(np.argmin(away))
    side = max(_side(corners), float(places.looks.sides[nearest]))
    return places.looks.corners[nearest], float(away[nearest]) / side


def _side(corners: Floats) -> float:
    return float(mean_sides(corners[None])[0])


def _turned_as(corners: Floats, other: Floats) -> Floats:
    """Return an outline with its corners in the order that fits another one best."""
    turns = [np.roll(other, n, axis=0) for n in range(4)]
    return floats(min(turns, key=lambda one: float(np.abs(one - corners).sum())))


def _tile(image: Image, before: Floats, after: Floats) -> Image:
    scale = _TILE / (2.6 * _side(after))
    warp = np.array(((scale, 0, 0), (0, scale, 0)), np.float64)
    warp[:, 2] = _TILE / 2 - scale * after.mean(axis=0)
    tile = cv2.warpAffine(image, warp, (_TILE, _TILE))
    for corners, colour in ((before, (0, 0, 255)), (after, (0, 255, 0))):
        moved = corners @ warp[:, :2].T + warp[:, 2]
        cv2.polylines(tile, [np.round(moved).astype(np.int32)], True, colour, 1, cv2.LINE_AA)
    return np.asarray(tile, np.uint8)


def _sheet(tiles: Sequence[Image], wide: int = 18) -> Image:
    blank = np.zeros((_TILE, _TILE, 3), np.uint8)
    padded = [*tiles, *[blank] * (-len(tiles) % wide)]
    return np.vstack([np.hstack(padded[n : n + wide]) for n in range(0, len(padded), wide)])


if __name__ == "__main__":
    raise SystemExit(main())
