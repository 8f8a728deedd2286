"""The lamp check: what is wrong with light, lens and distance, each in a sentence with its remedy.

The limits are where reading begins to suffer. They were measured by degrading 54 photographs that
the reader reads right (`tests/calibration/test_lamp.py` has them).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import cv2
import numpy as np

from calibration import measures
from vision.frames import Floats, Image

DARK = 45.0
"""Level of the brightest twentieth: at 36 a twentieth of the photographs is lost, at 21 a quarter."""

FAR_PX, NEAR_ENOUGH_PX = 30.0, 40.0
"""Width of a die. Clean pictures can still be read at 22; sensors' noise needs more."""

SMEARED = 0.05
"""Deviation of the blur over the width of a die: at 0.05 nothing is lost yet, at 0.06 a third."""

_USUAL_DIE_PX = 50.0
"""For judging sharpness where no die lies."""

UNEVEN = 3.0
"""The reader bears a slope of five; hues of dice, which are told apart by little, bear less."""

GLARE, BURNT = 0.003, 0.25
"""Parts of the tray that are saturated: a lamp's mirror image, or too much light everywhere."""

GLARE_ON_DIE = 0.03
"""Part of a die's face: half of a pip."""

FLICKER, BANDS = 0.04, 0.012
"""Parts of the light. Colours a twentieth apart are the hardest that dice have (brown and purple)."""


class Health(StrEnum):
    """What a finding says."""

    OK = "ok"
    PROBLEM = "problem"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at: its name, how it is, a sentence, and what helps if it is not well."""

    name: str
    health: Health
    text: str
    remedy: str = ""


def check_lamp(images: Sequence[Image], outlines: Sequence[Floats] = ()) -> tuple[Finding, ...]:
    """Judge pictures of one tray, all of one size, BGR, newest last.

    ``outlines`` (4, 2) px of the dice in the newest. Flicker wants three pictures or more. Raises
    ValueError if there is no picture.
    """
    if not images:
        raise ValueError("There is no picture to judge. Look at the camera first.")
    image = images[-1]
    dice = _filled(image, outlines)
    return (
        _brightness(image),
        _glare(image, outlines, dice),
        _evenness(image, dice),
        _sharpness(image, outlines, dice),
        _distance(outlines),
        _flicker(images),
    )


def width_of(outlines: Sequence[Floats]) -> float | None:
    """Return how many pixels wide a die is, the median of all; None without dice."""
    if not len(outlines):
        return None
    return float(np.median([np.sqrt(cv2.contourArea(o.astype(np.float32))) for o in outlines]))


def _brightness(image: Image) -> Finding:
    level, share = measures.brightest(image), float(measures.burnt(image).mean())
    if level < DARK:
        text = "It is too dark: the pips drown in noise."
        return Finding("brightness", Health.PROBLEM, text, "Light a lamp at the side of the tray.")
    if share > BURNT:
        text = f"It is too bright: {share:.0%} of the picture is plain white."
        remedy = "Move the lamp away or dim it; a dark cloth in the tray helps, too."
        return Finding("brightness", Health.PROBLEM, text, remedy)
    return Finding("brightness", Health.OK, "There is light enough.")


def _glare(image: Image, outlines: Sequence[Floats], dice: measures.Mask) -> Finding:
    burnt = measures.burnt(image)
    remedy = "Move the lamp to the side, or hang a sheet of paper before it. A brighter lamp is no help."
    outside = burnt & ~dice
    share = float(outside.mean())
    if GLARE < share <= BURNT:
        y, x = np.argwhere(outside).mean(axis=0)
        part = measures.part_of(float(x / image.shape[1]), float(y / image.shape[0]))
        return Finding("glare", Health.PROBLEM, f"A lamp is mirrored in the tray ({part}).", remedy)
    shiny = sum(_shines(image, burnt, outline) for outline in outlines)
    if shiny:
        text = f"{shiny} {'die mirrors' if shiny == 1 else 'dice mirror'} the lamp."
        return Finding("glare", Health.PROBLEM, text, remedy)
    return Finding("glare", Health.OK, "Nothing is dazzling.")


def _shines(image: Image, burnt: measures.Mask, outline: Floats) -> bool:
    """Whether a lamp's image lies on a die; a die that is white all over is none."""
    face = _filled(image, [outline], grown=0.85)
    if not face.any():
        return False
    body = float(np.median(measures.least_of(image)[face]))
    return body < measures.SATURATED - 15 and float(burnt[face].mean()) > GLARE_ON_DIE


