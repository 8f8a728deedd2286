"""How suddenly sound changes, frame by frame: log-band spectral flux over a noise floor. Pure.

The spectrum of short frames is gathered in bands of a third of an octave; each band is held against
its own noise floor, and the rises of their logarithms are averaged (S. Böck and G. Widmer, "Maximum
filter vibrato suppression for onset detection", DAFx 2013, without its filter).
"""

import numpy as np
import numpy.typing as npt

from hardware.sound import Mono

Floats = npt.NDArray[np.float64]

CHUNK = 32
"""Frames worked on at a time: 43 ms. Always so many, that the figures are the same to the last bit."""

FRAMES_A_SECOND = 750
FRAME_HOPS = 5
"""A frame is five hops long, 6.7 ms, and is weighted so that its middle counts most."""

BANDS_HZ = (180.0, 16000.0)

FLOOR_DB = 10.0
"""Decibels a second by which the noise floor may rise: a fan is known in seconds, a rattle is none."""

_MOST = 1.3
"""No band counts for more than 13 dB: an impact has many bands, a voice or a rumble few."""

_LAG = 4
"""Frames are held against the one so many hops before: shorter than a frame, longer than an attack."""

_LEAST = 1e-9
"""Power in a band of what counts as silence: less than half a step of 16 bits makes."""


class Flux:
    """The flux of one stream of sound of ``rate`` samples a second. Frame n ends with hop n."""

    def __init__(self, rate: int) -> None:
        self.hop = max(1, round(rate / FRAMES_A_SECOND))
        self.size = self.hop * FRAME_HOPS
        self.chunk = self.hop * CHUNK
        self._window = np.hanning(self.size + 2)[1:-1].astype(np.float32)
        self._bands = _bands(self.size, rate)
        self.floor: Floats | None = None
        self._logs: Floats | None = None
        self._carried: Mono | None = None

    def restart(self, floor: Floats | None) -> None:
        """Sound that does not join what was before comes next, in noise like ``floor``."""
        self._logs = self._carried = None
        self.floor = floor

    def rises(self, chunk: Mono) -> Floats:
        """Take in the next ``self.chunk`` samples; return the flux of `CHUNK` frames, powers of ten."""
        first = self._carried is None
        before = np.zeros(self.size - self.hop, np.float32) if self._carried is None else self._carried
        sound = np.concatenate([before, chunk])
        self._carried = sound[-len(before) :]
        frames = np.lib.stride_tricks.sliding_window_view(sound, self.size)[:: self.hop]
        frames = (frames - frames.mean(axis=1, keepdims=True)) * self._window
        spectrum = np.fft.rfft(frames, axis=1)
        power: Floats = (spectrum.real**2 + spectrum.imag**2) @ self._bands
        if first:
            power[: FRAME_HOPS - 1] = power[FRAME_HOPS - 1]
        return self._rises(np.log10(1.0 + power / self._follow(power)))

    def _rises(self, logs: Floats) -> Floats:
        earlier = self._logs if self._logs is not None else np.repeat(logs[:1], _LAG, axis=0)
        joined = np.concatenate([earlier, logs])
        self._logs = joined[-_LAG:]
        rises: Floats = np.clip(logs - joined[:CHUNK], 0.0, _MOST).mean(axis=1)
        return rises

    def _follow(self, power: Floats) -> Floats:
        """Follow the noise: down at once, up by `FLOOR_DB` a second."""
        least = np.partition(power, 6, axis=0)[6] * 2.0 + _LEAST
        before = least if self.floor is None else self.floor
        self.floor = np.minimum(least, before * 10 ** (FLOOR_DB / 10 * CHUNK / FRAMES_A_SECOND))
        return self.floor


def _bands(size: int, rate: int) -> npt.NDArray[np.float32]:
    """Sum bins into bands of a third of an octave, at least a bin wide: shape (bins, bands)."""
    bins = np.arange(size // 2 + 1) * rate / size
    edges = BANDS_HZ[0] * 2.0 ** (np.arange(0, 30) / 3)
    edges = edges[edges <= min(BANDS_HZ[1], 0.46 * rate)]
    which = np.searchsorted(edges, bins, side="right") - 1
    columns = [which == n for n in range(len(edges) - 1)]
    scale = 4 / (size * 0.375) ** 2
    return np.array([c for c in columns if c.any()], np.float32).T * np.float32(scale)
