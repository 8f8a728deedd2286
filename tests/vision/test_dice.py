"""The reader on drawn dice: values, kinds, places, and what it must not see."""

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected
from drawn import BLACK, BLUE, PALE, RED, YELLOW, draw, photographed, rolled, table
from vision import rendered
from vision.dice import Die, read
from vision.frames import Frame
from vision.judgement import SURE

MOSS = DiceExpected((("white", 7), ("coloured", 1)))


def seen(image: np.ndarray, expected: DiceExpected | None = None) -> tuple[Die, ...]:
    return read(Frame(image, 0.0, "test"), expected)


def faces(dice: tuple[Die, ...]) -> list[str]:
    return [die.face for die in dice]


@pytest.mark.parametrize("turn", [0, 15, 33, 45, 70])
@pytest.mark.parametrize("face", "123456")
def test_each_face_at_any_turn(face: str, turn: float) -> None:
    image = table()
    draw(image, face, (300, 220), turn=turn)
    (die,) = seen(photographed(image))
    assert die.face == face
    assert die.kind == "white"
    assert np.abs(die.outline.mean(axis=0) - (300, 220)).max() < 3


@pytest.mark.parametrize("face", ["1", "4"])
@pytest.mark.parametrize("turn", [0, 15, 30, 45, 60, 75])
def test_the_outline_is_turned_like_the_die(face: str, turn: float) -> None:
    image = table()
    draw(image, face, (300, 220), turn=turn, side=70)
    (die,) = seen(photographed(image))
    edge = die.outline[1] - die.outline[0]
    off = (np.degrees(np.arctan2(edge[1], edge[0])) - turn + 45) % 90 - 45
    assert abs(off) < 6


@pytest.mark.parametrize("side", [34, 56, 90])
def test_dice_of_any_size(side: float) -> None:
    assert sorted(faces(seen(rolled("122345566", side=side)))) == list("122345566")


def test_dice_come_in_reading_order() -> None:
    assert faces(seen(rolled("31625"))) == list("31625")


@pytest.mark.parametrize("lower", range(0, 60, 7))
def test_a_row_is_a_row_wherever_it_lies(lower: int) -> None:
    """Its dice lie a little higher and lower than each other, and rows lie at any height of the picture."""
    image = table()
    for n, face in enumerate("3162"):
        draw(image, face, (100 + 130 * n, 70 + lower + 16 * (n % 2)))
    draw(image, "5", (170, 170 + lower))
    assert faces(seen(photographed(image))) == list("31625")


def moss_roll() -> np.ndarray:
    image = rolled("1234561")
    draw(image, "5", (535, 220), turn=20, body=RED, ink=PALE)
    return photographed(image)


@pytest.mark.parametrize("expected", [None, MOSS])
def test_the_coloured_die_is_told_from_the_white_ones(expected: DiceExpected | None) -> None:
    dice = seen(moss_roll(), expected)
    assert [d.face for d in dice if d.kind == "coloured"] == ["5"]
    assert sorted(d.face for d in dice if d.kind == "white") == list("1123456")


def test_a_coloured_die_with_dark_pips_and_one_under_a_warm_lamp() -> None:
    image = rolled("1234561")
    draw(image, "3", (535, 220), turn=20, body=YELLOW, ink=BLACK)
    warm = np.clip(photographed(image) * np.array([0.62, 0.85, 1.0]), 0, 255).astype(np.uint8)
    for picture in (photographed(image), warm):
        assert [d.face for d in seen(picture, MOSS) if d.kind == "coloured"] == ["3"]


def test_dark_dice_are_coloured_and_read() -> None:
    image = table(colour=(190, 195, 200))
    for n, body in enumerate([BLUE, RED, BLACK]):
        draw(image, "246"[n], (140 + 170 * n, 200), turn=25 * n, body=body, ink=PALE)
    dice = seen(photographed(image))
    assert faces(dice) == list("246")
    assert {d.kind for d in dice} == {"coloured"}


def test_the_only_kind_expected_names_all() -> None:
    dice = seen(rolled("25"), DiceExpected((("suspect", 2),)))
    assert [(d.kind, d.face) for d in dice] == [("suspect", "2"), ("suspect", "5")]


@pytest.mark.parametrize("gap", [57, 60])
@pytest.mark.parametrize("turn", [0, 20])
def test_touching_dice_are_counted_apart(gap: float, turn: float) -> None:
    image = rendered.felt(640, 480).copy()
    for n, face in enumerate("6346"):
        rendered.draw_die(image, "white", face, (200 + gap * n, 220 + 6 * (n % 2)), turn * (n % 2), 56)
    assert faces(seen(photographed(image))) == list("6346")


def test_a_tilted_camera_changes_nothing() -> None:
    flat = rolled("123456")
    corners = np.array([(0, 0), (640, 0), (640, 480), (0, 480)], np.float32)
    tilted = np.array([(90, 90), (550, 90), (640, 420), (0, 420)], np.float32)
    turn = cv2.getPerspectiveTransform(corners, tilted)
    image = cv2.warpPerspective(flat, turn, (640, 480), borderValue=(70, 105, 60))
    assert sorted(faces(seen(image))) == list("123456")


def in_shadow(image: np.ndarray, blur_px: float) -> np.ndarray:
    """The right part at half the light, the edge running across dice."""
    light = np.ones(image.shape[:2], np.float32)
    light[:, 260:] = 0.55
    if blur_px:
        light = cv2.GaussianBlur(light, (0, 0), blur_px)
    return (image * light[..., None]).astype(np.uint8)


def test_a_shadow_with_a_soft_edge_changes_nothing() -> None:
    assert sorted(faces(seen(in_shadow(rolled("123456"), 8)))) == list("123456")


def test_a_shadow_with_a_hard_edge_is_never_surely_wrong() -> None:
    dice = seen(in_shadow(rolled("123456"), 0))
    assert sorted(faces(dice)) == list("123456") or min(d.confidence for d in dice) < SURE


def test_an_empty_table_shows_no_dice() -> None:
    rng = np.random.default_rng(5)
    for colour in ((200, 200, 200), (40, 60, 90)):
        assert seen(photographed(table(colour=colour))) == ()
    weave = rng.normal(120, 25, (480, 640, 1)).repeat(3, axis=2).clip(0, 255).astype(np.uint8)
    assert seen(cv2.GaussianBlur(weave, (0, 0), 1.5)) == ()


def test_buttons_and_print_are_not_dice() -> None:
    image = table(colour=(200, 205, 205))
    for n in range(5):
        cv2.circle(image, (80 + 120 * n, 120), 22, (60, 40, 40), -1, cv2.LINE_AA)
    cv2.putText(image, "DETECTIVE i : ;", (60, 320), cv2.FONT_HERSHEY_SIMPLEX, 1.6, BLACK, 3, cv2.LINE_AA)
    dice = seen(photographed(image))
    assert not [d for d in dice if d.confidence * d.complete >= 0.5]


def test_a_die_covered_by_half_makes_the_rest_no_surer() -> None:
    image = rolled("1234")
    whole = seen(image)
    image[:92] = np.where(np.arange(640)[None, :, None] > 440, FELT_ROW, image[:92])
    assert min(d.confidence for d in seen(image)) <= min(d.confidence for d in whole)


FELT_ROW = np.full((92, 640, 3), (70, 105, 60), np.uint8)


@pytest.mark.parametrize("shape", [(1, 1), (3, 700), (24, 24), (2000, 30)])
def test_any_shape_of_picture_is_taken(shape: tuple[int, int]) -> None:
    assert seen(np.full((*shape, 3), 128, np.uint8)) == ()
