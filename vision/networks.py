"""The trained networks: files of weights beside this module, run on one thread.

ONNX Runtime runs them where it is installed and works, in 8 bits where the processor is made for that;
OpenCV does elsewhere, several times slower, and says the same up to rounding. Any thread may ask.
"""

import functools
import hashlib
import importlib
import importlib.util
import logging
import platform
import subprocess
import sys
import threading
from pathlib import Path
from typing import Protocol

import cv2
import numpy as np

from vision.frames import Floats, Image

log = logging.getLogger(__name__)

WEIGHTS = Path(__file__).with_name("weights")

EIGHT_BIT = "-8bit"
"""What the name of a file ends with that holds the same network in 8 bits, for ONNX Runtime: OpenCV gains
no time by it and rounds otherwise. calibration.training.eightbit makes them."""

_DOT_PRODUCTS = frozenset({"asimddp", "avx512_vnni", "avx_vnni"})
"""What Linux says of processors that add products of bytes in one step: a Raspberry Pi 5 and PCs of the
last years. Others gain nothing by 8 bits, and older PCs overflow. Source: ONNX Runtime, "Quantize ONNX
Models"."""

_CPUINFO = Path("/proc/cpuinfo")

_ROUND = (1, 2, 4, 8, 12, 16, 24, 32, 48, 64)
"""Numbers of pictures that OpenCV is asked for: it plans anew for every number it has not just had."""

_TRUSTED = ("x86_64", "AMD64")
_TRIAL_S = 60

_own = threading.local()


class WeightsError(ValueError):
    """The weights are missing or damaged; the text says what helps."""


class Network(Protocol):
    """A network that was opened: pictures (n, 3, h, w) in, what it says of each of them (n, ...) out."""

    def __call__(self, pictures: Floats) -> Floats: ...


def run(name: str, pictures: Floats, *, weights: Path | None = None) -> Floats:
    """Run one network on ``pictures`` (n, 3, h, w) as `batch` makes them. Raises WeightsError."""
    path = (weights or WEIGHTS) / f"{name}.onnx"
    network: Network = shared(brisk(path)) if onnx_runs() else of_this_thread(path)
    return network(pictures)


@functools.cache
def brisk(path: Path) -> Path:
    """Return the file of the same network that ONNX Runtime runs fastest on this processor."""
    short = path.with_name(f"{path.stem}{EIGHT_BIT}{path.suffix}")
    return short if multiplies_bytes() and short.exists() else path


def multiplies_bytes(cpuinfo: Path = _CPUINFO) -> bool:
    """Return whether this processor is made for networks in 8 bits, as far as Linux says."""
    try:
        told = cpuinfo.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return not _DOT_PRODUCTS.isdisjoint(told.split())


def batch(images: list[Image]) -> Floats:
    """Turn BGR pictures of one size into (n, 3, h, w), about -2 to 2."""
    blob = cv2.dnn.blobFromImages(images, 1 / 64, mean=(127.5, 127.5, 127.5))
    return np.asarray(blob, np.float32)


@functools.cache
def edition(name: str, *, weights: Path = WEIGHTS) -> str:
    """Name the weights by their content: what was learned from one edition means nothing to another.

    In 8 bits a network is of the same edition: of 377 dice each embedding lay within 0.999 (cosine).
    """
    path = weights / f"{name}.onnx"
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.exists() else ""


@functools.cache
def onnx_runs() -> bool:
    """Return whether ONNX Runtime can run networks here: 32-bit systems have no wheel of it, for one.

    Now and then one is built for newer processors than some Raspberry Pi has, and ends any process
    that imports it (1.21 did). So it is tried in a process of its own, but for processors of PCs.
    """
    if importlib.util.find_spec("onnxruntime") is None:
        return False
    if platform.machine() not in _TRUSTED and not survives(f"from {__name__} import trial; trial()"):
        log.warning("ONNX Runtime is installed but does not run here: OpenCV runs the networks, slower")
        return False
    try:
        importlib.import_module("onnxruntime")
    except ImportError as fault:
        log.warning("ONNX Runtime cannot be imported (%s): OpenCV runs the networks, slower", fault)
        return False
    return True


def survives(code: str) -> bool:
    """Return whether a Python of its own ends this code well, and soon."""
    try:
        ended = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, check=False, timeout=_TRIAL_S
        )
    except (subprocess.TimeoutExpired, OSError):
        return False
    return ended.returncode == 0


def trial() -> None:
    """Run each network of the dice once by ONNX Runtime."""
    for name, sides in (("finder", (96, 128)), ("face", (64, 64))):
        OnnxRuntime(brisk(WEIGHTS / f"{name}.onnx"))(np.zeros((1, 3, *sides), np.float32))


class OnnxRuntime:
    """A network as ONNX Runtime runs it; threads may share it."""

    def __init__(self, path: Path) -> None:
        import onnxruntime  # noqa: PLC0415 - it may not be there, or end the process: see `onnx_runs`

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.enable_cpu_mem_arena = False  # it would keep the memory of the largest picture for ever
        onnxruntime.disable_telemetry_events()
        try:
            self._session = onnxruntime.InferenceSession(
                path.read_bytes(), options, providers=["CPUExecutionProvider"]
            )
        except Exception as error:  # its errors have no other base in common
            raise _damaged(path) from error

    def __call__(self, pictures: Floats) -> Floats:
        (told,) = self._session.run(None, {"picture": pictures})
        return np.asarray(told, np.float32)


class OpenCv:
    """A network as OpenCV runs it; it belongs to the thread that uses it."""

    def __init__(self, path: Path) -> None:
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path))
        except cv2.error as error:
            raise _damaged(path) from error
        self._net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)

    def __call__(self, pictures: Floats) -> Floats:
        count = len(pictures)
        more = next((n for n in _ROUND if n >= count), count) - count
        self._net.setInput(np.pad(pictures, ((0, more), (0, 0), (0, 0), (0, 0))) if more else pictures)
        return np.asarray(self._net.forward(), np.float32)[:count]


def of_this_thread(path: Path) -> OpenCv:
    """Return the thread's own network of a file, opened when it is first asked for. Raises WeightsError."""
    networks: dict[Path, OpenCv] | None = getattr(_own, "networks", None)
    if networks is None:
        networks = _own.networks = {}
    if path not in networks:
        networks[path] = OpenCv(path)
    return networks[path]


@functools.cache
def shared(path: Path) -> OnnxRuntime:
    """Return the network of a file that all threads share. Raises WeightsError."""
    return OnnxRuntime(path)


def _damaged(path: Path) -> WeightsError:
    return WeightsError(
        f"{path} is missing or damaged, so pictures cannot be read. Get the companion again; "
        "until then enter dice and cubes by hand."
    )
