"""Begin a network as an ONNX file has it, so that anybody can train on from the shipped weights.

The files hold each normalisation folded into the convolution before it. That is enough to run a network
but not to train it well, so `renormalise` measures anew what each normalisation had known.
"""

import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx  # type: ignore[import-not-found]  # as torch, it may be absent
import onnx.numpy_helper  # type: ignore[import-not-found]  # as above
import torch
from torch import Tensor, nn

_FLOAT = onnx.TensorProto.FLOAT
_LARGE, _HALF = 256, "_half"
"""Tensors of more numbers are kept in 16 bits; and what their names end with then."""


def begin(network: nn.Module, file: Path, example: Tensor) -> None:
    """Give a network the weights in a file that `train.export` wrote; afterwards both say the same.

    A network that is wider than the one in the file has these weights in its first channels. The others
    begin by chance, and nothing listens to them yet. ``example`` is anything that the network takes.
    Raises ValueError if the file holds another network.
    """
    told, layers = _told(file), _layers(network, example)
    if not _fits([layer.weight for layer in layers], [weight for weight, _ in told]):
        raise ValueError(f"{file} holds another network than {type(network).__name__}")
    after = _normalisations(network)
    with torch.no_grad():
        for layer, (weight, bias) in zip(layers, told, strict=True):
            rows, columns = weight.shape[:2]
            if layer.weight.shape != weight.shape:
                nn.init.kaiming_normal_(layer.weight, nonlinearity="relu")
            layer.weight[:rows] = 0
            layer.weight[:rows, :columns] = weight
            if layer.bias is None:
                _neutral(after[layer], bias)
            else:
                layer.bias[:rows] = bias


def renormalise(network: nn.Module, batches: Sequence[Tensor]) -> None:
    """Measure mean and variance before each normalisation, and take them out and put them in again.

    What the network says stays the same; in training, the statistics of a batch now nearly fit.
    """
    seen: dict[nn.BatchNorm2d, list[Tensor]] = {}

    def note(part: nn.BatchNorm2d, given: tuple[Tensor, ...]) -> None:
        one = given[0].double()
        seen.setdefault(part, []).append(torch.stack((one.mean((0, 2, 3)), one.square().mean((0, 2, 3)))))

    network.eval()
    with ExitStack() as stack, torch.no_grad():
        for part in network.modules():
            if isinstance(part, nn.BatchNorm2d):
                stack.callback(part.register_forward_pre_hook(note).remove)
        for batch in batches:
            network(batch)
    with torch.no_grad():
        for part, moments in seen.items():
            mean, square = torch.stack(moments).mean(0)
            spread = (square - mean.square()).clamp(min=1e-6)
            slope = part.weight / (part.running_var + part.eps).sqrt()
            part.bias.add_(slope * (mean - part.running_mean))
            part.weight.copy_(slope * (spread + part.eps).sqrt())
            part.running_mean.copy_(mean)
            part.running_var.copy_(spread)


def halve(file: Path) -> None:
    """Keep a file's large tensors in 16 bits; what runs it widens them again when it opens the file."""
    model = onnx.load(str(file))
    graph, widened = model.graph, []
    for place, one in enumerate(graph.initializer):
        values = onnx.numpy_helper.to_array(one)
        if values.dtype == np.float32 and values.size > _LARGE:
            half = onnx.numpy_helper.from_array(values.astype(np.float16), one.name + _HALF)
            widened.append(onnx.helper.make_node("Cast", [half.name], [one.name], to=_FLOAT))
            graph.initializer[place].CopyFrom(half)
    for place, node in enumerate(widened):
        graph.node.insert(place, node)
    onnx.checker.check_model(model)
    onnx.save(model, str(file))


def widen(file: Path, target: Path) -> None:
    """Write a file that `halve` made as it was before, but for what was rounded."""
    model = onnx.load(str(file))
    graph = model.graph
    casts = {node.input[0]: node for node in graph.node if node.op_type == "Cast"}
    for place, one in enumerate(graph.initializer):
        if (node := casts.get(one.name)) is not None:
            values = onnx.numpy_helper.to_array(one).astype(np.float32)
            graph.initializer[place].CopyFrom(onnx.numpy_helper.from_array(values, node.output[0]))
            graph.node.remove(node)
    onnx.save(model, str(target))


def tensors(file: Path) -> list[tuple[str, Tensor]]:
    """Return a file's tensors in their order, each with its name, as before `halve`."""
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / file.name
        widen(file, whole)
        kept = onnx.load(str(whole)).graph.initializer
    return [(one.name, torch.from_numpy(onnx.numpy_helper.to_array(one).copy())) for one in kept]


def _fits(layers: Sequence[Tensor], told: Sequence[Tensor]) -> bool:
    """Return whether all layers are as told or wider, and the ends take and give as many numbers."""
    if len(layers) != len(told):
        return False
    ends = layers[0].shape[1] == told[0].shape[1] and layers[-1].shape[0] == told[-1].shape[0]
    return ends and all(
        one.shape[2:] == other.shape[2:]
        and all(a >= b for a, b in zip(one.shape, other.shape, strict=True))
        for one, other in zip(layers, told, strict=True)
    )


def _told(file: Path) -> list[tuple[Tensor, Tensor]]:
    """Return weight and bias of each layer in a file, in the order in which a picture passes them."""
    named, graph = dict(tensors(file)), onnx.load(str(file)).graph
    passed = [node.input[1:] for node in graph.node if node.op_type in ("Conv", "Gemm")]
    return [(named[weight], named[bias]) for weight, bias in passed]


def _layers(network: nn.Module, example: Tensor) -> list[nn.Module]:
    """Return what holds weights, in the order in which a picture passes it, as in the file."""
    passed: list[nn.Module] = []
    network.eval()
    with ExitStack() as stack, torch.no_grad():
        for part in network.modules():
            if isinstance(part, nn.Conv2d | nn.Linear):
                stack.callback(part.register_forward_hook(lambda one, *_: passed.append(one)).remove)
        network(example)
    return passed


def _normalisations(network: nn.Module) -> dict[nn.Module, nn.BatchNorm2d]:
    """Return which normalisation follows each convolution."""
    rows = [list(part) for part in network.modules() if isinstance(part, nn.Sequential)]
    return {
        one: then
        for row in rows
        for one, then in pairwise(row)
        if isinstance(one, nn.Conv2d) and isinstance(then, nn.BatchNorm2d)
    }


def _neutral(part: nn.BatchNorm2d, bias: Tensor) -> None:
    """Let a normalisation only add a bias, as it is folded."""
    part.running_mean.zero_()
    part.running_var.fill_(1 - part.eps)
    part.weight.fill_(1.0)
    part.bias.zero_()
    part.bias[: len(bias)] = bias
