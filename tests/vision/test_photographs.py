"""The reader on photographs, most of them held out of all training; skips where they are absent."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected
from vision.dice import read
from vision.judgement import RollStatus, judge
from vision.photo import read_photo
from vision.stills import decode_photo

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


@pytest.mark.photos
@pytest.mark.slow
@pytest.mark.parametrize("sigma_px", [3, 5, 7])
def test_out_of_focus_it_asks(shared: Path, sigma_px: float) -> None:
    """Photographs that were trained on, so it reads them sharp: blurred, it is not sure of something else.

    Dice are 40 px large there; of 98 rolls 8 were surely misread at 5 px before softness was measured.
    """
    labels = json.loads((shared / "dice" / "labels.json").read_text())
    wrong = 0
    for row in (row for row in labels if row["repo"] == "matteop65/Dice_Detection_Recognition"):
        frame = decode_photo((shared / "dice" / row["image"]).read_bytes(), name=row["image"], at=0.0)
        soft = np.asarray(cv2.GaussianBlur(frame.image, (0, 0), sigma_px), np.uint8)
        want = Counter(str(d["pips"]) for d in row["dice"])
        roll = DiceExpected((("white", want.total()),), partial=False)
        dice = read(replace(frame, image=soft), roll)
        certain = judge(dice, roll).status is RollStatus.SURE
        wrong += certain and Counter(d.face for d in dice) != want
    assert wrong <= 1
