"""Score the counting of cubes on drawn pictures of floors, on traced ones, and on what holds no cubes.

``python tests/benchmarks/bench_cubes.py [--count N] [--first N] [--traced N] [--tune]``. Seeds from
7,000,000 on, which neither training nor the choice of a threshold has seen; every other picture lies on a
table that training never showed. Two of five pictures are hard, two medium (`cubescenes.LEVELS`),
one is easy: the rehearsed tower, which training never showed either.
``--tune`` takes the tuning seeds (5,000,000 on) instead and prints what other thresholds would have given.

Exact: the whole multiset of colours is right. Silent: sure and not exact. ``given the most`` is told which
colours are in play and how many of each the tower holds at most; ``told nothing`` is not. Nobody has a
labelled photograph of the real game: every figure but the last table's is of pictures that we drew.
"""

import argparse
import json
import multiprocessing
import os
import random
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np

from calibration.training import develop, lights, looks, placing, sampling, stage
from calibration.training.cubescenes import COUNTED, SCORING, TUNING, SeenCube, shot
from calibration.training.pictures import TRAINED_ON
from calibration.training.scene import Look, Scene
from calibration.training.tracer import Tracer
from companion.rules.events import CubesExpected
from vision.cubefinder import find, usual_scale
from vision.cubeheads import COLOURS
from vision.cubes import CubesRead, read_cubes
from vision.frames import Image
from vision.rehearsalfloor import CLOSED, floor_picture
from vision.rendered_cubes import PAINTS
from vision.stills import decode_photo

PHOTOGRAPHS = Path(__file__).parents[2].parent / "shared" / "dice"
TIMED_PX = 1280
SURE_FROM = 0.8
"""What would be sure from here on; the reader itself is sure of nothing yet."""

_MATCH_SIDES = 0.6


@dataclass(frozen=True, slots=True)
class Scored:
    """One reading of one picture. ``pairs``: (true colour or "", read colour or "") of each cube."""

    level: str
    kind: str
    exact: bool
    sure: bool
    confidence: float
    pairs: tuple[tuple[str, str], ...] = ()
    cubes: int = 0
    seed: int = 0


def in_play(truth: Sequence[str], rng: np.random.Generator) -> CubesExpected:
    """Say what the tower may hold when this lies on a floor: colours of 2 to 6 players, and the victims."""
    clues = [colour for colour in COLOURS if colour != "red"]
    absent = [colour for colour in clues if colour not in truth]
    rng.shuffle(absent)
    playing = set(truth) | set(absent[: int(rng.integers(0, len(absent) + 1))]) - {"red"}
    counts = Counter(truth)
    most = [(colour, counts[colour] + int(rng.integers(0, 12))) for colour in clues if colour in playing]
    return CubesExpected((*most, ("red", max(2, counts["red"]))))


@dataclass(frozen=True, slots=True)
class Drawn:
    """A picture and what counts in it; ``cubes`` with their places unless it is an easy one."""

    level: str
    kind: str
    image: Image
    truth: tuple[str, ...]
    cubes: tuple[SeenCube, ...] = ()


def drawn(seed: int) -> Drawn:
    """Draw the picture of a seed: hard, hard, medium, medium, easy."""
    if seed % 5 < 4:
        level = "hard" if seed % 5 < 2 else "medium"
        one = shot(seed, unseen=bool(seed % 2), level=level)
        return Drawn(level, one.kind, one.image, one.truth, one.cubes)
    chance = random.Random(seed)
    storey = chance.randint(1, CLOSED)
    colours = [chance.choice(COLOURS) for _ in range(chance.choice((0, 1, 1, 2, 2, 3, 3, 4, 5, 6, 8)))]
    size = chance.choice(((1280, 960), (1280, 720), (960, 720), (640, 480)))
    picture = floor_picture(colours, storey, size, chance)
    return Drawn("easy", "floor", np.asarray(picture, np.uint8), tuple(sorted(colours)))


def score(seed: int) -> tuple[Scored, Scored]:
    """Read one drawn picture, told nothing and told the most there can be."""
    cv2.setNumThreads(1)
    one = drawn(seed)
    told = in_play(one.truth, np.random.default_rng([seed, 5]))
    return _scored(one, read_cubes(one.image, sure_from=SURE_FROM), seed), _scored(
        one, read_cubes(one.image, told, sure_from=SURE_FROM), seed
    )


