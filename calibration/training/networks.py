"""The small networks: one finds dice's upper faces, one reads them, and one finds wooden cubes."""

from collections.abc import Sequence

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision import cubeheads
from vision.faceheads import EMBEDDING, WIDTHS

FINDER_CHANNELS = 4
"""Logit of a face's middle, natural logarithm of its side in cells, its middle's x and y in cells."""


def _conv(inputs: int, outputs: int, stride: int = 1, dilation: int = 1) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inputs, outputs, 3, stride, dilation, dilation=dilation, bias=False),
        nn.BatchNorm2d(outputs),
        nn.ReLU(inplace=True),
    )


class Residual(nn.Module):
    """Two 3 x 3 convolutions beside a straight path."""

    def __init__(self, channels: int, dilation: int = 1) -> None:
        super().__init__()
        self.first = _conv(channels, channels, dilation=dilation)
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.second(self.first(x)))


class Finder(nn.Module):
    """Picture (n, 3, h, w), sides multiples of 16 -> (n, FINDER_CHANNELS, h / 4, w / 4)."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 24, 40, 96), out: int = 16) -> None:
        super().__init__()
        half, quarter, eighth, sixteenth = widths
        self.stem = _conv(3, half, 2)
        self.quarter = _conv(half, quarter, 2)
        self.eighth = nn.Sequential(_conv(quarter, eighth, 2), Residual(eighth))
        self.sixteenth = nn.Sequential(
            _conv(eighth, sixteenth, 2), Residual(sixteenth, 2), Residual(sixteenth)
        )
        self.down = nn.Conv2d(sixteenth, eighth, 1)
        self.middle = _conv(eighth, eighth)
        self.lift = nn.Conv2d(eighth, 4 * out, 1)
        self.beside = nn.Conv2d(quarter, out, 1)
        self.fine = _conv(out, out)
        self.head = nn.Conv2d(out, FINDER_CHANNELS, 1)
        with torch.no_grad():
            assert self.head.bias is not None
            self.head.bias.copy_(torch.tensor([-4.0, 2.0, 0.0, 0.0]))

    def forward(self, x: Tensor) -> Tensor:
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        wide = functional.interpolate(self.down(self.sixteenth(eighth)), scale_factor=2.0, mode="nearest")
        eighth = self.middle(eighth + wide)
        fine = functional.relu(self.beside(quarter) + functional.pixel_shuffle(self.lift(eighth), 2))
        found: Tensor = self.head(self.fine(fine))
        return found


class CubeFinder(Finder):
    """Picture (n, 3, h, w), sides multiples of 16 -> (n, cubeheads.CHANNELS, h / 4, w / 4).

    It begins as the finder of dice, whose first channels mean the same, and is trained on with its
    normalisation folded into the convolutions, as the finder's file has it.
    """

    def __init__(self, extra: int = 24) -> None:
        super().__init__()
        self.far = nn.Sequential(
            nn.Conv2d(96, 32, 1),
            nn.ReLU(inplace=True),
            Residual(32, 4),
            Residual(32, 6),
            nn.Conv2d(32, 96, 1),
        )
        """Looks as far as a floor reaches: whether a cube lies on it is not seen from near."""
        self.tint = nn.Conv2d(40, 4 * extra, 1)
        self.tint_beside = nn.Conv2d(24, extra, 1)
        self.head = nn.Conv2d(16 + extra, cubeheads.CHANNELS, 1)
        with torch.no_grad():
            assert self.head.bias is not None
            self.head.bias.zero_()
            self.head.bias[[cubeheads.HEAT, cubeheads.HOLE, cubeheads.HAND]] = -4.0
            self.head.bias[[cubeheads.SIDE, cubeheads.HOLE_SIDE]] = 1.8
            last = self.far[-1]
            last.weight.zero_()
            last.bias.zero_()

    def begin(self, finder: Sequence[tuple[str, Tensor]]) -> None:
        """Take over the initializers, in their order, of the finder's ONNX file."""
        known = dict(finder)
        folded = [tensor for name, tensor in finder if name.startswith("onnx::Conv")]
        blocks = [
            self.stem, self.quarter, self.eighth[0], self.eighth[1].first, self.eighth[1].second,
            self.sixteenth[0], self.sixteenth[1].first, self.sixteenth[1].second, self.sixteenth[2].first,
            self.sixteenth[2].second, self.middle, self.fine,
        ]  # fmt: skip
        with torch.no_grad():
            for block, weight, bias in zip(blocks, folded[::2], folded[1::2], strict=True):
                block[0].weight.copy_(weight)
                block[1].bias.copy_(bias)
            for name in ("down", "lift", "beside"):
                getattr(self, name).weight.copy_(known[f"{name}.weight"])
                getattr(self, name).bias.copy_(known[f"{name}.bias"])
            assert self.head.bias is not None
            self.head.weight[:FINDER_CHANNELS, :16] = known["head.weight"]
            self.head.weight[:FINDER_CHANNELS, 16:] = 0
            self.head.bias[:FINDER_CHANNELS] = known["head.bias"]

    def train(self, mode: bool = True) -> "CubeFinder":
        """Leave the folded normalisation as it is."""
        super().train(mode)
        for part in self.modules():
            if isinstance(part, nn.BatchNorm2d):
                part.eval()
        return self

    def forward(self, x: Tensor) -> Tensor:
        quarter = self.quarter(self.stem(x))
        eighth = self.eighth(quarter)
        sixteenth = self.sixteenth(eighth)
        sixteenth = sixteenth + self.far(sixteenth)
        wide = functional.interpolate(self.down(sixteenth), scale_factor=2.0, mode="nearest")
        eighth = self.middle(eighth + wide)
        fine = functional.relu(self.beside(quarter) + functional.pixel_shuffle(self.lift(eighth), 2))
        tint = functional.relu(self.tint_beside(quarter) + functional.pixel_shuffle(self.tint(eighth), 2))
        found: Tensor = self.head(torch.cat((self.fine(fine), tint), dim=1))
        return found


class FaceReader(nn.Module):
    """Crops (n, 3, 64, 64) -> (n, EMBEDDING + sum(WIDTHS)): the embedding, then the heads."""

    def __init__(self, widths: tuple[int, int, int, int] = (32, 64, 112, 192)) -> None:
        super().__init__()
        first, second, third, last = widths
        self.trunk = nn.Sequential(
            _conv(3, first, 2),
            _conv(first, second, 2),
            Residual(second),
            _conv(second, third, 2),
            Residual(third),
            Residual(third),
            _conv(third, last, 2),
            Residual(last),
        )
        self.embed = nn.Linear(last * 16, EMBEDDING)
        self.heads = nn.Linear(EMBEDDING, sum(WIDTHS))

    def forward(self, x: Tensor) -> Tensor:
        features = functional.relu(self.embed(self.trunk(x).flatten(1)))
        return torch.cat((features, self.heads(features)), dim=1)
