"""What lamps, lenses, sensors and files do to training pictures. No torch."""

import numpy as np
import pytest

from calibration.training.augment import disturbed, worn


def half_white() -> np.ndarray:
    image = np.full((64, 64, 3), 40, np.uint8)
    image[:, 32:] = 200
    return image


def test_the_same_seed_spoils_alike() -> None:
    one, other = (disturbed(half_white(), np.random.default_rng(5), blur_px=3.0) for _ in range(2))
    assert (one[0] == other[0]).all()
    assert one[1] == other[1]


def test_some_pictures_are_as_dark_as_night_and_some_are_burnt_out() -> None:
    rng = np.random.default_rng(6)
    grey = np.full((64, 64, 3), 170, np.uint8)
    light = np.array([disturbed(grey, rng, blur_px=3.0, hue=False)[0].mean() for _ in range(400)])
    assert 0.02 < (light < 40).mean() < 0.15
    assert 0.01 < (light > 240).mean() < 0.15
    assert ((light > 90) & (light < 230)).mean() > 0.6


def test_some_pictures_are_far_out_of_focus() -> None:
    """The edge in the middle of a sharp picture is within two columns; a smear of blur_px takes more."""
    rng = np.random.default_rng(7)
    steep = []
    for _ in range(400):
        image, _ = disturbed(half_white(), rng, blur_px=3.0, hue=False)
        rows = image.astype(float).mean(axis=(0, 2))
        steep.append(np.abs(np.diff(rows)[24:40]).max() / max(rows.max() - rows.min(), 1))
    assert 0.01 < (np.array(steep) < 0.2).mean() < 0.2
    assert (np.array(steep) > 0.6).mean() > 0.3


@pytest.mark.parametrize("small_px", [22, 48])
def test_a_small_picture_is_mostly_left_as_it_is_and_its_light_stays(small_px: int) -> None:
    rng = np.random.default_rng(8)
    small = np.full((small_px, small_px, 3), 120, np.uint8)
    spoilt = [worn(small, rng) for _ in range(200)]
    changed = [s for s in spoilt if (s != small).any()]
    assert 0.2 < len(changed) / 200 < 0.6
    assert {s.shape for s in spoilt} == {small.shape}
    assert max(abs(s.mean() - 120) for s in spoilt) < 8


def test_now_and_then_ink_and_body_differ_in_colour_alone() -> None:
    """Two shades of grey come out as two colours that are about as bright; what was white is no more."""
    rng = np.random.default_rng(9)
    alike = []
    for _ in range(600):
        image, true = disturbed(half_white(), rng, blur_px=0.5)
        dark, light = (part.reshape(-1, 3).mean(axis=0) for part in (image[:, 4:28], image[:, 36:60]))
        if np.abs(dark - light).max() > 50 and abs(dark.mean() - light.mean()) < 15:
            alike.append(true)
    assert len(alike) > 5
    assert not any(alike)


def test_arcs_of_gloss_are_narrow_and_bright() -> None:
    rng = np.random.default_rng(10)
    black = np.zeros((64, 64, 3), np.uint8)
    lit = [disturbed(black, rng, blur_px=0.5, hue=False)[0].max(axis=2) > 100 for _ in range(500)]
    arcs = [one for one in lit if one.any() and one.mean() < 0.1]
    assert 45 < len(arcs) < 120  # 32 come from round glares alone
