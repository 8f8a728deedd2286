"""The lowest mode of a struck square panel, judged by all of its lower modes at once. Pure.

Which mode rings loudest depends on the place that is struck, so the lowest strong peak of a spectrum is
often the second or third mode. But the modes of a square panel have known ratios, (m2 + n2) / 2 (A. W.
Leissa, Vibration of Plates, NASA SP-160, 1969): for each lowest mode that may be, damped waves at these
ratios are fitted by least squares, and the one that leaves least wins.
"""

from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
import numpy.typing as npt

RATIOS: Final = (1.0, 2.5, 4.0, 5.0, 6.5, 8.5)
LOSS: Final = 0.06
"""Of thick card board; a panel of 0.035 or 0.1 is found nearly as often."""

LOWEST_HZ: Final = 140.0
HIGHEST_HZ: Final = 1100.0
STEP: Final = 0.025
"""Lowest modes that are tried, and the logarithm of the ratio of two neighbours."""

UNTIL_HZ: Final = 2600.0
STRONG_HZ: Final = 2200.0
"""What has no strong mode below this is no panel."""

LENGTHS_S: Final = (0.004, 0.006, 0.01, 0.016, 0.025, 0.04)
"""Only so much of the beginning is fitted: the longest of these before something else sounds."""

COST: Final = 3.0
"""What each wave must explain, in nats; more waves always leave less."""

LEAST_SHARE: Final = 0.04
"""What a panel explains of the energy at least; less, and it was something else."""

_RATE: Final = 6000
_NOISE: Final = 0.02
_CUT: Final = 0.9
_TAPS: Final = 8
_ALIKE: Final = 1e-2

_Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class _Fits:
    """For one length: waves of every lowest mode, made orthonormal (lowest modes, samples, waves)."""

    waves: _Floats
    counts: _Floats


@dataclass(frozen=True, slots=True)
class Panels:
    """Finds panels in sound of one rate."""

    step: int
    low_pass: _Floats
    tried_hz: _Floats
    fits: tuple[tuple[int, _Fits], ...]

    def lowest_hz(self, sound: npt.NDArray[np.floating], attack: int, until: int) -> float:
        """Lowest mode of the panel in ``sound`` from sample ``attack`` to ``until``; 0 if there is none."""
        margin = len(self.low_pass) // 2
        begin = max(0, attack - margin)
        some = np.asarray(sound[begin:until], np.float64)
        length, fits = next(
            ((n, one) for n, one in self.fits if n * self.step <= until - attack), (0, None)
        )
        if fits is None or len(some) < len(self.low_pass):
            return 0.0
        first = attack - begin
        heard = np.convolve(some, self.low_pass, "same")[first :: self.step][:length]
        whole = float((some[first : first + length * self.step] ** 2).sum()) / self.step
        power = float((heard**2).sum())
        explained = (np.matmul(heard, fits.waves) ** 2).sum(axis=1)
        left = np.log(np.maximum(1 - explained / (power + 1e-20), 0.0) + _NOISE)
        best = int(np.argmin(left * length / 2 + COST * fits.counts))
        return float(self.tried_hz[best]) if explained[best] > LEAST_SHARE * whole else 0.0


@cache
def panels(rate: int) -> Panels:
    """What finds panels in sound of ``rate`` samples a second; made once for each rate."""
    step = max(1, round(rate / _RATE))
    slow = rate / step
    n = np.arange(-_TAPS * step, _TAPS * step + 1)
    low_pass = np.sinc(n / step * _CUT) * np.hanning(len(n) + 2)[1:-1]
    tried = np.exp(np.arange(np.log(LOWEST_HZ), np.log(HIGHEST_HZ), STEP))
    lengths = [round(seconds * slow) for seconds in reversed(LENGTHS_S)]
    return Panels(
        step,
        low_pass / low_pass.sum() if step > 1 else np.ones(1),
        tried,
        tuple((length, _fits(tried, length, slow)) for length in lengths),
    )


def _fits(tried: _Floats, length: int, rate: float) -> _Fits:
    seconds = np.arange(length) / rate
    waves = np.zeros((len(tried), length, 2 * len(RATIOS)))
    counts = np.zeros(len(tried))
    for n, lowest in enumerate(tried):
        hertz = np.array([lowest * ratio for ratio in RATIOS])
        hertz = hertz[hertz < min(UNTIL_HZ, 0.45 * rate)]
        ringing = np.exp(np.outer(seconds, hertz) * complex(-np.pi * LOSS, 2 * np.pi))
        basis, sizes, _ = np.linalg.svd(np.hstack([ringing.real, ringing.imag]), full_matrices=False)
        basis = basis[:, sizes > _ALIKE * sizes[0]]
        counts[n] = basis.shape[1]
        waves[n, :, : basis.shape[1]] = basis
    return _Fits(waves, counts)
