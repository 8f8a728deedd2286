"""Fit what vision/onelamp.py knows of paints and lamps, on traced trays that nothing is scored on.

    python tests/benchmarks/fit_onelamp.py [--trays 160]

Six fingerprint dice of one set a tray, seeds from 1,400,000 on, surfaces and lamps that training uses;
every second tray as a careful set-up exposes it, the others as any camera might. Prints the numbers to
copy, and how the fit of one half does on the other. `bench_trays.py` scores the result on surfaces and
lamps held out.
"""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np
from trays import photo, shown

import vision.onelamp as model
from calibration.training import develop, looks, placing, sampling, stage
from calibration.training.tracer import Tracer
from companion.rules.events import DiceExpected
from vision.faceheads import COLOURS
from vision.frames import Frame
from vision.places import survey, weighed
from vision.taught import Taught

FIRST_SEED = 1_400_000
SIX = DiceExpected((("fingerprint", 6),), faces=COLOURS, partial=False)
_NEAR_PX = 15
_LITTLE = np.eye(3) * 0.002


@dataclass(frozen=True)
class Tray:
    """Dice of one set: ``light`` (n, 3), true ``colour`` (n,), what the ``network`` says (n, 6)."""

    light: np.ndarray
    colour: np.ndarray
    network: np.ndarray


@dataclass
class Fit:
    """``middles`` (6, 3), ``paints`` and ``shades`` (6, 3, 3), ``lamps`` (3, 3): covariances."""

    middles: np.ndarray
    paints: np.ndarray
    shades: np.ndarray
    lamps: np.ndarray


def tray(number: int) -> Tray:
    """Trace one tray and look at its dice."""
    look = looks.sample("fingerprint", 1.6, np.random.default_rng((FIRST_SEED, number)))
    base = sampling.tray(FIRST_SEED + number, unseen=False, kinds=("fingerprint",), count=6)
    still = placing.Habit(0.0, 0.0, 0.0, 0.0)
    dice = placing.lay((look,), [0] * 6, base.camera, still, np.random.default_rng((number, 6)))
    scene = replace(base, looks=(look,), dice=dice)
    linear, _ = Tracer().take(scene)
    glow = stage.lamp_colour(scene.light).tolist()
    image = (
        develop.photograph(linear, scene.finish, scene.seed, glow) if number % 2 else photo(linear, scene)
    )
    places = weighed(survey(Frame(image, 0.0, "traced")), SIX, Taught())
    middles = places.looks.corners.mean(axis=1)
    tops = scene.camera.project(np.array([(*die.pose.centre[:2], look.edge) for die in scene.dice]))
    found, colour = [], []
    for die, top in zip(shown(scene), tops, strict=True):
        away = np.linalg.norm(middles - top, axis=1)
        if len(away) and away.min() < _NEAR_PX and np.isfinite(places.looks.light[away.argmin()]).all():
            found.append(int(away.argmin()))
            colour.append(COLOURS.index(die.face))
    of = places.looks
    return Tray(of.light[found].astype(float), np.array(colour, int), of.colours[found].astype(float))


def fitted(trays: Sequence[Tray], rounds: int = 40) -> Fit:
    """Expectation and maximisation over lamps and paints, both normal and never seen by themselves."""
    light, colour = (np.concatenate([getattr(t, part) for t in trays]) for part in ("light", "colour"))
    middles = np.array([light[colour == c].mean(axis=0) for c in range(6)])
    fit = Fit(middles, np.array([np.eye(3) * 0.1] * 6), np.array([np.eye(3) * 0.05] * 6), np.eye(3) * 0.5)
    for _ in range(rounds):
        fit = _better(fit, trays)
    return fit


def _better(fit: Fit, trays: Sequence[Tray]) -> Fit:
    lamps: list[np.ndarray] = []
    paints: list[list[np.ndarray]] = [[] for _ in range(6)]
    shades: list[list[np.ndarray]] = [[] for _ in range(6)]
    own: list[list[np.ndarray]] = [[] for _ in range(6)]
    for one in trays:
        there, mean, spread = _hidden(fit, one)
        lamps.append(np.outer(mean[:3], mean[:3]) + spread[:3, :3])
        for n, c in enumerate(there, start=1):
            part = slice(3 * n, 3 * n + 3)
            paints[c].append(np.outer(mean[part], mean[part]) + spread[part, part])
            both = spread[:3, :3] + spread[part, part] + spread[:3, part] + spread[part, :3]
            for light in one.light[one.colour == c]:
                rest = light - fit.middles[c] - mean[:3] - mean[part]
                shades[c].append(np.outer(rest, rest) + both)
                own[c].append(light - mean[:3] - mean[part])
    return Fit(
        np.array([np.mean(group, axis=0) for group in own]),
        np.array([np.mean(group, axis=0) + _LITTLE for group in paints]),
        np.array([np.mean(group, axis=0) + _LITTLE for group in shades]),
        np.mean(lamps, axis=0),
    )


def _hidden(fit: Fit, one: Tray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return colours there, and mean and covariance of the lamp and of their paints, one after another."""
    there = np.unique(one.colour)
    precision = np.zeros((3 * len(there) + 3,) * 2)
    pull = np.zeros(len(precision))
    precision[:3, :3] += np.linalg.inv(fit.lamps)
    for n, c in enumerate(there, start=1):
        part, shade = slice(3 * n, 3 * n + 3), np.linalg.inv(fit.shades[c])
        rows = one.light[one.colour == c]
        precision[part, part] += np.linalg.inv(fit.paints[c])
        for a in (slice(3), part):
            pull[a] += shade @ (rows - fit.middles[c]).sum(axis=0)
            for b in (slice(3), part):
                precision[a, b] += len(rows) * shade
    spread = np.linalg.inv(precision)
    return there, spread @ pull, spread


def use(fit: Fit) -> None:
    """Let the model judge by this fit, in this process."""
    model._MIDDLES, model._LAMPS = fit.middles, fit.lamps
    model._SPREADS, model._SHADES = fit.paints + fit.shades, fit.shades


def scored(trays: Sequence[Tray]) -> Iterator[str]:
    """How the network and the model do on these trays."""
    for name in ("network alone", "with the lamp"):
        hits = []
        for one in trays:
            said = one.network
            if name != "network alone":
                said = model.together(said.astype(np.float32), one.light.astype(np.float32))
            hits.append(said.argmax(axis=1) == one.colour)
        dice, rolls = np.concatenate(hits).mean(), np.mean([h.all() for h in hits])
        yield f"{name:16} {dice:.3f} of the dice, {rolls:.3f} of the trays"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trays", type=int, default=160, metavar="N")
    count = parser.parse_args().trays
    cv2.setNumThreads(1)
    trays = [one for n in range(count) if len((one := tray(n)).colour)]
    for fit_on, other in ((trays[::2], trays[1::2]), (trays[1::2], trays[::2])):
        use(fitted(fit_on))
        print("\n".join(scored(other)), flush=True)
    final = fitted(trays)
    numbers = {
        "_MIDDLES": final.middles,
        "_SPREADS": final.paints + final.shades,
        "_SHADES": final.shades,
        "_LAMPS": final.lamps,
    }
    for name, value in numbers.items():
        print(f"{name}: Final = np.array({np.round(value, 4).tolist()})")


if __name__ == "__main__":
    main()
