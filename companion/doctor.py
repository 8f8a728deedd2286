"""What is wrong with this machine, and the line that mends it.

The checks that concern devices are handed in by the composition root; nothing here imports a sensor.
"""

import grp
import importlib.metadata
import os
import platform
import pwd
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

from companion.addresses import reachable
from companion.datafolder import DataFolder
from companion.errors import JournalBusyError, JournalError

_LOW_DISK_MB = 200
"""Evenings take kilobytes; SQLite, the log and an update need some air."""


class Health(StrEnum):
    """``note``: not here and not needed; play goes on without."""

    GOOD = "good"
    NOTE = "note"
    BAD = "bad"


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the doctor's."""

    name: str
    health: Health
    text: str
    remedy: str = ""


Check = Callable[[], Finding]


def examine(data: Path, port: int, url: str, devices: Iterable[Check]) -> list[Finding]:
    """All findings, general ones first. A check that fails itself is a finding, too."""
    checks: list[Check] = [
        python,
        lambda: library("cv2", "opencv-python-headless"),
        lambda: library("numpy", "numpy"),
        *devices,
        groups,
        lambda: disk(data),
        lambda: folder(data),
        power,
        clock,
        lambda: free_port(port),
        lambda: address(port, url),
    ]
    return [_guarded(check) for check in checks]


def report(findings: Iterable[Finding]) -> str:
    """The findings as text, a line each, the remedy on the next."""
    signs = {Health.GOOD: "ok", Health.NOTE: "--", Health.BAD: "!!"}
    lines = []
    for finding in findings:
        lines.append(f"{signs[finding.health]}  {finding.name}: {finding.text}")
        if finding.remedy and finding.health is not Health.GOOD:
            lines.append(f"      -> {finding.remedy}")
    return "\n".join(lines)


def python() -> Finding:
    """The Python that runs, and whether apt's packages are in its sight."""
    text = f"{platform.python_version()} at {sys.executable}, {platform.machine()}"
    on_pi = Path("/proc/device-tree/model").exists()
    if on_pi and not sys.base_prefix.startswith("/usr"):
        return Finding(
            "python",
            Health.BAD,
            f"{text} is not the system's Python, which picamera2 and lgpio from apt need",
            "rm -rf .venv && PYTHON=/usr/bin/python3 make run",
        )
    return Finding("python", Health.GOOD, text)


def library(module: str, package: str) -> Finding:
    """Whether a compiled library imports, tried in a process of its own since it may crash."""
    told = subprocess.run(
        [sys.executable, "-c", f"import {module}; print({module}.__version__)"],
        capture_output=True,
        text=True,
        check=False,
    )
    if told.returncode == 0:
        return Finding(module, Health.GOOD, told.stdout.strip())
    words = (told.stderr.strip().splitlines() or ["it crashed"])[-1]
    remedy = f"{sys.executable} -m pip install --force-reinstall {package}"
    if "dtype size changed" in words or "numpy.core.multiarray" in words:
        words = f"it was built for another numpy than {_version('numpy')}: {words}"
        remedy = "rm -rf .venv && make run   (never pip install numpy over apt's)"
    elif "libGL" in words or "libxcb" in words:
        remedy = (
            f"{sys.executable} -m pip uninstall -y opencv-python && make run   (headless needs no desktop)"
        )
    return Finding(module, Health.BAD, words, remedy)


def groups() -> Finding:
    """Whether the user may use cameras and lines."""
    if os.geteuid() == 0:
        return Finding("groups", Health.GOOD, "root may use every device")
    numbers = {*os.getgroups(), os.getegid()}
    wanted = {group.gr_name for group in grp.getgrall()} & {"video", "gpio"}
    missing = sorted(name for name in wanted if grp.getgrnam(name).gr_gid not in numbers)
    user = next((u.pw_name for u in pwd.getpwall() if u.pw_uid == os.geteuid()), str(os.geteuid()))
    if missing:
        return Finding(
            "groups",
            Health.BAD,
            f"{user} is not in {', '.join(missing)}",
            f"sudo usermod -aG {','.join(missing)} {user}   (then log in again)",
        )
    return Finding(
        "groups", Health.GOOD, f"{user} is in {', '.join(sorted(wanted)) or 'none, and none is there'}"
    )


