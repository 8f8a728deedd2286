"""``companion.toml`` as frozen dataclasses. Unknown keys and bad values are named."""

import difflib
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, is_dataclass
from pathlib import Path
from typing import Any, TypeVar, get_type_hints

from companion.errors import SettingsError

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class WebSettings:
    """Where the pages are served. ``url`` overrides the address that phones are told."""

    host: str = "0.0.0.0"  # noqa: S104 - phones in the house must reach it
    port: int = 8080
    url: str = ""


@dataclass(frozen=True, slots=True)
class CameraSettings:
    """``source`` is auto, none, picamera2, v4l2:N or a path to stills or a video.

    ``mains_hz`` of the lamps; ``minute_mb``: megabytes of memory for the last minute, 0 for none.
    """

    source: str = "auto"
    mains_hz: int = 50
    minute_mb: int = 32


@dataclass(frozen=True, slots=True)
class GpioSettings:
    """``pin_factory`` is gpiozero's. ``entry`` and ``active_low`` are the older words for [tower]'s."""

    pin_factory: str = "lgpio"
    entry: int = 0
    active_low: bool = True


@dataclass(frozen=True, slots=True)
class TowerSettings:
    """What is wired to the tower, by BCM numbers; 0 for what is not there.

    ``entry`` and ``floor0`` to ``floor7`` are break beams, those with ``_b`` the second of a pair;
    ``floor5`` is in the hole of the lid of the sixth box from below. ``mic``: a threshold sound module.
    ``microphone``: none if empty, ``auto``, or a part of a sound device's name.
    ``backend`` is auto, gpiozero or gpiod; ``active_low``: a broken beam pulls its line low.
    """

    entry: int = 0
    entry_b: int = 0
    floor0: int = 0
    floor1: int = 0
    floor2: int = 0
    floor3: int = 0
    floor4: int = 0
    floor5: int = 0
    floor6: int = 0
    floor7: int = 0
    floor0_b: int = 0
    floor1_b: int = 0
    floor2_b: int = 0
    floor3_b: int = 0
    floor4_b: int = 0
    floor5_b: int = 0
    floor6_b: int = 0
    floor7_b: int = 0
    mic: int = 0
    microphone: str = ""
    backend: str = "auto"
    active_low: bool = True


@dataclass(frozen=True, slots=True)
class JournalSettings:
    """``url`` of a PostgreSQL database; empty for a SQLite file in the data folder."""

    url: str = ""


@dataclass(frozen=True, slots=True)
class Settings:
    """Everything that can be set."""

    web: WebSettings = field(default_factory=WebSettings)
    camera: CameraSettings = field(default_factory=CameraSettings)
    gpio: GpioSettings = field(default_factory=GpioSettings)
    tower: TowerSettings = field(default_factory=TowerSettings)
    journal: JournalSettings = field(default_factory=JournalSettings)

    @property
    def lines(self) -> dict[str, int]:
        """BCM numbers of the tower's lines that are wired, by their names, the entry first."""
        numbers = {name: getattr(self.tower, name) for name in _LINES}
        numbers["entry"] = numbers["entry"] or self.gpio.entry
        return {name: bcm for name, bcm in numbers.items() if bcm}

    @property
    def broken_is_low(self) -> bool:
        """Whether a broken beam pulls its line low, as open collectors do."""
        return self.tower.active_low and self.gpio.active_low


def load(file: Path) -> Settings:
    """The settings in ``file``, or the defaults if it is not there. Raises SettingsError."""
    if not file.exists():
        return Settings()
    try:
        return parse(file.read_text(encoding="utf-8-sig"), name=str(file))
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{file} cannot be read: {fault}") from fault


def parse(text: str, *, name: str = "companion.toml") -> Settings:
    r"""Settings from TOML. Raises SettingsError.

    >>> parse("[web]\nport = 80").web.port
    80
    >>> parse("[web]\nprot = 80")
    Traceback (most recent call last):
    companion.errors.SettingsError: companion.toml: web.prot is not a setting; did you mean port?
    """
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        raise SettingsError(f"{name} is not TOML: {fault}") from fault
    settings = _filled(Settings, table, name, "")
    if wrong := clash(settings):
        raise SettingsError(f"{name}: {wrong}")
    return settings


