"""Simulated evenings at a tower, edges and sounds with their truth: what the floor network learns from.

Everything follows from a seed. Seeds below 1,000,000 are for training; benchmarks take others.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from hardware.acoustics import Sound, module, sounds, waveform
from hardware.beams import Break, breaks
from hardware.edges import Edge
from hardware.hearing import Heard, heard_onset
from hardware.onsets import OnsetDetector
from hardware.physics import fall
from hardware.sound import Onset, Samples
from hardware.synthesis import FULL_SCALE_DB, Mixer, Voice, amplitude
from hardware.worlds import WORLDS, World

Ears = Literal["audio", "model", "module"]
"""Who hears: the real detector on synthesised sound, a model of it (S14), or a threshold module (S14)."""

PIECE: Final = 4800
_BEGIN_S: Final = 2.0
_CLOSE: Final = 0.2
_CLOSE_S: Final = (0.15, 0.8)
_APART_S: Final = (1.7, 2.6)


@dataclass(frozen=True, slots=True)
class Evening:
    """Cubes thrown one after another: when each entered, where it came to rest, what was seen and heard.

    ``breaks``: for each cube what beams on all plates gave, (single, paired), on the clock of its entry.
    """

    world: World
    entries: tuple[float, ...]
    floors: tuple[int, ...]
    breaks: tuple[tuple[tuple[Break, ...], tuple[Break, ...]], ...]
    heard: tuple[Heard, ...]

    def edges(self, lines: tuple[str, ...]) -> list[Edge]:
        """The edges of these lines, in order of time; each begins clear."""
        found: list[Edge] = []
        for entry, (single, paired) in zip(self.entries, self.breaks, strict=True):
            for name in lines:
                plate = 7 if name.startswith("entry") else int(name[5])
                mate = name.replace("_b", "")
                pool = paired if f"{mate}_b" in lines else single
                for one in pool:
                    if one.plate == plate and one.second == name.endswith("_b"):
                        found.append(Edge(name, level=False, at=entry + one.at))
                        found.append(Edge(name, level=True, at=entry + one.at + one.length_s))
        return _overlapped(found)


def evening(
    seed: int,
    ears: Ears,
    cubes: int,
    worlds: Sequence[str] = tuple(WORLDS),
    *,
    gaps_s: Sequence[float] = (),
    varied: bool = False,
    anew: bool = False,
) -> Evening:
    """Simulate one evening in one of these worlds.

    ``gaps_s``: from one release to the next, again and again; as at a table if empty. ``anew``: the tower
    is put together anew. ``varied``: that, other gains and places of the microphone, one cube in five
    close behind another.
    """
    rng = np.random.default_rng(seed)
    world = WORLDS[worlds[int(rng.integers(len(worlds)))]]
    if varied or anew:
        world = world.built(rng)
    released, thrown = _BEGIN_S, []
    for n in range(cubes):
        one = fall(world, rng)
        seen = (tuple(breaks(world, one, rng)), tuple(breaks(world, one, rng, paired=True)))
        thrown.append((released - one.released, one, seen))
        close = varied and rng.random() < _CLOSE
        gap_s = float(rng.uniform(*(_CLOSE_S if close else _APART_S)))
        released += gaps_s[n % len(gaps_s)] if gaps_s else gap_s
    thrown.sort(key=lambda cube: cube[0])
    arriving = [
        Sound(entry + s.at, s.plate, s.level_db, s.speed, s.kind)
        for entry, one, _ in thrown
        for s in sounds(one, rng)
    ]
    arriving.sort(key=lambda sound: sound.at)
    heard = _heard(arriving, ears, released + 1.0, rng, varied=varied)
    entries, falls, seen_by = zip(*thrown, strict=True)
    return Evening(world, entries, tuple(one.floor for one in falls), seen_by, tuple(heard))


def _heard(
    arriving: list[Sound], ears: Ears, until: float, rng: np.random.Generator, *, varied: bool
) -> list[Heard]:
    if varied:
        slope, gain = rng.normal(0, 0.7), rng.uniform(-8, 8)
        arriving = [
            Sound(s.at, s.plate, s.level_db + gain + slope * (s.plate - 3), s.speed, s.kind)
            for s in arriving
        ]
    if ears == "module":
        bursts = module(arriving, rng)
        return [Heard(b.at, 10 * float(np.log2(max(2 * b.pulses, 1)))) for b in bursts]
    if ears == "model":
        return [
            Heard(h.at, h.level_db - FULL_SCALE_DB, 2000.0, h.pitch_hz, 0.01)
            for h in waveform(arriving, rng, window_s=until)
        ]
    return _listened(arriving, until, rng, varied=varied)


def _listened(
    arriving: list[Sound], until: float, rng: np.random.Generator, *, varied: bool
) -> list[Heard]:
    voice, mixer = Voice(rng), Mixer(rng)
    for sound in arriving:
        mixer.add(sound.at, voice.impact(sound))
    gain = amplitude(rng.uniform(-10, 10), 0.0) if varied else 1.0
    hiss = amplitude(rng.uniform(-95, -65), 0.0) if varied else 0.0
    detector = OnsetDetector(voice.rate)
    found: list[Onset] = []
    for begin in range(0, int(until * voice.rate), PIECE):
        data = mixer.read(PIECE) * np.float32(gain)
        data += np.float32(hiss) * rng.standard_normal(PIECE, dtype=np.float32)
        found += detector.feed(Samples(begin / voice.rate, voice.rate, np.clip(data, -1, 1)))
    return [heard_onset(one) for one in (*found, *detector.flush())]


def _overlapped(edges: list[Edge]) -> list[Edge]:
    """Make one break of breaks of one line that overlap."""
    depth: dict[str, int] = {}
    kept = []
    for edge in sorted(edges, key=lambda one: one.at):
        before = depth.get(edge.line, 0)
        depth[edge.line] = before + (-1 if edge.level else 1)
        if (edge.level and depth[edge.line] == 0) or (not edge.level and before == 0):
            kept.append(edge)
    return kept
