"""A fact's line of notation taken apart for a form, and put together again."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

_PAIR = re.compile(r'(\w+)=((?:"(?:[^"\\]|\\.)*"|[^"\s])*)')
_QUOTED = re.compile(r'"(?:[^"\\]|\\.)*"')
_BARE = re.compile(r'(?:"(?:[^"\\]|\\.)*"|[^"\s=])+')


@dataclass(frozen=True, slots=True)
class Line:
    """``at`` and ``by`` as they stand; ``args`` by name, without quotes around single texts."""

    at: str
    by: str
    word: str
    args: Mapping[str, str]


def taken_apart(line: str) -> Line:
    """The parts of a line that the table wrote.

    >>> taken_apart('3.5 anna note_written text="who, me?"').args
    {'text': 'who, me?'}
    """
    at, by, word, *rest = line.split(maxsplit=3)
    pairs = _PAIR.finditer(rest[0] if rest else "")
    return Line(at, by, word, {m[1]: json.loads(m[2]) if _QUOTED.fullmatch(m[2]) else m[2] for m in pairs})


def put_together(line: Line) -> str:
    """One line of notation; a text with spaces is quoted.

    >>> put_together(Line("3.5", "anna", "moved", {"to": "c4", "why": "a hunch", "dice": ""}))
    '3.5 anna moved to=c4 why="a hunch" dice='
    """
    args = " ".join(f"{name}={_quoted(value)}" for name, value in line.args.items())
    return f"{line.at} {line.by} {line.word} {args}".rstrip()


def _quoted(value: str) -> str:
    return value if not value or _BARE.fullmatch(value) else json.dumps(value, ensure_ascii=False)
