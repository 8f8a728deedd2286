"""Pictures with far too little light are made lighter before they are read; others are left alone."""

import numpy as np
import pytest

from companion.rules.events import DiceExpected
from drawn import photographed, rolled
from vision.dice import embed, read
from vision.dim import DIM, LIGHT, brightened
from vision.frames import Frame
from vision.judgement import RollStatus, judge

FIVE = DiceExpected((("white", 5),), partial=False)


def darkened(share: float) -> np.ndarray:
    return np.asarray(photographed(rolled("31625", side=48)) * share, np.uint8)


def test_a_picture_with_light_in_it_is_the_same_picture() -> None:
    image = darkened(1.0)
    assert brightened(image) is image


def test_a_dim_picture_is_lifted_by_one_factor_and_never_beyond_reason() -> None:
    lifted = brightened(darkened(0.2))
    level = float(np.quantile(lifted.max(axis=2), 0.98))
    assert level == pytest.approx(LIGHT, abs=8)
    black = np.full((60, 80, 3), 1, np.uint8)
    assert brightened(black).max() <= 8
    assert brightened(np.zeros((1, 1, 3), np.uint8)).shape == (1, 1, 3)


@pytest.mark.parametrize("share", [0.3, 0.12, 0.06])
def test_dice_are_read_by_next_to_no_light(share: float) -> None:
    image = darkened(share)
    assert np.quantile(image.max(axis=2), 0.98) < DIM
    dice = read(Frame(image, 0.0, "drawn"), FIVE)
    assert [die.face for die in dice] == list("31625")
    assert judge(dice, FIVE).status is RollStatus.SURE


def test_dice_that_were_shown_by_day_look_alike_at_dusk() -> None:
    outlines = [die.outline for die in read(Frame(darkened(1.0), 0.0, "drawn"), FIVE)]
    day, dusk = (embed(Frame(darkened(share), 0.0, "drawn"), outlines) for share in (1.0, 0.15))
    assert (day * dusk).sum(axis=1).min() > 0.95


def test_the_noise_of_a_black_picture_is_no_die() -> None:
    rng = np.random.default_rng(3)
    for _ in range(10):
        night = np.clip(rng.normal(5, 3, (480, 640, 3)), 0, 255).astype(np.uint8)
        for expected in (None, FIVE):
            assert judge(read(Frame(night, 0.0, "night"), expected), expected).status is not RollStatus.SURE
