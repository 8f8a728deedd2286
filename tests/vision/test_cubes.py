"""Cubes on drawn floors, and what is made of what the network says. Seeds here are those of scoring."""

import random

import cv2
import numpy as np
import pytest

from companion.rules.events import CubesExpected
from vision.annotate import annotate_cubes, counted_words, cube_evidence
from vision.cubefinder import Hole
from vision.cubeheads import COLOURS
from vision.cubelooks import Place
from vision.cubes import KIND, _judged, cube_claims, read_cubes
from vision.frames import Frame
from vision.judgement import RollStatus
from vision.rehearsalfloor import floor_picture
from vision.rendered import draw_hand, felt
from vision.tray import TrayProfile

SIZE = (960, 720)
HOLE = Hole(480, 360, 60, 0.99)


def floor(*cubes, storey=5, seed=4):
    return floor_picture(cubes, storey, SIZE, random.Random(seed))


def place(colour, chance=0.999, x=300.0, other=None, share=0.0, on_floor=0.999):
    colours = np.full(len(COLOURS), 1e-6, np.float32)
    colours[COLOURS.index(colour)] = 1 - share
    if other:
        colours[COLOURS.index(other)] = share
    return Place(x, 300.0, 24.0, chance, colours, on_floor)


def judged(*places, hole=HOLE, hidden=False, most=None):
    expected = CubesExpected(most) if most is not None else None
    return _judged(places, hole, hidden, expected, sure_from=0.9)


# -- what is made of it: no network ---------------------------------------------------------------


def test_clear_cubes_on_a_clear_floor_are_sure():
    read = judged(place("blue"), place("red", x=400))
    assert (read.status, read.colours, read.reason) == (RollStatus.SURE, ("blue", "red"), "")


def test_without_a_floor_and_cubes_there_is_nothing():
    read = judged(hole=None)
    assert (read.status, read.floor, read.sure) == (RollStatus.NONE, False, False)
    assert "No floor" in read.reason


def test_an_unclear_cube_makes_all_doubtful_and_is_named():
    read = judged(place("brown", other="red", share=0.3), place("blue", x=400))
    assert read.status is RollStatus.DOUBTFUL
    assert read.reason == "The cube read as brown could be red."
    assert [cube.alternatives for cube in read.cubes] == [("red",), ()]


def test_what_may_be_one_more_cube_is_a_doubt():
    read = judged(place("blue"), place("black", chance=0.3, x=400))
    assert read.colours == ("blue",)
    assert not read.sure
    assert "a cube more" in read.reason


def test_without_the_hole_cubes_count_but_are_not_sure():
    read = judged(place("blue"), hole=None)
    assert (read.colours, read.sure) == (("blue",), False)
    assert "hole" in read.reason


def test_cubes_beside_the_floor_do_not_count():
    read = judged(place("blue"), place("red", x=800, on_floor=0.001))
    assert read.colours == ("blue",)
    assert [cube.colour for cube in read.beside] == ["red"]
    assert read.sure


def test_an_empty_floor_with_cubes_beside_it_is_not_sure():
    read = judged(place("red", x=800, on_floor=0.001))
    assert (read.colours, read.sure) == ((), False)


def test_a_hand_makes_it_covered():
    read = judged(place("blue"), hidden=True)
    assert read.status is RollStatus.COVERED
    assert "hand" in read.reason


def test_colours_that_are_not_in_play_are_not_seen():
    read = judged(place("brown", other="red", share=0.4), most=(("red", 2), ("blue", 9)))
    assert read.colours == ("red",)
    assert not read.sure


def test_there_are_no_more_of_a_colour_than_there_can_be():
    doubtful = place("red", other="brown", share=0.3, x=500)
    read = judged(place("red"), place("red", x=400), doubtful, most=(("red", 2), ("brown", 9)))
    assert read.colours == ("brown", "red", "red")
    assert not read.sure


def test_too_many_that_can_be_nothing_else_are_said():
    read = judged(place("red"), place("red", x=400), place("red", x=500), most=(("red", 2), ("blue", 9)))
    assert read.colours == ("red", "red", "red")
    assert read.reason == "3 red seen, only 2 red can lie there."


def test_nothing_in_play_is_no_reason_to_fail():
    read = judged(place("blue"), most=())
    assert not read.sure


# -- what is seen: the network on drawn floors -----------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("colour", COLOURS)
def test_every_colour_is_read(colour):
    assert read_cubes(floor(colour, colour)).colours == (colour, colour)


