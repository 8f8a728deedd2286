"""What is plugged in: the half of the composition root that chooses cameras, lines or a rehearsal.

With ``__main__``, ``tower`` and ``rehearsed`` it may see ``vision`` and ``hardware`` (see DECISIONS.md).
"""

import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.tapped import Tapped
from calibration.tower_bench import TowerBench, answering
from calibration.tower_listening import OverheardLines, OverheardSound
from calibration.workbench import TRAY_FILE, Workbench
from companion import tower
from companion.doctor import Check, Finding, Health
from companion.errors import CompanionError
from companion.facts import facts
from companion.memory import give_back
from companion.rehearsed import REHEARSED, Rehearsal
from companion.rules.events import CubesExpected, DiceExpected, Notice, Observation
from companion.settings import Settings
from companion.table import Table
from hardware.floors import learn
from hardware.recording import Remembered
from hardware.sound import SoundSource
from hardware.watch import TowerWatch
from vision.annotate import cube_evidence, encode_jpeg, evidence
from vision.camera import Camera, CameraFault
from vision.cubes import SURE_CUBE, cube_claims
from vision.devices import describe, video_devices
from vision.judgement import SURE, RollStatus, claims
from vision.minute import Minute
from vision.networks import onnx_runs
from vision.photo import read_cube_photo, read_photo
from vision.picamera import load as load_picamera2
from vision.reader import LearnedReader
from vision.report import written
from vision.sources import open_camera
from vision.taught import FILE as TAUGHT_FILE
from vision.taught import Taught
from vision.tray import TrayProfile
from vision.watch import Watcher

if TYPE_CHECKING:
    from web.ports import CameraPicture, ReadPhoto


_CSI_DRIVERS = frozenset({"unicam", "rp1-cfe"})
"""A Pi has these nodes when a camera answered on its ribbon."""


