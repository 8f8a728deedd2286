"""One folder a game, found by being there: ``<slug>/rules.py`` with a module-level ``GAME``."""

from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from companion.rules.game import Game


@cache
def all_games() -> dict[str, Game[Any]]:
    """Every game in this folder by its slug, in the order of their titles."""
    modules = [import_module(f"{__name__}.{slug}.rules") for slug in folders()]
    games: list[Game[Any]] = [module.GAME for module in modules]
    return {game.slug: game for game in sorted(games, key=lambda g: g.title)}


def folders() -> dict[str, Path]:
    """The folder of every game by its slug: rules, README, playthroughs, and what its screens look like."""
    return {p.parent.name: p.parent for p in Path(__file__).parent.glob("*/rules.py")}


def folder(game: Game[Any]) -> Path:
    """Where the game's README and playthroughs lie."""
    return Path(__file__).parent / game.slug
