"""Scenes of training pictures: seeded, within ranges, and labelled where a camera would see them."""

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from calibration.training import faces, labels, lights, looks, meshes, placing, render, sampling, surfaces
from calibration.training.scene import SIDES, Die, Lamp, Pose, face_corners, upper_side
from calibration.training.tracer import Tracer

SEEDS = range(12)


@pytest.fixture(scope="module")
def scenes():
    return [sampling.table(seed) for seed in SEEDS]


def resting(look, *, side=0, centre=(0.0, 0.0)):
    """A die lying flat with the given side up."""
    up = {0: placing.about("z", 0), 1: placing.about("x", np.pi), 2: placing.about("y", -np.pi / 2)}[side]
    return Die(0, Pose((*centre, look.edge / 2), placing.numbers(up)), "flat")


def alone(die):
    """A scene from straight above with one die; its look's symbols stand upright."""
    scene = sampling.tray(1, kinds=("white",), count=0)
    look = replace(scene.looks[0], rolls=(0,) * 6)
    camera = replace(scene.camera, pose=Pose((0.0, 0.0, 30.0), placing.numbers(np.eye(3))))
    return replace(scene, camera=camera, looks=(look,), dice=(die,))


def test_the_same_seed_gives_the_same_scene():
    assert sampling.table(5) == sampling.table(5)
    assert sampling.table(5) != sampling.table(6)
    assert sampling.tray(5) == sampling.tray(5)


def test_scenes_stay_within_what_was_promised(scenes):
    for scene in scenes:
        assert 1 <= len(scene.dice) <= 20
        assert 24 <= scene.camera.focal <= 60
        assert 0 <= scene.camera.tilt <= 55
        assert 70 <= scene.finish.quality <= 95
        assert scene.surface.name in surfaces.TRAINED
        assert scene.light.name in lights.TRAINED
        assert {look.kind for look in scene.looks} <= set(looks.KINDS)


def test_dice_lying_flat_do_not_run_into_each_other(scenes):
    for scene in scenes:
        flat = [placing.footprint(die, scene.looks) for die in scene.dice if die.state == "flat"]
        for n, one in enumerate(flat):
            assert all(placing.apart(one, other, 0.0) for other in flat[:n])


def test_cocked_dice_lean_by_more_than_twelve_degrees():
    for seed in SEEDS:
        scene = sampling.table(seed)
        die = placing.leaning(0, scene.looks, (0.0, 0.0), 0.3, np.random.default_rng(seed))
        normal = die.pose.matrix() @ np.array(SIDES[upper_side(die.pose)][0])
        assert np.degrees(np.arccos(normal[2])) > 12


def test_what_is_held_out_is_never_trained_on():
    assert not set(surfaces.UNSEEN) & set(surfaces.TRAINED)
    assert not set(lights.UNSEEN) & set(lights.TRAINED)
    for seed in SEEDS:
        scene = sampling.tray(seed, unseen=True)
        assert scene.surface.name in surfaces.UNSEEN
        assert scene.light.name in lights.UNSEEN


@pytest.mark.parametrize("order", [looks.RIGHT_HANDED, looks.LEFT_HANDED])
def test_opposite_faces_sum_to_seven(order):
    assert [int(order[n]) + int(order[n + 1]) for n in (0, 2, 4)] == [7, 7, 7]


def test_sides_are_opposite_in_pairs_and_right_handed():
    for n, (normal, right, up) in enumerate(SIDES):
        assert np.array_equal(np.cross(right, up), normal)
        assert np.array_equal(np.array(SIDES[n ^ 1][0]), -np.array(normal))


def test_teatime_has_a_glass_for_the_six_and_fingerprint_dice_all_colours():
    rng = np.random.default_rng(4)
    assert set(looks.sample("teatime", 1.6, rng).faces) == {"1", "2", "3", "4", "5", "glass"}
    assert set(looks.sample("fingerprint", 1.6, rng).faces) == set(looks.COLOURS)


