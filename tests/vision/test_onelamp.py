"""The colours of dice under one lamp."""

import cv2
import numpy as np
import pytest

from vision.faceheads import COLOURS
from vision.onelamp import UNSEEN, body_light, body_lights, ground_light, linear_of, together

UNDECIDED = np.full(6, 1 / 6)
PAINTS = {
    "green": (66, 146, 74),
    "red": (198, 64, 67),
    "yellow": (240, 198, 64),
    "blue": (63, 104, 190),
    "brown": (121, 83, 65),
    "purple": (128, 70, 151),
}
"""R, G, B as a camera sees them by daylight."""


def light_of(colour: str, level: float = 1.0, warmth: float = 1.0):
    red, green, blue = (np.array(PAINTS[colour]) / 255) ** 2.2 * level * np.array((warmth, 1.0, 1 / warmth))
    crop = np.zeros((64, 64, 3), np.uint8)
    crop[:] = np.round(np.clip(np.array((blue, green, red)), 0, 1) ** (1 / 2.2) * 255)
    return body_light(crop, np.array(((16, 16), (48, 16), (48, 48), (16, 48)), np.float32))


def named(colours, network=None, **lamp):
    said = np.array([UNDECIDED if network is None else row for row in (network or colours)], np.float32)
    told = together(said, np.array([light_of(c, **lamp) for c in colours], np.float32))
    assert told.shape == (len(colours), 6)
    assert told.sum(axis=1) == pytest.approx(1)
    return [COLOURS[n] for n in told.argmax(axis=1)], told


@pytest.mark.parametrize("level", [0.3, 0.6, 1.0])
@pytest.mark.parametrize("warmth", [0.85, 1.0, 1.15])
def test_six_colours_are_told_apart_by_their_light_alone(level, warmth):
    assert named(COLOURS, level=level, warmth=warmth)[0] == list(COLOURS)


def test_the_others_tell_a_dark_die_from_a_dark_room():
    """A brown die is taken for a yellow one by the network; beside a real yellow one it cannot be one."""
    wrong = UNDECIDED * 0.3 + 0.7 * np.eye(6)[COLOURS.index("yellow")]
    sure = np.eye(6)[COLOURS.index("yellow")] * 0.99 + 0.01 / 6
    told, _ = named(("brown", "yellow", "yellow"), network=[wrong, sure, sure])
    assert told == ["brown", "yellow", "yellow"]


def test_dice_of_one_colour_that_look_unlike_are_doubted():
    says_red = 0.9 * np.eye(6)[COLOURS.index("red")] + 0.1 / 6
    _, alike = named(("red", "red"), network=[says_red] * 2)
    _, unlike = named(("red", "purple"), network=[says_red] * 2)
    red = COLOURS.index("red")
    assert unlike[1, red] < alike[1, red]
    assert unlike[0, red] <= alike[0, red] + 1e-6


@pytest.mark.parametrize(("one", "other"), [("brown", "purple"), ("purple", "brown")])
def test_brown_and_purple_are_never_certain_and_leave_the_other_open(one, other):
    certain = np.eye(6)[COLOURS.index(one)]
    told, shares = named((one, "red", "green"), network=[certain, np.eye(6)[1], np.eye(6)[0]])
    assert told == [one, "red", "green"]
    assert shares[0, COLOURS.index(one)] == pytest.approx(0.9)
    assert np.argsort(-shares[0])[1] == COLOURS.index(other)


def test_dice_that_were_shown_may_be_certain():
    certain = np.eye(6, dtype=np.float32)[[COLOURS.index("brown")]]
    light = np.array([light_of("brown")], np.float32)
    assert together(certain, light, shown=True)[0, COLOURS.index("brown")] > 0.95


def test_a_die_too_small_to_see_is_left_to_the_network():
    crop = np.zeros((64, 64, 3), np.uint8)
    tiny = body_light(crop, np.array(((30, 30), (32, 30), (32, 32), (30, 32)), np.float32))
    assert np.isnan(tiny).all()
    network = np.array([[0.1, 0.5, 0.1, 0.1, 0.1, 0.1]] * 2, np.float32)
    told = together(network, np.array([UNSEEN, UNSEEN], np.float32))
    assert list(told.argmax(axis=1)) == [1, 1]
    assert together(network[:0], np.zeros((0, 3), np.float32)).shape == (0, 6)


def test_nine_dice_are_judged_too():
    colours = (*COLOURS, "red", "blue", "green")
    assert named(colours)[0] == list(colours)


def test_the_surface_is_what_lies_between_the_dice():
    image = np.full((480, 640, 3), (40, 120, 60), np.uint8)
    outlines = [np.array(((x, 100), (x + 60, 100), (x + 60, 160), (x, 160)), np.float32) for x in (50, 300)]
    empty = ground_light(image, [])
    for outline in outlines:
        cv2.fillConvexPoly(image, outline.astype(np.int32), (20, 20, 220))
    assert ground_light(image, outlines) == empty
    assert np.isnan(ground_light(image, [np.array(((0, 0), (640, 0), (640, 480), (0, 480)))])).all()
    red, green, blue = linear_of(body_lights(image, outlines)[0])
    assert red == pytest.approx((220 / 255) ** 2.2, abs=0.03)
    assert green == blue == pytest.approx(0.007, abs=0.001)
    assert body_lights(image, []).shape == (0, 3)
