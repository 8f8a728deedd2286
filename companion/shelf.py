"""The games that are kept: begun, listed, exported, imported."""

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from companion import gamefile
from companion.clock import wall_time
from companion.errors import CompanionError, GameNotFoundError
from companion.evening import Entry, Evening
from companion.journal import GameRecord, Journal
from companion.opengame import OpenGame
from companion.rules import notation
from companion.rules.events import Seat
from companion.rules.game import Game, Setup, players
from companion.seal import Seal, new_deal
from companion.snapshot import GameInfo, SeatInfo

_OPEN = "open game"
_MAX_TITLE = 200


class Shelf:
    """All games of one journal. Reading is safe from any thread; the rest is the table's."""

    def __init__(self, journal: Journal, games: Mapping[str, Game[Any]], seal: Seal) -> None:
        self.games = games
        self._journal = journal
        self._seal = seal

    def infos(self) -> tuple[GameInfo, ...]:
        """Every game, the newest first."""
        return tuple(_info(record) for record in self._journal.games())

    def begin(
        self,
        slug: str,
        title: str,
        seats: tuple[Seat, ...],
        options: Mapping[str, str],
        names: Mapping[Seat, str],
    ) -> tuple[OpenGame, str]:
        """A new game, and a sentence if the last one could not be carried over.

        Raises GameNotFoundError, or ValueError with the reason.
        """
        game = self._game(slug)
        fewest, most = game.seats
        if not fewest <= len(seats) <= most:
            raise ValueError(f"{game.title} takes {players(game.seats)}; {len(seats)} are chosen")
        carried, trouble = self._carried(game)
        defaults = {option.name: option.default for option in game.options}
        setup = Setup(seats, {**defaults, **options}, new_deal(), carried, {s: names[s] for s in seats})
        game.setup(setup)  # raises before anything is kept
        title = " ".join(title.split())[:_MAX_TITLE] or game.title
        record = GameRecord(secrets.token_hex(4), slug, title, wall_time(), setup)
        self._journal.begin(record)
        self._journal.keep(_OPEN, record.id)
        return OpenGame(record, game, self._journal, self._seal), trouble

    def open(self, game_id: str) -> OpenGame:
        """A kept game, to go on. Raises GameNotFoundError or CompanionError."""
        record = self._journal.game(game_id)
        opened = OpenGame(record, self._game(record.slug), self._journal, self._seal)
        self._journal.keep(_OPEN, game_id)
        if record.ended != (opened.outcome is not None):  # the power went between the row and this note
            self._journal.mark_ended(game_id, ended=not record.ended)
        return opened

    def last_open(self) -> OpenGame | None:
        """The game that lay on the table when the companion was stopped."""
        game_id = self._journal.kept(_OPEN)
        return self.open(game_id) if game_id else None

    def put_away(self) -> None:
        """No game lies on the table any more."""
        self._journal.keep(_OPEN, "")

    def export(self, game_id: str, seats: Sequence[SeatInfo]) -> str:
        """A game as text (see ``gamefile``), its secrets sealed. Raises GameNotFoundError."""
        record = self._journal.game(game_id)
        game = self._game(record.slug)
        evening = self._folded(record)
        events = tuple((fact.seq, fact.event) for fact in evening.facts)
        names = {seat.key: seat.name for seat in seats}
        file = gamefile.GameFile(record.slug, record.title, record.setup, events, (), record.started, names)
        return gamefile.write(
            file, game, close=self._seal.close, over=game.outcome(evening.state) is not None
        )

    def read(self, text: str) -> tuple[gamefile.GameFile, Evening]:
        """An exported game, folded. Raises GameFileError naming the line at fault."""
        file = gamefile.read(text, self.games, open_seal=self._seal.open)
        return file, gamefile.fold(file, self.games[file.slug])

    def take_in(self, file: gamefile.GameFile, evening: Evening) -> GameInfo:
        """Keep a game that was read."""
        over = evening.game.outcome(evening.state) is not None
        started = file.started or wall_time()
        record = GameRecord(secrets.token_hex(4), file.slug, file.title, started, file.setup, ended=over)
        rows = [
            Entry(fact.seq, "event", notation.write(fact.event), "import", f"import-{fact.seq}")
            for fact in evening.facts
        ]
        self._journal.begin(record, rows)
        return _info(replace(record, rows=len(rows)))

    def _carried(self, game: Game[Any]) -> tuple[Mapping[str, str], str]:
        """What the last evening of this game left for this one, and why if it could not be had."""
        last = next((record for record in self._journal.games() if record.slug == game.slug), None)
        if last is None:
            return {}, ""
        try:
            return dict(game.keeps(self._folded(last).state)), ""
        except CompanionError as fault:
            return last.setup.carried, str(fault)

    def _folded(self, record: GameRecord) -> Evening:
        return OpenGame(record, self._game(record.slug), self._journal, self._seal).evening

    def _game(self, slug: str) -> Game[Any]:
        if slug not in self.games:
            raise GameNotFoundError(f"the game {slug!r} is not here; there are: {', '.join(self.games)}")
        return self.games[slug]


def _info(record: GameRecord) -> GameInfo:
    seats = record.setup.seats
    return GameInfo(record.id, record.slug, record.title, record.started, seats, record.rows, record.ended)
