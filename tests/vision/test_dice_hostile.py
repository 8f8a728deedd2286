"""Pictures nobody would take of dice: never an error, never slow, never surely dice."""

import time
from collections.abc import Callable

import cv2
import numpy as np
import pytest

from companion.rules.events import DiceExpected
from drawn import draw, photographed, rolled, table
from vision.dice import Die, read
from vision.frames import Frame
from vision.judgement import RollStatus, judge

SLOWEST_S = 2.0
"""Of computing: the machine may be busy with other things."""

MOSS = DiceExpected((("white", 7), ("coloured", 1)))
ONE = DiceExpected((("white", 1),), partial=False)

Make = Callable[[np.random.Generator], np.ndarray]


def seen(image: np.ndarray, expected: DiceExpected | None = None) -> tuple[Die, ...]:
    return read(Frame(image, 0.0, "test"), expected)


def plain(value: int, width: int = 640, height: int = 480) -> np.ndarray:
    return np.full((height, width, 3), value, np.uint8)


def noise(rng: np.random.Generator) -> np.ndarray:
    return rng.integers(0, 256, (600, 800, 3), dtype=np.uint8)


def soft_noise(rng: np.random.Generator) -> np.ndarray:
    grain = rng.normal(0, 1, (600, 800, 1)).astype(np.float32)
    blurred = cv2.GaussianBlur(grain, (0, 0), float(rng.uniform(1, 6)))
    spread = 40 / blurred.std()
    return np.clip(128 + spread * blurred[..., None].repeat(3, axis=2), 0, 255).astype(np.uint8)


