"""Recordings of a rehearsed tower with their truth, for ``companion simulate-tower``.

A recording is a folder: ``edges.jsonl`` (one edge a line), ``sound.wav`` (its first sample at t = 0)
and ``truth.jsonl`` (what was dropped and what else happened). The same seed gives the same files.
"""

import json
import wave
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from hardware.falls import settled
from hardware.noises import AT_A_BEAM, GOING_ON, NOISES, Noise, noise
from hardware.physics import fall
from hardware.sound import Mono
from hardware.synthesis import RATE, Mixer, Voice
from hardware.traces import MICROPHONE, Drop, changes, drop_spans, line_names, noise_spans, sensed
from hardware.worlds import FLOORS, ROOF, TABLE, WORLDS

LEAD_S: Final = 1.0
"""Quiet before the first cube and after the last."""

GAP_S: Final = (1.0, 3.0)
QUIET_S: Final = 10.0
"""How long a recording without cubes is, unless told."""

ALL_BEAMS: Final = tuple(range(ROOF, -1, -1))


class SimulationError(ValueError):
    """No recording can be made; the text names what is wrong and what is possible."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be recorded. Raises SimulationError.

    ``beams``: plates 7 to 0; 7 is the entry. ``module``: whether a threshold sound module is there.
    ``gap_s``: least and most seconds between releases. ``noise``: a kind in `NOISES`; talk, music and
    typing go on, others come once between two cubes. ``seconds``: the least length. ``anew``: the
    tower is put together anew by the seed, with other shifts of its plates.
    """

    profile: str = "BASE"
    seed: int = 0
    drops: int = 20
    beams: tuple[int, ...] = ALL_BEAMS
    paired: bool = False
    sound: bool = True
    module: bool = True
    gap_s: tuple[float, float] = GAP_S
    noise: str = ""
    rate: int = RATE
    seconds: float = 0.0
    anew: bool = False

    def __post_init__(self) -> None:
        if self.profile not in WORLDS:
            raise SimulationError(f"There is no tower {self.profile!r}; there are {', '.join(WORLDS)}.")
        if self.noise and self.noise not in NOISES:
            raise SimulationError(f"There is no noise {self.noise!r}; there are {', '.join(NOISES)}.")
        if odd := [plate for plate in self.beams if not 0 <= plate <= ROOF]:
            raise SimulationError(f"There is no beam {odd[0]}; there are 7 (the entry) down to 0.")
        if self.drops < 0 or self.seed < 0 or self.seconds < 0:
            raise SimulationError("The numbers of drops and seconds and the seed are 0 or more.")
        if not 0 < self.gap_s[0] <= self.gap_s[1] < float("inf"):
            raise SimulationError("The gap between two cubes is a number of seconds above 0.")
        if not 4000 <= self.rate <= 384000:
            raise SimulationError(f"{self.rate} samples a second: take 4000 to 384000, such as 48000.")


@dataclass(frozen=True, slots=True)
class Recording:
    """What happens in one recording: drops, disturbances with their beginnings, and its length."""

    plan: Plan
    drops: tuple[Drop, ...]
    noises: tuple[tuple[float, Noise], ...]
    seconds: float


def record(plan: Plan) -> Recording:
    """Let everything in a plan happen. Neither edges nor truth depend on whether sound is wanted."""
    rng, disturbing = _rng(plan, 1), _rng(plan, 2)
    senses = _rng(plan, 3), _rng(plan, 4)
    world = WORLDS[plan.profile].built(rng) if plan.anew else WORLDS[plan.profile]
    once = bool(plan.noise) and plan.noise not in GOING_ON
    lying, at = [0] * FLOORS, LEAD_S
    drops: list[Drop] = []
    noises: list[tuple[float, Noise]] = []
    for number in range(plan.drops):
        if once and number:
            noises.append((at + LEAD_S, _once(plan, disturbing)))
            at += 2 * LEAD_S + noises[-1][1].seconds
        one = fall(world, rng, lying)
        lying = settled(lying, one)
        drops.append(sensed(world, one, at - one.released, senses, plan.beams, paired=plan.paired))
        at += rng.uniform(*plan.gap_s)
    rested = [one.at + one.fall.rested + LEAD_S for one in drops]
    seconds = max([plan.seconds, at, *rested]) if drops else plan.seconds or QUIET_S
    if plan.noise and not once:
        noises.append((0.0, noise(plan.noise, disturbing, plan.rate, seconds=seconds)))
    elif once and not drops:
        noises += _often(plan, disturbing, seconds)
    return Recording(plan, tuple(drops), tuple(noises), seconds)


