"""The live picture: encoded for those who look, no more often than it is worth."""

import cv2
import numpy as np

from companion.rules.events import DiceExpected
from vision.dice import Die
from vision.follow import Seen, Watching
from vision.frames import Frame
from vision.judgement import judge
from vision.live import INTERVAL_S, LOOKED_AT_S, SIDE_PX, LivePicture, Shown
from vision.settle import Scene, Stillness
from vision.throws import Reading
from vision.watch import why_unsure

SQUARE = np.array([(400, 300), (500, 300), (500, 400), (400, 400)], np.float32)


def shown(level=60):
    return Shown(Frame(np.full((960, 1280, 3), level, np.uint8), 0.0, "test"))


def test_nothing_is_encoded_until_somebody_looks_and_then_four_times_a_second_at_most():
    now = [0.0]
    live = LivePicture(lambda: now[0])
    assert live.look() is None
    pictures = []
    for n in range(60):  # two watchers look at every one of sixty frames in two seconds
        now[0] = n / 30
        live.show(shown(n))
        pictures += [live.look()[0], live.look()[0]]
    assert 2 / INTERVAL_S - 1 <= len(set(pictures)) <= 2 / INTERVAL_S + 1


def test_a_picture_that_stays_is_encoded_once():
    now = [0.0]
    live = LivePicture(lambda: now[0])
    live.show(shown())
    first, what = live.look()
    now[0] = 9.0
    assert live.look()[0] is first
    assert what is live.shown
    assert cv2.imdecode(np.frombuffer(first, np.uint8), cv2.IMREAD_COLOR).shape == (720, SIDE_PX, 3)


def test_it_knows_whether_somebody_looks():
    now = [0.0]
    live = LivePicture(lambda: now[0])
    assert not live.looked_at
    live.look()
    now[0] = LOOKED_AT_S / 2
    assert live.looked_at
    now[0] = 2 * LOOKED_AT_S
    assert not live.looked_at


def seen(dice, expected):
    scene = Scene(1.0, Stillness.STILL, 0.5, 1)
    return Seen(Watching.READING, scene, Reading(1.0, dice, judge(dice, expected)))


def test_why_it_is_unsure_is_a_sentence_and_nothing_if_it_is_sure():
    expected = DiceExpected((("white", 3),), partial=False)
    die = Die(SQUARE, "white", "4", 0.97)
    hazy = Die(SQUARE, "white", "4", 0.5, ("5",))
    assert why_unsure(seen((die, die, die), expected), expected) == ""
    assert "could be a 5" in why_unsure(seen((die, die, hazy), expected), expected)
    short = why_unsure(seen((die, die), expected), expected)
    assert short == "3 dice are expected, 2 seen: is one under the cup, in a hand or on the floor?"
    assert "are they under the cup" in why_unsure(seen((die,), expected), expected)
