"""A tower of other board has other pitches: these are learned from the first panel that each cube meets."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.acoustics import panel_hz
from hardware.assign import fall_s
from hardware.board import DOUBTS, Board
from hardware.hearing import Heard

SPEED = 0.5


def met(plate, at, factor=1.0):
    return Heard(at + fall_s(SPEED, (7 - plate) * 31.25), -30.0, 2000.0, factor * panel_hz(plate), 0.01)


def test_nothing_is_known_before_the_first_cube():
    assert Board().known == 0
    assert Board().computed(met(3, 0.0)) == met(3, 0.0)


@given(st.floats(0.7, 1.4), st.lists(st.integers(2, 6), min_size=6, max_size=60))
def test_a_tower_of_other_board_is_learned_within_six_cubes(factor, plates):
    board = Board()
    for n, plate in enumerate(plates):
        board.learn(3.0 * n, SPEED, [met(plate, 3.0 * n, factor)])
    assert board.computed(met(4, 0.0, factor)).pitch_hz == pytest.approx(panel_hz(4), rel=1e-3)


def test_a_factor_that_goes_up_with_the_pitch_is_learned():
    board = Board()
    for n in range(30):
        plate = 2 + n % 5
        board.learn(3.0 * n, SPEED, [replace(met(plate, 3.0 * n), pitch_hz=panel_hz(plate + 1))])
    for plate in range(1, 7):
        heard = replace(met(plate, 0.0), pitch_hz=panel_hz(plate + 1))
        assert board.computed(heard).pitch_hz == pytest.approx(panel_hz(plate), rel=0.03)


def test_one_odd_pitch_changes_nothing():
    board = Board()
    board.learn(0.0, SPEED, [met(5, 0.0, 1.3)])
    assert DOUBTS == 2
    assert board.known == 1
    assert board.computed(met(3, 0.0)).pitch_hz == pytest.approx(panel_hz(3))


@pytest.mark.parametrize(
    "heard",
    [
        [],
        [Heard(0.0, -40.0, 2000.0, 700.0, 0.01), met(5, 0.0)],  # it met the roof before
        [Heard(0.045, -40.0, 2000.0, 0.0, 0.01)],  # nothing stood out
        [Heard(fall_s(SPEED, 250.0), -40.0, 2000.0, 170.0, 0.01)],  # the table
        [Heard(0.9, -40.0, 2000.0, 400.0, 0.01)],  # nothing is met so late
    ],
)
def test_what_says_nothing_of_a_panel_teaches_nothing(heard):
    board = Board()
    board.learn(0.0, SPEED, heard)
    assert board.known == 0
