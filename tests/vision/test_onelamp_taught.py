"""Fingerprint dice that were shown, read under other lamps: by their own paints, all together."""

from dataclasses import replace

import numpy as np
import pytest

from companion.rules.events import DiceExpected
from vision.dice import dice_of
from vision.faceheads import COLOURS, EMBEDDING, STATES, SYMBOLS
from vision.judgement import SURE, RollStatus, judge
from vision.looks import Looks
from vision.onelamp import UNSEEN
from vision.onelamp_palette import Palette, palette_of
from vision.onelamp_taught import judged, trusted
from vision.places import Places
from vision.taught import Taught

PAINTS = {
    "green": (0.05, 0.28, 0.07),
    "red": (0.55, 0.05, 0.05),
    "yellow": (0.85, 0.55, 0.05),
    "blue": (0.05, 0.13, 0.5),
    "brown": (0.19, 0.08, 0.05),
    "purple": (0.21, 0.06, 0.3),
}
"""Linear light in R, G, B under the lamp of the lesson."""

FELT, WOOD = (0.1, 0.2, 0.12), (0.5, 0.3, 0.16)
DAY = (1.0, 1.0, 1.0)
LAMPS = [(1.35, 1.0, 0.55), (0.8, 1.0, 1.6), (0.45, 0.3, 0.16), (0.25, 0.3, 0.42)]
"""Warm, cold, warm and dim, dusk: the gain of each colour."""

UNDECIDED = np.full((1, 6), 1 / 6, np.float32)


def light(paint, lamp=DAY, gloss=0.0):
    clear = np.array(lamp) * (np.array(paint) + gloss)
    return np.log(clear / np.cbrt(1 + clear**3) + 0.05).astype(np.float32)


def shown(paints=PAINTS, surface=FELT, extra=()):
    """Four dice of each colour with more and less gloss; ``extra``: what else was taken for them."""
    rows = [(c, light(paints[c], gloss=g)) for c in COLOURS for g in (0.0, 0.01, 0.03, 0.08)]
    rows += [(c, light(paint)) for c, paint in extra]
    colours = np.array([COLOURS.index(c) for c, _ in rows], np.intp)
    return Palette.of(colours, np.array([seen for _, seen in rows]), np.array([light(surface)] * len(rows)))


def read(colours, lamp, *, palette=None, ground=FELT, paints=PAINTS, said=None, gloss=0.0):
    """What is made of dice of these colours under a lamp, if nothing else is known of them."""
    count = len(colours)
    around = np.array(UNSEEN, np.float32) if ground is None else light(ground, lamp)
    told = judged(
        palette or shown(),
        np.repeat(UNDECIDED, count, axis=0),
        np.zeros((count, 6), np.float32) if said is None else said,
        np.array([light(paints[c], lamp, gloss) for c in colours]),
        around,
    )
    assert told.shape == (count, 6)
    assert told.sum(axis=1) == pytest.approx(1, abs=1e-4)
    return [COLOURS[n] for n in told.argmax(axis=1)], told


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("gloss", [0.0, 0.05])
def test_the_same_dice_are_read_under_warm_cold_and_dim_lamps(lamp, gloss):
    assert read(COLOURS, lamp, gloss=gloss)[0] == list(COLOURS)


@pytest.mark.parametrize("lamp", LAMPS)
@pytest.mark.parametrize("colour", COLOURS)
def test_one_die_alone_is_read_by_the_surface_round_it(colour, lamp):
    assert read([colour], lamp)[0] == [colour]


def test_one_die_alone_on_a_surface_that_is_not_seen_is_less_certain():
    colour = COLOURS.index("brown")
    known, unknown = (read(["brown"], LAMPS[0], ground=g)[1][0, colour] for g in (FELT, None))
    assert unknown < known


@pytest.mark.parametrize("lamp", [DAY, *LAMPS])
def test_on_another_surface_the_dice_tell_the_lamp_together(lamp):
    assert read(COLOURS, lamp, ground=WOOD)[0] == list(COLOURS)


@pytest.mark.parametrize("lamp", LAMPS)
def test_a_black_tray_tells_no_lamp_but_the_dice_do(lamp):
    black = (0.003, 0.003, 0.003)
    assert read(COLOURS, lamp, palette=shown(surface=black), ground=black)[0] == list(COLOURS)


def test_paints_that_cannot_be_told_apart_are_asked():
    alike = {**PAINTS, "purple": PAINTS["brown"]}
    _, told = read(["brown", "red", "blue"], LAMPS[0], palette=shown(alike), paints=alike)
    brown, purple = (told[0, COLOURS.index(c)] for c in ("brown", "purple"))
    assert brown == pytest.approx(purple, abs=0.02)
    assert trusted(float(told[0].max())) < SURE / 2


