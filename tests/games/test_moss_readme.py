"""The README names every rule, reading, option and case, and the tests it promises are there."""

import re
from pathlib import Path

import pytest

from companion.games import folder
from companion.games.moss.rules import GAME

HERE = Path(__file__).parent
README = (folder(GAME) / "README.md").read_text(encoding="utf-8")


def names(file: str) -> str:
    return " ".join(re.findall(r"^def (test_\w+)", (HERE / file).read_text(encoding="utf-8"), re.MULTILINE))


@pytest.mark.parametrize(
    ("file", "letter", "last"), [("test_moss_rules.py", "m", 47), ("test_moss_readings.py", "c", 35)]
)
def test_every_rule_and_reading_has_a_test(file, letter, last):
    found = names(file)
    missing = [n for n in range(1, last + 1) if not re.search(rf"_{letter}{n}_", found)]
    assert missing == []


def test_every_case_names_a_test_that_is_there():
    rows = re.findall(r"^\| (AC-M[^|]+)\| (.+) \|$", README, re.MULTILINE)
    cases = [case for row, _ in rows for case in re.findall(r"AC-M\d+", row)]
    assert cases == [f"AC-M{n}" for n in range(1, 28)]
    there = names("test_moss_acceptance.py").split()
    named = [name for _, tests in rows for name in re.findall(r"`(test_\w+)`", tests)]
    assert set(named) <= set(there)


def test_readings_and_options_are_told():
    assert re.findall(r"^\| (C\d+) \|", README, re.MULTILINE) == [f"C{n}" for n in range(1, 36)]
    told = re.findall(r"^\| `(\w+)` \| `(\w+)` \|", README, re.MULTILINE)
    assert told == [(option.name, option.default) for option in GAME.options]


def test_every_rule_is_in_the_readme():
    spans = [(int(a), int(b or a)) for a, b in re.findall(r"M(\d+)(?: to M(\d+))?", README)]
    covered = {n for first, last in spans for n in range(first, last + 1)}
    assert set(range(1, 48)) <= covered
