"""What is easily taken for dice, and photographs looked at again. No torch."""

from pathlib import Path

import numpy as np
import pytest

from calibration.training import lookalikes, outlined, pictures
from calibration.training.samples import FINDER_PX, finder_sample
from vision.finder import STRIDE
from vision.frames import Frame
from vision.places import survey


def test_the_same_seed_draws_the_same_table() -> None:
    one, same, other = (lookalikes.draw(seed) for seed in (3, 3, 4))
    assert one.image.shape == (480, 640, 3)
    assert (one.image == same.image).all()
    assert len(one.outlines) == len(same.outlines)
    assert (one.image != other.image).any()


def test_every_outline_lies_in_the_picture_and_shows_something() -> None:
    contrasts = []
    for seed in range(12):
        drawn = lookalikes.draw(seed)
        for outline in drawn.outlines:
            x, y = outline.mean(axis=0)
            assert 0 <= x < 640
            assert 0 <= y < 480
            left, top = np.maximum(outline.min(axis=0), 0).astype(int)
            right, below = np.ceil(outline.max(axis=0)).astype(int) + 1
            contrasts.append(np.ptp(drawn.image[top:below, left:right].astype(int), axis=(0, 1)).max())
    assert len(contrasts) > 100
    assert np.mean(np.array(contrasts) > 20) > 0.95


def test_what_is_mistakable_is_shown_to_the_finder_as_no_dice() -> None:
    rng = np.random.default_rng(1)
    (table,) = pictures.mistakable(1, seed=9)
    assert table.dice == ()
    assert len(table.others) > 3
    for _ in range(20):
        maps = finder_sample(table, table, rng).maps
        assert maps[0].max() == 0
        assert maps[1].min() == 1


def test_squares_for_the_finder_show_all_of_a_picture() -> None:
    """A die in one corner, a mark in the other: now and then the square shows the mark without the die."""
    image = np.full((480, 640, 3), 90, np.uint8)
    image[440:470, 600:630] = (0, 0, 255)
    die = pictures.LabelledDie(pictures.square((40, 40), 30), 1)
    picture = pictures.picture("corner", image, (die,))
    plain = pictures.picture("plain", np.full((480, 640, 3), 90, np.uint8), ())
    rng = np.random.default_rng(2)
    without = 0
    for _ in range(150):
        sample = finder_sample(picture, plain, rng)
        without += sample.maps[0].max() == 0
    assert sample.maps.shape[1] == FINDER_PX // STRIDE
    assert 10 < without < 75


@pytest.fixture(scope="module")
def tray() -> pictures.Picture:
    (picture,) = pictures.rehearsed(1, seed=5)
    return picture


def test_a_poor_outline_is_mended_and_one_of_another_face_is_left(tray: pictures.Picture) -> None:
    image = tray.levels[0]
    places = survey(Frame(image, 0.0, tray.name))
    for die in tray.dice:
        poor = pictures.square(tuple(die.centre + 0.15 * die.side), 0.6 * die.side)
        face = str(die.symbol)
        row = {"face": face, "corners": poor.tolist(), "turned": False}
        better = outlined.mended(row, image, places)
        assert better is not None
        assert better["turned"]
        assert better["face"] == face
        corners = np.array(better["corners"], np.float32)
        turns = np.array([np.roll(corners, n, axis=0) for n in range(4)])
        assert np.linalg.norm(turns - die.corners, axis=2).max(axis=1).min() < 0.2 * die.side
        other = {**row, "face": "1" if face != "1" else "6"}
        assert outlined.mended(other, image, places) is None


def test_nothing_that_lies_at_a_die_is_a_mistake(tray: pictures.Picture) -> None:
    places = survey(Frame(tray.levels[0], 0.0, tray.name))
    all_but_one = [die.corners for die in tray.dice][1:]
    missing = tray.dice[0]
    assert outlined.mistaken(places, [die.corners for die in tray.dice]) == []
    found = outlined.mistaken(places, all_but_one)
    assert [
        np.hypot(x - missing.centre[0], y - missing.centre[1]) < 0.2 * side for x, y, side in found
    ] == [True]


def test_what_was_mistaken_once_is_not_forgotten() -> None:
    die = pictures.square((100, 100), 40)
    known, again, new, at_die = (
        [300.0, 80.0, 30.0],
        [303.0, 82.0, 28.0],
        [20.0, 300.0, 12.0],
        [110.0, 95.0, 38.0],
    )
    assert outlined.added([known, at_die], [again, new], [die]) == [known, new]
    assert outlined.added([], [new, known], [die]) == [new, known]


def test_a_photograph_that_is_missing_is_named_and_nothing_is_written(tmp_path: Path) -> None:
    before = [file.read_bytes() for file in (pictures.OUTLINES, pictures.MISTAKEN)]
    with pytest.raises(SystemExit, match=r"dice01\.jpg cannot be read: --photos"):
        outlined.main(["--photos", str(tmp_path)])
    assert [file.read_bytes() for file in (pictures.OUTLINES, pictures.MISTAKEN)] == before
