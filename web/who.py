"""Who is asking: a seat, the host, both, or a guest. Kept in Flask's signed cookie."""

import hmac
import secrets
from dataclasses import dataclass

from flask import current_app, session

from companion.rules.events import Seat
from companion.snapshot import SeatInfo, Snapshot


@dataclass(frozen=True, slots=True)
class Who:
    """One browser. ``device`` tells browsers apart and nothing more."""

    device: str
    seat: SeatInfo | None = None
    host: bool = False

    @property
    def key(self) -> Seat | None:
        """The seat's key; None for a host without a seat and for guests."""
        return self.seat.key if self.seat else None

    def still(self, snapshot: Snapshot) -> bool:
        """Whether this browser's seat is still its own; always so for guests."""
        return self.seat is None or any(
            seat.key == self.seat.key and seat.code == self.seat.code for seat in snapshot.seats
        )


def asking(snapshot: Snapshot, stamp: str) -> Who:
    """Who the current request comes from; a seat taken away or renewed counts as no seat.

    ``stamp`` is what a host's cookie must hold now (``host_stamp``).
    """
    device = session.get("device")
    if not isinstance(device, str):
        device = session["device"] = secrets.token_hex(8)
        session.permanent = True
    seat = next((s for s in snapshot.seats if s.key == session.get("seat") and _holds(s)), None)
    host = hmac.compare_digest(str(session.get("host", "")), stamp)
    return Who(device, seat, host)


def sit(seat: SeatInfo) -> None:
    """Give this browser the seat."""
    session["seat"] = seat.key
    session["proof"] = _proof(seat)
    session.permanent = True


def stand_up() -> None:
    """Take the seat from this browser; the seat itself stays."""
    session.pop("seat", None)
    session.pop("proof", None)


def become_host(stamp: str) -> None:
    """Let this browser do what only the host may, until the PIN changes."""
    session["host"] = stamp
    session.permanent = True


def stop_hosting() -> None:
    """Give up what only the host may do."""
    session.pop("host", None)


def host_stamp(host_pin: str, secret_key: bytes) -> str:
    """What a host's cookie holds: it ends with the PIN, and nobody can guess the PIN from it."""
    return hmac.new(secret_key, b"host:" + host_pin.encode(), "sha256").hexdigest()[:32]


def _holds(seat: SeatInfo) -> bool:
    """Whether this browser took this very seat: a key is free again when a seat is gone, a code is not."""
    return hmac.compare_digest(str(session.get("proof", "")), _proof(seat))


def _proof(seat: SeatInfo) -> str:
    """What a seat's cookie holds. It hides the code, for cookies can be read."""
    key = current_app.secret_key
    assert isinstance(key, bytes)
    return hmac.new(key, f"seat:{seat.key}:{seat.code}".encode(), "sha256").hexdigest()[:32]
