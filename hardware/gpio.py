"""The Raspberry Pi's lines through gpiozero: the only module that imports it, and only when used."""

import importlib
import logging
import os
import queue
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from hardware.edges import Edge, Line, LineFault, named_twice

log = logging.getLogger(__name__)

FACTORIES = {
    "lgpio": "gpiozero.pins.lgpio:LGPIOFactory",
    "rpigpio": "gpiozero.pins.rpigpio:RPiGPIOFactory",
    "pigpio": "gpiozero.pins.pigpio:PiGPIOFactory",
    "native": "gpiozero.pins.native:NativeFactory",
}
"""The pin factories by the names that gpiozero gives them. lgpio is the one for every model."""

WAKING_S = 0.02
"""lgpio's alert thread can miss its first wake-up and then delivers nothing. With a spare line
claimed 20 ms before the others, none of 60 starts was deaf; without, up to 20 of 100."""

_SPARES = (26, 25, 24, 23, 22, 27, 16, 13, 12, 6, 5)
"""Lines without a second duty at boot, nor fixed pull-ups, nor the serial console's."""


class GpioEdges:
    """An `EdgeSource` on a Pi's lines: both edges, no bounce time, stamped by the kernel."""

    def __init__(
        self,
        lines: Sequence[Line],
        factory: str | Callable[[], Any] = "lgpio",
        *,
        folder: Path | None = None,
    ) -> None:
        self._lines = tuple(lines)
        self._make_factory = factory if callable(factory) else lambda: load(factory, folder or _folder())
        self._factory: Any = None
        self._devices: dict[str, Any] = {}
        self._spares: list[Any] = []
        self._edges: queue.SimpleQueue[Edge] = queue.SimpleQueue()

    def start(self) -> None:
        if fault := named_twice(self._lines):
            raise fault
        try:
            self._factory = self._make_factory()
            self._claim_spare()
            threading.Event().wait(WAKING_S)
            for line in self._lines:
                self._take(line)
        except LineFault:
            self.close()
            raise
        except Exception as error:
            self.close()
            raise explain(error) from error

    def next(self, wait_s: float) -> Edge | None:
        try:
            return self._edges.get(timeout=wait_s)
        except queue.Empty:
            return None

    def levels(self) -> Mapping[str, bool]:
        try:
            held = [line for line in self._lines if line.name in self._devices]
            return {line.name: _level(self._devices[line.name], line) for line in held}
        except Exception as error:
            raise explain(error) from error

    def revive(self) -> None:
        """Claim one more spare line: this wakes lgpio's thread, which then delivers what it held back."""
        try:
            self._claim_spare()
        except Exception as error:
            raise explain(error) from error

    def close(self) -> None:
        devices = [*self._devices.values(), *self._spares]
        self._devices, self._spares = {}, []
        for device in devices:
            # A closed device leaves its callback with lgpio; its next edge would kill lgpio's one
            # thread, and whatever is started later in this process would be deaf.
            device.pin.when_changed = None
            device.close()
        factory, self._factory = self._factory, None
        if factory is not None:
            factory.close()

    def _take(self, line: Line) -> None:
        """Claim a line. Raises LineFault naming it."""
        try:
            self._claim(line)
        except Exception as error:
            fault = explain(error)
            raise LineFault(f"GPIO{line.bcm} ({line.name}): {fault.text}", fault.remedy) from error

    def _claim(self, line: Line) -> None:
        device = _device_class()(line.bcm, pull_up=line.pull_up, pin_factory=self._factory)
        self._devices[line.name] = device
        put, active, inactive = self._edges.put, not line.pull_up, line.pull_up

        # In lgpio's one thread for all lines: stamp, enqueue, return. The time since the change is
        # gpiozero's own, from the kernel's stamp; the time at which this runs may be 10 ms later.
        def activated() -> None:
            put(Edge(line.name, active, time.monotonic() - (device.active_time or 0.0)))

        def deactivated() -> None:
            put(Edge(line.name, inactive, time.monotonic() - (device.inactive_time or 0.0)))

        device.when_activated, device.when_deactivated = activated, deactivated
        put(Edge(line.name, _level(device, line), time.monotonic()))

    def _claim_spare(self) -> None:
        taken = {line.bcm for line in self._lines} | {spare.pin.info.name for spare in self._spares}
        free = [n for n in _SPARES if n not in taken and f"GPIO{n}" not in taken]
        for bcm in free:
            try:
                self._spares.append(_device_class()(bcm, pull_up=True, pin_factory=self._factory))
            except Exception as error:  # noqa: BLE001 - gpiozero's and lgpio's own: another program's line
                log.debug("GPIO%d cannot be the spare line: %s", bcm, error)
            else:
                return


