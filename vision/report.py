"""The last minute as one zip file, and from the file again as glances that can be followed anew.

report.json    versions, settings, how much there is; no secrets
frames.jsonl   a line a frame: its time, the dice awaited, what was read, what the table was told
edges.jsonl    the tower's edges: time, line, level
start*         what the watcher remembered before the first frame
dice.npz       the dice that had been taught, if any
grey/          every frame's small grey picture, from which movement is judged, without loss
tray/          the frames that were read, in full and without loss
whole/         the whole picture, where the tray's place was looked for
shown/         small pictures for people
"""

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Self

import cv2
import numpy as np

from companion.rules.events import DiceExpected
from vision.follow import Memory
from vision.frames import Frame, Image
from vision.glance import Glance
from vision.minute import Kept, png
from vision.notes import claim_row, die_row, expected_of, expected_row, memory_of, memory_row
from vision.settle import Grey
from vision.taught import FILE, Taught

FORMAT = 1
_MOST_FRAMES = 20_000
_MOST_BYTES = 64 * 1024 * 1024
"""Most that one part of a file may unpack to."""

_LOOK = """A minute as a table companion saw it. Run it again with:

    companion replay-frames THIS_FILE

It holds pictures of the tray and of what lay beside it; look into shown/ before you send it on.
"""


class ReportError(ValueError):
    """A file is not a report that can be run again; the text names it and what helps."""


class NotKept(LookupError):  # noqa: N818 - what it says is what is the matter
    """A frame was read but not kept: memory was short."""


def written(
    kept: Sequence[Kept],
    facts: Mapping[str, Any],
    edges: Iterable[Mapping[str, Any]],
    taught: Taught | None = None,
) -> Iterator[bytes]:
    """Yield the zip file piece by piece, so that it is never in memory as a whole."""
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w") as file:
        seconds = round(kept[-1].at - kept[0].at, 3) if kept else 0.0
        head = {"format": FORMAT, "frames": len(kept), "seconds": seconds, **facts}
        _text(file, "READ ME.txt", _LOOK)
        _text(file, "report.json", json.dumps(head, indent=2, ensure_ascii=False))
        _text(file, "edges.jsonl", "".join(json.dumps(dict(edge)) + "\n" for edge in edges))
        _text(file, "frames.jsonl", "".join(_lines(kept)))
        if taught is not None and taught.faces:
            file.writestr(FILE, taught.packed())
        if kept and kept[0].before is not None:
            row, pictures = memory_row(kept[0].before)
            _text(file, "start.json", json.dumps(row))
            for name, picture in pictures.items():
                file.writestr(f"start-{name}.png", png(picture))
        yield pipe.taken()
        for n, step in enumerate(kept):
            for name, blob in _pictures(step):
                file.writestr(f"{name}/{n:06}.{'jpg' if name == 'shown' else 'png'}", blob)
            yield pipe.taken()
    yield pipe.taken()


@dataclass(frozen=True, slots=True)
class Report:
    """A report that has been opened. ``head`` is its report.json, ``rows`` its frames."""

    path: Path
    head: Mapping[str, Any]
    rows: tuple[Mapping[str, Any], ...]
    start: Memory | None
    taught: Taught

    @classmethod
    def open(cls, path: Path) -> Self:
        """Read everything but the pictures of the frames. Raises ReportError."""
        try:
            with zipfile.ZipFile(path) as file:
                head = json.loads(_part(file, "report.json"))
                if head.get("format") != FORMAT:
                    raise ReportError(f"{path} was written by another version of the companion.")
                rows = tuple(json.loads(line) for line in _part(file, "frames.jsonl").splitlines())
                taught = (
                    Taught.unpacked(_part(file, FILE), f"{path}: {FILE}")
                    if FILE in file.namelist()
                    else Taught()
                )
                return cls(path, head, rows[:_MOST_FRAMES], _start(file), taught)
        except (OSError, zipfile.BadZipFile, KeyError, TypeError, AttributeError, ValueError) as error:
            if isinstance(error, ReportError):
                raise
            raise ReportError(
                f"{path} is not a report of the companion, or is damaged: {error}. Save the minute again."
            ) from error

    def frames(self) -> Iterator[tuple[Glance, DiceExpected | None, Mapping[str, Any]]]:
        """Yield each frame as a glance, the dice awaited at it, and its row. Raises ReportError."""
        expected = None
        with zipfile.ZipFile(self.path) as file:
            names = set(file.namelist())
            for n, row in enumerate(self.rows):
                try:
                    if "expected" in row:
                        expected = expected_of(row["expected"])
                    glance = _glance(file, names, n, row)
                except (KeyError, TypeError, ValueError, zipfile.BadZipFile) as error:
                    raise ReportError(
                        f"{self.path}: frame {n} is damaged: {error}. Save the minute again."
                    ) from error
                yield glance, expected, row


