"""What is plugged in: the half of the composition root that chooses cameras, lines or a rehearsal.

With ``__main__`` the only module that may see ``vision`` and ``hardware`` (see DECISIONS.md).
"""

import random
import secrets
import threading
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from companion.doctor import Check, Finding, Health
from companion.errors import CompanionError
from companion.rules.events import DiceExpected, DieFace, Notice, Observation
from companion.settings import Settings
from companion.table import Table
from hardware.edges import EdgeSource, LineFault
from hardware.gpio import GpioEdges, Line, load
from hardware.rehearsal import RehearsalLines
from hardware.watch import EdgeWatch
from vision.annotate import evidence
from vision.camera import Camera, CameraFault
from vision.devices import describe, video_devices
from vision.judgement import RollStatus, claims
from vision.photo import read_photo
from vision.picamera import load as load_picamera2
from vision.rehearsal import RehearsalTray
from vision.sources import open_camera
from vision.tray import TrayProfile
from vision.watch import Watcher

if TYPE_CHECKING:
    from web.ports import PhotoReading

ENTRY = "entry"
_CSI_DRIVERS = frozenset({"unicam", "rp1-cfe"})
"""A Pi has these nodes when a camera answered on its ribbon."""


class Devices:
    """Everything that watches the table, started together and closed together.

    ``rehearsal`` and ``picture`` are what the pages need of them; ``sentence`` says what there is.
    """

    def __init__(self, settings: Settings, table: Table, *, rehearse: bool, folder: Path) -> None:
        """Choose, start nothing. Raises CompanionError for words that name no camera."""
        self._table = table
        self._folder = folder
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._camera: Camera | None = None
        self._lines: EdgeSource | None = None
        self.rehearsal: Rehearsal | None = None
        wanted = settings.camera.source
        if rehearse or (wanted == "auto" and not settings.gpio.entry and not camera_there()):
            self.rehearsal = Rehearsal(table)
            self._camera, self._lines = self.rehearsal.tray, self.rehearsal.lines
            self.sentence = (
                "Rehearsal: no camera and no lines here; throw the dice on a phone's page. "
                "Plug a camera in and start again for the real table."
            )
        else:
            self._choose(settings)
            self.sentence = f"Camera: {wanted}. Tower: {_tower(settings)}."
        self.picture = self._watcher(folder, recorded=Path(wanted).exists()) if self._camera else None

    def start(self) -> None:
        """Begin to watch. Returns at once; what does not work comes as notices."""
        if self._camera is not None and self.picture is not None:
            self._camera.start()
            self._run("camera", self.picture.watcher.run)
        if self._lines is not None:
            watch = EdgeWatch(self._lines, self._submit, clock=self._table.clock.at_of, entry=ENTRY)
            self._run("lines", watch.run)

    def close(self) -> None:
        """Let go of camera and lines; takes below two seconds."""
        self._stop.set()
        if self._camera is not None:
            self._camera.close()
        for thread in self._threads:
            thread.join(timeout=2.0)
        if self._lines is not None:
            self._lines.close()

    def _choose(self, settings: Settings) -> None:
        try:
            self._camera = open_camera(settings.camera.source, self._submit)
        except ValueError as fault:
            raise CompanionError(f"--camera: {fault}") from fault
        gpio = settings.gpio
        if gpio.entry:
            line = Line(ENTRY, gpio.entry, pull_up=gpio.active_low)
            self._lines = GpioEdges([line], factory=gpio.pin_factory, folder=self._folder)

    def _watcher(self, folder: Path, *, recorded: bool) -> "Eyes":
        assert self._camera is not None
        watcher = Watcher(
            self._camera,
            lambda: self._table.snapshot().expected.dice,
            self._submit,
            clock=self._table.clock.at_of,
            profile=_profile(folder / "tray.json", self._submit),
            first_counts=recorded,  # at a table, dice that lie there already are no throw
        )
        return Eyes(watcher)

    def _run(self, name: str, loop: Callable[[threading.Event], None]) -> None:
        thread = threading.Thread(target=loop, args=(self._stop,), name=name, daemon=True)
        thread.start()
        self._threads.append(thread)

    def _submit(self, claim: Observation | Notice) -> None:
        if self._stop.is_set():
            return  # what is seen while everything closes is nobody's business any more
        with suppress(CompanionError):  # the table is closing, too
            if isinstance(claim, Notice):
                self._table.notice(claim)
            else:
                self._table.submit(claim)


class Eyes:
    """The web's port to the live picture."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher

    def picture(self) -> tuple[bytes, str] | None:
        """A JPEG of the tray with what is read in it, and the watcher's state."""
        jpeg, state = self.watcher.snapshot()
        return None if jpeg is None else (jpeg, state)


