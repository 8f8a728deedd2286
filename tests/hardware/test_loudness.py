"""The meter, and the threshold that calibration sets by it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.loudness import METER_S, SILENCE_DB, Level, Loudness, threshold_from
from hardware.sound import Samples

RATE = 16000


def tone(seconds, amplitude):
    return (amplitude * np.sin(np.arange(round(seconds * RATE)) * 0.3)).astype(np.float32)


def test_a_tone_is_as_loud_as_it_is():
    levels = Loudness().feed(Samples(10.0, RATE, tone(0.5, 0.1)))
    assert [level.at for level in levels] == pytest.approx([10 + n * METER_S for n in range(10)])
    assert [level.rms_db for level in levels] == pytest.approx([-23.0] * 10, abs=0.2)
    assert [level.peak_db for level in levels] == pytest.approx([-20.0] * 10, abs=0.1)


def test_silence_and_an_offset_are_silent_and_clipping_is_nought():
    assert Loudness().feed(Samples(0.0, RATE, np.zeros(RATE, np.float32)))[0].rms_db == SILENCE_DB
    assert Loudness().feed(Samples(0.0, RATE, np.full(RATE, 0.5, np.float32)))[0].rms_db < -100
    assert Loudness().feed(Samples(0.0, RATE, np.sign(tone(0.1, 1))))[0].peak_db == pytest.approx(0.0)


@given(st.lists(st.integers(1, 3000), min_size=1, max_size=10))
def test_how_the_sound_is_cut_does_not_matter(cuts):
    sound = np.random.default_rng(1).normal(0, 0.1, sum(cuts)).astype(np.float32)
    whole = Loudness().feed(Samples(0.0, RATE, sound))
    meter, pieces, begun = Loudness(), [], 0
    for cut in cuts:
        pieces += meter.feed(Samples(begun / RATE, RATE, sound[begun : begun + cut]))
        begun += cut
    assert [(p.rms_db, p.peak_db) for p in pieces] == [(w.rms_db, w.peak_db) for w in whole]
    assert [p.at for p in pieces] == pytest.approx([w.at for w in whole])


def levels(db, n=100):
    return [Level(k * METER_S, db, db + 10) for k in range(n)]


def test_the_threshold_stands_over_the_quiet_whatever_talk_does():
    found = threshold_from(levels(-70), levels(-30))
    assert found.least_db == pytest.approx(-64)
    assert found.talk_db == pytest.approx(-30)
    assert not found.over_talk
    assert threshold_from(levels(-40), levels(-38)).over_talk


def test_too_little_to_go_by_is_refused():
    with pytest.raises(ValueError, match="second"):
        threshold_from(levels(-70, 10), levels(-30))
