"""Labelled pictures in memory: photographs with their outlines, and our own renders."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from calibration.training import lookalikes
from calibration.training.sampling import UPRIGHT_TILT
from vision import rendered
from vision.faceheads import COLOURS, STATES, SYMBOLS
from vision.frames import Floats, Image, floats

UNKNOWN = -1
TRAINED_ON = {
    "DamianTab/DiceDetection": 1,
    "matteop65/Dice_Detection_Recognition": 1,
    "nell-byler/dice_detection": UNKNOWN,
}
"""Repositories of photographs, and whether all their dice are white (1). The others are for validation."""

LONGEST_PX = 1280
OUTLINES = Path(__file__).with_name("outlines.json")
"""Outlines of dice in the photographs that are trained on; the photographs are not in this repository."""

MISTAKEN = Path(__file__).with_name("mistaken.json")
"""Places (x, y, side) px in these photographs that networks have taken for dice. `outlined` writes both."""

_LEAST_VISIBLE = 0.2
_LEAST_SIDE_PX = 8.0
"""Smaller faces, or such that are seen edge on, teach nothing."""


@dataclass(frozen=True, slots=True)
class LabelledDie:
    """One die. ``corners`` (4, 2) px of the upper face.

    ``turned``: whether the corners tell how the face is turned and leans, or only place and size.
    ``symbol``, ``colour``, ``state``: indices into vision.faceheads, UNKNOWN where nobody said;
    ``white`` 0, 1 or UNKNOWN; ``visible`` 0..1 of the upper face.
    """

    corners: Floats
    symbol: int
    turned: bool = True
    colour: int = UNKNOWN
    white: int = UNKNOWN
    state: int = UNKNOWN
    visible: float = 1.0

    @property
    def centre(self) -> Floats:
        centre: Floats = self.corners.mean(axis=0)
        return centre

    @property
    def side(self) -> float:
        """Geometric mean of the sides, px."""
        first, second = axes(self.corners)
        return float(np.sqrt(abs(first[0] * second[1] - first[1] * second[0])))


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture and its halves, quarters ... (BGR), with all dice in it, in px of the first.

    ``others``: what is no die to be read, polyhedra and the like, and the front faces of dice.
    """

    name: str
    levels: tuple[Image, ...]
    dice: tuple[LabelledDie, ...]
    others: tuple[LabelledDie, ...] = ()
    upright: bool = False
    """Looked at across the table: turned on its side, a side face would look like the upper one."""


def axes(corners: Floats) -> tuple[Floats, Floats]:
    """Return the two sides of a face as vectors, the mean of opposite edges."""
    first: Floats = (corners[1] + corners[2] - corners[0] - corners[3]) / 2
    second: Floats = (corners[2] + corners[3] - corners[0] - corners[1]) / 2
    return first, second


def photographs(folder: Path, repos: Sequence[str], kinds: Mapping[str, int]) -> Iterator[Picture]:
    """Yield photographs of these repositories that have outlines. ``kinds``: repository to white 0/1/-1."""
    outlines, mistaken = (json.loads(one.read_text(encoding="utf-8")) for one in (OUTLINES, MISTAKEN))
    for row in json.loads((folder / "labels.json").read_text(encoding="utf-8")):
        if row["repo"] not in repos or row["image"] not in outlines:
            continue
        image = cv2.imread(str(folder / row["image"]))
        assert image is not None, row["image"]
        dice = tuple(_photographed(d, kinds[row["repo"]]) for d in outlines[row["image"]])
        others = tuple(
            LabelledDie(square((x, y), side), 0) for x, y, side in mistaken.get(row["image"], ())
        )
        yield picture(row["image"], np.asarray(image, np.uint8), dice, others)


def crops(folder: Path) -> Iterator[Picture]:
    """Yield single translucent dice, each filling its picture."""
    for row in json.loads((folder / "labels_crops.json").read_text(encoding="utf-8")):
        image = cv2.imread(str(folder / row["image"]))
        assert image is not None, row["image"]
        height, width = image.shape[:2]
        side = 0.78 * min(height, width)
        face = SYMBOLS.index(f"pips{row['dice'][0]['pips']}")
        die = LabelledDie(square((width / 2, height / 2), side), face, turned=False, white=0)
        yield picture(row["image"], np.asarray(image, np.uint8), (die,))


