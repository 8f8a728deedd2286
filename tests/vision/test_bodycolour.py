"""How far a body is from white, and what that says of dice under one lamp."""

import numpy as np
import pytest

from drawn import BLACK, BLUE, IVORY, PALE, RED, draw, table
from vision.bodycolour import LIMIT, colourfulness, whiteness

CORNERS = np.array(((12, 12), (52, 12), (52, 52), (12, 52)), np.float32)


def tint(body, ink) -> float:
    crop = table(64, 64)
    draw(crop, "5", (32, 32), side=40, body=body, ink=ink)
    return colourfulness(crop, CORNERS)


def test_ivory_is_white_and_the_others_are_not() -> None:
    assert tint(IVORY, BLACK) < LIMIT < min(tint(RED, PALE), tint(BLUE, PALE), tint(BLACK, PALE))


def test_a_face_of_hardly_a_pixel_says_nothing() -> None:
    assert colourfulness(table(64, 64), CORNERS * 0.02) == LIMIT


def test_under_a_warm_lamp_the_palest_is_still_white() -> None:
    unsure = np.full(3, 0.5, np.float32)
    warm = whiteness(unsure, np.array((0.27, 0.36, 0.9), np.float32))
    assert list(warm > 0.5) == [True, True, False]
    assert whiteness(unsure[:1], np.array((0.36,), np.float32)) < 0.5


def test_dark_dice_only_are_all_coloured() -> None:
    told = whiteness(np.full(2, 0.8, np.float32), np.array((0.8, 0.9), np.float32))
    assert (told < 0.5).all()


@pytest.mark.parametrize("network", [0.0, 1.0])
def test_neither_opinion_is_certain_alone(network: float) -> None:
    (told,) = whiteness(np.array((network,), np.float32), np.array((LIMIT,), np.float32))
    assert 0.02 < told < 0.98
