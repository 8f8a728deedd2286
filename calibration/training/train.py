"""Train both networks on the processor; ``python -m calibration.training`` makes the pictures first.

Seeded; writes a checkpoint every few minutes and goes on from it after an interruption. The last
step writes vision/weights/*.onnx. Two hours on two cores.
"""

import argparse
import copy
import random
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.random import Generator
from torch import Tensor, nn
from torch.utils.data import DataLoader, IterableDataset

from calibration.training import budget, further, pictures
from calibration.training.losses import Loss, face_loss, finder_loss, normalised
from calibration.training.networks import FaceReader, Finder
from calibration.training.pictures import TRAINED_ON, Picture
from calibration.training.samples import face_sample, finder_sample
from vision.networks import EIGHT_BIT

WEIGHTS = Path(__file__).parents[2] / "vision" / "weights"


@dataclass(frozen=True, slots=True)
class Plan:
    """How one network is trained. ``rate``: the highest learning rate."""

    steps: int
    batch: int
    rate: float


PLANS = {"finder": Plan(7000, 20, 2e-3), "face": Plan(14000, 192, 2e-3)}

Draw = Callable[[Picture, Picture, Generator], tuple[np.ndarray, ...]]


class Mixture(IterableDataset[tuple[Tensor, ...]]):
    """Endless samples from groups of pictures, each group with its share."""

    def __init__(
        self,
        groups: Sequence[tuple[float, Sequence[Picture]]],
        draw: Draw,
        seed: int,
    ) -> None:
        self._groups = [(share, group) for share, group in groups if group]
        self._draw = draw
        self._seed = seed
        self.step = 0  # where training goes on, so that it does not see the same again

    def __iter__(self) -> Iterator[tuple[Tensor, ...]]:
        cv2.setNumThreads(0)
        info = torch.utils.data.get_worker_info()
        rng = np.random.default_rng((self._seed, self.step, info.id if info else 0))
        shares = np.array([share for share, _ in self._groups])
        shares /= shares.sum()
        while True:
            chosen = [self._groups[n][1] for n in rng.choice(len(shares), 2, p=shares)]
            one, other = (group[rng.integers(len(group))] for group in chosen)
            sample = self._draw(one, other, rng)
            yield tuple(torch.from_numpy(a) for a in sample)


def draw_finder(picture: Picture, under: Picture, rng: Generator) -> tuple[np.ndarray, ...]:
    sample = finder_sample(picture, under, rng)
    return sample.image, sample.maps


def draw_face(picture: Picture, _: Picture, rng: Generator) -> tuple[np.ndarray, ...]:
    sample = face_sample(picture, rng)
    return sample.image, sample.labels, sample.shape, sample.shape_weight


def train(
    name: str,
    network: nn.Module,
    data: Mixture,
    loss: Loss,
    plan: Plan,
    folder: Path,
    *,
    workers: int,
) -> nn.Module:
    """Train to the plan's last step, from the checkpoint if there is one."""
    network = network.to(memory_format=torch.channels_last)
    averaged = torch.optim.swa_utils.AveragedModel(
        network, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998), use_buffers=True
    )
    optimiser = torch.optim.AdamW(network.parameters(), lr=plan.rate, weight_decay=0.02)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimiser, plan.rate, total_steps=plan.steps, pct_start=0.06, anneal_strategy="cos"
    )
    parts = {"network": network, "averaged": averaged, "optimiser": optimiser, "schedule": schedule}
    file, step, steps = folder / f"{name}.pt", 0, plan.steps
    if file.exists():
        saved = torch.load(file, weights_only=True)
        step = saved.pop("step")
        for key, part in parts.items():
            part.load_state_dict(saved[key])
        steps = schedule.total_steps
        print(f"{name} goes on from step {step} of {steps}, as planned when {file} began", flush=True)
    network.train()
    data.step = step
    begin = time.monotonic()
    sums: dict[str, float] = {}
    loader = batches(data, plan.batch, workers)
    while step < steps:
        losses = learn(network, loss, next(loader), optimiser)
        schedule.step()
        averaged.update_parameters(network)
        step += 1
        for key, value in losses.items():
            sums[key] = sums.get(key, 0.0) + float(value.detach())
        if step % 100 == 0:
            told = "  ".join(f"{key} {value / 100:.3f}" for key, value in sums.items())
            print(f"{name} {step}/{steps}  {told}  {time.monotonic() - begin:.0f} s", flush=True)
            sums = {}
        if step % 500 == 0 or step == steps:
            states = {key: part.state_dict() for key, part in parts.items()}
            torch.save({"step": step, **states}, file.with_suffix(".new"))
            file.with_suffix(".new").replace(file)
    return averaged.module


