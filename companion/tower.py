"""What is wired to the tower, how it is read, what is known of it; and the doctor's look at it all.

Beside `companion.devices` it may see ``hardware`` (see DECISIONS.md).
"""

import logging
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

from companion.doctor import Check, Finding, Health
from companion.rules.events import Notice
from companion.settings import I2S, Settings, is_i2s
from companion.table import Table
from hardware import gpiod_lines
from hardware.edges import Edge, EdgeSource, Line, LineFault, Turned
from hardware.gpio import GpioEdges, load
from hardware.microphone import Microphone, choose, list_microphones
from hardware.profile import ProfileError, TowerProfile, for_lines
from hardware.sound import SoundFault, SoundSource
from hardware.told import ENTRY_LINES

log = logging.getLogger(__name__)

FILE = "tower.json"
"""What calibration found and the evenings have taught, in the data folder."""

_USUAL_FACTORY = "lgpio"
_CARDS = Path("/proc/asound/cards")


def backend(settings: Settings) -> tuple[str, str]:
    """Return gpiod or gpiozero, and why.

    gpiod gives each line a buffer of 1024 edges and counts what is lost; gpiozero, through lgpio, 16
    and says nothing. Measured side by side in tests/benchmarks/bench_lines.py.
    """
    wanted = settings.tower.backend
    if wanted != "auto":
        return wanted, "as set"
    factory = settings.gpio.pin_factory
    if factory != _USUAL_FACTORY:
        return "gpiozero", f"for its pin factory {factory}, as set"
    fault = gpiod_lines.absence()
    if fault is None:
        return "gpiod", "a line that chatters pushes out no other's edges, and what is lost is said"
    return "gpiozero", f"{fault.text} {fault.remedy}"


def edge_source(settings: Settings, folder: Path, say: Callable[[Notice], None]) -> EdgeSource | None:
    """Choose what reads the tower's lines; None if none is wired. Starts nothing."""
    lines = wired(settings)
    if not lines:
        return None
    source: EdgeSource
    if backend(settings)[0] == "gpiod":
        source = gpiod_lines.GpiodEdges(lines, say=say)
    else:
        source = GpioEdges(lines, factory=settings.gpio.pin_factory, folder=folder)
    return source if settings.broken_is_low else Turned(source)


def sound_source(settings: Settings, say: Callable[[Notice], None]) -> SoundSource | None:
    """Choose what hears the tower; None if nothing is set. Starts nothing."""
    name = settings.tower.microphone
    return Microphone(name, say=say) if name else None


def wired(settings: Settings) -> tuple[Line, ...]:
    """The tower's lines as inputs; sensors that pull low need the Pi's pull-up, others its pull-down."""
    return tuple(Line(name, bcm, settings.broken_is_low) for name, bcm in settings.lines.items())


def profile(settings: Settings, folder: Path, say: Callable[[Notice], None]) -> TowerProfile:
    """What is known of this tower, for the lines that are wired now."""
    plain = for_lines(settings.lines)
    file = folder / FILE
    if not file.exists():
        return plain
    try:
        known = TowerProfile.load(file)
    except ProfileError as fault:
        remedy = f"Remove {file.name} or calibrate the tower again."
        say(Notice(source="tower profile", state="not read", text=f"{fault}", remedy=remedy))
        return plain
    return _rewired(known, plain.lines)


def keep(table: Table, folder: Path, learned: TowerProfile) -> None:
    """Keep what the evening has taught, unless a game is still sealed: counts of beams tell of floors."""
    if table.snapshot().book is None:
        return
    try:
        learned.save(folder / FILE)
    except OSError as fault:
        log.warning("%s is not kept: %s", FILE, fault)


def open_book(table: Table) -> bool:
    """Whether beams inside the tower may be named: no game is open, or its book is."""
    shown = table.snapshot()
    return shown.game is None or shown.book is not None


def sealed(table: Table) -> bool:
    """Whether a game is played whose book is closed: then nothing from inside the tower may be told."""
    shown = table.snapshot()
    return shown.game is not None and shown.outcome is None and shown.book is None


def entry_rows(edges: Iterable[Edge]) -> list[Mapping[str, object]]:
    """The edges of the entry's beams, as rows of a report.

    Those of the floors and of the microphone tell where a cube came to rest, which is the game's
    secret: they never leave here, whether a game is open or not.
    """
    rows = (edge for edge in edges if edge.line in ENTRY_LINES)
    return [{"at": edge.at, "line": edge.line, "level": edge.level} for edge in rows]


def sentence(settings: Settings) -> str:
    """Say what is wired, for the greeting."""
    lines, microphone = settings.lines, settings.tower.microphone
    listed = ", ".join(f"{name} on GPIO{bcm}" for name, bcm in lines.items())
    told = f"{listed}, through {backend(settings)[0]}" if lines else "no line is set"
    return f"{told}. Microphone: {microphone}" if microphone else told


