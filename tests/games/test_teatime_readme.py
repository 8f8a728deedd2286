"""The README names every rule, reading and option, and its table of sentences has no gap.

After a wanted change, ``BLESS=1 pytest tests/games/test_teatime_readme.py`` writes the table anew.
"""

from pathlib import Path

import pytest

from companion.games import folder
from companion.games.teatime.rules import GAME
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
    ("S1", "a house board and five tokens each", "T1"),
    ("S2", "detectives shuffled face down on the diagonal", "T1"),
    ("S3", "the other twenty on the other places", "T1"),
    ("S4", "what is left goes back into the box", "T1"),
    ("S5", "who goes first takes the dice", "T1"),
    ("B1", "25 rooms, 1 to 9 points", "T20 AC-T3"),
    ("B2", "rows by the dice's number", "T7"),
    ("B3", "columns by how many dice", "T7"),
    ("P1", "clockwise, round by round", "T16"),
    ("P2", "roll, explore, check, new round", "T2"),
    ("R1", "roll, and any again up to twice", "T3"),
    ("R2", "then one of two actions", "T4"),
    ("R3", "take all dice of one number", "T5 C2"),
    ("R4", "the others go to the centre unchanged", "T5"),
    ("R5", "they are the pool", "T5 T8"),
    ("R6", "glasses always stay there", "T5 C22"),
    ("R7", "pass, and forfeit the round", "T6 C1"),
    ("R8", "no dice, no exploring", "T6"),
    ("R9", "one dice tile back, by chance", "T6 C20"),
    ("R10", "it goes to its row", "T6 C19"),
    ("E1", "the active player has to activate one tile", "T7"),
    ("E2", "the number is the row", "T7"),
    ("E3", "the amount is the column", "T7"),
    ("E4", "where they meet", "T7 C4"),
    ("E5", "with nothing to reach, pass", "T7 C4"),
    ("E6", "the others choose from the pool", "T8 C15"),
    ("E7", "whose dice stay for everybody", "T8 C3"),
    ("E8", "several may choose the same", "AC-T8"),
    ("E9", "who cannot or will not passes", "T9 C24"),
    ("E10", "and takes a dice tile back", "T9 C18"),
    ("E11", "it may happen that one can do nothing", "C18"),
    ("E12", "Emma's four 4s, and nothing for the others", "AC-T6"),
    ("A1", "face down: turn it up", "T13"),
    ("A2", "a dice tile goes to the right", "T13 C23"),
    ("A3", "a person stays", "T13"),
    ("A4", "face up: it may move", "T14 C5"),
    ("A5", "face up to any other space", "T14 C6"),
    ("A6", "one tile a space", "T14 AC-T12"),
    ("D1", "check the detectives", "T15"),
    ("D2", "all beams light rooms, thieves or the master", "T15 C7"),
    ("D3", "rooms and the master from all sides", "T15"),
    ("D4", "thieves from three sides", "T15 C8"),
    ("D5", "one token on each that fulfils it", "T15 C12"),
    ("D6", "scored detectives may move", "AC-T13"),
    ("D7", "and lose the token", "T15 C11"),
    ("D8", "example 1", "AC-T2"),
    ("D9", "example 2", "AC-T3"),
    ("D10", "example 3", "AC-T4"),
    ("D11", "example 4", "AC-T5"),
    ("N1", "the dice go on clockwise", "T16"),
    ("G1", "a glass is any number", "T10"),
    ("G2", "only with dice, never alone", "T10"),
    ("G3", "as many as one likes", "T10"),
    ("G4", "they stay for everybody", "T10 C3"),
    ("T1", "a dice tile lies in its row", "T13"),
    ("T2", "it adds to dice of its number", "T11"),
    ("T3", "never alone", "T11"),
    ("T4", "as many as one likes", "T11 C21"),
    ("T5", "used ones are discarded", "T11 AC-T1B"),
    ("T6", "and come back by passing", "C19 AC-T1A"),
    ("T7", "tiles, glasses and dice together", "T12"),
    ("T8", "Emma's options", "AC-T1"),
    ("L1", "five glasses: any tile", "T17 AC-T9 C16"),
    ("L2", "the others activate none, but may pass", "T17 C17"),
    ("L3", "1 to 5: any tile", "T18 AC-T10 AC-T11"),
    ("L4", "the others activate none, but may pass", "T18 C17"),
    ("Z1", "a fifth token ends the game", "T19 C10 C14"),
    ("Z2", "after this round", "T19 C13"),
    ("Z3", "points for what is lit", "T20 C9"),
    ("Z4", "and 3 for each token left", "T20 AC-T14"),
    ("Z5", "most points win, ties share", "T20"),
    ("Z6", "Emma's 89 points", "AC-T7"),
)
CHAPTERS = {
    "S": 5,
    "B": 3,
    "P": 2,
    "R": 10,
    "E": 12,
    "A": 6,
    "D": 11,
    "N": 1,
    "G": 4,
    "T": 8,
    "L": 4,
    "Z": 6,
}
"""How many sentences each chapter has here."""


TESTS = names_in(HERE / f"test_teatime_{part}.py" for part in ("acceptance", "rules", "readings"))
TESTED = {rule for test in TESTS for rule in carried(test)}


def test_the_table_of_sentences_is_todays():
    today = table(SENTENCES, TESTS)
    assert standing(FILE, today) == today


def test_every_sentence_has_a_rule_and_every_rule_a_test():
    places = [place for place, _, _ in SENTENCES]
    assert places == [f"{chapter}{n}" for chapter, last in CHAPTERS.items() for n in range(1, last + 1)]
    assert untested(SENTENCES, TESTS) == []


def test_every_rule_and_reading_stands_for_a_sentence():
    covered = {rule for _, _, rules in SENTENCES for rule in rules.split()}
    assert {f"T{n}" for n in range(1, 21)} <= covered
    assert {f"C{n}" for n in range(1, 25)} <= covered, "C25 alone is no sentence: it is about pushed dice"
    assert {f"AC-T{n}" for n in range(1, 15)} <= covered


@pytest.mark.parametrize(("letter", "last"), [("T", 20), ("C", 25), ("AC-T", 14)])
def test_every_rule_reading_and_case_has_a_test(letter, last):
    assert [n for n in range(1, last + 1) if f"{letter}{n}" not in TESTED] == []


def test_readings_options_modules_and_mistakes_are_told():
    tells(GAME, last_reading=25)
