"""The README names every rule, reading, option and case, and its table of sentences has no gap.

After a wanted change, ``BLESS=1 pytest tests/games/test_arosa_readme.py`` writes the table anew.
"""

import re
from pathlib import Path

import pytest

from companion.games import folder
from companion.games.arosa.rules import GAME
from games.arosa_sentences import CHAPTERS, SENTENCES
from games.sentences import gaps, names_in, standing, table, tells, untested

HERE = Path(__file__).parent
FILE = folder(GAME) / "README.md"
README = FILE.read_text(encoding="utf-8")
TESTS = names_in(HERE / f"test_arosa_{part}.py" for part in ("acceptance", "rules", "readings"))


def names(file: str) -> list[str]:
    return re.findall(r"^def (test_\w+)", (HERE / file).read_text(encoding="utf-8"), re.MULTILINE)


@pytest.mark.parametrize(
    ("file", "letter", "last"), [("test_arosa_rules.py", "a", 22), ("test_arosa_readings.py", "c", 28)]
)
def test_every_rule_and_reading_has_a_test(file, letter, last):
    found = " ".join(names(file))
    assert [n for n in range(1, last + 1) if not re.search(rf"test_{letter}{n}_", found)] == []


def test_every_case_has_a_test():
    found = names("test_arosa_acceptance.py")
    wanted = {str(n) for n in range(1, 16)} | {"2b", "4b"}
    spans = [re.findall(r"a(\d+b?)", name.removeprefix("test_ac_").split("_the_")[0]) for name in found]
    cases = {case for span in spans for case in span}
    for first, last in re.findall(r"test_ac_a(\d+)_to_a(\d+)", " ".join(found)):
        cases |= {str(n) for n in range(int(first), int(last) + 1)}
    assert wanted - cases == set()


def test_the_tests_that_are_named_are_there():
    there = {*names("test_arosa_rules.py"), *names("test_arosa_acceptance.py")}
    named = set(re.findall(r"`(test_a\w+)`", README)) - {"test_arosa_readings"}
    assert {name for name in named if not name.startswith("test_arosa")} <= there


def test_readings_options_modules_and_mistakes_are_told():
    tells(GAME, last_reading=28)


def test_every_rule_is_in_the_game_in_short():
    short = README.split("## At this table")[0]
    assert {int(n) for n in re.findall(r"\bA(\d+)", short)} == set(range(1, 23))


def test_the_table_of_sentences_is_todays():
    today = table(SENTENCES, TESTS)
    assert standing(FILE, today) == today


def test_every_sentence_of_the_rulebook_has_a_rule_and_every_rule_a_test():
    assert gaps(SENTENCES, CHAPTERS) == []
    assert untested(SENTENCES, TESTS) == []


def test_every_rule_stands_for_a_sentence():
    covered = {rule for _, _, rules in SENTENCES for rule in rules.split()}
    assert {f"A{n}" for n in range(1, 23)} <= covered


def test_the_five_mistakes_are_tested():
    assert len(names_in([HERE / "test_arosa_mistakes.py"])) == 5
