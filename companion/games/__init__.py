"""One folder a game, found by being there: ``<slug>/rules.py`` with a module-level ``GAME``."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.rules.game import Game


@cache
def all_games() -> dict[str, Game[Any]]:
    """Every game in this folder by its slug, in the order of their titles."""
    here = Path(__file__).parent
    modules = [import_module(f"{__name__}.{p.parent.name}.rules") for p in here.glob("*/rules.py")]
    games: list[Game[Any]] = [module.GAME for module in modules]
    return {game.slug: game for game in sorted(games, key=lambda g: g.title)}


def folder(game: Game[Any]) -> Path:
    """Where the game's README and playthroughs lie."""
    return Path(__file__).parent / game.slug
