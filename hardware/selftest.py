"""The tower's self-test: break each beam in turn, clap once. Pure; it says which line answers to what.

Only what is held in a beam for a moment counts, as a finger or a stick does and a falling cube never,
so that nobody learns from a self-test where a cube has gone.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from hardware.edges import Edge
from hardware.profile import is_microphone, plate_of

HELD_S: Final = (0.1, 10.0)
"""How long a beam is held broken: the slowest cube takes 0.045 s; what stays longer is stuck."""

TOGETHER_S: Final = 0.05
"""Lines that break and clear within this of each other go together: light spills, or wires touch."""

CHATTER: Final = 40
CLAP: Final = "clap"
"""The last thing that is asked for, where something listens."""


class Found(StrEnum):
    """What is known of one line; ``waiting`` until something is."""

    WAITING = "waiting"
    WORKS = "works"
    SILENT = "silent"
    SWAPPED = "swapped"
    TOGETHER = "together"
    STUCK = "stuck"
    CHATTERS = "chatters"


@dataclass(frozen=True, slots=True)
class Checked:
    """One line: what is known of it, the lines that answered with it or instead of it, and a sentence."""

    line: str
    found: Found
    others: tuple[str, ...] = ()
    text: str = ""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the test is. ``asked``: the lines to break now, ``("clap",)``, or nothing: it is over.

    ``strayed``: something else answered than what was asked for, the last time.
    """

    asked: tuple[str, ...]
    checked: tuple[Checked, ...]
    strayed: bool = False

    @property
    def over(self) -> bool:
        return not self.asked

    @property
    def passed(self) -> bool:
        """Whether everything works."""
        return self.over and all(one.found is Found.WORKS for one in self.checked)

    def closed(self) -> "Progress":
        """The same for a sealed game: which lines work, and of the others only that they do not yet."""
        checked = tuple(
            one if one.found is Found.WORKS else Checked(one.line, Found.WAITING) for one in self.checked
        )
        return Progress(self.asked, checked, self.strayed)


@dataclass(slots=True)
class _Line:
    low: float | None = None
    edges: int = 0
    found: Found = Found.WAITING
    others: set[str] = field(default_factory=set)
    stuck: bool = False


class SelfTest:
    """Follows one self-test. ``levels`` are those at its start; ``sound``: a microphone should hear a clap.

    The beams of a pair are asked for together, the entry first, then from the roof to the table.
    """

    def __init__(self, levels: Mapping[str, bool], *, sound: bool = False) -> None:
        beams = [line for line in levels if plate_of(line) is not None]
        modules = [line for line in levels if is_microphone(line)]
        self._lines = {line: _Line(stuck=not levels[line]) for line in (*beams, *modules)}
        self._steps = [*_plates(beams), *([(CLAP,)] if modules or sound else [])]
        self._claps = (*modules, *([CLAP] if sound else []))
        if sound:
            self._lines[CLAP] = _Line()
        self._held: list[tuple[str, float, float]] = []
        self._strayed = False

    def see(self, edge: Edge) -> None:
        """Take in an edge of any line."""
        self.tick(edge.at)
        line = self._lines.get(edge.line)
        if line is None:
            return
        line.edges += 1
        if is_microphone(edge.line):
            self._heard(edge.line)
        elif not edge.level and line.low is None:
            line.low, line.stuck = edge.at, False
        elif edge.level and line.low is not None:
            began, line.low = line.low, None
            if HELD_S[0] <= edge.at - began <= HELD_S[1]:
                self._held.append((edge.line, began, edge.at))
        elif edge.level:
            line.stuck = False

    def hear(self) -> None:
        """Take in that the microphone heard something sudden."""
        self._heard(CLAP)

    def tick(self, now: float) -> None:
        """Let time go on to ``now`` (monotonic seconds): what was broken together is judged together."""
        while self._held and now - max(until for _, _, until in self._held) > TOGETHER_S:
            began = self._held[0][1]
            group = [held for held in self._held if abs(held[1] - began) <= TOGETHER_S]
            self._held = [held for held in self._held if held not in group]
            self._judge({line for line, _, _ in group})

    def skip(self) -> None:
        """Go on to the next line: what is asked for does not answer."""
        if self._steps:
            for name in self._asked_lines():
                line = self._lines[name]
                if line.found is Found.WAITING:
                    line.found = _why(line)
            self._steps.pop(0)

    def progress(self) -> Progress:
        """How far it is."""
        checked = tuple(
            Checked(name, line.found, tuple(sorted(line.others)), _sentence(name, line))
            for name, line in self._lines.items()
        )
        return Progress(self._steps[0] if self._steps else (), checked, self._strayed)

    def _judge(self, broken: set[str]) -> None:
        asked = set(self._asked_lines())
        if not asked or CLAP in self._steps[0]:
            return
        self._strayed = not broken & asked
        others = broken - asked
        for name in asked:
            line = self._lines[name]
            line.others = others if name in broken else line.others | others
            if name in broken:
                line.found = Found.TOGETHER if others else Found.WORKS
            elif others and not broken & asked:
                line.found = Found.SWAPPED
        if all(self._lines[name].found in (Found.WORKS, Found.TOGETHER) for name in asked):
            self._steps.pop(0)

    def _heard(self, name: str) -> None:
        if self._steps and CLAP in self._steps[0]:
            self._lines[name].found = Found.WORKS
            if all(self._lines[one].found is Found.WORKS for one in self._claps):
                self._steps.pop(0)

    def _asked_lines(self) -> tuple[str, ...]:
        step = self._steps[0] if self._steps else ()
        return self._claps if CLAP in step else step


def _plates(beams: Iterable[str]) -> list[tuple[str, ...]]:
    """The beams in the order in which they are asked for, those of a pair together."""
    steps: dict[str, list[str]] = {}
    for line in sorted(
        beams, key=lambda name: (not name.startswith("entry"), -(plate_of(name) or 0), name)
    ):
        steps.setdefault(line[:5] if line.startswith("entry") else line[:6], []).append(line)
    return [tuple(lines) for lines in steps.values()]


def _why(line: _Line) -> Found:
    if line.edges >= CHATTER:
        return Found.CHATTERS
    return Found.STUCK if line.stuck or line.low is not None else Found.SILENT


def _sentence(name: str, line: _Line) -> str:
    others = ", ".join(sorted(line.others))
    if name == CLAP or is_microphone(name):
        return {
            Found.WORKS: "It heard the clap.",
            Found.SILENT: "It heard no clap: turn its screw finer, or check that it is plugged in.",
            Found.CHATTERS: "It hears all the time: turn its screw coarser.",
        }.get(line.found, "")
    return {
        Found.WORKS: "It works.",
        Found.SILENT: "It never answered: check its receiver's wire, and the number in the settings.",
        Found.SWAPPED: f"{others} answered instead: swap the two wires, or their numbers in the settings.",
        Found.TOGETHER: f"{others} answered with it: put a tube over each emitter.",
        Found.STUCK: "It is broken all the time: take out what lies in it, or check its emitter.",
        Found.CHATTERS: "It chatters: check its wire and its pull-up.",
    }.get(line.found, "")