@pytest.mark.parametrize("value", "123456")
def test_as_many_pips_are_drawn_as_the_face_is_worth(value):
    look = replace(
        looks.sample("white", 1.6, np.random.default_rng(int(value))), pip_radius=0.09, pip_pitch=0.25
    )
    ink, _ = faces.pips(replace(look, one_scale=1.0), value)
    one, _ = faces.pips(replace(look, one_scale=1.0), "1")
    assert round(float(ink.sum() / one.sum())) == int(value)
    assert len(faces.PIPS[value]) == int(value)


def test_the_columns_of_many_sixes_stand_nearer_than_those_of_a_four():
    """As on most dice that are sold; pips never touch, and other faces stay as they were."""
    rng = np.random.default_rng(8)
    sets = [looks.sample("white", 1.6, rng) for _ in range(200)]
    widths = [look.six_width for look in sets]
    assert 0.3 < np.mean([width == 1 for width in widths]) < 0.5
    assert min(widths) < 0.6
    for look in sets:
        assert look.six_width * look.pip_pitch > look.pip_radius
    narrow = replace(sets[0], pip_radius=0.08, pip_pitch=0.25, six_width=0.6)
    wide = replace(narrow, six_width=1.0)
    assert np.array_equal(faces.pips(narrow, "4")[0], faces.pips(wide, "4")[0])
    across, down = (np.flatnonzero(faces.pips(narrow, "6")[0].max(axis=axis) > 0.5) for axis in (0, 1))
    assert np.ptp(across) / 256 == pytest.approx(2 * (0.6 * 0.25 + 0.08), abs=0.01)
    assert np.ptp(down) / 256 == pytest.approx(2 * (0.25 + 0.08), abs=0.01)


def test_many_coloured_dice_have_any_ink_that_can_be_told_from_the_body():
    rng = np.random.default_rng(5)
    plain = [looks.vivid(looks.sample("coloured", 1.6, rng)) for _ in range(300)]
    assert {"swirl", "clear", "speckle", "marble", "plastic", "wood", "metal"} == {
        s.material for s in plain
    }
    contrast = np.array([np.abs(np.subtract(look.ink, look.body)).max() for look in plain])
    assert (contrast > 0.2).mean() > 0.9
    red = [look for look in plain if look.ink[0] > 2 * max(look.ink[1:])]
    assert any(max(look.body) < 0.3 for look in red)
    white = looks.sample("white", 1.6, rng)
    assert white == looks.vivid(white)


def test_a_swirl_is_of_two_colours():
    look = replace(looks.sample("coloured", 1.6, np.random.default_rng(6)), material="swirl", paints=())
    colours = faces.body(look).reshape(-1, 3)
    assert np.ptp(colours, axis=0).max() > 0.2


def test_a_domed_side_mirrors_a_lamp_in_its_middle_and_a_flat_one_all_over():
    """A lamp and a camera straight above a smooth black die: how bright its side is off the middle."""
    share = {}
    for dome in (0.0, 0.25):
        look = looks.sample("coloured", 2.0, np.random.default_rng(7))
        die = resting(look)
        scene = alone(die)
        black = replace(
            look, body=(0.02,) * 3, ink=(0.02,) * 3, material="plastic", roughness=0.06, ball=9.0, dome=dome
        )
        lamp = Lamp((0.0, 0.0, 100.0), 1.0, 2.5e5, (1.0, 1.0, 1.0))
        light = replace(scene.light, lamps=(lamp,), room=0.0)
        seen, _ = Tracer().take(replace(scene, looks=(replace(black, relief="printed"),), light=light))
        x, y = np.round(scene.camera.project(np.array([(0.0, 0.0, 2.0), (0.6, 0.0, 2.0)]))).astype(int).T
        middle, beside = seen[y, x].mean(axis=1)
        share[dome] = beside / middle
    assert share[0.0] > 0.6
    assert share[0.25] < 0.2


