"""The README names every rule, reading, option and case, and its table of sentences has no gap.

After a wanted change, ``BLESS=1 pytest tests/games/test_moss_readme.py`` writes the table anew.
"""

import re
from pathlib import Path

import pytest

from companion.games import folder
from companion.games.moss.rules import GAME
from games.moss_sentences import CHAPTERS, SENTENCES
from games.sentences import gaps, names_in, standing, table, tells, untested

HERE = Path(__file__).parent
FILE = folder(GAME) / "README.md"
README = FILE.read_text(encoding="utf-8")
TESTS = names_in(HERE / f"test_moss_{part}.py" for part in ("acceptance", "rules", "readings"))


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


def test_readings_options_modules_and_mistakes_are_told():
    tells(GAME, last_reading=35)


def test_every_rule_is_in_the_readme():
    spans = [(int(a), int(b or a)) for a, b in re.findall(r"M(\d+)(?: to M(\d+))?", README)]
    covered = {n for first, last in spans for n in range(first, last + 1)}
    assert set(range(1, 48)) <= covered


def test_the_table_of_sentences_is_todays():
    today = table(SENTENCES, TESTS)
    assert standing(FILE, today) == today


def test_every_sentence_of_the_rulebook_has_a_rule_and_every_rule_a_test():
    assert gaps(SENTENCES, CHAPTERS) == []
    assert untested(SENTENCES, TESTS) == []


def test_every_rule_stands_for_a_sentence():
    covered = {rule for _, _, rules in SENTENCES for rule in rules.split()}
    assert {f"M{n}" for n in range(1, 48)} <= covered


def test_the_five_mistakes_are_tested():
    assert len(names_in([HERE / "test_moss_mistakes.py"])) == 5
