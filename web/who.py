"""Who is asking: a seat, the host, both, or a guest. Kept in Flask's signed cookie."""

import hmac
import secrets
from dataclasses import dataclass

from flask import session

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
        return self.seat is None or _seat(snapshot, self.seat.key, self.seat.generation) is not None


def asking(snapshot: Snapshot, stamp: str) -> Who:
    """Who the current request comes from; a seat taken away or renewed counts as no seat.

    ``stamp`` is what a host's cookie must hold now (``host_stamp``).
    """
    device = session.get("device")
    if not isinstance(device, str):
        device = session["device"] = secrets.token_hex(8)
        session.permanent = True
    seat = _seat(snapshot, session.get("seat"), session.get("generation"))
    host = hmac.compare_digest(str(session.get("host", "")), stamp)
    return Who(device, seat, host)


def sit(seat: SeatInfo) -> None:
    """Give this browser the seat."""
    session["seat"] = seat.key
    session["generation"] = seat.generation
    session.permanent = True


def stand_up() -> None:
    """Take the seat from this browser; the seat itself stays."""
    session.pop("seat", None)
    session.pop("generation", None)


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


def _seat(snapshot: Snapshot, key: object, generation: object) -> SeatInfo | None:
    return next((s for s in snapshot.seats if s.key == key and s.generation == generation), None)
