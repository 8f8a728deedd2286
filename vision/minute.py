"""The last minute in memory: enough of every frame to run it again, and small pictures to look at.

Of each frame the small grey picture is kept as it was, for that decides what moves; in full and
without loss only those frames that were read. Everything is compressed by a thread of its own with
low priority, so that reading is not slowed; it ends within a few pictures.
"""

import logging
import os
import threading
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace

import cv2

from companion.rules.events import DiceExpected, Notice, Observation
from vision.annotate import encode_jpeg
from vision.dice import Die
from vision.follow import Memory, Seen
from vision.frames import Image
from vision.glance import Glance
from vision.live import shrunk
from vision.settle import Grey

log = logging.getLogger(__name__)

KEEP_S = 60.0
MOST_BYTES = 32 * 1024 * 1024

SHOWN_S, SHOWN_PX, SHOWN_QUALITY = 0.25, 480, 55
"""How often, how large and how well pictures for people are kept."""

_CHECKPOINT_S = 2.0
_MOST_WAITING = 4
"""Pictures in full that may wait to be compressed; each is some megabytes."""

_MOST_SHOWN_WAITING = 8
"""Small pictures that may wait; on a busy machine the next ones are left out."""

_NICE = 5


@dataclass(frozen=True, slots=True)
class Kept:
    """One frame as it is kept. Pictures are PNG, ``shown`` is JPEG; None if not needed.

    ``before``: what was remembered before it, on some frames, to begin from. ``wanted``: it was read,
    so that without ``tray`` (memory was short) it cannot be read again. ``dice``: what was read.
    ``straight``: see vision.frames.
    """

    at: float
    size: tuple[int, int]
    grey: bytes = field(repr=False)
    expected: DiceExpected | None
    watching: str
    straight: bool = False
    wanted: bool = False
    tray: bytes | None = field(default=None, repr=False)
    whole: bytes | None = field(default=None, repr=False)
    shown: bytes | None = field(default=None, repr=False)
    dice: tuple[Die, ...] | None = None
    before: Memory | None = field(default=None, repr=False)
    heard: tuple[Observation | Notice, ...] = ()

    @property
    def bytes(self) -> int:
        """How much memory its pictures take."""
        return sum(len(blob) for blob in (self.grey, self.tray, self.whole, self.shown) if blob)


@dataclass(frozen=True, slots=True)
class _Raw:
    kept: Kept
    grey: Grey
    tray: Image | None
    whole: Grey | None
    show: Image | None


class Minute:
    """A `Keeper` with a limit in seconds and one in bytes. Not slower than appending to a list."""

    def __init__(self, *, keep_s: float = KEEP_S, most_bytes: int = MOST_BYTES) -> None:
        self._keep_s = keep_s
        self._most_bytes = most_bytes
        self._waiting: deque[_Raw] = deque()
        self._kept: deque[Kept] = deque()
        self._bytes = 0
        self._said: list[Observation | Notice] = []
        self._shown = self._checkpoint = float("-inf")
        self._compressing = threading.Lock()
        self._work = threading.Event()
        self._stop = threading.Event()

    @property
    def bytes(self) -> int:
        """How much memory is held, waiting pictures aside."""
        return self._bytes

    def heard(self, claim: Observation | Notice) -> None:
        self._said.append(claim)

    def keep(
        self, glance: Glance, expected: DiceExpected | None, before: Memory | None, seen: Seen | None
    ) -> None:
        at = glance.at
        waiting = tuple(self._waiting)
        show = at - self._shown >= SHOWN_S and _count(raw.show for raw in waiting) < _MOST_SHOWN_WAITING
        checkpoint = before is not None and at - self._checkpoint >= _CHECKPOINT_S
        full = glance.read and _count(raw.tray for raw in waiting) < _MOST_WAITING
        kept = Kept(
            at=at,
            size=glance.size,
            grey=b"",
            expected=expected,
            watching=seen.watching.value if seen else "failed",
            straight=glance.picture.straight,
            wanted=glance.read,
            dice=seen.reading.dice if seen and seen.reading else None,
            before=before if checkpoint else None,
            heard=tuple(self._said),
        )
        self._said.clear()
        self._shown = at if show else self._shown
        self._checkpoint = at if checkpoint else self._checkpoint
        picture = glance.picture.image
        small = shrunk(picture, SHOWN_PX)[0] if show else None
        self._waiting.append(_Raw(kept, glance.grey, picture if full else None, glance.placed, small))
        self._work.set()

    def forget(self) -> None:
        self.compress()
        with self._compressing:
            self._kept.clear()
            self._bytes = 0
        self._shown = self._checkpoint = float("-inf")

    def compress(self) -> None:
        """Compress what waits. Called by the thread, and by whoever wants everything now."""
        with self._compressing:
            while self._waiting:
                self._add(_compressed(self._waiting.popleft()))

    def kept(self) -> tuple[Kept, ...]:
        """Return what is kept, from the first frame on that one can begin from."""
        self.compress()
        with self._compressing:
            kept = tuple(self._kept)
        first = next((n for n, step in enumerate(kept) if step.before is not None), len(kept))
        return kept[first:]

    def start(self) -> None:
        """Begin to compress in the background."""
        threading.Thread(target=self._run, name="last minute", daemon=True).start()

    def close(self) -> None:
        self._stop.set()
        self._work.set()

    def _run(self) -> None:
        with suppress(OSError):  # on Linux a thread has a priority of its own
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), _NICE)
        while not self._stop.is_set():
            self._work.wait()
            self._work.clear()
            try:
                self.compress()
            except Exception:
                log.exception("a frame could not be kept")

    def _add(self, step: Kept) -> None:
        self._kept.append(step)
        self._bytes += step.bytes
        while self._kept and (self._bytes > self._most_bytes or step.at - self._kept[0].at > self._keep_s):
            self._bytes -= self._kept.popleft().bytes


def _compressed(raw: _Raw) -> Kept:
    return replace(
        raw.kept,
        grey=png(raw.grey),
        tray=None if raw.tray is None else png(raw.tray),
        whole=None if raw.whole is None else png(raw.whole),
        shown=None if raw.show is None else encode_jpeg(raw.show, SHOWN_QUALITY),
    )


def _count(pictures: Iterable[Image | None]) -> int:
    return sum(picture is not None for picture in pictures)


def png(image: Image | Grey) -> bytes:
    """Encode without loss, fast rather than small."""
    how = [cv2.IMWRITE_PNG_COMPRESSION, 1, cv2.IMWRITE_PNG_STRATEGY, cv2.IMWRITE_PNG_STRATEGY_HUFFMAN_ONLY]
    written, data = cv2.imencode(".png", image, how)
    assert written, "a picture with pixels can be written as PNG"
    return data.tobytes()
