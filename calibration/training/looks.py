"""Sets of dice: what kinds there are and how widely their makers differ."""

import colorsys
from dataclasses import replace

import numpy as np

from calibration.training.scene import Look, Rgb

Rng = np.random.Generator
KINDS = ("white", "coloured", "fingerprint", "teatime")
COLOURS = ("green", "red", "yellow", "blue", "brown", "purple")
RIGHT_HANDED = ("1", "6", "2", "5", "3", "4")
LEFT_HANDED = ("1", "6", "2", "5", "4", "3")
# Hue and lightness still called by the name; brown, red and purple come close to each other on purpose.
NAMED: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "green": ((0.27, 0.43), (0.45, 0.95), (0.25, 0.7)),
    "red": ((-0.03, 0.025), (0.7, 0.97), (0.5, 0.85)),
    "yellow": ((0.115, 0.165), (0.6, 0.97), (0.75, 0.98)),
    "blue": ((0.55, 0.66), (0.5, 0.95), (0.3, 0.85)),
    "brown": ((0.03, 0.085), (0.45, 0.8), (0.2, 0.45)),
    "purple": ((0.73, 0.86), (0.35, 0.85), (0.25, 0.65)),
}
BLACK: Rgb = (0.02, 0.02, 0.025)
WHITE: Rgb = (0.93, 0.93, 0.9)
GOLD: Rgb = (0.8, 0.6, 0.2)


_NARROW_SIXES = 0.6
"""Of the dice in the photographs that are trained on, most: 0.6 to 0.8 times as far apart."""

_VIVID = 0.4
"""Of coloured sets: of any ink on any body, so that only the hue tells a pip, or of two colours stirred."""

_DOMED = 0.75
"""Share of sets whose sides swell outwards; those of the others are flat or hollow."""

_LEAST_CONTRAST = 0.22
"""Of sRGB's three numbers at least one differs by so much between a body and its ink."""


def sample(kind: str, edge: float, rng: Rng) -> Look:
    """A set of dice of one of the KINDS, ``edge`` centimetres large."""
    body, ink, material = BODIES[kind](rng)
    style = "pips"
    if (
        kind == "fingerprint"
        or (kind == "teatime" and rng.random() < 0.5)
        or (kind == "coloured" and rng.random() < 0.05)
    ):
        style = "fingerprint" if kind == "fingerprint" else "digits"
    radius = float(rng.uniform(0.07, 0.115))
    order = RIGHT_HANDED if rng.random() < 0.5 else LEFT_HANDED
    faces = tuple("glass" if face == "6" and kind == "teatime" else face for face in order)
    if kind == "fingerprint":
        faces = tuple(str(c) for c in rng.permutation(COLOURS))
    sharp = rng.random() < 0.25
    look = Look(
        kind=kind,
        style=style,
        edge=edge,
        bevel=float(rng.uniform(0.03, 0.1) if sharp else rng.uniform(0.1, 0.42)),
        ball=float(rng.uniform(1.32, 1.55)) if rng.random() < 0.3 else 9.0,
        faces=faces,
        rolls=tuple(int(r) for r in rng.integers(0, 4, 6)),
        body=body,
        ink=ink,
        paints=tuple(named(face, rng) for face in faces) if kind == "fingerprint" else (),
        material=material,
        relief=relief(kind, rng),
        pip_radius=radius,
        pip_pitch=float(rng.uniform(max(0.215, 2.12 * radius), 0.285)),
        one_scale=float(rng.uniform(1.25, 2.1) if rng.random() < 0.2 else 1.0),
        red_faces=red_faces(kind, rng),
        roughness=float(rng.uniform(0.06, 0.5)),
        art=int(rng.integers(1 << 31)),
    )
    return replace(look, six_width=six_width(look))


def six_width(look: Look) -> float:
    """Return how far apart the columns of a set's sixes are; its other numbers stay as they were."""
    rng = np.random.default_rng([look.art, 6])
    if rng.random() > _NARROW_SIXES:
        return 1.0
    return max(float(rng.uniform(0.5, 1.0)), 1.15 * look.pip_radius / look.pip_pitch)


def domed(look: Look) -> Look:
    """Return the set with sides that are not quite flat, as most are; see scene.Look."""
    rng = np.random.default_rng([look.art, 8])
    dome = float(rng.uniform(0.03, 0.28) if rng.random() < _DOMED else rng.uniform(-0.1, 0.03))
    return replace(look, dome=dome)


def vivid(look: Look) -> Look:
    """Return the set, or if it is coloured now and then one of odder colours with the same shape.

    Such as red pips on smoke or on blue stirred into black, and gold ones on red.
    """
    rng = np.random.default_rng([look.art, 7])
    if look.kind != "coloured" or rng.random() > _VIVID:
        return look
    body, material = look.body, look.material
    if rng.random() < 0.4:
        body = jitter((0.13, 0.13, 0.14), 0.12, rng)
        material = str(rng.choice(["clear", "speckle", "swirl", "plastic"]))
    elif rng.random() < 0.5:
        material = "swirl"
    inks = [some_ink(rng) for _ in range(8)]
    ink = next((i for i in inks if np.abs(np.subtract(i, body)).max() > _LEAST_CONTRAST), look.ink)
    return replace(look, body=body, ink=ink, material=material)


