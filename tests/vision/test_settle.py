"""When the dice lie still: drawn trays at given times."""

import numpy as np
import pytest

from vision.rendered import draw_die, draw_hand, felt, grain, lit
from vision.settle import Settle, Stillness, small

FELT = felt(640, 480)
GRAIN = grain(640, 480)
DICE = ((120, 110), (300, 120), (470, 330), (220, 350))
MOVING, COVERED, STILL = Stillness.MOVING, Stillness.COVERED, Stillness.STILL


def tray(*, shift=(0.0, 0.0), lamp=1.0, hand=0.0, tick=0, dice=DICE, slope=0.0):
    """A picture of four dice; the first one is moved by ``shift`` px, the light falls off by ``slope``."""
    picture = FELT.copy()
    for n, (x, y) in enumerate(dice):
        dx, dy = shift if n == 0 else (0.0, 0.0)
        draw_die(picture, "white", str(n + 1), (x + dx, y + dy), 20 * n, 40)
    if hand:
        draw_hand(picture, hand)
    if slope:
        light = np.linspace(1 - slope, 1 + slope, picture.shape[1])[None, :, None]
        picture = np.clip(picture * light, 0, 255).astype(np.uint8)
    return small(lit(picture, lamp, GRAIN, tick))


def follow(settle, begin, pictures, fps=15):
    """Show the pictures one after the other; return the scenes."""
    return [settle.see(grey, begin + n / fps) for n, grey in enumerate(pictures)]


def at_rest(settle, begin=0.0, seconds=1.0, **how):
    return follow(settle, begin, [tray(tick=n, **how) for n in range(round(seconds * 15))])


@pytest.mark.slow
@pytest.mark.parametrize("fps", [8, 15, 30, 60])
def test_dice_lie_still_a_fifth_of_a_second_after_the_last_movement_at_any_rate(fps):
    settle = Settle()
    at_rest(settle)
    rolling = [tray(shift=(200 - 8 * n * 15 / fps, 0), tick=n) for n in range(fps)]
    moving = follow(settle, 1.0, rolling, fps)
    assert {scene.stillness for scene in moving} == {MOVING}
    last_s = moving[-1].at
    resting = follow(settle, last_s + 1 / fps, [tray(shift=(80, 0), tick=n) for n in range(fps)], fps)
    still = next(scene for scene in resting if scene.stillness is STILL)
    assert 0.18 <= still.at - last_s <= 0.19 + 2 / fps
    assert still.at - last_s < 0.3 or fps < 15
    assert still.since == pytest.approx(last_s, abs=1.5 / fps)


def test_one_movement_is_counted_once():
    settle = Settle()
    assert at_rest(settle)[-1].movements == 0
    scenes = follow(settle, 1.0, [tray(shift=(10 * n, 0), tick=n) for n in range(10)])
    assert scenes[-1].movements == 1
    assert at_rest(settle, 2.0, shift=(90, 0))[-1].movements == 1
    assert at_rest(settle, 3.0, shift=(60, 0))[-1].movements == 2


@pytest.mark.slow
def test_noise_is_not_movement():
    scenes = at_rest(Settle(), seconds=20)
    assert scenes[-1].movements == 0
    assert [scene.stillness for scene in scenes].count(MOVING) <= 6


@pytest.mark.parametrize("lamp", [0.45, 0.7, 1.25])
def test_a_lamp_is_not_movement(lamp):
    settle = Settle()
    at_rest(settle, dice=())
    assert at_rest(settle, 1.0, dice=(), lamp=lamp)[-1].movements == 0


def test_a_lamp_fading_over_dice_is_not_movement():
    settle = Settle()
    at_rest(settle)
    fading = [tray(lamp=1 - n / 60, tick=n) for n in range(30)]
    assert follow(settle, 1.0, fading)[-1].movements == 0


def test_light_from_one_side_is_not_movement():
    settle = Settle()
    at_rest(settle, lamp=0.7)
    assert at_rest(settle, 1.0, lamp=0.7, slope=0.25)[-1].movements == 0


def test_a_die_pushed_by_a_quarter_of_its_side_is_movement():
    settle = Settle()
    at_rest(settle)
    assert at_rest(settle, 1.0, shift=(10, 0))[-1].movements == 1


def test_a_slow_slide_adds_up():
    settle = Settle()
    at_rest(settle)
    sliding = [tray(shift=(0.4 * n, 0), tick=n) for n in range(45)]
    assert follow(settle, 1.0, sliding)[-1].movements >= 1


@pytest.mark.slow
def test_a_hand_covers_and_when_it_leaves_the_dice_lie_still():
    settle = Settle()
    at_rest(settle)
    entering = follow(settle, 1.0, [tray(hand=n / 5, tick=n) for n in range(1, 6)])
    assert entering[-1].stillness is COVERED
    assert {scene.stillness for scene in at_rest(settle, 1.4, 2.0, hand=1.0)} == {COVERED}
    after = at_rest(settle, 3.5, 1.0)
    assert after[0].stillness is not STILL
    assert after[-1].stillness is STILL


@pytest.mark.slow
def test_what_stays_for_long_is_taken_for_the_tray():
    settle = Settle()
    at_rest(settle)
    scenes = at_rest(settle, 1.0, 6.0, hand=1.0)
    assert scenes[30].stillness is COVERED
    assert scenes[-1].stillness is STILL


def test_dice_at_the_edge_are_not_a_hand():
    settle = Settle()
    at_rest(settle)
    scenes = at_rest(settle, 1.0, dice=(*DICE, (12, 240), (628, 200)))
    assert {scene.stillness for scene in scenes} == {MOVING, STILL}


def test_what_happened_while_no_picture_came_counts():
    settle = Settle()
    at_rest(settle)
    first = settle.see(tray(shift=(100, 0)), 9.0)
    assert (first.stillness, first.movements) == (MOVING, 1)


def test_a_slow_reader_does_not_stir_the_dice():
    settle = Settle()
    at_rest(settle)
    scene = settle.see(tray(), 9.0)
    assert (scene.stillness, scene.movements) == (STILL, 0)


def test_a_picture_of_another_size_begins_anew():
    settle = Settle()
    at_rest(settle)
    first = settle.see(small(felt(480, 640)), 1.0)
    assert (first.stillness, first.movements) == (MOVING, 1)
