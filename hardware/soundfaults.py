"""What can go wrong with a microphone, each in a sentence with its remedy. Pure."""

from collections.abc import Callable

from companion.rules.events import Notice
from hardware.sound import SoundFault

SOURCE = "tower sound"

TOLD_EVERY_S = 60.0
"""Lost sound is told at most so often."""

HELD = "If arecord -l lists it, another program holds it: fuser -v /dev/snd/* names that."
"""PortAudio leaves out what it cannot open as it looks around."""


class Losses:
    """Says that sound was lost, not oftener than every `TOLD_EVERY_S`, and that it is whole again."""

    def __init__(self, say: Callable[[Notice], None]) -> None:
        self._say = say
        self._known = 0
        self._told: float | None = None

    def count(self, losses: int, now: float) -> None:
        """Take in how often sound was missing since the start, at ``now`` (monotonic seconds)."""
        more, self._known = losses not in {0, self._known}, losses
        due = self._told is None or now - self._told >= TOLD_EVERY_S
        if more and due:
            self._told = now
            self._say(_LOST)
        elif self._told is not None and due:
            self._told = None
            self._say(Notice(source=SOURCE, state="whole", text="No sound is lost any more.", level="ok"))


def explain(error: BaseException) -> SoundFault:
    """Say in a sentence, with the remedy, what an error of sounddevice or its import means."""
    text = f"{type(error).__name__}: {error}"
    for mark, sentence, remedy in _MEANINGS:
        if mark in text:
            return SoundFault(f"{sentence} ({error})", remedy)
    return SoundFault(f"The microphone failed: {text}.", "See companion doctor.")


def gone() -> SoundFault:
    """The fault of a microphone that was heard and is not any more."""
    return SoundFault(
        "The microphone gives no sound any more.",
        "Was it unplugged? Plug it in again: it is tried again by itself. Beams count all the same.",
    )


_LOST = Notice(
    source=SOURCE,
    state="sound lost",
    text="Some sound was lost: the machine is too busy to listen to all of it.",
    remedy="Close other programs on this machine; what fell meanwhile may have gone unheard.",
)

_MEANINGS = (
    (
        "No module named 'sounddevice'",
        "The library for microphones is not installed.",
        "pip install 'table-companion[sound]' in the companion's environment.",
    ),
    ("PortAudio library not found", "PortAudio is not installed.", "sudo apt install -y libportaudio2"),
    (
        "Device unavailable",
        "Another program holds the microphone.",
        "fuser -v /dev/snd/* names it; end that program, or use another microphone.",
    ),
    (
        "Invalid sample rate",
        "The microphone takes none of the usual sample rates.",
        "Use another microphone, or its ALSA name that begins with plughw.",
    ),
    (
        "Invalid number of channels",
        "This device records nothing.",
        "Write the name of a microphone in the settings; companion doctor lists them.",
    ),
    (
        "Permission denied",
        "This user may not use the microphone.",
        "sudo usermod -aG audio $USER, then log out and in again.",
    ),
    (
        "Unanticipated host error",
        "The sound system refused the microphone.",
        "Unplug it and plug it in again; arecord -l must list it.",
    ),
    (
        "Internal PortAudio error",
        "The sound system lost the microphone.",
        "Unplug it and plug it in again; arecord -l must list it.",
    ),
)
"""Part of the error's type and text, the sentence, the remedy; most telling first."""
