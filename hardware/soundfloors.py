"""What sounds say about the floor, given what beams said already: a small trained network. Pure.

The network does not give probabilities of floors but what sound adds to them: its eight numbers are
added to the logarithms of the prior and of the beams, and it was trained so that the sum is right
(`calibration.training.cubes`). So it can be left out, and what is learned of a tower stays in force.
Times, gaps, counts, levels relative to the evening's usual one and the order of pitches carry it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Final, Literal

import numpy as np
import numpy.typing as npt

from hardware.assign import fall_s
from hardware.floors import Logs
from hardware.hearing import Heard
from hardware.profile import ENTRY_PLATE

SLOTS: Final = 10
"""The loudest so many sounds are looked at one by one."""

SINCE_S: Final = -0.25
UNTIL_S: Final = 1.1
"""Sounds so long before and after the entry are looked at; some cubes meet the roof before they enter."""

EDGES_S: Final = (
    -0.25, -0.1, -0.01, 0.02, 0.035, 0.05, 0.06, 0.07, 0.08, 0.09, 0.1, 0.11, 0.12, 0.13, 0.14, 0.15, 0.16,
    0.17, 0.18, 0.2, 0.22, 0.25, 0.28, 0.32, 0.36, 0.42, 0.5, 0.6, 0.75, 0.9, 1.1,
)  # fmt: skip
"""Between these times after the entry the loudest level is looked at."""

PITCHES_HZ: Final = (140.0, 172.0, 188.0, 214.0, 248.0, 292.0, 348.0, 420.0, 520.0, 658.0, 900.0)
"""Between these pitches the loudest level and the latest time are looked at: the table, plates 0 to 7."""

WEIGHTS: Final = Path(__file__).parent / "weights"

Kind = Literal["wave", "digital"]
Features = npt.NDArray[np.float32]
Weights = npt.NDArray[np.float32]
_LEAST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class DropSound:
    """One drop as it was heard, with what the beams saw.

    ``at``: seconds of the entry, of the first sound where no beam saw it (``seen`` False). ``heard``:
    sounds on the same clock. ``passed``: when each plate's beam broke; ``watched``: plates with a beam
    that can be believed. ``usual_db``: the median loudest level of earlier drops, None if there were too
    few. ``before_s``, ``after_s``: to the entries of the cubes before and after it. ``board_known``:
    so many earlier cubes told how high this tower sounds; ``heard`` has pitches as at the computed one.
    """

    at: float
    heard: Sequence[Heard]
    kind: Kind = "wave"
    seen: bool = True
    width_s: float = 0.018
    passed: Mapping[int, float] = field(default_factory=dict)
    watched: frozenset[int] = frozenset()
    usual_db: float | None = None
    before_s: float = 9.0
    after_s: float = 9.0
    board_known: int = 0


def features(drop: DropSound) -> Features:
    """What the network looks at, shape (FEATURES,), of the order of 1 each."""
    near = [one for one in drop.heard if SINCE_S <= one.at - drop.at <= UNTIL_S]
    loudest = max((one.level_db for one in near), default=0.0)
    usual = loudest if drop.usual_db is None else drop.usual_db
    shown = sorted(sorted(near, key=lambda one: -one.level_db)[:SLOTS], key=lambda one: one.at)
    last = max(drop.passed.values(), default=drop.at)
    parts = [
        _general(drop, near, loudest, usual),
        _plates(drop),
        _bins(drop, near, loudest),
        _pitches(drop, near, loudest),
        _slots(drop, shown, loudest, usual, last),
    ]
    return np.concatenate([np.asarray(part, np.float32) for part in parts])


@dataclass(frozen=True)
class SoundFloors:
    """Some networks for one kind of microphone, trained from different starts; their answers are averaged.

    ``layers``: weights (networks, inputs, outputs) and biases (networks, outputs) of each layer.
    ``sharpness``, ``unseen``: the powers that make the averaged chances as sure as they are right on
    evenings that were not learned from, with and without an entry beam; what learned from many towers is
    too careful at any one.
    """

    layers: tuple[tuple[Weights, Weights], ...]
    sharpness: float = 1.0
    unseen: float = 1.0

    def __call__(self, drop: DropSound, known: Logs) -> Logs:
        """What sound adds to the logarithms of floors 0 to 7, given what is ``known`` without it."""
        chances = averaged(self.layers, features(drop)[np.newaxis], known[np.newaxis])[0]
        power = self.sharpness if drop.seen else self.unseen
        return np.asarray(power * np.log(chances + _LEAST) - known, np.float64)

    @classmethod
    def load(cls, path: Path) -> "SoundFloors":
        """Read what `calibration.training.cubes` wrote."""
        with np.load(path) as file:
            count = sum(name.startswith("w") for name in file.files)
            layers = tuple(
                (file[f"w{n}"].astype(np.float32), file[f"b{n}"].astype(np.float32)) for n in range(count)
            )
            return cls(layers, *(float(file[name]) for name in ("sharpness", "unseen")))


def averaged(layers: Sequence[tuple[Weights, Weights]], inputs: Features, known: Logs) -> Logs:
    """The averaged chances (drops, 8) of networks; ``inputs`` (drops, FEATURES), ``known`` (drops, 8)."""
    first, bias = layers[0]
    values = np.matmul(inputs, first) + bias[:, np.newaxis]
    for weights, bias in layers[1:]:
        values = np.matmul(np.maximum(values, 0.0), weights) + bias[:, np.newaxis]
    logs = known + values.astype(np.float64)
    chances = np.exp(logs - logs.max(axis=2, keepdims=True))
    chances /= chances.sum(axis=2, keepdims=True)
    return np.asarray(chances.mean(axis=0), np.float64)


Ear = Callable[[DropSound, Logs], Logs]
"""What sound adds to the logarithms of eight floors, given what is known without it."""


def shipped(drop: DropSound, known: Logs) -> Logs:
    """The `Ear` that came with the companion."""
    return _shipped(drop.kind)(drop, known)


@cache
def _shipped(kind: Kind) -> SoundFloors:
    return SoundFloors.load(WEIGHTS / f"floors_{kind}.npz")


def _general(drop: DropSound, near: Sequence[Heard], loudest: float, usual: float) -> list[float]:
    loud = next((one.at - drop.at for one in near if one.level_db == loudest), 0.0)
    return [
        float(drop.seen),
        drop.width_s * 30,
        float(drop.usual_db is not None),
        (loudest - usual) / 10,
        len(near) / 5,
        5 * (near[0].at - drop.at) if near else 0.0,
        5 * (near[-1].at - drop.at) if near else 0.0,
        5 * loud,
        min(drop.before_s, 1.0),
        min(drop.after_s, 1.0),
        min(drop.board_known, 8) / 8,
    ]


def _plates(drop: DropSound) -> list[float]:
    speed = 0.008 / max(drop.width_s, 0.008)
    values: list[float] = []
    for plate in range(ENTRY_PLATE):
        passed = drop.passed.get(plate)
        clean = fall_s(speed, (ENTRY_PLATE - plate) * 31.25)
        late = 0.0 if passed is None else passed - drop.at - clean
        values += [float(plate in drop.watched), float(passed is not None), 5 * late]
    return values


def _bins(drop: DropSound, near: Sequence[Heard], loudest: float) -> Features:
    values = np.zeros(len(EDGES_S) - 1, np.float32)
    for one in near:
        place = int(np.searchsorted(EDGES_S, one.at - drop.at, side="right")) - 1
        if 0 <= place < len(values):
            values[place] = max(values[place], 1.0 + (one.level_db - loudest) / 30)
    return values


def _pitches(drop: DropSound, near: Sequence[Heard], loudest: float) -> Features:
    """For each of the pitches: loudness, and the first and the last time."""
    values = np.zeros((len(PITCHES_HZ) - 1, 3), np.float32)
    for one in near:
        place = int(np.searchsorted(PITCHES_HZ, one.pitch_hz, side="right")) - 1
        if 0 <= place < len(values):
            loud, first, _ = values[place]
            at = 5 * (one.at - drop.at)
            values[place] = max(loud, 1.0 + (one.level_db - loudest) / 30), first if loud else at, at
    return values.ravel()


def _slots(drop: DropSound, shown: Sequence[Heard], loudest: float, usual: float, last: float) -> Features:
    values = np.zeros((SLOTS, 11), np.float32)
    before = drop.at
    pitches = [one.pitch_hz for one in shown if one.pitch_hz > 0]
    top = max(pitches, default=1.0)
    for n, one in enumerate(shown):
        values[n] = (
            1.0,
            5 * (one.at - drop.at),
            5 * (one.at - before),
            np.clip(5 * (one.at - last), -1, 2),
            (one.level_db - usual) / 10,
            (one.level_db - loudest) / 10,
            float(one.pitch_hz > 0),
            np.log2(one.pitch_hz / 300) if one.pitch_hz > 0 else 0.0,
            np.log2(one.pitch_hz / top) if one.pitch_hz > 0 else 0.0,
            np.log2(one.centroid_hz / 2000) if one.centroid_hz > 0 else 0.0,
            np.log2(one.decay_s / 0.01) if one.decay_s > 0 else 0.0,
        )
        before = one.at
    return values.ravel()


FEATURES: Final = 11 + 3 * ENTRY_PLATE + len(EDGES_S) - 1 + 3 * (len(PITCHES_HZ) - 1) + 11 * SLOTS
"""How many numbers `features` gives."""
