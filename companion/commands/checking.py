"""``doctor``: what is wrong with this machine."""

import argparse
from pathlib import Path

from companion import doctor
from companion.commands.common import Commands, add_data, port
from companion.errors import SettingsError
from companion.settings import Settings, load


def add_doctor(commands: Commands) -> None:
    """Add ``doctor``."""
    check = commands.add_parser("doctor", help="say what is wrong with this machine, and what mends it")
    check.add_argument("--port", type=port, help="port of the pages")
    add_data(check)
    check.set_defaults(run=_doctor)


def _doctor(given: argparse.Namespace) -> int:
    file = given.data / "companion.toml"
    try:
        settings, read = load(file), doctor.Finding("settings", doctor.Health.GOOD, "can be read")
    except SettingsError as fault:
        settings = Settings()
        read = doctor.Finding("settings", doctor.Health.BAD, str(fault), f"correct it in {file}")
    port = given.port or settings.web.port
    findings = doctor.examine(given.data, port, settings.web.url, _device_checks(settings, given.data))
    findings.insert(0, read)
    print(doctor.report(findings))
    return 1 if any(finding.health is doctor.Health.BAD for finding in findings) else 0


def _device_checks(settings: Settings, data: Path) -> tuple[doctor.Check, ...]:
    try:
        from companion.devices import device_checks  # noqa: PLC0415 - may fail, see below
    except ImportError:
        return ()  # the doctor's own look at OpenCV says what is broken
    return device_checks(settings, data)