def _evenness(image: Image, dice: measures.Mask) -> Finding:
    ratio, worst = measures.light_ratio(image, ~dice)
    if ratio > UNEVEN:
        text = f"The light is uneven: one part of the tray has {ratio:.0f} times the light of the {worst}."
        return Finding("evenness", Health.PROBLEM, text, "Put a second lamp on the dark side.")
    return Finding("evenness", Health.OK, "The light is even enough.")


def _sharpness(image: Image, outlines: Sequence[Floats], dice: measures.Mask) -> Finding:
    smear = measures.smear_of(image, dice if len(outlines) else None)
    if smear is None:
        text = "Nothing with edges lies in the tray, so sharpness cannot be told."
        return Finding("sharpness", Health.UNKNOWN, text, "Put some dice down and look again.")
    wide = width_of(outlines) or _USUAL_DIE_PX
    if smear > SMEARED * wide:
        text = f"The picture is blurred: edges are smeared over {2.5 * smear:.0f} pixels"
        text += f" of a die that is {wide:.0f} wide." if len(outlines) else "."
        remedy = "Turn the lens until the pips are sharp, wipe it, and let nothing shake the camera."
        return Finding("sharpness", Health.PROBLEM, text, remedy)
    return Finding("sharpness", Health.OK, "The picture is sharp.")


def _distance(outlines: Sequence[Floats]) -> Finding:
    wide = width_of(outlines)
    if wide is None:
        text = "No dice are seen, so their size cannot be told."
        return Finding("distance", Health.UNKNOWN, text, "Put some dice down and look again.")
    text = f"A die is {wide:.0f} pixels wide"
    if wide < FAR_PX:
        text += f"; {NEAR_ENOUGH_PX:.0f} or more read well."
        remedy = "Move the camera nearer, or choose a larger picture."
        return Finding("distance", Health.PROBLEM, text, remedy)
    if wide < NEAR_ENOUGH_PX:
        return Finding("distance", Health.OK, f"{text}: that will do; {NEAR_ENOUGH_PX:.0f} read better.")
    return Finding("distance", Health.OK, f"{text}: near enough.")


def _flicker(images: Sequence[Image]) -> Finding:
    if len(images) < 3 or len({image.shape for image in images}) > 1:
        text = "Flicker shows in several pictures only."
        return Finding("flicker", Health.UNKNOWN, text, "Look through the camera, not at one photograph.")
    whole, bands, drift = measures.flicker_of(images)
    if bands > BANDS:
        text = f"The lamp makes bands across the picture ({bands:.1%} of its light)."
        remedy = (
            "Set camera.mains_hz to 50 or 60 as your mains has it, or take a lamp that does not flicker."
        )
        return Finding("flicker", Health.PROBLEM, text, remedy)
    if whole > FLICKER and drift:
        text = f"The picture is still changing ({whole:.0%}): the camera adapts to the light."
        return Finding("flicker", Health.PROBLEM, text, "Wait a few seconds and look again.")
    if whole > FLICKER:
        text = f"The light flickers by {whole:.0%}."
        return Finding("flicker", Health.PROBLEM, text, "Take another lamp: cheap dimmed LEDs do this.")
    return Finding("flicker", Health.OK, "The light is steady.")


def _filled(image: Image, outlines: Sequence[Floats], grown: float = 1.25) -> measures.Mask:
    """Mark the dice (h, w), each grown by a factor: above 1 its rim is in, below 1 it is out."""
    mask = np.zeros(image.shape[:2], np.uint8)
    for outline in outlines:
        middle = outline.mean(axis=0)
        larger = np.round(middle + (outline - middle) * grown).astype(np.int32)
        cv2.fillConvexPoly(mask, larger, (1,))
    return mask.astype(bool)
