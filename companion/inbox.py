"""One thread that does one thing after the other."""

import logging
from collections.abc import Callable
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Lock, Thread
from typing import TypeVar

from companion.errors import CompanionError

T = TypeVar("T")

log = logging.getLogger(__name__)

_LONGEST_SLEEP_S = 3600.0
"""Queues take no endless number of seconds; looking up once an hour costs nothing."""


class Inbox:
    """Runs jobs in the order of arrival on a thread of its own.

    ``wake`` is called before each job, and when ``sleep_s`` seconds (None: for ever) pass without one.
    """

    def __init__(self, name: str, *, wake: Callable[[], None], sleep_s: Callable[[], float | None]) -> None:
        self._wake = wake
        self._sleep_s = sleep_s
        self._jobs: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._closed = False
        self._door = Lock()
        self._thread = Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin; jobs that came before are done first."""
        self._thread.start()

    def do(self, job: Callable[[], T]) -> T:
        """Run ``job`` on the thread and give back what it gives or raises. Any thread may call."""
        future: Future[T] = Future()

        def run() -> None:
            try:
                future.set_result(job())
            except BaseException as fault:  # noqa: BLE001 - it is raised again where the caller waits
                future.set_exception(fault)

        with self._door:  # a job put in behind the last one would never be done
            if self._closed:
                raise CompanionError("the companion is stopping; try again in a moment")
            self._jobs.put(run)
        return future.result()

    def close(self) -> None:
        """Finish what is there, then end. Calls of ``do`` after this raise CompanionError."""
        with self._door:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()

    @property
    def closed(self) -> bool:
        """Whether it takes no more jobs."""
        return self._closed

    def _run(self) -> None:
        while True:
            try:
                sleep_s = self._sleep_s()
                job = self._jobs.get(timeout=None if sleep_s is None else min(sleep_s, _LONGEST_SLEEP_S))
            except Empty:
                self._look_up()
                continue
            if job is None:
                return
            self._look_up()
            job()

    def _look_up(self) -> None:
        try:
            self._wake()
        except Exception:
            log.exception("the thread %s failed on waking and goes on", self._thread.name)
