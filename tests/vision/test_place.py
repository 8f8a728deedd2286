"""Whether the camera or the tray was moved: drawn trays, shifted, turned, lit and covered."""

import random

import cv2
import numpy as np
import pytest

from clothed import MARKED, tray
from vision.place import SMALL_SHARE, Moved, Place
from vision.rehearsal import SIZE_PX, RehearsalTray
from vision.rendered import draw_hand
from vision.settle import small

WHOLE = ((0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0))


def seen(picture, shift=(0.0, 0.0), degrees=0.0, light=1.0, noise=1):
    height, width = picture.shape[:2]
    turn = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, 1.0)
    turn[:, 2] += shift
    moved = cv2.warpAffine(picture, turn, (width, height), borderMode=cv2.BORDER_REFLECT)
    grain = np.random.default_rng(noise).normal(0, 2, moved.shape)
    return small(np.clip(moved * light + grain, 0, 255).astype(np.uint8), 320)


def place(corners=MARKED, picture=None, **how):
    remembered = Place(corners, **how)
    assert remembered.see(seen(tray() if picture is None else picture)).moved is Moved.UNKNOWN
    return remembered


@pytest.mark.parametrize("corners", [WHOLE, MARKED])
@pytest.mark.parametrize("light", [0.4, 0.7, 1.0, 1.3])
def test_a_tray_that_stays_is_steady_in_any_light(corners, light):
    assert place(corners).see(seen(tray(), light=light, noise=2)).moved is Moved.STEADY


@pytest.mark.parametrize(("shift", "degrees"), [((12, 0), 0), ((-20, 14), 0), ((9, 5), 1.5), ((40, 0), 0)])
def test_a_small_push_is_measured(shift, degrees):
    found = place().see(seen(tray(), shift, degrees))
    assert found.moved is Moved.FOLLOWED
    assert found.matrix[:, 2] * SIZE_PX[0] == pytest.approx(
        cv2.getRotationMatrix2D((SIZE_PX[0] / 2, SIZE_PX[1] / 2), degrees, 1.0)[:, 2] + shift, abs=3
    )
    assert found.share <= SMALL_SHARE


@pytest.mark.parametrize(("shift", "degrees"), [((90, 0), 0), ((0, 0), 14), ((60, 40), 5)])
def test_a_large_push_is_named(shift, degrees):
    assert place().see(seen(tray(), shift, degrees)).moved in (Moved.AWAY, Moved.UNKNOWN)
    assert place().see(seen(tray(), (90, 0))).moved is Moved.AWAY


def test_a_camera_that_looks_elsewhere_is_away_but_one_in_the_dark_is_not():
    other = np.random.default_rng(5).integers(60, 200, (24, 32, 3)).astype(np.uint8)
    elsewhere = cv2.resize(other, SIZE_PX, interpolation=cv2.INTER_CUBIC)
    assert place().see(seen(elsewhere)).moved is Moved.AWAY
    assert place().see(seen(tray(), light=0.02)).moved is Moved.UNKNOWN


@pytest.mark.parametrize("corners", [WHOLE, MARKED])
@pytest.mark.parametrize("seed", range(2, 8))
def test_thrown_dice_move_nothing(corners, seed):
    assert place(corners).see(seen(tray(seed))).moved is Moved.STEADY


@pytest.mark.parametrize("seed", range(2, 12))
def test_thrown_dice_on_plain_felt_say_nothing_of_the_camera(seed):
    def plain(seed):
        return RehearsalTray(chance=random.Random(seed), monotonic=lambda: 0.0).frame(100.0).image

    found = place(WHOLE, plain(1), unmarked=True).see(seen(plain(seed)))
    assert found.moved in (Moved.UNKNOWN, Moved.STEADY)


def test_a_hand_over_the_tray_is_no_move():
    picture = tray()
    draw_hand(picture, 0.8)
    assert place().see(seen(picture)).moved in (Moved.STEADY, Moved.UNKNOWN)


def test_a_push_and_a_throw_at_once_are_told_apart():
    found = place().see(seen(tray(9), (15, 6)))
    assert found.moved is Moved.FOLLOWED
    assert found.matrix[:, 2] * SIZE_PX[0] == pytest.approx((15, 6), abs=2)


def test_a_tray_that_is_put_back_is_steady_again():
    remembered = place()
    assert remembered.see(seen(tray(), (90, 0))).moved is Moved.AWAY
    assert remembered.see(seen(tray(), (1, 0))).moved is Moved.STEADY


def test_without_a_marked_tray_every_measured_push_is_followed():
    assert place(WHOLE).see(seen(tray(), (63, 0))).moved is Moved.AWAY
    assert place(WHOLE, unmarked=True).see(seen(tray(), (63, 0))).moved is Moved.FOLLOWED
