"""Pictures in which no dice can be read: dark, bright, blurred."""

import random

import cv2
import numpy as np
import pytest

from vision.rehearsal import RehearsalTray
from vision.settle import small
from vision.sight import LASTING_S, WORDS, Sight, Sighted, edge_px

TRAY = RehearsalTray(chance=random.Random(3), monotonic=lambda: 0.0).frame(100.0).image
FPS = 15


def looked(image, seconds, *, sighted=None, begin=0.0):
    sighted = sighted or Sighted()
    said = []
    for n in range(round(seconds * FPS)):
        at = begin + n / FPS
        sighted.light(small(image), at)
        said.append(sighted.sharp(image, at))
    return said


def lit(factor, offset=0):
    return np.clip(TRAY * factor + offset, 0, 255).astype(np.uint8)


@pytest.mark.parametrize("image", [TRAY, lit(0.5), lit(1.2)])
def test_a_good_picture_is_clear(image):
    assert set(looked(image, 4)) == {Sight.CLEAR}


@pytest.mark.parametrize(
    ("image", "sight"),
    [
        (lit(0.12), Sight.DARK),
        (lit(1.0, 210), Sight.BRIGHT),
        (cv2.GaussianBlur(TRAY, (0, 0), 5), Sight.BLURRED),
    ],
)
def test_a_bad_picture_is_named_once_it_lasts_and_is_over_at_once(image, sight):
    sighted = Sighted()
    said = looked(image, 3, sighted=sighted)
    assert said[round(LASTING_S * FPS) - 2] is Sight.CLEAR
    assert said[-1] is sight
    assert set(looked(TRAY, 0.2, sighted=sighted, begin=3.0)) == {Sight.CLEAR}
    text, remedy = WORDS[sight]
    assert text.endswith(".")
    assert remedy


def test_a_passing_shadow_is_not_told():
    sighted = Sighted()
    assert set(looked(lit(0.1), 1, sighted=sighted)) == {Sight.CLEAR}
    assert set(looked(TRAY, 1, sighted=sighted, begin=1.0)) == {Sight.CLEAR}


def test_the_width_of_edges_grows_with_blur_whatever_the_light():
    widths = [edge_px(cv2.GaussianBlur(TRAY, (0, 0), s) if s else TRAY) for s in (0, 2, 4, 7)]
    assert widths == sorted(widths)
    assert widths[0] < 3
    assert edge_px(lit(0.6)) == pytest.approx(widths[0], rel=0.25)


def test_an_empty_tray_says_nothing_of_sharpness():
    assert edge_px(np.full((480, 640, 3), 60, np.uint8)) is None