class Devices:
    """Everything that watches the table, started together and closed together.

    ``rehearsal`` and ``picture`` are what the pages need of them; ``sentence`` says what there is.
    """

    def __init__(self, settings: Settings, table: Table, *, rehearse: bool, folder: Path) -> None:
        """Choose, start nothing. Raises CompanionError for words that name no camera."""
        give_back()
        self._table = table
        self._folder = folder
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self._settings = settings
        self._camera: Camera | None = None
        self._edges: Remembered | None = None
        self._sound: SoundSource | None = None
        self.rehearsal: Rehearsal | None = None
        wanted = settings.camera.source
        wired = settings.lines or settings.tower.microphone
        if rehearse or (wanted == "auto" and not wired and not camera_there()):
            self.rehearsal = Rehearsal(table)
            self._camera, self._edges = self.rehearsal.tray, Remembered(self.rehearsal.lines)
            self._sound = self.rehearsal.lines.microphone
            self.sentence = (
                "Rehearsal: no camera and no lines here; throw the dice on a phone's page. "
                "Plug a camera in and start again for the real table."
            )
        else:
            self._choose(settings)
            self.sentence = f"Camera: {wanted}. Tower: {tower.sentence(settings)}."
        self.teaching: Workbench | None = None
        self.reader = LearnedReader(_taught(folder / TAUGHT_FILE, self._submit))
        self.bench: TowerBench | None = None
        self.tower = self._ears() if self._edges or self._sound else None
        self.picture = self._eyes(folder, recorded=Path(wanted).exists()) if self._camera else None

    def start(self) -> None:
        """Begin to watch. Returns at once; what does not work comes as notices."""
        if self.rehearsal is not None:
            self._run("rehearsal", self.rehearsal.follow)
        self._table.when_opened(self._learn)
        if self._camera is not None and self.picture is not None:
            self._camera.start()
            if self.picture.kept is not None:
                self.picture.kept.start()
            self._run("camera", self.picture.watcher.run)
        if self.tower is not None:
            for name, loop in self.tower.loops.items():
                self._run(name, loop)

    def close(self) -> None:
        """Let go of camera and lines; takes below two seconds."""
        self._stop.set()
        if self._camera is not None:
            self._camera.close()
        if self.picture is not None and self.picture.kept is not None:
            self.picture.kept.close()
        for thread in self._threads:
            thread.join(timeout=2.0)
        if self._edges is not None:
            self._edges.close()
        if self.tower is not None and self.rehearsal is None:
            tower.keep(self._table, self._folder, self.tower.learned)

    def _choose(self, settings: Settings) -> None:
        try:
            camera = settings.camera
            self._camera = open_camera(camera.source, self._submit, mains_hz=camera.mains_hz)
        except ValueError as fault:
            raise CompanionError(f"--camera: {fault}") from fault
        lines = tower.edge_source(settings, self._folder, self._submit)
        self._edges = Remembered(lines) if lines else None
        self._sound = tower.sound_source(settings, self._submit)

    def _ears(self) -> TowerWatch:
        known = tower.profile(self._settings, self._folder, self._submit)
        self.bench = bench = self._bench()
        watch = TowerWatch(
            bench.profile if self.rehearsal else known,
            self._submit,
            clock=self._table.clock.at_of,
            lines=OverheardLines(self._edges, bench.listening) if self._edges else None,
            sound=OverheardSound(self._sound, bench.listening) if self._sound else None,
            open_book=partial(tower.open_book, self._table),
        )
        bench.use = watch.use
        return watch

    def _bench(self) -> TowerBench:
        """Calibration of the tower; what is learned of the rehearsed one is kept apart."""
        rehearsed = self.rehearsal.lines if self.rehearsal else None
        return TowerBench(
            dict.fromkeys(REHEARSED, 0) if rehearsed else self._settings.lines,
            self._folder / "rehearsal" if rehearsed else self._folder,
            microphone=self._sound is not None,
            sealed=partial(tower.sealed, self._table),
            act=answering(rehearsed) if rehearsed else None,
        )

    def _eyes(self, folder: Path, *, recorded: bool) -> "Eyes":
        assert self._camera is not None
        self._camera = eye = Tapped(self._camera)
        most_mb = self._settings.camera.minute_mb
        kept = Minute(most_bytes=most_mb * 1024 * 1024) if most_mb else None
        profile = _profile(folder / TRAY_FILE, self._submit)
        watcher = Watcher(
            eye,
            self._awaited,
            self._submit,
            clock=self._table.clock.at_of,
            profile=profile,
            first_counts=recorded,  # at a table, dice that lie there already are no throw
            reader=self.reader,
            keeper=kept,
            cubes=self._lifted,
        )
        lay = self.rehearsal.show if self.rehearsal else None
        self.teaching = Workbench(
            eye, folder, profile=profile, use=watcher.use, learn=self.reader.learn, lay=lay
        )
        return Eyes(watcher, kept, self._facts, self._edge_rows, self.reader)

    def _learn(self, found: tuple[int, ...]) -> None:
        """Let the evening's open floors teach where cubes come to rest, once the book is open."""
        if self.tower is not None:
            profile = learn(self.tower.learned, found)
            self.tower.use(profile)
            if self.rehearsal is None:
                tower.keep(self._table, self._folder, profile)

    def _lifted(self) -> CubesExpected | None:
        return self._table.snapshot().expected.seen

    def _awaited(self) -> DiceExpected | None:
        """The throw that the table waits for; none while dice are shown to be learned."""
        if self.teaching is not None and self.teaching.busy:
            return None
        return self._table.snapshot().expected.dice

    def _facts(self) -> Mapping[str, object]:
        found = ", ".join(f"{device.card} ({device.driver})" for device in video_devices())
        return facts(self._settings, cameras="rehearsal" if self.rehearsal else found)

    def _edge_rows(self) -> list[Mapping[str, object]]:
        return tower.entry_rows(self._edges.edges(time.monotonic()) if self._edges else ())

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
    """The web's port to the live picture and the last minute."""

    def __init__(
        self,
        watcher: Watcher,
        kept: Minute | None,
        facts: Callable[[], Mapping[str, object]],
        edges: Callable[[], list[Mapping[str, object]]],
        reader: LearnedReader,
    ) -> None:
        self.watcher = watcher
        self._reader = reader
        self.kept = kept
        self._facts = facts
        self._edges = edges

    def picture(self) -> "CameraPicture | None":
        """A JPEG of the tray or floor with what is read in it, the watcher's state, why it is unsure."""
        from web.ports import CameraPicture  # noqa: PLC0415 - as in photo_reader

        looked = self.watcher.live.look()
        if looked is None:
            return None
        jpeg, shown = looked
        read, sure_from = claims(shown.dice, shown.frame.image.shape), SURE
        if shown.cubes is not None:
            read, sure_from = cube_claims(shown.cubes.cubes, shown.frame.image.shape), SURE_CUBE
        dice = tuple((claim, claim.confidence >= sure_from) for claim in read)
        why = f"{shown.trouble} {shown.why}".strip()
        return CameraPicture(jpeg, self.watcher.state.value, why, dice)

    def minute(self) -> Iterator[bytes] | None:
        """The last minute as a zip file, piece by piece."""
        if self.kept is None:
            return None
        return written(self.kept.kept(), self._facts(), self._edges(), self._reader.taught)


