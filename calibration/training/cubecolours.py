"""Train what tells cubes' colours: ``python -m calibration.training.cubecolours --shots DIR``; a minute.

Takes the pictures that `findcubes` drew, as they are and under changed light.
"""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.nn import functional

from calibration.training.train import WEIGHTS
from vision.cubecolour import FEATURES, features
from vision.cubeheads import COLOURS
from vision.frames import Floats, Image, floats

_SEEN = 0.3
_TIMES = 3
_STEPS, _BATCH, _RATE = 4000, 256, 3e-3


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shots", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=_STEPS)
    parser.add_argument("--weights", type=Path, default=WEIGHTS)
    args = parser.parse_args(arguments)
    torch.manual_seed(1)
    torch.set_num_threads(1)
    rng = np.random.default_rng(1)
    files = sorted(args.shots.glob("*.npz"))
    told = [rows for file in files if ".tmp" not in file.name for rows in _rows(file, rng)]
    inputs = torch.from_numpy(np.concatenate([rows[0] for rows in told]))
    colours = torch.from_numpy(np.concatenate([rows[1] for rows in told])).long()
    network = _trained(inputs, colours, args.steps)
    layers = [part for part in network if isinstance(part, nn.Linear)]
    kept = {}
    for number, layer in enumerate(layers):
        kept[f"{number}a"] = layer.weight.detach().numpy().T.astype(np.float32)
        kept[f"{number}b"] = layer.bias.detach().numpy().astype(np.float32)
    np.savez(args.weights / "cubecolour.npz", **kept)
    print(f"{len(inputs)} looks at cubes, {len(files)} pictures")


def _trained(inputs: Tensor, colours: Tensor, steps: int) -> nn.Sequential:
    mean, spread = inputs.mean(dim=0), inputs.std(dim=0) + 1e-3
    network = nn.Sequential(
        nn.Linear(FEATURES, 64), nn.ReLU(), nn.Linear(64, 48), nn.ReLU(), nn.Linear(48, len(COLOURS))
    )
    with torch.no_grad():  # so that it takes plain features
        network[0].weight /= spread
        network[0].bias -= network[0].weight @ mean
    optimiser = torch.optim.AdamW(network.parameters(), lr=_RATE, weight_decay=0.01)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, _RATE, total_steps=steps)
    for step in range(steps):
        some = torch.randint(len(inputs), (_BATCH,))
        shaken = inputs[some] + torch.randn(_BATCH, FEATURES) * 0.02
        loss = functional.cross_entropy(network(shaken), colours[some], label_smoothing=0.002)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        schedule.step()
        if (step + 1) % 1000 == 0:
            right = (network(inputs).argmax(dim=1) == colours).float().mean()
            print(f"{step + 1} loss {loss.item():.4f} right {right.item():.4f}", flush=True)
    return network


def _rows(file: Path, rng: Generator) -> Iterator[tuple[Floats, Floats]]:
    """Yield the features and colours of one picture's cubes, placed as inexactly as they are found."""
    with np.load(file) as kept:
        image = np.asarray(cv2.imdecode(kept["jpg"], cv2.IMREAD_COLOR), np.uint8)
        cubes = kept["cubes"]
    cubes = cubes[cubes[:, 4] >= _SEEN]
    if not len(cubes):
        return
    for time in range(_TIMES):
        if time and len(cubes) > 1:  # other cubes among which each is judged
            cubes = cubes[rng.random(len(cubes)) < rng.uniform(0.4, 1.1)]
        if len(cubes):
            moved = cubes[:, 1:3] + rng.normal(0, 0.06, (len(cubes), 2)) * cubes[:, 3:4]
            sides = cubes[:, 3] * np.exp(rng.normal(0, 0.06, len(cubes)))
            shown = _relit(image, rng) if time else image
            told = features(shown, floats(moved), floats(sides))
            yield told, floats(cubes[:, 0])


def _relit(image: Image, rng: Generator) -> Image:
    """Change the lamp's colour and level and the camera's curve, by a table for each channel."""
    gains = np.exp(rng.normal(0, 0.06, 3) + rng.normal(0, 0.2))
    curve = float(np.exp(rng.normal(0, 0.15)))
    light = np.clip(np.arange(256)[:, None] / 255 * gains, 0, 1)
    return np.asarray(cv2.LUT(image, (255 * light**curve + 0.5).astype(np.uint8)[None]), np.uint8)


if __name__ == "__main__":
    main()
