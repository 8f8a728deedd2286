"""Teaching a kind of dice: which face to show next, what was shown, and what is mixed up in the end.

Pure: a `Lesson` is a value, pictures and the reader's embedding are handed in. A face should be shown
in two pictures at least, better under two lamps: only then can it be told how well it is known.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lasting import lasting
from vision.dim import brightened
from vision.frames import Floats, Frame, Image
from vision.naming import FINGERPRINT
from vision.onelamp import body_lights, ground_light
from vision.onelamp_palette import palette_of
from vision.taught import Taught

Embed = Callable[[Frame, Sequence[Floats]], Floats]
"""Turns a frame and outlines (4, 2) px into unit vectors (n, 64), one for each die."""

LAMPS = {"day": "in daylight", "evening": "under the evening lamp"}
"""Lamps that have a name; any other word is a lamp called so."""

ROUNDS = 2
"""How often each face is asked for under one lamp."""

_LASTING = "What lies there whichever face is shown is left out: it is no die, or it was not turned."

_SAME_LEVEL = 10.0
"""Least change in grey levels that shows that something was turned: four times a phone's noise."""


@dataclass(frozen=True, slots=True)
class Example:
    """What one picture showed of a face: ``vectors`` (n, 64), one for each die in it.

    ``lights`` (n, 3), ``ground``: log light of the dice and of the surface, see vision.onelamp;
    ``outlines`` (n, 4, 2) px: where they lay.
    """

    picture: int
    lamp: str
    face: str
    vectors: Floats = field(repr=False)
    lights: Floats = field(repr=False)
    ground: tuple[float, float, float]
    outlines: Floats = field(repr=False)

    def without(self, some: NDArray[np.bool_]) -> Self:
        """Return the picture without these (n,) dice."""
        kept = {name: getattr(self, name)[~some] for name in ("vectors", "lights", "outlines")}
        return replace(self, **kept)


@dataclass(frozen=True, slots=True)
class Pair:
    """Two faces that were mixed up ``times`` of ``total``, most under ``lamp``."""

    faces: tuple[str, str]
    times: int
    total: int
    lamp: str

    @property
    def text(self) -> str:
        """As a sentence with its remedy."""
        one, other = self.faces
        often = "once" if self.times == 1 else f"{self.times} times"
        return (
            f"{one} and {other} were mixed up {often} of {self.total}: show both again {_under(self.lamp)}."
        )


