"""What calibrating a tower is worth: log loss of the floors before, with the measures, and after 40 cubes.

``python tests/benchmarks/bench_tower_calibration.py [--towers N]``. For each kind of tower N of them;
40 cubes of the seeds 9,000,000 on are dropped and labelled, 200 others (9,500,000 on) are scored.
Nothing was chosen by these seeds. Beams at the entry and in the plates 5 and 2, no microphone.
"""

import argparse
from collections.abc import Sequence

import numpy as np

from calibration.tower_geometry import measured
from calibration.tower_labels import Labels
from hardware.edges import Edge
from hardware.follow import Follower
from hardware.noticed import Kind, Noticed
from hardware.profile import TowerProfile, for_lines
from hardware.simulate import Plan, edges, record
from hardware.worlds import WORLDS

LABELLED, SCORED = 9_000_000, 9_500_000
PLATES = (7, 5, 2)
LINES = ("entry", "floor5", "floor2")
_SAME_S = 0.15


def dropped(
    world: str, seed: int, drops: int, profile: TowerProfile, *, paired: bool
) -> list[tuple[int, Noticed | None]]:
    """Each cube's floor, and what was noticed of it."""
    plan = Plan(world, seed, drops, PLATES, paired=paired, sound=False, module=False, gap_s=(3.0, 3.5))
    made = record(plan)
    given = [Edge(row["line"], not row["active"], row["t"]) for row in edges(made)]
    counted = [one for one in Follower(profile).run(given) if one.kind in (Kind.DROP, Kind.UNSURE)]
    found = []
    for drop in made.drops:
        entry = drop.at + min((one.at for one in drop.fall.passes if one.plate == 7), default=0.0)
        near = [one for one in counted if abs(one.at - entry) < _SAME_S]
        found.append((drop.fall.floor, near[0] if near else None))
    return found


def taught(profile: TowerProfile, cubes: Sequence[tuple[int, Noticed | None]]) -> TowerProfile:
    """The profile after these cubes were looked for."""
    labels = Labels(profile)
    for floor, noticed in cubes:
        if noticed is None:
            labels = labels.uncounted(floor)
        else:
            labels = labels.fell(noticed)
            labels = labels.lay(labels.drops[-1].number, floor)
    return labels.fitted("")


def score(cubes: Sequence[tuple[int, Noticed | None]]) -> tuple[float, float, float]:
    """Log loss and top-1 of the counted cubes, and the share that was counted."""
    losses, hits = [], []
    for floor, noticed in cubes:
        if noticed is not None and noticed.floors is not None:
            losses.append(-float(np.log(max(noticed.floors[floor], 1e-6))))
            hits.append(int(np.argmax(noticed.floors)) == floor)
    return float(np.mean(losses)), float(np.mean(hits)), len(losses) / len(cubes)


def main() -> None:
    """Print a row for each kind of tower."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--towers", type=int, default=4, help="of each kind (%(default)s)")
    towers = parser.parse_args().towers
    print("tower    beams   counted  log loss: built in  measures  and 40 cubes | top-1: the same")
    for name, world in WORLDS.items():
        for paired in (False, True):
            built = for_lines((*LINES, *(f"{line}_b" for line in LINES)) if paired else LINES)
            known = measured(built, cube_mm=world.cube_mm, hole_mm=world.hole_mm, pitch_mm=built.pitch_mm)
            rows = []
            for n in range(towers):
                learned = taught(known, dropped(name, LABELLED + n, 40, known, paired=paired))
                rows.append(
                    [
                        score(dropped(name, SCORED + n, 200, profile, paired=paired))
                        for profile in (built, known, learned)
                    ]
                )
            (a, b, c) = np.mean(rows, axis=0)
            beams = "pairs" if paired else "single"
            print(
                f"{name:8} {beams:7} {c[2]:7.3f}  {a[0]:18.2f}  {b[0]:8.2f}  {c[0]:12.2f} |"
                f" {a[1]:.2f}  {b[1]:.2f}  {c[1]:.2f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
