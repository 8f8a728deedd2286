"""Recorded sound: a WAV file of one channel, read piece by piece."""

import wave
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np

from hardware.sound import Mono, Samples

RATES: Final = (8000, 192000)
PIECE_S: Final = 0.05


class SoundFileError(ValueError):
    """A sound file cannot be used; the text names it, what is wrong and what helps."""


class SoundFile:
    """A WAV file with 8, 16, 24 or 32 bits, one channel, its first sample at 0 s. Raises SoundFileError."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            with wave.open(str(path), "rb") as file:
                self.rate, channels = file.getframerate(), file.getnchannels()
        except (OSError, EOFError, wave.Error) as error:
            raise SoundFileError(
                f"{path} cannot be read as a WAV file: {error or 'it is cut short'}."
            ) from error
        if channels != 1:
            raise SoundFileError(f"{path} has {channels} channels: save one of them alone.")
        if not RATES[0] <= self.rate <= RATES[1]:
            raise SoundFileError(
                f"{path} has {self.rate} samples a second: {RATES[0]} to {RATES[1]} can be used."
            )

    def pieces(self) -> Iterator[Samples]:
        """The sound, a twentieth of a second at a time. Raises SoundFileError."""
        with wave.open(str(self.path), "rb") as file:
            width, length, begin = file.getsampwidth(), max(1, int(PIECE_S * self.rate)), 0
            while raw := file.readframes(length):
                data = _decoded(raw[: len(raw) // width * width], width)
                yield Samples(begin / self.rate, self.rate, data)
                begin += len(data)


def _decoded(raw: bytes, width: int) -> Mono:
    """Little-endian integers of that many bytes, as float32 from -1 to 1."""
    if width == 1:
        return np.asarray((np.frombuffer(raw, np.uint8) - 128.0) / 128.0, np.float32)
    if width == 3:
        bytes_ = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        padded = np.zeros((len(bytes_), 4), np.uint8)
        padded[:, 1:] = bytes_
        return np.asarray(padded.view("<i4").ravel() / np.float32(2**31), np.float32)
    scale = np.float32(2 ** (8 * width - 1))
    return np.asarray(np.frombuffer(raw, f"<i{width}") / scale, np.float32)
