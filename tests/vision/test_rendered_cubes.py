"""The renderer of cubes: geometry, light, what hides what; and the scenes drawn with it."""

import random

import numpy as np
import pytest

from calibration.training.cubescenes import COUNTED, shot
from vision.frames import floats
from vision.rehearsalfloor import CLOSED, floor_picture
from vision.rendered_cubes import Box, Lamp, View, cube, developed, linear, render, turned

SIZE = (200, 150)
VIEW = View.looking(SIZE, across_mm=100, tilt=0, away_mm=400)
TABLE = np.full((SIZE[1], SIZE[0], 3), 0.3, np.float32)
LAMP = Lamp((0.5, 0.0, 0.866), (0.8, 0.8, 0.8))
ROOM = (0.2, 0.2, 0.2)


def test_the_view_looks_at_its_middle_in_its_scale():
    assert VIEW.project(floats([(0, 0, 0)]))[0] == pytest.approx((100, 75), abs=1e-3)
    ends = VIEW.project(floats([(0, -50, 0), (0, 50, 0)]))
    assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(200, rel=1e-3)
    assert VIEW.px_per_mm(floats((0, 0, 0))) == pytest.approx(2, rel=1e-3)


def test_what_is_nearer_to_the_camera_is_larger():
    near, far = VIEW.px_per_mm(floats((0, 0, 100))), VIEW.px_per_mm(floats((0, 0, 0)))
    assert near > far * 1.2


def test_the_plane_is_seen_as_its_points_are():
    lean = View.looking(SIZE, across_mm=100, tilt=30, around=70)
    flat = lean.plane(5.0) @ floats((12, -7, 1))
    assert flat[:2] / flat[2] == pytest.approx(lean.project(floats([(12, -7, 5)]))[0], abs=1e-2)


def test_a_cube_is_drawn_where_it_lies_and_throws_its_shadow_away_from_the_lamp():
    red = cube("red", (0, 0, 5), 10, turned(0))
    bare = render(VIEW, TABLE, [], [LAMP], ROOM).light
    canvas = render(VIEW, TABLE, [red], [LAMP], ROOM)
    assert canvas.owner[75, 100] == 0
    colour = canvas.light[75, 100]
    assert colour[0] > 3 * colour[1]
    towards = VIEW.project(floats([(8, 0, 0), (-8, 0, 0)])).round().astype(int)
    lit, shaded = (canvas.light[y, x, 0] / bare[y, x, 0] for x, y in towards)
    assert shaded < 0.7 * lit


def test_what_lies_on_top_hides_what_lies_below():
    low, high = cube("red", (0, 0, 5), 10, turned(0)), cube("blue", (0, 0, 15), 10, turned(0))
    for boxes, top in (([low, high], 1), ([high, low], 0)):
        assert render(VIEW, TABLE, boxes, [LAMP], ROOM).owner[75, 100] == top


def test_a_hole_is_darker_than_its_floor():
    lid = Box(floats((0, 0, -10)), floats((30, 30, 10)), turned(0), linear(floats((0.6, 0.6, 0.6))), hole=8)
    light = render(VIEW, TABLE, [lid], [LAMP], ROOM, table_z=-20).light
    assert light[75, 100].max() < 0.3 * light[75, 140].max()


def test_developed_pictures_are_eight_bits():
    picture = developed(np.full((2, 2, 3), 4.0, np.float32))
    assert picture.dtype == np.uint8
    assert (picture == 255).all()


@pytest.mark.parametrize("floor", [0, 1, 7, CLOSED])
def test_every_floor_of_the_rehearsed_tower_can_be_seen(floor):
    picture = floor_picture(("blue",) if floor < CLOSED else (), floor, (320, 240), random.Random(1))
    assert picture.shape == (240, 320, 3)
    blue = (picture[..., 0] > 1.5 * picture[..., 2].astype(int)).sum()
    assert (blue > 20) == (floor < CLOSED)


@pytest.mark.parametrize(
    ("cubes", "floor", "said"),
    [(("pink",), 3, "no pink"), ((), 9, "from 0 to 8"), (("red",) * 300, 7, "no room")],
)
def test_what_cannot_be_drawn_is_said(cubes, floor, said):
    with pytest.raises(ValueError, match=said):
        floor_picture(cubes, floor, (320, 240), random.Random(1))


def test_the_same_seed_gives_the_same_scene():
    one, other = shot(7_000_001, longest_px=320), shot(7_000_001, longest_px=320)
    assert np.array_equal(one.image, other.image)
    assert one.truth == other.truth


def test_scenes_know_what_lies_in_them():
    shots = [shot(7_000_100 + n, longest_px=320, kind=kind) for n, kind in enumerate(("floor", "nothing"))]
    assert shots[1].truth == ()
    assert all(0 <= cube.seen <= 1 for cube in shots[0].cubes)
    counted = [c for c in shots[0].cubes if c.counts and c.seen >= COUNTED]
    assert len(counted) == len(shots[0].truth)