def _scored(one: Drawn, read: CubesRead, seed: int) -> Scored:
    pairs = tuple(_by_colour(one, read) if one.level == "easy" else _pairs(one, read))
    exact = read.colours == one.truth
    return Scored(one.level, one.kind, exact, read.sure, read.confidence, pairs, len(one.truth), seed)


def _by_colour(one: Drawn, read: CubesRead) -> list[tuple[str, str]]:
    """Match cubes by colour alone."""
    there, told = Counter(one.truth), Counter(read.colours)
    pairs = [(colour, colour) for colour in (there & told).elements()]
    pairs += [("", colour) for colour in (told - there).elements()]
    return pairs + [(colour, "") for colour in (there - told).elements()]


def _pairs(one: Drawn, read: CubesRead) -> list[tuple[str, str]]:
    """Match cubes by place."""
    left = [cube for cube in one.cubes if cube.counts and cube.seen >= COUNTED]
    pairs = []
    for cube in read.cubes:
        x, y = cube.outline.mean(axis=0)
        near = min(left, key=lambda c: np.hypot(c.x - x, c.y - y), default=None)
        if near is not None and np.hypot(near.x - x, near.y - y) < _MATCH_SIDES * near.side:
            left.remove(near)
            pairs.append((near.colour, cube.colour))
        else:
            pairs.append(("", cube.colour))
    return pairs + [(cube.colour, "") for cube in left]


_HEAD = ("pictures", "exact %", "sure %", "silent", "cubes", "found %", "true %", "colour %")


def table(rows: Sequence[Scored], name: str) -> None:
    """Print one line for each level and kind and one for all.

    ``found``: of the cubes there, ``true``: of those read, ``colour``: of those found the rightly named.
    """
    groups = sorted({(row.level, row.kind) for row in rows})
    groups += [(level, "all") for level in sorted({row.level for row in rows})]
    for level, kind in [*sorted(groups), ("all", "all")]:
        some = [row for row in rows if level in {row.level, "all"} and kind in {row.kind, "all"}]
        sure = [row for row in some if row.sure]
        pairs = [pair for row in some for pair in row.pairs]
        found = [pair for pair in pairs if all(pair)]
        there, read = sum(bool(p[0]) for p in pairs), sum(bool(p[1]) for p in pairs)
        shares = (
            100 * len(found) / max(there, 1),
            100 * len(found) / max(read, 1),
            100 * sum(p[0] == p[1] for p in found) / max(len(found), 1),
        )
        print(
            f"{name:18}{level + ' ' + kind:16}{len(some):10}"
            f"{100 * sum(row.exact for row in some) / len(some):10.1f}{100 * len(sure) / len(some):10.1f}"
            f"{sum(not row.exact for row in sure):10}{sum(row.cubes for row in some):10}"
            + "".join(f"{share:10.1f}" for share in shares)
        )


def confusion(rows: Sequence[Scored]) -> None:
    """Print how often each colour was read as which; ``-`` is overlooked, or read where nothing lies."""
    pairs = Counter(pair for row in rows for pair in row.pairs)
    print("\n" + " " * 10 + "".join(f"{colour:>8}" for colour in (*COLOURS, "-")))
    for true in (*COLOURS, ""):
        print(f"{true or '-':10}" + "".join(f"{pairs[true, read]:8}" for read in (*COLOURS, "")))


def thresholds(rows: Sequence[Scored]) -> None:
    """Print what would be sure, and surely wrong, with higher thresholds than the reader's."""
    print(f"\n{'confidence':>10}{'sure %':>8}{'silent':>8}")
    for least in (0.5, 0.6, 0.7, 0.8, 0.85, 0.9, 0.93, 0.95, 0.97, 0.98):
        sure = [row for row in rows if row.sure and row.confidence >= least]
        print(f"{least:10.2f}{100 * len(sure) / len(rows):8.1f}{sum(not row.exact for row in sure):8}")
    for row in sorted((row for row in rows if row.sure and not row.exact), key=lambda r: -r.confidence):
        wrong = [pair for pair in row.pairs if pair[0] != pair[1]]
        print(f"seed {row.seed} {row.level} {row.kind} {row.confidence:.3f} {wrong}")


