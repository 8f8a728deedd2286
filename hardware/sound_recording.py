"""Sound in a WAV file, for replaying what was heard at a tower."""

import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
import numpy.typing as npt

from hardware.intake import LouderChannel
from hardware.sound import Mono, Samples, SoundFault

PIECE_S = 0.05
WIDTHS = (2, 3, 4)
"""Bytes a sample: 16, 24 or 32 bits."""


class RecordedSound:
    """A `SoundSource` that gives a WAV file at the pace at which it was recorded, once; then silence.

    ``pace`` 2 is twice as fast in real time; 0 gives all at once and then nothing. The times are as
    if it had been recorded from the start on. Of two channels the louder is heard.
    """

    def __init__(
        self, path: Path, *, pace: float = 1.0, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self._path = path
        self._pace = pace
        self._monotonic = monotonic
        self._closed = threading.Event()
        self._wave: wave.Wave_read | None = None
        self._begun = 0.0
        self._given = 0

    def start(self) -> None:
        """Open the file. Raises SoundFault naming it and what is wrong."""
        self._wave = opened(self._path)
        self._louder = LouderChannel(self._wave.getframerate())
        self._begun, self._given = self._monotonic(), 0
        self._closed.clear()

    def next(self, wait_s: float) -> Samples | None:
        if self._wave is None:
            raise SoundFault(f"{self._path} is not open.", "Start it first.")
        rate = self._wave.getframerate()
        frames = max(1, round(PIECE_S * rate))
        if self._pace > 0:
            due_s = self._begun + (self._given + frames) / rate / self._pace - self._monotonic()
            if due_s > 0 and (self._closed.wait(min(due_s, wait_s)) or due_s > wait_s):
                return None
        raw = self._wave.readframes(frames)
        data = decoded(raw, self._wave.getsampwidth(), self._wave.getnchannels())
        if not len(data):
            if self._pace == 0:
                self._closed.wait(wait_s)
                return None
            data = np.zeros((frames, 1), np.float32)
        samples = Samples(self._begun + self._given / rate, rate, self._heard(data))
        self._given += len(data)
        return samples

    def close(self) -> None:
        self._closed.set()
        if self._wave is not None:
            self._wave.close()
            self._wave = None

    def _heard(self, data: npt.NDArray[np.float32]) -> Mono:
        return self._louder.pick(data) if data.shape[1] > 1 else data[:, 0]


def opened(path: Path) -> wave.Wave_read:
    """Open a WAV file of 16, 24 or 32 bits, one channel or two. Raises SoundFault."""
    try:
        file = wave.open(str(path), "rb")  # noqa: SIM115 - closed by whoever asked for it
    except (OSError, EOFError, wave.Error) as error:
        why = str(error) or "it ends too soon"
        raise SoundFault(
            f"{path} cannot be read as a WAV file: {why}.", "Choose a WAV file of whole numbers (PCM)."
        ) from error
    bits, channels = 8 * file.getsampwidth(), file.getnchannels()
    if file.getsampwidth() in WIDTHS and channels in {1, 2} and file.getframerate() > 0:
        return file
    file.close()
    raise SoundFault(
        f"{path} has {bits} bits and {channels} channels.",
        "Save it with 16, 24 or 32 bits and one channel or two.",
    )


def decoded(raw: bytes, width: int, channels: int) -> npt.NDArray[np.float32]:
    """Turn little-endian whole numbers of ``width`` bytes into (frames, channels), -1 to 1.

    Bytes that do not fill a last frame are left out.
    """
    raw = raw[: len(raw) // (width * channels) * width * channels]
    if width == 3:
        wide = np.zeros((len(raw) // 3, 4), np.uint8)
        wide[:, 1:] = np.frombuffer(raw, np.uint8).reshape(-1, 3)
        numbers, full = wide.reshape(-1).view("<i4"), 2.0**31
    else:
        numbers, full = np.frombuffer(raw, f"<i{width}"), 2.0 ** (8 * width - 1)
    return (numbers / full).astype(np.float32).reshape(-1, channels)
