"""What one impact sounds like: its attack, level, spectrum, pitch and decay. Pure.

Small wooden things die away within 15 ms and lie above 1.2 kHz; knuckles, bumps and voices do not.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from hardware.panels import STRONG_HZ, panels
from hardware.sound import Mono, Onset

_Floats = npt.NDArray[np.float64]

SHORT_S = 0.001
"""Energy is compared in windows of this length on both sides of an attack."""

EMPHASIS_HZ = 1000.0
"""Below this, sound counts for less in finding an attack: hum and rumble lie there."""

SEARCH_S = (0.009, 0.006)
"""How far before and after the peak of the flux the attack is sought."""

DECAY_S = (0.0005, 0.1)
FALL_DB = 5.0
"""Of 5, 7 and 10 dB this told wood from speech best, on every fourth recording of speech."""

HEARD_S = 0.06
"""So much after the attack is listened to."""


@dataclass(slots=True)
class Ear:
    """Measures impacts in sound of ``rate`` samples a second."""

    rate: int
    needs: int = field(init=False)
    _emphasis: float = field(init=False)

    def __post_init__(self) -> None:
        self._emphasis = float(np.exp(-2 * np.pi * EMPHASIS_HZ / self.rate))
        self.needs = int(HEARD_S * self.rate)

    def attack(self, sound: Mono, near: int, rise_db: float) -> tuple[int, float] | None:
        """Find where energy rises most steeply around sample ``near``, and the level there in dB.

        None if it rises by less than ``rise_db``. The level is of the first 2 ms above `EMPHASIS_HZ`.
        """
        short = max(2, round(SHORT_S * self.rate))
        begin = max(0, near - round(SEARCH_S[0] * self.rate) - 2 * short)
        end = min(len(sound), near + round(SEARCH_S[1] * self.rate) + 2 * short)
        if end - begin < 6 * short:
            return None
        whole = sound[begin:end].astype(np.float64)
        part = whole[1:] - self._emphasis * whole[:-1] - (1 - self._emphasis) * whole.mean()
        energy = np.concatenate([[0.0], np.cumsum(part**2)])
        sums = energy[short:] - energy[:-short]
        before, after = _running_max(sums[:-short], 2 * short), sums[short:]
        least = short * 1e-11
        ratio = (after + least) / (before + least) * np.sqrt(after / (after.max() + least))
        n = int(np.argmax(ratio[2 * short : len(ratio) - short])) + 2 * short
        if 10 * np.log10((after[n] + least) / (before[n] + least)) < rise_db:
            return None
        loud = part[n + short : n + 2 * short] ** 2
        attack = n + short + int(np.argmax(loud >= 0.1 * loud.max()))
        heard = part[attack : attack + 2 * short]
        return begin + attack, 10 * float(np.log10(heard.var() + 1e-16))

    def features(self, sound: Mono, attack: int, until: int, at: float) -> Onset:
        """Measure the impact at sample ``attack``, of which ``until`` samples belong to nothing else."""
        heard = sound[attack : attack + min(self.needs, max(until, self.rate // 250))].astype(np.float64)
        before = sound[max(0, attack - self.needs) : attack]
        heard = heard - (float(before.mean()) if len(before) >= self.needs // 2 else float(heard.mean()))
        energy = self._envelope(heard)
        loudest = float(energy[: max(1, round(0.016 * self.rate))].max())
        return Onset(
            at,
            10 * float(np.log10(loudest + 1e-16)),
            self._centroid(heard[: round(0.02 * self.rate)]),
            self._pitch(sound, attack, heard),
            self._decay(heard, _least_power(before, round(0.005 * self.rate))),
        )

    def _envelope(self, heard: _Floats) -> _Floats:
        width = min(len(heard), round(0.005 * self.rate))
        sums = np.concatenate([[0.0], np.cumsum(heard**2)])
        envelope: _Floats = (sums[width:] - sums[:-width]) / width
        return envelope

    def _centroid(self, heard: _Floats) -> float:
        power = np.abs(np.fft.rfft(heard, 1024)) ** 2
        hertz = np.fft.rfftfreq(1024, 1 / self.rate)
        power[hertz < 60] = 0.0
        return float((power @ hertz) / (power.sum() + 1e-20))

    def _pitch(self, sound: Mono, attack: int, heard: _Floats) -> float:
        """The lowest mode of a panel, or the lowest strong one if it is too high for a panel's."""
        peak = self._peak(heard)
        panel = 0.0 if peak > STRONG_HZ else panels(self.rate).lowest_hz(sound, attack, attack + len(heard))
        return panel or peak

    def _peak(self, heard: _Floats) -> float:
        fade = np.hanning(2 * len(heard))[len(heard) :]
        size = 8192
        power = np.abs(np.fft.rfft(heard * fade, size)) ** 2
        hertz = np.fft.rfftfreq(size, 1 / self.rate)
        lowest = max(80.0, 2.0 * self.rate / len(heard))
        low, high = np.searchsorted(hertz, (lowest, min(4000.0, 0.45 * self.rate)))
        if high - low < 3:
            return 0.0
        part = power[low:high]
        peak = (part[1:-1] >= part[:-2]) & (part[1:-1] > part[2:]) & (part[1:-1] > part.max() / 10)
        strong = np.flatnonzero(peak & (part[1:-1] > 4 * np.median(part))) + 1
        return float(hertz[low + strong[0]]) if len(strong) else 0.0

    def _decay(self, heard: _Floats, noise: float) -> float:
        """Time constant by the energy that is still to come (M. R. Schroeder, JASA 37, 1965).

        It falls by `FALL_DB` in 0.58 time constants; what goes on, such as a voice, falls late.
        ``noise`` is the mean power that was there before.
        """
        power = heard**2 - noise
        peak = int(np.argmax(np.convolve(power[: round(0.02 * self.rate)], np.ones(8), "same")))
        to_come = np.cumsum(power[peak:][::-1])[::-1]
        fallen = np.flatnonzero(to_come < 10 ** (-FALL_DB / 10) * to_come[0])
        length = int(fallen[0]) if len(fallen) else len(to_come)
        return float(np.clip(length / self.rate * 8.686 / FALL_DB, *DECAY_S))


def _running_max(values: _Floats, width: int) -> _Floats:
    """Return the largest of each value and the ``width`` before it, in coarse steps."""
    out = values.copy()
    for back in (width // 4, width // 2, 3 * width // 4, width):
        out[back:] = np.maximum(out[back:], values[: len(values) - back])
    return out


def _least_power(before: Mono, width: int) -> float:
    """Return the power of the quietest ``width`` samples of what came before; 0 if there is too little."""
    count = len(before) // width
    if count == 0:
        return 0.0
    return float(before[-count * width :].astype(np.float64).reshape(count, width).var(axis=1).min())
