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
    """``source`` is auto, none, picamera2, v4l2:N or a path to stills or a video."""

    source: str = "auto"
    mains_hz: int = 50


@dataclass(frozen=True, slots=True)
class GpioSettings:
    """``entry`` is the BCM number of the tower's entry beam; 0 for no tower."""

    pin_factory: str = "lgpio"
    entry: int = 0
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
    journal: JournalSettings = field(default_factory=JournalSettings)


def load(file: Path) -> Settings:
    """The settings in ``file``, or the defaults if it is not there. Raises SettingsError."""
    if not file.exists():
        return Settings()
    try:
        return parse(file.read_text(encoding="utf-8-sig"), name=str(file))
    except (OSError, UnicodeDecodeError) as fault:
        raise SettingsError(f"{file} cannot be read: {fault}") from fault


def parse(text: str, *, name: str = "companion.toml") -> Settings:
    r"""Settings from TOML.

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
    return _filled(Settings, table, name, "")


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
    return value


_RANGES: dict[str, tuple[int, int, str]] = {
    "web.port": (1, 65535, "a TCP port"),
    "camera.mains_hz": (50, 60, "50 in most of the world, 60 in the Americas"),
    "gpio.entry": (0, 27, "the BCM numbers of the 40-pin header"),
}
