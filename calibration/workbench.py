"""Calibration at a running table: tray, lamp and dice, looked at through the table's own camera.

What it returns are plain mappings, as pages and the command line show them; a ValueError carries a
sentence for people.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from threading import RLock
from typing import Any, Protocol

import cv2
import numpy as np

from calibration.corners import TrayFound, find_tray
from calibration.lamp import check_lamp
from calibration.lying import find_shown
from calibration.teaching import LAMPS, Embed, Lesson, changed, small
from calibration.told import told_lamp, told_lesson, told_tray
from vision.annotate import encode_jpeg
from vision.dice import Reader, embed, read
from vision.frames import Floats, Frame
from vision.naming import KINDS
from vision.taught import FILE as DICE_FILE
from vision.taught import Taught, TaughtError
from vision.tray import TrayProfile, TrayProfileError, rectify

TRAY_FILE = "tray.json"
SHOWN_PX = 960
"""Longest side of the picture that corners are dragged on."""

PATIENCE_S = 240.0
"""A lesson left alone for so long no longer keeps the table from reading throws."""

_FLICKER_FRAMES = 5
_NEAR = 0.03
"""Corners dragged by less than this part of the picture still have the scale that was measured."""

_NO_PICTURE = "The camera gives no picture. Check it on the camera's page, then try again."


class Eye(Protocol):
    """Where whole pictures come from."""

    def newest(self, number: int = 1, *, after: float = ..., wait_s: float = ...) -> list[Frame]:
        """Return up to ``number`` of the newest frames, oldest first, waiting up to ``wait_s``."""


Lay = Callable[[str, str], bool]
"""A rehearsed table lays dice of a kind that all show a face; False if it has none."""


class Workbench:
    """One at a table. Safe from any thread: calls wait for one another."""

    def __init__(
        self,
        eye: Eye,
        folder: Path,
        *,
        profile: TrayProfile | None = None,
        use: Callable[[TrayProfile], None] = lambda _: None,
        learn: Callable[[Taught], None] = lambda _: None,
        reader: Reader = read,
        embedding: Embed = embed,
        lay: Lay | None = None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        """``use`` and ``learn`` take what was saved; it counts at once."""
        self._eye = eye
        self._folder = folder
        self._profile = profile or TrayProfile()
        self._use = use
        self._learn = learn
        self._reader = reader
        self._embed = embedding
        self._lay = lay
        self._monotonic = monotonic
        self._lock = RLock()
        self._found: TrayFound | None = None
        self._lesson: Lesson | None = None
        self._steps = 0
        self._touched = float("-inf")
        self._encoded: tuple[float, bytes] = (float("nan"), b"")

    @property
    def busy(self) -> bool:
        """Whether dice are being shown, so that what lies in the tray is no throw."""
        return self._lesson is not None and self._monotonic() - self._touched < PATIENCE_S

    # -- tray ---------------------------------------------------------------------------------------

    def picture(self) -> bytes | None:
        """Return the whole newest picture as a JPEG; None if there is none."""
        frames = self._eye.newest(wait_s=0.0)
        if not frames:
            return None
        frame = frames[-1]
        if self._encoded[0] != frame.at:
            scale = min(1.0, SHOWN_PX / max(frame.image.shape[:2]))
            shrunk = cv2.resize(frame.image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
            self._encoded = (frame.at, encode_jpeg(np.asarray(shrunk, np.uint8), 80))
        return self._encoded[1]

    def tray(self) -> Mapping[str, Any]:
        """Return the tray in use."""
        profile = self._profile
        return {"corners": profile.corners, "px_per_mm": profile.px_per_mm, "whole": profile.whole}

    def look(self, width_mm: float | None = None) -> Mapping[str, Any]:
        """Look for the tray's corners in the newest picture."""
        found = find_tray(self._frame().image, width_mm=width_mm)
        self._found = found
        return told_tray(found)

    def mark(self, corners: Sequence[Sequence[float]]) -> Mapping[str, Any]:
        """Save these corners, (x, y) as fractions, clockwise from the upper left, and use them."""
        try:
            profile = TrayProfile(tuple((float(x), float(y)) for x, y in corners))
        except TrayProfileError as fault:
            raise ValueError(f"{str(fault)[:1].upper()}{str(fault)[1:]}") from fault
        found = self._found.profile if self._found else None
        if found is not None:
            apart = np.abs(np.array(found.corners) - np.array(profile.corners)).max()
            if apart < _NEAR:
                profile = TrayProfile(profile.corners, found.px_per_mm)
        with self._lock:
            self._folder.mkdir(parents=True, exist_ok=True)
            profile.save(self._folder / TRAY_FILE)
            self._profile = profile
            self._use(profile)
        return {**self.tray(), "text": "Saved. The tray is used from now on."}

    # -- lamp ---------------------------------------------------------------------------------------

    def light(self) -> list[Mapping[str, str]]:
        """Check light, lens and distance in the newest pictures of the tray."""
        newest = self._frame()
        frames = self._eye.newest(_FLICKER_FRAMES, after=newest.at, wait_s=1.5) or [newest]
        trays = [rectify(frame, self._profile) for frame in frames]
        return told_lamp(check_lamp([tray.image for tray in trays], self._outlines(trays[-1], None)))

    # -- dice ---------------------------------------------------------------------------------------

    def kinds(self) -> Mapping[str, tuple[str, ...]]:
        """Return kinds that can be taught with their faces: those known, and those taught before."""
        taught = self._taught()
        return {**KINDS, **{kind: taught.of(kind) for kind in taught.kinds if kind not in KINDS}}

    def lesson(self) -> Mapping[str, Any]:
        """Return the lesson as it stands; without one ``kind`` is empty."""
        return {"kind": ""} if self._lesson is None else told_lesson(self._lesson, self._steps)

    def begin(self, kind: str, faces: Sequence[str], lamp: str) -> Mapping[str, Any]:
        """Begin to teach a kind under a lamp."""
        lamp = _lamp(lamp)
        with self._lock:
            before, trouble = taught_before(self._folder)
            self._set(Lesson.begin(kind, faces, lamp=lamp, base=before))
            self._steps = len(self._now.queue)
            return self._next(trouble)

    def show(self) -> Mapping[str, Any]:
        """Take the picture of the face asked for."""
        with self._lock:
            lesson = self._now
            first = self._frame()
            again = self._eye.newest(after=first.at, wait_s=1.5)
            frame = rectify(again[-1] if again else first, self._profile)
            if again and changed(small(rectify(first, self._profile).image), small(frame.image)):
                raise ValueError("Something moves. Take your hands away, then try again.")
            after, noted = lesson.show(frame, self._outlines(frame, lesson.awaited), self._embed)
            self._set(after)
            return self._next(noted)

    def skip(self) -> Mapping[str, Any]:
        """Leave out the face asked for."""
        with self._lock:
            self._set(self._now.skip())
            return self._next("")

    def again(self, faces: Sequence[str], lamp: str) -> Mapping[str, Any]:
        """Ask for faces again, all if none are named, under a lamp."""
        lamp = _lamp(lamp)
        with self._lock:
            self._set(self._now.again(faces, lamp))
            self._steps = len(self._now.queue)
            return self._next("")

    def finish(self) -> Mapping[str, Any]:
        """Save what was taught; it counts from now on."""
        with self._lock:
            if not self._now.examples:
                raise ValueError("No face has been shown yet. Show some, or leave the lesson.")
            gallery = self._now.gallery()
            self._folder.mkdir(parents=True, exist_ok=True)
            gallery.save(self._folder / DICE_FILE)
            self._learn(gallery)
            told = {**self.lesson(), "text": f"Saved. {self._now.kind.capitalize()} dice are known now."}
            self._lesson = None
            return told

    def leave(self) -> Mapping[str, Any]:
        """End the lesson and save nothing."""
        with self._lock:
            self._lesson = None
        return {"kind": "", "text": "Left. Nothing was saved."}

    # -- helpers ------------------------------------------------------------------------------------

    @property
    def _now(self) -> Lesson:
        if self._lesson is None:
            raise ValueError("Nothing is being taught. Choose a kind of dice first.")
        self._touched = self._monotonic()
        return self._lesson

    def _set(self, lesson: Lesson) -> None:
        self._lesson = lesson
        self._touched = self._monotonic()

    def _next(self, noted: str) -> Mapping[str, Any]:
        lesson = self._now
        if lesson.face and self._lay is not None and not self._lay(lesson.kind, lesson.face):
            noted += f" The rehearsal table has no dice that show {lesson.face}: leave it out."
        return {**self.lesson(), "text": noted.strip()}

    def _frame(self) -> Frame:
        frames = self._eye.newest()
        if not frames:
            raise ValueError(_NO_PICTURE)
        return frames[-1]

    def _outlines(self, tray: Frame, awaited: tuple[str, int] | None) -> list[Floats]:
        return find_shown(tray, awaited, self._reader)

    def _taught(self) -> Taught:
        return taught_before(self._folder)[0]


def taught_before(folder: Path) -> tuple[Taught, str]:
    """Return what was taught, and why it does not count any more if the file cannot be used.

    Then one begins with nothing, and saving puts a new file in its place.
    """
    try:
        return Taught.load(folder / DICE_FILE), ""
    except TaughtError as fault:
        return Taught(), f"{fault} What you show now takes its place once it is saved."


def _lamp(lamp: str) -> str:
    lamp = lamp.strip() or next(iter(LAMPS))
    if len(lamp) > 40 or not lamp.isprintable():
        raise ValueError("Name the lamp in forty letters at most.")
    return lamp
