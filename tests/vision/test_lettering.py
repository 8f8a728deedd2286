"""Words on pictures: whole, and not on one another."""

import numpy as np
import pytest

from vision.annotate import annotate
from vision.dice import Die
from vision.frames import Frame
from vision.judgement import Judgement, RollStatus
from vision.lettering import Words, caption, label

LONG = (
    "The white die read as 5 is out of focus: wipe the lens and focus it, or hold the phone further away."
)
INK = (250, 250, 250)


def plain(height: int = 480, width: int = 640) -> np.ndarray:
    return np.full((height, width, 3), 60, np.uint8)


def square(left: float, top: float, side: float = 60.0) -> np.ndarray:
    return np.array(
        [(left, top), (left + side, top), (left + side, top + side), (left, top + side)], np.float32
    )


def inked(before: np.ndarray, after: np.ndarray) -> tuple[int, int, int, int]:
    """Left, top, right and bottom of what was written."""
    rows, columns = np.nonzero((before != after).any(axis=2))
    return columns.min(), rows.min(), columns.max() + 1, rows.max() + 1


@pytest.mark.parametrize("width", [240, 640, 1280])
def test_a_long_sentence_stays_within_the_picture(width: int) -> None:
    image, words = plain(480, width), Words(LONG, 0.7, INK)
    place = caption(image, words, [])
    left, top, right, bottom = inked(plain(480, width), image)
    assert left >= 0
    assert right < width  # ink at the last column would be a letter cut off
    assert 0 <= top < bottom <= place.bottom + 8


def test_a_narrow_picture_has_more_lines() -> None:
    deep = [caption(plain(480, width), Words(LONG, 0.7, INK), []).bottom for width in (240, 640, 1280)]
    assert deep[0] > 2 * deep[1] > 2 * deep[2]


def test_a_sentence_goes_where_no_dice_lie() -> None:
    words = Words(LONG, 0.7, INK)
    assert caption(plain(), words, [square(100, 400)]).top == 0
    assert caption(plain(), words, [square(100, 10)]).bottom == 480


def test_labels_of_touching_dice_do_not_cover_each_other_or_the_dice() -> None:
    outlines = [square(200 + 62 * column, 200 + 62 * row) for row in range(2) for column in range(2)]
    words, taken = Words("1? 55%", 0.7, INK), []
    for n, outline in enumerate(outlines):
        taken.append(label(plain(), words, outline, taken, outlines[:n] + outlines[n + 1 :]))
    for n, box in enumerate(taken):
        assert all(box.shared(other) == 0 for other in taken[:n])
        within = [
            (x, y)
            for x, y in np.mean(outlines, axis=1)
            if box.left < x < box.right and box.top < y < box.bottom
        ]
        assert within == []


@pytest.mark.parametrize(("left", "top"), [(0, 0), (580, 0), (0, 420), (580, 420)])
def test_the_label_of_a_die_in_a_corner_is_whole(left: float, top: float) -> None:
    box = label(plain(), Words("4 coloured? 31%", 0.6, INK), square(left, top), [], [])
    assert min(box.left, box.top) >= -0.01 * 640
    assert box.right <= 640 * 1.01
    assert box.bottom <= 480 * 1.01


def test_a_photograph_tells_its_whole_reason() -> None:
    reason = f"7 dice are seen, 8 should lie here. {LONG}"
    frame = Frame(plain(), 0.0, "test")
    dice = [Die(square(300, 220), "white", "5", 0.4)]
    drawn = annotate(frame, dice, Judgement(RollStatus.WRONG_COUNT, reason, 0.4))
    _, _, right, _ = inked(plain(), drawn)
    assert right < 640
    assert len(np.nonzero((drawn[:, 400:] != 60).any(axis=(1, 2)))[0]) > 40  # several lines of it
