from itertools import product
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.faceheads import COLOURS, SYMBOLS
from vision.naming import KINDS, TEATIME, Meaning, likelihood, meaning, name_all, tea_faces

PIPS = ("1", "2", "3", "4", "5", "6")


def seen(white: float = 1.0, colours: dict[str, float] | None = None, **symbols: float) -> Meaning:
    """What a network would say: symbols (and colours) by name."""
    said = np.array([symbols.get(name, 0.0) for name in SYMBOLS], np.float32)
    painted = np.array([(colours or {}).get(name, 0.0) for name in COLOURS], np.float32)
    return meaning(said, painted, white)


def named(*meanings: Meaning, expected=None, legal=PIPS) -> list[tuple[str, str]]:
    return [(name.kind, name.face) for name in name_all(meanings, expected, legal)]


def test_without_expectation_a_die_goes_by_its_own_looks() -> None:
    dice = [
        seen(0.9, pips4=1.0),
        seen(0.2, pips6=1.0),
        seen(colours={"brown": 0.8, "purple": 0.2}, fingerprint=1.0),
        seen(glass=1.0),
    ]
    assert named(*dice) == [
        ("white", "4"),
        ("coloured", "6"),
        ("fingerprint", "brown"),
        ("teatime", "glass"),
    ]


def test_dice_of_one_expected_kind_take_its_name() -> None:
    dice = [seen(0.1, pips2=1.0), seen(1.0, digit3=1.0), seen(glass=1.0)]
    expected = (("teatime", 3),)
    legal = KINDS["teatime"]
    assert named(*dice, expected=expected, legal=legal) == [
        ("teatime", "2"),
        ("teatime", "3"),
        ("teatime", "glass"),
    ]


def test_the_most_colourful_of_eight_is_the_coloured_one() -> None:
    dice = [seen(0.95 if n != 3 else 0.7, pips1=1.0) for n in range(8)]
    kinds = [kind for kind, _ in named(*dice, expected=(("white", 7), ("coloured", 1)))]
    assert kinds == ["coloured" if n == 3 else "white" for n in range(8)]


def test_doubt_between_two_colours_is_doubt_and_the_other_is_offered() -> None:
    (name,) = name_all(
        [seen(colours={"brown": 0.6, "purple": 0.4}, fingerprint=1.0)], (("fingerprint", 1),), COLOURS
    )
    assert name.face == "brown"
    assert name.confidence == pytest.approx(0.6, abs=0.01)
    assert name.alternatives[0] == "purple"


def test_an_illegal_face_is_not_given_but_costs_confidence() -> None:
    (name,) = name_all([seen(pips6=0.9, pips4=0.1)], (("white", 1),), ("1", "2", "3", "4", "5"))
    assert name.face == "4"
    assert name.confidence < 0.2


@given(
    st.lists(st.floats(0.02, 0.98), min_size=1, max_size=6),
    st.data(),
)
def test_kinds_together_are_weighed_over_all_ways_to_meet_the_counts(whites: list[float], data) -> None:
    coloured = data.draw(st.integers(1, len(whites)))
    counts = (("white", len(whites) - coloured), ("coloured", coloured))
    names = name_all([seen(w, pips1=1.0) for w in whites], counts, PIPS)
    ways = [way for way in product((True, False), repeat=len(whites)) if way.count(False) == coloured]
    weight = {
        way: prod(w if is_white else 1 - w for w, is_white in zip(whites, way, strict=True)) for way in ways
    }
    if len([count for _, count in counts if count]) == 1:
        assert all(name.kind == "coloured" for name in names)
        return
    for n, name in enumerate(names):
        mine = sum(p for way, p in weight.items() if way[n] == (name.kind == "white"))
        assert name.confidence == pytest.approx(mine / sum(weight.values()), abs=1e-4)
    assert sorted(name.kind for name in names) == sorted(kind for kind, n in counts for _ in range(n))


def test_symbols_that_nobody_waits_for_make_a_die_less_likely() -> None:
    said = np.zeros((4, len(SYMBOLS)), np.float32)
    for n, symbol in enumerate(("pips3", "digit3", "glass", "fingerprint")):
        said[n, SYMBOLS.index(symbol)] = 0.6
        said[n, 0] = 0.4
    pips, digit, glass, fingerprint = likelihood(said, None)
    assert pips == 1
    assert 1 > glass > digit > fingerprint > 0
    assert list(likelihood(said, ["fingerprint"]).round(2)) == [0.05, 0.05, 0.05, 1]
    assert list(likelihood(said, ["white", "coloured"]).round(2)) == [1, 1, 0.05, 0.05]
    assert list(likelihood(said, ["teatime"]).round(2)) == [1, 1, 1, 0.05]
    assert list(likelihood(said, ["suspect"])) == [1] * 4


def tea(*dice: dict[str, float]) -> list[str]:
    rows = [[die.get(name, 0.0) for name in SYMBOLS] for die in dice]
    told = tea_faces(np.array(rows, np.float32).reshape(-1, len(SYMBOLS)))
    assert told.shape == (len(dice), 6)
    assert told.sum(axis=1) == pytest.approx(1)
    return [KINDS[TEATIME][n] for n in told.argmax(axis=1)]


def test_tea_time_dice_of_one_set_tell_of_each_others_symbols() -> None:
    """A glass looks like a one here and a five there; beside pips nothing is a digit."""
    glass = {"pips1": 0.36, "digit5": 0.21, "glass": 0.37}
    assert tea({"pips1": 1.0}, glass, {"pips4": 1.0}) == ["1", "glass", "4"]
    unsure = {"pips2": 0.3, "digit3": 0.55}
    assert tea(unsure, {"digit4": 1.0}) == ["3", "4"]
    assert tea(unsure, {"pips4": 1.0}) == ["2", "4"]
    assert tea({"pips1": 0.9, "glass": 0.1}) == ["1"]
    assert tea() == []


def test_a_die_judged_among_others_keeps_its_weight_for_its_kind() -> None:
    row = np.array([0.9 if name == "pips1" else 0.0 for name in SYMBOLS], np.float32)
    judged = meaning(row, np.zeros(6, np.float32), 0.5, np.array([0, 0, 0, 0, 0, 1], np.float32))
    assert judged.faces[TEATIME]["glass"] == 1
    assert judged.weights[TEATIME] == pytest.approx(0.9, abs=1e-6)
