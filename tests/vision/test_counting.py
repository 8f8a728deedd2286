from itertools import product
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.counting import chance_given_count, count_chances, each_given_count

CHANCES = st.lists(st.floats(0.01, 0.99), max_size=7)


def worlds(chances: list[float]) -> list[tuple[tuple[bool, ...], float]]:
    """Every way in which the places can be dice or not, and its chance."""
    return [
        (world, prod(c if is_die else 1 - c for c, is_die in zip(chances, world, strict=True)))
        for world in product((False, True), repeat=len(chances))
    ]


@given(CHANCES)
def test_the_chance_of_a_number_is_the_sum_over_all_worlds(chances: list[float]) -> None:
    told = count_chances(chances)
    for count in range(len(chances) + 1):
        assert told[count] == pytest.approx(sum(p for w, p in worlds(chances) if sum(w) == count))


@pytest.mark.slow
@given(CHANCES, st.integers(0, 7))
def test_each_place_given_the_number(chances: list[float], count: int) -> None:
    told = each_given_count(chances, count)
    if count > len(chances):
        assert told == chances
        return
    total = sum(p for w, p in worlds(chances) if sum(w) == count)
    for n, chance in enumerate(told):
        assert chance == pytest.approx(
            sum(p for w, p in worlds(chances) if w[n] and sum(w) == count) / total
        )


@given(CHANCES, st.integers(0, 7))
def test_the_first_ones_given_the_number(chances: list[float], count: int) -> None:
    told = chance_given_count(chances, count, count)
    if count > len(chances):
        assert told == 0
        return
    total = sum(p for w, p in worlds(chances) if sum(w) == count)
    first = tuple(n < count for n in range(len(chances)))
    assert told == pytest.approx(dict(worlds(chances))[first] / total)


def test_another_number_than_the_expected_one_has_no_chance() -> None:
    assert chance_given_count([0.9, 0.9, 0.2], chosen=2, count=3) == 0