def some_ink(rng: Rng) -> Rgb:
    """White, black, gold, silver, red or any strong colour."""
    usual: tuple[Rgb, ...] = (WHITE, BLACK, GOLD, (0.7, 0.7, 0.72), (0.75, 0.06, 0.07), (0.9, 0.15, 0.12))
    if rng.random() < 0.55:
        return jitter(usual[int(rng.integers(len(usual)))], 0.06, rng)
    return hsv(rng.uniform(), rng.uniform(0.55, 1), rng.uniform(0.35, 0.98))


def relief(kind: str, rng: Rng) -> str:
    if kind == "fingerprint":
        return str(rng.choice(["printed", "plain"], p=[0.8, 0.2]))
    return str(rng.choice(["drilled", "printed", "inlaid"], p=[0.55, 0.3, 0.15]))


def red_faces(kind: str, rng: Rng) -> tuple[str, ...]:
    """A red one, and sometimes a red four, are usual on white dice in parts of the world."""
    if kind != "white" or rng.random() < 0.82:
        return ()
    return ("1", "4") if rng.random() < 0.4 else ("1",)


def named(colour: str, rng: Rng) -> Rgb:
    """Some hue that goes by the name of one of the COLOURS."""
    hue, strong, light = NAMED[colour]
    return hsv(rng.uniform(*hue), rng.uniform(*strong), rng.uniform(*light))


def hsv(hue: float, strong: float, light: float) -> Rgb:
    red, green, blue = colorsys.hsv_to_rgb(hue % 1, strong, light)
    return (float(red), float(green), float(blue))


def jitter(rgb: Rgb, reach: float, rng: Rng) -> Rgb:
    red, green, blue = np.clip(np.array(rgb) + rng.uniform(-reach, reach, 3), 0.01, 0.97)
    return (float(red), float(green), float(blue))


def white(rng: Rng) -> tuple[Rgb, Rgb, str]:
    warm = rng.uniform(0, 1) ** 2
    body = hsv(rng.uniform(0.09, 0.15), 0.03 + 0.32 * warm, rng.uniform(0.82, 0.96))
    ink = (
        jitter(BLACK, 0.05, rng)
        if rng.random() < 0.85
        else hsv(rng.uniform(), rng.uniform(0.6, 1), rng.uniform(0.1, 0.6))
    )
    material = str(rng.choice(["plastic", "ivory", "marble-pale"], p=[0.6, 0.35, 0.05]))
    return body, ink, material.removesuffix("-pale") if material != "marble-pale" else "ivory"


def coloured(rng: Rng) -> tuple[Rgb, Rgb, str]:
    material = str(
        rng.choice(
            ["plastic", "clear", "marble", "speckle", "wood", "metal"], p=[0.52, 0.2, 0.1, 0.06, 0.07, 0.05]
        )
    )
    if material == "wood":
        body = jitter((0.68, 0.47, 0.29), 0.12, rng)
        return body, BLACK, material
    if material == "metal":
        return (
            jitter((0.8, 0.66, 0.4) if rng.random() < 0.5 else (0.75, 0.75, 0.77), 0.05, rng),
            BLACK,
            material,
        )
    body = (
        jitter(BLACK, 0.08, rng)
        if rng.random() < 0.22
        else hsv(rng.uniform(), rng.uniform(0.45, 1), rng.uniform(0.2, 0.95))
    )
    if rng.random() < 0.35:
        body = hsv(
            rng.choice([0.0, 0.6, 0.35, 0.14]) + rng.uniform(-0.03, 0.03),
            rng.uniform(0.75, 1),
            rng.uniform(0.35, 0.9),
        )
    return body, contrast_ink(body, rng), material


def contrast_ink(body: Rgb, rng: Rng) -> Rgb:
    """Ink for a coloured body: mostly one that stands out, now and then one that hardly does."""
    bright = float(np.dot(body, (0.3, 0.59, 0.11)))
    if rng.random() < 0.13:
        faint = (0.55, 0.05, 0.06) if bright < 0.35 else WHITE
        return jitter(faint, 0.04, rng)
    if bright > 0.6:
        return jitter(BLACK, 0.05, rng)
    if bright > 0.35:
        return WHITE if rng.random() < 0.6 else jitter(BLACK, 0.03, rng)
    return WHITE if rng.random() < 0.78 else jitter(GOLD, 0.08, rng)


def fingerprint(rng: Rng) -> tuple[Rgb, Rgb, str]:
    ink = jitter(BLACK, 0.06, rng) if rng.random() < 0.65 else jitter(WHITE, 0.06, rng)
    return (0.5, 0.5, 0.5), ink, "plastic"


def teatime(rng: Rng) -> tuple[Rgb, Rgb, str]:
    if rng.random() < 0.6:
        return white(rng)
    body = hsv(rng.uniform(), rng.uniform(0.2, 0.95), rng.uniform(0.25, 0.95))
    return body, contrast_ink(body, rng), "wood" if rng.random() < 0.15 else "plastic"


BODIES = {"white": white, "coloured": coloured, "fingerprint": fingerprint, "teatime": teatime}
