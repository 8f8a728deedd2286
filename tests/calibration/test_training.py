"""Training pictures and samples: labels that fit, from seeds that repeat. No torch, no Blender."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from calibration.training import develop, labels, lights, looks, pictures, sampling, surfaces
from calibration.training.pictures import UNKNOWN, LabelledDie, picture, square
from calibration.training.props import outlines, solids
from calibration.training.samples import (
    FINDER_PX,
    face_sample,
    finder_sample,
    shape_of,
)
from calibration.training.tracer import Tracer
from vision.faceheads import STATES, SYMBOLS
from vision.finder import STRIDE
from vision.looks import CROP_PX, corners_of

FOUR = SYMBOLS.index("pips4")


def chequered(dice: tuple[LabelledDie, ...]) -> pictures.Picture:
    """A picture that is black but for a white square on each die."""
    image = np.zeros((480, 640, 3), np.uint8)
    for die in dice:
        x, y = die.corners.min(axis=0).astype(int)
        right, low = die.corners.max(axis=0).astype(int)
        image[y : low + 1, x : right + 1] = 255
    return picture("drawn", image, dice)


def test_a_quarter_turn_changes_no_shape_and_the_corners_come_back() -> None:
    rng = np.random.default_rng(1)
    for _ in range(50):
        p = rng.normal(0, 1, 2)
        p /= np.linalg.norm(p)
        q = np.array((-p[1], p[0])) * rng.uniform(0.7, 1.4) + rng.normal(0, 0.1, 2)
        corners = np.float32([-p - q, p - q, p + q, -p + q]) * 8 + np.float32((30, 33))
        middle, side = np.float32((32, 32)), 16.0
        shapes = np.array([shape_of(np.roll(corners, n, axis=0), middle, side) for n in range(4)])
        assert np.allclose(shapes, shapes[0], atol=1e-3)
        (found,) = corners_of(shapes[:1], middle[None], np.float32([side]))
        away = np.linalg.norm(found[:, None] - corners[None], axis=2).min(axis=1)
        assert away.max() < 0.05


def test_the_finder_is_told_where_dice_are_and_how_large() -> None:
    dice = (
        LabelledDie(square((200, 150), 40), FOUR),
        LabelledDie(square((420, 300), 40), FOUR),
    )
    black = picture("empty", np.zeros((480, 640, 3), np.uint8), ())
    rng = np.random.default_rng(2)
    seen = 0
    for _ in range(40):
        sample = finder_sample(chequered(dice), black, rng)
        assert sample.image.shape == (FINDER_PX, FINDER_PX, 3)
        heat, sides, x, y, weight = (sample.maps[k] for k in (0, 2, 3, 4, 5))
        rows, columns = np.nonzero(heat == 1)
        for row, column in zip(rows, columns, strict=True):
            seen += 1
            assert weight[row, column] == 1
            assert max(abs(x[row, column]), abs(y[row, column])) <= 0.5
            assert 2.0 * STRIDE <= np.exp(sides[row, column]) * STRIDE <= 300
    assert seen > 20


def test_a_hidden_die_is_neither_asked_for_nor_held_against_the_finder() -> None:
    covered = LabelledDie(square((320, 240), 60), FOUR, visible=0.3)
    sample = finder_sample(chequered((covered,)), chequered(()), np.random.default_rng(3))
    assert sample.maps[0].max() < 1
    assert sample.maps[1].min() == 0


def test_crops_hold_a_die_or_surely_none() -> None:
    dice = (LabelledDie(square((320, 240), 60), FOUR, white=1),)
    rng = np.random.default_rng(4)
    labels_, bright, whites = [], [], []
    for _ in range(60):
        sample = face_sample(chequered(dice), rng)
        labels_.append(int(sample.labels[0]))
        bright.append(sample.image.shape)
        if sample.labels[0] == 0:
            assert sample.labels[2] == UNKNOWN
            assert not sample.shape_weight.any()
        else:
            whites.append(int(sample.labels[2]))
            assert np.abs(sample.shape[:2]).max() < 0.4
    assert set(labels_) == {0, FOUR}
    assert set(whites) == {1, UNKNOWN}
    assert set(bright) == {(CROP_PX, CROP_PX, 3)}


@pytest.mark.slow
def test_traced_labels_fit_what_is_drawn() -> None:
    """White dice with black pips: the label's corners hold as many dark spots as it says."""
    import cv2

    checked = 0
    for seed in range(16):
        scene = sampling.tray(seed, kinds=("white",), count=3)
        look = replace(scene.looks[0], roughness=1.0)  # so that no lamp is mirrored over a pip
        scene = replace(scene, looks=(look,))
        if look.relief != "printed" or look.red_faces or max(look.ink) > 0.1 or scene.light.name == "glare":
            continue
        linear, clear = Tracer().take(scene)
        image = develop.photograph(linear, scene.finish, seed)
        for die in labels.of(scene, clear)["dice"]:
            if die["visible"] < 1:
                continue
            target = np.float32(((0, 0), (95, 0), (95, 95), (0, 95)))
            warp = cv2.getPerspectiveTransform(np.float32(die["corners"]), target)
            face = cv2.cvtColor(cv2.warpPerspective(image, warp, (96, 96)), cv2.COLOR_BGR2GRAY)[
                10:-10, 10:-10
            ]
            _, dark = cv2.threshold(face, 0, 255, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
            count, _, stats, _ = cv2.connectedComponentsWithStats(dark)
            spots = sum(25 < stats[n, cv2.CC_STAT_AREA] < 2000 for n in range(1, count))
            checked += 1
            assert spots == int(die["face"]), (seed, die)
    assert checked >= 5


def test_a_seed_gives_the_same_picture_twice() -> None:
    one, other = (Tracer().take(sampling.tray(12, kinds=("fingerprint",), count=2)) for _ in range(2))
    assert np.array_equal(one[0], other[0])
    assert all(np.array_equal(a, b) for a, b in zip(one[1], other[1], strict=True))


def test_front_faces_are_told_of_where_a_camera_looks_across_the_table() -> None:
    assert not labels.fronts(sampling.tray(3))
    scenes = [scene for seed in range(30) if (scene := sampling.weak(seed)).camera.tilt > 35]
    assert len(scenes) > 3
    for scene in scenes:
        fronts = labels.fronts(scene)
        assert fronts or len(scene.dice) < 4
        tops = np.array(
            [die["corners"] for die in labels.of(scene, [np.ones(36)] * len(scene.dice))["dice"]]
        )
        for front in fronts:
            off = np.linalg.norm(tops.mean(axis=1) - front.mean(axis=0), axis=1)
            assert (off > 0.5 * np.sqrt([labels.area(top) for top in tops])).all()


def test_weak_pictures_show_what_was_read_badly_and_nothing_that_is_held_out() -> None:
    scenes = [sampling.weak(seed) for seed in range(200)]
    assert scenes[7] == sampling.weak(7)
    assert {scene.surface.name for scene in scenes} == set(surfaces.TRAINED)
    lamps = [scene.light.name for scene in scenes]
    assert set(lamps) == {*lights.TRAINED, "wide"}
    assert lamps.count("wide") > 100
    kinds = [scene.looks[die.look].kind for scene in scenes for die in scene.dice]
    assert kinds.count("teatime") > len(kinds) / 3
    assert set(kinds) == set(looks.KINDS)


def test_a_crowd_shows_many_dice_of_many_sets_and_nothing_that_is_held_out() -> None:
    scenes = [sampling.crowd(seed) for seed in range(100)]
    assert scenes[7] == sampling.crowd(7)
    assert {scene.surface.name for scene in scenes} == set(surfaces.TRAINED)
    assert {scene.light.name for scene in scenes} == {*lights.TRAINED, "wide"}
    assert np.mean([len(scene.dice) for scene in scenes]) > 15
    used = [scene.looks[die.look] for scene in scenes for die in scene.dice]
    assert {look.kind for look in used} == set(looks.KINDS)
    digits = [look.style == "digits" for look in used if look.kind == "teatime"]
    clear = [look.material == "clear" for look in used if look.kind == "coloured"]
    assert np.mean(digits) > 0.6
    assert np.mean(clear) > 0.25


def test_tumbled_dice_lie_in_every_way_often_enough_to_be_learned() -> None:
    scenes = [sampling.tumbled(seed) for seed in range(60)]
    assert scenes[7] == sampling.tumbled(7)
    assert {scene.surface.name for scene in scenes} <= set(surfaces.TRAINED)
    states = [die.state for scene in scenes for die in scene.dice]
    for state in ("cocked", "stacked"):
        assert 0.07 < states.count(state) / len(states) < 0.2, state


def test_dice_that_lie_oddly_are_shown_more_often_than_they_lie() -> None:
    dice = [
        LabelledDie(square((20.0 + 18 * n, 200.0), 9.0), FOUR, state=state)
        for n, state in enumerate([0] * 19 + [STATES.index("cocked")])
    ]
    drawn, rng = chequered(tuple(dice)), np.random.default_rng(3)
    seen = [int(face_sample(drawn, rng).labels[3]) for _ in range(600)]
    told = [state for state in seen if state != UNKNOWN]
    assert 0.13 < np.mean([state != 0 for state in told]) < 0.26


@pytest.mark.slow
def test_a_network_goes_on_from_the_shipped_weights() -> None:
    """Only where torch and onnx are installed: it says what the file says, measured anew or not."""
    torch, _ = pytest.importorskip("torch"), pytest.importorskip("onnx")
    from calibration.training import further
    from calibration.training.networks import FaceReader, Finder
    from vision.networks import WEIGHTS, OpenCv

    for name, network, shape in (
        ("face", FaceReader(), (4, 3, 64, 64)),
        ("finder", Finder(), (1, 3, 96, 128)),
    ):
        some = torch.randn(shape, generator=torch.Generator().manual_seed(1))
        further.begin(network, WEIGHTS / f"{name}.onnx", some)
        said = OpenCv(WEIGHTS / f"{name}.onnx")(some.numpy())
        for batches in ([], [some, 2 * some]):
            further.renormalise(network, batches)
            with torch.no_grad():
                assert np.allclose(network(some).numpy(), said, atol=1e-3)
        if name == "face":  # a wider one says the same until it is trained
            wider = FaceReader((48, 72, 128, 208))
            further.begin(wider, WEIGHTS / "face.onnx", some)
            with torch.no_grad():
                assert np.allclose(wider(some).numpy(), said, atol=1e-3)
        with pytest.raises(ValueError, match="another network"):
            further.begin(network, WEIGHTS / ("finder.onnx" if name == "face" else "face.onnx"), some)


@pytest.mark.slow
def test_training_that_was_interrupted_ends_where_it_was_planned_to(tmp_path: Path) -> None:
    """Only where torch is installed: on a slower day fewer steps would be planned."""
    torch = pytest.importorskip("torch")
    from calibration.training.losses import face_loss
    from calibration.training.networks import FaceReader
    from calibration.training.train import Mixture, Plan, draw_face, pace, train

    picture = chequered((LabelledDie(square((100.0, 200.0), 30.0), FOUR),))
    data = Mixture([(1.0, [picture])], draw_face, 1)
    network = FaceReader()
    before = [weights.clone() for weights in network.parameters()]
    assert pace(network, data, face_loss, 2, workers=0) > 0
    assert all(torch.equal(*both) for both in zip(network.parameters(), before, strict=True))
    for steps in (2, 7, 1):
        train("face", network, data, face_loss, Plan(steps, 2, 1e-3), tmp_path, workers=0)
        assert torch.load(tmp_path / "face.pt", weights_only=True)["step"] == 2


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::DeprecationWarning")  # the exporter that knows opset 13 is an old one
def test_weights_are_kept_in_16_bits_and_in_8(tmp_path: Path) -> None:
    """What was halved is read back whole; the file of 8 bits is smaller and says nearly the same."""
    torch, _ = pytest.importorskip("torch"), pytest.importorskip("onnx")
    from calibration.training import eightbit, further
    from calibration.training.networks import Finder
    from calibration.training.train import export
    from vision.networks import OnnxRuntime

    torch.manual_seed(3)
    network = Finder()
    export("finder", network, torch.zeros(1, 3, 96, 128), tmp_path)
    file = tmp_path / "finder.onnx"
    known = {name: value for name, value in network.named_parameters() if "." in name}
    for name, tensor in further.tensors(file):
        if name in known:
            assert torch.allclose(tensor, known[name], rtol=1e-3, atol=1e-4)
    shown = [np.random.default_rng(n).normal(0, 1, (1, 3, 96, 128)).astype(np.float32) for n in range(4)]
    small = eightbit.keep(file, shown)
    whole, short = OnnxRuntime(file)(shown[0]), OnnxRuntime(small)(shown[0])
    assert np.abs(whole - short).mean() < 0.05
    assert not np.array_equal(whole, short)
    assert small.stat().st_size < 0.7 * file.stat().st_size


@pytest.mark.slow
def test_what_is_no_die_is_told_for_every_scene_that_has_some() -> None:
    some = [scene for seed in range(40) if solids(scene := sampling.table(seed))]
    assert some
    for scene in some[:5]:
        assert len(outlines(scene)) == len(solids(scene))
        assert all(corners.shape == (4, 2) for corners in outlines(scene))


def test_rehearsed_trays_are_labelled_as_they_are_drawn() -> None:
    (tray,) = pictures.rehearsed(1, seed=5)
    assert tray.dice
    for die in tray.dice:
        x, y = die.centre
        assert 0 < x < 640
        assert 0 < y < 480
        assert 26 <= die.side <= 60
