"""Break each rule of a game on purpose, and name the test that notices.

    python tests/benchmarks/mutate.py arosa [only these rules, such as A17 C8]

Each mutation is one change of text in a copy of the companion; the game's tests run over the copy until
the first fails. A mutation that no test notices is a rule that no test holds: then the exit code is 1.
"""

import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import cache_from_source
from pathlib import Path

ROOT = Path(__file__).parents[2]
COPIED = ("companion", "tests")
LINKED = ("vision", "hardware", "web", "calibration", "pyproject.toml")


@dataclass(frozen=True)
class Mutation:
    """``was`` becomes ``now`` in a file of the game's folder, and ``rule`` is broken as ``what`` says."""

    rule: str
    what: str
    file: str
    was: str
    now: str


def broken(copy: Path, game: str, mutation: Mutation, tests: Sequence[str]) -> str | None:
    """The first test that fails over the mutated copy; None if all pass."""
    file = copy / "companion" / "games" / game / mutation.file
    right = file.read_text(encoding="utf-8")
    if right.count(mutation.was) != 1:
        raise SystemExit(
            f"{mutation.rule}: {mutation.was!r} stands {right.count(mutation.was)} times in {file}"
        )
    _write(file, right.replace(mutation.was, mutation.now))
    try:
        done = subprocess.run(
            [
                sys.executable,
                "-m",
                "pytest",
                "-x",
                "-q",
                "-p",
                "no:cacheprovider",
                "-p",
                "no:benchmark",
                *tests,
            ],
            cwd=copy,
            env={name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
            capture_output=True,
            text=True,
            check=False,
        )
    finally:
        _write(file, right)
    if done.returncode == 0:
        return None
    found = re.search(r"^(?:FAILED|ERROR) (?:\S*/)?(.+?)(?: - .*)?$", done.stdout, re.MULTILINE)
    return found[1] if found else done.stdout[-300:] + done.stderr[-300:]


def _write(file: Path, text: str) -> None:
    """Without its cache: Python would take it for a module of equal length written in the same second."""
    file.write_text(text, encoding="utf-8")
    Path(cache_from_source(str(file))).unlink(missing_ok=True)


def copied(into: Path) -> None:
    """A copy of what is mutated and of its tests, with links to the rest."""
    for name in COPIED:
        skipped = shutil.ignore_patterns("__pycache__", "weights", ".*")
        shutil.copytree(ROOT / name, into / name, ignore=skipped)
    for name in LINKED:
        (into / name).symlink_to(ROOT / name)


def main(game: str, only: Sequence[str] = ()) -> int:
    """Try every mutation of ``game``; print what caught it."""
    table = importlib.import_module(f"mutations_{game}")
    survivors = 0
    begun = time.monotonic()
    tried = [m for m in table.MUTATIONS if not only or m.rule in only]
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder)
        copied(copy)
        print("| rule | broken so that | caught by |\n| --- | --- | --- |", flush=True)
        for mutation in tried:
            caught = broken(copy, game, mutation, table.TESTS)
            survivors += caught is None
            found = f"`{caught}`" if caught else "**nothing**"
            print(f"| {mutation.rule} | {mutation.what} | {found} |", flush=True)
    print(f"\n{len(tried) - survivors} of {len(tried)} caught, {time.monotonic() - begun:.0f} s")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    sys.exit(main(sys.argv[1], sys.argv[2:]))
