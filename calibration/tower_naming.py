"""Naming the lines by breaking them: what was found, and which numbers to swap in the settings. Pure."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from hardware.profile import ENTRY_PLATE, is_microphone, plate_of
from hardware.selftest import CLAP, Checked, Found, Progress

_HEALTH: Final = {Found.WORKS: "ok", Found.WAITING: "unknown"}


def place(lines: Sequence[str]) -> str:
    """Say where the beams of one plate are, in words with their names."""
    names = ", ".join(lines)
    plate = plate_of(lines[0])
    if plate is None:
        return names
    if plate == ENTRY_PLATE:
        return f"the opening in the roof ({names})"
    return f"the hole under floor {plate + 1} ({names})"


def prompt(progress: Progress) -> str:
    """Say what to do now; what was found, when nothing is asked any more."""
    asked = progress.asked
    if not asked:
        bad = sum(one.found is not Found.WORKS for one in progress.checked)
        if not bad:
            return "Every line answers to its name."
        return f"{bad} of {len(progress.checked)} lines need a look."
    if asked[0] == CLAP:
        return "Clap once, near the tower."
    return f"Hold a finger or a stick into {place(asked)} for a second, then take it out."


def swaps(checked: Sequence[Checked]) -> list[tuple[str, str]]:
    """Return pairs of lines that have each other's name, each once, as far as both were asked for."""
    answered = {one.line: one.others[0] for one in checked if one.found is Found.SWAPPED and one.others}
    return [
        (line, other) for line, other in answered.items() if answered.get(other) == line and line < other
    ]


def advice(checked: Sequence[Checked], numbers: Mapping[str, int]) -> list[str]:
    """Say what to write into companion.toml for lines that have each other's name.

    ``numbers``: their BCM numbers by name; 0 or none where they are not known.
    """
    said: list[str] = []
    for line, other in swaps(checked):
        there = (
            f": write {line} = {numbers[other]} and {other} = {numbers[line]} in companion.toml"
            if numbers.get(line) and numbers.get(other)
            else ": swap their numbers in companion.toml"
        )
        said.append(f"{line} and {other} have each other's name{there}, or swap the two plugs.")
    return said


def told(progress: Progress, numbers: Mapping[str, int]) -> dict[str, Any]:
    """Put a self-test as data: what to do, what was found line by line, what to change."""
    return {
        "asked": list(progress.asked),
        "prompt": prompt(progress),
        "strayed": progress.strayed,
        "over": progress.over,
        "lines": [
            {
                "line": one.line,
                "found": str(one.found),
                "health": _HEALTH.get(one.found, "problem"),
                "kind": "sound" if one.line == CLAP or is_microphone(one.line) else "beam",
                "number": numbers.get(one.line),
                "text": one.text,
            }
            for one in progress.checked
        ],
        "advice": advice(progress.checked, numbers) if progress.over else [],
    }
