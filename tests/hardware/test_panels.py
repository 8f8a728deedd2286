"""A struck panel is found by all of its lower modes, even where the lowest of them is hardly there."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.panels import LOSS, panels

RATE = 48000
BEGIN = 480


def struck(lowest, weights, *, rate=RATE, seconds=0.06, noise=1e-4):
    t = np.arange(int(seconds * rate)) / rate
    sound = noise * np.random.default_rng(1).normal(size=int(0.01 * rate) + len(t))
    for ratio, weight in zip((1.0, 2.5, 4.0, 5.0), weights, strict=True):
        hertz = lowest * ratio
        sound[-len(t) :] += weight * np.sin(2 * np.pi * hertz * t) * np.exp(-np.pi * hertz * LOSS * t)
    return sound


@settings(max_examples=40, deadline=None)
@given(st.floats(190, 500), st.lists(st.floats(0.3, 1.0), min_size=3, max_size=3), st.floats(0.2, 1.0))
def test_the_lowest_mode_is_found_where_others_are_louder(lowest, others, first):
    sound = struck(lowest, (first, *others))
    assert panels(RATE).lowest_hz(sound, BEGIN, len(sound)) == pytest.approx(lowest, rel=0.04)


@pytest.mark.parametrize("rate", [16000, 22050, 44100, 48000, 96000])
def test_any_rate_will_do(rate):
    sound = struck(350.0, (0.5, 0.7, 0.4, 0.3), rate=rate)
    assert panels(rate).lowest_hz(sound, int(0.01 * rate), len(sound)) == pytest.approx(350, rel=0.04)


def test_what_goes_before_the_next_sound_is_enough():
    sound = struck(465.0, (0.5, 0.7, 0.4, 0.3))
    sound[BEGIN + RATE // 100 :] = np.random.default_rng(2).normal(size=len(sound) - BEGIN - RATE // 100)
    assert panels(RATE).lowest_hz(sound, BEGIN, BEGIN + RATE // 100) == pytest.approx(465, rel=0.04)


@pytest.mark.parametrize("until", [0, 1, 50, 191])
def test_too_little_sound_is_no_panel(until):
    assert panels(RATE).lowest_hz(struck(300.0, (1, 1, 1, 1)), BEGIN, BEGIN + until) == 0.0


def test_silence_and_high_tones_are_no_panel():
    assert panels(RATE).lowest_hz(np.zeros(4000), BEGIN, 3000) == 0.0
    t = np.arange(4000) / RATE
    assert panels(RATE).lowest_hz(np.sin(2 * np.pi * 6000 * t), BEGIN, 3000) == 0.0
