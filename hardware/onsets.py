"""When something began to sound: a streaming detector of onsets. Pure.

A peak of the flux (`hardware.flux`) that stands out from its surroundings is an onset; its attack is
then found in the samples (`hardware.impact`). All is counted in frames from the first sample and
worked on in chunks of a fixed length, so that what is found does not depend on how the sound is cut.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from hardware.flux import FRAMES_A_SECOND, Floats, Flux
from hardware.impact import Ear
from hardware.sound import Mono, Onset, Samples


@dataclass(frozen=True, slots=True)
class OnsetLimits:
    """What counts as an onset.

    ``delta``: mean rise of the bands, in factors of ten of power, above ``over`` times what it is
    around it (the median of ``around_s`` before).
    ``dead_s``: no second onset sooner than this after one.
    ``rise_db``: the attack stands so far above the milliseconds before it.
    ``under_db``, ``fall_db``: an onset is not quieter than the one before it by more than
    ``under_db`` and ``fall_db`` for each second between: echoes and the unevenness of a fading sound.
    ``quietest_db``: what is less than this (decibels relative to full scale) is never an onset.

    Chosen on marked recordings and on simulated falls in the tower BASE with the seeds 1000 to 1029:
    tests/benchmarks/bench_onsets.py says which, and what comes of it elsewhere.
    """

    delta: float = 0.3
    over: float = 2.0
    around_s: float = 0.1
    dead_s: float = 0.005
    rise_db: float = 3.5
    under_db: float = 10.0
    fall_db: float = 150.0
    quietest_db: float = -80.0


GAP_S = 0.01
"""Where the times of two pieces part by more than this, sound is missing in between."""

_NEAR = 3
_KEPT_S = 0.3


@dataclass(slots=True)
class _Stream:
    """Sound that has not been interrupted; samples are counted from its first."""

    waiting: list[Mono] = field(default_factory=list)
    anchors: deque[tuple[int, float]] = field(default_factory=deque)
    heard: int = 0
    end: int = 0
    recent: Mono = field(default_factory=lambda: np.zeros(0, np.float32))
    flux: Floats = field(default_factory=lambda: np.zeros(0))
    next_frame: int = 0
    pending: deque[int] = field(default_factory=deque)
    last: int = -(1 << 40)
    last_db: float = 0.0

    @property
    def begun(self) -> int:
        return self.end - len(self.recent)

    def time(self, sample: int, rate: int) -> float:
        """Say when a sample was heard, by the piece it came in."""
        index, at = next((a for a in reversed(self.anchors) if a[0] <= sample), self.anchors[0])
        return at + (sample - index) / rate


class OnsetDetector:
    """Finds the onsets in one stream of sound of ``rate`` samples a second, in bounded memory.

    An onset is told 0.06 to 0.11 s of sound after it, when its features have been heard.
    """

    def __init__(self, rate: int, limits: OnsetLimits | None = None) -> None:
        self.rate = rate
        self.limits = limits or OnsetLimits()
        self._flux = Flux(rate)
        self._ear = Ear(rate)
        self._stream = _Stream()

    def feed(self, samples: Samples) -> tuple[Onset, ...]:
        """Take in the next piece; return the onsets that are now certain, in the order of their times.

        A piece that does not join the one before ends it as `flush` does. Raises ValueError if the
        piece has another rate. Samples that are no numbers count as silence.
        """
        if samples.rate != self.rate:
            raise ValueError(f"This detector hears {self.rate} samples a second, not {samples.rate}.")
        stream = self._stream
        found: list[Onset] = []
        if stream.anchors and abs(samples.at - stream.time(stream.heard, self.rate)) > GAP_S:
            found.extend(self.flush())
            stream = self._stream
        stream.anchors.append((stream.heard, samples.at))
        stream.waiting.append(samples.data)
        stream.heard += len(samples.data)
        if stream.heard - stream.end >= self._flux.chunk:
            data = np.nan_to_num(np.concatenate(stream.waiting), nan=0.0, posinf=1.0, neginf=-1.0)
            whole = len(data) // self._flux.chunk * self._flux.chunk
            found.extend(self._work(data[:whole]))
            stream.waiting = [data[whole:]]
        return tuple(found)

    def flush(self) -> tuple[Onset, ...]:
        """Return what was still uncertain, as if silence followed, and begin anew."""
        stream, chunk, floor = self._stream, self._flux.chunk, self._flux.floor
        rest = np.concatenate([stream.recent[-1:], *stream.waiting])
        if len(rest) == 0:
            return ()
        silence = np.full(
            chunk + (-len(rest)) % chunk + int(_KEPT_S * self.rate) // chunk * chunk, rest[-1]
        )
        rest = np.concatenate([rest, silence.astype(np.float32)])[min(1, len(stream.recent)) :]
        found = self._work(rest[: len(rest) // chunk * chunk], last=stream.heard)
        self._flux.restart(floor)
        self._stream = _Stream()
        return tuple(found)

    def _work(self, data: Mono, last: int | None = None) -> list[Onset]:
        """Work on whole chunks; nothing at or after sample ``last`` is an onset."""
        stream, found, size = self._stream, [], self._flux.chunk
        for start in range(0, len(data), size):
            chunk = data[start : start + size]
            stream.flux = np.concatenate([stream.flux, self._flux.rises(chunk)])
            stream.recent = np.concatenate([stream.recent[-int(_KEPT_S * self.rate) :], chunk])
            stream.end += size
            for frame in self._peaks():
                attack = self._attack(frame)
                if attack is not None and (last is None or attack < last):
                    stream.pending.append(attack)
            found.extend(self._ripe())
        return found

    def _peaks(self) -> list[int]:
        """Return the frames whose flux stands out, among those whose neighbours are known."""
        stream, limits = self._stream, self.limits
        around = int(limits.around_s * FRAMES_A_SECOND)
        flux = stream.flux
        first = stream.end // self._flux.hop - len(flux)
        stop = len(flux) - _NEAR
        padded = np.concatenate([np.zeros(around), flux])
        found = []
        for n in range(stream.next_frame - first, stop):
            if flux[n] <= limits.delta or flux[n] < flux[max(0, n - _NEAR) : n + _NEAR + 1].max():
                continue
            if flux[n] > limits.delta + limits.over * float(np.median(padded[n : n + around])):
                found.append(first + n)
        stream.next_frame = first + stop
        stream.flux = flux[-(around + 2 * _NEAR) :]
        return found

    def _attack(self, frame: int) -> int | None:
        """Find the sample of the attack near a peak of the flux; None if nothing rises suddenly there."""
        stream, flux, limits = self._stream, self._flux, self.limits
        middle = (frame + 2) * flux.hop - flux.size // 2
        found = self._ear.attack(stream.recent, middle - stream.begun, limits.rise_db)
        if found is None:
            return None
        attack, level_db = found[0] + stream.begun, found[1]
        gap_s = (attack - stream.last) / self.rate
        if gap_s < limits.dead_s or level_db < stream.last_db - limits.under_db - limits.fall_db * gap_s:
            return None
        stream.last, stream.last_db = attack, level_db
        return attack

    def _ripe(self) -> list[Onset]:
        """Return those onsets of which enough has been heard."""
        stream, found = self._stream, []
        while stream.pending and stream.pending[0] + self._ear.needs <= stream.end:
            attack = stream.pending.popleft()
            until = stream.pending[0] if stream.pending else stream.end
            at = stream.time(attack, self.rate)
            onset = self._ear.features(stream.recent, attack - stream.begun, until - attack, at)
            if onset.level_db >= self.limits.quietest_db:
                found.append(onset)
        kept = stream.end - int(self.rate * _KEPT_S)
        while len(stream.anchors) > 1 and stream.anchors[1][0] <= kept:
            stream.anchors.popleft()
        return found
