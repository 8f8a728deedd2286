"""What every view function works with: the table, the ports, the streams, and who is asking."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import cast
from urllib.parse import urlsplit

from flask import Response, current_app, g, jsonify, request

from companion.rules.events import Seat
from companion.snapshot import Receipt, SeatInfo, Snapshot
from companion.table import Table
from web.ports import Ports
from web.refusals import Limiter, Refused, sentence
from web.screens import Screens
from web.spec import HOST, NOBODY, PLAYER, SEAT, Operation
from web.stream import Hub, Streams
from web.who import Who, asking, host_stamp

KEY = "companion"
"""Name of the extension and of the cookie."""


@dataclass(slots=True)
class Desk:
    """The wiring of one app. ``now`` is a monotonic clock in seconds."""

    table: Table
    ports: Ports
    screens: Screens
    hub: Hub
    streams: Streams = field(default_factory=Streams)
    now: Callable[[], float] = time.monotonic
    pins: Limiter = field(default_factory=lambda: Limiter(tries=5, window_s=300.0))
    codes: Limiter = field(default_factory=lambda: Limiter(tries=10, window_s=300.0))

    @property
    def stamp(self) -> str:
        """What the host's cookie holds."""
        return host_stamp(self.ports.host_pin, self.ports.secret_key)


def desk() -> Desk:
    """The desk of the app that answers the current request."""
    return cast("Desk", current_app.extensions[KEY])


def snapshot() -> Snapshot:
    """The table as it was when the current request was first looked at."""
    return cast("Snapshot", g.snapshot)


def who() -> Who:
    """Who is asking."""
    return cast("Who", g.who)


def my_seat() -> SeatInfo:
    """The asking seat. Only behind ``needs=SEAT``."""
    seat = who().seat
    assert seat is not None
    return seat


def my_key() -> Seat | None:
    """The asking seat's key, or None for a host without a seat."""
    return who().key


def admit(operation: Operation) -> None:
    """Look who is asking and refuse what they may not do. Sets what the functions above return."""
    if operation.needs == NOBODY:
        return
    g.snapshot = desk().table.snapshot()
    g.who = asking(g.snapshot, desk().stamp)
    if request.method == "POST":
        refuse_strangers()
    if operation.needs == SEAT and g.who.seat is None:
        raise Refused(401, "Take a seat first: go to the lobby and say your name or your seat code.")
    if operation.needs == HOST and not g.who.host:
        raise Refused(403, "Only the host may do this. Sign in with the host PIN in the lobby.")
    if operation.needs == PLAYER and g.who.seat is None and not g.who.host:
        raise Refused(401, "Take a seat first. Guests may watch, and nothing more.")


def refuse_strangers() -> None:
    """Refuse a post that another site's page sent (CSRF). Raises Refused."""
    origin = request.headers.get("Origin")
    if origin is not None and origin.partition("://")[2] != request.host:
        raise Refused(403, "This was sent from another site's page. Open the companion's own page.")
    refuse_other_sites()
    if origin is None and not request.is_json and "X-Companion" not in request.headers:
        raise Refused(403, "Send JSON, or add the header X-Companion: 1.")


def refuse_other_sites() -> None:
    """Refuse what a browser says another site's page asks for. Raises Refused."""
    if request.headers.get("Sec-Fetch-Site", "same-origin") not in {"same-origin", "none"}:
        raise Refused(403, "This was asked from another site's page. Open the companion's own page.")


def known_host(host: str, addresses: tuple[str, ...]) -> bool:
    """Whether ``host`` (``name:port``) can be this machine, so that no foreign name points here.

    >>> [known_host(h, ()) for h in ("192.168.1.7:8080", "[::1]:80", "moss.local", "pi", "evil.example")]
    [True, True, True, True, False]
    """
    name = urlsplit(f"//{host}").hostname or ""
    own = {urlsplit(address).hostname for address in addresses}
    literal = ":" in name or name.replace(".", "").isdigit()
    return (
        literal
        or "." not in name
        or name.endswith((".local", ".lan", ".home.arpa", ".localhost"))
        or name in own
    )


def told(receipt: Receipt) -> tuple[Response, int]:
    """A receipt as JSON: 200 for what counts, 409 with the sentence for what does not."""
    answer = {"status": receipt.status, "text": receipt.text, "version": receipt.version}
    if receipt.good:
        return jsonify(answer), 200
    return jsonify({"error": sentence(receipt.text), **answer}), 409
