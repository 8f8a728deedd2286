"""Server-Sent Events: the whole view each time, latest wins, a heartbeat when nothing happens."""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import count
from threading import Condition, Lock, Thread

from companion.snapshot import Snapshot
from companion.table import Table

HEARTBEAT_S = 10.0
"""A phone that has heard nothing for two and a half of these opens its stream anew."""
MAX_AGE_S = 15 * 60.0
"""A phone that vanished without a word holds its thread no longer than this."""
MOST_STREAMS = 200
MOST_OF_ONE = 4
"""Streams of one browser: a seat, a table screen, and some that have not been noticed to be gone."""


class Hub:
    """Waits for the table once, on behalf of all streams, and wakes them at once to say goodbye."""

    def __init__(self, table: Table, patience_s: float = 0.25) -> None:
        self._table = table
        self._patience_s = patience_s
        self._condition = Condition()
        self._latest = table.snapshot()
        self._thread: Thread | None = None
        self._closed = False

    @property
    def closed(self) -> bool:
        """Whether goodbye has been said."""
        return self._closed

    def wait(self, version: int, timeout_s: float, over: Callable[[], bool]) -> Snapshot:
        """The latest snapshot, as soon as it is newer than ``version``, ``over()`` or time is up."""
        with self._condition:
            self._start()
            self._condition.wait_for(
                lambda: self._latest.version > version or self._closed or over(), timeout=timeout_s
            )
            return self._latest

    def wake(self) -> None:
        """Let every stream look whether it is over."""
        with self._condition:
            self._condition.notify_all()

    def close(self) -> None:
        """End every stream, now and in future."""
        with self._condition:
            self._closed = True
            self._condition.notify_all()
        if self._thread:
            self._thread.join(timeout=2 * self._patience_s)

    def _start(self) -> None:
        if self._thread is None:
            self._latest = self._table.snapshot()
            self._thread = Thread(target=self._follow, name="web-hub", daemon=True)
            self._thread.start()

    def _follow(self) -> None:
        version = self._latest.version
        while not self._closed and not self._table.closed:
            snapshot = self._table.wait(version, self._patience_s)
            if snapshot.version > version:
                version = snapshot.version
                with self._condition:
                    self._latest = snapshot
                    self._condition.notify_all()
        with self._condition:
            self._closed = True
            self._condition.notify_all()


@dataclass(slots=True)
class Ticket:
    """The right to one stream. ``over`` once a newer stream of the same browser took its place.

    ``tab`` is what the page calls itself, if it does.
    """

    number: int
    device: str
    tab: str = ""
    guest: bool = True
    over: bool = False


class Streams:
    """Who listens. A browser's newest stream pushes out its oldest.

    When the house is full, whoever has a seat pushes out the guest who has been there longest, so
    that no stranger who opens two hundred pages keeps a player out; other guests are sent away.
    """

    def __init__(self, most: int = MOST_STREAMS, most_of_one: int = MOST_OF_ONE) -> None:
        self._most = most
        self._most_of_one = most_of_one
        self._tickets: dict[int, Ticket] = {}
        self._numbers = count()
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._tickets)

    def enter(self, device: str, tab: str = "", *, guest: bool = True) -> Ticket | None:
        """A ticket, or None when the house is full and there is nothing to give up for it.

        A ticket of the same ``tab`` is given up first: a page just left is not noticed for a while.
        """
        with self._lock:
            own = [t for t in self._tickets.values() if t.device == device]
            left = [t for t in own if tab and t.tab == tab]
            full = len(self._tickets) >= self._most
            guests = [t for t in self._tickets.values() if t.guest and not guest]
            if left or full or len(own) >= self._most_of_one:
                given_up = left or own or guests
                if not given_up:
                    return None
                given_up[0].over = True
                del self._tickets[given_up[0].number]
            ticket = Ticket(next(self._numbers), device, tab, guest)
            self._tickets[ticket.number] = ticket
            return ticket

    def leave(self, ticket: Ticket) -> None:
        """Give the ticket back; giving it back twice does no harm."""
        with self._lock:
            self._tickets.pop(ticket.number, None)


@dataclass(frozen=True, slots=True)
class Message:
    """One event of a stream. ``id`` is the version of the table that it shows."""

    event: str
    data: Mapping[str, object]
    id: int | None = None

    def __str__(self) -> str:
        ident = "" if self.id is None else f"id: {self.id}\n"
        return f"{ident}event: {self.event}\ndata: {json.dumps(self.data, ensure_ascii=False)}\n\n"


def messages(
    *,
    wait: Callable[[int, float], Snapshot],
    show: Callable[[Snapshot], Mapping[str, object] | None],
    ending: Callable[[], str],
    now: Callable[[], float],
    heartbeat_s: float = HEARTBEAT_S,
    max_age_s: float = MAX_AGE_S,
) -> Iterator[Message]:
    """What one stream says, from first to last.

    ``wait(version, timeout_s)`` gives the latest snapshot; ``show`` the whole view of it, or None
    when the listener has lost its seat; ``ending`` a last word (``bye``, ``moved``) or nothing;
    ``now`` monotonic seconds.
    """
    began_s = now()
    version = -1
    while True:
        snapshot = wait(version, heartbeat_s)
        if ending():
            yield Message(ending(), {})
            return
        if snapshot.version > version:
            shown = show(snapshot)
            if shown is None:
                yield Message("out", {})
                return
            version = snapshot.version
            yield Message("view", shown, version)
        else:
            yield Message("beat", {"version": version})
        if now() - began_s >= max_age_s:
            yield Message("again", {})
            return
