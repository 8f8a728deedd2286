"""The rehearsal's microphone: sound that is made as time goes on, in pieces as a real one gives them."""

import math
import threading
import time
from collections.abc import Callable
from typing import Final

import numpy as np

from hardware.sound import Mono, Samples, SoundFault
from hardware.synthesis import RATE, Mixer

BLOCK_S: Final = 0.02
LATE_S: Final = 1.0
"""What nobody fetched for so long is lost, as in a real microphone's buffer."""


class RehearsedMicrophone:
    """A `SoundSource` without a microphone. What is played to it comes out at its own time.

    ``at`` in `play` and in the pieces is on the clock ``monotonic``. Safe from any thread.
    """

    def __init__(
        self,
        rng: np.random.Generator,
        rate: int = RATE,
        *,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.rate = rate
        self._rng = rng
        self._monotonic = monotonic
        self._changed = threading.Condition()
        self._mixer: Mixer | None = None
        self._began = 0.0
        self._plugged = True

    def start(self) -> None:
        with self._changed:
            self._check()
            self._mixer = Mixer(self._rng, self.rate)
            self._began = self._monotonic()

    def next(self, wait_s: float) -> Samples | None:
        with self._changed:
            left_s = wait_s
            while True:
                self._check()
                now = self._monotonic()
                due_s = self._due(self._mixer) - now if self._mixer else math.inf
                if self._mixer and due_s <= 0:
                    return self._read(self._mixer)
                if left_s <= 0:
                    return None
                some_s = min(left_s, due_s)
                woken = self._changed.wait(some_s)
                left_s -= max(0.0, self._monotonic() - now) if woken else some_s

    def close(self) -> None:
        with self._changed:
            self._mixer = None
            self._changed.notify_all()

    @property
    def listening(self) -> bool:
        """Whether somebody fetches the sound; what is played before is not kept."""
        return self._mixer is not None

    def play(self, at: float, sound: Mono | Callable[[], Mono]) -> None:
        """Let a sound begin at a time; it is made when it is due."""
        with self._changed:
            if self._mixer is not None:
                self._mixer.add(at - self._began, sound)

    def unplug(self) -> None:
        """Pull it out: from now on there is a SoundFault, until it is plugged in."""
        with self._changed:
            self._plugged = False
            self._changed.notify_all()

    def plug_in(self) -> None:
        """Plug it in again."""
        with self._changed:
            self._plugged = True

    def _check(self) -> None:
        if not self._plugged:
            raise SoundFault(
                "The microphone was unplugged.", "Plug it in again; listening goes on by itself."
            )

    def _due(self, mixer: Mixer) -> float:
        return self._began + mixer.given / self.rate + BLOCK_S

    def _read(self, mixer: Mixer) -> Samples:
        late_s = self._monotonic() - self._due(mixer)
        if late_s > LATE_S:
            mixer.skip(round(late_s * self.rate))
        at = self._began + mixer.given / self.rate
        return Samples(at, self.rate, mixer.read(round(BLOCK_S * self.rate)))
