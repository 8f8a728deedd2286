"""Train the networks that hear on which floor a cube lies (`hardware.soundfloors`).

    python -m calibration.training.cubes --out hardware/weights

Evenings are simulated from seeds (`calibration.training.evenings`), half of them at BASE, each tower put
together anew, and go through the real `Tower` with any set of beams, three times in five heard by other
ears (`calibration.training.ears`); what it would ask its network is written down, with the floor. The
network learns what to add to the logarithms of prior and beams. It stops where other evenings are told
best, and these also say how sure its answers may be (`calibration.training.tuning`). All seeds are below
1,000,000.
"""

import argparse
import random
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from calibration.training import tuning
from calibration.training.asked import Rows, joined, rows
from calibration.training.ears import misheard
from calibration.training.evenings import Ears, Evening, evening
from hardware.soundfloors import FEATURES, Kind
from hardware.worlds import WORLDS

EVENINGS: Final[dict[Ears, Sequence[int]]] = {
    "audio": range(400_001, 400_601),
    "model": range(500_001, 500_801),
    "module": (*range(200_001, 201_401), *range(201_401, 202_801, 2)),
}
"""The seeds: of synthesised sound through the real detector, of modelled onsets, of sound modules."""

HEARD_BY: Final[dict[Kind, tuple[Ears, ...]]] = {"wave": ("audio", "model"), "digital": ("module",)}
CUBES: Final = 30
TIMES: Final[dict[Ears, int]] = {"audio": 5, "model": 2, "module": 1}
"""How many sets of beams each evening is tried with."""

HIDDEN: Final = (192, 96)
ROUNDS: Final = 14
NETS: Final = 3


def simulated(ears: Ears) -> Iterator[Evening]:
    """Every evening to learn from, `TIMES` times, three in five as other ears would hear it."""
    for seed in EVENINGS[ears]:
        rng = np.random.default_rng([seed, 1])
        yield from heard_again(one_evening(seed, ears), ears, rng)


def one_evening(seed: int, ears: Ears) -> Evening:
    """The evening of that seed: odd ones at BASE, where a module is as loud as the specification has it."""
    if seed % 2 and ears == "module":
        return evening(seed, ears, CUBES, ("BASE",), anew=True)
    return evening(seed, ears, CUBES, ("BASE",) if seed % 2 else tuple(WORLDS), varied=True)


def heard_again(one: Evening, ears: Ears, rng: np.random.Generator) -> Iterator[Evening]:
    """One evening `TIMES` times. What a module hears is not spoilt: it has neither levels nor pitches."""
    for _ in range(TIMES[ears]):
        other = ears != "module" and rng.random() < _OTHER_EARS
        yield misheard(one, rng) if other else one


def any_beams(chance: random.Random) -> Iterator[tuple[str, ...]]:
    """Sets of beams without end."""
    while True:
        yield _lines(chance)


def fit(learn: Rows, check: Rows, rounds: int, seed: int) -> list[npt.NDArray[np.float32]]:
    """Train one network; return weights and biases layer by layer, as they told ``check`` best.

    Needs torch.
    """
    import torch  # noqa: PLC0415 - only for training
    from torch import nn  # noqa: PLC0415

    torch.manual_seed(seed)
    inputs, known, floors = (torch.from_numpy(column) for column in learn)
    sizes = (FEATURES, *HIDDEN, 8)
    linear = [nn.Linear(a, b) for a, b in pairwise(sizes)]
    parts: list[Any] = []
    for layer in linear[:-1]:
        parts += [layer, nn.ReLU(), nn.Dropout(0.15)]
    net = nn.Sequential(*parts, linear[-1])
    optimiser = torch.optim.AdamW(net.parameters(), lr=2e-3, weight_decay=2e-3)
    steps = rounds * (len(floors) // _BATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, 2e-3, total_steps=steps + 1)
    best: tuple[float, list[npt.NDArray[np.float32]]] = (float("inf"), [])
    for _ in range(rounds):
        net.train()
        order = torch.randperm(len(floors))
        for begin in range(0, len(order) - _BATCH + 1, _BATCH):
            some = order[begin : begin + _BATCH]
            out = net(_spoilt(inputs[some], torch)) + known[some]
            loss = nn.functional.cross_entropy(out, floors[some])
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            pace.step()
        net.eval()
        found = [array for layer in linear for array in (layer.weight.T, layer.bias)]
        arrays = [np.array(array.detach().numpy(), np.float32) for array in found]
        best = min(best, (_loss(net, check, torch), arrays), key=lambda one: one[0])
    return best[1]


def save(
    nets: Sequence[Sequence[npt.NDArray[np.float32]]], path: Path, sharpness: float, unseen: float
) -> None:
    """Write networks as `hardware.soundfloors` reads them, in half precision."""
    stacked = [np.stack(arrays).astype(np.float16) for arrays in zip(*nets, strict=True)]
    named = {f"{'wb'[n % 2]}{n // 2}": array for n, array in enumerate(stacked)}
    powers = {"sharpness": np.float32(sharpness), "unseen": np.float32(unseen)}
    np.savez_compressed(path, **powers, **named)  # type: ignore[arg-type]


_BATCH: Final = 256


def _loss(net: Any, check: Rows, torch: Any) -> float:
    inputs, known, floors = (torch.from_numpy(column) for column in check)
    with torch.no_grad():
        return float(torch.nn.functional.cross_entropy(net(inputs) + known, floors))


def _spoilt(inputs: Any, torch: Any) -> Any:
    """Every number a little off."""
    return inputs * (1 + _OFF * torch.randn_like(inputs))


_OFF: Final = 0.02
_OTHER_EARS: Final = 0.6


def _lines(chance: random.Random) -> tuple[str, ...]:
    """Some set of beams, the usual ones most often."""
    inside: Sequence[int] = ()
    kind = chance.random()
    if 0.44 <= kind < 0.66:
        inside = (5, 2)
    elif 0.66 <= kind < 0.74:
        inside = range(7)
    elif kind >= 0.74:
        inside = [plate for plate in range(7) if chance.random() < 0.4]
    paired = chance.random() < 0.6
    entry = not (kind < 0.08 or kind > 0.96)
    names = [*(["entry"] if entry else []), *(f"floor{plate}" for plate in inside)]
    return tuple(f"{name}{second}" for name in names for second in ("", "_b")[: 1 + paired])


def main() -> None:
    """Simulate, learn, write."""
    parser = argparse.ArgumentParser(description="Train the networks that hear on which floor a cube lies.")
    parser.add_argument("--out", type=Path, default=Path("hardware/weights"))
    given = parser.parse_args()
    for kind, ears in HEARD_BY.items():
        chance = random.Random(1)  # noqa: S311 - which beams to try, no secret
        learn = joined([rows(simulated(ear), kind, any_beams(chance)) for ear in ears])
        trials = tuning.trials(kind)
        check = joined(trials)
        nets = [fit(learn, check, ROUNDS, seed) for seed in range(NETS)]
        powers = (tuning.sharpness(nets, some) for some in (trials, tuning.trials(kind, tuning.UNSEEN)))
        save(nets, given.out / f"floors_{kind}.npz", *powers)
        print(f"floors_{kind}.npz: {len(learn.floors)} drops")


if __name__ == "__main__":
    main()
