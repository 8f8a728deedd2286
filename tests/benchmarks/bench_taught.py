"""Score dice that were shown under one lamp and are played under others.

``python tests/benchmarks/bench_taught.py [--first N] [--households N] [--kind KIND] [--tuning]``. Sets of
dice, surfaces and lamps' colours were never trained or tuned on. Each household teaches as the product
does, then rolls six dice in the same tray and in others. Read are the same pictures untaught, by what the
dice look like alone, as before their light was kept, and with their light (only fingerprint dice need it).
Dice and rolls are scored where all dice were found; ``found`` says of how many rolls that is.
"""

import argparse
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from households import Household, Shot

from calibration.lying import find_shown
from calibration.teaching import Lesson
from calibration.training import lights
from companion.rules.events import DiceExpected
from vision.dice import dice_of, embed, read
from vision.frames import Frame
from vision.judgement import RollStatus, judge
from vision.naming import FINGERPRINT, KINDS
from vision.onelamp_palette import palette_of
from vision.places import Places, survey, weighed
from vision.taught import Taught

FIRST_SEED, TUNING_SEED = 7_200_000, 1_500_000
LAMPS = ("2700 K", "3500 K", "4500 K", "6500 K", "dusk")
LESSONS = ("lessons", "")
_NEAR_PX = 15
_TWINS = {"brown", "purple"}


@dataclass
class Tally:
    """What came out: each die's hit, each roll's, whether it was sure, and who was taken for whom.

    ``played``: rolls in all, also those of which not all dice were found, and ``missed``, how many of these
    were sure; ``known``: for each household whether its lesson told the paints of all six colours.
    """

    dice: list[bool] = field(default_factory=list)
    rolls: list[bool] = field(default_factory=list)
    sure: list[bool] = field(default_factory=list)
    wrong: Counter[tuple[str, str]] = field(default_factory=Counter)
    known: list[bool] = field(default_factory=list)
    played: int = 0
    missed: int = 0

    @property
    def silent(self) -> int:
        return self.missed + sum(
            sure and not right for right, sure in zip(self.rolls, self.sure, strict=True)
        )

    @property
    def twins(self) -> int:
        return sum(n for pair, n in self.wrong.items() if set(pair) == _TWINS)


def taught_by(lesson: Iterable[Shot], kind: str) -> Taught:
    """Teach as `calibration.workbench` does: whatever is seen shows the face asked for."""
    now = Lesson.begin(kind, KINDS[kind])
    for shot in lesson:
        frame = Frame(shot.image, 0.0, "traced")
        outlines = find_shown(frame, now.awaited, read)
        if outlines:
            now, _ = replace(now.asking(shot.faces[0]), last=None).show(frame, outlines, embed)
    return now.gallery()


def without_light(taught: Taught) -> Taught:
    """The same gallery as it was before light was kept."""
    nothing = np.full_like(taught.lights, np.nan)
    return replace(taught, lights=nothing, grounds=nothing)


def reckon(tally: Tally, places: Places, shot: Shot, taught: Taught, kind: str) -> None:
    """Read one roll and note how it came out."""
    expected = DiceExpected(((kind, len(shot.faces)),), faces=KINDS[kind], partial=False)
    dice = dice_of(weighed(places, expected, taught), expected, taught)
    sure = judge(dice, expected).status is RollStatus.SURE
    tally.played += 1
    middles = np.array([die.outline.mean(axis=0) for die in dice]).reshape(-1, 2)
    away = np.linalg.norm(middles[:, None] - shot.middles[None], axis=2)
    if len(dice) != len(shot.faces) or away.min(axis=0).max() > _NEAR_PX:
        tally.missed += sure
        return
    pairs = [(face, dice[int(n)].face) for face, n in zip(shot.faces, away.argmin(axis=0), strict=True)]
    hits = [shown == said for shown, said in pairs]
    tally.dice += hits
    tally.rolls.append(all(hits))
    tally.sure.append(sure)
    tally.wrong.update(pair for pair, hit in zip(pairs, hits, strict=True) if not hit)


def played(home: Household) -> Iterator[tuple[str, Shot]]:
    """Rolls of a household, each with the name of its group."""
    for n, lamp in enumerate(LAMPS):
        yield "same tray", home.roll(n, lamp)
        yield "other tray", home.roll(20 + n, lamp, other=1 + n)
    for n, lamp in enumerate(lights.UNSEEN if home.unseen else lights.TRAINED):
        yield "same tray, odd lamp", home.roll(40 + n, lamp, careless=n % 2 == 1)


def scored(
    homes: Iterable[tuple[Iterable[Shot], Iterable[tuple[str, Shot]]]], kind: str
) -> dict[tuple[str, str], Tally]:
    """Teach and play; return tallies by group and way of reading."""
    tallies: dict[tuple[str, str], Tally] = {}
    for lesson, rolls in homes:
        gallery = taught_by(lesson, kind)
        ways = {"untaught": Taught(), "before": without_light(gallery), "with light": gallery}
        of_lesson = tallies.setdefault(LESSONS, Tally())
        if kind == FINGERPRINT:
            of_lesson.known.append(palette_of(gallery) is not None)
        for group, shot in rolls:
            places = survey(Frame(shot.image, 0.0, "traced"))
            for name, taught in ways.items():
                reckon(tallies.setdefault((group, name), Tally()), places, shot, taught, kind)
    return tallies


def told(tallies: dict[tuple[str, str], Tally]) -> Iterator[str]:
    yield (
        f"{'':22}{'':12}{'dice':>6}{'right':>8}{'played':>8}{'found':>7}{'right':>8}{'sure':>7}{'silent':>8}"
        f"{'brown/purple':>14}"
    )
    if known := tallies.pop(LESSONS).known:
        yield f"{sum(known)} of {len(known)} lessons told the paints of all six colours"
    for (group, name), t in sorted(tallies.items()):
        yield (
            f"{group:22}{name:12}{len(t.dice):6}{np.mean(t.dice):8.4f}{t.played:8}{len(t.rolls):7}"
            f"{np.mean(t.rolls):8.3f}{np.mean(t.sure):7.3f}{t.silent:8}{t.twins:14}"
        )
        if name == "with light":
            yield "  wrong: " + (
                ", ".join(f"{a} for {b} {n}" for (b, a), n in t.wrong.most_common()) or "-"
            )


def test_dice_shown_under_one_lamp_are_read_under_others() -> None:
    home = Household(FIRST_SEED, unseen=True)
    tallies = scored([(home.lesson(), played(home))], FINGERPRINT)
    assert np.mean(tallies["same tray", "with light"].dice) >= 0.95
    assert not any(tally.silent for tally in tallies.values())


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, default=0, metavar="N")
    parser.add_argument("--households", type=int, default=20, metavar="N")
    parser.add_argument("--kind", choices=list(KINDS), default=FINGERPRINT)
    parser.add_argument("--tuning", action="store_true", help="households that numbers were chosen on")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    begin = time.perf_counter()
    numbers = range(args.first, args.first + args.households)
    first = TUNING_SEED if args.tuning else FIRST_SEED
    homes = (Household(first + 1000 * n, not args.tuning, args.kind) for n in numbers)
    print("\n".join(told(scored(((home.lesson(), played(home)) for home in homes), args.kind))))
    print(f"{time.perf_counter() - begin:.0f} s")


if __name__ == "__main__":
    main()