def _rewired(known: TowerProfile, lines: tuple[str, ...]) -> TowerProfile:
    """The same tower with other lines: what was learned of a plate holds while its beams are the same."""
    now = replace(known, lines=lines, missed=())
    missed = (
        known.missed[plate] if known.plates.get(plate) == now.plates.get(plate) else now.missed[plate]
        for plate in range(len(now.missed))
    )
    return replace(now, missed=tuple(missed))


# -- the doctor's look ----------------------------------------------------------------------------


def checks(settings: Settings, folder: Path, devices: Path = Path("/dev")) -> tuple[Check, ...]:
    """What the doctor looks at in the tower's lines."""
    return (
        lambda: _check_backend(settings, folder, devices),
        *(partial(_check_line, settings, line, folder, devices) for line in wired(settings)),
        lambda: _check_microphone(settings),
        lambda: check_i2s(settings, _cards()),
    )


def check_i2s(settings: Settings, cards: str) -> Finding:
    """Whether a sound card on the header's I2S lines takes lines from beams. ``cards``: ALSA's list."""
    taken = [f"{name} on GPIO{bcm}" for name, bcm in settings.lines.items() if bcm in I2S]
    if is_i2s(cards) and taken:
        return Finding(
            "i2s",
            Health.BAD,
            f"an I2S sound card is set up, and so is {', '.join(taken)}: they need the same lines",
            f"wire these to lines other than {', '.join(map(str, I2S))}, or remove its dtoverlay",
        )
    return Finding("i2s", Health.GOOD, "no line is wanted twice" if is_i2s(cards) else "no I2S sound card")


def _check_backend(settings: Settings, folder: Path, devices: Path) -> Finding:
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        text = "no /dev/gpiochip here: this is not a Pi; rehearse the tower instead"
        return Finding("gpio", Health.NOTE, text)
    name, why = backend(settings)
    try:
        if name == "gpiod":
            gpiod_lines.holders((), devices)
        else:
            load(settings.gpio.pin_factory, folder).close()
    except LineFault as fault:
        return Finding("gpio", Health.BAD, fault.text, fault.remedy)
    there = ", ".join(chip.name for chip in chips)
    if name == "gpiozero" and settings.tower.backend == "auto":
        return Finding("gpio", Health.NOTE, f"gpiozero drives {there}; gpiod would be better: {why}")
    return Finding("gpio", Health.GOOD, f"{name} drives {there} ({why})")


def _check_line(settings: Settings, line: Line, folder: Path, devices: Path) -> Finding:
    name, where = f"line {line.name}", f"GPIO{line.bcm}"
    try:
        level = _level(settings, line, folder, devices)
    except LineFault as fault:
        holder = _holder(line, devices)
        if holder == gpiod_lines.CONSUMER:
            return Finding(name, Health.GOOD, f"{where} is watched by a companion that runs")
        by = f" It is held by {holder!r}." if holder and holder not in fault.text else ""
        told = fault.text if where in fault.text else f"{where}: {fault.text}"
        return Finding(name, Health.BAD, f"{told}{by}", fault.remedy)
    told = f"{where} is {'high' if level else 'low'}"
    if line.name == "mic":
        return Finding(name, Health.GOOD, f"{told}; clap in a self-test to see whether it hears")
    if level is settings.broken_is_low:
        return Finding(name, Health.GOOD, f"{told}: its beam is clear")
    remedy = "take out what lies in the beam; if nothing does, check emitter, wire and 5 V"
    return Finding(name, Health.BAD, f"{told}: its beam is broken", remedy)


def _check_microphone(settings: Settings) -> Finding:
    name = settings.tower.microphone
    missing = Health.BAD if name else Health.NOTE
    try:
        found = list_microphones()
        if found and name:
            chosen = choose(found, name)
            return Finding("microphone", Health.GOOD, f"{name!r} is {chosen.name}, {chosen.rate} Hz")
    except SoundFault as fault:
        return Finding("microphone", missing, fault.text, fault.remedy)
    if not found:
        return Finding("microphone", missing, "there is none; beams count without", "arecord -l lists them")
    names = ", ".join(one.name for one in found)
    return Finding("microphone", Health.NOTE, f"none is set; there is: {names}", 'microphone = "auto"')


def _level(settings: Settings, line: Line, folder: Path, devices: Path) -> bool:
    if backend(settings)[0] == "gpiod":
        return gpiod_lines.glance([line], devices)[line.name]
    source = GpioEdges([line], factory=settings.gpio.pin_factory, folder=folder)
    try:
        source.start()
        return source.levels()[line.name]
    finally:
        source.close()


def _holder(line: Line, devices: Path) -> str:
    with suppress(LineFault):
        return gpiod_lines.holders([line], devices).get(line.name, "")
    return ""


def _cards() -> str:
    return _CARDS.read_text(encoding="utf-8", errors="replace") if _CARDS.exists() else ""
