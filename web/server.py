"""Waitress in this process: enough threads for every stream, and an end within two seconds."""

from socket import AI_PASSIVE, SO_REUSEADDR, SOCK_STREAM, SOL_SOCKET, getaddrinfo, socket
from threading import Thread
from typing import cast

from flask import Flask
from waitress.server import BaseWSGIServer, create_server

from companion.errors import CompanionError
from web.desk import KEY, Desk
from web.stream import MOST_STREAMS

SPARE_THREADS = 12
"""Threads beside the streams': pages, taps and one photograph."""
THREADS = MOST_STREAMS + SPARE_THREADS
_FAREWELL_S = 1.0
_BODY_BYTES = 64 * 1024 * 1024
"""Beyond this waitress hangs up; between this and the app's own limit people get a sentence."""


class Server:
    """A listening server with its loop in a thread of its own."""

    def __init__(self, waitress: BaseWSGIServer, desk: Desk) -> None:
        self._waitress = waitress
        self._desk = desk
        self._thread = Thread(target=waitress.run, name="web", daemon=True)
        self._thread.start()

    @property
    def port(self) -> int:
        """The port it listens on, also when any was asked for."""
        return int(self._waitress.effective_port)

    def close(self) -> None:
        """Say goodbye to every stream, finish what is being answered, stop. Takes below two seconds."""
        self._desk.hub.close()
        self._waitress.task_dispatcher.shutdown(cancel_pending=True, timeout=_FAREWELL_S)
        self._waitress.trigger.pull_trigger(self._hang_up)
        self._thread.join(timeout=_FAREWELL_S)

    def _hang_up(self) -> None:
        """Close every connection and the ear; on waitress's own thread, whose loop then ends."""
        for channel in list(self._waitress.active_channels.values()):
            channel.handle_close()
        self._waitress.close()


def serve(app: Flask, host: str, port: int, *, threads: int = THREADS) -> Server:
    """Listen on ``host:port`` (0: any free port). Raises CompanionError when that is not possible."""
    return serve_at(bound(host, port), app, threads=threads)


def serve_at(ear: socket, app: Flask, *, threads: int = THREADS) -> Server:
    """Listen at a socket that is `bound`."""
    waitress = create_server(
        app,
        sockets=[ear],
        threads=threads,
        connection_limit=4 * MOST_STREAMS,
        channel_timeout=60,
        max_request_body_size=_BODY_BYTES,
        asyncore_use_poll=True,
        clear_untrusted_proxy_headers=True,
        ident="companion",
    )
    return Server(waitress, cast("Desk", app.extensions[KEY]))


def bound(host: str, port: int) -> socket:
    """A bound socket: a port in use is found before two hundred threads are started, and any port is known.

    Raises CompanionError when it cannot be listened on.
    """
    try:
        family, kind, protocol, _, address = getaddrinfo(host, port, type=SOCK_STREAM, flags=AI_PASSIVE)[0]
        ear = socket(family, kind, protocol)
    except OSError as fault:
        raise CompanionError(
            f"{host!r} is no address of this computer; choose another with --host"
        ) from fault
    try:
        ear.setsockopt(SOL_SOCKET, SO_REUSEADDR, 1)
        ear.bind(address)
    except OSError as fault:
        ear.close()
        raise CompanionError(
            f"port {port} on {host} cannot be listened on ({fault.strerror}); stop what uses it, or choose"
            " another with --port"
        ) from fault
    return ear
