"""What the networks that hear floors learn from: evenings heard by other ears, and how sure they may be."""

from itertools import repeat

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibration.training.asked import Rows, matched, rows
from calibration.training.cubes import EVENINGS, one_evening
from calibration.training.ears import BOARDS, LATE_S, misheard
from calibration.training.evenings import evening
from calibration.training.tuning import EVENINGS as TRIALS
from calibration.training.tuning import SHARPNESSES, ece, sharpness
from hardware.soundfloors import FEATURES

ONE = evening(9_200_010, "model", 10, ("BASE",))


def test_seeds_to_learn_from_are_neither_tuned_on_nor_scored():
    learned = {seed for seeds in EVENINGS.values() for seed in seeds}
    tried = {seed for some in TRIALS for seed in some.seeds}
    assert max(learned) < 690_000
    assert min(tried) >= 700_000
    assert max(tried) < 740_000


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000))
def test_other_ears_hear_the_same_cubes(seed):
    other = misheard(ONE, np.random.default_rng(seed))
    assert (other.entries, other.floors, other.breaks) == (ONE.entries, ONE.floors, ONE.breaks)
    assert 0.7 * len(ONE.heard) <= len(other.heard) <= 1.3 * len(ONE.heard)
    assert sorted(one.at for one in other.heard) == [one.at for one in other.heard]
    assert abs(other.heard[0].at - ONE.heard[0].at) < 2.0 + LATE_S
    highest = max(one.pitch_hz for one in ONE.heard)
    assert max(one.pitch_hz for one in other.heard) < highest * BOARDS[1] * 1.4


def test_odd_seeds_are_evenings_at_base():
    one, other = one_evening(200_001, "module"), one_evening(200_001, "module")
    assert one == other
    assert one.world.name == "BASE"


def test_a_tower_put_together_anew_has_its_plates_elsewhere():
    plain, anew = (evening(5, "module", 1, ("BASE",), anew=anew) for anew in (False, True))
    assert plain.world.offsets_mm != anew.world.offsets_mm


def test_what_is_asked_goes_with_the_floor_it_was_asked_for():
    asked = rows([ONE], "wave", repeat(("entry", "entry_b", "floor5", "floor5_b")))
    assert asked.features.shape == (len(asked.floors), FEATURES)
    assert asked.known.shape == (len(asked.floors), 8)
    assert list(asked.floors) == list(ONE.floors)


def test_each_true_drop_is_matched_once():
    assert matched((1.0, 2.0), (1.01, 1.02, 2.5), 0.1) == [(0, 0)]


@pytest.mark.parametrize(("share", "power"), [(0.6, 0.77), (0.9, 1.36)])
def test_the_sharpness_makes_answers_as_sure_as_they_are_right(share, power):
    count = 4000
    known = np.tile(np.log([0.75] + [0.25 / 7] * 7), (count, 1))
    floors = np.where(np.arange(count) < share * count, 0, 1 + np.arange(count) % 7)
    nothing = [np.zeros((FEATURES, 8), np.float32), np.zeros(8, np.float32)]
    learned = Rows(np.zeros((count, FEATURES), np.float32), known.astype(np.float32), floors)
    found = sharpness([nothing], [learned])
    assert found in SHARPNESSES
    assert found == pytest.approx(power, abs=0.03)


def test_answers_that_are_as_sure_as_right_have_no_error():
    told = np.tile([0.8, 0.2] + [0.0] * 6, (10, 1))
    assert ece(told, np.array([0] * 8 + [1] * 2)) == pytest.approx(0.0)
    assert ece(told, np.array([0] * 5 + [1] * 5)) == pytest.approx(0.3)