def disk(data: Path) -> Finding:
    """Space for evenings."""
    there = next(p for p in (data, *data.resolve().parents) if p.exists())
    free_mb = shutil.disk_usage(there).free // 1_000_000
    health = Health.GOOD if free_mb >= _LOW_DISK_MB else Health.BAD
    return Finding(
        "disk", health, f"{free_mb} MB free at {there}", "sudo apt clean; or remove what is not needed"
    )


def folder(data: Path) -> Finding:
    """Whether the data folder can be written and read back, and is nobody else's."""
    if not data.exists():
        there = next(p for p in data.resolve().parents if p.exists())
        if there.is_dir() and os.access(there, os.W_OK):
            return Finding("data", Health.GOOD, f"{data} will be made on the first start")
        return Finding(
            "data", Health.BAD, f"{data} cannot be made: {there} is not yours to write", f"ls -ld {there}"
        )
    try:
        DataFolder.open(data).close()
    except JournalBusyError as fault:
        return Finding("data", Health.NOTE, str(fault))
    except JournalError as fault:
        return Finding("data", Health.BAD, str(fault), f"ls -ld {data}")
    return Finding("data", Health.GOOD, str(data))


def power() -> Finding:
    """Whether a Pi has met under-voltage since it started: the usual cause of cameras that vanish."""
    if shutil.which("vcgencmd") is None:
        return Finding("power", Health.GOOD, "not a Pi, so nobody measures it")
    told = subprocess.run(["vcgencmd", "get_throttled"], capture_output=True, text=True, check=False)
    return throttled(told.stdout.strip())


def throttled(told: str) -> Finding:
    """What ``vcgencmd get_throttled`` means: bit 0 under-voltage now, bit 16 since the start.

    >>> throttled("throttled=0x50000").health
    <Health.BAD: 'bad'>
    >>> throttled("throttled=0x0").text
    'steady since the start'
    """
    _, _, number = told.partition("=")
    try:
        bits = int(number, 16)
    except ValueError:
        return Finding("power", Health.NOTE, f"vcgencmd says {told!r}, which nobody here understands")
    if bits & 0x10001:
        when = "now" if bits & 1 else "since the start"
        return Finding(
            "power", Health.BAD, f"under-voltage {when}", "use the Pi's own power supply and cable"
        )
    return Finding("power", Health.GOOD, "steady since the start")


def clock() -> Finding:
    """Whether the date is right. Play does not depend on it; the list of games shows it."""
    if shutil.which("timedatectl") is None:
        return Finding(
            "clock", Health.NOTE, "timedatectl is not here, so nobody says whether the date is right"
        )
    told = subprocess.run(
        ["timedatectl", "show", "-p", "NTPSynchronized", "--value"],
        capture_output=True,
        text=True,
        check=False,
    )
    match told.stdout.strip():
        case "yes":
            return Finding("clock", Health.GOOD, "set by the network")
        case "no":
            return Finding(
                "clock", Health.NOTE, "not set by the network (yet)", "sudo timedatectl set-ntp true"
            )
        case _:
            return Finding("clock", Health.NOTE, "systemd does not run here, so nobody says")


def free_port(port: int) -> Finding:
    """Whether the pages can be served there."""
    try:
        with socket.create_server(("0.0.0.0", port)):  # noqa: S104 - the address the companion serves
            return Finding("port", Health.GOOD, f"{port} is free")
    except PermissionError:
        return Finding("port", Health.BAD, f"{port} needs root", "companion serve --port 8080")
    except OSError:
        return Finding(
            "port",
            Health.NOTE,
            f"{port} is in use (by this companion, perhaps)",
            f"ss -ltnp | grep :{port}",
        )


def address(port: int, url: str) -> Finding:
    """Where phones find the companion."""
    found = reachable(port, url=url)
    if found[0].startswith("http://localhost"):
        remedy = "join the Wi-Fi that the phones are in"
        return Finding("address", Health.BAD, "no network: only this machine can open the pages", remedy)
    return Finding("address", Health.GOOD, " or ".join(found))


def _guarded(check: Check) -> Finding:
    try:
        return check()
    except Exception as fault:  # noqa: BLE001 - the doctor reports faults, also its own
        return Finding(getattr(check, "__name__", "check"), Health.BAD, f"could not be checked: {fault!r}")


def _version(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"