def renders(folder: Path) -> Iterator[Picture]:
    """Yield what calibration.training.render has written so far."""
    for label in sorted(folder.glob("*.json")):
        row = json.loads(label.read_text(encoding="utf-8"))
        image = cv2.imread(str(label.with_suffix(".jpg")))
        assert image is not None, label  # the label is written last
        dice = [d for d in row["dice"] if d["kind"] != "polyhedron" and d["visible"] > _LEAST_VISIBLE]
        dice = [d for d in dice if LabelledDie(floats(d["corners"]), 0).side > _LEAST_SIDE_PX]
        others = [*row.get("others", ()), *(d for d in row["dice"] if d["kind"] == "polyhedron")]
        yield picture(
            label.stem,
            np.asarray(image, np.uint8),
            tuple(_rendered(d) for d in dice),
            tuple(LabelledDie(floats(d["corners"]), 0) for d in others),
            upright=row["camera"]["tilt"] > UPRIGHT_TILT,
        )


def rehearsed(count: int, seed: int) -> Iterator[Picture]:
    """Yield trays as the rehearsal table shows them to its camera, on felt of other colours, too."""
    rng = np.random.default_rng((seed, 31))
    for number in range(count):
        image = rendered.felt(640, 480, seed=int(rng.integers(1 << 31))).copy()
        if rng.random() < 0.5:
            image = np.asarray(np.clip(image * rng.uniform(0.2, 2.5, 3), 0, 255), np.uint8)
        dice: list[LabelledDie] = []
        for _ in range(int(rng.integers(2, 13))):
            side = float(rng.uniform(26, 60))
            place = rng.uniform(0.08, 0.92, 2) * (640, 480)
            if any(np.linalg.norm(d.centre - place) < 0.75 * (side + d.side) for d in dice):
                continue
            kind, face = str(rng.choice(("white", "coloured"))), str(rng.integers(1, 7))
            turn = float(rng.uniform(0, 360))
            rendered.draw_die(image, kind, face, (float(place[0]), float(place[1])), turn, side)
            angle = np.radians(-turn)
            spin = floats(((np.cos(angle), -np.sin(angle)), (np.sin(angle), np.cos(angle))))
            corners = floats(place) + (square((0.0, 0.0), side) @ spin.T)
            symbol = SYMBOLS.index(f"pips{face}")
            dice.append(
                LabelledDie(corners, symbol, white=int(kind == "white"), state=STATES.index("flat"))
            )
        yield picture(f"rehearsed {number}", image, tuple(dice))


def mistakable(count: int, seed: int) -> Iterator[Picture]:
    """Yield tables on which only lies what is easily taken for dice, see `lookalikes`."""
    for number in range(count):
        drawn = lookalikes.draw(1000 * seed + number)
        others = tuple(LabelledDie(outline, 0) for outline in drawn.outlines)
        yield picture(f"mistakable {number}", drawn.image, (), others)


def picture(
    name: str,
    image: Image,
    dice: tuple[LabelledDie, ...],
    others: tuple[LabelledDie, ...] = (),
    *,
    upright: bool = False,
) -> Picture:
    """Make a picture with its smaller levels; a large one is made smaller first."""
    scale = LONGEST_PX / max(image.shape[:2])
    if scale < 1:
        image = np.asarray(
            cv2.resize(image, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA), np.uint8
        )
        dice, others = (tuple(_scaled(d, scale) for d in group) for group in (dice, others))
    levels = [image]
    while min(levels[-1].shape[:2]) > 128:
        half = cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
        levels.append(np.asarray(half, np.uint8))
    return Picture(name, tuple(levels), dice, others, upright)


def square(centre: tuple[float, float], side: float) -> Floats:
    """Return the corners of an upright square."""
    around = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)], np.float32)
    return np.asarray(floats(centre) + around * floats(side / 2), np.float32)


def _scaled(die: LabelledDie, scale: float) -> LabelledDie:
    return LabelledDie(
        die.corners * floats(scale),
        die.symbol,
        die.turned,
        die.colour,
        die.white,
        die.state,
        die.visible,
    )


def _photographed(row: Mapping[str, Any], white: int) -> LabelledDie:
    return LabelledDie(
        floats(row["corners"]),
        SYMBOLS.index(f"pips{row['face']}"),
        turned=row["turned"],
        white=row.get("white", white),
        state=STATES.index("flat"),
    )


def _rendered(row: Mapping[str, Any]) -> LabelledDie:
    style, face = row["style"], row["face"]
    if style == "fingerprint":
        symbol, colour = "fingerprint", COLOURS.index(face)
    else:
        symbol, colour = "glass" if face == "glass" else f"{style.removesuffix('s')}{face}", UNKNOWN
    symbol = symbol.replace("pip", "pips") if symbol.startswith("pip") else symbol
    white = {"white": 1, "coloured": 0}.get(row["kind"], UNKNOWN)
    return LabelledDie(
        floats(row["corners"]),
        SYMBOLS.index(symbol),
        colour=colour,
        white=white,
        state=STATES.index(row["state"]),
        visible=row["visible"],
    )
