"""Recorded pictures as frames: a folder of stills, or a video file."""

import itertools
from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Frame
from vision.stills import decode_photo

STILLS_FPS = 1.0
"""Pace of a folder of stills unless another is given, in pictures a second."""

PICTURES = frozenset({".jpg", ".jpeg", ".png", ".webp"})


class RecordingError(ValueError):
    """A recording cannot be played; the text names it and what helps."""


def recorded(path: Path, *, fps: float | None = None, start: float = 0.0) -> Iterator[Frame]:
    """Yield the frames of a folder of stills (by name) or of a video file.

    ``at`` runs from ``start`` in seconds at ``fps``, else at the file's own rate. Raises
    RecordingError if there is nothing to play, PhotoError for a still that cannot be read.
    """
    if fps is not None and not fps > 0:
        raise RecordingError(
            f"{fps} pictures a second is no pace to play {path} at. Give a number above 0."
        )
    if path.is_dir():
        return _stills(path, fps or STILLS_FPS, start)
    if not path.exists():
        raise RecordingError(f"{path} does not exist. Name a folder of pictures or a video file.")
    return _video(path, fps, start)


def _stills(folder: Path, fps: float, start: float) -> Iterator[Frame]:
    files = sorted(p for p in folder.iterdir() if p.suffix.lower() in PICTURES)
    if not files:
        raise RecordingError(f"{folder} holds no pictures. Put JPEG, PNG or WebP files into it.")
    return (decode_photo(p.read_bytes(), name=str(p), at=start + n / fps) for n, p in enumerate(files))


def _video(path: Path, fps: float | None, start: float) -> Iterator[Frame]:
    capture = cv2.VideoCapture(str(path))
    read, image = capture.read()
    if not read:
        capture.release()
        raise RecordingError(
            f"{path} cannot be played as a video. Convert it to MP4 (H.264), or name a folder of pictures."
        )
    pace = fps or capture.get(cv2.CAP_PROP_FPS) or 30.0

    def frames() -> Iterator[Frame]:
        picture = image
        try:
            for n in itertools.count():
                yield Frame(picture.astype(np.uint8, copy=False), start + n / pace, str(path))
                more, picture = capture.read()
                if not more:
                    return
        finally:
            capture.release()

    return frames()
