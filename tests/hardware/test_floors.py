"""Eight probabilities in closed form, and what is learned from reveals and from beams."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import floors
from hardware.profile import FLOORS, TowerProfile, for_lines

SINGLE = for_lines(["entry", *(f"floor{j}" for j in range(7))])
PAIRED = for_lines([f"{line}{b}" for line in SINGLE.lines for b in ("", "_b")])


def by_hand(profile, broken):
    """The formula as it stands on paper, with products instead of sums."""
    stay = [a / (a + b) for a, b in profile.stays]
    found = []
    for floor in range(FLOORS):
        p = stay[floor - 1] if floor else 1.0
        p *= math.prod(1 - stay[j - 1] for j in range(floor + 1, FLOORS))
        for j, seen in broken.items():
            m, phi = profile.miss(j), profile.false[j]
            p *= ((1 - m) if seen else m) if floor <= j else (phi if seen else 1 - phi)
        found.append(p)
    return [p / sum(found) for p in found]


@given(st.dictionaries(st.integers(0, 6), st.booleans()))
def test_the_closed_form_is_the_product_on_paper(broken):
    got = floors.chances(floors.prior(SINGLE), floors.beams(broken, SINGLE))
    assert got == pytest.approx(by_hand(SINGLE, broken))


@given(st.permutations(range(7)), st.lists(st.booleans(), min_size=7, max_size=7))
def test_the_order_of_the_beams_plays_no_part(order, seen):
    ordered = floors.beams(dict(enumerate(seen)), SINGLE)
    assert floors.beams({j: seen[j] for j in order}, SINGLE) == pytest.approx(ordered)


@pytest.mark.parametrize("floor", range(8))
def test_a_cube_that_all_pairs_saw_lies_where_they_end(floor):
    got = floors.chances(floors.prior(PAIRED), floors.beams({j: j >= floor for j in range(7)}, PAIRED))
    assert got[floor] > 0.97
    assert math.isclose(sum(got), 1)


def test_one_beam_that_was_not_broken_leaves_doubt_where_it_often_misses():
    wide = replace(SINGLE, hole_mm=20.0, missed=())
    silent_last = {j: j >= 3 for j in range(7)}
    assert floors.chances(floors.prior(wide), floors.beams(silent_last, wide))[2] > 0.05
    assert floors.chances(floors.prior(PAIRED), floors.beams(silent_last, PAIRED))[2] < 0.01


def test_a_plate_left_out_says_nothing():
    some = {6: True, 3: False}
    without = floors.beams(some, SINGLE)
    more = floors.beams({**some, 5: True}, SINGLE)
    assert not np.allclose(without, more)
    assert floors.beams({7: True, **some}, SINGLE) == pytest.approx(without)


def test_reveals_move_the_prior_towards_what_was_seen():
    learned = floors.learn(TowerProfile(), reveals=[5] * 40)
    assert learned.stays[4] == (44.0, 16.0)
    assert learned.stays[6] == (4.0, 56.0)
    assert learned.stays[3] == (4.0, 16.0)
    assert np.exp(floors.prior(learned)).argmax() == 5


def test_a_cube_on_the_table_passed_every_floor():
    learned = floors.learn(TowerProfile(), reveals=[0])
    assert all(pair == (4.0, 17.0) for pair in learned.stays)


@pytest.mark.parametrize("floor", [-1, 8])
def test_a_floor_that_is_none_is_refused(floor):
    with pytest.raises(ValueError, match=f"no floor {floor}"):
        floors.learn(TowerProfile(), reveals=[floor])


def test_lower_beams_teach_what_upper_ones_miss():
    seen = [(7, 6, 4)] * 30 + [(7, 6, 5, 4)] * 10
    learned = floors.learn(SINGLE, passages=seen)
    assert learned.missed[5] == pytest.approx((SINGLE.missed[5][0] + 30, SINGLE.missed[5][1] + 10))
    assert learned.missed[4] == SINGLE.missed[4], "nothing below proves that it was passed"
    assert learned.miss(5) > 0.3 > learned.miss(6)


@given(st.lists(st.integers(0, 7), max_size=60))
def test_what_is_learned_is_always_a_profile_whose_prior_adds_up(reveals):
    learned = floors.learn(TowerProfile(), reveals=reveals)
    assert np.exp(floors.prior(learned)).sum() == pytest.approx(1)


def test_learning_survives_the_evening(tmp_path):
    learned = floors.learn(SINGLE, reveals=[3, 3, 0], passages=[(7, 5)])
    learned.save(tmp_path / "tower.json")
    assert TowerProfile.load(tmp_path / "tower.json") == learned


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("{", "cannot be read"),
        ("[]", "is not a tower profile"),
        ('{"colour": 1}', "unknown colour"),
        ('{"cube_mm": 0}', "cube_mm"),
        ('{"hole_mm": 7}', "hole_mm"),
        ('{"lines": ["entry", "lamp"]}', "'lamp'"),
        ('{"stays": [[1, 1]]}', "stays must be 7 pairs"),
        ('{"missed": [[0, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1], [1, 1]]}', "missed"),
        ('{"false": [2, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]}', "false"),
        ('{"sound": "loud"}', "sound"),
        ('{"loudness_db": "x"}', "loudness_db"),
        ('{"date": 3}', "date"),
    ],
)
def test_a_profile_that_cannot_be_used_names_its_file_and_field(tmp_path, text, named):
    path = tmp_path / "tower.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=named) as caught:
        TowerProfile.load(path)
    assert str(path) in str(caught.value)


def test_a_missing_profile_is_a_sentence(tmp_path):
    with pytest.raises(ValueError, match="cannot be read as a tower profile"):
        TowerProfile.load(tmp_path / "none.json")
