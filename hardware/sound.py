"""Sound of a microphone, what is heard in it, and where it comes from."""

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

Mono = npt.NDArray[np.float32]
"""One channel, shape (n,), full scale -1 to 1."""


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """A piece of sound: ``at`` is the monotonic time in seconds of its first sample.

    ``rate`` is in samples a second; ``data`` is float32, shape (n,), one channel, full scale -1 to 1.
    """

    at: float
    rate: int
    data: Mono

    @property
    def ends(self) -> float:
        """When the sample after the last one is due, in monotonic seconds."""
        return self.at + len(self.data) / self.rate


@dataclass(frozen=True, slots=True)
class Onset:
    """Something began to sound: an impact, as far as it can be heard.

    ``at``: monotonic seconds of its attack.
    ``level_db``: root mean square of the loudest 5 ms of its first 20 ms, in decibels relative to
    full scale (a full square wave is 0 dB): from about -80 to 0, comparable for one microphone only.
    ``centroid_hz``: centre of gravity of the power spectrum of the first 20 ms.
    ``pitch_hz``: the lowest mode, of a panel if one explains it; 0 if none stands out.
    ``decay_s``: time in which the amplitude falls to 1/e, 0.0005 to 0.1.
    """

    at: float
    level_db: float
    centroid_hz: float
    pitch_hz: float
    decay_s: float


class SoundFault(Exception):  # noqa: N818 - the product's word: a fault is a sentence and a remedy
    """No sound can be heard."""

    def __init__(self, text: str, remedy: str = "") -> None:
        super().__init__(text)
        self.text = text
        self.remedy = remedy


class SoundSource(Protocol):
    """Where sound comes from: `hardware.microphone`, a recording, or the rehearsal."""

    def start(self) -> None:
        """Take the microphone. Raises SoundFault."""

    def next(self, wait_s: float) -> Samples | None:
        """Return the next piece, or None if none came within ``wait_s``. Raises SoundFault if it is gone.

        Pieces join without a gap unless their times say otherwise.
        """

    def close(self) -> None:
        """Give the microphone back. May be called twice, and without `start`."""