def test_a_floor_with_all_colours():
    read = read_cubes(floor(*COLOURS))
    assert read.colours == tuple(sorted(COLOURS))
    assert read.hole is not None


def test_the_hole_is_no_black_cube():
    read = read_cubes(floor())
    assert read.colours == ()
    assert read.hole is not None
    assert (read.hole.x, read.hole.y) == pytest.approx((480, 360), abs=25)


def test_an_empty_tray_shows_no_floor():
    assert read_cubes(np.asarray(felt(*SIZE))).status is RollStatus.NONE


@pytest.mark.parametrize(
    "picture", [np.zeros((240, 320, 3)), np.full((1, 1, 3), 255), np.zeros((20, 3000, 3))]
)
def test_pictures_of_nothing_are_nothing(picture):
    read = read_cubes(picture.astype(np.uint8))
    assert not read.sure
    assert read.colours == ()


@pytest.mark.slow
def test_a_hand_over_the_floor_is_never_sure():
    picture = floor("blue", "red", "yellow")
    draw_hand(picture, 1.0)
    assert not read_cubes(picture).sure


@pytest.mark.slow
def test_a_warm_and_a_cold_lamp_change_nothing():
    picture = floor("yellow", "white", "red", "brown").astype(np.float32)
    for balance in ((0.75, 0.97, 1.12), (1.12, 1.0, 0.85)):
        lit = np.clip(picture * np.array(balance, np.float32), 0, 255).astype(np.uint8)
        assert read_cubes(lit).colours == ("brown", "red", "white", "yellow")


@pytest.mark.parametrize("factor", [0.7, 1.3])
def test_the_size_of_the_picture_does_not_matter(factor):
    picture = cv2.resize(
        floor("blue", "red", "grey"), None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA
    )
    assert read_cubes(np.asarray(picture, np.uint8)).colours == ("blue", "grey", "red")


@pytest.mark.slow
def test_a_picture_taken_from_very_near_is_read():
    """The first look sees cubes larger than any it knows; the hole tells how large they are."""
    part = floor("blue", "red", "grey")[180:540, 260:740]
    near = cv2.resize(part, None, fx=2.2, fy=2.2, interpolation=cv2.INTER_CUBIC)
    assert read_cubes(np.asarray(near, np.uint8)).colours == ("blue", "grey", "red")


@pytest.mark.slow
def test_a_measured_tray_tells_how_large_cubes_are():
    profile = TrayProfile(((0.01, 0.01), (0.99, 0.01), (0.99, 0.99), (0.01, 0.99)), px_per_mm=3.8)
    assert read_cubes(floor("blue", "red"), profile=profile).colours == ("blue", "red")


def test_the_same_picture_is_read_alike():
    picture = floor("blue", "red", "grey")
    first, second = read_cubes(picture), read_cubes(picture)
    assert first.confidence == second.confidence
    assert first.colours == second.colours


# -- claims and pictures ---------------------------------------------------------------------------


def test_claims_are_fractions_of_the_picture():
    read = judged(place("blue", other="grey", share=0.1), place("red", x=5.0))
    claims = cube_claims(read.cubes, (720, 960, 3))
    assert [(claim.kind, claim.face) for claim in claims] == [(KIND, "blue"), (KIND, "red")]
    assert claims[0].alternatives == ("grey",)
    assert all(0 <= v <= 1 for claim in claims for corner in claim.outline for v in corner)


def test_the_annotated_picture_leaves_the_frame_as_it_is():
    picture = floor("blue")
    frame = Frame(picture.copy(), 0.0, "test")
    read = judged(place("blue"), place("brown", x=500, chance=0.6), place("red", x=800, on_floor=0.0))
    drawn = annotate_cubes(frame, read)
    assert np.array_equal(frame.image, picture)
    assert (drawn != picture).any()
    assert cube_evidence(frame, read).startswith(b"\xff\xd8")


def test_a_large_picture_is_kept_smaller():
    frame = Frame(np.zeros((1500, 2000, 3), np.uint8), 0.0, "test")
    kept = cv2.imdecode(
        np.frombuffer(cube_evidence(frame, judged(place("blue"))), np.uint8), cv2.IMREAD_COLOR
    )
    assert kept.shape == (960, 1280, 3)


def test_counts_in_words():
    assert counted_words(()) == "no cubes"
    assert counted_words(("blue", "red", "blue")) == "2 blue, 1 red"
