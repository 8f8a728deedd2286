"""Who may import whom, and other promises that hold for every file."""

import ast
import os
import subprocess
import sys
import tomllib
from datetime import date
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = ("companion", "vision", "hardware", "web", "calibration")
FILES = sorted(p for package in OURS for p in (ROOT / package).rglob("*.py"))
PLUGGING = ("companion.commands", "companion.devices", "companion.rehearsed", "companion.tower")
"""With ``companion.__main__`` the only modules that see sensors; nobody but them imports these."""

RULES_MAY_NOT = {"time", "datetime", "random", "os", "threading", "logging", "secrets"}


def module_of(file: Path) -> str:
    parts = file.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports(file: Path) -> set[str]:
    """Every module that a file imports, lazily or not, by its full name."""
    found = set()
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{file}: relative import"
            names = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {name if module_exists(name) else str(node.module) for name in names}
    return found


def module_exists(name: str) -> bool:
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def within(name: str, *roots: str) -> bool:
    return any(name == root or name.startswith(root + ".") for root in roots)


def forbidden(module: str, imported: str) -> bool:
    """Whether HOUSE's rule is broken by ``module`` importing ``imported``."""
    ours = within(imported, *OURS)
    if within(module, "companion.__main__", *PLUGGING):
        return False
    if within(module, "companion.rules"):
        standard = imported.split(".")[0] in sys.stdlib_module_names
        return not within(imported, "companion.rules") and (
            ours or not standard or imported in RULES_MAY_NOT
        )
    if within(module, "companion.games") and module != "companion.games":
        own = ".".join(module.split(".")[:3])
        return (ours and not within(imported, "companion.rules", own)) or imported in RULES_MAY_NOT
    if within(module, "vision", "hardware"):
        return ours and not within(imported, module.split(".")[0], "companion.rules.events")
    if within(module, "web"):
        return ours and not within(imported, "web", "companion")
    if within(module, "calibration"):
        return ours and not within(imported, "calibration", "vision", "hardware")
    return ours and (not within(imported, "companion") or within(imported, *PLUGGING))


@pytest.mark.parametrize("file", FILES, ids=module_of)
def test_packages_import_only_what_the_house_allows(file):
    broken = {name for name in imports(file) if forbidden(module_of(file), name)}
    assert not broken


def test_the_rule_itself_can_fail():
    assert forbidden("vision.dice", "companion.table")
    assert forbidden("companion.rules.timer", "time")
    assert forbidden("companion.games.moss.rules", "random")
    assert forbidden("web.pages", "vision.dice")
    assert not forbidden("web.pages", "companion.table")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("library", "home"),
    [
        ("gpiozero", "hardware.gpio"),
        ("gpiod", "hardware.gpiod_lines"),
        ("picamera2", "vision.picamera"),
        ("sounddevice", "hardware.microphone"),
    ],
)
def test_each_device_library_is_imported_in_one_module(library, home):
    users = {module_of(file) for file in FILES if any(within(name, library) for name in imports(file))}
    assert users <= {home}


def test_device_libraries_are_imported_lazily():
    for file in FILES:
        top = ast.parse(file.read_text(encoding="utf-8")).body
        for node in top:
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [str(node.module)]
            assert not any(
                within(n, "gpiozero", "picamera2", "libcamera", "lgpio", "gpiod", "sounddevice")
                for n in names
            ), file


def test_every_lint_exception_has_its_reason():
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    start = lines.index("ignore = [")
    exceptions = lines[start + 1 : lines.index("]", start)]
    assert exceptions
    assert all("#" in line for line in exceptions)
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            if "# noqa" in line:
                assert ": " in line.split("# noqa")[1], f"{file}: {line.strip()}"


def test_nothing_carries_a_path_of_a_machine():
    tracked = [
        p for p in ROOT.rglob("*") if p.suffix in {".py", ".md", ".toml", ".html", ".js", ".css", ".txt"}
    ]
    kept = [
        p
        for p in tracked
        if not set(p.relative_to(ROOT).parts) & {".venv", ".git", "node_modules", ".cache"}
    ]
    for file in kept:
        if file != Path(__file__):
            assert "/work/" not in file.read_text(encoding="utf-8"), file


def test_the_project_names_its_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["requires-python"] == ">=3.11"


def test_decisions_are_dated_short_and_newest_first() -> None:
    head, *entries = (ROOT / "DECISIONS.md").read_text(encoding="utf-8").split("\n## ")
    assert "Newest first" in head
    days = [date.fromisoformat(entry[:10]) for entry in entries]
    assert days == sorted(days, reverse=True)
    assert max(len(entry.strip().splitlines()) - 2 for entry in entries) <= 10


@pytest.mark.slow
def test_every_benchmark_can_be_collected() -> None:
    """`make test` leaves them out, so nothing else tells that one no longer finds what it imports."""
    asked = [
        sys.executable,
        "-m",
        "pytest",
        "tests/benchmarks",
        "--collect-only",
        "-q",
        "-p",
        "no:cacheprovider",
    ]
    # As `make bench` would: a process that shares tests out leaves word of it to its children.
    alone = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    told = subprocess.run(asked, cwd=ROOT, env=alone, capture_output=True, text=True, check=False)
    assert told.returncode == 0, told.stdout + told.stderr


def test_cameras_need_no_opencv() -> None:
    """apt's picamera2 runs in a Python of the system's own, which has none."""
    without = "import sys; sys.modules['cv2'] = None; import vision.camera, vision.picamera"
    told = subprocess.run(
        [sys.executable, "-c", without], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert told.returncode == 0, told.stderr
