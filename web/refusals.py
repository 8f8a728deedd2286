"""Refusals that leave the server as a sentence and a status, and limits on how often one may try."""

from collections import defaultdict, deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import Lock

from companion.errors import CompanionError


class Refused(Exception):  # noqa: N818 - it is an answer to somebody, not a fault of the program
    """A request that is not carried out. The text says why; ``status`` is the HTTP status."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status
        self.text = text


@contextmanager
def faults_told() -> Iterator[None]:
    """Turn a ValueError of the table, which is a sentence for people, into a refusal."""
    try:
        yield
    except CompanionError:
        raise
    except ValueError as fault:
        raise Refused(409, sentence(fault)) from None


def sentence(fault: Exception | str) -> str:
    """An error as it is shown: from a capital letter to a full stop."""
    text = str(fault)
    return f"{text[:1].upper()}{text[1:]}{'' if text.endswith(('.', '!', '?')) else '.'}"


class Limiter:
    """At most ``tries`` failures by one key, and ten times as many by all, in ``window_s`` seconds.

    >>> limiter = Limiter(tries=2, window_s=60.0)
    >>> limiter.failed("a phone", 0.0); limiter.failed("a phone", 1.0)
    >>> limiter.wait_s("a phone", 2.0), limiter.wait_s("another", 2.0), limiter.wait_s("a phone", 60.5)
    (58.0, 0.0, 0.0)
    """

    def __init__(self, tries: int, window_s: float) -> None:
        self._tries = tries
        self._window_s = window_s
        self._failures: dict[str, deque[float]] = defaultdict(deque)
        self._lock = Lock()

    def wait_s(self, key: str, at_s: float) -> float:
        """How long ``key`` has to wait before it may try again; zero if it may now."""
        with self._lock:
            self._forget(at_s)
            own = self._full(self._failures.get(key, ()), self._tries, at_s)
            everybody = sorted(at for failures in self._failures.values() for at in failures)
            return max(own, self._full(everybody, 10 * self._tries, at_s))

    def failed(self, key: str, at_s: float) -> None:
        """Count a failure."""
        with self._lock:
            self._failures[key].append(at_s)

    def _full(self, failures: Sequence[float], tries: int, at_s: float) -> float:
        if len(failures) < tries:
            return 0.0
        return failures[len(failures) - tries] + self._window_s - at_s

    def _forget(self, at_s: float) -> None:
        for key, failures in list(self._failures.items()):
            while failures and failures[0] + self._window_s <= at_s:
                failures.popleft()
            if not failures:
                del self._failures[key]
