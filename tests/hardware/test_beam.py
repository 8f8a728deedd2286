"""One beam: what counts as a cube and what does not."""

import pytest

from hardware.beam import Beam, BeamLimits, BeamState, Passage


def passages(beam: Beam, levels: list[tuple[float, bool]], until: float) -> list[Passage]:
    seen = [beam.see(high, at) for at, high in levels]
    return [p for p in (*seen, beam.tick(until)) if p]


@pytest.mark.parametrize("width_ms", [2.5, 3.5, 18, 28, 390])
def test_a_cube_passes_with_its_time_and_width(width_ms):
    at, width_s = 7.0, width_ms / 1000
    assert passages(Beam(), [(at, False), (at + width_s, True)], at + 1) == [
        Passage(at, pytest.approx(width_s))
    ]


@pytest.mark.parametrize("width_ms", [0.1, 1.5])
def test_a_spike_is_not_a_cube(width_ms):
    beam = Beam()
    assert passages(beam, [(7.0, False), (7.0 + width_ms / 1000, True)], 8.0) == []
    assert beam.state is BeamState.CLEAR


def test_a_cube_that_turns_over_counts_once():
    levels = [(1.0, False), (1.006, True), (1.012, False), (1.020, True)]
    assert passages(Beam(), levels, 2.0) == [Passage(1.0, pytest.approx(0.020))]


def test_two_cubes_thrown_in_together_count_twice():
    levels = [(1.0, False), (1.015, True), (1.040, False), (1.055, True)]
    assert [p.at for p in passages(Beam(), levels, 2.0)] == [1.0, 1.040]


def test_nothing_is_said_before_the_cube_has_surely_passed():
    beam = Beam()
    assert beam.see(high=False, at=1.0) is None
    assert beam.see(high=True, at=1.015) is None
    assert beam.open
    assert beam.tick(1.020) is None
    assert beam.tick(1.028) == Passage(1.0, pytest.approx(0.015))
    assert not beam.open


def test_a_hand_in_the_beam_blocks_it_and_is_no_cube():
    beam = Beam()
    beam.see(high=False, at=1.0)
    beam.tick(1.41)
    assert beam.state is BeamState.BLOCKED
    assert passages(beam, [(3.0, True)], 3.1) == []
    assert beam.state is BeamState.CLEAR
    assert [p.at for p in passages(beam, [(4.0, False), (4.02, True)], 5.0)] == [4.0]


def test_a_beam_that_is_blocked_when_the_evening_begins_says_so():
    beam = Beam()
    beam.see(high=False, at=0.0)
    beam.tick(0.5)
    assert beam.state is BeamState.BLOCKED


def test_a_loose_wire_is_named_and_drops_nothing():
    beam = Beam()
    levels = [(1 + n * 0.02, n % 2 == 1) for n in range(100)]
    # the first pulses look like cubes; nobody can know yet
    early = BeamLimits().chatter * 0.02
    assert all(p.at < 1 + early for p in passages(beam, levels, 3.5))
    assert beam.state is BeamState.CHATTERING
    beam.tick(6.0)
    assert beam.state is BeamState.CLEAR


def test_a_level_told_twice_changes_nothing():
    levels = [(1.0, False), (1.005, False), (1.015, True), (1.016, True)]
    assert passages(Beam(), levels, 2.0) == [Passage(1.0, pytest.approx(0.015))]
