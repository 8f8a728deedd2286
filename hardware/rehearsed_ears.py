"""What ears at the table hear of the rehearsed tower's last drops, as a sound file. Pure.

A tower that is not there makes no noise, and the game is judging falls by ear. This is the sound that
everybody would hear anyway, and nothing of what the sensors make of it.
"""

import io
import wave
from collections.abc import Sequence
from typing import Final

import numpy as np

from hardware.synthesis import Voice
from hardware.traces import Drop

RATE: Final = 32000
LAST_S: Final = 1.0
"""Cubes let go within so long of the last one are heard with it."""

_TAIL_S: Final = 0.4
_GAIN: Final = 12.0
"""From the microphone's level (a fall of 1 m/s is 28 dB under full scale) to a loudspeaker's."""


def heard(drops: Sequence[Drop], voice: Voice) -> bytes | None:
    """Return a WAV file (16 bit, mono) of the drops let go last; None without any."""
    if not drops:
        return None
    last = max(_released(drop) for drop in drops)
    recent = [drop for drop in drops if last - _released(drop) <= LAST_S]
    began = min(_released(drop) for drop in recent)
    impacts = [
        (round((drop.at + sound.at - began) * voice.rate), voice.impact(sound))
        for drop in recent
        for sound in drop.sounds
    ]
    end = max((begin + len(sound) for begin, sound in impacts), default=0)
    mixed = np.zeros(end + round(_TAIL_S * voice.rate))
    for begin, sound in impacts:
        mixed[begin : begin + len(sound)] += sound
    return _wav(np.tanh(_GAIN * mixed), voice.rate)


def _released(drop: Drop) -> float:
    return drop.at + drop.fall.released


def _wav(sound: np.ndarray, rate: int) -> bytes:
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(rate)
        out.writeframes((sound * 32767).astype("<i2").tobytes())
    return file.getvalue()
