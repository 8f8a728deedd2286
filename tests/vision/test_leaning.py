"""Dice that lean are told from flat ones by the outlines of all, where they are seen from above."""

from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.training import develop, labels, placing, sampling
from calibration.training.scene import Die, Pose, Scene
from calibration.training.tracer import Tracer
from vision.dice import read, some_of
from vision.frames import Floats, Frame, Image, floats
from vision.leaning import leaning, squeeze
from vision.looks import Looks, look, mean_sides

GREY = np.full((100, 600, 3), 128, np.uint8)
EMPTY = Frame(GREY, 0.0, "drawn", straight=True)
SQUARE = floats(((-20, -20), (20, -20), (20, 20), (-20, 20)))


def laid(*turns: float) -> tuple[Image, Scene]:
    """A traced tray of white dice in a row, each leaning by so many degrees."""
    base = sampling.tray(4, kinds=("white",), count=0)
    edge, half = base.looks[0].edge, base.looks[0].edge / 2
    dice = []
    for n, turn in enumerate(turns):
        matrix = placing.about("z", 0.4 * n) @ placing.about("x", np.radians(turn))
        height = half * float(np.abs(matrix[2]).sum())
        place = ((n - len(turns) / 2 + 0.5) * 2.2 * edge, 0.0, height)
        dice.append(Die(0, Pose(place, placing.numbers(matrix)), "cocked" if turn else "flat"))
    scene = Scene(
        base.seed, base.surface, base.light, base.camera, base.looks, tuple(dice), (), base.finish
    )
    linear, _ = Tracer().take(scene)
    return develop.photograph(linear, scene.finish, scene.seed), scene


def outlined(corners: Floats) -> Looks:
    """Whatever the network sees in a grey picture, with these outlines."""
    return replace(look(GREY, corners.mean(axis=1), mean_sides(corners)), corners=corners)


def test_squeeze_is_nothing_for_squares_and_tells_the_angle_of_others() -> None:
    turn = np.array(((0.8, -0.6), (0.6, 0.8)))
    assert squeeze(floats((SQUARE, 3 * SQUARE @ turn.T + 50))) == pytest.approx(0, abs=1e-5)
    for degrees in (20, 35, 44):
        cosine = np.cos(np.radians(degrees))
        (seen,) = squeeze(floats([(SQUARE * (1, cosine)) @ turn.T]))
        assert abs(seen) == pytest.approx(1 / cosine - cosine, abs=1e-4)
        assert np.exp(1j * np.angle(seen)) == pytest.approx(complex(0.8, 0.6) ** 2, abs=1e-4)


def test_a_die_that_leans_is_found_among_flat_ones() -> None:
    image, scene = laid(0, 42, 0, 0, 0)
    tops = [die["corners"] for die in labels.of(scene, [np.ones(36)] * 5)["dice"]]
    corners, real = floats(tops), np.ones(5, bool)
    seen = replace(look(image, corners.mean(axis=1), mean_sides(corners)), corners=corners)
    tray = Frame(image, 0.0, "traced", straight=True)
    assert leaning(tray, seen, real).tolist() == [False, True, False, False, False]
    assert not leaning(tray, seen, np.array([True, False, True, True, True])).any()


@pytest.mark.parametrize("straight", [True, False])
def test_it_is_named_in_a_straightened_tray_and_in_any_picture_from_above(straight: bool) -> None:
    named = 0
    for turn in (30, 34, 38, 42):
        image, _ = laid(0, 0, turn, 0, 0)
        dice = read(Frame(image, 0.0, "traced", straight), some_of("white", 5))
        states = sorted(die.state for die in dice)
        assert states in (["cocked", *["flat"] * 4], ["flat"] * 5)
        named += "cocked" in states
    assert named >= 3


def test_large_dice_are_looked_at_in_small() -> None:
    image, scene = laid(0, 42, 0, 0, 0)
    tops = floats([die["corners"] for die in labels.of(scene, [np.ones(36)] * 5)["dice"]])
    large = cv2.resize(image, None, fx=4, fy=4, interpolation=cv2.INTER_CUBIC)
    seen = replace(look(large, 4 * tops.mean(axis=1), 4 * mean_sides(tops)), corners=4 * tops)
    assert mean_sides(seen.corners).min() > 150
    found = leaning(Frame(large, 0.0, "traced", straight=True), seen, np.ones(5, bool))
    assert found.tolist() == [False, True, False, False, False]


def test_of_a_picture_taken_across_the_table_nothing_is_said() -> None:
    rng = np.random.default_rng(2)
    row = floats([SQUARE * (1, rng.uniform(0.6, 1)) + floats((60 + 90 * n, 50)) for n in range(6)])
    assert not leaning(Frame(GREY, 0.0, "drawn"), outlined(row), np.ones(6, bool)).any()


def test_flat_dice_all_squeezed_alike_do_not_lean() -> None:
    row = floats([SQUARE * (1, 0.88) + floats((60 + 90 * n, 50)) for n in range(5)])
    assert (np.abs(squeeze(row)) > 0.2).all()
    assert not leaning(EMPTY, outlined(row), np.ones(5, bool)).any()


def test_two_dice_tell_nothing_of_each_other() -> None:
    row = floats([SQUARE + 50, SQUARE * (1, 0.6) + 120])
    assert not leaning(EMPTY, outlined(row), np.ones(2, bool)).any()
    assert not leaning(EMPTY, outlined(row[:0]), np.ones(0, bool)).any()
