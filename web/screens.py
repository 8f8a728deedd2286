"""Snapshot and seat to HTML, each drawn once however many look at it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import segno
from jinja2 import Environment

from companion.rules.events import Seat, Seconds
from companion.rules.game import players
from companion.rules.view import View
from companion.snapshot import Snapshot
from companion.table import Table
from web import pieces, shapes
from web.howto import how_to_play
from web.ports import Ports
from web.who import Who

SCREENS = ("lobby", "play", "table", "history")
"""Names of the live screens, which are names of templates."""


@dataclass(frozen=True, slots=True)
class _Key:
    screen: str
    seat: Seat | None
    generation: int
    host: bool


class _Slot:
    """The latest drawing of one screen; the lock lets one thread draw while others wait for it."""

    __slots__ = ("html", "lock", "version")

    def __init__(self) -> None:
        self.lock = Lock()
        self.version = -1
        self.html = ""


class Screens:
    """Draws screens. One drawing a screen, seat and version, shared by all who see the same."""

    def __init__(self, table: Table, ports: Ports, environment: Environment) -> None:
        self._table = table
        self._ports = ports
        self._environment = environment
        self._slots: dict[_Key, _Slot] = {}
        self._lock = Lock()
        self.drawn = 0
        """How many drawings were made, for tests and numbers."""

    def html(self, screen: str, snapshot: Snapshot, who: Who) -> str:
        """The screen's changing part."""
        key = _key(screen, who)
        with self._lock:
            slot = self._slots.setdefault(key, _Slot())
        with slot.lock:
            if slot.version != snapshot.version:
                slot.html = self._draw(screen, snapshot, who)
                slot.version = snapshot.version
            return slot.html

    def message(
        self, screen: str, snapshot: Snapshot, who: Who, at: Seconds
    ) -> Mapping[str, object] | None:
        """What a stream sends: the drawing, table time, and what to read out. None without the seat."""
        if not who.still(snapshot):
            return None
        view = self._view(screen, snapshot, who)
        return {
            "html": self.html(screen, snapshot, who),
            "version": snapshot.version,
            "face": view.face if view else "",
            "at": at,
            "paused": snapshot.paused,
            "say": shapes.said(view) if view else "",
        }

    def face(self, snapshot: Snapshot) -> str:
        """The palette of the open game; empty for the house's own."""
        view = self._table.view(snapshot, None)
        return view.face if view else ""

    def page(self, template: str, **context: Any) -> str:
        """A whole page. What the open game wants told on every screen goes with those that show no game."""
        snapshot = context.get("snapshot")
        view = (
            self._table.view(snapshot, None) if snapshot and context.get("screen") not in SCREENS else None
        )
        banner = view.banner if view else ""
        return self._environment.get_template(template).render(ports=self._ports, banner=banner, **context)

    def _view(self, screen: str, snapshot: Snapshot, who: Who) -> View | None:
        playing = screen == "play" and snapshot.game is not None and who.key in snapshot.game.seats
        return self._table.view(snapshot, who.key if playing else None)

    def _draw(self, screen: str, snapshot: Snapshot, who: Who) -> str:
        self.drawn += 1
        view = self._view(screen, snapshot, who)
        seat = next((s for s in snapshot.seats if s.key == who.key), None)
        return self._environment.get_template(f"screens/{screen}.html").render(
            snapshot=snapshot,
            view=view,
            who=replace(who, seat=seat),
            table=self._table,
            ports=self._ports,
            names={seat.key: seat for seat in snapshot.seats},
        )


def furnish(environment: Environment, asset: Callable[[str], str]) -> None:
    """Give the templates what they draw with."""
    environment.trim_blocks = environment.lstrip_blocks = True
    environment.globals.update(asset=asset, shapes=shapes, pieces=pieces, qr=qr, how_to_play=how_to_play)
    environment.filters.update(clock=clock, players=players)
    environment.tests["explained"] = how_to_play


def qr(address: str) -> str:
    """A QR code as inline SVG, dark on nothing: it stands on a white card."""
    return segno.make(address, error="m").svg_inline(scale=1, border=0, omitsize=True)


def clock(seconds: float) -> str:
    """Table time as minutes and seconds.

    >>> clock(75.4)
    '1:15'
    """
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


def _key(screen: str, who: Who) -> _Key:
    if screen == "table":
        return _Key(screen, None, 0, host=False)
    return _Key(screen, who.key, who.seat.generation if who.seat else 0, who.host)
