"""What is known of a rendered picture: every die's face, its corners in pixels, how much of it shows."""

from dataclasses import replace
from typing import Any

import numpy as np

from calibration.training import meshes
from calibration.training.scene import (
    Die,
    Floats,
    Scene,
    as_json,
    axes,
    face_corners,
    upper_side,
)

INNER = 0.72  # visibility is asked for on this part of a face's side, clear of its rounded border
STEPS = 6
HIDDEN, CUT = 0.7, 0.85
_FRONT, _CLEAR = 0.3, 0.5
"""Least area of a front face that is told of, in upper faces; how far off upper faces, in their sides."""


def of(scene: Scene, clear: list[Floats]) -> dict[str, Any]:
    """The label of a picture.

    Args:
        scene: what was rendered.
        clear: for each die, which of its ``probes`` the camera sees: (36,) of 0 or 1.

    Returns:
        JSON's types. ``corners`` and ``box`` are pixels (a pixel's centre is whole) and may lie outside.
    """
    camera = scene.camera
    return {
        "seed": scene.seed,
        "surface": scene.surface.name,
        "lamp": scene.light.name,
        "camera": {
            "focal": round(camera.focal, 2),
            "tilt": round(camera.tilt, 2),
            "blurred": camera.fstop > 0,
        },
        "width": camera.width,
        "height": camera.height,
        "dice": [die_label(scene, die, seen) for die, seen in zip(scene.dice, clear, strict=True)],
    }


def die_label(scene: Scene, die: Die, clear: Floats) -> dict[str, Any]:
    look = scene.looks[die.look]
    side = upper_side(die.pose)
    face = look.faces[side]
    corners = scene.camera.project(face_corners(look, die.pose, side))
    inside = within(scene, scene.camera.project(probes(scene, die)))
    visible = float(np.mean(clear * inside))
    paint = look.paints[side] if look.paints else look.body
    return {
        "kind": look.kind,
        "face": face,
        "style": "glass" if face == "glass" else look.style,
        "material": look.material,
        "body_rgb": as_json(list(paint)),
        "corners": as_json([list(map(float, corner)) for corner in corners]),
        "box": as_json(box(scene, die)),
        "visible": round(visible, 3),
        "state": state(die.state, visible, float(np.mean(inside))),
    }


def fronts(scene: Scene) -> list[Floats]:
    """Corners (4, 2) px of the faces that dice turn to the camera below their upper ones.

    They show symbols as upper faces do, and are what a reader must not read. Dice that lean have none.
    """
    shown = [(scene.looks[die.look], die.pose, upper_side(die.pose)) for die in scene.dice]
    tops = [scene.camera.project(face_corners(*one)) for one in shown]
    middles = np.array([top.mean(axis=0) for top in tops]).reshape(-1, 2)
    sides = np.array([np.sqrt(area(top)) for top in tops])
    found = []
    for die, (look, pose, upper), top in zip(scene.dice, shown, tops, strict=True):
        for side in {*range(6)} - {upper} if die.state != "cocked" else ():
            corners = face_corners(look, pose, side)
            out = corners.mean(axis=0) - np.array(pose.centre)
            seen = scene.camera.project(corners)
            if out @ (np.array(scene.camera.pose.centre) - corners.mean(axis=0)) <= 0:
                continue
            off = np.linalg.norm(middles - seen.mean(axis=0), axis=1)
            clear = off > _CLEAR * np.maximum(sides, np.sqrt(area(seen)))
            found += [seen] if clear.all() and area(seen) > _FRONT * area(top) else []
    return found


def area(corners: Floats) -> float:
    """Return the area of an outline (n, 2), in the square of its unit."""
    x, y = corners.T
    return abs(float(x @ np.roll(y, -1) - y @ np.roll(x, -1))) / 2


def state(lying: str, visible: float, inside: float) -> str:
    """The state shown: what a die does, unless too little of it is seen to say."""
    if inside < CUT:
        return "cut"
    return "covered" if visible < HIDDEN * inside else lying


def probes(scene: Scene, die: Die) -> Floats:
    """World points (36, 3) on the upper face, a lattice clear of its rounded border."""
    look = scene.looks[die.look]
    normal, right, up = axes(look, upper_side(die.pose))
    marks = np.linspace(-INNER, INNER, STEPS)
    x, y = np.meshgrid(marks, marks)
    flat = normal + x.reshape(-1, 1) * right + y.reshape(-1, 1) * up
    return die.pose.world(flat * (look.edge / 2))


def within(scene: Scene, pixels: Floats) -> Floats:
    """1 for each pixel (n, 2) inside the picture, else 0."""
    limit = np.array([scene.camera.width, scene.camera.height]) - 0.5
    inside: Floats = np.all((pixels >= -0.5) & (pixels < limit), axis=1).astype(np.float64)
    return inside


def box(scene: Scene, die: Die) -> list[float]:
    """The upright box around the whole die, cut at the picture's borders: x, y, width, height."""
    shape = meshes.die(replace(scene.looks[die.look], rolls=(0,) * 6))
    pixels = scene.camera.project(die.pose.world(shape.points))
    limit = np.array([scene.camera.width, scene.camera.height], dtype=np.float64)
    low = np.clip(pixels.min(axis=0), 0, limit)
    high = np.clip(pixels.max(axis=0), 0, limit)
    return [float(v) for v in (*low, *(high - low))]