def _lines(kept: Sequence[Kept]) -> Iterator[str]:
    last: object = object()
    for step in kept:
        row: dict[str, Any] = {"at": step.at, "size": step.size, "watching": step.watching}
        if step.expected != last:
            row["expected"], last = expected_row(step.expected), step.expected
        if step.wanted:
            row["read"] = True
        if step.straight:
            row["straight"] = True
        if step.dice is not None:
            row["dice"] = [die_row(die) for die in step.dice]
        if step.heard:
            row["heard"] = [claim_row(claim) for claim in step.heard]
        yield json.dumps(row) + "\n"


def _pictures(step: Kept) -> Iterator[tuple[str, bytes]]:
    for name in ("grey", "tray", "whole", "shown"):
        blob = getattr(step, name)
        if blob:
            yield name, blob


def _start(file: zipfile.ZipFile) -> Memory | None:
    if "start.json" not in file.namelist():
        return None
    pictures = {
        name: _grey(file, f"start-{name}.png")
        for name in ("anchor", "clear", "reference")
        if f"start-{name}.png" in file.namelist()
    }
    return memory_of(json.loads(_part(file, "start.json")), pictures)


def _glance(file: zipfile.ZipFile, names: set[str], n: int, row: Mapping[str, Any]) -> Glance:
    grey = _grey(file, f"grey/{n:06}.png")
    tray, whole = f"tray/{n:06}.png", f"whole/{n:06}.png"
    width, height = row["size"]
    image = _colour(file, tray) if tray in names else np.asarray(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR))
    straight = bool(row.get("straight", False))
    picture = Frame(image.astype(np.uint8, copy=False), float(row["at"]), f"{n:06}", straight)
    glance = Glance if tray in names else Unread
    return glance(picture, grey, (int(width), int(height)), partial(_whole, file.filename, whole))


class Unread(Glance):
    """A frame that was not read, or that was not kept."""

    def tray(self) -> Frame:
        raise NotKept(f"The picture {self.picture.source} is to be read and was not kept.")


def _whole(path: str | None, name: str) -> Grey:
    assert path is not None, "a file that was opened by its path has one"
    with zipfile.ZipFile(path) as file:
        if name not in file.namelist():
            raise NotKept(f"{name} is to be looked at and was not kept.")
        return _grey(file, name)


def _grey(file: zipfile.ZipFile, name: str) -> Grey:
    return _decoded(file, name, cv2.IMREAD_GRAYSCALE)


def _colour(file: zipfile.ZipFile, name: str) -> Image:
    return _decoded(file, name, cv2.IMREAD_COLOR)


def _decoded(file: zipfile.ZipFile, name: str, mode: int) -> Image:
    image = cv2.imdecode(np.frombuffer(_part(file, name), np.uint8), mode)
    if image is None:
        raise ValueError(f"{name} is no picture")
    return image.astype(np.uint8, copy=False)


def _part(file: zipfile.ZipFile, name: str) -> bytes:
    if file.getinfo(name).file_size > _MOST_BYTES:
        raise ValueError(f"{name} is too large")
    return file.read(name)


def _text(file: zipfile.ZipFile, name: str, text: str) -> None:
    file.writestr(name, text, compress_type=zipfile.ZIP_DEFLATED)


class _Pipe:
    """What a zip file is written into, to be taken away piece by piece."""

    def __init__(self) -> None:
        self._pieces: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._pieces.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: pieces are taken when they are there."""

    def close(self) -> None:
        """Do nothing."""

    def taken(self) -> bytes:
        pieces, self._pieces = self._pieces, []
        return b"".join(pieces)
