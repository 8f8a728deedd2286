"""Dice that a player has shown: what their faces look like to the reader, in its own embedding."""

import io
import os
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np

from vision.faceheads import EMBEDDING
from vision.frames import Floats
from vision.networks import edition

FILE = "dice.npz"
"""Name of the file in the data folder."""

NEIGHBOURS = 5
SHARPNESS = 24.0
"""How fast a vote fades with distance (1 - cosine): at 0.03 it is half."""

STRANGE = 0.35
"""Farther than this (1 - cosine) from everything shown, a die is none of those taught."""

_MOST_A_FACE = 60
"""So many pictures of a face tell all there is; older ones make room."""


class TaughtError(ValueError):
    """The file of taught dice cannot be used; the text names it and what helps."""


@dataclass(frozen=True, slots=True)
class Likeness:
    """What a die looks like: kind and face, ``confidence`` 0..1, other faces (likely first)."""

    kind: str
    face: str
    confidence: float
    alternatives: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Taught:
    """A gallery. ``vectors`` (n, EMBEDDING) unit length; ``faces``: n pairs of kind and face."""

    vectors: Floats = field(default_factory=lambda: np.zeros((0, EMBEDDING), np.float32), repr=False)
    faces: tuple[tuple[str, str], ...] = ()

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds that have been shown, in the order in which they were first shown."""
        return tuple(dict.fromkeys(kind for kind, _ in self.faces))

    def of(self, kind: str) -> tuple[str, ...]:
        """Faces of a kind that have been shown."""
        return tuple(dict.fromkeys(face for k, face in self.faces if k == kind))

    def add(self, kind: str, face: str, vectors: Floats) -> Self:
        """Return a gallery with these (n, EMBEDDING) pictures of a face; the oldest beyond a limit go."""
        shown = (kind, face)
        mine = [n for n, other in enumerate(self.faces) if other == shown]
        over = max(0, len(mine) + len(vectors) - _MOST_A_FACE)
        kept = [n for n in range(len(self.faces)) if n not in set(mine[:over])]
        joined = np.concatenate((self.vectors[kept], _unit(vectors[-_MOST_A_FACE:])))
        faces = (*(self.faces[n] for n in kept), *[shown] * len(vectors[-_MOST_A_FACE:]))
        return replace(self, vectors=joined.astype(np.float32), faces=faces)

    def forget(self, kind: str) -> Self:
        """Return a gallery without this kind."""
        kept = [n for n, (k, _) in enumerate(self.faces) if k != kind]
        return replace(self, vectors=self.vectors[kept], faces=tuple(self.faces[n] for n in kept))

    def only(self, kinds: tuple[str, ...]) -> Self:
        """Return a gallery of these kinds alone."""
        kept = [n for n, (kind, _) in enumerate(self.faces) if kind in kinds]
        return replace(self, vectors=self.vectors[kept], faces=tuple(self.faces[n] for n in kept))

    def classify(self, vectors: Floats) -> list[Likeness | None]:
        """Say of (n, EMBEDDING) dice what they are most like, None where they are like nothing shown."""
        if not self.faces:
            return [None] * len(vectors)
        likeness = _unit(vectors) @ self.vectors.T
        return [self._vote(row) for row in likeness]

    def nearness(self, vectors: Floats) -> Floats:
        """Return (n,): the cosine -1..1 to the nearest picture shown, 0 if none was."""
        if not self.faces:
            return np.zeros(len(vectors), np.float32)
        return np.asarray((_unit(vectors) @ self.vectors.T).max(axis=1, initial=-1), np.float32)

    def save(self, path: Path) -> None:
        """Write the gallery so that a power cut leaves the old file or the new one."""
        temporary = path.with_name(path.name + ".tmp")
        with temporary.open("wb") as file:
            file.write(self.packed())
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read a gallery; without a file an empty one. Raises TaughtError for a file that is none."""
        return cls.unpacked(path.read_bytes(), str(path)) if path.exists() else cls()

    def packed(self) -> bytes:
        """Return the gallery as the bytes of its file."""
        memory = io.BytesIO()
        faces = np.array([f"{kind}\t{face}" for kind, face in self.faces], dtype=np.str_)
        np.savez_compressed(memory, vectors=self.vectors, faces=faces, edition=edition("face"))
        return memory.getvalue()

    @classmethod
    def unpacked(cls, data: bytes, name: str) -> Self:
        """Read a gallery from the bytes of a file called ``name``. Raises TaughtError."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                vectors = np.asarray(file["vectors"], np.float32)
                faces = tuple((kind, face) for kind, face in (str(n).split("\t") for n in file["faces"]))
                if str(file["edition"]) != edition("face"):
                    raise ValueError("the companion has learned to read anew since")
            if vectors.shape != (len(faces), EMBEDDING) or not np.isfinite(vectors).all():
                raise ValueError("its numbers do not fit together")
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise TaughtError(
                f"{name} cannot be used: {error}. Teach the dice again, or delete the file."
            ) from error
        return cls(vectors, faces)

    def _vote(self, likeness: Floats) -> Likeness | None:
        nearest = np.argsort(-likeness)[:NEIGHBOURS]
        if 1 - likeness[nearest[0]] > STRANGE:
            return None
        votes: dict[tuple[str, str], float] = {}
        for n in nearest:
            weight = float(np.exp(-SHARPNESS * (likeness[nearest[0]] - likeness[n])))
            votes[self.faces[n]] = votes.get(self.faces[n], 0.0) + weight
        ranked = sorted(votes, key=lambda face: -votes[face])
        kind, face = ranked[0]
        share = votes[ranked[0]] / sum(votes.values())
        others = tuple(f for k, f in ranked[1:] if k == kind)
        return Likeness(kind, face, round(share, 3), others)


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-6), np.float32)
