"""Evidence: pictures with what was read drawn over them."""

import cv2
import numpy as np
import pytest

from vision.annotate import EVIDENCE_SIDE_PX, annotate, encode_jpeg, evidence
from vision.dice import Die
from vision.frames import Frame
from vision.judgement import judge

SQUARE = np.array([(400, 300), (500, 300), (500, 400), (400, 400)], np.float32)


def frame(height: int = 600, width: int = 800) -> Frame:
    return Frame(np.full((height, width, 3), 60, np.uint8), 0.0, "test")


def test_the_outline_is_green_when_sure_and_not_when_unsure() -> None:
    drawn = {}
    for confidence in (0.95, 0.5, 0.1):
        dice = (Die(SQUARE, "white", "4", confidence),)
        drawn[confidence] = tuple(int(v) for v in annotate(frame(), dice)[350, 400])
    assert drawn[0.95][1] == max(drawn[0.95])
    assert len(set(drawn.values())) == 3


def test_the_frame_itself_stays_as_it_was() -> None:
    picture = frame()
    dice = (Die(SQUARE, "coloured", "4"),)
    annotated = annotate(picture, dice, judge(dice, None))
    assert (picture.image == 60).all()
    assert (annotated != 60).any()


def test_evidence_is_a_jpeg_of_bounded_size_with_the_outline_in_place() -> None:
    data = evidence(frame(1500, 2000), (Die(SQUARE * 2.5, "white", "4", 0.95),))
    image = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert image.shape[1] == EVIDENCE_SIDE_PX
    scale = EVIDENCE_SIDE_PX / 2000
    x, y = (int(v * 2.5 * scale) for v in (450, 300))
    assert np.abs(image[y - 3 : y + 4, x].astype(int) - 60).max() > 60


def test_a_picture_without_pixels_is_refused() -> None:
    with pytest.raises(ValueError, match="without pixels"):
        encode_jpeg(np.zeros((0, 5, 3), np.uint8))