def test_nothing_is_certain_that_looks_like_another_colour():
    said = np.zeros((6, 6), np.float32)
    said[np.arange(6), np.arange(6)] = 0.3
    agreed = read(COLOURS, LAMPS[1], said=said)[1]
    said[4] = np.roll(said[4], 1)
    disputed = read(COLOURS, LAMPS[1], said=said)[1]
    assert trusted(float(agreed[4].max())) > 0.9
    assert trusted(float(disputed[4].max())) < SURE
    alone = read(["brown"], LAMPS[1], said=said[4:5])[1]
    assert trusted(float(alone.max())) < SURE


def test_dice_of_which_too_little_is_seen_are_named_by_what_they_look_like():
    said = np.zeros((2, 6), np.float32)
    said[:, 3] = 0.2
    unseen = np.array([UNSEEN, light(PAINTS["blue"])], np.float32)
    told = judged(shown(), np.repeat(UNDECIDED, 2, axis=0), said, unseen, light(FELT))
    assert list(told.argmax(axis=1)) == [3, 3]
    told = judged(shown(), np.repeat(UNDECIDED, 2, axis=0), said, np.array([UNSEEN] * 2), light(FELT))
    assert list(told.argmax(axis=1)) == [3, 3]


def test_what_was_no_die_in_the_lesson_changes_no_paint():
    clean, cluttered = shown(), shown(extra=[("brown", (0.9, 0.9, 0.85)), ("brown", (0.05, 0.3, 0.1))])
    assert cluttered.paints == pytest.approx(clean.paints, abs=1e-6)
    assert cluttered.spreads == pytest.approx(clean.spreads, abs=0.01)


def test_a_lesson_under_changing_exposure_is_brought_together_by_its_surface():
    lamps = (DAY, (2.0, 2.0, 2.0), (1.2, 1.0, 0.7), (0.5, 0.5, 0.5))
    rows = [(c, lamp) for c in COLOURS for lamp in lamps]
    palette = Palette.of(
        np.array([COLOURS.index(c) for c, _ in rows], np.intp),
        np.array([light(PAINTS[c], lamp) for c, lamp in rows]),
        np.array([light(FELT, lamp) for _, lamp in rows]),
    )
    assert read(COLOURS, LAMPS[0], palette=palette)[0] == list(COLOURS)


def test_a_gallery_without_light_or_without_some_colour_has_no_palette():
    looks = np.eye(2, EMBEDDING, dtype=np.float32)
    bare = lit = Taught()
    for colour in COLOURS:
        lit = lit.add("fingerprint", colour, looks, np.array([light(PAINTS[colour])] * 2), light(FELT))
        bare = bare.add("fingerprint", colour, looks)
    assert palette_of(lit) is not None
    assert palette_of(bare) is None
    assert palette_of(Taught()) is None
    five = [n for n, (_, face) in enumerate(lit.faces) if face != "brown"]
    assert palette_of(lit._take(five)) is None


def test_the_reader_uses_the_light_where_the_lesson_measured_it():
    """All dice look alike to the embedding here: light alone tells them apart, so the roll is asked."""
    taught = Taught()
    for colour in COLOURS:
        alike = np.ones((2, EMBEDDING), np.float32)
        taught = taught.add(
            "fingerprint", colour, alike, np.array([light(PAINTS[colour])] * 2), light(FELT)
        )
    expected = DiceExpected((("fingerprint", 6),), faces=COLOURS, partial=False)
    seen = prints_under(LAMPS[0])
    dice = dice_of(seen, expected, taught)
    assert [die.face for die in dice] == list(COLOURS)
    assert judge(dice, expected).status is RollStatus.DOUBTFUL
    nothing = np.full_like(taught.lights, np.nan)
    assert len(dice_of(seen, expected, replace(taught, lights=nothing, grounds=nothing))) == 6


def prints_under(lamp):
    """Six prints of six colours side by side, that the networks cannot tell apart."""
    said = np.full((6, len(SYMBOLS)), 1e-5, np.float32)
    said[:, SYMBOLS.index("fingerprint")] = 1
    states = np.full((6, len(STATES)), 0.01, np.float32)
    states[:, STATES.index("flat")] = 0.96
    square = np.array(((0, 0), (40, 0), (40, 40), (0, 40)), np.float32)
    looks = Looks(
        symbols=said,
        colours=np.full((6, 6), 1 / 6, np.float32),
        white=np.zeros(6, np.float32),
        tint=np.ones(6, np.float32),
        light=np.array([light(PAINTS[c], lamp) for c in COLOURS]),
        blur=np.full(6, 0.12, np.float32),
        states=states,
        corners=np.array([square + np.float32((60 * n + 10, 10)) for n in range(6)], np.float32),
        embeddings=np.ones((6, EMBEDDING), np.float32),
    )
    sure = np.full(6, 0.9999, np.float32)
    flat = np.zeros(6, bool)
    return Places(
        sure, sure, looks, np.ones(6, np.float32), np.zeros((6, 1), np.float32), flat, light(FELT, lamp)
    )


def test_trust_grows_with_the_probability_and_is_stricter_than_it():
    told = [trusted(p) for p in (0.0, 0.5, 0.9, 0.99, 0.9999, 1.0)]
    assert told == sorted(told)
    assert told[2] < SURE
    assert told[-1] > 0.99
