"""Dice out of focus: told, asked about, and never surely read as something else."""

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected
from drawn import photographed, rolled
from vision.dice import BLURRED, read
from vision.frames import Frame
from vision.judgement import RollStatus, judge
from vision.softness import SOFT, edge_width

FIVE = DiceExpected((("white", 5),), partial=False)


def blurred(sigma_px: float) -> np.ndarray:
    return np.asarray(cv2.GaussianBlur(photographed(rolled("31625", side=40)), (0, 0), sigma_px), np.uint8)


def test_an_edge_is_as_wide_as_it_was_blurred() -> None:
    step = np.zeros((64, 64, 3), np.uint8)
    step[:, 32:] = 200
    widths = [edge_width(cv2.GaussianBlur(step, (0, 0), sigma), 32.0) for sigma in (0.5, 2, 4, 6)]
    assert widths == sorted(widths)
    assert widths[0] < 0.12
    assert widths[2] == pytest.approx(4 * np.sqrt(2 * np.pi) / 32, rel=0.15)


def test_where_nothing_is_to_be_seen_nothing_is_sharp() -> None:
    assert edge_width(np.full((64, 64, 3), 90, np.uint8), 32.0) > SOFT


def test_sharp_dice_are_not_called_blurred() -> None:
    dice = read(Frame(blurred(0.6), 0.0, "drawn"), FIVE)
    assert [die.face for die in dice] == list("31625")
    assert {die.state for die in dice} == {"flat"}
    assert judge(dice, FIVE).status is RollStatus.SURE


@pytest.mark.parametrize("sigma_px", [4.0, 4.5, 5.0])
def test_dice_out_of_focus_are_asked_about_with_the_remedy(sigma_px: float) -> None:
    dice = read(Frame(blurred(sigma_px), 0.0, "drawn"), FIVE)
    judgement = judge(dice, FIVE)
    assert {die.state for die in dice} == {BLURRED}
    assert judgement.status is RollStatus.DOUBTFUL
    assert "out of focus: wipe the lens" in judgement.reason


@pytest.mark.parametrize("sigma_px", [5.5, 6.5, 9.0])
def test_dice_blurred_away_are_never_sure(sigma_px: float) -> None:
    for expected in (None, FIVE):
        dice = read(Frame(blurred(sigma_px), 0.0, "drawn"), expected)
        assert judge(dice, expected).status is not RollStatus.SURE
