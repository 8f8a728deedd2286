"""What tests share: the developers' folder of photographs, and a table on a throw-away journal."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from cryptography.fernet import Fernet
from hypothesis import settings

from browsing import browse, chromium  # noqa: F401 - fixtures for everybody
from companion.clock import TableClock
from companion.journal import Journal
from companion.seal import Seal
from companion.table import Table
from dash import GAME as DASH

# CI tries the same examples each time, so that it tells of changes; people's own runs explore.
settings.register_profile("table", deadline=None, derandomize="CI" in os.environ)
settings.load_profile("table")

SHARED = Path(__file__).parents[2] / "shared"


LONG = ("rig", "browser", "camera", "photos", "slow")
"""Longest first, so that no process is left with it at the end; the camera's rig waits for the other."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items.sort(key=lambda item: [item.get_closest_marker(mark) is None for mark in LONG])


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> Any:
    from sharing import ByFile

    return ByFile(config, log)


@pytest.fixture(scope="session")
def shared() -> Path:
    """The folder of photographs, recordings and the rig, beside the checkout; skips without it."""
    if not (SHARED / "dice" / "labels.json").exists():
        pytest.skip("no ../shared here: the photographs and the rig are not part of the repository")
    return SHARED


@pytest.fixture
def ticks() -> list[float]:
    """The table's clock: its last number is now."""
    return [0.0]


@pytest.fixture
def make_table(tmp_path: Path, ticks: list[float]) -> Iterator[Callable[..., Table]]:
    """Make a Table on a journal in the test's folder; called again, the same evening reopened."""
    made: list[tuple[Table, Journal]] = []
    key = Fernet.generate_key()

    def close() -> None:
        for table, journal in made:
            table.close()
            journal.close()
        made.clear()

    def make(games: dict | None = None, url: str | None = None) -> Table:
        close()
        journal = Journal.open(url or f"sqlite:///{tmp_path / 'evenings.db'}")
        table = Table(
            journal,
            games if games is not None else {"dash": DASH},
            seal=Seal(key),
            clock=TableClock(now=lambda: ticks[-1]),
        )
        made.append((table, journal))
        return table

    yield make
    close()