@dataclass(frozen=True, slots=True)
class Confusion:
    """How the dice shown would have been read from all other pictures.

    ``counts``: (shown, read as) to how often; read as "" is not recognised. ``right`` of ``total``;
    ``pairs``: what was mixed up, worst first; ``notes``: what cannot be told, and what helps.
    """

    counts: dict[tuple[str, str], int]
    right: int
    total: int
    pairs: tuple[Pair, ...] = ()
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A kind being taught. ``base``: what had been taught before; ``queue``: faces still to show."""

    kind: str
    faces: tuple[str, ...]
    lamp: str = "day"
    base: Taught = field(default_factory=Taught)
    queue: tuple[str, ...] = ()
    examples: tuple[Example, ...] = ()
    last: Image | None = field(default=None, repr=False)

    @classmethod
    def begin(
        cls, kind: str, faces: Sequence[str], *, lamp: str = "day", base: Taught | None = None
    ) -> Self:
        """Start. Raises ValueError with a sentence for a kind or faces that cannot be."""
        kind, faces = kind.strip(), tuple(face.strip() for face in faces)
        _check(kind, faces)
        return cls(kind, faces, lamp, base or Taught(), faces * ROUNDS)

    @property
    def face(self) -> str:
        """The face to show now; empty when all have been shown."""
        return self.queue[0] if self.queue else ""

    @property
    def awaited(self) -> tuple[str, int]:
        """The kind to look for, and how many: as were seen at most, for all are in every picture."""
        most = max((len(example.vectors) for example in self.dice), default=1)
        return self.kind, most

    @property
    def prompt(self) -> str:
        """What to do now, as a sentence."""
        if not self.queue:
            return "All faces have been shown."
        again = any(e.face == self.face and e.lamp == self.lamp for e in self.examples)
        turned = " once more, moved and turned a little" if again else ""
        return f"Put the {self.kind} dice down so that all show {self.face}{turned}. Take your hands away."

    def skip(self) -> Self:
        """Leave the face out that is asked for now."""
        return replace(self, queue=self.queue[1:])

    def asking(self, face: str) -> Self:
        """Ask for this face alone, for none if it is empty. Raises ValueError for one there is not."""
        if face and face not in self.faces:
            raise ValueError(f"The {self.kind} dice have no {face}; they have {', '.join(self.faces)}.")
        return replace(self, queue=(face,) if face else (), last=None)

    def again(self, faces: Sequence[str], lamp: str) -> Self:
        """Ask for these faces (all if none) under a lamp. Raises ValueError for a face there is not."""
        odd = [face for face in faces if face not in self.faces]
        if odd:
            raise ValueError(f"The {self.kind} dice have no {odd[0]}; they have {', '.join(self.faces)}.")
        return replace(self, queue=(*self.queue, *(tuple(faces) or self.faces)), lamp=lamp)

    def show(self, frame: Frame, outlines: Sequence[Floats], embed: Embed) -> tuple[Self, str]:
        """Take a picture in which all dice show the face asked for.

        Returns the lesson after it and what was noted. Raises ValueError with a sentence if it
        cannot be used.
        """
        if not self.queue:
            raise ValueError("All faces have been shown. Look at the table below, or show some again.")
        if not len(outlines):
            raise ValueError("No die is seen. Put it into the middle of the tray, on a plain ground.")
        now = small(frame.image)
        if self.last is not None and not changed(self.last, now):
            raise ValueError(f"This is the same picture as before. Turn the dice to {self.face} first.")
        vectors = embed(frame, outlines)
        picture = len({example.picture for example in self.examples})
        image = brightened(frame.image)  # as it will be read
        lights, ground = body_lights(image, outlines), ground_light(image, outlines)
        example = Example(picture, self.lamp, self.face, vectors, lights, ground, np.array(outlines))
        after = replace(self, queue=self.queue[1:], examples=(*self.examples, example), last=now)
        count = len(after.dice[-1].vectors)
        seen = "One die" if count == 1 else f"{count} dice"
        left = f" {_LASTING}" if count < len(vectors) else ""
        return after, f"{seen} noted as {self.face}.{left}"

    def gallery(self) -> Taught:
        """Everything taught, this lesson included."""
        return self._with(self.dice)

    def confusion(self) -> Confusion:
        """Read each picture by what all the others taught, and count."""
        counts: Counter[tuple[str, str]] = Counter()
        under: Counter[tuple[frozenset[str], str]] = Counter()
        once = [f for f in self.faces if self._pictures(f) == 1]
        dice = self.dice
        for example in dice:
            if example.face in once:
                continue
            others = self._with([e for e in dice if e is not example])
            for read in others.classify(example.vectors):
                name = (
                    read.face if read and read.kind == self.kind else f"a {read.kind} die" if read else ""
                )
                counts[example.face, name] += 1
                if name and name != example.face:
                    under[frozenset((example.face, name)), example.lamp] += 1
        right = sum(n for (shown, read), n in counts.items() if shown == read)
        return Confusion(dict(counts), right, counts.total(), _pairs(counts, under), self._notes(once))

    @property
    def dice(self) -> tuple[Example, ...]:
        """What was shown without what lay there all the time, as a pattern of the table does."""
        shown = self.examples
        stays = lasting([e.face for e in shown], [e.outlines for e in shown], [e.vectors for e in shown])
        return tuple(e if not s.any() else e.without(s) for e, s in zip(shown, stays, strict=True))

    def _with(self, dice: Sequence[Example]) -> Taught:
        gallery = self.base
        for example in dice:
            gallery = gallery.add(self.kind, example.face, example.vectors, example.lights, example.ground)
        return gallery

    def _pictures(self, face: str) -> int:
        mine = sum(example.face == face for example in self.examples)
        return mine + (1 if mine and (self.kind, face) in self.base.faces else 0)

    def _notes(self, once: Sequence[str]) -> tuple[str, ...]:
        notes = []
        if once:
            many = "was" if len(once) == 1 else "were"
            notes.append(
                f"{', '.join(once)} {many} shown once only: show again to learn how well it is known."
            )
        missing = [f for f in self.faces if not self._pictures(f) and (self.kind, f) not in self.base.faces]
        if missing:
            notes.append(f"Never shown: {', '.join(missing)}. A die that shows it cannot be read.")
        if self.kind == FINGERPRINT and not missing and palette_of(self.gallery()) is None:
            notes.append(
                "The six paints could not be told by their light, so colours are known by their looks"
                " alone. Show all once more on a plain ground, where no lamp glares."
            )
        lamps = {example.lamp for example in self.examples}
        if len(lamps) == 1:
            (lamp,) = lamps
            other = "evening" if lamp == "day" else "day"
            notes.append(
                f"The dice were seen {_under(lamp)} only. Colours change with the light: show them"
                f" {_under(other)}, too, if you play then."
            )
        return tuple(notes)


def _pairs(
    counts: Counter[tuple[str, str]], under: Counter[tuple[frozenset[str], str]]
) -> tuple[Pair, ...]:
    shown: Counter[str] = Counter()
    mixed: Counter[frozenset[str]] = Counter()
    for (face, read), n in counts.items():
        shown[face] += n
        if read and read != face:
            mixed[frozenset((face, read))] += n
    pairs = []
    for faces, times in mixed.most_common():
        total = sum(shown[face] for face in faces)
        lamp = max((lamp for both, lamp in under if both == faces), key=lambda w: under[faces, w])
        one, other = sorted(faces)
        pairs.append(Pair((one, other), times, total, lamp))
    return tuple(pairs)


def _under(lamp: str) -> str:
    return LAMPS.get(lamp, f"under {lamp}")


def _check(kind: str, faces: Sequence[str]) -> None:
    for name in (kind, *faces):
        if not name or len(name) > 24 or not all(c.isalnum() or c in " -" for c in name):
            raise ValueError(f"{name!r} is no name: letters, digits and spaces, 24 at most.")
    if not 2 <= len(faces) <= 20:
        raise ValueError("Name two faces at least and twenty at most.")
    twice = [face for face, n in Counter(faces).items() if n > 1]
    if twice:
        raise ValueError(f"{twice[0]} is named twice: give each face a name of its own.")


def small(image: Image) -> Image:
    """Shrink a BGR picture to a grey one for `changed`."""
    size = (120, max(1, round(120 * image.shape[0] / image.shape[1])))
    grey = cv2.cvtColor(cv2.resize(image, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return np.asarray(grey, np.uint8)


def changed(before: Image, now: Image) -> bool:
    """Whether something was moved between two small pictures; noise and light are nothing."""
    if before.shape != now.shape:
        return True
    change = cv2.GaussianBlur(now.astype(np.float32) - before.astype(np.float32), (0, 0), 1)
    return float(np.abs(change - np.median(change)).max()) > _SAME_LEVEL