class Rehearsal:
    """The web's port to the rehearsed table: a rendered tray and simulated lines."""

    def __init__(self, table: Table) -> None:
        chance = random.SystemRandom()
        self.tray = RehearsalTray(chance=chance)
        self.lines = RehearsalLines((ENTRY,), chance=chance)
        self._table = table
        self._doing = "at rest"
        self._lamp = 1.0

    def throw(self, held: tuple[int, ...] = ()) -> None:
        """Throw the dice that the game waits for; those held stay, as well as those at ``held``."""
        expected = self._table.snapshot().expected.dice
        stay = set(held)
        if expected is not None:
            lying = [die.shown for die in self.tray.dice]
            if Counter(die.kind for die in lying) != Counter(dict(expected.kinds)):
                self.tray.lay(expected.kinds)
                lying = [die.shown for die in self.tray.dice]
            stay |= set(_places(lying, expected))
        self.tray.throw(hold=stay)
        self._doing = "thrown"

    def nudge(self) -> None:
        """Push one die a little."""
        self.tray.nudge(secrets.randbelow(len(self.tray.dice)))
        self._doing = "nudged"

    def cover(self, on: bool) -> None:
        """Hold a hand over the tray, or take it away."""
        self.tray.cover(on)
        self._doing = "covered" if on else "at rest"

    def lamp(self, level: float) -> None:
        """Dim the lamp, 0 to 1."""
        self.tray.lamp(level)
        self._lamp = level

    def state(self) -> Mapping[str, str]:
        """What is rehearsed now."""
        return {"tray": self._doing, "lamp": f"{self._lamp:.0%}", "dice": str(len(self.tray.dice))}


def photo_reader() -> "Callable[[bytes, str, DiceExpected | None], PhotoReading]":
    """The web's port to reading a photograph from a phone."""
    from web.ports import PhotoReading  # noqa: PLC0415 - Flask takes a while, and only serving needs it

    def read(data: bytes, name: str, expected: DiceExpected | None) -> PhotoReading:
        photo = read_photo(data, expected, name=name)
        judgement = photo.judgement
        return PhotoReading(
            claims=claims(photo.dice, photo.frame.image.shape),
            sure=judgement.status is RollStatus.SURE,
            status=judgement.status.value,
            reason=judgement.reason,
            picture=evidence(photo.frame, photo.dice),
            confidence=judgement.confidence,
        )

    return read


def camera_there() -> bool:
    """Whether Linux knows a camera, on the ribbon or on USB."""
    nodes = (describe(node) for node in Path("/dev").glob("video*"))
    return bool(video_devices()) or any(device and device.driver in _CSI_DRIVERS for device in nodes)


def device_checks(settings: Settings, folder: Path) -> tuple[Check, ...]:
    """What the doctor looks at in cameras and lines."""
    return (
        _check_picamera2,
        _check_cameras,
        lambda: _check_lines(settings, folder),
    )


def _check_picamera2() -> Finding:
    try:
        camera = load_picamera2()
    except CameraFault as fault:
        on_pi = Path("/proc/device-tree/model").exists()
        health = Health.BAD if on_pi else Health.NOTE
        return Finding("picamera2", health, fault.text, fault.remedy)
    found = camera.global_camera_info()
    names = ", ".join(str(info.get("Model", info["Id"])) for info in found)
    if not found:
        remedy = "check both ends of the ribbon, then: rpicam-hello --list-cameras"
        return Finding("picamera2", Health.NOTE, "imports, but no camera answers", remedy)
    return Finding("picamera2", Health.GOOD, f"sees {names}")


def _check_cameras() -> Finding:
    found = video_devices()
    if not found:
        text = "no USB camera; photographs and entry by thumb work without"
        return Finding("usb camera", Health.NOTE, text, "plug one in; companion serve --camera v4l2:0")
    listed = ", ".join(f"v4l2:{device.index} {device.card}" for device in found)
    return Finding("usb camera", Health.GOOD, listed)


def _check_lines(settings: Settings, folder: Path) -> Finding:
    chips = sorted(Path("/dev").glob("gpiochip*"))
    if not chips:
        return Finding(
            "gpio", Health.NOTE, "no /dev/gpiochip here: this is not a Pi; rehearse the tower instead"
        )
    name = settings.gpio.pin_factory
    try:
        factory = load(name, folder)
    except LineFault as fault:
        return Finding("gpio", Health.BAD, fault.text, fault.remedy)
    factory.close()
    return Finding("gpio", Health.GOOD, f"{name} drives {', '.join(chip.name for chip in chips)}")


def _places(lying: Iterable[DieFace], expected: DiceExpected) -> Iterable[int]:
    """Where the held dice lie among those on the tray."""
    wanted = Counter(expected.held)
    for place, die in enumerate(lying):
        if wanted[die]:
            wanted[die] -= 1
            yield place


def _profile(file: Path, say: Callable[[Notice], None]) -> TrayProfile | None:
    if not file.exists():
        return None
    try:
        return TrayProfile.load(file)
    except (ValueError, OSError) as fault:
        say(
            Notice(
                source="tray",
                state="not read",
                text=f"{fault}",
                remedy=f"Remove {file.name} or calibrate anew.",
            )
        )
        return None


def _tower(settings: Settings) -> str:
    gpio = settings.gpio
    return f"entry beam on GPIO{gpio.entry} through {gpio.pin_factory}" if gpio.entry else "no line is set"
