"""Two rigs that run real drivers without their hardware; built once, skipped where that cannot be.

Their scripts are in `scripts/`, know nothing of pytest, and print one line of JSON.
"""

import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = Path(__file__).parent / "scripts"
BUILD_S = 900
SLOW_S = 20
"""A rig that takes longer than this for `true` (0.8 s where it was measured) is no use."""


@pytest.fixture(scope="session")
def rig(shared: Path) -> Callable[..., Any]:
    """Run a script on a kernel with GPIO lines and a video device; return what it reports."""
    tool = _tool(shared, "rig.sh")
    cache = os.environ.get("RIG_CACHE") or str(Path.home() / ".cache/table-companion/rig")
    env = {"RIG_CACHE": cache, "PYTHONPATH": str(ROOT)}
    _prepare([tool, "build"], env, BUILD_S)
    _prepare([tool, "run", "-s", str(SLOW_S), "-r", "--", "true"], env, SLOW_S + 10)

    def run(script: str, *words: str, seconds: int = 120, virtual: str = "") -> Any:
        """``virtual``: time passes by the work done (``cpu``) or none (``free``: nothing may spin)."""
        python = [sys.executable, str(SCRIPTS / script), *words]
        kind = {"": [], "cpu": ["-k", "time-travel"], "free": ["-k", "time-travel=inf-cpu"]}[virtual]
        return _report([tool, "run", "-s", str(seconds), *kind, "-r", "--", *python], env, seconds + 20)

    return run


@pytest.fixture(scope="session")
def frames() -> Iterator[Path]:
    """A folder with one picture for the virtual camera, and the same as an array beside it."""
    y, x = np.mgrid[0:480, 0:640]
    picture = np.dstack([x * 255 // 640, y * 255 // 480, (x + y) % 256]).astype(np.uint8)
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:  # the camera's root shows the host's /tmp
        there = Path(folder) / "frames"
        there.mkdir()
        cv2.imwrite(str(there / "a.png"), picture)
        cv2.imwrite(str(there.with_suffix(".bright.png")), picture)
        cv2.imwrite(str(there.with_suffix(".dim.png")), picture // 3)
        np.save(there.with_suffix(".npy"), picture)
        yield there


@pytest.fixture(scope="session")
def virtual_camera(shared: Path, frames: Path) -> Callable[..., Any]:
    """Run a script where picamera2 finds a camera of some kind; return what it reports."""
    tool = _tool(shared, "virtual-camera.sh")
    ready = set()

    def run(kind: str, *words: str, seconds: int = 150, **more: str) -> Any:
        env = {
            "VCAM_KIND": kind,
            "PYTHONPATH": str(ROOT),
            "PYTHONDONTWRITEBYTECODE": "1",
            "LIBCAMERA_LOG_LEVELS": "*:ERROR",
            **more,
        }
        if kind not in ready:
            _prepare([tool, "build"], env, BUILD_S)
            _prepare([tool, "run", "-", "--", "true"], env, SLOW_S)
            ready.add(kind)
        python = ["python3", str(SCRIPTS / "pi.py"), *words, str(frames)]
        return _report([tool, "run", str(frames), "--", *python], env, seconds)

    return run


def _tool(shared: Path, name: str) -> str:
    tool = shared / "rig" / name
    if not tool.exists():
        pytest.skip(f"no {name} in ../shared/rig")
    if os.geteuid() != 0:
        pytest.skip(f"{name} needs root to build and to run")
    if shutil.which("apt-get") is None:
        pytest.skip(f"{name} is built from Debian's packages, and there is no apt-get")
    return str(tool)


def _prepare(command: list[str], env: Mapping[str, str], seconds: float) -> None:
    """Run a step of a rig itself, one at a time; skip, saying why, if it fails or takes too long."""
    try:
        with _alone():
            done = _run(command, env, seconds)
    except subprocess.TimeoutExpired:
        pytest.skip(f"{' '.join(command)} took longer than {seconds:.0f} s here")
    if done.returncode != 0:
        pytest.skip(f"{' '.join(command)} failed here: {done.stderr[-500:]}")


@contextmanager
def _alone() -> Iterator[None]:
    """Both rigs are built with apt, which lets nobody else in."""
    with Path(tempfile.gettempdir(), f"table-companion-rigs-{os.geteuid()}").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _report(command: list[str], env: Mapping[str, str], seconds: float) -> Any:
    done = _run(command, env, seconds)
    assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
    return json.loads(done.stdout.splitlines()[-1])


def _run(command: list[str], env: Mapping[str, str], seconds: float) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | env,
        capture_output=True,
        text=True,
        timeout=seconds,
        check=False,
    )
