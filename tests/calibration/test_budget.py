"""How much of the training plan two hours hold."""

from pathlib import Path

import pytest

from calibration.training.budget import NETWORKS, TRACING, TRAINING, decided, fitting


def test_what_fits_is_made_whole() -> None:
    assert fitting([1400, 700], [0.5, 0.5], 1050.0) == [1400, 700]
    assert fitting([1400, 700], [0.0, 0.0], 0.0) == [1400, 700]


def test_what_does_not_fit_is_made_fewer_alike_but_never_none() -> None:
    assert fitting([1000, 3000, 0], [1.0, 2.0, 9.0], 1400.0) == [200, 600, 0]
    assert fitting([14000], [0.5], 0.1) == [1]


def test_the_time_is_shared_out() -> None:
    assert sum(NETWORKS.values()) == pytest.approx(1)
    assert 0.9 < TRACING + TRAINING < 1  # to try and to load takes time, too


def test_who_goes_on_later_comes_to_the_same(tmp_path: Path) -> None:
    file = tmp_path / "work" / "pictures.json"
    assert decided(file, 2, lambda: [3, 4]) == [3, 4]
    assert decided(file, 2, lambda: [9, 9]) == [3, 4]


@pytest.mark.parametrize("told", ["", "[1,", '{"a": 1}', "7", '["many"]', "[]", "[1, 2]", "[-1]"])
def test_a_file_that_somebody_else_wrote_is_named(tmp_path: Path, told: str) -> None:
    file = tmp_path / "pictures.json"
    file.write_text(told, encoding="utf-8")
    with pytest.raises(ValueError, match=r"pictures\.json should hold 1 counts\. Remove it"):
        decided(file, 1, lambda: [1])