def traced(number: int) -> Scored:
    """Read cubes drawn by another hand: the ray tracer of the dice; they are rounded and lie on tables."""
    cv2.setNumThreads(1)
    seed = SCORING + number
    rng = np.random.default_rng([seed, 9])
    chosen = [COLOURS[n] for n in rng.integers(0, len(COLOURS), int(rng.integers(1, 10)))]
    edge = float(rng.uniform(0.8, 1.0))
    sets = tuple(_blank(looks.sample("white", edge, rng), colour, rng) for colour in COLOURS)
    camera = sampling.from_above(float(rng.uniform(0.03, 0.055)), edge, rng)
    habit = placing.Habit(float(rng.choice([0.0, 0.4])), 0.0, 0.0, 0.0)
    dice = placing.lay(sets, [COLOURS.index(colour) for colour in chosen], camera, habit, rng)
    light = lights.sample(str(rng.choice(["hard", "window", "several", "ceiling"])), camera, rng)
    surface = sampling.some_surface(["plain", "wood", "cork", "linen", "slate"], rng)
    scene = Scene(seed, surface, light, camera, sets, dice, (), sampling.some_finish(rng))
    linear, _ = Tracer().take(scene)
    image = develop.photograph(linear, scene.finish, seed, stage.lamp_colour(light).tolist())
    read = read_cubes(image, sure_from=SURE_FROM)
    truth = tuple(sorted(COLOURS[die.look] for die in dice))
    one = Drawn("easy", "traced", image, truth)
    return _scored(one, read, seed)


def _blank(look: Look, colour: str, rng: np.random.Generator) -> Look:
    rgb = tuple(float(v) for v in np.clip(np.array(PAINTS[colour]) * rng.uniform(0.9, 1.08), 0.02, 0.97))
    body = (rgb[0], rgb[1], rgb[2])
    return replace(
        look, style="pips", faces=("1",) * 6, body=body, ink=body, paints=(), material="solid",
        relief="printed",
        bevel=0.08, ball=9.0, red_faces=(), roughness=0.7, kind="white", one_scale=1.0,
    )  # fmt: skip


def photographs() -> None:
    """Read photographs of dice, none of which shows the game: whatever is sure there is wrong."""
    file = PHOTOGRAPHS / "labels.json"
    if not file.exists():
        print("\nno photographs of dice here")
        return
    rows = [row for row in json.loads(file.read_text()) if row["repo"] not in TRAINED_ON]
    sure = claimed = 0
    for row in rows:
        read = read_cubes(
            decode_photo((PHOTOGRAPHS / row["image"]).read_bytes(), name="", at=0).image,
            sure_from=SURE_FROM,
        )
        sure, claimed = sure + read.sure, claimed + bool(read.cubes)
    print(f"\n{len(rows)} held-out photographs of dice: {sure} sure of cubes, {claimed} with cubes")


def speed() -> None:
    """Print how long one picture of 1280 px takes on one thread."""
    cv2.setNumThreads(1)
    images: list[Image] = [shot(SCORING + n, longest_px=TIMED_PX, kind="floor").image for n in range(12)]
    took, one = [], []
    read_cubes(images[0])
    for image in images:
        begun = time.perf_counter()
        read_cubes(image)
        took.append(time.perf_counter() - begun)
        begun = time.perf_counter()
        find(image, usual_scale(image))
        one.append(time.perf_counter() - begun)
    print(
        f"\none picture of {TIMED_PX} px, one thread: median {1000 * np.median(took):.0f} ms, "
        f"longest {1000 * max(took):.0f} ms (two looks; the first {1000 * np.median(one):.0f} ms)"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Print all tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=600, help="drawn pictures")
    parser.add_argument("--first", type=int, default=0, help="skip so many seeds")
    parser.add_argument("--traced", type=int, default=60, help="traced pictures")
    parser.add_argument("--tune", action="store_true", help="tuning seeds, and what thresholds would give")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    given = parser.parse_args(arguments)
    begin = (TUNING if given.tune else SCORING) + given.first
    with multiprocessing.Pool(given.workers) as pool:
        both = pool.map(score, range(begin, begin + given.count), chunksize=8)
        others = pool.map(traced, range(0 if given.tune else given.traced), chunksize=4)
    plain, prior = [pair[0] for pair in both], [pair[1] for pair in both]
    print(f"{'':34}" + "".join(f"{word:>10}" for word in _HEAD))
    table(plain, "told nothing")
    table(prior, "given the most")
    confusion(plain)
    if given.tune:
        thresholds(prior)
        return
    if others:
        print()
        table(others, "another renderer")
    photographs()
    speed()


if __name__ == "__main__":
    main()
