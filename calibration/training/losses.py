"""What the networks lose on a batch of samples: how far what they say lies from what is true."""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from calibration.training.pictures import UNKNOWN
from vision.faceheads import EMBEDDING, WIDTHS

Loss = Callable[[nn.Module, Sequence[Tensor]], dict[str, Tensor]]
"""What a network loses on a batch, by its parts."""


def normalised(images: Tensor) -> Tensor:
    """Uint8 BGR (n, h, w, 3) to what the networks take: float (n, 3, h, w), about -2 to 2."""
    return (images.permute(0, 3, 1, 2).float() - 127.5) / 64


def finder_loss(network: nn.Module, batch: Sequence[Tensor]) -> dict[str, Tensor]:
    images, maps = batch
    found = network(normalised(images).contiguous(memory_format=torch.channels_last))
    heat, weight = maps[:, 0], maps[:, 1]
    chance = torch.sigmoid(found[:, 0]).clamp(1e-5, 1 - 1e-5)
    peak = heat >= 1
    hit = -(torch.log(chance) * (1 - chance) ** 2)[peak].sum()
    miss = -(torch.log(1 - chance) * chance**2 * (1 - heat) ** 4 * weight)[~peak].sum()
    near = maps[:, 5]
    count = peak.sum().clamp(min=1)
    side = ((found[:, 1] - maps[:, 2]).abs() * near).sum() / near.sum().clamp(min=1)
    place = ((found[:, 2:4] - maps[:, 3:5]).abs() * near[:, None]).sum() / near.sum().clamp(min=1)
    return {"heat": (hit + miss) / count, "side": side, "place": 0.3 * place}


def face_loss(network: nn.Module, batch: Sequence[Tensor]) -> dict[str, Tensor]:
    images, labels, shape, shape_weight = batch
    told = network(normalised(images).contiguous(memory_format=torch.channels_last))[:, EMBEDDING:]
    symbols, colours, white, states, shapes = torch.split(told, WIDTHS, dim=1)
    known = labels[:, 2] != UNKNOWN
    body = functional.binary_cross_entropy_with_logits(white[known, 0], labels[known, 2].float())
    losses = {
        "symbol": functional.cross_entropy(
            symbols, labels[:, 0], ignore_index=UNKNOWN, label_smoothing=0.005
        ),
        "colour": 0.5 * functional.cross_entropy(colours, labels[:, 1], ignore_index=UNKNOWN),
        "white": 0.3 * body,
        "state": 0.4 * functional.cross_entropy(states, labels[:, 3], ignore_index=UNKNOWN),
        "shape": ((shapes - shape).abs() * shape_weight).sum() / shape_weight.sum().clamp(min=1),
    }
    return {name: torch.nan_to_num(value) for name, value in losses.items()}
