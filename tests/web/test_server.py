"""The server as it runs: two hundred streams, an end within two seconds, a port in use."""

import http.client
import json
import socket
import time
from contextlib import closing

import pytest

from companion.errors import CompanionError
from companion.rules.events import DiceRolled, DieFace, Observation, Seconds
from house import ROLL
from served import SOON_S
from web import serve
from web.server import THREADS
from web.stream import MOST_STREAMS


@pytest.fixture
def server(house):
    server = serve(house.app, "127.0.0.1", 0, threads=THREADS)
    yield server
    server.close()


def ask(server, path, *, method="GET", body=None, cookie="", timeout_s=5.0):
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=timeout_s)) as line:
        headers = {"Content-Type": "application/json", "Accept": "application/json"} | (
            {"Cookie": cookie} if cookie else {}
        )
        line.request(method, path, body=json.dumps(body) if body is not None else None, headers=headers)
        answer = line.getresponse()
        return answer, answer.read()


class Listener:
    """A raw stream over a socket of its own."""

    def __init__(self, server, cookie=""):
        self.line = socket.create_connection(("127.0.0.1", server.port), timeout=10.0)
        cookie = f"Cookie: {cookie}\r\n" if cookie else ""
        self.line.sendall(f"GET /stream?screen=table HTTP/1.1\r\nHost: localhost\r\n{cookie}\r\n".encode())
        self.heard = b""

    def until(self, text):
        while text not in self.heard:
            piece = self.line.recv(65536)
            if not piece:
                break
            self.heard += piece
        return self.heard

    def close(self):
        self.line.close()


def test_pages_and_taps_over_the_wire(server, house):
    answer, body = ask(server, "/healthz")
    assert (answer.status, json.loads(body)["status"]) == (200, "ok")
    answer, _ = ask(server, "/api/rejoin", method="POST", body={"code": house.anna.code})
    cookie = answer.getheader("Set-Cookie").split(";")[0]
    answer, body = ask(server, "/api/dice", method="POST", body={"id": "r", "dice": ROLL}, cookie=cookie)
    assert json.loads(body)["status"] == "kept"


def hand(house):
    dice = tuple(DieFace.parse(text) for text in ROLL)
    event = DiceRolled(at=Seconds(0.0), by=house.anna.key, roll="r", dice=dice)
    return Observation(id="r", event=event, source="hand")


def test_a_tap_reaches_a_stream(server, house):
    listener = Listener(server)
    listener.until(b"event: view")
    house.table.join("Clara")
    assert (
        listener.until(b"Clara" if house.table.snapshot().game is None else b"\nid: ").count(b"event: view")
        >= 1
    )
    listener.close()


def test_a_port_in_use_is_a_sentence(server, house):
    with pytest.raises(CompanionError, match=f"port {server.port} .*--port"):
        serve(house.app, "127.0.0.1", server.port)
    with pytest.raises(CompanionError, match="no address of this computer"):
        serve(house.app, "no such host", 0)


def test_closing_says_goodbye_and_frees_the_port(house):
    server = serve(house.app, "127.0.0.1", 0)
    listeners = [Listener(server) for _ in range(5)]
    for listener in listeners:
        listener.until(b"event: view")
    idle = socket.create_connection(("127.0.0.1", server.port))
    began_s = time.monotonic()
    server.close()
    took_s = time.monotonic() - began_s
    for listener in listeners:
        assert b"event: bye" in listener.until(b"event: bye")
        assert listener.until(b"no such text").endswith(b"0\r\n\r\n")
        listener.close()
    idle.close()
    assert took_s < SOON_S
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", server.port), timeout=1.0)


@pytest.mark.slow
def test_two_hundred_streams_and_healthz_still_answers(house):
    server = serve(house.app, "127.0.0.1", 0, threads=THREADS)
    listeners = [Listener(server) for _ in range(MOST_STREAMS)]
    for listener in listeners:
        assert b"event: view" in listener.until(b"event: view")
    began_s = time.monotonic()
    answer, body = ask(server, "/healthz")
    healthz_s = time.monotonic() - began_s
    assert (answer.status, json.loads(body)["streams"]) == (200, MOST_STREAMS)
    refused, body = ask(server, "/stream?screen=table")
    assert refused.status == 503
    assert "Too many screens" in json.loads(body)["error"]
    version = house.table.snapshot().version
    began_s = time.monotonic()
    house.table.join("Clara")
    for listener in listeners:
        listener.until(f"id: {version + 1}\n".encode())
    news_s = time.monotonic() - began_s
    began_s = time.monotonic()
    server.close()
    close_s = time.monotonic() - began_s
    for listener in listeners:
        assert b"event: bye" in listener.until(b"event: bye")
        listener.close()
    print(f"healthz {healthz_s:.3f} s, news to all {news_s:.3f} s, close {close_s:.3f} s")
    assert healthz_s < SOON_S
    assert news_s < SOON_S
    assert close_s < SOON_S
