"""Calibration of a tower at a running table: naming, measures, labelled cubes, speech, a live trace.

What it returns are plain mappings, as pages and the command line show them; a ValueError carries a
sentence for people.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock
from typing import Any, Final

from calibration import tower_geometry, tower_labels, tower_speech, tower_trace
from calibration.tower_following import CubesStep, NamingStep, SpeechStep
from calibration.tower_listening import Listening
from hardware.edges import LineFault
from hardware.profile import ENTRY_PLATE, FLOORS, ProfileError, TowerProfile, for_lines, plate_of
from hardware.rehearsal import RehearsedTower
from hardware.selftest import CLAP

TOWER_FILE: Final = "tower.json"

Act = Callable[[Sequence[str]], None]

_SEALED = (
    "Not while a game is sealed: it would tell where cubes fall. The entry and the test of the lines work."
)


def answering(tower: RehearsedTower, monotonic: Callable[[], float] = time.monotonic) -> Act:
    """Return what does at a rehearsed tower what the naming asks for, a second after it is asked."""

    def act(asked: Sequence[str]) -> None:
        if CLAP in asked:
            tower.knock()
        at = monotonic() + 1.0
        tower.add((line, (at, at + 0.5)) for line in asked)

    return act


def today() -> str:
    """The date, as a profile has it."""
    return datetime.now(UTC).astimezone().date().isoformat()


class TowerBench:
    """One at a table. Safe from any thread: calls wait for one another.

    ``numbers``: BCM numbers of the lines by name; ``microphone``: whether one with a waveform listens;
    ``levels`` reads the lines now. ``use`` takes what was saved, and it counts at once. ``sealed`` says
    whether a sealed game is played. ``act`` does what the naming asks for, at a rehearsed tower.
    ``listening`` is to be fed with what comes.
    """

    def __init__(
        self,
        numbers: Mapping[str, int],
        folder: Path,
        *,
        microphone: bool = False,
        levels: Callable[[], Mapping[str, bool]] = dict,
        use: Callable[[TowerProfile], None] = lambda _: None,
        sealed: Callable[[], bool] = lambda: False,
        act: Act | None = None,
        monotonic: Callable[[], float] = time.monotonic,
        date: Callable[[], str] = today,
    ) -> None:
        self._numbers = dict(numbers)
        self._folder = folder
        self._microphone = microphone
        self._read_levels = levels
        self.use = use
        self._act = act
        self._acted: tuple[str, ...] = ()
        self._sealed = sealed
        self._monotonic = monotonic
        self._date = date
        self._lock = RLock()
        self.listening = Listening(sealed=sealed)
        self.profile, self._trouble = before(folder, self._numbers)
        self._naming: NamingStep | None = None
        self._cubes: CubesStep | None = None
        self._speech: SpeechStep | None = None

    def state(self) -> dict[str, Any]:
        """Return everything that the page shows, as it stands now."""
        with self._lock:
            now, closed, profile = self._monotonic(), self._sealed(), self.profile
            if closed:
                self._cubes = self._speech = None
            self._follow(now)
            return {
                "lines": [{"line": line, "number": bcm} for line, bcm in self._numbers.items()],
                "microphone": self._microphone,
                "sealed": closed,
                "trouble": self._trouble,
                "profile": {name: getattr(profile, name) for name in _SHOWN},
                "geometry": tower_geometry.told(tower_geometry.check(profile)),
                "naming": self._naming.told(closed=closed) if self._naming else None,
                "labels": tower_labels.told(self._cubes.labels) if self._cubes else None,
                "speech": self._speech.told(now, profile.loudness_db) if self._speech else None,
            }

    def name(self, do: str) -> dict[str, Any]:
        """``begin`` to name the lines, ``skip`` the one asked for, or ``leave``. Raises ValueError."""
        with self._lock:
            self._follow(self._monotonic())
            match do:
                case "begin":
                    self._naming = self._begun()
                case "skip" if self._naming is not None:
                    self._naming.skip()
                case "skip":
                    raise ValueError("No line is asked for. Begin to name them first.")
                case "leave":
                    self._naming = None
                case other:
                    raise ValueError(f"{other!r} is not done here: begin, skip or leave.")
            return self.state()

    def measure(
        self, cube_mm: float, hole_mm: float, pitch_mm: float, *, save: bool = False
    ) -> dict[str, Any]:
        """Say what these measures mean, and keep them if told to. Raises ValueError."""
        with self._lock:
            if save:
                self._open()
            profile = tower_geometry.measured(
                self.profile, cube_mm=cube_mm, hole_mm=hole_mm, pitch_mm=pitch_mm
            )
            if save:
                self._keep(replace(profile, date=self._date(), evidence=_measured(profile)))
            return {**tower_geometry.told(tower_geometry.check(profile)), "saved": save}

    def label(self, do: str, number: int = 0, floor: int = 0) -> dict[str, Any]:
        """``begin``; then ``lay`` (cube ``number`` was on ``floor``), ``forget`` it, or ``uncounted``.

        The last is for a cube that lay on ``floor`` and was never counted. In the end ``finish`` (which
        saves) or ``leave``. Raises ValueError, in a sealed game too.
        """
        with self._lock:
            self._open()
            self._follow(self._monotonic())
            if do == "begin":
                self._cubes = CubesStep(self.listening, self.profile, sound=self._microphone)
            elif do == "leave":
                self._cubes = None
            elif self._cubes is None:
                raise ValueError("No cubes are being dropped for this. Begin first.")
            else:
                self._label(self._cubes, do, number, floor)
            return self.state()

    def speech(self, do: str) -> dict[str, Any]:
        """``begin`` to listen to talk and then to quiet, ``finish`` (which saves), or ``leave``."""
        with self._lock:
            self._open()
            self._follow(self._monotonic())
            match do:
                case "begin":
                    self._speech = SpeechStep(self.listening, self._monotonic())
                case "finish":
                    self._keep(self._heard_room())
                    self._speech = None
                case "leave":
                    self._speech = None
                case other:
                    raise ValueError(f"{other!r} is not done here: begin, finish or leave.")
            return self.state()

    def trace(self) -> dict[str, Any]:
        """Return the last seconds of every line and of the sound; of the entry alone in a sealed game."""
        now, closed = self._monotonic(), self._sealed()
        lines = [line for line in self._numbers if not closed or plate_of(line) == ENTRY_PLATE]
        heard = () if closed else self.listening.levels(now - tower_trace.WINDOW_S)
        levels = [(level.at, level.rms_db) for level in heard]
        told = tower_trace.trace(lines, self.listening.edges(), levels, now)
        return {**told, "sealed": closed, "text": _SEALED if closed else ""}

    def _begun(self) -> NamingStep:
        if not self._numbers and not self._microphone:
            raise ValueError("No line is set. Write the tower's lines into companion.toml, [tower].")
        last = {edge.line: edge.level for edge in self.listening.edges()}
        with suppress(LineFault):  # lines that are lost just now: their edges will say so
            last |= self._read_levels()
        levels = {line: last.get(line, True) for line in self._numbers}
        return NamingStep(self.listening, levels, self._numbers, sound=self._microphone)

    def _label(self, step: CubesStep, do: str, number: int, floor: int) -> None:
        match do:
            case "lay":
                step.labels = step.labels.lay(number, floor)
            case "forget":
                step.labels = step.labels.forget(number)
            case "uncounted":
                step.labels = step.labels.uncounted(floor)
            case "finish":
                self._keep(step.labels.fitted(self._date()))
                self._cubes = None
            case other:
                raise ValueError(
                    f"{other!r} is not done here: begin, lay, forget, uncounted, finish or leave."
                )

    def _heard_room(self) -> TowerProfile:
        if self._speech is None or not self._speech.over(self._monotonic()):
            raise ValueError("Talk for twenty seconds first, then be quiet for ten.")
        profile = self.profile
        room = tower_speech.judged(self._speech.hearing, profile.loudness_db)
        if room.quietest_db is None:
            raise ValueError(f"There is nothing to save. {room.text}")
        evidence = f"{profile.evidence}; room at {room.quiet_db} dB, talk at {room.talk_db} dB"
        return replace(profile, quietest_db=room.quietest_db, date=self._date(), evidence=evidence)

    def _follow(self, now: float) -> None:
        for step in (self._naming, self._cubes, self._speech):
            if step is not None:
                step.follow(now)
        asked = self._naming.asked if self._naming else ()
        if asked != self._acted:
            self._acted = asked
            if asked and self._act is not None:
                self._act(asked)
        naming = bool(asked)
        self.listening.attentive = naming or self._cubes is not None or self._speech is not None

    def _open(self) -> None:
        if self._sealed():
            self._cubes = self._speech = None
            raise ValueError(_SEALED)

    def _keep(self, profile: TowerProfile) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        profile.save(self._folder / TOWER_FILE)
        self.profile, self._trouble = profile, ""
        self.use(profile)


def before(folder: Path, lines: Iterable[str]) -> tuple[TowerProfile, str]:
    """Return the tower's profile for these lines, and what is wrong with the file if it cannot be used.

    Then the built-in one counts, and saving puts a new file in its place.
    """
    file = folder / TOWER_FILE
    fresh = for_lines(lines)
    if not file.exists():
        return fresh, ""
    try:
        profile = TowerProfile.load(file)
    except ProfileError as fault:
        return fresh, f"{fault} What you save now takes its place."
    return _rewired(profile, fresh) if fresh.lines else profile, ""


def _rewired(known: TowerProfile, fresh: TowerProfile) -> TowerProfile:
    """The same tower with other lines: what was learned of a plate holds while its beams are the same."""
    now = known.with_lines(fresh.lines)
    same = [known.plates.get(plate) == now.plates.get(plate) for plate in range(FLOORS)]
    pairs = zip(same, known.missed, now.missed, strict=True)
    return replace(now, missed=tuple(old if stays else new for stays, old, new in pairs))


def _measured(profile: TowerProfile) -> str:
    measures = f"cube {profile.cube_mm:g} mm, hole {profile.hole_mm:g} mm, floors {profile.pitch_mm:g} mm"
    return f"measured: {measures}"


_SHOWN = ("cube_mm", "hole_mm", "pitch_mm", "date", "evidence")