def load(name: str, folder: Path) -> Any:
    """Make the pin factory of that name; ``folder`` must be writable. Raises LineFault."""
    if name not in FACTORIES:
        raise LineFault(
            f"There is no pin factory {name!r}.",
            f"Name one of: {', '.join(FACTORIES)}. lgpio is the usual one.",
        )
    module, _, attribute = FACTORIES[name].partition(":")
    try:
        if name == "lgpio":
            _import_lgpio(folder)
        return getattr(importlib.import_module(module), attribute)()
    except Exception as error:
        raise explain(error) from error


def explain(error: BaseException) -> LineFault:
    """Say in a sentence, with the remedy, what an error of gpiozero, lgpio or their import means."""
    text = f"{type(error).__name__}: {error}"
    for mark, sentence, remedy in _MEANINGS:
        if mark in text:
            return LineFault(f"{sentence} ({error})", remedy)
    return LineFault(f"The lines failed: {text}.", "See companion doctor.")


def _level(device: Any, line: Line) -> bool:
    """Read the wire: with a pull-up, active means low."""
    return bool(device.is_active) != line.pull_up


def _device_class() -> Any:
    try:
        from gpiozero import DigitalInputDevice  # noqa: PLC0415 - present where there are lines only
    except ImportError as error:
        raise explain(error) from error
    return DigitalInputDevice


def _import_lgpio(folder: Path) -> None:
    """Import lgpio so that the pipe it makes at once lies in ``folder``, not where the program runs.

    lgpio changes into that folder; the working directory is put back.
    """
    if "lgpio" in sys.modules:
        return
    folder.mkdir(parents=True, exist_ok=True)
    before = Path.cwd()
    os.environ["LG_WD"] = str(folder)
    try:
        importlib.import_module("lgpio")
    finally:
        with suppress(FileNotFoundError):  # the folder we came from may have been removed
            os.chdir(before)


def _folder() -> Path:
    """Choose a folder in memory if there is one: under systemd, or of a login, or temporary."""
    base = os.environ.get("RUNTIME_DIRECTORY") or os.environ.get("XDG_RUNTIME_DIR") or tempfile.gettempdir()
    return Path(base) / f"companion-lgpio-{os.getpid()}"


_APT = "sudo apt install -y python3-lgpio python3-gpiozero, and a venv made with --system-site-packages"
_OFF_PI = "Play without the tower, or with --rehearse; on a Raspberry Pi see companion doctor."

_MEANINGS = (
    ("No module named 'gpiozero'", "gpiozero is not installed.", _APT),
    ("No module named 'lgpio'", "lgpio is not installed.", _APT),
    (
        "No module named",
        "The library of this pin factory is not installed.",
        "Set the pin factory to lgpio.",
    ),
    (
        "peripheral base address",
        "RPi.GPIO does not work on this Pi.",
        f"Set the pin factory to lgpio: {_APT}",
    ),
    (
        "Permission denied",
        "This user may not use the lines.",
        "sudo usermod -aG gpio $USER, then log out and in again.",
    ),
    (
        "can not open gpiochip",
        "The chip with the lines cannot be opened.",
        "Is this user in the group gpio? See: ls -l /dev/gpiochip*",
    ),
    (
        "GPIO busy",
        "Another program holds this line.",
        "gpioinfo names it; end that program, or use another line.",
    ),
    (
        "is already in use by",
        "One line is named twice in the settings.",
        "Give every sensor a line of its own.",
    ),
    ("has a physical pull", "This line has a fixed pull-up.", "Lines 2 and 3 do: use another one."),
    ("unable to locate Pi revision", "This is not a Raspberry Pi.", _OFF_PI),
    ("Unable to load any default pin factory", "No pin factory works here.", _OFF_PI),
    (".lgd-nfy", "lgpio cannot make its pipe.", "Give the service a writable RuntimeDirectory."),
    ("is not a valid pin", "There is no such line.", "Lines are named by their BCM numbers, 4 to 27."),
    ("PinInvalidPin", "There is no such line.", "Lines are named by their BCM numbers, 4 to 27."),
)
"""Part of the error's type and text, the sentence, the remedy; most telling first."""
