"""From a tap to the last of fifty phones: median and 99th percentile.

    python tests/benchmarks/bench_fanout.py [PHONES] [TAPS]

The companion runs in a process of its own and serves a game of Moss to six seats and guests over
real sockets; one thread here listens to all of them. Each tap is durable before it is shown.
"""

import http.client
import json
import re
import selectors
import socket
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from served import Served

_ID = re.compile(rb"id: (\d+)\nevent: view")


class Phone:
    """A browser's cookie and its posts; with ``code`` it takes a seat that is there."""

    def __init__(self, port: int, name: str = "", code: str = "") -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
        self.cookie = ""
        path, body = ("/api/rejoin", {"code": code}) if code else ("/api/join", {"name": name})
        self.seat = self.post(path, body)

    def post(self, path: str, body: dict) -> dict:
        heads = {"Content-Type": "application/json", "X-Companion": "1", "Cookie": self.cookie}
        self.connection.request("POST", path, json.dumps(body), heads)
        answer = self.connection.getresponse()
        found = answer.getheader("Set-Cookie")
        if found:
            self.cookie = found.split(";")[0]
        return json.loads(answer.read())


def listen(port: int, cookie: str, screen: str) -> socket.socket:
    """A stream, connected and not yet read."""
    stream = socket.create_connection(("127.0.0.1", port))
    stream.sendall(
        f"GET /stream?screen={screen} HTTP/1.1\r\nHost: localhost\r\nCookie: {cookie}\r\n\r\n".encode()
    )
    stream.setblocking(False)
    return stream


def until_all(selector: selectors.BaseSelector, streams: int, version: int, tails: dict) -> float:
    """Read until every stream has shown ``version``; the time when the last one did."""
    shown: set = set()
    deadline = time.perf_counter() + 20
    while len(shown) < streams and time.perf_counter() < deadline:
        for key, _ in selector.select(timeout=1):
            text = tails.get(key.fd, b"") + key.fileobj.recv(1 << 20)
            found = [int(m[1]) for m in _ID.finditer(text)]
            tails[key.fd] = text[-64:]
            if found and found[-1] >= version:
                shown.add(key.fd)
    assert len(shown) == streams, f"{len(shown)} of {streams} phones were told"
    return time.perf_counter()


def measure(phones: int, taps: int) -> list[float]:
    """Milliseconds from sending each tap to the last phone's having it."""
    with tempfile.TemporaryDirectory() as folder:
        served = Served(Path(folder), "--camera", "none")
        try:
            seats = [Phone(served.port, f"Player {n}") for n in range(6)]
            seats[0].post("/api/host", {"pin": served.pin})
            keys = [phone.seat["seat"] for phone in seats]
            seats[0].post("/api/games", {"slug": "moss", "title": "", "seats": keys, "options": {}})
            selector, tails = selectors.DefaultSelector(), {}
            for n in range(phones):
                cookie = Phone(served.port, code=seats[n % 6].seat["code"]).cookie
                selector.register(listen(served.port, cookie, "play"), selectors.EVENT_READ)
            until_all(selector, phones, 0, tails)
            took = []
            for n in range(taps):
                began = time.perf_counter()
                body = {"id": f"tap{n}", "word": "note_written", "args": {"text": f"{n}"}, "seen": 0}
                receipt = seats[n % 6].post("/api/tap", body)
                assert receipt["status"] == "kept", receipt
                took.append((until_all(selector, phones, receipt["version"], tails) - began) * 1000)
            return took
        finally:
            served.end()


def report(phones: int = 50, taps: int = 200) -> str:
    """The line that the benchmark prints."""
    took = measure(phones, taps)
    median, p99 = statistics.median(took), statistics.quantiles(took, n=100)[98]
    return f"tap to last of {phones} phones, {taps} taps: median {median:.1f} ms, p99 {p99:.1f} ms"


def test_every_tap_reaches_all_fifty() -> None:
    line = report(50, 100)
    print("\n" + line)
    assert line.startswith("tap to last of 50 phones, 100 taps")


if __name__ == "__main__":
    print(report(*map(int, sys.argv[1:3])))
