"""Score rolls in rendered trays, and the colours of fingerprint dice after teaching.

``python tests/benchmarks/bench_trays.py [--throws N] [--sets N]``. Surfaces, lamps, sets of dice and seeds
were never trained on. A throw is a sequence of pictures at 30 a second that goes through the watcher's own
path: exact if the roll that comes out is right, silent if it is sure and wrong.
"""

import argparse
import time
from collections import Counter
from collections.abc import Sequence
from functools import partial

import cv2
import numpy as np
from trays import FPS, SETS, frames, laid, lit, one_set, photo, shown, throw

from calibration.training.tracer import Tracer
from companion.rules.events import DiceExpected, DieFace
from vision.dice import embed, read
from vision.follow import Follower
from vision.frames import Frame
from vision.glance import Glance
from vision.onelamp import body_lights, ground_light
from vision.taught import Taught
from vision.throws import Verdict
from vision.tray import TrayProfile

KELVINS = (2700, 3500, 4500, 6500)
TAUGHT_AT = (3000, 5500)
"""A player shows the dice under the evening lamp and by day; measured is under others."""


def rolled(number: int, kinds: tuple[tuple[str, int], ...]) -> tuple[bool, bool, float]:
    """Play one throw. Return whether the roll was exact, whether it was sure, and how late it came (s)."""
    one = throw(number, kinds)
    follower, verdict, late = Follower(read), None, float("nan")
    still = 0.85
    for frame in frames(one, number):
        seen = follower.see(Glance.of(frame, TrayProfile()), one.expected)
        if seen.throw is not None and verdict is None and frame.at > 0.5:
            verdict, late = seen.throw, frame.at - still
    return _faces(verdict) == Counter(one.dice), bool(verdict and verdict.sure), late


def _faces(verdict: Verdict | None) -> Counter[DieFace]:
    return Counter(DieFace(d.kind, d.face) for d in verdict.reading.dice) if verdict else Counter()


def trays(count: int) -> dict[str, list[tuple[bool, bool, float]]]:
    """Play throws of every set of dice in turn, and print how they came out."""
    played: dict[str, list[tuple[bool, bool, float]]] = {}
    for number in range(count):
        kinds = SETS[number % len(SETS)]
        name = " + ".join(f"{n} {kind}" for kind, n in kinds)
        played.setdefault(name, []).append(rolled(number, kinds))
    print(f"\n{'rendered trays, 8 dice':32}{'throws':>8}{'exact':>8}{'sure':>8}{'silent':>8}{'late s':>8}")
    everything = [row for rows in played.values() for row in rows]
    for name, rows in {**played, "all": everything}.items():
        exact, sure, late = (np.array(column) for column in zip(*rows, strict=True))
        silent = int((sure & ~exact).sum())
        print(
            f"{name:32}{len(rows):8}{exact.mean():8.3f}{sure.mean():8.3f}{silent:8}{np.nanmedian(late):8.2f}",
            flush=True,
        )
    return played


def colours(sets: int) -> dict[str, tuple[int, int]]:
    """Teach sets of fingerprint dice, read them under other lamps; print who was taken for whom."""
    wrong: Counter[tuple[str, str]] = Counter()
    told: dict[str, list[bool]] = {}
    for number in range(sets):
        taught = _teach(number)
        for kelvin in (*KELVINS, 5000):
            dusk = kelvin == 5000
            for name, reader in (("untaught", read), ("taught", partial(read, taught=taught))):
                hits = _measure(
                    number, kelvin, dusk=dusk, reader=reader, wrong=wrong if name == "taught" else None
                )
                told.setdefault(f"{name}, {'dusk' if dusk else f'{kelvin} K'}", []).extend(hits)
                told.setdefault(f"{name}, all", []).extend(hits)
    print(f"\n{'fingerprint colours, per die':32}{'dice':>8}{'right':>8}")
    for name, hits in sorted(told.items()):
        print(f"{name:32}{len(hits):8}{np.mean(hits):8.3f}")
    print(
        "taken for another, taught: ",
        ", ".join(f"{a} for {b} {n}" for (b, a), n in wrong.most_common()) or "none",
    )
    return {name: (sum(hits), len(hits)) for name, hits in told.items()}


def _teach(number: int) -> Taught:
    taught, look = Taught(), one_set(number)
    for kelvin in TAUGHT_AT:
        for seed in range(4):
            scene = lit(laid(look, 100 * number + 50 + seed), kelvin)
            linear, _ = Tracer().take(scene)
            frame = Frame(photo(linear, scene), 0.0, "rendered")
            found = read(frame, DiceExpected((("fingerprint", len(scene.dice)),)))
            ground = ground_light(frame.image, [die.outline for die in found])
            for truth, die in _matched(scene, found):
                light = body_lights(frame.image, [die])
                taught = taught.add("fingerprint", truth, embed(frame, [die]), light, ground)
    return taught


def _measure(number, kelvin, *, dusk, reader, wrong) -> list[bool]:
    scene = lit(laid(one_set(number), 100 * number + kelvin // 100), kelvin, dusk=dusk)
    linear, _ = Tracer().take(scene)
    frame = Frame(photo(linear, scene), 0.0, "rendered")
    legal = ("green", "red", "yellow", "blue", "brown", "purple")
    expected = DiceExpected((("fingerprint", len(scene.dice)),), faces=legal, partial=False)
    found = reader(frame, expected)
    hits = []
    for truth, middle in zip(shown(scene), _middles(scene), strict=True):
        near = min(found, key=lambda d: np.linalg.norm(d.outline.mean(axis=0) - middle), default=None)
        said = near.face if near else "nothing"
        hits.append(said == truth.face)
        if wrong is not None and said != truth.face:
            wrong[truth.face, said] += 1
    return hits


def _matched(scene, found) -> list[tuple[str, np.ndarray]]:
    middles = _middles(scene)
    return [
        (shown(scene)[int(np.argmin(away))].face, die.outline)
        for die in found
        if (away := np.linalg.norm(middles - die.outline.mean(axis=0), axis=1)).min() < 15
    ]


def _middles(scene) -> np.ndarray:
    tops = np.array([(*die.pose.centre[:2], scene.looks[0].edge) for die in scene.dice])
    return scene.camera.project(tops)


def test_rendered_throws_are_read() -> None:
    played = trays(20)
    rows = [row for rows in played.values() for row in rows]
    assert np.mean([exact for exact, _, _ in rows]) >= 0.9
    assert not any(sure and not exact for exact, sure, _ in rows)


def test_colours_are_told_apart_after_teaching() -> None:
    told = colours(2)
    assert told["taught, all"][0] >= 0.95 * told["taught, all"][1]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--throws", type=int, default=100, metavar="N")
    parser.add_argument("--sets", type=int, default=10, metavar="N", help="sets of fingerprint dice")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    begin = time.perf_counter()
    trays(args.throws)
    colours(args.sets)
    print(f"\n{time.perf_counter() - begin:.0f} s, pictures {FPS} a second", flush=True)


if __name__ == "__main__":
    main()
