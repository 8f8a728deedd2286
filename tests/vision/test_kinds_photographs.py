"""White and coloured dice told apart in photographs: labelled ones, and white dice painted.

``kinds.json`` says of each labelled die of 94 photographs whether it is white or coloured, in the
order of the labels; null where a person would not say either (tan wood). The networks were trained on
photographs of nell-byler, whose dice they were not told the kinds of, and on none of Epanemu.
"""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from companion.rules.events import DiceExpected
from recoloured import PAINTS, Paint, painted
from vision.dice import Die, read
from vision.frames import Frame
from vision.judgement import RollStatus, judge
from vision.naming import COLOURED, WHITE
from vision.stills import decode_photo

LABELLED: list[dict] = json.loads(Path(__file__).with_name("kinds.json").read_text())
HELD_OUT = ("Epanemu/GameDiceRecognition", "KamilPiechowiak/DiceDetection", "tai-studio/dice-recognition")

pytestmark = [pytest.mark.photos, pytest.mark.slow]


def opened(shared: Path, row: dict) -> Frame:
    return decode_photo((shared / "dice" / row["image"]).read_bytes(), name=row["image"], at=0.0)


def test_kinds_of_labelled_dice(shared: Path) -> None:
    """Alone, and with the number of each kind known, as a game knows it."""
    rows = {r["image"]: r for r in json.loads((shared / "dice" / "labels.json").read_text())}
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    for label in LABELLED:
        row = rows[label["image"]]
        part = "held out" if row["repo"] in HELD_OUT else "trained"
        counts = Counter(label["kinds"])
        roll = DiceExpected(((WHITE, counts[WHITE]), (COLOURED, counts[COLOURED])), partial=False)
        frame = opened(shared, row)
        for told, expected in (("alone", None), ("counted", None if None in counts else roll)):
            if told == "counted" and expected is None:
                continue
            for die, kind in _known(read(frame, expected), row, label["kinds"]):
                total[f"{part}, {told}"] += 1
                right[f"{part}, {told}"] += die.kind == kind
    for part in total:
        print(f"{part}: {right[part]} of {total[part]} right")
    assert min(total.values()) > 100
    assert right["held out, alone"] >= 0.97 * total["held out, alone"]
    assert right["trained, alone"] >= 0.95 * total["trained, alone"]
    assert right["trained, counted"] >= 0.99 * total["trained, counted"]


def _known(dice: tuple[Die, ...], row: dict, kinds: list[str | None]) -> list[tuple[Die, str]]:
    """Dice that were read, with the kind that is labelled for them."""
    known = []
    for die in dice:
        for labelled, kind in zip(row["dice"], kinds, strict=True):
            x, y, width, height = labelled["box"]
            off = np.abs(die.outline.mean(axis=0) - (x + width / 2, y + height / 2))
            if kind and off[0] < 0.5 * width and off[1] < 0.6 * height:
                known.append((die, kind))
                break
    return known


def test_one_painted_die_among_white_ones(shared: Path) -> None:
    """One die of each held-out photograph of white dice that were all read, painted, is told and read."""
    rows = json.loads((shared / "dice" / "labels.json").read_text())
    held = [r for r in rows if r["repo"] in HELD_OUT and len(r["dice"]) >= 3]
    total: Counter[str] = Counter()
    for number, row in enumerate(r for r in held if {"white", "ivory"} & set(r["tags"])):
        frame = opened(shared, row)
        want = Counter(str(d["pips"]) for d in row["dice"])
        dice = read(frame, DiceExpected(((WHITE, want.total()),), partial=False))
        if Counter(die.face for die in dice) != want:
            continue
        for name, paint in PAINTS.items():
            seen = _one_painted(frame, dice, number, paint)
            print(f"{row['image'][-30:]} {name}: {dict(seen)}")
            total += seen
    print(dict(total))
    assert total["photos"] >= 30
    assert total["told"] >= 0.95 * total["photos"]
    assert total["exact"] >= 0.92 * total["photos"]
    assert total["sure"] >= 0.8 * total["photos"]
    assert total["silent"] == 0


def _one_painted(frame: Frame, dice: tuple[Die, ...], number: int, paint: Paint) -> Counter[str]:
    die = dice[number % len(dice)]
    image = painted(frame.image, die.outline, paint)
    expected = DiceExpected(((WHITE, len(dice) - 1), (COLOURED, 1)), partial=False)
    seen = read(Frame(image, 0.0, "painted"), expected)
    coloured = [d for d in seen if d.kind == COLOURED]
    side = float(np.linalg.norm(die.outline[0] - die.outline[1]))
    away = [float(np.linalg.norm((d.outline - die.outline).mean(axis=0))) for d in coloured]
    told = len(coloured) == 1 and away[0] < 0.5 * side
    exact = told and Counter(d.face for d in seen) == Counter(d.face for d in dice)
    sure = judge(seen, expected).status is RollStatus.SURE
    return Counter(
        photos=1, told=int(told), exact=int(exact), sure=int(sure), silent=int(sure and not exact)
    )
