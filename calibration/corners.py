"""The tray's corners, found by themselves: by printed markers, else by the tray's edge."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from calibration.edge import find_edge
from calibration.markers import NAMES, SIDE_MM, card, find_markers
from vision.frames import Floats, Image
from vision.tray import TrayProfile, TrayProfileError

SURE = 0.6
"""Least confidence for corners that are offered as found."""

_BY_HAND = "Drag the four corners to where they are."


@dataclass(frozen=True, slots=True)
class TrayFound:
    """What was found of the tray in one picture.

    ``profile`` None: nothing that can be relied on. ``how``: markers, edge or nothing;
    ``confidence`` 0..1; ``text`` and ``remedy``: sentences for people.
    """

    profile: TrayProfile | None
    how: str
    confidence: float
    text: str
    remedy: str = ""


def find_tray(image: Image, *, width_mm: float | None = None) -> TrayFound:
    """Find the tray in a BGR picture of the whole view.

    ``width_mm``: length of the tray's upper side, if somebody measured it; printed markers know
    sizes by themselves. Raises ValueError for a width that is none.
    """
    if width_mm is not None and not 20 <= width_mm <= 3000:
        raise ValueError(f"A tray {width_mm:g} mm wide is no tray: give its upper side in millimetres.")
    squares = find_markers(image)
    if squares:
        return _by_markers(image, dict(squares))
    edge = find_edge(image)
    if edge is None or edge.confidence < SURE:
        return TrayFound(
            None,
            "nothing",
            edge.confidence if edge else 0.0,
            "No tray stands out in this picture.",
            f"{_BY_HAND} Or print the markers and put one into each corner.",
        )
    profile = _profile(image, edge.corners, width_mm)
    return TrayFound(profile, "edge", edge.confidence, "The tray's edge was found. Is it right?", _BY_HAND)


def _by_markers(image: Image, squares: dict[int, Floats]) -> TrayFound:
    missing = [n for n in range(len(NAMES)) if n not in squares]
    if missing:
        lost = _listed([f"marker {n} ({NAMES[n]} corner)" for n in missing])
        seen = len(squares)
        text = f"{'One marker is' if seen == 1 else f'{seen} markers are'} seen, {lost} not."
        remedy = "Take away what covers it, lay it flat, and light it evenly; then look again."
        return TrayFound(None, "markers", 0.0, text, remedy)
    middle = np.mean([square.mean(axis=0) for square in squares.values()], axis=0)
    cards = [card(squares[n]) for n in range(len(NAMES))]
    corners = np.array([c[np.argmax(np.linalg.norm(c - middle, axis=1))] for c in cards], np.float32)
    try:
        profile = _profile(image, corners, None)
    except TrayProfileError:
        text = "All four markers are seen, but not in their order."
        remedy = "0 belongs into the upper left corner, 1, 2 and 3 follow clockwise. Change them round."
        return TrayFound(None, "markers", 0.0, text, remedy)
    scale = _px_per_mm(image, profile, squares)
    text = "All four markers are seen."
    return TrayFound(TrayProfile(profile.corners, scale), "markers", 1.0, text)


def _profile(image: Image, corners: Floats, width_mm: float | None) -> TrayProfile:
    height, width = image.shape[:2]
    fractions = np.clip(corners / np.array((width, height), np.float32), 0, 1)
    profile = TrayProfile(tuple((float(x), float(y)) for x, y in fractions))
    if width_mm is None:
        return profile
    return TrayProfile(profile.corners, round(_straightened(image, profile)[0] / width_mm, 4))


def _px_per_mm(image: Image, profile: TrayProfile, squares: dict[int, Floats]) -> float:
    """Return how many px of the rectified tray a millimetre has, by the markers' black squares."""
    height, width = image.shape[:2]
    across, down = _straightened(image, profile)
    here = np.array(profile.corners, np.float32) * np.array((width, height), np.float32)
    there = np.array([(0, 0), (across, 0), (across, down), (0, down)], np.float32)
    onto = cv2.getPerspectiveTransform(here, there)
    sides = [
        math.dist(flat[n], flat[(n + 1) % 4])
        for square in squares.values()
        for flat in (cv2.perspectiveTransform(square[None], onto)[0],)
        for n in range(4)
    ]
    return round(float(np.median(sides)) / SIDE_MM, 4)


def _straightened(image: Image, profile: TrayProfile) -> tuple[float, float]:
    """Return the size in px that the tray has once it is cut out, as `vision.tray.rectify` makes it."""
    height, width = image.shape[:2]
    corners = [(x * width, y * height) for x, y in profile.corners]
    sides = [math.dist(corners[n], corners[(n + 1) % 4]) for n in range(4)]
    return max(sides[0], sides[2]), max(sides[1], sides[3])


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
