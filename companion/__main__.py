"""The command line and the composition root: the only module that sees everything."""

import argparse
import json
import logging
import os
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

import segno

from companion import doctor, gamefile, plain
from companion.addresses import reachable
from companion.datafolder import DataFolder
from companion.errors import CompanionError, SettingsError
from companion.games import all_games
from companion.journal import Journal
from companion.rules.events import Notice, Seat, Seconds
from companion.seal import Seal
from companion.settings import Settings, load
from companion.table import Table

if TYPE_CHECKING:
    from companion.devices import Devices
    from vision.photo import PhotoReading

PROGRAM = "companion"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command. Exit status 0: done; 1: it says what is wrong; 2: the line is not understood."""
    given = _parser().parse_args(arguments)
    logging.basicConfig(
        level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s", stream=sys.stderr
    )
    try:
        return int(given.run(given))
    except CompanionError as fault:
        print(f"{PROGRAM}: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130  # as shells have it
    except BrokenPipeError:  # the reader of our output has gone, as `| head` does
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


# -- serve and rehearse -------------------------------------------------------------------------


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
        table = Table(journal, all_games(), seal=Seal.at(data.seal_file))
        closing.callback(table.close)
        if journal.set_aside is not None:
            table.notice(_damaged(journal.set_aside))
        devices = Devices(settings, table, rehearse=given.rehearse, folder=data.path)
        closing.callback(devices.close)
        addresses = _serve_pages(settings, data, table, devices, stop, closing)
        devices.start()
        _greet(addresses, data, devices)
        stop.wait()
        print("Closing; everything is kept.")
    return 0


def _serve_pages(
    settings: Settings,
    data: DataFolder,
    table: Table,
    devices: "Devices",
    stop: threading.Event,
    closing: ExitStack,
) -> tuple[str, ...]:
    from companion.devices import photo_reader  # noqa: PLC0415 - as above
    from web import Ports, create_app, serve  # noqa: PLC0415 - Flask takes a while, and only this needs it

    def ports(addresses: tuple[str, ...]) -> Ports:
        return Ports(
            read_photo=photo_reader(),
            rehearsal=devices.rehearsal,
            camera=devices.picture,
            addresses=addresses,
            host_pin=data.host_pin(),
            secret_key=data.secret_key(),
            shutdown=stop.set,
            version=version("table-companion"),
        )

    addresses = reachable(settings.web.port, url=settings.web.url)
    server = serve(create_app(table, ports(addresses)), settings.web.host, settings.web.port)
    closing.callback(server.close)
    return reachable(server.port, url=settings.web.url)


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


# -- read, replay, games, doctor ----------------------------------------------------------------


def _read(given: argparse.Namespace) -> int:
    from vision.annotate import annotate, encode_jpeg  # noqa: PLC0415 - OpenCV takes a while
    from vision.photo import parse_dice, read_photo  # noqa: PLC0415 - as above

    try:
        expected = parse_dice(given.dice) if given.dice else None
    except ValueError as fault:
        raise CompanionError(f"--dice: {fault}") from fault
    faults = 0
    for photo in given.photos:
        try:
            read = read_photo(photo, expected)
            if given.annotate:
                given.annotate.mkdir(parents=True, exist_ok=True)
                drawn = annotate(read.frame, read.dice, read.judgement)
                (given.annotate / f"{photo.stem}.jpg").write_bytes(encode_jpeg(drawn))
        except (ValueError, OSError) as fault:
            faults += 1
            print(f"{PROGRAM}: {fault}", file=sys.stderr)
            continue
        print(json.dumps(read.row) if given.json else _told(read), flush=True)
    return 1 if faults else 0


def _told(read: "PhotoReading") -> str:
    row = read.row
    faces = ", ".join(f"{die['kind']} {die['face']} ({die['confidence']:.0%})" for die in row["dice"])
    why = f" {read.judgement.reason}" if read.judgement.reason else ""
    return f"{row['image']}: {row['status']}: {faces or 'no dice'}.{why}"


def _replay(given: argparse.Namespace) -> int:
    games = all_games()
    try:
        content = sys.stdin.buffer.read() if str(given.file) == "-" else given.file.read_bytes()
        text = content.decode()
    except (OSError, UnicodeDecodeError) as fault:
        raise CompanionError(f"{given.file} cannot be read: {fault}") from fault
    file = gamefile.read(text, games)
    game = games[file.slug]
    evening = gamefile.fold(file, game, to=given.to)
    seat = _seat_named(given.seat, file) if given.seat else None
    if file.left_out:
        print(f"# sealed, so left out: lines {', '.join(map(str, file.left_out))}")
    for line in plain.lines(game.view(evening.state, seat, Seconds(evening.last_at))):
        print(line)
    outcome = game.outcome(evening.state)
    if outcome:
        print(f"\n{outcome.termination}: {outcome.text}")
    return 0


def _seat_named(name: str, file: gamefile.GameFile) -> Seat:
    for seat, called in file.names.items():
        if name in {seat, called}:
            return seat
    raise CompanionError(f"nobody called {name!r} played; there were: {', '.join(file.names.values())}")


def _games(given: argparse.Namespace) -> int:
    print("Games that can be played:")
    for game in all_games().values():
        print(f"  {game.slug:12} {game.title} ({game.seats[0]} to {game.seats[1]} players)")
    settings = load(given.data / "companion.toml")
    file = given.data / "companion.db"
    if not settings.journal.url and not file.exists():
        print(f"No games are kept in {given.data} yet.")
        return 0
    url = settings.journal.url or f"sqlite:///{file}"
    journal = Journal.open(url, owner=False)  # a list changes nothing
    try:
        kept = journal.games()
    finally:
        journal.close()
    print(f"Games kept in {given.data}:" if kept else f"No games are kept in {given.data} yet.")
    for record in kept:
        state = "ended" if record.ended else "open"
        told = f"{record.slug:12} {record.title} ({record.rows} facts, {state})"
        print(f"  {record.id}  {record.started[:10]}  {told}")
    return 0


def _doctor(given: argparse.Namespace) -> int:
    file = given.data / "companion.toml"
    try:
        settings, read = load(file), doctor.Finding("settings", doctor.Health.GOOD, "can be read")
    except SettingsError as fault:
        settings = Settings()
        read = doctor.Finding("settings", doctor.Health.BAD, str(fault), f"correct it in {file}")
    port = given.port or settings.web.port
    findings = doctor.examine(given.data, port, settings.web.url, _device_checks(settings, given.data))
    findings.insert(0, read)
    print(doctor.report(findings))
    return 1 if any(finding.health is doctor.Health.BAD for finding in findings) else 0


def _device_checks(settings: Settings, data: Path) -> tuple[doctor.Check, ...]:
    try:
        from companion.devices import device_checks  # noqa: PLC0415 - may fail, see below
    except ImportError:
        return ()  # the doctor's own look at OpenCV says what is broken
    return device_checks(settings, data)


# -- the command line ---------------------------------------------------------------------------


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM, description="A companion for detective games at the table."
    )
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    for name, rehearse, text in (
        ("serve", False, "start the companion; phones open the address that it prints"),
        ("rehearse", True, "start it with a table that exists only in pictures, without any hardware"),
    ):
        serve = commands.add_parser(name, help=text, description=text)
        serve.add_argument("--host", help="address to listen on (0.0.0.0: every network)")
        serve.add_argument("--port", type=_port, help="port of the pages (8080)")
        _add_data(serve)
        serve.add_argument(
            "--camera", metavar="{auto,none,picamera2,v4l2:N,PATH}", help="where pictures come from"
        )
        serve.add_argument(
            "--rehearse", action="store_true", default=rehearse, help="rehearse, even if there is hardware"
        )
        serve.set_defaults(run=_serve)
    read = commands.add_parser("read", help="read the dice in photographs")
    read.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    read.add_argument("--dice", help='what should lie there, such as "7 white + 1 coloured"')
    read.add_argument("--json", action="store_true", help="one JSON line a photograph")
    read.add_argument("--annotate", type=Path, metavar="DIR", help="write pictures of what was read there")
    read.set_defaults(run=_read)
    replay = commands.add_parser("replay", help="play an exported game again and print its end as text")
    replay.add_argument("file", type=Path, metavar="FILE", help="a game as text; - for standard input")
    replay.add_argument("--to", type=_number, metavar="N", help="only the first N facts")
    replay.add_argument("--seat", metavar="NAME", help="as this player saw it")
    replay.set_defaults(run=_replay)
    check = commands.add_parser("doctor", help="say what is wrong with this machine, and what mends it")
    check.add_argument("--port", type=_port, help="port of the pages")
    _add_data(check)
    check.set_defaults(run=_doctor)
    games = commands.add_parser("games", help="list the games that can be played and those that are kept")
    _add_data(games)
    games.set_defaults(run=_games)
    return parser


def _add_data(parser: argparse.ArgumentParser) -> None:
    home = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    parser.add_argument(
        "--data",
        type=Path,
        default=home / "table-companion",
        metavar="DIR",
        help="folder of games, keys and companion.toml (%(default)s)",
    )


def _number(text: str) -> int:
    if not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of facts: 0 or more")
    return int(text)


def _port(text: str) -> int:
    if not text.isdecimal() or not 0 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a port: a number up to 65535, 0 for any free one"
        )
    return int(text)


if __name__ == "__main__":
    sys.exit(main())