def photo_reader(reader: LearnedReader) -> "ReadPhoto":
    """The web's port to reading a photograph from a phone."""
    from web.ports import PhotoReading  # noqa: PLC0415 - Flask takes a while, and only serving needs it

    def read(data: bytes, name: str, expected: DiceExpected | CubesExpected | None) -> PhotoReading:
        if isinstance(expected, CubesExpected):
            return counted(data, name, expected)
        photo = read_photo(data, expected, name=name, reader=reader)
        judgement = photo.judgement
        return PhotoReading(
            claims=claims(photo.dice, photo.frame.image.shape),
            sure=judgement.status is RollStatus.SURE,
            status=judgement.status.value,
            reason=judgement.reason,
            picture=evidence(photo.frame, photo.dice),
            confidence=judgement.confidence,
            original=partial(encode_jpeg, photo.frame.image, 92),
        )

    def counted(data: bytes, name: str, expected: CubesExpected) -> PhotoReading:
        photo = read_cube_photo(data, expected, name=name)
        seen = photo.read
        return PhotoReading(
            claims=cube_claims(seen.cubes, photo.frame.image.shape),
            sure=False,  # a floor is looked at once: somebody says that it is right
            status=seen.status.value,
            reason=seen.reason,
            picture=cube_evidence(photo.frame, seen),
            confidence=seen.confidence,
        )

    return read


def camera_there() -> bool:
    """Whether Linux knows a camera, on the ribbon or on USB."""
    nodes = (describe(node) for node in Path("/dev").glob("video*"))
    return bool(video_devices()) or any(device and device.driver in _CSI_DRIVERS for device in nodes)


def device_checks(settings: Settings, folder: Path) -> tuple[Check, ...]:
    """What the doctor looks at in cameras and lines."""
    return (
        _check_networks,
        _check_picamera2,
        _check_cameras,
        *tower.checks(settings, folder),
    )


def _check_networks() -> Finding:
    if onnx_runs():
        return Finding("networks", Health.GOOD, f"run by ONNX Runtime {version('onnxruntime')}")
    text = "run by OpenCV, two to three times slower: ONNX Runtime is not installed or does not run here"
    return Finding("networks", Health.NOTE, text, f"{sys.executable} -m pip install --upgrade onnxruntime")


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


def _taught(file: Path, say: Callable[[Notice], None]) -> Taught:
    try:
        return Taught.load(file)
    except (ValueError, OSError) as fault:
        say(Notice(source="taught dice", state="not read", text=f"{fault}", remedy="Teach the dice again."))
        return Taught()


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
