"""Which chip has the header's lines, and what it means when the kernel refuses them. Pure."""

import errno
from collections.abc import Iterable, Mapping
from pathlib import Path

from hardware.edges import Line, LineFault

LABELS = ("pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835")
"""The label of the header's chip: on a Pi 5, on a Pi 4, on all before. Its number changes with kernels."""

HEADER = 28
"""Lines 0 to 27 are on the header."""


def chosen(labels: Mapping[Path, str]) -> Path | None:
    """Return the chip whose label is that of a header's, whatever its number; None if none has it.

    >>> str(chosen({Path("gpiochip0"): "gpio-brcmstb@107d508500", Path("gpiochip4"): "pinctrl-rp1"}))
    'gpiochip4'
    """
    for label in LABELS:
        for path, found in labels.items():
            if found == label:
                return path
    return None


def missing(labels: Mapping[Path, str]) -> LineFault:
    """Say that none of these chips is the header's."""
    there = ", ".join(f"{path.name} ({label})" for path, label in labels.items()) or "no chip at all"
    return LineFault(
        f"The chip with a Raspberry Pi's header lines is not here; there is {there}.",
        "Play without the tower, or with --rehearse; on a Raspberry Pi see companion doctor.",
    )


def no_such_line(lines: Iterable[Line]) -> LineFault | None:
    """Return the fault of a number that is not on the header, or None."""
    for line in lines:
        if not 0 <= line.bcm < HEADER:
            return LineFault(
                f"There is no line GPIO{line.bcm}, which is set for {line.name}.",
                "Lines are named by their BCM numbers, 4 to 27.",
            )
    return None


def busy(lines: Iterable[Line], holders: Mapping[str, str]) -> LineFault:
    """Say which lines are held, and by whom as far as the kernel knows."""
    held = [
        f"GPIO{line.bcm} ({line.name}) by {holders[line.name]!r}" for line in lines if line.name in holders
    ]
    told = (
        f"Another program holds this line: {', '.join(held)}." if held else "Another program holds a line."
    )
    return LineFault(told, "End that program (gpioinfo lists the lines), or use another line.")


def explain(error: OSError) -> LineFault:
    """Say in a sentence, with the remedy, what the kernel's refusal means."""
    text, remedy = _MEANINGS.get(error.errno or 0, ("The lines failed.", "See companion doctor."))
    return LineFault(f"{text} ({error})", remedy)


_MEANINGS = {
    errno.EACCES: (
        "This user may not use the lines.",
        "sudo usermod -aG gpio $USER, then log out and in again.",
    ),
    errno.EPERM: ("This service may not use the lines.", "Allow it char-gpiochip (DeviceAllow=)."),
    errno.EBUSY: ("Another program holds a line.", "gpioinfo names it; end that program."),
    errno.ENODEV: ("The chip with the lines has gone.", "Start the Raspberry Pi again."),
    errno.EINVAL: (
        "The kernel does not know this request.",
        "Linux 5.10 or newer is needed; see: uname -r",
    ),
}
