"""The tables of ``tests/benchmarks/mutate.py`` fit the code, and miss no numbered rule."""

import ast
import importlib
import re
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import pytest

from games.sentences import BEGIN, END

ROOT = Path(__file__).parents[2]
BENCHMARKS = ROOT / "tests" / "benchmarks"
GAMES = {"arosa": "A", "moss": "M", "noir": "N", "suspects": "U", "teatime": "T"}
"""Each game's folder, and the letter of its rules."""


@pytest.fixture
def table(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return importlib.import_module(f"mutations_{request.param}")


each_game = pytest.mark.parametrize(("table", "game"), [(game, game) for game in GAMES], indirect=["table"])


def test_every_table_is_looked_at():
    assert {file.stem.removeprefix("mutations_") for file in BENCHMARKS.glob("mutations_*.py")} == {*GAMES}


@each_game
def test_each_mutation_changes_one_place_of_the_code(table, game):
    rotten = [
        f"{mutation.rule}, {mutation.what}: {why}"
        for mutation in table.MUTATIONS
        if (why := flaw(text(game, mutation.file), mutation.was, mutation.now))
    ]
    assert rotten == []


def test_a_mutation_that_no_longer_fits_is_named():
    code = "LIMIT = 6\nif LIMIT:\n    pass\n"
    assert flaw(code, "LIMIT = 6", "LIMIT = 7") == ""
    assert flaw(code, "LIMIT = 5", "LIMIT = 7") == "'LIMIT = 5' stands 0 times"
    assert flaw(code, "LIMIT", "7") == "'LIMIT' stands 2 times"
    assert flaw(code, "LIMIT = 6", "LIMIT = 6") == "nothing changes"
    assert flaw(code, "    pass\n", "") == "what comes out is no Python"


@each_game
def test_the_tests_that_shall_notice_are_there(table, game):
    assert table.TESTS
    assert [name for name in table.TESTS if not (ROOT / name).is_file()] == []


@each_game
def test_every_numbered_rule_is_broken_by_a_mutation(table, game):
    rules = numbered(text(game, "README.md"), GAMES[game])
    assert rules
    assert missing(rules, {mutation.rule for mutation in table.MUTATIONS}) == []


def test_a_rule_without_a_mutation_is_named():
    readme = f"{BEGIN}| place | it says | rules | tests |\n| 1.1 | a | M2, C3, AC-M9 | `m4` |\n{END}"
    options = "\n## Options\n| `level` | `45` | 60 (M37), C24 |\n\n## Readings\n| C8 | |\n"
    assert numbered(options + readme, "M") == {"M2", "M37", "C24"}
    assert missing({"M2", "U7", "M37"}, {"M2", "U7a"}) == ["M37", "U7"]


def flaw(code: str, was: str, now: str) -> str:
    """What is wrong with a mutation of ``code``; empty if it is a good one."""
    if code.count(was) != 1:
        return f"{was!r} stands {code.count(was)} times"
    if was == now:
        return "nothing changes"
    try:
        ast.parse(code.replace(was, now))
    except SyntaxError:
        return "what comes out is no Python"
    return ""


def numbered(readme: str, letter: str) -> set[str]:
    """The game's rules in the column ``rules`` of the table of sentences, and all that its options name."""
    sentences = readme.partition(BEGIN)[2].partition(END)[0]
    column = " ".join(row.split("|")[3] for row in sentences.splitlines() if row.startswith("|"))
    options = readme.partition("\n## Options\n")[2].partition("\n## ")[0]
    return {*re.findall(rf"(?<!-)\b{letter}\d+[a-z]?\b", column)} | {
        *re.findall(rf"\b[{letter}C]\d+\b", options)
    }


def missing(rules: Iterable[str], broken: Iterable[str]) -> list[str]:
    """The ``rules`` that nothing of ``broken`` breaks, in order."""
    return sorted({*rules} - {*broken})


def text(game: str, file: str) -> str:
    return (ROOT / "companion" / "games" / game / file).read_text(encoding="utf-8")
