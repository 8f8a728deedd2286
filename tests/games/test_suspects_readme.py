"""The README names every rule, reading and option, and its table of sentences has no gap.

After a wanted change, ``BLESS=1 pytest tests/games/test_suspects_readme.py`` writes the table anew.
"""

import re
from pathlib import Path

import pytest

from companion.games import folder
from companion.games.suspects.rules import GAME
from games.sentences import (
    carried,
    names_in,
    standing,
    table,
    tells,
    untested,
)

HERE = Path(__file__).parent
FILE = folder(GAME) / "README.md"

SENTENCES = (
    ("6.1", "the slide within everybody's reach", "U5"),
    ("6.2", "the locker card beside it", "U5"),
    ("6.3", "who deals first", "U1"),
    ("6.4", "shuffle 54 cards, one to each", "U2"),
    ("6.5", "it is the secret identity", "U2"),
    ("6.6", "hidden in a stand", "U2 C15"),
    ("6.7", "two may have the same", "C14"),
    ("6.8", "six cards to each, one at a time", "U3"),
    ("6.9", "they are the criminal file", "U3"),
    ("6.10", "the pile, and one card turned up", "U4"),
    ("7.1", "the dealer rolls six dice", "U5"),
    ("7.2", "and lifts them onto the locker", "U5"),
    ("7.3", "without turning any", "U5 C13"),
    ("8.2", "an example of a roll", "AC-U1"),
    ("8.3", "which is the same after the transfer", "AC-U1"),
    ("10.1", "left of the dealer begins, play goes left", "U6"),
    ("10.2", "each turn is one choice of two", "U7 C17"),
    ("11.1", "draw from either pile, then discard", "U7A C5"),
    ("13.1", "roll one of the six dice", "U7B C10 C11"),
    ("13.2", "which is tampering with the evidence", "U7B"),
    ("14.2", "the dice are common", "U8"),
    ("14.3", "everybody matches the file to them", "U8"),
    ("14.4", "so a roll concerns everybody", "U8"),
    ("14.5", "and may help others", "U8 C1"),
    ("16.1", "cards equal dice, the identity is in neither", "U9 C3"),
    ("18.1", "the first to solve three cases wins", "U10 C16"),
)
PARAGRAPHS = {
    6: (1, 10),
    7: (1, 3),
    8: (2, 3),
    10: (1, 2),
    11: (1, 1),
    13: (1, 2),
    14: (2, 5),
    16: (1, 1),
    18: (1, 1),
}
"""The first and last sentence of each paragraph; "Example:" and "Strategy Hint:" are none."""


TESTS = names_in(HERE / f"test_suspects_{part}.py" for part in ("acceptance", "rules", "readings"))
TESTED = {rule for test in TESTS for rule in carried(test)}


def test_the_table_of_sentences_is_todays():
    today = table(SENTENCES, TESTS)
    assert standing(FILE, today) == today


def test_every_sentence_has_a_rule_and_every_rule_a_test():
    places = [place for place, _, _ in SENTENCES]
    assert places == [f"{p}.{n}" for p, (first, last) in PARAGRAPHS.items() for n in range(first, last + 1)]
    assert untested(SENTENCES, TESTS) == []


def test_every_rule_stands_for_a_sentence():
    covered = {rule.rstrip("AB") for _, _, rules in SENTENCES for rule in rules.split()}
    assert {f"U{n}" for n in range(1, 11)} <= covered


@pytest.mark.parametrize(("letter", "last"), [("U", 10), ("C", 17), ("AC-U", 10)])
def test_every_rule_reading_and_case_has_a_test(letter, last):
    tested = {re.sub(r"(?<=\d)[A-Z]$", "", rule) for rule in TESTED}
    assert [n for n in range(1, last + 1) if f"{letter}{n}" not in tested] == []


def test_readings_options_modules_and_mistakes_are_told():
    tells(GAME, last_reading=17)
