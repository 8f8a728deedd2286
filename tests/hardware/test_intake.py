"""From a callback's blocks to pieces of sound on the table's clock."""

import numpy as np
import pytest

from hardware.intake import JUMP_S, Block, ClockTie, Intake, LouderChannel

RATE, FRAMES = 48000, 480


def block(began, *, channels=1, lost=False, frames=FRAMES):
    return Block(np.zeros((frames, channels), np.float32), began, lost)


def test_jitter_is_smoothed():
    chance, tie = np.random.default_rng(1), ClockTie(RATE)
    seen = [n * 0.01 + 100 + chance.uniform(-0.003, 0.003) for n in range(6000)]
    tied = [tie.began(FRAMES, at) for at in seen]
    late = [at - n * 0.01 - 100 for n, at in enumerate(tied)]
    assert max(map(abs, late[2000:])) < 0.0005
    steps = np.diff(tied)
    assert np.abs(steps - 0.01).max() < 0.0001


def test_a_card_that_runs_fast_is_followed():
    """100 parts in a million: a third of a second in an hour if nobody minded."""
    tie = ClockTie(RATE)
    for n in range(360_000):
        at = tie.began(FRAMES, n * 0.01 * (1 - 1e-4))
    assert at == pytest.approx(n * 0.01 * (1 - 1e-4), abs=0.0006)


def test_a_callback_that_comes_late_moves_nothing():
    tie = ClockTie(RATE)
    late = {100: 0.08, 101: 0.07, 102: 0.06, 250: 0.3}
    tied = [tie.began(FRAMES, n * 0.01 + late.get(n, 0.0)) for n in range(400)]
    assert tied == pytest.approx([n * 0.01 for n in range(400)], abs=1e-6)


def test_blocks_that_stay_late_were_recorded_late():
    tie = ClockTie(RATE)
    tied = [tie.began(FRAMES, n * 0.01 + (0.1 if n >= 100 else 0.0)) for n in range(400)]
    assert tied[100] == pytest.approx(1.0)
    assert tied[-1] == pytest.approx(3.99 + 0.1, abs=0.001)
    assert sum(np.diff(tied) > 0.02) == 1


def test_a_first_block_that_came_late_is_put_right():
    tie = ClockTie(RATE)
    assert tie.began(FRAMES, 5.0 + 2 * JUMP_S) == 5.0 + 2 * JUMP_S
    assert tie.began(FRAMES, 5.01) == 5.01


def test_after_a_loss_the_time_is_taken_as_it_is_seen():
    tie = ClockTie(RATE)
    tie.began(FRAMES, 5.0)
    assert tie.began(FRAMES, 5.015, lost=True) == 5.015


def test_the_louder_channel_is_heard_and_a_steady_offset_is_not_loud():
    chance = np.random.default_rng(1)
    data = np.zeros((RATE, 2), np.float32)
    data[:, 0] = 0.3  # an offset, no sound
    data[:, 1] = chance.normal(0, 0.001, RATE)
    louder = LouderChannel(RATE)
    assert np.array_equal(louder.pick(data), data[:, 1])
    assert louder.chosen == 1


def test_channels_are_not_changed_for_a_little():
    chance = np.random.default_rng(1)
    louder = LouderChannel(RATE)
    louder.pick(chance.normal(0, (0.1, 0.01), (RATE, 2)).astype(np.float32))
    louder.pick(chance.normal(0, (0.1, 0.15), (RATE * 3, 2)).astype(np.float32))
    assert louder.chosen == 0


def test_one_channel_and_an_empty_block_are_what_they_are():
    assert LouderChannel(RATE).pick(np.zeros((0, 2), np.float32)).shape == (0,)
    assert LouderChannel(RATE).pick(np.ones((4, 1), np.float32)).tolist() == [1, 1, 1, 1]


def test_pieces_come_in_order_with_their_times():
    intake = Intake(RATE)
    for n in range(3):
        intake.put(block(7 + n * 0.01))
    pieces = [intake.next(0) for _ in range(4)]
    assert pieces[3] is None
    assert [p.at for p in pieces[:3]] == pytest.approx([7, 7.01, 7.02])
    assert all(p.data.shape == (FRAMES,) and p.rate == RATE for p in pieces[:3])
    assert intake.losses == 0


def test_what_the_card_lost_is_counted():
    intake = Intake(RATE)
    intake.put(block(7.0))
    intake.put(block(8.0, lost=True))
    assert intake.next(0).at == 7.0
    assert intake.next(0).at == 8.0
    assert intake.losses == 1


def test_what_did_not_fit_is_counted_and_memory_stays_bounded():
    intake = Intake(RATE, most=4)
    for n in range(10):
        intake.put(block(n * 0.01))
    assert [round(intake.next(0).at, 3) for _ in range(4)] == [0, 0.01, 0.02, 0.03]
    assert intake.next(0) is None
    intake.put(block(0.10))
    assert intake.next(0).at == 0.10
    assert intake.losses == 1
