"""Dice that a player has shown: what their faces look like to the reader, in its own embedding."""

import io
import os
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self
from zipfile import BadZipFile

import numpy as np

from vision.faceheads import EMBEDDING
from vision.frames import Floats, floats
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
    """A gallery. ``vectors`` (n, EMBEDDING) unit length; ``faces``: n pairs of kind and face.

    ``lights``, ``grounds`` (n, 3): log light of each die and of the surface round it in the same picture,
    as vision.onelamp measures them; not a number where nobody did.
    """

    vectors: Floats = field(default_factory=lambda: np.zeros((0, EMBEDDING), np.float32), repr=False)
    faces: tuple[tuple[str, str], ...] = ()
    lights: Floats = field(default_factory=lambda: _unmeasured(0), repr=False)
    grounds: Floats = field(default_factory=lambda: _unmeasured(0), repr=False)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds that have been shown, in the order in which they were first shown."""
        return tuple(dict.fromkeys(kind for kind, _ in self.faces))

    def of(self, kind: str) -> tuple[str, ...]:
        """Faces of a kind that have been shown."""
        return tuple(dict.fromkeys(face for k, face in self.faces if k == kind))

    def add(
        self,
        kind: str,
        face: str,
        vectors: Floats,
        lights: Floats | None = None,
        ground: Sequence[float] | None = None,
    ) -> Self:
        """Return a gallery with these (n, EMBEDDING) dice of a picture; the oldest beyond a limit go.

        ``lights`` (n, 3) of the dice and ``ground`` (3,) of the surface, if they were measured.
        """
        count, shown = len(vectors[-_MOST_A_FACE:]), (kind, face)
        mine = [n for n, other in enumerate(self.faces) if other == shown]
        over = max(0, len(mine) + len(vectors) - _MOST_A_FACE)
        kept = self._take([n for n in range(len(self.faces)) if n not in set(mine[:over])])
        measured = _unmeasured(count) if lights is None else lights[-_MOST_A_FACE:]
        around = _unmeasured(count) if ground is None else np.tile(floats(ground), (count, 1))
        return replace(
            kept,
            vectors=floats(np.concatenate((kept.vectors, _unit(vectors[-_MOST_A_FACE:])))),
            faces=(*kept.faces, *[shown] * count),
            lights=floats(np.concatenate((kept.lights, measured))),
            grounds=floats(np.concatenate((kept.grounds, around))),
        )

    def forget(self, kind: str) -> Self:
        """Return a gallery without this kind."""
        return self._take([n for n, (k, _) in enumerate(self.faces) if k != kind])

    def only(self, kinds: tuple[str, ...]) -> Self:
        """Return a gallery of these kinds alone."""
        return self._take([n for n, (kind, _) in enumerate(self.faces) if kind in kinds])

    def _take(self, kept: Sequence[int]) -> Self:
        chosen = np.array(kept, np.intp)
        return replace(
            self,
            vectors=self.vectors[chosen],
            faces=tuple(self.faces[n] for n in kept),
            lights=self.lights[chosen],
            grounds=self.grounds[chosen],
        )

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

    def likeness(self, kind: str, faces: Sequence[str], vectors: Floats) -> Floats:
        """Return (n, len(faces)): the mean cosine to each face's nearest pictures, -1 without any."""
        told = np.full((len(vectors), len(faces)), -1, np.float32)
        for column, face in enumerate(faces):
            mine = [n for n, other in enumerate(self.faces) if other == (kind, face)]
            if mine:
                cosines = np.sort(_unit(vectors) @ self.vectors[mine].T, axis=1)
                told[:, column] = cosines[:, -NEIGHBOURS:].mean(axis=1)
        return told

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
        np.savez_compressed(
            memory,
            vectors=self.vectors,
            lights=self.lights,
            grounds=self.grounds,
            faces=faces,
            edition=edition("face"),
        )
        return memory.getvalue()

    @classmethod
    def unpacked(cls, data: bytes, name: str) -> Self:
        """Read a gallery from the bytes of a file called ``name``. Raises TaughtError."""
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as file:
                vectors = np.asarray(file["vectors"], np.float32)
                faces = tuple((kind, face) for kind, face in (str(n).split("\t") for n in file["faces"]))
                lights, grounds = (
                    np.asarray(file[name], np.float32) if name in file else _unmeasured(len(faces))
                    for name in ("lights", "grounds")
                )  # galleries saved before had none
                if str(file["edition"]) != edition("face"):
                    raise ValueError("the companion has learned to read anew since")
            measured = lights.shape == grounds.shape == (len(faces), 3)
            if not measured or vectors.shape != (len(faces), EMBEDDING) or not np.isfinite(vectors).all():
                raise ValueError("its numbers do not fit together")
        except (OSError, EOFError, ValueError, KeyError, BadZipFile) as error:
            raise TaughtError(
                f"{name} cannot be used: {error}. Teach the dice again, or delete the file."
            ) from error
        return cls(vectors, faces, lights, grounds)

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


def _unmeasured(count: int) -> Floats:
    return np.full((count, 3), np.nan, np.float32)


def _unit(vectors: Floats) -> Floats:
    length = np.linalg.norm(vectors, axis=1, keepdims=True)
    return np.asarray(vectors / np.maximum(length, 1e-6), np.float32)