def save(recording: Recording, folder: Path) -> None:
    """Write the files of a recording, making the folder. Raises SimulationError."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _write_rows(folder / "edges.jsonl", edges(recording))
        _write_rows(folder / "truth.jsonl", truth(recording))
        if recording.plan.sound:
            _write_sound(folder / "sound.wav", recording)
    except OSError as error:
        raise SimulationError(
            f"{folder} cannot be written: {error.strerror or error}. Name another folder with --out."
        ) from error


def edges(recording: Recording) -> list[dict[str, Any]]:
    """The lines' changes, sorted by time. Each line begins with what it is at t = 0: not active."""
    plan = recording.plan
    names = (*line_names(plan.beams, paired=plan.paired), *([MICROPHONE] if plan.module else []))
    spans = [span for one in recording.drops for span in drop_spans(one)]
    spans += [span for at, made in recording.noises for span in noise_spans(at, made, plan.rate)]
    found = changes(spans)
    rows = [
        {"t": round(t, 6), "line": name, "active": active}
        for name in names
        for t, active in [(0.0, False), *found.get(name, ())]
    ]
    return sorted(rows, key=lambda row: row["t"])


def truth(recording: Recording) -> list[dict[str, Any]]:
    """What happened, sorted by time: one row for each cube and each disturbance; times in seconds."""
    rows = [_told(number, one) for number, one in enumerate(recording.drops, start=1)]
    rows += [
        {"kind": made.kind, "t": round(at, 6), "until": round(at + made.seconds, 6)}
        for at, made in recording.noises
    ]
    return sorted(rows, key=lambda row: row["t"])


def hear(recording: Recording, block_s: float = 1.0) -> Iterator[Mono]:
    """Give the sound of a recording in pieces of ``block_s`` seconds, the last one shorter."""
    rate = recording.plan.rate
    voice, mixer = Voice(_rng(recording.plan, 5), rate), Mixer(_rng(recording.plan, 6), rate)
    for one in recording.drops:
        for sound in one.sounds:
            mixer.add(one.at + sound.at, lambda sound=sound: voice.impact(sound))  # type: ignore[misc]
    for at, made in recording.noises:
        mixer.add(at, made.sound)
    left = round(recording.seconds * rate)
    while left:
        length = min(left, round(block_s * rate))
        yield mixer.read(length)
        left -= length


def _rng(plan: Plan, purpose: int) -> np.random.Generator:
    """One stream of chance for each purpose, so that none of them moves another."""
    return np.random.default_rng([plan.seed, purpose])


def _once(plan: Plan, rng: np.random.Generator) -> Noise:
    places = plan.beams if plan.noise in AT_A_BEAM and plan.beams else ALL_BEAMS
    return noise(plan.noise, rng, plan.rate, place=int(rng.choice(places)))


def _often(plan: Plan, rng: np.random.Generator, seconds: float) -> Iterator[tuple[float, Noise]]:
    at = LEAD_S
    while True:
        made = _once(plan, rng)
        if at + made.seconds + LEAD_S > seconds:
            return
        yield at, made
        at += made.seconds + rng.uniform(*plan.gap_s)


def _told(number: int, one: Drop) -> dict[str, Any]:
    return {
        "kind": "drop",
        "t": round(one.at, 6),
        "drop": number,
        "floor": one.fall.floor,
        "released": round(one.at + one.fall.released, 6),
        "rested": round(one.at + one.fall.rested, 6),
        "passes": [{"plate": way.plate, "t": round(one.at + way.at, 6)} for way in one.fall.passes],
        "impacts": [
            {
                "t": round(one.at + sound.at, 6),
                "on": "table" if sound.plate == TABLE else sound.plate,
                "kind": sound.kind,
                "level_db": round(sound.level_db, 1),
            }
            for sound in one.sounds
        ],
        "knocked": [{"from": other.lay, "to": other.floor} for other in one.fall.moving[1:]],
    }


def _write_rows(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    with path.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(row) + "\n" for row in rows)


def _write_sound(path: Path, recording: Recording) -> None:
    with path.open("wb") as file, wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(recording.plan.rate)
        for piece in hear(recording):
            out.writeframes(np.round(piece * 32767).astype("<i2").tobytes())
