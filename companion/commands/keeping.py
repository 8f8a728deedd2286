"""``replay``, ``games`` and ``ledger``: what is kept of evenings."""

import argparse
import json
import sys
from pathlib import Path

from companion import gamefile, plain
from companion.commands.common import Commands, add_data, number
from companion.corrections import Corrections
from companion.errors import CompanionError
from companion.games import all_games
from companion.journal import Journal
from companion.records import Records, in_lines
from companion.rules.events import Seat, Seconds
from companion.rules.game import players
from companion.settings import load


def add_replay(commands: Commands) -> None:
    """Add ``replay``."""
    replay = commands.add_parser("replay", help="play an exported game again and print its end as text")
    replay.add_argument("file", type=Path, metavar="FILE", help="a game as text; - for standard input")
    replay.add_argument("--to", type=number, metavar="N", help="only the first N facts")
    replay.add_argument("--seat", metavar="NAME", help="as this player saw it")
    replay.set_defaults(run=_replay)


def add_kept(commands: Commands) -> None:
    """Add ``ledger`` and ``games``."""
    book = commands.add_parser("ledger", help="say how often the readers of dice were right")
    book.add_argument("--json", action="store_true", help="one JSON line")
    book.add_argument("--forget", action="store_true", help="delete all kept pictures of misread dice")
    add_data(book)
    book.set_defaults(run=_ledger)
    games = commands.add_parser("games", help="list the games that can be played and those that are kept")
    add_data(games)
    games.set_defaults(run=_games)


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
        print(f"  {game.slug:12} {game.title} ({players(game.seats)})")
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


def _ledger(given: argparse.Namespace) -> int:
    corrections = Corrections(given.data / "corrections")
    if given.forget:
        try:
            number = corrections.forget()
        except OSError as fault:
            raise CompanionError(f"The pictures cannot be deleted: {fault}") from fault
        print(f"Deleted: {number} pictures of misread dice.")
        return 0
    url = load(given.data / "companion.toml").journal.url
    file = given.data / "companion.db"
    if not url and not file.exists():
        print(f"No games are kept in {given.data} yet.")
        return 0
    journal = Journal.open(url or f"sqlite:///{file}", owner=False)  # it changes nothing
    try:
        told = Records(journal, corrections).told()
    finally:
        journal.close()
    print(json.dumps(told, ensure_ascii=False) if given.json else "\n".join(in_lines(told)))
    return 0