def gradient(rng: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[0:600, 0:800] / 800
    slope = rng.uniform(-200, 200, (2, 3))
    return np.clip(128 + x[..., None] * slope[0] + y[..., None] * slope[1], 0, 255).astype(np.uint8)


def checkerboard(rng: np.random.Generator) -> np.ndarray:
    side = int(rng.integers(6, 60))
    y, x = np.mgrid[0:600, 0:800] // side
    return photographed(((x + y) % 2 * 200 + 25).astype(np.uint8)[..., None].repeat(3, axis=2))


def dots(rng: np.random.Generator) -> np.ndarray:
    """A cloth with a regular pattern of dots."""
    image, pitch = table(800, 600, (200, 205, 210)), int(rng.integers(16, 50))
    for y in range(pitch, 600, pitch):
        for x in range(pitch, 800, pitch):
            cv2.circle(image, (x, y), max(2, pitch // 5), (40, 35, 30), -1, cv2.LINE_AA)
    return photographed(image)


def newspaper(rng: np.random.Generator) -> np.ndarray:
    image, size = table(800, 1000, (215, 222, 225)), float(rng.uniform(0.4, 0.8))
    letters = np.array(list("eioaBDOQ8:;. ,ghtrs0%"))
    for y in range(30, 1000, round(36 * size)):
        text = "".join(rng.choice(letters, 90))
        cv2.putText(image, text, (8, y), cv2.FONT_HERSHEY_COMPLEX, size, (50, 45, 45), 1, cv2.LINE_AA)
    return photographed(image)


def clutter(rng: np.random.Generator) -> np.ndarray:
    """Discs and boxes anywhere, in any colour."""
    image = table(800, 600, tuple(int(v) for v in rng.integers(0, 256, 3)))
    for _ in range(60):
        x, y, r = (int(v) for v in rng.integers((0, 0, 4), (800, 600, 40)))
        colour = tuple(int(v) for v in rng.integers(0, 256, 3))
        cv2.circle(image, (x, y), r, colour, -1, cv2.LINE_AA)
        cv2.rectangle(image, (y, x), (y + 2 * r, x + r), colour, -1, cv2.LINE_AA)
    return photographed(image)


WITHOUT_DICE: dict[str, Make] = {
    make.__name__: make for make in (noise, soft_noise, gradient, checkerboard, dots, newspaper, clutter)
}


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", WITHOUT_DICE)
def test_pictures_without_dice_are_never_a_sure_roll(name: str, seed: int) -> None:
    image = WITHOUT_DICE[name](np.random.default_rng(seed))
    for expected in (None, MOSS, ONE):
        start_s = time.thread_time()
        dice = seen(image, expected)
        assert time.thread_time() - start_s < SLOWEST_S
        assert judge(dice, expected).status is not RollStatus.SURE


@pytest.mark.parametrize("value", [0, 255])
@pytest.mark.parametrize(
    "shape", [(1, 1), (1, 4000), (4000, 1), (3000, 2), (9000, 5), (2, 2), (47, 47), (480, 640)]
)
def test_blank_pictures_of_any_shape_show_nothing(value: int, shape: tuple[int, int]) -> None:
    for expected in (None, MOSS):
        assert seen(plain(value, *shape), expected) == ()


def test_twentyfive_megapixels_are_not_slow() -> None:
    image = cv2.resize(rolled("1234561"), (5000, 5000), interpolation=cv2.INTER_LINEAR)
    start_s = time.thread_time()
    seen(image, MOSS)
    assert time.thread_time() - start_s < SLOWEST_S


@pytest.mark.parametrize("pixels", [0, 1])
def test_pictures_of_almost_no_rows_are_taken(pixels: int) -> None:
    line = np.random.default_rng(3).integers(0, 256, (pixels + 1, 900, 3), dtype=np.uint8)
    assert judge(seen(line), None).status is not RollStatus.SURE


@pytest.mark.parametrize("cut", [0.2, 0.35, 0.5, 0.65, 0.8])
@pytest.mark.parametrize("face", "123456")
def test_a_die_cut_by_the_border_is_read_right_or_doubted(face: str, cut: float) -> None:
    image = table()
    draw(image, "5", (420, 240), side=80, turn=20)
    draw(image, face, (150, 80 * (0.5 - cut)), side=80)
    dice = seen(photographed(image), None)
    read_all = sorted(d.face for d in dice) == sorted(["5", face])
    whole_only = cut >= 0.5 and [d.face for d in dice] == ["5"]
    assert read_all or whole_only or judge(dice, None).status is not RollStatus.SURE


@pytest.mark.parametrize("face", "123456")
def test_a_die_at_the_wall_of_the_tray_is_whole(face: str) -> None:
    image = table()
    draw(image, "5", (420, 240), side=80, turn=20)
    draw(image, face, (150, 41), side=80)
    dice = seen(photographed(image), None)
    assert sorted(d.face for d in dice) == sorted(["5", face])
    assert [d.state for d in dice] == ["flat", "flat"]


def test_a_die_cut_away_is_missed_and_asked_for() -> None:
    image = table()
    for n, face in enumerate("2345"):
        draw(image, face, (90 + 130 * n, 200), turn=17 * n)
    cut = photographed(image)[:, :470]
    judged = judge(seen(cut, ONE_MORE), ONE_MORE)
    assert judged.status in {RollStatus.WRONG_COUNT, RollStatus.DOUBTFUL}


ONE_MORE = DiceExpected((("white", 4),), partial=False)


@pytest.mark.parametrize("turns", [1, 2, 3])
def test_a_picture_turned_shows_the_same_dice(turns: int) -> None:
    image = rolled("12345566")
    turned = np.ascontiguousarray(np.rot90(image, turns))
    assert sorted(d.face for d in seen(turned)) == sorted(d.face for d in seen(image))


@pytest.mark.parametrize("seed", range(6))
def test_dice_among_clutter_are_read_right_or_doubted(seed: int) -> None:
    rng = np.random.default_rng(100 + seed)
    image = clutter(rng)
    for n, face in enumerate("3651"):
        draw(image, face, (120 + 180 * n, 300), side=64, turn=float(rng.uniform(0, 90)))
    expected = DiceExpected((("white", 4),), partial=False)
    dice = seen(photographed(image), expected)
    right = sorted(d.face for d in dice) == sorted("3651")
    assert right or judge(dice, expected).status is not RollStatus.SURE
