"""The rehearsed sound: what its parts sound like, and how they are added up."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hardware.acoustics import Sound, panel_hz
from hardware.noises import AT_A_BEAM, GOING_ON, NOISES, noise
from hardware.synthesis import FLOOR_DB, FULL_SCALE_DB, Mixer, Voice, amplitude
from hardware.worlds import ROOF, TABLE

RATES = (16000, 44100, 48000)


def chance(seed=1):
    return np.random.default_rng(seed)


def centroid_hz(sound, rate):
    power = np.abs(np.fft.rfft(sound[: rate // 50])) ** 2
    return float(power @ np.fft.rfftfreq(rate // 50, 1 / rate) / power.sum())


def lowest_hz(sounds, rate):
    """The lowest strong peak of the spectrum of many."""
    power = sum(np.abs(np.fft.rfft(sound[: rate // 10], rate)) ** 2 / np.sum(sound**2) for sound in sounds)
    smooth = np.convolve(power, np.ones(9) / 9, "same")
    peaks = np.flatnonzero((smooth[1:-1] > smooth[:-2]) & (smooth[1:-1] > smooth[2:])) + 1
    return next(hz for hz in peaks if hz > 50 and smooth[hz] > smooth.max() / 6)


@pytest.mark.parametrize("rate", RATES)
@pytest.mark.parametrize("level_db", [40.0, 60.0, 80.0])
def test_an_impact_has_the_level_that_was_asked_for(rate, level_db):
    voice = Voice(chance(), rate)
    for plate in (TABLE, 0, ROOF):
        sound = voice.impact(Sound(0.0, plate, level_db, 1.0, "landing"))
        assert sound.dtype == np.float32
        assert 20 * np.log10(np.abs(sound).max()) == pytest.approx(level_db - FULL_SCALE_DB, abs=1.5)


def test_an_impact_begins_at_once_and_is_gone_in_a_fifth_of_a_second():
    for seed in range(20):
        sound = Voice(chance(seed)).impact(Sound(0.0, 3, 60.0, 1.0, "landing"))
        loudest = np.abs(sound).max()
        assert np.flatnonzero(np.abs(sound) > loudest / 3)[0] < 0.004 * 48000
        assert np.abs(sound[int(0.2 * 48000) :]).max(initial=0.0) < loudest / 30


def test_lower_floors_ring_lower():
    voice = Voice(chance(3))
    for plate in (6, 3, 0):
        many = [voice.impact(Sound(0.0, plate, 60.0, 1.0, "landing")) for _ in range(60)]
        assert lowest_hz(many, 48000) == pytest.approx(panel_hz(plate), rel=0.08)


def test_cubes_sound_brighter_than_bumps_and_knuckles():
    voice, rng = Voice(chance(5)), chance(6)
    cubes = [centroid_hz(voice.impact(Sound(0.0, 4, 60.0, 1.0, "landing")), 48000) for _ in range(40)]
    bumps = [centroid_hz(noise("bump", rng, 48000).sound, 48000) for _ in range(20)]
    knocks = [centroid_hz(noise("knock", rng, 48000).sound, 48000) for _ in range(20)]
    assert np.median(cubes) > 1500
    assert 300 < np.median(knocks) < 1000
    assert np.median(bumps) < 300


def test_too_low_a_rate_is_refused_in_a_sentence():
    with pytest.raises(ValueError, match="take 4000 or more"):
        Voice(chance(), 1000)


@given(st.lists(st.tuples(st.floats(0, 0.5), st.integers(1, 900)), max_size=8), st.integers(1, 999))
@settings(deadline=None, max_examples=60)
def test_pieces_join_to_the_same_sound_whatever_their_length(begun, length):
    whole, parts = (Mixer(chance(2), 1000) for _ in range(2))
    for at, size in begun:
        for mixer in (whole, parts):
            mixer.add(at, np.full(size, 0.01, np.float32))
    joined = np.concatenate([parts.read(min(length, 1000 - n)) for n in range(0, 1000, length)])
    assert np.array_equal(whole.read(1000), joined)


def test_sounds_are_laid_where_they_begin_and_clipped_at_full_scale():
    mixer = Mixer(chance(), 1000, floor_db=-60.0)
    for at, height in ((0.1, 0.25), (0.2, 0.75), (0.2, 0.75)):
        mixer.add(at, np.full(100, height, np.float32))
    sound = mixer.read(500)
    assert np.allclose(sound[:100], 0, atol=1e-3)
    assert np.allclose(sound[100:200], 0.25, atol=1e-3)
    assert np.all(sound[200:300] == 1.0)
    assert np.allclose(sound[300:], 0, atol=1e-3)


def test_what_began_in_the_past_is_heard_from_now_on():
    mixer = Mixer(chance(), 1000, floor_db=-60.0)
    mixer.read(150)
    mixer.add(0.1, lambda: np.arange(100, dtype=np.float32) / 200)
    assert np.allclose(mixer.read(60)[:50], np.arange(50, 100) / 200, atol=1e-3)


def test_quiet_is_the_noise_of_the_room():
    sound = Mixer(chance()).read(48000)
    assert np.std(sound) == pytest.approx(amplitude(FLOOR_DB), rel=0.05)


@pytest.mark.parametrize("kind", sorted(set(NOISES) - AT_A_BEAM))
@pytest.mark.parametrize("rate", RATES)
def test_every_noise_is_heard_and_stays_within_full_scale(kind, rate):
    for seed in range(3):
        made = noise(kind, chance(seed), rate, seconds=2.0 if kind in GOING_ON else 0.0)
        assert made.kind == kind
        assert made.sound.dtype == np.float32
        assert np.all(np.isfinite(made.sound))
        assert 3 * amplitude(FLOOR_DB) < np.abs(made.sound).max() < 1.0
        assert len(made.sound) <= (made.seconds + 0.2) * rate
        if kind in GOING_ON:
            assert made.seconds == pytest.approx(2.0, abs=0.01)


def test_only_what_reaches_into_the_tower_breaks_beams():
    for kind in NOISES:
        made = noise(kind, chance(4), 16000)
        assert bool(made.breaks) == (kind in {"hand", "lift", *AT_A_BEAM})


def test_a_hand_stays_longer_in_the_entry_than_any_cube():
    for seed in range(20):
        for one in noise("hand", chance(seed), 16000).breaks:
            assert one.plate == ROOF
            assert 0.1 <= one.length_s <= 0.83


@pytest.mark.parametrize("floor", range(8))
def test_a_lift_takes_every_beam_above_at_once_and_none_below(floor):
    made = noise("lift", chance(floor), 16000, place=floor)
    assert {one.plate for one in made.breaks} == set(range(floor, 8))
    assert all(one.at <= 0.05 and one.length_s > 0.3 for one in made.breaks)


@pytest.mark.parametrize("kind", sorted(AT_A_BEAM))
def test_what_happens_to_one_beam_is_silent_and_there_only(kind):
    made = noise(kind, chance(2), 16000, place=3)
    assert {one.plate for one in made.breaks} == {3}
    assert len(made.sound) == 0
    pulses = [one.length_s for one in made.breaks]
    assert (len(pulses) > 100 and max(pulses) < 0.0001) if kind == "chatter" else pulses[0] >= 3


def test_an_unknown_noise_names_the_known_ones():
    with pytest.raises(
        ValueError, match="bump, knock, hand, speech, music, keyboard, lift, blocked, chatter"
    ):
        noise("thunder", chance(), 48000)
