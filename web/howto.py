"""How a game is played, on one screen: two sections of its README."""

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt
from markupsafe import Markup

from companion.games import folder
from companion.rules.game import Game

PLAYED = "How to play, on one screen"
CAUGHT = "Five mistakes that are caught"

_MARKS = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
"""Pages ask no other host for anything, so there are neither pictures nor links; HTML is shown as text."""


@dataclass(frozen=True, slots=True)
class HowTo:
    """The two sections as HTML; ``caught`` may be empty."""

    played: Markup
    caught: Markup


def how_to_play(game: Game[Any]) -> HowTo | None:
    """What the README in the game's folder says; None if it has no such section."""
    return _read(folder(game) / "README.md")


@cache
def _read(path: Path) -> HowTo | None:
    if not path.is_file():
        return None
    there = sections(path.read_text(encoding="utf-8"))
    return HowTo(html(there[PLAYED]), html(there.get(CAUGHT, ""))) if there.get(PLAYED) else None


def sections(text: str) -> dict[str, str]:
    r"""What stands under each heading of the second level, by the heading.

    >>> sections("# A\n\nb\n\n## C\n\nd\n\n### E\n\n## F\n\ng\n")
    {'C': 'd\n\n### E', 'F': 'g'}
    """
    parts = re.split(r"^## (.+)$", text, flags=re.MULTILINE)[1:]
    return {title.strip(): body.strip() for title, body in zip(parts[::2], parts[1::2], strict=True)}


def html(text: str) -> Markup:
    """Markdown as HTML: paragraphs, headings, lists, tables, bold, slanted and code.

    >>> print(html("Take **two** <dice>."))
    <p>Take <strong>two</strong> &lt;dice&gt;.</p>
    """
    return Markup(_MARKS.render(text).rstrip())  # noqa: S704 - it has escaped whatever is no mark
