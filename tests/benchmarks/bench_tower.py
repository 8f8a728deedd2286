"""How well the tower is judged: counts, false drops, floors, calibration, time and memory. One command.

    python tests/benchmarks/bench_tower.py            # everything, some minutes
    python tests/benchmarks/bench_tower.py quick      # a tenth of the drops
    python tests/benchmarks/bench_tower.py floors     # one part: counting, two, false, floors, learned, ...

Towers are simulated from seeds 9,000,000 and on; the networks learned from seeds below 690,000
(`calibration.training.cubes`), stopped and made sharp on 700,001 to 739,999
(`calibration.training.tuning`); what tells a cube's sounds from others was fitted on such seeds and on
every other recording of speech. "heard" goes through synthesised sound and the real detector, "modelled"
takes the onsets that the specification's S14 gives.
"""

import gc
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[2]))
sys.path.append(str(Path(__file__).parent))

import bench_onsets

from calibration.training.asked import followed, matched
from calibration.training.evenings import Ears, Evening, evening
from calibration.training.tuning import ece
from hardware import simulate
from hardware.edges import Edge
from hardware.floors import chances, learn, prior
from hardware.follow import Follower
from hardware.hearing import Heard
from hardware.noticed import Kind, Noticed
from hardware.profile import TowerProfile, for_lines
from hardware.simulate import Plan
from hardware.sound import Samples
from hardware.soundfile import SoundFile
from hardware.soundfloors import Kind as SoundKind
from hardware.tower import Tower

FIRST_SEED = 9_000_000
SHARED = Path(__file__).parents[3] / "shared"
INSIDE = tuple(f"floor{plate}" for plate in range(6, -1, -1))
CUBES = 30


def lines(inside: Sequence[str] = (), *, paired: bool, entry: bool = True) -> tuple[str, ...]:
    names = [*(["entry"] if entry else []), *inside]
    return tuple(f"{name}{second}" for name in names for second in ("", "_b")[: 1 + paired])


SETUPS: dict[str, tuple[tuple[str, ...], SoundKind | None, float]] = {
    "all beams, paired": (lines(INSIDE, paired=True), None, 0.993),
    "all beams, single": (lines(INSIDE, paired=False), None, 0.96),
    "all beams, paired + wave": (lines(INSIDE, paired=True), "wave", 0.0),
    "7, 5, 2 paired + wave": (lines(("floor5", "floor2"), paired=True), "wave", 0.92),
    "7, 5, 2 single + wave": (lines(("floor5", "floor2"), paired=False), "wave", 0.0),
    "7, 5, 2 paired": (lines(("floor5", "floor2"), paired=True), None, 0.0),
    "wave + entry pair": (lines(paired=True), "wave", 0.88),
    "wave + entry": (lines(paired=False), "wave", 0.0),
    "wave alone": ((), "wave", 0.0),
    "digital + entry pair": (lines(paired=True), "digital", 0.58),
    "7, 5, 2 paired + digital": (lines(("floor5", "floor2"), paired=True), "digital", 0.0),
    "entry pair alone": (lines(paired=True), None, 0.0),
}
UNLIKE = {"all beams, paired": 0.99, "7, 5, 2 paired + wave": 0.85, "wave + entry pair": 0.0}


def evenings(first: int, count: int, ears: Ears, world: str, *, anew: bool = False) -> list[Evening]:
    return [evening(FIRST_SEED + first + n, ears, CUBES, (world,), anew=anew) for n in range(count)]


def drops(noticed: Sequence[Noticed]) -> list[Noticed]:
    return [one for one in noticed if one.kind is Kind.DROP]


