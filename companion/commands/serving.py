"""``serve`` and ``rehearse``: the companion itself."""

import argparse
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import segno

from companion.addresses import reachable
from companion.commands.common import Commands, add_data, port
from companion.corrections import Corrections
from companion.datafolder import DataFolder
from companion.games import all_games
from companion.journal import Journal
from companion.records import Records
from companion.rules.events import Notice
from companion.seal import Seal
from companion.settings import Settings, load
from companion.table import Table

if TYPE_CHECKING:
    from companion.devices import Devices

_WAKE_S = 0.25


def add_serve(commands: Commands) -> None:
    """Add ``serve`` and ``rehearse``."""
    for name, rehearse, text in (
        ("serve", False, "start the companion; phones open the address that it prints"),
        ("rehearse", True, "start it with a table that exists only in pictures, without any hardware"),
    ):
        serve = commands.add_parser(name, help=text, description=text)
        serve.add_argument("--host", help="address to listen on (0.0.0.0: every network)")
        serve.add_argument("--port", type=port, help="port of the pages (8080)")
        add_data(serve)
        serve.add_argument(
            "--camera", metavar="{auto,none,picamera2,v4l2:N,PATH}", help="where pictures come from"
        )
        serve.add_argument(
            "--rehearse", action="store_true", default=rehearse, help="rehearse, even if there is hardware"
        )
        serve.set_defaults(run=_serve)


def _serve(given: argparse.Namespace) -> int:
    stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _setter(stop))
    from companion.devices import Devices  # noqa: PLC0415 - it needs OpenCV, which takes a while

    with ExitStack() as closing:
        data = DataFolder.open(given.data)
        closing.callback(data.close)
        settings = _settings(given, data)
        journal = Journal.open(settings.journal.url or data.database_url)
        closing.callback(journal.close)
        corrections = Corrections(data.path / "corrections")
        table = Table(journal, all_games(), seal=Seal.at(data.seal_file), corrected=corrections.keep)
        closing.callback(table.close)
        if journal.set_aside is not None:
            table.notice(_damaged(journal.set_aside))
        devices = Devices(settings, table, rehearse=given.rehearse, folder=data.path)
        closing.callback(devices.close)
        records = Records(journal, corrections)
        addresses = _serve_pages(settings, data, table, devices, records, stop, closing)
        devices.start()
        _greet(addresses, data, devices)
        # The kernel may hand the signal to another thread, and a wait without end is not woken by that.
        while not stop.wait(_WAKE_S):
            pass
        print("Closing; everything is kept.")
    return 0


def _serve_pages(
    settings: Settings,
    data: DataFolder,
    table: Table,
    devices: "Devices",
    records: Records,
    stop: threading.Event,
    closing: ExitStack,
) -> tuple[str, ...]:
    from companion.devices import photo_reader  # noqa: PLC0415 - as above
    from web import (  # noqa: PLC0415 - Flask takes a while, and only this needs it
        Ports,
        bound,
        create_app,
        serve_at,
    )

    ear = bound(settings.web.host, settings.web.port)
    addresses = reachable(ear.getsockname()[1], url=settings.web.url)
    ports = Ports(
        read_photo=photo_reader(devices.reader),
        rehearsal=devices.rehearsal,
        camera=devices.picture,
        addresses=addresses,
        host_pin=data.host_pin(),
        secret_key=data.secret_key(),
        shutdown=stop.set,
        version=version("table-companion"),
        teaching=devices.teaching,
        ledger=records,
        tower=devices.bench,
    )
    closing.callback(serve_at(ear, create_app(table, ports)).close)
    return addresses


def _settings(given: argparse.Namespace, data: DataFolder) -> Settings:
    settings = load(data.settings_file)
    if given.host is not None:
        settings = replace(settings, web=replace(settings.web, host=given.host))
    if given.port is not None:
        settings = replace(settings, web=replace(settings.web, port=given.port))
    if given.camera is not None:
        settings = replace(settings, camera=replace(settings.camera, source=given.camera))
    return settings


def _greet(addresses: tuple[str, ...], data: DataFolder, devices: "Devices") -> None:
    print(f"The companion is ready: {addresses[0]}")
    for other in addresses[1:]:
        print(f"                 or at: {other}")
    print(f"Host PIN: {data.host_pin()}    Games and settings: {data.path}")
    print(devices.sentence)
    if sys.stdout is None:  # started with its output closed
        return
    if sys.stdout.isatty():
        segno.make(addresses[0], micro=False).terminal(compact=True)
    sys.stdout.flush()


def _setter(stop: threading.Event) -> Callable[[int, FrameType | None], None]:
    def handle(_: int, __: FrameType | None) -> None:
        stop.set()

    return handle


def _damaged(aside: Path) -> Notice:
    return Notice(
        source="games",
        state="set aside",
        text=f"The file of games was damaged. It was put aside as {aside.name}, and a new one begun.",
        remedy="Import games that you exported; check the SD card.",
    )
