"""The README names every rule, reading and option, and its table of sentences has no gap.

After a wanted change, ``BLESS=1 pytest tests/games/test_noir_readme.py`` writes the table anew.
"""

from pathlib import Path

import pytest

from companion.games import folder
from companion.games.noir.rules import GAME
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
    ("5.1", "the killer's first turn is a kill", "N1"),
    ("5.2", "a suspect next to the identity is turned over", "N1 N2"),
    ("9.1", "the inspector chooses one of four", "N3"),
    ("9.2", "it lies face down", "N3"),
    ("9.3", "killed, the inspector loses", "N8 C16"),
    ("9.4", "the others are evidence", "N3"),
    ("13.1", "the killer does one of three things", "N4"),
    ("15.1", "shift", "N4 N6"),
    ("17.1", "kill", "N4 N8"),
    ("19.1", "disguise", "N4 N10"),
    ("23.1", "the inspector does one of three things", "N5"),
    ("25.1", "shift", "N5 N6"),
    ("27.1", "arrest", "N5 N9"),
    ("29.1", "exonerate", "N5 N11"),
    ("33.1", "both players may shift", "N6"),
    ("33.2", "any line, wherever one is", "N6"),
    ("35.1", "all cards of the line move", "N6"),
    ("35.2", "one falls off", "N6"),
    ("35.3", "and comes in at the other end", "N6 AC-N3"),
    ("37.2", "no undoing of the other's shift", "N7 C1 C2 C4"),
    ("37.3", "an example", "AC-N1"),
    ("41.1", "a kill is as in the first turn", "N8"),
    ("41.2", "next to the identity, and turned over", "N8 N2"),
    ("41.3", "the killed inspector is revealed, and the killer wins", "N8 AC-N6"),
    ("41.4", "else the game goes on", "N8"),
    ("45.1", "a suspect next to the inspector", "N9 AC-N9"),
    ("45.2", "or the own identity", "N9 AC-N8"),
    ("45.3", "asking by name", "N9"),
    ("45.4", "the right name wins", "N9"),
    ("45.5", "else the game goes on", "N9"),
    ("49.1", "the killer may disguise", "N10"),
    ("49.2", "the top card, looked at in secret", "N10"),
    ("51.1", "alive: the old identity is deceased, the card is laid down", "N10 N10C C12"),
    ("51.2", "and is the new identity", "N10"),
    ("53.1", "deceased: the card is discarded", "N10 AC-N12"),
    ("53.2", "the turn is over either way", "N10"),
    ("57.1", "the inspector draws one card", "N11"),
    ("57.2", "and lays one open", "N11 C19"),
    ("59.1", "three stay in the hand", "N11 AC-N13"),
    ("63.1", "an empty deck", "N14 C14"),
    ("65.1", "a dead line is removed", "N15 C5 C6 C7"),
    ("67.1", "sixteen deceased", "N16 C13 C23"),
    ("71.1", "standard mode: the open card lies on its suspect", "N10S N11"),
    ("71.2", "unless that one is deceased", "N11 C24"),
    ("73.1", "exonerating canvasses the killer", "N12 C8 C9 C10"),
    ("75.1", "killing an innocent canvasses the inspector", "N13 C21"),
)
LINES = (
    *(5, 9, 13, 15, 17, 19, 23, 25, 27, 29, 33, 35, 37, 41),
    *(45, 49, 51, 53, 57, 59, 63, 65, 67, 71, 73, 75),
)
FIRST = {37: 2}
"""The first of line 37 is the word "NOTE"."""
LAST = {5: 2, 9: 4, 33: 2, 35: 3, 37: 3, 41: 4, 45: 5, 49: 2, 51: 2, 53: 2, 57: 2, 71: 2}
"""The last sentence of each line that has more than one."""


TESTS = names_in(HERE / f"test_noir_{part}.py" for part in ("acceptance", "rules", "readings"))
TESTED = {rule for test in TESTS for rule in carried(test)}


def test_the_table_of_sentences_is_todays():
    today = table(SENTENCES, TESTS)
    assert standing(FILE, today) == today


def test_every_sentence_has_a_rule_and_every_rule_a_test():
    places = [place for place, _, _ in SENTENCES]
    assert places == [f"{p}.{n}" for p in LINES for n in range(FIRST.get(p, 1), LAST.get(p, 1) + 1)]
    assert untested(SENTENCES, TESTS) == []


def test_every_rule_stands_for_a_sentence():
    """N0 is the set-up, which the page of the rulebook leaves out."""
    covered = {rule.rstrip("CS") for _, _, rules in SENTENCES for rule in rules.split()}
    assert {f"N{n}" for n in range(1, 17)} <= covered


@pytest.mark.parametrize(("letter", "first", "last"), [("N", 0, 16), ("C", 1, 26), ("AC-N", 1, 19)])
def test_every_rule_reading_and_case_has_a_test(letter, first, last):
    assert [n for n in range(first, last + 1) if f"{letter}{n}" not in TESTED] == []


def test_readings_options_modules_and_mistakes_are_told():
    tells(GAME, last_reading=26)
