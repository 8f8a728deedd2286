"""``companion tower``: what a tower notices in recorded edges and sound, without any hardware.

numpy takes a while to import, so the command imports what it needs.
"""

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hardware.noticed import Noticed


def add_tower(commands: Any) -> None:
    """Add the command to ``commands`` (what ``add_subparsers`` gave).

    Its ``act`` takes the parsed arguments and returns the exit status 0, or raises ValueError with a
    sentence.
    """
    text = "say what a tower notices in recorded edges and sound"
    tower = commands.add_parser("tower", help=text, description=text)
    add = tower.add_argument
    add(
        "--edges",
        type=Path,
        required=True,
        metavar="FILE",
        help='one edge a line: {"t": seconds, "line": "entry", "active": true}; active means broken',
    )
    add("--sound", type=Path, metavar="FILE", help="a WAV of one channel, its first sample at t = 0")
    add("--profile", type=Path, metavar="FILE", help="the tower's profile (built in, with the lines found)")
    add("--unseal", action="store_true", help="also say on which floors the cubes lie")
    add("--json", action="store_true", help="one JSON line for each thing noticed")
    tower.set_defaults(act=tower_command)


def tower_command(given: argparse.Namespace) -> int:
    """Print what is noticed. Raises ValueError naming the file, the line and what is wrong."""
    for noticed in replay(given.edges, given.sound, given.profile):
        print(_row(noticed, unseal=given.unseal) if given.json else _told(noticed, unseal=given.unseal))
    return 0


def replay(edges: Path, sound: Path | None = None, profile: Path | None = None) -> "Iterator[Noticed]":
    """Yield what a tower notices in recordings, in the order in which it would be told at the table.

    Files are read piece by piece, however long they are. Raises ValueError.
    """
    from hardware.edgefile import EdgeFile  # noqa: PLC0415 - see above
    from hardware.follow import Follower  # noqa: PLC0415
    from hardware.profile import TowerProfile, for_lines  # noqa: PLC0415
    from hardware.soundfile import SoundFile  # noqa: PLC0415

    recorded = EdgeFile(edges)
    heard = SoundFile(sound) if sound else None
    known = TowerProfile.load(profile) if profile else for_lines(recorded.lines())
    if not known.lines:
        known = known.with_lines(recorded.lines())
    follower = Follower(known, rate=heard.rate if heard else None)
    yield from follower.run(recorded.edges(), heard.pieces() if heard else ())


def _row(noticed: "Noticed", *, unseal: bool) -> str:
    floors = [round(p, 4) for p in noticed.floors] if unseal and noticed.floors else None
    return json.dumps(
        {
            "at": round(noticed.at, 6),
            "kind": str(noticed.kind),
            "confidence": round(noticed.confidence, 4),
            "floors": floors,
        }
    )


def _told(noticed: "Noticed", *, unseal: bool) -> str:
    from hardware.floors import told  # noqa: PLC0415 - see above

    text = f"{noticed.at:10.3f} s  {noticed.kind} ({noticed.confidence:.0%})"
    if noticed.line and (unseal or noticed.line.startswith("entry")):
        text += f", {noticed.line}"
    if unseal and noticed.floors:
        text += f", {told(noticed.floors)}"
    return text
