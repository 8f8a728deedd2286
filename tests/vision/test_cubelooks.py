"""Two looks at one picture, brought together: no network."""

import numpy as np
import pytest

from vision.cubefinder import Hole, Places
from vision.cubeheads import COLOURS
from vision.cubelooks import Place, agreed, agreed_hole, believed, believed_hole

HOLE = Hole(400, 300, 40, 0.99)


def look(*rows):
    """Build what one look found of rows of x, y, side, heat."""
    told = np.array(rows, np.float32).reshape(-1, 4)
    n = len(told)
    return Places(
        centres=told[:, :2],
        sides=told[:, 2],
        heat=told[:, 3],
        colours=np.full((n, len(COLOURS)), 1 / len(COLOURS), np.float32),
        floor=np.full(n, 0.9, np.float32),
        hole=None,
        hand=np.zeros((4, 4), np.bool_),
        scale=1.0,
    )


def place(x, side=24.0, chance=0.8, floor=0.9):
    return Place(x, 300.0, side, chance, np.full(7, 1 / 7, np.float32), floor)


def chance_of(places, x, hole=None):
    return next((p.chance for p in believed(places, hole) if p.x == x), 0.0)


def test_what_both_see_is_one_place_between_them():
    (both,) = agreed(look((100, 50, 20, 0.9)), look((103, 51, 22, 0.7)))
    assert (both.x, both.y, both.side) == pytest.approx((101.5, 50.5, 21))
    assert 0.7 < both.chance < 0.9


def test_what_only_one_look_saw_is_doubted():
    alone, both = agreed(look((100, 50, 20, 0.9), (300, 50, 20, 0.9)), look((300, 50, 20, 0.9)))
    assert alone.chance < both.chance == pytest.approx(0.9)
    (late,) = agreed(look(), look((10, 10, 20, 0.9)))
    assert late.chance == pytest.approx(alone.chance)


def test_one_place_is_not_matched_twice():
    assert len(agreed(look((100, 50, 20, 0.9), (104, 50, 20, 0.8)), look((102, 50, 20, 0.9)))) == 2


def test_cubes_of_one_game_are_alike_in_size():
    """The same heat is believed less where the size is another than that of the rest."""
    rest = [place(x) for x in (100.0, 200.0, 300.0)]
    alike, odd = place(500.0), place(500.0, side=40.0)
    assert chance_of([*rest, odd], 500.0) < chance_of([*rest, alike], 500.0)


def test_no_cube_is_as_large_as_the_hole():
    assert chance_of([place(500.0, side=60)], 500.0, HOLE) < chance_of([place(500.0)], 500.0, HOLE)


def test_the_hopeless_are_dropped():
    assert believed([place(100.0, chance=0.01)], None) == []
    assert believed([], HOLE) == []


def test_the_hole_that_both_see_is_believed():
    both = agreed_hole(HOLE, Hole(402, 300, 41, 0.97))
    moved = agreed_hole(HOLE, Hole(700, 300, 41, 0.97))
    alone = agreed_hole(None, HOLE)
    assert (moved.x, alone.x) == (400, 400)
    assert max(moved.chance, alone.chance) < 0.5 < both.chance
    assert agreed_hole(None, None) is None
    assert believed_hole(None) is None
    assert believed_hole(moved).chance < believed_hole(both).chance
