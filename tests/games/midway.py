"""Stopping an evening in the middle of something, and what has to be true there in every game."""

from collections.abc import Callable, Iterable, Sequence

import pytest

from companion import gamefile
from companion.rules.events import Event, Seat
from companion.rules.game import Setup

Evening = tuple[Setup, list]
"""How a game was set up, and each state in it with the fact that came next."""


def reached(evenings: Iterable[Evening], wanted: Callable) -> tuple[Setup, list[Event]]:
    """The facts of the first evening that comes there, up to where the state is ``wanted``."""
    for setup, played in evenings:
        for place, (state, _) in enumerate(played):
            if place and wanted(state):
                return setup, [fact for _, fact in played[:place]]
    pytest.fail("no evening comes there")


def opened(table, game, setup: Setup, facts: Sequence[Event]):
    """The table with these facts as its open game."""
    file = gamefile.GameFile(game.slug, "Midway", setup, tuple(enumerate(facts, start=1)))
    info = table.import_game(gamefile.write(file, game, close=str, over=True))
    table.open_game(info.id)
    return info


def survives(make_table, game, setup: Setup, facts: Sequence[Event], seat: Seat) -> None:
    """It may be taken back and let stand; a power cut and a copy change nothing."""
    games = {game.slug: game}
    table = make_table(games)
    info = opened(table, game, setup, facts)
    here = table.snapshot().state

    assert table.undo(id="u1", seat=seat).status == "kept"
    assert table.snapshot().state != here
    assert table.redo(id="u2", seat=seat).status == "kept"
    assert table.snapshot().state == here

    table = make_table(games)  # the same journal, as after a power cut
    assert table.snapshot().state == here

    copy = table.import_game(table.export(info.id))
    table.open_game(copy.id)
    assert table.snapshot().game.id == copy.id != info.id
    assert table.snapshot().state == here