def test_the_atlas_bears_each_face_in_its_own_cell():
    look = replace(looks.sample("white", 1.6, np.random.default_rng(2)), style="pips", one_scale=1.0)
    ink = faces.draw(look).ink
    cells = [ink[r * 256 : r * 256 + 256, c * 256 : c * 256 + 256].sum() for r in (0, 1) for c in (0, 1, 2)]
    unit = cells[look.faces.index("1")]
    assert [round(float(cell / unit)) for cell in cells] == [int(face) for face in look.faces]


def test_the_upper_face_is_found_and_its_corners_begin_at_the_symbols_upper_left():
    scene = alone(resting(sampling.tray(1, kinds=("white",)).looks[0]))
    look, die = scene.looks[0], scene.dice[0]
    label = labels.of(scene, [np.ones(36)])["dice"][0]
    assert label["face"] == look.faces[0]
    assert label["state"] == "flat"
    corners = np.array(label["corners"])
    assert np.all(np.sign(corners - corners.mean(0)) == [[-1, -1], [1, -1], [1, 1], [-1, 1]])
    half = look.edge / 2 * scene.camera.focal / 36 * 640 / (30.0 - look.edge)
    assert np.allclose(corners[2], [319.5 + half, 239.5 + half], atol=0.01)
    assert np.allclose(face_corners(look, die.pose, 0)[:, 2], look.edge)


@pytest.mark.parametrize("side", [0, 1, 2])
def test_each_side_can_lie_upwards(side):
    scene = alone(resting(sampling.tray(1, kinds=("white",)).looks[0], side=side))
    assert upper_side(scene.dice[0].pose) == side
    assert labels.of(scene, [np.ones(36)])["dice"][0]["face"] == scene.looks[0].faces[side]


def test_a_roll_turns_the_symbol_by_a_quarter():
    look = replace(sampling.tray(1, kinds=("white",)).looks[0], rolls=(0,) * 6)
    rolled = replace(look, rolls=(1, 0, 0, 0, 0, 0))
    pose = resting(look).pose
    assert np.allclose(face_corners(rolled, pose, 0), np.roll(face_corners(look, pose, 0), 1, axis=0))


def test_little_seen_is_covered_and_half_outside_is_cut():
    scene = alone(resting(sampling.tray(1, kinds=("white",)).looks[0]))
    assert labels.of(scene, [np.zeros(36)])["dice"][0]["state"] == "covered"
    x, y, _ = scene.camera.on_table(0.0, 240.0)
    moved = alone(resting(scene.looks[0], centre=(float(x), float(y))))
    label = labels.of(moved, [np.ones(36)])["dice"][0]
    assert label["state"] == "cut"
    assert 0.1 < label["visible"] < 0.6
    assert label["box"][0] == 0


def test_projecting_undoes_the_way_to_the_table(scenes):
    for scene in scenes:
        point = scene.camera.on_table(100.25, 77.5)
        assert abs(point[2]) < 1e-9
        assert np.allclose(scene.camera.project(point[None])[0], [100.25, 77.5])


def test_the_body_fills_its_cube_and_bears_the_print_upright(scenes):
    look = scenes[0].looks[0]
    mesh = meshes.die(look)
    assert np.allclose(np.abs(mesh.points).max(axis=0), look.edge / 2)
    assert mesh.uv.min() >= 0
    assert mesh.uv.max() <= 1
    assert np.allclose(np.linalg.norm(mesh.normals, axis=1), 1)


@pytest.mark.parametrize("name", [*surfaces.TRAINED, *surfaces.UNSEEN])
def test_every_surface_can_be_drawn(name):
    tile = surfaces.draw(name, 3)
    assert tile.rgb.shape == (surfaces.SIDE, surfaces.SIDE, 3)
    assert tile.rgb.min() >= 0
    assert tile.rgb.max() <= 1
    assert tile.height.shape == (surfaces.SIDE, surfaces.SIDE)


def test_scenes_are_plain_values(scenes):
    assert json.dumps(asdict(scenes[0]))


def test_pictures_that_exist_are_not_rendered_again(tmp_path):
    (tmp_path / "000001.json").write_text("{}", encoding="utf-8")
    assert list(render.missing(tmp_path, 3)) == [0, 2]
