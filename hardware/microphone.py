"""A microphone through sounddevice: the only module that imports it, and only when used."""

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from companion.rules.events import Notice
from hardware.intake import Block, Intake
from hardware.sound import Samples, SoundFault
from hardware.soundfaults import HELD, Losses, explain, gone

AUTO = "auto"
"""The name of whatever microphone the system takes for its own, or else of the first there is."""

LATENCY_S = 0.2
"""PortAudio's buffer: less of it loses sound when the machine is busy; times are right all the same."""

SILENT_S = 2.0
"""A microphone that gives no block for so long is gone."""

_RATES = (48000, 44100, 32000, 16000)
_CHANNELS = 2

_open_lock = threading.Lock()
_open: set[int] = set()


@dataclass(frozen=True, slots=True)
class Found:
    """A microphone that the system knows; ``rate`` is its own, in samples a second."""

    index: int
    name: str
    channels: int
    rate: int
    default: bool


class Microphone:
    """A `SoundSource` on a sound device, named by a part of its name, its number, or `AUTO`.

    ``say`` is told when sound was lost. Call `start` again after a fault: devices are then sought anew.
    """

    def __init__(
        self,
        device: str | int = AUTO,
        *,
        say: Callable[[Notice], None] = lambda _: None,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._device = device
        self._losses = Losses(say)
        self._monotonic = monotonic
        self._stream: Any = None
        self._intake: Intake | None = None
        self._heard = 0.0

    def start(self) -> None:
        """Open the device at its own rate. Raises SoundFault."""
        library = load()
        try:
            _search(library)
            found = _chosen(library, self._device)
            self._stream = self._opened(library, found)
            with _open_lock:
                _open.add(id(self))
            self._stream.start()
        except SoundFault:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise explain(error) from error
        self._heard = self._monotonic()

    def next(self, wait_s: float) -> Samples | None:
        """Return the next piece. Raises SoundFault if the microphone is gone."""
        if self._intake is None:
            raise SoundFault("The microphone is not open.", "Start it first.")
        samples = self._intake.next(wait_s)
        now = self._monotonic()
        if samples is not None:
            self._heard = now
            self._losses.count(self._intake.losses, now)
        elif now - self._heard > SILENT_S or not _active(self._stream):
            raise gone()
        return samples

    def close(self) -> None:
        """Give the device back. May be called twice, and without `start`."""
        stream, self._stream, self._intake = self._stream, None, None
        with _open_lock:
            _open.discard(id(self))
        if stream is not None:
            with suppress(Exception):  # a device that was pulled out cannot be stopped in order
                stream.abort()
            with suppress(Exception):
                stream.close()

    def _opened(self, library: Any, found: Found) -> Any:
        channels = min(_CHANNELS, found.channels)
        rate = _rate(library, found, channels)
        intake = self._intake = Intake(rate)
        monotonic = self._monotonic

        # In PortAudio's thread: copy, stamp, return. The card says how long ago the block began on a
        # clock of its own, of which only the difference is used: that ties it anew with every block.
        def heard(data: Any, frames: int, times: Any, status: Any) -> None:
            began = monotonic() - age_s(times.currentTime - times.inputBufferAdcTime, frames / rate)
            intake.put(Block(data.copy(), began, bool(status.input_overflow)))

        return library.InputStream(
            device=found.index,
            channels=channels,
            samplerate=rate,
            blocksize=0,
            latency=LATENCY_S,
            dtype="float32",
            callback=heard,
        )


def list_microphones() -> tuple[Found, ...]:
    """Look for microphones. Raises SoundFault if the library is missing; none found is empty."""
    library = load()
    try:
        _search(library)
        return _all(library)
    except Exception as error:
        raise explain(error) from error


def load() -> Any:
    """Import sounddevice and with it PortAudio. Raises SoundFault."""
    try:
        import sounddevice  # noqa: PLC0415 - present where there is a microphone only
    except (ImportError, OSError) as error:
        raise explain(error) from error
    return sounddevice


def age_s(age: float, length_s: float) -> float:
    """How long ago a block began: as the card says, if that can be, or else as long as it is.

    >>> age_s(0.03, 0.01), age_s(-1.0, 0.01), age_s(3600.0, 0.01)
    (0.03, 0.01, 0.01)
    """
    return age if 0.0 < age < 1.0 else length_s


def _search(library: Any) -> None:
    """Let PortAudio look for devices anew, which it does only as it starts, unless one is open."""
    with _open_lock:
        if not _open:
            library._terminate()  # noqa: SLF001 - sounddevice has no other way, and says so
            library._initialize()  # noqa: SLF001 - the same


def _all(library: Any) -> tuple[Found, ...]:
    usual = library.default.device[0]
    return tuple(
        _found(info, default=index == usual)
        for index, info in enumerate(library.query_devices())
        if info["max_input_channels"] > 0
    )


def _found(info: Mapping[str, Any], *, default: bool) -> Found:
    return Found(
        int(info["index"]),
        str(info["name"]),
        int(info["max_input_channels"]),
        int(info["default_samplerate"]),
        default,
    )


def _chosen(library: Any, device: str | int) -> Found:
    found = _all(library)
    return choose(found, device)


def choose(found: tuple[Found, ...], device: str | int) -> Found:
    """Choose by a part of a name (upper or lower case), a number, or `AUTO`. Raises SoundFault."""
    if not found:
        raise SoundFault(
            "There is no microphone.",
            f"Plug one in; an I2S microphone needs its line in config.txt. {HELD}",
        )
    if device in {AUTO, ""}:
        return next((one for one in found if one.default), found[0])
    names = ", ".join(f"{one.name!r}" for one in found)
    fitting = [one for one in found if _fits(one, device)]
    exact = [one for one in fitting if str(device).casefold() == one.name.casefold()]
    if len(exact or fitting) == 1:
        return (exact or fitting)[0]
    if fitting:
        raise SoundFault(
            f"Several microphones are called {device!r}: {names}.",
            "Write more of the name in the settings.",
        )
    raise SoundFault(
        f"There is no microphone {device!r}; there is: {names}.",
        f"Plug it in, or write a part of one of these names in the settings. {HELD}",
    )


def _fits(found: Found, device: str | int) -> bool:
    if isinstance(device, int):
        return found.index == device
    return str(device).casefold() in found.name.casefold()


def _rate(library: Any, found: Found, channels: int) -> int:
    """The device's own rate, or the first usual one that it takes."""
    refused: Exception | None = None
    for rate in (found.rate, *_RATES):
        try:
            library.check_input_settings(
                device=found.index, channels=channels, samplerate=rate, dtype="float32"
            )
        except library.PortAudioError as error:
            if "Invalid sample rate" not in str(error):
                raise
            refused = refused or error
        else:
            return rate
    assert refused is not None
    raise refused


def _active(stream: Any) -> bool:
    try:
        return bool(stream.active)
    except Exception:  # noqa: BLE001 - whatever PortAudio says of a device that is gone, it is gone
        return False
