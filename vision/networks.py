"""The trained networks: files of weights beside this module, run by OpenCV on one thread.

A network belongs to the thread that uses it, as OpenCV's are not safe to share.
"""

import functools
import hashlib
import threading
from pathlib import Path

import cv2
import numpy as np

from vision.frames import Floats, Image

WEIGHTS = Path(__file__).with_name("weights")

_own = threading.local()


class WeightsError(ValueError):
    """The weights are missing or damaged; the text says what helps."""


def run(name: str, pictures: Floats, *, weights: Path = WEIGHTS) -> Floats:
    """Run one network on ``pictures`` (n, 3, h, w) as `batch` makes them. Raises WeightsError."""
    return _network(weights / f"{name}.onnx")(pictures)


def batch(images: list[Image]) -> Floats:
    """Turn BGR pictures of one size into (n, 3, h, w), about -2 to 2."""
    blob = cv2.dnn.blobFromImages(images, 1 / 64, mean=(127.5, 127.5, 127.5))
    return np.asarray(blob, np.float32)


@functools.cache
def edition(name: str, *, weights: Path = WEIGHTS) -> str:
    """Name the weights by their content: what was learned from one edition means nothing to another."""
    path = weights / f"{name}.onnx"
    return hashlib.sha256(path.read_bytes()).hexdigest()[:12] if path.exists() else ""


class _Network:
    def __init__(self, path: Path) -> None:
        try:
            self._net = cv2.dnn.readNetFromONNX(str(path))
        except cv2.error as error:
            raise WeightsError(
                f"{path} is missing or damaged, so pictures cannot be read. Get the companion again; "
                "until then enter dice and cubes by hand."
            ) from error
        self._net.setPreferableBackend(cv2.dnn.DNN_BACKEND_OPENCV)

    def __call__(self, pictures: Floats) -> Floats:
        self._net.setInput(pictures)
        return np.asarray(self._net.forward(), np.float32)


def _network(path: Path) -> _Network:
    networks: dict[Path, _Network] | None = getattr(_own, "networks", None)
    if networks is None:
        networks = _own.networks = {}
    if path not in networks:
        networks[path] = _Network(path)
    return networks[path]
