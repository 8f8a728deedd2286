"""A rulebook sentence by sentence, beside the rules and the tests that carry their names.

A place is a chapter, a paragraph and a sentence: ``Set-up 1.3``, or ``Set-up 1.3-5`` for several in a row.
A test carries the rules at the beginning of its name: ``test_m22_m26_...``, ``test_ac_m6_to_m9_...``.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.games import folder
from companion.rules.game import Game

BEGIN, END = "<!-- sentences -->\n", "<!-- /sentences -->"
_CARRIED = re.compile(r"test_(ac_)?([a-z]\d+[a-z]?_(?:(?:to_)?[a-z]\d+[a-z]?_)*)")
_PLACE = re.compile(r"(.+) (\d+)\.(\d+)(?:-(\d+))?")
Sentence = tuple[str, str, str]
"""Place, what it says in our own words, and the rules it became, with spaces between."""


def names_in(files: Iterable[Path]) -> list[str]:
    """The names of the test functions of ``files``, in order."""
    texts = (file.read_text(encoding="utf-8") for file in files)
    return [name for text in texts for name in re.findall(r"^def (test_\w+)", text, re.MULTILINE)]


def carried(test: str) -> set[str]:
    """The rules, readings or cases that a test's name begins with.

    >>> sorted(carried("test_ac_m6_to_m8_minutes")), sorted(carried("test_m22_m26_hidden"))
    (['AC-M6', 'AC-M7', 'AC-M8'], ['M22', 'M26'])
    """
    found = _CARRIED.match(test)
    if found is None:
        return set()
    rules, begun = set(), ""
    for word in found[2].strip("_").replace("_to_", "_-").split("_"):
        if word.startswith("-"):
            numbers = range(int(begun[1:]), int(word[2:]) + 1)
            rules |= {f"{word[1]}{n}" for n in numbers}
        else:
            rules.add(word)
            begun = word
    return {f"{'AC-' if found[1] else ''}{rule.upper()}" for rule in rules}


def table(sentences: Iterable[Sentence], tests: list[str]) -> str:
    """The table as it stands in a README."""
    rows = ["| sentence | it says | rules | tests |", "| --- | --- | --- | --- |"]
    for place, says, rules in sentences:
        named = [name for rule in rules.split() for name in tests if rule in carried(name)]
        shown = ", ".join(f"`{name}`" for name in dict.fromkeys(named))
        stood = re.sub(r"(?<=\d)[A-Z]\b", lambda part: part[0].lower(), ", ".join(rules.split()))
        rows.append(f"| {place} | {says} | {stood} | {shown} |")
    return "\n".join(rows) + "\n"


def standing(readme: Path, today: str) -> str:
    """The table that stands in the README; with ``BLESS=1``, after today's has been written there."""
    head, _, rest = readme.read_text(encoding="utf-8").partition(BEGIN)
    there, _, tail = rest.partition(END)
    if os.environ.get("BLESS"):
        readme.write_text(head + BEGIN + today + END + tail, encoding="utf-8")
        return today
    return there


def untested(sentences: Iterable[Sentence], tests: Iterable[str]) -> list[str]:
    """Places that say nothing, have no rule, or one that no test carries in its name.

    >>> untested([("1.1", "roll", "M1"), ("1.2", "move", "M2"), ("1.3", "", "M1")], ["test_m1_roll"])
    ['1.2', '1.3']
    """
    tested = {rule for test in tests for rule in carried(test)}
    return [p for p, says, rules in sentences if not (says and rules) or set(rules.split()) - tested]


def tells(game: Game, last_reading: int) -> None:
    """Assert that a game's README has its readings, options, modules and five mistakes, and no others."""
    file = folder(game) / "README.md"
    readme = file.read_text(encoding="utf-8")
    assert readings(readme) == [f"C{n}" for n in range(1, last_reading + 1)]
    assert options(readme) == [(option.name, option.default) for option in game.options]
    assert modules(readme) == {path.stem for path in file.parent.glob("*.py")} - {"__init__"}
    assert mistakes(readme) == 5


def readings(readme: str) -> list[str]:
    """The readings that have a row of their own, in order."""
    return re.findall(r"^\| (C\d+) \|", readme, re.MULTILINE)


def options(readme: str) -> list[tuple[str, str]]:
    """(name, default) of the options that have a row, in order."""
    return re.findall(r"^\| `(\w+)` \| `(\w+)` \|", readme, re.MULTILINE)


def modules(readme: str) -> set[str]:
    """The modules that the list of where things are names in its first column."""
    there = readme.partition("## Where it is")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in there.splitlines() if line.startswith("| `")]
    return {name for row in rows for name in re.findall(r"`(\w+)`", row)}


def mistakes(readme: str) -> int:
    """How many frequent mistakes the README names, with what catches each."""
    rows = readme.partition("## Five mistakes")[2].partition("## ")[0].splitlines()
    return len([row for row in rows if row.startswith("| ")]) - 2  # the head and its ruler


def gaps(sentences: Iterable[Sentence], chapters: Mapping[str, tuple[int, ...]]) -> list[str]:
    """Places that are left out, twice there, or in no chapter.

    ``chapters``: how many sentences each paragraph of a chapter has.

    >>> gaps([("A 1.1-2", "", "X"), ("A 2.2", "", "X")], {"A": (2, 2)})
    ['A 2.1']
    """
    wanted = [
        f"{chapter} {number}.{n}"
        for chapter, paragraphs in chapters.items()
        for number, count in enumerate(paragraphs, start=1)
        for n in range(1, count + 1)
    ]
    there = []
    for place, _, _ in sentences:
        found = _PLACE.fullmatch(place)
        assert found, place
        numbers = range(int(found[3]), int(found[4] or found[3]) + 1)
        there += [f"{found[1]} {found[2]}.{n}" for n in numbers]
    twice = [place for place in dict.fromkeys(there) if there.count(place) > 1]
    return [p for p in wanted if p not in there] + [p for p in there if p not in wanted] + twice
