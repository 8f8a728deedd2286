"""Evenings as text, ``companion/games/<slug>/playthroughs/*.txt``: they fold, and say what they said.

Lines that begin with ``#   `` are what the game answered to the fact above them; other comments are the
author's. After a wanted change, ``BLESS=1 pytest tests/games/test_playthroughs.py`` writes them anew.
"""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import gamefile
from companion.games import all_games, folder
from companion.rules.events import Event, Seconds
from companion.rules.game import Expected, Game
from companion.rules.view import Roster, Track, View

FILES = [
    path for game in all_games().values() for path in sorted((folder(game) / "playthroughs").glob("*.txt"))
]
ANSWER = "#   "


def panel(view: View, kind: type) -> Any:
    return next((p for p in view.panels if isinstance(p, kind)), None)


def roster(view: View) -> dict[str, str]:
    found = panel(view, Roster)
    if found is None:
        return {}
    whys = {entry.name: "; ".join(entry.why) for entry in found.entries}
    return {e.name: f"{e.state} ({whys[e.name]})" if e.why else e.state for e in found.entries}


def awaited(expected: Expected) -> str:
    parts = []
    if expected.dice is not None:
        held = " ".join(map(str, expected.dice.held))
        parts.append(
            "dice "
            + " + ".join(f"{n} {k}" for k, n in expected.dice.kinds)
            + (f", held {held}" if held else "")
        )
    if expected.cubes:
        parts.append("cubes " + " + ".join(f"{n} {colour}" for colour, n in expected.cubes))
    if expected.timer is not None:
        parts.append(f"timer {expected.timer.name} until {expected.timer.ends_at:g}")
    parts += [tap.word for tap in expected.taps]
    return ", ".join(parts) or "nothing"


def answers(game: Game[Any], before: Any, event: Event, after: Any) -> Iterator[str]:
    """What the game answers to an event: what is told, and what changed for everybody."""
    yield f"told: {game.told(before, event, after)}"
    was, now = (game.view(state, None, Seconds(event.at)) for state in (before, after))
    if now.headline != was.headline:
        yield f"headline: {now.headline}"
    for name, text in roster(now).items():
        if roster(was).get(name) != text:
            yield f"{name}: {text}"
    old, new = panel(was, Track), panel(now, Track)
    if new is not None and (new.value, new.pending) != (old.value, old.pending):
        yield f"{new.title}: {new.value} {new.unit}" + (f", {new.pending} to pay" if new.pending else "")
    if game.expects(after) != game.expects(before):
        yield f"expects: {awaited(game.expects(after))}"
    ended = game.outcome(after)
    if ended is not None:
        yield f"outcome: {ended.termination}: {ended.text}"
        yield from (f"keeps {name}: {text}" for name, text in game.keeps(after).items())


def annotated(text: str) -> str:
    """The file with the answers of today's game."""
    file = gamefile.read(text, all_games())
    game = all_games()[file.slug]
    state = game.setup(file.setup)
    facts = dict(file.events)
    lines: list[str] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(ANSWER):
            continue
        lines.append(line)
        if number in facts:
            before, state = state, game.apply(state, facts[number])
            lines += [f"{ANSWER}{answer}" for answer in answers(game, before, facts[number], state)]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parts[-3]}/{path.stem}" for path in FILES])
def test_a_playthrough_says_what_it_said(path: Path):
    text = path.read_text(encoding="utf-8")
    today = annotated(text)
    if os.environ.get("BLESS"):
        path.write_text(today, encoding="utf-8")
        text = today
    assert today == text


@pytest.mark.parametrize("path", FILES, ids=[f"{path.parts[-3]}/{path.stem}" for path in FILES])
def test_a_playthrough_reaches_its_end(path: Path):
    file = gamefile.read(path.read_text(encoding="utf-8"), all_games())
    evening = gamefile.fold(file, all_games()[file.slug])
    assert evening.game.outcome(evening.state) is not None


@pytest.mark.parametrize("game", all_games().values(), ids=all_games())
def test_playthroughs_end_in_more_than_one_way(game):
    ends = set()
    for path in (folder(game) / "playthroughs").glob("*.txt"):
        evening = gamefile.fold(gamefile.read(path.read_text(encoding="utf-8"), all_games()), game)
        ends.add(game.outcome(evening.state).termination)
    assert len(ends) > 1