def learn(
    network: nn.Module, loss: Loss, batch: Sequence[Tensor], optimiser: torch.optim.Optimizer
) -> dict[str, Tensor]:
    """Make one step; return what it lost before."""
    short = torch.ops.mkldnn._is_mkldnn_bf16_supported()  # noqa: SLF001 - torch offers no public question
    with torch.autocast("cpu", torch.bfloat16, enabled=short):
        losses: dict[str, Tensor] = loss(network, batch)
    optimiser.zero_grad()
    torch.stack(list(losses.values())).sum().backward()
    nn.utils.clip_grad_norm_(network.parameters(), 5.0)
    optimiser.step()
    return losses


def pace(network: nn.Module, data: Mixture, loss: Loss, batch: int, *, workers: int) -> float:
    """Return how many seconds a step takes: some are made by a copy that is thrown away."""
    tried = copy.deepcopy(network).to(memory_format=torch.channels_last).train()
    optimiser = torch.optim.AdamW(tried.parameters(), lr=1e-4)
    loader = batches(data, batch, workers)
    begun = 0.0
    for step in range(_UNTIMED + _TIMED):
        if step == _UNTIMED:
            begun = time.monotonic()
        learn(tried, loss, next(loader), optimiser)
    return (time.monotonic() - begun) / _TIMED


def batches(data: Mixture, size: int, workers: int) -> Iterator[tuple[Tensor, ...]]:
    """Return endless batches, made by so many processes beside this one, or by this one."""
    ahead = 4 if workers else None
    return iter(DataLoader(data, batch_size=size, num_workers=workers, prefetch_factor=ahead))


def export(name: str, network: nn.Module, example: Tensor, weights: Path) -> None:
    """Write the network as ONNX, its numbers halved; how many crops, and a picture's sides, stay free.

    What an older network of this name became in 8 bits is removed: `eightbit` makes it anew.
    """
    network = network.eval().to(memory_format=torch.contiguous_format)
    free = {0: "n"} if name == "face" else {0: "n", 2: "h", 3: "w"}
    weights.mkdir(exist_ok=True)
    file = weights / f"{name}.onnx"
    file.with_name(f"{name}{EIGHT_BIT}.onnx").unlink(missing_ok=True)
    torch.onnx.export(
        network,
        (example,),
        file,
        dynamo=False,
        input_names=["picture"],
        output_names=["told"],
        dynamic_axes={"picture": free},
        opset_version=13,
    )
    further.halve(file)


def started(checkpoint: Path) -> dict[str, Tensor]:
    """Return the averaged network of a checkpoint."""
    saved = torch.load(checkpoint, weights_only=True)["averaged"]
    return {key.removeprefix("module."): value for key, value in saved.items() if key != "n_averaged"}


SHARES = {"finder": (0.35, 0.02, 0.6, 0.0), "face": (0.33, 0.09, 0.55, 0.0)}
"""Of photographs, single crops, traced pictures and traced weak ones; what is left is rehearsed."""

WEAK_SHARES = {"finder": (0.33, 0.02, 0.3, 0.32), "face": (0.32, 0.06, 0.19, 0.4)}
"""The same if there are pictures of `sampling.weak`."""

_MISTAKABLE = 250
"""How many tables without dice are drawn, see `lookalikes`."""

_MISTAKABLE_SHARE = {"finder": 0.08, "face": 0.05}
"""How often they are shown, beside 1.0 of all other pictures."""

_UNTIMED, _TIMED = 10, 30
"""Steps by which `pace` measures: the first find batches that were made beforehand."""

