"""Onsets in sound that is made here: clicks and modes in noise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.onsets import OnsetDetector, OnsetLimits
from hardware.sound import Samples

RATE = 48000
LONG_S = 2.0
HITS = (0.3, 0.345, 0.61, 1.2, 1.9)


def noise(seconds, rate=RATE, db=-66, seed=1):
    return np.random.default_rng(seed).normal(0, 10 ** (db / 20), round(seconds * rate)).astype(np.float32)


def add(sound, at, *, rate=RATE, peak=0.3, pitch=1800, tau=0.005, click=0.5):
    """Add one impact: a mode that dies away, and a click of a millisecond."""
    n = round(at * rate)
    t = np.arange(min(len(sound) - n, rate // 5)) / rate
    burst = np.random.default_rng(n).normal(0, 0.5, len(t)) * np.exp(-t / 0.001)
    sound[n : n + len(t)] += peak * (np.sin(2 * np.pi * pitch * t) * np.exp(-t / tau) + click * burst)
    return sound


def evening(rate=RATE, hits=HITS, seconds=LONG_S, **impact):
    sound = noise(seconds, rate)
    for at in hits:
        add(sound, at, rate=rate, **impact)
    return sound.astype(np.float32)


def heard(sound, rate=RATE, at=0.0, limits=None):
    detector = OnsetDetector(rate, limits)
    return [*detector.feed(Samples(at, rate, sound)), *detector.flush()]


@pytest.mark.parametrize("rate", [16000, 44100, 48000, 96000])
def test_each_impact_is_heard_at_its_time(rate):
    pitch = min(1800, rate / 6)
    onsets = heard(evening(rate, pitch=pitch), rate, at=1000.0)
    assert [o.at - 1000 for o in onsets] == pytest.approx(HITS, abs=0.0015)


@pytest.mark.slow
@given(cuts=st.lists(st.integers(1, round(LONG_S * RATE) - 1), max_size=40), at=st.sampled_from([0.0, 5e4]))
@settings(max_examples=25)
def test_how_the_sound_is_cut_does_not_matter(cuts, at):
    sound = evening()
    whole = heard(sound, at=at)
    detector = OnsetDetector(RATE)
    pieces, begun = [], 0
    for end in [*sorted(set(cuts)), len(sound)]:
        pieces += detector.feed(Samples(at + begun / RATE, RATE, sound[begun:end]))
        begun = end
    pieces += detector.flush()
    assert [(o.level_db, o.centroid_hz, o.pitch_hz, o.decay_s) for o in pieces] == [
        (o.level_db, o.centroid_hz, o.pitch_hz, o.decay_s) for o in whole
    ]
    assert [o.at for o in pieces] == pytest.approx([o.at for o in whole], abs=1e-6)


def test_silence_and_steady_noise_have_no_onsets():
    assert heard(np.zeros(RATE * 3, np.float32)) == []
    assert heard(noise(10)) == []
    assert heard(noise(10, db=-30)) == []


def test_an_empty_stream_is_nothing():
    detector = OnsetDetector(RATE)
    assert detector.flush() == ()
    assert detector.feed(Samples(0.0, RATE, np.zeros(0, np.float32))) == ()
    assert detector.flush() == ()


def test_a_steady_offset_changes_nothing():
    plain, shifted = heard(evening()), heard(evening() + np.float32(0.2))
    assert [o.at for o in shifted] == pytest.approx([o.at for o in plain], abs=1e-4)
    assert [o.level_db for o in shifted] == pytest.approx([o.level_db for o in plain], abs=0.5)


def test_clipped_impacts_are_still_one_each():
    onsets = heard(np.clip(evening(peak=8.0), -1, 1))
    assert [o.at for o in onsets] == pytest.approx(HITS, abs=0.0015)
    assert all(o.level_db > -10 for o in onsets)


def test_a_very_quiet_microphone_is_heard():
    """24 bits in 32 that are read as 32: everything is 30 to 50 dB down."""
    onsets = heard(evening() * np.float32(0.01))
    assert [o.at for o in onsets] == pytest.approx(HITS, abs=0.0015)
    assert onsets[0].level_db == pytest.approx(heard(evening())[0].level_db - 40, abs=0.5)


def test_the_last_bit_flickering_is_not_heard():
    sound = np.zeros(RATE, np.float32)
    sound[::4801] = 1 / 32768
    assert heard(sound) == []


def test_what_is_quieter_than_the_limit_is_left_out():
    """Dull sounds are not left out sooner than bright ones."""
    for pitch in (300, 3000):
        level = heard(evening(hits=(0.5,), pitch=pitch))[0].level_db
        assert heard(evening(hits=(0.5,), pitch=pitch), limits=OnsetLimits(quietest_db=level + 0.1)) == []
        assert heard(evening(hits=(0.5,), pitch=pitch), limits=OnsetLimits(quietest_db=level - 0.1))


def test_samples_that_are_no_numbers_do_not_make_it_deaf():
    sound = evening()
    sound[RATE : RATE + 20] = (np.nan, np.inf) * 10
    assert {1.2, 1.9} <= {round(o.at, 2) for o in heard(sound)}


def test_missing_sound_is_a_gap_in_time_and_no_onset():
    sound = evening()
    detector = OnsetDetector(RATE)
    first = detector.feed(Samples(0.0, RATE, sound[:RATE]))
    rest = [*detector.feed(Samples(1.5, RATE, sound[RATE:])), *detector.flush()]
    assert [o.at for o in [*first, *rest]] == pytest.approx([0.3, 0.345, 0.61, 1.7, 2.4], abs=0.0015)


def test_another_rate_is_refused():
    with pytest.raises(ValueError, match="44100"):
        OnsetDetector(RATE).feed(Samples(0.0, 44100, np.zeros(10, np.float32)))


def test_wood_is_told_from_a_knuckle():
    wood = heard(evening(hits=(0.5,), pitch=2500, tau=0.003))[0]
    knuckle = heard(evening(hits=(0.5,), pitch=300, tau=0.03))[0]
    assert wood.centroid_hz > 1200 > knuckle.centroid_hz
    assert wood.decay_s < 0.015 < knuckle.decay_s
    assert wood.pitch_hz == pytest.approx(2500, rel=0.05)
    assert knuckle.pitch_hz == pytest.approx(300, rel=0.05)


@pytest.mark.parametrize("tau", [0.002, 0.005, 0.012, 0.03])
def test_decay_is_the_time_constant(tau):
    for onset in heard(evening(hits=(0.5, 1.0), pitch=2000, tau=tau, click=0.0)):
        assert onset.decay_s == pytest.approx(tau, rel=0.2)


def test_a_voice_does_not_decay():
    """Pulses of the glottis, each of which dies away, for a tenth of a second."""
    sound = noise(1.0)
    for n in range(12):
        add(sound, 0.5 + n * 0.008, pitch=700, tau=0.002, peak=0.1, click=0.0)
    voice = heard(sound.astype(np.float32))
    assert voice[0].decay_s > 0.015 or len(voice) > 3


def test_twice_as_loud_is_six_decibels():
    soft, loud = heard(evening(peak=0.1)), heard(evening(peak=0.2))
    assert [b.level_db - a.level_db for a, b in zip(soft, loud, strict=True)] == pytest.approx(
        [6] * 5, abs=1
    )


@pytest.mark.slow
def test_listening_leaves_nothing_behind():
    """What is held after a minute is held after a quarter of an hour; bench_onsets.py hears a day."""
    detector, sizes = OnsetDetector(8000), set()
    piece = evening(8000, seconds=4.0, hits=(0.5, 2.0), pitch=1300)
    for n in range(225):
        detector.feed(Samples(4.0 * n, 8000, piece))
        if n % 11 == 10:  # whole chunks of 352 samples: as many wait each time
            stream = detector._stream
            held = (stream.recent, stream.flux, stream.anchors, stream.pending, stream.waiting)
            sizes.add(tuple(map(len, held)))
    assert len(sizes) == 1


def test_after_a_day_times_are_as_exact():
    begun = 86400.0
    onsets = heard(evening(), at=begun)
    detector = OnsetDetector(RATE)
    detector._stream.heard = detector._stream.end = 86400 * RATE
    detector._stream.next_frame = 86400 * RATE // detector._flux.hop
    later = [*detector.feed(Samples(begun, RATE, evening())), *detector.flush()]
    assert [o.at for o in later] == pytest.approx([o.at for o in onsets], abs=1e-6)