def counting(quick: int) -> None:
    print("\nCounting, beams only, BASE (told / true; cubes told as one or not at all, told twice)")
    for name, watched in (
        ("entry pair", lines(paired=True)),
        ("entry single, 16 mm hole", lines(paired=False)),
        ("all beams paired", lines(INSIDE, paired=True)),
        ("all beams single", lines(INSIDE, paired=False)),
    ):
        right = true = extra = 0
        for gaps in ((0.3, 2.5), (1.0, 1.7, 3.0)):
            for n in range(40 // quick):
                one = evening(FIRST_SEED + 1000 + n, "module", 100, ("BASE",), gaps_s=gaps)
                told = [
                    drop.at
                    for drop in drops(followed(Tower(for_lines(watched)), one.edges(watched), (), None))
                ]
                pairs = matched(one.entries, told, 0.1)
                right, true, extra = right + len(pairs), true + 100, extra + len(told) - len(pairs)
        goal = ">= .999" if "pair" in name else "reported"
        print(f"  {name:28} {right / true:.4f} of {true} cubes, {extra} too many   (goal {goal})")


def two_cubes(quick: int) -> None:
    print("\nTwo cubes told as two, by seconds between releases, BASE")
    print(f"  {'gap':>5} {'entry pair':>11} {'goal':>6} {'single':>8} {'all paired':>11}")
    for gap, goal in ((0.05, ""), (0.08, ""), (0.12, ".93"), (0.2, ".99"), (0.3, "")):
        shares = []
        for watched in (lines(paired=True), lines(paired=False), lines(INSIDE, paired=True)):
            two = all_ = 0
            for n in range(20 // min(quick, 5)):
                one = evening(FIRST_SEED + 2000 + n, "module", 100, ("BASE",), gaps_s=(gap, 2.5))
                told = np.array(
                    [d.at for d in drops(followed(Tower(for_lines(watched)), one.edges(watched), (), None))]
                )
                for k in range(50):
                    begin = 2.0 + k * (gap + 2.5)
                    two += int(((told > begin - 0.5) & (told < begin + gap + 1.2)).sum() == 2)
                all_ += 50
            shares.append(two / all_)
        print(f"  {gap:5} {shares[0]:11.3f} {goal:>6} {shares[1]:8.3f} {shares[2]:11.3f}")


def floors(quick: int) -> None:
    goals = {name: goal for name, (_, _, goal) in SETUPS.items()}
    _floors("BASE", "BASE", (3000, 4000, 5000), goals, quick)
    _floors("BASE, put together anew for each evening", "BASE", (20_000, 21_000, 22_000), goals, quick)
    _floors("LOOSE", "LOOSE", (3000, 4000, 5000), UNLIKE, quick)


def _floors(
    title: str, world: str, seeds: tuple[int, int, int], goals: dict[str, float], quick: int
) -> None:
    anew = title != world
    print(f"\nFloors, {title} (built-in profile, after learning from nothing)")
    print(
        f"  {'set-up':26} {'ears':9} {'n':>5} {'top-1':>6} {'goal':>6} {'in 1':>6} {'loss':>6} {'ECE':>6}"
    )
    heard = {
        "heard": evenings(seeds[0], 40 // quick, "audio", world, anew=anew),
        "modelled": evenings(seeds[1], 100 // quick, "model", world, anew=anew),
        "module": evenings(seeds[2], 100 // quick, "module", world, anew=anew),
    }
    for name, goal in goals.items():
        watched, kind, _ = SETUPS[name]
        for ears in ("module",) if kind != "wave" else ("heard", "modelled"):
            _floor_row(name, ears if kind else "", heard[ears], watched, kind, goal)


def prior_alone(quick: int) -> None:
    """What the entry pair alone says of floors: the prior, as it is built in and after an evening."""
    print("\nFloors from the prior alone, BASE: after so many reveals")
    told = [floor for one in evenings(5000, 100 // quick, "module", "BASE") for floor in one.floors]
    blocks = [
        [floor for one in evenings(5500 + 10 * n, 10, "module", "BASE") for floor in one.floors]
        for n in range(10)
    ]
    for count in (0, 30, 60, 120, 300):
        figures = []
        for revealed in blocks:
            p = np.array(chances(prior(learn(TowerProfile(), revealed[:count]))))
            right = (np.array(told) == p.argmax()).mean()
            figures.append((right, -np.log(p[told]).mean(), abs(p.max() - right)))
        top, loss, off = np.mean(figures, axis=0)
        print(
            f"  {count:3}: top-1 {top:.3f}, loss {loss:.3f}, ECE {off:.3f} (mean of {len(blocks)} evenings)"
        )


def _floor_row(
    name: str,
    ears: str,
    some: Sequence[Evening],
    watched: tuple[str, ...],
    kind: SoundKind | None,
    goal: float,
) -> None:
    found, true = [], []
    for one in some:
        told = drops(followed(Tower(for_lines(watched)), one.edges(watched), one.heard, kind))
        for cube, n in matched(one.entries, [drop.at for drop in told], 0.06 if watched else 0.35):
            found.append(told[n].floors)
            true.append(one.floors[cube])
    p, y = np.array(found), np.array(true)
    best = p.argmax(axis=1)
    loss = -np.log(p[np.arange(len(y)), y] + 1e-12).mean()
    print(
        f"  {name:26} {ears:9} {len(y):5} {(best == y).mean():6.3f} {goal or '':>6} "
        f"{(abs(best - y) <= 1).mean():6.3f} {loss:6.3f} {ece(p, y):6.3f}"
    )


def learned(quick: int) -> None:
    """Single beams on a tower with wide holes: what learning from reveals and from the beams buys."""
    watched = lines(INSIDE, paired=False)
    some = evenings(6000, 20 // quick, "module", "LOOSE")
    profile = for_lines(watched)
    print("\nLOOSE, all beams single: after evenings of 30 cubes, all revealed")
    for n, one in enumerate(some):
        tower = Tower(profile)
        told = drops(followed(tower, one.edges(watched), (), None))
        pairs = matched(one.entries, [drop.at for drop in told], 0.1)
        right = [int(np.argmax(told[k].floors)) == one.floors[cube] for cube, k in pairs]
        if n in {0, 1, 2, 4, 9, 19}:
            print(
                f"  evening {n + 1:2}: told {len(told)} of {CUBES}, "
                f"floor right {statistics.mean(right):.2f}"
            )
        profile = learn(tower.learned, one.floors)


def false_drops(quick: int) -> None:
    print("\nFalse drops an hour (and what was named), nothing thrown")
    print(f"  {'':34} {'minutes':>8} {'entry pair + wave':>18} {'wave alone':>11}")
    entry = for_lines(lines(paired=True))
    for noise in ("speech", "music", "knock", "bump", "lift", "hand", "keyboard"):
        told: list[list[Noticed]] = [[], []]
        for n in range(max(1, 5 // quick)):
            made = simulate.record(
                Plan(seed=FIRST_SEED + 7000 + n, drops=0, noise=noise, seconds=120.0, paired=True)
            )
            rows = [
                Edge(row["line"], not row["active"], row["t"])
                for row in simulate.edges(made)
                if row["line"] != "mic"
            ]
            for k, profile in enumerate((for_lines(lines(INSIDE, paired=True)), TowerProfile())):
                told[k] += Follower(profile, rate=48000).run(
                    rows if k == 0 else (), _pieces(simulate.hear(made))
                )
        _false_row(f"simulated {noise}", 2.0 * max(1, 5 // quick), told)
    for name, files in _recordings().items():
        told = [[], []]
        seconds = 0.0
        for path in files:
            sound = SoundFile(path)
            data = np.concatenate([piece.data for piece in sound.pieces()])
            data = data / max(float(np.abs(data).max()), 1e-6) * np.float32(0.1)
            seconds += len(data) / sound.rate
            pieces = [Samples(0.0, sound.rate, np.asarray(data, np.float32))]
            for k, profile in enumerate((entry, TowerProfile())):
                told[k] += Follower(profile, rate=sound.rate).run((), _cut(pieces[0]))
        _false_row(name, seconds / 60, told)


def _false_row(name: str, minutes: float, told: Sequence[Sequence[Noticed]]) -> None:
    rates = [len(drops(one)) / minutes * 60 for one in told]
    named: dict[str, int] = {}
    for one in told[0]:
        named[str(one.kind)] = named.get(str(one.kind), 0) + 1
    print(f"  {name:34} {minutes:8.1f} {rates[0]:18.1f} {rates[1]:11.1f}   {named}")


def _recordings() -> dict[str, list[Path]]:
    folder = SHARED / "tower" / "audio"
    if not folder.exists():
        print("  (no ../shared here: the real recordings are left out)")
        return {}
    speech = sorted(folder.glob("asterisk_*.wav"))
    return {
        "speech, every other recording": speech[1::2],
        "speech (alsa)": sorted(folder.glob("alsa_*.wav")),
        "billiard balls, dice, chequers": sorted(
            [*folder.glob("foobillard_*.wav"), *folder.glob("gnubg_*.wav"), *folder.glob("dice_*.wav")]
        ),
    }


def _pieces(blocks: Iterator[np.ndarray]) -> Iterator[Samples]:
    at = 0
    for block in blocks:
        yield from _cut(Samples(at / 48000, 48000, block))
        at += len(block)


def _cut(samples: Samples) -> Iterator[Samples]:
    step = samples.rate // 20
    for begin in range(0, len(samples.data), step):
        yield replace(
            samples, at=samples.at + begin / samples.rate, data=samples.data[begin : begin + step]
        )


def costs(_: int) -> None:
    made = simulate.record(Plan(seed=FIRST_SEED + 8000, drops=25, paired=True))
    rows = [
        Edge(row["line"], not row["active"], row["t"])
        for row in simulate.edges(made)
        if row["line"] != "mic"
    ]
    pieces = list(_pieces(simulate.hear(made)))
    follower = Follower(for_lines(lines(INSIDE, paired=True)), rate=48000)
    begun = time.process_time()
    told = list(follower.run(rows, pieces))
    took = time.process_time() - begun
    print(
        f"\nProcessing time, 16 beams and one microphone at 48 kHz: {took / made.seconds:.4f} of real time"
    )
    print(f"  {made.seconds:.0f} s, {len(drops(told))} of 25 drops   (goal under .02)")
    begun = time.process_time()
    list(Follower(for_lines(lines(INSIDE, paired=True))).run(rows))
    print(f"  of it the beams alone: {(time.process_time() - begun) / made.seconds:.4f}")


def growth(quick: int) -> None:
    """A day: a cube every 40 s, talk in between, a wire that chatters now and then."""
    tower = Tower(for_lines(lines(INSIDE, paired=True)))
    tower.listening("wave")
    chance = np.random.default_rng(FIRST_SEED + 9000)
    one = evening(FIRST_SEED + 9001, "model", CUBES, ("BASE",))
    tracemalloc.start()
    sizes, now, hours = [], 0.0, max(2, 24 // quick)
    for hour in range(hours):
        while now < 3600.0 * (hour + 1):
            for edge in one.edges(lines(INSIDE, paired=True)):
                tower.edge(replace(edge, at=edge.at + now))
            for heard in one.heard:
                tower.hear(replace(heard, at=max(heard.at + now, 0.0)))
            for at in np.sort(chance.uniform(0, 60, 60)):
                tower.hear(Heard(now + 70 + float(at), -40.0, 900.0, 0.0, 0.03))
            for n in range(500):
                tower.edge(Edge("floor3", bool(n % 2), now + 140 + n * 0.0001))
            now += 300.0
            tower.tick(now)
        gc.collect()
        sizes.append(tracemalloc.get_traced_memory()[0] / 1e3)
    tracemalloc.stop()
    print(f"\nMemory of the tower after 1, {hours // 2}, {hours} simulated hours: ", end="")
    print(", ".join(f"{sizes[k]:.0f} kB" for k in (0, hours // 2 - 1, hours - 1)))


PARTS: dict[str, Callable[[int], None]] = {
    "counting": counting,
    "two": two_cubes,
    "false": false_drops,
    "floors": floors,
    "prior": prior_alone,
    "learned": learned,
    "costs": costs,
    "growth": growth,
}


def main() -> None:
    quick = 10 if "quick" in sys.argv[1:] else 1
    only = [name for name in sys.argv[1:] if name in PARTS]
    if only:
        for name in only:
            PARTS[name](quick)
        return
    print(f"Seeds {FIRST_SEED:,} and on; trained on seeds below 1,000,000.")
    for part in PARTS.values():
        part(quick)
    if quick == 1 and "alone" not in sys.argv[1:]:
        print("\nOnsets")
        bench_onsets.main()


if __name__ == "__main__":
    main()
