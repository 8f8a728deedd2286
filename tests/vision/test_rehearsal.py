"""The rehearsal table: what its commands do to what its camera sees."""

import queue
import random
import threading

import numpy as np
import pytest

from vision.camera import CameraState
from vision.rehearsal import IDLE_INTERVAL_S, INTERVAL_S, LIVELY_S, SIZE_PX, RehearsalTray
from vision.rendered import FACES, _face


class Clock:
    """Seconds that go on only when told."""

    def __init__(self):
        self.now = 50.0

    def __call__(self):
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def tray(clock):
    return RehearsalTray(chance=random.Random(4), monotonic=clock)


def changed(before, after):
    """Fraction of pixels that differ by more than noise."""
    return float((np.abs(before.image.astype(int) - after.image).max(axis=2) > 25).mean())


def test_it_lies_full_of_dice_that_do_not_touch(tray):
    assert [die.kind for die in tray.dice] == ["white"] * 7 + ["coloured"]
    places = np.array([(die.x, die.y) for die in tray.dice])
    apart = np.linalg.norm(places[:, None] - places[None], axis=2) + np.eye(8) * 1000
    assert apart.min() > 66 * 1.42
    assert (places > 66).all()
    assert (places < np.array(SIZE_PX) - 66).all()


def test_two_pictures_at_rest_differ_by_noise_only(tray):
    first, second = tray.frame(60.0), tray.frame(60.1)
    assert not np.array_equal(first.image, second.image)
    assert changed(first, second) == 0
    assert np.array_equal(first.image, tray.frame(60.0).image)


def test_a_throw_shows_the_faces_given_and_keeps_those_held(tray, clock):
    before = tray.dice
    tray.throw(list("654321"), hold=[0, 7])
    assert (tray.dice[0], tray.dice[7]) == (before[0], before[7])
    assert [die.face for die in tray.dice[1:7]] == list("654321")
    moving = [
        changed(tray.frame(clock.now + s), tray.frame(clock.now + s + 0.05)) for s in (0.1, 0.2, 0.3, 0.4)
    ]
    assert min(moving) > 0.002
    assert changed(tray.frame(clock.now + 0.7), tray.frame(clock.now + 0.8)) == 0


def test_chance_decides_the_faces_and_the_same_chance_the_same(clock):
    def faces(seed):
        tray = RehearsalTray(chance=random.Random(seed), monotonic=clock)
        tray.throw()
        return [die.face for die in tray.dice]

    assert faces(1) == faces(1)
    assert {tuple(faces(seed)) for seed in range(5)} != {tuple(faces(1))}


def test_a_nudge_moves_one_die_and_keeps_its_face(tray, clock):
    before = tray.dice
    tray.nudge(3)
    assert [n for n in range(8) if tray.dice[n] != before[n]] == [3]
    assert tray.dice[3].face == before[3].face
    assert 15 < abs(tray.dice[3].x - before[3].x) < 40


def test_a_cocked_die_shows_another_face_beside_its_own(tray, clock):
    tray.cocked(2)
    die = tray.dice[2]
    assert die.leaning
    assert int(die.leaning) not in (int(die.face), 7 - int(die.face))


def test_a_hand_comes_over_the_tray_and_goes(tray, clock):
    clear = tray.frame(clock.now)
    tray.cover(True)
    assert changed(clear, tray.frame(clock.now + 0.5)) > 0.2
    clock.now += 1
    tray.cover(False)
    assert changed(clear, tray.frame(clock.now + 0.5)) == 0


def test_the_lamp_dims_the_picture(tray, clock):
    bright = tray.frame(clock.now).image.mean()
    tray.lamp(0.5)
    assert tray.frame(clock.now).image.mean() == pytest.approx(bright / 2, rel=0.03)
    tray.lamp(0)
    assert tray.frame(clock.now).image.mean() < 2


def test_a_die_taken_away_is_gone_and_others_laid_are_there(tray):
    tray.remove(0)
    assert len(tray.dice) == 7
    tray.lay([("white", 2)])
    assert [die.kind for die in tray.dice] == ["white"] * 2


def test_a_crowded_tray_still_finds_places(clock):
    assert len(RehearsalTray([("white", 60)], chance=random.Random(1), monotonic=clock).dice) == 60


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (lambda tray: tray.nudge(8), "no die number 8"),
        (lambda tray: tray.cocked(-1), "no die number -1"),
        (lambda tray: tray.remove(99), "no die number 99"),
        (lambda tray: tray.throw(hold=[9]), "no die number 9"),
        (lambda tray: tray.throw(["1"]), "8 dice are thrown"),
        (lambda tray: tray.throw(["7"] * 8), "faces that they have"),
        (lambda tray: tray.lamp(3), "from 0 to 2"),
    ],
)
def test_a_command_that_cannot_be_is_refused(tray, command, words):
    before = tray.dice
    with pytest.raises(ValueError, match=words):
        command(tray)
    assert tray.dice == before


def test_pictures_come_fast_while_something_happens_and_slowly_at_rest(tray, clock):
    clock.now += 10
    first = tray.latest(0.0, 0)
    assert first.at == clock.now
    assert tray.latest(first.at, 0) is None
    clock.now += IDLE_INTERVAL_S * 0.9
    assert tray.latest(first.at, 0) is None
    clock.now += IDLE_INTERVAL_S * 0.2
    second = tray.latest(first.at, 0)
    tray.throw()
    clock.now += INTERVAL_S * 1.01
    third = tray.latest(second.at, 0)
    assert third.at == clock.now
    clock.now += LIVELY_S + 1
    fourth = tray.latest(third.at, 0)
    clock.now += INTERVAL_S * 1.01
    assert tray.latest(fourth.at, 0) is None


def test_a_waiting_reader_is_woken_by_a_command_and_by_closing():
    tray = RehearsalTray(chance=random.Random(1))  # a real clock: this is about threads
    frame = tray.latest(0.0, 5)
    got = queue.SimpleQueue()
    reader = threading.Thread(target=lambda: got.put(tray.latest(frame.at + 3600, 3600)))
    reader.start()
    tray.close()
    assert got.get(timeout=5) is None
    assert tray.state is CameraState.CLOSED
    assert tray.latest(0.0, 5) is None
    reader.join(5)


@pytest.mark.parametrize(("kind", "faces"), FACES.items())
def test_dice_of_other_kinds_show_their_own_faces_and_no_others(tray, clock, kind, faces):
    tray.lay(((kind, len(faces)),))
    tray.throw(faces)
    clock.now += 5.0
    assert [die.face for die in tray.dice] == list(faces)
    assert len({_face(kind, face, 40).tobytes() for face in faces}) == len(faces)
    tray.cocked(0)
    assert tray.dice[0].leaning in faces[1:]
    with pytest.raises(ValueError, match="faces that they have"):
        tray.throw(["6"] * len(faces))
