"""What a tower is calibrated from: its lines and its sound, as they are wired. Imports nothing heavy."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hardware.edges import EdgeSource
    from hardware.sound import SoundSource


@dataclass(frozen=True, slots=True)
class Sources:
    """What is wired to a tower: BCM numbers by line, where edges come from, where sound comes from."""

    numbers: Mapping[str, int]
    lines: "EdgeSource | None" = None
    sound: "SoundSource | None" = None
