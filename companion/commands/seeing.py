"""``read``, ``report`` and ``replay-frames``: what a camera or a photograph shows."""

import argparse
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from companion.commands.common import PROGRAM, Commands, add_data, port
from companion.errors import CompanionError
from companion.fetch import fetch_minute
from companion.settings import load

if TYPE_CHECKING:
    from vision.photo import PhotoReading


def add_read(commands: Commands) -> None:
    """Add ``read``."""
    read = commands.add_parser("read", help="read the dice, or count the cubes, in photographs")
    read.add_argument("photos", nargs="+", type=Path, metavar="PHOTO")
    read.add_argument("--dice", help='what should lie there, such as "7 white + 1 coloured"')
    read.add_argument(
        "--cubes",
        metavar="MOST",
        help='count cubes instead: the most there can be, "3 blue + 1 red", or any',
    )
    read.add_argument("--json", action="store_true", help="one JSON line a photograph")
    read.add_argument("--annotate", type=Path, metavar="DIR", help="write pictures of what was read there")
    read.set_defaults(run=_read)


def add_report(commands: Commands) -> None:
    """Add ``report`` and ``replay-frames``."""
    report = commands.add_parser(
        "report", help="save what the camera saw in the last minute, for a report of what went wrong"
    )
    report.add_argument("file", nargs="?", type=Path, default=Path("companion-minute.zip"), metavar="FILE")
    report.add_argument("--url", help="address of the running companion (this machine's)")
    report.add_argument("--port", type=port, help="port of the pages")
    add_data(report)
    report.set_defaults(run=_report)
    again = commands.add_parser(
        "replay-frames",
        help="run a saved minute again; exit status 0 if every roll comes to the same, 1 if not",
    )
    again.add_argument("file", type=Path, metavar="FILE", help="what the camera's page or `report` saved")
    again.set_defaults(run=_replay_frames)


def _read(given: argparse.Namespace) -> int:
    if given.cubes is not None:
        return _read_cubes(given)
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


def _read_cubes(given: argparse.Namespace) -> int:
    from vision.annotate import annotate_cubes, counted_words, encode_jpeg  # noqa: PLC0415 - as in _read
    from vision.photo import parse_cubes, read_cube_photo  # noqa: PLC0415 - as in _read

    if given.dice:
        raise CompanionError("--dice and --cubes do not go together: read one, then the other.")
    try:
        expected = parse_cubes(given.cubes)
    except ValueError as fault:
        raise CompanionError(f"--cubes: {fault}") from fault
    faults = 0
    for photo in given.photos:
        try:
            found = read_cube_photo(photo, expected)
            if given.annotate:
                given.annotate.mkdir(parents=True, exist_ok=True)
                drawn = encode_jpeg(annotate_cubes(found.frame, found.read))
                (given.annotate / f"{photo.stem}.jpg").write_bytes(drawn)
        except (ValueError, OSError) as fault:
            faults += 1
            print(f"{PROGRAM}: {fault}", file=sys.stderr)
            continue
        words = counted_words(found.read.colours)
        told = f"{found.row['image']}: {found.row['status']}: {words}. {found.read.reason}".strip()
        print(json.dumps(found.row) if given.json else told, flush=True)
    return 1 if faults else 0


def _told(read: "PhotoReading") -> str:
    row = read.row
    faces = ", ".join(f"{die['kind']} {die['face']} ({die['confidence']:.0%})" for die in row["dice"])
    why = f" {read.judgement.reason}" if read.judgement.reason else ""
    return f"{row['image']}: {row['status']}: {faces or 'no dice'}.{why}"


def _replay_frames(given: argparse.Namespace) -> int:
    from vision.replay import rerun  # noqa: PLC0415 - OpenCV takes a while
    from vision.report import Report, ReportError  # noqa: PLC0415 - as above

    try:
        report = Report.open(given.file)
        outcome = rerun(report)
    except ReportError as fault:
        raise CompanionError(str(fault)) from fault
    print(f"{report.head['frames']} frames in {report.head['seconds']} s; rolls: {len(outcome.rolls)}")
    for roll in outcome.rolls:
        print(f"{roll.seconds:8.2f} s  {'same' if roll.same else 'DIFFERENT'}  then {_rolled(roll.then)}")
        if not roll.same:
            print(f"{'':24}now  {_rolled(roll.now)}")
    if outcome.otherwise:
        print(f"At {outcome.otherwise} frames the watcher did something else than then.")
    if outcome.unread:
        print(f"{outcome.unread} frames that were read then were not read again.")
    print("The same." if outcome.same else "Not the same.")
    return 0 if outcome.same else 1


def _rolled(roll: Mapping[str, Any] | None) -> str:
    if roll is None:
        return "no roll"
    return f"{' '.join(roll['dice'])} ({'sure' if roll['sure'] else 'asked'}, {roll['confidence']:.0%})"


def _report(given: argparse.Namespace) -> int:
    data = given.data
    settings = load(data / "companion.toml")
    address = given.url or f"http://127.0.0.1:{given.port or settings.web.port}"
    size = fetch_minute(address, data, given.file)
    print(f"{given.file}: {size / 1e6:.1f} MB. Look at it again with: {PROGRAM} replay-frames {given.file}")
    return 0
