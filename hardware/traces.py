"""What rehearsed falls and disturbances do to the lines: when each is active, for how long. Pure.

Active means a broken beam, or a sound module over its threshold. Times are seconds on the clock of
whatever is given as ``at``.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from hardware.acoustics import MODULE_DB, Sound, Tripped, module, sounds
from hardware.beams import Break, breaks
from hardware.falls import Fall
from hardware.noises import Noise
from hardware.synthesis import amplitude
from hardware.worlds import ROOF, World

MICROPHONE: Final = "mic"
Span = tuple[float, float]
"""When a line becomes active, and when it no longer is."""


@dataclass(frozen=True, slots=True)
class Drop:
    """One cube and what is sensed of it: it enters ``at`` seconds, all other times are after that."""

    at: float
    fall: Fall
    breaks: tuple[Break, ...]
    sounds: tuple[Sound, ...]
    tripped: tuple[Tripped, ...]


def line_name(plate: int, *, second: bool = False) -> str:
    """The line in the hole of a plate; 7 is the entry.

    >>> line_name(7), line_name(5, second=True)
    ('entry', 'floor5_b')
    """
    return ("entry" if plate == ROOF else f"floor{plate}") + ("_b" if second else "")


def line_names(plates: Iterable[int], *, paired: bool = False) -> tuple[str, ...]:
    """The lines of beams at these plates, from the top.

    >>> line_names((2, 7), paired=True)
    ('entry', 'entry_b', 'floor2', 'floor2_b')
    """
    both = (False, True)[: 1 + paired]
    return tuple(
        line_name(plate, second=one) for plate in sorted(set(plates), reverse=True) for one in both
    )


def sensed(
    world: World,
    fallen: Fall,
    at: float,
    senses: tuple[np.random.Generator, np.random.Generator],
    plates: Iterable[int],
    *,
    paired: bool | Iterable[int] = False,
) -> Drop:
    """What beams (by the first of ``senses``) and microphones (by the second) make of a fall.

    ``at``: when the cube enters; ``plates`` and ``paired`` as `hardware.beams.breaks` has them.
    """
    eyes, ears = senses
    arriving = tuple(sounds(fallen, ears))
    seen = tuple(breaks(world, fallen, eyes, plates, paired=paired))
    return Drop(at, fallen, seen, arriving, tuple(module(arriving, ears)))


def drop_spans(one: Drop) -> Iterator[tuple[str, Span]]:
    """The lines that a drop makes active: beams, and a module that follows each wave of the tones."""
    yield from _beam_spans(one.at, one.breaks)
    for burst in one.tripped:
        wave_s = burst.span_s / burst.pulses
        for n in range(burst.pulses):
            begin = one.at + burst.at + n * wave_s
            yield MICROPHONE, (begin, begin + wave_s / 2)


def noise_spans(at: float, made: Noise, rate: int) -> Iterator[tuple[str, Span]]:
    """The same for a disturbance: a module is active while the wave is over its threshold (S14)."""
    yield from _beam_spans(at, made.breaks)
    loud = made.sound > amplitude(MODULE_DB)
    for begin, end in np.flatnonzero(np.diff(loud.astype(np.int8), prepend=0, append=0)).reshape(-1, 2):
        yield MICROPHONE, (at + begin / rate, at + end / rate)


def changes(spans: Iterable[tuple[str, Span]]) -> Mapping[str, list[tuple[float, bool]]]:
    """When each line becomes active (True) and clear again (False), in order; spans that meet are one.

    >>> dict(changes([("entry", (1.0, 2.0)), ("entry", (1.5, 3.0))]))
    {'entry': [(1.0, True), (3.0, False)]}
    """
    by_line: defaultdict[str, list[Span]] = defaultdict(list)
    for line, span in spans:
        by_line[line].append(span)
    return {line: list(_merged(found)) for line, found in by_line.items()}


def _beam_spans(at: float, found: Iterable[Break]) -> Iterator[tuple[str, Span]]:
    for one in found:
        begin = at + one.at
        yield line_name(one.plate, second=one.second), (begin, begin + one.length_s)


def _merged(spans: list[Span]) -> Iterator[tuple[float, bool]]:
    until: float | None = None
    for begin, end in sorted(spans):
        if until is None or begin > until:
            if until is not None:
                yield until, False
            yield begin, True
            until = end
        else:
            until = max(until, end)
    if until is not None:
        yield until, False
