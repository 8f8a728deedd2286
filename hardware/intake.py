"""Between a sound card's callback and whoever listens: the queue, the louder channel, the time. Pure.

The callback may do no work, or the card's own buffer runs over: it copies a block into the queue and
returns. Everything else happens in the thread that takes the blocks out.
"""

import queue
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from hardware.sound import Mono, Samples

MOST_BLOCKS = 512
"""Blocks that wait at most: 5 s and more, as they are 10 ms and longer."""

JUMP_S = 0.02
"""A time that is further than this from the one expected is no jitter."""

LATE_S = 0.5
"""Blocks that are late for so long were recorded late: sound was lost, and the card did not say so."""

SETTLE_S = 4.0
"""Time in which the rest of a smaller difference falls to 1/e: clocks drift by 0.1 ms a second at most."""

LOUDER_DB = 6.0
"""Another channel is taken when it is louder by so much."""


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """What a callback gave: ``data`` is float32, shape (frames, channels), full scale -1 to 1.

    ``began``: monotonic seconds of the first frame, as well as the card knows it; ``lost``: sound is
    missing before it.
    """

    data: npt.NDArray[np.float32]
    began: float
    lost: bool = False


class ClockTie:
    """Ties a card's count of samples to the monotonic clock.

    Single times jitter by some milliseconds, the card's clock drifts, and a busy machine runs the
    callback late: the count runs on at ``rate`` and is drawn slowly to the times that are seen. A time
    that is much too early, or comes after a loss, is believed at once; one that is late when all are
    late for `LATE_S`.
    """

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._next: float | None = None
        self._late_s = self._least = 0.0

    def began(self, frames: int, seen: float, *, lost: bool = False) -> float:
        """Return when the next block of ``frames`` began, which was seen to begin at ``seen``."""
        length_s = frames / self._rate
        if self._next is None or lost or seen < self._next - JUMP_S:
            began = seen
        elif seen > self._next + JUMP_S:
            return self._overdue(self._next, length_s, seen - self._next)
        else:
            began = self._next + (seen - self._next) * min(1.0, length_s / SETTLE_S)
        self._late_s = 0.0
        self._next = began + length_s
        return began

    def _overdue(self, expected: float, length_s: float, late_s: float) -> float:
        """Bear with a late block; when all have been late for long, it was not the callback."""
        self._least = min(self._least, late_s) if self._late_s else late_s
        self._late_s += length_s
        began = expected
        if self._late_s > LATE_S:
            began, self._late_s = expected + self._least, 0.0
        self._next = began + length_s
        return began


class LouderChannel:
    """Picks one of several channels: an I2S microphone fills only left or right."""

    def __init__(self, rate: int) -> None:
        self._rate = rate
        self._power: npt.NDArray[np.float64] | None = None
        self.chosen = 0

    def pick(self, data: npt.NDArray[np.float32]) -> Mono:
        """Return the louder channel of a block of shape (frames, channels), as shape (frames,)."""
        if data.shape[1] > 1 and len(data):
            now = data.astype(np.float64).var(axis=0) + 1e-14
            weight = min(1.0, len(data) / self._rate)
            self._power = now if self._power is None else self._power * (1 - weight) + now * weight
            loudest = int(np.argmax(self._power))
            if 10 * np.log10(self._power[loudest] / self._power[self.chosen]) > LOUDER_DB:
                self.chosen = loudest
        return np.ascontiguousarray(data[:, self.chosen])


class Intake:
    """A bounded queue of blocks, from the callback to `next`. ``losses`` counts what is missing.

    ``put`` is for the callback's thread, everything else for one other.
    """

    def __init__(self, rate: int, most: int = MOST_BLOCKS) -> None:
        self._rate = rate
        self._blocks: queue.Queue[Block] = queue.Queue(most)
        self._full = False
        self._tie = ClockTie(rate)
        self._louder = LouderChannel(rate)
        self.losses = 0

    def put(self, block: Block) -> None:
        """Take in a block, or note that there was no room for it."""
        try:
            self._blocks.put_nowait(Block(block.data, block.began, block.lost or self._full))
            self._full = False
        except queue.Full:
            self._full = True

    def next(self, wait_s: float) -> Samples | None:
        """Return the next piece of one channel, or None if none came within ``wait_s``."""
        try:
            block = self._blocks.get(timeout=wait_s) if wait_s > 0 else self._blocks.get_nowait()
        except queue.Empty:
            return None
        self.losses += block.lost
        at = self._tie.began(len(block.data), block.began, lost=block.lost)
        return Samples(at, self._rate, self._louder.pick(block.data))
