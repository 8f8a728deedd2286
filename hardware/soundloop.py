"""The loop around the tower's microphone: sound in, onsets out; it is tried again when it is lost."""

import threading
import time
from collections.abc import Callable, Sequence

from companion.rules.events import Notice
from hardware.onsets import OnsetDetector, OnsetLimits
from hardware.sound import Onset, Samples, SoundFault, SoundSource

SOURCE = "tower sound"
RETRY_S = (1.0, 2.0, 5.0, 15.0, 60.0)

DEAF_S = 2.0
"""A microphone that gives nothing for so long is deaf."""

_WAIT_S = 0.25


class SoundLoop:
    """Hands the onsets in a source's sound on to ``put``; what becomes of the source goes to ``say``.

    ``live`` is told whether sound comes now. It and ``put`` are called in the thread that runs this,
    and should only enqueue.
    """

    def __init__(
        self,
        source: SoundSource,
        put: Callable[[Onset], None],
        say: Callable[[Notice], None],
        *,
        live: Callable[[bool], None] = lambda _: None,
        retry_s: Sequence[float] = RETRY_S,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._source = source
        self._put = put
        self._say = say
        self._live = live
        self._retry_s = retry_s
        self._monotonic = monotonic
        self._limits = OnsetLimits()
        self._detector: OnsetDetector | None = None

    def hear_above(self, quietest_db: float | None) -> None:
        """Leave what is softer than this to the room (decibels of full scale); None: hear everything."""
        self._limits = OnsetLimits() if quietest_db is None else OnsetLimits(quietest_db=quietest_db)
        self._detector = None

    def step(self, samples: Samples) -> None:
        """Take one piece of sound in."""
        detector = self._detector
        if detector is None or detector.rate != samples.rate:
            detector = self._detector = OnsetDetector(samples.rate, self._limits)
        for onset in detector.feed(samples):
            self._put(onset)

    def run(self, stop: threading.Event) -> None:
        """Listen until told to stop; start again after a fault, with growing pauses."""
        failures = 0
        while not stop.is_set():
            try:
                self._detector = None
                self._source.start()
                self._follow(stop)
            except SoundFault as fault:
                self._live(False)
                self._say(Notice(source=SOURCE, state="lost", text=fault.text, remedy=fault.remedy))
                stop.wait(self._retry_s[min(failures, len(self._retry_s) - 1)])
                failures += 1
            finally:
                self._source.close()

    def _follow(self, stop: threading.Event) -> None:
        """Listen while sound comes. Raises SoundFault when it stays away."""
        heard, live = self._monotonic(), False
        while not stop.is_set():
            samples = self._source.next(_WAIT_S)
            now = self._monotonic()
            if samples is not None:
                heard = now
                self.step(samples)
                if not live:
                    live = True
                    self._live(True)
                    self._say(
                        Notice(source=SOURCE, state="live", text="The microphone is heard.", level="ok")
                    )
            elif now - heard > DEAF_S:
                raise SoundFault(
                    "The microphone is there and gives no sound.",
                    "Unplug it and plug it in again; see companion doctor.",
                )