def clash(settings: Settings) -> str | None:
    r"""Say which two settings cannot both be meant, with the remedy; None if all can.

    >>> clash(parse("[tower]\nentry = 17\nfloor3 = 5"))
    """
    both = settings.gpio.entry, settings.tower.entry
    if all(both) and both[0] != both[1]:
        return f"gpio.entry = {both[0]} and tower.entry = {both[1]} are the same beam; remove gpio.entry"
    holders: dict[int, str] = {}
    for line, bcm in settings.lines.items():
        other = holders.setdefault(bcm, line)
        if other != line:
            return f"tower.{other} and tower.{line} are both {bcm}; give every sensor a line of its own"
    microphone = settings.tower.microphone
    taken = [f"tower.{holders[bcm]} = {bcm}" for bcm in I2S if bcm in holders]
    if is_i2s(microphone) and taken:
        return (
            f"{' and '.join(taken)} cannot be used with the I2S microphone {microphone!r}, which needs "
            f"lines {', '.join(map(str, I2S))}; wire that beam to another line"
        )
    return None


def is_i2s(microphone: str) -> bool:
    """Whether a sound device's name is that of a microphone on the header's I2S lines.

    >>> is_i2s("snd_rpi_googlevoicehat_soundcar"), is_i2s("USB PnP Sound Device")
    (True, False)
    """
    return any(mark in microphone.lower() for mark in _I2S_NAMES)


def _filled(kind: type[T], table: Mapping[str, Any], name: str, path: str) -> T:
    hints = get_type_hints(kind)
    known = [f.name for f in fields(kind)]  # type: ignore[arg-type]
    values = {}
    for key, value in table.items():
        where = f"{path}{key}"
        if key not in known:
            near = difflib.get_close_matches(key, known, n=1)
            hint = f"did you mean {near[0]}?" if near else f"there are: {', '.join(known)}"
            raise SettingsError(f"{name}: {where} is not a setting; {hint}")
        values[key] = _checked(hints[key], value, name, where)
    return kind(**values)


def _checked(hint: Any, value: Any, name: str, where: str) -> Any:
    if isinstance(hint, type) and is_dataclass(hint):
        if not isinstance(value, dict):
            raise SettingsError(f"{name}: {where} is a group: write [{where}] on a line of its own")
        return _filled(hint, value, name, f"{where}.")
    if type(value) is not hint:
        words = {str: "a text in quotes", int: "a whole number", bool: "true or false"}
        raise SettingsError(f"{name}: {where} = {value!r} must be {words[hint]}")
    low, high, why = _RANGES.get(where, (None, None, ""))
    if low is not None and high is not None and not low <= value <= high:
        raise SettingsError(f"{name}: {where} = {value} must be from {low} to {high} ({why})")
    if where in _TOWER_LINES and value in _NOT_FOR_BEAMS:
        raise SettingsError(f"{name}: {where} = {value} is no line for a sensor ({_NOT_FOR_BEAMS[value]})")
    among, why = _AMONG.get(where, ((), ""))
    if among and value not in among:
        either = " or ".join(map(str, among))
        raise SettingsError(f"{name}: {where} = {value} must be {either} ({why})")
    return value


I2S = (16, 18, 19, 20, 21)
"""What a microphone on the header's I2S takes: clock, word select, data in and out; and 16, which the
overlay googlevoicehat-soundcard drives besides."""

_I2S_NAMES = ("i2s", "voicehat", "inmp441", "ics43", "sph0645", "adau7002", "dmic")

_LINES = tuple(f.name for f in fields(TowerSettings) if f.type is int)
_TOWER_LINES = frozenset(f"tower.{line}" for line in _LINES)
_NOT_FOR_BEAMS = {
    1: "0 and 1 belong to the memory of add-on boards",
    2: "2 and 3 have fixed pull-ups, for I2C",
    3: "2 and 3 have fixed pull-ups, for I2C",
}
_HEADER = (0, 27, "the BCM numbers of the 40-pin header; 0 for none")
_RANGES: dict[str, tuple[int, int, str]] = {
    "web.port": (1, 65535, "a TCP port"),
    "camera.minute_mb": (0, 100, "megabytes of memory; 0 keeps nothing"),
    "gpio.entry": _HEADER,
    **dict.fromkeys(sorted(_TOWER_LINES), _HEADER),
}
_AMONG: dict[str, tuple[tuple[int | str, ...], str]] = {
    "camera.mains_hz": ((50, 60), "50 in most of the world, 60 in the Americas"),
    "tower.backend": (("auto", "gpiozero", "gpiod"), "the library that reads the lines"),
}
