"""Sound from WAV files that are written here."""

import wave
from itertools import pairwise

import numpy as np
import pytest

from hardware.sound import SoundFault
from hardware.sound_recording import RecordedSound


def written(path, data, *, width=2, rate=16000):
    """Write (frames, channels) of -1 to 1 with that many bytes a sample."""
    numbers = np.round(np.asarray(data) * (2.0 ** (8 * width - 1) - 1)).astype("<i8")
    raw = numbers.reshape(-1, 1).view(np.uint8).reshape(-1, 8)[:, :width].tobytes()
    with wave.open(str(path), "wb") as file:
        file.setnchannels(np.asarray(data).shape[1])
        file.setsampwidth(width)
        file.setframerate(rate)
        file.writeframes(raw)
    return path


def sound(frames=4000, channels=1):
    return np.random.default_rng(1).uniform(-0.9, 0.9, (frames, channels))


def all_of(source):
    source.start()
    pieces = list(iter(lambda: source.next(0), None))
    source.close()
    return pieces


@pytest.mark.parametrize(("width", "step"), [(2, 5e-5), (3, 2e-7), (4, 2e-7)])
def test_every_width_is_read(tmp_path, width, step):
    data = sound()
    pieces = all_of(RecordedSound(written(tmp_path / "a.wav", data, width=width), pace=0))
    assert np.concatenate([p.data for p in pieces]) == pytest.approx(data[:, 0], abs=step)
    assert {p.data.dtype for p in pieces} == {np.dtype(np.float32)}


def test_pieces_join(tmp_path):
    pieces = all_of(RecordedSound(written(tmp_path / "a.wav", sound()), pace=0, monotonic=lambda: 50.0))
    assert pieces[0].at == 50.0
    assert all(b.at == pytest.approx(a.ends) for a, b in pairwise(pieces))
    assert sum(len(p.data) for p in pieces) == 4000


def test_the_louder_of_two_channels_is_heard(tmp_path):
    data = sound(channels=2) * (0.01, 1.0)
    pieces = all_of(RecordedSound(written(tmp_path / "a.wav", data), pace=0))
    assert np.concatenate([p.data for p in pieces]) == pytest.approx(data[:, 1], abs=5e-5)


def test_sound_comes_at_its_pace_and_silence_after_it(tmp_path):
    now = [10.0]
    source = RecordedSound(written(tmp_path / "a.wav", sound(1600)), monotonic=lambda: now[0])
    source.start()
    assert source.next(0) is None
    now[0] = 10.051
    assert source.next(0).at == 10.0
    assert source.next(0) is None
    now[0] = 10.151
    assert source.next(0).at == pytest.approx(10.05)
    silence = source.next(0)
    assert silence.at == pytest.approx(10.1)
    assert not silence.data.any()
    assert source.next(0) is None


def test_it_can_be_played_again(tmp_path):
    source = RecordedSound(written(tmp_path / "a.wav", sound()), pace=0)
    assert len(all_of(source)) == len(all_of(source)) > 0


def test_files_that_are_none_are_named(tmp_path):
    text, short = tmp_path / "text.wav", tmp_path / "short.wav"
    text.write_text("not a recording", encoding="utf-8")
    short.write_bytes(b"RIFF")
    narrow = written(tmp_path / "narrow.wav", sound(), width=1)
    many = written(tmp_path / "many.wav", sound(channels=3))
    for path in (tmp_path / "none.wav", text, short, narrow, many):
        with pytest.raises(SoundFault, match=path.name) as fault:
            RecordedSound(path).start()
        assert fault.value.remedy


def test_what_is_cut_short_is_read_as_far_as_it_goes(tmp_path):
    path = written(tmp_path / "a.wav", sound())
    path.write_bytes(path.read_bytes()[:-1001])
    assert sum(len(p.data) for p in all_of(RecordedSound(path, pace=0))) == 3499


def test_next_before_start_says_so(tmp_path):
    with pytest.raises(SoundFault, match="not open"):
        RecordedSound(tmp_path / "a.wav").next(0)
