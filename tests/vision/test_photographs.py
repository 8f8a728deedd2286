"""The reader on photographs that nothing was trained or fitted on; skips where they are absent."""

import json
from collections import Counter
from pathlib import Path

import pytest

from companion.rules.events import DiceExpected
from vision.judgement import RollStatus
from vision.photo import read_photo

HELD_OUT = ("Epanemu/GameDiceRecognition", "KamilPiechowiak/DiceDetection", "tai-studio/dice-recognition")

FLOOR = {"not told the count": (74, 24, 0), "told the count": (82, 60, 0)}
"""Exact at least, sure at least, surely wrong at most, of 100."""


@pytest.mark.photos
@pytest.mark.slow
@pytest.mark.parametrize("told", FLOOR)
def test_held_out_photographs_are_read_and_hardly_ever_surely_wrong(shared: Path, told: str) -> None:
    labels = json.loads((shared / "dice" / "labels.json").read_text())
    held = [row for row in labels if row["repo"] in HELD_OUT]
    assert len(held) == 100
    exact = sure = silent = 0
    for row in held:
        want = Counter(str(d["pips"]) for d in row["dice"])
        roll = DiceExpected((("white", want.total()),), partial=False) if told == "told the count" else None
        reading = read_photo(shared / "dice" / row["image"], roll)
        right = Counter(d.face for d in reading.dice) == want
        certain = reading.judgement.status is RollStatus.SURE
        exact, sure, silent = exact + right, sure + certain, silent + (certain and not right)
    print(f"{exact} of {len(held)} exact, {sure} sure, {silent} silent errors")
    least_exact, least_sure, most_silent = FLOOR[told]
    assert exact >= least_exact
    assert sure >= least_sure
    assert silent <= most_silent