_MEASURED = 12
"""Batches on which normalisations are measured anew."""


def begun(name: str, data: Mixture, example: Tensor, args: argparse.Namespace) -> nn.Module:
    """Return a network as training begins: with chance weights, those of a checkpoint or of a file."""
    network = Finder() if name == "finder" else FaceReader()
    if args.start:
        network.load_state_dict(started(args.start / f"{name}.pt"))
    if args.from_weights:
        further.begin(network, args.from_weights / f"{name}.onnx", example)
        some = iter(DataLoader(data, batch_size=PLANS[name].batch))
        further.renormalise(network, [normalised(next(some)[0]) for _ in range(_MEASURED)])
    return network


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(description=__doc__)
    made.add_argument("--photos", type=Path, required=True)
    made.add_argument("--renders", type=Path, nargs="*", default=[])
    made.add_argument("--weak", type=Path, nargs="*", default=[], help="folders made by .trace --weak")
    made.add_argument("--out", type=Path, required=True, help="folder for checkpoints")
    made.add_argument("--only", choices=sorted(PLANS))
    made.add_argument("--steps", type=int, help="instead of the plan's")
    made.add_argument("--minutes", type=float, default=0.0, help="no more steps than fit into so many")
    made.add_argument("--rate", type=float, help="highest learning rate, instead of the plan's")
    made.add_argument(
        "--without", nargs="*", default=[], choices=[*TRAINED_ON, "crops"], help="photographs to leave out"
    )
    begin = made.add_mutually_exclusive_group()
    begin.add_argument("--start", type=Path, help="folder of checkpoints whose networks are trained on")
    begin.add_argument(
        "--from-weights", type=Path, help="folder of *.onnx to go on from, such as vision/weights"
    )
    made.add_argument("--seed", type=int, default=1)
    made.add_argument("--workers", type=int, default=1)
    made.add_argument("--weights", type=Path, default=WEIGHTS, help="folder for the trained networks")
    return made


def main(arguments: Sequence[str] | None = None) -> None:
    args = parser().parse_args(arguments)
    args.out.mkdir(parents=True, exist_ok=True)
    random.seed(args.seed)
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)  # the other core makes samples; two threads only wait for each other
    repositories = [repo for repo in TRAINED_ON if repo not in args.without]
    real = {repo: list(pictures.photographs(args.photos, [repo], TRAINED_ON)) for repo in repositories}
    cropped = [] if "crops" in args.without else list(pictures.crops(args.photos))
    drawn, weak = ([p for one in some for p in pictures.renders(one)] for some in (args.renders, args.weak))
    rehearsed = list(pictures.rehearsed(60, args.seed))
    mistakable = list(pictures.mistakable(_MISTAKABLE, args.seed))
    print({repo: len(found) for repo, found in real.items()}, len(cropped), "crops", len(drawn), "renders")
    for name in [args.only] if args.only else list(PLANS):
        plan = PLANS[name]
        plan = Plan(args.steps or plan.steps, plan.batch, args.rate or plan.rate)
        photo_share, *others = (WEAK_SHARES if weak else SHARES)[name]
        groups = [(photo_share / max(1, len(real)), group) for group in real.values()]
        groups += [*zip(others, (cropped, drawn, weak), strict=True)]
        groups += [(0.03, rehearsed), (_MISTAKABLE_SHARE[name], mistakable)]
        draw, loss = (draw_finder, finder_loss) if name == "finder" else (draw_face, face_loss)
        example = torch.zeros(1, 3, 480, 640) if name == "finder" else torch.zeros(2, 3, 64, 64)
        data = Mixture(groups, draw, args.seed)
        network = begun(name, data, example, args)
        if args.minutes and not (args.out / f"{name}.pt").exists():
            share = 1.0 if args.only else budget.NETWORKS[name]
            step_s = pace(network, data, loss, plan.batch, workers=args.workers)
            plan = replace(plan, steps=budget.fitting([plan.steps], [step_s], 60 * args.minutes * share)[0])
        network = train(name, network, data, loss, plan, args.out, workers=args.workers)
        export(name, network, example, args.weights)


if __name__ == "__main__":
    main()
