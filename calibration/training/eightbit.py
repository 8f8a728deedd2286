"""Keep both networks in 8 bits, too: many processors then need less than half of the time.

``python -m calibration.training.eightbit --photos DIR --renders DIR ...`` shows the networks some of the
pictures that they were trained on, to see between which bounds their numbers stay, and writes
vision/weights/face-8bit.onnx and finder-8bit.onnx. Minutes on one core. The odds are fitted afterwards.
"""

import argparse
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path

import cv2
import onnx  # type: ignore[import-not-found]  # as torch, it may be absent

from calibration.training import further
from calibration.training.pictures import TRAINED_ON, photographs
from calibration.training.pictures import renders as traced
from vision.finder import find, searched
from vision.frames import Floats, Image
from vision.looks import crops
from vision.networks import EIGHT_BIT, WEIGHTS, batch

EVERY, PICTURES = 4, 24
"""One of so many photographs is looked at, and so many traced pictures of each folder."""

_MOST_CROPS = 24


def keep(file: Path, shown: Iterable[Floats]) -> Path:
    """Write a network in 8 bits beside its file, bounds as these batches (n, 3, h, w) set them.

    Weights are rounded by each output, bounds are the least and the largest seen: cutting off what is
    rarer than one in ten thousand erred twice as much. What the network says at last stays whole: a
    logit of 20 beside them would leave outlines steps of a tenth of a side. Source: ONNX Runtime,
    "Quantize ONNX Models".
    """
    from onnxruntime import quantization  # noqa: PLC0415 - it needs onnx, which only training has

    class Shown(quantization.CalibrationDataReader):  # type: ignore[misc]  # its base is untyped
        def __init__(self) -> None:
            self._batches = iter(shown)

        def get_next(self) -> dict[str, Floats] | None:
            return next(({"picture": one} for one in self._batches), None)

    target = file.with_name(f"{file.stem}{EIGHT_BIT}{file.suffix}")
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / file.name
        further.widen(file, whole)
        quantization.quantize_static(
            whole,
            target,
            Shown(),
            quant_format=quantization.QuantFormat.QDQ,
            activation_type=quantization.QuantType.QUInt8,
            weight_type=quantization.QuantType.QInt8,
            per_channel=True,
            nodes_to_exclude=_last(whole),
        )
    return target


def batches(images: Iterable[Image]) -> Iterator[tuple[Floats, Floats]]:
    """Yield what the finder (1, 3, h, w) and the face reader (n, 3, 64, 64) see of each picture."""
    for image in images:
        found = find(image)
        if len(found):
            looked = crops(image, found.centres[:_MOST_CROPS], found.sides[:_MOST_CROPS])
            yield batch([searched(image)]), batch(looked)


def some(photos: Path, renders: Sequence[Path], without: Sequence[str]) -> Iterator[Image]:
    """Yield pictures of each kind and from each camera, one by one: all of them would fill the memory."""
    repositories = [repo for repo in TRAINED_ON if repo not in without]
    yield from (
        one.levels[0] for one in islice(photographs(photos, repositories, TRAINED_ON), 0, None, EVERY)
    )
    for folder in renders:
        yield from (one.levels[0] for one in islice(traced(folder), PICTURES))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--photos", type=Path, required=True)
    parser.add_argument("--renders", type=Path, nargs="*", default=[])
    parser.add_argument("--without", nargs="*", default=[], choices=list(TRAINED_ON))
    parser.add_argument("--weights", type=Path, default=WEIGHTS, help="folder of both networks")
    args = parser.parse_args(arguments)
    cv2.setNumThreads(1)
    shown = list(batches(some(args.photos, args.renders, args.without)))
    for name, seen in zip(("finder", "face"), zip(*shown, strict=True), strict=True):
        file = keep(args.weights / f"{name}.onnx", seen)
        print(f"{file}: {file.stat().st_size:,} bytes, from {len(seen)} batches")


def _last(file: Path) -> list[str]:
    """Return the nodes that make a network's last numbers: dense layers, or the last convolution."""
    nodes = list(onnx.load(str(file)).graph.node)
    layers = [place for place, node in enumerate(nodes) if node.op_type == "Conv"]
    dense = any(node.op_type == "Gemm" for node in nodes)
    return [node.name for node in nodes[layers[-1] + 1 if dense else layers[-1] :]]


if __name__ == "__main__":
    main()
