"""Pictures of misread dice, kept for the next training: with consent, capped, on this machine only."""

import json
import logging
from pathlib import Path
from threading import Lock

from companion.clock import wall_time
from companion.files import write_whole
from companion.rules.events import DieFace, Observation

log = logging.getLogger(__name__)

MOST = 500
MOST_MB = 100
"""Older pictures make room beyond these."""

_AGREED = "agreed.json"


class Corrections:
    """A folder of pictures, each with its label beside it. Safe from any thread."""

    def __init__(self, folder: Path, *, most: int = MOST, most_mb: float = MOST_MB) -> None:
        """``folder`` is made when somebody agrees; until then nothing is written."""
        self._folder = folder
        self._most = most
        self._most_bytes = most_mb * 1024 * 1024
        self._lock = Lock()

    @property
    def agreed(self) -> bool:
        """Whether somebody has agreed that pictures are kept."""
        return (self._folder / _AGREED).exists()

    @property
    def count(self) -> int:
        """How many pictures are kept."""
        return len(self._pictures())

    def agree(self, *, on: bool) -> None:
        """Keep pictures from now on, or no more; those that are kept stay. Raises OSError."""
        file = self._folder / _AGREED
        if not on:
            file.unlink(missing_ok=True)
            return
        self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(file, json.dumps({"since": wall_time()}).encode() + b"\n")

    def forget(self) -> int:
        """Delete every picture and label; returns how many pictures there were. Raises OSError."""
        with self._lock:
            pictures = self._pictures()
            for file in pictures:
                _delete(file)
        return len(pictures)

    def keep(self, claim: Observation, right: tuple[DieFace, ...]) -> None:
        """Keep the picture of a misread, if somebody has agreed. A full disk is logged, not raised."""
        if not self.agreed or claim.original is None:
            return
        try:
            with self._lock:
                self._write(claim.original(), _label(claim, right))
                self._make_room()
        except (OSError, ValueError) as fault:
            log.warning("the picture of a misread could not be kept: %s", fault)

    def _write(self, picture: bytes, label: dict[str, object]) -> None:
        last = self._pictures()[-1:]
        number = int(last[0].stem) + 1 if last else 1
        file = self._folder / f"{number:06}.jpg"
        label["image"] = file.name
        text = json.dumps(label, ensure_ascii=False, indent=1) + "\n"
        file.with_suffix(".json").write_text(text, encoding="utf-8")
        file.write_bytes(picture)

    def _make_room(self) -> None:
        pictures = self._pictures()
        sizes = [file.stat().st_size for file in pictures]
        total = sum(sizes)
        over = 0
        while over < len(pictures) - 1 and (len(pictures) - over > self._most or total > self._most_bytes):
            total -= sizes[over]
            _delete(pictures[over])
            over += 1

    def _pictures(self) -> list[Path]:
        return sorted(file for file in self._folder.glob("*.jpg") if file.stem.isdecimal())


def _delete(picture: Path) -> None:
    picture.with_suffix(".json").unlink(missing_ok=True)
    picture.unlink(missing_ok=True)


def _label(claim: Observation, right: tuple[DieFace, ...]) -> dict[str, object]:
    """What was read and what lay there; the dice one by one where both have the same order."""
    same = [c.kind for c in claim.claims] == [die.kind for die in right]
    return {
        "reader": claim.source,
        "kept": wall_time(),
        "read": [
            {"kind": c.kind, "face": c.face, "confidence": c.confidence, "outline": c.outline}
            for c in claim.claims
        ],
        "right": [str(die) for die in right],
        "dice": [
            {"kind": die.kind, "face": die.face, "outline": c.outline}
            for c, die in zip(claim.claims, right, strict=True)
        ]
        if same
        else None,
    }
